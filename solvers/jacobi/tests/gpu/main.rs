//! What runs on a GPU against the same on the CPU. Without a device the tests fail and say what to install;
//! `DRYSTONE_DEVICE` chooses one.
#![cfg(feature = "engines")]

mod models;
mod points;
mod run;
mod sweeps;
mod tools;
