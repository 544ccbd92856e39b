//! Groups that nothing holds keep their momentum, however a step was solved.
//!
//! Contacts and joints act in pairs, so that a group of bodies that touches nothing else has the momentum of its parts and of
//! the outer forces. Steps lose some of it: iterations that end early leave forces without their opposite, forces act at levers
//! of the end of a step while bodies set out from its start, and bodies that are moved apart or together take their momentum to
//! another place. What a group lost is given back as a rigid motion of the whole, which no contact or joint within feels. Places stay:
//! what does not intersect goes on not intersecting.
//!
//! Contacts and joints take energy and never give any, apart from springs, drives and belts. So a group ends with no more kinetic energy
//! than it would have had without them (or than it has, if it has one of these): the motion within the group pays for what is more,
//! and where that is not enough, part of the angular momentum stays lost.

use drystone_kernels::double::math::{Sym3, Vec3, Vec6};
use drystone_model::{AxisMode, BodyKind, Control, DVec3, Model, State, Twist};

use crate::convert::{sym3, to_dvec3, vec3};
use crate::forces::ContactForce;
use crate::graph::union;
use crate::whole::{Whole, carried};

/// Which groups are looked at, ever more of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// Those in contact.
    Touched,
    /// Those held together by joints alone as well.
    Linked,
    /// These, after a step that did not converge. Forces that are not solved for may push as no contact does: the energy of
    /// groups in contact that rest on something is limited too.
    Unconverged,
    /// These and bodies by themselves, where forces end with the distance: what iterations pushed that nothing touches at the end
    /// has the momentum of its flight.
    All,
}

/// Momenta of a body after a step without contacts and joints.
#[derive(Clone, Copy, Debug, Default)]
struct Free {
    /// Centre of mass at the start \[m\].
    place: DVec3,
    linear: Vec3,
    /// About the centre of mass.
    angular: Vec3,
    /// Momentum that outer forces gave it, as part of `linear`.
    pushed: Vec3,
    /// Kinetic energy \[J\].
    energy: f64,
}

/// A group of bodies in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Whether it has more than one body.
    linked: bool,
    /// Whether one of its bodies is in contact.
    touched: bool,
    /// Whether something in it can give energy.
    sprung: bool,
    /// Whether something outside acts on it.
    held: bool,
    /// Whether that is moved by the user.
    driven: bool,
    start: Whole,
    /// With the momenta that the group has.
    now: Whole,
    /// With those that it should have.
    due: Whole,
    /// Kinetic energy that it has, and would have without contacts and joints \[J\].
    energy: [f64; 2],
    change: Change,
}

/// How a group moves on: `added` to all of its bodies, then `within` of the motion about that of the whole is left.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    added: Vec6,
    whole: Vec6,
    within: f64,
}

/// Keeps the momenta of floating groups over a step.
#[derive(Clone, Debug, Default)]
pub struct FloatingGroups {
    free: Vec<Free>,
    leader: Vec<u32>,
    group: Vec<Group>,
}

impl FloatingGroups {
    /// Notes what every body would have after a step of `h` seconds without contacts and joints.
    pub fn begin(&mut self, model: &Model, state: &State, control: &Control, h: f64) {
        self.forget();
        self.free.extend((0..model.body_count()).map(|body| {
            if !moves(model, state, body) {
                return Free::default();
            }
            let (force, torque) = control.body_f[body];
            let (mass, inertia) = (model.body_mass[body], sym3(model.body_inertia_world(state, body)));
            let Twist { linear, angular } = state.body_qd[body];
            let pushed = h * (mass * model.body_gravity(body) + force);
            let linear = mass * linear + pushed;
            let angular = inertia.mul(vec3(angular)).add(vec3(h * torque));
            Free {
                place: model.body_centre(state, body as u32),
                linear: vec3(linear),
                angular,
                pushed: vec3(pushed),
                energy: 0.5 * (linear.length_squared() / mass + angular.dot(inertia.cholesky().solve(angular))),
            }
        }));
    }

    /// Whether a step has begun.
    pub fn has_begun(&self) -> bool {
        !self.free.is_empty()
    }

    /// Forgets how a step began.
    pub fn forget(&mut self) {
        self.free.clear();
    }

