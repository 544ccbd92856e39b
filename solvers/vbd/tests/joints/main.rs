//! Joints under the `vbd` solver, against theory.

mod battery;
mod bench;
mod chains;
mod drives;
mod hysteresis;
mod loops;
mod pendulum;
mod rest;
mod rods;
mod second_order;
mod swept;
mod switching;
