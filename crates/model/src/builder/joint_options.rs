//! What can be changed about a joint, one thing at a time.

use drystone_geometry::Pose;

use super::{JointDef, JointFrames};
use crate::id::JointId;
use crate::joint::{Axis, AxisMode, Drive, Follow, Limit, Spring};

impl JointDef {
    /// Sets how the frames are given.
    pub fn at(mut self, frames: JointFrames) -> Self {
        self.frames = frames;
        self
    }

    /// Sets explicit frames, in the parent body and in the child body.
    pub fn frames(self, parent: Pose, child: Pose) -> Self {
        self.at(JointFrames::Local(parent, child))
    }

    /// Sets the name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Frees axes.
    pub fn free(mut self, axes: &[Axis]) -> Self {
        axes.iter().for_each(|&axis| self.axis[axis as usize] = AxisMode::Free);
        self
    }

    /// Sets hard limits of a free axis \[m or rad\].
    pub fn limit(mut self, axis: Axis, lower: f64, upper: f64) -> Self {
        self.limit[axis as usize] = Limit { lower, upper, ..Limit::default() };
        self
    }

    /// Sets limits with springs of a free axis.
    pub fn soft_limit(mut self, axis: Axis, limit: Limit) -> Self {
        self.limit[axis as usize] = limit;
        self
    }

    /// Sets the drive of a free axis.
    pub fn drive(mut self, axis: Axis, drive: Drive) -> Self {
        self.drive[axis as usize] = drive;
        self
    }

    /// Sets the spring and damper of a free axis, beside its drive.
    pub fn spring(mut self, axis: Axis, spring: Spring) -> Self {
        self.spring[axis as usize] = spring;
        self
    }

    /// Lets a free axis follow one of another joint: coordinate = ratio · coordinate of the other + offset \[m or rad\].
    ///
    /// ```
    /// use drystone_model::{Axis, BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
    /// let mut scene = ModelBuilder::new();
    /// let wheel = |scene: &mut ModelBuilder, name: &str| scene.add_body(BodyDef::dynamic(name).sphere(0.1));
    /// let (small, large) = (wheel(&mut scene, "small"), wheel(&mut scene, "large"));
    /// let shaft = scene.add_joint(JointDef::revolute(WORLD, small, DVec3::ZERO, DVec3::Y));
    /// let driven = JointDef::revolute(WORLD, large, DVec3::ZERO, DVec3::Y);
    /// scene.add_joint(driven.follow(Axis::AngX, shaft, Axis::AngX, -0.5, 0.0));
    /// let model = scene.finalize()?;
    /// assert_eq!(model.joint_follow[1][Axis::AngX as usize].map(|follow| follow.ratio), Some(-0.5));
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn follow(mut self, axis: Axis, joint: JointId, leader: Axis, ratio: f64, offset: f64) -> Self {
        self.follow[axis as usize] = Some(Follow::hard(joint, leader, ratio, offset));
        self
    }

    /// Sets the dry friction of a free axis, the largest effort it holds \[N or N·m\].
    pub fn friction(mut self, axis: Axis, effort: f64) -> Self {
        self.friction[axis as usize] = effort;
        self
    }

    /// Sets the reflected rotor inertia of a free axis \[kg or kg·m²\].
    pub fn armature(mut self, axis: Axis, inertia: f64) -> Self {
        self.armature[axis as usize] = inertia;
        self
    }

    /// Sets the largest rate of a free axis, either way \[m/s or rad/s\]: what drives it further is held against, as by a governor.
    pub fn max_rate(mut self, axis: Axis, rate: f64) -> Self {
        self.max_rate[axis as usize] = rate;
        self
    }

    /// Makes the locked axes springs: stiffness of translations and rotations \[N/m\], \[N·m/rad\]
    /// and their damping \[N·s/m\], \[N·m·s/rad\].
    pub fn soft(mut self, stiffness: [f64; 2], damping: [f64; 2]) -> Self {
        self.stiffness = stiffness;
        self.damping = damping;
        self
    }

    /// Sets the force and torque that break it \[N\], \[N·m\].
    pub fn break_at(mut self, force: f64, torque: f64) -> Self {
        self.break_at = [force, torque];
        self
    }

    /// Sets whether the bodies it connects collide with each other.
    pub fn collide(mut self, collide: bool) -> Self {
        self.collide = collide;
        self
    }

    /// Sets whether it acts from the start.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Sets the initial coordinates; `finalize` places the bodies beyond the joint by them.
    pub fn coordinates(mut self, coordinates: [f64; 6]) -> Self {
        self.coordinates = Some(coordinates);
        self
    }

    /// Sets the initial rates of the coordinates; `finalize` sets the bodies beyond the joint moving.
    pub fn rates(mut self, rates: [f64; 6]) -> Self {
        self.rates = Some(rates);
        self
    }
}
