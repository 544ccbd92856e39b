//! Particles in the same Newton solve as bodies: soft bodies, cloth, strings, and what holds them.
//!
//! Elements are those of `drystone_soft`, with all of their stiffness at once. A particle moves by itself, is pinned, is a point of the
//! body that holds it, or is in the place of one it is sewn to. One that is led is as heavy as a kinematic body.

mod contact;
mod features;
mod motion;
mod multigrid;
mod system;

use drystone_geometry::Aabb;
use drystone_kernels::elementary::powi;
use drystone_model::{Control, DMat3, DVec3, Meeting, Model, State, WORLD};
use drystone_soft::{Air, Elements, Matrix, Mesh};
use drystone_solve::graph::union;
use drystone_solve::solver::Unsupported;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::affine::Affine;
use super::newton::Scale;
use super::surface::Surface;
use super::touch::Id;
pub use contact::{SoftContact, SoftFriction};
use features::{Features, Places, SoftCandidates};
pub use motion::At;
pub use system::{OfBodies, Parts, SoftSystem};

/// A particle counts as held where it is if it is no further from the point that holds it than this share of the size of the model.
const IN_PLACE: f64 = 1e-6;

/// What a particle's place follows from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tie {
    /// It is an unknown: this node, counted after those of bodies.
    Node(u32),
    /// It stays where it is.
    Fixed,
    /// A point of the body in this slot, from its centre of mass at rest \[m\].
    Held(u32, DVec3),
}

/// An attachment that gives way.
#[derive(Clone, Copy, Debug)]
struct Bond {
    particle: u32,
    slot: u32,
    rest: DVec3,
    /// \[N/m\]
    stiffness: f64,
}

/// What contacts of particles have slipped and not yet given way, by what is in contact, sorted \[m\].
pub type SlipMemory = Vec<(Id, DVec3)>;

/// What particles remember from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoftRecord {
    slip: SlipMemory,
    /// Where the last step left every particle of the model \[m\].
    left: Vec<DVec3>,
}

/// The particles of a model.
#[derive(Debug)]
pub struct Soft {
    pub mesh: Mesh,
    pub elements: Elements,
    matrix: Matrix,
    air: Air,
    pub features: Features,
    /// Mass \[kg\], zero for what is pinned.
    mass: Vec<f64>,
    lead: Vec<u32>,
    /// Body and point that holds every particle firmly.
    hold: Vec<Option<(u32, DVec3)>>,
    bonds: Vec<Bond>,
    /// Mean mass of the particles of every particle's piece: what contacts are stiffened by \[kg\].
    contact_mass: Vec<f64>,
    /// What stands for a particle that is led \[kg\].
    heavy: f64,
    tie: Vec<Tie>,
    /// Number of the particles that are unknowns, and the first of their nodes.
    nodes: usize,
    first_node: u32,
    /// What resists a change of velocity in this step \[kg\].
    inertia: Vec<f64>,
    aim: Vec<DVec3>,
    pub before: Vec<DVec3>,
    pub here: Vec<DVec3>,
    pub trial: Vec<DVec3>,
    /// Newton's step of every particle that is a node \[m\].
    pub step: Vec<DVec3>,
    pub contacts: Vec<SoftContact>,
    pub frictions: Vec<SoftFriction>,
    /// What may meet on the way looked at last.
    near: SoftCandidates,
    pub record: SoftRecord,
    /// Coefficient of friction of particles, as its square root.
    roughness: f64,
    h: f64,
}

/// Contacts that are no work for another thread.
const FEW: usize = 32;

/// A kinematic particle counts as this many times heavier than the heaviest.
const LED_WEIGHT: f64 = 1e6;

impl Soft {
    /// The particles of a model, if it has some; refuses what cannot be honoured.
    pub fn new(
        model: &Model,
        surface: &Surface,
        friction: f64,
        self_contact: bool,
    ) -> Result<Option<Self>, Unsupported> {
        let count = model.particle_count();
        if count == 0 {
            return Ok(None);
        }
        refuse_surfaces(model)?;
        let mesh = Mesh::whole(model);
        let matrix = Matrix::new(&mesh.neighbours);
        let lead = features::leads(model, &mesh);
        let mut soft = Self {
            elements: Elements::new(model, &mesh, &matrix),
            matrix,
            air: Air::new(model),
            features: Features::new(model, surface, &mesh, &lead, self_contact),
            mass: mesh.model.iter().map(|&p| model.particle_mass[p as usize]).collect(),
            lead,
            hold: vec![None; count],
            bonds: Vec::new(),
            contact_mass: mean_masses(model, &mesh),
            heavy: LED_WEIGHT * heaviest(model),
            tie: vec![Tie::Fixed; count],
            nodes: 0,
            first_node: 0,
            inertia: vec![0.0; count],
            aim: mesh.rest.clone(),
            before: mesh.rest.clone(),
            here: mesh.rest.clone(),
            trial: mesh.rest.clone(),
            step: vec![DVec3::ZERO; count],
            contacts: Vec::new(),
            frictions: Vec::new(),
            near: SoftCandidates::default(),
            record: SoftRecord::default(),
            roughness: friction.max(0.0).sqrt(),
            h: 1.0,
            mesh,
        };
        soft.attach(model)?;
        Ok(Some(soft))
    }

