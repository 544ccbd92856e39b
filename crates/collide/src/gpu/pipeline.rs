//! The phases in order and what they remember.

use cubecl::prelude::*;
use drystone_device::primitives::{RadixSort, Scan};
use drystone_device::{Buffer, Gpu, UNITS};
use drystone_model::Model;

use super::narrow::{ANCHOR_WORDS, CONTACT_WORDS, PAIR_WORDS, find_contacts};
use super::pairs::{NOTED, SearchScalarsLaunch, list_pairs, search_pairs};
use super::place::{BOUND_WORDS, CurveLaunch, curve_keys, place_shapes};
use super::shapes::ShapeTables;
use super::tree::{LEAF, refit};

/// Steps after which shapes are put in the order of the curve again. The order changes how long the search takes, never what it finds.
const SORT_EVERY: u64 = 16;
/// Steps of the curve along a side.
const CURVE_STEPS: f32 = 1023.0;
/// Bits of a place on the curve.
const CURVE_BITS: u32 = 30;

/// Words of all arrays of the pipeline together that belong to a pair.
pub const PAIR_MEMORY: u32 = 5 + CONTACT_WORDS + 2 * (PAIR_WORDS + ANCHOR_WORDS);

/// Arrays of the bodies that the pipeline reads, the world in the last slot.
#[derive(Clone, Copy, Debug)]
pub struct BodyArrays<'a> {
    /// Cell of the centre of mass.
    pub cell: &'a Buffer<i32>,
    /// Offset in the cell and orientation.
    pub frame: &'a Buffer<f32>,
    /// Offset, orientation, velocities.
    pub motion: &'a Buffer<f32>,
    /// Flags of the run.
    pub flags: &'a Buffer<u32>,
}

/// What is remembered of the contacts of a step.
#[derive(Debug)]
pub struct Remembered {
    /// Where the pairs of every shape start; one more than shapes.
    pub start: Buffer<u32>,
    /// Other shape, axis and number of points of every pair.
    pub pair: Buffer<u32>,
    /// Normal and anchors of every pair.
    pub anchor: Buffer<f32>,
}

/// The pipeline on a device.
#[derive(Debug)]
pub struct DeviceCollide {
    /// Shapes of the model.
    pub shapes: ShapeTables,
    /// Cells of the shapes.
    pub cell: Buffer<i32>,
    /// Offsets and orientations of the shapes.
    pub place: Buffer<f32>,
    /// What every shape can sweep.
    pub bound: Buffer<f32>,
    /// Owner of every pair.
    pub owner: Buffer<u32>,
    /// Other shape of every pair.
    pub other: Buffer<u32>,
    /// Manifold of every pair.
    pub contact: Buffer<f32>,
    /// Pair of the step before, and the lanes of its points that the points continue, eight bits each.
    pub matched: Buffer<u32>,
    /// Pairs that have points, in any order.
    pub touching: Buffer<u32>,
    /// How many pairs have points.
    pub touching_count: Buffer<u32>,
    /// What is remembered of two steps; which is the last is for the caller to say.
    pub remembered: [Remembered; 2],
    /// Room for so many pairs.
    pub capacity: usize,
    /// Contacts are found up to this distance in any case \[m\].
    pub margin: f32,
    /// Pairs of every shape, and the first of them.
    count: Buffer<u32>,
    noted: Buffer<u32>,
    start: Buffer<u32>,
    order: Buffer<u32>,
    key: Buffer<u32>,
    node: Buffer<f32>,
    /// Boxes of the shapes in the order of the tree.
    ordered: Buffer<f32>,
    leaves: u32,
    curve: [f32; 4],
    steps: u64,
    scan: Scan,
    sort: RadixSort,
}

