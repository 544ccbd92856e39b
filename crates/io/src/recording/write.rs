//! A recording into arrays.

use std::io::{self, Seek, Write};

use drystone::Recording;
use drystone::model::AxisMode;

use super::arrays::{indices, matrices, poses, vectors};
use super::columns::COLUMNS;
use super::kind::{BODY_KINDS, JOINT_KINDS, name_of};
use super::{elements, geometry};
use crate::npz::{Array, Data, NpzWriter};

/// Writes all arrays. Each is flattened just before it is written, so that at most one copy lives.
pub(super) fn write<W: Write + Seek>(recording: &Recording, sink: W) -> io::Result<()> {
    let mut npz = NpzWriter::new(sink);
    frames(recording, &mut npz)?;
    scene(recording, &mut npz)?;
    npz.finish()
}

/// The arrays that grow with the frames.
fn frames<W: Write + Seek>(recording: &Recording, npz: &mut NpzWriter<W>) -> io::Result<()> {
    for column in COLUMNS.iter().filter(|column| column.is_in(recording)) {
        let shape = column.shape(&recording.model, recording.frame_count());
        npz.array(column.name, &Array::new(&shape, (column.values)(recording)))?;
    }
    Ok(())
}

/// The arrays of the scene itself.
pub(super) fn scene<W: Write + Seek>(recording: &Recording, npz: &mut NpzWriter<W>) -> io::Result<()> {
    bodies(recording, npz)?;
    joints(recording, npz)?;
    particles(recording, npz)?;
    surface(recording, npz)?;
    shapes(recording, npz)
}

fn bodies<W: Write + Seek>(recording: &Recording, npz: &mut NpzWriter<W>) -> io::Result<()> {
    let model = &recording.model;
    let b = model.body_count();
    let kinds = model.body_kind.iter().map(|&k| name_of(&BODY_KINDS, k).to_string()).collect();
    npz.array("body_name", &Array::new(&[b], Data::Text(model.body_name.clone())))?;
    npz.array("body_kind", &Array::new(&[b], Data::Text(kinds)))?;
    npz.array("body_world", &Array::new(&[b], Data::Int(indices(&model.body_world))))?;
    npz.array("body_mass", &Array::new(&[b], Data::Float(model.body_mass.clone())))?;
    npz.array("body_com", &Array::new(&[b, 3], Data::Float(vectors(&model.body_com))))?;
    npz.array("body_inertia", &Array::new(&[b, 3, 3], Data::Float(matrices(&model.body_inertia))))?;
    let gravity = Data::Float(vectors(&model.world_gravity));
    match model.world_count() {
        1 => npz.array("gravity", &Array::new(&[3], gravity)),
        worlds => npz.array("gravity", &Array::new(&[worlds, 3], gravity)),
    }?;
    npz.array("wind", &Array::new(&[model.world_wind.len(), 3], Data::Float(vectors(&model.world_wind))))
}

fn joints<W: Write + Seek>(recording: &Recording, npz: &mut NpzWriter<W>) -> io::Result<()> {
    let model = &recording.model;
    let j = model.joint_count();
    let kinds = model.joint_kind.iter().map(|&k| name_of(&JOINT_KINDS, k).to_string()).collect();
    let locked = model.joint_axis.as_flattened().iter().map(|&mode| mode == AxisMode::Locked).collect();
    npz.array("joint_name", &Array::new(&[j], Data::Text(model.joint_name.clone())))?;
    npz.array("joint_type", &Array::new(&[j], Data::Text(kinds)))?;
    npz.array("joint_parent", &Array::new(&[j], Data::Int(indices(&model.joint_parent))))?;
    npz.array("joint_child", &Array::new(&[j], Data::Int(indices(&model.joint_child))))?;
    npz.array("joint_frame_parent", &Array::new(&[j, 7], Data::Float(poses(&model.joint_frame_parent))))?;
    npz.array("joint_frame_child", &Array::new(&[j, 7], Data::Float(poses(&model.joint_frame_child))))?;
    npz.array("joint_locked", &Array::new(&[j, 6], Data::Bool(locked)))?;
    let distance = model.joint_distance.as_flattened().to_vec();
    npz.array("joint_distance", &Array::new(&[j, 2], Data::Float(distance)))?;
    let stiffness = model.joint_stiffness.as_flattened().to_vec();
    npz.array("joint_stiffness", &Array::new(&[j, 2], Data::Float(stiffness)))
}

