//! What there is to draw, as bytes. The layout is that of `docs/view-inside.md`.

use drystone::Recording;
use drystone::geometry::{DVec3, Pose};
use drystone::model::{AxisMode, Model, WORLD};
use drystone_picture::Look;
use drystone_picture::raster::View;
use serde_json::{Map, Value, json};

use crate::act::AXES;
use crate::body::kind_name;
use crate::moment::Moment;
use crate::pack::Pack;

/// More parts or bodies than this travel as numbers.
const MANY: usize = 20_000;
/// Scenes farther out than this have an origin of their own \[m\].
const FAR: f64 = 100.0;
/// Width over height of the picture that everything fits in.
const ASPECT: f64 = 16.0 / 9.0;

/// The look of a moment from a view. Poses are those of now.
pub fn look(moment: &Moment<'_>, view: &View) -> Look {
    let (model, state) = (moment.model.clone(), moment.state);
    let recording = Recording {
        model,
        time: vec![state.time],
        body_q: state.body_q.clone(),
        particle_q: state.particle_q.clone(),
        joint_intact: state.joint_intact.clone(),
        ..Recording::default()
    };
    Look::of(&recording, view, ASPECT)
}

/// What is subtracted from all positions sent: nothing near the origin, the rounded middle of the scene elsewhere \[m\].
pub fn origin_of(look: &Look) -> DVec3 {
    if look.extent.centre.length() < FAR { DVec3::ZERO } else { look.extent.centre.round() }
}

/// Head and numbers of a scene. `head` holds what the session knows.
pub fn scene_bytes(
    moment: &Moment<'_>,
    look: &Look,
    origin: DVec3,
    view: &View,
    mut head: Map<String, Value>,
) -> Vec<u8> {
    let model = moment.model;
    let mut numbers = Pack::default();
    let meshes = meshes(look, &mut numbers);
    let many = look.visual.parts.len() > MANY || model.body_count() > MANY;
    let packed = many.then(|| pack_parts_and_bodies(moment, look, origin, &mut numbers));
    let around = look.extent;
    let [lower, upper] = [-1.0, 1.0].map(|sign| (around.centre - origin + sign * around.radius).to_array());
    let cloth = indices(model.triangle_particle.iter().flatten(), 3, &mut numbers);
    let skin = skin(model);
    let tets = indices(skin.iter().flatten(), 3, &mut numbers);
    let strings = indices(model.spring_particle.iter().flatten(), 2, &mut numbers);
    let joints = if model.joint_count() > MANY { Vec::new() } else { joints(moment, origin) };
    head.extend([
        ("origin".to_owned(), json!(origin.to_array())),
        ("up".to_owned(), json!(look.up.to_array())),
        ("bounds".to_owned(), json!([lower, upper])),
        ("view".to_owned(), view_json(look, view, origin)),
        ("meshes".to_owned(), meshes),
        ("parts".to_owned(), if many { json!([]) } else { parts(look, origin) }),
        ("bodies".to_owned(), if many { json!([]) } else { bodies(moment) }),
        ("packed".to_owned(), json!(packed)),
        ("joints".to_owned(), json!(joints)),
        ("cloth".to_owned(), json!({"triangles": cloth.0, "at": cloth.1})),
        ("tets".to_owned(), json!({"triangles": tets.0, "at": tets.1})),
        ("strings".to_owned(), json!({"segments": strings.0, "at": strings.1})),
    ]);
    let text = Value::Object(head).to_string();
    let mut all = Pack::default();
    all.u32(text.len() as u32);
    all.bytes.extend(text.as_bytes());
    all.align();
    all.bytes.extend(numbers.bytes);
    all.bytes
}

fn meshes(look: &Look, numbers: &mut Pack) -> Value {
    let mut list = Vec::new();
    for mesh in &look.visual.meshes {
        let at = numbers.bytes.len();
        mesh.positions.iter().chain(&mesh.normals).for_each(|&vector| numbers.vector(vector));
        mesh.triangles.iter().flatten().for_each(|&corner| numbers.u32(corner));
        list.push(json!({"vertices": mesh.positions.len(), "triangles": mesh.triangles.len(), "at": at}));
    }
    json!(list)
}

