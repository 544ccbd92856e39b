//! Gaps and cost of square nets of balls held by ball joints: `joint_lattice SIZE KIND ITERATIONS SECONDS`
//! with KIND one of `hung` (upright, upper row fixed), `middle` (upright, the middle of the upper row
//! fixed), `corner` (flat, one corner pinned) and `corners` (flat, all four corners pinned).

use std::time::Instant;

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, BodyId, DVec3, JointDef, ModelBuilder, ShapeDef};
use drystone_solve::Solver;
use drystone_vbd::{Vbd, VbdOptions};

fn net(size: usize, kind: &str) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::Z * -10.0);
    let down = if kind.starts_with("corner") { DVec3::Y } else { DVec3::NEG_Z };
    let last = size - 1;
    let (mut balls, mut fixed): (Vec<BodyId>, Vec<bool>) = (Vec::new(), Vec::new());
    for (column, row) in (0..size).flat_map(|column| (0..size).map(move |row| (column, row))) {
        let place = DVec3::X * column as f64 + down * row as f64;
        let name = format!("ball {column} {row}");
        let pinned = match kind {
            "hung" => row == 0,
            "middle" => row == 0 && column.abs_diff(size / 2) <= 3,
            "corner" => (column, row) == (0, 0),
            _ => (column == 0 || column == last) && (row == 0 || row == last),
        };
        let body = if pinned { BodyDef::fixed(name) } else { BodyDef::dynamic(name) };
        let ball = scene.add_body(body.at(place).shape(ShapeDef::sphere(0.4).groups(0, 0)));
        // Joints between two pinned balls could not act.
        fixed.push(pinned);
        if row > 0 && !(pinned && fixed[balls.len() - 1]) {
            scene.add_joint(JointDef::ball(balls[balls.len() - 1], ball, place - down * 0.5));
        }
        if column > 0 && !(pinned && fixed[balls.len() - size]) {
            scene.add_joint(JointDef::ball(balls[balls.len() - size], ball, place - DVec3::X * 0.5));
        }
        balls.push(ball);
    }
    scene
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default: f64| words.get(index).and_then(|word| word.parse().ok()).unwrap_or(default);
    let kind = words.get(1).map_or("hung", String::as_str);
    let size = number(0, 100.0) as usize;
    let options = VbdOptions { iterations: number(2, 10.0) as u32, ..VbdOptions::default() };
    let model = net(size, kind).finalize().expect("a sound scene");
    let mut solver = Vbd::new(&model, options).expect("a supported scene");
    let mut collide = Collide::new(&model, CollideOptions::default());
    let (mut state, control) = (model.state(), model.control());
    let start = model.energy(&state).total();
    let steps = (number(3, 2.0) * 60.0).round() as usize;
    let (mut gap, mut gain, mut seconds) = (0.0f64, 0.0f64, 0.0);
    for step in 1..=steps {
        let clock = Instant::now();
        let report = solver.step(&model, &mut state, &control, &mut collide, 1.0 / 60.0).expect("a step");
        seconds += clock.elapsed().as_secs_f64();
        gap = gap.max(report.max_joint_error.unwrap_or(f64::NAN));
        gain = gain.max(report.kinetic_energy + report.potential_energy - start);
        if step % (steps / 8).max(1) == 0 {
            println!(
                "{:5.2} s: gap {:.3e} m, worst {gap:.3e} m, kinetic {:.3e} J, gain {gain:.1e} J, {:.1} ms per step",
                state.time,
                report.max_joint_error.unwrap_or(f64::NAN),
                report.kinetic_energy,
                1e3 * seconds / step as f64
            );
        }
    }
}
