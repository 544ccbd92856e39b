//! Walls between the camera and what moves are left out, as in a doll's house.

use drystone::Recording;
use drystone::geometry::{DVec3, Ray, Shape};
use drystone::model::BodyKind;

/// Points of the motion looked for at most, spread evenly.
const POINTS_LOOKED_FOR: usize = 200;
/// A shape that hides more than this share of them is in the way.
const HIDDEN_SHARE: f64 = 0.25;

/// Which shapes to draw: all but resting ones that hide much of what moves from `eye`.
pub fn shown_shapes(recording: &Recording, balls: &[(DVec3, f64)], eye: DVec3) -> Vec<bool> {
    let model = &recording.model;
    let stride = balls.len().div_ceil(POINTS_LOOKED_FOR).max(1);
    let points: Vec<DVec3> = balls.iter().step_by(stride).map(|ball| ball.0).collect();
    (0..model.shape_count())
        .map(|shape| {
            let body = model.shape_body[shape] as usize;
            let still = model.body_kind.get(body).is_none_or(|&kind| kind == BodyKind::Static);
            let geometry = &model.shape_geometry[shape];
            if !still || matches!(geometry, Shape::HalfSpace | Shape::Heightfield(_)) {
                return true;
            }
            let pose = model.body_q.get(body).map_or(model.shape_pose[shape], |pose| *pose * model.shape_pose[shape]);
            let hides = |&&point: &&DVec3| geometry.cast_ray(&pose, &Ray::new(eye, point - eye), 1.0).is_some();
            let hidden = points.iter().filter(hides).count();
            hidden as f64 <= HIDDEN_SHARE * points.len() as f64
        })
        .collect()
}
