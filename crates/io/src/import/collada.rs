//! COLLADA meshes (`.dae`): the triangles of the scene, in metres.
//!
//! Units and transforms of nodes count. The axis that points up does not: robots are written as if meshes stood in the axes of
//! their links, and what shows them takes meshes as they are.

use std::collections::BTreeMap;
use std::path::Path;

use drystone_geometry::TriMesh;
use drystone_model::{DMat3, DQuat, DVec3};
use roxmltree::{Document, Node, ParsingOptions};

use super::xml;

/// Most elements of a file.
const MAX_NODES: u32 = 4_000_000;
/// Deepest nesting of nodes, with those that are used again.
const MAX_DEPTH: usize = 64;
/// Most triangles, and most nodes: those that are used again and again double quickly.
const MAX_TRIANGLES: usize = 10_000_000;
const MAX_VISITS: usize = 100_000;

type Problem = (String, String);

/// Reads the triangles of a file.
pub(super) fn read(path: &Path) -> Result<TriMesh, Problem> {
    let text = xml::read_bytes(path).and_then(|bytes| xml::as_text(path, bytes));
    let text = text.map_err(|error| {
        let first = error.faults.into_iter().next();
        first.map_or_else(Default::default, |fault| (format!("`{}`: {}", path.display(), fault.message), fault.help))
    })?;
    parse(&text).map_err(|message| {
        let help = "convert it to .obj (Blender, MeshLab or `assimp export a.dae a.obj` do) and name that file";
        (format!("`{}`: {message}", path.display()), help.to_owned())
    })
}

/// Reads a text.
pub(super) fn parse(text: &str) -> Result<TriMesh, String> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| error.to_string())?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err("this is no COLLADA file".into());
    }
    let unit = root.descendants().find(|node| node.has_tag_name_local("unit"));
    let metres = unit.and_then(|unit| unit.attribute("meter")).map_or(Ok(1.0), number)?;
    let named = root.descendants().filter_map(|node| Some((node.attribute("id")?, node)));
    let mesh = TriMesh { vertices: Vec::new(), triangles: Vec::new() };
    let mut reader = Reader { named: named.collect(), mesh, visits: 0 };
    let scale = Map { linear: DMat3::from_diagonal(DVec3::splat(metres)), offset: DVec3::ZERO };
    match root.children_local("scene").next().and_then(|scene| scene.children_local("instance_visual_scene").next()) {
        Some(instance) => {
            let scene = reader.target(instance)?;
            scene.children_local("node").try_for_each(|node| reader.node(node, scale, 0))?;
        }
        // Without a scene there are only the geometries themselves.
        None => {
            let all: Vec<_> = root.descendants().filter(|node| node.has_tag_name_local("geometry")).collect();
            all.into_iter().try_for_each(|geometry| reader.geometry(geometry, scale))?;
        }
    }
    if reader.mesh.triangles.is_empty() {
        return Err("it has no triangles".into());
    }
    Ok(reader.mesh)
}

/// A linear map and an offset.
#[derive(Clone, Copy)]
struct Map {
    linear: DMat3,
    offset: DVec3,
}

impl Map {
    fn then(self, inner: Self) -> Self {
        Self { linear: self.linear * inner.linear, offset: self.linear * inner.offset + self.offset }
    }
}

/// Elements by name, whatever namespace the file declares.
trait Local<'a, 'input: 'a> {
    fn has_tag_name_local(&self, name: &str) -> bool;
    fn children_local(&self, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>>;
}

impl<'a, 'input: 'a> Local<'a, 'input> for Node<'a, 'input> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }

    fn children_local(&self, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>> {
        self.children().filter(move |node| node.has_tag_name_local(name))
    }
}

struct Reader<'a, 'input> {
    named: BTreeMap<&'a str, Node<'a, 'input>>,
    mesh: TriMesh,
    visits: usize,
}

impl<'a, 'input> Reader<'a, 'input> {
    /// The element that another names by `url` or `source`.
    fn target(&self, node: Node<'a, 'input>) -> Result<Node<'a, 'input>, String> {
        let name = node.attribute("url").or(node.attribute("source")).unwrap_or_default();
        let found = name.strip_prefix('#').and_then(|id| self.named.get(id));
        found.copied().ok_or_else(|| format!("`{}` names `{name}`, which is not in the file", node.tag_name().name()))
    }

