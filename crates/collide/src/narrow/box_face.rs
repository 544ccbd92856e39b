//! The face of one box against the sides of a face of another, in the plane of that face.

use drystone_geometry::DVec3;

use super::manifold::{Point, reduce};
use super::{Query, Scratch};
use crate::placement::Placement;

/// How far a corner may stand out over a side and not be cut off, as a share of the slack in depth. Boxes of one width lie flush on each
/// other to rounding: cut to the bit, their edges would end in corners, in cuts or anywhere between, anew in every step.
pub(crate) const FLUSH: f64 = 0.01;

/// A corner in the coordinates of the reference face: along its two sides and above it, and the label of
/// the edge that leaves the corner.
#[derive(Clone, Copy)]
struct Flat {
    along: [f64; 2],
    height: f64,
    edge: u32,
}

/// A quadrilateral cut by four sides has at most eight corners.
struct Outline {
    corners: [Flat; 8],
    count: usize,
}

/// Contact through face `axis` of the reference box. `swapped` says that it is the second shape.
pub(crate) fn face_contact(
    (half_ref, at_ref): (DVec3, &Placement),
    (half_inc, at_inc): (DVec3, &Placement),
    axis: u32,
    swapped: bool,
    query: &Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let [k, u, v] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]][axis as usize];
    let axes = [at_ref.rotation.x_axis, at_ref.rotation.y_axis, at_ref.rotation.z_axis];
    let half = half_ref.to_array();
    let between = at_inc.position - at_ref.position;
    let side = if axes[k].dot(between) >= 0.0 { 1.0 } else { -1.0 };
    let outward = axes[k] * side;
    let (sides, size) = ([axes[u], axes[v]], [half[u], half[v]]);

    let (mut outline, face) = incident(half_inc, at_inc, between, outward, sides, half[k]);
    let flush = FLUSH * query.slack;
    outline.clip::<0>(size[0], flush, 4);
    outline.clip::<1>(size[1], flush, 6);

    let axis = if swapped { axis + 3 } else { axis };
    let base = (axis << 10) | (u32::from(side > 0.0) << 9) | (face << 6);
    let top = at_ref.position + outward * half[k];
    let normal = if swapped { -outward } else { outward };
    let mut edge_in = outline.corners[outline.count.checked_sub(1)?].edge;
    scratch.points.clear();
    for corner in &outline.corners[..outline.count] {
        let feature = base | (edge_in << 3) | corner.edge;
        edge_in = corner.edge;
        let gap = corner.height;
        if gap > query.limit {
            continue;
        }
        let on_ref = top + sides[0] * corner.along[0] + sides[1] * corner.along[1];
        let on_inc = on_ref + outward * gap;
        let (position0, position1) = if swapped { (on_inc, on_ref) } else { (on_ref, on_inc) };
        scratch.points.push(Point { position0, position1, gap, feature });
    }
    reduce(normal, &mut scratch.points, &query.anchors, query.slack);
    (!scratch.points.is_empty()).then_some(normal)
}

/// The face of a box that looks most against `outward`, counter-clockwise, edges labelled 0–3, in the
/// coordinates of the reference face; and its number.
fn incident(
    half: DVec3,
    at: &Placement,
    between: DVec3,
    outward: DVec3,
    sides: [DVec3; 2],
    reference_height: f64,
) -> (Outline, u32) {
    let against = at.local_vector(outward);
    let size = against.abs();
    let k = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
    let [k, m, n] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]][k];
    let axes = [at.rotation.x_axis, at.rotation.y_axis, at.rotation.z_axis];
    let half = half.to_array();
    let sign = if against.to_array()[k] > 0.0 { -1.0 } else { 1.0 };
    let flat = |x: DVec3| [sides[0].dot(x), sides[1].dot(x), outward.dot(x)];
    let middle = flat(between + axes[k] * (sign * half[k]));
    let p = flat(axes[m] * half[m]);
    let q = flat(axes[n] * (half[n] * sign));
    let corner = |a: f64, b: f64, edge: u32| Flat {
        along: [middle[0] + a * p[0] + b * q[0], middle[1] + a * p[1] + b * q[1]],
        height: middle[2] + a * p[2] + b * q[2] - reference_height,
        edge,
    };
    let first = corner(1.0, 1.0, 0);
    let rest = [corner(-1.0, 1.0, 1), corner(-1.0, -1.0, 2), corner(1.0, -1.0, 3)];
    let corners = [first, rest[0], rest[1], rest[2], first, first, first, first];
    (Outline { corners, count: 4 }, 2 * k as u32 + u32::from(sign > 0.0))
}

