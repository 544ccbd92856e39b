//! Whole trees of jointed bodies as one block: Newton's method with linear-time elimination.
//!
//! Contacts of a tree's bodies are part of its equations. Their forces switch on and off within a
//! step, so the Newton direction is followed only as far as the energy of the linearised rows falls:
//! that energy is convex, its minimum along the direction is found exactly, and impacts cannot throw
//! a mechanism about. Without contacts the full step is taken.

use drystone_kernels::double::math::Vec6;
use drystone_model::DVec3;
use rayon::prelude::*;

use super::block::JointBlock;
use super::{Joints, array};
use crate::parts::adjacency::Adjacency;
use crate::parts::forest::{Forest, NONE};
use crate::parts::matrix::{self, Mat6};
use crate::parts::tree_solve::TreeSolver;
use crate::vbd::bodies::Bodies;
use crate::vbd::primal;
use crate::vbd::rows::Manifold;

/// Halvings of the interval that holds the minimum along the Newton direction.
const SEARCH_STEPS: usize = 12;
/// Slope at the full step, as a share of the slope at the start, that counts as flat.
const FLAT: f64 = 1.0e-3;

/// The trees of a model and their equations.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    forest: Forest,
    solver: TreeSolver<f64>,
    joints_of: Adjacency,
    blocks: Vec<JointBlock>,
    /// Minus the gradient, then the Newton direction, by body slot.
    direction: Vec<matrix::Vec6<f64>>,
    descent: Vec<matrix::Vec6<f64>>,
    pairs: Vec<[u32; 2]>,
    share: Vec<f64>,
    /// Whether a body belongs to a directly solved tree.
    pub member: Vec<bool>,
}

impl Trees {
    /// Finds the trees among the active joints. Joints of components with loops are left to the sweep.
    pub fn rebuild(&mut self, joints: &mut Joints, moves: &[bool]) {
        let world = moves.len() as u32;
        self.pairs.clear();
        self.pairs.extend((0..joints.count()).map(|joint| match joints.active[joint] {
            true => joints.geometry[joint].body.map(|body| body as u32),
            false => [world, world],
        }));
        self.forest.build(moves, &self.pairs);
        let tree_of = self.tree_of_bodies(moves.len());
        let mut looped = vec![false; self.forest.tree_count()];
        for &joint in self.forest.loop_joints() {
            looped[tree_of[self.pairs[joint as usize][0] as usize] as usize] = true;
        }
        for joint in 0..joints.count() {
            let in_loop = self.pairs[joint]
                .iter()
                .any(|&body| tree_of.get(body as usize).is_some_and(|&tree| tree != NONE && looped[tree as usize]));
            joints.direct[joint] = !in_loop;
            if in_loop {
                self.pairs[joint] = [world, world];
            }
        }
        self.forest.build(moves, &self.pairs);
        self.solver.set_structure(&self.forest, self.forest.jointed_tree_count());
        self.joints_of.build(moves, &self.pairs);
        self.member.clear();
        self.member.resize(moves.len(), false);
        for tree in 0..self.forest.jointed_tree_count() {
            self.forest.tree(tree).iter().for_each(|&body| self.member[body as usize] = true);
        }
        self.direction.resize(moves.len(), [0.0; 6]);
        self.descent.resize(moves.len(), [0.0; 6]);
    }

    fn tree_of_bodies(&self, count: usize) -> Vec<u32> {
        let mut tree_of = vec![NONE; count];
        for tree in 0..self.forest.tree_count() {
            self.forest.tree(tree).iter().for_each(|&body| tree_of[body as usize] = tree as u32);
        }
        tree_of
    }

    /// Number of trees with joints.
    pub fn count(&self) -> usize {
        self.forest.jointed_tree_count()
    }

    /// One Newton step of every tree. Returns the squared largest translation.
    pub fn step(&mut self, bodies: &mut Bodies, joints: &Joints, manifolds: &[Manifold], contacts: &Adjacency) -> f64 {
        if self.count() == 0 {
            return 0.0;
        }
        joints.blocks(bodies, &mut self.blocks);
        self.assemble(bodies, manifolds, contacts);
        // Inertia makes every block definite; should round-off defeat it, the factor leaves pivots out.
        let _ = self.solver.factor();
        self.solver.solve(&mut self.direction);
        self.search(bodies, manifolds, contacts);
        self.apply(bodies)
    }

    fn assemble(&mut self, bodies: &Bodies, manifolds: &[Manifold], contacts: &Adjacency) {
        let (blocks, joints_of, member) = (&self.blocks, &self.joints_of, &self.member);
        let slots = self.solver.slots();
        let descent: Vec<_> = slots
            .par_iter()
            .with_min_len(32)
            .map(|slot| {
                let body = slot.body as usize;
                let mut force = array(bodies.inertial_force_exact(body));
                let (contact, _) = primal::contact_terms(bodies, manifolds, contacts, body, member);
                matrix::add_scaled(&mut force, 1.0, &array(contact));
                for joint in joints_of.of(body) {
                    matrix::add_scaled(&mut force, -1.0, &blocks[joint.constraint()].gradient[joint.end()]);
                }
                force
            })
            .collect();
        for (slot, force) in slots.iter().zip(descent) {
            self.direction[slot.body as usize] = force;
            self.descent[slot.body as usize] = force;
        }
        self.solver.fill(|slot, out| {
            let body = slot.body as usize;
            out.diagonal = primal::mat6(&bodies.inertial_block(body));
            let (_, contact) = primal::contact_terms(bodies, manifolds, contacts, body, member);
            out.diagonal.add_scaled(1.0, &primal::mat6(&contact));
            for joint in joints_of.of(body) {
                out.diagonal.add_scaled(1.0, &blocks[joint.constraint()].diagonal[joint.end()]);
            }
            out.coupling = match (slot.joint, slot.parent) {
                (Some(joint), Some(_)) if joint.end() == 1 => blocks[joint.constraint()].coupling,
                (Some(joint), Some(_)) => blocks[joint.constraint()].coupling.transpose(),
                _ => Mat6::ZERO,
            };
        });
    }

