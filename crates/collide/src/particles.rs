//! Particles against shapes: which can touch within a step, and by which plane.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::{Aabb, DVec3, Pose, Projection, Ray};
use drystone_model::{Model, State, WORLD};
use drystone_parallel::Shared;
use rayon::prelude::*;

use crate::CHUNK;
use crate::bounds::Moving;
use crate::pipeline::Collide;
use crate::shapes::{ShapeTable, is_unbounded};

/// A particle near a shape: the plane through the point of the surface that will be nearest if it goes on as it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleContact {
    /// The particle.
    pub particle: u32,
    /// The shape.
    pub shape: u32,
    /// Out of the shape, world frame.
    pub normal: DVec3,
    /// From the plane, skin included, to the ball around the particle \[m\]; negative beyond it.
    pub gap: f64,
    /// How deep the ball is in the shape where it is now \[m\]; not negative.
    pub overlap: f64,
}

/// The surface turns by no more than this between two planes of a contact, as the cosine: further round it is another face.
const SAME_FACE: f64 = 0.5;

/// What is asked of every particle, and of the triangles and edges between them.
pub(crate) struct Search<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub table: &'a ShapeTable,
    pub moving: &'a [Moving],
    /// Over the boxes of shapes that have one, and the shape of every item.
    pub tree: Bvh,
    pub item: Vec<u32>,
    unbounded: Vec<u32>,
    pub dt: f64,
}

impl Collide {
    /// Replaces `out` by the contacts of particles with shapes that can come about within `dt` seconds, by particle and shape. Shapes are
    /// where the last detection had them.
    pub fn particle_contacts(&self, model: &Model, state: &State, dt: f64, out: &mut Vec<ParticleContact>) {
        out.clear();
        if model.particle_count() == 0 || model.shape_count() == 0 {
            return;
        }
        let search = Search::new(model, state, &self.table, &self.moving, dt);
        in_pieces(model.particle_count(), out, |particle, near, found| search.particle(particle, near, found));
    }

    /// Signed distance from a shape, where the last detection had it, to a point of the world \[m\].
    pub fn project_on(&self, model: &Model, shape: usize, point: DVec3) -> Projection {
        let at = &self.moving[shape].at;
        let local = project(&self.table, model, shape, at.local_point(point));
        Projection { point: at.point(local.point), normal: at.vector(local.normal), distance: local.distance }
    }
}

/// Asks about `count` items piece by piece, the same pieces for any number of threads, and adds what is found in their order.
pub(crate) fn in_pieces<T: Send>(
    count: usize,
    out: &mut Vec<T>,
    ask: impl Fn(usize, &mut Vec<u32>, &mut Vec<T>) + Sync,
) {
    let piece = |piece: usize| {
        let (mut found, mut near) = (Vec::new(), Vec::new());
        (piece * CHUNK..((piece + 1) * CHUNK).min(count)).for_each(|item| ask(item, &mut near, &mut found));
        found
    };
    let pieces: Vec<Vec<T>> = (0..count.div_ceil(CHUNK)).into_par_iter().shared(1).map(piece).collect();
    out.extend(pieces.into_iter().flatten());
}

impl<'a> Search<'a> {
    pub fn new(model: &'a Model, state: &'a State, table: &'a ShapeTable, moving: &'a [Moving], dt: f64) -> Self {
        let meets = |shape: &u32| {
            let shape = *shape as usize;
            let open = model.shape_mask[shape] != 0 && model.shape_group[shape] != 0;
            open && model.is_solid(shape) && !moving[shape].bounds.is_empty()
        };
        let unlimited = |shape: &u32| is_unbounded(&model.shape_geometry[*shape as usize]);
        let (unbounded, item): (Vec<u32>, Vec<u32>) =
            (0..model.shape_count() as u32).filter(meets).partition(unlimited);
        let boxes: Vec<Aabb> = item.iter().map(|&shape| moving[shape as usize].bounds).collect();
        Self { model, state, table, moving, tree: Bvh::build(&boxes), item, unbounded, dt }
    }

