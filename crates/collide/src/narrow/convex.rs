//! The general route for convex shapes: normal from support functions, points from the features that face
//! each other. Spheres and capsules are a point and a segment with a radius, which keeps shallow contacts of
//! round shapes away from the ill-conditioned overlap case.

use drystone_geometry::{DVec3, Shape};

use super::clip::{Corner, Side, clip};
use super::epa::deepest_direction;
use super::gjk::{Distance, PairSupport, Vertex, distance};
use super::manifold::{FEATURE_SINGLE, Point, reduce};
use super::poly::{Poly, box_poly, box_vertices, hash3, hull_poly};
use super::triangle::Triangle;
use super::{Query, Scratch, Solid};
use crate::placement::Placement;

/// How much shapes are shrunk to find the normal of a shallow overlap as that of a distance.
const SHRINK: f64 = 0.02;
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
        let (sin, cos) = (f64::from(i) * step).sin_cos();
        DVec3::new(radius * cos, radius * sin, height)
    };
    push_all(corners, (0..8).map(corner));
}

/// Two cores relative to the position of the first, the second moved by `shift`, both shrunk towards
/// their middles.
struct Pair<'a> {
    first: &'a Convex<'a>,
    second: &'a Convex<'a>,
    offset: DVec3,
    shrink: f64,
    middle: [DVec3; 2],
}

impl PairSupport for Pair<'_> {
    fn vertex(&self, direction: DVec3) -> Vertex {
        let mut on0 = self.first.support(-direction);
        let mut on1 = self.second.support(direction);
        on0 += (self.middle[0] - on0) * self.shrink;
        on1 += (self.middle[1] - on1) * self.shrink + self.offset;
        Vertex { difference: on1 - on0, on0, on1 }
    }
}

impl Pair<'_> {
    /// Distance between the planes along `normal` that hold the cores apart; negative where they overlap.
    fn separation(&self, normal: DVec3) -> f64 {
        normal.dot(self.vertex(-normal).difference)
    }
}

/// The cores' closest or deepest points, relative to the position of the first.
#[derive(Clone, Copy)]
struct Touch {
    normal: DVec3,
    separation: f64,
    on0: DVec3,
    on1: DVec3,
}

/// Contact of two convex shapes.
pub(crate) fn convex_convex(first: &Convex, second: &Convex, query: &Query, scratch: &mut Scratch) -> Option<DVec3> {
    let limit = query.limit + first.radius() + second.radius();
    let touch = find_touch(first, second, limit, query.slack, scratch)?;
    touch_manifold(first, second, &touch, true, query, scratch)
}

/// The closest points only; for polyhedra whose faces do not face each other.
pub(crate) fn convex_point(first: &Convex, second: &Convex, query: &Query, scratch: &mut Scratch) -> Option<DVec3> {
    let touch = find_touch(first, second, query.limit, query.slack, scratch)?;
    scratch.single(query, touch.normal, witness(first, second, &touch))
}

/// Contact of a convex shape with a triangle of a surface.
pub(crate) fn convex_triangle(
    first: &Convex,
    (triangle, at): (&Triangle, &Placement),
    query: &Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let second = Convex::poly(triangle.poly(), *at);
    let limit = query.limit + first.radius();
    let found = find_touch(first, &second, f64::INFINITY, query.slack, scratch)?;
    let direction = -at.local_vector(found.normal);
    if triangle.apart(direction, found.separation, limit) {
        return None;
    }
    if triangle.admits(direction) {
        return touch_manifold(first, &second, &found, true, query, scratch);
    }
    // Pushed back over the face, if it is over the face at all; else the neighbour takes care.
    let normal = -at.vector(triangle.normals[0]);
    let on0 = first.support(normal);
    let deepest = first.at.position + on0;
    let separation = normal.dot(at.point(triangle.corners[0]) - deepest);
    if separation > limit {
        return None;
    }
    let covered = triangle.covers(at.local_point(deepest));
    let touch = Touch { normal, separation, on0, on1: on0 + normal * separation };
    touch_manifold(first, &second, &touch, covered, query, scratch)
}

