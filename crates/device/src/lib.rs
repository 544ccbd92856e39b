//! The GPU: device choice at run time, typed buffers that grow, uploads and read-backs only when
//! asked for, time per phase, and the parallel primitives every GPU solver needs.
//!
//! Without the features `cuda` and `wgpu` only the names and errors are here, so that a program can
//! say what is missing. With them, `open` finds a device and a `Job` runs on it: work is generic
//! over the runtime and the choice is made once, at the top.
//!
//! Kernels are written with CubeCL; the functions they call live in `drystone-kernels` and run on
//! the CPU too. The primitives are deterministic: the same input gives the same bits on the same
//! device, because no floating-point sum depends on the order in which threads arrive.
// Functions that need `unsafe` say why: arguments of kernels in `buffer.rs`, and what asks the CUDA loader and driver what is there.
#![deny(unsafe_code)]

#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod buffer;
mod choice;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod gpu;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod open;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod phases;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod primitives;

pub use choice::{DeviceChoice, DeviceError, INSTALL_HINT};

#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub use {
    buffer::Buffer,
    cubecl::prelude::Runtime,
    gpu::{Gpu, UNITS},
    open::{Device, Job, open, open_from_environment},
    phases::Phases,
};
