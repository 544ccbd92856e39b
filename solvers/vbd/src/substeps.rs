//! How many substeps a step needs.

use drystone_model::{BodyKind, Model};

/// Largest fall h² g in a substep as a share of the thinnest body. Cards of 2 cm at 1/60 s (0.14)
/// slip out from under each other, at 1/120 s (0.034) ten storeys stand.
const LARGEST_FALL: f64 = 0.04;
/// Fewest sweeps of a substep when the sweeps of a step are shared out.
const FEWEST_SWEEPS: u32 = 4;
/// Most substeps that are chosen automatically.
const MOST: f64 = 16.0;

/// What the choice needs to know about a model.
#[derive(Clone, Copy, Debug)]
pub struct Substeps {
    /// Thickness of the thinnest shape on a dynamic body \[m\]; infinite if there is none.
    thinnest: f64,
}

impl Substeps {
    /// Measures a model.
    pub fn new(model: &Model) -> Self {
        let dynamic = |body: u32| model.body_kind.get(body as usize) == Some(&BodyKind::Dynamic);
        let shapes = (0..model.shape_count()).filter(|&shape| dynamic(model.shape_body[shape]));
        // Shapes that meet nothing need no care.
        let meets =
            |shape: &usize| model.shape_mask[*shape] != 0 && model.shape_group[*shape] != 0 && model.is_solid(*shape);
        let thickness = |shape: usize| model.shape_geometry[shape].thickness();
        Self { thinnest: shapes.filter(meets).map(thickness).fold(f64::INFINITY, f64::min) }
    }

    /// Number of substeps, as chosen or, if that is zero, as needed; and sweeps in each.
    pub fn split(&self, chosen: u32, iterations: u32, model: &Model, dt: f64) -> (u32, u32) {
        if chosen > 0 {
            return (chosen, iterations);
        }
        let gravity = model.world_gravity.iter().map(|g| g.length()).fold(0.0, f64::max);
        let fall = dt * dt * gravity / self.thinnest;
        let count = (fall / LARGEST_FALL).sqrt().ceil().clamp(1.0, MOST) as u32;
        if count == 1 { (1, iterations) } else { (count, iterations.div_ceil(count).max(FEWEST_SWEEPS)) }
    }
}
