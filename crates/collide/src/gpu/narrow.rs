//! The narrow phase: from a pair of shapes to a manifold, and from its points to those of the step before.

use cubecl::prelude::*;
use drystone_kernels::single::math::{Mat3, Vec3};

use super::boxes::{box_box, boxes};
use super::memory::{load_quat, load3, store3};
use super::pairs::{OVERFLOW, between_shapes};
use super::place::{BOUND_WORDS, MOTION_WORDS};
use super::query::{NO_AXIS, Query, put_point};
use super::round::{ball_ball, box_segment, capsule_capsule, nearest_on, plane_solid, z_axis};
use super::shapes::{BOX, CAPSULE, HALF_SPACE, INFO_WORDS, PLACE_WORDS, SIZE_WORDS, SPHERE};

/// Numbers of a manifold: normal (3), one unused, four points (place on the first shape from that shape's place, world axes, and gap), way from
/// the first shape to the second (3), one unused.
pub const CONTACT_WORDS: u32 = 24;
/// Numbers of what is remembered of a manifold: normal (3), one unused, and for each of four points its places in the frames of the two
/// shapes (6).
pub const ANCHOR_WORDS: u32 = 28;
/// Words of what is remembered of a pair: other shape, axis, number of points, names of the points (eight bits each, kept while a point
/// continues the one of the step before).
pub const PAIR_WORDS: u32 = 4;
/// No pair, no point.
pub const NO_MATCH: u32 = u32::MAX;
/// Lane of a point that continues none, in the eight bits that a lane has.
pub const NO_LANE: u32 = 255;
/// Normals of a point and its predecessor may differ by at most this cosine.
const SAME_NORMAL: f32 = 0.5;

/// Looks for `other` in the row of a shape in the step before.
#[cube]
fn find_old(old_start: &Array<u32>, old_pair: &Array<u32>, owner: u32, other: u32) -> u32 {
    let mut found = NO_MATCH.runtime();
    let mut low = old_start[owner as usize];
    let mut high = old_start[(owner + 1u32) as usize];
    while low < high {
        let middle = (low + high) / 2u32;
        let there = old_pair[(middle * PAIR_WORDS) as usize];
        if there == other {
            found = middle;
            low = high;
        } else if there < other {
            low = middle + 1u32;
        } else {
            high = middle;
        }
    }
    found
}

/// Contacts of two shapes in the order of their kinds.
#[cube]
fn touch(
    kind0: u32,
    size0: Vec3,
    turn0: Mat3,
    kind1: u32,
    size1: Vec3,
    turn1: Mat3,
    between: Vec3,
    query: &mut Query,
    points: &mut Array<f32>,
    kept: &Array<f32>,
) {
    let zero = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    if kind0 == HALF_SPACE {
        plane_solid(z_axis(turn0), kind1, size1, turn1, between, query, points);
    } else if kind0 == SPHERE {
        if kind1 == SPHERE {
            ball_ball(zero, size0.x, between, size1.x, query, points);
        } else {
            let on = nearest_on(between, z_axis(turn1).scale(size1.y), zero);
            ball_ball(zero, size0.x, on, size1.x, query, points);
        }
    } else if kind0 == BOX {
        if kind1 == BOX {
            let both = boxes(size0, turn0, size1, turn1, between);
            box_box(&both, between, query, points, kept);
        } else {
            let mut along = zero;
            if kind1 == CAPSULE {
                along = z_axis(turn1).scale(size1.y);
            }
            box_segment(size0, turn0, between, along, size1.x, query, points);
        }
    } else {
        let (along0, along1) = (z_axis(turn0).scale(size0.y), z_axis(turn1).scale(size1.y));
        capsule_capsule(along0, size0.x, between, along1, size1.x, query, points);
    }
}

/// Place of a kind in the order in which pairs are handled: boxes before balls, so that a ball is a segment without length.
#[cube]
fn rank(kind: u32) -> u32 {
    let mut rank = kind;
    if kind == BOX {
        rank = 1u32;
    }
    if kind == SPHERE {
        rank = 2u32;
    }
    rank
}

