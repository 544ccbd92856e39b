//! The surfaces of what is made of particles, beside those of bodies: triangles, the edges of triangles and strings, and particles.
//!
//! Vertices, edges and triangles of bodies come first in a common numbering, those of particles follow. Trees lie over the features
//! of particles and follow them on their ways; features of bodies look for what is near in them.

use std::ops::Range;

use drystone_collide::FollowingTree;
use drystone_geometry::distance::triangle_triangle::edge_meets;
use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_geometry::{Aabb, DVec3};
use drystone_model::{Model, WORLD};
use drystone_soft::Mesh;
use rayon::prelude::*;

use super::super::surface::{Placed, Surface};

/// Features handed to a thread at a time.
const CHUNK: usize = 128;

/// Parts of a surface keep at most this share of their distance at rest.
const OF_REST: f64 = 0.5;

/// Where all vertices are.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// Vertices of bodies \[m\].
    pub body: &'a [DVec3],
    /// Particles by the mesh's index \[m\].
    pub particle: &'a [DVec3],
}

impl Places<'_> {
    /// Where a vertex is \[m\].
    #[inline]
    pub fn at(&self, vertex: u32) -> DVec3 {
        let vertex = vertex as usize;
        match vertex.checked_sub(self.body.len()) {
            None => self.body[vertex],
            Some(particle) => self.particle[particle],
        }
    }
}

/// Pairs of features that may come near each other, by the common numbers, sorted.
#[derive(Clone, Debug, Default)]
pub struct SoftCandidates {
    pub vertex_triangle: Vec<[u32; 2]>,
    pub edge_edge: Vec<[u32; 2]>,
    /// Particles by the common number, and half-spaces.
    pub vertex_plane: Vec<[u32; 2]>,
}

/// What holds a particle: a body by its slot, or nothing.
pub const LOOSE: u32 = u32::MAX;

/// Features of particles and what they may meet.
#[derive(Debug, Default)]
pub struct Features {
    /// Numbers of vertices, edges and triangles of bodies.
    bodies: [u32; 3],
    /// Particles on surfaces and strings, and those by themselves.
    vertices: Vec<u32>,
    edges: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
    /// Trees over the three.
    trees: [FollowingTree; 3],
    /// Edges and triangles of every shape of a body.
    shape_edges: Vec<Range<u32>>,
    shape_triangles: Vec<Range<u32>>,
    /// World of every shape; none for one that particles do not meet.
    shape_world: Vec<Option<u32>>,
    world: Vec<u32>,
    radius: Vec<f64>,
    rest: Vec<DVec3>,
    /// The first of the particles that every particle is sewn to.
    lead: Vec<u32>,
    /// Slot of the body that holds every particle firmly.
    pub holder: Vec<u32>,
    /// Largest separation of a particle from anything \[m\].
    reach: f64,
    /// Whether particles may touch each other.
    self_contact: bool,
}

/// Ranges of a list of features that belong to shape after shape.
fn by_shape(shapes: usize, of: impl Iterator<Item = u32>) -> Vec<Range<u32>> {
    let mut ranges = vec![0..0; shapes];
    for (index, shape) in (0..).zip(of) {
        let range = &mut ranges[shape as usize];
        *range = if *range == (0..0) { index..index + 1 } else { range.start..index + 1 };
    }
    ranges
}

