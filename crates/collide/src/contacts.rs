//! Phases `contacts` and `match`: the narrow phase over all pairs, and the continuation of last
//! step's points. Both run over fixed chunks of pairs and are put together in order, so the result does
//! not depend on the number of threads.

use std::ops::Range;

use drystone_geometry::DVec3;
use drystone_model::{Contacts, Model};
use drystone_parallel::{Shared, is_alone};
use rayon::prelude::*;

use crate::CHUNK;
use crate::bounds::Moving;
use crate::carried::carry;
use crate::contact_cache::{ContactCache, Cursor};
use crate::matching::match_points;
use crate::narrow::manifold::{Anchors, Point};
use crate::narrow::{Found, NO_AXIS, Query, Scratch, Solid, collide_pair};
use crate::pairs::{PairKey, pair_shapes};
use crate::shapes::ShapeTable;

/// Chunks that are put together on one thread: handing their lists over would take longer.
const FEW_CHUNKS: usize = 4;

/// Contacts of one chunk of pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    /// Index of every pair in the step before.
    pub before: Vec<Option<u32>>,
    pub axis: Vec<u32>,
    /// Whether the next detection would find the same of every pair if its shapes stood still.
    pub settled: Vec<bool>,
    /// Manifolds found up to and including every pair of the chunk.
    pub manifold_end: Vec<u32>,
    pub manifolds: Manifolds,
    /// Whether the points of every pair are those of the step before.
    pub same: Vec<bool>,
    pub anchor0: Vec<DVec3>,
    pub anchor1: Vec<DVec3>,
    pub found_gap: Vec<f64>,
    pub matches: Vec<u32>,
    scratch: Scratch,
    /// One flag per point of the step before of the pair in hand.
    pub taken: Vec<bool>,
}

/// Manifolds of a chunk, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifolds {
    pub shapes: Vec<[u32; 2]>,
    pub normal: Vec<DVec3>,
    pub sub: Vec<[u32; 2]>,
    /// Points up to and including every manifold.
    pub point_end: Vec<u32>,
    pub points: Vec<Point>,
}

impl Manifolds {
    fn clear(&mut self) {
        self.shapes.clear();
        self.normal.clear();
        self.sub.clear();
        self.point_end.clear();
        self.points.clear();
    }

    /// Appends a manifold.
    pub fn push(&mut self, shapes: [u32; 2], normal: DVec3, sub: [u32; 2], points: &[Point]) {
        self.points.extend_from_slice(points);
        self.shapes.push(shapes);
        self.normal.push(normal);
        self.sub.push(sub);
        self.point_end.push(self.points.len() as u32);
    }

    pub fn point_range(&self, manifold: usize) -> Range<usize> {
        let start = if manifold == 0 { 0 } else { self.point_end[manifold - 1] as usize };
        start..self.point_end[manifold] as usize
    }
}

/// Appends manifolds, moved from the surfaces to the skins around them.
struct Skinned<'a> {
    manifolds: &'a mut Manifolds,
    shapes: [u32; 2],
    skin: [f64; 2],
}

impl Found for Skinned<'_> {
    fn manifold(&mut self, normal: DVec3, sub: [u32; 2], points: &mut [Point]) {
        let [skin0, skin1] = self.skin;
        let out = &mut *self.manifolds;
        out.points.extend(points.iter().map(|point| Point {
            position0: point.position0 + normal * skin0,
            position1: point.position1 - normal * skin1,
            gap: point.gap - (skin0 + skin1),
            feature: point.feature,
        }));
        out.shapes.push(self.shapes);
        out.normal.push(normal);
        out.sub.push(sub);
        out.point_end.push(out.points.len() as u32);
    }
}

/// Everything the two phases read.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub model: &'a Model,
    pub table: &'a ShapeTable,
    pub moving: &'a [Moving],
    pub margin: f64,
    pub dt: f64,
    pub pairs: &'a [PairKey],
    pub last: &'a ContactCache,
    pub last_contacts: &'a Contacts,
    /// Whether contacts may be taken over from the detection before.
    pub keeps: bool,
}

