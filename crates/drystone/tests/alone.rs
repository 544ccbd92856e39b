//! A small step of `vbd` runs on the thread that asks for it: no loop of it waits for another.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use drystone::prelude::*;

/// Boxes on the ground and on each other, and beside them a string, a net and a ball: loops of every kind, longer than a piece.
fn small_scene() -> Model {
    let mut scene = drystone::new_model();
    scene.ground();
    for number in 0..200_u8 {
        let center = DVec3::new(-5.0 + 0.5 * f64::from(number % 20), -8.0 + 0.5 * f64::from(number / 20), 0.1);
        scene.add_body(BodyDef::dynamic(format!("lone {number}")).at(center).cuboid(DVec3::splat(0.1)));
    }
    for level in 0..12 {
        let center = DVec3::Z * (0.1 + 0.2 * f64::from(level));
        scene.add_body(BodyDef::dynamic(format!("box {level}")).at(center).cuboid(DVec3::splat(0.1)));
    }
    for (width, at) in [(1, 2.0), (12, 4.0)] {
        let place = |row: usize, column: usize| DVec3::new(at + 0.1 * column as f64, 0.1 * row as f64, 3.0);
        let mut links = Vec::new();
        for (row, column) in (0..12).flat_map(|row| (0..width).map(move |column| (row, column))) {
            let link = BodyDef::dynamic(format!("link {at} {row} {column}")).at(place(row, column));
            links.push(scene.add_body(link.sphere(0.02)));
        }
        let mut hold = |one: [usize; 2], other: [usize; 2]| {
            let [a, b] = [one, other].map(|[row, column]| links[row * width + column]);
            let anchor = (place(one[0], one[1]) + place(other[0], other[1])) / 2.0;
            scene.add_joint(JointDef::ball(a, b, anchor));
        };
        (1..12).flat_map(|row| (0..width).map(move |column| [row, column])).for_each(|at| hold([at[0] - 1, at[1]], at));
        (0..12).flat_map(|row| (1..width).map(move |column| [row, column])).for_each(|at| hold([at[0], at[1] - 1], at));
    }
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::X * -2.0 + DVec3::Z).sphere(0.1));
    scene.finalize().unwrap()
}

/// All threads of the process-wide pool are kept from work; a step that needed one would never end.
#[test]
fn a_small_step_waits_for_no_other_thread() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
    let (release, held) = channel::<()>();
    rayon::spawn(move || _ = held.recv());

    let (tell, told) = channel();
    thread::spawn(move || {
        for threads in [None, Some(3)] {
            let builder = Simulation::builder(small_scene()).dt(0.01).solver("vbd");
            let mut sim = match threads {
                Some(count) => builder.threads(count).build().unwrap(),
                None => builder.build().unwrap(),
            };
            for _ in 0..30 {
                sim.step().unwrap();
            }
            tell.send(sim.state().clone()).unwrap();
        }
    });
    let [one, other] = [(); 2].map(|()| told.recv_timeout(Duration::from_secs(60)).expect("a step waits for a thread"));
    assert_eq!(one.body_q, other.body_q);
    release.send(()).unwrap();
}