    /// Gives floating groups the momenta they should have after the step that ended with these contacts. Bodies of `moved` were
    /// moved apart, or together, without a force: their places are not those that their momenta took them to, so that they
    /// keep their angular momentum together only.
    pub fn restore(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        contacts: &[ContactForce],
        moved: &[[u32; 2]],
        which: Which,
    ) {
        if !self.has_begun() || which == Which::Touched && contacts.is_empty() {
            return;
        }
        self.connect(model, state, control, contacts, moved);
        let concerned = |group: &Group| group.is_concerned(which);
        if !self.group.iter().any(concerned) {
            return;
        }
        self.gather(model, state);
        let Self { leader, group, .. } = self;
        group.iter_mut().filter(|group| concerned(group)).for_each(Group::settle);
        for body in 0..model.body_count() {
            let group = &group[leader[body] as usize];
            if !concerned(group) || !moves(model, state, body) {
                continue;
            }
            let lever = group.now.lever(model.body_centre(state, body as u32));
            let Change { added, whole, within } = group.change;
            let (moved, whole) = (motion(state, body).add(carried(added, lever)), carried(whole, lever));
            let end = if within < 1.0 { whole.add(moved.sub(whole).scale(within)) } else { moved };
            state.body_qd[body] = Twist { linear: to_dvec3(end.l), angular: to_dvec3(end.a) };
        }
    }

    /// Sums up the groups.
    fn gather(&mut self, model: &Model, state: &State) {
        let Self { free, leader, group } = self;
        let moving = || (0..model.body_count()).filter(|&body| moves(model, state, body));
        for body in moving() {
            let group = &mut group[leader[body] as usize];
            group.start.add_place(model.body_mass[body], free[body].place);
            group.now.add_place(model.body_mass[body], model.body_centre(state, body as u32));
        }
        for body in moving() {
            let group = &mut group[leader[body] as usize];
            let inertial = (model.body_mass[body], sym3(model.body_inertia_world(state, body)));
            let (own, free) = (motion(state, body), &free[body]);
            let lever = [group.start.lever(free.place), group.now.lever(model.body_centre(state, body as u32))];
            group.now.add_motion(inertial, lever[1], own);
            group.due.add_momentum(lever[0], free.linear, free.angular);
            // Outer forces act all along the way.
            group.due.angular = group.due.angular.add(lever[1].sub(lever[0]).scale(0.5).cross(free.pushed));
            group.energy[0] += kinetic(inertial, own);
            group.energy[1] += free.energy;
        }
    }

    /// Finds which bodies act on each other.
    fn connect(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        contacts: &[ContactForce],
        moved: &[[u32; 2]],
    ) {
        let Self { leader, group, .. } = self;
        leader.clear();
        leader.extend(0..model.body_count() as u32);
        let acts = |joint: &usize| state.joint_intact[*joint] && control.joint_enabled[*joint];
        let joints = (0..model.joint_count()).filter(acts);
        let joints = joints.map(|joint| [model.joint_parent[joint], model.joint_child[joint]]);
        let acting = contacts
            .iter()
            .filter(|contact| contact.force != DVec3::ZERO)
            .map(|contact| contact.body.map(|body| body.0));
        let moving = |body: u32| (body as usize) < model.body_count() && moves(model, state, body as usize);
        let driven = |body: u32| model.body_kind.get(body as usize) == Some(&BodyKind::Kinematic);
        let moved = || moved.iter().copied().filter(|pair| pair.iter().all(|&body| moving(body)));
        let pairs = joints.clone().chain(acting).filter(|pair| pair.iter().all(|&body| moving(body)));
        for [a, b] in pairs.chain(moved()) {
            union::unite(leader, a, b);
        }
        union::flatten(leader);
        group.clear();
        group.resize(model.body_count(), Group::default());
        let joints =
            joints.clone().zip((0..model.joint_count()).filter(acts).map(|joint| stores_energy(model, control, joint)));
        let joints = joints.map(|(pair, sprung)| (pair, sprung, false));
        let acting = contacts.iter().filter(|contact| contact.force != DVec3::ZERO);
        let acting = acting.map(|contact| {
            let sprung = contact.key.shape.iter().any(|shape| gives_energy(model, shape.0));
            (contact.body.map(|body| body.0), sprung, true)
        });
        for (pair, sprung, touches) in joints.chain(acting).chain(moved().map(|pair| (pair, false, true))) {
            let held = !pair.iter().all(|&body| moving(body));
            for body in pair.into_iter().filter(|&body| moving(body)) {
                let group = &mut group[leader[body as usize] as usize];
                group.linked |= !held;
                group.touched |= touches;
                group.sprung |= sprung;
                group.held |= held;
                group.driven |= pair.iter().any(|&body| driven(body));
            }
        }
    }
}

