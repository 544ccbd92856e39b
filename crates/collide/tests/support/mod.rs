//! Small scenes and random numbers for the tests.
#![allow(dead_code)]

pub use drystone_random::Random;
use std::sync::Arc;

use drystone_collide::{Collide, CollideOptions};
use drystone_geometry::{DMat3, DVec3, Hull, Pose, Shape};
use drystone_model::{BodyKind, Material, Model, State, Twist, WORLD};

/// A model of loose shapes, one body each, built field by field.
#[derive(Clone, Default)]
pub struct Scene {
    pub model: Model,
}

impl Scene {
    pub fn new(gravity: DVec3) -> Self {
        Self { model: Model { world_gravity: vec![gravity], ..Model::default() } }
    }

    pub fn body(&mut self, kind: BodyKind, pose: Pose) -> u32 {
        let model = &mut self.model;
        model.body_name.push(format!("body{}", model.body_kind.len()));
        model.body_kind.push(kind);
        model.body_world.push(0);
        model.body_mass.push(1.0);
        model.body_com.push(DVec3::ZERO);
        model.body_inertia.push(DMat3::IDENTITY);
        model.body_q.push(pose);
        model.body_qd.push(Twist::default());
        model.body_kind.len() as u32 - 1
    }

    pub fn shape(&mut self, body: u32, shape: Shape, pose: Pose) -> usize {
        let model = &mut self.model;
        model.shape_name.push(format!("shape{}", model.shape_body.len()));
        model.shape_geometry.push(shape);
        model.shape_body.push(body);
        model.shape_world.push(0);
        model.shape_pose.push(pose);
        model.shape_material.push(Material::default());
        model.shape_margin.push(0.0);
        model.shape_group.push(1);
        model.shape_mask.push(u32::MAX);
        model.shape_sensor.push(false);
        model.shape_surface_velocity.push(DVec3::ZERO);
        model.shape_body.len() - 1
    }

    /// A dynamic body wearing one shape.
    pub fn add(&mut self, shape: Shape, pose: Pose) -> usize {
        let body = self.body(BodyKind::Dynamic, pose);
        self.shape(body, shape, Pose::identity())
    }

    pub fn ground(&mut self) -> usize {
        self.shape(WORLD, Shape::HalfSpace, Pose::identity())
    }

    pub fn state(&self) -> State {
        State {
            body_q: self.model.body_q.clone(),
            body_qd: self.model.body_qd.clone(),
            body_quarantined: vec![false; self.model.body_count()],
            ..State::default()
        }
    }

    pub fn detect(&self, margin: f64) -> Collide {
        let mut collide = Collide::new(&self.model, CollideOptions { margin });
        collide.detect(&self.model, &self.state(), 0.0);
        collide
    }
}

/// A shape of the first six kinds, its sizes asked for one by one.
pub fn smooth_shape(kind: usize, mut size: impl FnMut() -> f64) -> Shape {
    match kind {
        0 => Shape::Sphere { radius: size() },
        1 => Shape::Box { half: DVec3::new(size(), size(), size()) },
        2 => Shape::Capsule { radius: size(), half_height: size() },
        3 => Shape::Cylinder { radius: size(), half_height: size() },
        4 => Shape::Cone { radius: size(), half_height: size() },
        _ => Shape::Ellipsoid { radii: DVec3::new(size(), size(), size()) },
    }
}

pub fn cube(half: f64) -> Shape {
    Shape::Box { half: DVec3::splat(half) }
}

pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

/// A box as a hull, so that the general route can be held against the special one.
pub fn box_hull(half: DVec3) -> Shape {
    let vertices: Vec<DVec3> = (0..8)
        .map(|i| {
            let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
            half * DVec3::new(sign(1), sign(2), sign(4))
        })
        .collect();
    Shape::Hull(Arc::new(Hull::from_points(&vertices).expect("eight corners of a box")))
}
