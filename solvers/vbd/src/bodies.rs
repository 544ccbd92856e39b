//! What the solver keeps per body during a step. Unknowns are displacements since the start of the
//! step, so that single precision would not lose a far-away body.

use std::f64::consts::PI;

use drystone_kernels::double::math::{Block6, Mat3, Quat, Sym3, Vec3, Vec6};
use drystone_kernels::double::rotation::{self, FreeRotation};
use drystone_model::{BodyKind, Control, DQuat, DVec3, Model, Pose, State, Twist};

use rayon::prelude::*;

use super::convert::{quat, sym3, to_dquat, to_dvec3, vec3};
use super::joint::Placement;
use super::particles::Push;
use super::rows::Manifold;
use drystone_solve::parallel::{self, PIECE, Shared};

/// An orientation, and the turn of the displacement it stands for.
pub type Landing = (Quat, Vec3);

/// Per-body arrays; the last slot is the world, which never moves.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// Whether the body is an unknown of the step.
    pub moves: Vec<bool>,
    /// Whether the body would be one if it did not sleep.
    pub asleep: Vec<bool>,
    /// Centre of mass at the start of the step \[m\].
    pub com: Vec<DVec3>,
    /// Mass over the squared step \[kg/s²\]; zero for what does not move.
    pub mass: Vec<f64>,
    /// World inertia at the start over the squared step \[kg·m²/s²\].
    pub inertia: Vec<Sym3>,
    /// Inverse mass \[1/kg\].
    pub inv_mass: Vec<f64>,
    /// Inverse world inertia at the start \[1/(kg·m²)\].
    pub inv_inertia: Vec<Sym3>,
    /// Inertia in the body's own axes \[kg·m²\], and its inverse; of what can move.
    pub own_inertia: Vec<[Sym3; 2]>,
    /// Whether a body turns as a ball does, with the same spin for ever: its inertia is the same about every axis.
    round: Vec<bool>,
    /// Velocity at the start.
    pub velocity: Vec<Vec6>,
    /// Acceleration over the step before, for the first guess; zero at the beginning.
    pub last_acceleration: Vec<Vec6>,
    /// Velocity the step before ended with.
    pub left_velocity: Vec<Vec6>,
    /// Whether the velocity was set from outside since then, so that loads it bore mean nothing.
    pub jolted: Vec<bool>,
    /// External acceleration \[m/s²\].
    pub acceleration: Vec<Vec3>,
    /// Reference acceleration of the island of a body \[m/s²\].
    pub reference: Vec<f64>,
    /// External torque, world frame \[N·m\]. Not part of the target: on the light segment of a rod it
    /// would mean thousands of turns.
    pub torque: Vec<Vec3>,
    /// Time over which a displacement becomes a velocity \[s\]: the step, or less by a higher order.
    pub step: Vec<f64>,
    /// Displacement that inertia alone would cause by the second-order rule, where the step is one.
    pub coasting: Vec<Vec6>,
    /// Spin angular momentum without constraints at the end of a step by the second-order rule, world frame \[kg·m²/s\]; none by the
    /// first.
    pub spin: Vec<Option<Vec3>>,
    /// Displacement that inertia and external forces (without torques) alone would cause.
    pub target: Vec<Vec6>,
    /// Velocity that goes with `target`.
    pub target_velocity: Vec<Vec6>,
    /// Where the path of a body starts after an impact within the step, less where it was: the path passes
    /// through the place of the impact.
    pub shift: Vec<Vec6>,
    /// Displacement since the start of the step: the unknown.
    pub delta: Vec<Vec6>,
    /// Orientation that the velocity was read with, and the turn of `delta` it stands for. What `delta` turns
    /// further is no velocity.
    pub landing: Vec<Landing>,
    /// Orientation at the start of the step.
    pub start_rotation: Vec<DQuat>,
    /// Force and torque of efforts along joint axes in this step \[N\], \[N·m\].
    pub effort: Vec<(DVec3, DVec3)>,
    /// Centre of mass and orientation now; kept up to date for jointed bodies only.
    pub placement: Vec<Placement>,
    /// What particles push with; empty without.
    pub pushes: Vec<Push>,
}

