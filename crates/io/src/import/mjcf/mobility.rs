//! How easily joints move where the file draws the robot: what `springdamper` and `dampratio` are measured by.

use drystone_model::{DMat3, DVec3, Pose};
use drystone_solve::linalg::cholesky::Cholesky;

use super::super::assembly::Part;
use super::body::JointAt;
use super::joints::Kind;

/// Motion of everything that a freedom moves: angular velocity, and velocity of the point at the origin of the world.
struct Freedom {
    part: usize,
    joint: usize,
    angular: DVec3,
    linear: DVec3,
}

/// Diagonal of the inverse mass matrix for every joint, the mean where it has several freedoms \[1/kg or 1/(kg·m²)\].
/// `armature` is the rotor inertia of every joint.
pub(super) fn mobilities(parts: &[Part], joints: &[JointAt], armature: &[f64]) -> Vec<f64> {
    let poses = poses(parts);
    let freedoms: Vec<Freedom> =
        joints.iter().enumerate().flat_map(|(index, at)| freedoms(index, at, &poses[at.part])).collect();
    let count = freedoms.len();
    let mut matrix = vec![0.0; count * count];
    for (index, part) in parts.iter().enumerate().filter(|(_, part)| part.mass.mass > 0.0) {
        let moves = ancestors(parts, index);
        let centre = poses[index] * part.mass.com;
        let turn = DMat3::from_quat(poses[index].rotation);
        let inertia = turn * part.mass.inertia * turn.transpose();
        let moving: Vec<usize> = (0..count).filter(|&freedom| moves.contains(&freedoms[freedom].part)).collect();
        for &row in &moving {
            let one = &freedoms[row];
            let momentum = (one.linear + one.angular.cross(centre)) * part.mass.mass;
            let spin = inertia * one.angular;
            for &column in &moving {
                let other = &freedoms[column];
                matrix[row * count + column] +=
                    momentum.dot(other.linear + other.angular.cross(centre)) + spin.dot(other.angular);
            }
        }
    }
    for (index, freedom) in freedoms.iter().enumerate() {
        matrix[index * count + index] += armature[freedom.joint];
    }
    let mut factor = Cholesky::default();
    factor.factor(count, &matrix);
    let inverse = |index: usize| {
        let mut unit = vec![0.0; count];
        unit[index] = 1.0;
        factor.clone().solve(&mut unit);
        unit[index]
    };
    let mean = |joint: usize| {
        let own: Vec<usize> = (0..count).filter(|&index| freedoms[index].joint == joint).collect();
        own.iter().map(|&index| inverse(index)).sum::<f64>() / own.len() as f64
    };
    (0..joints.len()).map(mean).collect()
}

fn poses(parts: &[Part]) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::new();
    for part in parts {
        let above = part.parent.map_or(Pose::IDENTITY, |parent| poses[parent]);
        poses.push(above * part.pose);
    }
    poses
}

fn ancestors(parts: &[Part], part: usize) -> Vec<usize> {
    std::iter::successors(Some(part), |&part| parts[part].parent).collect()
}

fn freedoms(joint: usize, at: &JointAt, pose: &Pose) -> Vec<Freedom> {
    let anchor = *pose * at.joint.anchor;
    let turn = |axis: DVec3| Freedom { part: at.part, joint, angular: axis, linear: anchor.cross(axis) };
    let slide = |axis: DVec3| Freedom { part: at.part, joint, angular: DVec3::ZERO, linear: axis };
    match at.joint.kind {
        Kind::Hinge => vec![turn(pose.rotation * at.joint.axis)],
        Kind::Slide => vec![slide(pose.rotation * at.joint.axis)],
        Kind::Ball => DVec3::AXES.map(turn).into(),
        Kind::Free => DVec3::AXES.map(slide).into_iter().chain(DVec3::AXES.map(turn)).collect(),
    }
}
