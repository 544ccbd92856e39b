//! Particles and what connects them.

use super::{check_world_index, numbers};
use crate::error::{Entity, Faults};
use crate::model::{BodyKind, Model, WORLD};

pub(super) fn check(model: &Model, faults: &mut Faults) {
    check_particles(model, faults);
    for (index, ends) in model.spring_particle.iter().enumerate() {
        faults.about(Entity::Spring, index, "");
        check_corners(model, faults, ends);
        numbers::not_negative(faults, "length", model.spring_length[index]);
        numbers::not_negative(faults, "stiffness", model.spring_stiffness[index]);
        numbers::not_negative(faults, "damping", model.spring_damping[index]);
    }
    for (index, corners) in model.triangle_particle.iter().enumerate() {
        faults.about(Entity::Triangle, index, "");
        check_corners(model, faults, corners);
        numbers::positive(faults, "area", model.triangle_area[index]);
        check_material(faults, &model.triangle_material[index]);
        let _ = model.triangle_air[index].iter().all(|&constant| numbers::not_negative(faults, "air", constant));
    }
    for (index, corners) in model.edge_particle.iter().enumerate() {
        faults.about(Entity::Edge, index, "");
        let present: Vec<u32> = corners.iter().copied().filter(|&corner| corner != WORLD).collect();
        check_corners(model, faults, &present);
        numbers::finite(faults, "angle", model.edge_angle[index]);
        numbers::positive(faults, "length", model.edge_length[index]);
        check_material(faults, &model.edge_material[index]);
    }
    for (index, corners) in model.tet_particle.iter().enumerate() {
        faults.about(Entity::Tetrahedron, index, "");
        check_corners(model, faults, corners);
        let inverse_volume = model.tet_rest[index].determinant();
        if !(inverse_volume > 0.0 && inverse_volume.is_finite()) {
            faults.add("rest", "its rest shape is flat or inside out", "swap two corners or move one");
        }
        check_material(faults, &model.tet_material[index]);
    }
    for index in 0..model.attachment_particle.len() {
        faults.about(Entity::Attachment, index, "");
        check_attachment(model, faults, index);
    }
}

fn check_attachment(model: &Model, faults: &mut Faults, index: usize) {
    let (particle, other) = (model.attachment_particle[index], model.attachment_other[index]);
    let ends: Vec<u32> = [particle, other].into_iter().filter(|&end| end != WORLD).collect();
    if particle == WORLD {
        faults.add("particle", "it holds no particle", "name the particle that is held");
    }
    check_corners(model, faults, &ends);
    if model.attachment_stiffness[index] != f64::INFINITY {
        numbers::positive(faults, "stiffness", model.attachment_stiffness[index]);
    }
    numbers::vector(faults, "point", model.attachment_point[index]);
    let count = model.particle_count();
    let body = model.attachment_body[index];
    if body != WORLD && body as usize >= model.body_count() {
        faults.add("body", format!("body {body} does not exist"), format!("use one of the {}", model.body_count()));
    } else if body != WORLD
        && (particle as usize) < count
        && model.body_world[body as usize] != model.particle_world[particle as usize]
    {
        faults.add("body", "body and particle live in different worlds", "attach it to a body of its own world");
    }
    if body != WORLD && other != WORLD {
        faults.add("body", "it is held by a body and sewn to a particle at once", "make two attachments of it");
    }
    let pinned = |end: &u32| model.particle_mass.get(*end as usize).is_some_and(|&mass| mass == 0.0);
    let stands = |body: u32| body == WORLD || model.body_kind.get(body as usize) != Some(&BodyKind::Dynamic);
    let fixed = ends.iter().all(pinned) && (other != WORLD || stands(body));
    if fixed && !ends.is_empty() {
        faults.add(
            "particle",
            "it is pinned, and what it is attached to does not move by forces either",
            "give the particle a mass, or leave the attachment out",
        );
    }
}

fn check_particles(model: &Model, faults: &mut Faults) {
    for particle in 0..model.particle_count() {
        faults.about(Entity::Particle, particle, "");
        check_world_index(model, faults, model.particle_world[particle]);
        numbers::vector(faults, "q", model.particle_q[particle]);
        numbers::vector(faults, "qd", model.particle_qd[particle]);
        numbers::not_negative(faults, "mass", model.particle_mass[particle]);
        numbers::not_negative(faults, "radius", model.particle_radius[particle]);
        for coefficient in model.particle_friction[particle].into_iter().flatten() {
            numbers::not_negative(faults, "friction", coefficient);
        }
    }
    let count = model.particle_count();
    for &pair in &model.particle_filter {
        if let Some(missing) = pair.into_iter().find(|&particle| particle as usize >= count) {
            faults.about(Entity::Particle, missing as usize, "");
            faults.add("filter", format!("particle {missing} does not exist"), format!("use one of the {count}"));
        }
    }
}

fn check_corners(model: &Model, faults: &mut Faults, corners: &[u32]) {
    let count = model.particle_count();
    if let Some(missing) = corners.iter().find(|&&corner| corner as usize >= count) {
        faults.add("particle", format!("particle {missing} does not exist"), format!("use one of the {count}"));
        return;
    }
    let world = |corner: u32| model.particle_world[corner as usize];
    if corners.iter().any(|&corner| world(corner) != world(corners[0])) {
        faults.add("particle", "its particles live in different worlds", "connect particles of one world");
    }
    let repeated = corners.iter().enumerate().find(|(place, corner)| corners[..*place].contains(corner));
    if let Some((_, corner)) = repeated {
        faults.add("particle", format!("particle {corner} occurs twice"), "name different particles");
    }
}

fn check_material(faults: &mut Faults, constants: &[f64]) {
    let _ = constants.iter().all(|&constant| numbers::not_negative(faults, "material", constant));
}
