//! Contact and free motion under the `vbd` solver, against theory.

#[path = "../joints/bench.rs"]
#[allow(dead_code, reason = "shared with the joint tests, which measure more")]
mod bench;
mod depenetration;
mod free;
mod friction;
mod impacts;
mod invariance;
mod materials;
mod momentum;
mod precision;
mod press;
mod published;
mod sleep;
mod stacks;
mod symmetry;
