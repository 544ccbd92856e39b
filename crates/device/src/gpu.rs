//! A device ready for work.

use std::fmt;

use cubecl::prelude::*;

use crate::choice::DeviceError;

/// Units (threads) per workgroup of the primitives: fits every device, fills all of them.
pub const UNITS: u32 = 256;

/// Most workgroups along one dimension of a launch that every device takes.
const MAX_CUBES: u32 = 65_535;

/// A device ready for work.
#[derive(Clone)]
pub struct Gpu<R: Runtime> {
    client: ComputeClient<R>,
    name: String,
    /// Bytes of memory of the card, where the interface tells.
    memory: Option<u64>,
}

impl<R: Runtime> fmt::Debug for Gpu<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gpu").field(&self.name).finish()
    }
}

impl<R: Runtime> Gpu<R> {
    pub(crate) fn new(client: ComputeClient<R>, name: String, memory: Option<u64>) -> Self {
        Self { client, name, memory }
    }

    /// The device in words: interface, card and driver.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The queue that kernels are launched on.
    pub fn client(&self) -> &ComputeClient<R> {
        &self.client
    }

    /// Bytes of memory that the units of a workgroup can share.
    pub fn shared_memory(&self) -> usize {
        self.client.properties().hardware.max_shared_memory_size
    }

    /// Whether there is memory for `what`, of which the largest array takes `largest` bytes and all together `total`.
    pub fn check_room(&self, what: impl Fn() -> String, largest: u64, total: u64) -> Result<(), DeviceError> {
        let piece = self.client.properties().memory.max_page_size;
        let too_small = |needed: u64, available: u64, at_once: bool| {
            Err(DeviceError::OutOfMemory { what: what(), needed, available, at_once })
        };
        match self.memory {
            Some(memory) if total > memory => too_small(total, memory, false),
            _ if largest > piece => too_small(largest, piece, true),
            _ => Ok(()),
        }
    }

    /// Waits until everything launched so far is done.
    pub fn sync(&self) -> Result<(), DeviceError> {
        cubecl::future::block_on(self.client.sync()).map_err(|error| DeviceError::Failed(format!("{error:?}")))
    }

    /// Workgroups for `count` of them, folded into two dimensions where one is too short. Kernels
    /// see one running number, `CUBE_POS`, which may run past `count`.
    pub fn cubes(&self, count: usize) -> CubeCount {
        let count = count.max(1) as u64;
        let rows = count.div_ceil(u64::from(MAX_CUBES));
        let columns = count.div_ceil(rows);
        CubeCount::Static(columns as u32, rows as u32, 1)
    }

    /// Workgroups of [`UNITS`] so that every one of `count` items has a unit.
    pub fn cubes_for(&self, count: usize) -> CubeCount {
        self.cubes(count.div_ceil(UNITS as usize))
    }
}
