//! Frictionless contact against quadratic programming by brute force: of all sets of touching contacts, the
//! one whose solution meets every inequality.

use drystone_model::{DVec3, Model};

use super::loops::OuterRow;
use super::tests::random_mechanism;
use super::*;
use drystone_random::Random;
use drystone_solve::linalg::block6::point_row;
use drystone_solve::linalg::krylov::Ending;
use drystone_solve::testing::{Dense, max_abs_difference};

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed(), random.signed(), random.signed())
}

/// Contacts at random places of random bodies, some between two of them.
fn random_contacts(count: usize, bodies: usize, random: &mut Random) -> Vec<OuterRow> {
    let row = |random: &mut Random| {
        let (n, first) = (vector(random).normalize(), random.below(bodies) as u32);
        let second = if random.below(2) == 0 { bodies as u32 } else { random.below(bodies) as u32 };
        let mut jacobian = [point_row(n, vector(random)), point_row(-n, vector(random))];
        if second == bodies as u32 || second == first {
            jacobian[1] = [0.0; 6];
        }
        let target = if random.below(3) == 0 { -random.signed().abs() } else { 0.0 };
        OuterRow { target, lower: 0.0, ..OuterRow::new([first, second], jacobian, 0.0) }
    };
    (0..count).map(|_| row(random)).collect()
}

/// Velocities nearest to `free` in the metric of the masses with joints closed and contacts not approaching.
fn by_enumeration(m: &ConstraintSystem, free: &[[f64; 6]], contacts: &[OuterRow]) -> Option<Vec<f64>> {
    let bodies = m.bodies.count();
    let joints: Vec<([u32; 2], [[f64; 6]; 2], f64, f64)> = (0..m.blocks.len())
        .flat_map(|joint| {
            let block = &m.blocks[joint];
            let body = m.geometry[joint].body.map(|body| body as u32);
            (0..block.count).map(move |row| (body, block.jacobian[row], block.target[row], block.compliance[row]))
        })
        .collect();
    for set in 0..1u32 << contacts.len() {
        let chosen: Vec<usize> = (0..contacts.len()).filter(|i| set >> i & 1 == 1).collect();
        let size = 6 * bodies + joints.len() + chosen.len();
        let mut a = Dense::zero(size);
        let mut b = vec![0.0; size];
        for body in 0..bodies {
            let mass =
                drystone_solve::linalg::matrix::Mat6::rigid(1.0, m.bodies.body[body].mass, m.bodies.body[body].inertia);
            a.add_block(6 * body, 6 * body, &mass.0);
            b[6 * body..6 * body + 6].copy_from_slice(&mass.mul_vec(&free[body]));
        }
        let of_contact = |&i: &usize| (contacts[i].body, contacts[i].jacobian, contacts[i].target, 0.0);
        let rows = joints.iter().copied().chain(chosen.iter().map(of_contact));
        for (k, (body, jacobian, target, compliance)) in rows.enumerate() {
            let at = 6 * bodies + k;
            for side in (0..2).filter(|&side| (body[side] as usize) < bodies) {
                for i in 0..6 {
                    let column = 6 * body[side] as usize + i;
                    a.entry[at * size + column] += jacobian[side][i];
                    a.entry[column * size + at] -= jacobian[side][i];
                }
            }
            a.entry[at * size + at] += compliance;
            b[at] = target;
        }
        let x = a.solve(&b);
        // Sets whose rows depend on each other have no solution or a meaningless one.
        let miss = max_abs_difference(&a.mul_vec(&x), &b);
        if x.iter().any(|x| x.is_nan() || x.abs() > 1e6) || miss > 1e-9 {
            continue;
        }
        let scale = x[..6 * bodies].iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let pushes = x[6 * bodies + joints.len()..].iter().all(|&lambda| lambda >= -1e-10);
        let mut motion: Vec<[f64; 6]> = x[..6 * bodies].chunks(6).map(|x| x.try_into().unwrap()).collect();
        motion.push([0.0; 6]);
        let apart = contacts.iter().all(|contact| contact.rate(&motion) >= contact.target - 1e-10 * scale);
        if pushes && apart {
            return Some(x[..6 * bodies].to_vec());
        }
    }
    None
}

fn solve(model: &Model, free: &[[f64; 6]], contacts: &[OuterRow], method: Method) -> (ConstraintSystem, Ending) {
    let options = StructuredOptions { method, velocity_tolerance: 1e-12, max_iterations: 20_000, ..Default::default() };
    let mut m = ConstraintSystem::new(model, options);
    let control = model.control();
    m.read(model, &model.state(), &control);
    m.evaluate(&control, Level::Step { h: 0.01 });
    contacts.iter().for_each(|row| m.outer.push_single(row.clone()));
    m.factor().unwrap();
    for (index, velocity) in free.iter().enumerate() {
        m.motion[index] = m.bodies.body[index].momentum(velocity);
    }
    m.goal = 1e-12;
    let ending = m.solve(|block, row| block.target[row]).ending;
    (m, ending)
}

#[test]
fn a_thousand_random_problems_agree_with_quadratic_programming() {
    let mut random = Random::new(71);
    let mut compared = 0;
    for trial in 0..1000 {
        let bodies = 1 + trial % 3;
        let model = random_mechanism(bodies, 0, 5000 + trial as u64);
        let free: Vec<[f64; 6]> = (0..bodies).map(|_| std::array::from_fn(|_| random.signed())).collect();
        let contacts = random_contacts(1 + random.below(5), bodies, &mut random);
        let (reference, _) = solve(&model, &free, &[], Method::StructuredDense);
        let Some(expected) = by_enumeration(&reference, &free, &contacts) else { continue };
        compared += 1;
        for method in [Method::StructuredDense, Method::StructuredIterative, Method::Auto] {
            let (m, ending) = solve(&model, &free, &contacts, method);
            let found = m.motion[..bodies].as_flattened();
            let size = expected.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            // A contact along what joints all but forbid pushes hard for little motion: an error of its rate, which the reference
            // meets to 1e-10, moves the bodies by as many times as much.
            let push = m.outer.lambda.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            let miss = max_abs_difference(found, &expected);
            assert!(miss < 1e-9 * size * push, "trial {trial} {method:?} {ending:?}: {miss:e} at {push:e}");
        }
    }
    // The rest are the few where rows depend on each other and elimination without care gives up.
    assert!(compared > 900, "{compared}");
}
