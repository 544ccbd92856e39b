//! The face of one box against the sides of a face of another, and the choice of the four points worth keeping. The rules are those of
//! `narrow/box_face.rs` and `narrow/manifold.rs`.

use cubecl::prelude::*;
use drystone_kernels::single::math::Vec3;

use super::boxes::{Boxes, axis_of};
use super::query::{Query, put_point};
use crate::narrow::box_face::FLUSH;

/// Most corners of a quadrilateral cut by four sides.
const MOST: u32 = 8;
/// Share of the slack in depth by which corners may stand out.
const STANDING_OUT: f32 = FLUSH as f32;

/// Contact through face `axis` of the first box, or `axis − 3` of the second.
#[cube]
pub fn face_contact(
    boxes: &Boxes,
    between: Vec3,
    axis: u32,
    query: &mut Query,
    points: &mut Array<f32>,
    kept: &Array<f32>,
) {
    let swapped = axis >= 3u32;
    let mut base = 0u32;
    let mut towards = between;
    if swapped {
        base = 3u32;
        towards = between.neg();
    }
    let other = 3u32 - base;
    let k = axis - base;
    let u = base + (k + 1u32) % 3u32;
    let v = base + (k + 2u32) % 3u32;
    let mut outward = axis_of(&boxes.axis, axis);
    if outward.dot(towards) < 0.0 {
        outward = outward.neg();
    }
    let (side_u, side_v) = (axis_of(&boxes.axis, u), axis_of(&boxes.axis, v));
    let height = boxes.half[axis as usize];

    // Corners along the two sides and above the face, in pairs of buffers.
    let mut corner = Array::<f32>::new(comptime!(2usize * 3usize * 9usize));
    incident(boxes, other, towards, outward, side_u, side_v, height, &mut corner);
    let mut count = 4u32;
    let mut side = 0u32;
    let mut cut_by = 0u32;
    while cut_by < 4u32 {
        let mut half = boxes.half[u as usize];
        if cut_by > 1u32 {
            half = boxes.half[v as usize];
        }
        let mut sign = f32::new(1.0);
        if cut_by % 2u32 == 1u32 {
            sign = -sign;
        }
        count = cut(&mut corner, side, count, cut_by / 2u32, sign, half, STANDING_OUT * query.slack);
        side = 1u32 - side;
        cut_by += 1u32;
    }

    // Points on the first box, and their gaps.
    let mut found = Array::<f32>::new(comptime!(4usize * 8usize));
    let mut near = 0u32;
    for i in 0..count {
        let at = 27u32 * side + 3u32 * i;
        let gap = corner[(at + 2u32) as usize];
        if gap <= query.limit {
            let flat = outward
                .scale(height)
                .add_scaled(side_u, corner[at as usize])
                .add_scaled(side_v, corner[(at + 1u32) as usize]);
            let mut on_first = flat;
            if swapped {
                on_first = between.add(flat).add_scaled(outward, gap);
            }
            put_point(&mut found, near, on_first, gap);
            near += 1u32;
        }
    }
    query.normal = outward;
    if swapped {
        query.normal = outward.neg();
    }
    choose(&found, near, query, points, kept);
}

/// The face of the other box that looks most against `outward`, in the coordinates of the reference face.
#[cube]
fn incident(
    boxes: &Boxes,
    other: u32,
    towards: Vec3,
    outward: Vec3,
    side_u: Vec3,
    side_v: Vec3,
    height: f32,
    corner: &mut Array<f32>,
) {
    let mut most = f32::new(-1.0);
    let mut k = 0u32;
    for i in 0..3u32 {
        let size = axis_of(&boxes.axis, other + i).dot(outward).abs();
        if size > most {
            most = size;
            k = i;
        }
    }
    let m = other + (k + 1u32) % 3u32;
    let n = other + (k + 2u32) % 3u32;
    let facing = axis_of(&boxes.axis, other + k);
    let mut sign = f32::new(1.0);
    if facing.dot(outward) > 0.0 {
        sign = -sign;
    }
    let middle = towards.add_scaled(facing, sign * boxes.half[(other + k) as usize]);
    let p = axis_of(&boxes.axis, m).scale(boxes.half[m as usize]);
    let q = axis_of(&boxes.axis, n).scale(boxes.half[n as usize] * sign);
    for i in 0..4u32 {
        let mut along_p = f32::new(1.0);
        if i == 1u32 || i == 2u32 {
            along_p = -along_p;
        }
        let mut along_q = f32::new(1.0);
        if i > 1u32 {
            along_q = -along_q;
        }
        let at = middle.add_scaled(p, along_p).add_scaled(q, along_q);
        corner[(3u32 * i) as usize] = side_u.dot(at);
        corner[(3u32 * i + 1u32) as usize] = side_v.dot(at);
        corner[(3u32 * i + 2u32) as usize] = outward.dot(at) - height;
    }
}

