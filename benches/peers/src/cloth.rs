//! Particles and their elements as data, for engines in other languages.

use drystone::model::{Model, WORLD};
use serde_json::{Value, json};

use crate::engine::Fault;

/// Rest shapes that an engine works out from where particles start are those of the model up to this share.
const SAME_REST: f64 = 1e-6;

/// Particles, springs, triangles, folds and tetrahedra; refuses what other engines have no counterpart for.
pub fn describe(model: &Model) -> Result<Value, Fault> {
    refuse(model)?;
    let vectors = |list: &[drystone::model::DVec3]| list.iter().map(|v| v.to_array()).collect::<Vec<_>>();
    let springs: Vec<Value> = (0..model.spring_particle.len())
        .map(|k| {
            json!({
                "ends": model.spring_particle[k],
                "stiffness": model.spring_stiffness[k],
                "damping": model.spring_damping[k],
            })
        })
        .collect();
    let folds: Vec<Value> = (0..model.edge_particle.len())
        .filter(|&k| model.edge_particle[k][1] != WORLD)
        .map(|k| {
            let [stiffness, damping] = model.edge_material[k];
            let (corners, angle) = (model.edge_particle[k], model.edge_angle[k]);
            json!({"corners": corners, "angle": angle, "stiffness": stiffness, "damping": damping})
        })
        .collect();
    Ok(json!({
        "position": vectors(&model.particle_q),
        "velocity": vectors(&model.particle_qd),
        "mass": model.particle_mass,
        "radius": model.particle_radius,
        "springs": springs,
        "triangles": model.triangle_particle,
        "triangle_material": model.triangle_material,
        "folds": folds,
        "tetrahedra": model.tet_particle,
        "tetrahedron_material": model.tet_material,
    }))
}

fn refuse(model: &Model) -> Result<(), Fault> {
    if !model.attachment_particle.is_empty() {
        return Err("other engines have no counterpart for attachments here".into());
    }
    if model.triangle_air.iter().any(|air| *air != [0.0; 2]) {
        return Err("other engines have no counterpart for air here".into());
    }
    for (k, corners) in model.triangle_particle.iter().enumerate() {
        let [a, b, c] = corners.map(|corner| model.particle_q[corner as usize]);
        let area = 0.5 * (b - a).cross(c - a).length();
        if (area / model.triangle_area[k] - 1.0).abs() > SAME_REST {
            return Err(format!(
                "triangle {k} starts away from its rest shape, which other engines take from the start"
            )
            .into());
        }
    }
    for (k, &[a, b]) in model.spring_particle.iter().enumerate() {
        let start = model.particle_q[a as usize].distance(model.particle_q[b as usize]);
        if (start / model.spring_length[k] - 1.0).abs() > SAME_REST {
            return Err(format!(
                "spring {k} starts away from its rest length, which other engines take from the start"
            )
            .into());
        }
    }
    Ok(())
}
