//! A scene and its solver.

use drystone_collide::{Collide, CollideOptions};
use drystone_jacobi::{Jacobi, JacobiOptions};
use drystone_model::{Control, Model, ModelBuilder, State};
use drystone_solve::{Report, Solver};

/// A running scene.
pub struct Bench {
    pub model: Model,
    pub state: State,
    pub control: Control,
    pub solver: Jacobi,
    pub collide: Collide,
    pub dt: f64,
}

impl Bench {
    /// With the default options, at 60 steps per second.
    pub fn new(scene: &ModelBuilder) -> Self {
        Self::with(scene, JacobiOptions::default())
    }

    pub fn with(scene: &ModelBuilder, options: JacobiOptions) -> Self {
        let model = scene.finalize().expect("a sound scene");
        let solver = Jacobi::new(&model, options).expect("a supported scene");
        let collide = Collide::new(&model, CollideOptions::default());
        Self { state: model.state(), control: model.control(), solver, collide, dt: 1.0 / 60.0, model }
    }

    pub fn step(&mut self) -> Report {
        let Self { model, state, control, solver, collide, dt } = self;
        solver.step(model, state, control, collide, *dt).expect("a step")
    }

    /// Steps for some seconds; returns the last report.
    pub fn run(&mut self, seconds: f64) -> Report {
        let steps = (seconds / self.dt).round() as usize;
        (0..steps).map(|_| self.step()).last().expect("at least one step")
    }

    /// Coordinates of a joint.
    pub fn coordinates(&self, joint: usize) -> [f64; 6] {
        self.model.joint_coordinates(&self.state, joint)
    }
}
