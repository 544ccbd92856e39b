//! Particles and what connects them.

use super::{check_world_index, numbers};
use crate::error::{Entity, Faults};
use crate::model::{Model, WORLD};

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
}

fn check_particles(model: &Model, faults: &mut Faults) {
    for particle in 0..model.particle_count() {
        faults.about(Entity::Particle, particle, "");
        check_world_index(model, faults, model.particle_world[particle]);
        numbers::vector(faults, "q", model.particle_q[particle]);
        numbers::vector(faults, "qd", model.particle_qd[particle]);
        numbers::not_negative(faults, "mass", model.particle_mass[particle]);
        numbers::not_negative(faults, "radius", model.particle_radius[particle]);
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
