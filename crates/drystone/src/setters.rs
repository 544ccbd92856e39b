//! Changing single things while a simulation runs. What is a matter of state or control is set at once; what is a matter of
//! the model is an edit of one change ([`Simulation::edit`]), at the cost of one: put several into one batch.

use drystone_model::{
    Axis, AxisMode, BodyId, BodyKind, DVec3, Drive, Entity, JointDef, JointId, MassSource, Material, Pose, ShapeId,
    Twist, WorldId,
};
use drystone_solve::StepError;

use crate::edit::EditError;
use crate::ids::RequestError;
use crate::simulation::Simulation;

impl Simulation {
    /// Sets the time step \[s\]. Invalidates nothing; solvers scale what they remember, and second-order integrators take one
    /// first-order step.
    pub fn set_dt(&mut self, dt: f64) -> Result<(), StepError> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(StepError::BadTimeStep(dt));
        }
        self.dt = dt;
        Ok(())
    }

    /// Sets the gravity of a world \[m/s²\]. Wakes everything in it; loads are kept as the first guess.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1));
    /// let mut sim = Simulation::builder(scene.finalize()?).dt(0.01).build()?;
    /// sim.set_gravity(WorldId(0), DVec3::X * 2.0)?;
    /// sim.run(100, |_| ())?;
    /// assert!((sim.velocity(ball)?.linear - DVec3::X * 2.0).length() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_gravity(&mut self, world: WorldId, gravity: DVec3) -> Result<(), EditError> {
        self.edit(|scene| scene.set_gravity(world, gravity))
    }

    /// Sets the velocity of the air in a world from the next step on \[m/s\]: triangles with a drag or a lift feel it.
    ///
    /// ```
    /// use drystone::model::{ElementMaterial, ParticleDef};
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// scene.gravity(DVec3::ZERO);
    /// let corners = [DVec3::ZERO, DVec3::Y, DVec3::Z].map(|at| scene.add_particle(ParticleDef::new(at, 0.1)));
    /// scene.add_triangle(corners, ElementMaterial { mu: 100.0, lambda: 100.0, damping: 0.0 });
    /// scene.air(&corners, 0.6, 0.0);
    /// let mut sim = Simulation::builder(scene.finalize()?).dt(0.01).build()?;
    /// sim.set_wind(WorldId(0), DVec3::X * 5.0)?;
    /// sim.run(2000, |_| ())?;
    /// assert!((sim.state().particle_qd[0].x - 5.0).abs() < 0.1); // it goes with the wind
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_wind(&mut self, world: WorldId, wind: DVec3) -> Result<(), RequestError> {
        let (id, next) = (world.0, self.model().world_count() as u32);
        if id >= next {
            return Err(RequestError::Unknown { entity: Entity::World, id, next });
        }
        if !wind.is_finite() {
            let (name, problem) = (id.to_string(), format!("{wind} is no velocity"));
            return Err(RequestError::Unfit {
                entity: Entity::World,
                name,
                problem,
                remedy: "give finite numbers".into(),
            });
        }
        self.control.world_wind.resize(next as usize, DVec3::ZERO);
        self.control.world_wind[id as usize] = wind;
        Ok(())
    }

    /// Sets what a shape is made of. Wakes what touches it; loads are kept as the first guess. The mass of its body stays as
    /// it is, whatever the density.
    pub fn set_material(&mut self, shape: ShapeId, material: Material) -> Result<(), EditError> {
        self.edit(|scene| scene.change_shape(shape, |def| def.material = material))
    }

    /// Sets the groups a shape belongs to and those it meets, as bits. Wakes what touches it.
    pub fn set_groups(&mut self, shape: ShapeId, group: u32, mask: u32) -> Result<(), EditError> {
        self.edit(|scene| scene.change_shape(shape, |def| (def.group, def.mask) = (group, mask)))
    }

    /// Sets the mass of a body \[kg\]; its inertia grows by the same factor. Wakes what touches it and what it is tied to; loads
    /// are kept as the first guess.
    pub fn set_mass(&mut self, body: BodyId, mass: f64) -> Result<(), EditError> {
        self.edit(|scene| {
            scene.change_body(body, |def| {
                def.mass = match def.mass {
                    MassSource::Given(given) if given.mass > 0.0 => MassSource::Given(given.scaled_to_mass(mass)),
                    _ => MassSource::Total(mass),
                };
            })
        })
    }

    /// Sets how a body moves. One made static stops; one made dynamic that has no mass gets that of its shapes. Wakes what
    /// touches it and what it is tied to; contacts keep their loads.
    pub fn set_kind(&mut self, body: BodyId, kind: BodyKind) -> Result<(), EditError> {
        self.edit(|scene| scene.change_body(body, |def| def.kind = kind))
    }

    /// Sets the rates at which velocity and angular velocity of a body decay \[1/s\]: a step of `dt` seconds takes the share
    /// 1 / (1 + rate · dt) over. Wakes what touches it.
    pub fn set_damping(&mut self, body: BodyId, linear: f64, angular: f64) -> Result<(), EditError> {
        self.edit(|scene| scene.change_body(body, |def| def.damping = [linear, angular]))
    }

    /// Sets the multiple of gravity that pulls a body \[1\]. Wakes what touches it.
    pub fn set_gravity_scale(&mut self, body: BodyId, scale: f64) -> Result<(), EditError> {
        self.edit(|scene| scene.change_body(body, |def| def.gravity_scale = scale))
    }

    /// Keeps a body from moving along and turning about axes of the world, from where it is now; none frees it again. This is a
    /// joint to the world named `<body>/locked`, so that what it carries can be asked for. Exactly one rotation cannot be locked:
    /// [`JointDef::axis_lock`] says why and what can.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// let bead = scene.add_body(BodyDef::dynamic("bead").sphere(0.1).velocity(DVec3::X));
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.lock_axes(bead, &[Axis::LinZ, Axis::AngX, Axis::AngY, Axis::AngZ])?;
    /// sim.run(60, |_| ())?;
    /// let place = sim.pose(bead)?.translation;
    /// assert!((place - DVec3::X).length() < 1e-6); // it slides and does not fall
    /// sim.lock_axes(bead, &[])?;
    /// sim.run(60, |_| ())?;
    /// assert!(sim.pose(bead)?.translation.z < -4.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lock_axes(&mut self, body: BodyId, axes: &[Axis]) -> Result<(), EditError> {
        let index = self.movable(body)?;
        let name = JointDef::axis_lock_name(&self.model.body_name[index]);
        let mut locked = [false; 6];
        axes.iter().for_each(|&axis| locked[axis as usize] = true);
        let (old, pose) = (self.joint(&name), self.state.body_q[index]);
        let [problem, remedy] = JointDef::ONE_ROTATION;
        let joint = JointDef::axis_lock(body, pose, locked).ok_or_else(|| self.unfit(index, problem, remedy))?;
        self.edit(|scene| {
            if let Some(old) = old {
                scene.remove_joint(old)?;
            }
            if !axes.is_empty() {
                scene.add_joint(joint.named(name))?;
            }
            Ok(())
        })
    }

    /// Sets the drive of a free axis of a joint: gains, targets and largest effort. Its loads begin anew, and what it ties
    /// wakes. For a new target alone, [`Simulation::set_drive_target`] costs nothing.
    pub fn set_drive(&mut self, joint: JointId, axis: Axis, drive: Drive) -> Result<(), EditError> {
        self.free_axis(joint, axis)?;
        self.edit(|scene| scene.change_joint(joint, |def| def.drive[axis as usize] = drive))
    }

    /// Sets what the drive of an axis aims at \[m or rad\] from the next step on. Invalidates nothing.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// scene.gravity(DVec3::ZERO);
    /// let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).sphere(0.1).mass(1.0));
    /// let hinge = JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Z);
    /// let hinge = scene.add_joint(hinge.drive(Axis::AngX, Drive::position(0.0, 100.0, 20.0)));
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.set_drive_target(hinge, Axis::AngX, 0.5)?;
    /// sim.run(120, |_| ())?;
    /// assert!((sim.pose(arm)?.translation.y - 0.5_f64.sin()).abs() < 1e-3);
    /// assert!(sim.set_drive_target(hinge, Axis::LinX, 0.5).is_err()); // locked
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_drive_target(&mut self, joint: JointId, axis: Axis, target: f64) -> Result<(), RequestError> {
        let index = self.driven_axis(joint, axis)?;
        self.control.joint_target[index][axis as usize] = target;
        self.wake_joint(index);
        Ok(())
    }

    /// Sets the rate the drive of an axis aims at \[m/s or rad/s\] from the next step on. Invalidates nothing.
    pub fn set_drive_velocity(&mut self, joint: JointId, axis: Axis, velocity: f64) -> Result<(), RequestError> {
        let index = self.driven_axis(joint, axis)?;
        self.control.joint_target_velocity[index][axis as usize] = velocity;
        self.wake_joint(index);
        Ok(())
    }

    /// Sets the effort along a free axis of a joint in every step from the next one on \[N or N·m\].
    pub fn set_effort(&mut self, joint: JointId, axis: Axis, effort: f64) -> Result<(), RequestError> {
        let index = self.free_axis(joint, axis)?;
        self.control.joint_f[index][axis as usize] = effort;
        Ok(())
    }

    /// Switches a joint on or off from the next step on. What it ties wakes; switched off, it forgets its loads.
    pub fn set_joint_enabled(&mut self, joint: JointId, enabled: bool) -> Result<(), RequestError> {
        let index = self.joint_index(joint)?;
        self.control.joint_enabled[index] = enabled;
        self.wake_joint(index);
        Ok(())
    }

    /// Puts a body elsewhere \[m\]; its velocity stays. Wakes it. Contacts that are not there any more are forgotten by themselves;
    /// for many bodies at once see [`Simulation::reset_history`].
    pub fn set_pose(&mut self, body: BodyId, pose: Pose) -> Result<(), RequestError> {
        let index = self.in_play(body)?;
        let length = pose.rotation.length();
        if !(pose.translation.is_finite() && (length - 1.0).abs() < 1e-6) {
            return Err(self.unfit(index, format!("{pose:?} is no pose"), "give finite numbers and a unit quaternion"));
        }
        self.state.body_q[index] = pose;
        self.before.body_q[index] = pose;
        self.query.state_changed();
        self.solver.wake(index);
        Ok(())
    }

    /// Sets the velocity of a body: of its centre of mass \[m/s\], angular \[rad/s\]. Wakes it. A kinematic body goes on with
    /// it; a static one has none.
    pub fn set_velocity(&mut self, body: BodyId, velocity: Twist) -> Result<(), RequestError> {
        let index = self.in_play(body)?;
        if self.model.body_kind[index] == BodyKind::Static {
            return Err(self.unfit(index, "it is static, it has no velocity", "make it kinematic or dynamic"));
        }
        if !(velocity.linear.is_finite() && velocity.angular.is_finite()) {
            return Err(self.unfit(index, "the velocity is not finite", "give finite numbers"));
        }
        self.state.body_qd[index] = velocity;
        self.solver.wake(index);
        Ok(())
    }

    fn wake_joint(&mut self, joint: usize) {
        for body in [self.model.joint_parent[joint], self.model.joint_child[joint]] {
            if (body as usize) < self.model.body_count() {
                self.solver.wake(body as usize);
            }
        }
    }

    /// The index of a joint whose axis is free.
    fn free_axis(&self, joint: JointId, axis: Axis) -> Result<usize, RequestError> {
        let index = self.joint_index(joint)?;
        match self.model.joint_axis[index][axis as usize] {
            AxisMode::Free => Ok(index),
            AxisMode::Locked => {
                Err(self.unfit_joint(index, format!("its axis {axis:?} is locked"), "name a free axis"))
            }
        }
    }

    /// The index of a joint whose axis has a drive.
    fn driven_axis(&self, joint: JointId, axis: Axis) -> Result<usize, RequestError> {
        let index = self.free_axis(joint, axis)?;
        let drive = &self.model.joint_drive[index][axis as usize];
        if drive.stiffness == 0.0 && drive.damping == 0.0 {
            let problem = format!("its axis {axis:?} has no drive");
            return Err(self.unfit_joint(index, problem, "give it one with `set_drive`"));
        }
        Ok(index)
    }

    fn unfit_joint(&self, index: usize, problem: String, remedy: &str) -> RequestError {
        let name = self.model.joint_name[index].clone();
        RequestError::Unfit { entity: Entity::Joint, name, problem, remedy: remedy.to_owned() }
    }
}
