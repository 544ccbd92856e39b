//! A recording out of arrays, with everything checked that others will index with.

use std::collections::BTreeMap;

use drystone::Recording;
use drystone::model::{AxisMode, Drive, Limit, Material, Model, Spring, Twist};
use drystone::recording::Surface;

use super::arrays::{Arrays, to_matrices, to_poses, to_vectors};
use super::columns::PARTICLE_VELOCITY;
use super::kind::{BODY_KINDS, JOINT_KINDS, kind_of};
use super::{elements, geometry};
use crate::npz::{Array, NpzError};

/// Group and mask bits use the whole range.
const ANY_BITS: u64 = 1 << 32;

pub(super) fn from_arrays(arrays: BTreeMap<String, Array>) -> Result<Recording, NpzError> {
    let mut arrays = Arrays(arrays);
    let mut model = Model::default();
    bodies(&mut arrays, &mut model)?;
    joints(&mut arrays, &mut model)?;
    particles(&mut arrays, &mut model)?;
    shapes(&mut arrays, &mut model)?;
    let mut recording = Recording { surface: surface(&mut arrays, &model)?, every: 1, ..Recording::default() };
    frames(&mut arrays, &model, &mut recording)?;
    start(&mut model, &recording);
    recording.model = model;
    Ok(recording)
}

fn bodies(arrays: &mut Arrays, model: &mut Model) -> Result<(), NpzError> {
    let single = arrays.0.get("gravity").is_none_or(|a| a.shape.len() == 1);
    let shape = if single { vec![3] } else { vec![arrays.length("gravity")?, 3] };
    model.world_gravity = to_vectors(arrays.floats("gravity", &shape)?);
    if arrays.has("wind") {
        let count = arrays.length("wind")?;
        model.world_wind = to_vectors(arrays.floats("wind", &[count, 3])?);
    }
    let worlds = model.world_count() as u64;
    let b = arrays.length("body_name")?;
    model.body_name = arrays.texts("body_name", &[b])?;
    let kinds = arrays.texts("body_kind", &[b])?;
    model.body_kind = named(&BODY_KINDS, "body_kind", &kinds)?;
    model.body_world = arrays.below("body_world", &[b], worlds)?;
    model.body_mass = arrays.floats("body_mass", &[b])?;
    model.body_com = to_vectors(arrays.floats("body_com", &[b, 3])?);
    model.body_inertia = to_matrices(arrays.floats("body_inertia", &[b, 3, 3])?);
    Ok(())
}

