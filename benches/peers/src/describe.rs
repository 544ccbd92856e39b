//! A scene as data, for engines in other languages.

use drystone::geometry::{Pose, Shape};
use drystone::model::{BodyKind, JointKind, Model, WORLD};
use drystone_scenes::Scene;
use serde_json::{Value, json};

use crate::cloth;
use crate::engine::Fault;

/// Bodies with masses and start poses, shapes, ball joints; lengths in metres, turns as (x, y, z, w), velocities of
/// centres of mass, the world as body −1.
pub fn describe(scene: &Scene) -> Result<Value, Fault> {
    let model = &scene.model;
    let bodies: Vec<Value> = (0..model.body_count()).map(|index| body(model, index)).collect();
    let shapes: Vec<Value> = (0..model.shape_count()).map(|index| shape(model, index)).collect::<Result<_, _>>()?;
    let joints: Vec<Value> = (0..model.joint_count()).map(|index| joint(model, index)).collect::<Result<_, _>>()?;
    let gravity = model.world_gravity[0].to_array();
    let particles = cloth::describe(model)?;
    Ok(json!({
        "dt": scene.settings.dt,
        "gravity": gravity,
        "bodies": bodies,
        "shapes": shapes,
        "joints": joints,
        "particles": particles,
    }))
}

fn place(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [i, j, k, w]) = (pose.translation.to_array(), pose.rotation.to_array());
    [x, y, z, i, j, k, w]
}

fn number(body: u32) -> i64 {
    if body == WORLD { -1 } else { i64::from(body) }
}

fn body(model: &Model, index: usize) -> Value {
    let kind = match model.body_kind[index] {
        BodyKind::Dynamic => "dynamic",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Static => "static",
    };
    let (velocity, inertia) = (model.body_qd[index], model.body_inertia[index]);
    let ([vx, vy, vz], [wx, wy, wz]) = (velocity.linear.to_array(), velocity.angular.to_array());
    json!({
        "kind": kind,
        "mass": model.body_mass[index],
        "com": model.body_com[index].to_array(),
        "inertia": inertia.transpose().to_cols_array_2d(),
        "pose": place(&model.body_q[index]),
        "velocity": [vx, vy, vz, wx, wy, wz],
    })
}

fn shape(model: &Model, index: usize) -> Result<Value, Fault> {
    let mut value = match &model.shape_geometry[index] {
        Shape::Box { half } => json!({"type": "box", "half": half.to_array()}),
        Shape::Sphere { radius } => json!({"type": "sphere", "radius": radius}),
        Shape::Capsule { radius, half_height } => {
            json!({"type": "capsule", "radius": radius, "half_height": half_height})
        }
        Shape::HalfSpace => json!({"type": "plane"}),
        Shape::Hull(hull) => {
            let points: Vec<[f64; 3]> = hull.vertices.iter().map(|point| point.to_array()).collect();
            let faces = hull.face_start.windows(2).map(|ends| &hull.face_vertex[ends[0] as usize..ends[1] as usize]);
            let triangles: Vec<[u32; 3]> =
                faces.flat_map(|face| face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]])).collect();
            json!({"type": "hull", "points": points, "triangles": triangles})
        }
        other => return Err(format!("other engines have no counterpart for {other:?}").into()),
    };
    let material = model.shape_material[index];
    value["body"] = number(model.shape_body[index]).into();
    value["pose"] = json!(place(&model.shape_pose[index]));
    value["friction"] = material.friction_static.into();
    value["restitution"] = material.restitution.into();
    value["group"] = model.shape_group[index].into();
    value["mask"] = model.shape_mask[index].into();
    Ok(value)
}

fn joint(model: &Model, index: usize) -> Result<Value, Fault> {
    if model.joint_kind[index] != JointKind::Ball {
        return Err(format!("joint {index} is not a ball joint").into());
    }
    Ok(json!({
        "parent": number(model.joint_parent[index]),
        "child": number(model.joint_child[index]),
        "anchor_parent": model.joint_frame_parent[index].translation.to_array(),
        "anchor_child": model.joint_frame_child[index].translation.to_array(),
    }))
}
