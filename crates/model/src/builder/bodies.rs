//! Bodies: what they weigh, where they start, what they wear.

use drystone_geometry::{DVec3, MassProperties, Pose};

use super::place::pose_methods;
use super::{ModelBuilder, ShapeDef, frames};
use crate::drag::Drag;
use crate::id::{BodyId, ShapeId};
use crate::joint::Axis;
use crate::model::BodyKind;
use crate::state::Twist;

/// Where the mass of a body comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MassSource {
    /// From the densities of its shapes.
    #[default]
    Density,
    /// The total is given \[kg\]; centre and inertia follow from the shapes, scaled.
    Total(f64),
    /// All given, in the body frame.
    Given(MassProperties),
}

/// A body to be added. Start with [`BodyDef::dynamic`], [`BodyDef::kinematic`] or
/// [`BodyDef::fixed`]; an empty name is replaced by `body_<index>`.
///
/// ```
/// use drystone_model::{BodyDef, DVec3, ModelBuilder};
/// let mut scene = ModelBuilder::new();
/// scene.ground();
/// scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z).cuboid(DVec3::splat(0.5)));
/// let model = scene.finalize()?;
/// assert_eq!(model.body_mass, [1000.0]);
/// # Ok::<(), drystone_model::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDef {
    /// Name, unique in the model.
    pub name: String,
    /// How it moves.
    pub kind: BodyKind,
    /// Initial pose of the body frame, world frame \[m\].
    pub pose: Pose,
    /// Initial velocity of the centre of mass \[m/s\] and angular velocity \[rad/s\], world frame.
    pub velocity: Twist,
    /// Where mass and inertia come from. Static and kinematic bodies have none unless given.
    pub mass: MassSource,
    /// What it wears.
    pub shapes: Vec<ShapeDef>,
    /// Rates at which velocity and angular velocity decay \[1/s\]; see [`BodyDef::damping`].
    pub damping: [f64; 2],
    /// Multiple of the gravity of its world that pulls it \[1\].
    pub gravity_scale: f64,
    /// What resists its motion; see [`BodyDef::drag`].
    pub drag: Vec<Drag>,
    /// Axes of the world along which the origin of the body frame does not move (x, y, z) and about which the body does not
    /// turn (x, y, z): a joint to the world named `<body>/locked`.
    pub locked: [bool; 6],
}

impl BodyDef {
    fn new(name: impl Into<String>, kind: BodyKind) -> Self {
        Self {
            name: name.into(),
            kind,
            pose: Pose::IDENTITY,
            velocity: Twist::default(),
            mass: MassSource::Density,
            shapes: Vec::new(),
            damping: [0.0; 2],
            gravity_scale: 1.0,
            drag: Vec::new(),
            locked: [false; 6],
        }
    }

    /// A body moved by forces.
    pub fn dynamic(name: impl Into<String>) -> Self {
        Self::new(name, BodyKind::Dynamic)
    }

    /// A body moved by the user.
    pub fn kinematic(name: impl Into<String>) -> Self {
        Self::new(name, BodyKind::Kinematic)
    }

    /// A body that never moves.
    pub fn fixed(name: impl Into<String>) -> Self {
        Self::new(name, BodyKind::Static)
    }

    pose_methods!("the body frame at the start, in the world frame");

    /// Sets the initial velocity of the centre of mass, world frame \[m/s\].
    pub fn velocity(mut self, linear: DVec3) -> Self {
        self.velocity.linear = linear;
        self
    }

    /// Sets the initial angular velocity, world frame \[rad/s\].
    pub fn spin(mut self, angular: DVec3) -> Self {
        self.velocity.angular = angular;
        self
    }

    /// Sets the total mass \[kg\], keeping the shape of the inertia that the shapes give.
    pub fn mass(mut self, mass: f64) -> Self {
        self.mass = MassSource::Total(mass);
        self
    }

    /// Sets mass, centre of mass and inertia, in the body frame.
    pub fn mass_properties(mut self, mass: MassProperties) -> Self {
        self.mass = MassSource::Given(mass);
        self
    }

    /// Sets the rates at which velocity and angular velocity decay \[1/s\]. A step of `dt` seconds takes the share
    /// 1 / (1 + rate · dt) of what the body had at its start over, whatever the rate: first order, and never past rest.
    pub fn damping(mut self, linear: f64, angular: f64) -> Self {
        self.damping = [linear, angular];
        self
    }

