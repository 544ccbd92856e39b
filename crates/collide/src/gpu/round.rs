//! Half-spaces, balls and capsules. Places are from that of the first shape, world axes.

use cubecl::prelude::*;
use drystone_kernels::single::math::{Mat3, Vec3};

use super::query::{Query, add_point};
use super::shapes::{BOX, CAPSULE, SPHERE};

/// Cosine from which on a capsule lies flat on a face of a box.
const FLAT: f32 = 0.9999;
/// Squared sine below which capsules count as parallel.
const PARALLEL: f32 = 1.0e-4;
/// Distance that counts as none \[m\].
const TOUCHING: f32 = 1.0e-9;
/// Halvings that find the point of a segment nearest to a box: all that single precision tells apart.
const HALVINGS: u32 = 26;

/// Axis `z` of an orientation.
#[cube]
pub fn z_axis(turn: Mat3) -> Vec3 {
    Vec3 { x: turn.r0.z, y: turn.r1.z, z: turn.r2.z }
}

/// A half-space and what stands on it, `between` away.
#[cube]
pub fn plane_solid(
    up: Vec3,
    kind: u32,
    size: Vec3,
    turn: Mat3,
    between: Vec3,
    query: &mut Query,
    points: &mut Array<f32>,
) {
    query.normal = up;
    if kind == SPHERE {
        stand(up, between, size.x, query, points);
    }
    if kind == CAPSULE {
        let along = z_axis(turn).scale(size.y);
        stand(up, between.add(along), size.x, query, points);
        stand(up, between.sub(along), size.x, query, points);
    }
    if kind == BOX {
        let down = turn.mul_transposed(up).neg();
        let (x, y, z) = (down.x.abs(), down.y.abs(), down.z.abs());
        // The face that looks down; its corners hold the lowest one.
        let first = x >= y && x >= z;
        let second = !first && y >= z;
        for i in 0..4u32 {
            let mut a = f32::new(1.0);
            if i % 2u32 == 1u32 {
                a = -a;
            }
            let mut b = f32::new(1.0);
            if i > 1u32 {
                b = -b;
            }
            let mut corner = Vec3 { x: a * size.x, y: b * size.y, z: sign_of(down.z) * size.z };
            if first {
                corner = Vec3 { x: sign_of(down.x) * size.x, y: a * size.y, z: b * size.z };
            }
            if second {
                corner = Vec3 { x: a * size.x, y: sign_of(down.y) * size.y, z: b * size.z };
            }
            stand(up, between.add(turn.mul(corner)), 0.0, query, points);
        }
    }
}

#[cube]
fn sign_of(x: f32) -> f32 {
    let mut sign = f32::new(1.0);
    if x < 0.0 {
        sign = -sign;
    }
    sign
}

/// A ball above a half-space; the point on the plane is below it.
#[cube]
fn stand(up: Vec3, at: Vec3, radius: f32, query: &mut Query, points: &mut Array<f32>) {
    let height = up.dot(at);
    add_point(query, points, at.add_scaled(up, -height), height - radius);
}

/// Two balls about two places.
#[cube]
pub fn ball_ball(p: Vec3, radius0: f32, q: Vec3, radius1: f32, query: &mut Query, points: &mut Array<f32>) {
    let from = q.sub(p);
    let distance = from.length();
    let mut normal = Vec3 { x: 0.0, y: 0.0, z: 1.0 };
    if distance > TOUCHING {
        normal = from.scale(1.0 / distance);
    }
    query.normal = normal;
    add_point(query, points, p.add_scaled(normal, radius0), distance - radius0 - radius1);
}

/// The point of the segment about `middle` with half length along `along` that is nearest to `p`.
#[cube]
pub fn nearest_on(middle: Vec3, along: Vec3, p: Vec3) -> Vec3 {
    let t = p.sub(middle).dot(along) / along.length_squared().max(1.0e-30);
    middle.add_scaled(along, t.max(-1.0).min(1.0))
}

/// Two capsules: the nearest points of their segments, or both ends of where they run side by side.
#[cube]
pub fn capsule_capsule(
    along0: Vec3,
    radius0: f32,
    middle: Vec3,
    along1: Vec3,
    radius1: f32,
    query: &mut Query,
    points: &mut Array<f32>,
) {
    let (aa, bb) = (along0.length_squared().max(1.0e-30), along1.length_squared().max(1.0e-30));
    let ab = along0.dot(along1);
    let zero = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    if aa * bb - ab * ab > PARALLEL * aa * bb {
        let (am, bm) = (along0.dot(middle), along1.dot(middle));
        let free = (am * bb - bm * ab) / (aa * bb - ab * ab);
        let s = free.max(-1.0).min(1.0);
        let t = ((s * ab - bm) / bb).max(-1.0).min(1.0);
        let s = ((t * ab + am) / aa).max(-1.0).min(1.0);
        ball_ball(zero.add_scaled(along0, s), radius0, middle.add_scaled(along1, t), radius1, query, points);
    } else {
        // Where the second segment covers the first, in shares of the half length of the first.
        let centre = middle.dot(along0) / aa;
        let half = (ab / aa).abs();
        let low = (centre - half).max(-1.0).min(1.0);
        let high = (centre + half).max(-1.0).min(1.0);
        let p = zero.add_scaled(along0, 0.5 * (low + high));
        ball_ball(p, radius0, nearest_on(middle, along1, p), radius1, query, points);
        if high - low > 1.0e-3 && query.count > 0u32 {
            let normal = query.normal;
            query.count = 0u32;
            for end in 0..2u32 {
                let mut share = low;
                if end == 1u32 {
                    share = high;
                }
                let p = zero.add_scaled(along0, share);
                let gap = nearest_on(middle, along1, p).sub(p).dot(normal) - radius0 - radius1;
                add_point(query, points, p.add_scaled(normal, radius0), gap);
            }
        }
    }
}

