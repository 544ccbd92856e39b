//! Particles beside bodies: cloth, soft bodies and strings (`drystone_soft`) in the same step, and the contacts between the two.
//!
//! A substep alternates sweeps over particles, which see bodies where they are, with sweeps over bodies, which see what their contacts
//! with particles push with and how that grows. What these push with at the end counts for both sides as given: bodies and
//! particles get opposite momenta, whatever the sweeps left undone.

mod attachments;
mod contacts;
mod options;
mod pushes;

use drystone_collide::{Collide, PartContact, ParticleContact, WideParts};
use drystone_kernels::double::math::{Block6, Vec6};
use drystone_model::{Control, Model, ModelMap, ParticleId, State, WORLD};
use drystone_soft::{Asked, Carrier, Guard, Plain, Soft, SoftMemory};
use drystone_solve::report::Report;
use drystone_solve::solver::{SnapshotError, Unsupported};

use attachments::Attachments;
pub use options::{ParticleMethod, ParticleOptions};
use pushes::Impulses;
pub use pushes::Push;

use super::Vbd;
use super::bodies::Bodies;
use super::convert::to_dvec3;
use super::options::VbdOptions;
use super::primal::contact_terms;

/// The particles of a model.
#[derive(Clone, Debug)]
pub struct Particles {
    soft: Soft,
    attachments: Attachments,
    near: Vec<ParticleContact>,
    /// What sharp shapes could poke through, and what they may in this substep.
    wide: WideParts,
    parts: Vec<PartContact>,
    /// Bodies that particles may push, ascending.
    touched: Vec<u32>,
    /// Particles taken out since the step began.
    frozen: Vec<u32>,
    /// What they did to bodies since the step began.
    impulses: Impulses,
}

impl Particles {
    /// The particles of a model, if it has some.
    pub fn new(model: &Model, options: &VbdOptions) -> Result<Option<Self>, Unsupported> {
        if model.particle_count() == 0 {
            return Ok(None);
        }
        if options.sleeping {
            return Err(Unsupported {
                solver: "vbd",
                reason: format!("it has {} particles, and what touches them cannot sleep", model.particle_count()),
                remedy: "set the option `sleeping` to false".into(),
            });
        }
        if let Some(shape) = bouncy_shape(model).filter(|_| !options.particles.inelastic) {
            return Err(Unsupported {
                solver: "vbd",
                reason: format!(
                    "shape `{}` has a restitution of {}, and particles that meet it do not bounce by it",
                    model.shape_name[shape], model.shape_material[shape].restitution
                ),
                remedy: "set its restitution to 0, or the option `particles.inelastic` to true: it then acts between bodies alone".into(),
            });
        }
        let (near, parts, touched, frozen, impulses) = Default::default();
        let mut soft = Soft::new(model);
        soft.plain = plain(model, &options.particles)?;
        if options.particles.self_contact {
            soft.guard = Guard::new(model);
            refuse_crossing(model, &soft.guard)?;
        }
        let wide = if options.particles.edges_and_faces { WideParts::new(model) } else { WideParts::default() };
        Ok(Some(Self { soft, attachments: Attachments::new(model), near, wide, parts, touched, frozen, impulses }))
    }

    /// Forgets what was told of the step before.
    pub fn begin_step(&mut self) {
        self.frozen.clear();
        self.impulses.clear();
    }

    /// What is kept between steps.
    pub fn memory(&self) -> SoftMemory {
        SoftMemory::of(&self.soft)
    }

    /// Puts it back.
    pub fn put_back(&mut self, memory: SoftMemory) -> Result<(), SnapshotError> {
        if !memory.fits(&self.soft) {
            return Err(SnapshotError("it holds other particles or elements than the model".into()));
        }
        memory.put_back(&mut self.soft);
        Ok(())
    }

    /// Takes over what the particles before an edit remember.
    pub fn carry_over(&mut self, before: &Self, map: &ModelMap) {
        before.memory().edited(map).put_back(&mut self.soft);
    }

    /// Forgets the history of a world.
    pub fn reset_world(&mut self, model: &Model, world: u32) {
        self.soft.reset_world(model, world);
    }

