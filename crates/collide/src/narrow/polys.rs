//! Convex polyhedra against each other: separating axes with Gauss-map pruning, then clipping.

use drystone_geometry::DVec3;

use super::boxes::closest_on_lines;
use super::clip::{Corner, Side, clip};
use super::manifold::{Point, min_gap, reduce};
use super::poly::{Poly, hash3};
use super::{NO_AXIS, Query, Scratch, tie};
use crate::placement::Placement;

/// Which directions a pair may use; normals come in the frame of the first and point to the second.
pub(crate) trait Gate {
    /// Whether the separation `value` along this normal keeps the two from touching.
    fn apart(&self, normal: DVec3, value: f64, limit: f64) -> bool;
    /// Whether this may be the normal of a contact.
    fn admits(&self, normal: DVec3) -> bool;
    /// Whether a gap along this normal means that the two do not overlap.
    fn divides(&self, normal: DVec3) -> bool;
}

/// Closed solids: everything goes.
pub(crate) struct Open;

impl Gate for Open {
    fn apart(&self, _: DVec3, value: f64, limit: f64) -> bool {
        value > limit
    }

    fn admits(&self, _: DVec3) -> bool {
        true
    }

    fn divides(&self, _: DVec3) -> bool {
        true
    }
}

#[derive(Clone, Copy)]
struct Axis {
    code: u32,
    value: f64,
    /// From the first to the second polyhedron, in the frame of the first.
    normal: DVec3,
}

impl Axis {
    const NONE: Self = Self { code: NO_AXIS, value: f64::NEG_INFINITY, normal: DVec3::Z };

    fn is_edge(&self) -> bool {
        self.code >> 30 == 2
    }

    /// Raises the largest separation known.
    fn widen(&self, widest: &mut f64, gate: &impl Gate) {
        if self.value > *widest && gate.divides(self.normal) {
            *widest = self.value;
        }
    }
}

/// Two polyhedra, everything in the frame of the first.
struct Polys<'a> {
    polys: [Poly<'a>; 2],
    /// Placement of the second in the frame of the first.
    relative: Placement,
    /// A point inside the first.
    middle: DVec3,
}

/// Placement of the second in the frame of the first.
pub(crate) fn relative(at0: &Placement, at1: &Placement) -> Placement {
    Placement { rotation: at0.rotation.transpose() * at1.rotation, position: at0.local_point(at1.position) }
}

/// A contact by separating axes. Its points are in [`Scratch::points`].
pub(crate) struct AxisContact {
    pub normal: DVec3,
    /// The largest separation along any axis that may give the normal: no point is nearer \[m\].
    pub separation: f64,
    /// Whether a point is as near as that. Where none is, the nearest parts do not face each other along an axis.
    pub exact: bool,
}

/// Contact of two convex polyhedra; updates `query.axis`.
pub(crate) fn poly_poly(
    (poly0, at0): (Poly, &Placement),
    (poly1, at1): (Poly, &Placement),
    gate: &impl Gate,
    query: &mut Query,
    scratch: &mut Scratch,
) -> Option<AxisContact> {
    let middle = poly0.vertices.iter().sum::<DVec3>() / poly0.vertices.len() as f64;
    let polys = Polys { polys: [poly0, poly1], relative: relative(at0, at1), middle };
    let [preferred, best] = polys.separate(query, gate)?;
    let mut axis = preferred;
    // No point is nearer than the planes along the axis are.
    let reach = |axis: &Axis| axis.value + tie(query, best.value);
    let mut exact = polys.contact(&axis, query, scratch) <= reach(&axis);
    // What was preferred for its points, or for having been used before, has no point where it matters.
    if !exact && best.code != preferred.code {
        axis = best;
        exact = polys.contact(&axis, query, scratch) <= reach(&axis);
    }
    query.axis = axis.code;
    let normal = at0.vector(axis.normal);
    for point in &mut scratch.points {
        point.position0 = at0.point(point.position0);
        point.position1 = at0.point(point.position1);
    }
    reduce(normal, &mut scratch.points, &query.anchors, query.slack);
    (!scratch.points.is_empty()).then_some(AxisContact { normal, separation: best.value, exact })
}

