//! Joints under the `vbd` solver, against theory.

mod battery;
mod bench;
mod chains;
mod drives;
mod pendulum;
mod switching;
