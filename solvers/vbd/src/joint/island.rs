//! One joint island: bodies held together by joints, solved as a whole by Newton's method.
//!
//! A hard row is a spring of stiffness k far above everything else, so a Newton step solves
//!
//!   (M/h² + G(λ) + Σ k JᵀJ) Δ = −M/h² (x − x̃) − Σ k Jᵀ C
//!
//! and the force the spring would have after the step if the row were linear, λ = k (C + J Δ), is the
//! multiplier of the constraint. The geometric stiffness G is taken from *that* λ and not from the
//! spring force k C at the iterate: the curvature of a constraint leaves an error of second order
//! after a step, which the huge k turns into a bogus force that would lock the joints. With the
//! multiplier this is sequential quadratic programming, and converges in a few steps from any swing.

use std::sync::atomic::{AtomicBool, Ordering};

use drystone_kernels::double::math::Vec6;
use drystone_solve::parallel::Shared;
use rayon::prelude::*;

use super::line_search::LineSearch;
use super::net::{Basis, Net};
use super::{Axes, JointRow, Joints, Placement, to_kernel};
use crate::bodies::Bodies;
use crate::rows::Manifold;
use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::linalg::block6::split;
use drystone_solve::linalg::matrix;
use drystone_solve::parallel;

/// Node of an end that is not an unknown of the joint island.
pub const NO_NODE: u32 = u32::MAX;
/// A step counts as the last one once the next would move no body by more than this share of what inertia
/// would move the joint island.
pub(super) const CONVERGED: f64 = 1.0e-4;
/// A row that a step takes from one piece of its law to another does not follow its tangent; it may miss it by this
/// share.
pub(super) const ON_TANGENT: f64 = 1.0e-6;
/// Most that a step may turn a body \[rad\]: beyond it the equations say nothing about where the joints will be. Without
/// it, light links that an impact compresses were thrown about by 1.5 rad per step and never closed.
pub(super) const LARGEST_TURN: f64 = 1.0;

/// The share of that motion below which a step of a wide net is the last: its steps are dear. Measured on 36 × 36
/// balls pinned at a corner, 1.5 s: largest gap 0.3 mm; with a tenth of it 0.7 mm and three times the time.
const NET_CONVERGED: f64 = 1.0e-2;
/// Joints per parallel task.
const TASK_JOINTS: usize = 256;
/// Gap, as a share of what inertia would move the joint island, to which a wide net is solved.
const NET_GAP: f64 = 1.0e-4;

/// What a joint island reads of everything around it.
#[derive(Clone, Copy)]
pub struct SolveContext<'a> {
    /// All bodies.
    pub bodies: &'a Bodies,
    /// All joints.
    pub joints: &'a Joints,
    /// All contacts.
    pub manifolds: &'a [Manifold],
    /// Contacts of every body.
    pub contacts: &'a Adjacency,
    /// Whether a body belongs to any joint island; all of them move at the same time.
    pub member: &'a [bool],
    /// Node of every body within its own joint island.
    pub node: &'a [u32],
    /// Displacements of the bodies to stay near to, where nothing but the joints is to be closed.
    pub near: Option<&'a [Vec6]>,
}

/// Bodies held together by joints. Most are solved by elimination, side by side with others of their kind
/// ([`FourIslands`](super::four::FourIslands)); one too wide for that by iterations, for which the rest is kept here.
#[derive(Clone, Debug)]
pub struct JointIsland {
    /// Body of every node.
    pub bodies: Vec<u32>,
    /// Its joints.
    pub joints: Vec<u32>,
    /// Nodes of the two ends of every joint, or [`NO_NODE`].
    pub(super) ends: Vec<[u32; 2]>,
    /// Where it is solved.
    pub(super) solver: Solver,
    pub(super) axes: Vec<Axes>,
    /// Largest motion that inertia would give a body \[m\].
    inertial: f64,
    /// Minus the gradient.
    pub(super) descent: Vec<matrix::Vec6<f64>>,
    direction: Vec<matrix::Vec6<f64>>,
    /// First row of every joint, and the number of rows.
    row_start: Vec<u32>,
    /// Forces of the rows of all joints after the step.
    force: Vec<f64>,
    /// Where the bodies are after the step, and their displacement since the start.
    pub placed: Vec<(Placement, Vec6)>,
    /// Squared largest translation of the last step \[m²\].
    pub moved: f64,
    /// Largest motion of the Newton steps of the sweep \[m\].
    pub(super) sweep_way: f64,
    /// Whether further steps would change nothing.
    pub converged: bool,
}

/// How the linear equations of a Newton step are solved.
#[derive(Clone, Debug)]
pub(super) enum Solver {
    /// By elimination, in a lane of one of the fours.
    Lane {
        /// Which of them.
        four: u32,
        /// Which lane.
        lane: u32,
    },
    /// By iterations on the forces.
    Net(Box<Net>),
}