impl Group {
    fn is_concerned(&self, which: Which) -> bool {
        match self.held {
            true => which >= Which::Unconverged && self.touched && !self.driven && !self.sprung,
            false if which == Which::All => true,
            false => self.linked && (self.touched || which != Which::Touched),
        }
    }

    fn settle(&mut self) {
        if self.held { self.limit() } else { self.give_back() }
    }

    /// Limits the energy of a group that rests on something.
    fn limit(&mut self) {
        let [energy, free] = self.energy;
        let within = if energy > free { (free / energy).sqrt() } else { 1.0 };
        self.change = Change { within, ..Change::default() };
    }

    /// Finds what gives back the momenta it lost, as far as there is the energy for it.
    fn give_back(&mut self) {
        let Whole { mass, centre, inertia, .. } = self.now;
        let due = Whole { mass, centre, inertia, linear: self.due.linear, angular: self.due.angular };
        let (rigid, allowed) = (
            self.now.twice_energy(),
            2.0 * if self.sprung { self.energy[0].max(self.energy[1]) } else { self.energy[1] },
        );
        let within = (2.0 * self.energy[0] - rigid).max(0.0);
        let whole = if due.twice_energy() <= allowed { due } else { affordable(&self.now, &due, allowed) };
        let left = (allowed - whole.twice_energy()).max(0.0);
        let scale = if left < within { (left / within).sqrt() } else { 1.0 };
        let motion = whole.motion();
        self.change = Change { added: motion.sub(self.now.motion()), whole: motion, within: scale };
    }
}

/// All of the linear momentum that is due, and as much of the angular momentum as twice the energy `allowed` has room for.
fn affordable(now: &Whole, due: &Whole, allowed: f64) -> Whole {
    let inverse = due.inertia.cholesky();
    let missing = due.angular.sub(now.angular);
    let spare = allowed - due.linear.length_squared() / due.mass - now.angular.dot(inverse.solve(now.angular));
    let (curve, slope) = (missing.dot(inverse.solve(missing)), missing.dot(inverse.solve(now.angular)));
    // The largest root of curve t² + 2 slope t = spare.
    let root = (slope * slope + curve * spare).max(0.0).sqrt();
    let part = if curve > 0.0 { ((root - slope) / curve).clamp(0.0, 1.0) } else { 0.0 };
    Whole { angular: now.angular.add(missing.scale(part)), ..*due }
}

/// Whether a joint can give energy: by a spring, a drive, a rotor or an effort of the user.
fn stores_energy(model: &Model, control: &Control, joint: usize) -> bool {
    let drive = |axis: usize| model.joint_drive[joint][axis].acts() || model.joint_spring[joint][axis].acts();
    let soft = |axis: usize| match model.joint_axis[joint][axis] {
        AxisMode::Locked => model.joint_stiffness[joint][axis / 3].is_finite(),
        AxisMode::Free => drive(axis) || model.joint_limit[joint][axis].stiffness.is_finite(),
    };
    let of_axis =
        |axis: usize| soft(axis) || model.joint_armature[joint][axis] > 0.0 || control.joint_f[joint][axis] != 0.0;
    model.joint_rod[joint].is_some() || (0..6).any(of_axis)
}

/// Whether contacts of a shape can give energy: soft ones, and those of conveyor belts.
fn gives_energy(model: &Model, shape: u32) -> bool {
    let shape = shape as usize;
    model.shape_material[shape].stiffness.is_finite() || model.shape_surface_velocity[shape] != DVec3::ZERO
}

fn moves(model: &Model, state: &State, body: usize) -> bool {
    model.body_kind[body] == BodyKind::Dynamic && !state.body_quarantined[body]
}

fn motion(state: &State, body: usize) -> Vec6 {
    let Twist { linear, angular } = state.body_qd[body];
    Vec6 { l: vec3(linear), a: vec3(angular) }
}

fn kinetic((mass, inertia): (f64, Sym3), motion: Vec6) -> f64 {
    0.5 * (mass * motion.l.length_squared() + inertia.quadratic(motion.a))
}

#[cfg(test)]
#[path = "floating_tests.rs"]
mod tests;
