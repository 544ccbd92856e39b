//! Shapes: sizes, materials, and who may wear what.

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone_geometry::{DVec3, Pose, Shape, ShapeError};

use super::{check_names, check_world_index, numbers};
use crate::error::{Entity, Faults};
use crate::material::Material;
use crate::model::{BodyKind, Model, WORLD};

pub(super) fn check(model: &Model, faults: &mut Faults) {
    check_names(faults, Entity::Shape, &model.shape_name);
    let mut inspector = Inspector::default();
    for (shape, name) in model.shape_name.iter().enumerate() {
        faults.about(Entity::Shape, shape, name);
        check_world_index(model, faults, model.shape_world[shape]);
        check_wearer(model, faults, shape);
        inspector.check(faults, &model.shape_geometry[shape]);
        numbers::pose(faults, "pose", &model.shape_pose[shape]);
        numbers::not_negative(faults, "margin", model.shape_margin[shape]);
        check_material(faults, &model.shape_material[shape]);
        numbers::vector(faults, "surface_velocity", model.shape_surface_velocity[shape]);
        if model.shape_sensor[shape] && model.shape_surface_velocity[shape] != DVec3::ZERO {
            let problem = "a sensor touches nothing that its surface could carry along";
            faults.add("surface_velocity", problem, "take one of `sensor` and `surface_velocity` out");
        }
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

/// Looks at geometry; at a mesh, hull or terrain that many shapes share only once.
#[derive(Default)]
struct Inspector {
    seen: BTreeMap<usize, Result<(), ShapeError>>,
}

impl Inspector {
    fn check(&mut self, faults: &mut Faults, geometry: &Shape) {
        let address = match geometry {
            Shape::Mesh(mesh) => Some(Arc::as_ptr(mesh).addr()),
            Shape::Hull(hull) => Some(Arc::as_ptr(hull).addr()),
            Shape::Heightfield(field) => Some(Arc::as_ptr(field).addr()),
            _ => None,
        };
        let verdict = match address {
            Some(address) => self.seen.entry(address).or_insert_with(|| geometry.validate()).clone(),
            None => geometry.validate(),
        };
        match verdict {
            Err(reason) => faults.add("geometry", reason.to_string(), "correct the shape"),
            Ok(()) if *geometry != Shape::HalfSpace => {
                numbers::vector(faults, "geometry", geometry.aabb(&Pose::IDENTITY).max);
            }
            Ok(()) => {}
        }
    }
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
