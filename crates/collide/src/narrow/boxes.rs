//! Box against box: separating axes, then clipping of the touching faces.
//!
//! Axes are numbered 0–2 for the faces of the first box, 3–5 for those of the second, and
//! `6 + 3 i + j` for the cross product of axis `i` of the first with axis `j` of the second.

use drystone_geometry::{DMat3, DVec3};

use super::clip::{Corner, Side, clip};
use super::manifold::{Manifold, Point, reduce};
use super::{Query, Scratch};
use crate::placement::Placement;

/// No axis is known from the step before.
pub(crate) const NO_AXIS: u32 = u32::MAX;

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
    /// Axes of the second box in the frame of the first.
    turn: DMat3,
    /// Absolute values of `turn`.
    spread: DMat3,
    /// Centre of the second box in the frame of the first.
    shift: DVec3,
    half: [DVec3; 2],
}

/// Contact of two boxes; updates `query.axis` to the axis used.
pub(crate) fn box_box(
    (half0, at0): (DVec3, &Placement),
    (half1, at1): (DVec3, &Placement),
    query: &mut Query,
    scratch: &mut Scratch,
) -> Option<Manifold> {
    let turn = DMat3::from_cols(
        at0.local_vector(at1.rotation.x_axis),
        at0.local_vector(at1.rotation.y_axis),
        at0.local_vector(at1.rotation.z_axis),
    );
    let boxes = Boxes { turn, spread: turn.abs(), shift: at0.local_point(at1.position), half: [half0, half1] };
    query.apart = true;
    let separation = boxes.separate(query)?;
    query.apart = false;
    query.axis = separation.axis;
    let mut manifold = if separation.axis < 6 {
        boxes.face_contact(separation.axis, query, scratch, at0)?
    } else {
        boxes.edge_contact(separation, query)?
    };
    manifold.normal = at0.vector(manifold.normal);
    for point in &mut manifold.points[..manifold.count] {
        point.position0 = at0.point(point.position0);
        point.position1 = at0.point(point.position1);
    }
    Some(manifold)
}

impl Boxes {
    /// The axis to use, or `None` when an axis shows more than the limit between the boxes.
    fn separate(&self, query: &Query) -> Option<Separation> {
        let kept = query.axis;
        if kept < 15 && self.along(kept)? > query.limit {
            return None;
        }
        let mut face = Separation { axis: 0, value: f64::NEG_INFINITY };
        for axis in 0..6 {
            let value = self.along_face(axis);
            if value > query.limit {
                return None;
            }
            // The first box's faces win ties: parallel faces must not take turns.
            let bias = if axis == 3 { query.slack } else { 0.0 };
            if value > face.value + bias {
                face = Separation { axis, value };
            }
        }
        let mut edge = Separation { axis: NO_AXIS, value: f64::NEG_INFINITY };
        for axis in 6..15 {
            let Some(value) = self.along_edges(axis) else { continue };
            if value > query.limit {
                return None;
            }
            if value > edge.value {
                edge = Separation { axis, value };
            }
        }
        // An edge contact has one point where a face has four: it must be clearly better. The margin
        // is added to the face, never scaled into a negative separation, where it would favour edges.
        let best = if edge.value > face.value + query.slack + 0.01 * face.value.abs() { edge } else { face };
        if kept < 15
            && kept != best.axis
            && let Some(value) = self.along(kept)
            && value >= best.value - query.slack
            // Keep a face, or an edge against another edge; never an edge where a face is as good.
            && (kept < 6 || best.axis >= 6)
        {
            return Some(Separation { axis: kept, value });
        }
        Some(best)
    }

    fn along(&self, axis: u32) -> Option<f64> {
        if axis < 6 { Some(self.along_face(axis)) } else { self.along_edges(axis).or(Some(f64::NEG_INFINITY)) }
    }

    fn along_face(&self, axis: u32) -> f64 {
        let [half0, half1] = self.half;
        let i = axis as usize;
        if i < 3 {
            let row = DVec3::new(self.spread.x_axis[i], self.spread.y_axis[i], self.spread.z_axis[i]);
            self.shift[i].abs() - half0[i] - row.dot(half1)
        } else {
            let j = i - 3;
            self.shift.dot(self.turn.col(j)).abs() - half1[j] - self.spread.col(j).dot(half0)
        }
    }

    fn along_edges(&self, axis: u32) -> Option<f64> {
        let (i, j) = ((axis as usize - 6) / 3, (axis as usize - 6) % 3);
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        let [half0, half1] = self.half;
        let (turn, spread) = (&self.turn, &self.spread);
        let sine_squared = 1.0 - turn.col(j)[i] * turn.col(j)[i];
        if sine_squared < PARALLEL {
            return None;
        }
        // Axis e_i × b_j has components (−b_j[i2], b_j[i1]) along (i1, i2).
        let reach0 = half0[i1] * spread.col(j)[i2] + half0[i2] * spread.col(j)[i1];
        let reach1 = half1[j1] * spread.col(j2)[i] + half1[j2] * spread.col(j1)[i];
        let distance = (self.shift[i2] * turn.col(j)[i1] - self.shift[i1] * turn.col(j)[i2]).abs();
        Some((distance - reach0 - reach1) / sine_squared.sqrt())
    }

