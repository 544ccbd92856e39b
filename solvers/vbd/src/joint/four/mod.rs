//! Newton steps of four joint islands of one structure side by side, one in every lane.
//!
//! Strings of a curtain and robots of one kind differ in numbers only. Their bodies, joints and rows are put into lanes when a step
//! begins and stay there until their Newton steps are done: coordinates, equations, elimination and moves are those of one island,
//! four at a time. An island has the result it would have with any others beside it: no lane looks at another, lanes left over
//! repeat the first, and a lane that is done is not written to. What differs in kind from lane to lane is done lane by lane:
//! contacts, angles of joints, line searches.

mod assemble;
mod coordinates;
mod load;
mod shape;

use std::sync::Arc;

use drystone_kernels::lanes::{self, F64x4, Lanes, Simd4, Task, Wide3, WideTurn};
use drystone_model::DVec3;
use drystone_solve::forces::JointWrench;
use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::linalg::four_ldl::{FourLdl, Six};

use super::island::{CONVERGED, LARGEST_TURN, ON_TANGENT, SolveContext};
use super::line_search::LineSearch;
use super::{JointGeometry, Joints, Placement, to_kernel};
use crate::bodies::Bodies;
use assemble::law;
use coordinates::choose;
use drystone_kernels::double::math::{Vec3, Vec6};
use load::{BodyLanes, JointLanes, RowLanes, turn_of, vector_of};
pub use shape::{Pattern, Shape};

/// How far the Newton steps of an island are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Largest motion that inertia would give a body \[m\].
    inertial: f64,
    /// Largest motion of the Newton step before \[m\]; zero before the first.
    last_step: f64,
    /// Squared largest translation of the last step \[m²\].
    pub moved: f64,
    /// Largest motion of the Newton steps of the sweep \[m\].
    pub sweep_way: f64,
    /// Whether further steps would change nothing.
    pub converged: bool,
    /// Whether it took a step since the results were last handed over.
    pub stepped: bool,
}

/// Up to four joint islands.
#[derive(Clone, Debug)]
pub struct FourIslands {
    shape: Arc<Shape>,
    /// The islands; lanes left over repeat the first.
    pub islands: [u32; 4],
    /// How many there are.
    pub count: usize,
    bodies: Vec<[u32; 4]>,
    joints: Vec<[u32; 4]>,
    body: Vec<BodyLanes>,
    joint: Vec<JointLanes>,
    row: Vec<RowLanes>,
    solver: FourLdl,
    /// Minus the gradient.
    descent: Vec<Six>,
    direction: Vec<Six>,
    /// How far each is.
    pub progress: [Progress; 4],
    /// Whether joints follow each other.
    pub coupled: bool,
    /// Which lanes have contacts.
    touched: [bool; 4],
    /// Whether the lanes hold what belongs to the step at hand.
    loaded: bool,
}

/// A Newton step of some lanes.
struct Newton<'a, 'b> {
    four: &'a mut FourIslands,
    context: &'a SolveContext<'b>,
    due: [bool; 4],
}

impl Task for Newton<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { four, context, due } = self;
        four.take_coordinates(lanes, context.joints);
        four.assemble(lanes, context, due);
        four.direction.copy_from_slice(&four.descent);
        four.solver.solve(lanes, &four.shape.order, &mut four.direction);
        four.take_rates(lanes);
        let lengths = four.step_lengths(lanes, context, due);
        four.estimate_forces(lanes, context, lengths, due);
        four.place(lanes, lengths, due);
    }
}

/// Takes the coordinates where the bodies are.
struct Measure<'a>(&'a mut FourIslands, &'a Joints);

impl Task for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        self.0.take_coordinates(lanes, self.1);
    }
}

