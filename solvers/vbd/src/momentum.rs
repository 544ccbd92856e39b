//! Bodies that nothing holds keep their momentum, however few the iterations.
//!
//! Sweeps that have not converged leave a rest of momentum behind. It is given back to the group as a
//! rigid motion of the whole, the smallest change of velocities that does it, which no contact within
//! the group feels.

use drystone_kernels::double::math::{Sym3, Vec3, Vec6};
use drystone_model::DVec3;

use super::bodies::Bodies;
use super::convert::vec3;
use super::energy::Energies;
use super::groups::Groups;
use super::islands::Islands;

/// Energy, relative to what is allowed, that the motion of a whole may have more: a body that spins as one has just that.
const ROUNDING: f64 = 1.0e-6;

/// What moves as one: mass, centre, inertia, and the momenta of a motion about the centre.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whole {
    mass: f64,
    centre: DVec3,
    inertia: Sym3,
    linear: Vec3,
    angular: Vec3,
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

    /// That motion, or its translation alone where the energy of the whole is more than allowed; and the energy \[J\].
    fn most_motion(&self, allowed: f64) -> (Vec6, f64) {
        let (mut motion, energy) = (self.motion(), 0.5 * self.twice_energy());
        if energy <= (1.0 + ROUNDING) * allowed {
            return (motion, energy);
        }
        motion.a = Vec3::default();
        (motion, 0.5 * motion.l.dot(self.linear))
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

/// What giving groups their momentum back depends on.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Groups of the bodies.
    pub islands: &'a Islands,
    /// Figures of the groups.
    pub groups: &'a Groups,
    /// Kinetic energy that every group may have.
    pub energies: &'a Energies,
    /// Step \[s\].
    pub h: f64,
}

/// Gives every floating group the velocities after the step that its momentum asks for, and takes from it, and from groups
/// in contact with mechanisms in them, the energy they may not have. Where a group was pulled together so far that its
/// angular momentum alone means more energy than it had, energy is what is kept.
///
/// Forces of joints act at levers of the end of the step, displacements start at its beginning: the difference
/// costs a mechanism that spins angular momentum, however well it was solved. The same goes for overlaps taken back.
pub fn settle(bodies: &mut Bodies, around: &Around, wholes: &mut Vec<[Whole; 2]>) {
    let Around { islands, groups, energies, h } = *around;
    let count = bodies.world();
    let floats = |body: usize| islands.floats(body);
    let judged = |bodies: &Bodies, body: usize| {
        let jointed = groups.of(islands.leader(body)).jointed;
        bodies.moves[body] && (floats(body) || jointed && islands.touched(body))
    };
    if !(0..count).any(|body| judged(bodies, body)) {
        return;
    }
    wholes.clear();
    wholes.resize(count, [Whole::default(); 2]);
    for body in (0..count).filter(|&body| judged(bodies, body)) {
        let mass = 1.0 / bodies.inv_mass[body];
        wholes[islands.leader(body)].iter_mut().for_each(|whole| whole.add_place(mass, bodies.end_com(body)));
    }
    for body in (0..count).filter(|&body| judged(bodies, body)) {
        let [missing, total] = &mut wholes[islands.leader(body)];
        let inertial = (1.0 / bodies.inv_mass[body], bodies.end_inertia(body));
        let lever = missing.lever(bodies.end_com(body));
        let (now, none) = (bodies.left_velocity[body], Vec6::default());
        missing.add_motion(inertial, lever, now.scale(-1.0));
        total.add_motion(inertial, lever, if floats(body) { none } else { now });
        if floats(body) {
            let from = missing.lever(bodies.path_start(body));
            let [linear, angular] = bodies.momentum_without_contact(body, h);
            [missing, total].into_iter().for_each(|whole| whole.add_momentum(from, linear, angular));
        }
    }
    let mut energy = vec![0.0; count];
    for body in 0..count {
        if judged(bodies, body) {
            let leader = islands.leader(body);
            if floats(body) {
                let [missing, _] = &wholes[leader];
                let more = carried(missing.motion(), missing.lever(bodies.end_com(body)));
                bodies.left_velocity[body] = bodies.left_velocity[body].add(more);
            }
            energy[leader] += bodies.end_energy(body);
        }
    }
    for body in 0..count {
        let leader = islands.leader(body);
        let allowed = energies.allowed(leader);
        if judged(bodies, body) && energy[leader] > allowed {
            let [_, total] = &wholes[leader];
            let (motion, rigid) = match floats(body) {
                true => total.most_motion(allowed),
                false => (Vec6::default(), 0.0),
            };
            let motion = carried(motion, total.lever(bodies.end_com(body)));
            let scale = ((allowed - rigid).max(0.0) / (energy[leader] - rigid)).sqrt();
            let v = bodies.left_velocity[body];
            bodies.left_velocity[body] = motion.add(v.sub(motion).scale(scale.min(1.0)));
        }
    }
}
