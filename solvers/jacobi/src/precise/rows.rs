//! Blocks of bounded rows, one at a time.

use glamx::DVec3;

use super::super::spec::RowSpec;
use super::Real;
use super::bodies::cast;
use super::kernels::jacobi::inverse_block;
use super::kernels::math::{Mat3, Sym3, Vec3, Vec6};
use super::kernels::rows::{RowBounds, RowJacobian, dominating_diagonal, row_step, within_bounds};
use super::lanes::{Spatial, at_slot, set_slot};
use super::points::{Residual, Step};

/// Up to three rows between two bodies.
#[derive(Clone, Copy, Debug)]
pub struct RowBlock {
    /// Slots of the bodies.
    pub slot: [u32; 2],
    /// Directions.
    pub jacobian: RowJacobian,
    /// Inverse of the block, or of a diagonal that dominates it.
    pub inverse: Sym3,
    /// Inverse effective masses of springs.
    pub softness: Vec3,
    /// Velocities the rows want besides zero, negated.
    pub bias: Vec3,
    /// What the multipliers may be.
    pub bounds: RowBounds,
    /// Multipliers \[N·s or N·m·s\].
    pub p: Vec3,
    /// What acceleration extrapolates from.
    pub previous: Vec3,
}

/// Mobility of one end of a block and how many constraints share its body.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Inverse mass \[1/kg\].
    pub inverse_mass: Real,
    /// Inverse inertia, world frame \[1/(kg·m²)\].
    pub inverse_inertia: Sym3,
    /// Share by which mass splitting lightens it; 1 without.
    pub split: Real,
}

impl RowBlock {
    /// A block as the solver describes it.
    pub fn new(spec: &RowSpec, slot: [u32; 2], end: [End; 2]) -> Self {
        let jacobian = RowJacobian {
            linear: rows(&spec.linear),
            angular0: rows(&spec.angular[0]),
            angular1: rows(&spec.angular[1]),
        };
        let softness = cast(DVec3::from_array(spec.softness));
        let split = |mobility: Sym3, split: Real| mobility.scale(split);
        let block = split(jacobian.mobility0(end[0].inverse_mass, end[0].inverse_inertia), end[0].split)
            .add(split(jacobian.mobility1(end[1].inverse_mass, end[1].inverse_inertia), end[1].split))
            .add(diagonal(softness));
        Self {
            slot,
            jacobian,
            inverse: inverse(block, spec),
            softness,
            bias: cast(DVec3::from_array(spec.bias)),
            bounds: RowBounds {
                lower: cast(DVec3::from_array(spec.lower)),
                upper: cast(DVec3::from_array(spec.upper)),
                friction: spec.friction as Real,
            },
            p: cast(DVec3::from_array(spec.impulse)),
            previous: cast(DVec3::from_array(spec.impulse)),
        }
    }

    /// A step of the multipliers at the velocities `v`.
    #[inline]
    pub fn advance(&mut self, v: &Spatial, step: Step) {
        let stepped = within_bounds(self.stepped(v, step.relaxation()), self.bounds);
        (self.p, self.previous) = step.extrapolate(stepped, self.p, self.previous);
    }

    #[inline]
    fn rate(&self, v: &Spatial) -> Vec3 {
        self.jacobian.rate(at_slot(v, self.slot[0] as usize), at_slot(v, self.slot[1] as usize))
    }

    #[inline]
    fn stepped(&self, v: &Spatial, relaxation: Real) -> Vec3 {
        row_step(self.p, self.inverse, self.rate(v), self.bias, self.softness, relaxation)
    }

    /// Turns the block into one for positions: hard rows take back a `fraction` of their errors, others rest.
    pub fn aim_at_positions(&mut self, spec: &RowSpec, fraction: f64) {
        (self.p, self.previous) = (Vec3::default(), Vec3::default());
        self.bias = cast(DVec3::from_array(spec.error) * fraction);
        self.softness = Vec3::default();
        if !spec.projects {
            self.inverse = Sym3::default();
        } else if spec.friction >= 0.0 {
            // Positions slide freely.
            (self.inverse.yy, self.inverse.zz) = (0.0, 0.0);
        }
    }

