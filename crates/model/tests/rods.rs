//! Rods: mass, stiffness, frames, loops, junctions.

use std::f64::consts::{PI, TAU};

use drystone_model::{DQuat, DVec3, Entity, Material, Model, ModelBuilder, RodDef, RodMaterial, State};
use proptest::prelude::*;

const MATERIAL: RodMaterial = RodMaterial {
    young: 2e9,
    poisson: 0.25,
    shear: None,
    damping: 1e-3,
    surface: Material {
        density: 1200.0,
        friction_static: 0.5,
        friction_dynamic: 0.5,
        restitution: 0.0,
        stiffness: f64::INFINITY,
        damping: 0.0,
        friction_torsional: 0.0,
        friction_rolling: 0.0,
    },
};

fn model_of(rod: RodDef) -> Model {
    let mut scene = ModelBuilder::new();
    scene.add_rod(rod);
    scene.finalize().unwrap()
}

fn largest_coordinate(model: &Model, state: &State) -> f64 {
    let all = (0..model.joint_count()).flat_map(|joint| model.joint_coordinates(state, joint));
    all.fold(0.0, |largest, coordinate: f64| largest.max(coordinate.abs()))
}

/// The turn about the tangent between the two segments of a joint.
fn twist_at(model: &Model, joint: usize) -> f64 {
    let (parent, child) = model.joint_frames(&model.state(), joint);
    let relative = parent.rotation.inverse() * child.rotation;
    let half = relative.z.atan2(relative.w);
    if relative.w < 0.0 { 2.0 * half - TAU * half.signum() } else { 2.0 * half }
}

fn ring(count: usize) -> Vec<DVec3> {
    (0..count).map(|i| DQuat::from_rotation_z(TAU * i as f64 / count as f64) * DVec3::X).collect()
}

#[test]
fn a_straight_rod_has_the_mass_and_stiffness_of_its_cylinder() {
    let (radius, length, count) = (0.02, 0.1, 10);
    let points: Vec<DVec3> = (0..=count).map(|i| DVec3::new(1.0, 2.0, 0.5) * length * f64::from(i)).collect();
    let piece = points[0].distance(points[1]);
    let model = model_of(RodDef::new(points, radius, MATERIAL).named("beam"));
    let mass: f64 = model.body_mass.iter().sum();
    assert!((mass / (1200.0 * PI * radius * radius * piece * f64::from(count)) - 1.0).abs() < 1e-13);
    let about_z = 0.5 * model.body_mass[3] * radius * radius;
    assert!((model.body_inertia[3].z_axis.z / about_z - 1.0).abs() < 1e-13);

    let rod = model.joint_rod[4].unwrap();
    let (area, second_moment, shear) = (PI * radius * radius, PI * radius.powi(4) / 4.0, 0.8e9);
    for (got, wanted) in [
        (rod.stretch, 2e9 * area / piece),
        (rod.shear, shear * area / piece),
        (rod.bend, 2e9 * second_moment / piece),
        (rod.twist, shear * 2.0 * second_moment / piece),
        (rod.damping_linear, 1e-3 * 2e9 * area / piece),
        (rod.damping_angular, 1e-3 * 2e9 * second_moment / piece),
    ] {
        assert!((got / wanted - 1.0).abs() < 1e-12, "{got} for {wanted}");
    }
    assert!(largest_coordinate(&model, &model.state()) < 1e-14);
    assert_eq!((&*model.body_name[3], &*model.joint_name[3]), ("beam/3", "beam/joint_3"));
}

#[test]
fn segments_point_along_the_rod_and_meet_end_to_end() {
    let points = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 2.0, 0.0), DVec3::new(1.0, 2.0, -3.0)];
    let model = model_of(RodDef::new(points.clone(), 0.1, MATERIAL));
    for (segment, pose) in model.body_q.iter().enumerate() {
        let half = 0.5 * points[segment].distance(points[segment + 1]);
        let (start, end) = (pose.transform_point(DVec3::Z * -half), pose.transform_point(DVec3::Z * half));
        assert!(start.distance(points[segment]) < 1e-14 && end.distance(points[segment + 1]) < 1e-14);
    }
}

#[test]
fn a_straight_rod_bent_into_a_ring_bends_evenly_and_does_not_twist() {
    let model = model_of(RodDef::new(ring(24), 0.01, MATERIAL).closed().straight_at_rest());
    assert_eq!((model.body_count(), model.joint_count()), (24, 24));
    let state = model.state();
    for joint in 0..24 {
        let [x, y, z, a, b, c] = model.joint_coordinates(&state, joint);
        assert!(DVec3::new(x, y, z).length() < 1e-14);
        assert!((DVec3::new(a, b, 0.0).length() - TAU / 24.0).abs() < 1e-13);
        assert!(c.abs() < 1e-13);
    }
}

#[test]
fn twist_is_spread_evenly_also_across_the_closing_joint() {
    let twist = 7.0;
    for closed in [true, false] {
        let mut def = RodDef::new(ring(24), 0.01, MATERIAL).straight_at_rest().twisted(twist);
        def.closed = closed;
        let model = model_of(def);
        let per_joint = if closed { twist / 24.0 } else { twist / 22.0 };
        for joint in 0..model.joint_count() {
            assert!((twist_at(&model, joint) - per_joint).abs() < 1e-12, "closed {closed}, joint {joint}");
        }
    }
}

