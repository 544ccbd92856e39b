//! The immutable description of a scene.

use glamx::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use drystone_geometry::{Pose, Shape};

use crate::attribute::Attributes;
use crate::drag::Drag;
use crate::id::{BodyId, JointId, ShapeId};
use crate::joint::{AxisMode, Drive, Follow, JointKind, Limit, RodStiffness, Spring};
use crate::material::Material;
use crate::state::Twist;

/// The body index that means "the world": shapes on it never move, joints to it are anchored.
pub const WORLD: u32 = u32::MAX;

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BodyKind {
    /// Moved by forces.
    Dynamic,
    /// Moved by the user (`Control::body_target` or its velocity); pushes others, feels nothing.
    Kinematic,
    /// Never moves.
    Static,
}

/// A scene: bodies, shapes, joints, particles and elements. Built by `ModelBuilder`, checked once,
/// then immutable. Every array has one entry per entity of its noun unless it says otherwise.
///
/// ```
/// use drystone_model::{BodyDef, DVec3, ModelBuilder};
/// let mut scene = ModelBuilder::new();
/// scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z).sphere(0.5).mass(2.0).velocity(DVec3::X * 3.0));
/// let model = scene.finalize()?;
/// let ball = model.body_named("ball").unwrap();
/// assert_eq!(model.body_inertia[ball.built_index()].x_axis.x, 0.4 * 2.0 * 0.25); // kg·m²
/// let energy = model.energy(&model.state());
/// assert!((energy.kinetic - 9.0).abs() < 1e-12 && (energy.potential - 2.0 * 9.81).abs() < 1e-12); // J
/// # Ok::<(), drystone_model::ModelError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Gravity of every world \[m/s²\]. Worlds are independent: their bodies never meet.
    pub world_gravity: Vec<DVec3>,
    /// Velocity of the air of every world \[m/s\], felt by triangles that have a drag or a lift.
    pub world_wind: Vec<DVec3>,

    /// Name, unique.
    pub body_name: Vec<String>,
    /// How the body moves.
    pub body_kind: Vec<BodyKind>,
    /// World the body lives in.
    pub body_world: Vec<u32>,
    /// Mass \[kg\]; zero for static and kinematic bodies without one.
    pub body_mass: Vec<f64>,
    /// Centre of mass in the body frame \[m\].
    pub body_com: Vec<DVec3>,
    /// Inertia tensor about the centre of mass, body axes \[kg·m²\].
    pub body_inertia: Vec<DMat3>,
    /// Initial pose of the body frame, world frame \[m\].
    pub body_q: Vec<Pose>,
    /// Initial velocity of the centre of mass \[m/s\] and angular velocity \[rad/s\], world frame.
    pub body_qd: Vec<Twist>,
    /// Rates at which velocity and angular velocity decay \[1/s\].
    pub body_damping: Vec<[f64; 2]>,
    /// Multiple of the gravity of its world that pulls the body \[1\].
    pub body_gravity_scale: Vec<f64>,
    /// What resists its motion: a medium, dampers to the world.
    pub body_drag: Vec<Vec<Drag>>,

    /// Name, unique.
    pub shape_name: Vec<String>,
    /// Geometry in the frame of the shape.
    pub shape_geometry: Vec<Shape>,
    /// Body that wears the shape, or [`WORLD`].
    pub shape_body: Vec<u32>,
    /// World the shape lives in.
    pub shape_world: Vec<u32>,
    /// Pose of the shape in the frame of its body \[m\].
    pub shape_pose: Vec<Pose>,
    /// What it is made of.
    pub shape_material: Vec<Material>,
    /// Skin added around the surface for contact \[m\]; contacts keep this distance.
    pub shape_margin: Vec<f64>,
    /// Groups the shape belongs to, as bits.
    pub shape_group: Vec<u32>,
    /// Groups the shape meets, as bits; both sides must agree.
    pub shape_mask: Vec<u32>,
    /// Whether the shape is a sensor: it tells what overlaps it, and neither pushes nor weighs anything.
    pub shape_sensor: Vec<bool>,
    /// Velocity of the shape's surface relative to its body, in the frame of the body (world frame for shapes of the
    /// world) \[m/s\]: zero but for conveyor belts. Friction sees the part of it across the contact normal.
    pub shape_surface_velocity: Vec<DVec3>,
    /// Shape pairs that never collide, smaller index first, sorted. Holds the pairs of directly
    /// jointed bodies unless the joint asked for collision.
    pub shape_filter: Vec<(u32, u32)>,

    /// Name, unique.
    pub joint_name: Vec<String>,
    /// What the joint is called.
    pub joint_kind: Vec<JointKind>,
    /// Parent body, or [`WORLD`].
    pub joint_parent: Vec<u32>,
    /// Child body.
    pub joint_child: Vec<u32>,
    /// Joint frame in the parent body's frame (world frame for [`WORLD`]) \[m\].
    pub joint_frame_parent: Vec<Pose>,
    /// Joint frame in the child body's frame \[m\].
    pub joint_frame_child: Vec<Pose>,
    /// Mode of every axis.
    pub joint_axis: Vec<[AxisMode; 6]>,
    /// Limit of every free axis.
    pub joint_limit: Vec<[Limit; 6]>,
    /// Drive of every free axis.
    pub joint_drive: Vec<[Drive; 6]>,
    /// Spring and damper of every free axis, beside its drive.
    pub joint_spring: Vec<[Spring; 6]>,
    /// What every free axis follows, if it does.
    pub joint_follow: Vec<[Option<Follow>; 6]>,
    /// Dry friction along every free axis, as the largest effort it can hold \[N or N·m\].
    pub joint_friction: Vec<[f64; 6]>,
    /// Rotor inertia reflected to every free axis \[kg or kg·m²\].
    pub joint_armature: Vec<[f64; 6]>,
    /// Largest rate of every free axis \[m/s or rad/s\]; infinite means none.
    pub joint_max_rate: Vec<[f64; 6]>,
    /// Stiffness of the locked translations and rotations \[N/m\], \[N·m/rad\]; infinite means hard.
    pub joint_stiffness: Vec<[f64; 2]>,
    /// Damping of the locked translations and rotations \[N·s/m\], \[N·m·s/rad\].
    pub joint_damping: Vec<[f64; 2]>,
    /// Force and torque above which the joint breaks \[N\], \[N·m\]; infinite means never.
    pub joint_break: Vec<[f64; 2]>,
    /// Smallest and largest distance of a distance joint \[m\].
    pub joint_distance: Vec<[f64; 2]>,
    /// Elastic constants of rod joints.
    pub joint_rod: Vec<Option<RodStiffness>>,
    /// Initial enable flag.
    pub joint_enabled: Vec<bool>,
    /// Unwrapped rotation coordinates at the initial poses \[rad\].
    pub joint_angle: Vec<[f64; 3]>,

    /// World the particle lives in.
    pub particle_world: Vec<u32>,
    /// Initial position \[m\].
    pub particle_q: Vec<DVec3>,
    /// Initial velocity \[m/s\].
    pub particle_qd: Vec<DVec3>,
    /// Mass \[kg\]; zero pins the particle.
    pub particle_mass: Vec<f64>,
    /// Contact radius \[m\].
    pub particle_radius: Vec<f64>,
    /// Coefficients of friction while sticking and while sliding \[1\]; without them those that the solver's options say.
    pub particle_friction: Vec<Option<[f64; 2]>>,
    /// Groups the particle belongs to, as bits.
    pub particle_group: Vec<u32>,
    /// Groups the particle meets, as bits; both sides must agree, be they particles or shapes.
    pub particle_mask: Vec<u32>,
    /// Pairs of particles that never meet, and neither do the triangles and edges that they are corners of; smaller index first, sorted.
    pub particle_filter: Vec<[u32; 2]>,

    /// End particles.
    pub spring_particle: Vec<[u32; 2]>,
    /// Rest length \[m\].
    pub spring_length: Vec<f64>,
    /// Stiffness \[N/m\].
    pub spring_stiffness: Vec<f64>,
    /// Damping along the spring \[N·s/m\].
    pub spring_damping: Vec<f64>,

    /// Corner particles.
    pub triangle_particle: Vec<[u32; 3]>,
    /// Inverse of the rest edge matrix, column-major 2×2 \[1/m\].
    pub triangle_rest: Vec<[f64; 4]>,
    /// Rest area \[m²\].
    pub triangle_area: Vec<f64>,
    /// First and second Lamé-type constants μ, λ and damping \[N/m\], \[N/m\], \[N·s/m\].
    pub triangle_material: Vec<[f64; 3]>,
    /// Drag along and lift across the stream of the air, each half its density times the coefficient \[kg/m³\]; zero feels no air.
    pub triangle_air: Vec<[f64; 2]>,

    /// Opposite particles (or [`WORLD`] on a boundary), then the edge's particles.
    pub edge_particle: Vec<[u32; 4]>,
    /// Rest dihedral angle \[rad\].
    pub edge_angle: Vec<f64>,
    /// Rest length \[m\].
    pub edge_length: Vec<f64>,
    /// Bending stiffness and damping \[N·m/(rad·m)\], \[N·m·s/(rad·m)\].
    pub edge_material: Vec<[f64; 2]>,

    /// Corner particles.
    pub tet_particle: Vec<[u32; 4]>,
    /// Inverse of the rest edge matrix \[1/m\].
    pub tet_rest: Vec<DMat3>,
    /// μ, λ and damping \[Pa\], \[Pa\], \[Pa·s\].
    pub tet_material: Vec<[f64; 3]>,

    /// Particle that is held.
    pub attachment_particle: Vec<u32>,
    /// Particle that it is sewn to, or [`WORLD`]: a body or the world holds it.
    pub attachment_other: Vec<u32>,
    /// Body that holds it, or [`WORLD`]: the world does, or it is sewn to another particle.
    pub attachment_body: Vec<u32>,
    /// Where it is held, in the frame of the body or of the world \[m\].
    pub attachment_point: Vec<DVec3>,
    /// Stiffness \[N/m\]; infinite means hard.
    pub attachment_stiffness: Vec<f64>,

    /// Solver-specific numbers by name.
    pub attributes: Attributes,
}

