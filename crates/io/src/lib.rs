//! Files in and out.
#![forbid(unsafe_code)]

pub mod mesh;
