//! What can be changed in an edit, by id.

use drystone_model::{
    BodyDef, BodyId, BodyKind, Contacts, DVec3, Entity, JointDef, JointId, MassSource, Model, ModelBuilder, ModelError,
    ModelMap, ShapeDef, ShapeId, Twist, WORLD, WorldId,
};

use super::apply::Edit;
use super::marks::{Marks, at, give, name_by_id};
use crate::ids::{Ids, RequestError};
use crate::registry::new_model;
use crate::simulation::Simulation;

/// The scene of a running simulation, open for changes: [`Simulation::edit`].
pub struct SceneEdit<'a> {
    /// The model before, with the poses, drive targets and switches of now as its initial ones.
    model: Model,
    pub(super) ids: Ids,
    pub(super) scene: ModelBuilder,
    contacts: &'a Contacts,
    pub(super) touched: bool,
    /// Shapes of the world that are not what they were, by index.
    stirred: Vec<u32>,
    body: Marks,
    shape: Marks,
    joint: Marks,
    pub(super) particle: Marks,
}

impl<'a> SceneEdit<'a> {
    pub(super) fn new(sim: &'a Simulation) -> Self {
        let model = sim.model_now();
        Self {
            ids: sim.ids.clone(),
            scene: new_model().reopen(&model),
            contacts: &sim.collide.contacts,
            touched: false,
            stirred: Vec::new(),
            body: Marks::new(model.body_count()),
            shape: Marks::new(model.shape_count()),
            joint: Marks::new(model.joint_count()),
            particle: Marks::new(model.particle_count()),
            model,
        }
    }

    /// Adds a body with its shapes. An empty name becomes `body_<id>`.
    pub fn add_body(&mut self, mut def: BodyDef) -> Result<BodyId, RequestError> {
        let id = BodyId(give(&mut self.ids.body, &mut self.body, Entity::Body)?);
        name_by_id(&mut def.name, Entity::Body, id.0);
        let (shapes, locked, pose) = (std::mem::take(&mut def.shapes), std::mem::take(&mut def.locked), def.pose);
        let lock = JointDef::axis_lock_name(&def.name);
        // What cannot be locked is left to the checks of the scene.
        let joint = if def.kind == BodyKind::Dynamic { JointDef::axis_lock(id, pose, locked) } else { None };
        def.locked = if joint.is_some() { [false; 6] } else { locked };
        self.scene.add_body(def);
        self.touched = true;
        for shape in shapes {
            self.add_shape(id, shape)?;
        }
        if let Some(joint) = joint.filter(|_| locked.contains(&true)) {
            self.add_joint(joint.named(lock))?;
        }
        Ok(id)
    }

    /// Adds a shape to a body, or to the world. The mass of a body that is there already stays as it is: set it with
    /// [`SceneEdit::change_body`], by a number or by `MassSource::Density`.
    pub fn add_shape(&mut self, body: impl Into<BodyId>, mut def: ShapeDef) -> Result<ShapeId, RequestError> {
        let wearer = self.body_or_world(body.into())?;
        let id = give(&mut self.ids.shape, &mut self.shape, Entity::Shape)?;
        name_by_id(&mut def.name, Entity::Shape, id);
        self.scene.add_shape(wearer, def);
        self.mark_body(wearer);
        Ok(ShapeId(id))
    }

    /// Adds a joint. Frames in world coordinates are fixed to the bodies where these are now.
    pub fn add_joint(&mut self, mut def: JointDef) -> Result<JointId, RequestError> {
        def.parent = self.body_or_world(def.parent)?;
        def.child = self.body_or_world(def.child)?;
        for follow in def.follow.iter_mut().flatten() {
            follow.joint = self.joint_at(follow.joint)?;
        }
        let id = give(&mut self.ids.joint, &mut self.joint, Entity::Joint)?;
        name_by_id(&mut def.name, Entity::Joint, id);
        let ends = [def.parent, def.child];
        self.scene.add_joint(def);
        ends.into_iter().for_each(|body| self.mark_body(body));
        Ok(JointId(id))
    }

    /// Removes a body with its shapes and all joints to it.
    pub fn remove_body(&mut self, body: BodyId) -> Result<(), RequestError> {
        let index = self.body_at(body)?;
        self.body.kept[index.built_index()] = false;
        for shape in self.scene.body_shapes(index).to_vec() {
            self.shape.kept[shape.built_index()] = false;
        }
        self.touched = true;
        Ok(())
    }

    /// Removes a shape. The mass of its body stays as it is.
    pub fn remove_shape(&mut self, shape: ShapeId) -> Result<(), RequestError> {
        let index = self.shape_at(shape)?;
        self.shape.kept[index.built_index()] = false;
        self.mark_wearer(index);
        Ok(())
    }

    /// Removes a joint.
    pub fn remove_joint(&mut self, joint: JointId) -> Result<(), RequestError> {
        let index = self.joint_at(joint)?;
        self.drop_joint(index);
        Ok(())
    }

