//! Conservation at the end of the step: floating islands get the momentum they must have, and no island keeps more kinetic
//! energy than it may have.
//!
//! A step loses angular momentum in three ways, however well it was solved: joint forces act at the levers of the end of the
//! step while displacements start at its beginning, overlaps are taken back, and joints are projected. What is missing is
//! given back as a rigid motion of the island.
//!
//! Momentum alone can then mean too much energy: ½ L·I⁻¹L depends on the orientation, and a pair of bodies that spins as one has
//! no other energy. In that case the orientation is what is wrong, and the island is turned rigidly until its energy at
//! this momentum is what it may have.

use drystone_kernels::double::math::Vec6;
use drystone_kernels::double::rotation;
use drystone_model::DQuat;

use super::bodies::Bodies;
use super::convert::quat;
use super::energy::Energies;
use super::island_scales::IslandScales;
use super::islands::Islands;
use super::turning::{self, ROUNDING};
use drystone_solve::whole::{Whole, carried};

/// What giving islands their momentum back depends on.
#[derive(Clone, Copy)]
pub struct MomentumInputs<'a> {
    /// Islands of the bodies.
    pub islands: &'a Islands,
    /// Figures of the islands.
    pub island_scales: &'a IslandScales,
    /// Kinetic energy that every island may have.
    pub energies: &'a Energies,
    /// Step \[s\].
    pub h: f64,
}

impl MomentumInputs<'_> {
    /// Whether the momentum or the energy of a body's island is looked at.
    fn judges(&self, bodies: &Bodies, body: usize) -> bool {
        let Self { islands, island_scales, .. } = self;
        let jointed = || island_scales.of(islands.leader(body)).jointed;
        bodies.moves[body] && (islands.floats(body) || islands.touched(body) && jointed())
    }
}

/// An island at the end of the step.
#[derive(Clone, Copy, Debug, Default)]
pub struct End {
    /// Momenta of the motion.
    now: Whole,
    /// Momenta that a floating island must have; none for others.
    due: Whole,
    /// Where the paths of the bodies start. Angular momentum stays about the centre, which gravity moves along a parabola.
    start: Whole,
    /// Kinetic energy of the motion \[J\].
    energy: f64,
    /// What is added to every body as one.
    missing: Vec6,
    /// The motion of the whole that is kept.
    kept: Vec6,
    /// Scale of the motion about it.
    scale: f64,
}

/// Gives every floating island the velocities after the step that its momentum asks for, and takes from it, and from jointed
/// islands in contact, the energy they may not have.
pub fn enforce(bodies: &mut Bodies, inputs: &MomentumInputs, ends: &mut Vec<End>) {
    let count = bodies.world();
    let judged: Vec<usize> = (0..count).filter(|&body| inputs.judges(bodies, body)).collect();
    if judged.is_empty() {
        return;
    }
    gather(bodies, inputs, &judged, ends);
    let islands = inputs.islands;
    for leader in judged.iter().copied().filter(|&leader| islands.leader(leader) == leader) {
        let (end, allowed) = (&mut ends[leader], inputs.energies.allowed(leader));
        if islands.floats(leader) {
            let mut missing = end.due;
            (missing.linear, missing.angular) =
                (missing.linear.sub(end.now.linear), missing.angular.sub(end.now.angular));
            end.missing = missing.motion();
            end.energy += 0.5 * (end.now.along(end.missing) + missing.twice_energy());
        }
        let rigid = if islands.floats(leader) { 0.5 * end.due.twice_energy() } else { 0.0 };
        end.scale = match end.energy > allowed {
            // What remains of the motion about the whole would not be that of the island turned.
            _ if rigid > (1.0 + ROUNDING) * allowed => turn_to_fit(bodies, inputs, leader, end),
            true => ((allowed - rigid).max(0.0) / (end.energy - rigid)).sqrt().min(1.0),
            false => 1.0,
        };
        end.kept = if islands.floats(leader) { end.due.motion() } else { Vec6::default() };
    }
    for body in judged {
        let end = &ends[islands.leader(body)];
        let lever = end.due.lever(bodies.end_com(body));
        let (v, kept) = (bodies.left_velocity[body].add(carried(end.missing, lever)), carried(end.kept, lever));
        bodies.left_velocity[body] = if end.scale < 1.0 { kept.add(v.sub(kept).scale(end.scale)) } else { v };
    }
}

/// Momenta and energies of the islands.
fn gather(bodies: &Bodies, inputs: &MomentumInputs, judged: &[usize], ends: &mut Vec<End>) {
    let MomentumInputs { islands, h, .. } = *inputs;
    ends.resize(bodies.world(), End::default());
    islands.leaders().for_each(|leader| ends[leader] = End::default());
    for &body in judged {
        let (end, mass) = (&mut ends[islands.leader(body)], 1.0 / bodies.inv_mass[body]);
        end.due.add_place(mass, bodies.end_com(body));
        end.start.add_place(mass, bodies.path_start(body));
    }
    for &body in judged {
        let end = &mut ends[islands.leader(body)];
        let (mass, inertia) = (1.0 / bodies.inv_mass[body], bodies.end_inertia(body));
        let (lever, v) = (end.due.lever(bodies.end_com(body)), bodies.left_velocity[body]);
        end.energy += 0.5 * (mass * v.l.length_squared() + inertia.quadratic(v.a));
        if islands.floats(body) {
            end.now.add_momentum(lever, v.l.scale(mass), inertia.mul(v.a));
            end.due.add_motion((mass, inertia), lever, Vec6::default());
            let [linear, angular] = bodies.momentum_without_contact(body, h);
            end.due.add_momentum(end.start.lever(bodies.path_start(body)), linear, angular);
        }
    }
}

/// Turns an island as one to where its momentum means no more energy than it may have. Where no turn does, because the island
/// was pulled together, it is first given back the shape it had at the start of the step, with which it always can. Returns the
/// share of the motion about the whole that is left: none.
fn turn_to_fit(bodies: &mut Bodies, inputs: &MomentumInputs, leader: usize, end: &mut End) -> f64 {
    let MomentumInputs { islands, energies, h, .. } = *inputs;
    let members: Vec<usize> =
        (leader..bodies.world()).filter(|&body| islands.leader(body) == leader && bodies.moves[body]).collect();
    let allowed = energies.allowed(leader);
    if turning::least_energy(&end.due) > allowed {
        let start = turning::whole_at_start(bodies, &members);
        let shape = Whole { centre: end.due.centre, linear: end.due.linear, angular: end.due.angular, ..start };
        let spin = shape.motion().a;
        let inverse = shape.inertia.cholesky().inverse();
        let upright = quat(DQuat::IDENTITY);
        let flight = rotation::free_rotation(upright, spin, Default::default(), shape.inertia, inverse, h);
        let turn = rotation::exp(flight.rotation);
        for &body in &members {
            let lever = turn.rotate(start.lever(bodies.path_start(body)));
            bodies.put(body, lever, shape.centre, turn.mul(quat(bodies.start_rotation[body])));
        }
        end.due = Whole { inertia: rotation::world_inertia(turn, shape.inertia), ..shape };
    }
    if let Some(turn) = turning::turn_to_fit(&end.due, allowed) {
        for &body in &members {
            let lever = turn.rotate(end.due.lever(bodies.end_com(body)));
            bodies.put(body, lever, end.due.centre, turn.mul(bodies.end_rotation(body)));
        }
        end.due.inertia = rotation::world_inertia(turn, end.due.inertia);
    }
    0.0
}
