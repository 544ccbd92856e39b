//! Per-body, per-contact and per-joint mathematics, written once for the CPU and the GPU.
//!
//! Every file is compiled twice, for [`single`] (`f32`) and [`double`] (`f64`), against the alias
//! `Real`. With the feature `gpu` the same functions also carry CubeCL's `#[cube]`, so a GPU kernel
//! calls exactly what the CPU calls. That is why this crate avoids what `#[cube]` does not take:
//! operators on structs, early `return`, closures, slices and literal `if` arms.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
// One source, two precisions: the second inclusion of each file is the point.
#![allow(clippy::duplicate_mod)]
// Methods named like operators: `#[cube]` does not take operator overloading on structs.
#![allow(clippy::should_implement_trait)]
// The twins that `#[cube]` derives carry no documentation of their own.
#![cfg_attr(feature = "gpu", allow(missing_docs))]

pub mod double;
pub mod elementary;
pub mod lanes;
pub mod memory;
pub mod single;
