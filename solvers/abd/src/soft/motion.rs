//! How far particles may go, what they touch there, and what the step leaves behind.

use drystone_geometry::ccd::Ccd;
use drystone_model::{DVec3, Model, State};
use drystone_solve::report::Report;
use rayon::prelude::*;

use super::super::affine::Affine;
use super::super::candidate_pair::ENOUGH;
use super::super::newton::Scale;
use super::super::surface::{Placed, Surface};
use super::super::touch::Touch;
use super::contact::{SoftContact, SoftFriction};
use super::features::Places;
use super::{Soft, Tie};

/// Pairs handed to a thread at a time.
const CHUNK: usize = 256;

/// A body counts for as many times the mass of a particle at most where the stiffness of a contact is chosen: it lies on many.
const MANY: f64 = 10.0;

/// Which of two places particles are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Here,
    Trial,
}

impl Soft {
    /// Takes Newton's step over from the nodes.
    pub fn take_step(&mut self, first: usize, solution: &[[f64; 3]]) {
        for (step, tie) in self.step.iter_mut().zip(&self.tie) {
            *step = match tie {
                Tie::Node(node) => DVec3::from_array(solution[*node as usize - first]),
                _ => DVec3::ZERO,
            };
        }
    }

    /// Slope of the energy along the step of the nodes, if their gradient is this \[J\]. Particles sewn together share a node.
    pub fn slope(&self, first: usize, gradient: &[[f64; 3]]) -> f64 {
        let lead = (0..self.tie.len()).filter(|&place| self.lead[place] as usize == place);
        let of = |place: usize| match self.tie[place] {
            Tie::Node(node) => self.step[place].dot(DVec3::from_array(gradient[node as usize - first])),
            _ => 0.0,
        };
        lead.map(of).sum()
    }

    /// The longest step of a particle \[m\].
    pub fn longest(&self) -> f64 {
        self.step.iter().map(|step| step.length()).fold(0.0, f64::max)
    }

    /// Takes a share of the step, with bodies at `q`.
    pub fn set_trial(&mut self, share: f64, q: &[Affine]) {
        for (place, tie) in self.tie.iter().enumerate() {
            self.trial[place] = match tie {
                Tie::Node(_) => self.here[place] + share * self.step[place],
                Tie::Fixed => self.here[place],
                Tie::Held(slot, rest) => q[*slot as usize].point(*rest),
            };
        }
    }

    /// Finds what may meet on the way from one place to another.
    pub fn find_near(&mut self, surface: &Surface, placed: [&Placed; 2], at: [At; 2], distance: f64) {
        let ways = at.map(|at| if at == At::Here { &self.here[..] } else { &self.trial[..] });
        self.near = self.features.near(surface, placed, ways, distance);
    }

    /// The share of the way from here to the trial that is free of collisions, among what was found near.
    pub fn free_share(&self, surface: &Surface, [from, to]: [&Placed; 2], scale: &Scale) -> f64 {
        let start = Places { body: &from.x, particle: &self.here };
        let end = Places { body: &to.x, particle: &self.trial };
        let enough = ENOUGH * scale.contact_distance;
        let ccd = |stencil: &[u32; 4], first: usize| Ccd {
            min_separation: self.features.separation(surface, stencil, first),
            enough,
            ..Ccd::default()
        };
        let features = &self.features;
        let still = |stencil: &[u32; 4]| stencil.iter().all(|&v| start.at(v) == end.at(v));
        let of_vertex = |pair: [u32; 2], before: f64| {
            let stencil = features.vertex_triangle(surface, pair);
            if still(&stencil) {
                return None;
            }
            let ends = [start, end].map(|place| stencil.map(|v| place.at(v)));
            Ccd { before, ..ccd(&stencil, 1) }.point_triangle(ends[0], ends[1])
        };
        let of_edges = |pair: [u32; 2], before: f64| {
            let stencil = features.edge_edge(surface, pair);
            if still(&stencil) {
                return None;
            }
            let ends = [start, end].map(|place| stencil.map(|v| place.at(v)));
            Ccd { before, ..ccd(&stencil, 2) }.edge_edge(ends[0], ends[1])
        };
        let of_plane = |&pair: &[u32; 2]| {
            let Some(separation) = features.plane_separation(surface, pair) else { return 1.0 };
            let plane = &surface.planes[pair[1] as usize];
            let [from, to] = [start, end].map(|place| plane.gap(place.at(pair[0])) - separation);
            let spare = ((1.0 - Ccd::default().boldness) * from).min(enough);
            if from - to > from - spare { ((from - spare) / (from - to)).max(0.0) } else { 1.0 }
        };
        let near = &self.near;
        let planes = near.vertex_plane.iter().map(of_plane).fold(1.0, f64::min);
        let by_vertices = least(&near.vertex_triangle, planes, of_vertex);
        least(&near.edge_edge, by_vertices, of_edges)
    }

