//! Bodies that nothing holds keep their momentum, however few the iterations.
//!
//! Sweeps that have not converged lose momentum. It is given back to the island as a rigid motion: the smallest change of
//! velocities that does it, and one that no contact within the island feels.

use std::mem::take;

use drystone_kernels::double::math::{Vec3, Vec6};
use drystone_solve::parallel;
use drystone_solve::whole::{Whole, carried};

use super::bodies::Bodies;
use super::island_scales::IslandScales;
use super::islands::Islands;

/// Gives every floating island in contact the displacement that its momentum asks for: as one rigid motion, or as a
/// translation where a turn of all bodies would open joints.
pub fn restore(bodies: &mut Bodies, islands: &Islands, island_scales: &IslandScales, wholes: &mut Vec<Whole>) {
    let count = bodies.world();
    let floats = |bodies: &Bodies, body: usize| bodies.moves[body] && islands.floats(body) && islands.touched(body);
    if !(0..count).any(|body| floats(bodies, body)) {
        return;
    }
    wholes.resize(count, Whole::default());
    islands.leaders().for_each(|leader| wholes[leader] = Whole::default());
    for body in (0..count).filter(|&body| floats(bodies, body)) {
        wholes[islands.leader(body)].add_place(bodies.mass[body], bodies.path_start(body));
    }
    for body in (0..count).filter(|&body| floats(bodies, body)) {
        let whole = &mut wholes[islands.leader(body)];
        let lever = whole.lever(bodies.path_start(body));
        whole.add_motion((bodies.mass[body], bodies.inertia[body]), lever, missing_motion(bodies, body));
    }
    let (mut delta, mut placement) = (take(&mut bodies.delta), take(&mut bodies.placement));
    parallel::each2(&mut delta[..count], &mut placement[..count], |body, delta, placement| {
        if floats(bodies, body) {
            let leader = islands.leader(body);
            let (whole, jointed) = (&wholes[leader], island_scales.of(leader).jointed);
            let mut motion = whole.motion();
            if jointed {
                motion.a = Vec3::default();
            }
            *delta = delta.add(carried(motion, whole.lever(bodies.path_start(body))));
            *placement = bodies.placed_at(body, *delta);
        }
    });
    (bodies.delta, bodies.placement) = (delta, placement);
}

/// Displacement by which a body misses the one that external forces alone would give.
fn missing_motion(bodies: &Bodies, body: usize) -> Vec6 {
    let away = bodies.target[body].sub(bodies.delta[body]);
    // Torques are not part of the target.
    Vec6 { l: away.l, a: away.a.add(bodies.inertia[body].cholesky().solve(bodies.torque[body])) }
}
