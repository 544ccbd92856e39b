//! Files in and out.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod motion;

pub mod atomic;
pub mod export;
pub mod glb;
pub mod mesh;
pub mod mjcf;
pub mod npz;
pub mod recording;
pub mod scene_file;
pub mod usda;