    /// Impulse on one end.
    #[inline]
    pub fn wrench(&self, end: usize) -> Vec6 {
        if end == 0 { self.jacobian.wrench_on_parent(self.p) } else { self.jacobian.wrench_on_child(self.p) }
    }

    /// Adds the impulses on both bodies, the parent's first.
    #[inline]
    pub fn push(&self, wrench: &mut Spatial) {
        for end in 0..2 {
            let slot = self.slot[end] as usize;
            let sum = at_slot(wrench, slot).add(self.wrench(end));
            set_slot(wrench, slot, sum);
        }
    }

    /// Whether its rows are solved together.
    fn is_coupled(&self) -> bool {
        let Sym3 { xy, xz, yz, .. } = self.inverse;
        xy != 0.0 || xz != 0.0 || yz != 0.0
    }

    /// What is left at the velocities `v`: the change that a full bounded step would make, as a rate.
    pub fn residual(&self, v: &Spatial) -> Residual {
        let change = within_bounds(self.stepped(v, 1.0), self.bounds).sub(self.p);
        let inverse = [self.inverse.xx, self.inverse.yy, self.inverse.zz];
        let mut residual = Residual::default();
        if self.is_coupled() {
            // −D⁻¹ r is the change: rᵀ D⁻¹ r, which the rows make together.
            let (p, s) = (self.p, self.softness);
            let yielding = Vec3 { x: s.x * p.x, y: s.y * p.y, z: s.z * p.z };
            let rate = self.rate(v).add(self.bias).add(yielding);
            let largest = rate.x.abs().max(rate.y.abs()).max(rate.z.abs());
            residual.energy = f64::from(-change.dot(rate));
            residual.largest = f64::from(largest * largest);
            residual.scale =
                [(p.x, inverse[0]), (p.y, inverse[1]), (p.z, inverse[2])].into_iter().map(scale).sum::<f64>();
            return residual;
        }
        for (change, inverse, p) in
            [(change.x, inverse[0], self.p.x), (change.y, inverse[1], self.p.y), (change.z, inverse[2], self.p.z)]
        {
            let rate = if inverse > 0.0 { change / inverse } else { 0.0 };
            let (energy, largest) = (f64::from(change * rate), f64::from(rate * rate));
            residual = residual.and(Residual { energy, largest, scale: scale((p, inverse)) });
        }
        residual
    }
}

/// p² D of a row, nearly.
fn scale((p, inverse): (Real, Real)) -> f64 {
    if inverse > 0.0 { f64::from(p * p / inverse) } else { 0.0 }
}

/// Inverse of the block where its rows are equalities, of a dominating diagonal where each row has bounds of
/// its own: bounds do not mix with a full block.
fn inverse(block: Sym3, spec: &RowSpec) -> Sym3 {
    let used = |row: usize| row < spec.count;
    if spec.coupled {
        // Unused rows get a one on the diagonal while inverting, and zero after.
        let filler = Vec3 {
            x: if used(0) { 0.0 } else { 1.0 },
            y: if used(1) { 0.0 } else { 1.0 },
            z: if used(2) { 0.0 } else { 1.0 },
        };
        let full = inverse_block(block.add(diagonal(filler)));
        let keep = |row: usize, value: Real| if used(row) { value } else { 0.0 };
        return Sym3 { xx: keep(0, full.xx), yy: keep(1, full.yy), zz: keep(2, full.zz), ..full };
    }
    let d = dominating_diagonal(block);
    let invert = |d: Real| if d > 0.0 { 1.0 / d } else { 0.0 };
    // Friction rows share one number, so that the cone stays round.
    let across = if spec.friction >= 0.0 { d.y.max(d.z) } else { d.y };
    let third = if spec.friction >= 0.0 { across } else { d.z };
    diagonal(Vec3 { x: invert(d.x), y: invert(across), z: invert(third) })
}

fn diagonal(v: Vec3) -> Sym3 {
    Sym3 { xx: v.x, xy: 0.0, xz: 0.0, yy: v.y, yz: 0.0, zz: v.z }
}

fn rows(directions: &[DVec3; 3]) -> Mat3 {
    Mat3 { r0: cast(directions[0]), r1: cast(directions[1]), r2: cast(directions[2]) }
}
