//! Coordinates to poses and back, rates to velocities and back, for every kind of joint.

use drystone_model::kinematics::rotation;
use drystone_model::{
    Axis, AxisMode, BodyDef, BodyId, Chart, DVec3, JointDef, JointKind, Model, ModelBuilder, Pose, RodStiffness, State,
    WORLD,
};
use proptest::prelude::*;

/// All but those that only measure, which have no coordinates.
fn kinds() -> Vec<JointKind> {
    JointKind::ALL.into_iter().filter(|kind| !kind.only_measures()).collect()
}

const ROD: RodStiffness =
    RodStiffness { stretch: 1.0, shear: 1.0, bend: 1.0, twist: 1.0, damping_linear: 0.0, damping_angular: 0.0 };

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from_array)
}

fn pose() -> impl Strategy<Value = Pose> {
    (vector(3.0), vector(2.0)).prop_map(|(position, turn)| Pose::new(position, turn))
}

/// A joint with random frames, random freedoms if it is a D6, and coordinates on its free axes.
#[derive(Clone, Debug)]
struct Case {
    kind: JointKind,
    frames: (Pose, Pose),
    freedoms: [bool; 6],
    coordinates: [f64; 6],
    rates: [f64; 6],
    reversed: bool,
}

fn case() -> impl Strategy<Value = Case> {
    let numbers = || prop::array::uniform6(-2.5..2.5f64);
    (
        prop::sample::select(kinds()),
        (pose(), pose()),
        prop::array::uniform6(any::<bool>()),
        numbers(),
        numbers(),
        any::<bool>(),
    )
        .prop_map(|(kind, frames, freedoms, coordinates, rates, reversed)| Case {
            kind,
            frames,
            freedoms,
            coordinates,
            rates,
            reversed,
        })
}

impl Case {
    fn joint(&self, from: BodyId, to: BodyId) -> JointDef {
        let reversed = self.reversed && !from.is_world() && self.kind != JointKind::Free;
        let (parent, child) = if reversed { (to, from) } else { (from, to) };
        let parent = if self.kind == JointKind::Free { BodyId::WORLD } else { parent };
        let mut joint = JointDef::new(self.kind, parent, child).frames(self.frames.0, self.frames.1);
        if self.kind == JointKind::D6 {
            joint = joint.free(&Axis::ALL.into_iter().filter(|&axis| self.freedoms[axis as usize]).collect::<Vec<_>>());
        }
        joint.rod = (self.kind == JointKind::Rod).then_some(ROD);
        joint
    }
}

/// A chain of bodies hung from the world by the given joints.
fn chain(cases: &[Case]) -> Model {
    let mut scene = ModelBuilder::new();
    let mut from = BodyId::WORLD;
    for (index, case) in cases.iter().enumerate() {
        let com = DVec3::new(0.1, -0.2, 0.3) * index as f64;
        let shape = drystone_model::ShapeDef::sphere(0.5).at(com);
        let body = scene.add_body(BodyDef::dynamic("").shape(shape));
        scene.add_joint(case.joint(from, body));
        from = body;
    }
    scene.finalize().unwrap()
}

/// The given numbers where the joint is free, zero where it is locked.
fn on_free_axes(model: &Model, numbers: impl Iterator<Item = [f64; 6]>) -> Vec<[f64; 6]> {
    let masked = |(numbers, axes): ([f64; 6], &[AxisMode; 6])| {
        std::array::from_fn(|axis| if axes[axis] == AxisMode::Free { numbers[axis] } else { 0.0 })
    };
    numbers.zip(&model.joint_axis).map(masked).collect()
}