fn place(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [a, b, c, d]) = (pose.translation.to_array(), pose.rotation.to_array());
    [x, y, z, a, b, c, d]
}

/// Where a part is: in the frame of its body, or in the world relative to the origin \[m\].
fn part_pose(body: u32, pose: &Pose, origin: DVec3) -> Pose {
    let shift = if body == WORLD { origin } else { DVec3::ZERO };
    Pose::from_parts(pose.translation - shift, pose.rotation)
}

fn body_number(body: u32) -> i32 {
    if body == WORLD { -1 } else { body as i32 }
}

fn parts(look: &Look, origin: DVec3) -> Value {
    let all = look.visual.parts.iter().map(|part| {
        json!({"mesh": part.mesh, "body": body_number(part.body), "at": place(&part_pose(part.body, &part.pose, origin)),
               "color": part.color, "ground": part.ground})
    });
    all.collect()
}

fn bodies(moment: &Moment<'_>) -> Value {
    let model = moment.model;
    let all = (0..model.body_count()).map(|body| {
        json!({"id": moment.body_id(body).0, "name": model.body_name[body], "kind": kind_name(model.body_kind[body]),
               "mass": model.body_mass[body], "com": model.body_com[body].to_array(), "world": model.body_world[body]})
    });
    all.collect()
}

fn pack_parts_and_bodies(moment: &Moment<'_>, look: &Look, origin: DVec3, numbers: &mut Pack) -> Value {
    let (model, parts) = (moment.model, &look.visual.parts);
    let parts_at = numbers.bytes.len();
    for part in parts {
        numbers.u32(part.mesh as u32);
        numbers.i32(body_number(part.body));
        place(&part_pose(part.body, &part.pose, origin)).into_iter().for_each(|number| numbers.f32(number));
        part.color.into_iter().for_each(|share| numbers.u8((share * 255.0).round() as u8));
        numbers.u8(u8::from(part.ground));
    }
    let bodies_at = numbers.bytes.len();
    for body in 0..model.body_count() {
        numbers.u32(moment.body_id(body).0);
        numbers.u32(model.body_kind[body] as u32);
        numbers.f32(model.body_mass[body]);
        numbers.vector(model.body_com[body]);
    }
    json!({"parts": {"count": parts.len(), "at": parts_at}, "bodies": {"count": model.body_count(), "at": bodies_at}})
}

fn joints(moment: &Moment<'_>, origin: DVec3) -> Vec<Value> {
    let model = moment.model;
    let finite = |value: f64| if value.is_finite() { json!(value) } else { json!(null) };
    let axis = |joint: usize, axis: usize| {
        let (limit, drive) = (&model.joint_limit[joint][axis], &model.joint_drive[joint][axis]);
        let bounded = limit.lower.is_finite() || limit.upper.is_finite();
        let target = moment.sim.map_or(drive.target, |sim| sim.control().joint_target[joint][axis]);
        json!({"axis": AXES[axis], "limits": bounded.then(|| [finite(limit.lower), finite(limit.upper)]),
               "drive": moment.sim.is_some() && (drive.stiffness != 0.0 || drive.damping != 0.0), "target": target})
    };
    (0..model.joint_count())
        .map(|joint| {
            let ends = [model.joint_parent[joint], model.joint_child[joint]];
            let frames = [model.joint_frame_parent[joint], model.joint_frame_child[joint]];
            let at = [0, 1].map(|side| place(&part_pose(ends[side], &frames[side], origin)));
            let free = (0..6).filter(|&axis| model.joint_axis[joint][axis] == AxisMode::Free);
            let id = moment.sim.map_or(joint as u32, |sim| sim.joint_id(joint).0);
            json!({"id": id, "name": model.joint_name[joint], "parent": body_number(ends[0]), "child": body_number(ends[1]),
                   "at": at, "axes": free.map(|number| axis(joint, number)).collect::<Vec<_>>()})
        })
        .collect()
}

/// Outer faces of the tetrahedra: those that belong to one of them only.
fn skin(model: &Model) -> Vec<[u32; 3]> {
    const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let faces = || model.tet_particle.iter().flat_map(|tet| FACES.map(|face| face.map(|corner| tet[corner])));
    let sorted = |mut face: [u32; 3]| {
        face.sort_unstable();
        face
    };
    let mut count = std::collections::BTreeMap::new();
    faces().for_each(|face| *count.entry(sorted(face)).or_insert(0) += 1);
    faces().filter(|face| count[&sorted(*face)] == 1).collect()
}

