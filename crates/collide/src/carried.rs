//! Faces of boxes that lie on each other and hardly move against each other: their points are carried along with the shapes, and
//! only their gaps are taken anew. The narrow phase would find nothing else, for ten times the work.

use drystone_geometry::{DVec3, Shape};

use crate::contacts::{Manifolds, Scene};
use crate::narrow::Query;
use crate::narrow::manifold::{MAX_POINTS, Point};

/// How far points may have come away from where the narrow phase found them, as a share of the slack in depth: a twentieth of a
/// percent of the thickness. Support is off by no more than that.
const DRIFT: f64 = 0.1;

/// Appends the manifold of two boxes with the four points they had in the step before, where their shapes are now. Returns false, and
/// appends nothing, where they moved on: against each other since the points were found, or in this step by so much that other
/// corners may come near. What a contact hook may change (materials, belts, which points are left) is not read.
pub(crate) fn carry(scene: &Scene, pair: usize, shapes: [usize; 2], query: &Query, out: &mut Manifolds) -> bool {
    let (last, old) = (scene.last, scene.last_contacts);
    let (manifolds, axis) = (last.manifolds(pair), last.pair_axis[pair]);
    let [first, second] = shapes.map(|shape| &scene.moving[shape]);
    let boxes = shapes.iter().all(|&shape| matches!(scene.model.shape_geometry[shape], Shape::Box { .. }));
    let travel = first.velocity.distance(second.velocity) * scene.dt;
    let calm = travel + first.turning + second.turning <= query.slack;
    if !(manifolds.len() == 1 && axis < 6 && boxes && calm) {
        return false;
    }
    let manifold = manifolds.start;
    let points = old.points(manifold);
    if points.len() != MAX_POINTS {
        return false;
    }
    // The face belongs to one of the two, the points to the other.
    let second_face = axis >= 3;
    let anchors = [&last.point_anchor0, &last.point_anchor1];
    let (face, other) = if second_face { ((second, anchors[1]), first) } else { ((first, anchors[0]), second) };
    let corners = anchors[usize::from(!second_face)];
    let axis = face.0.at.rotation.col(axis as usize % 3);
    let towards = if second_face { -old.manifold_normal[manifold] } else { old.manifold_normal[manifold] };
    let outward = if axis.dot(towards) >= 0.0 { axis } else { -axis };
    let mut carried = [Point { position0: DVec3::ZERO, position1: DVec3::ZERO, gap: 0.0, feature: 0 }; MAX_POINTS];
    let drift = DRIFT * query.slack;
    for (carried, point) in carried.iter_mut().zip(points) {
        let corner = other.at.point(corners[point]);
        let way = corner - face.0.at.point(face.1[point]);
        let gap = outward.dot(way);
        let drifted = way - outward * last.point_found_gap[point];
        if drifted.length_squared() > drift * drift || gap > query.limit {
            return false;
        }
        let below = corner - outward * gap;
        let (position0, position1) = if second_face { (corner, below) } else { (below, corner) };
        *carried = Point { position0, position1, gap, feature: old.point_feature[point] };
    }
    out.push(shapes.map(|shape| shape as u32), if second_face { -outward } else { outward }, [0; 2], &carried);
    true
}

#[cfg(test)]
mod tests {
    use drystone_model::{BodyDef, DQuat, DVec3, Model, ModelBuilder, Pose, State};

    use super::DRIFT;
    use crate::{Collide, CollideOptions};

