//! Where two convex cores are closest or deepest, and the contact that follows.

use drystone_geometry::DVec3;

use super::convex::Convex;
use super::epa::deepest_direction;
use super::facing::touch_manifold;
use super::gjk::{Distance, PairSupport, Vertex, distance};
use super::manifold::{FEATURE_SINGLE, Point};
use super::polys::Gate;
use super::triangle::Triangle;
use super::{Query, Scratch};
use crate::placement::Placement;

/// How much shapes are shrunk to find the normal of a shallow overlap as that of a distance.
const SHRINK: f64 = 0.02;

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
pub(crate) struct Touch {
    pub normal: DVec3,
    pub separation: f64,
    pub on0: DVec3,
    pub on1: DVec3,
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

/// The closest points of two polyhedra that are apart and whose faces do not face each other, if the gate
/// admits the direction between them.
pub(crate) fn nearest_point(
    first: &Convex,
    second: &Convex,
    gate: &impl Gate,
    query: &Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let touch = find_touch(first, second, query.limit, query.slack, scratch)?;
    if touch.separation <= 0.0 || !gate.admits(first.at.local_vector(touch.normal)) {
        return None;
    }
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

/// The closest or deepest points of two cores, however far apart.
pub(crate) fn closest(first: &Convex, second: &Convex, slack: f64, scratch: &mut Scratch) -> Touch {
    let offset = second.at.position - first.at.position;
    let middle = [first.at.vector(first.middle()), second.at.vector(second.middle())];
    let pair = Pair { first, second, offset, shrink: 0.0, middle };
    let guess = (middle[1] + offset - middle[0]).normalize_or(DVec3::Z);
    match distance(&pair, guess) {
        Distance::Apart { on0, on1 } if on0.distance(on1) > 1e-4 * slack => {
            let between = on1 - on0;
            let separation = between.length();
            Touch { normal: between / separation, separation, on0, on1 }
        }
        overlap => refine(&pair, overlap_touch(&pair, &overlap, guess, scratch), slack),
    }
}

fn find_touch(first: &Convex, second: &Convex, limit: f64, slack: f64, scratch: &mut Scratch) -> Option<Touch> {
    let touch = closest(first, second, slack, scratch);
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

/// The contact at the closest or deepest points.
pub(crate) fn witness(first: &Convex, second: &Convex, touch: &Touch) -> Point {
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