impl Features {
    pub fn new(model: &Model, surface: &Surface, mesh: &Mesh, lead: &[u32], self_contact: bool) -> Self {
        let here = |particle: u32| mesh.here[particle as usize];
        let stencils = &surface.stencils;
        let triangles: Vec<[u32; 3]> = model.triangle_particle.iter().map(|t| t.map(here)).collect();
        let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let strings = model.spring_particle.iter().map(|ends| ends.map(here));
        let mut edges: Vec<[u32; 2]> = sides.chain(strings).map(sorted).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut outside = vec![true; mesh.model.len()];
        model.tet_particle.iter().flatten().for_each(|&particle| outside[here(particle) as usize] = false);
        edges.iter().flatten().for_each(|&particle| outside[particle as usize] = true);
        let vertices = (0..mesh.model.len() as u32).filter(|&particle| outside[particle as usize]).collect();
        let meets = |shape: usize| {
            let open = model.shape_mask[shape] != 0 && model.shape_group[shape] != 0 && model.is_solid(shape);
            open.then_some(model.shape_world[shape])
        };
        let shape_of = |vertex: u32| stencils.vertex_shape[vertex as usize];
        let radius: Vec<f64> = mesh.model.iter().map(|&p| model.particle_radius[p as usize]).collect();
        let thickest = radius.iter().copied().fold(0.0, f64::max);
        let widest = surface.margin.iter().copied().fold(thickest, f64::max);
        let counts = [stencils.vertex_rest.len(), stencils.edge_vertex.len(), stencils.triangle_vertex.len()];
        Self {
            bodies: counts.map(|count| count as u32),
            vertices,
            edges,
            triangles,
            trees: Default::default(),
            shape_edges: by_shape(model.shape_count(), stencils.edge_vertex.iter().map(|e| shape_of(e[0]))),
            shape_triangles: by_shape(model.shape_count(), stencils.triangle_vertex.iter().map(|t| shape_of(t[0]))),
            shape_world: (0..model.shape_count()).map(meets).collect(),
            world: mesh.model.iter().map(|&p| model.particle_world[p as usize]).collect(),
            radius,
            rest: mesh.rest.clone(),
            lead: lead.to_vec(),
            holder: vec![LOOSE; mesh.model.len()],
            reach: thickest + widest,
            self_contact,
        }
    }

    /// The particle of a vertex, if it is one.
    #[inline]
    pub fn particle(&self, vertex: u32) -> Option<u32> {
        vertex.checked_sub(self.bodies[0])
    }

    /// Number of a particle among the vertices.
    pub fn vertex(&self, particle: u32) -> u32 {
        self.bodies[0] + particle
    }

    /// Corners of a triangle by the common numbers.
    pub fn corners(&self, surface: &Surface, triangle: u32) -> [u32; 3] {
        match triangle.checked_sub(self.bodies[2]) {
            None => surface.stencils.triangle_vertex[triangle as usize],
            Some(own) => self.triangles[own as usize].map(|particle| self.vertex(particle)),
        }
    }

    /// Ends of an edge by the common numbers.
    pub fn ends(&self, surface: &Surface, edge: u32) -> [u32; 2] {
        match edge.checked_sub(self.bodies[1]) {
            None => surface.stencils.edge_vertex[edge as usize],
            Some(own) => self.edges[own as usize].map(|particle| self.vertex(particle)),
        }
    }

    /// A vertex and the corners of a triangle.
    pub fn vertex_triangle(&self, surface: &Surface, [vertex, triangle]: [u32; 2]) -> [u32; 4] {
        let [a, b, c] = self.corners(surface, triangle);
        [vertex, a, b, c]
    }

    /// The ends of two edges.
    pub fn edge_edge(&self, surface: &Surface, pair: [u32; 2]) -> [u32; 4] {
        let [[a, b], [c, d]] = pair.map(|edge| self.ends(surface, edge));
        [a, b, c, d]
    }

    /// The shape of a vertex, if it is one of a body.
    pub fn shape(&self, surface: &Surface, vertex: u32) -> Option<u32> {
        self.particle(vertex).is_none().then(|| surface.stencils.vertex_shape[vertex as usize])
    }

    fn meets_shape(&self, surface: &Surface, particles: &[u32], shape: usize) -> bool {
        let slot = surface.shape_slot[shape];
        let own = |&vertex: &u32| vertex - self.bodies[0];
        self.shape_world[shape] == Some(self.world[own(&particles[0]) as usize])
            && !particles.iter().any(|vertex| self.holder[own(vertex) as usize] == slot)
    }

