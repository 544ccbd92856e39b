//! A mechanism at an instant: bodies, the rows of its joints, trees and what closes loops. Everything the
//! solver does is one question to it, asked with different right-hand sides:
//!
//! ```text
//!   M x = f + Jᵀ λ,   J x + C λ = target
//! ```

use drystone_model::{Control, DMat3, DVec3, Model, State, WORLD};
use rayon::prelude::*;

use super::augmented::Augmented;
use super::axis_laws::Laws;
use super::block::{JointBlock, JointView, Level};
use super::bodies::{Bodies, Body};
use super::contact::{ContactPoint, PointMemory};
use super::coupling::Coupled;
use super::loops::{Outer, OuterRow, Trees};
use super::moreau::CONTACT_ACCURACY;
use super::options::{Method, StructuredOptions};
use super::rk4::Rate;
use super::slips::SlipSearch;
use crate::linalg::SingularBlock;
use drystone_solve::forces::{ContactForce, ForceLedger};
use drystone_solve::graph::forest::Forest;
use drystone_solve::joint::JointGeometry;
use drystone_solve::linalg::krylov::{Ending, Outcome};
use drystone_solve::linalg::matrix::{Mat6, Vec6};

/// Joints per parallel task.
const CHUNK: usize = 64;

/// The system of a model.
#[derive(Clone, Debug, Default)]
pub struct ConstraintSystem {
    pub(super) options: StructuredOptions,
    /// The bodies.
    pub bodies: Bodies,
    /// Rows of every joint, empty for those that do not act; after them those of the couplings.
    pub blocks: Vec<JointBlock>,
    /// Motion x of every body and of the world after [`ConstraintSystem::solve`]; forces f before it.
    pub motion: Vec<Vec6<f64>>,
    /// Multipliers λ of every joint's rows after [`ConstraintSystem::solve`].
    pub multiplier: Vec<Vec6<f64>>,
    pub(super) geometry: Vec<JointGeometry>,
    pub(super) laws: Laws,
    /// Couplings as last evaluated.
    pub(super) coupled: Vec<Coupled>,
    pub(super) active: Vec<bool>,
    pub(super) hint: Vec<DVec3>,
    edges: Vec<[u32; 2]>,
    forest: Forest,
    pub(super) trees: Trees,
    /// Joints outside the trees, ascending, and after them couplings by their blocks.
    pub(super) outside: Vec<u32>,
    /// How many of these are joints.
    loop_joints: usize,
    /// Their rows, and those of contacts and bounded forces.
    pub(super) outer: Outer,
    pub(super) augmented: Augmented,
    /// Of the slips from pass to pass of the friction.
    pub(super) slips: SlipSearch,
    /// Multipliers when a solve began.
    pub(super) start_lambda: Vec<f64>,
    /// Contact points of the step.
    pub(super) points: Vec<ContactPoint>,
    /// Bounded laws that have a row in this step: law and row.
    pub(super) bounded_rows: Vec<[u32; 2]>,
    /// Whether every bounded law that is a stop was passed in the projection under way.
    pub(super) passed: Vec<bool>,
    /// Forces of the contacts in the step before.
    pub(super) memory: Vec<PointMemory>,
    pub(super) next_memory: Vec<PointMemory>,
    /// Whether friction rows are left alone, as in projections.
    pub(super) frictionless: bool,
    /// Deepest overlap or passed stop \[m\].
    pub(super) depth: f64,
    /// Impulses of the last step along the axes of every joint \[N·s\], \[N·m·s\].
    pub(super) impulse: Vec<[f64; 6]>,
    /// Impulses of the pieces of the step before the last one; empty for a step in one piece.
    pub(super) earlier: Vec<[f64; 6]>,
    /// Impulses of every joint in the step on parent and child, about their centres of mass, along the rows as they were when
    /// they were solved for \[N·s\], \[N·m·s\]; and those of the pieces before this one.
    pub(super) wrench: Vec<[Vec6<f64>; 2]>,
    pub(super) earlier_wrench: Vec<[Vec6<f64>; 2]>,
    /// Impulses of the contacts in the step.
    pub(super) ledger: ForceLedger,
    /// Those of the piece under way.
    pub(super) booked: Vec<ContactForce>,
    /// Pairs of bodies that contacts moved in the step, by a force or to end an overlap.
    pub(super) moved: Vec<[u32; 2]>,
    /// Number of those before the piece under way.
    pub(super) moved_before: usize,
    /// Rotational stiffness of every body under the forces of its joints.
    pub(super) stiffness: Vec<DMat3>,
    /// Bodies at the start of the step.
    pub(super) start: Vec<Body>,
    /// Velocities in the middle of a variational step.
    pub(super) half: Vec<Vec6<f64>>,
    /// What the bounce adds to the velocities.
    pub(super) rebound: Vec<Vec6<f64>>,
    /// Errors of the rows when the step began.
    pub(super) start_value: Vec<[f64; 6]>,
    pub(super) rate: Vec<Rate>,
    pub(super) rate_sum: Vec<Rate>,
    /// Residual at which the loop iterations stop, in the units of the targets times lengths.
    pub(super) goal: f64,
    /// The same for contacts and their friction.
    pub(super) contact_goal: f64,
    /// Error of a contact in a step relative to the overlap that is left alone.
    pub(super) contact_accuracy: f64,
    /// Joint error that is left at the end of a step, beyond the tolerance it is moved with \[m\].
    pub(super) leave_open: f64,
    stale: bool,
}

