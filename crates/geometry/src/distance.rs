//! Distances between points, edges and triangles.

pub mod point_edge;
pub mod point_triangle;