fn named<K: Copy>(table: &[(K, &'static str)], array: &str, names: &[String]) -> Result<Vec<K>, NpzError> {
    let kind = |name: &String| kind_of(table, name).ok_or_else(|| Arrays::bad(array, format!("`{name}` is unknown")));
    names.iter().map(kind).collect()
}

fn joints(arrays: &mut Arrays, model: &mut Model) -> Result<(), NpzError> {
    let j = arrays.length("joint_name")?;
    let b = model.body_count();
    model.joint_name = arrays.texts("joint_name", &[j])?;
    let kinds = arrays.texts("joint_type", &[j])?;
    model.joint_kind = named(&JOINT_KINDS, "joint_type", &kinds)?;
    model.joint_parent = arrays.bodies("joint_parent", j, b)?;
    model.joint_child = arrays.below("joint_child", &[j], b as u64)?;
    model.joint_frame_parent = to_poses(arrays.floats("joint_frame_parent", &[j, 7])?);
    model.joint_frame_child = to_poses(arrays.floats("joint_frame_child", &[j, 7])?);
    let locked = arrays.bools("joint_locked", &[j, 6])?;
    let mode = |locked: bool| if locked { AxisMode::Locked } else { AxisMode::Free };
    model.joint_axis = locked.as_chunks::<6>().0.iter().map(|axes| axes.map(mode)).collect();
    model.joint_distance = arrays.floats("joint_distance", &[j, 2])?.as_chunks().0.to_vec();
    model.joint_stiffness = arrays.floats("joint_stiffness", &[j, 2])?.as_chunks().0.to_vec();
    model.joint_limit = vec![[Limit::default(); 6]; j];
    model.joint_drive = vec![[Drive::default(); 6]; j];
    model.joint_spring = vec![[Spring::default(); 6]; j];
    model.joint_follow = vec![[None; 6]; j];
    model.joint_friction = vec![[0.0; 6]; j];
    model.joint_armature = vec![[0.0; 6]; j];
    model.joint_max_rate = vec![[f64::INFINITY; 6]; j];
    model.joint_damping = vec![[0.0; 2]; j];
    model.joint_break = vec![[f64::INFINITY; 2]; j];
    model.joint_rod = vec![None; j];
    model.joint_angle = vec![[0.0; 3]; j];
    model.joint_enabled = vec![true; j];
    Ok(())
}

fn particles(arrays: &mut Arrays, model: &mut Model) -> Result<(), NpzError> {
    let p = arrays.length("particle_mass")?;
    // Where they are is in the frames; that they are counts from here on.
    model.particle_q = vec![Default::default(); p];
    model.particle_qd = vec![Default::default(); p];
    model.particle_mass = arrays.floats("particle_mass", &[p])?;
    model.particle_radius = arrays.floats("particle_radius", &[p])?;
    model.particle_world = arrays.below("particle_world", &[p], model.world_count() as u64)?;
    model.particle_friction = vec![None; p];
    meeting(arrays, model, p)?;
    elements::read(arrays, model)
}

/// Whom particles meet; in files of earlier versions all of them all.
fn meeting(arrays: &mut Arrays, model: &mut Model, p: usize) -> Result<(), NpzError> {
    let told = ["particle_group", "particle_mask", "particle_filter"].iter().any(|name| arrays.has(name));
    (model.particle_group, model.particle_mask) = (vec![1; p], vec![u32::MAX; p]);
    if told {
        model.particle_group = arrays.below("particle_group", &[p], ANY_BITS)?;
        model.particle_mask = arrays.below("particle_mask", &[p], ANY_BITS)?;
        let filters = arrays.length("particle_filter")?;
        model.particle_filter = arrays.below("particle_filter", &[filters, 2], p as u64)?.as_chunks().0.to_vec();
        model.particle_filter.sort_unstable();
    }
    Ok(())
}

fn shapes(arrays: &mut Arrays, model: &mut Model) -> Result<(), NpzError> {
    let s = arrays.length("shape_name")?;
    model.shape_name = arrays.texts("shape_name", &[s])?;
    model.shape_body = arrays.bodies("shape_body", s, model.body_count())?;
    model.shape_world = arrays.below("shape_world", &[s], model.world_count() as u64)?;
    model.shape_pose = to_poses(arrays.floats("shape_pose", &[s, 7])?);
    model.shape_margin = arrays.floats("shape_margin", &[s])?;
    model.shape_group = arrays.below("shape_group", &[s], ANY_BITS)?;
    model.shape_mask = arrays.below("shape_mask", &[s], ANY_BITS)?;
    model.shape_sensor = arrays.bools("shape_sensor", &[s])?;
    model.shape_surface_velocity = to_vectors(arrays.floats("shape_surface_velocity", &[s, 3])?);
    let filters = arrays.length("shape_filter")?;
    let pairs = arrays.below("shape_filter", &[filters, 2], s as u64)?;
    model.shape_filter = pairs.as_chunks::<2>().0.iter().map(|&[a, b]| (a, b)).collect();
    model.shape_material = vec![Material::default(); s];
    model.shape_geometry = geometry::read(arrays, s)?;
    Ok(())
}

fn surface(arrays: &mut Arrays, model: &Model) -> Result<Surface, NpzError> {
    let [v, t] = [arrays.length("mesh_vertex")?, arrays.length("mesh_triangle")?];
    Ok(Surface {
        vertex: to_vectors(arrays.floats("mesh_vertex", &[v, 3])?),
        triangle: arrays.below("mesh_triangle", &[t, 3], v as u64)?.as_chunks().0.to_vec(),
        body: arrays.bodies("mesh_body", v, model.body_count())?,
        shape: arrays.below("mesh_shape", &[v], model.shape_count() as u64)?,
    })
}

pub(super) fn frames(arrays: &mut Arrays, model: &Model, recording: &mut Recording) -> Result<(), NpzError> {
    let f = arrays.length("time")?;
    let [b, j, p] = [model.body_count(), model.joint_count(), model.particle_count()];
    recording.time = arrays.floats("time", &[f])?;
    recording.body_q = to_poses(arrays.floats("body_q", &[f, b, 7])?);
    let twists = to_vectors(arrays.floats("body_qd", &[f, b, 6])?);
    recording.body_qd = twists.as_chunks::<2>().0.iter().map(|&[linear, angular]| Twist { linear, angular }).collect();
    if arrays.has("body_affine") {
        recording.body_affine = arrays.floats("body_affine", &[f, b, 3, 4])?.as_chunks().0.to_vec();
    }
    recording.particle_q = to_vectors(arrays.floats("particle_q", &[f, p, 3])?);
    if arrays.has(PARTICLE_VELOCITY) {
        recording.particle_qd = to_vectors(arrays.floats(PARTICLE_VELOCITY, &[f, p, 3])?);
    }
    recording.joint_error = arrays.floats("joint_error", &[f, j])?;
    recording.joint_intact = arrays.bools("joint_intact", &[f, j])?;
    Ok(())
}

/// The model starts where the recording does.
fn start(model: &mut Model, recording: &Recording) {
    let b = model.body_count();
    let p = model.particle_count();
    if recording.frame_count() > 0 {
        model.body_q = recording.body_q[..b].to_vec();
        model.body_qd = recording.body_qd[..b].to_vec();
        model.particle_q = recording.particle_q[..p].to_vec();
        if let Some(velocities) = recording.particle_qd.get(..p) {
            model.particle_qd = velocities.to_vec();
        }
    } else {
        model.body_q = vec![Default::default(); b];
        model.body_qd = vec![Twist::default(); b];
    }
    // Not recorded: what the numbers were is in the motion.
    model.body_damping = vec![[0.0; 2]; b];
    model.body_gravity_scale = vec![1.0; b];
    model.body_drag = vec![Vec::new(); b];
}