fn particles<W: Write + Seek>(recording: &Recording, npz: &mut NpzWriter<W>) -> io::Result<()> {
    let model = &recording.model;
    let p = model.particle_count();
    npz.array("particle_mass", &Array::new(&[p], Data::Float(model.particle_mass.clone())))?;
    npz.array("particle_radius", &Array::new(&[p], Data::Float(model.particle_radius.clone())))?;
    npz.array("particle_world", &Array::new(&[p], Data::Int(indices(&model.particle_world))))?;
    let bits = |values: &[u32]| Data::Int(values.iter().map(|&bits| i64::from(bits)).collect());
    npz.array("particle_group", &Array::new(&[p], bits(&model.particle_group)))?;
    npz.array("particle_mask", &Array::new(&[p], bits(&model.particle_mask)))?;
    let pairs = indices(model.particle_filter.as_flattened());
    npz.array("particle_filter", &Array::new(&[model.particle_filter.len(), 2], Data::Int(pairs)))?;
    elements::write(model, npz)
}

fn surface<W: Write + Seek>(recording: &Recording, npz: &mut NpzWriter<W>) -> io::Result<()> {
    let surface = &recording.surface;
    let [v, t] = [surface.vertex.len(), surface.triangle.len()];
    npz.array("mesh_vertex", &Array::new(&[v, 3], Data::Float(vectors(&surface.vertex))))?;
    npz.array("mesh_triangle", &Array::new(&[t, 3], Data::Int(indices(surface.triangle.as_flattened()))))?;
    npz.array("mesh_body", &Array::new(&[v], Data::Int(indices(&surface.body))))?;
    npz.array("mesh_shape", &Array::new(&[v], Data::Int(indices(&surface.shape))))
}

fn shapes<W: Write + Seek>(recording: &Recording, npz: &mut NpzWriter<W>) -> io::Result<()> {
    let model = &recording.model;
    let s = model.shape_count();
    let bits = |values: &[u32]| Data::Int(values.iter().map(|&v| i64::from(v)).collect());
    let filter: Vec<i64> = model.shape_filter.iter().flat_map(|&(a, b)| [i64::from(a), i64::from(b)]).collect();
    npz.array("shape_name", &Array::new(&[s], Data::Text(model.shape_name.clone())))?;
    npz.array("shape_body", &Array::new(&[s], Data::Int(indices(&model.shape_body))))?;
    npz.array("shape_world", &Array::new(&[s], Data::Int(indices(&model.shape_world))))?;
    npz.array("shape_pose", &Array::new(&[s, 7], Data::Float(poses(&model.shape_pose))))?;
    npz.array("shape_margin", &Array::new(&[s], Data::Float(model.shape_margin.clone())))?;
    npz.array("shape_group", &Array::new(&[s], bits(&model.shape_group)))?;
    npz.array("shape_mask", &Array::new(&[s], bits(&model.shape_mask)))?;
    npz.array("shape_sensor", &Array::new(&[s], Data::Bool(model.shape_sensor.clone())))?;
    npz.array("shape_surface_velocity", &Array::new(&[s, 3], Data::Float(vectors(&model.shape_surface_velocity))))?;
    npz.array("shape_filter", &Array::new(&[model.shape_filter.len(), 2], Data::Int(filter)))?;
    geometry::write(&model.shape_geometry, npz)
}
