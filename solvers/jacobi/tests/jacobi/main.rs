//! The `jacobi` solver from outside: joints, contacts, memory, refusals.

mod bench;
mod contacts;
mod joints;
mod memory;
