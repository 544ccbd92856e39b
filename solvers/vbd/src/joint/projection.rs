//! Position projection: joint islands that the sweeps left open are moved to the nearest place, by mass, where their hard
//! joints hold.
//!
//! A few sweeps in a blow leave contacts and joints in conflict. A contact may overlap for a step and recovers. A joint that
//! is left open may snap out of its frame and stay open. So joints have the last word.

use rayon::prelude::*;

use super::island::{JointIsland, SolveContext};
use super::{JointIslands, JointRow, Joints, RowKind};
use crate::bodies::Bodies;
use crate::rows::Manifold;
use drystone_solve::graph::adjacency::Adjacency;

/// Error of a hard row, as a share of the extent of its joint or of a radian, beyond which its joint island is closed.
const OPEN: f64 = 1.0e-4;
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
        let far = |island: &mut JointIsland, joints: &Joints, bodies: &Bodies, limit: f64| {
            let open = island.measure(joints, bodies);
            open > limit || open.is_nan()
        };
        joints.refresh_couplings(bodies);
        let all = self.islands.par_iter_mut().with_min_len(4);
        let mut open: Vec<bool> = all.map(|m| far(m, joints, bodies, OPEN)).collect();
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
            let Self { islands, member, node, .. } = self;
            let context = SolveContext { bodies, joints, manifolds, contacts, member, node, near: Some(&near) };
            let open_islands = islands.par_iter_mut().zip(&open).with_min_len(4).filter(|(_, open)| **open);
            open_islands.for_each(|(island, _)| island.newton(&context, step == 0));
            for (island, open) in islands.iter_mut().zip(&mut open).filter(|(_, open)| **open) {
                super::islands::apply(island, bodies, joints);
                island.bodies.iter().for_each(|&body| near[body as usize] = bodies.delta[body as usize]);
                if !island.coupled.is_empty() {
                    joints.refresh_couplings(bodies);
                }
                *open = far(island, joints, bodies, CLOSED);
            }
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
            let open = island.measured().filter(|&(joint, axes)| joints.open(joint, axes) > OPEN);
            stuck.extend(open.map(|(joint, _)| joint as u32));
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