    fn node(&mut self, node: Node<'a, 'input>, above: Map, depth: usize) -> Result<(), String> {
        self.visits += 1;
        if depth > MAX_DEPTH || self.visits > MAX_VISITS {
            return Err(format!("nodes are nested more than {MAX_DEPTH} deep, in a circle, or too many"));
        }
        let mut map = above;
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "matrix" | "translate" | "rotate" | "scale" => map = map.then(transform(child)?),
                "lookat" | "skew" => return Err(format!("`{}` is not read", child.tag_name().name())),
                "node" => self.node(child, map, depth + 1)?,
                "instance_node" => self.node(self.target(child)?, map, depth + 1)?,
                "instance_geometry" => self.geometry(self.target(child)?, map)?,
                "instance_controller" => return Err("meshes moved by bones are not read".into()),
                _ => {}
            }
        }
        Ok(())
    }

    fn geometry(&mut self, geometry: Node<'a, 'input>, map: Map) -> Result<(), String> {
        let Some(mesh) = geometry.children_local("mesh").next() else {
            return Err("a geometry that is no mesh is not read".into());
        };
        for part in mesh.children().filter(Node::is_element) {
            if matches!(part.tag_name().name(), "triangles" | "polylist" | "polygons") {
                self.part(part, map)?;
            } else if matches!(part.tag_name().name(), "tristrips" | "trifans") {
                return Err("strips and fans of triangles are not read".into());
            }
        }
        Ok(())
    }

    /// Faces with the points they share.
    fn part(&mut self, part: Node<'a, 'input>, map: Map) -> Result<(), String> {
        let offset_of = |input: Node<'_, '_>| input.attribute("offset").map_or(Ok(0), |text| text.parse::<usize>());
        let offsets: Result<Vec<usize>, _> = part.children_local("input").map(offset_of).collect();
        let offsets = offsets.map_err(|_| "an `offset` is no whole number")?;
        let stride = offsets.iter().max().map_or(1, |most| most.saturating_add(1));
        let vertex =
            part.children_local("input").zip(&offsets).find(|(input, _)| input.attribute("semantic") == Some("VERTEX"));
        let (vertex, &offset) = vertex.ok_or("faces without points")?;
        let vertices = self.target(vertex)?;
        let position = vertices.children_local("input").find(|input| input.attribute("semantic") == Some("POSITION"));
        let points = points(self.target(position.ok_or("points without positions")?)?)?;
        let first = self.mesh.vertices.len() as u32;
        let count = points.len();
        self.mesh.vertices.extend(points.into_iter().map(|point| map.linear * point + map.offset));
        let flipped = map.linear.determinant() < 0.0;
        let counts = match part.children_local("vcount").next() {
            Some(counts) => Some(whole(counts)?),
            None => None,
        };
        for list in part.children_local("p") {
            let corners = whole(list)?;
            let corners: Vec<usize> = corners.chunks(stride).filter_map(|chunk| chunk.get(offset).copied()).collect();
            let sizes = match (&counts, part.tag_name().name()) {
                (Some(counts), _) => counts.clone(),
                (None, "polygons") => vec![corners.len()],
                _ => vec![3; corners.len() / 3],
            };
            let mut start = 0usize;
            for size in sizes {
                let face =
                    start.checked_add(size).and_then(|end| corners.get(start..end)).ok_or("faces lack corners")?;
                if face.iter().any(|&corner| corner >= count) {
                    return Err("a face has a corner that is no point".into());
                }
                for pair in face.get(1..).unwrap_or_default().windows(2) {
                    let [a, b] = if flipped { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
                    self.mesh.triangles.push([face[0], a, b].map(|corner| first + corner as u32));
                }
                start += size;
            }
        }
        if self.mesh.triangles.len() > MAX_TRIANGLES {
            return Err(format!("it has more than {MAX_TRIANGLES} triangles"));
        }
        Ok(())
    }
}

/// The positions of a source.
fn points(source: Node<'_, '_>) -> Result<Vec<DVec3>, String> {
    let array = source.children_local("float_array").next().ok_or("positions without numbers")?;
    let numbers = numbers(array)?;
    let accessor = source.descendants().find(|node| node.has_tag_name_local("accessor"));
    let stride = accessor.and_then(|accessor| accessor.attribute("stride")).map_or(Ok(3), |text| text.parse::<usize>());
    let stride = stride.ok().filter(|&stride| stride >= 3).ok_or("positions of fewer than three numbers")?;
    Ok(numbers.chunks_exact(stride).map(DVec3::from_slice).collect())
}

fn transform(node: Node<'_, '_>) -> Result<Map, String> {
    let numbers = numbers(node)?;
    let (name, wanted) = match node.tag_name().name() {
        "matrix" => ("matrix", 16),
        "rotate" => ("rotate", 4),
        other => (other, 3),
    };
    if numbers.len() != wanted {
        return Err(format!("a `{name}` of {} numbers", numbers.len()));
    }
    let vector = || DVec3::from_slice(&numbers);
    Ok(match name {
        "matrix" => {
            let column = |k: usize| DVec3::new(numbers[k], numbers[4 + k], numbers[8 + k]);
            Map { linear: DMat3::from_cols(column(0), column(1), column(2)), offset: column(3) }
        }
        "translate" => Map { linear: DMat3::IDENTITY, offset: vector() },
        "scale" => Map { linear: DMat3::from_diagonal(vector()), offset: DVec3::ZERO },
        _ => {
            let axis = vector().try_normalize().ok_or("a `rotate` about no axis")?;
            Map { linear: DMat3::from_quat(DQuat::from_axis_angle(axis, numbers[3].to_radians())), offset: DVec3::ZERO }
        }
    })
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("`{text}` is not a finite number"))
}