    /// What touches, among what was found near.
    pub fn contacts_at(
        &self,
        surface: &Surface,
        placed: &Placed,
        at: At,
        body_mass: &[f64],
        scale: &Scale,
    ) -> Vec<SoftContact> {
        let particle = if at == At::Here { &self.here } else { &self.trial };
        let places = Places { body: &placed.x, particle };
        let (features, d_hat) = (&self.features, scale.contact_distance);
        let separation = |stencil: &[u32; 4], first: usize| features.separation(surface, stencil, first);
        let of_vertex = |&pair: &[u32; 2]| {
            let stencil = features.vertex_triangle(surface, pair);
            let kept = separation(&stencil, 1);
            let touch = Touch::of_vertex_and_triangle(stencil, pair[1], |v| places.at(v), d_hat + kept)?;
            Some((touch, kept))
        };
        let of_edges = |&pair: &[u32; 2]| {
            let stencil = features.edge_edge(surface, pair);
            let kept = separation(&stencil, 2);
            let rest = |v: u32| features.rest(surface, v);
            let touch = Touch::of_edges(stencil, pair, (|v| places.at(v), rest), d_hat + kept)?;
            Some((touch, kept))
        };
        let mut touches: Vec<(Touch, f64)> = sift(&self.near.vertex_triangle, of_vertex);
        touches.extend(sift(&self.near.edge_edge, of_edges));
        let mut contacts: Vec<SoftContact> = Vec::new();
        let mut merged: Vec<Touch> = Vec::new();
        let mut kept = Vec::new();
        for (touch, separation) in touches {
            let before = merged.len();
            touch.add_to(&mut merged);
            if merged.len() > before {
                kept.push(separation);
            }
        }
        contacts.extend(merged.iter().zip(kept).map(|(touch, kept)| SoftContact::new(touch, kept)));
        for &pair in &self.near.vertex_plane {
            let plane = &surface.planes[pair[1] as usize];
            let gap = plane.gap(places.at(pair[0]));
            if let Some(kept) = features.plane_separation(surface, pair).filter(|kept| gap < d_hat + kept) {
                let mut contact = SoftContact::on_plane(pair, plane.normal, gap, kept);
                contact.shape = [None, Some(plane.shape)];
                contacts.push(contact);
            }
        }
        contacts.iter_mut().for_each(|contact| self.weigh(surface, contact, body_mass));
        contacts
    }

    /// Gives a contact its mass.
    fn weigh(&self, surface: &Surface, contact: &mut SoftContact, body_mass: &[f64]) {
        let vertices = contact.stencil.iter().filter(|v| **v != super::contact::NONE);
        let light = vertices.clone().filter_map(|&v| self.features.particle(v));
        let light = light.map(|particle| self.contact_mass[particle as usize]).fold(0.0, f64::max);
        let slots = vertices.filter(|v| self.features.particle(**v).is_none());
        let heavy = slots.map(|&v| body_mass[surface.vertex_slot[v as usize] as usize]).fold(0.0, f64::max);
        contact.mass *= light.max(heavy.min(MANY * light));
        for (side, end) in [(0, 0), (1, 3)] {
            if contact.shape[side].is_none() && contact.stencil[end] != super::contact::NONE {
                contact.shape[side] = self.features.shape(surface, contact.stencil[end]);
            }
        }
    }

