//! A simulation with what a user has laid hands on: what is held, what is frozen, how rough the materials are.

use std::collections::BTreeMap;

use drystone::geometry::MassProperties;
use drystone::model::{BodyId, BodyKind, DVec3, Model, ParticleId, WORLD};
use drystone::{Checkpoint, Simulation, SolverChoice};

use crate::answer::Refusal;
use crate::soft_hold::lead;
use crate::spring::Pull;
use crate::start::{Start, choice_of};

/// A simulation under a user's hands.
pub struct Stage {
    /// The simulation.
    pub sim: Simulation,
    /// What the user has done to it.
    pub hands: Hands,
}

/// What a user has done to a simulation and its checkpoint does not know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hands {
    /// What is held.
    pub hold: Option<Hold>,
    /// What is frozen, by id, and what it was before.
    pub frozen: BTreeMap<u32, Frozen>,
    /// Multiple of the friction of the scene, if it was changed.
    pub friction: Option<f64>,
    /// Balls thrown so far.
    pub thrown: u32,
    /// Counts changes of what there is to draw.
    pub look: u64,
}

/// What is drawn to a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// What it is.
    pub held: Held,
    /// Where it is drawn, world frame \[m\].
    pub target: DVec3,
}

/// What a hand can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    /// A point of a body, by a spring.
    Body {
        /// The body.
        body: BodyId,
        /// The point in its frame \[m\].
        at: DVec3,
        /// Mass of everything that hangs together with the body \[kg\].
        whole_mass: f64,
    },
    /// A particle, which is led.
    Particle(ParticleId),
}

/// What a frozen body was before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frozen {
    /// How it moved.
    pub kind: BodyKind,
    /// Its mass.
    pub mass: MassProperties,
}

/// A stage at a step, to go on from.
#[derive(Clone)]
pub struct Saved {
    checkpoint: Vec<u8>,
    solver: SolverChoice,
    hands: Hands,
}

impl Saved {
    /// Bytes it takes, nearly.
    pub fn size(&self) -> usize {
        self.checkpoint.len() + 64 * self.hands.frozen.len() + 256
    }
}

impl Stage {
    /// The beginning of a scene.
    pub fn new(start: &Start) -> Result<Self, Refusal> {
        Ok(Self { sim: start.simulation(&start.solver)?, hands: Hands::default() })
    }

    /// Steps taken.
    pub fn step_count(&self) -> u64 {
        self.sim.state().step_count
    }

    /// Takes a step.
    pub fn step(&mut self, start: &Start) -> Result<(), String> {
        let (time, dt) = (self.sim.time(), self.sim.dt());
        if let Some(motion) = &start.motion {
            motion(time, dt, self.sim.control_mut());
        }
        let led = self.pull();
        let done = self.sim.step().map(|_| ()).map_err(|error| error.to_string());
        if let Some(particle) = led {
            self.sim.control_mut().particle_target[particle] = None;
        }
        done
    }

    /// The force of the hand for the next step, or where it leads a particle, whose index is returned. What cannot be pulled any
    /// more (removed, frozen, taken out) is let go.
    fn pull(&mut self) -> Option<usize> {
        let hold = self.hands.hold?;
        let led = match hold.held {
            Held::Body { body, whole_mass, .. } => self.force_of(&hold, body, whole_mass).and_then(|(force, point)| {
                self.sim.wake(body).ok()?;
                self.sim.apply_force_at(body, force, point).ok()?;
                Some(None)
            }),
            Held::Particle(particle) => self.sim.particle_index(particle).ok().map(|index| {
                let place = lead(self.sim.model(), self.sim.state(), index, hold.target, self.sim.dt());
                self.sim.control_mut().particle_target[index] = Some(place);
                Some(index)
            }),
        };
        if led.is_none() {
            self.hands.hold = None;
        }
        led.flatten()
    }

    fn force_of(&self, hold: &Hold, body: BodyId, whole_mass: f64) -> Option<(DVec3, DVec3)> {
        let (model, state) = (self.sim.model(), self.sim.state());
        let index = self.sim.body_index(body).ok()?;
        let centre = model.body_centre(state, index as u32);
        let point = self.held_point(hold)?;
        let pull = Pull {
            arm: point - centre,
            way: hold.target - point,
            velocity: state.body_qd[index].at(centre, point),
            mass: model.body_mass[index],
            inertia: model.body_inertia_world(state, index),
            whole_mass,
            gravity: model.body_gravity(index).length(),
            dt: self.sim.dt(),
        };
        (model.body_kind[index] == BodyKind::Dynamic).then(|| (pull.force(), point))
    }

