//! The pipeline: the phases in order and what they remember.

use std::sync::Arc;

use drystone_geometry::{Aabb, DVec3};
use drystone_model::{Contacts, Model, State};

use crate::bounds::{Moving, bounds};
use crate::contact_cache::ContactCache;
use crate::contacts::{Chunk, Scene, assemble, contacts, match_contacts};
use crate::hook::{ContactHook, Hooked};
use crate::pairs::{BroadPhase, PairKey, pair_shapes};
use crate::shapes::ShapeTable;
use crate::stopwatch::Moment;

/// How the pipeline searches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CollideOptions {
    /// Contacts are reported up to this distance in any case \[m\]. The speculative part, which
    /// grows with the relative speed, comes on top.
    pub margin: f64,
}

/// Seconds spent in each phase of the last detection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CollideTiming {
    /// Placements and swept boxes \[s\].
    pub bounds: f64,
    /// Broad phase \[s\].
    pub pairs: f64,
    /// Narrow phase \[s\].
    pub contacts: f64,
    /// Matching to the step before, and putting the result together \[s\].
    pub matching: f64,
}

/// The pipeline and everything it remembers between steps.
///
/// ```
/// use drystone_collide::{Collide, CollideOptions};
/// use drystone_model::{BodyDef, DVec3, ModelBuilder};
/// let mut scene = ModelBuilder::new();
/// scene.ground();
/// scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z * 0.49).cuboid(DVec3::splat(0.5)));
/// let model = scene.finalize()?;
/// let mut collide = Collide::new(&model, CollideOptions::default());
/// collide.detect(&model, &model.state(), 1.0 / 60.0);
/// assert_eq!(collide.contacts.point_count(), 4);
/// assert!(collide.contacts.point_gap.iter().all(|gap| (gap + 0.01).abs() < 1e-12)); // 1 cm deep
/// # Ok::<(), drystone_model::ModelError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Collide {
    /// Contacts of the current step.
    pub contacts: Contacts,
    /// What the last detection cost.
    pub timing: CollideTiming,
    /// How many arrays had to grow in the last detection; zero in steady state.
    pub growth_count: u32,
    growth_untold: u32,
    options: CollideOptions,
    pub(crate) table: ShapeTable,
    pub(crate) moving: Vec<Moving>,
    broad: BroadPhase,
    pairs: Vec<PairKey>,
    chunks: Vec<Chunk>,
    pub(crate) now: ContactCache,
    last: ContactCache,
    last_contacts: Contacts,
    pub(crate) hook: Option<Hooked>,
    hook_fault: Option<String>,
    /// Step that the last detection looked ahead \[s\]; none where what is remembered is not of it.
    pub(crate) last_dt: Option<f64>,
}

impl Collide {
    /// A pipeline for a model.
    pub fn new(model: &Model, options: CollideOptions) -> Self {
        let table = ShapeTable::new(model);
        Self { options, broad: BroadPhase::new(model, &table), table, ..Self::default() }
    }

    /// Finds the contacts at the poses of `state`, looking as far ahead as the bodies can move in
    /// `dt` seconds, and matches them to those of the call before.
    pub fn detect(&mut self, model: &Model, state: &State, dt: f64) {
        std::mem::swap(&mut self.contacts, &mut self.last_contacts);
        std::mem::swap(&mut self.now, &mut self.last);
        let margin = self.options.margin;
        let capacity = self.capacities();

        let start = Moment::now();
        let same_dt = self.last_dt.replace(dt) == Some(dt);
        bounds(model, state, &self.table, margin, dt, same_dt, &mut self.moving);
        let bounded = Moment::now();
        self.broad.pairs(model, &self.table, &self.moving, dt, &mut self.pairs);
        if let Some(hook) = &self.hook {
            hook.filter(model, state, &mut self.pairs);
        }
        let paired = Moment::now();
        let scene = Scene {
            model,
            table: &self.table,
            moving: &self.moving,
            margin,
            dt,
            pairs: &self.pairs,
            last: &self.last,
            last_contacts: &self.last_contacts,
            // A user's code may have changed what was found.
            keeps: self.hook.is_none(),
        };
        contacts(&scene, &mut self.chunks);
        let touched = Moment::now();
        match_contacts(&scene, &mut self.chunks);
        assemble(&scene, &self.chunks, &mut self.contacts, &mut self.now);
        if let Some(hook) = &self.hook {
            let fault = hook.modify(model, state, &mut self.contacts, &mut self.now);
            self.hook_fault = self.hook_fault.take().or(fault);
        }
        self.growth_count = self.capacities().iter().zip(&capacity).filter(|(now, was)| now > was).count() as u32;
        self.growth_untold += self.growth_count;
        self.timing = CollideTiming {
            bounds: bounded.seconds_since(start),
            pairs: paired.seconds_since(bounded),
            contacts: touched.seconds_since(paired),
            matching: Moment::now().seconds_since(touched),
        };
    }

    /// Gives a user's code a say in contacts from the next detection on, or takes it away.
    pub fn set_hook(&mut self, hook: Option<Arc<dyn ContactHook>>) {
        self.hook = hook.map(|hook| Hooked { hook, ids: None });
    }

    /// Whether a hook has a say.
    pub fn has_hook(&self) -> bool {
        self.hook.is_some()
    }

    /// Gives the hook of another pipeline the same say here.
    pub fn take_hook_of(&mut self, other: &Self) {
        self.hook = other.hook.as_ref().map(|hooked| Hooked { hook: hooked.hook.clone(), ids: None });
    }

    /// Tells the hook, if there is one, of shapes and bodies by these ids, in the order of the model, instead of their
    /// indices.
    pub fn name_for_hook(&mut self, shapes: &[u32], bodies: &[u32]) {
        if let Some(hooked) = &mut self.hook {
            hooked.ids = Some([shapes.to_vec(), bodies.to_vec()]);
        }
    }

    /// What the hook set in the detections since this was last asked and no contact can have; that was not taken over.
    pub fn take_hook_fault(&mut self) -> Option<String> {
        self.hook_fault.take()
    }

    /// Room in the arrays that grow with the number of contacts, this step's and the one's before together.
    fn capacities(&self) -> [usize; 4] {
        [
            self.pairs.capacity(),
            self.chunks.capacity(),
            self.contacts.manifold_normal.capacity() + self.last_contacts.manifold_normal.capacity(),
            self.contacts.point_gap.capacity() + self.last_contacts.point_gap.capacity(),
        ]
    }

    /// How many arrays had to grow since this was last asked: in all detections of a step.
    pub fn take_growth(&mut self) -> u32 {
        std::mem::take(&mut self.growth_untold)
    }

    /// How it searches.
    pub fn options(&self) -> CollideOptions {
        self.options
    }

    /// Number of shapes of the model the pipeline was made for.
    pub(crate) fn shape_count(&self) -> usize {
        self.table.local.len()
    }

    /// Where the points of the last detection sit on the two shapes of their manifolds, in the frames of the shapes \[m\].
    pub fn anchors(&self) -> [&[DVec3]; 2] {
        [&self.now.point_anchor0, &self.now.point_anchor1]
    }

    /// The pairs of shapes the broad phase found, smaller index first, sorted.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        self.pairs.iter().map(|&key| pair_shapes(key))
    }

    /// What every shape can sweep within the step, as of the last detection.
    pub fn bounds(&self) -> impl ExactSizeIterator<Item = Aabb> + '_ {
        self.moving.iter().map(|moving| moving.bounds)
    }
}