    /// Clips the incident face of one box against the sides of the other's reference face.
    /// Everything in the frame of the first box.
    fn face_contact(&self, axis: u32, query: &Query, scratch: &mut Scratch, at0: &Placement) -> Option<Manifold> {
        let first = axis < 3;
        let k = (axis % 3) as usize;
        let identity = DMat3::IDENTITY;
        let (reference, incident) = if first { (&identity, &self.turn) } else { (&self.turn, &identity) };
        let (half_ref, half_inc) = if first { (self.half[0], self.half[1]) } else { (self.half[1], self.half[0]) };
        let (centre_ref, centre_inc) = if first { (DVec3::ZERO, self.shift) } else { (self.shift, DVec3::ZERO) };
        let axis_ref = reference.col(k);
        let side = if axis_ref.dot(centre_inc - centre_ref) >= 0.0 { 1.0 } else { -1.0 };
        let outward = axis_ref * side;

        let face = incident_face(incident, half_inc, centre_inc, outward, &mut scratch.polygon);
        for s in 0..4u32 {
            let (m, sign) = ((k + 1 + (s as usize >> 1)) % 3, if s & 1 == 0 { 1.0 } else { -1.0 });
            let normal = reference.col(m) * sign;
            let offset = normal.dot(centre_ref) + half_ref[m];
            clip(&mut scratch.polygon, &mut scratch.spare, &Side { normal, offset, label: 4 + s });
        }

        let height = outward.dot(centre_ref) + half_ref[k];
        let base = (axis << 10) | (u32::from(side > 0.0) << 9) | (face << 6);
        let mut edge_in = scratch.polygon.last()?.edge;
        scratch.points.clear();
        for corner in &scratch.polygon {
            let gap = outward.dot(corner.position) - height;
            if gap <= query.limit {
                let on_reference = corner.position - outward * gap;
                let (position0, position1) =
                    if first { (on_reference, corner.position) } else { (corner.position, on_reference) };
                let feature = base | (edge_in << 3) | corner.edge;
                scratch.points.push(Point { position0, position1, gap, feature });
            }
            edge_in = corner.edge;
        }
        let normal = if first { outward } else { -outward };
        if scratch.points.len() <= 4 {
            return (!scratch.points.is_empty()).then(|| reduce(normal, &scratch.points, &query.anchors, query.slack));
        }
        let mut anchors = query.anchors;
        for position in &mut anchors.positions[..anchors.count] {
            *position = at0.local_point(*position);
        }
        Some(reduce(normal, &scratch.points, &anchors, query.slack))
    }

    /// One point where the two supporting edges come closest.
    fn edge_contact(&self, separation: Separation, query: &Query) -> Option<Manifold> {
        let (i, j) = ((separation.axis as usize - 6) / 3, (separation.axis as usize - 6) % 3);
        let (edge0, edge1) = (DMat3::IDENTITY.col(i), self.turn.col(j));
        let cross = edge0.cross(edge1).normalize_or_zero();
        let normal = if cross.dot(self.shift) >= 0.0 { cross } else { -cross };
        let [half0, half1] = self.half;
        let mut on0 = DVec3::ZERO;
        let mut on1 = self.shift;
        let mut corners = 0;
        for m in 0..3 {
            if m != i {
                let positive = normal[m] >= 0.0;
                on0[m] = if positive { half0[m] } else { -half0[m] };
                corners |= u32::from(positive) << m;
            }
            if m != j {
                let positive = normal.dot(self.turn.col(m)) < 0.0;
                on1 += self.turn.col(m) * if positive { half1[m] } else { -half1[m] };
                corners |= u32::from(positive) << (3 + m);
            }
        }
        let (s, t) = closest_on_lines(on0, edge0, on1, edge1);
        // Beyond their ends the edges do not face each other: the closest points are elsewhere.
        if separation.value > 0.0 && (s.abs() > half0[i] || t.abs() > half1[j]) {
            return None;
        }
        let position0 = on0 + edge0 * s.clamp(-half0[i], half0[i]);
        let position1 = on1 + edge1 * t.clamp(-half1[j], half1[j]);
        let gap = normal.dot(position1 - position0);
        let feature = (separation.axis << 10) | corners;
        (gap <= query.limit).then(|| Manifold::single(normal, Point { position0, position1, gap, feature }))
    }
}

/// Fills `polygon` with the face of a box that looks most against `outward`, counter-clockwise, edges
/// labelled 0–3; returns the number of the face.
fn incident_face(axes: &DMat3, half: DVec3, centre: DVec3, outward: DVec3, polygon: &mut Vec<Corner>) -> u32 {
    let along = DVec3::new(axes.x_axis.dot(outward), axes.y_axis.dot(outward), axes.z_axis.dot(outward));
    let size = along.abs();
    let k = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
    let sign = if along[k] > 0.0 { -1.0 } else { 1.0 };
    let middle = centre + axes.col(k) * (sign * half[k]);
    let (m, n) = ((k + 1) % 3, (k + 2) % 3);
    let u = axes.col(m) * half[m];
    let v = axes.col(n) * (half[n] * sign);
    polygon.clear();
    for (label, position) in [middle + u + v, middle - u + v, middle - u - v, middle + u - v].into_iter().enumerate() {
        polygon.push(Corner { position, edge: label as u32 });
    }
    2 * k as u32 + u32::from(sign > 0.0)
}

/// Parameters of the closest points of two lines with unit directions that are not parallel.
pub(crate) fn closest_on_lines(p: DVec3, d: DVec3, q: DVec3, e: DVec3) -> (f64, f64) {
    let between = q - p;
    let cosine = d.dot(e);
    let denominator = (1.0 - cosine * cosine).max(f64::MIN_POSITIVE);
    let (a, b) = (d.dot(between), e.dot(between));
    ((a - cosine * b) / denominator, (cosine * a - b) / denominator)
}
