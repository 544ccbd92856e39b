//! What is known in a step of every group of bodies that act on each other.

use drystone_model::contacts::UNMATCHED;
use drystone_model::{Contacts, WORLD};

use super::bodies::Bodies;
use super::convert::vec3;
use super::history::PointMemory;
use super::islands::Islands;
use super::joint::{Joints, RowKind};

/// Figures of one group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Group {
    /// Mass of all its bodies \[kg\].
    pub mass: f64,
    /// Whether a body of it is part of a mechanism.
    pub jointed: bool,
    /// Acceleration that external forces would give it \[m/s²\].
    pub external: f64,
    /// Acceleration that turns a load into the mass it stands for \[m/s²\].
    pub reference: f64,
    /// Acceleration that goes with the loads a new contact may bear at once \[m/s²\]: the reference one, or what drives would
    /// give if they were blocked.
    pub onset: f64,
    /// Forces from what does not move, as far as they held for two steps, and of drives \[N\].
    pressed: f64,
    /// Forces that drives would have if they were blocked \[N\].
    blocked: f64,
    /// Fastest motion of a led body where it acts on the group \[m/s\].
    pub led: f64,
    /// Energy that springs, drives and soft contacts can give in the step \[J\].
    pub stored: f64,
}

/// The groups of a step, by the body that leads them.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    by_leader: Vec<Group>,
}

/// What the figures are taken from.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// All bodies, after prediction.
    pub bodies: &'a Bodies,
    /// Their groups.
    pub islands: &'a Islands,
    /// All joints, prepared for the step.
    pub joints: &'a Joints,
    /// Which bodies are part of a mechanism.
    pub member: &'a [bool],
    /// The contacts of the step.
    pub contacts: &'a Contacts,
    /// What the points of the step before remember.
    pub memory: &'a [PointMemory],
}

impl Groups {
    /// Figures of the group a body leads.
    pub fn of(&self, leader: usize) -> &Group {
        &self.by_leader[leader]
    }

    /// Takes the figures of all groups.
    ///
    /// The reference acceleration is what external forces would give the group, or half of what presses on it, if that is
    /// more. What lies on the ground is pressed by its weight, and the answer is gravity; what a gripper holds in free
    /// space is pressed by the gripper alone. Nothing outside the group matters.
    pub fn build(&mut self, scene: &Scene) {
        let Scene { bodies, islands, member, .. } = *scene;
        self.by_leader.clear();
        self.by_leader.resize(bodies.world() + 1, Group::default());
        for body in (0..bodies.world()).filter(|&body| bodies.moves[body]) {
            let (group, mass) = (&mut self.by_leader[islands.leader(body)], 1.0 / bodies.inv_mass[body]);
            group.mass += mass;
            group.jointed |= member[body];
            group.external += mass * bodies.acceleration[body].length();
        }
        (0..scene.contacts.manifold_count()).for_each(|manifold| self.add_contact(scene, manifold));
        (0..scene.joints.count()).for_each(|joint| self.add_joint(scene, joint));
        for group in self.by_leader.iter_mut().filter(|group| group.mass > 0.0) {
            group.external /= group.mass;
            group.reference = group.external.max(0.5 * group.pressed / group.mass);
            group.onset = group.reference.max(0.5 * group.blocked / group.mass);
        }
    }

    fn add_contact(&mut self, scene: &Scene, manifold: usize) {
        let Scene { bodies, contacts, .. } = *scene;
        let ends = [contacts.manifold_body0[manifold], contacts.manifold_body1[manifold]]
            .map(|body| if body == WORLD { bodies.world() } else { body as usize });
        let Some(side) = ends.iter().position(|&body| bodies.moves[body]) else { return };
        let group = &mut self.by_leader[scene.islands.leader(ends[side])];
        let stiffness = contacts.manifold_material[manifold].stiffness;
        let (other, normal) = (ends[1 - side], vec3(contacts.manifold_normal[manifold]));
        let belt = contacts.manifold_surface[manifold].length();
        group.led = group.led.max(belt);
        for point in contacts.points(manifold) {
            if stiffness.is_finite() {
                let overlap = contacts.point_gap[point].min(0.0);
                group.stored += 0.5 * stiffness * overlap * overlap;
            }
            if bodies.moves[other] {
                continue;
            }
            let lever = vec3(contacts.point_position0[point] - bodies.com[other]);
            group.led = group.led.max(bodies.velocity[other].at(lever).length() + belt);
            if contacts.point_match[point] != UNMATCHED
                && let Some(old) = scene.memory.get(contacts.point_match[point] as usize)
            {
                group.pressed += old.steady(normal);
            }
        }
    }

    fn add_joint(&mut self, scene: &Scene, joint: usize) {
        let Scene { bodies, joints, .. } = *scene;
        if !joints.active[joint] {
            return;
        }
        let ends = joints.geometry[joint].body;
        let Some(side) = ends.iter().position(|&body| bodies.moves[body]) else { return };
        let group = &mut self.by_leader[scene.islands.leader(ends[side])];
        let (own, other) = (ends[side], ends[1 - side]);
        if !bodies.moves[other] {
            let lever = vec3(bodies.com[own] - bodies.com[other]);
            let v = bodies.velocity[other];
            group.led = group.led.max(v.l.length() + v.a.length() * lever.length());
        }
        for row in joints.rows(joint) {
            group.stored += row.stored;
            if row.kind == RowKind::Drive && row.axis < 3 {
                group.pressed += row.force.abs();
                group.blocked += if row.bounded() { row.blocked.abs() } else { 0.0 };
            }
        }
    }
}