    /// Whether the two sides of a stencil, `first` of its vertices being one, may touch: they share no particle, and no body holds one
    /// of the other side.
    pub fn may_meet(&self, surface: &Surface, stencil: &[u32; 4], first: usize) -> bool {
        let (one, other) = stencil.split_at(first);
        match [one, other].map(|side| self.shape(surface, side[0])) {
            [None, None] => {
                let particle = |vertex: &u32| (vertex - self.bodies[0]) as usize;
                let lead = |vertex: &u32| self.lead[particle(vertex)];
                let apart = one.iter().all(|a| other.iter().all(|b| lead(a) != lead(b)));
                let holder = self.holder[particle(&one[0])];
                let bound = holder != LOOSE && stencil.iter().all(|v| self.holder[particle(v)] == holder);
                self.self_contact && apart && !bound && self.world[particle(&one[0])] == self.world[particle(&other[0])]
            }
            [None, Some(shape)] => self.meets_shape(surface, one, shape as usize),
            [Some(shape), None] => self.meets_shape(surface, other, shape as usize),
            [Some(_), Some(_)] => false,
        }
    }

    /// The distance that the two sides keep at least \[m\]: their thickness, but no more than half of what it is at rest between parts
    /// of particles. Nothing is thicker than its mesh is fine.
    pub fn separation(&self, surface: &Surface, stencil: &[u32; 4], first: usize) -> f64 {
        let thickness = |side: &[u32]| match self.shape(surface, side[0]) {
            Some(shape) => surface.margin[shape as usize],
            None => side.iter().map(|v| self.radius[(v - self.bodies[0]) as usize]).fold(0.0, f64::max),
        };
        let (one, other) = stencil.split_at(first);
        let whole = thickness(one) + thickness(other);
        if whole == 0.0 || stencil.iter().any(|&vertex| self.particle(vertex).is_none()) {
            return whole;
        }
        let [a, b, c, d] = stencil.map(|vertex| self.rest[(vertex - self.bodies[0]) as usize]);
        let squared = match first {
            1 => point_triangle::distance_squared(a, [b, c, d]),
            _ => edge_edge::distance_squared([a, b], [c, d]),
        };
        whole.min(OF_REST * squared.sqrt())
    }

    /// The distance that a particle keeps from a half-space \[m\]; none if they do not meet.
    pub fn plane_separation(&self, surface: &Surface, [vertex, plane]: [u32; 2]) -> Option<f64> {
        let shape = surface.planes[plane as usize].shape as usize;
        let particle = (vertex - self.bodies[0]) as usize;
        let meets = self.meets_shape(surface, &[vertex], shape);
        meets.then(|| self.radius[particle] + surface.margin[shape])
    }

    /// Where a vertex of the rest shape is, for how long edges are.
    pub fn rest(&self, surface: &Surface, vertex: u32) -> DVec3 {
        match self.particle(vertex) {
            Some(particle) => self.rest[particle as usize],
            None => surface.vertex_rest[vertex as usize],
        }
    }

    /// All pairs of features, one of particles at least, that may come within `distance` beyond their separation while everything goes
    /// straight from one place to another.
    pub fn near(
        &mut self,
        surface: &Surface,
        [from, to]: [&Placed; 2],
        ways: [&[DVec3]; 2],
        distance: f64,
    ) -> SoftCandidates {
        let reach = distance + self.reach;
        let swept = |particle: u32| {
            let [a, b] = ways.map(|x| x[particle as usize]);
            Aabb::new(a.min(b), a.max(b))
        };
        let Self { vertices, edges, triangles, trees, .. } = self;
        trees[0].fit(vertices.iter().map(|&v| swept(v)));
        trees[1].fit(edges.iter().map(|ends| swept(ends[0]).union(swept(ends[1]))));
        trees[2].fit(triangles.iter().map(|t| swept(t[0]).union(swept(t[1])).union(swept(t[2]))));
        let all = trees[0].tree().bounds().inflated(reach);
        let mut found = self.among_particles(surface, reach);
        for shape in (0..self.shape_world.len()).filter(|&shape| self.shape_world[shape].is_some()) {
            let bounds = from.bounds[shape].union(to.bounds[shape]);
            if !surface.shape_vertices[shape].is_empty() && bounds.overlaps(&all) {
                self.beside_shape(surface, shape, [from, to], (reach, &all), &mut found);
            }
        }
        let planes =
            surface.planes.iter().zip(0..).filter(|(plane, _)| self.shape_world[plane.shape as usize].is_some());
        for (plane, number) in planes {
            for (&particle, bounds) in self.vertices.iter().zip(self.trees[0].boxes()) {
                let lowest = plane.gap(bounds.center()) - plane.normal.abs().dot(0.5 * bounds.extent());
                if lowest <= reach * (1.0 + 1e-9) {
                    found.vertex_plane.push([self.vertex(particle), number]);
                }
            }
        }
        found
    }