impl Bodies {
    /// Index of the world slot.
    pub fn world(&self) -> usize {
        self.delta.len() - 1
    }

    /// Sizes the arrays for a model.
    pub fn resize(&mut self, model: &Model) {
        let slots = model.body_count() + 1;
        self.moves.resize(slots, false);
        self.asleep.resize(slots, false);
        self.com.resize(slots, DVec3::ZERO);
        self.mass.resize(slots, 0.0);
        self.inertia.resize(slots, Sym3::default());
        self.inv_mass.resize(slots, 0.0);
        self.inv_inertia.resize(slots, Sym3::default());
        self.velocity.resize(slots, Vec6::default());
        self.last_acceleration.resize(slots, Vec6::default());
        self.left_velocity.resize(slots, Vec6::default());
        self.jolted.resize(slots, false);
        self.acceleration.resize(slots, Vec3::default());
        self.reference.resize(slots, 0.0);
        self.torque.resize(slots, Vec3::default());
        self.step.resize(slots, 0.0);
        self.coasting.resize(slots, Vec6::default());
        self.spin.resize(slots, None);
        self.target.resize(slots, Vec6::default());
        self.target_velocity.resize(slots, Vec6::default());
        self.shift.resize(slots, Vec6::default());
        self.delta.resize(slots, Vec6::default());
        self.landing.resize(slots, (Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }, Vec3::default()));
        self.start_rotation.resize(slots, DQuat::IDENTITY);
        let dynamic = |body: usize| model.body_kind[body] == BodyKind::Dynamic;
        let own = |body| match dynamic(body) {
            true => [model.body_inertia[body], model.body_inertia[body].inverse()].map(sym3),
            false => Default::default(),
        };
        self.own_inertia = (0..model.body_count()).map(own).collect();
        self.round = self.own_inertia.iter().map(|[inertia, _]| is_round(inertia)).collect();
        self.placement.resize(slots, Placement { com: DVec3::ZERO, rotation: DQuat::IDENTITY });
    }

    /// Displacements of the two bodies of a manifold.
    #[inline(always)]
    pub fn pair_delta(&self, manifold: &Manifold) -> [Vec6; 2] {
        [self.delta[manifold.body[0] as usize], self.delta[manifold.body[1] as usize]]
    }

    /// Where all bodies start a step of `h` seconds, with what; moving ones are aimed later.
    pub fn start(&mut self, model: &Model, state: &State, control: &Control, h: f64) {
        let (asleep, effort, own_inertia, round) = (&self.asleep, &self.effort, &self.own_inertia, &self.round);
        let place = (&mut self.com, &mut self.start_rotation, &mut self.placement, &mut self.landing);
        let inertias = (&mut self.moves, &mut self.mass, &mut self.inertia, &mut self.inv_mass, &mut self.inv_inertia);
        let rule = (&mut self.step, &mut self.spin);
        let now = (&mut self.velocity, &mut self.acceleration, &mut self.torque);
        let ahead = (&mut self.shift, &mut self.delta, &mut self.target, &mut self.target_velocity);
        let bodies = place.into_par_iter().zip(inertias).zip(rule).zip(now).zip(ahead).take(model.body_count());
        bodies.shared(PIECE).enumerate().for_each(|(body, ((((place, inertias), rule), now), ahead))| {
            let (com, start_rotation, placement, landing) = place;
            let (moves, mass, inertia, inv_mass, inv_inertia) = inertias;
            let (velocity, acceleration, torque) = now;
            let (shift, delta, target, target_velocity) = ahead;
            let (pose, twist) = (state.body_q[body], state.body_qd[body]);
            *com = pose.transform_point(model.body_com[body]);
            *start_rotation = pose.rotation;
            *placement = Placement { com: *com, rotation: pose.rotation };
            *landing = (quat(pose.rotation), Vec3::default());
            (*rule.0, *rule.1) = (h, None);
            *velocity = Vec6 { l: vec3(twist.linear), a: vec3(twist.angular) };
            (*shift, *delta) = (Vec6::default(), Vec6::default());
            let alive = !state.body_quarantined[body];
            *moves = model.body_kind[body] == BodyKind::Dynamic && alive && !asleep[body];
            if *moves {
                let turn = (!round[body]).then_some(pose.rotation);
                let start = Inertias::new(model.body_mass[body], own_inertia[body], turn, h);
                (*mass, *inertia, *inv_mass, *inv_inertia) =
                    (start.mass, start.inertia, start.inv_mass, start.inv_inertia);
                let (force, moment) = control.body_f[body];
                let (force, moment) = (force + effort[body].0, moment + effort[body].1);
                *acceleration = vec3(model.body_gravity(body) + force / model.body_mass[body]);
                *torque = vec3(moment);
                return;
            }
            (*mass, *inertia, *inv_mass, *inv_inertia) = Default::default();
            if model.body_kind[body] == BodyKind::Kinematic && alive {
                *delta = led(model, control, body, pose, twist, h);
                *velocity = delta.scale(1.0 / h);
            } else {
                *velocity = Vec6::default();
                *acceleration = vec3(model.body_gravity(body));
            }
            (*target, *target_velocity) = (*delta, *velocity);
        });
    }

    /// Notes the moving bodies whose velocity has changed since the last step by more than a fall of one
    /// step would do.
    pub fn note_jolts(&mut self, model: &Model, h: f64) {
        let Self { jolted, acceleration, velocity, left_velocity, moves, .. } = self;
        parallel::each(&mut jolted[..model.body_count()], |body, jolted| {
            let fall = acceleration[body].length() * h;
            let change = velocity[body].sub(left_velocity[body]).l.length_squared();
            *jolted = moves[body] && change > fall * fall;
        });
    }

    /// Aims a moving body at where its velocity and the external acceleration lead it.
    pub fn aim(&mut self, body: usize, h: f64) {
        [self.target[body], self.target_velocity[body]] = self.inertial_target(body, h);
    }

    /// Displacement and velocity that the velocity and the external acceleration lead a moving body to.
    pub fn inertial_target(&self, body: usize, h: f64) -> [Vec6; 2] {
        let v = self.velocity[body];
        let free = self.flight(body, v.a, h);
        let linear = v.l.add_scaled(self.acceleration[body], h);
        [Vec6 { l: linear.scale(h), a: free.rotation }, Vec6 { l: linear, a: free.angular_velocity }]
    }

    /// Inertia of a body in an orientation \[kg·m²\].
    pub fn inertia_at(&self, body: usize, orientation: impl FnOnce() -> Quat) -> Sym3 {
        let own = self.own_inertia[body][0];
        if self.round[body] { own } else { rotation::world_inertia(orientation(), own) }
    }

    /// How a body turns by itself in some time, from the orientation at the start with a spin \[rad/s\].
    pub fn flight(&self, body: usize, spin: Vec3, time: f64) -> FreeRotation {
        if self.round[body] {
            let turn = spin.scale(time);
            let within = turn.length_squared() < PI * PI;
            let rotation = if within { turn } else { rotation::log(rotation::exp(turn)) };
            return FreeRotation { rotation, angular_velocity: spin };
        }
        let ([inertia, inverse], start) = (self.own_inertia[body], quat(self.start_rotation[body]));
        match spin.length_squared() * time * time < rotation::SLOW_TURN * rotation::SLOW_TURN {
            true => rotation::slow_rotation(start, spin, inertia, inverse, time),
            false => rotation::free_rotation(start, spin, Vec3::default(), inertia, inverse, time),
        }
    }

    /// Inertial force towards the target at the current displacement, and the external torque.
    #[inline(always)]
    pub fn inertial_force(&self, body: usize) -> Vec6 {
        self.inertial_force_at(body, self.delta[body])
    }

    /// The same at a displacement.
    #[inline(always)]
    pub fn inertial_force_at(&self, body: usize, delta: Vec6) -> Vec6 {
        let away = self.target[body].sub(delta);
        let angular = self.inertia[body].mul(away.a).add(self.torque[body]);
        self.with_push(body, delta, Vec6 { l: away.l.scale(self.mass[body]), a: angular })
    }

    /// Inertial block.
    #[inline(always)]
    pub fn inertial_block(&self, body: usize) -> Block6 {
        let own = Block6 { ll: Sym3::scaled_identity(self.mass[body]), al: Mat3::default(), aa: self.inertia[body] };
        match self.pushes.get(body) {
            Some(push) => own.add(push.stiffness()),
            None => own,
        }
    }

    /// A force and what particles push with at a displacement.
    #[inline(always)]
    fn with_push(&self, body: usize, delta: Vec6, force: Vec6) -> Vec6 {
        match self.pushes.get(body) {
            Some(push) => force.add(push.wrench(delta)),
            None => force,
        }
    }

    /// Inertial force at the current iterate with the rotation to the target taken exactly, as large
    /// steps of joint islands need it.
    pub fn inertial_force_exact(&self, body: usize) -> Vec6 {
        let mut pull = self.pull_to(body, self.target[body]);
        if let Some(spin) = self.spin[body] {
            pull.a = spin.sub(self.spin_of_displacement(body)).scale(1.0 / self.step[body]);
        }
        self.with_push(body, self.delta[body], Vec6 { l: pull.l, a: pull.a.add(self.torque[body]) })
    }

    /// Inertial force towards a displacement, rotations exactly.
    pub fn pull_to(&self, body: usize, goal: Vec6) -> Vec6 {
        let linear = goal.l.sub(self.delta[body].l).scale(self.mass[body]);
        Vec6 { l: linear, a: self.inertia[body].mul(self.rotation_to(body, goal.a)) }
    }

    /// Rotation vector from where the body is to its inertial target \[rad\].
    pub fn rotation_to_target(&self, body: usize) -> Vec3 {
        self.rotation_to(body, self.target[body].a)
    }

    /// Rotation vector from where the body is to a turn since the start \[rad\].
    fn rotation_to(&self, body: usize, turn: Vec3) -> Vec3 {
        let back = rotation::exp(self.delta[body].a).conjugate();
        rotation::log(rotation::exp(turn).mul(back))
    }

    /// Turns a body from its target by a rotation vector, exactly or, as sweeps over contacts do, by adding it.
    pub fn turn_from_target(&mut self, body: usize, turn: Vec3, exactly: bool) {
        let target = self.target[body].a;
        self.delta[body].a = match exactly {
            true => rotation::log(rotation::exp(turn).mul(rotation::exp(target))),
            false => target.add(turn),
        };
    }

    /// Placement and displacement of a body moved on by a translation and a rotation vector.
    pub fn advanced(&self, body: usize, linear: DVec3, angular: DVec3) -> (Placement, Vec6) {
        let mut placement = self.placement[body];
        placement.com += linear;
        placement.rotation = (DQuat::from_scaled_axis(angular) * placement.rotation).normalize();
        let turned = rotation::log(quat(placement.rotation).mul(quat(self.start_rotation[body]).conjugate()));
        (placement, Vec6 { l: vec3(placement.com - self.com[body]), a: turned })
    }

    /// Moves a body on by a step, rotations exactly.
    pub fn advance(&mut self, body: usize, step: Vec6) {
        (self.placement[body], self.delta[body]) = self.advanced(body, to_dvec3(step.l), to_dvec3(step.a));
    }

    /// Where the path of a body starts: its centre of mass, moved by impacts within the step. Levers are from
    /// here, for angular momentum to be kept: the displacement is h times the velocity at the end from here.
    pub fn path_start(&self, body: usize) -> DVec3 {
        self.com[body] + to_dvec3(self.shift[body].l)
    }

    /// Mean radius of gyration of a moving body \[m\].
    pub fn gyration_radius(&self, body: usize) -> f64 {
        let inertia = self.inertia[body];
        ((inertia.xx + inertia.yy + inertia.zz) / (3.0 * self.mass[body])).sqrt()
    }

    /// Brings the placement in line with the displacement.
    pub fn place(&mut self, body: usize) {
        self.placement[body] = self.placed(body);
    }

    /// The placement that the displacement means.
    pub fn placed(&self, body: usize) -> Placement {
        self.placed_at(body, self.delta[body])
    }

    /// The placement that a displacement means.
    pub fn placed_at(&self, body: usize, delta: Vec6) -> Placement {
        let turned = rotation::exp(delta.a).mul(quat(self.start_rotation[body])).normalize();
        Placement { com: self.com[body] + to_dvec3(delta.l), rotation: to_dquat(turned) }
    }

    /// Velocity at the start as an array, linear then angular.
    pub fn velocity_array(&self, body: usize) -> [f64; 6] {
        let v = self.velocity[body];
        [v.l.x, v.l.y, v.l.z, v.a.x, v.a.y, v.a.z]
    }

    /// Inverse mass of a body along a row, J M⁻¹ Jᵀ.
    pub fn mobility(&self, body: usize, row: &[f64; 6]) -> f64 {
        let linear = Vec3::new(row[0], row[1], row[2]);
        let angular = Vec3::new(row[3], row[4], row[5]);
        self.inv_mass[body] * linear.length_squared() + self.inv_inertia[body].quadratic(angular)
    }
}

