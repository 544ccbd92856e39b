//! Phases `contacts` and `match`: the narrow phase over all pairs, and the continuation of last
//! step's points. Both run over fixed chunks of pairs and are put together in order, so the result does
//! not depend on the number of threads.

use drystone_geometry::DVec3;
use drystone_model::{Contacts, Model, State, WORLD};
use rayon::prelude::*;

use crate::CHUNK;
use crate::bounds::Moving;
use crate::matching::match_points;
use crate::memory::{Cursor, Memory};
use crate::narrow::manifold::{Anchors, Manifold};
use crate::narrow::{NO_AXIS, Query, Scratch, Solid, collide_pair};
use crate::pairs::{PairKey, pair_shapes};
use crate::shapes::ShapeTable;

/// Contacts of one chunk of pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub axis: Vec<u32>,
    /// Manifolds found up to and including every pair of the chunk.
    pub manifold_end: Vec<u32>,
    pub manifolds: Vec<Manifold>,
    pub anchor0: Vec<DVec3>,
    pub anchor1: Vec<DVec3>,
    pub matches: Vec<u32>,
    pub scratch: Scratch,
    /// One flag per point of the step before of the pair in hand.
    pub taken: Vec<bool>,
}

/// Everything the two phases read.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub table: &'a ShapeTable,
    pub moving: &'a [Moving],
    pub margin: f64,
    pub dt: f64,
    pub pairs: &'a [PairKey],
    pub last: &'a Memory,
    pub last_contacts: &'a Contacts,
}

/// The narrow phase.
pub(crate) fn contacts(scene: &Scene, found: &mut Vec<Found>) {
    found.resize_with(scene.pairs.len().div_ceil(CHUNK), Found::default);
    found
        .par_iter_mut()
        .zip(scene.pairs.par_chunks(CHUNK))
        .for_each(|(found, pairs)| narrow_chunk(scene, pairs, found));
}

fn narrow_chunk(scene: &Scene, pairs: &[PairKey], found: &mut Found) {
    found.axis.clear();
    found.manifold_end.clear();
    found.manifolds.clear();
    let mut cursor = Cursor::new(&scene.last.pair_key, pairs[0]);
    for &key in pairs {
        let before = cursor.find(key);
        let (shape0, shape1) = pair_shapes(key);
        let [margin0, margin1] = [shape0, shape1].map(|shape| scene.model.shape_margin[shape]);
        let mut query = scene.query(key, before);
        query.limit += margin0 + margin1;
        let start = found.manifolds.len();
        let Found { manifolds, scratch, .. } = found;
        collide_pair(&scene.solid(shape0), &scene.solid(shape1), &mut query, scratch, &mut |manifold| {
            manifolds.push(manifold);
        });
        for manifold in &mut manifolds[start..] {
            add_skin(manifold, margin0, margin1);
        }
        found.axis.push(query.axis);
        found.manifold_end.push(found.manifolds.len() as u32);
    }
}

/// Moves the points from the surfaces to the skins around them.
fn add_skin(manifold: &mut Manifold, margin0: f64, margin1: f64) {
    for point in &mut manifold.points[..manifold.count] {
        point.position0 += manifold.normal * margin0;
        point.position1 -= manifold.normal * margin1;
        point.gap -= margin0 + margin1;
    }
}