impl Model {
    /// Number of worlds.
    pub fn world_count(&self) -> usize {
        self.world_gravity.len()
    }

    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.body_name.len()
    }

    /// Number of shapes.
    pub fn shape_count(&self) -> usize {
        self.shape_geometry.len()
    }

    /// Number of joints.
    pub fn joint_count(&self) -> usize {
        self.joint_kind.len()
    }

    /// Whether a shape can touch anything: sensors cannot.
    pub fn is_solid(&self, shape: usize) -> bool {
        !self.shape_sensor.get(shape).copied().unwrap_or_default()
    }

    /// What gravity accelerates a body by \[m/s²\].
    pub fn body_gravity(&self, body: usize) -> DVec3 {
        let scale = self.body_gravity_scale.get(body).copied().unwrap_or(1.0);
        self.world_gravity[self.body_world[body] as usize] * scale
    }

    /// The body with the given name.
    pub fn body_named(&self, name: &str) -> Option<BodyId> {
        self.body_name.iter().position(|have| have == name).map(|index| BodyId(index as u32))
    }

    /// The shape with the given name.
    pub fn shape_named(&self, name: &str) -> Option<ShapeId> {
        self.shape_name.iter().position(|have| have == name).map(|index| ShapeId(index as u32))
    }

    /// The joint with the given name.
    pub fn joint_named(&self, name: &str) -> Option<JointId> {
        self.joint_name.iter().position(|have| have == name).map(|index| JointId(index as u32))
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.particle_q.len()
    }
}