impl JointIsland {
    /// Of the given bodies and joints.
    pub fn new(bodies: &[u32], joints: Vec<u32>, ends: Vec<[u32; 2]>, row_start: Vec<u32>, solver: Solver) -> Self {
        let net = matches!(solver, Solver::Net(_));
        let (nodes, rows) = if net { (bodies.len(), row_start[joints.len()] as usize) } else { (0, 0) };
        Self {
            bodies: bodies.to_vec(),
            joints,
            ends,
            solver,
            axes: Vec::new(),
            inertial: 0.0,
            descent: vec![[0.0; 6]; nodes],
            direction: vec![[0.0; 6]; nodes],
            force: vec![0.0; rows],
            row_start: if net { row_start } else { Vec::new() },
            placed: Vec::new(),
            moved: 0.0,
            sweep_way: 0.0,
            converged: false,
        }
    }

    /// Whether a joint of it ends at something that does not move.
    pub fn is_supported(&self) -> bool {
        self.ends.iter().any(|ends| ends.contains(&NO_NODE))
    }

    /// Begins a sweep: nothing has moved.
    pub fn begin_sweep(&mut self) {
        self.sweep_way = 0.0;
    }

    /// Whether its equations are solved by iterations only.
    pub fn is_net(&self) -> bool {
        matches!(self.solver, Solver::Net(..))
    }

    /// The net, if it is one.
    pub fn net_mut(&mut self) -> Option<&mut Net> {
        match &mut self.solver {
            Solver::Lane { .. } => None,
            Solver::Net(net) => Some(net),
        }
    }

    /// What is remembered of a net from step to step.
    pub fn basis(&self) -> Option<&Basis> {
        match &self.solver {
            Solver::Lane { .. } => None,
            Solver::Net(net) => Some(net.basis()),
        }
    }

    /// Forgets the steps before.
    pub fn forget(&mut self) {
        if let Some(net) = self.net_mut() {
            net.forget();
        }
    }

    /// Whether anything touches it.
    pub fn touched(&self, contacts: &Adjacency) -> bool {
        self.bodies.iter().any(|&body| contacts.degree(body as usize) > 0)
    }

    /// How far its hard rows are from where they should be, as a share of the extent of the joint or of a radian. Takes the
    /// coordinates of its joints where its bodies are.
    pub fn measure(&mut self, joints: &Joints, bodies: &Bodies) -> f64 {
        self.take_axes(joints, bodies);
        let open = |place: usize| joints.open(self.joints[place] as usize, &self.axes[place].value);
        let [open] = parallel::largest(self.joints.len(), |place| [open(place)]);
        open
    }

    fn take_axes(&mut self, joints: &Joints, bodies: &Bodies) {
        let axes = self.joints.par_iter().shared(TASK_JOINTS);
        axes.map(|&joint| joints.axes(joint as usize, bodies)).collect_into_vec(&mut self.axes);
    }

    /// One Newton step of a net; the new placements and forces are left in `placed` and `force`.
    pub fn newton(&mut self, context: &SolveContext) {
        let inertial = |node: usize| [inertial_motion(context.bodies, self.bodies[node] as usize)];
        [self.inertial] = parallel::largest(self.bodies.len(), inertial);
        self.take_axes(context.joints, context.bodies);
        self.assemble(context);
        self.direction.copy_from_slice(&self.descent);
        if let Solver::Net(net) = &mut self.solver {
            net.solve(&mut self.direction, NET_GAP * self.inertial);
        }
        let step_length = self.step_length(context).min(self.largest_step_length());
        self.estimate_forces(context.joints, step_length);
        self.place(context.bodies, step_length);
    }

    /// Change of a coordinate of a joint along the direction.
    fn rate(&self, joint: usize, axis: usize) -> f64 {
        let along = |side: usize| match self.ends[joint][side] {
            NO_NODE => 0.0,
            node => matrix::dot(&self.axes[joint].jacobian[axis][side], &self.direction[node as usize]),
        };
        along(0) + along(1)
    }

    /// The share of the direction that turns no body too far.
    fn largest_step_length(&self) -> f64 {
        let turn = |d: &matrix::Vec6<f64>| d[3] * d[3] + d[4] * d[4] + d[5] * d[5];
        LARGEST_TURN / self.direction.iter().map(turn).fold(0.0, f64::max).sqrt().max(LARGEST_TURN)
    }

