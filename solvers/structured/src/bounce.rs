//! Impacts separate at a share of the speed they approached with.
//!
//! Newton's restitution with friction can give bodies more energy than they came with, in blows at a slant against bodies that
//! turn (Kane's paradox). What hangs together by contacts and joints keeps its restitution only as far as its energy allows.

use drystone_model::{Control, Model};

use super::moreau::StepOutcome;
use super::system::ConstraintSystem;
use drystone_solve::graph::union::{flatten, unite};
use drystone_solve::linalg::matrix::{Vec6, dot};

/// Falls of a step beyond which an approach is an impact and not a load.
const IMPACT: f64 = 2.0;
/// Restitution that is tried in place of one that gave energy, as a share of it.
const SHARES: [f64; 4] = [1.0, 0.5, 0.25, 0.0];
/// Energy that rounding may add, as a share of it.
const ROUNDING: f64 = 1.0e-9;

/// A contact that bounces.
pub(super) struct Impact {
    /// Row of its normal.
    pub(super) row: usize,
    /// What it hangs together with.
    group: usize,
    /// Target of the row without a bounce \[m/s\].
    without: f64,
    /// Target of the row for a point that comes to rest \[m/s\].
    at_rest: f64,
    /// Speed that a whole bounce adds to that \[m/s\].
    bounce: f64,
}

impl ConstraintSystem {
    /// Leaves in `rebound` what the bounce adds to the velocities: impacts separate at a share of the speed
    /// they approached with, everything else as solved.
    pub(super) fn bounce(&mut self, model: &Model, control: &Control, h: f64, reached: &mut StepOutcome) {
        self.rebound.clear();
        let mut impacts = self.impacts(model, h);
        if impacts.is_empty() {
            return;
        }
        let leader = self.groups();
        impacts.iter_mut().for_each(|impact| impact.group = leader[impact.group] as usize);
        self.kick(model, control, h);
        let free: Vec<Vec6<f64>> =
            self.bodies.body.iter().zip(&self.motion).map(|(body, momentum)| body.respond_or_rest(momentum)).collect();
        let [came, stuck] = [&free, &self.half].map(|motion| self.energies(&leader, motion));
        let led = self.led(&leader);
        let mut tried = vec![0; leader.len()];
        loop {
            for impact in &impacts {
                let share = SHARES[tried[impact.group]];
                let target = if share > 0.0 { impact.at_rest + share * impact.bounce } else { impact.without };
                self.outer.rows[impact.row].target = target;
            }
            self.kick(model, control, h);
            let outcome = self.solve(|block, row| block.target[row]);
            let goes = self.energies(&leader, &self.motion);
            let gains = |group: usize| !led[group] && goes[group] > came[group].max(stuck[group]) * (1.0 + ROUNDING);
            let mut shared: Vec<usize> =
                impacts.iter().map(|impact| impact.group).filter(|&group| gains(group)).collect();
            shared.sort_unstable();
            shared.dedup();
            shared.retain(|&group| tried[group] + 1 < SHARES.len());
            if shared.is_empty() {
                reached.add(&outcome);
                break;
            }
            shared.into_iter().for_each(|group| tried[group] += 1);
        }
        let with = self.motion.iter().zip(&self.half);
        self.rebound.extend(with.map(|(with, without)| std::array::from_fn(|k| with[k] - without[k])));
    }

    /// The contacts that bounce; a body of each in place of its group.
    pub(super) fn impacts(&self, model: &Model, h: f64) -> Vec<Impact> {
        let gravity = model.world_gravity.iter().map(|g| g.length()).fold(0.0, f64::max);
        let strikes = self.points.iter().filter(|point| {
            let strikes = point.approach < -IMPACT * gravity * h && self.outer.lambda[point.row as usize] > 0.0;
            strikes && point.restitution > 0.0 && !point.soft
        });
        let impact = |point: &super::contact::ContactPoint| Impact {
            row: point.row as usize,
            group: point.body.into_iter().find(|&body| self.moves(body)).unwrap_or_default() as usize,
            without: self.outer.rows[point.row as usize].target,
            at_rest: -point.known,
            bounce: -point.restitution * point.approach,
        };
        strikes.map(impact).collect()
    }

    /// The leader of every body among those it hangs together with by contacts and joints; what does not move connects nothing.
    fn groups(&self) -> Vec<u32> {
        let count = self.bodies.count();
        let moves = |body: usize| self.bodies.moves.get(body) == Some(&true);
        let mut leader: Vec<u32> = (0..=count as u32).collect();
        let contacts = self.points.iter().map(|point| point.body.map(|body| body as usize));
        let joints = self.geometry.iter().zip(&self.active).filter(|(_, active)| **active).map(|(joint, _)| joint.body);
        for [a, b] in contacts.chain(joints).filter(|pair| pair.iter().all(|&body| moves(body))) {
            unite(&mut leader, a as u32, b as u32);
        }
        for coupling in (0..self.coupled.len()).filter(|&coupling| self.couples(coupling)) {
            let ends = self.coupled_bodies(coupling);
            let mut moving = ends.into_iter().flatten().filter(|&body| moves(body as usize));
            if let Some(first) = moving.next() {
                moving.for_each(|body| unite(&mut leader, first, body));
            }
        }
        flatten(&mut leader);
        leader
    }

    /// Kinetic energy of every group, by its leader \[J\].
    fn energies(&self, leader: &[u32], motion: &[Vec6<f64>]) -> Vec<f64> {
        let mut energy = vec![0.0; leader.len()];
        let bodies = self.bodies.body.iter().zip(motion).zip(&self.bodies.moves).zip(leader);
        for (((body, motion), _), &leader) in bodies.filter(|(((_, _), moves), _)| **moves) {
            energy[leader as usize] += 0.5 * dot(motion, &body.momentum(motion));
        }
        energy
    }

    /// Groups that touch what is led through the scene, which may give them energy.
    fn led(&self, leader: &[u32]) -> Vec<bool> {
        let mut led = vec![false; leader.len()];
        for point in self.points.iter().filter(|point| point.known != 0.0) {
            point.body.into_iter().for_each(|body| led[leader[body as usize] as usize] = true);
        }
        led
    }
}
