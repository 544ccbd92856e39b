//! A step of the particles.

mod balance;
mod plain;
mod sweep;

use drystone_model::{BodyKind, DVec3, Model, State, WORLD};
use drystone_solve::parallel;

use crate::air::Air;
use crate::carrier::Carriers;
use crate::conjugate::Conjugate;
use crate::elements::Elements;
use crate::guard::{Guard, Ways};
use crate::hierarchy::Hierarchy;
use crate::islands::Islands;
use crate::matrix::Matrix;
use crate::mesh::Mesh;
use crate::momentum::{Floating, Motion};
use crate::penalty::{Pieces, leaders, tied_masses};
use crate::relax::Relax;
use crate::stops::{Stop, Stops};
use crate::touch::{Piece, Scale, Touch, Touches};

/// How particles are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftOptions {
    /// Linearisations of a step.
    pub sweeps: u32,
    /// Multigrid cycles per linearisation.
    pub cycles: u32,
}

pub use plain::Plain;

impl Default for SoftOptions {
    fn default() -> Self {
        Self { sweeps: 3, cycles: 2 }
    }
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sweep {
    /// Largest move of a particle \[m\].
    pub moved: f64,
    /// Share of the step that was taken: less than one if the whole would have gone uphill.
    pub taken: f64,
}

/// The piece of every particle.
fn pieces(model: &Model, mesh: &Mesh, leader: &[u32], mass: &[f64]) -> Vec<Piece> {
    let tied = tied_masses(model, mesh, leader);
    let mut sum: Vec<Piece> = tied.into_iter().map(|tied| Piece { mass: 0.0, tied, held: false }).collect();
    for (node, &leader) in leader.iter().enumerate() {
        sum[leader as usize].mass += mass[node];
        sum[leader as usize].held |= mesh.neighbours[node].iter().any(|&other| other as usize >= mesh.free);
    }
    let moves = |body: u32| body != WORLD && model.body_kind[body as usize] == BodyKind::Dynamic;
    for index in 0..model.attachment_particle.len() {
        if model.attachment_other[index] == WORLD && !moves(model.attachment_body[index]) {
            sum[leader[mesh.here[model.attachment_particle[index] as usize] as usize] as usize].held = true;
        }
    }
    leader.iter().map(|&leader| sum[leader as usize]).collect()
}

/// How much of a push a particle will follow, by what it followed in the step before: all of it in free fall, none at rest.
fn expected(before: DVec3, push: DVec3) -> DVec3 {
    let share = before.dot(push) / push.length_squared();
    if share.is_finite() { push * share.clamp(0.0, 1.0) } else { DVec3::ZERO }
}

/// What is nearer to where it was stopped than this share of its radius is still there.
const AT_STOP: f64 = 0.01;

/// What a user asks of the particles in a step, by the model's index.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Force on every particle \[N\].
    pub force: &'a [DVec3],
    /// Where particles are led to, whatever pulls at them \[m\]; none goes by forces. May be shorter than the particles.
    pub target: &'a [Option<DVec3>],
    /// Velocity of the air of every world \[m/s\]; worlds beyond have air at rest.
    pub wind: &'a [DVec3],
}

/// What contacts add to products with the matrix.
#[derive(Clone, Copy)]
pub struct Contact<'a> {
    pub touches: &'a Touches,
    pub carriers: &'a Carriers,
    pub stops: &'a Stops,
}

