//! Springs, triangles, folds and tetrahedra as flat arrays. Files without any of the arrays but `particle_triangle`, as earlier
//! versions and others write them, read as surfaces without stiffness.

use std::io::{self, Seek, Write};

use drystone::model::{Model, WORLD};

use super::arrays::{Arrays, indices, matrices, to_matrices, to_vectors, vectors};
use crate::npz::{Array, Data, NpzError, NpzWriter};

/// What only whole descriptions have: one of them asks for all.
const WHOLE: [&str; 15] = [
    "triangle_rest",
    "triangle_area",
    "triangle_material",
    "triangle_air",
    "spring_particle",
    "spring_length",
    "spring_stiffness",
    "spring_damping",
    "edge_particle",
    "edge_angle",
    "edge_length",
    "edge_material",
    "tet_particle",
    "tet_rest",
    "tet_material",
];

/// What holds particles, likewise.
const ATTACHMENTS: [&str; 5] =
    ["attachment_particle", "attachment_other", "attachment_body", "attachment_point", "attachment_stiffness"];

pub(super) fn write<W: Write + Seek>(model: &Model, npz: &mut NpzWriter<W>) -> io::Result<()> {
    let mut ints = |name: &str, values: &[u32], width: usize| {
        npz.array(name, &Array::new(&[values.len() / width, width], Data::Int(indices(values))))
    };
    ints("particle_triangle", model.triangle_particle.as_flattened(), 3)?;
    ints("spring_particle", model.spring_particle.as_flattened(), 2)?;
    ints("edge_particle", model.edge_particle.as_flattened(), 4)?;
    ints("tet_particle", model.tet_particle.as_flattened(), 4)?;
    let mut floats = |name: &str, values: &[f64], row: &[usize]| {
        let count = values.len() / row.iter().product::<usize>();
        npz.array(name, &Array::new(&[&[count], row].concat(), Data::Float(values.to_vec())))
    };
    floats("triangle_rest", model.triangle_rest.as_flattened(), &[4])?;
    floats("triangle_area", &model.triangle_area, &[])?;
    floats("triangle_material", model.triangle_material.as_flattened(), &[3])?;
    floats("triangle_air", model.triangle_air.as_flattened(), &[2])?;
    floats("spring_length", &model.spring_length, &[])?;
    floats("spring_stiffness", &model.spring_stiffness, &[])?;
    floats("spring_damping", &model.spring_damping, &[])?;
    floats("edge_angle", &model.edge_angle, &[])?;
    floats("edge_length", &model.edge_length, &[])?;
    floats("edge_material", model.edge_material.as_flattened(), &[2])?;
    floats("tet_rest", &matrices(&model.tet_rest), &[3, 3])?;
    floats("tet_material", model.tet_material.as_flattened(), &[3])?;
    floats("attachment_stiffness", &model.attachment_stiffness, &[])?;
    floats("attachment_point", &vectors(&model.attachment_point), &[3])?;
    let ends = [&model.attachment_particle, &model.attachment_other, &model.attachment_body];
    for (name, values) in ATTACHMENTS.into_iter().zip(ends) {
        npz.array(name, &Array::new(&[values.len()], Data::Int(indices(values))))?;
    }
    Ok(())
}

/// Reads the elements of a model that has its particles.
pub(super) fn read(arrays: &mut Arrays, model: &mut Model) -> Result<(), NpzError> {
    let n = arrays.length("particle_triangle")?;
    model.triangle_particle = particles(arrays, "particle_triangle", n, model)?;
    if !WHOLE.iter().any(|name| arrays.has(name)) {
        model.triangle_rest = vec![[0.0; 4]; n];
        model.triangle_area = vec![0.0; n];
        model.triangle_material = vec![[0.0; 3]; n];
        model.triangle_air = vec![[0.0; 2]; n];
        return Ok(());
    }
    model.triangle_rest = arrays.floats("triangle_rest", &[n, 4])?.as_chunks().0.to_vec();
    model.triangle_area = arrays.floats("triangle_area", &[n])?;
    model.triangle_material = arrays.floats("triangle_material", &[n, 3])?.as_chunks().0.to_vec();
    model.triangle_air = arrays.floats("triangle_air", &[n, 2])?.as_chunks().0.to_vec();
    let n = arrays.length("spring_particle")?;
    model.spring_particle = particles(arrays, "spring_particle", n, model)?;
    model.spring_length = arrays.floats("spring_length", &[n])?;
    model.spring_stiffness = arrays.floats("spring_stiffness", &[n])?;
    model.spring_damping = arrays.floats("spring_damping", &[n])?;
    let n = arrays.length("edge_particle")?;
    model.edge_particle = edges(arrays, n, model.particle_count())?;
    model.edge_angle = arrays.floats("edge_angle", &[n])?;
    model.edge_length = arrays.floats("edge_length", &[n])?;
    model.edge_material = arrays.floats("edge_material", &[n, 2])?.as_chunks().0.to_vec();
    let n = arrays.length("tet_particle")?;
    model.tet_particle = particles(arrays, "tet_particle", n, model)?;
    model.tet_rest = to_matrices(arrays.floats("tet_rest", &[n, 3, 3])?);
    model.tet_material = arrays.floats("tet_material", &[n, 3])?.as_chunks().0.to_vec();
    read_attachments(arrays, model)
}

/// Files of earlier versions have none.
fn read_attachments(arrays: &mut Arrays, model: &mut Model) -> Result<(), NpzError> {
    if !ATTACHMENTS.iter().any(|name| arrays.has(name)) {
        return Ok(());
    }
    let n = arrays.length("attachment_particle")?;
    model.attachment_particle = arrays.below("attachment_particle", &[n], model.particle_count() as u64)?;
    model.attachment_other = arrays.below_or_world("attachment_other", &[n], model.particle_count())?;
    model.attachment_body = arrays.below_or_world("attachment_body", &[n], model.body_count())?;
    model.attachment_point = to_vectors(arrays.floats("attachment_point", &[n, 3])?);
    model.attachment_stiffness = arrays.floats("attachment_stiffness", &[n])?;
    Ok(())
}

fn particles<const N: usize>(
    arrays: &mut Arrays,
    name: &str,
    count: usize,
    model: &Model,
) -> Result<Vec<[u32; N]>, NpzError> {
    Ok(arrays.below(name, &[count, N], model.particle_count() as u64)?.as_chunks().0.to_vec())
}

/// Particles of the folds: of the opposite ones the second may be missing, on a rim.
fn edges(arrays: &mut Arrays, count: usize, particles: usize) -> Result<Vec<[u32; 4]>, NpzError> {
    let found = arrays.below_or_world("edge_particle", &[count, 4], particles)?;
    let edges: Vec<[u32; 4]> = found.as_chunks().0.to_vec();
    match edges.iter().find(|edge| [0, 2, 3].iter().any(|&corner| edge[corner] == WORLD)) {
        Some(edge) => Err(Arrays::bad("edge_particle", format!("{edge:?}: only the second particle may be -1"))),
        None => Ok(edges),
    }
}
