//! The contact cache: what is remembered of pairs and points from one step to the next.

use std::ops::Range;

use drystone_geometry::DVec3;
use drystone_model::Contacts;
use serde::{Deserialize, Serialize};

use crate::pairs::PairKey;

/// The pairs of a step and where their contact points sit on their bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ContactCache {
    /// All pairs of the broad phase, sorted.
    pub pair_key: Vec<PairKey>,
    /// Axis the narrow phase used or was separated by.
    pub pair_axis: Vec<u32>,
    /// Where the manifolds of every pair start; one more entry than pairs.
    pub pair_manifold: Vec<u32>,
    /// Contact point on shape 0 in the frame of the shape \[m\].
    pub point_anchor0: Vec<DVec3>,
    /// Contact point on shape 1 in the frame of the shape \[m\].
    pub point_anchor1: Vec<DVec3>,
    /// Gap at which the narrow phase found the point \[m\]; with its anchors, where the shapes were against each other then.
    pub point_found_gap: Vec<f64>,
    /// Worlds whose history does not count any more.
    pub forgotten: Vec<u32>,
    /// Pairs whose shapes stood still in two detections that found the very same: a third would find it again. Not saved: what
    /// is found anew is the same.
    #[serde(skip)]
    pub pair_settled: Vec<bool>,
}

impl ContactCache {
    pub fn manifolds(&self, pair: usize) -> Range<usize> {
        self.pair_manifold[pair] as usize..self.pair_manifold[pair + 1] as usize
    }

    /// All points of a pair, over its manifolds.
    pub fn points(&self, contacts: &Contacts, pair: usize) -> Range<usize> {
        let manifolds = self.manifolds(pair);
        contacts.point_start[manifolds.start] as usize..contacts.point_start[manifolds.end] as usize
    }

    pub fn clear(&mut self) {
        self.pair_key.clear();
        self.pair_axis.clear();
        self.pair_manifold.clear();
        self.point_anchor0.clear();
        self.point_anchor1.clear();
        self.point_found_gap.clear();
        self.forgotten.clear();
        self.pair_settled.clear();
    }

    /// Whether the indices hold for some contacts; what comes from a file may be anything.
    pub fn fits(&self, contacts: &Contacts) -> bool {
        let (pairs, manifolds, points) = (self.pair_key.len(), contacts.manifold_count(), contacts.point_count());
        let ascending = |starts: &[u32], count: usize, total: usize| {
            (count == 0 && total == 0 && starts.is_empty())
                || (starts.len() == count + 1 && starts.is_sorted() && starts[count] as usize == total)
        };
        ascending(&self.pair_manifold, pairs, manifolds)
            && ascending(&contacts.point_start, manifolds, points)
            && self.pair_axis.len() == pairs
            && self.pair_key.is_sorted()
            && [contacts.manifold_normal.len(), contacts.manifold_sub.len(), contacts.manifold_surface.len()]
                == [manifolds; 3]
            && [self.point_anchor0.len(), self.point_anchor1.len()] == [points; 2]
            && [self.point_found_gap.len(), contacts.point_feature.len()] == [points; 2]
    }

    /// Drops contact points, manifolds without any, and what is remembered of both.
    pub fn retain_points(&mut self, contacts: &mut Contacts, keep: &[bool]) {
        let count = contacts.manifold_count();
        let left: Vec<u32> =
            (0..count).map(|m| keep[contacts.points(m)].iter().filter(|kept| **kept).count() as u32).collect();
        let stays: Vec<bool> = left.iter().map(|&points| points > 0).collect();
        let before: Vec<u32> = std::iter::once(0)
            .chain(stays.iter().scan(0, |sum, &stays| {
                *sum += u32::from(stays);
                Some(*sum)
            }))
            .collect();
        self.pair_manifold.iter_mut().for_each(|start| *start = before[*start as usize]);
        retain(&mut self.point_anchor0, keep);
        retain(&mut self.point_anchor1, keep);
        retain(&mut self.point_found_gap, keep);
        contacts.retain(&stays, keep);
    }
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    items.retain(|_| keep.next().copied().unwrap_or(true));
}

/// Walks the sorted pairs of a memory along with ascending keys.
pub(crate) struct Cursor<'a> {
    keys: &'a [PairKey],
    next: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor for keys from `first` on.
    pub fn new(keys: &'a [PairKey], first: PairKey) -> Self {
        Self { keys, next: keys.partition_point(|&key| key < first) }
    }

    /// Index of `key`, which must not be smaller than the one asked for before.
    pub fn find(&mut self, key: PairKey) -> Option<usize> {
        while self.next < self.keys.len() && self.keys[self.next] < key {
            self.next += 1;
        }
        (self.keys.get(self.next) == Some(&key)).then_some(self.next)
    }
}
