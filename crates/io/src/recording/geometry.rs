//! Exact collision shapes as flat arrays.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Seek, Write};
use std::sync::Arc;

use drystone::geometry::{DVec3, Heightfield, Hull, Shape, TriMesh};

use super::arrays::{Arrays, to_vectors, vectors};
use crate::npz::{Array, Data, NpzError, NpzWriter};

/// Shapes flattened: a name and four numbers each, and vertices and faces for those that have them.
#[derive(Default)]
struct Flat {
    kind: Vec<String>,
    param: Vec<f64>,
    vertex: Vec<f64>,
    vertex_start: Vec<i64>,
    face: Vec<i64>,
    face_start: Vec<i64>,
    face_first: Vec<i64>,
}

pub(super) fn write<W: Write + Seek>(shapes: &[Shape], npz: &mut NpzWriter<W>) -> io::Result<()> {
    let mut flat = Flat { vertex_start: vec![0], face_start: vec![0], face_first: vec![0], ..Flat::default() };
    for shape in shapes {
        flat.push(shape);
    }
    let count = shapes.len();
    npz.array("shape_type", &Array::new(&[count], Data::Text(flat.kind)))?;
    npz.array("shape_param", &Array::new(&[count, 4], Data::Float(flat.param)))?;
    npz.array("shape_vertex", &Array::new(&[flat.vertex.len() / 3, 3], Data::Float(flat.vertex)))?;
    npz.array("shape_face", &Array::new(&[flat.face.len()], Data::Int(flat.face)))?;
    npz.array("shape_vertex_start", &Array::new(&[count + 1], Data::Int(flat.vertex_start)))?;
    npz.array("shape_face_start", &Array::new(&[flat.face_start.len()], Data::Int(flat.face_start)))?;
    npz.array("shape_face_first", &Array::new(&[count + 1], Data::Int(flat.face_first)))
}

impl Flat {
    fn push(&mut self, shape: &Shape) {
        let (kind, param) = match shape {
            Shape::Sphere { radius } => ("sphere", [*radius, 0.0, 0.0, 0.0]),
            Shape::Box { half } => ("box", [half.x, half.y, half.z, 0.0]),
            Shape::Capsule { radius, half_height } => ("capsule", [*radius, *half_height, 0.0, 0.0]),
            Shape::Cylinder { radius, half_height } => ("cylinder", [*radius, *half_height, 0.0, 0.0]),
            Shape::Cone { radius, half_height } => ("cone", [*radius, *half_height, 0.0, 0.0]),
            Shape::Ellipsoid { radii } => ("ellipsoid", [radii.x, radii.y, radii.z, 0.0]),
            Shape::HalfSpace => ("half-space", [0.0; 4]),
            Shape::Hull(hull) => {
                self.vertex.extend(vectors(&hull.vertices));
                for span in hull.face_start.windows(2) {
                    self.push_face(&hull.face_vertex[span[0] as usize..span[1] as usize]);
                }
                ("hull", [0.0; 4])
            }
            Shape::Mesh(mesh) => {
                self.vertex.extend(vectors(&mesh.vertices));
                mesh.triangles.iter().for_each(|t| self.push_face(t));
                ("mesh", [0.0; 4])
            }
            Shape::Heightfield(field) => {
                let surface = shape.to_mesh(&Default::default());
                self.vertex.extend(vectors(&surface.vertices));
                ("heightfield", [field.columns as f64, field.rows as f64, field.spacing[0], field.spacing[1]])
            }
        };
        self.kind.push(kind.into());
        self.param.extend(param);
        self.vertex_start.push(self.vertex.len() as i64 / 3);
        self.face_first.push(self.face_start.len() as i64 - 1);
    }

    fn push_face(&mut self, face: &[u32]) {
        self.face.extend(face.iter().map(|&i| i64::from(i)));
        self.face_start.push(self.face.len() as i64);
    }
}

/// Vertices and faces of one shape.
struct Faces<'a> {
    vertices: &'a [DVec3],
    /// Vertex indices of the faces of all shapes.
    vertex: &'a [u32],
    /// Where the faces of this shape start, and where the last one ends.
    start: &'a [u32],
}