impl DeviceCollide {
    /// A pipeline for a model that [`check`](super::check) let pass; `material` numbers the materials of its shapes.
    pub fn new<R: Runtime>(gpu: &Gpu<R>, model: &Model, material: &[u32], capacity: usize) -> Self {
        let shapes = ShapeTables::new(gpu, model, material);
        let (cells, places) = ShapeTables::places(model);
        let count = shapes.count;
        let members = shapes.bounded.len();
        let leaves = members.div_ceil(LEAF as usize).next_power_of_two().max(1);
        let remembered = || Remembered {
            start: Buffer::from_slice(gpu, &vec![0; count + 1]),
            pair: Buffer::new(gpu, capacity * PAIR_WORDS as usize),
            anchor: Buffer::new(gpu, capacity * ANCHOR_WORDS as usize),
        };
        Self {
            cell: Buffer::from_slice(gpu, &cells),
            place: Buffer::from_slice(gpu, &places),
            bound: Buffer::new(gpu, count * BOUND_WORDS as usize),
            owner: Buffer::new(gpu, capacity),
            other: Buffer::new(gpu, capacity),
            contact: Buffer::new(gpu, capacity * CONTACT_WORDS as usize),
            matched: Buffer::new(gpu, 2 * capacity),
            touching: Buffer::new(gpu, capacity),
            touching_count: Buffer::from_slice(gpu, &[0]),
            remembered: [remembered(), remembered()],
            capacity,
            margin: 0.0,
            // Shapes outside the tree own no pair, and nothing writes their numbers again.
            count: Buffer::from_slice(gpu, &vec![0; count]),
            noted: Buffer::new(gpu, count * NOTED as usize),
            start: Buffer::new(gpu, count + 1),
            order: Buffer::from_slice(gpu, &shapes.bounded),
            key: Buffer::new(gpu, members),
            node: Buffer::new(gpu, 2 * leaves * BOUND_WORDS as usize),
            ordered: Buffer::new(gpu, members * BOUND_WORDS as usize),
            leaves: leaves as u32,
            curve: [0.0; 4],
            steps: 0,
            scan: Scan::default(),
            sort: RadixSort::new(gpu),
            shapes,
        }
    }

    /// Tells where shapes are, roughly: the curve runs there. Shapes elsewhere are found too, more slowly.
    pub fn set_extent(&mut self, low: [f32; 3], high: [f32; 3]) {
        let widest = (0..3).map(|k| high[k] - low[k]).fold(1.0e-3, f32::max);
        self.curve = [low[0], low[1], low[2], CURVE_STEPS / widest];
        self.steps = 0;
    }

    /// Makes room for more pairs. What is remembered of the step `last` is kept; the lists of the step at hand are not.
    pub fn grow<R: Runtime>(&mut self, gpu: &Gpu<R>, capacity: usize) {
        self.capacity = capacity;
        self.owner = Buffer::new(gpu, capacity);
        self.other = Buffer::new(gpu, capacity);
        self.contact = Buffer::new(gpu, capacity * CONTACT_WORDS as usize);
        self.matched = Buffer::new(gpu, 2 * capacity);
        self.touching = Buffer::new(gpu, capacity);
        for remembered in &mut self.remembered {
            remembered.pair.grow(gpu, capacity * PAIR_WORDS as usize);
            remembered.anchor.grow(gpu, capacity * ANCHOR_WORDS as usize);
        }
    }

    /// Places the shapes and finds their pairs for a step of `dt` seconds, into `remembered[now]`.
    pub fn pairs<R: Runtime>(&mut self, gpu: &Gpu<R>, bodies: BodyArrays, now: usize, dt: f32) {
        let (count, members) = (self.shapes.count, self.shapes.bounded.len());
        let dim = CubeDim::new_1d(UNITS);
        place_shapes::launch::<R>(
            gpu.client(),
            gpu.cubes_for(count),
            dim,
            self.shapes.info.arg(),
            self.shapes.size.arg(),
            bodies.cell.arg(),
            bodies.frame.arg(),
            bodies.motion.arg(),
            self.cell.arg(),
            self.place.arg(),
            self.bound.arg(),
            count as u32,
            dt,
            self.margin,
        );
        if self.steps.is_multiple_of(SORT_EVERY) {
            self.put_in_order(gpu);
        }
        self.steps += 1;
        let mut base = self.leaves;
        loop {
            refit::launch::<R>(
                gpu.client(),
                gpu.cubes_for(base as usize),
                dim,
                self.bound.arg(),
                self.order.arg(),
                self.ordered.arg(),
                self.node.arg(),
                base,
                members as u32,
                base == self.leaves,
            );
            base >>= UNITS.trailing_zeros();
            if base <= 1 {
                break;
            }
        }
        self.search(gpu);
        self.scan.exclusive(gpu, &self.count, &mut self.start);
        self.list(gpu, bodies.flags, now);
    }

