//! The equations of a step, differentiated.

use drystone_model::kinematics::rotation::log;
use drystone_model::{DQuat, DVec3};

use super::super::error::MechanismError;
use super::super::matrix::{Elimination, Matrix};
use super::contact_line::ContactLine;
use super::floating::FloatingGroup;
use super::taken::{TakenStep, WIDTH};
use crate::Level;
use crate::block::JointBlock;
use crate::bodies::Body;
use crate::free_rotation::turned;
use drystone_solve::linalg::block6::{spatial, split};
use drystone_solve::linalg::matrix::{Vec6, add_scaled, dot};

/// A joint in the linear equations.
pub(super) struct LinearJoint {
    /// Places of its bodies among those that move.
    pub(super) place: [Option<usize>; 2],
    /// First rows among all of the first and of the second line.
    pub(super) start: [usize; 2],
    pub(super) before: JointBlock,
    pub(super) after: JointBlock,
    pub(super) by_place: Vec<JointBlock>,
    pub(super) by_velocity: Vec<JointBlock>,
    pub(super) by_place_after: Vec<JointBlock>,
    pub(super) first: Vec6<f64>,
    pub(super) second: Vec6<f64>,
    pub(super) joint: usize,
}

impl LinearJoint {
    pub(super) fn is_hard(&self, row: usize) -> bool {
        self.before.compliance[row] == 0.0
    }

    /// The rows of the second line that the hard rows of the first are.
    pub(super) fn hard_rows(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.before.count).filter(|&row| self.is_hard(row)).enumerate().map(|(hard, row)| (row, hard))
    }
}

/// How a body is advanced: changes of its turn at the end \[rad\] by its turn at the start and by its spin.
pub(super) struct Advance {
    pub(super) by_turn: [DVec3; 3],
    pub(super) by_spin: [DVec3; 3],
}

/// The linear equations of a step.
pub(super) struct Linear<'s, 'a> {
    pub(super) step: &'s TakenStep<'a>,
    pub(super) bodies: Vec<usize>,
    pub(super) advance: Vec<Advance>,
    pub(super) joints: Vec<LinearJoint>,
    pub(super) lines: [Elimination; 2],
    pub(super) rows: [usize; 2],
    /// The forces of contacts, where there are any.
    pub(super) contacts: Option<ContactLine<'s>>,
    /// What is in contact and touches nothing that stands.
    pub(super) floating: Vec<FloatingGroup>,
    /// Place of every body among those that move.
    place: Vec<Option<usize>>,
}

/// What is changed: places and velocities at the start, impulses and momenta of both kicks, targets of the rows of the first.
#[derive(Default)]
pub(super) struct Change {
    pub(super) place: Vec<Vec6<f64>>,
    pub(super) velocity: Vec<Vec6<f64>>,
    pub(super) kick: [Vec<Vec6<f64>>; 2],
    pub(super) target: Vec<f64>,
    /// Change of mass: place among the bodies that move, and kilograms.
    pub(super) mass: Option<usize>,
}

impl<'s, 'a> Linear<'s, 'a> {
    pub(super) fn new(step: &'s TakenStep<'a>) -> Result<Self, MechanismError> {
        let system = &step.system;
        let bodies: Vec<usize> = (0..system.bodies.count()).filter(|&body| system.bodies.moves[body]).collect();
        let mut place = vec![None; system.bodies.count() + 1];
        bodies.iter().enumerate().for_each(|(index, &body)| place[body] = Some(index));
        let mut rows = [0, 0];
        let mut joints = Vec::new();
        for joint in (0..system.geometry.len()).filter(|&joint| system.active[joint]) {
            let before = step.block(joint, step.level, step.ends(joint, &system.start), step.control);
            let after = step.block(joint, Level::Projection, step.ends(joint, &system.bodies.body), step.control);
            let along = |row: usize| step.first[joint][before.axis[row] as usize];
            let linear = LinearJoint {
                place: system.geometry[joint].body.map(|body| place[body]),
                start: rows,
                by_place: step.changes(joint, step.level, &system.start),
                by_velocity: step.changes_by_velocity(joint, step.level, &system.start),
                by_place_after: step.changes(joint, Level::Projection, &system.bodies.body),
                first: std::array::from_fn(|row| if row < before.count { along(row) } else { 0.0 }),
                second: step.second[joint],
                before,
                after,
                joint,
            };
            rows[0] += linear.before.count;
            rows[1] += linear.after.count;
            joints.push(linear);
        }
        let advance = bodies.iter().map(|&body| advance(step, body)).collect();
        let nothing = || Elimination::new(Matrix::zero(0, 0));
        let mut own = Self {
            step,
            bodies,
            advance,
            joints,
            lines: [nothing(), nothing()],
            rows,
            contacts: None,
            floating: Vec::new(),
            place,
        };
        own.lines = [own.first_line(), own.second_line()];
        own.contacts = step.touching.as_ref().map(|touching| ContactLine::new(&own, touching)).transpose()?;
        own.floating = FloatingGroup::all(&own)?;
        Ok(own)
    }

