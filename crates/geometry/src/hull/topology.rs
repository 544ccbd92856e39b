//! From face loops to the arrays of a [`Hull`].

use std::collections::BTreeMap;

use glamx::DVec3;

use super::Hull;

/// Builds all arrays of a hull; `None` if an edge has no twin or a face no area.
pub(super) fn assemble(points: &[DVec3], loops: &[Vec<u32>]) -> Option<Hull> {
    let mut renumbered: BTreeMap<u32, u32> = loops.iter().flatten().map(|&v| (v, 0)).collect();
    renumbered.values_mut().zip(0..).for_each(|(new, i)| *new = i);
    let vertices: Vec<DVec3> = renumbered.keys().map(|&v| points[v as usize]).collect();
    let (mut face_vertex, mut face_start) = (Vec::new(), vec![0]);
    for outline in loops {
        face_vertex.extend(outline.iter().map(|v| renumbered[v]));
        face_start.push(face_vertex.len() as u32);
    }
    let mut hull = Hull {
        vertices,
        face_vertex,
        face_start,
        face_normal: Vec::new(),
        face_offset: Vec::new(),
        edges: Vec::new(),
        edge_face: Vec::new(),
        vertex_neighbor: Vec::new(),
        vertex_neighbor_start: Vec::new(),
        centroid: DVec3::ZERO,
    };
    for face in 0..loops.len() {
        let normal = face_normal(&hull, face)?;
        let offset = hull.face_corners(face).map(|v| v.dot(normal)).fold(f64::NEG_INFINITY, f64::max);
        hull.face_normal.push(normal);
        hull.face_offset.push(offset);
    }
    connect(&mut hull)?;
    hull.centroid = hull.triangulated().solid_moments().centroid();
    Some(hull)
}

/// Newell's normal: the area vector of the polygon, right for any number of corners.
fn face_normal(hull: &Hull, face: usize) -> Option<DVec3> {
    let corners: Vec<DVec3> = hull.face_corners(face).collect();
    let origin = *corners.first()?;
    let size = corners.iter().map(|c| c.distance(origin)).fold(0.0, f64::max);
    // In units of the face's own size the squares below neither overflow nor underflow.
    let fan = corners.windows(2).map(|c| ((c[0] - origin) / size).cross((c[1] - origin) / size));
    fan.sum::<DVec3>().try_normalize()
}

/// Fills edges and neighbours.
fn connect(hull: &mut Hull) -> Option<()> {
    let mut owner = BTreeMap::new();
    for face in 0..hull.face_start.len() - 1 {
        let corners = hull.face(face);
        for (k, &a) in corners.iter().enumerate() {
            if owner.insert((a, corners[(k + 1) % corners.len()]), face as u32).is_some() {
                return None;
            }
        }
    }
    let mut neighbors = vec![Vec::new(); hull.vertices.len()];
    for (&(a, b), &face) in &owner {
        let across = *owner.get(&(b, a))?;
        neighbors[a as usize].push(b);
        if a < b {
            hull.edges.push([a, b]);
            hull.edge_face.push([face, across]);
        }
    }
    hull.vertex_neighbor_start.push(0);
    for around in neighbors {
        hull.vertex_neighbor.extend(around);
        hull.vertex_neighbor_start.push(hull.vertex_neighbor.len() as u32);
    }
    Some(())
}

/// Euler's formula and at least three edges at every vertex.
pub(super) fn is_closed(hull: &Hull) -> bool {
    let euler = hull.vertices.len() + hull.face_count() == hull.edges.len() + 2;
    euler && (0..hull.vertices.len()).all(|v| hull.neighbors(v).len() >= 3)
}

/// True if all indices are in range and all arrays have the lengths they should.
pub(super) fn is_consistent(hull: &Hull) -> bool {
    let vertex_ok = |v: &u32| (*v as usize) < hull.vertices.len();
    let faces = hull.face_normal.len();
    starts_ok(&hull.face_start, faces, hull.face_vertex.len())
        && hull.face_start.windows(2).all(|w| w[1] - w[0] >= 3)
        && starts_ok(&hull.vertex_neighbor_start, hull.vertices.len(), hull.vertex_neighbor.len())
        && hull.face_offset.len() == faces
        && hull.edge_face.len() == hull.edges.len()
        && hull.face_vertex.iter().all(vertex_ok)
        && hull.vertex_neighbor.iter().all(vertex_ok)
        && hull.edges.iter().flatten().all(vertex_ok)
        && hull.edge_face.iter().flatten().all(|f| (*f as usize) < faces)
        && hull.vertices.iter().all(|v| v.is_finite())
}

/// True if `starts` cuts a list of `total` entries into `count` pieces.
fn starts_ok(starts: &[u32], count: usize, total: usize) -> bool {
    starts.len() == count + 1
        && starts.first() == Some(&0)
        && starts.last() == Some(&(total as u32))
        && starts.is_sorted()
}
