//! A triangle of a surface: what it knows about its neighbours decides which contact normals it may give.

use drystone_geometry::{DVec3, Heightfield};
use drystone_kernels::elementary::atan2;

use super::poly::Poly;
use super::polys::Gate;
use crate::placement::Placement;

const FACE_START: [u32; 3] = [0, 3, 6];
const FACE_VERTEX: [u32; 6] = [0, 1, 2, 0, 2, 1];
const EDGE: [[u32; 2]; 3] = [[0, 1], [1, 2], [2, 0]];
const EDGE_FACE: [[u32; 2]; 3] = [[0, 1], [0, 1], [0, 1]];

/// Round-off in the angle between a contact normal and a face \[rad\].
const ANGLE_SLACK: f64 = 1e-6;

/// A triangle in the frame of its surface, counter-clockwise from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle<'a> {
    pub corners: [DVec3; 3],
    /// The normal of the front and of the back.
    pub normals: [DVec3; 2],
    /// How far a contact normal may lean over the edge from corner `k` to the next: the angle to the
    /// neighbour's normal where the edge is convex, zero where the surface goes on flat or rises \[rad\].
    pub lean: [f64; 3],
    /// What surrounds every corner.
    pub ring: [Ring<'a>; 3],
    /// The direction in which the solid goes on for ever below the surface, for terrain.
    pub below: Option<DVec3>,
}

/// The vertices around a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ring<'a> {
    /// Directions to the neighbours.
    Mesh(&'a [DVec3]),
    /// A sample of a grid: column and row.
    Terrain(&'a Heightfield, usize, usize),
}

impl Ring<'_> {
    /// Whether no neighbour rises above the plane through the vertex facing `direction`.
    fn below(&self, direction: DVec3) -> bool {
        let low = |along: DVec3| direction.dot(along) <= ANGLE_SLACK * along.length();
        match *self {
            Ring::Mesh(neighbours) => neighbours.iter().all(|&along| low(along)),
            Ring::Terrain(field, column, row) => {
                let here = field.sample(column, row);
                // The diagonals of the cells run up to the right.
                let steps = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];
                steps.into_iter().all(|(x, y)| {
                    let (column, row) = (column.checked_add_signed(x), row.checked_add_signed(y));
                    match (column, row) {
                        (Some(column), Some(row)) if column < field.columns && row < field.rows => {
                            low(field.sample(column, row) - here)
                        }
                        _ => true,
                    }
                })
            }
        }
    }
}

/// Angle by which the surface turns away over an edge; zero where it is flat or concave. `outward` is the
/// direction in the plane of the triangle across the edge.
pub(crate) fn lean_over(normal: DVec3, outward: DVec3, neighbour: DVec3) -> f64 {
    atan2(neighbour.dot(outward), neighbour.dot(normal)).max(0.0)
}

/// Unit direction in the plane of a triangle out over the edge from corner `edge` to the next.
pub(crate) fn over_edge(corners: &[DVec3; 3], normal: DVec3, edge: usize) -> DVec3 {
    (corners[(edge + 1) % 3] - corners[edge]).cross(normal).normalize_or_zero()
}

/// The least and the largest of some numbers.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

