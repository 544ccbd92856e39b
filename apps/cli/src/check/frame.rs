//! Figures of one recorded frame, recomputed from poses and velocities alone.

use drystone::Recording;
use drystone::geometry::{DMat3, DVec3, Pose};
use drystone::model::{AxisMode, BodyKind, JointKind, Model, Twist, WORLD};

/// Figures of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Largest joint gap \[m\].
    pub joint_error: f64,
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Potential energy, zero at the origin \[J\].
    pub potential_energy: f64,
    /// Linear momentum \[kg·m/s\].
    pub momentum: DVec3,
    /// Angular momentum about the origin \[kg·m²/s\].
    pub angular_momentum: DVec3,
    /// Sum of the magnitudes that make up the energies \[J\]: the scale rounding is judged on.
    pub energy_scale: f64,
    /// Sum of the magnitudes that make up the momenta \[kg·m/s\], \[kg·m²/s\].
    pub momentum_scale: [f64; 2],
}

impl Frame {
    /// Measures a frame of a recording.
    pub fn measure(recording: &Recording, number: usize) -> Self {
        let model = &recording.model;
        let (poses, twists) = (recording.poses(number), recording.twists(number));
        let joints = model.joint_count();
        let intact = recording.joint_intact.get(number * joints..(number + 1) * joints).unwrap_or(&[]);
        let mut frame = Self::default();
        frame.add_particles(recording, number);
        for body in (0..model.body_count()).filter(|&body| model.body_kind[body] == BodyKind::Dynamic) {
            frame.add_body(model, body, &poses[body], &twists[body]);
        }
        let joints = (0..model.joint_count()).filter(|&joint| intact.get(joint).copied().unwrap_or(true));
        frame.joint_error = joints.map(|joint| joint_gap(model, joint, poses)).fold(0.0, f64::max);
        frame
    }

    /// Particles without recorded velocities have a place and no motion.
    fn add_particles(&mut self, recording: &Recording, number: usize) {
        let (model, velocities) = (&recording.model, recording.particle_velocities(number));
        for (particle, &q) in recording.particles(number).iter().enumerate() {
            let mass = model.particle_mass[particle];
            let v = velocities.map_or(DVec3::ZERO, |velocities| velocities[particle]);
            let gravity = model.world_gravity[model.particle_world[particle] as usize];
            self.add_mass(mass, q, v, gravity, DVec3::ZERO, 0.0);
        }
    }

    fn add_body(&mut self, model: &Model, body: usize, pose: &Pose, twist: &Twist) {
        let mass = model.body_mass[body];
        let center = pose.transform_point(model.body_com[body]);
        let axes = DMat3::from_quat(pose.rotation);
        let spin = axes * (model.body_inertia[body] * (axes.transpose() * twist.angular));
        let gravity = model.world_gravity[model.body_world[body] as usize];
        self.add_mass(mass, center, twist.linear, gravity, spin, 0.5 * twist.angular.dot(spin));
    }

    /// Adds a mass at a place, and its spin with the energy of that.
    fn add_mass(&mut self, mass: f64, place: DVec3, v: DVec3, gravity: DVec3, spin: DVec3, spinning: f64) {
        let kinetic = 0.5 * mass * v.length_squared() + spinning;
        let potential = -mass * gravity.dot(place);
        let (linear, orbital) = (mass * v, place.cross(mass * v));
        self.kinetic_energy += kinetic;
        self.potential_energy += potential;
        self.energy_scale += kinetic + potential.abs();
        self.momentum += linear;
        self.angular_momentum += orbital + spin;
        self.momentum_scale[0] += linear.length();
        self.momentum_scale[1] += orbital.length() + spin.length();
    }
}

/// Distance by which a joint's two frames miss each other along the axes it locks \[m\].
fn joint_gap(model: &Model, joint: usize, poses: &[Pose]) -> f64 {
    let place = |body: u32, frame: Pose| if body == WORLD { frame } else { poses[body as usize] * frame };
    let parent = place(model.joint_parent[joint], model.joint_frame_parent[joint]);
    let child = place(model.joint_child[joint], model.joint_frame_child[joint]);
    let offset = parent.rotation.inverse() * (child.translation - parent.translation);
    if model.joint_kind[joint] == JointKind::Distance {
        let [least, most] = model.joint_distance[joint];
        return (least - offset.length()).max(offset.length() - most).max(0.0);
    }
    let locked =
        |axis: usize| model.joint_axis[joint][axis] == AxisMode::Locked || model.joint_kind[joint] == JointKind::Rod;
    (0..3).filter(|&axis| locked(axis)).map(|axis| offset[axis] * offset[axis]).sum::<f64>().sqrt()
}