impl Scene<'_> {
    fn solid(&self, shape: usize) -> Solid<'_> {
        Solid {
            shape: &self.model.shape_geometry[shape],
            mesh: self.table.mesh[shape].as_deref(),
            at: self.moving[shape].at,
        }
    }

    /// How far apart two shapes may be and still meet within the step.
    fn limit(&self, shape0: usize, shape1: usize) -> f64 {
        let (a, b) = (&self.moving[shape0], &self.moving[shape1]);
        self.margin + a.velocity.distance(b.velocity) * self.dt + a.stray + b.stray
    }

    pub fn thickness(&self, shape0: usize, shape1: usize) -> f64 {
        self.table.thickness[shape0].min(self.table.thickness[shape1])
    }

    /// How far a contact point may wander on both bodies within a step and be the same: a tenth of the
    /// thinner shape, and what the relative speed explains.
    pub fn reach(&self, shape0: usize, shape1: usize) -> f64 {
        let (a, b) = (&self.moving[shape0], &self.moving[shape1]);
        0.1 * self.thickness(shape0, shape1) + a.velocity.distance(b.velocity) * self.dt
    }

    fn query(&self, key: PairKey, before: Option<usize>) -> Query<'_> {
        let (shape0, shape1) = pair_shapes(key);
        let limit = self.limit(shape0, shape1);
        // Half a percent of the thickness is what a solver leaves as error anyway.
        let slack = 0.005 * self.thickness(shape0, shape1);
        let mut query = Query { limit, slack, axis: NO_AXIS, apart: false, anchors: Anchors::NONE };
        if let Some(pair) = before {
            query.axis = self.last.pair_axis[pair];
            query.anchors = self.anchors(pair, self.model.shape_body[shape0]);
            query.anchors.reach = self.reach(shape0, shape1);
        }
        query
    }

    /// The points of a pair that had one manifold in the step before.
    fn anchors(&self, pair: usize, body0: u32) -> Anchors<'_> {
        if self.last.manifolds(pair).len() != 1 {
            return Anchors::NONE;
        }
        let points = self.last.points(self.last_contacts, pair);
        let body = (body0 != WORLD).then(|| &self.state.body_q[body0 as usize]);
        Anchors { positions: &self.last.point_anchor0[points], body, reach: 0.0 }
    }

    pub fn body_point(&self, body: u32, world: DVec3) -> DVec3 {
        if body == WORLD { world } else { self.state.body_q[body as usize].inverse_transform_point(world) }
    }
}

/// Finds every point's predecessor.
pub(crate) fn match_contacts(scene: &Scene, found: &mut [Found]) {
    found.par_iter_mut().zip(scene.pairs.par_chunks(CHUNK)).for_each(|(found, pairs)| match_chunk(scene, pairs, found));
}

fn match_chunk(scene: &Scene, pairs: &[PairKey], found: &mut Found) {
    found.anchor0.clear();
    found.anchor1.clear();
    found.matches.clear();
    let mut cursor = Cursor::new(&scene.last.pair_key, pairs[0]);
    let mut start = 0;
    for (i, &key) in pairs.iter().enumerate() {
        let end = found.manifold_end[i] as usize;
        if end > start {
            let before = cursor.find(key);
            match_points(scene, key, before, start..end, found);
        }
        start = end;
    }
}

/// Puts the chunks together in order.
pub(crate) fn assemble(scene: &Scene, found: &[Found], out: &mut Contacts, now: &mut Memory) {
    clear(out);
    now.clear();
    out.point_start.push(0);
    now.pair_manifold.push(0);
    now.pair_key.extend_from_slice(scene.pairs);
    for (found, pairs) in found.iter().zip(scene.pairs.chunks(CHUNK)) {
        let base = out.manifold_count() as u32;
        now.pair_axis.extend_from_slice(&found.axis);
        now.point_anchor0.extend_from_slice(&found.anchor0);
        now.point_anchor1.extend_from_slice(&found.anchor1);
        out.point_match.extend_from_slice(&found.matches);
        let mut start = 0;
        for (&key, &end) in pairs.iter().zip(&found.manifold_end) {
            for manifold in &found.manifolds[start as usize..end as usize] {
                push_manifold(scene.model, key, manifold, out);
            }
            now.pair_manifold.push(base + end);
            start = end;
        }
    }
}

fn push_manifold(model: &Model, key: PairKey, manifold: &Manifold, out: &mut Contacts) {
    let (shape0, shape1) = pair_shapes(key);
    out.manifold_shape0.push(shape0 as u32);
    out.manifold_shape1.push(shape1 as u32);
    out.manifold_body0.push(model.shape_body[shape0]);
    out.manifold_body1.push(model.shape_body[shape1]);
    out.manifold_sub.push(manifold.sub);
    out.manifold_normal.push(manifold.normal);
    out.manifold_material.push(model.shape_material[shape0].mix(&model.shape_material[shape1]));
    for point in manifold.points() {
        out.point_position0.push(point.position0);
        out.point_position1.push(point.position1);
        out.point_gap.push(point.gap);
        out.point_feature.push(point.feature);
    }
    out.point_start.push(out.point_gap.len() as u32);
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
    contacts.point_start.clear();
    contacts.point_position0.clear();
    contacts.point_position1.clear();
    contacts.point_gap.clear();
    contacts.point_feature.clear();
    contacts.point_match.clear();
}
