//! Where an attempt begins: parts placed one after the other, whatever way round they lie.
//!
//! Least squares follow the rows as they are now: from turns of more than a right angle they may entangle parts in
//! places where no small motion closes the gaps further. Placing one part after the other where its joints fit those of
//! its neighbours best knows no such limit. So does hanging every part on the joint it hangs by in a tree, which suits linkages
//! better than lattices: whichever leaves less open begins.

use drystone_model::{AxisMode, DQuat, DVec3, JointKind, Model, State};
use drystone_solve::joint::{JointGeometry, Placement};

use super::best_turn::best_turn;
use super::closing::{Closing, is_spring};
use crate::axis_laws::{Bounded, Law};
use crate::bodies::Body;

/// Most sweeps over all parts.
const SWEEPS: u32 = 60;
/// Sweeps end when one removes less than this share of the squares of the gaps.
const LEAST_GAIN: f64 = 0.01;
/// Share of the largest error from which a joint's parts are turned about by chance.
const ENTANGLED: f64 = 0.1;
/// Most joints between such a joint and parts that are turned with it.
const DEEPEST: usize = 3;
/// Every so many attempts begin with all parts turned about.
const ALL_ANEW: u32 = 2;

impl Closing<'_> {
    /// Places the parts for an attempt: as they are if they nearly fit, where they fit best otherwise. Later attempts begin at
    /// the best place so far, with entangled parts, or now and then all parts, turned about by chance.
    pub(super) fn place(&mut self, attempt: u32, best: &State) {
        self.read(best);
        if attempt == 1 {
            if self.is_scattered() {
                self.fit_all();
            }
            return;
        }
        let mut chance = Chance(self.options.seed.wrapping_mul(1 << 20).wrapping_add(u64::from(attempt)));
        if attempt.is_multiple_of(ALL_ANEW) {
            let all = self.system.bodies.moves.clone();
            self.turn_about(&mut chance, &all);
            self.fit_all();
        } else {
            let goals = Goals::new(self);
            let entangled = self.entangled(&mut chance, &goals);
            self.turn_about(&mut chance, &entangled);
            self.fit_in_turns(&goals, &entangled);
            self.system.bodies.turn_inertia(self.model);
            self.evaluate();
        }
    }

    /// Whether a joint is open by more than a part's reach, so that parts may lie any way round.
    fn is_scattered(&self) -> bool {
        (0..self.system.geometry.len()).any(|joint| {
            let block = &self.system.blocks[joint];
            (0..block.count).any(|row| block.value[row].abs() * block.weight(row) > 0.5 * block.size)
        })
    }

    /// Moving parts around one of the joints that are open furthest, a few joints deep.
    fn entangled(&self, chance: &mut Chance, goals: &Goals) -> Vec<bool> {
        let open = |joint: usize| {
            let block = &self.system.blocks[joint];
            (0..block.count).map(|row| block.value[row].abs() * block.weight(row)).fold(0.0, f64::max)
        };
        let reach = ENTANGLED * self.worst();
        let joints: Vec<usize> = (0..self.system.geometry.len()).filter(|&joint| open(joint) >= reach).collect();
        let mut entangled = vec![false; self.system.bodies.count()];
        if joints.is_empty() {
            return entangled;
        }
        let first = joints[chance.below(joints.len())];
        let mut edge: Vec<usize> = self.system.geometry[first].body.to_vec();
        for _ in 0..=chance.below(DEEPEST) {
            let mut next = Vec::new();
            for body in edge {
                if self.system.bodies.moves.get(body) == Some(&true) && !entangled[body] {
                    entangled[body] = true;
                    next.extend(goals.of_body[body].iter().flat_map(|&(joint, _)| self.system.geometry[joint].body));
                }
            }
            edge = next;
        }
        entangled
    }

    fn turn_about(&mut self, chance: &mut Chance, parts: &[bool]) {
        for (body, _) in parts.iter().enumerate().filter(|(_, turned)| **turned) {
            self.system.bodies.body[body].placement.rotation = chance.turn();
        }
    }

    /// The better of two ways of placing every part.
    fn fit_all(&mut self) {
        let goals = Goals::new(self);
        let start = self.system.bodies.body.clone();
        self.hang_all();
        let (hung, left) = (self.system.bodies.body.clone(), self.squares());
        self.system.bodies.body.clone_from(&start);
        self.fit_in_turns(&goals, &self.system.bodies.moves.clone());
        if left < self.squares() {
            self.system.bodies.body = hung;
        }
        self.system.bodies.turn_inertia(self.model);
        self.evaluate();
    }

    /// Places every part on the joint it hangs by, at the coordinates it has, within their limits.
    fn hang_all(&mut self) {
        let model = self.model;
        let mut state = model.state();
        self.write(&mut state);
        let coordinates: Vec<[f64; 6]> = (0..model.joint_count()).map(|joint| allowed(model, &state, joint)).collect();
        let rates = vec![[0.0; 6]; model.joint_count()];
        // Coordinates are refused if they are not finite, and then nothing is moved.
        if model.forward_kinematics(&coordinates, &rates, &mut state).is_ok() {
            self.system.bodies.read(model, &state);
        }
        self.evaluate();
    }

    /// Places every one of some bodies where its joints are nearest to those of its neighbours, again and again.
    fn fit_in_turns(&mut self, goals: &Goals, which: &[bool]) {
        let mut last = f64::INFINITY;
        for _ in 0..SWEEPS {
            for (body, joints) in goals.of_body.iter().enumerate().filter(|(body, _)| which[*body]) {
                let placed = goals.fit(&self.system.bodies.body, &self.system.geometry, body, joints);
                self.system.bodies.body[body].placement = placed;
            }
            self.evaluate();
            let squares = self.squares();
            if squares > (1.0 - LEAST_GAIN) * last {
                break;
            }
            last = squares;
        }
    }
}