impl FourIslands {
    /// Of islands of one shape, given their bodies and joints.
    pub fn new(
        shape: Arc<Shape>,
        geometry: &[JointGeometry],
        islands: &[u32],
        of: impl Fn(u32) -> (Vec<u32>, Vec<u32>),
    ) -> Self {
        let lane = |lane: usize| islands.get(lane).copied().unwrap_or(islands[0]);
        let lanes = [0, 1, 2, 3].map(lane);
        let parts = lanes.map(of);
        let (nodes, joints) = (shape.pattern.nodes, shape.pattern.ends.len());
        let none = [[0.0; 4]; 6];
        let mut four = Self {
            islands: lanes,
            count: islands.len(),
            bodies: (0..nodes).map(|node| [0, 1, 2, 3].map(|lane| parts[lane].0[node])).collect(),
            joints: (0..joints).map(|joint| [0, 1, 2, 3].map(|lane| parts[lane].1[joint])).collect(),
            body: vec![BodyLanes::default(); nodes],
            joint: vec![JointLanes::new(); joints],
            row: vec![RowLanes::default(); shape.pattern.rows.len()],
            solver: FourLdl::new(&shape.order),
            descent: vec![none; nodes],
            direction: vec![none; nodes],
            progress: [Progress::default(); 4],
            coupled: shape.pattern.coupled(),
            touched: [false; 4],
            loaded: false,
            shape,
        };
        four.load_frames(geometry);
        four
    }

    /// Begins a sweep, the `first` of a time step or a further one: nothing has moved.
    pub fn begin_sweep(&mut self, first: bool) {
        self.loaded &= !first;
        self.progress.iter_mut().for_each(|progress| (progress.sweep_way, progress.stepped) = (0.0, false));
    }

    /// Lets the next Newton step begin from where bodies, joints and rows are.
    pub fn forget(&mut self) {
        self.loaded = false;
    }

    /// Whether a lane holds a body that is chosen.
    pub fn holds(&self, lane: usize, chosen: impl Fn(usize) -> bool) -> bool {
        self.bodies.iter().any(|body| chosen(body[lane] as usize))
    }

    /// Which lanes have a body that may move, and which are touched.
    pub fn survey(&mut self, active: &[bool], contacts: &Adjacency) -> [[bool; 4]; 2] {
        let mut moves = [false; 4];
        for lane in 0..self.count {
            moves[lane] = self.holds(lane, |body| active[body]);
            self.touched[lane] = moves[lane] && self.holds(lane, |body| contacts.degree(body) > 0);
        }
        [moves, self.touched]
    }

    /// One Newton step of the lanes that are `due`, the first of a time step or a further one.
    pub fn newton(&mut self, context: &SolveContext, first: bool, due: [bool; 4]) {
        if !self.loaded {
            self.load(context);
        } else if self.coupled {
            self.load_references(context.joints);
        }
        if first {
            self.progress.iter_mut().for_each(|progress| progress.last_step = 0.0);
        }
        lanes::run(Newton { four: self, context, due });
    }

    /// Takes the coordinates of the joints where the bodies are; how far hard rows are from where they should be, by lane.
    pub fn measure(&mut self, joints: &Joints, bodies: &Bodies) -> F64x4 {
        self.load_held(joints, bodies);
        self.load_places(bodies);
        lanes::run(Measure(self, joints));
        let mut open = [0.0; 4];
        for lane in 0..self.count {
            let own = self.measured(lane).map(|(joint, value)| joints.open(joint, &value));
            open[lane] = own.fold(0.0, f64::max);
        }
        open
    }