/// Whether an inertia is the same about every axis, to round-off.
fn is_round(inertia: &Sym3) -> bool {
    let Sym3 { xx, yy, zz, xy, xz, yz } = *inertia;
    let off = [xx - yy, yy - zz, xy, xz, yz].into_iter().map(f64::abs).fold(0.0, f64::max);
    off <= 8.0 * f64::EPSILON * xx
}

/// Masses of a moving body at the start of a step.
struct Inertias {
    mass: f64,
    inertia: Sym3,
    inv_mass: f64,
    inv_inertia: Sym3,
}

impl Inertias {
    /// Those of a body with an inertia in its own axes, and its inverse, in an orientation, unless that makes no difference; a step of
    /// `h` seconds.
    fn new(mass: f64, own: [Sym3; 2], orientation: Option<DQuat>, h: f64) -> Self {
        let [inertia, inverse] = match orientation.map(quat) {
            Some(orientation) => own.map(|own| rotation::world_inertia(orientation, own)),
            None => own,
        };
        let inv_h2 = 1.0 / (h * h);
        Self { mass: mass * inv_h2, inertia: inertia.scale(inv_h2), inv_mass: 1.0 / mass, inv_inertia: inverse }
    }
}

/// Displacement of a kinematic body in a step of `h` seconds: to its target, or by its velocity.
fn led(model: &Model, control: &Control, body: usize, pose: Pose, twist: Twist, h: f64) -> Vec6 {
    match control.body_target[body] {
        Some(goal) => Vec6 {
            l: vec3(goal.transform_point(model.body_com[body]) - pose.transform_point(model.body_com[body])),
            a: rotation::log(quat(goal.rotation).mul(quat(pose.rotation).conjugate())),
        },
        None => Vec6 { l: vec3(twist.linear * h), a: vec3(twist.angular * h) },
    }
}