impl ConstraintSystem {
    /// Reads the joints of a model.
    pub fn new(model: &Model, options: StructuredOptions) -> Self {
        let laws = Laws::new(model);
        let (bodies, joints) = (model.body_count(), model.joint_count());
        let mut turns: Vec<bool> = (0..joints).map(|joint| laws.of(joint).iter().any(|law| law.axis >= 3)).collect();
        laws.bounded.iter().filter(|law| law.axis >= 3).for_each(|law| turns[law.joint as usize] = true);
        let ends = laws.couplings.iter().flat_map(|coupling| coupling.end);
        ends.filter(|(_, axis)| *axis >= 3).for_each(|(joint, _)| turns[joint as usize] = true);
        let blocks = joints + laws.couplings.len();
        let geometry = (0..joints).map(|joint| JointGeometry::new(model, joint, bodies, turns[joint])).collect();
        Self {
            options,
            bodies: Bodies::new(model),
            blocks: vec![JointBlock::default(); blocks],
            motion: vec![[0.0; 6]; bodies + 1],
            multiplier: vec![[0.0; 6]; blocks],
            coupled: vec![Coupled::default(); laws.couplings.len()],
            geometry,
            laws,
            active: vec![false; joints],
            hint: vec![DVec3::ZERO; joints],
            contact_accuracy: CONTACT_ACCURACY,
            stale: true,
            ..Self::default()
        }
    }

    /// Takes over poses, velocities and which joints act; rebuilds the trees when that changed.
    pub fn read(&mut self, model: &Model, state: &State, control: &Control) {
        let mut changed = self.bodies.read(model, state) || self.stale;
        self.outer.sprung.has_failed = false;
        for joint in 0..self.geometry.len() {
            self.hint[joint] = DVec3::from_array(state.joint_angle[joint]);
            let acts = self.acts(model, state, control, joint);
            changed |= acts != self.active[joint];
            self.active[joint] = acts;
        }
        if changed {
            self.rebuild();
        }
    }

    /// Enabled, unbroken, with an end that moves and none in quarantine.
    fn acts(&self, model: &Model, state: &State, control: &Control, joint: usize) -> bool {
        let ends = [model.joint_parent[joint], model.joint_child[joint]];
        let quarantined = |body: u32| body != WORLD && state.body_quarantined[body as usize];
        control.joint_enabled[joint]
            && state.joint_intact[joint]
            && self.geometry[joint].body.iter().any(|&body| self.bodies.moves.get(body) == Some(&true))
            && !ends.into_iter().any(quarantined)
    }