    /// Changes a body: kind, mass, name, pose and velocity of now (moved by hand, it keeps no contacts). Shapes are
    /// changed by themselves; those put into the definition here are added.
    pub fn change_body(&mut self, body: BodyId, change: impl FnOnce(&mut BodyDef)) -> Result<(), RequestError> {
        let index = self.body_at(body)?;
        let Some(def) = self.scene.body_mut(index) else { return self.gone(Entity::Body, body.0) };
        let (pose, velocity, kind) = (def.pose, def.velocity, def.kind);
        change(def);
        match def.kind {
            // What comes to stand still does so.
            BodyKind::Static if kind != BodyKind::Static && def.velocity == velocity => def.velocity = Twist::default(),
            // What had no mass so far gets that of its shapes.
            BodyKind::Dynamic if matches!(def.mass, MassSource::Given(given) if given.mass == 0.0) => {
                def.mass = MassSource::Density;
            }
            _ => {}
        }
        let (added, moved) = (std::mem::take(&mut def.shapes), def.pose != pose);
        self.mark_body(index);
        for shape in if moved { self.scene.body_shapes(index).to_vec() } else { Vec::new() } {
            self.shape.changed[shape.built_index()] = true;
        }
        for shape in added {
            self.add_shape(body, shape)?;
        }
        Ok(())
    }

    /// Changes a shape: material, groups, margin, and geometry and pose (its contacts then begin anew). The mass of its body
    /// stays as it is.
    pub fn change_shape(&mut self, shape: ShapeId, change: impl FnOnce(&mut ShapeDef)) -> Result<(), RequestError> {
        let index = self.shape_at(shape)?;
        let Some(def) = self.scene.shape_mut(index) else { return self.gone(Entity::Shape, shape.0) };
        let before = def.clone();
        change(def);
        let same = def.geometry == before.geometry && def.pose == before.pose && def.margin == before.margin;
        self.shape.changed[index.built_index()] |= !same;
        self.mark_wearer(index);
        Ok(())
    }

    /// Changes a joint: drives, limits, friction, what breaks it, whether it acts, its bodies (by id) and frames. Its loads
    /// begin anew.
    pub fn change_joint(&mut self, joint: JointId, change: impl FnOnce(&mut JointDef)) -> Result<(), RequestError> {
        let index = self.joint_at(joint)?;
        let id = |ids: &Ids, body: BodyId| BodyId(ids.of_body(body.0));
        let Some(ends) = self.scene.joint_def(index).map(|def| [def.parent, def.child]) else {
            return self.gone(Entity::Joint, joint.0);
        };
        let named = ends.map(|body| id(&self.ids, body));
        let mut asked = named;
        let mut followed = [None; 6];
        self.scene.change_joint(index, |def| {
            (def.parent, def.child) = (named[0], named[1]);
            def.follow.iter_mut().flatten().for_each(|follow| follow.joint.0 = self.ids.of_joint(follow.joint.0));
            change(def);
            asked = [def.parent, def.child];
            followed = std::mem::take(&mut def.follow);
            // Back to indices; frames in world coordinates are fixed by them.
            (def.parent, def.child) = (ends[0], ends[1]);
        });
        for follow in followed.iter_mut().flatten() {
            follow.joint = self.joint_at(follow.joint)?;
        }
        self.scene.change_joint(index, |def| def.follow = followed);
        if asked != named {
            let now = [self.body_or_world(asked[0])?, self.body_or_world(asked[1])?];
            self.scene.change_joint(index, |def| (def.parent, def.child) = (now[0], now[1]));
            now.into_iter().for_each(|body| self.mark_body(body));
        }
        self.joint.changed[index.built_index()] = true;
        ends.into_iter().for_each(|body| self.mark_body(body));
        Ok(())
    }

    /// Keeps two shapes from colliding.
    pub fn filter_shapes(&mut self, a: ShapeId, b: ShapeId) -> Result<(), RequestError> {
        let (a, b) = (self.shape_at(a)?, self.shape_at(b)?);
        self.scene.filter_shapes(a, b);
        [a, b].into_iter().for_each(|shape| self.mark_wearer(shape));
        Ok(())
    }

    /// Lets two shapes collide again; returns whether they had been kept apart (by name: those of jointed bodies are kept
    /// apart by their joint).
    pub fn unfilter_shapes(&mut self, a: ShapeId, b: ShapeId) -> Result<bool, RequestError> {
        let (a, b) = (self.shape_at(a)?, self.shape_at(b)?);
        [a, b].into_iter().for_each(|shape| self.mark_wearer(shape));
        Ok(self.scene.unfilter_shapes(a, b))
    }

    /// The world that what is added next lives in; the first unless chosen. What is added to a body lives in the body's.
    pub fn enter_world(&mut self, world: WorldId) -> Result<(), RequestError> {
        self.world_at(world)?;
        self.scene.enter_world(world);
        Ok(())
    }

    /// Sets the gravity of a world \[m/s²\].
    pub fn set_gravity(&mut self, world: WorldId, gravity: DVec3) -> Result<(), RequestError> {
        self.world_at(world)?;
        self.scene.gravity_mut(world).into_iter().for_each(|slot| *slot = gravity);
        for body in 0..self.model.body_count() {
            self.body.changed[body] |= self.model.body_world[body] == world.0;
        }
        self.touched = true;
        Ok(())
    }