/// The narrow phase.
pub(crate) fn contacts(scene: &Scene, chunks: &mut Vec<Chunk>) {
    let count = scene.pairs.len().div_ceil(CHUNK);
    if chunks.len() < count {
        chunks.resize_with(count, Chunk::default);
    }
    chunks
        .par_iter_mut()
        .zip(scene.pairs.par_chunks(CHUNK))
        .shared(1)
        .for_each(|(chunk, pairs)| chunk.narrow(scene, pairs));
}

/// Finds every point's predecessor.
pub(crate) fn match_contacts(scene: &Scene, chunks: &mut [Chunk]) {
    chunks
        .par_iter_mut()
        .zip(scene.pairs.par_chunks(CHUNK))
        .shared(1)
        .for_each(|(chunk, pairs)| chunk.match_all(scene, pairs));
}

impl Chunk {
    fn narrow(&mut self, scene: &Scene, pairs: &[PairKey]) {
        self.before.clear();
        self.axis.clear();
        self.settled.clear();
        self.same.clear();
        self.manifold_end.clear();
        self.manifolds.clear();
        let mut cursor = Cursor::new(&scene.last.pair_key, pairs[0]);
        for &key in pairs {
            let before = scene.before(&mut cursor, key);
            let (shape0, shape1) = pair_shapes(key);
            let still = before.filter(|_| scene.keeps && scene.moving[shape0].still && scene.moving[shape1].still);
            self.before.push(before.map(|pair| pair as u32));
            if let Some(pair) = still.filter(|&pair| scene.last.pair_settled.get(pair) == Some(&true)) {
                self.keep(scene, pair);
                continue;
            }
            let first = self.manifolds.normal.len();
            let skin = [scene.moving[shape0].skin, scene.moving[shape1].skin];
            let mut query = scene.query(shape0, shape1, before);
            let same = before.is_some_and(|pair| carry(scene, pair, [shape0, shape1], &query, &mut self.manifolds));
            if !same {
                query.limit += skin[0] + skin[1];
                let shapes = [shape0, shape1].map(|shape| shape as u32);
                let mut found = Skinned { manifolds: &mut self.manifolds, shapes, skin };
                let solids = (scene.solid(shape0), scene.solid(shape1));
                collide_pair(&solids.0, &solids.1, &mut query, &mut self.scratch, &mut found);
            }
            let axis = query.axis;
            self.axis.push(axis);
            self.same.push(same);
            self.settled.push(still.is_some_and(|pair| self.found_again(scene, pair, axis, first)));
            self.manifold_end.push(self.manifolds.normal.len() as u32);
        }
    }

    /// Takes over what a pair had in the step before.
    fn keep(&mut self, scene: &Scene, pair: usize) {
        let (last, old) = (scene.last, scene.last_contacts);
        let out = &mut self.manifolds;
        for manifold in last.manifolds(pair) {
            out.shapes.push([old.manifold_shape0[manifold], old.manifold_shape1[manifold]]);
            out.normal.push(old.manifold_normal[manifold]);
            out.sub.push(old.manifold_sub[manifold]);
            out.points.extend(old.points(manifold).map(|point| old_point(old, point)));
            out.point_end.push(out.points.len() as u32);
        }
        self.axis.push(last.pair_axis[pair]);
        self.settled.push(true);
        self.same.push(true);
        self.manifold_end.push(self.manifolds.normal.len() as u32);
    }

