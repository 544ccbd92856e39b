//! The rigid step on a GPU against the same on the CPU. Without a device the tests fail and say what to install;
//! `DRYSTONE_DEVICE` chooses one.
#![cfg(any(feature = "cuda", feature = "vulkan"))]

mod behaviour;
mod contract;
mod forces;
mod laws;
mod steps;
mod tools;
