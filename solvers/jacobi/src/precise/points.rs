//! Point constraints, eight side by side.

use super::super::schedule::Turn;
use super::Real;
use super::kernels::jacobi::{accelerated, multiplier_step, point_rate, wrench_on_child, wrench_on_parent};
use super::kernels::math::{Vec3, Vec6};
use super::lanes::{LANES, Lanes3, Lanes6, Slots, Spatial, set_vec3, set_vec6, sym3, vec3, vec6};

/// Eight point constraints. Lanes that are not used hang between two ends that do not move.
#[derive(Clone, Debug)]
pub struct PointBlock {
    /// Slots of the parents and of the children.
    pub slot: [Slots; 2],
    /// Levers of the anchors on parents and children, world frame \[m\].
    pub lever: [Lanes3; 2],
    /// Inverse Delassus blocks, scaled for mass splitting where that is used.
    pub inverse: Lanes6,
    /// Velocities the constraints want besides zero, negated \[m/s\].
    pub bias: Lanes3,
    /// Multipliers \[N·s\].
    pub p: Lanes3,
    /// What acceleration extrapolates from.
    pub previous: Lanes3,
}

/// How far a solve is from its end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// `Σ rᵀ D⁻¹ r` \[J\]: falls with every iteration that converges.
    pub energy: f64,
    /// Largest squared rate that is left \[m²/s²\].
    pub largest: f64,
    /// `Σ pᵀ D p`, nearly \[J\]: round-off of the multipliers is measured by it.
    pub scale: f64,
}

impl Residual {
    /// Both together, in this order.
    pub fn and(self, other: Self) -> Self {
        // `max` would drop a NaN.
        let larger = if other.largest > self.largest || other.largest.is_nan() { other } else { self };
        Self { energy: self.energy + other.energy, largest: larger.largest, scale: self.scale + other.scale }
    }
}

/// A [`Turn`] in the precision of the passes.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    relaxation: Real,
    weight: Real,
    nesterov: bool,
}

impl Step {
    /// One iteration of a schedule.
    pub fn new(turn: &Turn, nesterov: bool) -> Self {
        Self { relaxation: turn.relaxation as Real, weight: turn.weight as Real, nesterov }
    }

    /// The multipliers after a step to `stepped` from `p`, and what the next one extrapolates from.
    #[inline(always)]
    pub fn extrapolate(&self, stepped: Vec3, p: Vec3, previous: Vec3) -> (Vec3, Vec3) {
        (accelerated(stepped, previous, self.weight), if self.nesterov { stepped } else { p })
    }

    /// Share of the step that is taken.
    #[inline(always)]
    pub fn relaxation(&self) -> Real {
        self.relaxation
    }
}

impl PointBlock {
    /// A block of the given ends, `fixed` for lanes that are not used.
    pub fn new(ends: &[[u32; 2]], fixed: u32) -> Self {
        let slots = |end: usize| Slots::new(std::array::from_fn(|lane| ends.get(lane).map_or(fixed, |slot| slot[end])));
        let zero = [[0.0; LANES]; 3];
        let inverse = [[0.0; LANES]; 6];
        Self { slot: [slots(0), slots(1)], lever: [zero; 2], inverse, bias: zero, p: zero, previous: zero }
    }

    /// A step of all multipliers at the velocities `v`.
    #[inline(always)]
    pub fn advance(&mut self, v: &Spatial, step: Step) {
        let (mut v0, mut v1) = ([[0.0; LANES]; 6], [[0.0; LANES]; 6]);
        self.slot[0].gather(v, &mut v0);
        self.slot[1].gather(v, &mut v1);
        self.step(&v0, &v1, step);
    }