impl Triangle<'_> {
    pub fn poly(&self) -> Poly<'_> {
        Poly {
            vertices: &self.corners,
            face_start: &FACE_START,
            face_vertex: &FACE_VERTEX,
            face_normal: &self.normals,
            edges: &EDGE,
            edge_face: &EDGE_FACE,
        }
    }

    /// Whether a contact may push along `direction` (from the triangle outwards): not from behind, over an edge only as
    /// far as the surface itself turns, and over a corner only if that leaves the whole surface around it behind.
    /// Anything else is the artefact of an inner edge. What pushes is the part of the triangle that reaches furthest
    /// along the direction: an edge has no say where a corner pushes, which may stand out where a groove ends in it.
    pub fn admits(&self, direction: DVec3) -> bool {
        let height = self.corners.map(|corner| corner.dot(direction));
        let top = (0..3).fold(0, |best, k| if height[k] > height[best] { k } else { best });
        let [next, last] = [(top + 1) % 3, (top + 2) % 3];
        let as_high =
            |other: usize| height[top] - height[other] <= ANGLE_SLACK * self.corners[top].distance(self.corners[other]);
        match [as_high(next), as_high(last)] {
            [false, false] => self.ring[top].below(direction),
            [true, false] => self.edge_admits(top, direction),
            [false, true] => self.edge_admits(last, direction),
            [true, true] => (0..3).all(|edge| self.edge_admits(edge, direction)),
        }
    }

    fn edge_admits(&self, edge: usize, direction: DVec3) -> bool {
        let over = direction.dot(over_edge(&self.corners, self.normals[0], edge));
        atan2(over, direction.dot(self.normals[0])) <= self.lean[edge] + ANGLE_SLACK
    }

    /// Whether a distance `value` along `direction` keeps something from touching the surface. What lies
    /// wholly behind the triangle of a mesh is the business of another side of it; terrain has no other side.
    pub fn apart(&self, direction: DVec3, value: f64, limit: f64) -> bool {
        match self.below {
            Some(below) => direction.dot(below) <= 0.0 && value > limit,
            None => value > if direction.dot(self.normals[0]) < 0.0 { 0.0 } else { limit },
        }
    }

    /// As [`Self::apart`], for an axis that need not be the direction to the nearest point. Beside an edge many axes lean
    /// behind the triangle and divide the two; behind it is only what its own plane divides from it.
    fn axis_apart(&self, direction: DVec3, value: f64, limit: f64) -> bool {
        let behind = direction.dot(self.normals[0]) < ANGLE_SLACK - 1.0;
        if behind { self.apart(direction, value, limit) } else { self.divides(direction) && value > limit }
    }

    /// Whether a gap along `direction` keeps something outside: below terrain there is no outside.
    pub fn divides(&self, direction: DVec3) -> bool {
        self.below.is_none_or(|below| direction.dot(below) <= 0.0)
    }

    /// Whether a polyhedron, turned and moved by `point` and `vector` into this frame, lies beside the column of ground
    /// under a triangle of terrain: behind a ridge, say, where it is on the back of the triangle but in the open.
    fn beside(&self, poly: &Poly, point: impl Fn(DVec3) -> DVec3, vector: impl Fn(DVec3) -> DVec3) -> bool {
        let Some(below) = self.below else { return false };
        let own = (0..3).map(|k| self.corners[(k + 1) % 3] - self.corners[k]);
        let other = poly.edges.iter().map(|&[a, b]| vector(poly.vertices[b as usize] - poly.vertices[a as usize]));
        own.chain(other).any(|edge| {
            let across = edge.cross(below);
            let (low0, high0) = range(self.corners.iter().map(|corner| corner.dot(across)));
            let (low1, high1) = range(poly.vertices.iter().map(|&vertex| point(vertex).dot(across)));
            low0 > high1 || low1 > high0
        })
    }

    /// Whether a point lies over the triangle, seen along its normal.
    pub fn covers(&self, point: DVec3) -> bool {
        (0..3).all(|edge| {
            let along = self.corners[(edge + 1) % 3] - self.corners[edge];
            along.cross(self.normals[0]).dot(point - self.corners[edge]) <= 0.0
        })
    }
}

/// The normals allowed between two things of which one or both are triangles. Normals come in the frame
/// of the first and point to the second.
pub(crate) struct TriangleGate<'a> {
    pub first: Option<&'a Triangle<'a>>,
    pub second: Option<&'a Triangle<'a>>,
    /// Placement of the second in the frame of the first.
    pub relative: Placement,
}

impl TriangleGate<'_> {
    /// Whether one is beside the ground under the other.
    pub fn beside(&self, first: &Poly, second: &Poly) -> bool {
        let at = &self.relative;
        self.first.is_some_and(|ground| ground.beside(second, |p| at.point(p), |v| at.vector(v)))
            || self.second.is_some_and(|ground| ground.beside(first, |p| at.local_point(p), |v| at.local_vector(v)))
    }
}

impl Gate for TriangleGate<'_> {
    fn apart(&self, normal: DVec3, value: f64, limit: f64) -> bool {
        let first = self.first.map(|triangle| triangle.axis_apart(normal, value, limit));
        let second = self.second.map(|triangle| triangle.axis_apart(-self.relative.local_vector(normal), value, limit));
        match (first, second) {
            (Some(first), Some(second)) => first || second,
            (one, other) => one.or(other).unwrap_or(value > limit),
        }
    }

    fn admits(&self, normal: DVec3) -> bool {
        self.first.is_none_or(|triangle| triangle.admits(normal))
            && self.second.is_none_or(|triangle| triangle.admits(-self.relative.local_vector(normal)))
    }

    fn divides(&self, normal: DVec3) -> bool {
        self.first.is_none_or(|triangle| triangle.divides(normal))
            && self.second.is_none_or(|triangle| triangle.divides(-self.relative.local_vector(normal)))
    }
}
