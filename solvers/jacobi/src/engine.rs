//! What the solver asks of the passes, whatever their precision.

use std::fmt::Debug;

use drystone_kernels::double::math::Vec6;
use drystone_model::{DVec3, Model};

use super::bodies::Body;
use super::device::DeviceSweeper;
use super::layout::Layout;
use super::options::JacobiOptions;
use super::spec::RowSpec;

/// What a solve reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Largest rate left of all constraints \[m/s or rad/s\].
    pub rate: f64,
    /// Whether the iterations as chosen moved away from a solution and safe ones took their place.
    pub diverging: bool,
}

/// What the passes read in a step.
#[derive(Clone, Copy, Debug)]
pub struct StepInput<'a> {
    /// The groups.
    pub layout: &'a Layout,
    /// Bodies at the start.
    pub bodies: &'a [Body],
    /// Blocks of rows: those of the joints as the layout knows them, then those of contacts.
    pub rows: &'a [RowSpec],
    /// How many of them belong to joints.
    pub joint_rows: usize,
    /// What the user chose.
    pub options: &'a JacobiOptions,
    /// Step \[s\].
    pub h: f64,
    /// Factor on the multipliers of the point constraints at the start.
    pub warm_start: f64,
    /// What runs the iterations in place of the CPU, if anything.
    pub device: Option<&'a DeviceSweeper>,
}

/// The passes of a step in one precision.
pub trait Engine: Debug + Send + Sync {
    /// Takes over a new layout; multipliers of point constraints that stay are kept.
    fn rebuild(&mut self, model: &Model, layout: &Layout);

    /// Multipliers of the point constraints by joint of the model \[N·s\]; others are left alone.
    fn impulses(&self, out: &mut [[f64; 3]]);

    /// Sets the multipliers of the point constraints by joint of the model \[N·s\].
    fn set_impulses(&mut self, impulses: &[[f64; 3]]);

    /// Free motion, Jacobians and Delassus blocks.
    fn prepare(&mut self, input: &StepInput);

    /// The iterations.
    fn solve(&mut self, input: &StepInput) -> Outcome;

    /// The iterations one by one from the start [`Engine::prepare`] left: `√Σ rᵀD⁻¹r` \[√J\] before the first
    /// and after each.
    fn trace(&mut self, input: &StepInput) -> Vec<f64>;

    /// Hands the multipliers of the rows back.
    fn row_impulses(&self, out: &mut [RowSpec]);

    /// Sum of the impulses on every body of the model, in double precision whatever that of the passes: both ends of a
    /// constraint get the very same impulse at the very same point, so that momentum is kept to round-off. `rows` have the
    /// impulses of [`Engine::row_impulses`].
    fn wrenches(&self, layout: &Layout, rows: &[RowSpec], out: &mut Vec<Vec6>);

    /// Point constraints that want something besides zero: their bodies, and their impulses times that \[J\].
    fn point_work(&self, out: &mut Vec<([u32; 2], f64)>);

    /// Scales the multipliers of the point constraints by a scale for their bodies; zero also clears what is not finite.
    fn scale_points(&mut self, scale: &dyn Fn([u32; 2]) -> f64);

    /// Displacements that take back the position errors `gap` of the point constraints (by joint of the
    /// model) and of `input.rows`; `out` has one per body of the model.
    fn project(&mut self, input: &StepInput, gap: &(dyn Fn(u32) -> DVec3 + Sync), out: &mut Vec<Vec6>);
}
