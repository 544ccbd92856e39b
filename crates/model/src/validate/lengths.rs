//! Every array has one entry per entity of its noun.

use crate::error::{Entity, Faults};
use crate::model::Model;

/// Compares the lengths of all arrays of a noun with the first.
macro_rules! same_length {
    ($faults:ident, $model:ident, $entity:expr, $first:ident, $($other:ident),+ $(,)?) => {
        let expected = $model.$first.len();
        $(
            let found = $model.$other.len();
            if found != expected {
                $faults.about($entity, found.min(expected), "");
                let problem = format!("{found} entries, but `{}` has {expected}", stringify!($first));
                $faults.add(stringify!($other), problem, "give one entry per entity");
            }
        )+
    };
}

pub(super) fn check(model: &Model, faults: &mut Faults) {
    same_length!(
        faults,
        model,
        Entity::Body,
        body_name,
        body_kind,
        body_world,
        body_mass,
        body_com,
        body_inertia,
        body_q,
        body_qd,
        body_damping,
        body_gravity_scale,
        body_drag,
    );
    same_length!(
        faults,
        model,
        Entity::Shape,
        shape_geometry,
        shape_name,
        shape_body,
        shape_world,
        shape_pose,
        shape_material,
        shape_margin,
        shape_group,
        shape_mask,
        shape_sensor,
        shape_surface_velocity,
    );
    same_length!(
        faults,
        model,
        Entity::Joint,
        joint_kind,
        joint_name,
        joint_parent,
        joint_child,
        joint_frame_parent,
        joint_frame_child,
        joint_axis,
        joint_limit,
        joint_drive,
        joint_spring,
        joint_follow,
        joint_friction,
        joint_armature,
        joint_max_rate,
        joint_stiffness,
        joint_damping,
        joint_break,
        joint_distance,
        joint_rod,
        joint_enabled,
        joint_angle,
    );
    same_length!(
        faults,
        model,
        Entity::Particle,
        particle_q,
        particle_world,
        particle_qd,
        particle_mass,
        particle_radius,
        particle_friction,
        particle_group,
        particle_mask,
    );
    same_length!(faults, model, Entity::Spring, spring_particle, spring_length, spring_stiffness, spring_damping,);
    same_length!(
        faults,
        model,
        Entity::Triangle,
        triangle_particle,
        triangle_rest,
        triangle_area,
        triangle_material,
        triangle_air,
    );
    same_length!(faults, model, Entity::Edge, edge_particle, edge_angle, edge_length, edge_material);
    same_length!(faults, model, Entity::Tetrahedron, tet_particle, tet_rest, tet_material);
    same_length!(
        faults,
        model,
        Entity::Attachment,
        attachment_particle,
        attachment_other,
        attachment_body,
        attachment_point,
        attachment_stiffness,
    );
    check_attributes(model, faults);
}

fn check_attributes(model: &Model, faults: &mut Faults) {
    let attributes = &model.attributes;
    for (map, count) in [
        (&attributes.body, model.body_count()),
        (&attributes.shape, model.shape_count()),
        (&attributes.joint, model.joint_count()),
    ] {
        for (name, values) in map.iter().filter(|(_, values)| values.len() != count) {
            faults.about(Entity::Attribute, values.len().min(count), name);
            faults.add("value", format!("{} entries for {count}", values.len()), "give one entry per entity");
        }
    }
}