    /// Takes attachments over. What is held firmly starts where it is held.
    fn attach(&mut self, model: &Model) -> Result<(), Unsupported> {
        let size = self.mesh.rest.iter().fold(0.0_f64, |most, x| most.max(x.abs().max_element()));
        let refused = |reason: String, remedy: &str| Err(Unsupported { solver: "abd", reason, remedy: remedy.into() });
        for index in 0..model.attachment_particle.len() {
            let (particle, other) = (model.attachment_particle[index], model.attachment_other[index]);
            let here = self.mesh.here[particle as usize];
            let at = model.particle_q[particle as usize];
            if other != WORLD {
                let gap = at.distance(model.particle_q[other as usize]);
                if gap > IN_PLACE * size {
                    return refused(
                        format!("particles {particle} and {other} are sewn together and start {gap:.1e} m apart"),
                        "put them in one place, or use `vbd`, which draws seams shut",
                    );
                }
                continue;
            }
            let (body, point) = (model.attachment_body[index], model.attachment_point[index]);
            let (slot, rest, held) = match model.body_q.get(body as usize) {
                Some(pose) => (body, point - model.body_com[body as usize], pose.transform_point(point)),
                None => (model.body_count() as u32, point, point),
            };
            let stiffness = model.attachment_stiffness[index];
            if stiffness.is_finite() {
                self.bonds.push(Bond { particle: here, slot, rest, stiffness });
                continue;
            }
            let gap = at.distance(held);
            if gap > IN_PLACE * size {
                return refused(
                    format!("particle {particle} is held firmly and starts {gap:.1e} m from where it is held"),
                    "put it there, give the attachment a stiffness, or use `vbd`, which draws it there",
                );
            }
            let first = self.lead[here as usize];
            for sewn in (0..self.lead.len()).filter(|&sewn| self.lead[sewn] == first) {
                if self.hold[sewn].is_some_and(|(known, _)| known != slot) {
                    return refused(
                        format!("particle {particle} is held firmly by two bodies"),
                        "let one body hold it, or give one attachment a stiffness",
                    );
                }
                self.hold[sewn] = Some((slot, rest));
                self.features.holder[sewn] = slot;
            }
        }
        if let Some(spring) = model.spring_stiffness.iter().position(|stiffness| stiffness.is_infinite()) {
            return refused(format!("spring {spring} cannot stretch"), "give it a stiffness, or use `vbd`");
        }
        Ok(())
    }

    /// Notes where the particles are and where they would go by themselves, in a step of `h` seconds. `moves` tells which bodies are
    /// unknowns.
    pub fn predict(&mut self, model: &Model, state: &State, control: &Control, moves: &[bool], h: f64) {
        self.h = h;
        if !self.air.is_still() {
            self.air.blow(&self.mesh, state, &control.world_wind);
        }
        let mut led = vec![false; self.tie.len()];
        let mut pinned = led.clone();
        for place in 0..self.tie.len() {
            let particle = self.mesh.model[place] as usize;
            let (q, qd) = (state.particle_q[particle], state.particle_qd[particle]);
            let target = control.particle_target.get(particle).copied().flatten();
            let first = self.lead[place] as usize;
            led[first] |= target.is_some();
            pinned[first] |= self.mass[place] == 0.0;
            self.before[place] = q;
            self.inertia[place] = self.mass[place];
            self.aim[place] = match target {
                Some(target) => {
                    self.inertia[place] = self.heavy;
                    target
                }
                None if self.mass[place] == 0.0 => q,
                None => {
                    let gravity = model.world_gravity[model.particle_world[particle] as usize];
                    let mut pushed = self.mass[place] * gravity + control.particle_f[particle];
                    if let Some(&(blown, damping)) = self.air.push.get(place) {
                        self.inertia[place] += h * damping;
                        pushed += blown;
                    }
                    q + h * qd + h * h / self.inertia[place] * pushed
                }
            };
        }
        self.nodes = 0;
        self.first_node = 4 * moves.iter().filter(|moves| **moves).count() as u32;
        for place in 0..self.tie.len() {
            let first = self.lead[place] as usize;
            self.tie[place] = match self.hold[place] {
                // The first of those sewn together comes before the others.
                _ if first != place => self.tie[first],
                _ if led[first] => self.next_node(),
                _ if pinned[first] => Tie::Fixed,
                Some((slot, rest)) if moves[slot as usize] => Tie::Held(slot, rest),
                Some(_) => Tie::Fixed,
                None => self.next_node(),
            };
        }
        self.here.clone_from(&self.before);
        self.trial.clone_from(&self.before);
        self.elements.begin(&self.before);
    }

