//! How far islands side by side follow the direction of a Newton step, and where that leads.

use drystone_kernels::double::math::Vec6;
use drystone_kernels::lanes::{F64x4, Lanes, Simd4, Wide3, WideTurn};

use super::assemble::law;
use super::coordinates::choose;
use super::load::RowLanes;
use super::{Around, FourIslands, Progress};
use crate::joint::island::{CONVERGED, LARGEST_TURN, ON_TANGENT, SolveContext};
use crate::joint::line_search::{self, LineSearch};
use crate::joint::{Joints, to_kernel};
use crate::rows::Manifold;

impl FourIslands {
    /// How far to follow the directions: no body may turn too far, and where forces switch, until the energy stops falling.
    #[inline(always)]
    pub(super) fn step_lengths<L: Lanes>(&self, lanes: L, around: &Around, due: [bool; 4]) -> F64x4 {
        let mut slope = Simd4::splat(lanes, 0.0);
        let mut turn = slope;
        for node in 0..self.direction.len() {
            let (direction, descent) = (&self.direction[node], &self.descent[node]);
            for k in 0..6 {
                slope = slope - Simd4::load(lanes, &direction[k]) * Simd4::load(lanes, &descent[k]);
            }
            let [_, _, _, a, b, c] = *direction;
            let angular = Wide3::load(lanes, &[a, b, c]);
            turn = angular.dot(angular).max(turn);
        }
        let [beside, some] = self.rows_at_end(lanes, around);
        let (slope, turn, beside, some) = (slope.store(), turn.store(), beside.store(), some.store());
        let mut lengths = [1.0; 4];
        for lane in 0..self.count {
            if due[lane] {
                let switches = [some[lane] > 0.0, self.touched[lane] && around[lane].near.is_none()];
                let length = match self.is_flat(lane, &around[lane], slope[lane], beside[lane], switches) {
                    true => 1.0,
                    false => self.search(lane, &around[lane], slope[lane], switches),
                };
                lengths[lane] = length.min(LARGEST_TURN / turn[lane].sqrt().max(LARGEST_TURN));
            }
        }
        lengths
    }

    /// The slope at the end of the direction that bounded rows have beyond that of their parabolas, and above zero where there are
    /// some.
    #[inline(always)]
    fn rows_at_end<L: Lanes>(&self, lanes: L, around: &Around) -> [Simd4<L>; 2] {
        let zero = Simd4::splat(lanes, 0.0);
        let (mut beside, mut some) = (zero, zero);
        if !self.row.iter().any(|row| row.bounded) {
            return [beside, some];
        }
        for joint in 0..self.joint.len() {
            for row in self.shape.pattern.rows_of(joint) {
                let own = &self.row[row];
                if !own.bounded {
                    continue;
                }
                let pattern = self.shape.pattern.rows[row];
                let at = Simd4::load(lanes, &self.joint[joint].value[pattern.axis]);
                let rate = Simd4::load(lanes, &self.joint[joint].rate[pattern.axis]);
                let ([now, tangent], [end, _]) = match pattern.dahl {
                    true => {
                        let at_end = self.hysteresis(lanes, around, joint, row, at + rate);
                        (self.hysteresis(lanes, around, joint, row, at), at_end)
                    }
                    false => (law(lanes, own, at), law(lanes, own, at + rate)),
                };
                let bounds = Simd4::load(lanes, &own.bounds);
                // What is not bounded in a lane adds nothing there, not even rounding.
                beside += bounds.where_positive((end - now - tangent * rate) * rate, zero);
                some = some.max(bounds);
            }
        }
        [beside, some]
    }

    /// Whether the energy still falls, or hardly rises, at the end of the direction: it falls from its start on.
    fn is_flat(&self, lane: usize, context: &SolveContext, slope: f64, rows: f64, switches: [bool; 2]) -> bool {
        if !slope.is_finite() {
            return false;
        }
        let mut end = if switches[0] { rows } else { 0.0 };
        if switches[1] {
            self.each_contact(lane, context, |manifold, delta, motion| {
                end += line_search::contact_at_end(manifold, &delta, &motion);
            });
        }
        end <= line_search::FLAT * slope.abs()
    }

    /// How far to go where forces switch on the way.
    fn search(&self, lane: usize, context: &SolveContext, slope: f64, [rows, contacts]: [bool; 2]) -> f64 {
        let mut search = LineSearch::new(slope);
        if rows {
            self.search_rows(lane, context.joints, &mut search);
        }
        if contacts {
            self.each_contact(lane, context, |manifold, delta, motion| search.contact(manifold, delta, motion));
        }
        search.step_length()
    }

