//! Position projection: joint islands that the sweeps left open are moved to the nearest place, by mass, where their hard
//! joints hold.
//!
//! A few sweeps in a blow leave contacts and joints in conflict. A contact may overlap for a step and recovers. A joint that
//! is left open may snap out of its frame and stay open. So joints have the last word.

use drystone_solve::parallel::Shared;
use rayon::prelude::*;

use super::four::FourIslands;
use super::island::{SolveContext, Solver};
use super::{JointIslands, JointRow, Joints, RowKind};
use crate::bodies::Bodies;
use crate::rows::Manifold;
use drystone_solve::graph::adjacency::Adjacency;

/// Error of a hard row, as a share of the extent of its joint or of a radian, beyond which its joint island is closed.
pub(super) const OPEN: f64 = 1.0e-4;
/// Error at which it counts as closed.
const CLOSED: f64 = 1.0e-6;
/// Most steps, each by the smallest motion that closes the linearised joints. Two or three are the rule.
const STEPS: usize = 40;

impl JointIslands {
    /// Projects the joint islands that are open; `stuck` gets the joints that would not close.
    pub fn project(
        &mut self,
        bodies: &mut Bodies,
        joints: &mut Joints,
        manifolds: &[Manifold],
        contacts: &Adjacency,
        stuck: &mut Vec<u32>,
    ) {
        self.kept.clear();
        joints.refresh_couplings(bodies);
        let mut open = vec![true; self.islands.len()];
        self.find_open(&mut open, joints, bodies, OPEN);
        if !open.contains(&true) {
            return;
        }
        let mut near = bodies.delta.clone();
        let rows = joints.rows.clone();
        let mut borne = vec![0.0; rows.len()];
        for joint in 0..joints.count() {
            let size = joints.extent[joint];
            joints.rows_mut(joint).iter_mut().for_each(|row| only_hard(row, size));
        }
        for step in 0..STEPS {
            let open_islands = self.islands.iter().zip(&open).filter(|(_, open)| **open);
            open_islands.flat_map(|(island, _)| &island.joints).for_each(|&joint| joints.hold_springs(joint, bodies));
            let Self { islands, fours, member, node, .. } = self;
            let context = SolveContext { bodies, joints, manifolds, contacts, member, node, near: Some(&near) };
            let (islands, fours) = (&mut islands[..], &mut fours[..]);
            let all = islands.iter_mut().zip(&open).filter(|(island, open)| **open && island.is_net());
            all.for_each(|(island, _)| island.newton(&context));
            let lanes =
                |four: &FourIslands| [0, 1, 2, 3].map(|lane| lane < four.count && open[four.islands[lane] as usize]);
            fours.par_iter_mut().shared(1).for_each(|four| {
                let due = lanes(four);
                if due.contains(&true) {
                    four.forget();
                    four.newton(&[context; 4], step == 0, due);
                }
            });
            for (island, _) in islands.iter().zip(&open).filter(|(_, open)| **open) {
                match island.solver {
                    Solver::Lane { four, lane } => fours[four as usize].apply(lane as usize, bodies, joints),
                    Solver::Net(_) => island.apply(bodies, joints),
                }
                island.bodies.iter().for_each(|&body| near[body as usize] = bodies.delta[body as usize]);
            }
            joints.refresh_couplings(bodies);
            self.find_open(&mut open, joints, bodies, CLOSED);
            for (row, borne) in joints.rows.iter_mut().zip(&mut borne) {
                *borne += std::mem::take(&mut row.force);
            }
            if !open.contains(&true) {
                break;
            }
        }
        for ((row, mut before), borne) in joints.rows.iter_mut().zip(rows).zip(borne) {
            before.force += if before.hard { borne } else { 0.0 };
            *row = before;
        }
        for (island, _) in self.islands.iter().zip(open).filter(|(_, open)| *open) {
            let far =
                |&joint: &u32| self.value(joint as usize).is_some_and(|at| joints.open(joint as usize, &at) > OPEN);
            stuck.extend(island.joints.iter().copied().filter(far));
        }
    }

    /// Measures the islands that are still `open`, and says which of them are open by more than a limit.
    fn find_open(&mut self, open: &mut [bool], joints: &Joints, bodies: &Bodies, limit: f64) {
        let Self { islands, fours, .. } = self;
        let before = &*open;
        let measured = |four: &mut FourIslands| {
            let due = (0..four.count).any(|lane| before[four.islands[lane] as usize]);
            if due { four.measure(joints, bodies) } else { [0.0; 4] }
        };
        let far = |open: f64| open > limit || open.is_nan();
        let ways: Vec<[f64; 4]> = fours.par_iter_mut().shared(4).map(measured).collect();
        for (island, open) in islands.iter_mut().zip(open).filter(|(_, open)| **open) {
            *open = far(match island.solver {
                Solver::Lane { four, lane } => ways[four as usize][lane as usize],
                Solver::Net(_) => island.measure(joints, bodies),
            });
        }
    }
}

impl Joints {
    /// Lets the springs of a joint rest where they are, so that they resist being moved on.
    fn hold_springs(&mut self, joint: u32, bodies: &Bodies) {
        let axes = self.axes(joint as usize, bodies);
        for row in self.rows_mut(joint as usize).iter_mut().filter(|row| !row.hard) {
            row.reference = axes.value[row.axis as usize];
        }
    }
}

/// Leaves a row its hard constraint, given way as far as its force so far asks for, or its spring.
fn only_hard(row: &mut JointRow, size: f64) {
    let spring = matches!(row.kind, RowKind::Locked | RowKind::Rod);
    if row.hard && row.k > 0.0 {
        row.reference += row.give(if row.axis < 3 { size } else { 1.0 });
    } else if !spring {
        (row.k, row.lower, row.upper) = (0.0, 0.0, 0.0);
    }
    (row.lambda, row.force) = (0.0, 0.0);
}