impl Polys<'_> {
    /// Fills the points of the contact along an axis, in the frame of the first, and tells the least gap.
    fn contact(&self, axis: &Axis, query: &Query, scratch: &mut Scratch) -> f64 {
        scratch.points.clear();
        if axis.is_edge() {
            scratch.points.extend(self.edge_contact(axis, query));
        } else {
            self.face_contact(axis, query, scratch);
        }
        min_gap(&scratch.points)
    }

    /// The axis to prefer for the contact and the one of the largest separation, if the two are near each other and an
    /// admitted one is; sets `query.apart`.
    fn separate(&self, query: &mut Query, gate: &impl Gate) -> Option<[Axis; 2]> {
        query.apart = true;
        let kept = self.along(query.axis);
        if kept.as_ref().is_some_and(|kept| gate.apart(kept.normal, kept.value, query.limit)) {
            return None;
        }
        let mut widest = f64::NEG_INFINITY;
        let face = self.best_face(query, gate, &mut widest)?;
        let edge = self.best_edges(query, gate, &mut widest)?;
        query.apart = false;
        let best = if edge.value > face.value { edge } else { face };
        // Where no face may give the normal an edge does, which is no larger than infinity less infinity.
        let clearly = face.code == NO_AXIS || edge.value > face.value + tie(query, face.value);
        let fresh = if clearly { edge } else { face };
        let preferred = match kept {
            Some(kept)
                if kept.value >= fresh.value - query.slack
                    && (!kept.is_edge() || fresh.is_edge())
                    && gate.admits(kept.normal) =>
            {
                kept
            }
            _ => fresh,
        };
        // What is divided along any axis does not overlap, even if that axis is no normal of a contact.
        let ghost = best.value < 0.0 && widest > 0.0 && widest > best.value + tie(query, best.value);
        (best.code != NO_AXIS && !ghost).then_some([preferred, best])
    }

    /// The best face that may give the normal; raises `widest` to the largest separation by any. None if apart.
    fn best_face(&self, query: &Query, gate: &impl Gate, widest: &mut f64) -> Option<Axis> {
        let mut best = Axis::NONE;
        for side in 0..2u32 {
            for face in 0..self.polys[side as usize].face_normal.len() as u32 {
                let axis = self.along_face(side, face);
                if gate.apart(axis.normal, axis.value, query.limit) {
                    return None;
                }
                axis.widen(widest, gate);
                // Parallel faces must not take turns: the first polyhedron's win ties.
                let bias = if side == 1 && best.code >> 30 == 0 { query.slack } else { 0.0 };
                if axis.value > best.value + bias && gate.admits(axis.normal) {
                    best = axis;
                }
            }
        }
        Some(best)
    }

    /// As [`Self::best_face`], of pairs of edges.
    fn best_edges(&self, query: &Query, gate: &impl Gate, widest: &mut f64) -> Option<Axis> {
        let mut best = Axis::NONE;
        for i in 0..self.polys[0].edges.len() as u32 {
            for j in 0..self.polys[1].edges.len() as u32 {
                let Some(axis) = self.along_edges(i, j) else { continue };
                if gate.apart(axis.normal, axis.value, query.limit) {
                    return None;
                }
                axis.widen(widest, gate);
                if axis.value > best.value && gate.admits(axis.normal) {
                    best = axis;
                }
            }
        }
        Some(best)
    }

    /// The axis with a code of an earlier step: 2 bits kind, 15 bits each for face or edges.
    fn along(&self, code: u32) -> Option<Axis> {
        let (i, j) = ((code >> 15) & 0x7fff, code & 0x7fff);
        match code >> 30 {
            kind @ (0 | 1) => {
                ((j as usize) < self.polys[kind as usize].face_normal.len()).then(|| self.along_face(kind, j))
            }
            2 if (i as usize) < self.polys[0].edges.len() && (j as usize) < self.polys[1].edges.len() => {
                self.along_edges(i, j)
            }
            _ => None,
        }
    }

    fn along_face(&self, side: u32, face: u32) -> Axis {
        let [poly0, poly1] = &self.polys;
        let code = (side << 30) | face;
        if side == 0 {
            let normal = poly0.face_normal[face as usize];
            let on_face = poly0.vertices[poly0.face(face as usize)[0] as usize];
            let deepest = self.relative.point(poly1.support(-self.relative.local_vector(normal)));
            Axis { code, value: normal.dot(deepest - on_face), normal }
        } else {
            let outward = self.relative.vector(poly1.face_normal[face as usize]);
            let on_face = self.relative.point(poly1.vertices[poly1.face(face as usize)[0] as usize]);
            let deepest = poly0.support(-outward);
            Axis { code, value: outward.dot(deepest - on_face), normal: -outward }
        }
    }

    /// Only edges whose arcs cross on the Gauss map make a face of the Minkowski difference.
    fn along_edges(&self, i: u32, j: u32) -> Option<Axis> {
        let [poly0, poly1] = &self.polys;
        let (edge0, faces0) = (poly0.edges[i as usize], poly0.edge_face[i as usize]);
        let (edge1, faces1) = (poly1.edges[j as usize], poly1.edge_face[j as usize]);
        let (p0, q0) = (poly0.vertices[edge0[0] as usize], poly0.vertices[edge0[1] as usize]);
        let (a, b) = (poly0.face_normal[faces0[0] as usize], poly0.face_normal[faces0[1] as usize]);
        let direction0 = q0 - p0;
        // The second polyhedron's normals are negated, as in the Minkowski difference.
        let c = -self.relative.vector(poly1.face_normal[faces1[0] as usize]);
        let d = -self.relative.vector(poly1.face_normal[faces1[1] as usize]);
        let (cba, dba) = (c.dot(direction0), d.dot(direction0));
        if cba * dba >= 0.0 {
            return None;
        }
        let p1 = self.relative.point(poly1.vertices[edge1[0] as usize]);
        let direction1 = self.relative.point(poly1.vertices[edge1[1] as usize]) - p1;
        let (adc, bdc) = (a.dot(direction1), b.dot(direction1));
        // Both arcs must cross within the same hemisphere.
        if adc * bdc >= 0.0 || cba * bdc <= 0.0 {
            return None;
        }
        let cross = direction0.cross(direction1);
        let length = cross.length();
        if length * length <= 1e-10 * direction0.length_squared() * direction1.length_squared() {
            return None;
        }
        let normal = if cross.dot(p0 - self.middle) >= 0.0 { cross / length } else { -cross / length };
        Some(Axis { code: (2 << 30) | (i << 15) | j, value: normal.dot(p1 - p0), normal })
    }

    fn face_contact(&self, axis: &Axis, query: &Query, scratch: &mut Scratch) {
        let first = axis.code >> 30 == 0;
        let (reference, incident) = if first { (0, 1) } else { (1, 0) };
        let placement = |which: usize| if which == 0 { Placement::IDENTITY } else { self.relative };
        let (at_ref, at_inc) = (placement(reference), placement(incident));
        let outward = if first { axis.normal } else { -axis.normal };
        let poly_ref = &self.polys[reference];
        let poly_inc = &self.polys[incident];
        let face_ref = (axis.code & 0x7fff) as usize;
        let face_inc = poly_inc.foremost_face(-at_inc.local_vector(outward), query.slack);

        scratch.polygon.clear();
        for (label, &v) in poly_inc.face(face_inc).iter().enumerate() {
            let position = at_inc.point(poly_inc.vertices[v as usize]);
            scratch.polygon.push(Corner { position, edge: label as u32 });
        }
        let ring = poly_ref.face(face_ref);
        let first_label = scratch.polygon.len() as u32;
        for (label, &v) in ring.iter().enumerate() {
            let from = at_ref.point(poly_ref.vertices[v as usize]);
            let to = at_ref.point(poly_ref.vertices[ring[(label + 1) % ring.len()] as usize]);
            let normal = (to - from).cross(outward);
            let side = Side { normal, offset: normal.dot(from), label: first_label + label as u32 };
            clip(&mut scratch.polygon, &mut scratch.spare, &side);
        }
        let height = outward.dot(at_ref.point(poly_ref.vertices[ring[0] as usize]));
        let base = hash3(axis.code >> 30, face_ref as u32, face_inc as u32);
        let Some(last) = scratch.polygon.last() else { return };
        let mut edge_in = last.edge;
        for corner in &scratch.polygon {
            let gap = outward.dot(corner.position) - height;
            if gap <= query.limit {
                let on_reference = corner.position - outward * gap;
                let (position0, position1) =
                    if first { (on_reference, corner.position) } else { (corner.position, on_reference) };
                let feature = hash3(base, edge_in, corner.edge);
                scratch.points.push(Point { position0, position1, gap, feature });
            }
            edge_in = corner.edge;
        }
    }

    fn edge_contact(&self, axis: &Axis, query: &Query) -> Option<Point> {
        let [poly0, poly1] = &self.polys;
        let edge0 = poly0.edges[((axis.code >> 15) & 0x7fff) as usize];
        let edge1 = poly1.edges[(axis.code & 0x7fff) as usize];
        let (p0, q0) = (poly0.vertices[edge0[0] as usize], poly0.vertices[edge0[1] as usize]);
        let p1 = self.relative.point(poly1.vertices[edge1[0] as usize]);
        let q1 = self.relative.point(poly1.vertices[edge1[1] as usize]);
        let (length0, length1) = ((q0 - p0).length(), (q1 - p1).length());
        let (d0, d1) = ((q0 - p0) / length0, (q1 - p1) / length1);
        let (s, t) = closest_on_lines(p0, d0, p1, d1);
        let beyond = |at: f64, length: f64| !(0.0..=length).contains(&at);
        if axis.value > 0.0 && (beyond(s, length0) || beyond(t, length1)) {
            return None;
        }
        let position0 = p0 + d0 * s.clamp(0.0, length0);
        let position1 = p1 + d1 * t.clamp(0.0, length1);
        let gap = axis.normal.dot(position1 - position0);
        (gap <= query.limit).then_some(Point { position0, position1, gap, feature: axis.code })
    }
}
