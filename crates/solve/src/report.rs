//! What a step says about itself.

use drystone_model::{BodyId, Energy, JointId, Model, Momentum, ParticleId, State};
use drystone_parallel::Shared;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Bodies or particles whose energies are summed up by one thread.
const SUMMED: usize = 1024;

/// The timed phases of a step, in order; the same names are used in the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Targets and forces of the user.
    Control,
    /// Inertial targets and first guess.
    Predict,
    /// Placements of the shapes and their bounding boxes.
    Bounds,
    /// Broad phase.
    Pairs,
    /// Narrow phase and matching.
    Contacts,
    /// Continuous collision detection: how far bodies may go before they meet.
    Ccd,
    /// Multipliers and penalties of the step before.
    WarmStart,
    /// Adjacency, colours, trees.
    Graph,
    /// The matrix of an iteration, where one is put together.
    Assemble,
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

/// What a step reached and what it cost. A figure that nobody measured is absent, never zero. Ids are those of the model the solver
/// was given; a simulation tells its own, which stay when it is edited.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Iterations done.
    pub iterations: u32,
    /// How the iterations ended.
    pub ending: Ending,
    /// Residual of the solver's own equations at the end, as a length \[m\]: the largest move the last
    /// iteration made.
    pub residual: Option<f64>,
    /// Number of contact points.
    pub contact_count: usize,
    /// Smallest distance of two bodies after the step \[m\], where the solver measures it and some are near.
    pub min_distance: Option<f64>,
    /// Deepest overlap of two bodies after the step \[m\]: by the contacts the solver used, or by triangles that cut
    /// through each other where it keeps surfaces apart. Nothing in touch is a measured zero.
    pub max_penetration: Option<f64>,
    /// Largest joint gap after the step \[m\]; a measured zero without joints.
    pub max_joint_error: Option<f64>,
    /// Largest angular joint error after the step \[rad\]; a measured zero without joints.
    pub max_joint_angle_error: Option<f64>,
    /// Kinetic energy after the step \[J\].
    pub kinetic_energy: f64,
    /// Potential energy in gravity after the step, zero at the origin \[J\].
    pub potential_energy: f64,
    /// Energy stored in springs, sheets, folds and tetrahedra after the step \[J\]; absent without particles.
    pub elastic_energy: Option<f64>,
    /// Largest stretch of a spring, sheet or tetrahedron after the step, as a share of its length at rest; absent without elements that
    /// stretch.
    pub max_strain: Option<f64>,
    /// Mean over all of these of the stretch along the direction that is longest, shortening counted like lengthening; absent likewise.
    pub mean_strain: Option<f64>,
    /// Smallest distance after the step of two parts of cloth, soft bodies and strings that were about to meet \[m\], where the solver
    /// measures it and some are near. Parts are points, edges and triangles without their radius.
    pub closest_approach: Option<f64>,
    /// Tetrahedra that are inside out after the step; absent without particles.
    pub inverted_count: Option<u32>,
    /// Linear momentum after the step \[kg·m/s\].
    pub momentum: [f64; 3],
    /// Angular momentum about the origin after the step \[kg·m²/s\].
    pub angular_momentum: [f64; 3],
    /// Colours, islands or blocks used.
    pub color_count: Option<u32>,
    /// How many lists of the collision pipeline had to grow in this step, all substeps together; absent where the solver
    /// detects collisions by itself.
    pub growth_count: Option<u32>,
    /// Bodies quarantined in this step because their state stopped being finite.
    pub quarantined: Vec<BodyId>,
    /// Particles held where they were from this step on because their numbers stopped being finite.
    pub frozen_particles: Vec<ParticleId>,
    /// Joints that the step left open further than its iterations should have, in ascending order; what that is, the
    /// solver's documentation says.
    pub unconverged: Vec<JointId>,
    /// Joints that broke in this step.
    pub broken: Vec<JointId>,
    /// Bodies asleep.
    pub asleep: u32,
    /// Whether nothing was awake and nothing disturbed: contacts, their forces and all other figures are those of the step before.
    pub still: bool,
    /// Seconds spent in each phase.
    pub time: Vec<(Phase, f64)>,
}

