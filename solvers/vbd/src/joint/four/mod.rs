//! Newton steps of four joint islands of one structure side by side, one in every lane.
//!
//! Strings of a curtain and robots of one kind differ in numbers only. Their bodies, joints and rows are put into lanes when a step
//! begins and stay there until their Newton steps are done: coordinates, equations, elimination and moves are those of one island,
//! four at a time. An island has the result it would have with any others beside it: no lane looks at another, lanes left over
//! repeat the first, and a lane that is done is not written to. What differs in kind from lane to lane is done lane by lane:
//! contacts, angles of joints, line searches.

mod advance;
mod assemble;
mod blocks;
mod coordinates;
mod load;
mod shape;

use std::sync::Arc;

use drystone_kernels::double::math::{Vec3, Vec6};
use drystone_kernels::lanes::{self, F64x4, Lanes, Task};
use drystone_model::DVec3;
use drystone_solve::forces::JointWrench;
use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::linalg::four_ldl::{FourLdl, Six};

use super::island::SolveContext;
use super::pace::Pace;
use super::{JointGeometry, Joints, Placement};
use crate::bodies::Bodies;
use load::{BodyLanes, JointLanes, RowLanes, turn_of, vector_of};
pub use shape::{Pattern, Shape, Shapes};

/// What the island in every lane reads of everything around it: the same for islands of one model.
pub type Around<'a> = [SolveContext<'a>; 4];

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

/// Coordinates of a joint, and what forces along them act on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// Values \[m\], \[rad\].
    pub value: [f64; 6],
    /// Directions of the translations and rows of the rotations, world frame.
    direction: [DVec3; 3],
    row: [DVec3; 3],
    /// Levers on parent and child \[m\].
    lever: [DVec3; 2],
}

impl Reading {
    /// What the joint exerts by forces along its axes, and the lever on its child.
    pub fn wrench(&self, forces: impl Iterator<Item = (usize, f64)>) -> (JointWrench, DVec3) {
        wrench(forces, |axis| if axis < 3 { self.direction[axis] } else { self.row[axis - 3] }, self.lever)
    }
}

/// What forces along the axes of a joint exert, given their directions and the levers on both bodies.
fn wrench(
    forces: impl Iterator<Item = (usize, f64)>,
    along: impl Fn(usize) -> DVec3,
    levers: [DVec3; 2],
) -> (JointWrench, DVec3) {
    let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    for (axis, pull) in forces {
        let into = if axis < 3 { &mut force } else { &mut torque };
        *into -= pull * along(axis);
    }
    (JointWrench::at(levers, force, torque), levers[1])
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
    /// Which lanes have a body that moves.
    moves: [bool; 4],
    /// Which lanes have contacts.
    touched: [bool; 4],
    /// Which lanes took the last Newton step in company.
    pub due: [bool; 4],
    /// Whether the lanes hold what belongs to the step at hand.
    loaded: bool,
}

/// A Newton step of some lanes.
struct Newton<'a, 'b> {
    four: &'a mut FourIslands,
    around: &'a Around<'b>,
    due: [bool; 4],
}

impl Task for Newton<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { four, around, due } = self;
        let joints = [around[0].joints, around[1].joints, around[2].joints, around[3].joints];
        four.take_coordinates(lanes, &joints);
        four.assemble(lanes, around, due);
        four.direction.copy_from_slice(&four.descent);
        four.solver.solve(lanes, &four.shape.order, &mut four.direction);
        four.take_rates(lanes);
        let lengths = four.step_lengths(lanes, around, due);
        four.estimate_forces(lanes, around, lengths, due);
        four.place(lanes, lengths, due);
    }
}

