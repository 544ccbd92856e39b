//! Continuation of contact points: the same features first, then the nearest anchor.

use std::ops::Range;

use drystone_model::contacts::UNMATCHED;

use crate::contacts::{Chunk, Scene};
use crate::pairs::{PairKey, pair_shapes};

/// Normals of a point and its predecessor may differ by at most this cosine.
const SAME_NORMAL: f64 = 0.5;

/// Matches the points of `manifolds` of one pair to the points the pair had in the step before and
/// appends their anchors and matches to `chunk`. One to one: features first, then the nearest anchors in
/// ascending order of distance, so that a renamed feature does not lose its history. Points that are the `same` keep their anchors.
pub(crate) fn match_points(
    scene: &Scene,
    key: PairKey,
    before: Option<usize>,
    same: bool,
    manifolds: Range<usize>,
    chunk: &mut Chunk,
) {
    let (shape0, shape1) = pair_shapes(key);
    let (at0, at1) = (&scene.moving[shape0].at, &scene.moving[shape1].at);
    let first = chunk.matches.len();
    let points = first..chunk.manifolds.point_end[manifolds.end - 1] as usize;
    match before.filter(|_| same) {
        Some(pair) => {
            let old = scene.last.points(scene.last_contacts, pair);
            chunk.anchor0.extend_from_slice(&scene.last.point_anchor0[old.clone()]);
            chunk.anchor1.extend_from_slice(&scene.last.point_anchor1[old.clone()]);
            chunk.found_gap.extend_from_slice(&scene.last.point_found_gap[old]);
        }
        None => {
            for point in &chunk.manifolds.points[points.clone()] {
                chunk.anchor0.push(at0.local_point(point.position0));
                chunk.anchor1.push(at1.local_point(point.position1));
                chunk.found_gap.push(point.gap);
            }
        }
    }
    chunk.matches.resize(points.end, UNMATCHED);
    let Some(pair) = before else { return };
    let old = scene.last.points(scene.last_contacts, pair);
    if old.is_empty() {
        return;
    }
    if unchanged(scene, pair, manifolds.clone(), &points, &old, chunk) {
        for (point, old) in points.zip(old) {
            chunk.matches[point] = old as u32;
        }
        return;
    }
    chunk.taken.clear();
    chunk.taken.resize(old.len(), false);
    if match_features(scene, pair, manifolds.clone(), chunk) > 0 {
        match_anchors(scene, (shape0, shape1), pair, manifolds, chunk);
    }
}

/// Whether a pair with one manifold has the very same features in the same order: bodies at rest.
fn unchanged(
    scene: &Scene,
    pair: usize,
    manifolds: Range<usize>,
    points: &Range<usize>,
    old: &Range<usize>,
    chunk: &Chunk,
) -> bool {
    let old_manifolds = scene.last.manifolds(pair);
    let features = &scene.last_contacts.point_feature[old.clone()];
    manifolds.len() == 1
        && old_manifolds.len() == 1
        && points.len() == old.len()
        && chunk.manifolds.sub[manifolds.start] == scene.last_contacts.manifold_sub[old_manifolds.start]
        && chunk.manifolds.points[points.clone()].iter().zip(features).all(|(point, &old)| point.feature == old)
}

/// Returns how many points found no partner.
fn match_features(scene: &Scene, pair: usize, manifolds: Range<usize>, chunk: &mut Chunk) -> usize {
    let contacts = scene.last_contacts;
    let old_first = scene.last.points(contacts, pair).start;
    let mut left = 0;
    for manifold in manifolds {
        let sub = chunk.manifolds.sub[manifold];
        let points = chunk.manifolds.point_range(manifold);
        let Some(twin) = scene.last.manifolds(pair).find(|&m| contacts.manifold_sub[m] == sub) else {
            left += points.len();
            continue;
        };
        for point in points {
            let feature = chunk.manifolds.points[point].feature;
            let same = |&old: &usize| contacts.point_feature[old] == feature && !chunk.taken[old - old_first];
            match contacts.points(twin).find(same) {
                Some(old) => {
                    chunk.taken[old - old_first] = true;
                    chunk.matches[point] = old as u32;
                }
                None => left += 1,
            }
        }
    }
    left
}

/// Repeatedly pairs the nearest two that are left. Cubic, over the few points features left over.
fn match_anchors(
    scene: &Scene,
    (shape0, shape1): (usize, usize),
    pair: usize,
    manifolds: Range<usize>,
    chunk: &mut Chunk,
) {
    let old_first = scene.last.points(scene.last_contacts, pair).start;
    let match_radius = scene.match_radius(shape0, shape1);
    loop {
        let mut best = (match_radius * match_radius, usize::MAX, usize::MAX);
        for manifold in manifolds.clone() {
            for point in chunk.manifolds.point_range(manifold).filter(|&p| chunk.matches[p] == UNMATCHED) {
                nearest_old(scene, pair, manifold, point, chunk, old_first, &mut best);
            }
        }
        let (_, point, old) = best;
        if point == usize::MAX {
            return;
        }
        chunk.matches[point] = old as u32;
        chunk.taken[old - old_first] = true;
    }
}

/// Improves `best` (squared distance, point, old point) by the free old points near a point.
fn nearest_old(
    scene: &Scene,
    pair: usize,
    manifold: usize,
    point: usize,
    chunk: &Chunk,
    old_first: usize,
    best: &mut (f64, usize, usize),
) {
    let contacts = scene.last_contacts;
    let normal = chunk.manifolds.normal[manifold];
    for old_manifold in scene.last.manifolds(pair) {
        if contacts.manifold_normal[old_manifold].dot(normal) <= SAME_NORMAL {
            continue;
        }
        for old in contacts.points(old_manifold).filter(|&old| !chunk.taken[old - old_first]) {
            let d0 = scene.last.point_anchor0[old].distance_squared(chunk.anchor0[point]);
            let d1 = scene.last.point_anchor1[old].distance_squared(chunk.anchor1[point]);
            // What slides keeps its place on one of the two bodies.
            let distance = d0.min(d1);
            if distance < best.0 {
                *best = (distance, point, old);
            }
        }
    }
}
