//! Joints under the `vbd` solver, against theory.

mod bench;
mod chains;