/// Takes the coordinates where the bodies are.
struct Measure<'a>(&'a mut FourIslands, &'a [&'a Joints; 4]);

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
            moves: [false; 4],
            touched: [false; 4],
            due: [false; 4],
            loaded: false,
            shape,
        };
        (0..4).for_each(|lane| four.load_frames(lane, geometry));
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
        self.survey_each(|lane, four| {
            let moves = four.holds(lane, |body| active[body]);
            [moves, moves && four.holds(lane, |body| contacts.degree(body) > 0)]
        });
        [self.moves, self.touched]
    }

    /// The same, where every lane has its own way to tell.
    pub fn survey_each(&mut self, of: impl Fn(usize, &Self) -> [bool; 2]) {
        for lane in 0..self.count {
            [self.moves[lane], self.touched[lane]] = of(lane, self);
        }
    }

    /// Whether a lane takes the given Newton step of a sweep.
    pub fn is_due(&self, lane: usize, newton: u32, pace: &Pace) -> bool {
        let converged = self.progress[lane].converged;
        self.moves[lane]
            && match self.touched[lane] {
                true => pace.touched(newton, converged),
                false => pace.untouched(newton, converged),
            }
    }

    /// Whether a lane moves round by round with others, because contacts or couplings connect it to them.
    pub fn rounds(&self, lane: usize) -> bool {
        self.coupled || self.touched[lane]
    }

    /// The structure of the islands.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Whether the islands of another have the same structure.
    pub fn is_like(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shape, &other.shape) || self.shape.pattern == other.shape.pattern
    }

    /// Takes an island of the same structure into a lane.
    pub fn seat(&mut self, lane: usize, bodies: &[u32], joints: &[u32], geometry: &[JointGeometry]) {
        self.bodies.iter_mut().zip(bodies).for_each(|(own, &body)| own[lane] = body);
        self.joints.iter_mut().zip(joints).for_each(|(own, &joint)| own[lane] = joint);
        self.load_frames(lane, geometry);
    }

    /// One Newton step of the lanes that are `due`, the first of a time step or a further one.
    pub fn newton(&mut self, around: &Around, first: bool, due: [bool; 4]) {
        if !self.loaded {
            self.load(around);
        } else if self.coupled {
            self.load_references(around);
        }
        if first {
            self.progress.iter_mut().for_each(|progress| progress.last_step = 0.0);
        }
        lanes::run(Newton { four: self, around, due });
    }

    /// Takes the coordinates of the joints where the bodies are; how far hard rows are from where they should be, by lane.
    pub fn measure(&mut self, joints: &Joints, bodies: &Bodies) -> F64x4 {
        self.measure_each(&[(joints, bodies); 4])
    }

    /// The same, where every lane has joints and bodies of its own.
    pub fn measure_each(&mut self, places: &[(&Joints, &Bodies); 4]) -> F64x4 {
        self.load_held(places);
        self.load_hints(places);
        self.load_places(places);
        lanes::run(Measure(self, &places.map(|(joints, _)| joints)));
        let mut open = [0.0; 4];
        for lane in 0..self.count {
            let own = self.measured(lane).map(|(joint, value)| places[lane].0.open(joint, &value));
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

    /// The same with what forces along them act on.
    pub fn reading(&self, place: usize, lane: usize) -> Reading {
        let own = &self.joint[place];
        Reading {
            value: self.value(place, lane),
            direction: own.direction.map(|direction| vector_of(&direction, lane)),
            row: own.row.map(|row| vector_of(&row, lane)),
            lever: own.lever.map(|lever| vector_of(&lever, lane)),
        }
    }

    /// What a joint exerts by forces along its axes, with its coordinates as last taken, and the lever on its child.
    pub fn wrench(
        &self,
        place: usize,
        lane: usize,
        forces: impl Iterator<Item = (usize, f64)>,
    ) -> (JointWrench, DVec3) {
        let own = &self.joint[place];
        let along = |axis: usize| vector_of(if axis < 3 { &own.direction[axis] } else { &own.row[axis - 3] }, lane);
        wrench(forces, along, own.lever.map(|lever| vector_of(&lever, lane)))
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
}