pub(super) fn read(arrays: &mut Arrays, count: usize) -> Result<Vec<Shape>, NpzError> {
    let kinds = arrays.texts("shape_type", &[count])?;
    let params = arrays.floats("shape_param", &[count, 4])?;
    let vertex_count = arrays.length("shape_vertex")?;
    let vertices = to_vectors(arrays.floats("shape_vertex", &[vertex_count, 3])?);
    let vertex_start = arrays.starts("shape_vertex_start", count, vertex_count)?;
    let corner_count = arrays.length("shape_face")?;
    let corners = arrays.below("shape_face", &[corner_count], vertex_count as u64)?;
    let face_count = arrays.length("shape_face_start")?.saturating_sub(1);
    let face_start = arrays.starts("shape_face_start", face_count, corner_count)?;
    let face_first = arrays.starts("shape_face_first", count, face_count)?;
    let mut shapes: Vec<Shape> = Vec::with_capacity(count);
    // A file holds the vertices of every shape. Equal ones share one mesh again, as they did in the scene: they are drawn as
    // instances and have one tree.
    let mut known: HashMap<_, usize> = HashMap::new();
    for i in 0..count {
        let faces = Faces {
            vertices: &vertices[vertex_start[i] as usize..vertex_start[i + 1] as usize],
            vertex: &corners,
            start: &face_start[face_first[i] as usize..=face_first[i + 1] as usize],
        };
        let param = [params[4 * i], params[4 * i + 1], params[4 * i + 2], params[4 * i + 3]];
        let made = match known.entry((&*kinds[i], param.map(f64::to_bits), faces.bits())) {
            Entry::Occupied(same) => shapes[*same.get()].clone(),
            Entry::Vacant(room) => {
                room.insert(i);
                shape(&kinds[i], param, &faces)?
            }
        };
        shapes.push(made);
    }
    Ok(shapes)
}

fn shape(kind: &str, [a, b, c, d]: [f64; 4], faces: &Faces) -> Result<Shape, NpzError> {
    Ok(match kind {
        "sphere" => Shape::Sphere { radius: a },
        "box" => Shape::Box { half: DVec3::new(a, b, c) },
        "capsule" => Shape::Capsule { radius: a, half_height: b },
        "cylinder" => Shape::Cylinder { radius: a, half_height: b },
        "cone" => Shape::Cone { radius: a, half_height: b },
        "ellipsoid" => Shape::Ellipsoid { radii: DVec3::new(a, b, c) },
        "half-space" => Shape::HalfSpace,
        "hull" => Shape::Hull(Arc::new(faces.hull()?)),
        "mesh" => Shape::Mesh(Arc::new(faces.mesh()?)),
        "heightfield" => Shape::Heightfield(Arc::new(faces.heightfield(a, b, [c, d])?)),
        other => return Err(Arrays::bad("shape_type", format!("`{other}` is no known shape"))),
    })
}

impl Faces<'_> {
    /// Everything that makes two of them equal: the bits of the vertices, and the faces with their lengths.
    fn bits(&self) -> Vec<u64> {
        let vertices = self.vertices.iter().flat_map(|vertex| vertex.to_array().map(f64::to_bits));
        let faces =
            self.iter().flat_map(|face| [face.len() as u64].into_iter().chain(face.iter().map(|&i| u64::from(i))));
        [self.vertices.len() as u64].into_iter().chain(vertices).chain(faces).collect()
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.start.windows(2).map(|span| &self.vertex[span[0] as usize..span[1] as usize])
    }

    fn check(&self) -> Result<(), NpzError> {
        let count = self.vertices.len();
        match self.iter().flatten().find(|&&i| i as usize >= count) {
            Some(i) => Err(Arrays::bad("shape_face", format!("vertex {i} of a shape with only {count}"))),
            None => Ok(()),
        }
    }

    fn mesh(&self) -> Result<TriMesh, NpzError> {
        self.check()?;
        let triangle =
            |face: &[u32]| face.try_into().map_err(|_| Arrays::bad("shape_face", "a mesh has triangles only"));
        Ok(TriMesh {
            vertices: self.vertices.to_vec(),
            triangles: self.iter().map(triangle).collect::<Result<_, _>>()?,
        })
    }

    /// Normals and edges are not in the file; they follow from the faces.
    fn hull(&self) -> Result<Hull, NpzError> {
        self.check()?;
        let faces: Vec<&[u32]> = self.iter().collect();
        Hull::from_faces(self.vertices, &faces).map_err(|fault| Arrays::bad("shape_face", fault.to_string()))
    }

    fn heightfield(&self, columns: f64, rows: f64, spacing: [f64; 2]) -> Result<Heightfield, NpzError> {
        if columns < 0.0 || rows < 0.0 || columns * rows != self.vertices.len() as f64 {
            return Err(Arrays::bad(
                "shape_param",
                "columns times rows of a heightfield is not its number of vertices",
            ));
        }
        let heights = self.vertices.iter().map(|v| v.z).collect();
        Ok(Heightfield { columns: columns as usize, rows: rows as usize, spacing, heights })
    }
}
