//! Colliders: gprims and meshes as shapes of bodies.

use drystone_geometry::{Shape, TriMesh};
use drystone_model::{DQuat, DVec3, Pose, ShapeDef};

use super::super::fault::Log;
use super::super::{ImportOptions, MeshUse, meshes};
use super::layer::Spec;
use super::transform::Affine;

/// The shape of a collider whose map into the frame of its body is given.
pub(super) fn read(spec: &Spec, map: Affine, options: &ImportOptions, log: &mut Log) -> Option<ShapeDef> {
    if matches!(spec.kind.as_str(), "" | "Xform" | "Scope") {
        log.note(
            spec.place,
            "`PhysicsCollisionAPI` at a prim without geometry: only prims below it that have it collide",
        );
        return None;
    }
    if spec.kind == "Mesh" {
        return mesh(spec, map, options, log);
    }
    let refuse = |log: &mut Log, why: &str, help: &str| {
        log.fault(spec.place, format!("{}: {why}", spec.called()), help);
        None
    };
    let Some((pose, scale)) = map.parts() else {
        return refuse(log, "it is scaled to nothing or askew", "scale along its own axes, or use a mesh");
    };
    let scale = scale.abs();
    let mut size = |name: &str, default: f64| spec.number(log, name).unwrap_or(default);
    let shape = match spec.kind.as_str() {
        "Cube" => Shape::Box { half: 0.5 * size("size", 2.0) * scale },
        "Sphere" => ball(size("radius", 1.0) * scale),
        "Plane" => {
            let turn = axis_turn(spec.token("axis").unwrap_or("Z"));
            return Some(ShapeDef::new(Shape::HalfSpace).pose(pose * Pose::from_parts(DVec3::ZERO, turn)));
        }
        kind @ ("Capsule" | "Cylinder" | "Cone") => {
            let (height, radius) = match kind {
                "Capsule" => (size("height", 1.0), size("radius", 0.5)),
                _ => (size("height", 2.0), size("radius", 1.0)),
            };
            let turn = axis_turn(spec.token("axis").unwrap_or("Z"));
            // Scale along the axis, and across it.
            let seen = (turn.inverse() * scale).abs();
            if (seen.x - seen.y).abs() > 1e-4 * seen.x {
                return refuse(
                    log,
                    "it is not round any more, by its scale",
                    "scale both ways across alike, or use a mesh",
                );
            }
            let (radius, half_height) = (radius * seen.x, 0.5 * height * seen.z);
            let shape = match kind {
                "Capsule" if half_height == 0.0 => Shape::Sphere { radius },
                "Capsule" => Shape::Capsule { radius, half_height },
                "Cylinder" => Shape::Cylinder { radius, half_height },
                _ => Shape::Cone { radius, half_height },
            };
            return Some(ShapeDef::new(shape).pose(pose * Pose::from_parts(DVec3::ZERO, turn)));
        }
        _ => {
            return refuse(
                log,
                "such prims do not collide here",
                "use a Cube, Sphere, Capsule, Cylinder, Cone, Plane or Mesh",
            );
        }
    };
    Some(ShapeDef::new(shape).pose(pose))
}

fn ball(radii: DVec3) -> Shape {
    match radii.max_element() - radii.min_element() < 1e-6 * radii.max_element() {
        true => Shape::Sphere { radius: radii.x },
        false => Shape::Ellipsoid { radii },
    }
}

/// The turn that takes z to an axis.
fn axis_turn(axis: &str) -> DQuat {
    match axis {
        "X" => DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        "Y" => DQuat::from_xyzw(-0.5, -0.5, -0.5, 0.5),
        _ => DQuat::IDENTITY,
    }
}

/// The mesh of a prim in the frame of the body.
fn triangles(spec: &Spec, map: Affine, log: &mut Log) -> Option<TriMesh> {
    let points = spec.rows::<3>(log, "points")?;
    let counts = spec.rows::<1>(log, "faceVertexCounts")?;
    let corners = spec.rows::<1>(log, "faceVertexIndices")?;
    let vertices: Vec<DVec3> = points.iter().map(|&point| map.point(DVec3::from_array(point))).collect();
    let flipped = (map.linear.determinant() < 0.0) != (spec.token("orientation") == Some("leftHanded"));
    let (mut triangles, mut start) = (Vec::new(), 0);
    for [count] in counts {
        let end = start + count.clamp(0.0, 1e9) as usize;
        let face: Vec<u32> = corners.get(start..end)?.iter().map(|[corner]| *corner as u32).collect();
        if face.iter().any(|&corner| corner as usize >= vertices.len()) {
            return None;
        }
        for pair in face.get(1..).unwrap_or_default().windows(2) {
            triangles.push(if flipped { [face[0], pair[1], pair[0]] } else { [face[0], pair[0], pair[1]] });
        }
        start = end;
    }
    Some(TriMesh { vertices, triangles })
}

fn mesh(spec: &Spec, map: Affine, options: &ImportOptions, log: &mut Log) -> Option<ShapeDef> {
    let before = log.faults.len();
    let Some(mesh) = triangles(spec, map, log).filter(|mesh| !mesh.triangles.is_empty()) else {
        if log.faults.len() == before {
            let help = "give `points`, `faceVertexCounts` and `faceVertexIndices` that fit each other";
            log.fault(spec.place, format!("{}: it has no faces, or ones without points", spec.called()), help);
        }
        return None;
    };
    match spec.token("physics:approximation").unwrap_or("none") {
        "boundingCube" => return Some(bounding_box(&mesh)),
        "boundingSphere" => return Some(bounding_sphere(&mesh)),
        "convexHull" => return meshes::shape(&mesh, MeshUse::Hull, spec.place, log).map(ShapeDef::new),
        "none" if options.meshes == MeshUse::Hull => {
            log.note(spec.place, "meshes collide as their convex hulls; `--meshes exact` takes them as they are");
        }
        "none" => {}
        other => {
            log.note(spec.place, format!("`{other}` of meshes: the convex hull, or the mesh itself (`--meshes exact`)"))
        }
    }
    meshes::shape(&mesh, options.meshes, spec.place, log).map(ShapeDef::new)
}

fn bounds(mesh: &TriMesh) -> (DVec3, DVec3) {
    let far = DVec3::splat(f64::INFINITY);
    mesh.vertices.iter().fold((far, -far), |(low, high), &vertex| (low.min(vertex), high.max(vertex)))
}

fn bounding_box(mesh: &TriMesh) -> ShapeDef {
    let (low, high) = bounds(mesh);
    ShapeDef::new(Shape::Box { half: 0.5 * (high - low) }).at(0.5 * (low + high))
}

fn bounding_sphere(mesh: &TriMesh) -> ShapeDef {
    let (low, high) = bounds(mesh);
    let centre = 0.5 * (low + high);
    let radius = mesh.vertices.iter().map(|&vertex| vertex.distance(centre)).fold(0.0, f64::max);
    ShapeDef::new(Shape::Sphere { radius }).at(centre)
}
