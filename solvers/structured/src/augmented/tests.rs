//! Coulomb's law on random mechanisms: loops, contacts that depend on each other, sticking, sliding and open ones.

use drystone_kernels::elementary::hypot;
use drystone_model::{DQuat, DVec3};
use drystone_random::Random;
use drystone_solve::linalg::block6::point_row;
use drystone_solve::linalg::krylov::Ending;

use crate::contact::ContactPoint;
use crate::loops::OuterRow;
use crate::tests::random_mechanism;
use crate::{ConstraintSystem, Level, Method, StructuredOptions};

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed(), random.signed(), random.signed())
}

/// Adds a contact of a body with the world or another body, at a random place, with the friction μ.
fn add_contact(m: &mut ConstraintSystem, mu: f64, scale: f64, random: &mut Random) {
    let count = m.bodies.count();
    let first = random.below(count) as u32;
    let other = if random.below(2) == 0 { count as u32 } else { random.below(count) as u32 };
    let frame = DQuat::from_scaled_axis(vector(random) * 3.0);
    let directions = [DVec3::Z, DVec3::X, DVec3::Y].map(|axis| frame * axis);
    let levers = [vector(random) * scale, vector(random) * scale];
    let row = m.outer.rows.len() as u32;
    let gap = if random.below(3) == 0 { random.signed().abs() * scale } else { 0.0 };
    for (k, direction) in directions.into_iter().enumerate() {
        let mut jacobian = [point_row(direction, levers[0]), point_row(-direction, levers[1])];
        if other == count as u32 || other == first {
            jacobian[1] = [0.0; 6];
        }
        let lower = if k == 0 { 0.0 } else { f64::NEG_INFINITY };
        let target = if k == 0 { -gap } else { 0.0 };
        m.outer.push_single(OuterRow { target, lower, ..OuterRow::new([first, other], jacobian, 0.0) });
    }
    m.points.push(ContactPoint {
        index: 0,
        body: [first, other],
        anchor: [DVec3::ZERO; 2],
        normal: directions[0],
        row,
        friction_rows: 2,
        coefficient: [mu; 2],
        sliding: false,
        slip: 0.0,
        miss: 0.0,
        restitution: 0.0,
        approach: 0.0,
        known: 0.0,
        soft: false,
        lifted: false,
        world: 0,
        tangent: [directions[1], directions[2]],
    });
}

#[test]
fn forces_obey_coulombs_law() {
    let mut random = Random::new(91);
    let (mut sticks, mut slides, mut open, mut unsettled) = (0, 0, 0, 0);
    for trial in 0..200u64 {
        let bodies = 2 + trial as usize % 5;
        let model = random_mechanism(bodies, trial as usize % 3, 9000 + trial);
        let options = StructuredOptions { method: Method::Auto, friction_passes: 40, ..Default::default() };
        let mut m = ConstraintSystem::new(&model, options);
        let control = model.control();
        m.read(&model, &model.state(), &control);
        m.evaluate(&control, Level::Step { h: 0.01 });
        let mu = [0.1, 0.3, 0.6][trial as usize % 3];
        (0..1 + random.below(8)).for_each(|_| add_contact(&mut m, mu, 1.0, &mut random));
        m.factor().unwrap();
        for index in 0..bodies {
            m.motion[index] = m.bodies.body[index].momentum(&std::array::from_fn(|_| random.signed()));
        }
        (m.goal, m.contact_goal) = (1e-11, 1e-9);
        if m.solve(|block, row| block.target[row]).ending != Ending::Converged {
            unsettled += 1;
            continue;
        }
        let size = m.outer.lambda.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        for point in &m.points {
            let at = point.row as usize;
            let [w, u, v] = [0, 1, 2].map(|k| m.outer.rows[at + k].rate(&m.motion) - m.outer.rows[at + k].target);
            let [n, a, b] = [0, 1, 2].map(|k| m.outer.lambda[at + k]);
            let (slip, pull) = (hypot(u, v), hypot(a, b));
            assert!(n >= 0.0 && pull <= mu * n * (1.0 + 1e-12) && w > -1e-5, "trial {trial}: {n} {pull} {w}");
            assert!(n * w.abs() < 1e-5 * size, "trial {trial}: pushes with {n} while parting at {w}");
            match (n > 1e-6 * size, slip > 1e-4) {
                (true, true) => {
                    // Friction at its limit and against the slip.
                    let along = (a * u + b * v) / slip;
                    assert!((along + mu * n).abs() < 1e-3 * mu * n, "trial {trial}: {along} for {}", -mu * n);
                    slides += 1;
                }
                (true, false) => sticks += 1,
                (false, _) => open += 1,
            }
        }
    }
    // Passes may fail to settle in jams, and some of these are.
    assert!(unsettled < 10 && sticks > 50 && slides > 50 && open > 50, "{unsettled} {sticks} {slides} {open}");
}