    /// The arithmetic of [`PointBlock::advance`]. A function of its own: inlined behind the gathering, compilers
    /// give up on SIMD and do the lanes one by one.
    #[inline(never)]
    fn step(&mut self, v0: &Lanes6, v1: &Lanes6, step: Step) {
        let (mut p, mut previous) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for lane in 0..LANES {
            let rate = self.rate(v0, v1, lane);
            let (old, inverse) = (vec3(&self.p, lane), sym3(&self.inverse, lane));
            let stepped = multiplier_step(old, inverse, rate, vec3(&self.bias, lane), step.relaxation);
            let (new, base) = step.extrapolate(stepped, old, vec3(&self.previous, lane));
            set_vec3(&mut p, lane, new);
            set_vec3(&mut previous, lane, base);
        }
        (self.p, self.previous) = (p, previous);
    }

    #[inline(always)]
    fn rate(&self, v0: &Lanes6, v1: &Lanes6, lane: usize) -> Vec3 {
        point_rate(vec6(v0, lane), vec6(v1, lane), vec3(&self.lever[0], lane), vec3(&self.lever[1], lane))
    }

    /// Adds the impulses on all bodies, parents before children.
    #[inline(always)]
    pub fn push(&self, wrench: &mut Spatial) {
        let (mut parent, mut child) = ([[0.0; LANES]; 6], [[0.0; LANES]; 6]);
        self.wrenches(&mut parent, &mut child);
        self.slot[0].add(wrench, &parent);
        self.slot[1].add(wrench, &child);
    }

    /// Impulses on the parents and children, apart from [`PointBlock::push`] for the same reason as
    /// [`PointBlock::step`].
    #[inline(never)]
    fn wrenches(&self, parent: &mut Lanes6, child: &mut Lanes6) {
        for lane in 0..LANES {
            let p = vec3(&self.p, lane);
            set_vec6(parent, lane, wrench_on_parent(p, vec3(&self.lever[0], lane)));
            set_vec6(child, lane, wrench_on_child(p, vec3(&self.lever[1], lane)));
        }
    }

    /// Impulse on one end of one lane.
    #[inline(always)]
    pub fn wrench(&self, lane: usize, end: usize) -> Vec6 {
        let (p, lever) = (vec3(&self.p, lane), vec3(&self.lever[end], lane));
        if end == 0 { wrench_on_parent(p, lever) } else { wrench_on_child(p, lever) }
    }

    /// What is left at the velocities `v`.
    pub fn residual(&self, v: &Spatial) -> Residual {
        let (mut v0, mut v1) = ([[0.0; LANES]; 6], [[0.0; LANES]; 6]);
        self.slot[0].gather(v, &mut v0);
        self.slot[1].gather(v, &mut v1);
        let [energy, largest, scale] = self.residuals(&v0, &v1).map(|lanes| lanes.map(f64::from));
        let each = (0..LANES).map(|k| Residual { energy: energy[k], largest: largest[k], scale: scale[k] });
        each.fold(Residual::default(), Residual::and)
    }

    /// Energies, squared rates and scales of all lanes, apart for the same reason as [`PointBlock::step`].
    #[inline(never)]
    fn residuals(&self, v0: &Lanes6, v1: &Lanes6) -> Lanes3 {
        let mut out = [[0.0; LANES]; 3];
        for lane in 0..LANES {
            let rate = self.rate(v0, v1, lane).add(vec3(&self.bias, lane));
            let inverse = self.inverse[0][lane];
            // A constraint between fixed ends has a zero inverse and nothing to answer for.
            let free = inverse > 0.0;
            out[0][lane] = sym3(&self.inverse, lane).quadratic(rate);
            out[1][lane] = if free { rate.length_squared() } else { 0.0 };
            out[2][lane] = if free { vec3(&self.p, lane).length_squared() / inverse } else { 0.0 };
        }
        out
    }

    /// Scales the multipliers and forgets the history of acceleration.
    pub fn scale(&mut self, factor: Real) {
        self.p.iter_mut().flatten().for_each(|p| *p *= factor);
        self.previous = self.p;
    }
}