    /// Freezes friction at the loads of the contacts; `roughness` is the square root of the coefficient of every shape, `belt` how far
    /// its surface goes by itself \[m\].
    pub fn lag_friction(&mut self, scale: &Scale, roughness: &[f64], belt: &[DVec3]) {
        let Self { contacts, frictions, record, .. } = self;
        frictions.clear();
        for contact in contacts.iter_mut() {
            let of = |shape: Option<u32>| shape.map_or(self.roughness, |shape| roughness[shape as usize]);
            contact.friction = of(contact.shape[0]) * of(contact.shape[1]);
            if contact.friction > 0.0 {
                let way =
                    |shape: Option<u32>| shape.and_then(|shape| belt.get(shape as usize)).copied().unwrap_or_default();
                let known = record.slip.binary_search_by(|(id, _)| id.cmp(&contact.id));
                let known = known.map_or(DVec3::ZERO, |at| record.slip[at].1);
                let force = contact.load(scale.stiffness, scale.contact_distance);
                let belt = way(contact.shape[0]) - way(contact.shape[1]);
                frictions.push(SoftFriction::new(contact, force, belt, known));
            }
        }
    }

    /// Whether friction acts on particles.
    pub fn rubs(&self) -> bool {
        !self.frictions.is_empty()
    }

    /// Energy of everything about particles \[J\], with bodies at `q`, whose vertices were and are at `ways`, and these contacts.
    pub fn whole_energy(
        &self,
        at: At,
        q: &[Affine],
        ways: [&[DVec3]; 2],
        contacts: &[SoftContact],
        scale: &Scale,
    ) -> f64 {
        let x = if at == At::Here { &self.here } else { &self.trial };
        let (before, now) = (Places { body: ways[0], particle: &self.before }, Places { body: ways[1], particle: x });
        let barriers = contacts.iter().map(|contact| contact.energy(scale.stiffness, scale.contact_distance));
        let rubbed = self.frictions.iter().map(|friction| friction.energy(&before, &now, scale.edge));
        self.energy(x, q) + barriers.sum::<f64>() + rubbed.sum::<f64>()
    }

    /// Goes on from the trial, where these contacts are.
    pub fn accept(&mut self, contacts: Vec<SoftContact>) {
        self.contacts = contacts;
        std::mem::swap(&mut self.here, &mut self.trial);
    }

    /// Whether all particles are somewhere.
    pub fn is_finite(&self) -> bool {
        self.here.iter().all(|x| x.is_finite())
    }

    /// Writes positions and velocities into the state and remembers what friction holds; vertices of bodies were and are at `ways`.
    pub fn store(&mut self, state: &mut State, ways: [&[DVec3]; 2], edge: f64) {
        self.elements.evaluate(&self.here, self.h);
        for (place, &particle) in self.mesh.model.iter().enumerate() {
            let x = self.here[place];
            state.particle_q[particle as usize] = x;
            state.particle_qd[particle as usize] = (x - self.before[place]) / self.h;
        }
        let before = Places { body: ways[0], particle: &self.before };
        let now = Places { body: ways[1], particle: &self.here };
        self.record.slip.clear();
        self.record.slip.extend(self.frictions.iter().map(|friction| friction.memory(&before, &now, edge)));
        self.record.slip.sort_unstable_by_key(|(id, _)| *id);
        self.record.slip.dedup_by_key(|(id, _)| *id);
        self.record.left.clone_from(&state.particle_q);
    }

    /// Whether someone has moved particles since the last step.
    pub fn were_moved(&self, state: &State) -> bool {
        self.record.left != state.particle_q
    }

    /// Bodies that act on particles, each with the world in the last slot: they count as touched and held.
    pub fn touched_bodies(&self, surface: &Surface, world: u32) -> Vec<[u32; 2]> {
        let bodies = surface.vertex_slot.len();
        let stencils = self.contacts.iter().map(|c| c.stencil).chain(self.frictions.iter().map(|f| f.stencil));
        let touched = stencils.flatten().filter(|&v| (v as usize) < bodies).map(|v| surface.vertex_slot[v as usize]);
        let holders = self.tie.iter().filter_map(|tie| if let Tie::Held(slot, _) = tie { Some(*slot) } else { None });
        let bonds = self.bonds.iter().map(|bond| bond.slot);
        let mut slots: Vec<u32> = touched.chain(holders).chain(bonds).filter(|&slot| slot != world).collect();
        slots.sort_unstable();
        slots.dedup();
        slots.into_iter().map(|slot| [slot, world]).collect()
    }