    /// Whether the manifolds from `first` on are the very ones a pair had in the step before, found along the same axis: all that
    /// the narrow phase knows of that step.
    fn found_again(&self, scene: &Scene, pair: usize, axis: u32, first: usize) -> bool {
        let (old, before) = (scene.last_contacts, scene.last.manifolds(pair));
        axis == scene.last.pair_axis[pair]
            && self.manifolds.normal.len() - first == before.len()
            && before.zip(first..).all(|(was, is)| {
                let points = self.manifolds.point_range(is);
                old.manifold_normal[was] == self.manifolds.normal[is]
                    && old.manifold_sub[was] == self.manifolds.sub[is]
                    && old.points(was).len() == points.len()
                    && old.points(was).zip(points).all(|(was, is)| old_point(old, was) == self.manifolds.points[is])
            })
    }

    /// What there is to say of every point.
    fn points<T>(&self, of: impl Fn(&Point) -> T) -> impl ExactSizeIterator<Item = T> {
        self.manifolds.points.iter().map(of)
    }

    /// What there is to say of the shapes of every manifold.
    fn shapes<T>(&self, of: impl Fn([usize; 2]) -> T) -> impl ExactSizeIterator<Item = T> {
        self.manifolds.shapes.iter().map(move |shapes| of(shapes.map(|shape| shape as usize)))
    }

    fn match_all(&mut self, scene: &Scene, pairs: &[PairKey]) {
        self.anchor0.clear();
        self.anchor1.clear();
        self.found_gap.clear();
        self.matches.clear();
        let mut start = 0;
        for (i, &key) in pairs.iter().enumerate() {
            let end = self.manifold_end[i] as usize;
            if end > start {
                let before = self.before[i].map(|pair| pair as usize);
                match_points(scene, key, before, self.same[i], start..end, self);
            }
            start = end;
        }
    }
}

/// A point of the step before.
fn old_point(contacts: &Contacts, point: usize) -> Point {
    Point {
        position0: contacts.point_position0[point],
        position1: contacts.point_position1[point],
        gap: contacts.point_gap[point],
        feature: contacts.point_feature[point],
    }
}

impl<'a> Scene<'a> {
    /// Index of a pair in the step before, unless its world was told to forget.
    fn before(&self, cursor: &mut Cursor, key: PairKey) -> Option<usize> {
        let pair = cursor.find(key)?;
        let forgotten = &self.last.forgotten;
        (forgotten.is_empty() || !forgotten.contains(&self.model.shape_world[pair_shapes(key).0])).then_some(pair)
    }

    /// Velocity of the second surface against the first beyond that of their bodies, across the normal \[m/s\].
    fn surface_velocity(&self, shape0: usize, shape1: usize, normal: DVec3) -> DVec3 {
        if !self.table.belts {
            return DVec3::ZERO;
        }
        let [first, second] = [shape0, shape1].map(|s| self.moving[s].at.vector(self.table.surface_velocity[s]));
        (second - first).reject_from_normalized(normal)
    }

    fn solid(&self, shape: usize) -> Solid<'a> {
        Solid {
            shape: &self.model.shape_geometry[shape],
            mesh: self.table.mesh[shape].as_deref(),
            at: &self.moving[shape].at,
        }
    }

    pub fn thickness(&self, shape0: usize, shape1: usize) -> f64 {
        self.moving[shape0].thickness.min(self.moving[shape1].thickness)
    }

    /// How far a contact point may wander on both bodies within a step and be the same: a tenth of the
    /// thinner shape, and what the relative speed explains.
    pub fn match_radius(&self, shape0: usize, shape1: usize) -> f64 {
        let (a, b) = (&self.moving[shape0], &self.moving[shape1]);
        0.1 * self.thickness(shape0, shape1) + a.velocity.distance(b.velocity) * self.dt
    }

    fn query(&self, shape0: usize, shape1: usize, before: Option<usize>) -> Query<'a> {
        let (a, b) = (&self.moving[shape0], &self.moving[shape1]);
        // How far apart two shapes may be and still meet within the step.
        let travel = a.velocity.distance(b.velocity) * self.dt;
        let limit = self.margin + travel + a.stray + b.stray;
        let thickness = a.thickness.min(b.thickness);
        // Half a percent of the thickness is what a solver leaves as error anyway.
        let mut query = Query { limit, slack: 0.005 * thickness, axis: NO_AXIS, apart: false, anchors: Anchors::NONE };
        if let Some(pair) = before {
            query.axis = self.last.pair_axis[pair];
            // The points of a pair that had one manifold in the step before.
            if self.last.manifolds(pair).len() == 1 {
                let points = self.last.points(self.last_contacts, pair);
                let positions = &self.last.point_anchor0[points];
                query.anchors = Anchors { positions, at: &a.at, match_radius: 0.1 * thickness + travel };
            }
        }
        query
    }
}

