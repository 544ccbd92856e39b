use super::*;
use crate::forces::ContactKey;
use drystone_model::ShapeId;
use drystone_random::Random;

fn vector(dice: &mut Random) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| dice.range(-1.0, 1.0)))
}

fn contact(body: [u32; 2], point: DVec3, force: DVec3, centre: [DVec3; 2]) -> ContactForce {
    let key = ContactKey { shape: body.map(ShapeId), feature: [0; 4] };
    ContactForce::new(key, body.map(BodyId), [point; 2], DVec3::Z).pushed(force, DVec3::ZERO, centre)
}

/// What all links tell of a body.
fn told(forces: &Balanced, ends: &[Option<[u32; 2]>], body: u32) -> [DVec3; 2] {
    let contacts = forces.contacts.iter().map(|c| (c.body.map(|body| body.0), c.force, c.torque));
    let joints = forces.joints.iter().zip(ends).filter_map(|(j, ends)| Some(((*ends)?, j.force, j.body_torque)));
    let mut sum = [DVec3::ZERO; 2];
    for (body_of, force, torque) in contacts.chain(joints) {
        for side in (0..2).filter(|&side| body_of[side] == body) {
            sum[0] += if side == 0 { -force } else { force };
            sum[1] += torque[side];
        }
    }
    sum
}

/// A random network of bodies, with contacts and joints between them, to nothing or to the world, and what they are due: what the
/// links tell, and a share of error. Where they float, the error is that of forces and couples within.
fn network(seed: u64, bodies: u32, held: bool, error: f64) -> (Balanced, Vec<Option<[u32; 2]>>, Vec<Due>) {
    let mut dice = Random::new(seed);
    let mut due: Vec<Due> = (0..bodies)
        .map(|body| Due {
            moves: true,
            centre: DVec3::X * f64::from(body) + vector(&mut dice),
            inertia: dice.range(0.1, 2.0),
            ..Due::default()
        })
        .collect();
    let centre = |due: &[Due], body: u32| due.get(body as usize).map_or(DVec3::ZERO, |due| due.centre);
    let mut forces = Balanced::default();
    let mut ends = Vec::new();
    for body in 0..bodies {
        let other = if body > 0 { (dice.unit() * f64::from(body)) as u32 } else { u32::MAX };
        let pair = [other, body];
        let point = centre(&due, body) + vector(&mut dice);
        let centres = pair.map(|body| centre(&due, body));
        let force = 100.0 * vector(&mut dice);
        match body % 3 {
            _ if other == u32::MAX && !held => {}
            1 => {
                let lever = centres.map(|centre| point - centre);
                let wrench = crate::forces::JointWrench::at(lever, force, vector(&mut dice));
                forces.joints.push(JointForce::of(centres[1], lever[1], &wrench));
                ends.push(Some(pair));
            }
            _ => forces
                .contacts
                .extend([0, 1, 2].map(|_| contact(pair, point + vector(&mut dice), force * dice.unit(), centres))),
        }
    }
    // A joint that does not act.
    forces.joints.push(JointForce::default());
    ends.push(None);
    for body in 0..bodies {
        let [force, torque] = told(&forces, &ends, body);
        (due[body as usize].force, due[body as usize].torque) = (force, torque);
    }
    for body in 0..bodies {
        let other = (body + 1) % bodies;
        let (force, couple) = (error * vector(&mut dice), error * vector(&mut dice));
        let point = centre(&due, body);
        for (body, sign) in [(body, 1.0), (other, if held { 0.0 } else { -1.0 })] {
            let due = &mut due[body as usize];
            due.force += sign * force;
            due.torque += sign * (couple + (point - due.centre).cross(force));
        }
    }
    (forces, ends, due)
}

fn worst(forces: &Balanced, ends: &[Option<[u32; 2]>], due: &[Due]) -> f64 {
    let off = |(body, due): (usize, &Due)| {
        let [force, torque] = told(forces, ends, body as u32);
        (force - due.force).length().max((torque - due.torque).length())
    };
    due.iter().enumerate().map(off).fold(0.0, f64::max)
}

/// Forces of 100 N that miss by 1 N are made exact by changes of that order, equal and opposite at one place.
#[test]
fn forces_explain_what_bodies_are_due_whatever_holds_them() {
    for seed in 0..40 {
        for (bodies, held) in [(2, false), (3, true), (7, true), (12, false), (60, true), (400, true)] {
            let (mut forces, ends, due) = network(seed, bodies, held, 1.0);
            let before = forces.clone();
            assert!(worst(&forces, &ends, &due) > 0.3);
            forces.settle(&due, |body| body.0, &ends);
            let case = format!("seed {seed}, {bodies} bodies");
            let off = worst(&forces, &ends, &due);
            assert!(off < 1e-10, "{case}: {off}");
            let centre = |body: u32| due.get(body as usize).map_or(DVec3::ZERO, |due| due.centre);
            for (now, then) in forces.contacts.iter().zip(&before.contacts) {
                // About the origin of the world nothing turns the pair.
                let turn = |side: usize| {
                    let force = if side == 0 { -now.force } else { now.force };
                    now.torque[side] + centre(now.body[side].0).cross(force)
                };
                assert!((turn(0) + turn(1)).length() < 1e-9 * (1.0 + now.force.length()) * f64::from(bodies), "{case}");
                let change = (now.force - then.force).length();
                assert!(change < 10.0 * f64::from(bodies), "{case}: {change}");
            }
            let silent = forces.joints.last().copied();
            assert_eq!(silent, Some(JointForce::default()), "{case}: a joint that does not act");
        }
    }
}

