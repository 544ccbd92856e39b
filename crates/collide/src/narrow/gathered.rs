//! Contacts of single triangles, gathered into manifolds by normal.

use drystone_geometry::DVec3;

use super::manifold::{Anchors, Point, min_gap, reduce};
use super::poly::hash3;
use super::{Found, Query};

/// Contacts whose normals agree to this cosine (2.5°) share a manifold.
const SAME_FACE: f64 = 0.999;

/// The contacts of a pair so far: points and what they are of, with the index of their group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    groups: Vec<Group>,
    points: Vec<(usize, Point)>,
    pieces: Vec<(usize, Piece)>,
}

/// Contacts that share a manifold.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Of the contact with the least gap.
    normal: DVec3,
    gap: f64,
    /// The first triangle, after which the manifold is named.
    triangle: u32,
    /// Whether another group settles it.
    settled: bool,
}

/// Two parts that are in contact, world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Corners of a triangle, or none for all of a convex shape.
    pub first: Option<[DVec3; 3]>,
    pub second: [DVec3; 3],
}

impl Piece {
    /// Distance between the planes along `normal` that hold the parts apart; negative where they overlap. `whole` tells
    /// how far the convex shape reaches.
    fn separation(&self, normal: DVec3, whole: impl Fn(DVec3) -> f64) -> f64 {
        let heights = |corners: [DVec3; 3]| corners.map(|corner| normal.dot(corner));
        let far = match self.first {
            Some(corners) => heights(corners).into_iter().fold(f64::NEG_INFINITY, f64::max),
            None => whole(normal),
        };
        heights(self.second).into_iter().fold(f64::INFINITY, f64::min) - far
    }
}

impl Gathered {
    pub fn clear(&mut self) {
        self.groups.clear();
        self.points.clear();
        self.pieces.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Adds the contact of a triangle to the group with the same normal.
    pub fn add(&mut self, normal: DVec3, points: &[Point], piece: Piece, triangle: u32) {
        let gap = min_gap(points);
        let index = match self.groups.iter().position(|group| group.normal.dot(normal) >= SAME_FACE) {
            Some(known) => known,
            None => {
                self.groups.push(Group { normal, gap, triangle, settled: false });
                self.groups.len() - 1
            }
        };
        let group = &mut self.groups[index];
        if gap < group.gap {
            (group.normal, group.gap) = (normal, gap);
        }
        let named = |point: &Point| Point { feature: hash3(point.feature, triangle, 0), ..*point };
        self.points.extend(points.iter().map(|point| (index, named(point))));
        self.pieces.push((index, piece));
    }

    /// Drops overlaps that end with another one. Two triangles know the shortest way out of each other and not that of
    /// the solids they bound: where a corner is over an edge, some of them overlap along directions in which the
    /// solids are deep in each other. If moving out along the normal of one group parts the triangles of a second, while the
    /// way out of the second leaves the first overlapping, or is longer, then the first is the contact.
    pub fn drop_settled(&mut self, query: &Query, whole: impl Fn(DVec3) -> f64) {
        let overlaps = |group: &Group| group.gap < 0.0;
        if self.groups.iter().filter(|group| overlaps(group)).count() < 2 {
            return;
        }
        let Self { groups, pieces, .. } = self;
        let parts = |one: &Group, other: usize| {
            let mut own = pieces.iter().filter(|(group, _)| *group == other);
            own.all(|(_, piece)| piece.separation(one.normal, &whole) >= one.gap - query.slack)
        };
        for other in 0..groups.len() {
            let behind = groups[other];
            let settles = |(one, group): (usize, &Group)| {
                let first = (group.gap, other) > (behind.gap, one);
                let rival = one != other && overlaps(group) && !group.settled;
                rival && parts(group, other) && (first || !parts(&behind, one))
            };
            groups[other].settled = overlaps(&behind) && groups.iter().enumerate().any(settles);
        }
    }

    /// Reduces every group that counts to a manifold.
    pub fn finish(&self, query: &Query, points: &mut Vec<Point>, found: &mut impl Found) {
        let counts = self.groups.iter().filter(|group| !group.settled).count();
        for (index, &Group { normal, triangle, settled, .. }) in self.groups.iter().enumerate() {
            if settled {
                continue;
            }
            let own = self.points.iter().filter(|(group, _)| *group == index).map(|(_, point)| *point);
            points.clear();
            // Along the common normal, but as far apart as along its own.
            points.extend(own.map(|point| Point { position0: point.position1 - normal * point.gap, ..point }));
            let anchors = if counts == 1 { query.anchors } else { Anchors::NONE };
            reduce(normal, points, &anchors, query.slack);
            found.manifold(normal, [0, triangle], points);
        }
    }
}
