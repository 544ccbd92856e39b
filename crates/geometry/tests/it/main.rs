//! Tests across the whole crate, in one binary so that it links once.

mod bvh;
mod ccd;
mod common;
mod distance;
mod elementary;
mod fill;
mod hull;
mod mass;
mod mesh;
mod shapes;
mod triangles;
