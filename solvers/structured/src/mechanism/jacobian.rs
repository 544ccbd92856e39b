//! How points, frames, the centre of mass and contacts move with the freedoms of a tree.

use drystone_model::{BodyId, DVec3, Pose, State, Twist};

use super::joint_space::JointSpace;

impl JointSpace<'_> {
    /// Velocity \[m/s\] of the material of a body at a point (world frame \[m\]) per unit rate of every freedom, world axes.
    /// Zero for what does not hang on a freedom.
    ///
    /// ```
    /// use drystone_model::{BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
    /// use drystone_structured::mechanism::JointSpace;
    /// let mut scene = ModelBuilder::new();
    /// let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).sphere(0.1));
    /// scene.add_joint(JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Z));
    /// let model = scene.finalize()?;
    /// let joints = JointSpace::new(&model)?;
    /// let tip = joints.point_jacobian(&model.state(), arm, DVec3::X * 2.0);
    /// assert!((tip[0] - DVec3::Y * 2.0).length() < 1e-15); // m/s per rad/s
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn point_jacobian(&self, state: &State, body: BodyId, point: DVec3) -> Vec<DVec3> {
        self.motions_at(state, body, point).into_iter().map(|motion| motion.linear).collect()
    }

    /// Velocity of the origin \[m/s\] and angular velocity \[rad/s\] of a frame fixed to a body (given in the body's frame)
    /// per unit rate of every freedom, world axes.
    pub fn frame_jacobian(&self, state: &State, body: BodyId, frame: Pose) -> Vec<Twist> {
        let origin = (self.model.body_pose(state, body.0) * frame).translation;
        self.motions_at(state, body, origin)
    }

    /// Velocity of the centre of mass of all moving bodies \[m/s\] per unit rate of every freedom, world axes.
    pub fn centre_jacobian(&self, state: &State) -> Vec<DVec3> {
        let (_, mass) = self.centre(state);
        self.centroidal(state).momentum_matrix.into_iter().map(|(linear, _)| linear / mass).collect()
    }

    /// Velocity of the second of two bodies against the first at a point of contact (world frame \[m\]) per unit rate of every
    /// freedom \[m/s\]: along the normal, from the first to the second, and along two tangents. Its transpose takes the
    /// force on the second body in the same axes to efforts of the freedoms.
    pub fn contact_jacobian(&self, state: &State, bodies: [BodyId; 2], point: DVec3, normal: DVec3) -> Vec<[f64; 3]> {
        let axes = contact_axes(normal);
        let [first, second] = bodies.map(|body| self.point_jacobian(state, body, point));
        first.iter().zip(&second).map(|(first, second)| axes.map(|axis| axis.dot(*second - *first))).collect()
    }

    /// Efforts of the freedoms \[N\], \[N·m\] that a force \[N\] and a torque \[N·m\] on a body at a point amount to, world frame:
    /// the transpose of the Jacobian.
    pub fn efforts_of(&self, state: &State, body: BodyId, point: DVec3, force: DVec3, torque: DVec3) -> Vec<f64> {
        let motions = self.motions_at(state, body, point);
        motions.into_iter().map(|Twist { linear, angular }| linear.dot(force) + angular.dot(torque)).collect()
    }

    fn motions_at(&self, state: &State, body: BodyId, point: DVec3) -> Vec<Twist> {
        let mut motions = vec![Twist::default(); self.freedoms().len()];
        let mut at = self.order.iter().position(|hung| hung.body == body.0);
        while let Some(index) = at {
            let hung = &self.order[index];
            let axes = hung.by.map(|step| self.joint_axes(state, step));
            let arm = point - self.model.body_centre(state, hung.body);
            for freedom in hung.freedoms() {
                let Twist { linear, angular } = self.column(state, hung, axes.as_ref(), freedom);
                motions[freedom] = Twist { linear: linear + angular.cross(arm), angular };
            }
            at = hung.from;
        }
        motions
    }
}

/// The normal of a contact and two tangents, in the order of the rows of [`JointSpace::contact_jacobian`].
pub fn contact_axes(normal: DVec3) -> [DVec3; 3] {
    let first = normal.any_orthonormal_vector();
    [normal, first, normal.cross(first)]
}