impl Outline {
    /// Cuts off what lies beyond `±half` along an axis, where a corner does by more than `flush`; the cuts are labelled `label` and
    /// `label + 1`.
    fn clip<const AXIS: usize>(&mut self, half: f64, flush: f64, label: u32) {
        let most = half + flush;
        let beyond = self.corners[..self.count].iter().any(|c| c.along[AXIS] > most);
        let before = self.corners[..self.count].iter().any(|c| c.along[AXIS] < -most);
        if beyond {
            self.cut::<AXIS>(1.0, half, label);
        }
        if before {
            self.cut::<AXIS>(-1.0, half, label + 1);
        }
    }

    fn cut<const AXIS: usize>(&mut self, sign: f64, half: f64, label: u32) {
        let count = self.count;
        if count == 0 {
            return;
        }
        let mut old = [self.corners[0]; 8];
        old[..count].copy_from_slice(&self.corners[..count]);
        self.count = 0;
        let mut from = old[count - 1];
        let mut from_over = sign * from.along[AXIS] - half;
        for &to in &old[..count] {
            let to_over = sign * to.along[AXIS] - half;
            if (from_over <= 0.0) != (to_over <= 0.0) {
                let t = from_over / (from_over - to_over);
                let mix = |a: f64, b: f64| a + (b - a) * t;
                let mut along = [mix(from.along[0], to.along[0]), mix(from.along[1], to.along[1])];
                along[AXIS] = sign * half;
                let edge = if from_over <= 0.0 { label } else { from.edge };
                self.push(Flat { along, height: mix(from.height, to.height), edge });
            }
            if to_over <= 0.0 {
                self.push(to);
            }
            (from, from_over) = (to, to_over);
        }
    }

    fn push(&mut self, corner: Flat) {
        // Round-off can make a ninth corner of a sliver; it lies on another and is not missed.
        if self.count < 8 {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use drystone_model::{BodyDef, DQuat, DVec3, ModelBuilder, Pose};

    use crate::{Collide, CollideOptions};

    /// A plank that lies on one of its width, further out, with a tilt that lifts the far end, and off by `error` [m, rad].
    fn planks(tilt: f64, error: f64) -> Collide {
        let half = DVec3::new(1.0, 0.25, 0.1);
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("below").cuboid(half));
        let edge = DVec3::new(half.x, 0.0, half.z);
        let turn = DQuat::from_scaled_axis(DVec3::new(0.0, tilt, error));
        let place = edge + turn * (DVec3::new(0.19, error, 2.0 * half.z) - edge);
        scene.add_body(BodyDef::dynamic("above").at(place).rotated(turn).cuboid(half));
        let model = scene.finalize().unwrap();
        let mut state = model.state();
        let both = Pose::from_parts(DVec3::new(3.0, 1.0, -2.0), DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.5)));
        state.body_q.iter_mut().for_each(|pose| *pose = both * *pose);
        let mut collide = Collide::new(&model, CollideOptions::default());
        collide.detect(&model, &state, 0.01);
        collide
    }

    /// Rounding in where flush boxes lie neither names their points anew nor moves them along the edge. With the far corners out of
    /// reach, an edge that crosses the side used to bring in points in its middle.
    #[test]
    fn flush_boxes_keep_their_points() {
        for (tilt, count) in [(0.0, 4), (0.01, 2), (0.05, 2)] {
            let exact = planks(tilt, 0.0);
            assert_eq!(exact.contacts.point_count(), count, "tilt {tilt}");
            for error in [1e-15, 1e-12, 1e-9, 1e-6].into_iter().flat_map(|error| [error, -error]) {
                let off = planks(tilt, error);
                assert_eq!(off.contacts.point_feature, exact.contacts.point_feature, "tilt {tilt}, off by {error}");
                for point in 0..count {
                    let moved = [
                        off.contacts.point_position0[point].distance(exact.contacts.point_position0[point]),
                        off.contacts.point_position1[point].distance(exact.contacts.point_position1[point]),
                        (off.contacts.point_gap[point] - exact.contacts.point_gap[point]).abs(),
                    ];
                    let bound = 4.0 * error.abs() + 1e-13;
                    assert!(moved.iter().all(|&moved| moved < bound), "tilt {tilt}, off by {error}: {moved:?}");
                }
            }
        }
    }

    /// What stands out further than that is cut at the side itself.
    #[test]
    fn what_stands_out_is_cut() {
        let out = planks(0.0, 1e-3);
        let found = &out.contacts;
        let below = |point: usize| out.moving[0].at.local_point(found.point_position0[point]);
        assert!((0..found.point_count()).all(|point| below(point).y <= 0.25 + 1e-13));
        assert!((0..found.point_count()).any(|point| (below(point).y - 0.25).abs() < 1e-13));
    }
}
