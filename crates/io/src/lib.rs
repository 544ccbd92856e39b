//! Files in and out.
#![forbid(unsafe_code)]

pub mod atomic;
pub mod mesh;
pub mod npz;
pub mod picture;
pub mod raster;
pub mod recording;
pub mod visual;
