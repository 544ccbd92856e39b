//! Scenes and runs that the tests share.

use drystone_collide::{Collide, CollideOptions};
use drystone_device::DeviceChoice;
use drystone_model::{BodyDef, DQuat, DVec3, Model, ModelBuilder, ShapeDef, State};
use drystone_random::Random;
use drystone_solve::report::Report;
use drystone_solve::solver::Solver;
use drystone_vbd::{Vbd, VbdOptions};

pub const DT: f64 = 1.0 / 60.0;

/// The device that the environment names, or the best there is.
pub fn choice() -> DeviceChoice {
    std::env::var("DRYSTONE_DEVICE").map_or(DeviceChoice::Auto, |name| name.parse().unwrap())
}

/// Options of the default method with so many sweeps.
pub fn sweeps(iterations: u32) -> VbdOptions {
    VbdOptions { iterations, tolerance: 0.0, ..VbdOptions::default() }
}

/// The same on the device.
pub fn on_device(options: &VbdOptions) -> VbdOptions {
    VbdOptions { device: Some(choice()), ..options.clone() }
}

/// A scene that runs.
pub struct Run {
    pub model: Model,
    pub state: State,
    pub solver: Vbd,
    pub collide: Collide,
    pub report: Report,
}

impl Run {
    pub fn new(model: &Model, options: &VbdOptions) -> Self {
        Self {
            model: model.clone(),
            state: model.state(),
            solver: Vbd::new(model, options.clone()).unwrap_or_else(|error| panic!("{error}")),
            collide: Collide::new(model, CollideOptions::default()),
            report: Report::default(),
        }
    }

    pub fn step(&mut self) {
        let control = self.model.control();
        self.report = self.solver.step(&self.model, &mut self.state, &control, &mut self.collide, DT).unwrap();
    }

    pub fn steps(&mut self, count: usize) -> &mut Self {
        (0..count).for_each(|_| self.step());
        self
    }

    /// Largest distance of a body from where it began \[m\].
    pub fn drift(&self) -> f64 {
        apart(&self.state, &self.model.state()).0
    }
}

/// Largest distance of two bodies and largest difference of their velocities.
pub fn apart(a: &State, b: &State) -> (f64, f64) {
    let places = a.body_q.iter().zip(&b.body_q).map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f64::max);
    let speeds = a.body_qd.iter().zip(&b.body_qd);
    let speeds = speeds.map(|(a, b)| a.linear.distance(b.linear).max(a.angular.distance(b.angular)));
    (places, speeds.fold(0.0, f64::max))
}

/// A pyramid of cubes with so many in its lowest row.
pub fn pyramid(rows: usize) -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for row in 0..rows {
        for i in 0..rows - row {
            let x = 1.1 * (i as f64 - 0.5 * (rows - row - 1) as f64);
            let at = DVec3::new(x, 0.0, 0.5 + row as f64);
            scene.add_body(BodyDef::dynamic(format!("{row} {i}")).at(at).cuboid(DVec3::splat(0.5)));
        }
    }
    scene.finalize().unwrap()
}

/// A stack of so many cubes.
pub fn stack(count: usize) -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for i in 0..count {
        let at = DVec3::Z * (0.5 + i as f64);
        scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).cuboid(DVec3::splat(0.5)));
    }
    scene.finalize().unwrap()
}

/// Layers of cubes that fall on each other, a little turned.
pub fn column(side: usize, layers: usize) -> Model {
    let (mut scene, mut random) = (ModelBuilder::new(), Random::new(1));
    scene.ground();
    for i in 0..side * side * layers {
        let (x, y, z) = (i % side, (i / side) % side, i / (side * side));
        let jitter = DVec3::from_array(std::array::from_fn(|_| 0.05 * random.signed()));
        let at = DVec3::new(x as f64, y as f64, z as f64) * 0.6 + jitter + DVec3::Z * 0.4;
        let turn = DQuat::from_scaled_axis(4.0 * jitter);
        scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).rotated(turn).cuboid(DVec3::splat(0.25)));
    }
    scene.finalize().unwrap()
}

/// A ring of bricks in running bond.
pub fn ring(around: usize, courses: usize) -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let radius = around as f64 * 1.02 / std::f64::consts::TAU;
    for course in 0..courses {
        for i in 0..around {
            let angle = std::f64::consts::TAU * (i as f64 + 0.5 * (course % 2) as f64) / around as f64;
            let turn = DQuat::from_rotation_z(angle);
            let at = turn * DVec3::new(0.0, -radius, 0.0) + DVec3::Z * (0.25 + 0.5 * course as f64);
            let brick = BodyDef::dynamic(format!("{course} {i}")).at(at).rotated(turn);
            scene.add_body(brick.cuboid(DVec3::new(0.5, 0.25, 0.25)));
        }
    }
    scene.finalize().unwrap()
}

/// Boxes, balls and capsules that fall in a heap into a walled yard with a plate in the middle, turned at random.
pub fn heap(count: usize, seed: u64) -> Model {
    let (mut scene, mut random) = (ModelBuilder::new(), Random::new(seed));
    scene.ground();
    scene.add_body(BodyDef::fixed("plate").at(DVec3::Z * 0.05).cuboid(DVec3::new(1.0, 1.0, 0.05)));
    for (name, at, half) in [
        ("east", DVec3::new(1.6, 0.0, 1.0), DVec3::new(0.1, 1.7, 1.0)),
        ("west", DVec3::new(-1.6, 0.0, 1.0), DVec3::new(0.1, 1.7, 1.0)),
        ("north", DVec3::new(0.0, 1.6, 1.0), DVec3::new(1.7, 0.1, 1.0)),
        ("south", DVec3::new(0.0, -1.6, 1.0), DVec3::new(1.7, 0.1, 1.0)),
    ] {
        scene.add_body(BodyDef::fixed(name).at(at).cuboid(half));
    }
    for i in 0..count {
        let mut vector = || DVec3::from_array(std::array::from_fn(|_| random.signed()));
        let (at, axis, angle) = (vector(), vector().normalize(), vector().x * 3.0);
        // Layers of nine, apart from each other.
        let (column, layer) = ((i % 9) as f64, (i / 9) as f64);
        let grid = DVec3::new((column % 3.0) - 1.0, (column / 3.0).floor() - 1.0, 0.0) * 0.8;
        let at = grid + 0.04 * at + DVec3::Z * (0.6 + 0.8 * layer);
        let def = BodyDef::dynamic(format!("{i}")).at(at).rotated(DQuat::from_axis_angle(axis, angle));
        scene.add_body(match i % 4 {
            0 => def.sphere(0.2),
            1 => def.shape(ShapeDef::capsule(0.12, 0.2)),
            _ => def.cuboid(DVec3::new(0.25, 0.2, 0.15)),
        });
    }
    scene.finalize().unwrap()
}
