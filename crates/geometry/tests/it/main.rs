//! Tests across the whole crate, in one binary so that it links once.

mod common;
mod hull;
mod mass;
mod shapes;