/// Cuts off what lies beyond `size` along a coordinate, from one buffer of corners to the other, where a corner does by more than
/// `flush`; returns how many are left.
#[cube]
fn cut(corner: &mut Array<f32>, side: u32, count: u32, coordinate: u32, sign: f32, size: f32, flush: f32) -> u32 {
    let (from, to) = (27u32 * side, 27u32 * (1u32 - side));
    let mut half = f32::new(3.0e38);
    for i in 0..count {
        if sign * corner[(from + 3u32 * i + coordinate) as usize] > size + flush {
            half = size;
        }
    }
    let mut left = 0u32;
    let mut last = count.max(1u32) - 1u32;
    for i in 0..count {
        let (a, b) = (from + 3u32 * last, from + 3u32 * i);
        let over_a = sign * corner[(a + coordinate) as usize] - half;
        let over_b = sign * corner[(b + coordinate) as usize] - half;
        if (over_a <= 0.0) != (over_b <= 0.0) && left < MOST {
            let t = over_a / (over_a - over_b);
            for c in 0..3u32 {
                let (x, y) = (corner[(a + c) as usize], corner[(b + c) as usize]);
                corner[(to + 3u32 * left + c) as usize] = x + (y - x) * t;
            }
            corner[(to + 3u32 * left + coordinate) as usize] = sign * half;
            left += 1u32;
        }
        if over_b <= 0.0 && left < MOST {
            for c in 0..3u32 {
                corner[(to + 3u32 * left + c) as usize] = corner[(b + c) as usize];
            }
            left += 1u32;
        }
        last = i;
    }
    left
}

#[cube]
fn spot(from: &Array<f32>, i: u32) -> Vec3 {
    Vec3 { x: from[(4u32 * i) as usize], y: from[(4u32 * i + 1u32) as usize], z: from[(4u32 * i + 2u32) as usize] }
}

/// Twice the area of a triangle, with its sense about the normal.
#[cube]
fn doubled(from: &Array<f32>, i: u32, j: u32, k: u32, normal: Vec3) -> f32 {
    let at = spot(from, i);
    spot(from, j).sub(at).cross(spot(from, k).sub(at)).dot(normal)
}

/// Keeps at most four points: those of the step before while they are nearly as good, else a deep one and those that span the largest area.
#[cube]
fn choose(found: &Array<f32>, count: u32, query: &mut Query, points: &mut Array<f32>, kept: &Array<f32>) {
    let mut chosen = Array::<u32>::new(4usize);
    for i in 0..4u32 {
        chosen[i as usize] = i;
    }
    query.count = count.min(4u32);
    if count > 4u32 {
        spread(found, count, query.slack, query.normal, &mut chosen);
        if query.kept == 4u32 {
            hold_on(found, count, query.slack, query.radius, query.normal, &mut chosen, kept);
        }
    }
    for i in 0..query.count {
        let from = chosen[i as usize];
        put_point(points, i, spot(found, from), found[(4u32 * from + 3u32) as usize]);
    }
}

