//! What contacts are known by from step to step: a kind, particles, and a shape where there is one.

use drystone_model::{ModelMap, WORLD};

/// Particles of each kind; the shape comes after them.
const VERTEX_SHAPE: u32 = 0;
const VERTEX_TRIANGLE: u32 = 1;
const EDGE_EDGE: u32 = 2;
const EDGE_SHAPE: u32 = 3;
const FACE_SHAPE: u32 = 4;
const HELD: u32 = 5;

/// A particle against a shape.
pub fn vertex_shape(particle: u32, shape: u32) -> [u32; 5] {
    [VERTEX_SHAPE, particle, shape, 0, 0]
}

/// A particle against a triangle of others.
pub fn vertex_triangle(particle: u32, [a, b, c]: [u32; 3]) -> [u32; 5] {
    [VERTEX_TRIANGLE, particle, a, b, c]
}

/// An edge between particles against another.
pub fn edge_edge([a, b]: [u32; 2], [c, d]: [u32; 2]) -> [u32; 5] {
    [EDGE_EDGE, a, b, c, d]
}

/// An edge between particles against a shape.
pub fn edge_shape([a, b]: [u32; 2], shape: u32) -> [u32; 5] {
    [EDGE_SHAPE, a, b, shape, 0]
}

/// A triangle between particles against a shape.
pub fn face_shape([a, b, c]: [u32; 3], shape: u32) -> [u32; 5] {
    [FACE_SHAPE, a, b, c, shape]
}

/// A particle held by a body, or by the world; `nth` of those that the two have.
pub fn held(particle: u32, body: u32, nth: u32) -> [u32; 5] {
    [HELD, particle, body, nth, 0]
}

/// The same contact in an edited model; none if something of it is gone.
pub fn edited([kind, a, b, c, d]: [u32; 5], map: &ModelMap) -> Option<[u32; 5]> {
    let particle = |index: u32| map.particle.now(index as usize).map(|now| now as u32);
    let shape = |index: u32| map.touching_shape(index as usize).map(|now| now as u32);
    Some(match kind {
        VERTEX_SHAPE => vertex_shape(particle(a)?, shape(b)?),
        EDGE_SHAPE => edge_shape([particle(a)?, particle(b)?], shape(c)?),
        HELD if b == WORLD => held(particle(a)?, WORLD, c),
        HELD => held(particle(a)?, map.body.now(b as usize)? as u32, c),
        FACE_SHAPE => face_shape([particle(a)?, particle(b)?, particle(c)?], shape(d)?),
        _ => [kind, particle(a)?, particle(b)?, particle(c)?, particle(d)?],
    })
}
