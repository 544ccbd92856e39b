//! Joints inside the sweep, as published: every body in turn is pulled by its joints with their other ends
//! held, multipliers follow after each sweep, and working stiffnesses grow with the error.
//!
//! A hard row has the force λ⁺ = clamp(λ + k (C − α C₀)); an elastic one k C with k at most its own
//! stiffness and no multiplier. The curvature of the rows enters a body's block as a diagonal with the norms of the
//! columns of λ⁺ ∂²C, which keeps it positive. After a sweep λ ← λ⁺, and k ← min(k_max, k + β |C − α C₀|) where λ⁺ is
//! inside its bounds: the error that is left alone stiffens nothing, or stiffnesses grow for as long as a joint is open and
//! throw it shut. Damping is a share of k.
//! The compliant method has the same rows with k from the masses and no growth.

use drystone_kernels::double::math::Vec6;
use drystone_model::{DMat3, DVec3};

use super::{Axes, JointRow, Joints, RowKind, array, to_kernel};
use crate::bodies::Bodies;
use crate::options::{AvbdOptions, Method};
use crate::primal;
use crate::rows::Manifold;
use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::joint::geometric_stiffness;
use drystone_solve::linalg::ldl::Ldl;
use drystone_solve::linalg::matrix::{self, Mat6, add_scaled};

/// The joints that are swept: all active ones, or none.
#[derive(Clone, Debug, Default)]
pub struct Swept {
    adjacency: Adjacency,
    /// Bodies of every joint; of one that does not act, twice the world.
    pairs: Vec<[u32; 2]>,
}

/// How the rows of swept joints begin a step.
#[derive(Clone, Copy, Debug)]
pub struct Ramp {
    /// Share of inherited error left alone.
    pub alpha: f64,
    /// Share of a working stiffness kept from step to step; `None` takes it from the masses.
    gamma: Option<f64>,
    /// Stiffness that translations and rotations start with \[N/m\], \[N·m/rad\].
    start: [f64; 2],
    /// Largest stiffness.
    most: f64,
    /// Growth with the error \[N/m²\], \[N·m/rad²\].
    beta: [f64; 2],
}

impl Ramp {
    /// Of a method; `None` where joints are not swept.
    pub fn of(method: Method, avbd: &AvbdOptions) -> Option<Self> {
        match method {
            Method::LoadScaled => None,
            Method::Avbd => Some(Self {
                alpha: avbd.joint_alpha.unwrap_or(avbd.alpha),
                gamma: Some(avbd.gamma),
                start: [avbd.joint_k_start_linear, avbd.joint_k_start_angular],
                most: avbd.k_max,
                beta: [avbd.beta_linear, avbd.beta_angular],
            }),
            Method::Compliant => {
                Some(Self { alpha: 0.0, gamma: None, start: [0.0; 2], most: f64::INFINITY, beta: [0.0; 2] })
            }
        }
    }

    /// Whether stiffnesses ramp as published.
    pub fn grows(&self) -> bool {
        self.gamma.is_some()
    }

    /// Sets the stiffness a prepared row works with, given its inverse Delassus number over h² and the largest stiffness of
    /// the joint, zero for that of the solver. Without growth it is the largest from the start.
    pub fn begin(&self, row: &mut JointRow, delassus: f64, most: [f64; 2]) {
        let part = usize::from(row.axis >= 3);
        if row.holds_motion() {
            row.k = delassus;
        } else if row.ramps() {
            let Some(gamma) = self.gamma else {
                row.k = if row.hard { delassus } else { row.k };
                return;
            };
            row.most = match row.hard {
                false => row.stiffness,
                true if most[part] > 0.0 => most[part],
                true => self.most,
            };
            let least = if self.beta[part] > 0.0 { self.start[part].min(row.most) } else { row.most };
            row.working = (gamma * row.working).clamp(least, row.most);
            row.k = row.working;
        }
    }

