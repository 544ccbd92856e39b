//! Box against box: separating axes, then clipping of the touching faces.
//!
//! Axes are numbered 0–2 for the faces of the first box, 3–5 for those of the second, and
//! `6 + 3 i + j` for the cross product of axis `i` of the first with axis `j` of the second.
//! This is the hot path of piles: fixed arrays, constant loops, nothing computed before it is needed.

use drystone_geometry::DVec3;

use super::box_face::face_contact;
use super::manifold::{Point, min_gap};
use super::{NO_AXIS, Query, Scratch, tie};
use crate::placement::Placement;

/// Edges closer to parallel than this (sine squared) add nothing to the face axes: they then bound
/// the same two-dimensional problem, and the cross product has lost half its digits.
const PARALLEL: f64 = 1e-10;

/// What the separating-axis test found.
#[derive(Clone, Copy)]
struct Separation {
    axis: u32,
    value: f64,
}

/// The two boxes in the frame of the first.
struct Boxes {
    /// `turn[i][j]` is the cosine between axis `i` of the first and axis `j` of the second box.
    turn: [[f64; 3]; 3],
    /// Absolute values of `turn`.
    spread: [[f64; 3]; 3],
    /// Centre of the second box in the frame of the first.
    shift: [f64; 3],
    half0: [f64; 3],
    half1: [f64; 3],
}

/// Contact of two boxes; updates `query.axis` to the axis used.
pub(crate) fn box_box(
    (half0, at0): (DVec3, &Placement),
    (half1, at1): (DVec3, &Placement),
    query: &mut Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    query.apart = true;
    // Most pairs of a pile are apart, and by the same face as in the step before.
    if query.axis < 6 && apart_along_face((half0, at0), (half1, at1), query.axis) > query.limit {
        return None;
    }
    let boxes = Boxes::new((half0, at0), (half1, at1));
    let [preferred, best] = boxes.separate(query)?;
    query.apart = false;
    let mut contact = |separation: Separation| {
        query.axis = separation.axis;
        let normal = match separation.axis {
            0..3 => face_contact((half0, at0), (half1, at1), separation.axis, false, query, scratch),
            3..6 => face_contact((half1, at1), (half0, at0), separation.axis - 3, true, query, scratch),
            _ => boxes.edge_contact(separation, query, at0, at1, scratch),
        };
        // No point is nearer than the planes along the axis are. If none is as near, the nearest are elsewhere.
        let reach = separation.value + tie(query, best.value);
        normal.filter(|_| min_gap(&scratch.points) <= reach)
    };
    let found = contact(preferred);
    if found.is_some() || best.axis == preferred.axis { found } else { contact(best) }
}

/// Separation along a face normal of either box, with nothing else computed.
fn apart_along_face((half0, at0): (DVec3, &Placement), (half1, at1): (DVec3, &Placement), axis: u32) -> f64 {
    let ((half, at), (other_half, other_at)) =
        if axis < 3 { ((half0, at0), (half1, at1)) } else { ((half1, at1), (half0, at0)) };
    let (normal, own) = match axis % 3 {
        0 => (at.rotation.x_axis, half.x),
        1 => (at.rotation.y_axis, half.y),
        _ => (at.rotation.z_axis, half.z),
    };
    let distance = normal.dot(other_at.position - at.position).abs();
    distance - own - other_at.local_vector(normal).abs().dot(other_half)
}

impl Boxes {
    fn new((half0, at0): (DVec3, &Placement), (half1, at1): (DVec3, &Placement)) -> Self {
        let between = at1.position - at0.position;
        let row = |axis: DVec3| at1.local_vector(axis).to_array();
        let turn = [row(at0.rotation.x_axis), row(at0.rotation.y_axis), row(at0.rotation.z_axis)];
        Self {
            turn,
            spread: turn.map(|row| row.map(f64::abs)),
            shift: at0.local_vector(between).to_array(),
            half0: half0.to_array(),
            half1: half1.to_array(),
        }
    }

    /// The axis to prefer and the one of the largest separation, or `None` when an axis shows more than the limit
    /// between the boxes.
    fn separate(&self, query: &mut Query) -> Option<[Separation; 2]> {
        let kept = query.axis;
        let kept_value = if kept < 15 { self.along(kept) } else { f64::NEG_INFINITY };
        if kept_value > query.limit {
            return None;
        }
        let face = self.best_face(query)?;
        let edge = self.best_edge(query)?;
        // An edge contact has one point where a face has four: it must be clearly better. The margin
        // is added to the face, never scaled into a negative separation, where it would favour edges.
        let fresh = if edge.value > face.value + tie(query, face.value) { edge } else { face };
        // Keep a face, or an edge against another edge; never an edge where a face is as good.
        let keep = kept_value >= fresh.value - query.slack && (kept < 6 || fresh.axis >= 6);
        let preferred = if keep { Separation { axis: kept, value: kept_value } } else { fresh };
        Some([preferred, if edge.value > face.value { edge } else { face }])
    }

    /// Remembers a separating axis for the next step.
    fn apart(query: &mut Query, axis: u32) -> Option<Separation> {
        query.axis = axis;
        None
    }