    /// Diagonals of the boxes around all pieces at rest \[m\].
    pub fn sizes(&self) -> Vec<f64> {
        let mut boxes = vec![Aabb::EMPTY; self.mesh.rest.len()];
        for (place, &piece) in pieces(&self.mesh).iter().enumerate() {
            boxes[piece as usize] = boxes[piece as usize].grown_to(self.mesh.rest[place]);
        }
        let sizes = boxes.iter().filter(|all| !all.is_empty()).map(|all| all.extent().length());
        sizes.filter(|&size| size > 0.0).collect()
    }

    /// The shortest edge at rest \[m\]; infinite without edges.
    pub fn shortest_edge(&self) -> f64 {
        let rest = |node: u32| self.mesh.rest[node as usize];
        let edges = (0..).zip(&self.mesh.edges).flat_map(|(a, others)| others.iter().map(move |&b| (a, b)));
        edges.map(|(a, b)| rest(a).distance(rest(b))).filter(|&length| length > 0.0).fold(f64::INFINITY, f64::min)
    }

    fn next_node(&mut self) -> Tie {
        self.nodes += 1;
        Tie::Node(self.first_node + self.nodes as u32 - 1)
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// What a particle is the sum of.
    fn parts_of_particle(&self, place: usize, node: impl Fn(u32) -> Option<usize>) -> Parts {
        match self.tie[place] {
            Tie::Node(own) => Parts::node(own),
            Tie::Fixed => Parts::default(),
            Tie::Held(slot, rest) => node(slot).map_or_else(Parts::default, |body| Parts::of_body(body, rest)),
        }
    }

    /// What a vertex is the sum of.
    fn parts(&self, surface: &Surface, vertex: u32, node: impl Fn(u32) -> Option<usize>) -> Parts {
        match self.features.particle(vertex) {
            Some(particle) => self.parts_of_particle(particle as usize, node),
            None => {
                let (slot, rest) = (surface.vertex_slot[vertex as usize], surface.vertex_rest[vertex as usize]);
                node(slot).map_or_else(Parts::default, |body| Parts::of_body(body, rest))
            }
        }
    }

    /// Inertia, elements and soft attachments: energy \[J\].
    pub fn energy(&self, x: &[DVec3], q: &[Affine]) -> f64 {
        let scale = 0.5 / powi(self.h, 2);
        let moving = (0..x.len()).filter(|&place| self.tie[place] != Tie::Fixed);
        let inertia: f64 =
            moving.map(|place| scale * self.inertia[place] * x[place].distance_squared(self.aim[place])).sum();
        inertia + self.elements.energy(x, self.h) + self.bond_energy(x, q)
    }

    /// Energy of attachments that give way \[J\].
    pub fn bond_energy(&self, x: &[DVec3], q: &[Affine]) -> f64 {
        let held = |bond: &Bond| {
            let off = x[bond.particle as usize] - q[bond.slot as usize].point(bond.rest);
            0.5 * bond.stiffness * off.length_squared()
        };
        self.bonds.iter().map(held).sum()
    }

    /// Adds the same, and contacts and friction, to gradient and matrix where everything is; vertices of bodies were and are at `ways`.
    pub fn assemble(
        &mut self,
        surface: &Surface,
        (q, ways): (&[Affine], [&[DVec3]; 2]),
        scale: &Scale,
        node: impl Fn(u32) -> Option<usize> + Copy,
        (system, mut of): (&mut SoftSystem, OfBodies),
    ) {
        self.elements.evaluate(&self.here, self.h);
        let inverse = 1.0 / powi(self.h, 2);
        let Self { elements, matrix, .. } = self;
        drystone_solve::parallel::by_row(&matrix.start, &mut matrix.value, &|row, blocks| {
            blocks.fill(DMat3::ZERO);
            elements.add_row(row, blocks);
        });
        let all: Vec<Parts> = (0..self.tie.len()).map(|place| self.parts_of_particle(place, node)).collect();
        for (place, point) in all.iter().enumerate() {
            let inertia = self.inertia[place] * inverse;
            let mut gradient = inertia * (self.here[place] - self.aim[place]);
            self.elements.add_forces(place, &mut gradient);
            system.add_gradient(&mut of, point, gradient);
            let range = self.matrix.row(place);
            for (block, &column) in self.matrix.value[range.clone()].iter().zip(&self.matrix.column[range]) {
                if column as usize == place {
                    system.add_own(&mut of, point, &(*block + DMat3::from_diagonal(DVec3::splat(inertia))));
                } else if column as usize > place {
                    system.add_between(&mut of, point, &all[column as usize], block);
                }
            }
        }
        for bond in &self.bonds {
            let off = self.here[bond.particle as usize] - q[bond.slot as usize].point(bond.rest);
            let body = node(bond.slot).map_or_else(Parts::default, |body| Parts::of_body(body, bond.rest));
            let (own, block) = (&all[bond.particle as usize], DMat3::from_diagonal(DVec3::splat(bond.stiffness)));
            system.add_gradient(&mut of, own, bond.stiffness * off);
            system.add_gradient(&mut of, &body, -bond.stiffness * off);
            system.add_own(&mut of, own, &block);
            system.add_own(&mut of, &body, &block);
            system.add_between(&mut of, own, &body, &(-block));
        }
        let before = Places { body: ways[0], particle: &self.before };
        let now = Places { body: ways[1], particle: &self.here };
        let of_contact = |c: &SoftContact| (c.stencil, c.local(scale.stiffness, scale.contact_distance));
        let of_friction = |f: &SoftFriction| (f.stencil, f.local(&before, &now, scale.edge));
        let contacts = self.contacts.par_iter().with_min_len(FEW).map(of_contact);
        let frictions = self.frictions.par_iter().with_min_len(FEW).map(of_friction);
        let locals: Vec<_> = contacts.chain(frictions).collect();
        for (stencil, local) in &locals {
            let parts = stencil.map(|vertex| match vertex {
                contact::NONE => Parts::default(),
                vertex => self.parts(surface, vertex, node),
            });
            for k in 0..4 {
                system.add_gradient(&mut of, &parts[k], local.gradient[k]);
                system.add_own(&mut of, &parts[k], &local.block[k][k]);
                for l in k + 1..4 {
                    system.add_between(&mut of, &parts[k], &parts[l], &local.block[k][l]);
                }
            }
        }
        if system.is_iterative() {
            let first = self.first_node;
            let mut place = vec![0; self.nodes];
            for (at, tie) in self.tie.iter().enumerate().rev() {
                if let Tie::Node(node) = tie {
                    place[(node - first) as usize] = at as u32;
                }
            }
            system.precondition(&self.mesh, &self.matrix, &place);
        }
    }
}

/// The heaviest particle or body that moves by forces \[kg\].
fn heaviest(model: &Model) -> f64 {
    let dynamic = |body: &usize| model.body_kind[*body] == drystone_model::BodyKind::Dynamic;
    let bodies = (0..model.body_count()).filter(dynamic).map(|body| model.body_mass[body]);
    let most = model.particle_mass.iter().copied().chain(bodies).fold(0.0, f64::max);
    if most > 0.0 { most } else { 1.0 }
}

/// Mean mass of the particles of the piece of every particle, by the mesh's index \[kg\]; that of all where a piece has none.
fn mean_masses(model: &Model, mesh: &Mesh) -> Vec<f64> {
    let piece = pieces(mesh);
    let mass = |place: usize| model.particle_mass[mesh.model[place] as usize];
    let mut sum = vec![(0.0, 0.0); piece.len()];
    let mut whole = (0.0, 0.0);
    for (place, &piece) in piece.iter().enumerate().filter(|(place, _)| mass(*place) > 0.0) {
        for (total, count) in [&mut sum[piece as usize], &mut whole] {
            *total += mass(place);
            *count += 1.0;
        }
    }
    let mean = |(total, count): (f64, f64)| if count > 0.0 { total / count } else { 1.0 };
    let of = |&piece: &u32| if sum[piece as usize].1 > 0.0 { mean(sum[piece as usize]) } else { mean(whole) };
    piece.iter().map(of).collect()
}

/// The first particle of the piece of every particle, by the mesh's index.
fn pieces(mesh: &Mesh) -> Vec<u32> {
    let mut piece: Vec<u32> = (0..mesh.model.len() as u32).collect();
    for (place, others) in (0..).zip(&mesh.neighbours) {
        others.iter().for_each(|&other| union::unite(&mut piece, place, other));
    }
    union::flatten(&mut piece);
    piece
}

#[cfg(test)]
mod tests;

/// Refuses friction of single particles, and what they are told not to meet.
fn refuse_surfaces(model: &Model) -> Result<(), Unsupported> {
    let refused = |reason: String, remedy: &str| Err(Unsupported { solver: "abd", reason, remedy: remedy.into() });
    if let Some(particle) = model.particle_friction.iter().position(Option::is_some) {
        return refused(
            format!("particle {particle} has a friction of its own"),
            "leave it out and set the option `particle_friction`, which all have, or use `vbd`",
        );
    }
    if !Meeting::new(model).is_empty() {
        return refused(
            "some particles are in groups or filtered, and all meet all here".into(),
            "leave groups, masks and filters of particles out, or use `vbd`",
        );
    }
    Ok(())
}
