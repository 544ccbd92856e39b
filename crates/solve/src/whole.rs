//! Bodies that move as one: the rigid motion that has the momenta of a group.

use drystone_kernels::double::math::{Sym3, Vec3, Vec6};
use drystone_model::DVec3;

use crate::convert::vec3;

/// What moves as one: mass, centre, inertia, and the momenta of a motion about the centre.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whole {
    /// Mass of all bodies \[kg\].
    pub mass: f64,
    /// Their centre of mass \[m\].
    pub centre: DVec3,
    /// Their inertia about it \[kg·m²\].
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

    /// Twice the kinetic energy of that motion \[J\].
    pub fn twice_energy(&self) -> f64 {
        let motion = self.motion();
        motion.l.dot(self.linear) + motion.a.dot(self.angular)
    }

    /// Twice the energy that a motion adds to one with the momenta, apart from its own \[J\].
    pub fn along(&self, motion: Vec6) -> f64 {
        2.0 * (motion.l.dot(self.linear) + motion.a.dot(self.angular))
    }
}

/// A rigid motion as a body at a lever has it.
pub fn carried(motion: Vec6, lever: Vec3) -> Vec6 {
    Vec6 { l: motion.at(lever), a: motion.a }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two unlike bodies that turn as one about a point: the whole finds just that motion, and its energy is theirs.
    #[test]
    fn bodies_that_move_as_one_give_their_motion_back() {
        let motion = Vec6 { l: Vec3::new(0.3, -1.0, 2.0), a: Vec3::new(0.7, 0.2, -0.4) };
        let inertia = Sym3 { xx: 0.2, xy: 0.01, xz: -0.02, yy: 0.3, yz: 0.03, zz: 0.4 };
        let bodies = [(2.0, DVec3::new(1.0, 2.0, 3.0)), (5.0, DVec3::new(-1.0, 0.5, 0.0))];
        let mut whole = Whole::default();
        bodies.iter().for_each(|(mass, place)| whole.add_place(*mass, *place));
        let mut twice = 0.0;
        for (mass, place) in bodies {
            let own = carried(motion, whole.lever(place));
            whole.add_motion((mass, inertia), whole.lever(place), own);
            twice += mass * own.l.length_squared() + inertia.quadratic(own.a);
        }
        let found = whole.motion();
        assert!(found.sub(motion).dot(found.sub(motion)) < 1e-24, "{found:?}");
        assert!((whole.twice_energy() - twice).abs() < 1e-12 * twice);
    }
}