    /// Adds what particles have to say.
    pub fn report(&self, q: &[Affine], report: &mut Report) {
        let strain = self.elements.strain();
        report.max_strain = strain.map(|[largest, _]| largest);
        report.mean_strain = strain.map(|[_, mean]| mean);
        report.inverted_count = Some(self.elements.inverted() as u32);
        report.elastic_energy = Some(self.elements.stored_energy(&self.here) + self.bond_energy(&self.here, q));
        report.contact_count += self.contacts.len();
        let nearest = self.contacts.iter().map(|contact| contact.distance).reduce(f64::min);
        report.min_distance = [report.min_distance, nearest].into_iter().flatten().reduce(f64::min);
    }

    /// What is cut by what, in words.
    pub fn crossings(&mut self, model: &Model, surface: &Surface, placed: &Placed, state: &State) -> Option<String> {
        let x: Vec<DVec3> = self.mesh.model.iter().map(|&particle| state.particle_q[particle as usize]).collect();
        let found = self.features.crossings(surface, placed, &x);
        let &(shape, place, _) = found.first()?;
        let particle = self.mesh.model[place as usize];
        let other = shape.map_or("other particles".into(), |shape| super::super::start::name(model, shape as usize));
        Some(format!(
            "{} edges, triangles or particles; first, what particle {particle} is part of and {other}",
            found.len()
        ))
    }

    /// The deepest crossing where particles are \[m\].
    pub fn deepest(&mut self, surface: &Surface, placed: &Placed) -> f64 {
        let Self { features, here, .. } = self;
        features.crossings(surface, placed, here).into_iter().map(|(_, _, depth)| depth).fold(0.0, f64::max)
    }

    /// Parts that are nearer than the separation they keep, in words.
    pub fn too_near(&mut self, model: &Model, surface: &Surface, placed: &Placed) -> Option<String> {
        self.find_near(surface, [placed; 2], [At::Here; 2], 0.0);
        let places = Places { body: &placed.x, particle: &self.here };
        let of = |pair: &[u32; 2], first: usize| {
            let features = &self.features;
            let stencil =
                if first == 1 { features.vertex_triangle(surface, *pair) } else { features.edge_edge(surface, *pair) };
            let [a, b, c, d] = stencil.map(|v| places.at(v));
            let squared = match first {
                1 => drystone_geometry::distance::point_triangle::distance_squared(a, [b, c, d]),
                _ => drystone_geometry::distance::edge_edge::distance_squared([a, b], [c, d]),
            };
            let kept = features.separation(surface, &stencil, first);
            (squared.sqrt() <= kept * (1.0 + 1e-12)).then_some((stencil, squared.sqrt(), kept))
        };
        let pairs = self.near.vertex_triangle.iter().map(|pair| (pair, 1));
        let pairs = pairs.chain(self.near.edge_edge.iter().map(|pair| (pair, 2)));
        let (stencil, distance, kept) = pairs.filter_map(|(pair, first)| of(pair, first)).next()?;
        let particle =
            stencil.iter().find_map(|&v| self.features.particle(v)).map(|place| self.mesh.model[place as usize])?;
        let shape = stencil.iter().find_map(|&v| self.features.shape(surface, v));
        let other = shape.map_or("other particles".into(), |shape| super::super::start::name(model, shape as usize));
        Some(format!("what particle {particle} is part of is {distance:.3e} m from {other} and keeps {kept:.3e} m"))
    }

    /// Where particles are in a state.
    pub fn place(&mut self, state: &State) {
        for (place, &particle) in self.mesh.model.iter().enumerate() {
            self.here[place] = state.particle_q[particle as usize];
        }
    }
}

/// The least time over all candidates, at most `most`. None is followed beyond the least time known, and what is found before that
/// does not depend on it.
fn least(candidates: &[[u32; 2]], most: f64, time: impl Fn([u32; 2], f64) -> Option<f64> + Sync) -> f64 {
    let of = |part: &[[u32; 2]]| {
        part.iter().fold(most, |least, &pair| time(pair, least).map_or(least, |found| found.min(least)))
    };
    if candidates.len() <= CHUNK {
        return of(candidates);
    }
    candidates.par_chunks(CHUNK).map(of).reduce(|| most, f64::min)
}

/// What is found for candidates, in their order.
fn sift<T: Send>(candidates: &[[u32; 2]], find: impl Fn(&[u32; 2]) -> Option<T> + Send + Sync) -> Vec<T> {
    if candidates.len() <= CHUNK {
        return candidates.iter().filter_map(find).collect();
    }
    candidates.par_iter().with_min_len(CHUNK).filter_map(find).collect()
}
