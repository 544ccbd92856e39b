//! What must hold before the first step: surfaces apart, meshes sound, everything asked for can be honoured.

use drystone_geometry::distance::triangle_triangle;
use drystone_geometry::{MeshFault, Shape};
use drystone_model::{DVec3, Model, Shape as ModelShape};

use super::surface::Surface;
use drystone_solve::solver::Unsupported;

/// Pairs listed in a message before the rest is only counted.
const LISTED: usize = 8;

/// Names of bodies (or shapes of the world) that cut through each other, with triangles.
pub fn intersections(model: &Model, surface: &Surface, x: &[DVec3]) -> Option<String> {
    let stencils = &surface.stencils;
    let shape_of = |t: u32| stencils.vertex_shape[stencils.triangle_vertex[t as usize][0] as usize] as usize;
    let first_triangle = |shape: usize| {
        stencils
            .triangle_vertex
            .iter()
            .position(|t| stencils.vertex_shape[t[0] as usize] as usize == shape)
            .unwrap_or(0)
    };
    let mut pairs: Vec<(String, usize)> = Vec::new();
    let mut note = |text: String| match pairs.iter_mut().find(|(known, _)| *known == text) {
        Some((_, count)) => *count += 1,
        None => pairs.push((text, 1)),
    };
    let mut example = String::new();
    let corners = |t: u32| stencils.triangle_vertex[t as usize].map(|v| x[v as usize]);
    let near = stencils.near_triangles(x, 0.0).into_iter();
    for [a, b] in near.filter(|&[a, b]| triangle_triangle::intersect(corners(a), corners(b))) {
        let (sa, sb) = (shape_of(a), shape_of(b));
        if example.is_empty() {
            let (ta, tb) = (a as usize - first_triangle(sa), b as usize - first_triangle(sb));
            example = format!("; first, triangle {ta} of {} and triangle {tb} of {}", name(model, sa), name(model, sb));
        }
        note(format!("{} and {}", name(model, sa), name(model, sb)));
    }
    for [v, p] in surface.sunk_vertices(x) {
        let shape = stencils.vertex_shape[v as usize] as usize;
        note(format!("{} and {}", name(model, shape), name(model, surface.planes[p as usize].shape as usize)));
    }
    if pairs.is_empty() {
        return None;
    }
    let list: Vec<&str> = pairs.iter().take(LISTED).map(|(text, _)| text.as_str()).collect();
    let more = pairs.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and {more} more pairs") } else { String::new() };
    Some(format!("{}{rest}{example}", list.join(", ")))
}

/// Deepest overlap of surfaces that may touch \[m\]: the least shift that parts two triangles that cut through each
/// other, or how far a vertex is below a half-space. 0 only if exact signs find nothing that shares a point.
pub fn deepest_cut(surface: &Surface, x: &[DVec3]) -> f64 {
    let stencils = &surface.stencils;
    let corners = |t: u32| stencils.triangle_vertex[t as usize].map(|v| x[v as usize]);
    let near = stencils.near_triangles(x, 0.0).into_iter().map(|pair| pair.map(corners));
    let cuts =
        near.filter(|[a, b]| triangle_triangle::intersect(*a, *b)).map(|[a, b]| triangle_triangle::overlap(a, b));
    let sunk = surface.shapes_and_planes().flat_map(|(shape, p)| {
        let plane = &surface.planes[p];
        surface.shape_vertices[shape].clone().map(|v| -plane.gap(x[v])).filter(|depth| *depth >= 0.0)
    });
    cuts.chain(sunk).map(|depth| depth.max(f64::MIN_POSITIVE)).fold(0.0, f64::max)
}

/// Whether surfaces anywhere are nearer than `distance` \[m\] beyond the separation they keep.
pub fn touch(surface: &Surface, x: &[DVec3], distance: f64) -> bool {
    let stencils = &surface.stencils;
    let corners = |t: u32| stencils.triangle_vertex[t as usize].map(|v| x[v as usize]);
    let shape = |t: u32| stencils.vertex_shape[stencils.triangle_vertex[t as usize][0] as usize];
    let near = stencils.near_triangles(x, distance + surface.max_margin);
    let touch = near.into_iter().any(|[a, b]| {
        let least = distance + surface.separation(shape(a), shape(b));
        triangle_triangle::distance_squared(corners(a), corners(b)) < least * least
    });
    touch
        || surface.shapes_and_planes().any(|(shape, p)| {
            let plane = &surface.planes[p];
            let near = distance + surface.separation(shape as u32, plane.shape);
            surface.shape_vertices[shape].clone().any(|v| plane.gap(x[v]) < near)
        })
}

/// The body of a shape, or the shape itself if it belongs to the world.
pub(super) fn name(model: &Model, shape: usize) -> String {
    match model.body_name.get(model.shape_body[shape] as usize) {
        Some(body) => format!("`{body}`"),
        None => format!("`{}`", model.shape_name[shape]),
    }
}

