//! A step of the particles.

mod plain;

use drystone_geometry::DMat3;
use drystone_model::{BodyKind, DVec3, Model, State, WORLD};
use drystone_solve::parallel;

use crate::air::Air;
use crate::carrier::Carriers;
use crate::conjugate::Conjugate;
use crate::elements::Elements;
use crate::guard::{Guard, Ways};
use crate::hierarchy::Hierarchy;
use crate::matrix::{Matrix, dot};
use crate::mesh::Mesh;
use crate::momentum::{Floating, Motion};
use crate::penalty::{Pieces, leaders};
use crate::relax::{self, Relax};
use crate::stops::{Stop, Stops};
use crate::touch::{Scale, Touch, Touches};

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

/// Mass of the piece of every particle \[kg\], and whether a pin or an attachment to what does not move by forces holds it.
fn pieces(model: &Model, mesh: &Mesh, leader: &[u32], mass: &[f64]) -> Vec<(f64, bool)> {
    let mut sum = vec![(0.0, false); leader.len()];
    for (node, &leader) in leader.iter().enumerate() {
        sum[leader as usize].0 += mass[node];
        sum[leader as usize].1 |= mesh.neighbours[node].iter().any(|&other| other as usize >= mesh.free);
    }
    let moves = |body: u32| body != WORLD && model.body_kind[body as usize] == BodyKind::Dynamic;
    for index in 0..model.attachment_particle.len() {
        if model.attachment_other[index] == WORLD && !moves(model.attachment_body[index]) {
            sum[leader[mesh.here[model.attachment_particle[index] as usize] as usize] as usize].1 = true;
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
/// Halvings of a step before it is given up.
const HALVINGS: u32 = 12;
/// Part of the promised descent that a step must bring.
const DESCENT: f64 = 1e-4;

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
    /// Mass of the piece of every particle \[kg\], and whether something holds it that does not move by forces.
    piece: Vec<(f64, bool)>,
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
            mesh,
            elements,
            matrix,
        }
    }

    /// Begins a step of `h` seconds: where particles would go under gravity and what the user asks. A particle with a number that is
    /// not finite is taken out, where it was last.
    pub fn predict(&mut self, model: &Model, state: &State, asked: &Asked, h: f64) {
        self.h = h;
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

    /// Stops particles short of each other.
    pub fn stop(&mut self) {
        if self.guard.is_idle() {
            return;
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

    /// One linearisation, its system solved by a few cycles, and the multipliers moved.
    pub fn sweep(&mut self, cycles: u32) -> Sweep {
        if self.plain.is_some() {
            return self.sweep_plainly();
        }
        self.elements.evaluate(&self.x, self.h);
        self.touches.carry_all(|touch| self.carriers.carried(touch, 0.0));
        self.touches.linearise(&self.x);
        self.differentiate();
        self.carriers.list(&self.touches);
        self.carriers.prepare(&self.touches, self.mesh.free, &mut self.push);
        let bars = |row: usize| !self.floating.hangs_on_bodies(row);
        self.stops.bar(&self.x, &self.push, &self.held, bars);
        self.stops.project(&mut self.push);
        self.assemble();
        self.hierarchy.update(&self.matrix);
        let system = (&self.matrix, Contact { touches: &self.touches, carriers: &self.carriers, stops: &self.stops });
        self.conjugate.solve(system, &mut self.hierarchy, &self.push, &mut self.step, cycles);
        self.carriers.follow(&self.touches, &self.step);
        let taken = self.descend();
        self.relax(taken);
        self.stop();
        self.elements.evaluate(&self.x, self.h);
        self.elements.update_multipliers();
        self.touches.linearise(&self.x);
        let [longest] = parallel::largest(self.step.len(), |i| [self.step[i].length()]);
        Sweep { moved: taken * longest, taken }
    }

    /// Puts particles right where the step turned elements too far.
    fn relax(&mut self, taken: f64) {
        let Self { relax, mesh, elements, touches, stops, inertial, x, aim, step, h, .. } = self;
        relax.choose(mesh, step, taken);
        if relax.is_empty() {
            return;
        }
        let local = |row: usize, x: &[DVec3]| {
            let inertia = inertial[row] / (*h * *h);
            let (elastic, firm) = elements.at_row(row, x, *h);
            let (touched, pressed) = touches.at_row(row, x);
            let push = elastic + touched - inertia * (x[row] - aim[row]);
            let mut block = [firm + pressed + DMat3::from_diagonal(DVec3::splat(inertia))];
            stops.filter(row, &[row as u32], &mut block);
            (stops.of(row).map_or(push, |ways| ways * push), block[0])
        };
        for _ in 0..relax::ROUNDS {
            relax.round(x, local);
        }
    }

    /// What pushes the particles where they are.
    fn differentiate(&mut self) {
        let Self { elements, touches, inertial, x, aim, push, h, .. } = self;
        parallel::each(push, |row, push| {
            let mut gradient = inertial[row] / (*h * *h) * (x[row] - aim[row]);
            elements.add_forces(row, &mut gradient);
            touches.add_gradient(row, &mut gradient);
            *push = -gradient;
        });
    }

    /// The matrix where the particles are. Ways that are barred have rows of their own.
    fn assemble(&mut self) {
        let Self { elements, touches, matrix, inertial, stops, h, .. } = self;
        let Matrix { start, column, value, .. } = &mut *matrix;
        parallel::by_row(start, value, &|row, blocks| {
            blocks.fill(DMat3::ZERO);
            blocks[0] = DMat3::from_diagonal(DVec3::splat(inertial[row] / (*h * *h)));
            elements.add_row(row, blocks);
            touches.add_block(row, &mut blocks[0]);
            if stops.any() {
                stops.filter(row, &column[start[row] as usize..], blocks);
            }
        });
        matrix.mirror();
    }

    /// Takes as much of the step as goes downhill; returns the share.
    fn descend(&mut self) -> f64 {
        let promised = dot(&self.push, &self.step) + self.carriers.promise();
        let from = self.energy(&self.x) + self.touches.energy(&self.x);
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            let Self { tried, x, step, .. } = self;
            tried.clone_from(x);
            parallel::each(&mut tried[..step.len()], |row, tried| *tried += share * step[row]);
            self.touches.carry_all(|touch| self.carriers.carried(touch, share));
            let to = self.energy(&self.tried) + self.touches.energy(&self.tried) + self.carriers.energy(share);
            // Near the bottom the energies are equal up to their rounding.
            if to <= from - DESCENT * share * promised + 1e-12 * from.abs() {
                std::mem::swap(&mut self.x, &mut self.tried);
                self.carriers.advance(share);
                return share;
            }
            share *= 0.5;
        }
        self.touches.carry_all(|touch| self.carriers.carried(touch, 0.0));
        0.0
    }

    fn energy(&self, x: &[DVec3]) -> f64 {
        let scale = 0.5 / (self.h * self.h);
        let rows = 0..self.mesh.free;
        let inertia = rows.map(|row| scale * self.inertial[row] * x[row].distance_squared(self.aim[row])).sum::<f64>();
        inertia + self.elements.energy(x, self.h)
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
        let Self { floating, elements, inertial, x, before, aim, v, h, .. } = self;
        parallel::each(v, |row, v| *v = (x[row] - before[row]) / *h);
        floating.turn(elements, &Motion { mass: inertial, before, aim, x, h: *h }, v);
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