/// Deepest, farthest from it, farthest from their line, then what adds most area outside.
#[cube]
fn spread(found: &Array<f32>, count: u32, slack: f32, normal: Vec3, chosen: &mut Array<u32>) {
    let mut deepest = f32::new(3.0e38);
    let mut centre = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    for i in 0..count {
        deepest = deepest.min(found[(4u32 * i + 3u32) as usize]);
        centre = centre.add_scaled(spot(found, i), 1.0 / count as f32);
    }
    let mut first = 0u32;
    let mut best = f32::new(-1.0);
    for i in 0..count {
        let far = spot(found, i).sub(centre).length_squared();
        if found[(4u32 * i + 3u32) as usize] <= deepest + slack && far > best {
            best = far;
            first = i;
        }
    }
    let mut second = first;
    best = -1.0;
    for i in 0..count {
        let far = spot(found, i).sub(spot(found, first)).length_squared();
        if far > best {
            best = far;
            second = i;
        }
    }
    let mut third = first;
    best = -1.0;
    for i in 0..count {
        let far = doubled(found, first, second, i, normal).abs();
        if far > best {
            best = far;
            third = i;
        }
    }
    // Orient the triangle, then look for the largest area beyond one of its edges.
    let (a, c) = (first, third);
    let b = second;
    let mut sense = f32::new(1.0);
    if doubled(found, a, b, c, normal) < 0.0 {
        sense = -sense;
    }
    let mut fourth = first;
    best = -1.0;
    for i in 0..count {
        let beyond = (-sense * doubled(found, a, b, i, normal))
            .max(-sense * doubled(found, b, c, i, normal))
            .max(-sense * doubled(found, c, a, i, normal));
        if i != first && i != second && i != third && beyond > best {
            best = beyond;
            fourth = i;
        }
    }
    chosen[0usize] = first;
    chosen[1usize] = second;
    chosen[2usize] = third;
    chosen[3usize] = fourth;
}

/// Largest area of a quadrilateral with four of the points as corners, whatever their order.
#[cube]
fn area(from: &Array<f32>, corners: &Array<u32>, normal: Vec3) -> f32 {
    let a = spot(from, corners[0usize]);
    let b = spot(from, corners[1usize]);
    let c = spot(from, corners[2usize]);
    let d = spot(from, corners[3usize]);
    let one = c.sub(a).cross(d.sub(b)).dot(normal).abs();
    let two = b.sub(a).cross(d.sub(c)).dot(normal).abs();
    let three = d.sub(a).cross(c.sub(b)).dot(normal).abs();
    one.max(two).max(three)
}

/// Takes the points nearest to those of the step before instead, where they are nearly as good: a choice that flips with round-off costs
/// the solver its warm start.
#[cube]
fn hold_on(
    found: &Array<f32>,
    count: u32,
    slack: f32,
    radius: f32,
    normal: Vec3,
    chosen: &mut Array<u32>,
    kept: &Array<f32>,
) {
    let mut taken = Array::<u32>::new(4usize);
    let mut good = true;
    let mut used = 0u32;
    let mut deepest = f32::new(3.0e38);
    for i in 0..count {
        deepest = deepest.min(found[(4u32 * i + 3u32) as usize]);
    }
    let mut deep = false;
    for slot in 0..4u32 {
        let was = Vec3 {
            x: kept[(3u32 * slot) as usize],
            y: kept[(3u32 * slot + 1u32) as usize],
            z: kept[(3u32 * slot + 2u32) as usize],
        };
        let mut nearest = f32::new(3.0e38);
        let mut at = 0u32;
        for i in 0..count {
            let far = spot(found, i).sub(was).length_squared();
            if (used >> i) & 1u32 == 0u32 && far < nearest {
                nearest = far;
                at = i;
            }
        }
        good = good && nearest <= radius * radius;
        used = used | (1u32 << at);
        taken[slot as usize] = at;
        deep = deep || found[(4u32 * at + 3u32) as usize] <= deepest + slack;
    }
    if good && deep && area(found, &taken, normal) >= 0.8 * area(found, chosen, normal) {
        for slot in 0..4u32 {
            chosen[slot as usize] = taken[slot as usize];
        }
    }
}