    /// Place of a body among those that move.
    pub(super) fn place_of(&self, body: usize) -> Option<usize> {
        self.place[body]
    }

    /// The rows of the first line for the velocities between the kicks.
    fn first_row(&self, joint: &LinearJoint, row: usize, hard: Option<usize>, side: usize) -> Vec6<f64> {
        match (hard, joint.place[side]) {
            (Some(hard), Some(place)) => self.through_advance(&joint.after.jacobian[hard][side], place),
            (None, Some(_)) => joint.before.jacobian[row][side],
            (_, None) => [0.0; 6],
        }
    }

    /// A row at the end as a row for the velocity that takes a body there.
    fn through_advance(&self, row: &Vec6<f64>, place: usize) -> Vec6<f64> {
        let (linear, angular) = split(row);
        let advance = &self.advance[place];
        spatial(linear * self.step.h, DVec3::from_array(advance.by_spin.map(|column| column.dot(angular))))
    }

    fn first_line(&self) -> Elimination {
        let mut matrix = Matrix::zero(self.rows[0], self.rows[0]);
        for joint in &self.joints {
            let mut hard = 0;
            for row in 0..joint.before.count {
                let number = joint.is_hard(row).then_some(hard);
                hard += usize::from(joint.is_hard(row));
                matrix.add(joint.start[0] + row, joint.start[0] + row, joint.before.compliance[row]);
                for side in 0..2 {
                    let own = self.first_row(joint, row, number, side);
                    self.couple(&mut matrix, joint.start[0] + row, joint.place[side], &own, 0);
                }
            }
        }
        Elimination::new(matrix)
    }

    fn second_line(&self) -> Elimination {
        let mut matrix = Matrix::zero(self.rows[1], self.rows[1]);
        for joint in &self.joints {
            for row in 0..joint.after.count {
                for side in 0..2 {
                    let own = joint.after.jacobian[row][side];
                    self.couple(&mut matrix, joint.start[1] + row, joint.place[side], &own, 1);
                }
            }
        }
        Elimination::new(matrix)
    }

    /// Adds a row times the motion that the multipliers of all rows on the same body cause.
    fn couple(&self, matrix: &mut Matrix, row: usize, place: Option<usize>, own: &Vec6<f64>, line: usize) {
        let Some(place) = place else { return };
        let moved = self.body(place, line).respond(own);
        for other in &self.joints {
            for side in (0..2).filter(|&side| other.place[side] == Some(place)) {
                let block = if line == 0 { &other.before } else { &other.after };
                for column in 0..block.count {
                    matrix.add(row, other.start[line] + column, dot(&block.jacobian[column][side], &moved));
                }
            }
        }
    }

    pub(super) fn body(&self, place: usize, line: usize) -> &Body {
        let system = &self.step.system;
        let bodies = if line == 0 { &system.start } else { &system.bodies.body };
        &bodies[self.bodies[place]]
    }

    /// Twelve changes of every body at the end for a change at the start.
    pub(super) fn respond(&self, change: &Change) -> Vec<f64> {
        let between = self.change_between(change);
        let place: Vec<Vec6<f64>> = (0..self.bodies.len())
            .map(|body| {
                let [(shift, turn), (speed, spin)] = [&change.place[body], &between[body]].map(split);
                let Advance { by_turn, by_spin } = &self.advance[body];
                let turned: DVec3 = (0..3).map(|k| by_turn[k] * turn[k] + by_spin[k] * spin[k]).sum();
                spatial(shift + speed * self.step.h, turned)
            })
            .collect();
        let velocity = self.change_after(change, &between, &place);
        place.iter().zip(&velocity).flat_map(|(q, v)| q.iter().chain(v)).copied().collect()
    }

