//! Rows of bounded forces along joint axes: stops, dry friction, drives that saturate.

use drystone_model::Control;

use super::axis_laws::{Bounded, BoundedLaw};
use super::loops::OuterRow;
use super::system::ConstraintSystem;

/// A bounded law as it stands at an instant.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// Coordinate \[m or rad\].
    pub(super) value: f64,
    /// Row of the unknown bodies, without bounds.
    pub(super) row: OuterRow,
    /// Rate by bodies that are not unknown \[m/s or rad/s\].
    known: f64,
    /// What a unit counts as in lengths.
    pub(super) weight: f64,
}

impl ConstraintSystem {
    /// Appends the rows of bounded laws for a step of `h` seconds, multipliers being impulses. Of the hard
    /// stops only those in `listed`.
    pub(super) fn add_bounded_rows(&mut self, control: &Control, h: f64, listed: &[bool]) {
        self.bounded_rows.clear();
        for index in 0..self.laws.bounded.len() {
            let law = self.laws.bounded[index];
            if !self.law_acts(&law) || is_hard_stop(&law) && !listed[index] {
                continue;
            }
            let reading = self.read_law(&law, control);
            let row = reading.for_step(&law, control, h).weighted(reading.weight);
            self.bounded_rows.push([index as u32, self.outer.rows.len() as u32]);
            self.outer.push_single(row);
        }
    }

    /// Appends rows for hard stops that are passed, to move bodies back, and for those that were passed before, to keep them from
    /// it; returns the deepest \[m\].
    pub(super) fn add_passed_stops(&mut self, control: &Control) -> f64 {
        let mut deepest: f64 = 0.0;
        for index in 0..self.laws.bounded.len() {
            let law = self.laws.bounded[index];
            let Bounded::Stop { sign, at, .. } = law.kind else { continue };
            if !self.law_acts(&law) || !is_hard_stop(&law) {
                continue;
            }
            let reading = self.read_law(&law, control);
            let depth = sign * (at - reading.value);
            self.passed[index] |= depth > 0.0;
            if self.passed[index] {
                let row = OuterRow { target: depth, lower: 0.0, ..reading.signed(sign) };
                self.outer.push_single(row.weighted(reading.weight));
                deepest = deepest.max(depth * reading.weight);
            }
        }
        deepest
    }

    /// Marks hard stops that the motion of a step passes or nearly so; true when one was not marked.
    pub(super) fn mark_stops(&self, control: &Control, h: f64, listed: &mut [bool]) -> bool {
        let mut found = false;
        for (index, law) in self.laws.bounded.iter().enumerate() {
            let Bounded::Stop { sign, at, .. } = law.kind else { continue };
            if listed[index] || !self.law_acts(law) || !is_hard_stop(law) {
                continue;
            }
            let reading = self.read_law(law, control);
            let rate = reading.row.rate(&self.motion) + reading.known;
            if sign * (reading.value + h * rate - at) < 0.0 {
                listed[index] = true;
                found = true;
            }
        }
        found
    }

    /// Whether its joints act.
    pub(super) fn law_acts(&self, law: &BoundedLaw) -> bool {
        match law.coupling {
            Some(coupling) => self.couples(coupling as usize),
            None => self.active[law.joint as usize],
        }
    }

    /// A bounded law of the bodies as they are.
    pub(super) fn read_law(&self, law: &BoundedLaw, control: &Control) -> Reading {
        if let Some(coupling) = law.coupling {
            let coupled = self.read_coupling(coupling as usize, control);
            let row = OuterRow::over(self.coupled_bodies(coupling as usize), coupled.jacobian);
            return Reading { value: coupled.value, row, known: coupled.known, weight: coupled.weight };
        }
        let joint = law.joint as usize;
        let view = self.view(joint, control);
        let axes = view.axes();
        let axis = law.axis as usize;
        let jacobian = &axes.jacobian[axis];
        let body = self.geometry[joint].body.map(|body| body as u32);
        Reading {
            value: axes.value[axis],
            row: OuterRow::new(body, view.unknown_part(jacobian), 0.0),
            known: view.known_rate(jacobian),
            weight: if axis < 3 { 1.0 } else { self.blocks[joint].size },
        }
    }
}

impl Reading {
    /// The row seen from a stop: 1 for a lower bound, −1 for an upper one.
    pub(super) fn signed(&self, sign: f64) -> OuterRow {
        if sign < 0.0 { self.row.clone().turned() } else { self.row.clone() }
    }

    fn for_step(&self, law: &BoundedLaw, control: &Control, h: f64) -> OuterRow {
        match law.kind {
            Bounded::Stop { sign, at, stiffness, damping } => {
                let depth = sign * (at - self.value);
                let row = OuterRow { lower: 0.0, ..self.signed(sign) };
                let known = sign * self.known;
                if stiffness.is_infinite() {
                    // An open stop may be reached within the step; a passed one is left to the projection.
                    return OuterRow { target: depth.min(0.0) / h - known, ..row };
                }
                let s = h * (h * stiffness + if depth > 0.0 { damping } else { 0.0 });
                OuterRow { compliance: 1.0 / s, target: h * stiffness * depth / s - known, ..row }
            }
            Bounded::Fastest { sign, rate } => {
                OuterRow { target: -rate - sign * self.known, lower: 0.0, ..self.signed(sign) }
            }
            Bounded::Friction(effort) => {
                OuterRow { target: -self.known, lower: -h * effort, upper: h * effort, ..self.row.clone() }
            }
            Bounded::Drive { stiffness, damping, max_effort } => {
                let (joint, axis) = (law.joint as usize, law.axis as usize);
                let s = h * (h * stiffness + damping);
                let stretch = control.joint_target[joint][axis] - self.value;
                let wanted = h * (stiffness * stretch + damping * control.joint_target_velocity[joint][axis]) / s;
                let (lower, upper) = (-h * max_effort, h * max_effort);
                OuterRow { compliance: 1.0 / s, target: wanted - self.known, lower, upper, ..self.row.clone() }
            }
        }
    }
}

fn is_hard_stop(law: &BoundedLaw) -> bool {
    matches!(law.kind, Bounded::Stop { stiffness, .. } if stiffness.is_infinite())
}