#[cfg(test)]
mod tests {
    use drystone_model::{BodyDef, ModelBuilder};

    use super::*;

    /// What turns as a ball does turns as the equations of any body say.
    #[test]
    fn round_bodies_fly_as_free_rotation_has_it() {
        let mut scene = ModelBuilder::new();
        let turned = DQuat::from_scaled_axis(DVec3::new(0.3, -1.2, 2.0));
        scene.add_body(BodyDef::dynamic("cube").cuboid(DVec3::splat(0.3)).mass(2.0).rotated(turned));
        scene.add_body(BodyDef::dynamic("slab").cuboid(DVec3::new(0.3, 0.3, 0.2)).mass(2.0));
        let model = scene.finalize().unwrap();
        let mut bodies = Bodies::default();
        bodies.resize(&model);
        bodies.start_rotation[0] = turned;
        assert_eq!(bodies.round, [true, false]);
        for spin in [Vec3::new(0.1, 0.2, -0.3), Vec3::new(30.0, -12.0, 5.0), Vec3::new(-200.0, 150.0, 90.0)] {
            let [inertia, inverse] = bodies.own_inertia[0];
            let want = rotation::free_rotation(quat(turned), spin, Vec3::default(), inertia, inverse, 1.0 / 60.0);
            let got = bodies.flight(0, spin, 1.0 / 60.0);
            assert!(got.rotation.sub(want.rotation).length() < 1e-6, "{got:?} for {want:?}");
            assert!(got.angular_velocity.sub(want.angular_velocity).length() < 1e-12 * spin.length());
        }
    }
}
