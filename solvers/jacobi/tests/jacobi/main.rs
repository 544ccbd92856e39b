//! The `jacobi` solver from outside: joints, contacts, memory, refusals, and what it says when it falls short.

mod bench;
mod contacts;
mod honesty;
mod joints;
mod memory;
