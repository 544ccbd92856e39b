//! One collision pipeline for every solver: bounds → pairs → contacts, matched to the step before.
//! Results do not depend on the number of threads.
#![forbid(unsafe_code)]

use drystone_model::{Contacts, Model, State};

/// How the pipeline searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollideOptions {
    /// Contacts are reported up to this distance in any case \[m\]. The speculative part, which
    /// grows with the relative speed, comes on top.
    pub margin: f64,
    /// Whether matched points keep begin/persist/end events.
    pub events: bool,
}

impl Default for CollideOptions {
    fn default() -> Self {
        Self { margin: 0.0, events: true }
    }
}

/// The pipeline and everything it remembers between steps.
#[derive(Clone, Debug, Default)]
pub struct Collide {
    /// Contacts of the current step.
    pub contacts: Contacts,
}

impl Collide {
    /// A pipeline for a model.
    pub fn new(_model: &Model, _options: CollideOptions) -> Self {
        Self::default()
    }

    /// Finds the contacts at the poses of `state`, looking as far ahead as the bodies can move in
    /// `dt` seconds, and matches them to those of the call before.
    pub fn detect(&mut self, _model: &Model, _state: &State, _dt: f64) {}
}
