//! A scene on the bench: model, state and solver stepped by hand.

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{Control, Model, ModelBuilder, State};
use drystone_solve::{Report, Solver};
use drystone_structured::{Structured, StructuredOptions};

pub struct Bench {
    pub model: Model,
    pub state: State,
    pub control: Control,
    pub collide: Collide,
    pub solver: Structured,
    pub dt: f64,
}

impl Bench {
    pub fn new(scene: &ModelBuilder, options: StructuredOptions, dt: f64) -> Self {
        let model = scene.finalize().unwrap();
        let (state, control) = (model.state(), model.control());
        let collide = Collide::new(&model, CollideOptions::default());
        let solver = Structured::new(&model, options).unwrap();
        Self { model, state, control, collide, solver, dt }
    }

    pub fn step(&mut self) -> Report {
        self.solver.step(&self.model, &mut self.state, &self.control, &mut self.collide, self.dt).unwrap()
    }

    pub fn run(&mut self, seconds: f64) -> Report {
        let mut report = Report::default();
        for _ in 0..(seconds / self.dt).round() as u64 {
            report = self.step();
        }
        report
    }

    pub fn energy(&self) -> f64 {
        self.model.energy(&self.state).total()
    }
}