    fn put_in_order<R: Runtime>(&mut self, gpu: &Gpu<R>) {
        let members = self.shapes.bounded.len();
        // From the same order every time, so that a step does not depend on those before it.
        self.order.upload(gpu, &self.shapes.bounded);
        let [x, y, z, scale] = self.curve;
        curve_keys::launch::<R>(
            gpu.client(),
            gpu.cubes_for(members),
            CubeDim::new_1d(UNITS),
            self.bound.arg(),
            self.order.arg(),
            self.key.arg(),
            members as u32,
            CurveLaunch::new(x, y, z, scale),
        );
        self.sort.sort(gpu, &mut self.key, &mut self.order, CURVE_BITS);
    }

    fn search_scalars<R: Runtime>(&self) -> SearchScalarsLaunch<R> {
        let shapes = &self.shapes;
        let members = shapes.bounded.len() as u32;
        SearchScalarsLaunch::new(shapes.count as u32, members, self.leaves, shapes.plane_count as u32, self.margin)
    }

    fn search<R: Runtime>(&self, gpu: &Gpu<R>) {
        let shapes = &self.shapes;
        search_pairs::launch::<R>(
            gpu.client(),
            gpu.cubes_for(shapes.bounded.len()),
            CubeDim::new_1d(UNITS),
            shapes.info.arg(),
            shapes.size.arg(),
            self.cell.arg(),
            self.place.arg(),
            self.bound.arg(),
            shapes.planes.arg(),
            self.order.arg(),
            self.ordered.arg(),
            self.node.arg(),
            self.count.arg(),
            self.noted.arg(),
            self.touching_count.arg(),
            self.search_scalars(),
        );
    }

    fn list<R: Runtime>(&self, gpu: &Gpu<R>, flags: &Buffer<u32>, now: usize) {
        let shapes = &self.shapes;
        list_pairs::launch::<R>(
            gpu.client(),
            gpu.cubes_for(shapes.count),
            CubeDim::new_1d(UNITS),
            shapes.info.arg(),
            shapes.size.arg(),
            self.cell.arg(),
            self.place.arg(),
            self.bound.arg(),
            shapes.planes.arg(),
            self.order.arg(),
            self.ordered.arg(),
            self.node.arg(),
            self.count.arg(),
            self.noted.arg(),
            self.start.arg(),
            self.remembered[now].start.arg(),
            flags.arg(),
            self.owner.arg(),
            self.other.arg(),
            self.capacity as u32,
            self.search_scalars(),
        );
    }

    /// Finds the manifolds of the pairs and matches them to `remembered[1 − now]`.
    pub fn contacts<R: Runtime>(&self, gpu: &Gpu<R>, bodies: BodyArrays, now: usize, dt: f32) {
        let (new, old) = (&self.remembered[now], &self.remembered[1 - now]);
        find_contacts::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.capacity),
            CubeDim::new_1d(UNITS),
            self.shapes.info.arg(),
            self.shapes.size.arg(),
            self.cell.arg(),
            self.place.arg(),
            self.bound.arg(),
            bodies.motion.arg(),
            new.start.arg(),
            self.owner.arg(),
            self.other.arg(),
            old.start.arg(),
            old.pair.arg(),
            old.anchor.arg(),
            new.pair.arg(),
            new.anchor.arg(),
            self.contact.arg(),
            self.matched.arg(),
            self.touching.arg(),
            self.touching_count.arg(),
            bodies.flags.arg(),
            self.shapes.count as u32,
            dt,
            self.margin,
        );
    }
}