    fn best_face(&self, query: &mut Query) -> Option<Separation> {
        let mut best = Separation { axis: 0, value: f64::NEG_INFINITY };
        for i in 0..3 {
            let value = self.along_first(i);
            if value > query.limit {
                return Self::apart(query, i as u32);
            }
            if value > best.value {
                best = Separation { axis: i as u32, value };
            }
        }
        // The first box's faces win ties: parallel faces must not take turns.
        let mut bias = query.slack;
        for j in 0..3 {
            let value = self.along_second(j);
            if value > query.limit {
                return Self::apart(query, 3 + j as u32);
            }
            if value > best.value + bias {
                best = Separation { axis: 3 + j as u32, value };
                bias = 0.0;
            }
        }
        Some(best)
    }

    fn best_edge(&self, query: &mut Query) -> Option<Separation> {
        let mut best = Separation { axis: NO_AXIS, value: f64::NEG_INFINITY };
        for i in 0..3 {
            for j in 0..3 {
                let (value, sine_squared) = self.along_cross(i, j);
                if sine_squared < PARALLEL {
                    continue;
                }
                let axis = 6 + 3 * i as u32 + j as u32;
                let value = value / sine_squared.sqrt();
                if value > query.limit {
                    return Self::apart(query, axis);
                }
                if value > best.value {
                    best = Separation { axis, value };
                }
            }
        }
        Some(best)
    }

    fn along(&self, axis: u32) -> f64 {
        match axis as usize {
            i @ 0..3 => self.along_first(i),
            j @ 3..6 => self.along_second(j - 3),
            k => {
                let (value, sine_squared) = self.along_cross((k - 6) / 3, (k - 6) % 3);
                if sine_squared < PARALLEL { f64::NEG_INFINITY } else { value / sine_squared.sqrt() }
            }
        }
    }

    #[inline(always)]
    fn along_first(&self, i: usize) -> f64 {
        let row = &self.spread[i];
        let half1 = &self.half1;
        self.shift[i].abs() - self.half0[i] - (row[0] * half1[0] + row[1] * half1[1] + row[2] * half1[2])
    }

    #[inline(always)]
    fn along_second(&self, j: usize) -> f64 {
        let (turn, spread, half0) = (&self.turn, &self.spread, &self.half0);
        let distance = self.shift[0] * turn[0][j] + self.shift[1] * turn[1][j] + self.shift[2] * turn[2][j];
        let extent = spread[0][j] * half0[0] + spread[1][j] * half0[1] + spread[2][j] * half0[2];
        distance.abs() - self.half1[j] - extent
    }

    /// Separation along the cross product of two axes times the sine between them, and that sine squared.
    #[inline(always)]
    fn along_cross(&self, i: usize, j: usize) -> (f64, f64) {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        let (turn, spread) = (&self.turn, &self.spread);
        let reach0 = self.half0[i1] * spread[i2][j] + self.half0[i2] * spread[i1][j];
        let reach1 = self.half1[j1] * spread[i][j2] + self.half1[j2] * spread[i][j1];
        let distance = (self.shift[i2] * turn[i1][j] - self.shift[i1] * turn[i2][j]).abs();
        (distance - reach0 - reach1, 1.0 - turn[i][j] * turn[i][j])
    }

    /// One point where the two supporting edges come closest.
    fn edge_contact(
        &self,
        separation: Separation,
        query: &Query,
        at0: &Placement,
        at1: &Placement,
        scratch: &mut Scratch,
    ) -> Option<DVec3> {
        let (i, j) = ((separation.axis as usize - 6) / 3, (separation.axis as usize - 6) % 3);
        let (edge0, edge1) = (at0.rotation.col(i), at1.rotation.col(j));
        let cross = edge0.cross(edge1).normalize_or_zero();
        let normal = if cross.dot(at1.position - at0.position) >= 0.0 { cross } else { -cross };
        let (mut on0, mut on1) = (at0.position, at1.position);
        let mut corners = 0;
        for m in 0..3 {
            if m != i {
                let axis = at0.rotation.col(m);
                let positive = normal.dot(axis) >= 0.0;
                on0 += axis * if positive { self.half0[m] } else { -self.half0[m] };
                corners |= u32::from(positive) << m;
            }
            if m != j {
                let axis = at1.rotation.col(m);
                let positive = normal.dot(axis) < 0.0;
                on1 += axis * if positive { self.half1[m] } else { -self.half1[m] };
                corners |= u32::from(positive) << (3 + m);
            }
        }
        let (s, t) = closest_on_lines(on0, edge0, on1, edge1);
        // Beyond their ends the edges do not face each other: the closest points are elsewhere.
        if separation.value > 0.0 && (s.abs() > self.half0[i] || t.abs() > self.half1[j]) {
            return None;
        }
        let position0 = on0 + edge0 * s.clamp(-self.half0[i], self.half0[i]);
        let position1 = on1 + edge1 * t.clamp(-self.half1[j], self.half1[j]);
        let gap = normal.dot(position1 - position0);
        let feature = (separation.axis << 10) | corners;
        scratch.single(query, normal, Point { position0, position1, gap, feature })
    }
}

/// Parameters of the closest points of two lines with unit directions that are not parallel.
pub(crate) fn closest_on_lines(p: DVec3, d: DVec3, q: DVec3, e: DVec3) -> (f64, f64) {
    let between = q - p;
    let cosine = d.dot(e);
    let denominator = (1.0 - cosine * cosine).max(f64::MIN_POSITIVE);
    let (a, b) = (d.dot(between), e.dot(between));
    ((a - cosine * b) / denominator, (cosine * a - b) / denominator)
}