    /// Changes of the momenta before joints and contacts answer, for velocities `carried` by the bodies and impulses `lambda` of
    /// the rows of joints.
    pub(super) fn pushed(
        &self,
        change: &Change,
        carried: &[Vec6<f64>],
        lambda: impl Fn(&LinearJoint) -> Vec6<f64>,
    ) -> Vec<Vec6<f64>> {
        let mut impulse = change.kick[0].clone();
        for (place, impulse) in impulse.iter_mut().enumerate() {
            let (body, (speed, spin)) = (self.body(place, 0), split(&carried[self.bodies[place]]));
            let turn = split(&change.place[place]).1;
            let lost = turned_momentum(body, turn, body.angular()) - turned_momentum(body, turn, spin);
            add_scaled(impulse, 1.0, &spatial(DVec3::ZERO, lost));
            add_scaled(impulse, 1.0, &body.momentum(&change.velocity[place]));
            if change.mass == Some(place) {
                add_scaled(impulse, 1.0, &spatial(body.linear() - speed, DVec3::ZERO));
            }
        }
        for joint in &self.joints {
            let lambda = lambda(joint);
            self.add_turned_rows(joint, &joint.by_place, &change.place, self.step.kicks[0], &lambda, &mut impulse);
        }
        impulse
    }

    /// Changes of the velocities between the kicks.
    fn change_between(&self, change: &Change) -> Vec<Vec6<f64>> {
        let step = self.step;
        let mut impulse = self.pushed(change, &step.between, |joint| joint.first);
        if let Some(contacts) = &self.contacts {
            let by = contacts.respond(self, change);
            impulse.iter_mut().zip(&by).for_each(|(sum, by)| add_scaled(sum, 1.0, by));
        }
        let mut right = vec![0.0; self.rows[0]];
        for joint in &self.joints {
            let elastic = (0..joint.before.count).filter(|&row| !joint.is_hard(row));
            self.add_targets(joint, elastic, change, &step.between, &mut right);
        }
        let mut motion: Vec<Vec6<f64>> =
            impulse.iter().enumerate().map(|(place, impulse)| self.body(place, 0).respond(impulse)).collect();
        for joint in &self.joints {
            for (row, hard) in joint.hard_rows() {
                let number = joint.start[0] + row;
                for side in 0..2 {
                    let Some(place) = joint.place[side] else { continue };
                    right[number] += dot(&joint.before.jacobian[row][side], &change.place[place]);
                    let (shift, turn) = split(&change.place[place]);
                    let turned: DVec3 = (0..3).map(|k| self.advance[place].by_turn[k] * turn[k]).sum();
                    right[number] -= dot(&joint.after.jacobian[hard][side], &spatial(shift, turned));
                    let row = self.first_row(joint, row, Some(hard), side);
                    right[number] -= dot(&row, &motion[place]);
                }
            }
            for row in (0..joint.before.count).filter(|&row| !joint.is_hard(row)) {
                right[joint.start[0] + row] -= rate(joint, &joint.before.jacobian[row], &motion);
            }
        }
        self.add_response(0, &right, &mut motion);
        motion
    }

    /// Adds what joints that turn with their bodies exert otherwise than before, by their rows and by the user's efforts.
    fn add_turned_rows(
        &self,
        joint: &LinearJoint,
        by_place: &[JointBlock],
        place: &[Vec6<f64>],
        kick: f64,
        lambda: &Vec6<f64>,
        impulse: &mut [Vec6<f64>],
    ) {
        for (input, by) in by_place.iter().enumerate() {
            let Some(amount) = joint.place[input / 6].map(|end| place[end][input % 6]).filter(|amount| *amount != 0.0)
            else {
                continue;
            };
            for side in 0..2 {
                let Some(end) = joint.place[side] else { continue };
                add_scaled(&mut impulse[end], kick * amount, &by.push[side]);
                for row in 0..by.count {
                    add_scaled(&mut impulse[end], lambda[row] * amount, &by.jacobian[row][side]);
                }
            }
        }
    }

    /// Adds changes of what rows of a joint want of the velocities `carried` by the bodies.
    pub(super) fn add_targets(
        &self,
        joint: &LinearJoint,
        rows: impl Iterator<Item = usize>,
        change: &Change,
        carried: &[Vec6<f64>],
        right: &mut [f64],
    ) {
        let spin = |side: usize| joint.place[side].map(|end| carried[self.bodies[end]]);
        for row in rows {
            let number = joint.start[0] + row;
            right[number] += change.target.get(number).copied().unwrap_or(0.0);
            for input in 0..12 {
                let Some(end) = joint.place[input / 6] else { continue };
                let by = &joint.by_place[input];
                let turned: f64 = (0..2).filter_map(|side| Some(dot(&by.jacobian[row][side], &spin(side)?))).sum();
                right[number] += (by.target[row] - turned) * change.place[end][input % 6];
                right[number] += joint.by_velocity[input].target[row] * change.velocity[end][input % 6];
            }
        }
    }