fn find_touch(first: &Convex, second: &Convex, limit: f64, slack: f64, scratch: &mut Scratch) -> Option<Touch> {
    let offset = second.at.position - first.at.position;
    let middle = [first.at.vector(first.middle()), second.at.vector(second.middle())];
    let pair = Pair { first, second, offset, shrink: 0.0, middle };
    let guess = (middle[1] + offset - middle[0]).normalize_or(DVec3::Z);
    let (start, exact) = match distance(&pair, guess) {
        Distance::Apart { on0, on1 } if on0.distance(on1) > 1e-4 * slack => {
            let between = on1 - on0;
            let separation = between.length();
            (Touch { normal: between / separation, separation, on0, on1 }, true)
        }
        overlap => (overlap_touch(&pair, &overlap, guess, scratch), false),
    };
    let touch = if exact { start } else { refine(&pair, start, slack) };
    (touch.separation <= limit).then_some(touch)
}

/// A first normal for shapes that touch or overlap.
fn overlap_touch(pair: &Pair, overlap: &Distance, guess: DVec3, scratch: &mut Scratch) -> Touch {
    let shrunk = Pair { shrink: SHRINK, ..*pair };
    let normal = match (distance(&shrunk, guess), overlap) {
        (Distance::Apart { on0, on1 }, _) if on0 != on1 => (on1 - on0).normalize_or(guess),
        (_, Distance::Overlap(simplex)) => deepest_direction(pair, simplex, &mut scratch.polytope).unwrap_or(guess),
        _ => guess,
    };
    let Vertex { on0, on1, difference } = pair.vertex(-normal);
    Touch { normal, separation: normal.dot(difference), on0, on1 }
}

/// Moves the second shape just clear along the normal and measures the distance there: where that gives a
/// better normal it is taken, and the closest points there are the deepest points here.
fn refine(pair: &Pair, start: Touch, slack: f64) -> Touch {
    let mut best = start;
    for _ in 0..12 {
        let shift = best.normal * (slack - best.separation);
        let cleared = Pair { offset: pair.offset + shift, ..*pair };
        let Distance::Apart { on0, on1 } = distance(&cleared, best.normal) else { break };
        let normal = (on1 - on0).normalize_or(best.normal);
        let separation = pair.separation(normal);
        // Equal at best: the normal was right, but now the points lie opposite each other.
        if separation < best.separation - 1e-6 * slack {
            break;
        }
        let converged = separation <= best.separation + 1e-6 * slack;
        best = Touch { normal, separation, on0, on1: on1 - shift };
        if converged {
            break;
        }
    }
    best
}

fn witness(first: &Convex, second: &Convex, touch: &Touch) -> Point {
    let (radius0, radius1) = (first.radius(), second.radius());
    let origin = first.at.position;
    // Halfway between the two, so that the pair of points lies along the normal.
    let middle = origin + 0.5 * (touch.on0 + touch.on1);
    Point {
        position0: middle + touch.normal * (radius0 - 0.5 * touch.separation),
        position1: middle + touch.normal * (0.5 * touch.separation - radius1),
        gap: touch.separation - radius0 - radius1,
        feature: FEATURE_SINGLE,
    }
}

/// Points where the flat features of both shapes face each other; the closest points where none do.
fn touch_manifold(
    first: &Convex,
    second: &Convex,
    touch: &Touch,
    with_witness: bool,
    query: &Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let normal = touch.normal;
    first.feature(normal, &mut scratch.reference);
    second.feature(-normal, &mut scratch.polygon);
    scratch.points.clear();
    match (scratch.reference.len(), scratch.polygon.len()) {
        (1, _) | (_, 1) => {}
        (2, 2) => segment_segment(normal, scratch),
        _ => faces(normal, scratch),
    }
    let (radius0, radius1) = (first.radius(), second.radius());
    for point in &mut scratch.points {
        point.position0 += normal * radius0;
        point.position1 -= normal * radius1;
        point.gap -= radius0 + radius1;
    }
    scratch.points.retain(|point| point.gap <= query.limit);
    let single = witness(first, second, touch);
    // Flat features may leave out the deepest point of a tilted round edge.
    if with_witness
        && single.gap <= query.limit
        && scratch.points.iter().all(|point| point.gap > single.gap + 0.1 * query.slack)
    {
        scratch.points.push(single);
    }
    reduce(normal, &mut scratch.points, &query.anchors, query.slack);
    (!scratch.points.is_empty()).then_some(normal)
}

