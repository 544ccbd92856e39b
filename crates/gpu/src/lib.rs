//! Solvers on the GPU.
//!
//! An engine holds a whole system on the device, takes steps there, and gives its state back when
//! asked. It knows no model, so that it can run systems far larger than a model would fit in memory;
//! `drystone-jacobi` makes engines from models. Kernels call the functions of `drystone-kernels` that
//! the CPU calls.
//!
//! Without the features `cuda` and `wgpu` only the data that solvers exchange with a device is here, and opening
//! one says that this build has none.
#![forbid(unsafe_code)]
// Kernels call only what `#[cube]` takes, and `is_multiple_of` is not among it.
#![allow(clippy::manual_is_multiple_of)]

pub mod jacobi;