fn numbers(node: Node<'_, '_>) -> Result<Vec<f64>, String> {
    node.text().unwrap_or_default().split_whitespace().map(number).collect()
}

fn whole(node: Node<'_, '_>) -> Result<Vec<usize>, String> {
    let parse = |word: &str| word.parse::<usize>().map_err(|_| format!("`{word}` is no whole number"));
    node.text().unwrap_or_default().split_whitespace().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corner of a cube with edges of 10 cm, its faces as `part`, in a node with `transforms`.
    fn corner(transforms: &str, part: &str) -> Result<TriMesh, String> {
        parse(&format!(
            "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema'><asset><unit meter='0.01'/><up_axis>Z_UP</up_axis></asset>\
             <library_geometries><geometry id='g'><mesh><source id='s'><float_array count='12'>0 0 0 10 0 0 0 10 0 0 0 10</float_array>\
             <technique_common><accessor stride='3'/></technique_common></source><vertices id='v'><input semantic='POSITION' source='#s'/></vertices>\
             {part}</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='c'><node>{transforms}<instance_geometry url='#g'/></node>\
             </visual_scene></library_visual_scenes><scene><instance_visual_scene url='#c'/></scene></COLLADA>"
        ))
    }

    const TRIANGLES: &str = "<triangles count='4'><input semantic='VERTEX' source='#v' offset='0'/><input semantic='NORMAL' source='#s' offset='1'/>\
        <p>0 0 2 0 1 0 0 0 1 0 3 0 0 0 3 0 2 0 1 0 2 0 3 0</p></triangles>";

    fn volume(mesh: &TriMesh) -> f64 {
        let corner = |index: u32| mesh.vertices[index as usize];
        mesh.triangles.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0).sum()
    }

    #[test]
    fn units_nodes_and_mirrors_count() {
        let plain = corner("", TRIANGLES).unwrap();
        assert!((volume(&plain) - 1e-3 / 6.0).abs() < 1e-15, "{}", volume(&plain));
        let moved = "<matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><rotate>0 0 1 90</rotate><scale>-2 1 1</scale>";
        let moved = corner(moved, TRIANGLES).unwrap();
        // (10, 0, 0) → (−20, 0, 0) → (0, −20, 0) → (5, −20, 0), in centimetres; the outside stays outside.
        assert!(moved.vertices[1].distance(DVec3::new(0.05, -0.2, 0.0)) < 1e-15, "{:?}", moved.vertices);
        assert!((volume(&moved) - 2e-3 / 6.0).abs() < 1e-15);
        let list = TRIANGLES.replace("triangles", "polylist").replace("<p>", "<vcount>3 3 3 3</vcount><p>");
        assert_eq!(corner("", &list).unwrap(), plain);
    }

    #[test]
    fn bad_files_are_refused_in_words() {
        for (part, expected) in [
            (TRIANGLES.replace("0 0 2 0 1", "0 0 9 0 1"), "corner that is no point"),
            (TRIANGLES.replace("#v", "#w"), "which is not in the file"),
            (TRIANGLES.replace("<p>0", "<p>zero"), "no whole number"),
            (TRIANGLES.replace("triangles", "trifans"), "fans of triangles are not read"),
            (String::new(), "no triangles"),
        ] {
            let problem = corner("", &part).unwrap_err();
            assert!(problem.contains(expected), "{problem}");
        }
        assert!(corner("<rotate>0 0 0 90</rotate>", TRIANGLES).unwrap_err().contains("about no axis"));
        assert!(corner("<translate>nan 0 0</translate>", TRIANGLES).unwrap_err().contains("finite"));
        let circle = "<COLLADA><library_nodes><node id='n'><instance_node url='#n'/><instance_node url='#n'/></node></library_nodes><library_visual_scenes>\
            <visual_scene id='c'><node><instance_node url='#n'/></node></visual_scene></library_visual_scenes>\
            <scene><instance_visual_scene url='#c'/></scene></COLLADA>";
        assert!(parse(circle).unwrap_err().contains("in a circle"));
        assert!(parse("<COLLADA>").is_err() && parse("<mesh/>").unwrap_err().contains("no COLLADA"));
    }
}