/// Puts the chunks together in order. Every list is filled by itself, so that threads can share the lists out.
pub(crate) fn assemble(scene: &Scene, chunks: &[Chunk], out: &mut Contacts, now: &mut ContactCache) {
    clear(out);
    now.clear();
    let (chunks, model) = (&chunks[..scene.pairs.len().div_ceil(CHUNK)], scene.model);
    let (position0, position1) = (&mut out.point_position0, &mut out.point_position1);
    let (gap, feature, matches) = (&mut out.point_gap, &mut out.point_feature, &mut out.point_match);
    let (anchor0, anchor1) = (&mut now.point_anchor0, &mut now.point_anchor1);
    let found_gap = &mut now.point_found_gap;
    let (material, surface) = (&mut out.manifold_material, &mut out.manifold_surface);
    let (shape0, shape1) = (&mut out.manifold_shape0, &mut out.manifold_shape1);
    let (body0, body1) = (&mut out.manifold_body0, &mut out.manifold_body1);
    let (normal, sub, start) = (&mut out.manifold_normal, &mut out.manifold_sub, &mut out.point_start);
    let (key, axis, pair_manifold) = (&mut now.pair_key, &mut now.pair_axis, &mut now.pair_manifold);
    let settled = &mut now.pair_settled;
    let apart = chunks.len() > FEW_CHUNKS && !is_alone();
    rayon::in_place_scope(|threads| {
        hand_over(threads, apart, || {
            chunks.iter().for_each(|chunk| position0.extend(chunk.points(|point| point.position0)))
        });
        hand_over(threads, apart, || {
            chunks.iter().for_each(|chunk| position1.extend(chunk.points(|point| point.position1)))
        });
        hand_over(threads, apart, || chunks.iter().for_each(|chunk| anchor0.extend_from_slice(&chunk.anchor0)));
        hand_over(threads, apart, || chunks.iter().for_each(|chunk| anchor1.extend_from_slice(&chunk.anchor1)));
        hand_over(threads, apart, || {
            for chunk in chunks {
                gap.extend(chunk.points(|point| point.gap));
                found_gap.extend_from_slice(&chunk.found_gap);
                feature.extend(chunk.points(|point| point.feature));
                matches.extend_from_slice(&chunk.matches);
            }
        });
        hand_over(threads, apart, || {
            let mix = |[a, b]: [usize; 2]| model.shape_material[a].mix(&model.shape_material[b]);
            chunks.iter().for_each(|chunk| material.extend(chunk.shapes(mix)));
        });
        hand_over(threads, apart, || {
            for chunk in chunks {
                shape0.extend(chunk.shapes(|[a, _]| a as u32));
                shape1.extend(chunk.shapes(|[_, b]| b as u32));
                body0.extend(chunk.shapes(|[a, _]| model.shape_body[a]));
                body1.extend(chunk.shapes(|[_, b]| model.shape_body[b]));
                let pairs = chunk.shapes(|shapes| shapes).zip(&chunk.manifolds.normal);
                surface.extend(pairs.map(|([a, b], &normal)| scene.surface_velocity(a, b, normal)));
            }
        });
        key.extend_from_slice(scene.pairs);
        start.push(0);
        pair_manifold.push(0);
        for chunk in chunks {
            let (points, manifolds) = (start[start.len() - 1], normal.len() as u32);
            start.extend(chunk.manifolds.point_end.iter().map(|end| points + end));
            pair_manifold.extend(chunk.manifold_end.iter().map(|end| manifolds + end));
            normal.extend_from_slice(&chunk.manifolds.normal);
            sub.extend_from_slice(&chunk.manifolds.sub);
            axis.extend_from_slice(&chunk.axis);
            settled.extend_from_slice(&chunk.settled);
        }
    });
}