    /// Trees and loops of the joints that act.
    fn rebuild(&mut self) {
        self.stale = false;
        let world = self.bodies.count() as u32;
        let full = matches!(self.options.method, Method::FullDense | Method::FullIterative);
        let ends = |joint: usize| self.geometry[joint].body.map(|body| body as u32);
        let has_rows = |joint: usize| self.active[joint] && !self.laws.of(joint).is_empty();
        self.edges.clear();
        self.edges.extend(
            (0..self.geometry.len()).map(|joint| if has_rows(joint) && !full { ends(joint) } else { [world; 2] }),
        );
        self.outer.sprung.restart();
        self.forest.build(&self.bodies.moves, &self.edges);
        self.trees.saddle.set_structure(&self.forest, usize::MAX);
        self.outside.clear();
        if full {
            self.outside.extend((0..self.geometry.len()).filter(|&joint| has_rows(joint)).map(|joint| joint as u32));
        } else {
            self.outside.extend_from_slice(self.forest.loop_joints());
            self.outside.extend_from_slice(self.forest.extra_anchors());
            self.outside.sort_unstable();
        }
        let joints = self.geometry.len();
        let Self { outside, laws, .. } = self;
        self.loop_joints = outside.len();
        let couplings = (0..laws.couplings.len()).map(|coupling| (joints + coupling) as u32);
        outside.extend(couplings);
    }

    /// Number of trees.
    pub fn tree_count(&self) -> usize {
        self.forest.tree_count()
    }

    /// Joints that close loops, ascending.
    pub fn loop_joints(&self) -> &[u32] {
        &self.outside[..self.loop_joints]
    }

    /// Rows of the trees and rows of the loops: a and l of the complexities.
    pub fn row_counts(&self) -> [usize; 2] {
        let all: usize = self.blocks.iter().map(|block| block.count).sum();
        let loops = self.outside.iter().map(|&joint| self.blocks[joint as usize].count).sum::<usize>();
        [all - loops, loops]
    }

    /// A joint with everything that decides its rows.
    pub(super) fn view<'a>(&'a self, joint: usize, control: &'a Control) -> JointView<'a> {
        view(&self.bodies, &self.geometry, &self.laws, &self.hint, joint, control)
    }

    /// Computes the rows of all joints that act, from the bodies as they are.
    pub fn evaluate(&mut self, control: &Control, level: Level) {
        self.evaluate_blocks(control, level);
        self.gather_outer();
    }

    /// [`ConstraintSystem::evaluate`] without touching the rows outside the trees: for corrections by old factors.
    pub(super) fn evaluate_blocks(&mut self, control: &Control, level: Level) {
        let Self { bodies, geometry, laws, hint, active, blocks, .. } = self;
        let joints = &mut blocks[..geometry.len()];
        joints.par_iter_mut().with_min_len(CHUNK).enumerate().for_each(|(joint, block)| {
            if active[joint] {
                view(bodies, geometry, laws, hint, joint, control).fill(level, block);
            } else {
                (block.count, block.push) = (0, [[0.0; 6]; 2]);
            }
        });
        self.evaluate_couplings(control, level);
    }

    /// Lists the rows outside the trees.
    pub(super) fn gather_outer(&mut self) {
        let outer = &mut self.outer;
        outer.rows.clear();
        outer.groups.clear();
        outer.lambda.clear();
        outer.assembled = false;
        for &joint in &self.outside {
            let block = &self.blocks[joint as usize];
            outer.groups.push([outer.rows.len() as u32, block.count as u32]);
            let Some(geometry) = self.geometry.get(joint as usize) else {
                let coupling = joint as usize - self.geometry.len();
                let body = self.laws.couplings[coupling].bodies(&self.geometry);
                outer.rows.extend(self.coupled[coupling].rows(body, block));
                continue;
            };
            let body = geometry.body.map(|body| body as u32);
            outer.rows.extend((0..block.count).map(|row| {
                OuterRow::new(body, block.jacobian[row], block.compliance[row]).weighted(block.weight(row))
            }));
        }
        outer.joint_rows = outer.rows.len();
    }