    /// How far to follow the direction in every tree.
    fn search(&mut self, bodies: &Bodies, manifolds: &[Manifold], contacts: &Adjacency) {
        let (forest, direction, descent) = (&self.forest, &self.direction, &self.descent);
        let trees = 0..forest.jointed_tree_count();
        let share = |tree: usize| {
            let members = forest.tree(tree);
            if members.iter().all(|&body| contacts.degree(body as usize) == 0) {
                return 1.0;
            }
            Search::new(members, direction, descent, bodies, manifolds, contacts).share()
        };
        self.share.clear();
        self.share.par_extend(trees.into_par_iter().with_min_len(4).map(share));
    }

    fn apply(&mut self, bodies: &mut Bodies) -> f64 {
        let mut largest: f64 = 0.0;
        for tree in 0..self.forest.jointed_tree_count() {
            for &body in self.forest.tree(tree) {
                let d = self.direction[body as usize].map(|x| x * self.share[tree]);
                let linear = DVec3::new(d[0], d[1], d[2]);
                bodies.advance(body as usize, linear, DVec3::new(d[3], d[4], d[5]));
                largest = largest.max(linear.length_squared());
            }
        }
        largest
    }
}

/// The energy of a tree along its Newton direction: a quadratic from inertia and joints plus the
/// piecewise quadratic of its contacts.
struct Search<'a> {
    /// Slope at the start without contacts.
    slope: f64,
    /// Curvature without contacts.
    curvature: f64,
    /// Slope at the start with contacts; negative.
    start: f64,
    contacts: Vec<(&'a Manifold, [Vec6; 2], [Vec6; 2])>,
}

impl<'a> Search<'a> {
    fn new(
        members: &[u32],
        direction: &[matrix::Vec6<f64>],
        descent: &[matrix::Vec6<f64>],
        bodies: &Bodies,
        manifolds: &'a [Manifold],
        adjacency: &Adjacency,
    ) -> Self {
        let start = -members.iter().map(|&b| matrix::dot(&direction[b as usize], &descent[b as usize])).sum::<f64>();
        let mut search = Self { slope: start, curvature: -start, start, contacts: Vec::new() };
        let of_tree = |body: usize| members.contains(&(body as u32));
        for &body in members {
            for incidence in adjacency.of(body as usize) {
                let manifold = &manifolds[incidence.constraint()];
                let [a, b] = manifold.body.map(|slot| slot as usize);
                // A manifold between two members is met twice; count it at its second end.
                if incidence.end() == 0 && of_tree(b) {
                    continue;
                }
                let motion = [a, b].map(|slot| if of_tree(slot) { kernel(&direction[slot]) } else { Vec6::default() });
                let delta = [bodies.delta[a], bodies.delta[b]];
                search.slope += contact_slope(manifold, &delta, &motion);
                search.curvature -= contact_curvature(manifold, &delta, &motion);
                search.contacts.push((manifold, delta, motion));
            }
        }
        search
    }

    fn slope_at(&self, share: f64) -> f64 {
        let mut slope = self.slope + share * self.curvature;
        for (manifold, delta, motion) in &self.contacts {
            let moved = [0, 1].map(|side| delta[side].add(motion[side].scale(share)));
            slope -= contact_slope(manifold, &moved, motion);
        }
        slope
    }

    /// The share of the direction at which the energy stops falling, at most one.
    fn share(&self) -> f64 {
        if !self.start.is_finite() {
            return 0.0;
        }
        if self.slope_at(1.0) <= FLAT * self.start.abs() {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..SEARCH_STEPS {
            let middle = 0.5 * (low + high);
            if self.slope_at(middle) > 0.0 { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    }
}

/// Work of the contact forces per share of the motion.
fn contact_slope(manifold: &Manifold, delta: &[Vec6; 2], motion: &[Vec6; 2]) -> f64 {
    let points = &manifold.point[..manifold.count as usize];
    points.iter().map(|p| p.force(manifold.normal, p.relative(delta)).force.dot(p.relative(motion))).sum()
}

fn contact_curvature(manifold: &Manifold, delta: &[Vec6; 2], motion: &[Vec6; 2]) -> f64 {
    let points = &manifold.point[..manifold.count as usize];
    let curvature = |p: &crate::vbd::rows::Point| {
        let answer = p.force(manifold.normal, p.relative(delta));
        if answer.normal <= 0.0 {
            return 0.0;
        }
        let m = p.relative(motion);
        let along = manifold.normal.dot(m);
        let across = m.length_squared() - along * along;
        p.hardness * p.rho_n * along * along + p.rho_t * answer.stick * across
    };
    points.iter().map(curvature).sum()
}

fn kernel(v: &matrix::Vec6<f64>) -> Vec6 {
    use drystone_kernels::double::math::Vec3;
    Vec6 { l: Vec3::new(v[0], v[1], v[2]), a: Vec3::new(v[3], v[4], v[5]) }
}
