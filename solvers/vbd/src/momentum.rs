//! Bodies that nothing holds keep their momentum, however few the iterations.
//!
//! Sweeps that have not converged leave a rest of momentum behind. It is given back to the group as a
//! rigid motion of the whole, the smallest change of velocities that does it, which no contact within
//! the group feels.

use drystone_kernels::double::math::{Sym3, Vec3, Vec6};
use drystone_model::DVec3;

use super::bodies::Bodies;
use super::convert::vec3;
use super::groups::Groups;
use super::islands::Islands;

/// What moves as one: mass, centre, inertia, and the momenta of a motion about the centre.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whole {
    /// Mass of all bodies.
    pub mass: f64,
    /// Their centre of mass \[m\].
    pub centre: DVec3,
    /// Their inertia about it.
    pub inertia: Sym3,
    /// Momentum.
    pub linear: Vec3,
    /// Angular momentum about the centre.
    pub angular: Vec3,
}

impl Whole {
    /// Counts the place of a body; all places come before all motions.
    pub fn add_place(&mut self, mass: f64, place: DVec3) {
        self.mass += mass;
        self.centre += mass * (place - self.centre) / self.mass;
    }

    /// Lever of a place from the centre \[m\].
    pub fn lever(&self, place: DVec3) -> Vec3 {
        vec3(place - self.centre)
    }

    /// Adds the inertia of a body and the momenta of its motion.
    pub fn add_motion(&mut self, (mass, inertia): (f64, Sym3), lever: Vec3, motion: Vec6) {
        self.add_momentum(lever, motion.l.scale(mass), inertia.mul(motion.a));
        self.inertia = self.inertia.add(inertia).add(Sym3::scaled_lever(lever, mass));
    }

    /// Adds momenta at a lever.
    pub fn add_momentum(&mut self, lever: Vec3, linear: Vec3, angular: Vec3) {
        self.linear = self.linear.add(linear);
        self.angular = self.angular.add(lever.cross(linear)).add(angular);
    }

    /// The rigid motion that has the momenta, of the point at the centre.
    pub fn motion(&self) -> Vec6 {
        Vec6 { l: self.linear.scale(1.0 / self.mass), a: self.inertia.cholesky().solve(self.angular) }
    }

    /// Twice the kinetic energy of that motion.
    pub fn twice_energy(&self) -> f64 {
        let motion = self.motion();
        motion.l.dot(self.linear) + motion.a.dot(self.angular)
    }

    /// Twice the energy that a motion adds to one with the momenta, apart from its own.
    pub fn along(&self, motion: Vec6) -> f64 {
        2.0 * (motion.l.dot(self.linear) + motion.a.dot(self.angular))
    }
}

/// A rigid motion as a body at a lever has it.
pub fn carried(motion: Vec6, lever: Vec3) -> Vec6 {
    Vec6 { l: motion.at(lever), a: motion.a }
}

/// Gives every floating group in contact the displacement that its momentum asks for: as one rigid motion, or as a
/// translation where a turn of all bodies would open joints.
pub fn restore(bodies: &mut Bodies, islands: &Islands, groups: &Groups, wholes: &mut Vec<Whole>) {
    let count = bodies.world();
    let floats = |bodies: &Bodies, body: usize| bodies.moves[body] && islands.floats(body) && islands.touched(body);
    if !(0..count).any(|body| floats(bodies, body)) {
        return;
    }
    wholes.clear();
    wholes.resize(count, Whole::default());
    for body in (0..count).filter(|&body| floats(bodies, body)) {
        wholes[islands.leader(body)].add_place(bodies.mass[body], bodies.path_start(body));
    }
    for body in (0..count).filter(|&body| floats(bodies, body)) {
        let whole = &mut wholes[islands.leader(body)];
        let lever = whole.lever(bodies.path_start(body));
        whole.add_motion((bodies.mass[body], bodies.inertia[body]), lever, missing_motion(bodies, body));
    }
    for body in 0..count {
        if floats(bodies, body) {
            let leader = islands.leader(body);
            let (whole, jointed) = (&wholes[leader], groups.of(leader).jointed);
            let mut motion = whole.motion();
            if jointed {
                motion.a = Vec3::default();
            }
            let motion = carried(motion, whole.lever(bodies.path_start(body)));
            bodies.delta[body] = bodies.delta[body].add(motion);
            bodies.place(body);
        }
    }
}

/// Displacement by which a body misses the one that external forces alone would give.
fn missing_motion(bodies: &Bodies, body: usize) -> Vec6 {
    let away = bodies.target[body].sub(bodies.delta[body]);
    // Torques are not part of the target.
    Vec6 { l: away.l, a: away.a.add(bodies.inertia[body].cholesky().solve(bodies.torque[body])) }
}