/// Does some work on another thread, or here.
fn hand_over<'a>(threads: &rayon::Scope<'a>, apart: bool, work: impl FnOnce() + Send + 'a) {
    if apart { threads.spawn(|_| work()) } else { work() }
}

/// Empties the arrays and keeps their memory.
fn clear(contacts: &mut Contacts) {
    contacts.manifold_shape0.clear();
    contacts.manifold_shape1.clear();
    contacts.manifold_body0.clear();
    contacts.manifold_body1.clear();
    contacts.manifold_sub.clear();
    contacts.manifold_normal.clear();
    contacts.manifold_material.clear();
    contacts.manifold_surface.clear();
    contacts.point_start.clear();
    contacts.point_position0.clear();
    contacts.point_position1.clear();
    contacts.point_gap.clear();
    contacts.point_feature.clear();
    contacts.point_match.clear();
}

#[cfg(test)]
mod tests {
    use drystone_model::{BodyDef, DQuat, DVec3, Model, ModelBuilder, ShapeDef};
    use drystone_random::Random;

    use crate::{Collide, CollideOptions};

    /// Odd bodies in a heap, many of them in touch.
    fn heap() -> Model {
        let (mut scene, mut random) = (ModelBuilder::new(), Random::new(11));
        scene.ground();
        for i in 0..60 {
            let mut vector = || DVec3::from_array(std::array::from_fn(|_| random.signed()));
            let (at, axis) = (1.2 * vector() + DVec3::Z, vector().normalize());
            let def = BodyDef::dynamic(format!("{i}")).at(at).rotated(DQuat::from_axis_angle(axis, 2.0));
            scene.add_body(match i % 4 {
                0 => def.cuboid(DVec3::new(0.3, 0.2, 0.1)),
                1 => def.shape(ShapeDef::capsule(0.15, 0.2)),
                2 => def.shape(ShapeDef::cylinder(0.2, 0.1)),
                _ => def.shape(ShapeDef::sphere(0.2)),
            });
        }
        scene.finalize().unwrap()
    }

    /// What is taken over from the detection before is what would have been found, and it is taken over until something moves.
    #[test]
    fn pairs_that_stand_still_keep_what_would_be_found_again() {
        let model = heap();
        let mut state = model.state();
        let [mut keeps, mut finds] = [0, 1].map(|_| Collide::new(&model, CollideOptions::default()));
        for round in 0..8 {
            if round == 5 {
                state.body_q[7].translation.z += 1e-3;
            }
            keeps.detect(&model, &state, 0.01);
            let saved = finds.snapshot();
            finds.restore(&saved).unwrap();
            finds.detect(&model, &state, 0.01);
            assert_eq!(keeps.contacts, finds.contacts, "round {round}");
            assert_eq!(keeps.snapshot(), finds.snapshot(), "round {round}");
            let settled = keeps.now.pair_settled.iter().filter(|settled| **settled).count();
            let all = keeps.now.pair_key.len();
            assert!(all > 50, "{all} pairs");
            assert!(finds.now.pair_settled.iter().all(|settled| !settled));
            match round {
                0 | 1 => {}
                5 => assert!(settled < all, "what moved is found anew"),
                _ => assert!(10 * settled > 9 * all, "round {round}: {settled} of {all} settled"),
            }
        }
        keeps.detect(&model, &state, 0.02);
        assert!(keeps.now.pair_settled.iter().all(|settled| !settled), "a longer step sees further");
    }
}