fn distance(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Far enough from where x-y-z angles align that rates are well conditioned.
fn regular(model: &Model, coordinates: &[[f64; 6]]) -> bool {
    (0..model.joint_count())
        .all(|joint| model.joint_chart(joint) != Chart::Euler || coordinates[joint][4].cos().abs() > 0.05)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn reading_out_undoes_forward_kinematics(cases in prop::collection::vec(case(), 1..5)) {
        let model = chain(&cases);
        let coordinates = on_free_axes(&model, cases.iter().map(|case| case.coordinates));
        let rates = on_free_axes(&model, cases.iter().map(|case| case.rates));
        prop_assume!(regular(&model, &coordinates));
        let mut state = model.state();
        let loops = model.forward_kinematics(&coordinates, &rates, &mut state).unwrap();
        prop_assert!(loops.is_empty());
        for joint in 0..model.joint_count() {
            let read = model.joint_coordinates(&state, joint);
            prop_assert!(distance(&read, &coordinates[joint]) < 1e-12, "{read:?} for {:?}", coordinates[joint]);
            let read = model.joint_rates(&state, joint);
            prop_assert!(distance(&read, &rates[joint]) < 1e-10, "{read:?} for {:?}", rates[joint]);
        }
    }

    #[test]
    fn velocities_are_the_derivatives_of_poses(cases in prop::collection::vec(case(), 1..5)) {
        let model = chain(&cases);
        let coordinates = on_free_axes(&model, cases.iter().map(|case| case.coordinates));
        let rates = on_free_axes(&model, cases.iter().map(|case| case.rates));
        let h = 1e-5;
        let at = |time: f64| {
            let moved: Vec<[f64; 6]> = coordinates.iter().zip(&rates)
                .map(|(q, qd)| std::array::from_fn(|i| q[i] + time * qd[i])).collect();
            let mut state = model.state();
            model.forward_kinematics(&moved, &rates, &mut state).unwrap();
            state
        };
        let (before, now, after) = (at(-h), at(0.0), at(h));
        for body in 0..model.body_count() {
            let centre = |state: &State| model.body_centre(state, body as u32);
            let linear = (centre(&after) - centre(&before)) / (2.0 * h);
            let turn = after.body_q[body].rotation * before.body_q[body].rotation.inverse();
            let angular = rotation::log(turn) / (2.0 * h);
            let twist = now.body_qd[body];
            prop_assert!((linear - twist.linear).length() < 1e-7 * (1.0 + linear.length()));
            prop_assert!((angular - twist.angular).length() < 1e-7 * (1.0 + angular.length()));
        }
    }

    #[test]
    fn charts_reproduce_any_rotation(turn in vector(3.0), hint in vector(10.0), axis in 0usize..3) {
        let wanted = rotation::exp(turn);
        for chart in [Chart::Vector, Chart::Euler, Chart::Twist(axis)] {
            let got = chart.rotation(chart.angles(wanted, hint));
            prop_assert!((got.dot(wanted).abs() - 1.0).abs() < 1e-13, "{chart:?}");
        }
    }

    #[test]
    fn locked_rates_are_exact_derivatives_too(turn in vector(1.5), spin in vector(2.0), axis in 0usize..3) {
        // Off the constraint manifold as well: the error of a joint has a rate.
        let h = 1e-5;
        for chart in [Chart::Vector, Chart::Euler, Chart::Twist(axis)] {
            let angles = chart.angles(rotation::exp(turn), DVec3::ZERO);
            prop_assume!(chart != Chart::Euler || angles.y.cos().abs() > 0.1);
            let moved = |time: f64| chart.angles(rotation::exp(spin * time) * rotation::exp(turn), angles);
            let numeric = (moved(h) - moved(-h)) / (2.0 * h);
            let rates = chart.rates(angles, spin);
            prop_assert!((numeric - rates).length() < 1e-6 * (1.0 + rates.length()), "{chart:?}");
            prop_assert!((chart.velocity(angles, rates) - spin).length() < 1e-10 * (1.0 + spin.length()), "{chart:?}");
        }
    }
}

#[test]
fn small_rotation_vectors_keep_their_digits() {
    for size in [1e-3, 1e-9, 1e-15, 1e-30, 1e-200] {
        let vector = DVec3::new(1.0, -2.0, 0.5) * size;
        let back = rotation::log(rotation::exp(vector));
        assert!((back - vector).length() <= 1e-14 * vector.length(), "{size}");
    }
}

#[test]
fn jacobians_agree_where_series_and_closed_forms_meet() {
    let rate = DVec3::new(0.3, -0.7, 0.2);
    for angle in [0.25 - 1e-9, 0.25 + 1e-9, 1e-4, 3.0, 6.0] {
        let vector = DVec3::new(1.0, 2.0, 2.0) / 3.0 * angle;
        let there = rotation::left_jacobian(vector, rate);
        let back = rotation::left_jacobian_inverse(vector, there);
        assert!((back - rate).length() < 1e-13, "{angle}");
    }
}

/// Turns a hinge step by step through several turns either way.
fn turns_are_counted(kind: JointKind, axis: Axis) {
    let mut scene = ModelBuilder::new();
    let body = scene.add_body(BodyDef::dynamic("wheel").sphere(1.0));
    scene.add_joint(JointDef::new(kind, WORLD, body));
    let model = scene.finalize().unwrap();
    let mut state = model.state();
    let chart = model.joint_chart(0);
    for step in (-40..=0).rev().chain(-40..=60) {
        let mut coordinates = [0.0; 6];
        coordinates[axis as usize] = f64::from(step);
        let angles = DVec3::new(coordinates[3], coordinates[4], coordinates[5]);
        state.body_q[0].rotation = chart.rotation(angles);
        model.update_joint_angles(&mut state);
        let read = model.joint_coordinates(&state, 0);
        assert!(distance(&read, &coordinates) < 1e-12, "{kind:?} {axis:?}: {read:?} for {coordinates:?}");
    }
}

#[test]
fn turns_are_counted_on_every_axis() {
    turns_are_counted(JointKind::Revolute, Axis::AngX);
    turns_are_counted(JointKind::Cylindrical, Axis::AngX);
    turns_are_counted(JointKind::Universal, Axis::AngX);
    turns_are_counted(JointKind::Universal, Axis::AngY);
    for axis in [Axis::AngX, Axis::AngY, Axis::AngZ] {
        turns_are_counted(JointKind::Ball, axis);
    }
}

/// Four bars with equal opposite sides.
fn four_bar() -> Model {
    let mut scene = ModelBuilder::new();
    let [a, b, c, d] = [DVec3::ZERO, DVec3::Z, DVec3::new(2.0, 0.0, 1.0), DVec3::X * 2.0];
    let mut bar = |from: DVec3, to: DVec3| scene.add_body(BodyDef::dynamic("").at((from + to) * 0.5).sphere(0.1));
    let (left, top, right) = (bar(a, b), bar(b, c), bar(c, d));
    scene.add_joint(JointDef::revolute(WORLD, left, a, DVec3::Y));
    scene.add_joint(JointDef::revolute(left, top, b, DVec3::Y));
    scene.add_joint(JointDef::revolute(top, right, c, DVec3::Y));
    scene.add_joint(JointDef::revolute(WORLD, right, d, DVec3::Y));
    scene.finalize().unwrap()
}

#[test]
fn loops_report_how_far_they_are_from_closing() {
    let model = four_bar();
    assert_eq!(model.joint_tree().loops.len(), 1);
    let closing = model.joint_tree().loops[0] as usize;
    let mut state = model.state();
    let rest = vec![[0.0; 6]; 4];
    let loops = model.forward_kinematics(&rest, &rest, &mut state).unwrap();
    assert!(loops[0].linear < 1e-15 && loops[0].angular < 1e-15);
    // The tree splits at the closing joint; turning only the first joint opens the loop.
    let mut turned = rest.clone();
    turned[0][3] = 0.3;
    let loops = model.forward_kinematics(&turned, &rest, &mut state).unwrap();
    assert_eq!(loops[0].joint as usize, closing);
    // Left and top swing about the origin as one: their end at (2, 0, 1) moves along a chord.
    let chord = 2.0 * 5f64.sqrt() * 0.15f64.sin();
    assert!((loops[0].linear - chord).abs() < 1e-12);
}
