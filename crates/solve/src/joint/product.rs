//! Velocity-product terms: what is left of a coordinate's acceleration when no body accelerates.

use drystone_model::DVec3;

use super::axes::{Axes, JointGeometry, Placement, cardan_axes};
use crate::linalg::block6::split;
use crate::linalg::matrix::Vec6;

impl JointGeometry {
    /// The terms c of all six coordinates, q̈ = J v̇ + c \[m/s²\], \[rad/s²\]. `axes` are the coordinates at
    /// the same placements.
    pub fn velocity_products(&self, placement: [Placement; 2], velocity: [Vec6<f64>; 2], axes: &Axes) -> [f64; 6] {
        let mut product = [0.0; 6];
        let linear = self.translation_products(placement, velocity, axes);
        (0..3).for_each(|k| product[k] = axes.direction.col(k).dot(linear));
        if self.turns {
            let angular = self.rotation_products(placement, velocity, axes);
            (0..3).for_each(|k| product[3 + k] = angular[k]);
        }
        product
    }

    /// Relative acceleration of the frame origins as the parent joint frame sees it, world axes.
    fn translation_products(&self, placement: [Placement; 2], velocity: [Vec6<f64>; 2], axes: &Axes) -> DVec3 {
        let [(v0, w0), (v1, w1)] = velocity.map(|v| split(&v));
        let arm = placement[0].rotation * self.anchor[0];
        let [lever0, lever1] = axes.lever;
        let offset = lever0 - arm;
        let centripetal = w1.cross(w1.cross(lever1)) - w0.cross(w0.cross(arm));
        let speed = v1 + w1.cross(lever1) - v0 - w0.cross(arm);
        if self.distance {
            let length = offset.length();
            let along = axes.direction.x_axis;
            let across = speed.reject_from_normalized(along).length_squared();
            return centripetal + if length > 0.0 { along * (across / length) } else { DVec3::ZERO };
        }
        let seen = speed - w0.cross(offset);
        centripetal - w0.cross(seen) * 2.0 - w0.cross(w0.cross(offset))
    }

