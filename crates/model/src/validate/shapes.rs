//! Shapes: sizes, materials, and who may wear what.

use drystone_geometry::{DVec3, Shape};

use super::{check_names, check_world_index, numbers};
use crate::error::{Entity, Faults};
use crate::material::Material;
use crate::model::{BodyKind, Model, WORLD};

pub(super) fn check(model: &Model, faults: &mut Faults) {
    check_names(faults, Entity::Shape, &model.shape_name);
    for (shape, name) in model.shape_name.iter().enumerate() {
        faults.about(Entity::Shape, shape, name);
        check_world_index(model, faults, model.shape_world[shape]);
        check_wearer(model, faults, shape);
        check_geometry(faults, &model.shape_geometry[shape]);
        numbers::pose(faults, "pose", &model.shape_pose[shape]);
        numbers::not_negative(faults, "margin", model.shape_margin[shape]);
        check_material(faults, &model.shape_material[shape]);
    }
    check_filter(model, faults);
}

fn check_wearer(model: &Model, faults: &mut Faults, shape: usize) {
    let body = model.shape_body[shape];
    if body == WORLD {
        return;
    }
    let Some(&kind) = model.body_kind.get(body as usize) else {
        let count = model.body_count();
        faults.add("body", format!("body {body} does not exist"), format!("use one of the {count} bodies or WORLD"));
        return;
    };
    if model.body_world[body as usize] != model.shape_world[shape] {
        faults.add("world", "the shape and its body live in different worlds", "put both into the same world");
    }
    let owner = &model.body_name[body as usize];
    match (&model.shape_geometry[shape], kind) {
        (Shape::HalfSpace, BodyKind::Dynamic | BodyKind::Kinematic) => {
            let problem = format!("a half-space cannot be worn by the moving body `{owner}`");
            faults.add("geometry", problem, "put it on the world or a static body, or use a box");
        }
        (Shape::Heightfield(_), BodyKind::Dynamic) => {
            let problem = format!("a heightfield cannot be worn by the dynamic body `{owner}`");
            faults.add("geometry", problem, "put it on the world or a static or kinematic body, or use a closed mesh");
        }
        _ => {}
    }
}

fn check_geometry(faults: &mut Faults, geometry: &Shape) {
    match geometry {
        Shape::Sphere { radius } => {
            numbers::positive(faults, "geometry.radius", *radius);
        }
        Shape::Box { half } => sizes(faults, "geometry.half", *half),
        Shape::Ellipsoid { radii } => sizes(faults, "geometry.radii", *radii),
        Shape::Capsule { radius, half_height }
        | Shape::Cylinder { radius, half_height }
        | Shape::Cone { radius, half_height } => {
            numbers::positive(faults, "geometry.radius", *radius);
            numbers::positive(faults, "geometry.half_height", *half_height);
        }
        Shape::Hull(hull) => points(faults, &hull.vertices),
        Shape::Mesh(mesh) => {
            points(faults, &mesh.vertices);
            let count = mesh.vertices.len();
            if let Some(bad) = mesh.triangles.iter().flatten().find(|&&vertex| vertex as usize >= count) {
                let problem = format!("a triangle uses vertex {bad} of {count}");
                faults.add("geometry", problem, "repair the indices of the mesh");
            }
        }
        Shape::Heightfield(field) => check_heightfield(faults, field),
        Shape::HalfSpace => {}
    }
}

fn check_heightfield(faults: &mut Faults, field: &drystone_geometry::Heightfield) {
    if field.columns < 2 || field.rows < 2 || field.heights.len() != field.columns * field.rows {
        let problem = format!("{} heights for {} columns and {} rows", field.heights.len(), field.columns, field.rows);
        faults.add("geometry.heights", problem, "give columns × rows heights, at least two of each");
    }
    for spacing in field.spacing {
        numbers::positive(faults, "geometry.spacing", spacing);
    }
    let _ = field.heights.iter().all(|&height| numbers::finite(faults, "geometry.heights", height));
}

fn sizes(faults: &mut Faults, field: &'static str, size: DVec3) {
    let _ = size.to_array().into_iter().all(|value| numbers::positive(faults, field, value));
}

fn points(faults: &mut Faults, points: &[DVec3]) {
    if points.len() < 4 {
        faults.add("geometry", format!("{} vertices enclose no volume", points.len()), "give at least four");
    }
    let _ = points.iter().all(|&point| numbers::vector(faults, "geometry.vertices", point));
}

fn check_material(faults: &mut Faults, material: &Material) {
    numbers::not_negative(faults, "material.density", material.density);
    numbers::not_negative(faults, "material.friction_static", material.friction_static);
    numbers::not_negative(faults, "material.friction_dynamic", material.friction_dynamic);
    numbers::not_negative(faults, "material.damping", material.damping);
    numbers::not_negative(faults, "material.friction_torsional", material.friction_torsional);
    numbers::not_negative(faults, "material.friction_rolling", material.friction_rolling);
    if !(0.0..=1.0).contains(&material.restitution) {
        let problem = format!("{} is not between 0 and 1", material.restitution);
        faults.add("material.restitution", problem, "give 0 for no bounce up to 1 for a perfect one");
    }
    if numbers::not_negative_or_infinite(faults, "material.stiffness", material.stiffness) && material.stiffness == 0.0
    {
        faults.add("material.stiffness", "zero would let bodies fall through", "give a positive number or infinity");
    }
}

fn check_filter(model: &Model, faults: &mut Faults) {
    for &(a, b) in &model.shape_filter {
        if a >= b || b as usize >= model.shape_count() {
            let name = model.shape_name.get(a as usize).map_or("", String::as_str);
            faults.about(Entity::Shape, a as usize, name);
            let problem = format!("the pair of shapes {a} and {b} cannot be kept apart");
            faults.add("filter", problem, "name two different shapes of the model");
        }
    }
}
