//! Per-body, per-contact and per-joint mathematics, written once for the CPU and the GPU.
#![forbid(unsafe_code)]