    /// Bodies that particles may push, each with the world that does not move: they count as touched and held.
    pub fn held_bodies(&self, world: u32) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.touched.iter().map(move |&body| [body, world])
    }

    /// Adds what particles have to say to a report.
    pub fn report(&self, report: &mut Report) {
        let elements = self.soft.elements();
        let strain = elements.strain();
        report.max_strain = strain.map(|[largest, _]| largest);
        report.mean_strain = strain.map(|[_, mean]| mean);
        report.closest_approach = self.soft.closest_approach();
        report.inverted_count = Some(elements.inverted() as u32);
        report.elastic_energy = Some(self.soft.elastic_energy());
        report.frozen_particles = self.frozen.iter().map(|&particle| ParticleId(particle)).collect();
        report.contact_count += self.soft.touches.all().iter().filter(|touch| touch.multiplier > 0.0).count();
        report.max_penetration = report.max_penetration.map(|deepest| deepest.max(self.soft.deepest()));
    }

    /// Aims the particles and finds what they may touch in a substep.
    fn begin(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        collide: &Collide,
        bodies: &Bodies,
        friction: f64,
        h: f64,
    ) {
        let asked = Asked { force: &control.particle_f, target: &control.particle_target, wind: &control.world_wind };
        self.soft.predict(model, state, &asked, h);
        collide.particle_contacts(model, state, h, &mut self.near);
        collide.part_contacts(&self.wide, model, state, h, &mut self.parts);
        let held = |shape: u32, particle: u32| self.attachments.holds(model.shape_body[shape as usize], particle);
        self.near.retain(|contact| !held(contact.shape, contact.particle));
        self.parts.retain(|contact| !contact.particle.iter().any(|&particle| held(contact.shape, particle)));
        let mut own = self.soft.meet(model, friction);
        own.extend(self.attachments.bonds(model, state, bodies, &self.soft));
        self.lay_contacts(model, state, bodies, own, friction, h);
    }

    /// One sweep over the particles; returns the largest move \[m\].
    fn sweep(
        &mut self,
        bodies: &Bodies,
        free: impl Fn(usize) -> bool,
        terms: impl Fn(usize) -> (Vec6, Block6),
        cycles: u32,
    ) -> f64 {
        self.follow(bodies);
        let carrier = |&slot: &u32| {
            let body = slot as usize;
            let (force, block) = terms(body);
            Carrier::new(slot, bodies.delta[body], force, block)
        };
        let moving = self.touched.iter().filter(|&&body| free(body as usize));
        self.soft.carriers.set(moving.map(carrier));
        self.soft.sweep(cycles).moved
    }

    /// Moves the bodies to where the sweep over the particles took them.
    fn carry_bodies(&self, bodies: &mut Bodies) {
        for carrier in self.soft.carriers.all() {
            bodies.delta[carrier.slot as usize] = carrier.delta;
        }
    }

    /// Lets contacts know where the bodies are.
    fn follow(&mut self, bodies: &Bodies) {
        let carried = |slot: u32, lever| to_dvec3(bodies.delta[slot as usize].at(super::convert::vec3(lever)));
        let bend = |slot: u32, lever| attachments::bend(bodies.delta[slot as usize].a, lever);
        self.soft.touches.carry(carried, bend);
    }
}

/// Descent as published, where it is asked for and can do what the model asks.
fn plain(model: &Model, options: &ParticleOptions) -> Result<Option<Plain>, Unsupported> {
    let refused = |reason: String, remedy: &str| Err(Unsupported { solver: "vbd", reason, remedy: remedy.into() });
    if options.method == ParticleMethod::Multigrid {
        return Ok(None);
    }
    if let Some(seam) = model.attachment_other.iter().position(|&other| other != WORLD) {
        return refused(
            format!("attachment {seam} is a seam, which the method `vbd` of particles does not have"),
            "set the option `particles.method` to `multigrid`, or let the two share their particles",
        );
    }
    if let Some(spring) = model.spring_stiffness.iter().position(|stiffness| stiffness.is_infinite()) {
        return refused(
            format!("spring {spring} has an infinite stiffness, which the method `vbd` of particles does not have"),
            "set the option `particles.method` to `multigrid`, or give a finite stiffness",
        );
    }
    Ok(Some(Plain::new(options.chebyshev)))
}

