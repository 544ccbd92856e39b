//! A scene, its solver, and what tests measure on it.

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{Control, Model, ModelBuilder, Pose, State};
use drystone_solve::{Report, Solver};
use drystone_vbd::{Vbd, VbdOptions};

/// A running scene.
pub struct Bench {
    pub model: Model,
    pub state: State,
    pub control: Control,
    pub solver: Vbd,
    pub dt: f64,
    pub collide: Collide,
}

impl Bench {
    /// With the default options but for the iterations.
    pub fn new(scene: &ModelBuilder, dt: f64, iterations: u32) -> Self {
        Self::with(scene, dt, VbdOptions { iterations, ..VbdOptions::default() })
    }

    pub fn with(scene: &ModelBuilder, dt: f64, options: VbdOptions) -> Self {
        let model = scene.finalize().expect("a sound scene");
        let solver = Vbd::new(&model, options).expect("a supported scene");
        let collide = Collide::new(&model, CollideOptions::default());
        Self { state: model.state(), control: model.control(), solver, dt, collide, model }
    }

    pub fn step(&mut self) -> Report {
        let Self { model, state, control, solver, collide, dt } = self;
        let report = solver.step(model, state, control, collide, *dt).expect("a step");
        // What is no number passes most limits: `max` leaves it out.
        let finite = |v: drystone_model::DVec3| v.is_finite();
        assert!(
            state.body_q.iter().all(|pose| finite(pose.translation) && pose.rotation.is_finite()),
            "a place is no number"
        );
        assert!(
            state.body_qd.iter().all(|twist| finite(twist.linear) && finite(twist.angular)),
            "a velocity is no number"
        );
        report
    }

    /// Steps for some seconds; returns the last report.
    pub fn run(&mut self, seconds: f64) -> Report {
        let steps = (seconds / self.dt).round() as usize;
        (0..steps).map(|_| self.step()).last().expect("at least one step")
    }

    pub fn pose(&self, body: usize) -> Pose {
        self.state.body_q[body]
    }

    /// Coordinates of a joint.
    pub fn coordinates(&self, joint: usize) -> [f64; 6] {
        self.model.joint_coordinates(&self.state, joint)
    }

    /// Largest gap of locked translations and error of locked rotations, from the poses alone.
    pub fn joint_error(&self) -> [f64; 2] {
        let errors = (0..self.model.joint_count()).map(|joint| self.model.joint_error(&self.state, joint as u32));
        errors.fold([0.0, 0.0], |[gap, angle], e| [e.linear.max(gap), e.angular.max(angle)])
    }
}

/// What a free swing showed.
#[derive(Debug, Default)]
pub struct Swing {
    /// Largest joint gap at the end of any step \[m\].
    pub gap: f64,
    /// Largest rise of the energy above its value at the start, relative to the range of the
    /// potential energy.
    pub gain: f64,
    /// Energy lost by the end, over the same range: what does not move loses nothing and gains nothing, and has no range.
    pub lost: f64,
}

/// Runs for some seconds and watches gaps and energy.
pub fn swing(bench: &mut Bench, seconds: f64) -> Swing {
    let mut swing = Swing::default();
    let start = bench.model.energy(&bench.state).total();
    let (mut rise, mut low, mut high) = (0.0f64, f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..(seconds / bench.dt).round() as usize {
        let report = bench.step();
        swing.gap = swing.gap.max(bench.joint_error()[0]);
        rise = rise.max(report.kinetic_energy + report.potential_energy - start);
        (low, high) = (low.min(report.potential_energy), high.max(report.potential_energy));
    }
    assert!(high > low, "nothing moved");
    swing.gain = rise / (high - low);
    swing.lost = (start - bench.model.energy(&bench.state).total()) / (high - low);
    swing
}