/// Refuses what the solver would otherwise leave out in silence.
pub fn refuse(model: &Model) -> Result<(), Unsupported> {
    Unsupported::robot_joints("abd", model)?;
    let refused = |reason: String, remedy: &str| Err(Unsupported { solver: "abd", reason, remedy: remedy.into() });
    for joint in 0..model.joint_count() {
        if let Some((what, remedy)) = joint_fault(model, joint) {
            return refused(format!("joint `{}` has {what}", model.joint_name[joint]), remedy);
        }
    }
    for shape in (0..model.shape_count()).filter(|&shape| model.is_solid(shape)) {
        let (material, name) = (&model.shape_material[shape], &model.shape_name[shape]);
        let what = [
            ("restitution", material.restitution != 0.0),
            ("a contact stiffness", material.stiffness.is_finite()),
            ("contact damping", material.damping != 0.0),
            ("torsional friction", material.friction_torsional != 0.0),
            ("rolling friction", material.friction_rolling != 0.0),
        ];
        if let Some((what, _)) = what.iter().find(|(_, asked)| *asked) {
            return refused(format!("shape `{name}` has {what}"), "take it out of the material, or use `vbd`");
        }
        if let Some(fault) = fault_of(&model.shape_geometry[shape]) {
            return refused(format!("shape `{name}`: {fault}"), "repair the mesh");
        }
    }
    Ok(())
}

/// What of a joint cannot be honoured, and what would work.
fn joint_fault(model: &Model, joint: usize) -> Option<(&'static str, &'static str)> {
    let breaks = model.joint_break[joint].iter().any(|load| load.is_finite());
    let limits = &model.joint_limit[joint];
    let damped = limits.iter().any(|limit| limit.damping != 0.0);
    let narrow = |limit: &drystone_model::Limit| limit.stiffness.is_infinite() && limit.upper <= limit.lower;
    let distance = model.joint_kind[joint] == drystone_model::JointKind::Distance;
    [
        (distance, "a distance to keep", "hold it by a ball joint at either end of a rod, or use `vbd`"),
        (breaks, "a breaking load", "take it out, or use `vbd`"),
        (damped, "a damped stop", "leave the damping of its limits at zero, or use `vbd`"),
        (limits.iter().any(narrow), "a limit without room", "lock the axis instead"),
    ]
    .into_iter()
    .find_map(|(asked, what, remedy)| asked.then_some((what, remedy)))
}

fn fault_of(shape: &ModelShape) -> Option<MeshFault> {
    match shape {
        Shape::Mesh(mesh) => mesh.check().err(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_model::{BodyDef, ModelBuilder};

    /// Two cubes above each other over the ground, with two gaps; margins count as part of the bodies.
    fn touches(gaps: [f64; 2], margin: f64, distance: f64) -> bool {
        let mut scene = ModelBuilder::new();
        scene.ground();
        for (name, height) in [("low", 0.5 + gaps[0]), ("high", 1.5 + gaps[0] + gaps[1])] {
            let cube = drystone_model::ShapeDef::cuboid(DVec3::splat(0.5)).margin(margin);
            scene.add_body(BodyDef::dynamic(name).at(DVec3::Z * height).shape(cube));
        }
        let model = scene.finalize().unwrap();
        let surface = Surface::new(&model, 8, 0.0);
        let mut x = Vec::new();
        surface.stencils.rigid_positions(&model.state(), &mut x);
        touch(&surface, &x, distance)
    }

    #[test]
    fn surfaces_touch_below_the_distance() {
        for (gaps, margin, want) in [
            ([0.2, 0.2], 0.0, false),
            ([0.2, 0.09], 0.0, true),
            ([0.09, 0.2], 0.0, true),
            ([0.2, 0.2], 0.06, true),
            ([0.2, 0.2], 0.04, false),
        ] {
            assert_eq!(touches(gaps, margin, 0.1), want, "{gaps:?} {margin}");
        }
    }

    /// A cube that sinks into another, beside its middle, or into the ground.
    #[test]
    fn what_cuts_is_measured_and_nothing_is_zero() {
        let depth = |gaps: [f64; 2]| {
            let mut scene = ModelBuilder::new();
            scene.ground();
            for (name, shift, height) in [("low", 0.0, 0.5 + gaps[0]), ("high", 0.1, 1.5 + gaps[0] + gaps[1])] {
                let body = BodyDef::dynamic(name).at(DVec3::new(shift, shift, height));
                scene.add_body(body.cuboid(DVec3::splat(0.5)));
            }
            let model = scene.finalize().unwrap();
            let surface = Surface::new(&model, 8, 0.0);
            let mut x = Vec::new();
            surface.stencils.rigid_positions(&model.state(), &mut x);
            deepest_cut(&surface, &x)
        };
        assert_eq!(depth([1e-9, 1e-9]), 0.0);
        for sunk in [1e-3, 1e-6] {
            assert!((depth([0.1, -sunk]) - sunk).abs() < 1e-12, "{}", depth([0.1, -sunk]));
            assert!((depth([-sunk, 0.1]) - sunk).abs() < 1e-12, "{}", depth([-sunk, 0.1]));
        }
    }
}
