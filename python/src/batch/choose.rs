//! Which worlds of a batch are meant.

use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use super::Batch;

/// Which worlds, rising, or all.
pub type Chosen = Option<Vec<usize>>;

impl Batch {
    /// Worlds by their numbers or by a mask.
    pub(super) fn chosen(&self, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<Chosen> {
        let Some(worlds) = worlds else { return Ok(None) };
        let mut chosen = Vec::new();
        if let Ok(mask) = worlds.extract::<PyReadonlyArrayDyn<'_, bool>>() {
            if mask.shape() != [self.count] {
                let (given, count) = (mask.shape().to_vec(), self.count);
                return Err(PyValueError::new_err(format!("a mask of worlds has shape [{count}], got {given:?}")));
            }
            chosen.extend(mask.as_array().iter().enumerate().filter(|(_, on)| **on).map(|(world, _)| world));
            return Ok(Some(chosen));
        }
        for world in worlds.try_iter()? {
            chosen.push(self.world_index(world?.extract()?)?);
        }
        chosen.sort_unstable();
        if let Some(twice) = chosen.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(PyValueError::new_err(format!("world {} is named twice", twice[0])));
        }
        Ok(Some(chosen))
    }

    pub(super) fn world_index(&self, world: i64) -> PyResult<usize> {
        let index = usize::try_from(world).ok().filter(|world| *world < self.count);
        index.ok_or_else(|| PyIndexError::new_err(format!("there is no world {world}; there are {}", self.count)))
    }

    /// How many worlds are meant.
    pub(super) fn rows_of(&self, chosen: &Chosen) -> usize {
        chosen.as_ref().map_or(self.count, Vec::len)
    }

    /// The row of a world among those given.
    pub(super) fn row_of(chosen: &Chosen, world: usize) -> usize {
        chosen.as_ref().map_or(world, |worlds| worlds.partition_point(|known| *known < world))
    }
}
