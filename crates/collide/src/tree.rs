//! A bounding-volume tree over loosely bounded shapes: leaves in Morton order under an implicit complete
//! binary tree, so that building is a sort and refitting a sweep over one array.

use drystone_geometry::Aabb;
use drystone_parallel::sort_unstable;

/// Shapes per leaf.
const LEAF: usize = 4;

/// A box in single precision, rounded outwards: half the memory, never too small. The fourth number is zero: four are
/// compared at once, and two boxes fill a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Loose {
    min: [f32; 4],
    max: [f32; 4],
}

impl Loose {
    pub const EMPTY: Self = Self {
        min: [f32::INFINITY, f32::INFINITY, f32::INFINITY, 0.0],
        max: [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0],
    };

    /// The box around `bounds` grown by `margin`.
    pub fn around(bounds: &Aabb, margin: f64) -> Self {
        let grown = bounds.inflated(margin);
        let [x0, y0, z0] = grown.min.to_array().map(|x| (x as f32).next_down());
        let [x1, y1, z1] = grown.max.to_array().map(|x| (x as f32).next_up());
        Self { min: [x0, y0, z0, 0.0], max: [x1, y1, z1, 0.0] }
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // Without short cuts: all comparisons at once are cheaper than their mispredictions.
        (0..4).fold(true, |meet, k| meet & (self.min[k] <= other.max[k]) & (other.min[k] <= self.max[k]))
    }

    pub fn contains(&self, bounds: &Aabb) -> bool {
        (0..3).all(|k| f64::from(self.min[k]) <= bounds.min[k] && bounds.max[k] <= f64::from(self.max[k]))
    }

    fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].min(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].max(other.max[k])),
        }
    }

    fn center(&self, axis: usize) -> f32 {
        0.5 * (self.min[axis] + self.max[axis])
    }
}

/// The tree; nodes are numbered like a heap, the root is 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    order: Vec<(u64, u32)>,
    /// Boxes of the members in this order: those of a leaf lie side by side.
    placed: Vec<Loose>,
    nodes: Vec<Loose>,
    leaves: usize,
}

impl Tree {
    /// Builds the tree over the boxes of `members`.
    pub fn build(&mut self, members: &[u32], boxes: &[Loose]) {
        let mut whole = Loose::EMPTY;
        for &member in members {
            whole = whole.union(&boxes[member as usize]);
        }
        self.order.clear();
        self.order.extend(members.iter().map(|&member| (morton(&boxes[member as usize], &whole), member)));
        sort_unstable(&mut self.order);
        self.leaves = self.order.len().div_ceil(LEAF).next_power_of_two();
        self.refit(boxes);
    }

    /// Recomputes all nodes after boxes have changed.
    pub fn refit(&mut self, boxes: &[Loose]) {
        self.nodes.clear();
        self.nodes.resize(2 * self.leaves, Loose::EMPTY);
        self.placed.clear();
        self.placed.extend(self.order.iter().map(|&(_, member)| boxes[member as usize]));
        for (leaf, placed) in self.nodes[self.leaves..].iter_mut().zip(self.placed.chunks(LEAF)) {
            *leaf = placed.iter().fold(Loose::EMPTY, |whole, one| whole.union(one));
        }
        for node in (1..self.leaves).rev() {
            self.nodes[node] = self.nodes[2 * node].union(&self.nodes[2 * node + 1]);
        }
    }

    /// Calls `visit` with every member whose box overlaps `region`.
    pub fn query(&self, region: &Loose, mut visit: impl FnMut(u32)) {
        if self.order.is_empty() {
            return;
        }
        // Two per level suffice: a heap of 2³² leaves has 33 levels.
        let mut stack = [0u32; 72];
        stack[0] = 1;
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let node = stack[top] as usize;
            if !self.nodes[node].overlaps(region) {
                continue;
            }
            if node < self.leaves {
                stack[top] = 2 * node as u32;
                stack[top + 1] = 2 * node as u32 + 1;
                top += 2;
                continue;
            }
            let first = (node - self.leaves) * LEAF;
            let last = (first + LEAF).min(self.order.len());
            for place in first..last {
                if self.placed[place].overlaps(region) {
                    visit(self.order[place].1);
                }
            }
        }
    }
}

/// Position along a space-filling curve through `whole`, 20 bits per axis.
fn morton(bounds: &Loose, whole: &Loose) -> u64 {
    let mut code = 0;
    for axis in 0..3 {
        let size = whole.max[axis] - whole.min[axis];
        let part = if size > 0.0 { (bounds.center(axis) - whole.min[axis]) / size } else { 0.0 };
        code |= spread((part.clamp(0.0, 1.0) * 1_048_575.0) as u64) << axis;
    }
    code
}

/// Puts two zeros between the lowest 21 bits.
fn spread(mut x: u64) -> u64 {
    x &= 0x1f_ffff;
    x = (x | (x << 32)) & 0x001f_0000_0000_ffff;
    x = (x | (x << 16)) & 0x001f_0000_ff00_00ff;
    x = (x | (x << 8)) & 0x100f_00f0_0f00_f00f;
    x = (x | (x << 4)) & 0x10c3_0c30_c30c_30c3;
    (x | (x << 2)) & 0x1249_2492_4924_9249
}
