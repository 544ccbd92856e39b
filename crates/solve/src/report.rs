//! What a step says about itself.

use drystone_model::{BodyKind, DMat3, DVec3, Model, State};
use serde::{Deserialize, Serialize};

/// The timed phases of a step, in order; the same names are used in the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Targets and forces of the user.
    Control,
    /// Inertial targets and first guess.
    Predict,
    /// Bounding boxes.
    Bounds,
    /// Broad phase.
    Pairs,
    /// Narrow phase and matching.
    Contacts,
    /// Multipliers and penalties of the step before.
    WarmStart,
    /// Adjacency, colours, trees.
    Graph,
    /// The iterations.
    Iterate,
    /// Equations to the GPU.
    Upload,
    /// Kernels over constraints, where they are measured one by one; under `Iterate` otherwise.
    ConstraintKernels,
    /// Kernels over bodies, where they are measured one by one; under `Iterate` otherwise.
    BodyKernels,
    /// Unknowns back from the GPU.
    Download,
    /// Velocities.
    Finish,
    /// This report.
    Report,
}

/// How the iterations of a step ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The solver does a fixed number of iterations and makes no statement.
    #[default]
    Fixed,
    /// The solver's tolerance was met.
    Converged,
    /// The iterations were used up while every one still made progress: more of them would help.
    Slow,
    /// No further progress was possible although the tolerance was not met: more iterations would not help.
    Stuck,
    /// The iterations as chosen moved away from a solution. What the step took instead is for the solver's
    /// documentation to say.
    Diverging,
}

/// What a step reached and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Iterations done.
    pub iterations: u32,
    /// How the iterations ended.
    pub ending: Ending,
    /// Residual of the solver's own equations at the end, as a length \[m\]: the largest move the last
    /// iteration made.
    pub residual: f64,
    /// Number of contact points.
    pub contact_count: usize,
    /// Smallest distance of two bodies after the step \[m\], where the solver measures it and some are near.
    pub min_distance: Option<f64>,
    /// Deepest overlap of two bodies after the step \[m\], by the contacts the solver used.
    pub max_penetration: f64,
    /// Largest joint gap after the step \[m\].
    pub max_joint_error: f64,
    /// Largest angular joint error after the step \[rad\].
    pub max_joint_angle_error: f64,
    /// Kinetic energy after the step \[J\].
    pub kinetic_energy: f64,
    /// Potential energy in gravity after the step, zero at the origin \[J\].
    pub potential_energy: f64,
    /// Linear momentum after the step \[kg·m/s\].
    pub momentum: [f64; 3],
    /// Angular momentum about the origin after the step \[kg·m²/s\].
    pub angular_momentum: [f64; 3],
    /// Colours, islands or blocks used.
    pub color_count: u32,
    /// How often a capacity had to grow in this step.
    pub growth_count: u32,
    /// Bodies quarantined in this step because their state stopped being finite.
    pub quarantined: Vec<u32>,
    /// Joints that broke in this step.
    pub broken: Vec<u32>,
    /// Bodies asleep.
    pub asleep: u32,
    /// Seconds spent in each phase.
    pub time: Vec<(Phase, f64)>,
}

impl Report {
    /// Energies and momenta of the dynamic bodies; the rest at its default.
    pub fn of_motion(model: &Model, state: &State) -> Self {
        let mut report = Self::default();
        let (mut momentum, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for body in (0..model.body_count()).filter(|&body| model.body_kind[body] == BodyKind::Dynamic) {
            let (pose, twist, mass) = (state.body_q[body], state.body_qd[body], model.body_mass[body]);
            let com = pose.transform_point(model.body_com[body]);
            let turn = DMat3::from_quat(pose.rotation);
            let spin = turn * (model.body_inertia[body] * (turn.transpose() * twist.angular));
            report.kinetic_energy += 0.5 * (mass * twist.linear.length_squared() + twist.angular.dot(spin));
            report.potential_energy -= mass * model.world_gravity[model.body_world[body] as usize].dot(com);
            momentum += mass * twist.linear;
            angular += com.cross(mass * twist.linear) + spin;
        }
        report.momentum = momentum.to_array();
        report.angular_momentum = angular.to_array();
        report
    }
}
