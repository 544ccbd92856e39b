//! Between model types and flat arrays.

use std::collections::BTreeMap;

use drystone::geometry::{DMat3, DQuat, DVec3, Pose};
use drystone::model::WORLD;

use crate::npz::{Array, Data, NpzError};

pub(super) fn vectors<'a>(values: impl IntoIterator<Item = &'a DVec3>) -> Vec<f64> {
    values.into_iter().flat_map(|v| v.to_array()).collect()
}

pub(super) fn poses<'a>(values: impl IntoIterator<Item = &'a Pose>) -> Vec<f64> {
    let flat = |p: &Pose| {
        let (t, r) = (p.translation, p.rotation);
        [t.x, t.y, t.z, r.x, r.y, r.z, r.w]
    };
    values.into_iter().flat_map(flat).collect()
}

/// Rows of the matrices, as NumPy indexes them.
pub(super) fn matrices<'a>(values: impl IntoIterator<Item = &'a DMat3>) -> Vec<f64> {
    values.into_iter().flat_map(|m| m.transpose().to_cols_array()).collect()
}

/// Body indices; the world becomes −1.
pub(super) fn indices(values: &[u32]) -> Vec<i64> {
    values.iter().map(|&i| if i == WORLD { -1 } else { i64::from(i) }).collect()
}

pub(super) fn to_vectors(flat: Vec<f64>) -> Vec<DVec3> {
    flat.as_chunks().0.iter().map(|&v| DVec3::from_array(v)).collect()
}

pub(super) fn to_poses(flat: Vec<f64>) -> Vec<Pose> {
    let pose = |&[x, y, z, i, j, k, w]: &[f64; 7]| Pose::from_parts(DVec3::new(x, y, z), DQuat::from_xyzw(i, j, k, w));
    flat.as_chunks().0.iter().map(pose).collect()
}

pub(super) fn to_matrices(flat: Vec<f64>) -> Vec<DMat3> {
    flat.as_chunks().0.iter().map(|m| DMat3::from_cols_array(m).transpose()).collect()
}

/// The arrays of a file, taken out one by one with their shape checked.
pub(super) struct Arrays(pub BTreeMap<String, Array>);

impl Arrays {
    pub(super) fn bad(name: &str, reason: impl Into<String>) -> NpzError {
        NpzError::Array { name: name.into(), reason: reason.into() }
    }

    /// Length of the first dimension.
    pub(super) fn length(&self, name: &str) -> Result<usize, NpzError> {
        let array = self.0.get(name).ok_or_else(|| Self::bad(name, "it is missing"))?;
        array.shape.first().copied().ok_or_else(|| Self::bad(name, "it is a single number, not a list"))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Data, NpzError> {
        let array = self.0.remove(name).ok_or_else(|| Self::bad(name, "it is missing"))?;
        if array.shape != shape {
            let reason = format!("its shape is {:?}, expected {shape:?}", array.shape);
            return Err(Self::bad(name, reason));
        }
        Ok(array.data)
    }

    pub(super) fn floats(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f64>, NpzError> {
        match self.take(name, shape)? {
            Data::Float(values) => Ok(values),
            Data::Int(values) => Ok(values.into_iter().map(|v| v as f64).collect()),
            _ => Err(Self::bad(name, "it does not hold numbers")),
        }
    }

    pub(super) fn bools(&mut self, name: &str, shape: &[usize]) -> Result<Vec<bool>, NpzError> {
        match self.take(name, shape)? {
            Data::Bool(values) => Ok(values),
            _ => Err(Self::bad(name, "it does not hold truth values")),
        }
    }

    pub(super) fn texts(&mut self, name: &str, shape: &[usize]) -> Result<Vec<String>, NpzError> {
        match self.take(name, shape)? {
            Data::Text(values) => Ok(values),
            _ => Err(Self::bad(name, "it does not hold texts")),
        }
    }

    /// Whole numbers from 0 to below `bound`.
    pub(super) fn below(&mut self, name: &str, shape: &[usize], bound: u64) -> Result<Vec<u32>, NpzError> {
        let Data::Int(values) = self.take(name, shape)? else {
            return Err(Self::bad(name, "it does not hold whole numbers"));
        };
        let checked = |v: i64| u32::try_from(v).ok().filter(|&v| u64::from(v) < bound);
        values
            .into_iter()
            .map(|v| checked(v).ok_or_else(|| Self::bad(name, format!("{v} is out of range, must be below {bound}"))))
            .collect()
    }

    /// Body indices, −1 for the world.
    pub(super) fn bodies(&mut self, name: &str, count: usize, bodies: usize) -> Result<Vec<u32>, NpzError> {
        self.below_or_world(name, &[count], bodies)
    }

    /// Indices below a count, −1 for the world.
    pub(super) fn below_or_world(&mut self, name: &str, shape: &[usize], count: usize) -> Result<Vec<u32>, NpzError> {
        if let Some(Array { data: Data::Int(values), .. }) = self.0.get_mut(name) {
            // −1 is moved to one past the last for the range check, and on to the world below; nothing else may be there.
            if values.contains(&(count as i64)) {
                return Err(Self::bad(name, format!("{count} is out of range, must be below {count}")));
            }
            values.iter_mut().filter(|v| **v == -1).for_each(|v| *v = count as i64);
        }
        let found = self.below(name, shape, count as u64 + 1)?;
        Ok(found.into_iter().map(|index| if index as usize == count { WORLD } else { index }).collect())
    }

    /// `count + 1` starts that never fall and end at `total`.
    pub(super) fn starts(&mut self, name: &str, count: usize, total: usize) -> Result<Vec<u32>, NpzError> {
        let starts = self.below(name, &[count + 1], total as u64 + 1)?;
        if starts.first() != Some(&0) || starts.last() != Some(&(total as u32)) || !starts.is_sorted() {
            return Err(Self::bad(name, format!("it must rise from 0 to {total}")));
        }
        Ok(starts)
    }
}