/// Particles, elements, and the system they make.
#[derive(Clone, Debug)]
pub struct Soft {
    pub(crate) mesh: Mesh,
    pub(crate) elements: Elements,
    pieces: Pieces,
    floating: Floating,
    /// Particles against bodies.
    pub touches: Touches,
    /// What they may not pass through of each other.
    pub guard: Guard,
    /// Bodies that move with them.
    pub carriers: Carriers,
    /// Particles, of those with mass, that do not go by forces in this step: led by the user or taken out.
    held: Vec<bool>,
    /// What the guard stopped in this step.
    stops: Stops,
    relax: Relax,
    /// Descent as published instead of all that: particle by particle.
    pub plain: Option<Plain>,
    /// Particles taken out because their numbers stopped being finite.
    pub(crate) frozen: Vec<bool>,
    /// Those of this step, by the model's index.
    newly_frozen: Vec<u32>,
    matrix: Matrix,
    hierarchy: Hierarchy,
    conjugate: Conjugate,
    mass: Vec<f64>,
    /// The piece of every particle.
    piece: Vec<Piece>,
    air: Air,
    /// What resists a change of velocity in this step \[kg\]: mass, and the air where it is felt.
    inertial: Vec<f64>,
    /// Where particles are, were, and would be without elements, in the mesh's order \[m\].
    x: Vec<DVec3>,
    before: Vec<DVec3>,
    aim: Vec<DVec3>,
    tried: Vec<DVec3>,
    v: Vec<DVec3>,
    /// Acceleration of the step before \[m/s²\].
    pub(crate) acceleration: Vec<DVec3>,
    /// Minus the gradient, and the step.
    push: Vec<DVec3>,
    step: Vec<DVec3>,
    h: f64,
    /// What goes up or down together; found by the first sweep of a step.
    islands: Islands,
    fresh: bool,
    leader: Vec<u32>,
    /// Where a sweep began \[m\].
    origin: Vec<DVec3>,
    ledger: Ledger,
    /// Of the islands.
    drift: Vec<DVec3>,
}

/// Energies by island \[J\].
#[derive(Clone, Debug, Default)]
struct Ledger {
    /// At the start of the step, moving and stored.
    start: Vec<f64>,
    /// Where a sweep began, where it is tried to go, and what a linear step promises.
    from: Vec<f64>,
    to: Vec<f64>,
    promised: Vec<f64>,
    /// Share of the linear step that bodies took.
    taken: Vec<f64>,
    /// What contacts do at most while they part, and what may move in the end.
    parted: Vec<f64>,
    budget: Vec<f64>,
    /// Of single elements.
    each: Vec<f64>,
}

impl Soft {
    /// The particles of a model.
    pub fn new(model: &Model) -> Self {
        let mesh = Mesh::new(model);
        let free = |list: &Vec<u32>| list.iter().copied().filter(|&node| (node as usize) < mesh.free).collect();
        let pattern: Vec<Vec<u32>> = mesh.neighbours[..mesh.free].iter().map(free).collect();
        let matrix = Matrix::new(&pattern);
        let elements = Elements::new(model, &mesh, &matrix);
        let zero = vec![DVec3::ZERO; mesh.free];
        let rest = mesh.rest.clone();
        let mass: Vec<f64> = mesh.model.iter().map(|&particle| model.particle_mass[particle as usize]).collect();
        let leader = leaders(&mesh);
        Self {
            pieces: Pieces::new(model, &mesh, &elements),
            floating: Floating::new(&mesh, &leader),
            piece: pieces(model, &mesh, &leader, &mass),
            hierarchy: Hierarchy::new(&mesh, &matrix),
            touches: Touches::default(),
            guard: Guard::default(),
            carriers: Carriers::default(),
            held: vec![false; mesh.free],
            stops: Stops::default(),
            relax: Relax::default(),
            plain: None,
            frozen: vec![false; mesh.model.len()],
            newly_frozen: Vec::new(),
            conjugate: Conjugate::default(),
            inertial: mass.clone(),
            mass,
            air: Air::new(model),
            x: rest.clone(),
            before: rest.clone(),
            aim: rest.clone(),
            tried: rest,
            v: zero.clone(),
            acceleration: zero.clone(),
            push: zero.clone(),
            step: zero,
            h: 0.0,
            islands: Islands::new(&mesh, &leader),
            fresh: true,
            leader,
            origin: Vec::new(),
            ledger: Ledger::default(),
            drift: Vec::new(),
            mesh,
            elements,
            matrix,
        }
    }

