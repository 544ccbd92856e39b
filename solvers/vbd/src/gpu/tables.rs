//! What bodies and materials are, once and for all.

use drystone_device::{Buffer, Gpu, Runtime};
use drystone_model::{BodyKind, DMat3, Material, Model};

use super::layout::{LEADS, MASS_WORDS, MOVES, ROUND};

/// Tables of a model on a device.
#[derive(Debug)]
pub struct Tables {
    /// Whether a body moves, and whether it is round.
    pub kind: Buffer<u32>,
    /// Masses, inertias and gravity.
    pub mass: Buffer<f32>,
    /// Every material against every other.
    pub material: Buffer<f32>,
    /// How many materials there are.
    pub materials: u32,
    /// Number of the material of every shape.
    pub shape_material: Vec<u32>,
    /// Mass of the heaviest body that moves \[kg\].
    pub heaviest: f64,
    /// Largest gravity \[m/s²\].
    pub gravity: f64,
    /// Size of the largest shape that moves \[m\].
    pub size: f64,
    /// Whether any material has a finite stiffness.
    pub soft: bool,
    /// Whether any body is led.
    pub leads: bool,
    /// Whether any material has torsional or rolling friction.
    pub rolls: bool,
}

/// Inertias that differ by less are the same about every axis.
const SAME: f64 = 1.0e-12;

impl Tables {
    /// Tables of a model.
    pub fn new<R: Runtime>(gpu: &Gpu<R>, model: &Model) -> Self {
        let (mut kind, mut mass) = (Vec::new(), Vec::new());
        for body in 0..model.body_count() {
            let moves = model.body_kind[body] == BodyKind::Dynamic;
            let (inertia, gravity) = (model.body_inertia[body], model.body_gravity(body));
            let motion = match model.body_kind[body] {
                BodyKind::Dynamic => MOVES,
                BodyKind::Kinematic => LEADS,
                BodyKind::Static => 0,
            };
            kind.push(motion | if is_round(&inertia) { ROUND } else { 0 });
            if moves {
                mass.push(model.body_mass[body] as f32);
                mass.extend(packed(&inertia));
                mass.extend(packed(&inertia.inverse()));
                mass.extend(gravity.to_array().map(|x| x as f32));
            } else {
                mass.extend([0.0; MASS_WORDS as usize]);
            }
        }
        kind.push(0);
        mass.extend([0.0; MASS_WORDS as usize]);
        let (distinct, shape_material) = number(&model.shape_material);
        let mix = |a: &Material, b: &Material| {
            let both = a.mix(b);
            let stiffness = if both.stiffness.is_finite() { both.stiffness } else { 0.0 };
            let radii = [both.friction_torsional, both.friction_rolling];
            [both.friction_static, both.friction_dynamic, stiffness, both.damping, radii[0], radii[1], 0.0, 0.0]
                .map(|x| x as f32)
        };
        let mut material: Vec<f32> =
            distinct.iter().flat_map(|a| distinct.iter().flat_map(move |b| mix(a, b))).collect();
        if material.is_empty() {
            material.push(0.0);
        }
        let dynamic = |body: usize| model.body_kind.get(body) == Some(&BodyKind::Dynamic);
        let moving = || (0..model.body_count()).filter(|&body| dynamic(body));
        let moves = |&shape: &usize| dynamic(model.shape_body[shape] as usize);
        let radius = |shape: usize| model.shape_geometry[shape].bounding_radius();
        Self {
            kind: Buffer::from_slice(gpu, &kind),
            mass: Buffer::from_slice(gpu, &mass),
            material: Buffer::from_slice(gpu, &material),
            materials: distinct.len() as u32,
            shape_material,
            heaviest: moving().map(|body| model.body_mass[body]).fold(0.0, f64::max),
            gravity: moving().map(|body| model.body_gravity(body).length()).fold(0.0, f64::max),
            size: (0..model.shape_count()).filter(moves).map(radius).fold(0.0, f64::max),
            soft: distinct.iter().any(|material| material.stiffness.is_finite()),
            leads: model.body_kind.contains(&BodyKind::Kinematic),
            rolls: distinct.iter().any(|material| material.friction_torsional > 0.0 || material.friction_rolling > 0.0),
        }
    }
}

fn packed(m: &DMat3) -> [f32; 6] {
    [m.x_axis.x, m.x_axis.y, m.x_axis.z, m.y_axis.y, m.y_axis.z, m.z_axis.z].map(|x| x as f32)
}

fn is_round(m: &DMat3) -> bool {
    let off = [m.x_axis.y, m.x_axis.z, m.y_axis.z, m.x_axis.x - m.y_axis.y, m.y_axis.y - m.z_axis.z];
    off.into_iter().all(|x| x.abs() <= SAME * m.x_axis.x)
}

/// The distinct materials, and for every shape which of them is its own.
fn number(materials: &[Material]) -> (Vec<Material>, Vec<u32>) {
    let mut distinct: Vec<Material> = Vec::new();
    let mut numbers = Vec::with_capacity(materials.len());
    for material in materials {
        let known = distinct.iter().rposition(|other| other == material);
        numbers.push(known.unwrap_or(distinct.len()) as u32);
        if known.is_none() {
            distinct.push(*material);
        }
    }
    (distinct, numbers)
}
