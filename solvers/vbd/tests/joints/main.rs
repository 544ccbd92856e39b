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
mod side_by_side;
mod swept;
mod switching;