impl Report {
    /// Energies and momenta of the bodies that move by forces, as [`Model::energy`] and [`Model::momentum`] have them:
    /// quarantined bodies have left the simulation and count nowhere. All that is left to measure is absent.
    pub fn of_motion(model: &Model, state: &State) -> Self {
        let (energy, momentum) = motion(model, state);
        Self {
            kinetic_energy: energy.kinetic,
            potential_energy: energy.potential,
            momentum: momentum.linear.to_array(),
            angular_momentum: momentum.angular.to_array(),
            ..Self::default()
        }
    }

    /// Whether the step says of itself that its iterations did not come to their end.
    pub fn is_unconverged(&self) -> bool {
        matches!(self.ending, Ending::Slow | Ending::Stuck | Ending::Diverging) || !self.unconverged.is_empty()
    }
}

/// Energy and momentum, summed piece by piece: the pieces are the same for any number of threads.
fn motion(model: &Model, state: &State) -> (Energy, Momentum) {
    let (bodies, particles) = (model.body_count(), model.particle_count());
    let part = |piece: usize, count: usize| (piece * SUMMED).min(count)..((piece + 1) * SUMMED).min(count);
    let pieces = bodies.max(particles).div_ceil(SUMMED);
    let of_piece = |piece: usize| model.motion_of(state, part(piece, bodies), part(piece, particles));
    if pieces <= 1 {
        return of_piece(0);
    }
    let parts: Vec<_> = (0..pieces).into_par_iter().shared(1).map(of_piece).collect();
    parts.into_iter().fold(Default::default(), |(mut energy, mut momentum), part| {
        energy += part.0;
        momentum += part.1;
        (energy, momentum)
    })
}

#[cfg(test)]
mod tests {
    use drystone_model::{BodyDef, DVec3, ModelBuilder};

    use super::*;

    /// Pieces are summed up to what one sum gives, but for rounding.
    #[test]
    fn pieces_of_many_bodies_add_up() {
        let mut scene = ModelBuilder::new();
        for body in 0..3 * SUMMED + 17 {
            let at = DVec3::new(body as f64, 1.0 + (body % 7) as f64, 2.0);
            let moving = BodyDef::dynamic(format!("{body}")).at(at).sphere(0.1).mass(1.0 + (body % 3) as f64);
            scene.add_body(moving.velocity(DVec3::new(1.0, -2.0, (body % 5) as f64)));
        }
        let model = scene.finalize().unwrap();
        let state = model.state();
        let (energy, momentum) = motion(&model, &state);
        let (whole, together) = (model.energy(&state), model.momentum(&state));
        assert!((energy.kinetic / whole.kinetic - 1.0).abs() < 1e-13);
        assert!((energy.potential / whole.potential - 1.0).abs() < 1e-13);
        assert!((momentum.linear / together.linear - 1.0).abs().max_element() < 1e-13);
        assert!((momentum.angular - together.angular).length() < 1e-12 * together.angular.length());
    }

    #[test]
    fn a_body_that_was_taken_out_counts_nowhere_and_what_nobody_measured_is_absent() {
        let mut scene = ModelBuilder::new();
        for (name, speed) in [("in", 2.0), ("out", 3.0)] {
            let body = BodyDef::dynamic(name).at(DVec3::Z).sphere(0.1).mass(1.0).velocity(DVec3::X * speed);
            scene.add_body(body);
        }
        let model = scene.finalize().unwrap();
        let mut state = model.state();
        let both = Report::of_motion(&model, &state);
        assert_eq!((both.momentum[0], both.kinetic_energy), (5.0, 6.5));
        state.body_quarantined[1] = true;
        let one = Report::of_motion(&model, &state);
        assert_eq!((one.momentum[0], one.kinetic_energy), (2.0, 2.0));
        assert_eq!(one.potential_energy, model.energy(&state).potential);
        let absent =
            [one.residual, one.min_distance, one.max_penetration, one.max_joint_error, one.max_joint_angle_error];
        assert_eq!((absent, one.color_count, one.growth_count), ([None; 5], None, None));
    }
}