    /// Adds the motion by the multipliers that meet a right-hand side.
    fn add_response(&self, line: usize, right: &[f64], motion: &mut [Vec6<f64>]) {
        let lambda = self.lines[line].solve(right);
        for joint in &self.joints {
            let block = if line == 0 { &joint.before } else { &joint.after };
            for row in 0..block.count {
                for side in 0..2 {
                    let Some(place) = joint.place[side] else { continue };
                    let moved = self.body(place, line).respond(&block.jacobian[row][side]);
                    add_scaled(&mut motion[place], lambda[joint.start[line] + row], &moved);
                }
            }
        }
    }

    /// Changes of the velocities at the end.
    fn change_after(&self, change: &Change, between: &[Vec6<f64>], place: &[Vec6<f64>]) -> Vec<Vec6<f64>> {
        let step = self.step;
        let mut impulse = change.kick[1].clone();
        for (end, impulse) in impulse.iter_mut().enumerate() {
            let (before, after) = (self.body(end, 0), self.body(end, 1));
            let carried = &step.between[self.bodies[end]];
            add_scaled(impulse, 1.0, &before.momentum(&between[end]));
            let gained = turned_momentum(before, split(&change.place[end]).1, split(carried).1);
            let lost = turned_momentum(after, split(&place[end]).1, after.angular());
            add_scaled(impulse, 1.0, &spatial(DVec3::ZERO, gained - lost));
            if change.mass == Some(end) {
                add_scaled(impulse, 1.0, &spatial(split(carried).0 - after.linear(), DVec3::ZERO));
            }
        }
        let mut right = vec![0.0; self.rows[1]];
        for joint in &self.joints {
            self.add_turned_rows(joint, &joint.by_place_after, place, step.kicks[1], &joint.second, &mut impulse);
        }
        let mut motion: Vec<Vec6<f64>> =
            impulse.iter().enumerate().map(|(end, impulse)| self.body(end, 1).respond(impulse)).collect();
        for joint in &self.joints {
            for row in 0..joint.after.count {
                let number = joint.start[1] + row;
                right[number] -= rate(joint, &joint.after.jacobian[row], &motion);
                for (input, by) in joint.by_place_after.iter().enumerate() {
                    let Some(end) = joint.place[input / 6] else { continue };
                    let turned: f64 = (0..2)
                        .filter_map(|side| {
                            Some(dot(&by.jacobian[row][side], &self.body(joint.place[side]?, 1).velocity))
                        })
                        .sum();
                    right[number] += (by.target[row] - turned) * place[end][input % 6];
                }
            }
        }
        self.add_response(1, &right, &mut motion);
        motion
    }
}

/// J x for the bodies of a joint that move.
pub(super) fn rate(joint: &LinearJoint, row: &[Vec6<f64>; 2], motion: &[Vec6<f64>]) -> f64 {
    (0..2).filter_map(|side| Some(dot(&row[side], &motion[joint.place[side]?]))).sum()
}

/// Change of I ω of a body by a small turn, at constant ω.
fn turned_momentum(body: &Body, turn: DVec3, spin: DVec3) -> DVec3 {
    turn.cross(body.inertia * spin) - body.inertia * turn.cross(spin)
}

fn advance(step: &TakenStep, body: usize) -> Advance {
    let start = &step.system.start[body];
    let spin = split(&step.between[body]).1;
    let (inertia, h) = (step.model.body_inertia[body], step.h);
    let end = turned(start.placement.rotation, spin, inertia, h);
    let apart = |more: DQuat, less: DQuat, width: f64| {
        (log(more * end.conjugate()) - log(less * end.conjugate())) / (2.0 * width)
    };
    Advance {
        by_turn: DVec3::AXES.map(|axis| {
            let at = |sign: f64| {
                let rotation = DQuat::from_scaled_axis(axis * (sign * WIDTH)) * start.placement.rotation;
                turned(rotation, spin, inertia, h)
            };
            apart(at(1.0), at(-1.0), WIDTH)
        }),
        by_spin: DVec3::AXES.map(|axis| {
            let width = WIDTH / h;
            let at = |sign: f64| turned(start.placement.rotation, spin + axis * (sign * width), inertia, h);
            apart(at(1.0), at(-1.0), width)
        }),
    }
}
