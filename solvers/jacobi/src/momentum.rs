//! Islands that nothing holds keep their angular momentum while position errors are taken back.
//!
//! Moving a body sideways to its velocity, or turning one that is not round, changes angular momentum. What an island lost is
//! given back as a turn of the whole, which no joint or contact within feels.

use drystone_kernels::double::math::{Sym3, Vec3, Vec6};
use drystone_kernels::double::rotation::world_inertia;
use drystone_model::DQuat;
use drystone_solve::convert::{quat, to_dvec3, vec3};
use drystone_solve::whole::{Whole, carried};

use super::bodies::{Body, BodyConstants};
use super::islands::Islands;

/// Bodies, masses and inertias.
#[derive(Clone, Copy, Debug)]
pub struct Inertias<'a> {
    /// Masses \[kg\].
    pub mass: &'a [f64],
    /// Inertias in body axes.
    pub constants: &'a [BodyConstants],
}

impl Inertias<'_> {
    fn of(&self, body: usize, at: &Body) -> (f64, Sym3) {
        (self.mass[body], world_inertia(quat(at.rotation), self.constants[body].inertia))
    }

    /// Angular momentum that a body loses when it is taken from `before` to `after`, about any one point \[N·m·s\]. Its linear
    /// velocity is the same.
    pub fn lost(&self, body: usize, before: &Body, after: &Body) -> Vec3 {
        let orbit = (before.centre - after.centre).cross(before.velocity.linear) * self.mass[body];
        let spin = |at: &Body| self.of(body, at).1.mul(vec3(at.velocity.angular));
        vec3(orbit).add(spin(before)).sub(spin(after))
    }
}

/// An island that lost some.
#[derive(Clone, Copy, Debug, Default)]
struct Island {
    whole: Whole,
    lost: Vec3,
    /// Twice the kinetic energy as it stands \[J\].
    before: f64,
    /// Energy that impulses took from it of late and that may be spent \[J\].
    reserve: f64,
    change: Option<Change>,
}

/// How an island moves on: all its bodies turn together, then a share of the motion within is left.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    turn: Vec6,
    motion: Vec6,
    within: f64,
}

/// Gives floating islands back the angular momentum that `displacement` cost their bodies. The energy that takes is paid
/// from the reserve first, then with the motion within the island. Where neither has as much, because the island would be
/// pulled together too far, its bodies go back to where they were: a joint stays open.
pub fn give_back(
    bodies: &mut [Body],
    displacement: &[Vec6],
    lost: &[Vec3],
    reserve: &mut [f64],
    islands: &Islands,
    inertias: &Inertias,
) {
    let some = |lost: Vec3| lost != Vec3::default();
    let mut island: Vec<Island> = Vec::new();
    for body in (0..bodies.len()).filter(|&body| some(lost[body])) {
        island.resize(bodies.len(), Island::default());
        let sum = &mut island[islands.leader(body)].lost;
        *sum = sum.add(lost[body]);
    }
    let concerned = |body: &usize| some(island[islands.leader(*body)].lost) && bodies[*body].moves;
    let concerned: Vec<usize> = (0..island.len()).filter(concerned).collect();
    for &body in &concerned {
        let island = &mut island[islands.leader(body)];
        island.whole.add_place(inertias.mass[body], bodies[body].centre);
        island.reserve += reserve[body];
    }
    for &body in &concerned {
        let island = &mut island[islands.leader(body)];
        let (inertial, motion) = (inertias.of(body, &bodies[body]), motion(&bodies[body]));
        island.whole.add_motion(inertial, island.whole.lever(bodies[body].centre), motion);
        island.before += twice_energy(inertial, motion);
    }
    island.iter_mut().filter(|island| some(island.lost)).for_each(Island::settle);
    for body in concerned {
        let island = &island[islands.leader(body)];
        let at = &mut bodies[body];
        match island.change {
            None => _ = displace(at, displacement[body].scale(-1.0)),
            Some(change) => {
                let lever = island.whole.lever(at.centre);
                let whole = carried(change.motion, lever);
                let turned = motion(at).add(carried(change.turn, lever));
                let end = whole.add(turned.sub(whole).scale(change.within));
                (at.velocity.linear, at.velocity.angular) = (to_dvec3(end.l), to_dvec3(end.a));
            }
        }
        reserve[body] = island.reserve * inertias.mass[body] / island.whole.mass;
    }
}

impl Island {
    /// Finds what gives it back what it lost, if there is the energy for it.
    fn settle(&mut self) {
        let none = Vec3::default();
        let mut total = self.whole;
        total.add_momentum(none, none, self.lost);
        // The motion within has no momentum, so that energies add up.
        let (rigid, within) = (self.whole.twice_energy(), self.before - self.whole.twice_energy());
        let needed = (total.twice_energy() - rigid).max(0.0);
        let spent = needed.min(2.0 * self.reserve);
        let left = within - (needed - spent);
        if left < 0.0 {
            return;
        }
        self.reserve -= 0.5 * spent;
        let turn = Vec6 { l: none, a: total.motion().a.sub(self.whole.motion().a) };
        let within = if left < within { (left / within).sqrt() } else { 1.0 };
        self.change = Some(Change { turn, motion: total.motion(), within });
    }
}

/// Moves a body, its spin turning with it, so that it keeps its energy. Returns whether it was moved: not by what is no
/// number.
pub fn displace(body: &mut Body, by: Vec6) -> bool {
    let (shift, turn) = (to_dvec3(by.l), to_dvec3(by.a));
    let some = by != Vec6::default() && shift.is_finite() && turn.is_finite();
    if some {
        let turn = DQuat::from_scaled_axis(turn);
        body.centre += shift;
        body.rotation = (turn * body.rotation).normalize();
        body.velocity.angular = turn * body.velocity.angular;
    }
    some
}

fn motion(body: &Body) -> Vec6 {
    Vec6 { l: vec3(body.velocity.linear), a: vec3(body.velocity.angular) }
}

fn twice_energy((mass, inertia): (f64, Sym3), motion: Vec6) -> f64 {
    mass * motion.l.length_squared() + inertia.quadratic(motion.a)
}
