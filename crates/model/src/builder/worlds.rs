//! Several independent worlds in one model.

use drystone_geometry::{DVec3, Pose};

use super::ModelBuilder;
use super::bodies::BodyRecord;
use super::joints::JointRecord;
use super::shapes::ShapeRecord;
use crate::id::{BodyId, ShapeId, WorldId};
use crate::model::WORLD;

impl ModelBuilder {
    /// Starts a new world with its own gravity \[m/s²\]; what is added next lives in it. The first
    /// world of an empty builder is reused.
    pub fn begin_world(&mut self, gravity: DVec3) -> WorldId {
        if self.world_begun || !self.is_empty() {
            self.world_gravity.push(gravity);
            self.world_wind.push(DVec3::ZERO);
        }
        self.world_begun = true;
        self.world = self.world_gravity.len() as u32 - 1;
        self.gravity(gravity);
        WorldId(self.world)
    }

    /// Goes back to the first world.
    pub fn end_world(&mut self) {
        self.world = 0;
    }

    /// Whether nothing has been added yet.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.shapes.is_empty() && self.deformable.particle_q.is_empty()
    }

    /// Adds `count` copies of a scene, each in worlds of its own, the copies `offset` apart \[m\].
    /// The offset is for looking at them: worlds never meet. Names get the prefix `world_<index>/`.
    ///
    /// ```
    /// use drystone_model::{BodyDef, DVec3, ModelBuilder};
    /// let mut one = ModelBuilder::new();
    /// one.ground();
    /// one.add_body(BodyDef::dynamic("ball").at(DVec3::Z).sphere(0.5));
    /// let mut many = ModelBuilder::new();
    /// many.replicate(&one, 100, DVec3::X * 3.0);
    /// let model = many.finalize()?;
    /// assert_eq!((model.world_count(), model.body_count()), (100, 100));
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn replicate(&mut self, scene: &Self, count: usize, offset: DVec3) {
        for copy in 0..count {
            let at = Pose::from_translation(offset * copy as f64);
            let begin = |(&gravity, &wind)| {
                let world = self.begin_world(gravity).0;
                self.wind(wind);
                world
            };
            let worlds: Vec<u32> = scene.world_gravity.iter().zip(&scene.world_wind).map(begin).collect();
            let prefix = format!("world_{}/", worlds[0]);
            self.append_into(scene, &at, &prefix, &worlds);
        }
        self.end_world();
    }

    /// Adds a copy of a scene of one world to the current world, moved by a pose; names get the prefix.
    /// Bodies of the copy are numbered from the returned id on. Of a scene with several worlds all
    /// end up in the current one.
    pub fn append(&mut self, scene: &Self, at: Pose, prefix: &str) -> BodyId {
        let first = BodyId(self.bodies.len() as u32);
        self.append_into(scene, &at, prefix, &vec![self.world; scene.world_gravity.len()]);
        first
    }

    fn append_into(&mut self, scene: &Self, at: &Pose, prefix: &str, worlds: &[u32]) {
        let (bodies, shapes) = (self.bodies.len() as u32, self.shapes.len() as u32);
        let joints = self.joints.len() as u32;
        let shift = |body: BodyId| if body.is_world() { body } else { BodyId(body.0.saturating_add(bodies)) };
        let moved = |pose: Pose, on: BodyId| if on.is_world() { *at * pose } else { pose };
        let renamed = |name: &str| if name.is_empty() { String::new() } else { format!("{prefix}{name}") };
        self.bodies.extend(scene.bodies.iter().map(|record| {
            let mut def = record.def.clone();
            def.name = renamed(&def.name);
            def.pose = *at * def.pose;
            def.velocity.linear = at.rotation * def.velocity.linear;
            def.velocity.angular = at.rotation * def.velocity.angular;
            let worn = record.shapes.iter().map(|shape| ShapeId(shape.0 + shapes)).collect();
            BodyRecord { def, world: worlds[record.world as usize], shapes: worn }
        }));
        self.shapes.extend(scene.shapes.iter().map(|record| {
            let mut def = record.def.clone();
            def.name = renamed(&def.name);
            def.pose = moved(def.pose, record.body);
            if record.body.is_world() {
                def.surface_velocity = at.rotation * def.surface_velocity;
            }
            ShapeRecord { def, body: shift(record.body), world: worlds[record.world as usize] }
        }));
        self.joints.extend(scene.joints.iter().map(|record| {
            let mut def = record.def.clone();
            def.name = renamed(&def.name);
            let frame_parent = moved(record.frame_parent, def.parent);
            (def.parent, def.child) = (shift(def.parent), shift(def.child));
            def.follow.iter_mut().flatten().for_each(|follow| follow.joint.0 += joints);
            JointRecord { def, frame_parent, frame_child: record.frame_child, angle: record.angle }
        }));
        self.filters.extend(scene.filters.iter().map(|&(a, b)| (a.saturating_add(shapes), b.saturating_add(shapes))));
        self.rod_count += scene.rod_count;
        self.faults.extend(scene.faults.iter().cloned());
        self.attributes.append(&scene.attributes, [bodies, shapes, joints]);
        self.append_deformables(scene, at, worlds, bodies);
    }

    fn append_deformables(&mut self, scene: &Self, at: &Pose, worlds: &[u32], bodies: u32) {
        let (own, other) = (&mut self.deformable, &scene.deformable);
        let base = own.particle_q.len() as u32;
        let shift = |particle: u32| if particle == WORLD { WORLD } else { particle + base };
        own.particle_world.extend(other.particle_world.iter().map(|&world| worlds[world as usize]));
        own.particle_q.extend(other.particle_q.iter().map(|&point| at.transform_point(point)));
        own.particle_qd.extend(other.particle_qd.iter().map(|&velocity| at.transform_vector(velocity)));
        own.particle_mass.extend(&other.particle_mass);
        own.particle_radius.extend(&other.particle_radius);
        own.particle_friction.extend(&other.particle_friction);
        own.particle_group.extend(&other.particle_group);
        own.particle_mask.extend(&other.particle_mask);
        own.particle_filter.extend(other.particle_filter.iter().map(|pair| pair.map(shift)));
        own.spring_particle.extend(other.spring_particle.iter().map(|ends| ends.map(shift)));
        own.spring_length.extend(&other.spring_length);
        own.spring_stiffness.extend(&other.spring_stiffness);
        own.spring_damping.extend(&other.spring_damping);
        own.triangle_particle.extend(other.triangle_particle.iter().map(|corners| corners.map(shift)));
        own.triangle_rest.extend(&other.triangle_rest);
        own.triangle_area.extend(&other.triangle_area);
        own.triangle_material.extend(&other.triangle_material);
        own.triangle_air.extend(&other.triangle_air);
        own.edge_particle.extend(other.edge_particle.iter().map(|corners| corners.map(shift)));
        own.edge_angle.extend(&other.edge_angle);
        own.edge_length.extend(&other.edge_length);
        own.edge_material.extend(&other.edge_material);
        own.tet_particle.extend(other.tet_particle.iter().map(|corners| corners.map(shift)));
        own.tet_rest.extend(&other.tet_rest);
        own.tet_material.extend(&other.tet_material);
        own.attachment_particle.extend(other.attachment_particle.iter().map(|&particle| shift(particle)));
        own.attachment_other.extend(other.attachment_other.iter().map(|&particle| shift(particle)));
        let shift_body = |body: u32| if body == WORLD { WORLD } else { body.saturating_add(bodies) };
        own.attachment_body.extend(other.attachment_body.iter().map(|&body| shift_body(body)));
        own.attachment_point.extend((0..other.attachment_point.len()).map(|index| {
            let of_world = other.attachment_body[index] == WORLD && other.attachment_other[index] == WORLD;
            let point = other.attachment_point[index];
            if of_world { at.transform_point(point) } else { point }
        }));
        own.attachment_stiffness.extend(&other.attachment_stiffness);
    }
}