/// Area normal of a polygon; not normalised.
fn area_normal(corners: &[Corner]) -> DVec3 {
    let base = corners[0].position;
    corners.windows(2).map(|pair| (pair[0].position - base).cross(pair[1].position - base)).sum()
}

/// Clips the less flat feature (or the segment) against the sides of the other face.
fn faces(normal: DVec3, scratch: &mut Scratch) {
    let flatness = |corners: &[Corner]| {
        if corners.len() < 3 { -1.0 } else { area_normal(corners).normalize_or_zero().dot(normal).abs() }
    };
    let swapped = flatness(&scratch.polygon) > flatness(&scratch.reference) + 1e-3;
    if swapped {
        std::mem::swap(&mut scratch.reference, &mut scratch.polygon);
    }
    let plane = area_normal(&scratch.reference).normalize_or_zero();
    let base = scratch.reference[0].position;
    let segment = scratch.polygon.len() == 2;
    let first_label = scratch.polygon.len() as u32;
    let outward = if swapped { -normal } else { normal };
    for i in 0..scratch.reference.len() {
        let from = scratch.reference[i].position;
        let to = scratch.reference[(i + 1) % scratch.reference.len()].position;
        let side_normal = (to - from).cross(outward);
        let side = Side { normal: side_normal, offset: side_normal.dot(from), label: first_label + i as u32 };
        clip(&mut scratch.polygon, &mut scratch.spare, &side);
    }
    let slope = plane.dot(outward);
    let mut edge_in = scratch.polygon.last().map_or(0, |corner| corner.edge);
    for corner in &scratch.polygon {
        let feature = hash3(u32::from(swapped) + 2, edge_in, corner.edge);
        edge_in = corner.edge;
        let gap = plane.dot(corner.position - base) / slope;
        let on_plane = corner.position - outward * gap;
        let (position0, position1) = if swapped { (corner.position, on_plane) } else { (on_plane, corner.position) };
        // A clipped segment is walked there and back: its ends come twice.
        let known = segment && scratch.points.iter().any(|p| p.gap == gap && p.position0 == position0);
        if gap.is_finite() && !known {
            scratch.points.push(Point { position0, position1, gap, feature });
        }
    }
}

/// Two segments: the ends of the stretch where they run side by side, if they are nearly parallel.
fn segment_segment(normal: DVec3, scratch: &mut Scratch) {
    let [a0, a1] = [scratch.reference[0].position, scratch.reference[1].position];
    let [b0, b1] = [scratch.polygon[0].position, scratch.polygon[1].position];
    let (along0, along1) = (a1 - a0, b1 - b0);
    let (length0, length1) = (along0.length_squared(), along1.length_squared());
    if along0.cross(along1).length_squared() > 0.03 * length0 * length1 {
        return;
    }
    // Parameters on the second segment where it enters and leaves the stretch of the first.
    let rate = along1.dot(along0) / length0;
    let start = (b0 - a0).dot(along0) / length0;
    let (t0, t1) = (-start / rate, (1.0 - start) / rate);
    let (low, high) = (t0.min(t1).max(0.0), t0.max(t1).min(1.0));
    if low >= high {
        return;
    }
    for (t, feature) in [(low, 0), (high, 1)] {
        let position1 = b0 + along1 * t;
        let s = (start + rate * t).clamp(0.0, 1.0);
        let gap = normal.dot(position1 - (a0 + along0 * s));
        // Exactly along the normal, so that the gap is the distance of the two points.
        let position0 = position1 - normal * gap;
        scratch.points.push(Point { position0, position1, gap, feature: hash3(1, feature, 0) });
    }
}
