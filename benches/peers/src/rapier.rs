//! Rapier: 32-bit floats, default settings, sleeping disabled.

use drystone::geometry::{Pose as DPose, Shape};
use drystone::model::{BodyKind, JointKind, Model, State, Twist, WORLD};
use rapier3d::na::Unit;
use rapier3d::prelude::*;

use crate::engine::{Engine, Fault};

/// A Rapier world made from a model.
pub struct Rapier {
    /// The world, for those who want its counters.
    pub world: PhysicsWorld,
    /// The body of every body of the model.
    pub bodies: Vec<RigidBodyHandle>,
    pool: Option<rayon::ThreadPool>,
}

impl Rapier {
    /// Builds the scene. Masses and inertias are the model's, not Rapier's own.
    pub fn new(model: &Model, dt: f64) -> Result<Self, Fault> {
        let mut world = PhysicsWorld { gravity: model.world_gravity[0].as_vec3(), ..PhysicsWorld::default() };
        world.integration_parameters.dt = dt as f32;
        let bodies: Vec<_> = (0..model.body_count()).map(|body| world.insert_body(body_of(model, body))).collect();
        let ground = world.insert_body(RigidBodyBuilder::fixed());
        let handle = |body: u32| if body == WORLD { ground } else { bodies[body as usize] };
        for shape in 0..model.shape_count() {
            let collider = collider_of(model, shape)?;
            world.insert_collider(collider, Some(handle(model.shape_body[shape])));
        }
        for joint in 0..model.joint_count() {
            if model.joint_kind[joint] != JointKind::Ball {
                return Err(format!("joint {joint} is not a ball joint").into());
            }
            let definition = SphericalJointBuilder::new()
                .local_anchor1(model.joint_frame_parent[joint].translation.as_vec3())
                .local_anchor2(model.joint_frame_child[joint].translation.as_vec3())
                .contacts_enabled(false);
            let (parent, child) = (handle(model.joint_parent[joint]), handle(model.joint_child[joint]));
            world.insert_impulse_joint(parent, child, definition);
        }
        Ok(Self { world, bodies, pool: None })
    }

    /// Sets the solver iterations per step; Rapier's own choice is 4.
    pub fn iterations(mut self, count: Option<u32>) -> Self {
        let parameters = &mut self.world.integration_parameters;
        parameters.num_solver_iterations = count.map_or(parameters.num_solver_iterations, |count| count as usize);
        self
    }

    /// Sets the threads; one is the caller's own.
    pub fn threads(mut self, count: usize) -> Result<Self, Fault> {
        let pool = (count > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(count).build());
        self.pool = pool.transpose()?;
        Ok(self)
    }

    /// Puts every body where `state` has it.
    pub fn place(&mut self, state: &State) {
        for (handle, pose) in self.bodies.iter().zip(&state.body_q) {
            if let Some(body) = self.world.bodies.get_mut(*handle).filter(|body| body.is_dynamic()) {
                body.set_position(single(pose), true);
            }
        }
    }
}

impl Engine for Rapier {
    fn step(&mut self) -> Result<(), Fault> {
        let Self { world, pool, .. } = self;
        match pool {
            Some(pool) => pool.install(|| world.step()),
            None => world.step(),
        }
        Ok(())
    }

    fn read(&self, state: &mut State) -> Result<(), Fault> {
        for (index, handle) in self.bodies.iter().enumerate() {
            let body = &self.world.bodies[*handle];
            let pose = body.position();
            state.body_q[index] = DPose::from_parts(pose.translation.as_dvec3(), pose.rotation.as_dquat().normalize());
            state.body_qd[index] = Twist { linear: body.linvel().as_dvec3(), angular: body.angvel().as_dvec3() };
        }
        Ok(())
    }
}

fn single(pose: &DPose) -> Pose {
    Pose::from_parts(pose.translation.as_vec3(), pose.rotation.as_quat())
}

fn body_of(model: &Model, body: usize) -> RigidBodyBuilder {
    let builder = match model.body_kind[body] {
        BodyKind::Dynamic => RigidBodyBuilder::dynamic(),
        BodyKind::Kinematic => RigidBodyBuilder::kinematic_velocity_based(),
        BodyKind::Static => RigidBodyBuilder::fixed(),
    };
    let velocity = model.body_qd[body];
    let (center, inertia) = (model.body_com[body].as_vec3(), model.body_inertia[body].as_mat3());
    let mass = MassProperties::with_inertia_matrix(center, model.body_mass[body] as f32, inertia);
    let builder = builder.pose(single(&model.body_q[body])).can_sleep(false);
    let builder = builder.linvel(velocity.linear.as_vec3()).angvel(velocity.angular.as_vec3());
    if model.body_kind[body] == BodyKind::Dynamic { builder.additional_mass_properties(mass) } else { builder }
}

fn collider_of(model: &Model, shape: usize) -> Result<ColliderBuilder, Fault> {
    let collider = match &model.shape_geometry[shape] {
        Shape::Sphere { radius } => ColliderBuilder::ball(*radius as f32),
        Shape::Box { half } => ColliderBuilder::cuboid(half.x as f32, half.y as f32, half.z as f32),
        Shape::Capsule { radius, half_height } => ColliderBuilder::capsule_z(*half_height as f32, *radius as f32),
        Shape::HalfSpace => ColliderBuilder::halfspace(Unit::new_unchecked(Vector::Z)),
        Shape::Hull(hull) => {
            let points: Vec<Vector> = hull.vertices.iter().map(|point| point.as_vec3()).collect();
            ColliderBuilder::convex_hull(&points).ok_or("Rapier refuses a hull")?
        }
        other => return Err(format!("no counterpart in Rapier for {other:?}").into()),
    };
    let bits = |bits: u32| Group::from_bits_truncate(bits);
    let groups =
        InteractionGroups::new(bits(model.shape_group[shape]), bits(model.shape_mask[shape]), InteractionTestMode::And);
    let material = model.shape_material[shape];
    Ok(collider
        .position(single(&model.shape_pose[shape]))
        .density(0.0)
        .sensor(model.shape_sensor[shape])
        .friction(material.friction_static as f32)
        .restitution(material.restitution as f32)
        .collision_groups(groups))
}