    /// Where a held point is \[m\].
    pub fn held_point(&self, hold: &Hold) -> Option<DVec3> {
        let state = self.sim.state();
        match hold.held {
            Held::Body { body, at, .. } => Some(state.body_q[self.sim.body_index(body).ok()?] * at),
            Held::Particle(particle) => Some(state.particle_q[self.sim.particle_index(particle).ok()?]),
        }
    }

    /// Weighs again what is held, after the scene was changed.
    pub fn weigh_hold(&mut self) {
        if let Some(Hold { held: Held::Body { body, at, .. }, target }) = self.hands.hold {
            self.hands.hold = self.sim.body_index(body).ok().map(|index| {
                let whole_mass = whole_mass(self.sim.model(), index as u32);
                Hold { held: Held::Body { body, at, whole_mass }, target }
            });
        }
    }

    /// What is needed to go on from here.
    pub fn save(&self) -> Saved {
        let (checkpoint, solver) = (self.sim.checkpoint().to_bytes(), choice_of(&self.sim));
        Saved { checkpoint, solver, hands: self.hands.clone() }
    }

    /// Goes on from what was saved. On error nothing has changed.
    pub fn restore(&mut self, saved: &Saved, start: &Start) -> Result<(), Refusal> {
        let checkpoint = Checkpoint::from_bytes(&saved.checkpoint).map_err(Refusal::conflict)?;
        // The same solver goes on; another, or one that does not take it, is made from the start of the scene.
        let resumed = choice_of(&self.sim) == saved.solver && self.sim.resume(&checkpoint).is_ok();
        if !resumed {
            let mut sim = start.simulation(&saved.solver)?;
            sim.resume(&checkpoint).map_err(Refusal::conflict)?;
            self.sim = sim;
        }
        self.hands = saved.hands.clone();
        Ok(())
    }

    /// A simulation that what was saved of another can be put into.
    pub fn beside_at(&self, saved: &Saved, start: &Start) -> Result<Self, Refusal> {
        // Made under the solver at the start of the scene where it takes that, under the first one's otherwise.
        let sim = start.simulation(&saved.solver).or_else(|_| start.simulation(&start.solver))?;
        Ok(Self { sim, hands: Hands::default() })
    }

    /// A second simulation in the same state, under another solver.
    pub fn beside(&self, start: &Start, solver: &SolverChoice) -> Result<Self, Refusal> {
        let mut sim = start.simulation(&choice_of(&self.sim)).or_else(|_| start.simulation(&start.solver))?;
        sim.resume(&self.sim.checkpoint()).map_err(Refusal::conflict)?;
        sim.set_solver(solver.clone()).map_err(Refusal::conflict)?;
        Ok(Self { sim, hands: self.hands.clone() })
    }
}

/// Mass of everything that moves by forces and is tied to a body by joints \[kg\].
pub fn whole_mass(model: &Model, body: u32) -> f64 {
    let mut near = vec![Vec::new(); model.body_count()];
    for (&parent, &child) in model.joint_parent.iter().zip(&model.joint_child) {
        if parent != WORLD && child != WORLD {
            near[parent as usize].push(child);
            near[child as usize].push(parent);
        }
    }
    let mut seen = vec![false; model.body_count()];
    let (mut open, mut mass) = (vec![body], 0.0);
    while let Some(body) = open.pop() {
        let index = body as usize;
        if std::mem::replace(&mut seen[index], true) || model.body_kind[index] != BodyKind::Dynamic {
            continue;
        }
        mass += model.body_mass[index];
        open.extend(&near[index]);
    }
    mass
}

#[cfg(test)]
mod tests {
    use drystone::model::{BodyDef, JointDef, ModelBuilder};

    use super::*;

    #[test]
    fn what_hangs_together_is_weighed_up_to_what_does_not_move() {
        let mut scene = ModelBuilder::new();
        let ball = |name: &str, x: f64, mass: f64| BodyDef::dynamic(name).at(DVec3::X * x).sphere(0.1).mass(mass);
        let bodies: Vec<BodyId> =
            (0..4).map(|k| scene.add_body(ball(&k.to_string(), f64::from(k), 1.0 + f64::from(k)))).collect();
        let wall = scene.add_body(BodyDef::fixed("wall").at(DVec3::X * 9.0).sphere(0.1));
        for (a, b) in [(bodies[0], bodies[1]), (bodies[1], wall), (wall, bodies[2])] {
            scene.add_joint(JointDef::ball(a, b, DVec3::ZERO));
        }
        let model = scene.finalize().unwrap();
        assert_eq!([0, 1, 2, 3].map(|body| whole_mass(&model, body)), [3.0, 3.0, 3.0, 4.0]);
    }
}