    /// Where a body is in the builder, if it has not been removed.
    fn body_at(&self, body: BodyId) -> Result<BodyId, RequestError> {
        at(&self.ids.body, &self.body, Entity::Body, body.0).map(BodyId)
    }

    fn shape_at(&self, shape: ShapeId) -> Result<ShapeId, RequestError> {
        at(&self.ids.shape, &self.shape, Entity::Shape, shape.0).map(ShapeId)
    }

    fn joint_at(&self, joint: JointId) -> Result<JointId, RequestError> {
        at(&self.ids.joint, &self.joint, Entity::Joint, joint.0).map(JointId)
    }

    fn world_at(&self, world: WorldId) -> Result<(), RequestError> {
        let next = self.scene.world_count() as u32;
        if world.0 < next { Ok(()) } else { Err(RequestError::Unknown { entity: Entity::World, id: world.0, next }) }
    }

    fn body_or_world(&self, body: BodyId) -> Result<BodyId, RequestError> {
        if body.is_world() { Ok(body) } else { self.body_at(body) }
    }

    fn gone<T>(&self, entity: Entity, id: u32) -> Result<T, RequestError> {
        Err(RequestError::Removed { entity, id })
    }

    fn drop_joint(&mut self, joint: JointId) {
        self.joint.kept[joint.built_index()] = false;
        let ends = self.scene.joint_def(joint).map(|def| [def.parent, def.child]);
        ends.into_iter().flatten().for_each(|body| self.mark_body(body));
    }

    /// Notes that a body, by its index in the builder, is not what it was.
    fn mark_body(&mut self, body: BodyId) {
        self.touched = true;
        if let Some(changed) = self.body.changed.get_mut(body.built_index()) {
            *changed = true;
        }
    }

    /// Notes it of the body that wears a shape; if that is the world, of the shape itself.
    fn mark_wearer(&mut self, shape: ShapeId) {
        self.touched = true;
        match self.scene.shape_body(shape) {
            Some(body) if !body.is_world() => self.mark_body(body),
            _ => self.stirred.push(shape.0),
        }
    }

    /// Joints go with their bodies: one pass over all of them, however many bodies go.
    fn drop_joints_of_removed(&mut self) {
        for joint in (0..self.scene.joint_count() as u32).map(JointId) {
            let Some(ends) = self.scene.joint_def(joint).map(|def| [def.parent, def.child]) else { continue };
            let gone = |body: &BodyId| self.body.kept.get(body.built_index()) == Some(&false);
            if self.joint.kept[joint.built_index()] && ends.iter().any(gone) {
                self.drop_joint(joint);
            }
        }
    }

    /// Notes it of bodies with a contact to something chosen by the indices of its shape and body before.
    fn mark_touching(&mut self, chosen: impl Fn(usize, u32) -> bool) {
        let Contacts { manifold_shape0, manifold_shape1, manifold_body0, manifold_body1, .. } = self.contacts;
        for manifold in 0..self.contacts.manifold_count() {
            let shapes = [manifold_shape0[manifold], manifold_shape1[manifold]];
            let bodies = [manifold_body0[manifold], manifold_body1[manifold]];
            for side in (0..2).filter(|&side| chosen(shapes[side] as usize, bodies[side])) {
                if let Some(changed) = self.body.changed.get_mut(bodies[1 - side] as usize) {
                    *changed = true;
                }
            }
        }
    }

    /// Checks the changed scene as a whole. `None` if nothing was asked for.
    pub(super) fn finish(mut self) -> Result<Option<Edit>, ModelError> {
        if !self.touched {
            return Ok(None);
        }
        self.drop_joints_of_removed();
        self.stirred.sort_unstable();
        let stirred = std::mem::take(&mut self.stirred);
        // What touches something that goes or is not what it was wakes; one step along, not through the whole pile.
        let (bodies, changed, shapes) = (self.body.kept.clone(), self.body.changed.clone(), self.shape.kept.clone());
        let moved = |body: u32| body != WORLD && (!bodies[body as usize] || changed[body as usize]);
        let shaken = |shape: usize| !shapes[shape] || stirred.binary_search(&(shape as u32)).is_ok();
        self.mark_touching(|shape, body| shaken(shape) || moved(body));
        self.scene.retain(&self.body.kept, &self.shape.kept, &self.joint.kept);
        self.scene.retain_particles(&self.particle.kept);
        let model = self.scene.finalize()?;
        self.ids.body.retain(&self.body.kept);
        self.ids.shape.retain(&self.shape.kept);
        self.ids.joint.retain(&self.joint.kept);
        self.ids.particle.retain(&self.particle.kept);
        let map = ModelMap {
            body: self.body.map(),
            shape: self.shape.map(),
            joint: self.joint.map(),
            particle: self.particle.map(),
            disturbed: self.body.changed_now(),
            reshaped: self.shape.changed_now(),
            rejoined: self.joint.changed_now(),
            point: Vec::new(),
        };
        Ok(Some(Edit { model, ids: self.ids, map }))
    }
}