    fn particle(&self, particle: usize, near: &mut Vec<u32>, found: &mut Vec<ParticleContact>) {
        let Self { model, state, dt, .. } = *self;
        let (q, qd) = (state.particle_q[particle], state.particle_qd[particle]);
        if !q.is_finite() || !qd.is_finite() {
            return;
        }
        let world = model.particle_world[particle];
        let radius = model.particle_radius[particle];
        let fall = model.world_gravity[world as usize].length() * dt * dt;
        let reach = Aabb::new(q.min(q + dt * qd), q.max(q + dt * qd)).inflated(radius + fall);
        near.clear();
        near.extend_from_slice(&self.unbounded);
        self.tree.overlaps(&reach, |item| near.push(self.item[item as usize]));
        near.sort_unstable();
        for &shape in near.iter() {
            if model.shape_world[shape as usize] == world
                && model.agrees_with_shape(particle, shape as usize)
                && let Some((normal, gap, overlap)) = self.plane(shape as usize, q, qd, radius, fall)
            {
                found.push(ParticleContact { particle: particle as u32, shape, normal, gap, overlap });
            }
        }
    }

    /// Normal, gap and overlap, if the particle can get there in time.
    fn plane(&self, shape: usize, q: DVec3, qd: DVec3, radius: f64, fall: f64) -> Option<(DVec3, f64, f64)> {
        let moving = &self.moving[shape];
        let local = moving.at.local_point(q);
        let nearest = project(self.table, self.model, shape, local);
        let thick = radius + moving.skin;
        let gap = nearest.distance - thick;
        let path = moving.at.local_vector(qd - self.velocity_at(shape, q)) * self.dt;
        let approach = -nearest.normal.dot(path);
        if gap > approach.max(0.0) + fall + moving.stray {
            return None;
        }
        // A plane far away also stops what would pass beside the shape.
        let across = (path + nearest.normal * approach).length();
        if gap > thick + fall && across > gap && !self.reaches(shape, local, path, thick) {
            return None;
        }
        let plane = self.plane_ahead(shape, local, path, nearest);
        let ahead = plane.normal.dot(local - plane.point) - thick;
        Some((moving.at.vector(plane.normal), ahead, (-gap).max(0.0)))
    }

    /// The nearest point where a path leads, both in the frame of the shape: along a round surface the plane of the start is too high by the
    /// square of the way. That of the start where the surface has an edge between.
    fn plane_ahead(&self, shape: usize, from: DVec3, path: DVec3, nearest: Projection) -> Projection {
        let ahead = project(self.table, self.model, shape, from + path);
        let apart = ahead.normal.dot(nearest.point - ahead.point);
        let convex = apart <= 0.0 && ahead.normal.dot(nearest.normal) > SAME_FACE;
        if convex { ahead } else { nearest }
    }

    /// Whether a path, both in the frame of the shape, leads to the shape.
    fn reaches(&self, shape: usize, from: DVec3, path: DVec3, thick: f64) -> bool {
        if project(self.table, self.model, shape, from + path).distance <= thick {
            return true;
        }
        let ray = Ray::new(from, path);
        match self.table.mesh[shape].as_ref().and_then(|table| table.solid()) {
            Some(mesh) => mesh.cast_ray(&ray, 1.0).is_some(),
            None => self.model.shape_geometry[shape].cast_ray(&Pose::identity(), &ray, 1.0).is_some(),
        }
    }

    pub fn velocity_at(&self, shape: usize, point: DVec3) -> DVec3 {
        match self.model.shape_body[shape] {
            WORLD => DVec3::ZERO,
            body => self.state.body_qd[body as usize].at(self.model.body_centre(self.state, body), point),
        }
    }
}

/// The nearest point of the surface of a shape, in its frame.
pub(crate) fn project(table: &ShapeTable, model: &Model, shape: usize, point: DVec3) -> Projection {
    match table.mesh[shape].as_ref().and_then(|mesh| mesh.solid()) {
        Some(mesh) => mesh.project(point).0,
        None => model.shape_geometry[shape].project(&Pose::identity(), point),
    }
}