/// Refuses layers that start within each other: nothing would tell which side of which they belong on.
fn refuse_crossing(model: &Model, guard: &Guard) -> Result<(), Unsupported> {
    let Some(pair) = guard.first_crossing(&model.particle_q) else { return Ok(()) };
    let number = |corners: [u32; 3]| model.triangle_particle.iter().position(|own| *own == corners).unwrap_or_default();
    let [one, other] = pair.map(|corners| format!("triangle {} of particles {corners:?}", number(corners)));
    Err(Unsupported {
        solver: "vbd",
        reason: format!("{one} crosses {other} at the start"),
        remedy: "move one of them, let the two not meet by groups or filters of their particles, or set the option \
                 `particles.self_contact` to false"
            .into(),
    })
}

/// A shape with a restitution that particles of its world can meet.
fn bouncy_shape(model: &Model) -> Option<usize> {
    let meets = |shape: usize| {
        let open = model.shape_mask[shape] != 0 && model.shape_group[shape] != 0 && model.is_solid(shape);
        open && model.particle_world.contains(&model.shape_world[shape])
    };
    (0..model.shape_count()).find(|&shape| model.shape_material[shape].restitution > 0.0 && meets(shape))
}

impl Vbd {
    /// Aims the particles of a substep, if there are some, and finds what they may touch.
    pub(super) fn begin_particles(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        collide: &Collide,
        h: f64,
    ) {
        let friction = self.options.particles.friction;
        if let Some(particles) = &mut self.particles {
            particles.begin(model, state, control, collide, &self.bodies, friction, h);
        }
    }

    /// Sweeps over particles and bodies in turn. Returns the largest move of the last sweeps \[m\] and the number of sweeps over bodies.
    pub(super) fn iterate_with_particles(&mut self, iterations: u32, h: f64) -> (f64, u32) {
        let (least, cycles) = (self.options.particles.sweeps, self.options.particles.cycles);
        let coupled = self.particles.as_ref().is_some_and(|particles| !particles.touched.is_empty());
        // Bodies and particles that push each other take turns; others need not wait for each other.
        let rounds = if coupled { iterations.max(least) } else { least };
        let share = if coupled { 1 } else { iterations.div_ceil(rounds) };
        let (mut residual, mut sweeps) = (0.0, 0);
        for round in 0..rounds {
            let Self { particles: Some(particles), bodies, rows, adjacency, joint_islands, swept, .. } = self else {
                break;
            };
            bodies.pushes.clear();
            let terms = |body: usize| {
                let (force, block) = contact_terms(bodies, &rows.manifolds, adjacency, body, &[]);
                (bodies.inertial_force(body).add(force), bodies.inertial_block(body).add(block))
            };
            let free = |body: usize| !joint_islands.member[body] && !swept.holds(body);
            residual = particles.sweep(bodies, free, terms, cycles);
            particles.carry_bodies(bodies);
            particles.push(bodies);
            let (moved, done) = self.sweep_bodies(share, round + 1 == rounds, h);
            if let Some(particles) = &mut self.particles {
                particles.follow(&self.bodies);
                particles.soft.update_touches();
            }
            residual = f64::max(residual, moved);
            sweeps += done;
        }
        (residual, sweeps)
    }

    /// Gives bodies that particles alone touch the spin that these gave them.
    pub(super) fn keep_spin_of_touched(&mut self, h: f64) {
        let Self { particles, bodies, adjacency, joint_islands, swept, .. } = self;
        if let Some(particles) = particles {
            let alone = |body: usize| adjacency.degree(body) == 0 && !joint_islands.member[body] && !swept.holds(body);
            particles.keep_spin(bodies, alone, h);
        }
    }

    /// Takes what particles and bodies push each other with for given, on both sides.
    pub(super) fn settle_particles(&mut self, h: f64) {
        let Self { particles, bodies, adjacency, joint_islands, swept, .. } = self;
        if let Some(particles) = particles {
            let alone = |body: usize| adjacency.degree(body) == 0 && !joint_islands.member[body] && !swept.holds(body);
            particles.settle(bodies, alone, h);
        }
    }

    /// Writes the particles into the state.
    pub(super) fn finish_particles(&mut self, state: &mut State) {
        if let Some(particles) = &mut self.particles {
            particles.finish(state);
        }
    }

    /// The particles of an edited model, with what these remember.
    pub(super) fn carry_particles(&self, next: &mut Self, map: &ModelMap) {
        if let (Some(next), Some(before)) = (&mut next.particles, &self.particles) {
            next.carry_over(before, map);
        }
    }
}