/// The coordinates of a joint as they are, locked ones at zero and others within their limits.
fn allowed(model: &Model, state: &State, joint: usize) -> [f64; 6] {
    let now = model.joint_coordinates(state, joint);
    std::array::from_fn(|axis| {
        let limit = model.joint_limit[joint][axis];
        match (model.joint_kind[joint], model.joint_axis[joint][axis]) {
            (JointKind::Free, _) => now[axis],
            (_, AxisMode::Locked) => 0.0,
            (_, AxisMode::Free) => now[axis].clamp(limit.lower, limit.upper),
        }
    })
}

/// What the joints ask of the places of their parts.
struct Goals {
    /// Joints of every moving body, and which end it is.
    of_body: Vec<Vec<(usize, usize)>>,
    locked: Vec<[bool; 6]>,
    /// Bounds of the translations \[m\].
    bounds: Vec<[[f64; 2]; 3]>,
}

impl Goals {
    fn new(closing: &Closing) -> Self {
        let system = &closing.system;
        let joints = system.geometry.len();
        let mut goals = Self {
            of_body: vec![Vec::new(); system.bodies.count()],
            locked: vec![[false; 6]; joints],
            bounds: vec![[[f64::NEG_INFINITY, f64::INFINITY]; 3]; joints],
        };
        for joint in (0..joints).filter(|&joint| system.active[joint]) {
            for law in system.laws.of(joint) {
                let axis = law.axis as usize;
                goals.locked[joint][axis] |= matches!(law.law, Law::Held(_)) || is_spring(law.law);
                if let (Law::Held(at), true) = (law.law, axis < 3) {
                    goals.bounds[joint][axis] = [at; 2];
                }
            }
            for side in 0..2 {
                let body = system.geometry[joint].body[side];
                if system.bodies.moves.get(body) == Some(&true) {
                    goals.of_body[body].push((joint, side));
                }
            }
        }
        for law in system.laws.bounded.iter().filter(|law| law.axis < 3) {
            if let Bounded::Stop { sign, at, .. } = law.kind {
                goals.bounds[law.joint as usize][law.axis as usize][usize::from(sign < 0.0)] = at;
            }
        }
        goals
    }

