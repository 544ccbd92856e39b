use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, BodyId, DVec3, JointDef, Model, ModelBuilder, ShapeDef, WORLD};
use drystone_solve::solver::Solver;
use drystone_vbd::{Vbd, VbdOptions};
use std::time::Instant;

fn necklace(chains: usize, beads: usize) -> Model {
    let across = (chains as f64).sqrt().ceil() as usize;
    let mut scene = ModelBuilder::new();
    for chain in 0..chains {
        let start = DVec3::new(0.0, 0.3 * (chain % across) as f64, 0.3 * (chain / across) as f64);
        let mut parent = BodyId(WORLD);
        for index in 0..beads {
            let near = start + DVec3::X * (0.1 * index as f64);
            let body = BodyDef::dynamic(format!("bead {chain} {index}")).at(near + DVec3::X * 0.05);
            let bead = scene.add_body(body.shape(ShapeDef::sphere(0.05).groups(0, 0)).mass(0.001));
            scene.add_joint(JointDef::ball(parent, bead, near));
            parent = bead;
        }
    }
    scene.finalize().unwrap()
}
fn grid(size: usize) -> Model {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::Z * -10.0);
    let mut balls: Vec<BodyId> = Vec::new();
    for column in 0..size {
        for row in 0..size {
            let place = DVec3::new(column as f64, 0.0, -(row as f64));
            let name = format!("ball {column} {row}");
            let body = if row == 0 { BodyDef::fixed(name) } else { BodyDef::dynamic(name) };
            let ball = scene.add_body(body.at(place).sphere(0.4));
            if row > 0 {
                scene.add_joint(JointDef::ball(balls[balls.len() - 1], ball, place + DVec3::Z * 0.5));
            }
            if column > 0 && row > 0 {
                scene.add_joint(JointDef::ball(balls[balls.len() - size], ball, place - DVec3::X * 0.5));
            }
            balls.push(ball);
        }
    }
    scene.finalize().unwrap()
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let size: usize = args[2].parse().unwrap();
    let steps: usize = args[3].parse().unwrap();
    let model = match args[1].as_str() {
        "necklace" => necklace(size, 40),
        _ => grid(size),
    };
    let threads: usize = args.get(4).map_or(1, |t| t.parse().unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let options = VbdOptions { iterations: 5, ..VbdOptions::default() };
        let mut solver = Vbd::new(&model, options).unwrap();
        let mut state = model.state();
        let mut collide = Collide::new(&model, CollideOptions::default());
        let control = model.control();
        let mut phases: Vec<(String, f64)> = Vec::new();
        let (mut gap, mut best) = (0.0f64, f64::INFINITY);
        let begin = Instant::now();
        let mut taken = 0;
        for _ in 0..steps {
            let start = Instant::now();
            let report = solver.step(&model, &mut state, &control, &mut collide, 1.0 / 60.0).unwrap();
            best = best.min(start.elapsed().as_secs_f64());
            taken += 1;
            gap = gap.max(report.max_joint_error.unwrap_or(0.0));
            for (phase, time) in report.time {
                let name = format!("{phase:?}");
                match phases.iter_mut().find(|p| p.0 == name) {
                    Some(p) => p.1 += time,
                    None => phases.push((name, time)),
                }
            }
            if begin.elapsed().as_secs_f64() > 8.0 {
                break;
            }
        }
        let total = begin.elapsed().as_secs_f64();
        let mut hash = 0xcbf29ce484222325u64;
        for pose in &state.body_q {
            for x in pose.translation.to_array().into_iter().chain(pose.rotation.to_array()) {
                hash = (hash ^ x.to_bits()).wrapping_mul(0x100000001b3).rotate_left(17);
            }
        }
        let ms: Vec<String> = phases.iter().map(|(n, t)| format!("{n} {:.2}", 1e3 * t / taken as f64)).collect();
        println!(
            "{} {} threads {threads} steps {taken} mean {:.2} ms best {:.2} gap {:.3e} mm hash {hash:016x} | {}",
            args[1],
            size,
            1e3 * total / taken as f64,
            1e3 * best,
            1e3 * gap,
            ms.join(" ")
        );
    });
}