    fn search_rows<'a>(&self, lane: usize, joints: &'a Joints, search: &mut LineSearch<'a>) {
        for (place, joint) in self.joints.iter().enumerate() {
            for row in joints.rows(joint[lane] as usize).iter().filter(|row| row.bounded()) {
                let axis = row.axis as usize;
                search.row(row, self.joint[place].value[axis][lane], self.joint[place].rate[axis][lane]);
            }
        }
    }

    /// Calls `work` with every contact of a lane, the displacements of its bodies and their motion along the direction.
    fn each_contact<'a>(
        &self,
        lane: usize,
        context: &SolveContext<'a>,
        mut work: impl FnMut(&'a Manifold, [Vec6; 2], [Vec6; 2]),
    ) {
        let motion = |node: usize| to_kernel(&self.direction[node].map(|x| x[lane]));
        for node in 0..self.bodies.len() {
            for incidence in context.contacts.of(self.bodies[node][lane] as usize) {
                let manifold = &context.manifolds[incidence.constraint()];
                let slots = manifold.body.map(|slot| slot as usize);
                let far = slots[1 - incidence.end()];
                let own = self.node_of(far, lane, context);
                // A manifold between two members is met twice; count it at its second end.
                if own.is_some() && incidence.end() == 0 {
                    continue;
                }
                let mut motions = [Vec6::default(); 2];
                motions[incidence.end()] = motion(node);
                motions[1 - incidence.end()] = own.map_or(Vec6::default(), motion);
                work(manifold, slots.map(|slot| context.bodies.delta[slot]), motions);
            }
        }
    }

    fn node_of(&self, body: usize, lane: usize, context: &SolveContext) -> Option<usize> {
        let node = *context.node.get(body)? as usize;
        (self.bodies.get(node)?[lane] as usize == body).then_some(node)
    }

    /// Forces after the step. A row that the step takes beyond its bounds does not follow the tangent
    /// it was solved with: then the island is not converged, however small the step.
    #[inline(always)]
    pub(super) fn estimate_forces<L: Lanes>(&mut self, lanes: L, around: &Around, lengths: F64x4, due: [bool; 4]) {
        let (length, moves) = (Simd4::load(lanes, &lengths), mask(lanes, due));
        for lane in 0..4 {
            self.progress[lane].converged |= due[lane];
        }
        for joint in 0..self.joint.len() {
            for row in self.shape.pattern.rows_of(joint) {
                let pattern = self.shape.pattern.rows[row];
                let own = &self.joint[joint];
                let (at, rate) =
                    (Simd4::load(lanes, &own.value[pattern.axis]), Simd4::load(lanes, &own.rate[pattern.axis]));
                let mut goal = at + rate;
                if let Some((other, axis, _)) = pattern.partner {
                    let led = Simd4::load(lanes, &self.joint[other].rate[axis]);
                    goal = goal - Simd4::load(lanes, &self.row[row].factor) * led;
                }
                let [full, _] = match pattern.dahl {
                    true => self.hysteresis(lanes, around, joint, row, goal),
                    false => law(lanes, &self.row[row], goal),
                };
                if self.row[row].bounded {
                    let [now, tangent] = match pattern.dahl {
                        true => self.hysteresis(lanes, around, joint, row, at),
                        false => law(lanes, &self.row[row], at),
                    };
                    self.note_tangent(row, (now + tangent * rate).store(), full.store(), due);
                }
                let before = Simd4::load(lanes, &self.row[row].force);
                let after = before + length * (full - before);
                self.row[row].force = moves.where_positive(after, before).store();
            }
        }
    }

    fn note_tangent(&mut self, row: usize, expected: F64x4, full: F64x4, due: [bool; 4]) {
        let RowLanes { lower, upper, .. } = &self.row[row];
        for lane in 0..4 {
            let (expected, full) = (expected[lane], full[lane]);
            if due[lane] && (lower[lane].is_finite() || upper[lane].is_finite()) {
                let follows = (expected - full).abs() <= ON_TANGENT * expected.abs().max(full.abs());
                self.progress[lane].converged &= follows;
            }
        }
    }

    #[inline(always)]
    pub(super) fn place<L: Lanes>(&mut self, lanes: L, lengths: F64x4, due: [bool; 4]) {
        let (length, moves) = (Simd4::load(lanes, &lengths), mask(lanes, due));
        let zero = Simd4::splat(lanes, 0.0);
        let (mut largest, mut translation) = (zero, zero);
        for node in 0..self.body.len() {
            let [x, y, z, a, b, c] = &self.direction[node];
            let linear = Wide3::load(lanes, &[*x, *y, *z]).times(length);
            let angular = Wide3::load(lanes, &[*a, *b, *c]).times(length);
            let body = &mut self.body[node];
            let way = linear.dot(linear);
            let radius = Simd4::load(lanes, &body.radius);
            largest = (way.sqrt() + radius * angular.dot(angular).sqrt()).max(largest);
            translation = way.max(translation);
            let before = WideTurn::load(lanes, &body.turn);
            let turn = WideTurn::exp(lanes, angular).mul(before).normalize();
            let at = Wide3::load(lanes, &body.at);
            let moved = at + linear;
            let turned = turn.mul(WideTurn::load(lanes, &body.start).inverse()).log(lanes);
            let displaced = moved - Wide3::load(lanes, &body.com);
            body.at = choose(moves, moved, at).store();
            body.moved = choose(moves, displaced, Wide3::load(lanes, &body.moved)).store();
            body.turned = choose(moves, turned, Wide3::load(lanes, &body.turned)).store();
            let mut kept = before.0;
            for k in 0..4 {
                kept[k] = moves.where_positive(turn.0[k], before.0[k]);
            }
            body.turn = WideTurn(kept).store();
        }
        let (largest, translation) = (largest.store(), translation.store());
        for lane in 0..self.count {
            if due[lane] {
                self.progress[lane].note(largest[lane], translation[lane], lengths[lane]);
            }
        }
    }
}

impl Progress {
    /// Notes a step by its largest motion and its largest translation, squared, and the share of the direction that it took.
    fn note(&mut self, largest: f64, translation: f64, length: f64) {
        (self.moved, self.stepped) = (translation, true);
        self.sweep_way = self.sweep_way.max(largest);
        // Steps that shrink go on shrinking at least as fast: the next would be this one's square over the last.
        let next = if largest < 0.5 * self.last_step { largest * largest / self.last_step } else { largest };
        self.last_step = largest;
        self.converged &= length == 1.0 && next <= CONVERGED * self.inertial;
    }
}

/// Ones in the lanes that are chosen.
#[inline(always)]
fn mask<L: Lanes>(lanes: L, chosen: [bool; 4]) -> Simd4<L> {
    let mut out = [0.0; 4];
    for lane in 0..4 {
        out[lane] = f64::from(u8::from(chosen[lane]));
    }
    Simd4::load(lanes, &out)
}