    /// Lets the rows of a joint follow their forces after a sweep. A stiffness grows with the error that its row corrects in
    /// this step.
    fn update_multipliers(&self, rows: &mut [JointRow], axes: &Axes) {
        for row in rows {
            let q = axes.value[row.axis as usize];
            let (force, _) = row.law(q);
            row.force = force;
            if row.hard || row.holds_motion() {
                row.lambda = (force - row.k * row.viscous * (q - row.start)).clamp(row.lower, row.upper);
            }
            let inside = force > row.lower && force < row.upper;
            if row.ramps() && inside && self.grows() {
                let part = usize::from(row.axis >= 3);
                row.working = (row.working + self.beta[part] * (q - row.reference).abs()).min(row.most);
                row.k = row.working;
            }
        }
    }
}

impl JointRow {
    /// Whether it resists motion in the step, wherever the coordinate is.
    fn holds_motion(&self) -> bool {
        matches!(self.kind, RowKind::Friction | RowKind::Fastest | RowKind::FastestBack)
    }

    /// Whether its working stiffness grows with the error.
    fn ramps(&self) -> bool {
        matches!(self.kind, RowKind::Locked | RowKind::Rod | RowKind::Lower | RowKind::Upper)
    }
}

impl Swept {
    /// Takes over the active joints; none with `swept` false.
    pub fn rebuild(&mut self, joints: &Joints, moves: &[bool], swept: bool) {
        let world = moves.len() as u32;
        self.pairs.clear();
        self.pairs.extend((0..joints.count()).map(|joint| match swept && joints.active[joint] {
            true => joints.geometry[joint].body.map(|body| body as u32),
            false => [world, world],
        }));
        self.adjacency.build(moves, &self.pairs);
    }

    /// The pairs of bodies that must not have the same colour.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// Whether there is any joint to sweep.
    pub fn any(&self) -> bool {
        self.pairs.iter().any(|pair| pair[0] != pair[1])
    }

    /// Whether swept joints hold a body.
    pub fn holds(&self, body: usize) -> bool {
        self.adjacency.degree(body) > 0
    }

    /// The Newton step of one body with everything around it held.
    pub fn body_step(
        &self,
        bodies: &Bodies,
        joints: &Joints,
        manifolds: &[Manifold],
        contacts: &Adjacency,
        members: &[bool],
        body: usize,
    ) -> Vec6 {
        let (force, block) = primal::contact_terms(bodies, manifolds, contacts, body, members);
        let mut descent = array(bodies.inertial_force_exact(body).add(force));
        let mut block = primal::mat6(&bodies.inertial_block(body).add(block));
        for incidence in self.adjacency.of(body) {
            let joint = incidence.constraint();
            let axes = joints.axes(joint, bodies);
            add_joint(&axes, joints.rows(joint), incidence.end(), &mut descent, &mut block);
        }
        to_kernel(&Ldl::semidefinite(&block).solve(&descent))
    }

    /// Multipliers and stiffnesses of the joints of active bodies after a sweep.
    pub fn update_multipliers(&self, joints: &mut Joints, bodies: &Bodies, active: &[bool], ramp: &Ramp) {
        for joint in 0..joints.count() {
            if !joints.active[joint] || !joints.geometry[joint].body.iter().any(|&body| active[body]) {
                continue;
            }
            let axes = joints.axes(joint, bodies);
            ramp.update_multipliers(joints.rows_mut(joint), &axes);
        }
    }
}

fn add_joint(axes: &Axes, rows: &[JointRow], side: usize, descent: &mut matrix::Vec6<f64>, block: &mut Mat6<f64>) {
    let mut pull = DVec3::ZERO;
    for row in rows {
        let axis = row.axis as usize;
        let (force, stiffness) = row.law(axes.value[axis]);
        let jacobian = &axes.jacobian[axis][side];
        add_scaled(descent, -force, jacobian);
        block.add_outer(stiffness, jacobian, jacobian);
        if axis < 3 {
            pull += axes.direction.col(axis) * force;
        }
    }
    let curvature = geometric_stiffness(if side == 0 { -pull } else { pull }, axes.lever[side]);
    block.add_angular(DMat3::from_diagonal(DVec3::from_array([0, 1, 2].map(|k| curvature.col(k).length()))));
}
