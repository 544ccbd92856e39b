//! Box3D through the crate `boxddd`: 32-bit floats, its own workers, sleeping disabled.

use boxddd::SphericalJointDef;
use boxddd::prelude::{
    BodyDef, BodyId, BodyType, BoxHull, Capsule, Filter, Foundation, Hull, MassData, Matrix3, Quat, Sphere, Transform,
    Vec3, World,
};
use drystone::geometry::{DQuat, DVec3, Pose as DPose, Shape};
use drystone::model::{BodyKind, JointKind, Model, State, Twist, WORLD};

use crate::engine::{Engine, Fault};

/// Box3D has no half-space: the ground is a box with its top at the plane \[m\].
const GROUND: [f32; 3] = [200.0, 200.0, 1.0];

/// What Box3D advises.
const SUBSTEPS: i32 = 4;

/// A Box3D world made from a model.
pub struct Box3d {
    world: World,
    bodies: Vec<BodyId>,
    dt: f32,
    substeps: i32,
}

impl Box3d {
    /// Builds the scene. Masses and inertias are the model's, not Box3D's own.
    pub fn new(model: &Model, dt: f64, substeps: Option<u32>, threads: u32) -> Result<Self, Fault> {
        let foundation = Foundation::get().or_else(|_| Foundation::initialize_default())?;
        let gravity = vector(model.world_gravity[0]);
        let definition = foundation.world_def_builder().gravity(gravity).enable_sleep(false).worker_count(threads);
        let mut world = foundation.create_world(definition.build()?)?;
        let ground = world.create_body(foundation.body_def_builder().build()?)?;
        let mut bodies = Vec::with_capacity(model.body_count());
        for body in 0..model.body_count() {
            bodies.push(world.create_body(body_of(foundation, model, body)?)?);
        }
        let handle = |body: u32| if body == WORLD { ground } else { bodies[body as usize] };
        for shape in 0..model.shape_count() {
            add_shape(foundation, &mut world, model, shape, handle(model.shape_body[shape]))?;
        }
        for (body, id) in bodies.iter().enumerate().filter(|(body, _)| model.body_kind[*body] == BodyKind::Dynamic) {
            world.set_body_mass_data(*id, mass_of(model, body))?;
        }
        for joint in 0..model.joint_count() {
            if model.joint_kind[joint] != JointKind::Ball {
                return Err(format!("joint {joint} is not a ball joint").into());
            }
            let (parent, child) = (handle(model.joint_parent[joint]), handle(model.joint_child[joint]));
            let definition = SphericalJointDef::new(parent, child)
                .local_frame_a(transform(&model.joint_frame_parent[joint]))
                .local_frame_b(transform(&model.joint_frame_child[joint]))
                .collide_connected(false);
            world.create_spherical_joint(definition)?;
        }
        let substeps = substeps.map_or(SUBSTEPS, |count| count as i32);
        Ok(Self { world, bodies, dt: dt as f32, substeps })
    }
}

impl Engine for Box3d {
    fn step(&mut self) -> Result<(), Fault> {
        Ok(self.world.step(self.dt, self.substeps)?)
    }

    fn read(&self, state: &mut State) -> Result<(), Fault> {
        for (index, id) in self.bodies.iter().enumerate() {
            let place = self.world.body_transform(*id)?;
            let (v, w) = (self.world.body_linear_velocity(*id)?, self.world.body_angular_velocity(*id)?);
            let position = DVec3::new(f64::from(place.p.x), f64::from(place.p.y), f64::from(place.p.z));
            let turn = DQuat::from_xyzw(place.q.v.x.into(), place.q.v.y.into(), place.q.v.z.into(), place.q.s.into());
            state.body_q[index] = DPose::from_parts(position, turn.normalize());
            state.body_qd[index] = Twist { linear: double(v), angular: double(w) };
        }
        Ok(())
    }
}

fn vector(v: DVec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

fn double(v: Vec3) -> DVec3 {
    DVec3::new(v.x.into(), v.y.into(), v.z.into())
}

fn quaternion(q: DQuat) -> Quat {
    Quat::new(Vec3::new(q.x as f32, q.y as f32, q.z as f32), q.w as f32)
}

fn transform(pose: &DPose) -> Transform {
    Transform { p: vector(pose.translation), q: quaternion(pose.rotation) }
}

fn body_of(foundation: &Foundation, model: &Model, body: usize) -> Result<BodyDef, Fault> {
    let kind = match model.body_kind[body] {
        BodyKind::Dynamic => BodyType::Dynamic,
        BodyKind::Kinematic => BodyType::Kinematic,
        BodyKind::Static => BodyType::Static,
    };
    let (pose, velocity) = (&model.body_q[body], model.body_qd[body]);
    let place = pose.translation;
    let definition = foundation.body_def_builder().body_type(kind).enable_sleep(false);
    let definition = definition.position([place.x as f32, place.y as f32, place.z as f32]);
    let definition = definition.rotation(quaternion(pose.rotation));
    Ok(definition.linear_velocity(vector(velocity.linear)).angular_velocity(vector(velocity.angular)).build()?)
}

fn mass_of(model: &Model, body: usize) -> MassData {
    let inertia = model.body_inertia[body];
    let (cx, cy, cz) = (vector(inertia.x_axis), vector(inertia.y_axis), vector(inertia.z_axis));
    let center = vector(model.body_com[body]);
    MassData { mass: model.body_mass[body] as f32, center, inertia: Matrix3 { cx, cy, cz } }
}

fn add_shape(
    foundation: &Foundation,
    world: &mut World,
    model: &Model,
    shape: usize,
    body: BodyId,
) -> Result<(), Fault> {
    let material = model.shape_material[shape];
    let (category_bits, mask_bits) = (model.shape_group[shape].into(), model.shape_mask[shape].into());
    let definition = foundation
        .shape_def_builder()
        .density(material.density as f32)
        .friction(material.friction_static as f32)
        .restitution(material.restitution as f32)
        .filter(Filter { category_bits, mask_bits, group_index: 0 })
        .build()?;
    let pose = &model.shape_pose[shape];
    match &model.shape_geometry[shape] {
        Shape::Sphere { radius } => {
            let center = vector(pose.translation);
            world.create_sphere_shape(body, &definition, &Sphere::new(center, *radius as f32))?;
        }
        Shape::Capsule { radius, half_height } => {
            let end = |sign: f64| vector(pose.transform_point(DVec3::Z * (sign * half_height)));
            world.create_capsule_shape(body, &definition, &Capsule::new(end(-1.0), end(1.0), *radius as f32))?;
        }
        Shape::Box { half } if *pose == DPose::IDENTITY => {
            let hull = BoxHull::new(half.x as f32, half.y as f32, half.z as f32)?;
            world.create_hull_shape(body, &definition, &hull)?;
        }
        Shape::Hull(hull) if *pose == DPose::IDENTITY => {
            let points: Vec<Vec3> = hull.vertices.iter().map(|point| vector(*point)).collect();
            let hull = Hull::from_points(&points, points.len() as i32)?;
            world.create_created_hull_shape(body, &definition, &hull)?;
        }
        Shape::HalfSpace if *pose == DPose::IDENTITY => {
            let [x, y, z] = GROUND;
            world.create_hull_shape(body, &definition, &BoxHull::offset(x, y, z, [0.0, 0.0, -z])?)?;
        }
        other => return Err(format!("no counterpart in Box3D for {other:?} at {pose:?}").into()),
    }
    Ok(())
}