    /// Sets the multiple of the gravity of its world that pulls the body \[1\]; zero makes it float.
    pub fn gravity_scale(mut self, scale: f64) -> Self {
        self.gravity_scale = scale;
        self
    }

    /// Lets a medium, or a damper to the world, resist its motion. First order, and
    /// never past rest: a step takes over what is left of the momentum at its start after resisting through all of it, the
    /// quadratic part at the speed of the start.
    ///
    /// ```
    /// use drystone_model::{BodyDef, Drag, ModelBuilder};
    /// let mut sea = ModelBuilder::new();
    /// let drag = Drag { linear: [5.0; 6], ..Drag::default() };
    /// sea.add_body(BodyDef::dynamic("stone").sphere(0.1).drag(drag));
    /// assert_eq!(sea.finalize()?.body_drag[0], [drag]);
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn drag(mut self, drag: Drag) -> Self {
        self.drag.push(drag);
        self
    }

    /// Keeps the body from moving along and turning about axes of the world. Exactly one rotation cannot be locked:
    /// [`JointDef::axis_lock`](super::JointDef::axis_lock) says why and what can.
    ///
    /// ```
    /// use drystone_model::{Axis, BodyDef, DVec3, ModelBuilder};
    /// let mut flat = ModelBuilder::new();
    /// flat.add_body(BodyDef::dynamic("disc").sphere(0.5).lock(&[Axis::LinY, Axis::AngX, Axis::AngZ])); // moves in a plane
    /// assert_eq!(flat.finalize()?.joint_name, ["disc/locked"]);
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn lock(mut self, axes: &[Axis]) -> Self {
        axes.iter().for_each(|&axis| self.locked[axis as usize] = true);
        self
    }

    /// Adds a shape.
    pub fn shape(mut self, shape: ShapeDef) -> Self {
        self.shapes.push(shape);
        self
    }

    /// Adds a ball of the given radius \[m\].
    pub fn sphere(self, radius: f64) -> Self {
        self.shape(ShapeDef::sphere(radius))
    }

    /// Adds a box with the given half extents \[m\].
    pub fn cuboid(self, half: DVec3) -> Self {
        self.shape(ShapeDef::cuboid(half))
    }

    /// Adds a capsule along Z, half height without the caps \[m\].
    pub fn capsule(self, radius: f64, half_height: f64) -> Self {
        self.shape(ShapeDef::capsule(radius, half_height))
    }

    /// Changes every shape added so far.
    fn each_shape(mut self, change: impl Fn(&mut ShapeDef)) -> Self {
        self.shapes.iter_mut().for_each(change);
        self
    }

    /// Sets the density of the shapes added so far \[kg/m³\].
    pub fn density(self, density: f64) -> Self {
        self.each_shape(|shape| shape.material.density = density)
    }

    /// Sets static and dynamic friction of the shapes added so far \[1\].
    pub fn friction(self, friction: f64) -> Self {
        self.each_shape(|shape| shape.material.set_friction(friction))
    }

    /// Sets the restitution of the shapes added so far \[1\].
    pub fn restitution(self, restitution: f64) -> Self {
        self.each_shape(|shape| shape.material.restitution = restitution)
    }
}

/// A body without its shapes, and the world it lives in.
#[derive(Clone, Debug)]
pub(crate) struct BodyRecord {
    pub(crate) def: BodyDef,
    pub(crate) world: u32,
    /// What it wears, in the order added.
    pub(crate) shapes: Vec<ShapeId>,
}

impl ModelBuilder {
    /// Adds a body with its shapes to the current world.
    pub fn add_body(&mut self, mut def: BodyDef) -> BodyId {
        let body = BodyId(self.bodies.len() as u32);
        let shapes = std::mem::take(&mut def.shapes);
        def.pose = frames::tidy(def.pose);
        let (kind, locked) = (def.kind, std::mem::take(&mut def.locked));
        self.bodies.push(BodyRecord { def, world: self.world, shapes: Vec::new() });
        for shape in shapes {
            self.add_shape(body, shape);
        }
        self.lock_axes(body, kind, locked);
        body
    }

    /// The initial pose a body was added with; the identity for the world.
    pub fn body_pose(&self, body: BodyId) -> Pose {
        self.bodies.get(body.built_index()).map_or(Pose::IDENTITY, |record| record.def.pose)
    }

    /// The shapes of a body, in the order they were added; none for the world.
    pub fn body_shapes(&self, body: impl Into<BodyId>) -> &[ShapeId] {
        self.bodies.get(body.into().built_index()).map_or(&[], |record| &record.shapes)
    }
}