    /// Begins a step of `h` seconds: where particles would go under gravity and what the user asks. A particle with a number that is
    /// not finite is taken out, where it was last.
    pub fn predict(&mut self, model: &Model, state: &State, asked: &Asked, h: f64) {
        self.h = h;
        self.fresh = true;
        self.stops.clear();
        self.newly_frozen.clear();
        if !self.air.is_still() {
            self.air.blow(&self.mesh, state, asked.wind);
        }
        for place in 0..self.mesh.model.len() {
            let particle = self.mesh.model[place] as usize;
            let (q, qd, force) = (state.particle_q[particle], state.particle_qd[particle], asked.force[particle]);
            let target = asked.target.get(particle).copied().flatten();
            let sound = q.is_finite() && qd.is_finite() && force.is_finite() && target.is_none_or(|q| q.is_finite());
            if !sound && !self.frozen[place] {
                self.freeze(place);
            }
            let frozen = self.frozen[place];
            let at = if q.is_finite() { q } else { self.x[place] };
            self.before[place] = at;
            let drifted = match target {
                _ if frozen => at,
                Some(target) => target,
                None => at + h * qd,
            };
            (self.aim[place], self.x[place]) = (drifted, drifted);
            if place < self.mesh.free {
                self.held[place] = frozen || target.is_some();
                self.v[place] = if self.held[place] { DVec3::ZERO } else { qd };
                if !self.held[place] {
                    let gravity = model.world_gravity[model.particle_world[particle] as usize];
                    let mut pushed = gravity + force / self.mass[place];
                    if let Some(&(blown, damping)) = self.air.push.get(place) {
                        self.inertial[place] = self.mass[place] + h * damping;
                        pushed = (self.mass[place] * pushed + blown) / self.inertial[place];
                    }
                    self.aim[place] = drifted + h * h * pushed;
                    self.x[place] = drifted + h * h * expected(self.acceleration[place], pushed);
                }
            }
        }
        self.elements.begin(&self.before);
        match &mut self.plain {
            Some(plain) => plain.begin(),
            None => self.pieces.harden(&mut self.elements, h),
        }
    }

    /// Lays down the contacts of the step, of particles by the mesh's index; bodies have these masses by slot \[kg\].
    pub fn touch(&mut self, touches: impl Iterator<Item = Touch>, gravity: f64, body_mass: &dyn Fn(u32) -> f64) {
        let scale = Scale { mass: &self.mass, piece: &self.piece, free: self.mesh.free, gravity, h: self.h };
        self.touches.begin(touches, &self.before, &scale, body_mass);
        self.floating.regroup(&self.touches, &self.held);
    }

    /// Stops particles short of each other. Returns whether one was stopped.
    pub fn stop(&mut self) -> bool {
        if self.guard.is_idle() {
            return false;
        }
        let ([from, to], led) = (self.ways(), self.led());
        let Self { guard, mesh, x, stops, .. } = self;
        let ends = guard.ends(&Ways { from: &from, to: &to, led: &led });
        mesh.here.iter().zip(ends).for_each(|(&place, &end)| x[place as usize] = end);
        stops.note(guard.halted().map(|(particle, end, way, radius)| Stop {
            particle: mesh.here[particle as usize],
            way,
            bound: way.dot(end),
            near: AT_STOP * radius,
        }));
        guard.halted().next().is_some()
    }

    /// Where every particle was at the start of the step and where it is now, by the model's index \[m\].
    pub fn ways(&self) -> [Vec<DVec3>; 2] {
        [&self.before, &self.x].map(|list| self.mesh.here.iter().map(|&at| list[at as usize]).collect())
    }

    /// Which particles go where they are told, by the model's index: pinned, led or taken out.
    pub fn led(&self) -> Vec<bool> {
        self.mesh.here.iter().map(|&at| self.held.get(at as usize).copied().unwrap_or(true)).collect()
    }

    /// Mean distance at rest of a particle from those it shares an element with, by its index here \[m\]; infinite if it has none.
    pub fn mean_edge(&self, place: u32) -> f64 {
        let near = &self.mesh.neighbours[place as usize];
        let rest = |node: u32| self.mesh.rest[node as usize];
        let sum: f64 = near.iter().map(|&other| rest(place).distance(rest(other))).sum();
        if near.is_empty() { f64::INFINITY } else { sum / near.len() as f64 }
    }