/// Manifolds of all pairs, what is remembered of them, and the matches to the step before.
#[cube(launch)]
pub fn find_contacts(
    info: &Array<u32>,
    size: &Array<f32>,
    cell: &Array<i32>,
    place: &Array<f32>,
    bound: &Array<f32>,
    motion: &Array<f32>,
    start: &Array<u32>,
    owner: &Array<u32>,
    other: &Array<u32>,
    old_start: &Array<u32>,
    old_pair: &Array<u32>,
    old_anchor: &Array<f32>,
    pair: &mut Array<u32>,
    anchor: &mut Array<f32>,
    contact: &mut Array<f32>,
    matched: &mut Array<u32>,
    touching: &mut Array<u32>,
    touching_count: &mut Array<Atomic<u32>>,
    flags: &Array<u32>,
    shapes: u32,
    dt: f32,
    margin: f32,
) {
    let index = ABSOLUTE_POS as u32;
    let mut touches = false;
    if flags[OVERFLOW as usize] == 0u32 && index < start[shapes as usize] {
        let (own, there) = (owner[ABSOLUTE_POS], other[ABSOLUTE_POS]);
        let (a, b) = (own.min(there), own.max(there));
        let old = find_old(old_start, old_pair, own, there);
        let between = between_shapes(cell, place, a, b);
        let (turn_a, turn_b) =
            (load_quat(place, a * PLACE_WORDS + 4u32).matrix(), load_quat(place, b * PLACE_WORDS + 4u32).matrix());
        let v_a = load3(motion, info[(a * INFO_WORDS) as usize] * MOTION_WORDS + 10u32);
        let v_b = load3(motion, info[(b * INFO_WORDS) as usize] * MOTION_WORDS + 10u32);
        let travel = v_b.sub(v_a).length() * dt;
        let stray = bound[(a * BOUND_WORDS + 3u32) as usize] + bound[(b * BOUND_WORDS + 3u32) as usize];
        let (skin_a, skin_b) = (size[(a * SIZE_WORDS + 11u32) as usize], size[(b * SIZE_WORDS + 11u32) as usize]);
        let thickness = size[(a * SIZE_WORDS + 12u32) as usize].min(size[(b * SIZE_WORDS + 12u32) as usize]);
        let mut query = Query {
            limit: margin + travel + stray + skin_a + skin_b,
            slack: 0.005 * thickness,
            radius: 0.1 * thickness + travel,
            axis: NO_AXIS.runtime(),
            kept: 0u32,
            normal: Vec3 { x: 0.0, y: 0.0, z: 1.0 },
            count: 0u32,
        };
        let mut kept = Array::<f32>::new(12usize);
        let mut old_count = 0u32;
        let (kind_a, kind_b) = (info[(a * INFO_WORDS + 1u32) as usize], info[(b * INFO_WORDS + 1u32) as usize]);
        if old != NO_MATCH {
            query.axis = old_pair[(old * PAIR_WORDS + 1u32) as usize];
            old_count = old_pair[(old * PAIR_WORDS + 2u32) as usize];
            if old_count == 4u32 && kind_a == BOX && kind_b == BOX {
                query.kept = 4u32;
                for lane in 0..4u32 {
                    let was = turn_a.mul(load3(old_anchor, old * ANCHOR_WORDS + 4u32 + 6u32 * lane));
                    kept[(3u32 * lane) as usize] = was.x;
                    kept[(3u32 * lane + 1u32) as usize] = was.y;
                    kept[(3u32 * lane + 2u32) as usize] = was.z;
                }
            }
        }
        let mut points = Array::<f32>::new(16usize);
        let (size_a, size_b) = (load3(size, a * SIZE_WORDS + 7u32), load3(size, b * SIZE_WORDS + 7u32));
        if rank(kind_a) <= rank(kind_b) {
            touch(kind_a, size_a, turn_a, kind_b, size_b, turn_b, between, &mut query, &mut points, &kept);
        } else {
            touch(kind_b, size_b, turn_b, kind_a, size_a, turn_a, between.neg(), &mut query, &mut points, &kept);
            // The same seen from the other shape.
            for lane in 0..query.count {
                let gap = points[(4u32 * lane + 3u32) as usize];
                let on = load3(&points, 4u32 * lane).add_scaled(query.normal, gap).add(between);
                put_point(&mut points, lane, on, gap);
            }
            query.normal = query.normal.neg();
        }
        let first = index * CONTACT_WORDS;
        let remembered = index * ANCHOR_WORDS;
        store3(contact, first, query.normal);
        store3(contact, first + 20u32, between);
        store3(anchor, remembered, query.normal);
        for lane in 0..query.count {
            // From the surfaces to the skins around them.
            let gap = points[(4u32 * lane + 3u32) as usize] - (skin_a + skin_b);
            let on_a = load3(&points, 4u32 * lane).add_scaled(query.normal, skin_a);
            let on_b = on_a.add_scaled(query.normal, gap).sub(between);
            store3(contact, first + 4u32 + 4u32 * lane, on_a);
            contact[(first + 7u32 + 4u32 * lane) as usize] = gap;
            store3(anchor, remembered + 4u32 + 6u32 * lane, turn_a.mul_transposed(on_a));
            store3(anchor, remembered + 7u32 + 6u32 * lane, turn_b.mul_transposed(on_b));
        }
        pair[(index * PAIR_WORDS) as usize] = there;
        pair[(index * PAIR_WORDS + 1u32) as usize] = query.axis;
        pair[(index * PAIR_WORDS + 2u32) as usize] = query.count;
        let mut lanes = NO_MATCH.runtime();
        if old_count > 0u32 && query.count > 0u32 {
            let old_normal = load3(old_anchor, old * ANCHOR_WORDS);
            if old_normal.dot(query.normal) > SAME_NORMAL {
                lanes = match_points(
                    anchor,
                    remembered,
                    query.count,
                    old_anchor,
                    old * ANCHOR_WORDS,
                    old_count,
                    query.radius * query.radius,
                );
            }
        }
        let mut old_names = 0u32;
        if old != NO_MATCH {
            old_names = old_pair[(old * PAIR_WORDS + 3u32) as usize];
        }
        pair[(index * PAIR_WORDS + 3u32) as usize] = name_points(lanes, query.count, old_names);
        matched[(2u32 * index) as usize] = old;
        matched[(2u32 * index + 1u32) as usize] = lanes;
        touches = query.count > 0u32;
    }
    append(touches, index, touching, touching_count);
}

