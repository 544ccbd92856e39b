//! A model, its state and the solver, stepped together; every step is checked for intersections.

use drystone_abd::{Abd, AbdOptions};
use drystone_collide::{Collide, CollideOptions};
use drystone_model::{Control, Model, ModelBuilder, State};
use drystone_solve::{Report, Solver};

pub struct Bench {
    pub model: Model,
    pub state: State,
    pub control: Control,
    pub solver: Abd,
    collide: Collide,
    pub dt: f64,
}

impl Bench {
    pub fn new(scene: &ModelBuilder, dt: f64) -> Self {
        Self::with(scene, dt, AbdOptions::default())
    }

    pub fn with(scene: &ModelBuilder, dt: f64, options: AbdOptions) -> Self {
        let model = scene.finalize().unwrap();
        let solver = Abd::new(&model, options).unwrap_or_else(|error| panic!("{error}"));
        let collide = Collide::new(&model, CollideOptions::default());
        Self { state: model.state(), control: model.control(), solver, collide, dt, model }
    }

    pub fn step(&mut self) -> Report {
        let Self { model, state, control, solver, collide, dt } = self;
        let report = solver.step(model, state, control, collide, *dt).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(solver.intersections(model, state), None, "t = {}", state.time);
        if std::env::var_os("ABD_TRACE").is_some() {
            eprintln!(
                "t {:.3}: {:3} iterations, {:?}, residual {:.1e}, {} contacts, distance {:.2e}, kinetic {:.2e}",
                state.time,
                report.iterations,
                report.ending,
                report.residual.unwrap_or(f64::NAN),
                report.contact_count,
                report.min_distance.unwrap_or(f64::NAN),
                report.kinetic_energy,
            );
        }
        report
    }

    pub fn run(&mut self, seconds: f64) -> Report {
        let mut report = Report::default();
        for _ in 0..(seconds / self.dt).round() as usize {
            report = self.step();
        }
        report
    }
}
