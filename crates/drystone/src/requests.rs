//! What users ask of single bodies and joints, by id. Every request is done or refused by name.

use drystone_model::{BodyId, BodyKind, DVec3, Entity, JointId, ParticleId, Pose, ShapeId, Twist};
use drystone_solve::{JointForce, Report};

use crate::ids::RequestError;
use crate::simulation::Simulation;

impl Simulation {
    /// The body with this name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.model.body_named(name).map(|body| BodyId(self.ids.body.id(body.built_index())))
    }

    /// The shape with this name.
    pub fn shape(&self, name: &str) -> Option<ShapeId> {
        self.model.shape_named(name).map(|shape| ShapeId(self.ids.shape.id(shape.built_index())))
    }

    /// The joint with this name.
    pub fn joint(&self, name: &str) -> Option<JointId> {
        self.model.joint_named(name).map(|joint| JointId(self.ids.joint.id(joint.built_index())))
    }

    /// Where a body is in the arrays of model, state and control now. An edit may move it; its id stays.
    pub fn body_index(&self, body: BodyId) -> Result<usize, RequestError> {
        self.ids.body_index(body)
    }

    /// Where a shape is in the arrays of the model now.
    pub fn shape_index(&self, shape: ShapeId) -> Result<usize, RequestError> {
        self.ids.shape_index(shape)
    }

    /// Where a joint is in the arrays of model, state and control now.
    pub fn joint_index(&self, joint: JointId) -> Result<usize, RequestError> {
        self.ids.joint_index(joint)
    }

    /// Where a particle is in the arrays of model, state and control now.
    pub fn particle_index(&self, particle: ParticleId) -> Result<usize, RequestError> {
        self.ids.particle_index(particle)
    }

    /// The id of the particle at an index of the arrays.
    ///
    /// # Panics
    /// If the index is out of range, as slices do.
    pub fn particle_id(&self, index: usize) -> ParticleId {
        ParticleId(self.ids.particle.id(index))
    }

    /// The id of the body at an index of the arrays.
    ///
    /// # Panics
    /// If the index is out of range, as slices do.
    pub fn body_id(&self, index: usize) -> BodyId {
        BodyId(self.ids.body.id(index))
    }

    /// The id of the shape at an index of the arrays.
    ///
    /// # Panics
    /// If the index is out of range, as slices do.
    pub fn shape_id(&self, index: usize) -> ShapeId {
        ShapeId(self.ids.shape.id(index))
    }

    /// The id of the joint at an index of the arrays.
    ///
    /// # Panics
    /// If the index is out of range, as slices do.
    pub fn joint_id(&self, index: usize) -> JointId {
        JointId(self.ids.joint.id(index))
    }

    /// Pose of the frame of a body, world frame \[m\].
    pub fn pose(&self, body: BodyId) -> Result<Pose, RequestError> {
        Ok(self.state.body_q[self.body_index(body)?])
    }

    /// Velocity of a body: of its centre of mass, world frame.
    pub fn velocity(&self, body: BodyId) -> Result<Twist, RequestError> {
        Ok(self.state.body_qd[self.body_index(body)?])
    }

    /// Pushes a body at its centre of mass for the next step only; `force` in the world frame \[N\].
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// let floor = scene.add_body(BodyDef::fixed("floor").cuboid(DVec3::ONE));
    /// let puck = scene.add_body(BodyDef::dynamic("puck").at(DVec3::Z * 2.0).sphere(0.1).mass(2.0));
    /// let mut sim = Simulation::builder(scene.finalize()?).dt(0.01).build()?;
    /// sim.apply_force(puck, DVec3::X * 4.0)?;
    /// sim.step()?;
    /// assert!((sim.velocity(puck)?.linear.x - 0.02).abs() < 1e-12); // 4 N / 2 kg · 0.01 s
    /// let refused = sim.apply_force(floor, DVec3::X).unwrap_err().to_string();
    /// assert!(refused.starts_with("body `floor`: it is static, forces do not move it"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply_force(&mut self, body: BodyId, force: DVec3) -> Result<(), RequestError> {
        let index = self.movable(body)?;
        self.forces.add(index as u32, force, DVec3::ZERO);
        Ok(())
    }

    /// Turns a body for the next step only; `torque` in the world frame \[N·m\].
    pub fn apply_torque(&mut self, body: BodyId, torque: DVec3) -> Result<(), RequestError> {
        let index = self.movable(body)?;
        self.forces.add(index as u32, DVec3::ZERO, torque);
        Ok(())
    }

    /// Pushes a body at `point` of the world \[m\] for the next step only; `force` in the world frame \[N\].
    pub fn apply_force_at(&mut self, body: BodyId, force: DVec3, point: DVec3) -> Result<(), RequestError> {
        let index = self.movable(body)?;
        let arm = point - self.model.body_centre(&self.state, index as u32);
        self.forces.add(index as u32, force, arm.cross(force));
        Ok(())
    }

    /// Changes the momentum of a body at once, by an impulse at its centre of mass, world frame \[N·s\]. Wakes it.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// let puck = scene.add_body(BodyDef::dynamic("puck").cuboid(DVec3::splat(0.5)).mass(2.0));
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.apply_impulse(puck, DVec3::X * 4.0)?;
    /// sim.apply_impulse_at(puck, DVec3::Y * 2.0, DVec3::X * 0.5)?;
    /// let velocity = sim.velocity(puck)?;
    /// assert!((velocity.linear - DVec3::new(2.0, 1.0, 0.0)).length() < 1e-12); // m/s
    /// assert!((velocity.angular - DVec3::Z * 3.0).length() < 1e-12); // 1 N·m·s on 1/3 kg·m²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply_impulse(&mut self, body: BodyId, impulse: DVec3) -> Result<(), RequestError> {
        self.kick(body, impulse, |_| DVec3::ZERO)
    }

    /// Changes the angular momentum of a body at once, world frame \[N·m·s\]. Wakes it.
    pub fn apply_angular_impulse(&mut self, body: BodyId, impulse: DVec3) -> Result<(), RequestError> {
        self.kick(body, DVec3::ZERO, |_| impulse)
    }

    /// Changes the momentum of a body at once, by an impulse at `point` of the world \[m\], world frame \[N·s\]. Wakes it.
    pub fn apply_impulse_at(&mut self, body: BodyId, impulse: DVec3, point: DVec3) -> Result<(), RequestError> {
        self.kick(body, impulse, |centre| (point - centre).cross(impulse))
    }

    fn kick(&mut self, body: BodyId, impulse: DVec3, turn: impl FnOnce(DVec3) -> DVec3) -> Result<(), RequestError> {
        let index = self.movable(body)?;
        let turn = turn(self.model.body_centre(&self.state, index as u32));
        if !(impulse.is_finite() && turn.is_finite()) {
            return Err(self.unfit(index, "the impulse is not finite", "give finite numbers"));
        }
        let inertia = self.model.body_inertia_world(&self.state, index);
        self.state.body_qd[index].linear += impulse / self.model.body_mass[index];
        self.state.body_qd[index].angular += inertia.inverse() * turn;
        self.solver.wake(index);
        Ok(())
    }

    /// Whether a body is left out of the work because it rests.
    pub fn is_asleep(&self, body: BodyId) -> Result<bool, RequestError> {
        Ok(self.solver.is_asleep(self.body_index(body)?))
    }

    /// Takes a body, and the group it sleeps with, back into the work. Solvers that leave nothing out have nothing to do.
    pub fn wake(&mut self, body: BodyId) -> Result<(), RequestError> {
        let index = self.in_play(body)?;
        self.solver.wake(index);
        Ok(())
    }

    /// Stops a body and everything it was connected to by contacts and joints in the last step, and leaves them out of the
    /// work until something disturbs them. Only `vbd` with its option `sleeping` can; others refuse.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1));
    /// let mut sim = Simulation::builder(scene.finalize()?).option("sleeping", true).build()?;
    /// sim.put_to_sleep(ball)?;
    /// sim.run(10, |_| ())?;
    /// assert!(sim.is_asleep(ball)? && sim.pose(ball)? == Pose::IDENTITY); // it hangs in the air
    /// sim.wake(ball)?;
    /// sim.run(10, |_| ())?;
    /// assert!(sim.pose(ball)?.translation.z < -0.1);
    /// sim.set_solver("jacobi")?;
    /// assert!(sim.put_to_sleep(ball).unwrap_err().to_string().contains("`jacobi`"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn put_to_sleep(&mut self, body: BodyId) -> Result<(), RequestError> {
        let index = self.movable(body)?;
        Ok(self.solver.put_to_sleep(&self.model, &mut self.state, &self.collide.contacts, index)?)
    }

    /// Pose a kinematic body shall have at the end of the next step; `None` lets it follow its velocity.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// let lift = scene.add_body(BodyDef::kinematic("lift").cuboid(DVec3::splat(0.5)));
    /// let cargo = scene.add_body(BodyDef::dynamic("cargo").at(DVec3::Z).cuboid(DVec3::splat(0.5)));
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.set_target(lift, Some(Pose::from_translation(DVec3::Z * 0.01)))?;
    /// sim.step()?;
    /// assert_eq!(sim.pose(lift)?.translation, DVec3::Z * 0.01);
    /// assert!(sim.set_target(cargo, None).is_err()); // forces move it, targets do not
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_target(&mut self, body: BodyId, pose: Option<Pose>) -> Result<(), RequestError> {
        let index = self.in_play(body)?;
        if self.model.body_kind[index] != BodyKind::Kinematic {
            let problem = format!("it is {}, only kinematic bodies have targets", kind(self.model.body_kind[index]));
            return Err(self.unfit(index, problem, "make it kinematic, or push it with forces"));
        }
        self.control.body_target[index] = pose;
        Ok(())
    }

    /// Mean force on a body (or on [`BodyId::WORLD`]) at all its contacts in the last step \[N\] and their torque about its
    /// centre of mass \[N·m\], world frame.
    pub fn contact_force(&self, body: BodyId) -> Result<(DVec3, DVec3), RequestError> {
        if !body.is_world() {
            self.body_index(body)?;
        }
        let mut sum = (DVec3::ZERO, DVec3::ZERO);
        for contact in self.contacts()? {
            for side in (0..2).filter(|&side| contact.body[side] == body) {
                sum.0 += if side == 0 { -contact.force } else { contact.force };
                sum.1 += contact.torque[side];
            }
        }
        Ok(sum)
    }

    /// Mean force and torque that a joint exerted on its child in the last step. For many, ask for all with
    /// [`Simulation::joint_forces`].
    pub fn joint_force(&self, joint: JointId) -> Result<JointForce, RequestError> {
        let index = self.joint_index(joint)?;
        Ok(self.joint_forces()?[index])
    }

    /// The index of a body that is not quarantined.
    pub(crate) fn in_play(&self, body: BodyId) -> Result<usize, RequestError> {
        let index = self.body_index(body)?;
        if self.state.body_quarantined[index] {
            let problem = "it was taken out of the simulation when its state stopped being finite";
            return Err(self.unfit(index, problem, "reset its world, or remove it"));
        }
        Ok(index)
    }

    /// The index of a body that forces move.
    pub(crate) fn movable(&self, body: BodyId) -> Result<usize, RequestError> {
        let index = self.in_play(body)?;
        match self.model.body_kind[index] {
            BodyKind::Dynamic => Ok(index),
            other => {
                let problem = format!("it is {}, forces do not move it", kind(other));
                Err(self.unfit(index, problem, "make it dynamic"))
            }
        }
    }

    /// Refuses a request about a body.
    pub(crate) fn unfit(&self, index: usize, problem: impl Into<String>, remedy: &str) -> RequestError {
        let name = self.model.body_name[index].clone();
        RequestError::Unfit { entity: Entity::Body, name, problem: problem.into(), remedy: remedy.to_owned() }
    }

    /// What a solver says of joints, by id.
    pub(crate) fn named_by_id(&self, mut report: Report) -> Report {
        for joint in report.unconverged.iter_mut().chain(&mut report.broken) {
            *joint = JointId(self.ids.joint.id(joint.0 as usize));
        }
        report
    }

    /// The ids of bodies at indices of the arrays.
    pub(crate) fn body_ids(&self, indices: &[u32]) -> Vec<BodyId> {
        indices.iter().map(|&index| self.body_id(index as usize)).collect()
    }
}

/// What a kind is called.
fn kind(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Dynamic => "dynamic",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Static => "static",
    }
}
