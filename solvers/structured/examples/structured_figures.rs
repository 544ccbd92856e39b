//! The figures of `docs/structured.md`:
//! `RAYON_NUM_THREADS=1 cargo run --release -p drystone-structured --example structured_figures [scaling|accuracy|energy]`.

use std::error::Error;
use std::time::Instant;

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, BodyId, DVec3, JointDef, Model, ModelBuilder, WORLD};
use drystone_solve::Solver;
use drystone_structured::{Integrator, Mechanism, Method, Structured, StructuredOptions};

const METHODS: [Method; 4] =
    [Method::FullDense, Method::FullIterative, Method::StructuredDense, Method::StructuredIterative];

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let all = wanted.is_empty();
    if all || wanted == "scaling" {
        scaling()?;
    }
    if all || wanted == "accuracy" {
        accuracy()?;
    }
    if all || wanted == "energy" {
        energy()?;
    }
    Ok(())
}

/// Seconds this thread has run, where the system tells (a busy machine spoils the clock), else the clock.
fn seconds(since: Instant) -> f64 {
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = ran.split_whitespace().next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |time| time * 1e-9)
}

/// A hanging chain of `links` hinges in alternating directions, with `loops` rods between links two apart.
fn chain(links: usize, loops: usize) -> Result<Model, Box<dyn Error>> {
    let mut scene = ModelBuilder::new();
    let mut bodies: Vec<BodyId> = vec![WORLD.into()];
    for i in 0..links {
        let at = DVec3::new(0.2 * i as f64, 0.03 * (i as f64).sin(), 0.0);
        let body = scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).cuboid(DVec3::new(0.09, 0.03, 0.03)));
        let axis = if i.is_multiple_of(2) { DVec3::Y } else { DVec3::Z };
        scene.add_joint(JointDef::revolute(bodies[i], body, at - DVec3::X * 0.1, axis));
        bodies.push(body);
    }
    for k in 0..loops {
        let i = 1 + (k * (links - 3)) / loops.max(1);
        let (a, b) = (bodies[i], bodies[i + 2]);
        let place = |i: usize| DVec3::new(0.2 * (i - 1) as f64, 0.03 * ((i - 1) as f64).sin(), 0.1);
        let length = place(i).distance(place(i + 2));
        scene.add_joint(JointDef::distance(a, b, place(i), place(i + 2), [length, length]));
    }
    Ok(scene.finalize()?)
}

/// Least time of a solve for accelerations \[s\], out of as many as fit into a fifth of a second.
fn least_time(model: &Model, method: Method) -> Result<(f64, [usize; 2]), Box<dyn Error>> {
    let options =
        StructuredOptions { method, velocity_tolerance: 1e-9, max_iterations: 1_000_000, ..Default::default() };
    let mut mechanism = Mechanism::new(model, options);
    let (state, control) = (model.state(), model.control());
    mechanism.forward_dynamics(model, &state, &control)?;
    let epoch = Instant::now();
    let (mut best, mut spent) = (f64::INFINITY, 0.0);
    while spent < 0.2 || best == f64::INFINITY {
        let start = seconds(epoch);
        mechanism.forward_dynamics(model, &state, &control)?;
        let time = seconds(epoch) - start;
        best = best.min(time);
        spent += time;
    }
    let rows: usize = mechanism.row_counts().iter().sum();
    let loops = model.joint_count() - model.body_count();
    Ok((best, [rows - loops, loops]))
}

/// Slope of log y over log x by least squares.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|(x, y)| (x.ln(), y.ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let cross: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    cross / x.iter().map(|x| (x - mx) * (x - mx)).sum::<f64>()
}

fn scaling() -> Result<(), Box<dyn Error>> {
    println!("method, a, l, seconds");
    for method in METHODS {
        let sizes: &[usize] = match method {
            Method::FullDense => &[16, 32, 64, 96],
            Method::FullIterative => &[16, 32, 64, 128],
            _ => &[64, 256, 1024, 4096],
        };
        let mut points = Vec::new();
        for &links in sizes {
            let (time, [a, l]) = least_time(&chain(links, 0)?, method)?;
            println!("{method:?}, {a}, {l}, {time:.3e}");
            points.push((a as f64, time));
        }
        println!("{method:?}: time grows with a to the power {:.2}", exponent(&points));
    }
    for method in [Method::StructuredDense, Method::StructuredIterative] {
        let mut points = Vec::new();
        for loops in [8, 16, 32, 64] {
            let (time, [a, l]) = least_time(&chain(200, loops)?, method)?;
            println!("{method:?}, {a}, {l}, {time:.3e}");
            points.push((l as f64, time));
        }
        println!("{method:?}: time grows with l to the power {:.2}", exponent(&points));
    }
    Ok(())
}

