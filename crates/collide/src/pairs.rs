//! Phase `pairs`: the shapes that can meet within the step.
//!
//! Bounded shapes live in a tree of loose boxes, one per world: worlds may lie in the same place and never meet. Pairs of loose boxes are kept from step to step and only
//! looked up again for shapes that have left their loose box; what comes out is the kept pairs whose tight
//! boxes overlap now, so the result does not depend on the history.

use drystone_geometry::{Aabb, DVec3, Shape};
use drystone_model::Model;
use drystone_parallel::Shared;
use rayon::prelude::*;

use crate::CHUNK;
use crate::bounds::Moving;
use crate::shapes::{ShapeTable, is_unbounded};
use crate::tree::{Loose, Tree};

/// A pair of shapes, smaller index first, as one sortable number.
pub(crate) type PairKey = u64;

pub(crate) fn pair_key(a: u32, b: u32) -> PairKey {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (u64::from(low) << 32) | u64::from(high)
}

pub(crate) fn pair_shapes(key: PairKey) -> (usize, usize) {
    ((key >> 32) as usize, (key & 0xffff_ffff) as usize)
}

/// Loose boxes are larger than tight ones by this part of the shape's radius on every side: boxes of a pile
/// that creeps stay inside for many steps, and the number of loose pairs grows little.
const LOOSENESS: f64 = 0.1;

/// Steps that loose boxes reach ahead along the velocity, so that what falls is not looked up in every one; and the most of that, in
/// radii of the shape.
const AHEAD: f64 = 4.0;
const FARTHEST: f64 = 0.5;

/// Trees of worlds that a thread takes at a time.
const WORLDS: usize = 64;

/// The broad phase.
#[derive(Clone, Debug, Default)]
pub(crate) struct BroadPhase {
    /// Shapes in the tree.
    members: Vec<u32>,
    /// Pairs with an unbounded shape that may touch; they are looked at in every step.
    always: Vec<PairKey>,
    loose: Vec<Loose>,
    trees: Vec<WorldTree>,
    /// Pairs of overlapping loose boxes that may touch, sorted.
    near: Vec<PairKey>,
    moved: Vec<u32>,
    is_moved: Vec<bool>,
    found: Vec<Vec<PairKey>>,
    spare: Vec<PairKey>,
    merged: Vec<PairKey>,
}

/// The tree of a world.
#[derive(Clone, Debug, Default)]
struct WorldTree {
    members: Vec<u32>,
    tree: Tree,
    /// Loose boxes replaced since the tree was last brought up to date, and since it was built.
    replaced: [usize; 2],
}

impl WorldTree {
    /// Brings the tree up to date.
    fn update(&mut self, loose: &[Loose]) {
        let [now, since_built] = &mut self.replaced;
        if *now == 0 {
            return;
        }
        *since_built += std::mem::take(now);
        if 4 * *since_built > self.members.len() {
            self.tree.build(&self.members, loose);
            *since_built = 0;
        } else {
            self.tree.refit(loose);
        }
    }
}

impl BroadPhase {
    pub fn new(model: &Model, table: &ShapeTable) -> Self {
        let count = model.shape_count();
        let (unbounded, members): (Vec<u32>, Vec<u32>) =
            (0..count as u32).partition(|&shape| is_unbounded(&model.shape_geometry[shape as usize]));
        let mut shapes_of = vec![Vec::new(); model.world_count()];
        (0..count).for_each(|shape| shapes_of[table.world(shape)].push(shape as u32));
        let mut always = Vec::new();
        for &a in &unbounded {
            let others = shapes_of[table.world(a as usize)].iter();
            let others = others.filter(|&&b| table.may_touch(a as usize, b as usize));
            always.extend(others.map(|&b| pair_key(a, b)));
        }
        always.sort_unstable();
        always.dedup();
        let mut trees = vec![WorldTree::default(); model.world_count()];
        let members: Vec<u32> = members.into_iter().filter(|&shape| table.meets(shape as usize)).collect();
        members.iter().for_each(|&shape| trees[table.world(shape as usize)].members.push(shape));
        let (loose, is_moved) = (vec![Loose::EMPTY; count], vec![false; count]);
        Self { members, always, loose, trees, is_moved, ..Self::default() }
    }

    /// Fills `pairs` with all pairs of overlapping bounds that may touch, sorted.
    pub fn pairs(&mut self, model: &Model, table: &ShapeTable, moving: &[Moving], dt: f64, pairs: &mut Vec<PairKey>) {
        self.find_moved(moving);
        if !self.moved.is_empty() {
            self.update(table, moving, dt);
        }
        let Self { always, near, found, spare, merged, .. } = self;
        filter(near, found, spare, |a, b| moving[a].bounds.overlaps(&moving[b].bounds));
        if always.is_empty() {
            pairs.clone_from(spare);
            return;
        }
        filter(always, found, pairs, |a, b| unbounded_overlap(model, table, moving, a, b));
        merge(spare, pairs, merged);
        std::mem::swap(pairs, merged);
    }

    fn find_moved(&mut self, moving: &[Moving]) {
        let Self { members, loose, moved, .. } = self;
        moved.clear();
        // An empty box (a shape out of the simulation) is inside every other.
        moved.extend(members.iter().filter(|&&m| !loose[m as usize].contains(&moving[m as usize].bounds)));
    }