    /// Factors the trees and prepares the loops; after [`ConstraintSystem::evaluate`].
    pub fn factor(&mut self) -> Result<(), SingularBlock> {
        let Self { bodies, blocks, trees, .. } = self;
        trees.saddle.fill(|slot, node| {
            let body = &bodies.body[slot.body as usize];
            node.mass = Mat6::rigid(1.0, body.mass, body.inertia);
            node.row_count = 0;
            if let Some(held) = slot.joint {
                let block = &blocks[held.constraint()];
                node.row_count = block.count;
                node.compliance = Mat6::diagonal(block.compliance);
                for row in 0..block.count {
                    node.child.0[row] = block.jacobian[row][held.end()];
                    node.parent.0[row] = block.jacobian[row][1 - held.end()];
                }
            }
        });
        trees.saddle.factor()?;
        self.prepare_outer();
        Ok(())
    }

    /// Prepares the rows outside the trees for a solve.
    pub(super) fn prepare_outer(&mut self) {
        let bodies = &self.bodies;
        self.outer.prepare_blocks(|body, force| bodies.body[body as usize].respond_or_rest(force));
    }

    /// Solves M x = f + Jᵀλ, J x + Cλ = target. Forces f are in [`ConstraintSystem::motion`] on entry, x on return;
    /// λ is left in [`ConstraintSystem::multiplier`]. The residual is that of the loops, in lengths.
    pub fn solve(&mut self, target: impl Fn(&JointBlock, usize) -> f64) -> Outcome {
        for (multiplier, block) in self.multiplier.iter_mut().zip(&self.blocks) {
            multiplier.fill(0.0);
            (0..block.count).for_each(|row| multiplier[row] = -target(block, row));
        }
        let sizes = [self.motion.len(), self.multiplier.len()];
        self.outer_targets();
        self.trees.saddle.solve(&mut self.motion, &mut self.multiplier);
        if let Some(world) = self.motion.last_mut() {
            *world = [0.0; 6];
        }
        let Self { outer, motion, .. } = self;
        outer.rhs.clear();
        outer.rhs.extend(outer.rows.iter().map(|row| row.target - row.rate(motion)));
        let outcome = if outer.is_bounded() {
            let bounded = self.solve_bounded();
            let ending = if bounded.converged { Ending::Converged } else { Ending::IterationLimit };
            Outcome { ending, iterations: bounded.iterations, residual: bounded.violation }
        } else {
            if self.options.method == Method::Auto {
                self.prepare_sprung();
            }
            let Self { outer, trees, options, goal, .. } = self;
            outer.solve(trees, sizes, options, *goal)
        };
        self.add_outer();
        outcome
    }

    /// Moves the targets of loop rows from the multipliers to the outer rows.
    fn outer_targets(&mut self) {
        let mut next = 0;
        for &joint in &self.outside {
            let block = &self.blocks[joint as usize];
            for row in 0..block.count {
                self.outer.rows[next].target = -self.multiplier[joint as usize][row] * block.weight(row);
                next += 1;
            }
        }
    }

    /// Adds what the outer multipliers do to bodies and tree joints.
    fn add_outer(&mut self) {
        let Self { outer, trees, motion, multiplier, outside, blocks, .. } = self;
        if outer.rows.is_empty() {
            return;
        }
        let sizes = [motion.len(), multiplier.len()];
        let (moved, forces) = trees.respond(&outer.rows, &outer.lambda, sizes);
        motion.iter_mut().zip(moved).for_each(|(x, by)| (0..6).for_each(|k| x[k] += by[k]));
        let mut next = 0;
        for (multiplier, by) in multiplier.iter_mut().zip(forces) {
            (0..6).for_each(|k| multiplier[k] += by[k]);
        }
        for &joint in &*outside {
            for row in 0..blocks[joint as usize].count {
                multiplier[joint as usize][row] = outer.lambda[next] * outer.rows[next].scale;
                next += 1;
            }
        }
    }
}

fn view<'a>(
    bodies: &'a Bodies,
    geometry: &'a [JointGeometry],
    laws: &'a Laws,
    hint: &[DVec3],
    joint: usize,
    control: &'a Control,
) -> JointView<'a> {
    let ends = geometry[joint].body;
    JointView {
        geometry: &geometry[joint],
        laws: laws.of(joint),
        body: ends.map(|body| &bodies.body[body]),
        moves: ends.map(|body| bodies.moves.get(body) == Some(&true)),
        hint: hint[joint],
        joint,
        control,
    }
}
