//! Files in and out.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod excerpt;
mod hung;
mod motion;
mod xml_text;

pub mod atomic;
pub mod export;
pub mod glb;
pub mod import;
pub mod mesh;
pub mod mjcf;
pub mod npz;
pub mod recording;
pub mod scene_file;
pub mod urdf;
pub mod usda;

/// The program of the tutorial, so that it is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/first-robot.md")]
pub struct FirstRobot;
