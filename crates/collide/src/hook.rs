//! A user's say in contacts: which pairs may touch, and what their contacts are like.

use std::sync::Arc;

use drystone_geometry::{DVec3, Pose};
use drystone_model::{BodyId, Contacts, Material, Model, ShapeId, State, Twist, WORLD};

use crate::contact_cache::ContactCache;
use crate::pairs::{PairKey, pair_shapes};

/// Code of a user that has a say in contacts. It is asked after every search for contacts (at least one a step; solvers that cut
/// a step search in every piece), on one thread and in the order of the shapes, so that results do not depend on the number of
/// threads. What it answers should depend on what it is shown alone; what it remembers is in no checkpoint.
///
/// ```
/// use drystone_collide::{Collide, CollideOptions, ContactHook, ContactPatch, ContactPair};
/// use drystone_model::{BodyDef, DVec3, ModelBuilder};
/// use std::sync::Arc;
/// struct Ice;
/// impl ContactHook for Ice {
///     fn modify(&self, contact: &mut ContactPatch) {
///         contact.material.set_friction(0.0);
///         contact.retain(|point| point.position.x > 0.0);
///     }
/// }
/// let mut scene = ModelBuilder::new();
/// scene.ground();
/// scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z * 0.5).cuboid(DVec3::splat(0.5)));
/// let model = scene.finalize()?;
/// let mut collide = Collide::new(&model, CollideOptions::default());
/// collide.set_hook(Some(Arc::new(Ice)));
/// collide.detect(&model, &model.state(), 1.0 / 60.0);
/// assert_eq!(collide.contacts.point_count(), 2);
/// assert_eq!(collide.contacts.manifold_material[0].friction_static, 0.0);
/// # Ok::<(), drystone_model::ModelError>(())
/// ```
pub trait ContactHook: Send + Sync {
    /// Whether two shapes that come near each other may touch.
    fn admit(&self, _pair: &ContactPair) -> bool {
        true
    }

    /// Changes what two shapes feel where they touch: friction, restitution, stiffness, surface velocity, points.
    fn modify(&self, _contact: &mut ContactPatch) {}
}

/// Two shapes that come near each other, the one that was added first first.
#[derive(Clone, Copy)]
pub struct ContactPair<'a> {
    /// The shapes.
    pub shape: [ShapeId; 2],
    /// The bodies that wear them.
    pub body: [BodyId; 2],
    model: &'a Model,
    state: &'a State,
    index: [usize; 2],
}

impl ContactPair<'_> {
    /// Which of the two a shape is, if it is one.
    pub fn side_of(&self, shape: ShapeId) -> Option<usize> {
        self.shape.iter().position(|&one| one == shape)
    }

    /// Where the body of a side is; the identity for the world.
    pub fn pose(&self, side: usize) -> Pose {
        match self.model.shape_body[self.index[side]] {
            WORLD => Pose::IDENTITY,
            body => self.state.body_q[body as usize],
        }
    }

    /// Velocity of a point \[m\] that moves with the body of a side \[m/s\], world frame.
    pub fn velocity(&self, side: usize, point: DVec3) -> DVec3 {
        match self.model.shape_body[self.index[side]] {
            WORLD => DVec3::ZERO,
            body => {
                let Twist { linear, angular } = self.state.body_qd[body as usize];
                let centre = self.pose(side).transform_point(self.model.body_com[body as usize]);
                linear + angular.cross(point - centre)
            }
        }
    }

    /// Name of the shape of a side.
    pub fn name(&self, side: usize) -> &str {
        &self.model.shape_name[self.index[side]]
    }
}

/// A point of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchPoint {
    /// Half way between the two surfaces \[m\].
    pub position: DVec3,
    /// Signed distance of the surfaces along the normal \[m\]; negative overlaps.
    pub gap: f64,
}

/// Where two shapes touch or are about to: up to four points with one normal. Concave shapes touch in several patches.
pub struct ContactPatch<'a> {
    /// The shapes.
    pub pair: ContactPair<'a>,
    /// Unit normal from the first shape to the second, world frame.
    pub normal: DVec3,
    /// What the contact is like: [`Material::mix`] of both unless changed.
    pub material: Material,
    /// Velocity of the second surface against the first, beyond that of their bodies, world frame \[m/s\].
    pub surface_velocity: DVec3,
    points: Vec<PatchPoint>,
    kept: [bool; 4],
}