    /// How far to follow the direction.
    fn step_length(&self, context: &SolveContext) -> f64 {
        let pairs = self.direction.iter().zip(&self.descent);
        let mut search =
            LineSearch::new(-pairs.map(|(direction, descent)| matrix::dot(direction, descent)).sum::<f64>());
        let bounded = |place: &usize| context.joints.rows(self.joints[*place] as usize).iter().any(JointRow::bounded);
        let bounded: Vec<usize> = (0..self.joints.len()).into_par_iter().shared(TASK_JOINTS).filter(bounded).collect();
        for place in bounded {
            for row in context.joints.rows(self.joints[place] as usize).iter().filter(|row| row.bounded()) {
                let axis = row.axis as usize;
                search.row(row, self.axes[place].value[axis], self.rate(place, axis));
            }
        }
        let touching = self.bodies.iter().zip(&self.direction).filter(|_| context.near.is_none());
        for (&body, motion) in touching {
            for incidence in context.contacts.of(body as usize) {
                let manifold = &context.manifolds[incidence.constraint()];
                let slots = manifold.body.map(|slot| slot as usize);
                let far = slots[1 - incidence.end()];
                let own = self.node_of(far, context);
                // A manifold between two members is met twice; count it at its second end.
                if own.is_some() && incidence.end() == 0 {
                    continue;
                }
                let mut motions = [Vec6::default(); 2];
                motions[incidence.end()] = to_kernel(motion);
                motions[1 - incidence.end()] = own.map_or(Vec6::default(), |node| to_kernel(&self.direction[node]));
                search.contact(manifold, slots.map(|slot| context.bodies.delta[slot]), motions);
            }
        }
        search.step_length()
    }

    fn node_of(&self, body: usize, context: &SolveContext) -> Option<usize> {
        let node = *context.node.get(body)? as usize;
        (self.bodies.get(node) == Some(&(body as u32))).then_some(node)
    }

    /// Forces after the step. A row that the step takes beyond its bounds does not follow the tangent
    /// it was solved with: then the joint island is not converged, however small the step.
    fn estimate_forces(&mut self, joints: &Joints, step_length: f64) {
        let Solver::Net(net) = &self.solver else { return };
        let mut force = std::mem::take(&mut self.force);
        let off = AtomicBool::new(false);
        parallel::by_row(&self.row_start, &mut force, &|place, force| {
            let first = self.row_start[place] as usize;
            for (index, row) in joints.rows(self.joints[place] as usize).iter().enumerate() {
                let axis = row.axis as usize;
                let at = self.axes[place].value[axis];
                let full = row.law(at + net.give(first + index)).0;
                if row.bounded() {
                    let (now, tangent) = row.law(at);
                    let expected = now + tangent * self.rate(place, axis);
                    if (expected - full).abs() > ON_TANGENT * expected.abs().max(full.abs()) {
                        off.store(true, Ordering::Relaxed);
                    }
                }
                force[index] = row.force + step_length * (full - row.force);
            }
        });
        self.force = force;
        self.converged = !off.into_inner();
    }

    fn place(&mut self, bodies: &Bodies, step_length: f64) {
        let Self { direction, placed, .. } = self;
        let step = |d: &matrix::Vec6<f64>| split(&d.map(|x| x * step_length));
        let moves = self.bodies.par_iter().zip(&*direction).shared(parallel::PIECE);
        moves
            .map(|(&body, d)| {
                let (linear, angular) = step(d);
                bodies.advanced(body as usize, linear, angular)
            })
            .collect_into_vec(placed);
        let [largest, translation] = parallel::largest(self.bodies.len(), |node| {
            let (linear, angular) = step(&direction[node]);
            let radius = bodies.gyration_radius(self.bodies[node] as usize);
            [linear.length() + radius * angular.length(), linear.length_squared()]
        });
        self.moved = translation;
        self.sweep_way = self.sweep_way.max(largest);
        self.converged &= step_length == 1.0 && largest <= NET_CONVERGED * self.inertial;
    }

    /// Hands over what a Newton step of a net came to. Multipliers of hard rows follow the forces last solved for. (Not the
    /// spring forces where the step ended: those have the curvature of the constraints in them, times the stiffness.)
    pub fn apply(&self, bodies: &mut Bodies, joints: &mut Joints) {
        for (&body, &(placement, delta)) in self.bodies.iter().zip(&self.placed) {
            bodies.placement[body as usize] = placement;
            bodies.delta[body as usize] = delta;
        }
        let Joints { row_start, rows, .. } = joints;
        parallel::by_row(row_start, rows, &|joint, rows| {
            let Ok(place) = self.joints.binary_search(&(joint as u32)) else { return };
            for (row, &force) in rows.iter_mut().zip(&self.force[self.row_start[place] as usize..]) {
                row.force = force;
                if row.hard {
                    row.lambda = force;
                }
            }
        });
    }
}

/// How far inertia would move a body \[m\].
pub(super) fn inertial_motion(bodies: &Bodies, body: usize) -> f64 {
    let target = bodies.target[body];
    target.l.length() + bodies.gyration_radius(body) * target.a.length()
}
