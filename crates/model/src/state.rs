//! What changes from step to step, and what a user asks for in one.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

use drystone_geometry::Pose;

use crate::joint::Drive;
use crate::model::Model;

/// Velocity of a body: of its centre of mass, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    /// Velocity of the centre of mass \[m/s\].
    pub linear: DVec3,
    /// Angular velocity \[rad/s\].
    pub angular: DVec3,
}

impl Twist {
    /// Velocity of the material point at `point` of a body whose centre of mass is at `centre`,
    /// all in the world frame \[m/s\].
    pub fn at(&self, centre: DVec3, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point - centre)
    }
}

/// The moving part of a scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Simulated time \[s\].
    pub time: f64,
    /// Number of steps taken.
    pub step_count: u64,
    /// Pose of every body frame, world frame \[m\].
    pub body_q: Vec<Pose>,
    /// Velocity of every centre of mass \[m/s\] and angular velocity \[rad/s\], world frame.
    pub body_qd: Vec<Twist>,
    /// Affine placement of every body as the rows of the 3×4 matrix (A | t): the point at `x` of the body frame is at
    /// `A x + t` \[m\]. Empty unless a solver deforms its bodies; `body_q` is then the nearest rigid pose.
    pub body_affine: Vec<[f64; 12]>,
    /// Position of every particle \[m\].
    pub particle_q: Vec<DVec3>,
    /// Velocity of every particle \[m/s\].
    pub particle_qd: Vec<DVec3>,
    /// Unwrapped angle of every rotational axis of every joint, `[joint][x, y, z]` \[rad\].
    /// Tracks full turns; see [`Model::update_joint_angles`].
    pub joint_angle: Vec<[f64; 3]>,
    /// Joints that have not broken.
    pub joint_intact: Vec<bool>,
    /// Bodies taken out of the simulation because their state stopped being finite.
    pub body_quarantined: Vec<bool>,
}

/// What the user asks for in a step. Sized by `Model::control`.
///
/// ```
/// use drystone_model::{Axis, BodyDef, DVec3, Drive, JointDef, ModelBuilder, WORLD};
/// let mut scene = ModelBuilder::new();
/// let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).sphere(0.1));
/// let hinge = JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Z);
/// scene.add_joint(hinge.drive(Axis::AngX, Drive::position(0.5, 100.0, 10.0)));
/// let mut control = scene.finalize()?.control();
/// assert_eq!(control.joint_target[0][Axis::AngX as usize], 0.5); // rad
/// control.joint_target[0][Axis::AngX as usize] = 1.0;
/// # Ok::<(), drystone_model::ModelError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// Force on every body at its centre of mass and torque, world frame \[N\], \[N·m\].
    pub body_f: Vec<(DVec3, DVec3)>,
    /// Velocity of the air of every world \[m/s\].
    pub world_wind: Vec<DVec3>,
    /// Force on every particle \[N\].
    pub particle_f: Vec<DVec3>,
    /// Where every particle shall be at the end of the step, whatever pulls at it \[m\]: one with mass keeps it for when it is let go.
    /// `None` goes by forces, or stays if it has no mass.
    pub particle_target: Vec<Option<DVec3>>,
    /// Effort along every axis of every joint \[N or N·m\].
    pub joint_f: Vec<[f64; 6]>,
    /// Drive target of every axis of every joint \[m or rad\].
    pub joint_target: Vec<[f64; 6]>,
    /// Drive target rate of every axis of every joint \[m/s or rad/s\].
    pub joint_target_velocity: Vec<[f64; 6]>,
    /// Whether every joint acts at all.
    pub joint_enabled: Vec<bool>,
    /// Pose every kinematic body shall have at the end of the step \[m\]; `None` follows its velocity.
    pub body_target: Vec<Option<Pose>>,
}

impl Model {
    /// The initial state: bodies and particles where the builder put them, joints intact.
    pub fn state(&self) -> State {
        State {
            time: 0.0,
            step_count: 0,
            body_q: self.body_q.clone(),
            body_qd: self.body_qd.clone(),
            body_affine: Vec::new(),
            particle_q: self.particle_q.clone(),
            particle_qd: self.particle_qd.clone(),
            joint_angle: self.joint_angle.clone(),
            joint_intact: vec![true; self.joint_count()],
            body_quarantined: vec![false; self.body_count()],
        }
    }

    /// No forces, the initial drive targets, kinematic bodies following their velocities.
    pub fn control(&self) -> Control {
        let of_drives = |value: fn(&Drive) -> f64| {
            self.joint_drive.iter().map(|drives| drives.each_ref().map(value)).collect::<Vec<_>>()
        };
        Control {
            body_f: vec![(DVec3::ZERO, DVec3::ZERO); self.body_count()],
            world_wind: self.world_wind.clone(),
            particle_f: vec![DVec3::ZERO; self.particle_count()],
            particle_target: vec![None; self.particle_count()],
            joint_f: vec![[0.0; 6]; self.joint_count()],
            joint_target: of_drives(|drive| drive.target),
            joint_target_velocity: of_drives(|drive| drive.target_velocity),
            joint_enabled: self.joint_enabled.clone(),
            body_target: vec![None; self.body_count()],
        }
    }
}