    /// A crate in the middle of a larger one.
    fn crates() -> Model {
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("table").cuboid(DVec3::splat(1.0)));
        scene.add_body(BodyDef::dynamic("crate").at(DVec3::new(0.1, -0.2, 1.249)).cuboid(DVec3::splat(0.25)));
        scene.finalize().unwrap()
    }

    /// The crate moved and turned, and both moved and turned as one.
    fn moved(model: &Model, by: DVec3, turn: DVec3) -> State {
        let mut state = model.state();
        let both = Pose::from_parts(DVec3::new(3.0, 1.0, -2.0), DQuat::from_scaled_axis(turn * 100.0));
        let crate_at = Pose::from_parts(state.body_q[1].translation + by, DQuat::from_scaled_axis(turn));
        (state.body_q[0], state.body_q[1]) = (both * state.body_q[0], both * crate_at);
        state
    }

    fn detected(model: &Model, state: &State, collide: &mut Collide) {
        collide.detect(model, state, 0.01);
        assert_eq!(collide.contacts.point_count(), 4);
    }

    /// Points that are carried lie where the narrow phase would find them: corners on a plane.
    #[test]
    fn carried_points_are_those_that_would_be_found() {
        let model = crates();
        let mut carries = Collide::new(&model, CollideOptions::default());
        detected(&model, &model.state(), &mut carries);
        let found = carries.now.point_found_gap.clone();
        for step in 1..=5 {
            let share = f64::from(step);
            let (by, turn) = (DVec3::new(2e-5, -1e-5, 1e-6) * share, DVec3::new(1e-5, -2e-5, 1e-5) * share);
            let state = moved(&model, by, turn);
            detected(&model, &state, &mut carries);
            assert_eq!(carries.now.point_found_gap, found, "found anew in round {step}");
            let mut finds = Collide::new(&model, CollideOptions::default());
            detected(&model, &state, &mut finds);
            let (here, there) = (&carries.contacts, &finds.contacts);
            assert_eq!(here.point_feature, there.point_feature);
            assert!(here.manifold_normal[0].distance(there.manifold_normal[0]) < 1e-15);
            for point in 0..4 {
                assert!((here.point_gap[point] - there.point_gap[point]).abs() < 1e-13);
                assert!(here.point_position0[point].distance(there.point_position0[point]) < 1e-13);
                assert!(here.point_position1[point].distance(there.point_position1[point]) < 1e-13);
            }
            assert!(here.point_gap != found, "the gaps are those of now");
        }
    }

    /// A plank over the edge of one of its width, which creeps out: with the points that the narrow phase would find, by the same names
    /// and each after itself, whether they were carried or found anew. Only cuts at the edge may lag behind, by the drift allowed.
    #[test]
    fn a_plank_creeps_with_the_points_that_would_be_found() {
        const TILT: f64 = 1e-4;
        let half = DVec3::new(1.0, 0.25, 0.1);
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("below").cuboid(half));
        scene.add_body(BodyDef::dynamic("above").at(DVec3::new(0.19, 0.0, 0.2)).cuboid(half));
        let model = scene.finalize().unwrap();
        let mut carries = Collide::new(&model, CollideOptions::default());
        detected(&model, &model.state(), &mut carries);
        let allowed = DRIFT * 0.005 * 2.0 * half.z;
        let (mut found_gap, mut carried, mut refound) = (carries.now.point_found_gap.clone(), 0, 0);
        for step in 1..=60 {
            let share = f64::from(step);
            // Sideways it stays flush but for rounding.
            let error = if step % 2 == 0 { 1e-14 } else { -1e-14 };
            let turn = DVec3::new(0.0, TILT * (share / 60.0), error);
            let state = moved(&model, DVec3::new(7e-6 * share, error, 1e-6), turn);
            detected(&model, &state, &mut carries);
            let mut finds = Collide::new(&model, CollideOptions::default());
            detected(&model, &state, &mut finds);
            let (here, there) = (&carries.contacts, &finds.contacts);
            assert_eq!(here.point_feature, there.point_feature, "step {step}");
            assert_eq!(here.point_match, [0, 1, 2, 3], "step {step}");
            assert!(here.manifold_normal[0].distance(there.manifold_normal[0]) < 1e-15);
            let same = carries.now.point_found_gap == found_gap;
            found_gap.clone_from(&carries.now.point_found_gap);
            (carried, refound) = if same { (carried + 1, refound) } else { (carried, refound + 1) };
            for point in 0..4 {
                // Cuts are named by a side, from 4 on.
                let feature = here.point_feature[point];
                let cut = feature & 0o40 != 0 || feature & 0o4 != 0;
                let lag = if cut && same { allowed } else { 1e-13 };
                assert!(here.point_position0[point].distance(there.point_position0[point]) <= lag, "step {step}");
                assert!(here.point_position1[point].distance(there.point_position1[point]) <= lag, "step {step}");
                let gap = (here.point_gap[point] - there.point_gap[point]).abs();
                assert!(gap <= lag * TILT + 1e-13, "step {step}: {gap}");
            }
        }
        assert!(carried > 40 && refound >= 4, "carried {carried} times, found anew {refound} times");
    }

    /// What slid on by more than a tenth of the slack, or moves fast, is found anew.
    #[test]
    fn what_moves_on_is_found_anew() {
        let model = crates();
        for (slide, speed) in [(3e-4, 0.0), (1e-6, 1.0)] {
            let mut collide = Collide::new(&model, CollideOptions::default());
            detected(&model, &model.state(), &mut collide);
            let found = collide.now.point_anchor0.clone();
            let mut state = moved(&model, DVec3::X * slide, DVec3::ZERO);
            state.body_qd[1].linear = DVec3::X * speed;
            detected(&model, &state, &mut collide);
            for (anchor, found) in collide.now.point_anchor0.iter().zip(&found) {
                assert!((anchor.distance(*found) - slide).abs() < 1e-12, "{anchor} was {found}");
            }
        }
    }
}
