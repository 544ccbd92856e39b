//! Files in and out.
#![forbid(unsafe_code)]

pub mod atomic;
pub mod glb;
pub mod mesh;
mod motion;
pub mod npz;
pub mod picture;
pub mod raster;
pub mod recording;
pub mod usda;
pub mod visual;