impl ContactPatch<'_> {
    /// Unit normal that points out of the shape of a side.
    pub fn normal_out_of(&self, side: usize) -> DVec3 {
        if side == 0 { self.normal } else { -self.normal }
    }

    /// The points.
    pub fn points(&self) -> &[PatchPoint] {
        &self.points
    }

    /// How fast the surfaces part along the normal at a point, negative when they approach \[m/s\].
    pub fn parting_speed(&self, point: &PatchPoint) -> f64 {
        let [first, second] = [0, 1].map(|side| self.pair.velocity(side, point.position));
        self.normal.dot(second - first)
    }

    /// Leaves out the points for which `keep` does not hold; without points the shapes do not touch here.
    pub fn retain(&mut self, keep: impl Fn(&PatchPoint) -> bool) {
        for (kept, point) in self.kept.iter_mut().zip(&self.points) {
            *kept &= keep(point);
        }
    }

    /// Leaves out all points.
    pub fn disable(&mut self) {
        self.kept = [false; 4];
    }
}

/// A hook and the ids that it knows shapes and bodies by.
#[derive(Clone)]
pub(crate) struct Hooked {
    pub hook: Arc<dyn ContactHook>,
    /// Ids of shapes and bodies by their indices, where they are not the indices.
    pub ids: Option<[Vec<u32>; 2]>,
}

impl std::fmt::Debug for Hooked {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("a contact hook")
    }
}

impl Hooked {
    fn pair<'a>(&self, model: &'a Model, state: &'a State, index: [usize; 2]) -> ContactPair<'a> {
        let body = index.map(|shape| model.shape_body[shape]);
        let (shape, body) = match &self.ids {
            None => (index.map(|shape| shape as u32), body),
            Some([shapes, bodies]) => {
                let name = |body: u32| if body == WORLD { WORLD } else { bodies[body as usize] };
                (index.map(|shape| shapes[shape]), body.map(name))
            }
        };
        ContactPair { shape: shape.map(ShapeId), body: body.map(BodyId), model, state, index }
    }

    /// Drops the pairs that may not touch.
    pub fn filter(&self, model: &Model, state: &State, pairs: &mut Vec<PairKey>) {
        pairs.retain(|&key| {
            let (first, second) = pair_shapes(key);
            self.hook.admit(&self.pair(model, state, [first, second]))
        });
    }

    /// Lets the hook change every manifold; returns what it set and no contact can have.
    pub fn modify(
        &self,
        model: &Model,
        state: &State,
        contacts: &mut Contacts,
        memory: &mut ContactCache,
    ) -> Option<String> {
        let mut keep = vec![true; contacts.point_count()];
        let mut fault = None;
        for manifold in 0..contacts.manifold_count() {
            let index = [contacts.manifold_shape0[manifold], contacts.manifold_shape1[manifold]].map(|s| s as usize);
            let range = contacts.points(manifold);
            let middle = |point: usize| 0.5 * (contacts.point_position0[point] + contacts.point_position1[point]);
            let point = |point: usize| PatchPoint { position: middle(point), gap: contacts.point_gap[point] };
            let mut patch = ContactPatch {
                pair: self.pair(model, state, index),
                normal: contacts.manifold_normal[manifold],
                material: contacts.manifold_material[manifold],
                surface_velocity: contacts.manifold_surface[manifold],
                points: range.clone().map(point).collect(),
                kept: [true; 4],
            };
            self.hook.modify(&mut patch);
            let ContactPatch { material, surface_velocity, kept, .. } = patch;
            match wrong(&material, surface_velocity) {
                None => {
                    contacts.manifold_material[manifold] = material;
                    contacts.manifold_surface[manifold] = surface_velocity;
                }
                Some(what) => {
                    let [first, second] = index.map(|shape| &model.shape_name[shape]);
                    fault.get_or_insert(format!("the contact hook set {what} between `{first}` and `{second}`"));
                }
            }
            range.zip(kept).for_each(|(point, kept)| keep[point] = kept);
        }
        if keep.contains(&false) {
            memory.retain_points(contacts, &keep);
        }
        fault
    }
}

/// What of a contact makes no sense.
fn wrong(material: &Material, surface_velocity: DVec3) -> Option<String> {
    let not_negative = [
        ("friction_static", material.friction_static),
        ("friction_dynamic", material.friction_dynamic),
        ("damping", material.damping),
        ("friction_torsional", material.friction_torsional),
        ("friction_rolling", material.friction_rolling),
    ];
    if let Some((name, value)) = not_negative.iter().find(|(_, value)| !(*value >= 0.0 && value.is_finite())) {
        return Some(format!("{name} to {value}, which must be zero or more"));
    }
    if !(0.0..=1.0).contains(&material.restitution) {
        return Some(format!("restitution to {}, which must be from 0 to 1", material.restitution));
    }
    if material.stiffness.is_nan() || material.stiffness <= 0.0 {
        return Some(format!("stiffness to {}, which must be positive or infinite", material.stiffness));
    }
    (!surface_velocity.is_finite()).then(|| format!("surface_velocity to {surface_velocity}, which must be finite"))
}
