//! One evaluator for all engines. It sees poses and velocities only and computes everything from them with the
//! model's own masses and shapes in double precision: no engine grades itself.

use drystone::collide::{Collide, CollideOptions};
use drystone::model::{BodyId, Model, State};
use drystone::solve::Report;
use drystone_scenes::{Measures, Run, Scene, Verdict};

/// Follows a trajectory.
pub struct Evaluator {
    /// What the scene's own check is fed with.
    pub measures: Measures,
    sample_every: u64,
    steps: u64,
    lost: bool,
}

impl Evaluator {
    /// Overlap is looked for in about `samples` frames of the run and in the last one.
    pub fn new(scene: &Scene, steps: u64, samples: u64) -> Self {
        let measures = Measures::new(&scene.model, scene.check.probe.as_ref());
        Self { measures, sample_every: (steps / samples).max(1), steps, lost: false }
    }

    /// Takes in the state after a step.
    pub fn observe(&mut self, scene: &Scene, state: &State) {
        let model = &scene.model;
        let mut report = Report::default();
        if !is_finite(state) {
            // Bodies that are no longer numbers fail any claim; counted once.
            report.quarantined = if self.lost { vec![] } else { vec![BodyId(0)] };
            self.lost = true;
            self.measures.observe(model, &model.state(), &report, None);
            return;
        }
        let (step, energy) = (self.measures.steps + 1, model.energy(state));
        let sampled = step.is_multiple_of(self.sample_every) || step == self.steps;
        // Between samples the last one stands.
        let measure = sampled || self.measures.steps == 0;
        report.max_penetration =
            if measure { Some(deepest_overlap(model, state)) } else { self.measures.end_penetration };
        let errors = (0..model.joint_count() as u32).map(|joint| model.joint_error(state, joint));
        let [gap, angle] = errors.fold([0.0_f64; 2], |[gap, angle], e| [gap.max(e.linear), angle.max(e.angular)]);
        (report.max_joint_error, report.max_joint_angle_error) = (Some(gap), Some(angle));
        (report.kinetic_energy, report.potential_energy) = (energy.kinetic, energy.potential);
        self.measures.observe(model, state, &report, scene.check.probe.as_ref());
    }

    /// Whether the scene's claim held.
    pub fn verdict(&self, scene: &Scene, state: &State) -> Verdict {
        scene.check.judge(&Run { model: &scene.model, state, measures: &self.measures, dt: scene.settings.dt })
    }
}

fn is_finite(state: &State) -> bool {
    let poses = state.body_q.iter().all(|pose| pose.translation.is_finite() && pose.rotation.is_finite());
    let particles = state.particle_q.iter().chain(&state.particle_qd).all(|vector| vector.is_finite());
    particles && poses && state.body_qd.iter().all(|twist| twist.linear.is_finite() && twist.angular.is_finite())
}

/// Deepest overlap of two shapes \[m\], by a narrow phase without memory, so that the course of a run leaves no trace.
fn deepest_overlap(model: &Model, state: &State) -> f64 {
    let mut collide = Collide::new(model, CollideOptions::default());
    collide.detect(model, state, 0.0);
    collide.contacts.point_gap.iter().fold(0.0, |deepest, gap| f64::max(deepest, -gap))
}
