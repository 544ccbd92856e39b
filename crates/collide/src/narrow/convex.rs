//! The general route for convex shapes: normal from support functions, points from the features that face
//! each other. Spheres and capsules are a point and a segment with a radius, which keeps shallow contacts of
//! round shapes away from the ill-conditioned overlap case.

use drystone_geometry::{DVec3, Shape};
use drystone_kernels::elementary::sin_cos;

use super::Solid;
use super::clip::Corner;
use super::poly::{Poly, box_poly, box_vertices, hull_poly};
use crate::placement::Placement;

/// Faces and generators within this angle (cosine) of the normal count as touching flat.
const FLAT: f64 = 0.985;

/// A convex core and a radius around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convex<'a> {
    pub kind: Kind<'a>,
    pub at: Placement,
}

/// What a core is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<'a> {
    Shape(&'a Solid<'a>),
    Poly(Poly<'a>),
}

impl<'a> Convex<'a> {
    pub fn new(solid: &'a Solid<'a>) -> Self {
        match solid.shape {
            Shape::Hull(hull) => Self { kind: Kind::Poly(hull_poly(hull)), at: *solid.at },
            _ => Self { kind: Kind::Shape(solid), at: *solid.at },
        }
    }

    pub fn poly(poly: Poly<'a>, at: Placement) -> Self {
        Self { kind: Kind::Poly(poly), at }
    }

    /// Radius around the core \[m\].
    pub fn radius(&self) -> f64 {
        match self.kind {
            Kind::Shape(Solid { shape: Shape::Sphere { radius } | Shape::Capsule { radius, .. }, .. }) => *radius,
            _ => 0.0,
        }
    }

    /// A point well inside, in the frame of the shape.
    pub fn middle(&self) -> DVec3 {
        match self.kind {
            Kind::Shape(Solid { shape: Shape::Cone { half_height, .. }, .. }) => DVec3::Z * (-0.5 * half_height),
            Kind::Shape(_) => DVec3::ZERO,
            Kind::Poly(poly) => poly.vertices.iter().sum::<DVec3>() / poly.vertices.len() as f64,
        }
    }

    /// Farthest point of the core along a direction, relative to the position of the shape; world axes.
    pub fn support(&self, direction: DVec3) -> DVec3 {
        let local = self.at.local_vector(direction);
        self.at.vector(match self.kind {
            Kind::Shape(solid) => core_support(solid.shape, local),
            Kind::Poly(poly) => poly.support(local),
        })
    }

    /// Fills `corners` with the flat feature of the core along a direction: a polygon counter-clockwise
    /// seen from outside, a segment, or a point. World frame.
    pub fn feature(&self, direction: DVec3, corners: &mut Vec<Corner>) {
        corners.clear();
        let local = self.at.local_vector(direction);
        match self.kind {
            Kind::Shape(solid) => match solid.shape {
                Shape::Box { half } => poly_feature(&box_poly(&box_vertices(*half)), local, corners),
                shape => round_feature(shape, local, corners),
            },
            Kind::Poly(poly) => poly_feature(&poly, local, corners),
        }
        for corner in corners.iter_mut() {
            corner.position = self.at.point(corner.position);
        }
    }
}

fn core_support(shape: &Shape, direction: DVec3) -> DVec3 {
    match shape {
        Shape::Sphere { .. } => DVec3::ZERO,
        Shape::Capsule { half_height, .. } => DVec3::Z * half_height.copysign(direction.z),
        shape => shape.support(direction),
    }
}

fn push_all(corners: &mut Vec<Corner>, positions: impl IntoIterator<Item = DVec3>) {
    for (label, position) in positions.into_iter().enumerate() {
        corners.push(Corner { position, edge: label as u32 });
    }
}

fn poly_feature(poly: &Poly, direction: DVec3, corners: &mut Vec<Corner>) {
    let face = poly.face_along(direction);
    if poly.face_normal[face].dot(direction) >= 0.9 {
        return push_all(corners, poly.face(face).iter().map(|&v| poly.vertices[v as usize]));
    }
    let top = poly.support_index(direction) as u32;
    let flat = poly.edges.iter().filter(|edge| edge[0] == top || edge[1] == top).find(|edge| {
        let along = poly.vertices[edge[1] as usize] - poly.vertices[edge[0] as usize];
        along.dot(direction).abs() <= 0.1 * along.length()
    });
    match flat {
        Some(&[a, b, ..]) => push_all(corners, [poly.vertices[a as usize], poly.vertices[b as usize]]),
        None => push_all(corners, [poly.vertices[top as usize]]),
    }
}

/// Caps become octagons, sides the generator that touches.
fn round_feature(shape: &Shape, direction: DVec3, corners: &mut Vec<Corner>) {
    let across = DVec3::new(direction.x, direction.y, 0.0).normalize_or(DVec3::X);
    match *shape {
        Shape::Capsule { half_height, .. } if direction.z.abs() < 0.7 => {
            push_all(corners, [DVec3::Z * -half_height, DVec3::Z * half_height]);
        }
        Shape::Cylinder { radius, half_height } if direction.z.abs() >= FLAT => {
            cap(radius, half_height.copysign(direction.z), corners);
        }
        Shape::Cylinder { radius, half_height } if direction.z.abs() <= 0.17 => {
            let side = across * radius;
            push_all(corners, [side - DVec3::Z * half_height, side + DVec3::Z * half_height]);
        }
        Shape::Cone { radius, half_height } if direction.z <= -FLAT => cap(radius, -half_height, corners),
        Shape::Cone { radius, half_height }
            if (across * (2.0 * half_height) + DVec3::Z * radius).normalize().dot(direction) >= FLAT =>
        {
            push_all(corners, [across * radius - DVec3::Z * half_height, DVec3::Z * half_height]);
        }
        _ => push_all(corners, [core_support(shape, direction)]),
    }
}

fn cap(radius: f64, height: f64, corners: &mut Vec<Corner>) {
    // Turning the other way for the lower cap keeps it counter-clockwise from outside.
    let step = std::f64::consts::FRAC_PI_4.copysign(height);
    let corner = |i: u32| {
        let (sin, cos) = sin_cos(f64::from(i) * step);
        DVec3::new(radius * cos, radius * sin, height)
    };
    push_all(corners, (0..8).map(corner));
}