    /// Index here of a particle of the model.
    pub fn place(&self, particle: u32) -> u32 {
        self.mesh.here[particle as usize]
    }

    /// Takes a particle out.
    fn freeze(&mut self, place: usize) {
        self.frozen[place] = true;
        self.newly_frozen.push(self.mesh.model[place]);
        if let Some(acceleration) = self.acceleration.get_mut(place) {
            *acceleration = DVec3::ZERO;
        }
        self.forget_loads();
    }

    /// Forgets what elements and contacts carry.
    fn forget_loads(&mut self) {
        self.elements.forget();
        self.touches.forget();
    }

    /// Forgets the history of the particles of a world, and what was taken out of it.
    pub fn reset_world(&mut self, model: &Model, world: u32) {
        for place in 0..self.mesh.model.len() {
            if model.particle_world[self.mesh.model[place] as usize] == world {
                self.frozen[place] = false;
                if let Some(acceleration) = self.acceleration.get_mut(place) {
                    *acceleration = DVec3::ZERO;
                }
            }
        }
        self.forget_loads();
    }

    /// Particles that were taken out in this step, by the model's index, ascending.
    pub fn newly_frozen(&self) -> &[u32] {
        &self.newly_frozen
    }

    /// Moves the multipliers of the contacts to the forces where particles and bodies are: after bodies have followed a sweep.
    pub fn update_touches(&mut self) {
        self.touches.update_multipliers(&self.x);
    }

    /// Counts what the contacts pushed with when their multipliers were last moved among the forces from outside: pieces that float
    /// then have the momentum that bodies gave them, to rounding.
    pub fn settle(&mut self) {
        let scale = self.h * self.h;
        for touch in self.touches.all() {
            // What particles push each other with does not move them as a whole.
            if touch.ground.body.is_none() {
                continue;
            }
            for (row, weight) in touch.corners().map(|(particle, weight)| (particle as usize, weight)) {
                if row < self.mesh.free {
                    self.aim[row] += touch.force() * (weight * scale / self.inertial[row]);
                }
            }
        }
    }

    /// Puts positions and velocities into the state.
    pub fn finish(&mut self, state: &mut State) {
        self.floating.regroup(&self.touches, &self.held);
        self.floating.shift(&self.inertial, &self.aim, &mut self.x);
        // That may carry a piece into another.
        self.stop();
        if self.keep_balance() {
            self.stop();
        }
        let Self { floating, elements, inertial, x, before, aim, v, h, fresh, ledger, islands, .. } = self;
        parallel::each(v, |row, v| *v = (x[row] - before[row]) / *h);
        let budget = |node: u32| if *fresh { f64::INFINITY } else { ledger.budget[islands.of(node as usize)] };
        floating.turn(elements, &Motion { mass: inertial, before, aim, x, h: *h }, budget, v);
        self.keep_budget();
        for place in 0..self.mesh.model.len() {
            let v = self.v.get(place).copied();
            if !self.x[place].is_finite() || v.is_some_and(|v| !v.is_finite()) {
                self.x[place] = self.before[place];
                self.freeze(place);
            }
            let particle = self.mesh.model[place] as usize;
            state.particle_q[particle] = self.x[place];
            if self.frozen[place] {
                state.particle_qd[particle] = DVec3::ZERO;
            } else if let Some(v) = v {
                self.acceleration[place] = (v - state.particle_qd[particle]) / self.h;
                state.particle_qd[particle] = v;
            }
        }
        self.newly_frozen.sort_unstable();
    }

    /// Energy of the elements where the particles are \[J\], multipliers aside.
    pub fn elastic_energy(&self) -> f64 {
        self.elements.stored_energy(&self.x)
    }

    /// Deepest overlap of a particle and a body \[m\].
    pub fn deepest(&self) -> f64 {
        self.touches.deepest(&self.x)
    }

    /// Smallest distance between parts of the surface that have a contact, where the particles are \[m\].
    pub fn closest_approach(&self) -> Option<f64> {
        self.touches.closest_approach(&self.x)
    }

    /// The elements, for what is told of them.
    pub fn elements(&self) -> &Elements {
        &self.elements
    }
}
