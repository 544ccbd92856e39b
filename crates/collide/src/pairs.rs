//! Phase `pairs`: the shapes that can meet within the step.

use drystone_model::Model;
use rayon::prelude::*;

use crate::CHUNK;
use crate::bounds::Moving;
use crate::shapes::ShapeTable;

/// A pair of shapes, smaller index first, as one sortable number.
pub(crate) type PairKey = u64;

pub(crate) fn pair_key(a: u32, b: u32) -> PairKey {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (u64::from(low) << 32) | u64::from(high)
}

pub(crate) fn pair_shapes(key: PairKey) -> (usize, usize) {
    ((key >> 32) as usize, (key & 0xffff_ffff) as usize)
}

/// Whether two shapes may ever touch: same world, different bodies, one of them moved by forces, groups
/// that agree, no filter.
pub(crate) fn may_touch(model: &Model, table: &ShapeTable, a: usize, b: usize) -> bool {
    (table.dynamic[a] || table.dynamic[b])
        && model.shape_body[a] != model.shape_body[b]
        && model.shape_world[a] == model.shape_world[b]
        && model.shape_group[a] & model.shape_mask[b] != 0
        && model.shape_group[b] & model.shape_mask[a] != 0
        && (model.shape_filter.is_empty()
            || model.shape_filter.binary_search(&(a.min(b) as u32, a.max(b) as u32)).is_err())
}

/// Sort-and-sweep along one axis.
#[derive(Clone, Debug, Default)]
pub(crate) struct BroadPhase {
    order: Vec<u32>,
    found: Vec<Vec<PairKey>>,
}

impl BroadPhase {
    /// Fills `pairs` with all pairs of overlapping bounds that may touch, sorted.
    pub fn pairs(&mut self, model: &Model, table: &ShapeTable, moving: &[Moving], pairs: &mut Vec<PairKey>) {
        if self.order.len() != moving.len() {
            self.order = (0..moving.len() as u32).collect();
        }
        let left = |i: u32| moving[i as usize].bounds.min.x;
        self.order.sort_by(|&a, &b| left(a).total_cmp(&left(b)).then(a.cmp(&b)));
        let order = &self.order;
        let chunks = order.len().div_ceil(CHUNK);
        self.found.resize_with(chunks, Vec::new);
        self.found.par_iter_mut().enumerate().for_each(|(chunk, found)| {
            found.clear();
            for i in chunk * CHUNK..((chunk + 1) * CHUNK).min(order.len()) {
                sweep_from(model, table, moving, order, i, found);
            }
        });
        pairs.clear();
        self.found.iter().for_each(|found| pairs.extend_from_slice(found));
        pairs.sort_unstable();
    }
}

fn sweep_from(
    model: &Model,
    table: &ShapeTable,
    moving: &[Moving],
    order: &[u32],
    start: usize,
    found: &mut Vec<PairKey>,
) {
    let a = order[start] as usize;
    let bounds = &moving[a].bounds;
    for &b in &order[start + 1..] {
        let other = &moving[b as usize].bounds;
        if other.min.x > bounds.max.x {
            break;
        }
        if bounds.overlaps(other) && may_touch(model, table, a, b as usize) {
            found.push(pair_key(a as u32, b));
        }
    }
}
