//! Forces of contacts and joints in the last step, as users read them.

use std::sync::OnceLock;

use drystone_model::{BodyId, ModelMap, ShapeId, WORLD};
use drystone_solve::{Balanced, ContactForce, JointForce, Solver, Untold};

use crate::ids::Ids;
use crate::simulation::Simulation;

/// Contact points of the last step and what they carried, bodies and shapes by id; and what the motion says that contacts and joints
/// carried, once somebody asked.
#[derive(Debug, Default)]
pub(crate) struct ToldForces {
    /// As the solver handed them over.
    contacts: Vec<ContactForce>,
    /// Why there are none, if the solver cannot tell.
    untold: Option<Untold>,
    /// What explains the motion; none where the solver's own do.
    balanced: OnceLock<Option<Balanced>>,
}

impl ToldForces {
    /// Takes the contacts of a step from its solver.
    pub fn take(&mut self, solver: &mut dyn Solver, ids: &Ids) {
        self.balanced.take();
        self.untold = solver.take_contacts(&mut self.contacts).err();
        if ids.are_fresh() {
            return;
        }
        for contact in &mut self.contacts {
            contact.body = contact.body.map(|body| BodyId(ids.of_body(body.0)));
            contact.key.shape = contact.key.shape.map(|shape| ShapeId(ids.shape.id(shape.0 as usize)));
        }
    }

    /// Contacts as the solver handed them over.
    pub fn handed_over(&self) -> &[ContactForce] {
        &self.contacts
    }

    /// Forgets the step.
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.balanced.take();
    }

    /// Keeps what is told of what an edit left.
    pub fn edited(&mut self, map: &ModelMap, ids: &Ids) {
        let there = |contact: &ContactForce| contact.key.shape.iter().all(|&shape| ids.shape_index(shape).is_ok());
        self.contacts.retain(there);
        if let Some(Some(balanced)) = self.balanced.get_mut() {
            balanced.contacts.retain(there);
            balanced.joints = map.joint.carry(&balanced.joints, JointForce::default());
        }
    }

    /// Contacts for the user.
    pub fn contacts<'a>(&'a self, sim: &Simulation) -> Result<&'a [ContactForce], Untold> {
        match &self.untold {
            Some(untold) => Err(untold.clone()),
            None => Ok(self.balanced(sim).map_or(&self.contacts, |balanced| &balanced.contacts)),
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
        let balance = || sim.solver.balanced(&sim.model, &self.contacts, &index);
        self.balanced.get_or_init(balance).as_ref()
    }
}

impl Simulation {
    /// Makes up what is told of the last step, before its solver goes.
    pub(crate) fn keep_told(&self) {
        self.told.balanced(self);
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

    /// Mean force and torque that every joint exerted on its child in the last step. They are those of what joints hold, drive,
    /// stop and brake; efforts asked for by `joint_f` are forces of the user and not among them.
    pub fn joint_forces(&self) -> Result<Vec<JointForce>, Untold> {
        self.told.joints(self)
    }
}