    fn rotation_products(&self, placement: [Placement; 2], velocity: [Vec6<f64>; 2], axes: &Axes) -> DVec3 {
        let [(_, w0), (_, w1)] = velocity.map(|v| split(&v));
        let parent = placement[0].rotation * self.basis[0];
        let to_parent = parent.conjugate();
        let angles = axes.angles;
        let spin = to_parent * (w1 - w0);
        let mut product = self.chart.rates(angles, to_parent * -w0.cross(w1)) + self.chart.drift(angles, spin);
        if let Some(cone) = self.cone {
            let child = placement[1].rotation * self.basis[1];
            product.x = cone.read(to_parent * child, spin, to_parent * -w0.cross(w1)).product;
        }
        if let Some(locked) = self.cardan {
            let child = placement[1].rotation * self.basis[1];
            let (in_parent, in_child, sign) = cardan_axes(locked);
            let (a, b) = (parent * in_parent, child * in_child);
            product[locked] = sign
                * (w0.cross(w0.cross(a)).dot(b) + 2.0 * w0.cross(a).dot(w1.cross(b)) + a.dot(w1.cross(w1.cross(b))));
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use drystone_model::{Axis, BodyDef, DQuat, JointDef, Model, ModelBuilder};

    use super::*;
    use crate::linalg::matrix::dot;
    use drystone_random::Random;

    /// One joint of every kind between two bodies away from the closed position.
    pub(crate) fn every_kind() -> Model {
        let anchor = DVec3::new(0.2, -0.1, 0.3);
        let axis = DVec3::new(1.0, 2.0, -0.5);
        let mut scene = ModelBuilder::new();
        let a = scene.add_body(BodyDef::dynamic("a").sphere(0.1));
        let b = scene.add_body(BodyDef::dynamic("b").at(DVec3::X).sphere(0.1));
        scene.add_joint(JointDef::fixed(a, b, anchor));
        scene.add_joint(JointDef::ball(a, b, anchor));
        scene.add_joint(JointDef::revolute(a, b, anchor, axis));
        scene.add_joint(JointDef::prismatic(a, b, anchor, axis));
        scene.add_joint(JointDef::cylindrical(a, b, anchor, axis));
        scene.add_joint(JointDef::planar(a, b, anchor, axis));
        scene.add_joint(JointDef::universal(a, b, anchor, axis, axis.any_orthogonal_vector()));
        scene.add_joint(JointDef::distance(a, b, anchor, DVec3::X, [0.7, 0.7]));
        scene.add_joint(JointDef::turn_limit(a, b, 1.0));
        scene.add_joint(JointDef::elliptic_cone(a, b, DQuat::from_rotation_y(0.3), [0.4, 0.9]));
        let free = [
            vec![Axis::LinY, Axis::AngY],
            vec![Axis::AngX, Axis::AngZ],
            vec![Axis::AngY, Axis::AngZ, Axis::LinX],
            vec![Axis::AngX, Axis::AngY, Axis::AngZ],
        ];
        free.iter().for_each(|free| _ = scene.add_joint(JointDef::d6(a, b, anchor, DQuat::IDENTITY, free)));
        scene.finalize().unwrap()
    }

    fn vector(random: &mut Random) -> DVec3 {
        DVec3::new(random.signed(), random.signed(), random.signed())
    }

    /// Bodies that move with constant velocities for `time` seconds.
    fn moved(at: [Placement; 2], velocity: [Vec6<f64>; 2], time: f64) -> [Placement; 2] {
        [0, 1].map(|side| {
            let (v, w) = split(&velocity[side]);
            let rotation = DQuat::from_scaled_axis(w * time) * at[side].rotation;
            Placement { com: at[side].com + v * time, rotation }
        })
    }

    /// Along a motion without acceleration c is the second derivative of the coordinate and J v its first.
    #[test]
    fn rates_and_products_agree_with_finite_differences() {
        let model = every_kind();
        let mut random = Random::new(21);
        for joint in 0..model.joint_count() {
            let geometry = JointGeometry::new(&model, joint, 2, true);
            for _ in 0..10 {
                let at = [DVec3::ZERO, DVec3::X].map(|com| Placement {
                    com: com + vector(&mut random) * 0.2,
                    rotation: DQuat::from_scaled_axis(vector(&mut random) * 0.4),
                });
                let velocity = [0, 1].map(|_| std::array::from_fn(|_| random.signed()));
                let axes = geometry.axes(at, DVec3::ZERO);
                let product = geometry.velocity_products(at, velocity, &axes);
                let step = 1e-4;
                let value = |time: f64| geometry.axes(moved(at, velocity, time), DVec3::ZERO).value;
                let (before, after) = (value(-step), value(step));
                for k in (0..6).filter(|k| !geometry.distance || !(1..3).contains(k)) {
                    let rate = dot(&axes.jacobian[k][0], &velocity[0]) + dot(&axes.jacobian[k][1], &velocity[1]);
                    let first = (after[k] - before[k]) / (2.0 * step);
                    let second = (after[k] + before[k] - 2.0 * axes.value[k]) / (step * step);
                    assert!((first - rate).abs() < 1e-6, "joint {joint} axis {k}: rate {rate}, {first}");
                    // Near the tip of a cone its coordinate bends as one over itself, and differences are off by that much more.
                    let bend = if geometry.cone.is_some() { 1.0 + product[k].abs() } else { 1.0 };
                    assert!(
                        (second - product[k]).abs() < 1e-5 * bend,
                        "joint {joint} axis {k}: {} {second}",
                        product[k]
                    );
                }
            }
        }
    }

    #[test]
    fn the_list_of_rows_and_the_freedoms_are_six() {
        let model = every_kind();
        for joint in 0..model.joint_count() {
            let mut held = Vec::new();
            super::super::held_axes(&model, joint, &mut held);
            let free = match model.joint_kind[joint] {
                drystone_model::JointKind::Distance => 5,
                drystone_model::JointKind::D6 => {
                    model.joint_axis[joint].iter().filter(|mode| **mode == drystone_model::AxisMode::Free).count()
                }
                kind => kind.free_axes().len(),
            };
            assert_eq!(held.len() + free, 6, "joint {joint}");
        }
    }
}