    /// The best place of one body: the least squares of x + R aᵢ − pᵢ and, for axes that shall coincide, of R dᵢ − eᵢ.
    fn fit(&self, bodies: &[Body], geometry: &[JointGeometry], body: usize, joints: &[(usize, usize)]) -> Placement {
        let mut points = Vec::with_capacity(joints.len());
        let mut directions = Vec::new();
        for &(joint, side) in joints {
            let geometry = &geometry[joint];
            let at = |side: usize| {
                let place = bodies[geometry.body[side]].placement;
                place.com + place.rotation * geometry.anchor[side]
            };
            let wanted = self.wanted_offset(joint, geometry.distance, bodies, geometry);
            let sign = if side == 0 { -1.0 } else { 1.0 };
            points.push((geometry.anchor[side], at(1 - side) + sign * wanted));
            let other = bodies[geometry.body[1 - side]].placement.rotation * geometry.basis[1 - side];
            let size = geometry.size();
            for axis in self.common_axes(joint) {
                directions.push((geometry.basis[side] * axis * size, other * axis * size));
            }
        }
        if points.is_empty() {
            return bodies[body].placement;
        }
        let share = 1.0 / points.len() as f64;
        let (own, goal) =
            points.iter().fold((DVec3::ZERO, DVec3::ZERO), |sum, (a, p)| (sum.0 + *a * share, sum.1 + *p * share));
        let arms = points.iter().map(|(a, p)| (*a - own, *p - goal));
        let turn = best_turn(arms.chain(directions), bodies[body].placement.rotation);
        Placement { com: goal - turn * own, rotation: turn }
    }

    /// From the centre of a joint on its parent to that on its child as the joint allows it, next to what it is \[m\].
    fn wanted_offset(&self, joint: usize, distance: bool, bodies: &[Body], geometry: &JointGeometry) -> DVec3 {
        let places = geometry.body.map(|body| bodies[body].placement);
        let [from, to] = [0, 1].map(|side| places[side].com + places[side].rotation * geometry.anchor[side]);
        let offset = to - from;
        let bounds = &self.bounds[joint];
        if distance {
            return offset.try_normalize().unwrap_or(DVec3::X) * offset.length().clamp(bounds[0][0], bounds[0][1]);
        }
        let frame = places[0].rotation * geometry.basis[0];
        let along = |axis: usize| {
            let direction = frame * DVec3::AXES[axis];
            let value = if self.locked[joint][axis] { 0.0 } else { direction.dot(offset) };
            direction * value.clamp(bounds[axis][0], bounds[axis][1])
        };
        along(0) + along(1) + along(2)
    }

    /// Axes that both frames of a joint have in common: all of them if none may turn, the one that turns if there is one.
    fn common_axes(&self, joint: usize) -> impl Iterator<Item = DVec3> + '_ {
        let turns = &self.locked[joint][3..];
        let locked = turns.iter().filter(|locked| **locked).count();
        (0..3).filter(move |&axis| locked == 3 || locked == 2 && !turns[axis]).map(|axis| DVec3::AXES[axis])
    }
}

/// Numbers by chance, the same on every run (Steele, Lea and Flood 2014).
struct Chance(u64);

impl Chance {
    /// Between −1 and 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Below `count`.
    fn below(&mut self, count: usize) -> usize {
        ((0.5 * (self.number() + 1.0) * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Any turn, all alike: a point in the unit ball of four dimensions, taken to its surface.
    fn turn(&mut self) -> DQuat {
        loop {
            let point = DQuat::from_xyzw(self.number(), self.number(), self.number(), self.number());
            let length = point.length();
            if length > 0.1 && length <= 1.0 {
                return point.normalize();
            }
        }
    }
}