    /// Features of particles near each other.
    fn among_particles(&self, surface: &Surface, reach: f64) -> SoftCandidates {
        let [bodies_vertices, bodies_edges, bodies_triangles] = self.bodies;
        if !self.self_contact {
            return SoftCandidates::default();
        }
        let of_vertex = |(&particle, bounds): (&u32, &Aabb), near: &mut Vec<[u32; 2]>| {
            let vertex = bodies_vertices + particle;
            self.trees[2].tree().overlaps(&bounds.inflated(reach), |triangle| {
                let pair = [vertex, bodies_triangles + triangle];
                if self.may_meet(surface, &self.vertex_triangle(surface, pair), 1) {
                    near.push(pair);
                }
            });
        };
        let of_edge = |(edge, bounds): (usize, &Aabb), near: &mut Vec<[u32; 2]>| {
            self.trees[1].tree().overlaps(&bounds.inflated(reach), |other| {
                let pair = [edge as u32, other].map(|edge| bodies_edges + edge);
                if other > edge as u32 && self.may_meet(surface, &self.edge_edge(surface, pair), 2) {
                    near.push(pair);
                }
            });
        };
        let vertices: Vec<(&u32, &Aabb)> = self.vertices.iter().zip(self.trees[0].boxes()).collect();
        let edges: Vec<(usize, &Aabb)> = self.trees[1].boxes().iter().enumerate().collect();
        SoftCandidates {
            vertex_triangle: gather(&vertices, of_vertex),
            edge_edge: gather(&edges, of_edge),
            vertex_plane: Vec::new(),
        }
    }

    /// Features of a shape of a body near those of particles.
    fn beside_shape(
        &self,
        surface: &Surface,
        shape: usize,
        [from, to]: [&Placed; 2],
        (reach, all): (f64, &Aabb),
        found: &mut SoftCandidates,
    ) {
        let [bodies_vertices, bodies_edges, bodies_triangles] = self.bodies;
        let stencils = &surface.stencils;
        let swept = |vertices: &[u32]| {
            let points = vertices.iter().flat_map(|&v| [from.x[v as usize], to.x[v as usize]]);
            Aabb::from_points(points).inflated(reach)
        };
        let of_vertex = |vertex: u32, near: &mut Vec<[u32; 2]>| {
            let bounds = swept(&[vertex]);
            if bounds.overlaps(all) {
                self.trees[2].tree().overlaps(&bounds, |triangle| near.push([vertex, bodies_triangles + triangle]));
            }
        };
        let of_triangle = |triangle: u32, near: &mut Vec<[u32; 2]>| {
            let bounds = swept(&stencils.triangle_vertex[triangle as usize]);
            if bounds.overlaps(all) {
                let tree = self.trees[0].tree();
                tree.overlaps(&bounds, |own| near.push([bodies_vertices + self.vertices[own as usize], triangle]));
            }
        };
        let of_edge = |edge: u32, near: &mut Vec<[u32; 2]>| {
            let bounds = swept(&stencils.edge_vertex[edge as usize]);
            if bounds.overlaps(all) {
                self.trees[1].tree().overlaps(&bounds, |own| near.push([edge, bodies_edges + own]));
            }
        };
        let list = |range: &Range<u32>| range.clone().collect::<Vec<u32>>();
        let vertices = &surface.shape_vertices[shape];
        let vertices: Vec<u32> = (vertices.start as u32..vertices.end as u32).collect();
        let points = [gather(&vertices, of_vertex), gather(&list(&self.shape_triangles[shape]), of_triangle)].concat();
        let meets = |pair: &[u32; 2]| self.may_meet(surface, &self.vertex_triangle(surface, *pair), 1);
        found.vertex_triangle.extend(points.into_iter().filter(meets));
        let meets = |pair: &[u32; 2]| self.may_meet(surface, &self.edge_edge(surface, *pair), 2);
        found.edge_edge.extend(gather(&list(&self.shape_edges[shape]), of_edge).into_iter().filter(meets));
    }