/// A scene with its solver.
struct Run {
    model: Model,
    solver: Structured,
}

impl Run {
    fn new(model: Model, options: StructuredOptions) -> Result<Self, Box<dyn Error>> {
        let solver = Structured::new(&model, options)?;
        Ok(Self { model, solver })
    }

    /// Steps and calls back with every report's joint error and energy.
    fn steps(&mut self, count: u32, dt: f64, mut each: impl FnMut(f64, f64, u32)) -> Result<(), Box<dyn Error>> {
        let (mut state, control) = (self.model.state(), self.model.control());
        let mut collide = Collide::new(&self.model, CollideOptions::default());
        for _ in 0..count {
            let report = self.solver.step(&self.model, &mut state, &control, &mut collide, dt)?;
            each(report.max_joint_error, report.kinetic_energy + report.potential_energy, report.iterations);
        }
        Ok(())
    }
}

/// A hanging net of ball joints without shapes: every mesh is a loop.
fn net(side: usize) -> Result<Model, Box<dyn Error>> {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 2.0, -9.81));
    let at = |i: usize, j: usize| DVec3::new(0.2 * i as f64, 0.0, -0.2 * j as f64);
    let mut bodies = Vec::new();
    for i in 0..side {
        for j in 0..side {
            let mass = drystone_model::MassProperties {
                mass: 0.1,
                com: DVec3::ZERO,
                inertia: drystone_model::DMat3::from_diagonal(DVec3::splat(2e-4)),
            };
            bodies.push(scene.add_body(BodyDef::dynamic(format!("{i} {j}")).at(at(i, j)).mass_properties(mass)));
            let here = bodies.len() - 1;
            if j == 0 {
                scene.add_joint(JointDef::ball(WORLD, bodies[here], at(i, j)));
            } else {
                scene.add_joint(JointDef::ball(bodies[here - 1], bodies[here], 0.5 * (at(i, j - 1) + at(i, j))));
            }
            if i > 0 && j > 0 {
                scene.add_joint(JointDef::ball(bodies[here - side], bodies[here], 0.5 * (at(i - 1, j) + at(i, j))));
            }
        }
    }
    Ok(scene.finalize()?)
}

fn accuracy() -> Result<(), Box<dyn Error>> {
    for tolerance in [1e-3, 1e-6, 1e-9] {
        let options = StructuredOptions {
            tolerance,
            velocity_tolerance: tolerance,
            max_iterations: 10_000,
            max_projections: 50,
            ..Default::default()
        };
        let mut run = Run::new(net(8)?, options)?;
        let (mut worst, mut iterations): (f64, u32) = (0.0, 0);
        let epoch = Instant::now();
        let start = seconds(epoch);
        run.steps(100, 0.01, |error, _, count| {
            worst = worst.max(error);
            iterations += count;
        })?;
        let time = (seconds(epoch) - start) * 10.0;
        let each = f64::from(iterations) / 100.0;
        println!("asked for {tolerance:.0e} m: reached {worst:.1e} m, {each:.0} iterations, {time:.1} ms per step");
    }
    Ok(())
}

fn energy() -> Result<(), Box<dyn Error>> {
    for (name, integrator) in
        [("variational", Integrator::Variational), ("rk4", Integrator::Rk4), ("euler", Integrator::Euler)]
    {
        let mut scene = ModelBuilder::new();
        let upper = BodyDef::dynamic("upper").at(DVec3::X * 0.5).cuboid(DVec3::new(0.5, 0.05, 0.05));
        let upper = scene.add_body(upper);
        let lower = BodyDef::dynamic("lower").at(DVec3::new(1.0, 0.0, 0.5)).cuboid(DVec3::new(0.05, 0.05, 0.5));
        let lower = scene.add_body(lower);
        scene.add_joint(JointDef::revolute(WORLD, upper, DVec3::ZERO, DVec3::Y));
        scene.add_joint(JointDef::revolute(upper, lower, DVec3::X, DVec3::Y));
        let model = scene.finalize()?;
        // What the pendulum can turn into motion: from its start to hanging straight down.
        let swing: f64 = model.body_mass[0] * 9.81 * 0.5 + model.body_mass[1] * 9.81 * 2.0;
        let start = model.energy(&model.state()).total();
        let mut run = Run::new(model, StructuredOptions { integrator, ..Default::default() })?;
        let (mut worst, mut last): (f64, f64) = (0.0, 0.0);
        run.steps(60_000, 1e-3, |_, energy, _| {
            last = (energy - start) / swing;
            worst = worst.max(last.abs());
        })?;
        println!(
            "double pendulum, 60 s at 1/1000 s, {name}: energy off by at most {worst:.1e}, {last:+.1e} at the end"
        );
    }
    Ok(())
}
