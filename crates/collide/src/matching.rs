//! Continuation of contact points: the same features first, then the nearest anchor.

use std::ops::Range;

use drystone_model::contacts::UNMATCHED;

use crate::contacts::{Found, Scene};
use crate::pairs::{PairKey, pair_shapes};

/// Normals of a point and its predecessor may differ by at most this cosine.
const SAME_NORMAL: f64 = 0.8;

/// Matches the points of `manifolds` of one pair to the points the pair had in the step before and
/// appends their anchors and matches to `found`. One to one: features first, then the nearest anchors in
/// ascending order of distance, so that a renamed feature does not lose its history.
pub(crate) fn match_points(
    scene: &Scene,
    key: PairKey,
    before: Option<usize>,
    manifolds: Range<usize>,
    found: &mut Found,
) {
    let (shape0, shape1) = pair_shapes(key);
    let [body0, body1] = [shape0, shape1].map(|shape| scene.model.shape_body[shape]);
    let first = found.matches.len();
    for manifold in &found.manifolds[manifolds.clone()] {
        for point in manifold.points() {
            found.anchor0.push(scene.body_point(body0, point.position0));
            found.anchor1.push(scene.body_point(body1, point.position1));
            found.matches.push(UNMATCHED);
        }
    }
    let Some(pair) = before else { return };
    let old = scene.last.points(scene.last_contacts, pair);
    if old.is_empty() {
        return;
    }
    found.taken.clear();
    found.taken.resize(old.len(), false);
    let left = match_features(scene, pair, manifolds.clone(), first, found);
    if left > 0 {
        match_anchors(scene, (shape0, shape1), pair, manifolds, first, found);
    }
}

/// Returns how many points found no partner.
fn match_features(scene: &Scene, pair: usize, manifolds: Range<usize>, first: usize, found: &mut Found) -> usize {
    let contacts = scene.last_contacts;
    let old_first = scene.last.points(contacts, pair).start;
    let mut at = first;
    let mut left = 0;
    for manifold in &found.manifolds[manifolds] {
        let twin = scene.last.manifolds(pair).find(|&m| contacts.manifold_sub[m] == manifold.sub);
        for point in manifold.points() {
            let partner = twin.and_then(|m| {
                contacts.points(m).find(|&p| contacts.point_feature[p] == point.feature && !found.taken[p - old_first])
            });
            match partner {
                Some(p) => {
                    found.taken[p - old_first] = true;
                    found.matches[at] = p as u32;
                }
                None => left += 1,
            }
            at += 1;
        }
    }
    left
}

/// Repeatedly pairs the nearest two that are left. Quadratic, over the few points features left over.
fn match_anchors(
    scene: &Scene,
    (shape0, shape1): (usize, usize),
    pair: usize,
    manifolds: Range<usize>,
    first: usize,
    found: &mut Found,
) {
    let contacts = scene.last_contacts;
    let old_first = scene.last.points(contacts, pair).start;
    let reach = scene.reach(shape0, shape1);
    loop {
        let mut best = (reach * reach, usize::MAX, usize::MAX);
        let mut at = first;
        for manifold in &found.manifolds[manifolds.clone()] {
            for point in at..at + manifold.count {
                if found.matches[point] != UNMATCHED {
                    continue;
                }
                for old_manifold in scene.last.manifolds(pair) {
                    if contacts.manifold_normal[old_manifold].dot(manifold.normal) <= SAME_NORMAL {
                        continue;
                    }
                    for old in contacts.points(old_manifold) {
                        let d0 = scene.last.point_anchor0[old].distance_squared(found.anchor0[point]);
                        let d1 = scene.last.point_anchor1[old].distance_squared(found.anchor1[point]);
                        // What slides keeps its place on one of the two bodies.
                        let distance = d0.min(d1);
                        if !found.taken[old - old_first] && distance < best.0 {
                            best = (distance, point, old);
                        }
                    }
                }
            }
            at += manifold.count;
        }
        let (_, point, old) = best;
        if point == usize::MAX {
            return;
        }
        found.matches[point] = old as u32;
        found.taken[old - old_first] = true;
    }
}