    /// Gives the shapes that moved new loose boxes and finds their pairs again.
    fn update(&mut self, table: &ShapeTable, moving: &[Moving], dt: f64) {
        for &shape in &self.moved {
            let (radius, now) = (table.radius[shape as usize], &moving[shape as usize]);
            self.loose[shape as usize] = Loose::around(&ahead(now, dt, FARTHEST * radius), LOOSENESS * radius);
            self.trees[table.world(shape as usize)].replaced[0] += 1;
        }
        let Self { trees, loose, moved, found, is_moved, near, spare, merged, .. } = self;
        match trees.as_mut_slice() {
            [one] => one.update(loose),
            many => many.par_iter_mut().shared(WORLDS).for_each(|tree| tree.update(loose)),
        }
        for &shape in moved.iter() {
            is_moved[shape as usize] = true;
        }
        let is_moved_now: &[bool] = is_moved;
        let fresh = |a: u32, found: &mut Vec<PairKey>| {
            let start = found.len();
            trees[table.world(a as usize)].tree.query(&loose[a as usize], |b| {
                // A pair of two that moved is found twice; the smaller one reports it.
                let once = a < b || !is_moved_now[b as usize];
                if once && a != b && table.may_touch(a as usize, b as usize) {
                    found.push(pair_key(a, b));
                }
            });
            found[start..].sort_unstable();
        };
        in_chunks(moved, found, fresh);
        spare.clear();
        found.iter().for_each(|found| spare.extend_from_slice(found));
        // Already sorted when everything moved, for then every pair is found from its smaller shape.
        spare.sort();
        near.retain(|&key| {
            let (a, b) = pair_shapes(key);
            !is_moved[a] && !is_moved[b]
        });
        merge(near, spare, merged);
        std::mem::swap(near, merged);
        for &shape in moved.iter() {
            is_moved[shape as usize] = false;
        }
    }
}

/// The box of a shape, and where it will be some steps of `dt` seconds on, or as far as `farthest` metres.
fn ahead(moving: &Moving, dt: f64, farthest: f64) -> Aabb {
    let Aabb { min, max } = moving.bounds;
    let way = (moving.velocity * (AHEAD * dt)).clamp_length_max(farthest);
    Aabb { min: min + way.min(DVec3::ZERO), max: max + way.max(DVec3::ZERO) }
}

/// Runs `work` on every item, in chunks; the results lie in `found` in the order of the items.
fn in_chunks<T: Copy + Sync>(items: &[T], found: &mut Vec<Vec<PairKey>>, work: impl Fn(T, &mut Vec<PairKey>) + Sync) {
    let chunks = items.len().div_ceil(CHUNK);
    if found.len() < chunks {
        found.resize_with(chunks, Vec::new);
    }
    found.iter_mut().for_each(Vec::clear);
    found.par_iter_mut().zip(items.par_chunks(CHUNK)).shared(1).for_each(|(found, items)| {
        items.iter().for_each(|&item| work(item, found));
    });
}

/// Copies the pairs that pass a test, in order.
fn filter(
    pairs: &[PairKey],
    found: &mut Vec<Vec<PairKey>>,
    out: &mut Vec<PairKey>,
    test: impl Fn(usize, usize) -> bool + Sync,
) {
    in_chunks(pairs, found, |key, found| {
        let (a, b) = pair_shapes(key);
        if test(a, b) {
            found.push(key);
        }
    });
    out.clear();
    found.iter().for_each(|found| out.extend_from_slice(found));
}

/// Merges two sorted lists.
fn merge(a: &[PairKey], b: &[PairKey], out: &mut Vec<PairKey>) {
    out.clear();
    out.reserve(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] <= b[j] {
            out.push(a[i]);
            i += 1;
        } else {
            out.push(b[j]);
            j += 1;
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
}

/// Whether a bounded shape can reach an unbounded one.
fn unbounded_overlap(model: &Model, table: &ShapeTable, moving: &[Moving], a: usize, b: usize) -> bool {
    let (ground, other) = if is_unbounded(&model.shape_geometry[a]) { (a, b) } else { (b, a) };
    let (ground_moving, bounds) = (&moving[ground], &moving[other].bounds);
    if bounds.is_empty() || ground_moving.bounds.is_empty() {
        return false;
    }
    let at = &ground_moving.at;
    let inflation = ground_moving.inflation;
    match &model.shape_geometry[ground] {
        Shape::Heightfield(_) => {
            let ball = 0.5 * bounds.extent().length() + inflation;
            let near = Aabb::from_center_half(at.local_point(bounds.center()), DVec3::splat(ball));
            let surface = table.local_bounds[ground];
            near.min.z <= surface.max.z
                && near.min.x <= surface.max.x
                && surface.min.x <= near.max.x
                && near.min.y <= surface.max.y
                && surface.min.y <= near.max.y
        }
        _ => {
            let up = at.rotation.z_axis;
            let lowest = up.dot(bounds.center() - at.position) - up.abs().dot(0.5 * bounds.extent());
            lowest <= inflation
        }
    }
}
