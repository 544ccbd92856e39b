//! Box against box: separating axes, then the touching faces or edges. The rules are those of `narrow/boxes.rs`; what is missing are the closest
//! points of boxes that are apart and face each other with edges or corners only.
//!
//! Axes are numbered 0–2 for the faces of the first box, 3–5 for those of the second, and `6 + 3 i + j` for the cross product of axis
//! `i` of the first with axis `j` of the second.

use cubecl::prelude::*;
use drystone_kernels::single::math::{Mat3, Vec3};

use super::face::face_contact;
use super::query::{NO_AXIS, Query};

/// Squared sine below which edges count as parallel: what single precision tells of a cosine near one.
const PARALLEL: f32 = 1.0e-6;
/// Less than any separation.
const NONE: f32 = -3.0e38;

/// The two boxes in the frame of the first, for indices that are not known beforehand.
#[derive(CubeType)]
pub struct Boxes {
    /// Axes of both, world frame, three numbers each.
    pub axis: Array<f32>,
    /// Half the sides of both.
    pub half: Array<f32>,
    /// Cosine between axis `i` of the first and `j` of the second, at `3 i + j`.
    turn: Array<f32>,
    /// Centre of the second box in the frame of the first.
    shift: Array<f32>,
}

/// The axes and sides of two boxes, the second `between` away.
#[cube]
pub fn boxes(half0: Vec3, turn0: Mat3, half1: Vec3, turn1: Mat3, between: Vec3) -> Boxes {
    let mut axis = Array::<f32>::new(18usize);
    put_axes(&mut axis, 0u32, turn0);
    put_axes(&mut axis, 9u32, turn1);
    let mut half = Array::<f32>::new(6usize);
    half[0usize] = half0.x;
    half[1usize] = half0.y;
    half[2usize] = half0.z;
    half[3usize] = half1.x;
    half[4usize] = half1.y;
    half[5usize] = half1.z;
    let mut turn = Array::<f32>::new(9usize);
    let mut shift = Array::<f32>::new(3usize);
    for i in 0..3u32 {
        let own = axis_of(&axis, i);
        shift[i as usize] = own.dot(between);
        for j in 0..3u32 {
            turn[(3u32 * i + j) as usize] = own.dot(axis_of(&axis, 3u32 + j));
        }
    }
    Boxes { axis, half, turn, shift }
}

#[cube]
fn put_axes(axis: &mut Array<f32>, first: u32, turn: Mat3) {
    axis[first as usize] = turn.r0.x;
    axis[(first + 1u32) as usize] = turn.r1.x;
    axis[(first + 2u32) as usize] = turn.r2.x;
    axis[(first + 3u32) as usize] = turn.r0.y;
    axis[(first + 4u32) as usize] = turn.r1.y;
    axis[(first + 5u32) as usize] = turn.r2.y;
    axis[(first + 6u32) as usize] = turn.r0.z;
    axis[(first + 7u32) as usize] = turn.r1.z;
    axis[(first + 8u32) as usize] = turn.r2.z;
}

/// Axis `i` of the first box, or `i − 3` of the second.
#[cube]
pub fn axis_of(axis: &Array<f32>, i: u32) -> Vec3 {
    Vec3 { x: axis[(3u32 * i) as usize], y: axis[(3u32 * i + 1u32) as usize], z: axis[(3u32 * i + 2u32) as usize] }
}

/// Separation along an axis \[m\]; very little along one that is none.
#[cube]
fn along(boxes: &Boxes, axis: u32) -> f32 {
    let (half, turn, shift) = (&boxes.half, &boxes.turn, &boxes.shift);
    let mut value = NONE.runtime();
    if axis < 3u32 {
        let row = 3u32 * axis;
        value = shift[axis as usize].abs()
            - half[axis as usize]
            - (turn[row as usize].abs() * half[3usize]
                + turn[(row + 1u32) as usize].abs() * half[4usize]
                + turn[(row + 2u32) as usize].abs() * half[5usize]);
    } else if axis < 6u32 {
        let j = axis - 3u32;
        let distance = shift[0usize] * turn[j as usize]
            + shift[1usize] * turn[(j + 3u32) as usize]
            + shift[2usize] * turn[(j + 6u32) as usize];
        value = distance.abs()
            - half[axis as usize]
            - (turn[j as usize].abs() * half[0usize]
                + turn[(j + 3u32) as usize].abs() * half[1usize]
                + turn[(j + 6u32) as usize].abs() * half[2usize]);
    } else if axis < 15u32 {
        let i = (axis - 6u32) / 3u32;
        let j = (axis - 6u32) % 3u32;
        let i1 = (i + 1u32) % 3u32;
        let i2 = (i + 2u32) % 3u32;
        let j1 = (j + 1u32) % 3u32;
        let j2 = (j + 2u32) % 3u32;
        let cosine = turn[(3u32 * i + j) as usize];
        let sine_squared = 1.0 - cosine * cosine;
        if sine_squared > PARALLEL {
            let (t1, t2) = (turn[(3u32 * i1 + j) as usize], turn[(3u32 * i2 + j) as usize]);
            let reach0 = half[i1 as usize] * t2.abs() + half[i2 as usize] * t1.abs();
            let reach1 = half[(3u32 + j1) as usize] * turn[(3u32 * i + j2) as usize].abs()
                + half[(3u32 + j2) as usize] * turn[(3u32 * i + j1) as usize].abs();
            let distance = (shift[i2 as usize] * t1 - shift[i1 as usize] * t2).abs();
            value = (distance - reach0 - reach1) / sine_squared.sqrt();
        }
    }
    value
}

