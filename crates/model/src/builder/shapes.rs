//! Shapes: geometry, place on the body, material, and whom they meet.

use std::sync::Arc;

use drystone_geometry::{DVec3, Heightfield, Hull, Pose, Shape, TriMesh};

use super::place::pose_methods;
use super::{ModelBuilder, frames};
use crate::id::{BodyId, ShapeId};
use crate::material::Material;

/// A shape to be added; an empty name is replaced by `shape_<index>`.
///
/// ```
/// use drystone_model::{BodyDef, DVec3, ModelBuilder, ShapeDef};
/// let mut scene = ModelBuilder::new();
/// let head = ShapeDef::cuboid(DVec3::new(0.1, 0.03, 0.03)).at(DVec3::Z * 0.3).density(7800.0);
/// let handle = ShapeDef::cylinder(0.015, 0.3).density(600.0).friction(0.8);
/// scene.add_body(BodyDef::dynamic("hammer").shape(head).shape(handle));
/// let model = scene.finalize()?;
/// assert!(model.body_com[0].z > 0.2); // m: the head is the heavy part
/// # Ok::<(), drystone_model::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeDef {
    /// Name, unique in the model.
    pub name: String,
    /// Geometry in the frame of the shape.
    pub geometry: Shape,
    /// Pose of the shape in the frame of its body \[m\].
    pub pose: Pose,
    /// What it is made of.
    pub material: Material,
    /// Skin added around the surface for contact \[m\].
    pub margin: f64,
    /// Groups it belongs to, as bits.
    pub group: u32,
    /// Groups it meets, as bits; both sides must agree.
    pub mask: u32,
    /// Whether it only tells what overlaps it.
    pub sensor: bool,
    /// Velocity of its surface relative to the body, in the frame of the body \[m/s\].
    pub surface_velocity: DVec3,
}

impl ShapeDef {
    /// A shape with default material at the origin of its body.
    pub fn new(geometry: Shape) -> Self {
        Self {
            name: String::new(),
            geometry,
            pose: Pose::IDENTITY,
            material: Material::default(),
            margin: 0.0,
            group: 1,
            mask: u32::MAX,
            sensor: false,
            surface_velocity: DVec3::ZERO,
        }
    }

    /// A ball of the given radius \[m\].
    pub fn sphere(radius: f64) -> Self {
        Self::new(Shape::Sphere { radius })
    }

    /// A box with the given half extents \[m\].
    pub fn cuboid(half: DVec3) -> Self {
        Self::new(Shape::Box { half })
    }

    /// A capsule along Z, half height without the caps \[m\].
    pub fn capsule(radius: f64, half_height: f64) -> Self {
        Self::new(Shape::Capsule { radius, half_height })
    }

    /// A cylinder along Z \[m\].
    pub fn cylinder(radius: f64, half_height: f64) -> Self {
        Self::new(Shape::Cylinder { radius, half_height })
    }

    /// A cone along Z, apex up \[m\].
    pub fn cone(radius: f64, half_height: f64) -> Self {
        Self::new(Shape::Cone { radius, half_height })
    }

    /// An ellipsoid with the given semi-axes \[m\].
    pub fn ellipsoid(radii: DVec3) -> Self {
        Self::new(Shape::Ellipsoid { radii })
    }

    /// A convex polyhedron.
    pub fn hull(hull: impl Into<Arc<Hull>>) -> Self {
        Self::new(Shape::Hull(hull.into()))
    }

    /// A closed triangle mesh.
    pub fn mesh(mesh: impl Into<Arc<TriMesh>>) -> Self {
        Self::new(Shape::Mesh(mesh.into()))
    }

    /// Terrain.
    pub fn heightfield(field: impl Into<Arc<Heightfield>>) -> Self {
        Self::new(Shape::Heightfield(field.into()))
    }

    /// The half-space below a plane through `point` with the given outward normal, on a body
    /// frame. A zero normal is refused at `finalize`.
    pub fn plane(point: DVec3, normal: DVec3) -> Self {
        let rotation = frames::arc(DVec3::Z, normal);
        Self::new(Shape::HalfSpace).pose(Pose::from_parts(point, rotation))
    }

    /// Sets the name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    pose_methods!("the shape in the frame of its body");

    /// Sets the material.
    pub fn material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// Sets the density \[kg/m³\]; zero gives the shape no mass.
    pub fn density(mut self, density: f64) -> Self {
        self.material.density = density;
        self
    }

    /// Sets static and dynamic friction \[1\].
    pub fn friction(mut self, friction: f64) -> Self {
        self.material.set_friction(friction);
        self
    }

    /// Sets the restitution \[1\].
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.material.restitution = restitution;
        self
    }

    /// Sets the skin \[m\].
    pub fn margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// Sets the groups it belongs to and those it meets, as bits.
    pub fn groups(mut self, group: u32, mask: u32) -> Self {
        self.group = group;
        self.mask = mask;
        self
    }

    /// Makes it a sensor: it tells what overlaps it at the end of every step (events that begin and end), and neither
    /// pushes nor weighs anything. See [`crate::Model::shape_sensor`].
    pub fn sensor(mut self) -> Self {
        self.sensor = true;
        self
    }

    /// Makes its surface a conveyor belt that runs at this velocity relative to the body, in the frame of the body (world
    /// frame for shapes of the world) \[m/s\]. Friction drives what touches it towards the belt's speed; the shape itself
    /// does not move. The part along a contact's normal has no effect.
    pub fn surface_velocity(mut self, velocity: DVec3) -> Self {
        self.surface_velocity = velocity;
        self
    }
}

/// A shape, who wears it and the world it lives in.
#[derive(Clone, Debug)]
pub(crate) struct ShapeRecord {
    pub(crate) def: ShapeDef,
    pub(crate) body: BodyId,
    pub(crate) world: u32,
}

impl ModelBuilder {
    /// Adds a shape to a body, or to the world ([`crate::WORLD`]) at a world pose.
    pub fn add_shape(&mut self, body: impl Into<BodyId>, mut def: ShapeDef) -> ShapeId {
        def.pose = frames::tidy(def.pose);
        let body = body.into();
        let shape = ShapeId(self.shapes.len() as u32);
        let mut world = self.world;
        if let Some(wearer) = self.bodies.get_mut(body.built_index()) {
            world = wearer.world;
            wearer.shapes.push(shape);
        }
        self.shapes.push(ShapeRecord { def, body, world });
        shape
    }

    /// Adds the solid half-space z ≤ 0 to the current world.
    pub fn ground(&mut self) -> ShapeId {
        self.add_shape(BodyId::WORLD, ShapeDef::new(Shape::HalfSpace))
    }

    /// Keeps two shapes from colliding.
    pub fn filter_shapes(&mut self, a: ShapeId, b: ShapeId) {
        self.filters.push((a.0.min(b.0), a.0.max(b.0)));
    }

    /// Keeps two bodies from colliding, with the shapes they wear by now.
    pub fn filter_bodies(&mut self, a: impl Into<BodyId>, b: impl Into<BodyId>) {
        let pairs = self.shape_pairs(a.into(), b.into());
        self.filters.extend(pairs);
    }

    /// All pairs of a shape of one body and a shape of another, smaller index first.
    pub(super) fn shape_pairs(&self, a: BodyId, b: BodyId) -> Vec<(u32, u32)> {
        let pairs =
            self.body_shapes(a).iter().flat_map(|one| self.body_shapes(b).iter().map(move |other| (one.0, other.0)));
        pairs.map(|(one, other)| (one.min(other), one.max(other))).collect()
    }
}
