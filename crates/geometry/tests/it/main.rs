//! Tests across the whole crate, in one binary so that it links once.

mod ccd;
mod common;
mod distance;
mod hull;
mod mass;
mod shapes;