/// Separations this much larger than `value` count as equal: faces give more points than edges.
#[cube]
fn tie(slack: f32, value: f32) -> f32 {
    slack + 0.01 * value.abs()
}

/// Contact of two boxes: up to four points, each as its place on the first box (from the centre of that) and its gap. Updates the axis, the
/// normal and the number of points of the query.
#[cube]
pub fn box_box(boxes: &Boxes, between: Vec3, query: &mut Query, points: &mut Array<f32>, kept: &Array<f32>) {
    query.count = 0u32;
    let kept_axis = query.axis;
    let mut kept_value = NONE.runtime();
    if kept_axis < 15u32 {
        kept_value = along(boxes, kept_axis);
    }
    if kept_value <= query.limit {
        let mut apart = false;
        let mut face = NONE.runtime();
        let mut face_axis = 0u32;
        let mut edge = NONE.runtime();
        let mut edge_axis = NO_AXIS.runtime();
        // The first box's faces win ties: parallel faces must not take turns.
        let mut bias = f32::new(0.0);
        let mut axis = 0u32;
        while axis < 15u32 {
            let value = along(boxes, axis);
            if axis == 3u32 {
                bias = query.slack;
            }
            if value > query.limit {
                apart = true;
                query.axis = axis;
            }
            if axis < 6u32 {
                if value > face + bias {
                    face = value;
                    face_axis = axis;
                    if axis > 2u32 {
                        bias = 0.0;
                    }
                }
            } else if value > edge {
                edge = value;
                edge_axis = axis;
            }
            axis += 1u32;
            if apart {
                axis = 15u32;
            }
        }
        if !apart {
            let mut fresh = face;
            let mut fresh_axis = face_axis;
            if edge > face + tie(query.slack, face) {
                fresh = edge;
                fresh_axis = edge_axis;
            }
            // Keep a face, or an edge against another edge; never an edge where a face is as good.
            if kept_value >= fresh - query.slack && (kept_axis < 6u32 || fresh_axis >= 6u32) {
                fresh = kept_value;
                fresh_axis = kept_axis;
            }
            let mut best = face;
            let mut best_axis = face_axis;
            if edge > face {
                best = edge;
                best_axis = edge_axis;
            }
            touch_along(boxes, between, fresh_axis, fresh, tie(query.slack, best), query, points, kept);
            if query.count == 0u32 && best_axis != fresh_axis {
                touch_along(boxes, between, best_axis, best, tie(query.slack, best), query, points, kept);
            }
        }
    }
}

/// Contact along an axis. No point is nearer than the planes along the axis are; if none is as near, the nearest are elsewhere.
#[cube]
fn touch_along(
    boxes: &Boxes,
    between: Vec3,
    axis: u32,
    value: f32,
    tie: f32,
    query: &mut Query,
    points: &mut Array<f32>,
    kept: &Array<f32>,
) {
    query.axis = axis;
    if axis < 6u32 {
        face_contact(boxes, between, axis, query, points, kept);
    } else {
        edge_contact(boxes, between, axis, value, query, points);
    }
    let mut nearest = f32::new(3.0e38);
    for k in 0..query.count {
        nearest = nearest.min(points[(4u32 * k + 3u32) as usize]);
    }
    if nearest > value + tie {
        query.count = 0u32;
    }
}

/// One point where the two supporting edges come closest.
#[cube]
fn edge_contact(boxes: &Boxes, between: Vec3, axis: u32, value: f32, query: &mut Query, points: &mut Array<f32>) {
    let i = (axis - 6u32) / 3u32;
    let j = (axis - 6u32) % 3u32;
    let (edge0, edge1) = (axis_of(&boxes.axis, i), axis_of(&boxes.axis, 3u32 + j));
    let cross = edge0.cross(edge1);
    let mut normal = cross.scale(1.0 / cross.length());
    if normal.dot(between) < 0.0 {
        normal = normal.neg();
    }
    let mut on0 = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    let mut on1 = between;
    for m in 0..3u32 {
        if m != i {
            let own = axis_of(&boxes.axis, m);
            let mut side = boxes.half[m as usize];
            if normal.dot(own) < 0.0 {
                side = -side;
            }
            on0 = on0.add_scaled(own, side);
        }
        if m != j {
            let own = axis_of(&boxes.axis, 3u32 + m);
            let mut side = boxes.half[(3u32 + m) as usize];
            if normal.dot(own) > 0.0 {
                side = -side;
            }
            on1 = on1.add_scaled(own, side);
        }
    }
    // Closest points of the two lines.
    let from = on1.sub(on0);
    let cosine = edge0.dot(edge1);
    let denominator = (1.0 - cosine * cosine).max(PARALLEL);
    let (a, b) = (edge0.dot(from), edge1.dot(from));
    let s = (a - cosine * b) / denominator;
    let t = (cosine * a - b) / denominator;
    let (reach0, reach1) = (boxes.half[i as usize], boxes.half[(3u32 + j) as usize]);
    // Beyond their ends the edges do not face each other: the closest points are elsewhere.
    let beyond = value > 0.0 && (s.abs() > reach0 || t.abs() > reach1);
    let position0 = on0.add_scaled(edge0, s.max(-reach0).min(reach0));
    let position1 = on1.add_scaled(edge1, t.max(-reach1).min(reach1));
    let gap = normal.dot(position1.sub(position0));
    query.normal = normal;
    query.count = 0u32;
    if !beyond && gap <= query.limit {
        query.count = 1u32;
        points[0usize] = position0.x;
        points[1usize] = position0.y;
        points[2usize] = position0.z;
        points[3usize] = gap;
    }
}