/// Adds an index to a list, in the order in which workgroups arrive: each takes a part of it.
#[cube]
fn append(adds: bool, index: u32, list: &mut Array<u32>, count: &mut Array<Atomic<u32>>) {
    let here = SharedMemory::<Atomic<u32>>::new(1usize);
    let mut base = SharedMemory::<u32>::new(1usize);
    if UNIT_POS == 0u32 {
        here[0usize].store(0u32);
    }
    sync_cube();
    let mut at = 0u32;
    if adds {
        at = here[0usize].fetch_add(1u32);
    }
    sync_cube();
    if UNIT_POS == 0u32 {
        base[0usize] = count[0usize].fetch_add(here[0usize].load());
    }
    sync_cube();
    if adds {
        list[(base[0usize] + at) as usize] = index;
    }
}

/// Names of points, eight bits each: that of the one it continues, or the smallest that is free.
#[cube]
fn name_points(lanes: u32, count: u32, old_names: u32) -> u32 {
    let mut taken = 0u32;
    for lane in 0..count {
        let from = (lanes >> (8u32 * lane)) & NO_LANE;
        if from != NO_LANE {
            taken = taken | (1u32 << ((old_names >> (8u32 * from)) & NO_LANE));
        }
    }
    let mut names = 0u32;
    for lane in 0..count {
        let from = (lanes >> (8u32 * lane)) & NO_LANE;
        let mut name = 0u32;
        if from != NO_LANE {
            name = (old_names >> (8u32 * from)) & NO_LANE;
        } else {
            while (taken >> name) & 1u32 == 1u32 {
                name += 1u32;
            }
            taken = taken | (1u32 << name);
        }
        names = names | (name << (8u32 * lane));
    }
    names
}

/// Squared way of a point over the surface on which it moved less \[m²\]: what slides keeps its place on one of the two bodies.
#[cube]
fn way(anchor: &Array<f32>, at: u32, old_anchor: &Array<f32>, old_at: u32) -> f32 {
    let first = load3(anchor, at).sub(load3(old_anchor, old_at)).length_squared();
    let second = load3(anchor, at + 3u32).sub(load3(old_anchor, old_at + 3u32)).length_squared();
    first.min(second)
}

/// Pairs points with those of the step before, the nearest first, one to one: eight bits per point.
#[cube]
fn match_points(
    anchor: &Array<f32>,
    first: u32,
    count: u32,
    old_anchor: &Array<f32>,
    old_first: u32,
    old_count: u32,
    farthest: f32,
) -> u32 {
    let mut lanes = NO_MATCH.runtime();
    let mut taken = 0u32;
    let mut old_taken = 0u32;
    let mut going = true;
    while going {
        let mut least = farthest;
        let mut best = NO_MATCH.runtime();
        let mut best_old = 0u32;
        for lane in 0..count {
            for old_lane in 0..old_count {
                if ((taken >> lane) | (old_taken >> old_lane)) & 1u32 == 0u32 {
                    let d = way(anchor, first + 4u32 + 6u32 * lane, old_anchor, old_first + 4u32 + 6u32 * old_lane);
                    if d < least {
                        least = d;
                        best = lane;
                        best_old = old_lane;
                    }
                }
            }
        }
        going = best != NO_MATCH;
        if going {
            taken = taken | (1u32 << best);
            old_taken = old_taken | (1u32 << best_old);
            // The eight bits of the lane are all ones so far.
            lanes = lanes ^ ((NO_LANE ^ best_old) << (8u32 * best));
        }
    }
    lanes
}
