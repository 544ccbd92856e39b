//! Bodies and shapes.

use drystone_geometry::{DVec3, Hull, Shape};
use drystone_model::{BodyKind, Drag, Model, WORLD};

use super::super::spec::{
    BodyKindSpec, BodySpec, DragSpec, GeometrySpec, HullArraysSpec, HullSpec, MassSpec, MaterialRef, MeshSpec,
    SceneSpec, ShapeSpec, parts,
};
use super::{Exporter, material_name, own_attributes, same_material, unless};

impl Exporter<'_> {
    /// Shapes go into their bodies where that keeps their order, and into a list of their own otherwise.
    pub fn add_bodies_and_shapes(&self, spec: &mut SceneSpec) {
        let model = self.model;
        spec.bodies = (0..model.body_count()).map(|body| self.body(body)).collect();
        let nested = shapes_are_in_order(model);
        for shape in 0..model.shape_count() {
            let mut one = self.shape(shape);
            match spec.bodies.get_mut(model.shape_body[shape] as usize) {
                Some(body) if nested => body.shapes.push(one),
                Some(body) => {
                    one.body.clone_from(&body.name);
                    spec.shapes.push(one);
                }
                None => {
                    one.world = (model.shape_world[shape] > 0).then_some(model.shape_world[shape]);
                    spec.shapes.push(one);
                }
            }
        }
    }

    fn body(&self, body: usize) -> BodySpec {
        let model = self.model;
        let (position, rotation) = parts(&model.body_q[body]);
        let velocity = model.body_qd[body];
        let kind = match model.body_kind[body] {
            BodyKind::Dynamic => None,
            BodyKind::Kinematic => Some(BodyKindSpec::Kinematic),
            BodyKind::Static => Some(BodyKindSpec::Static),
        };
        let inertia = model.body_inertia[body].transpose();
        let massless = model.body_mass[body] == 0.0 && kind.is_some();
        let mass_properties = (!massless).then(|| MassSpec {
            mass: model.body_mass[body],
            com: vector(model.body_com[body]),
            inertia: [inertia.x_axis, inertia.y_axis, inertia.z_axis].map(|row| row.to_array()),
        });
        BodySpec {
            name: Some(model.body_name[body].clone()),
            kind,
            world: (model.body_world[body] > 0).then_some(model.body_world[body]),
            position,
            rotation,
            velocity: vector(velocity.linear),
            spin: vector(velocity.angular),
            mass_properties,
            damping: Some(model.body_damping[body]).filter(|&rates| rates != [0.0; 2]),
            gravity_scale: unless(model.body_gravity_scale[body], 1.0),
            drag: model.body_drag[body].iter().map(drag).collect(),
            attributes: own_attributes(&model.attributes.body, body),
            ..BodySpec::default()
        }
    }

    fn shape(&self, shape: usize) -> ShapeSpec {
        let model = self.model;
        let (position, rotation) = parts(&model.shape_pose[shape]);
        let material = self.materials.iter().position(|known| same_material(known, &model.shape_material[shape]));
        ShapeSpec {
            name: Some(model.shape_name[shape].clone()),
            body: None,
            world: None,
            geometry: geometry(&model.shape_geometry[shape]),
            position,
            rotation,
            material: material.map(|k| MaterialRef::Name(material_name(k))),
            margin: unless(model.shape_margin[shape], 0.0),
            group: (model.shape_group[shape] != 1).then_some(model.shape_group[shape]),
            mask: (model.shape_mask[shape] != u32::MAX).then_some(model.shape_mask[shape]),
            sensor: model.shape_sensor[shape].then_some(true),
            surface_velocity: vector(model.shape_surface_velocity[shape]),
            attributes: own_attributes(&model.attributes.shape, shape),
        }
    }
}

/// Whether the order of the shapes is that in which a file would list them: those of the world, then
/// those of every body in turn.
fn drag(drag: &Drag) -> DragSpec {
    let (position, rotation) = parts(&drag.pose);
    let unless_none = |values: [f64; 6]| (values != [0.0; 6]).then_some(values);
    DragSpec { position, rotation, linear: unless_none(drag.linear), quadratic: unless_none(drag.quadratic) }
}

fn shapes_are_in_order(model: &Model) -> bool {
    let rank = |body: &u32| if *body == WORLD { 0 } else { u64::from(*body) + 1 };
    model.shape_body.is_sorted_by_key(rank)
}

/// The vector, unless it is zero.
pub fn vector(value: DVec3) -> Option<[f64; 3]> {
    let array = value.to_array();
    array.iter().any(|component| component.to_bits() != 0).then_some(array)
}

fn geometry(shape: &Shape) -> GeometrySpec {
    match *shape {
        Shape::Sphere { radius } => GeometrySpec::Sphere { radius },
        Shape::Box { half } => GeometrySpec::Box { half: half.to_array() },
        Shape::Capsule { radius, half_height } => GeometrySpec::Capsule { radius, half_height },
        Shape::Cylinder { radius, half_height } => GeometrySpec::Cylinder { radius, half_height },
        Shape::Cone { radius, half_height } => GeometrySpec::Cone { radius, half_height },
        Shape::Ellipsoid { radii } => GeometrySpec::Ellipsoid { radii: radii.to_array() },
        Shape::HalfSpace => GeometrySpec::HalfSpace,
        Shape::Hull(ref hull) => GeometrySpec::Hull(hull_spec(hull)),
        Shape::Mesh(ref mesh) => GeometrySpec::Mesh(MeshSpec {
            vertices: mesh.vertices.iter().map(|vertex| vertex.to_array()).collect(),
            triangles: mesh.triangles.clone(),
            ..MeshSpec::default()
        }),
        Shape::Heightfield(ref field) => GeometrySpec::Heightfield {
            columns: field.columns,
            rows: field.rows,
            spacing: field.spacing,
            heights: field.heights.clone(),
        },
    }
}

/// A hull by its points where they give the same hull again, and by all its arrays otherwise.
fn hull_spec(hull: &Hull) -> HullSpec {
    let mut spec = HullSpec::default();
    let again = Hull::from_points(&hull.vertices);
    // Equal numbers and equal hashes: zeros may differ in sign.
    if again.is_ok_and(|again| drystone_model::hash::hash(&again) == drystone_model::hash::hash(hull)) {
        spec.points = hull.vertices.iter().map(|vertex| vertex.to_array()).collect();
    } else {
        spec.arrays = Some(HullArraysSpec::from_hull(hull));
    }
    spec
}
