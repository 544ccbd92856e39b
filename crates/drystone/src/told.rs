//! Forces of contacts and joints in the last step, as users read them.

use std::sync::OnceLock;

use drystone_model::{BodyId, Contacts, ModelMap, ShapeId, WORLD};
use drystone_solve::{Balanced, ContactForce, JointForce, ParticlePush, Push, Solver, Untold};

use crate::ids::Ids;
use crate::simulation::Simulation;

/// Contact points of the last step and what they carried, bodies and shapes by id; and what the motion says that contacts and joints
/// carried, once somebody asked.
#[derive(Debug, Default)]
pub(crate) struct ToldForces {
    /// As the solver handed them over, or as it tells them once somebody asks.
    contacts: OnceLock<Vec<ContactForce>>,
    /// Pairs of shapes that pushed each other, in ascending order.
    pushes: Vec<Push>,
    /// Why there are none, if the solver cannot tell.
    untold: Option<Untold>,
    /// What explains the motion; none where the solver's own do.
    balanced: OnceLock<Option<Balanced>>,
}

impl ToldForces {
    /// Takes from the solver what pushed in a step of `dt` seconds, and the contacts if it does not tell them later.
    pub fn take(&mut self, solver: &mut dyn Solver, contacts: &Contacts, ids: &Ids, dt: f64) {
        self.balanced.take();
        self.untold = None;
        let mut list = self.contacts.take().unwrap_or_default();
        let later = solver.take_pushes(contacts, &mut self.pushes);
        if later {
            for push in self.pushes.iter_mut().filter(|_| !ids.are_fresh()) {
                push.shape = push.shape.map(|shape| ShapeId(ids.shape.id(shape.0 as usize)));
            }
        } else {
            self.untold = solver.take_contacts(&mut list).err();
            name(&mut list, ids);
            let pushing = list.iter().filter(|contact| contact.force.dot(contact.normal) > 0.0);
            self.pushes.clear();
            self.pushes.extend(pushing.map(|point| Push { shape: point.key.shape, impulse: dt * point.force }));
            self.contacts = OnceLock::from(list);
        }
        self.pushes.sort_by_key(|push| push.shape);
        self.pushes.dedup_by(|next, kept| {
            let same = next.shape == kept.shape;
            if same {
                kept.impulse += next.impulse;
            }
            same
        });
    }

    /// Pairs of shapes that pushed each other, by id, in ascending order.
    pub fn pushes(&self) -> &[Push] {
        &self.pushes
    }

    /// Forgets the step.
    pub fn clear(&mut self) {
        self.contacts = OnceLock::from(Vec::new());
        self.balanced.take();
    }

    /// Keeps what is told of what an edit left.
    pub fn edited(&mut self, map: &ModelMap, ids: &Ids) {
        let there = |contact: &ContactForce| contact.key.shape.iter().all(|&shape| ids.shape_index(shape).is_ok());
        if let Some(contacts) = self.contacts.get_mut() {
            contacts.retain(there);
        }
        if let Some(Some(balanced)) = self.balanced.get_mut() {
            balanced.contacts.retain(there);
            balanced.joints = map.joint.carry(&balanced.joints, JointForce::default());
        }
    }

    /// Contacts as the solver tells them.
    fn of_solver(&self, sim: &Simulation) -> &[ContactForce] {
        self.contacts.get_or_init(|| {
            let mut list = Vec::new();
            sim.solver.read_contacts(&sim.collide.contacts, &mut list);
            name(&mut list, &sim.ids);
            list
        })
    }

    /// Contacts for the user.
    pub fn contacts<'a>(&'a self, sim: &Simulation) -> Result<&'a [ContactForce], Untold> {
        match &self.untold {
            Some(untold) => Err(untold.clone()),
            None => Ok(self.balanced(sim).map_or_else(|| self.of_solver(sim), |balanced| &balanced.contacts)),
        }
    }

    /// Joints for the user.
    pub fn joints(&self, sim: &Simulation) -> Result<Vec<JointForce>, Untold> {
        if let Some(balanced) = self.balanced(sim) {
            return Ok(balanced.joints.clone());
        }
        let mut forces = Vec::new();
        sim.solver.read_joints(&sim.model, &sim.state, &mut forces)?;
        Ok(forces)
    }

    fn balanced(&self, sim: &Simulation) -> Option<&Balanced> {
        let index = |body: BodyId| match sim.ids.body_index(body) {
            Ok(index) => index as u32,
            Err(_) => WORLD,
        };
        let balance = || sim.solver.balanced(&sim.model, self.of_solver(sim), &index);
        self.balanced.get_or_init(balance).as_ref()
    }
}

/// Calls bodies and shapes by their ids.
fn name(contacts: &mut [ContactForce], ids: &Ids) {
    if ids.are_fresh() {
        return;
    }
    for contact in contacts {
        contact.body = contact.body.map(|body| BodyId(ids.of_body(body.0)));
        contact.key.shape = contact.key.shape.map(|shape| ShapeId(ids.shape.id(shape.0 as usize)));
    }
}

impl Simulation {
    /// Makes up what is told of the last step, before its solver goes.
    pub(crate) fn keep_told(&self) {
        self.told.balanced(self);
        self.told.of_solver(self);
    }

    /// Contact points of the last step with the mean forces they carried in it, in a fixed order; those that carried
    /// nothing included; bodies and shapes by id. Force times [`Simulation::dt`] is the impulse, whatever the number of substeps.
    /// With the forces of joints they are the change of momentum of every body; where a solver's own do not quite add up to it
    /// (`vbd`), the first reading after a step makes them.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// scene.ground();
    /// scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z * 0.5).cuboid(DVec3::splat(0.5)).mass(2.0));
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.run(60, |_| ())?;
    /// let push: DVec3 = sim.contacts()?.iter().map(|contact| contact.force).sum(); // N, on the crate
    /// assert!((push - DVec3::Z * 2.0 * 9.81).length() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts(&self) -> Result<&[ContactForce], Untold> {
        self.told.contacts(self)
    }

    /// What cloth, soft bodies and strings did to every body in the last step, in the order of the bodies: contacts and attachments. Bodies
    /// that something else moves ([`Control::body_target`](crate::model::Control)) feel nothing, but this is what they would: with it a
    /// solver of rigid bodies outside can be coupled.
    ///
    /// ```
    /// use drystone::{Simulation, model::*};
    /// let mut scene = ModelBuilder::new();
    /// let hand = scene.add_body(BodyDef::kinematic("hand"));
    /// let weight = scene.add_particle(ParticleDef::new(DVec3::ZERO, 0.5));
    /// scene.attach(weight, hand);
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.run(30, |_| ())?;
    /// let pull = sim.particle_pushes()?[0].force; // N, on the hand
    /// assert!((pull + DVec3::Z * 0.5 * 9.81).length() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn particle_pushes(&self) -> Result<Vec<ParticlePush>, Untold> {
        let mut out = Vec::new();
        self.solver().read_particle_pushes(self.model(), &mut out)?;
        Ok(out)
    }

    /// Mean force and torque that every joint exerted on its child in the last step. They are those of what joints hold, drive,
    /// stop and brake; efforts asked for by `joint_f` are forces of the user and not among them.
    pub fn joint_forces(&self) -> Result<Vec<JointForce>, Untold> {
        self.told.joints(self)
    }
}
