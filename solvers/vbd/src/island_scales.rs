//! Scales of every island in a step: mass, accelerations, loads and energies, by which contacts and motions are judged.

use drystone_kernels::double::math::Vec6;
use drystone_model::contacts::UNMATCHED;
use drystone_model::{Contacts, DVec3, WORLD};
use drystone_solve::parallel;

use super::bodies::Bodies;
use super::contact_cache::CachedPoint;
use super::convert::vec3;
use super::islands::Islands;
use super::joint::{Joints, RowKind};

/// Scales of one island.
#[derive(Clone, Copy, Debug, Default)]
pub struct IslandScale {
    /// Mass of all its bodies \[kg\].
    pub mass: f64,
    /// Whether a body of it is part of a joint island.
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
    /// Fastest motion of a led body where it acts on the island \[m/s\].
    pub led: f64,
    /// Energy that springs, drives and soft contacts can give in the step \[J\].
    pub stored: f64,
}

/// The islands of a step, by the body that leads them.
#[derive(Clone, Debug, Default)]
pub struct IslandScales {
    by_leader: Vec<IslandScale>,
    /// Joints that add to the scales of their islands.
    telling_joints: Vec<u32>,
    /// Manifolds that say something of their island.
    telling: Vec<u32>,
}

/// What the scales are taken from.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// All bodies, after prediction.
    pub bodies: &'a Bodies,
    /// Their islands.
    pub islands: &'a Islands,
    /// All joints, prepared for the step.
    pub joints: &'a Joints,
    /// Which bodies are part of a joint island.
    pub member: &'a [bool],
    /// The contacts of the step.
    pub contacts: &'a Contacts,
    /// What the points of the step before remember.
    pub cache: &'a [CachedPoint],
}

impl Scene<'_> {
    /// Slots of the bodies of a manifold.
    fn ends(&self, manifold: usize) -> [usize; 2] {
        [self.contacts.manifold_body0[manifold], self.contacts.manifold_body1[manifold]]
            .map(|body| if body == WORLD { self.bodies.world() } else { body as usize })
    }

    /// Whether a manifold says anything of its island: one between two moving bodies does only if it is soft or carries along.
    fn tells(&self, manifold: usize) -> bool {
        let Contacts { manifold_material: material, manifold_surface: belt, .. } = self.contacts;
        !self.ends(manifold).iter().all(|&body| self.bodies.moves[body])
            || material[manifold].stiffness.is_finite()
            || belt[manifold] != DVec3::ZERO
    }
}

impl IslandScales {
    /// Scales of the island a body leads.
    pub fn of(&self, leader: usize) -> &IslandScale {
        &self.by_leader[leader]
    }

    /// Measures all islands.
    ///
    /// The reference acceleration is what external forces would give the island, or half of what presses on it, if that is
    /// more. What lies on the ground is pressed by its weight, and the answer is gravity; what a gripper holds in free
    /// space is pressed by the gripper alone. Nothing outside the island matters.
    pub fn build(&mut self, scene: &Scene) {
        let Scene { bodies, islands, member, .. } = *scene;
        self.by_leader.resize(bodies.world() + 1, IslandScale::default());
        (0..=bodies.world())
            .filter(|&body| islands.leader(body) == body)
            .for_each(|leader| self.by_leader[leader] = IslandScale::default());
        for body in (0..bodies.world()).filter(|&body| bodies.moves[body]) {
            let (island, mass) = (&mut self.by_leader[islands.leader(body)], 1.0 / bodies.inv_mass[body]);
            island.mass += mass;
            island.jointed |= member[body];
            island.external += mass * bodies.acceleration[body].length();
        }
        let Self { by_leader, telling, telling_joints } = self;
        telling.clear();
        parallel::choose(scene.contacts.manifold_count(), |manifold| scene.tells(manifold), telling);
        for &manifold in &*telling {
            add_contact(by_leader, scene, manifold as usize);
        }
        telling_joints.clear();
        parallel::choose(scene.joints.count(), |joint| tells(scene, joint), telling_joints);
        for &joint in &*telling_joints {
            add_joint(by_leader, scene, joint as usize);
        }
        for island in by_leader.iter_mut().filter(|island| island.mass > 0.0) {
            island.external /= island.mass;
            island.reference = island.external.max(0.5 * island.pressed / island.mass);
            island.onset = island.reference.max(0.5 * island.blocked / island.mass);
        }
    }
}

/// Whether a joint that acts may add to the scales of its island: it is led, stores energy or has a drive. Most only hold.
fn tells(scene: &Scene, joint: usize) -> bool {
    let Scene { bodies, joints, .. } = *scene;
    let led = |&body: &usize| !bodies.moves[body] && bodies.velocity[body] != Vec6::default();
    joints.active[joint]
        && (joints.geometry[joint].body.iter().any(led)
            || joints.rows(joint).iter().any(|row| row.stored != 0.0 || row.kind == RowKind::Drive))
}

/// Adds what a manifold says of its island.
fn add_contact(by_leader: &mut [IslandScale], scene: &Scene, manifold: usize) {
    let Scene { bodies, contacts, .. } = *scene;
    let ends = scene.ends(manifold);
    let Some(side) = ends.iter().position(|&body| bodies.moves[body]) else { return };
    let island = &mut by_leader[scene.islands.leader(ends[side])];
    let stiffness = contacts.manifold_material[manifold].stiffness;
    let (other, normal) = (ends[1 - side], vec3(contacts.manifold_normal[manifold]));
    let belt = contacts.manifold_surface[manifold].length();
    island.led = island.led.max(belt);
    for point in contacts.points(manifold) {
        if stiffness.is_finite() {
            let overlap = contacts.point_gap[point].min(0.0);
            island.stored += 0.5 * stiffness * overlap * overlap;
        }
        if bodies.moves[other] {
            continue;
        }
        let lever = vec3(contacts.point_position0[point] - bodies.com[other]);
        island.led = island.led.max(bodies.velocity[other].at(lever).length() + belt);
        if contacts.point_match[point] != UNMATCHED
            && let Some(old) = scene.cache.get(contacts.point_match[point] as usize)
        {
            island.pressed += old.steady(normal);
        }
    }
}

/// Adds what a joint says of its island.
fn add_joint(by_leader: &mut [IslandScale], scene: &Scene, joint: usize) {
    let Scene { bodies, joints, .. } = *scene;
    let ends = joints.geometry[joint].body;
    let Some(side) = ends.iter().position(|&body| bodies.moves[body]) else { return };
    let island = &mut by_leader[scene.islands.leader(ends[side])];
    let (own, other) = (ends[side], ends[1 - side]);
    if !bodies.moves[other] {
        let lever = vec3(bodies.com[own] - bodies.com[other]);
        let v = bodies.velocity[other];
        island.led = island.led.max(v.l.length() + v.a.length() * lever.length());
    }
    for row in joints.rows(joint) {
        island.stored += row.stored;
        if row.kind == RowKind::Drive && row.axis < 3 {
            island.pressed += row.force.abs();
            island.blocked += if row.bounded() { row.blocked.abs() } else { 0.0 };
        }
    }
}