/// A point that carried nothing goes on carrying nothing where those that press can explain the motion, and carries it where
/// they cannot.
#[test]
fn only_what_must_begins_to_carry() {
    let due = [Due { moves: true, force: DVec3::Z * 10.0, inertia: 1.0, ..Due::default() }];
    let at = |x: f64, force: f64| contact([u32::MAX, 0], DVec3::X * x, DVec3::Z * force, [DVec3::ZERO; 2]);
    let mut forces = Balanced { contacts: vec![at(1.0, 4.0), at(-1.0, 4.0), at(0.5, 0.0)], joints: Vec::new() };
    forces.settle(&due, |body| body.0, &[]);
    let loads: Vec<f64> = forces.contacts.iter().map(|contact| contact.force.z).collect();
    assert!((loads[0] - 5.0).abs() < 1e-12 && (loads[1] - 5.0).abs() < 1e-12 && loads[2] == 0.0, "{loads:?}");
    let mut silent = Balanced { contacts: vec![at(1.0, 0.0), at(-1.0, 0.0)], joints: Vec::new() };
    silent.settle(&due, |body| body.0, &[]);
    let loads: Vec<f64> = silent.contacts.iter().map(|contact| contact.force.z).collect();
    assert!((loads[0] - 5.0).abs() < 1e-12 && (loads[1] - 5.0).abs() < 1e-12, "{loads:?}");
}

/// What explains the motion already is left as it is, bit for bit.
#[test]
fn forces_that_are_right_stay() {
    let (mut forces, ends, due) = network(3, 9, true, 0.0);
    let before = forces.clone();
    forces.settle(&due, |body| body.0, &ends);
    assert_eq!((forces.contacts, forces.joints), (before.contacts, before.joints));
}

/// The least change by |δf|²/|f|: two points under the middle of a body, of which one carries three times as much as the other,
/// share what is missing three to one.
#[test]
fn the_change_is_shared_by_what_was_carried() {
    let due = [Due { moves: true, force: DVec3::Z * 8.0, inertia: 1.0, ..Due::default() }];
    let at = |force: f64| contact([u32::MAX, 0], DVec3::NEG_Z, DVec3::Z * force, [DVec3::ZERO; 2]);
    let mut forces = Balanced { contacts: vec![at(3.0), at(1.0)], joints: Vec::new() };
    forces.settle(&due, |body| body.0, &[]);
    let loads: Vec<f64> = forces.contacts.iter().map(|contact| contact.force.z).collect();
    assert!((loads[0] - 6.0).abs() < 1e-12 && (loads[1] - 2.0).abs() < 1e-12, "{loads:?}");
}

/// Contacts that hardly carry anything any more, one after the other: what they must pass on is passed on, and nothing grows with
/// what they miss.
#[test]
fn contacts_that_fade_lead_to_no_large_forces() {
    for seed in 0..40 {
        for (bodies, held) in [(3, true), (7, false), (12, false)] {
            let (mut forces, ends, mut due) = network(seed, bodies, held, 0.0);
            let mut fade = 1.0;
            for contact in &mut forces.contacts {
                fade *= 0.03;
                contact.force *= fade;
                contact.torque = contact.torque.map(|torque| torque * fade);
            }
            let (_, _, missed) = network(seed, bodies, held, 1e-3);
            let (_, _, right) = network(seed, bodies, held, 0.0);
            for body in 0..bodies as usize {
                let [force, torque] = told(&forces, &ends, body as u32);
                due[body].force = force + missed[body].force - right[body].force;
                due[body].torque = torque + missed[body].torque - right[body].torque;
            }
            let before = forces.clone();
            forces.settle(&due, |body| body.0, &ends);
            let off = worst(&forces, &ends, &due);
            let moved =
                forces.contacts.iter().zip(&before.contacts).map(|(now, then)| (now.force - then.force).length());
            let joints = forces.joints.iter().zip(&before.joints).map(|(now, then)| (now.force - then.force).length());
            let change = moved.chain(joints).fold(0.0, f64::max);
            let case = format!("seed {seed}, {bodies} bodies, held {held}: {off} {change}");
            assert!(off < 1e-12 && change < 0.1 * f64::from(bodies), "{case}");
        }
    }
}