/// A box at the origin and a segment with a radius: a ball if the segment has no length. In the frame of the box; the normal is turned back.
#[cube]
pub fn box_segment(
    half: Vec3,
    turn: Mat3,
    between: Vec3,
    along: Vec3,
    radius: f32,
    query: &mut Query,
    points: &mut Array<f32>,
) {
    let middle = turn.mul_transposed(between);
    let way = turn.mul_transposed(along);
    // The distance to a box is convex along a line: halve by the sign of its slope.
    let mut low = f32::new(-1.0);
    let mut high = f32::new(1.0);
    if way.length_squared() > 1.0e-20 {
        for _step in 0..HALVINGS {
            let t = 0.5 * (low + high);
            let at = middle.add_scaled(way, t);
            if at.sub(inside(at, half)).dot(way) > 0.0 {
                high = t;
            } else {
                low = t;
            }
        }
    } else {
        low = 0.0;
        high = 0.0;
    }
    let at = middle.add_scaled(way, 0.5 * (low + high));
    let on = inside(at, half);
    let apart = at.sub(on);
    let distance = apart.length();
    let mut normal = apart.scale(1.0 / distance.max(TOUCHING));
    let mut depth = distance;
    if distance <= 1.0e-6 * (half.x + half.y + half.z) {
        // The segment enters the box: out through the nearest face.
        let reach = Vec3 { x: way.x.abs(), y: way.y.abs(), z: way.z.abs() };
        let x = middle.x.abs() - half.x - reach.x;
        let y = middle.y.abs() - half.y - reach.y;
        let z = middle.z.abs() - half.z - reach.z;
        normal = Vec3 { x: 0.0, y: 0.0, z: sign_of(middle.z) };
        depth = z;
        if x >= y && x >= z {
            normal = Vec3 { x: sign_of(middle.x), y: 0.0, z: 0.0 };
            depth = x;
        } else if y >= z {
            normal = Vec3 { x: 0.0, y: sign_of(middle.y), z: 0.0 };
            depth = y;
        }
        // Or past an edge.
        for k in 0..3u32 {
            let mut across = Vec3 { x: 0.0, y: -way.z, z: way.y };
            if k == 1u32 {
                across = Vec3 { x: way.z, y: 0.0, z: -way.x };
            }
            if k == 2u32 {
                across = Vec3 { x: -way.y, y: way.x, z: 0.0 };
            }
            let length = across.length();
            if length > 1.0e-3 * way.length() && length > 0.0 {
                let axis = across.scale(sign_of(across.dot(middle)) / length);
                let past = axis.dot(middle) - (axis.x.abs() * half.x + axis.y.abs() * half.y + axis.z.abs() * half.z);
                if past > depth {
                    depth = past;
                    normal = axis;
                }
            }
        }
    }
    query.normal = turn.mul(normal);
    let steep = normal.x.abs().max(normal.y.abs()).max(normal.z.abs());
    if steep > FLAT && way.length_squared() > 1.0e-20 {
        lie_on_face(half, turn, middle, way, radius, normal, query, points);
    }
    if query.count == 0u32 {
        let foot = at.add_scaled(normal, -depth);
        add_point(query, points, turn.mul(foot), depth - radius);
    }
}

/// The point of a box at the origin nearest to a place.
#[cube]
fn inside(at: Vec3, half: Vec3) -> Vec3 {
    Vec3 { x: at.x.max(-half.x).min(half.x), y: at.y.max(-half.y).min(half.y), z: at.z.max(-half.z).min(half.z) }
}

/// Both ends of a segment that lies on a face, as far as they are above it.
#[cube]
fn lie_on_face(
    half: Vec3,
    turn: Mat3,
    middle: Vec3,
    way: Vec3,
    radius: f32,
    normal: Vec3,
    query: &mut Query,
    points: &mut Array<f32>,
) {
    let mut low = f32::new(-1.0);
    let mut high = f32::new(1.0);
    for k in 0..3u32 {
        let mut across = normal.z.abs() < 0.5;
        let mut m = middle.z;
        let mut w = way.z;
        let mut h = half.z;
        if k == 0u32 {
            across = normal.x.abs() < 0.5;
            m = middle.x;
            w = way.x;
            h = half.x;
        }
        if k == 1u32 {
            across = normal.y.abs() < 0.5;
            m = middle.y;
            w = way.y;
            h = half.y;
        }
        if across && w.abs() > 1.0e-9 {
            let (a, b) = ((-h - m) / w, (h - m) / w);
            low = low.max(a.min(b));
            high = high.min(a.max(b));
        }
    }
    let height = half.x * normal.x.abs() + half.y * normal.y.abs() + half.z * normal.z.abs();
    if high > low {
        for end in 0..2u32 {
            let mut t = low;
            if end == 1u32 {
                t = high;
            }
            let at = middle.add_scaled(way, t);
            let above = at.dot(normal) - height;
            add_point(query, points, turn.mul(at.add_scaled(normal, -above)), above - radius);
        }
    }
}
