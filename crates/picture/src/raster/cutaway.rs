//! Walls between the camera and what moves are left out, as in a doll's house.

use drystone::Recording;
use drystone::geometry::{DVec3, Ray, Shape};
use drystone::model::BodyKind;

use super::Camera;

/// Points of the motion looked for at most, spread evenly.
const POINTS_LOOKED_FOR: usize = 1000;
/// A shape that hides more than this share of them is in the way.
const HIDDEN_SHARE: f64 = 0.25;

/// How far from the middle of a ball it is looked at too, above, below and beside it, as a share of its radius: a nut
/// hides the middle of its screw, but not the screw.
const RIM: f64 = 0.9;

/// Which shapes to draw: all but resting ones that hide much of what moves from a camera.
pub fn shown_shapes(recording: &Recording, balls: &[(DVec3, f64)], camera: &Camera) -> Vec<bool> {
    let (model, eye) = (&recording.model, camera.position);
    let around = [DVec3::ZERO, camera.up, -camera.up, camera.right, -camera.right];
    let stride = (around.len() * balls.len()).div_ceil(POINTS_LOOKED_FOR).max(1);
    let looked_at = balls.iter().step_by(stride);
    let points: Vec<(DVec3, DVec3)> =
        looked_at.flat_map(|(c, r)| around.map(|side| (*c, *c + side * (RIM * r)))).collect();
    (0..model.shape_count())
        .map(|shape| {
            let body = model.shape_body[shape] as usize;
            let still = model.body_kind.get(body).is_none_or(|&kind| kind == BodyKind::Static);
            let geometry = &model.shape_geometry[shape];
            if !still || matches!(geometry, Shape::HalfSpace | Shape::Heightfield(_)) {
                return true;
            }
            let pose = model.body_q.get(body).map_or(model.shape_pose[shape], |pose| *pose * model.shape_pose[shape]);
            let between = |from: DVec3, to: DVec3| geometry.cast_ray(&pose, &Ray::new(from, to - from), 1.0).is_some();
            // Of the ball around a body, what lies beyond a surface that the body lies on is no part of the body.
            let hides = |&&(centre, point): &&(DVec3, DVec3)| {
                between(eye, point) && (point == centre || !between(centre, point))
            };
            let hidden = points.iter().filter(hides).count();
            hidden as f64 <= HIDDEN_SHARE * points.len() as f64
        })
        .collect()
}
