//! What the narrow phase produces for one pair, and the choice of the points worth keeping.

use drystone_geometry::{DVec3, Pose};

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
    pub const ZERO: Self = Self { position0: DVec3::ZERO, position1: DVec3::ZERO, gap: 0.0, feature: 0 };

    fn flipped(self) -> Self {
        Self { position0: self.position1, position1: self.position0, ..self }
    }
}

/// One normal and up to four points; world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Manifold {
    /// From shape 0 to shape 1.
    pub normal: DVec3,
    pub sub: [u32; 2],
    pub points: [Point; MAX_POINTS],
    pub count: usize,
}

impl Manifold {
    pub fn new(normal: DVec3) -> Self {
        Self { normal, sub: [0; 2], points: [Point::ZERO; MAX_POINTS], count: 0 }
    }

    pub fn single(normal: DVec3, point: Point) -> Self {
        let mut manifold = Self::new(normal);
        manifold.push(point);
        manifold
    }

    pub fn push(&mut self, point: Point) {
        if self.count < MAX_POINTS {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    pub fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// The same contact seen from the other shape.
    pub fn flip(&mut self) {
        self.normal = -self.normal;
        self.sub.swap(0, 1);
        for point in &mut self.points[..self.count] {
            *point = point.flipped();
        }
    }
}

/// Where the points of the step before sit on the first body, to keep choosing the same ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchors<'a> {
    /// In the frame of the body.
    pub positions: &'a [DVec3],
    /// The body's pose; `None` for the world.
    pub body: Option<&'a Pose>,
    /// How far a point may be from its anchor to count as the same \[m\].
    pub reach: f64,
}

impl Anchors<'_> {
    pub const NONE: Self = Self { positions: &[], body: None, reach: 0.0 };

    /// The four anchors in a frame given in the world, or `None` where there were fewer.
    fn in_frame(&self, frame: &Placement) -> Option<[DVec3; MAX_POINTS]> {
        let positions: [DVec3; MAX_POINTS] = self.positions.try_into().ok()?;
        Some(positions.map(|position| frame.local_point(self.body.map_or(position, |pose| pose * position))))
    }
}

/// Keeps at most four of `candidates`: the deepest, then those that span the largest area. The
/// quadruple of the step before is kept while it is nearly as good, because a choice that flips
/// with round-off costs every solver its warm start. `slack` is the difference in depth that does
/// not matter \[m\]; `frame` is the frame of the candidates.
pub(crate) fn reduce(
    normal: DVec3,
    candidates: &[Point],
    anchors: &Anchors,
    frame: &Placement,
    slack: f64,
) -> Manifold {
    let mut manifold = Manifold::new(normal);
    if candidates.len() <= MAX_POINTS {
        candidates.iter().for_each(|&point| manifold.push(point));
        return manifold;
    }
    let mut chosen = spread(normal, candidates, slack);
    if let Some(kept) = previous(candidates, anchors, frame)
        && nearly_as_good(normal, candidates, &kept, &chosen, slack)
    {
        chosen = kept;
    }
    chosen.sort_unstable();
    for (i, &index) in chosen.iter().enumerate() {
        if i == 0 || chosen[i - 1] != index {
            manifold.push(candidates[index]);
        }
    }
    manifold
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
fn previous(candidates: &[Point], anchors: &Anchors, frame: &Placement) -> Option<[usize; MAX_POINTS]> {
    let mut kept = [usize::MAX; MAX_POINTS];
    for (slot, &anchor) in anchors.in_frame(frame)?.iter().enumerate() {
        let nearest = best(candidates, |i| {
            if kept[..slot].contains(&i) {
                f64::NEG_INFINITY
            } else {
                -candidates[i].position0.distance_squared(anchor)
            }
        });
        if candidates[nearest].position0.distance_squared(anchor) > anchors.reach * anchors.reach {
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

fn min_gap(candidates: &[Point]) -> f64 {
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
