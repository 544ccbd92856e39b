//! What contacts are known by from step to step: a kind, particles, and a shape where there is one.

use drystone_model::{ModelMap, WORLD};

/// Particles of each kind; the shape comes after them.
const VERTEX_SHAPE: u32 = 0;
const VERTEX_TRIANGLE: u32 = 1;
const EDGE_EDGE: u32 = 2;
const EDGE_CREASE: u32 = 3;
const HELD: u32 = 5;
/// From here on a triangle against a corner of a shape, by the number of the corner: it has its place in the kind.
const FACE_CORNER: u32 = 8;

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

/// An edge between particles against an edge of a shape.
pub fn edge_crease([a, b]: [u32; 2], shape: u32, crease: u32) -> [u32; 5] {
    [EDGE_CREASE, a, b, shape, crease]
}

/// A triangle between particles against a corner of a shape.
pub fn face_corner([a, b, c]: [u32; 3], shape: u32, corner: u32) -> [u32; 5] {
    [FACE_CORNER + corner, a, b, c, shape]
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
        EDGE_CREASE => edge_crease([particle(a)?, particle(b)?], shape(c)?, d),
        HELD if b == WORLD => held(particle(a)?, WORLD, c),
        HELD => held(particle(a)?, map.body.now(b as usize)? as u32, c),
        FACE_CORNER.. => [kind, particle(a)?, particle(b)?, particle(c)?, shape(d)?],
        _ => [kind, particle(a)?, particle(b)?, particle(c)?, particle(d)?],
    })
}