/// Appends indices; how many groups of so many, and where.
fn indices<'a>(all: impl Iterator<Item = &'a u32>, of: usize, numbers: &mut Pack) -> (usize, usize) {
    let at = numbers.bytes.len();
    all.for_each(|&index| numbers.u32(index));
    ((numbers.bytes.len() - at) / 4 / of, at)
}

/// Where to look from: the view, and the eye it leads to.
fn view_json(look: &Look, view: &View, origin: DVec3) -> Value {
    let (eye, forward) = (look.camera.position, look.camera.forward);
    // The point of the line of sight nearest to the middle of the scene.
    let target = view.target.unwrap_or(eye + forward * forward.dot(look.extent.centre - eye).max(1e-3));
    json!({
        "azimuth": view.azimuth.to_degrees(),
        "elevation": view.elevation.map(f64::to_degrees),
        "opening": view.opening.to_degrees(),
        "eye": (eye - origin).to_array(),
        "target": (target - origin).to_array(),
    })
}

#[cfg(test)]
mod tests {
    use drystone::model::{BodyDef, ModelBuilder};

    use super::*;

    fn head_of(bytes: &[u8]) -> (Value, usize) {
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        (serde_json::from_slice(&bytes[4..4 + length]).unwrap(), (4 + length).next_multiple_of(4))
    }

    fn bytes_of(model: &Model) -> Vec<u8> {
        let state = model.state();
        let moment = Moment { model, state: &state, step: 0, sim: None, frozen: None, held: None };
        let look = look(&moment, &View::default());
        scene_bytes(&moment, &look, origin_of(&look), &View::default(), Map::new())
    }

    #[test]
    fn head_and_numbers_agree_and_equal_shapes_share_a_mesh() {
        let mut scene = ModelBuilder::new();
        scene.ground();
        for level in 0..3 {
            let place = DVec3::new(5000.0, 0.0, 0.5 + f64::from(level));
            scene.add_body(BodyDef::dynamic("").at(place).cuboid(DVec3::splat(0.5)));
        }
        let bytes = bytes_of(&scene.finalize().unwrap());
        let (head, numbers) = head_of(&bytes);
        assert_eq!(head["meshes"].as_array().unwrap().len(), 2);
        assert_eq!((head["parts"].as_array().unwrap().len(), head["bodies"].as_array().unwrap().len()), (4, 3));
        assert_eq!(head["origin"][0], 5000.0);
        let mesh = head["meshes"].as_array().unwrap().iter().find(|mesh| mesh["vertices"] == 24).unwrap();
        let at = numbers + mesh["at"].as_u64().unwrap() as usize;
        let first = f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(first.abs(), 0.5, "a corner of the box");
        assert_eq!(bytes.len() % 4, 0);
    }

    #[test]
    fn many_bodies_travel_as_numbers() {
        let mut scene = ModelBuilder::new();
        for body in 0..MANY + 1 {
            scene.add_body(BodyDef::dynamic("").at(DVec3::X * body as f64).sphere(0.1).mass(2.0));
        }
        let bytes = bytes_of(&scene.finalize().unwrap());
        let (head, numbers) = head_of(&bytes);
        assert!(head["parts"].as_array().unwrap().is_empty() && head["bodies"].as_array().unwrap().is_empty());
        let [parts, bodies] = ["parts", "bodies"].map(|name| head["packed"][name].clone());
        assert_eq!(bodies["count"], MANY + 1);
        let span = bodies["at"].as_u64().unwrap() - parts["at"].as_u64().unwrap();
        assert_eq!(span, 40 * parts["count"].as_u64().unwrap());
        let last = numbers + bodies["at"].as_u64().unwrap() as usize + 24 * MANY;
        assert_eq!(u32::from_le_bytes(bytes[last..last + 4].try_into().unwrap()), MANY as u32);
        assert_eq!(f32::from_le_bytes(bytes[last + 8..last + 12].try_into().unwrap()), 2.0);
    }
}
