//! What the narrow phase produces for one pair, and the choice of the points worth keeping.

use drystone_geometry::DVec3;

use crate::placement::Placement;

/// Most points a manifold keeps.
pub(crate) const MAX_POINTS: usize = 4;

/// Feature kinds live in the top bits so that different routes never share an id.
pub(crate) const FEATURE_SINGLE: u32 = 0;

/// A possible contact point: a pair of surface points and the gap between them along the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub position0: DVec3,
    pub position1: DVec3,
    pub gap: f64,
    pub feature: u32,
}

impl Point {
    /// The same contact seen from the other shape.
    pub fn flipped(self) -> Self {
        Self { position0: self.position1, position1: self.position0, ..self }
    }
}

/// Where the points of the step before sit on the first shape, to keep choosing the same ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchors<'a> {
    /// In the frame of the shape.
    pub positions: &'a [DVec3],
    /// Where the shape is.
    pub at: &'a Placement,
    /// How far a point may be from its anchor to count as the same \[m\].
    pub match_radius: f64,
}

impl Anchors<'_> {
    pub const NONE: Self = Self { positions: &[], at: &Placement::IDENTITY, match_radius: 0.0 };

    /// The four anchors in the world, or `None` where there were fewer.
    fn world(&self) -> Option<[DVec3; MAX_POINTS]> {
        let positions: [DVec3; MAX_POINTS] = self.positions.try_into().ok()?;
        Some(positions.map(|position| self.at.point(position)))
    }
}

/// Keeps at most four of `candidates`: the deepest, then those that span the largest area. The
/// quadruple of the step before is kept while it is nearly as good, because a choice that flips
/// with round-off costs every solver its warm start. `slack` is the difference in depth that does
/// not matter \[m\].
pub(crate) fn reduce(normal: DVec3, candidates: &mut Vec<Point>, anchors: &Anchors, slack: f64) {
    if candidates.len() <= MAX_POINTS {
        return;
    }
    let mut chosen = spread(normal, candidates, slack);
    if let Some(kept) = previous(candidates, anchors)
        && nearly_as_good(normal, candidates, &kept, &chosen, slack)
    {
        chosen = kept;
    }
    chosen.sort_unstable();
    let mut count = 0;
    for (i, &index) in chosen.iter().enumerate() {
        if i == 0 || chosen[i - 1] != index {
            candidates[count] = candidates[index];
            count += 1;
        }
    }
    candidates.truncate(count);
}

/// Deepest, farthest from it, farthest from their line, then what adds most area outside.
fn spread(normal: DVec3, candidates: &[Point], slack: f64) -> [usize; MAX_POINTS] {
    let at = |i: usize| candidates[i].position0;
    let deepest = min_gap(candidates);
    let centre = candidates.iter().map(|c| c.position0).sum::<DVec3>() / candidates.len() as f64;
    // Among points as deep as makes no difference take the outermost: that choice is stable.
    let first = best(candidates, |i| {
        if candidates[i].gap <= deepest + slack { at(i).distance_squared(centre) } else { f64::NEG_INFINITY }
    });
    let second = best(candidates, |i| at(i).distance_squared(at(first)));
    let doubled = |i: usize, j: usize, k: usize| (at(j) - at(i)).cross(at(k) - at(i)).dot(normal);
    let third = best(candidates, |i| doubled(first, second, i).abs());
    // Orient the triangle, then look for the largest area beyond one of its edges.
    let (a, b, c) = if doubled(first, second, third) >= 0.0 { (first, second, third) } else { (first, third, second) };
    let beyond = |i: usize| -doubled(a, b, i).min(doubled(b, c, i)).min(doubled(c, a, i));
    let fourth = best(candidates, beyond);
    [first, second, third, fourth]
}

/// The candidates that continue the four points of the step before.
fn previous(candidates: &[Point], anchors: &Anchors) -> Option<[usize; MAX_POINTS]> {
    let mut kept = [usize::MAX; MAX_POINTS];
    for (slot, &anchor) in anchors.world()?.iter().enumerate() {
        let nearest = best(candidates, |i| {
            if kept[..slot].contains(&i) {
                f64::NEG_INFINITY
            } else {
                -candidates[i].position0.distance_squared(anchor)
            }
        });
        if candidates[nearest].position0.distance_squared(anchor) > anchors.match_radius * anchors.match_radius {
            return None;
        }
        kept[slot] = nearest;
    }
    Some(kept)
}

fn nearly_as_good(
    normal: DVec3,
    candidates: &[Point],
    kept: &[usize; MAX_POINTS],
    fresh: &[usize; MAX_POINTS],
    slack: f64,
) -> bool {
    let deep_enough = kept.iter().any(|&i| candidates[i].gap <= min_gap(candidates) + slack);
    deep_enough && area(normal, candidates, kept) >= 0.8 * area(normal, candidates, fresh)
}

/// Largest area of a quadrilateral with these corners, whatever their order.
fn area(normal: DVec3, candidates: &[Point], corners: &[usize; MAX_POINTS]) -> f64 {
    let [a, b, c, d] = corners.map(|i| candidates[i].position0);
    let cross = |p: DVec3, q: DVec3| p.cross(q).dot(normal).abs();
    0.5 * cross(c - a, d - b).max(cross(b - a, d - c)).max(cross(b - a, c - d)).max(cross(d - a, c - b))
}

/// The least gap, infinite without points \[m\].
pub(crate) fn min_gap(candidates: &[Point]) -> f64 {
    candidates.iter().fold(f64::INFINITY, |gap, c| gap.min(c.gap))
}

/// Index with the largest score; the first of equals.
fn best(candidates: &[Point], score: impl Fn(usize) -> f64) -> usize {
    let mut found = (0, f64::NEG_INFINITY);
    for i in 0..candidates.len() {
        let value = score(i);
        if value > found.1 {
            found = (i, value);
        }
    }
    found.0
}