    /// The joints in a lane with their coordinates as last taken.
    pub fn measured(&self, lane: usize) -> impl Iterator<Item = (usize, [f64; 6])> + '_ {
        (0..self.joints.len()).map(move |place| (self.joints[place][lane] as usize, self.value(place, lane)))
    }

    /// Coordinates of a joint as last taken.
    pub fn value(&self, place: usize, lane: usize) -> [f64; 6] {
        self.joint[place].value.map(|value| value[lane])
    }

    /// What a joint exerts, by the forces of its rows and its coordinates as last taken, and the lever on its child.
    pub fn wrench(
        &self,
        place: usize,
        lane: usize,
        forces: impl Iterator<Item = (usize, f64)>,
    ) -> (JointWrench, DVec3) {
        let own = &self.joint[place];
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for (axis, pull) in forces {
            match axis < 3 {
                true => force -= pull * vector_of(&own.direction[axis], lane),
                false => torque -= pull * vector_of(&own.row[axis - 3], lane),
            }
        }
        let levers = own.lever.map(|lever| vector_of(&lever, lane));
        (JointWrench::at(levers, force, torque), levers[1])
    }

    /// Where a body is after the steps, and its displacement.
    pub fn placed(&self, node: usize, lane: usize) -> (Placement, Vec6) {
        let body = &self.body[node];
        let placement = Placement { com: vector_of(&body.at, lane), rotation: turn_of(&body.turn, lane) };
        let [l, a] = [&body.moved, &body.turned].map(|v| Vec3 { x: v[0][lane], y: v[1][lane], z: v[2][lane] });
        (placement, Vec6 { l, a })
    }

    /// Forces of the rows of a joint after the steps.
    pub fn forces(&self, place: usize, lane: usize) -> impl Iterator<Item = f64> + '_ {
        self.row[self.shape.pattern.rows_of(place)].iter().map(move |row| row.force[lane])
    }

    /// Hands over what the lane came to.
    pub fn apply(&self, lane: usize, bodies: &mut Bodies, joints: &mut Joints) {
        for (node, body) in self.bodies.iter().enumerate() {
            let body = body[lane] as usize;
            (bodies.placement[body], bodies.delta[body]) = self.placed(node, lane);
        }
        for (place, joint) in self.joints.iter().enumerate() {
            let rows = joints.rows_mut(joint[lane] as usize).iter_mut();
            rows.zip(self.forces(place, lane)).for_each(|(row, force)| row.force = force);
        }
    }

    /// How far to follow the directions: no body may turn too far, and where forces switch, until the energy stops falling.
    #[inline(always)]
    fn step_lengths<L: Lanes>(&self, lanes: L, context: &SolveContext, due: [bool; 4]) -> F64x4 {
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
        let (slope, turn) = (slope.store(), turn.store());
        let bounded = self.row.iter().any(|row| row.bounded);
        let mut lengths = [1.0; 4];
        for lane in 0..self.count {
            if due[lane] {
                let mut search = LineSearch::new(slope[lane]);
                if bounded {
                    self.search_rows(lane, context.joints, &mut search);
                }
                if self.touched[lane] && context.near.is_none() {
                    self.search_contacts(lane, context, &mut search);
                }
                lengths[lane] = search.step_length().min(LARGEST_TURN / turn[lane].sqrt().max(LARGEST_TURN));
            }
        }
        lengths
    }

    fn search_rows<'a>(&self, lane: usize, joints: &'a Joints, search: &mut LineSearch<'a>) {
        for (place, joint) in self.joints.iter().enumerate() {
            for row in joints.rows(joint[lane] as usize).iter().filter(|row| row.bounded()) {
                let axis = row.axis as usize;
                search.row(row, self.joint[place].value[axis][lane], self.joint[place].rate[axis][lane]);
            }
        }
    }

    fn search_contacts<'a>(&self, lane: usize, context: &SolveContext<'a>, search: &mut LineSearch<'a>) {
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
                search.contact(manifold, slots.map(|slot| context.bodies.delta[slot]), motions);
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
    fn estimate_forces<L: Lanes>(&mut self, lanes: L, context: &SolveContext, lengths: F64x4, due: [bool; 4]) {
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
                    true => self.hysteresis(lanes, context, joint, row, goal),
                    false => law(lanes, &self.row[row], goal),
                };
                if self.row[row].bounded {
                    let [now, tangent] = match pattern.dahl {
                        true => self.hysteresis(lanes, context, joint, row, at),
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
    fn place<L: Lanes>(&mut self, lanes: L, lengths: F64x4, due: [bool; 4]) {
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