#[test]
fn near_segments_do_not_collide() {
    // Segments as long as the radius: a gap of two lies under π radii, a gap of four does not.
    let points: Vec<DVec3> = (0..=8).map(|i| DVec3::X * 0.1 * f64::from(i)).collect();
    let model = model_of(RodDef::new(points, 0.1, MATERIAL));
    for a in 0..8u32 {
        for b in a + 1..8 {
            let filtered = model.shape_filter.contains(&(a, b));
            assert_eq!(filtered, b - a <= 4, "{a} and {b}");
        }
    }
}

#[test]
fn a_grid_of_rods_is_joined_at_every_node_and_closes_its_loops() {
    // 3 × 3 nodes, 12 edges.
    let nodes: Vec<DVec3> = (0..9).map(|i| DVec3::new(f64::from(i % 3), f64::from(i / 3), 0.0)).collect();
    let mut edges = Vec::new();
    for row in 0..3u32 {
        for column in 0..3u32 {
            let node = 3 * row + column;
            edges.extend((column < 2).then_some([node, node + 1]));
            edges.extend((row < 2).then_some([node, node + 3]));
        }
    }
    let mut scene = ModelBuilder::new();
    let rod = scene.add_rod_graph("net", &nodes, &edges, 0.01, MATERIAL);
    let model = scene.finalize().unwrap();
    // Every node of degree d has d − 1 joints: 4·1 + 4·2 + 1·3.
    assert_eq!((rod.bodies.len(), rod.joints.len()), (12, 15));
    assert!(largest_coordinate(&model, &model.state()) < 1e-14);
    // 12 bodies in one piece take 11 joints; the four meshes of the net close with the rest.
    let tree = model.joint_tree();
    assert_eq!((tree.order.len(), tree.loops.len()), (11, 4));
    for (a, one) in edges.iter().enumerate() {
        for (b, other) in edges.iter().enumerate().skip(a + 1) {
            let meet = one.iter().any(|node| other.contains(node));
            assert_eq!(model.shape_filter.contains(&(a as u32, b as u32)), meet, "{one:?} {other:?}");
        }
    }
}

#[test]
fn rods_that_make_no_sense_are_named_and_add_nothing() {
    let line = || vec![DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
    let soft = RodMaterial { young: 0.0, ..MATERIAL };
    let expansive = RodMaterial { poisson: 0.7, ..MATERIAL };
    let bad: [(RodDef, &str); 8] = [
        (RodDef::new(vec![DVec3::ZERO], 0.1, MATERIAL), "1 points"),
        (RodDef::new(vec![DVec3::ZERO, DVec3::X], 0.1, MATERIAL).closed(), "2 points"),
        (RodDef::new(vec![DVec3::ZERO, DVec3::X, DVec3::X], 0.1, MATERIAL), "segment 1 has no length"),
        (RodDef::new(vec![DVec3::ZERO, DVec3::NAN, DVec3::X], 0.1, MATERIAL), "segment 0 has no length"),
        (RodDef::new(line(), -0.1, MATERIAL), "radius -0.1"),
        (RodDef::new(line(), 0.1, soft), "modulus"),
        (RodDef::new(line(), 0.1, expansive), "Poisson"),
        (RodDef::new(line(), 0.1, MATERIAL).twisted(f64::NAN), "twist of NaN"),
    ];
    let mut scene = ModelBuilder::new();
    for (rod, _) in &bad {
        assert!(scene.add_rod(rod.clone()).bodies.is_empty());
    }
    assert!(scene.add_rod_graph("net", &[DVec3::ZERO], &[[0, 1]], 0.1, MATERIAL).bodies.is_empty());
    let error = scene.finalize().unwrap_err();
    assert_eq!(error.faults.len(), 9);
    for (index, (fault, wanted)) in
        error.faults.iter().zip(bad.iter().map(|(_, text)| *text).chain(["beyond the 1 given"])).enumerate()
    {
        assert_eq!((fault.entity, fault.index), (Entity::Rod, index));
        assert!(fault.problem.contains(wanted), "{fault}");
    }
}

proptest! {
    #[test]
    fn any_rod_is_at_rest_as_built(
        turns in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 3..20),
        closed in any::<bool>(),
        twist in -10.0..10.0f64,
    ) {
        let mut points = vec![DVec3::ZERO];
        for turn in &turns {
            points.push(*points.last().unwrap() + DVec3::from_array(*turn) + DVec3::X * 1.1);
        }
        let mut def = RodDef::new(points, 0.01, MATERIAL).twisted(twist);
        def.closed = closed;
        let model = model_of(def.clone());
        prop_assert!(largest_coordinate(&model, &model.state()) < 1e-12);
        // With a straight rest shape the twist is the same everywhere, whatever the curve.
        let straight = model_of(def.straight_at_rest());
        let first = twist_at(&straight, 0);
        for joint in 1..straight.joint_count() {
            prop_assert!((DQuat::from_rotation_z(twist_at(&straight, joint) - first).w.abs() - 1.0).abs() < 1e-12);
        }
    }
}