    /// What cuts through what: the body's shape (none for particles), a particle, and how deep an end of an edge or a particle is \[m\].
    pub fn crossings(&mut self, surface: &Surface, placed: &Placed, x: &[DVec3]) -> Vec<(Option<u32>, u32, f64)> {
        let near = self.near(surface, [placed; 2], [x; 2], 0.0);
        let at = Places { body: &placed.x, particle: x };
        let sunk = near.vertex_plane.iter().filter_map(|&pair| {
            let separation = self.plane_separation(surface, pair)?;
            let plane = &surface.planes[pair[1] as usize];
            let gap = plane.gap(at.at(pair[0]));
            let depth = (separation - gap).max(f64::MIN_POSITIVE);
            (gap <= separation).then_some((Some(plane.shape), pair[0] - self.bodies[0], depth))
        });
        let mut found: Vec<(Option<u32>, u32, f64)> = sunk.collect();
        let mut test = |edge: u32, triangle: u32| {
            let (ends, corners) = (self.ends(surface, edge), self.corners(surface, triangle));
            let stencil = [ends[0], ends[1], corners[0], corners[1]];
            let meets = self.may_meet(surface, &stencil, 2)
                && self.may_meet(surface, &[corners[2], corners[1], ends[0], ends[1]], 2);
            let (line, face) = (ends.map(|v| at.at(v)), corners.map(|v| at.at(v)));
            if meets && edge_meets(line, face) {
                let normal = (face[1] - face[0]).cross(face[2] - face[0]).normalize_or_zero();
                let depth = line.map(|end| normal.dot(end - face[0]).abs());
                let shape = self.shape(surface, ends[0]).or(self.shape(surface, corners[0]));
                let particle = ends.iter().chain(&corners).find_map(|&vertex| self.particle(vertex));
                found.push((shape, particle.unwrap_or_default(), depth[0].min(depth[1]).max(f64::MIN_POSITIVE)));
            }
        };
        let [_, bodies_edges, bodies_triangles] = self.bodies;
        for (edge, bounds) in (0..).zip(self.trees[1].boxes()) {
            if self.self_contact {
                self.trees[2].tree().overlaps(bounds, |t| test(bodies_edges + edge, bodies_triangles + t));
            }
        }
        let all = self.trees[0].tree().bounds();
        let near_shape = |shape: &usize| self.shape_world[*shape].is_some() && placed.bounds[*shape].overlaps(&all);
        for shape in (0..self.shape_world.len()).filter(near_shape) {
            for triangle in self.shape_triangles[shape].clone() {
                let bounds = Aabb::from_points(self.corners(surface, triangle).map(|v| at.at(v)));
                self.trees[1].tree().overlaps(&bounds, |edge| test(bodies_edges + edge, triangle));
            }
            for edge in self.shape_edges[shape].clone() {
                let bounds = Aabb::from_points(self.ends(surface, edge).map(|v| at.at(v)));
                self.trees[2].tree().overlaps(&bounds, |triangle| test(edge, bodies_triangles + triangle));
            }
        }
        found.sort_by_key(|&(shape, particle, _)| (shape, particle));
        found
    }
}

/// What is found for each of a list of items, in their order and sorted for each.
fn gather<T: Sync + Copy>(items: &[T], find: impl Fn(T, &mut Vec<[u32; 2]>) + Sync) -> Vec<[u32; 2]> {
    let of = |items: &[T]| {
        let mut found = Vec::new();
        for &item in items {
            let first = found.len();
            find(item, &mut found);
            found[first..].sort_unstable();
        }
        found
    };
    if items.len() <= CHUNK {
        return of(items);
    }
    items.par_chunks(CHUNK).map(of).collect::<Vec<_>>().concat()
}

/// The first of the particles that every particle is sewn to, by the mesh's index.
pub fn leads(model: &Model, mesh: &Mesh) -> Vec<u32> {
    let mut lead: Vec<u32> = (0..mesh.model.len() as u32).collect();
    for (&one, &other) in model.attachment_particle.iter().zip(&model.attachment_other) {
        if other != WORLD {
            drystone_solve::graph::union::unite(&mut lead, mesh.here[one as usize], mesh.here[other as usize]);
        }
    }
    drystone_solve::graph::union::flatten(&mut lead);
    lead
}
