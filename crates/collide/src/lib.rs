//! One collision pipeline for every solver: bounds → pairs → contacts, matched to the step before.
//! Results do not depend on the number of threads.
#![forbid(unsafe_code)]

mod bounds;
mod contacts;
mod events;
mod matching;
mod memory;
mod narrow;
mod pairs;
mod pipeline;
mod placement;
mod query;
mod shapes;
mod snapshot;
mod stencil;
mod surface;
mod tree;

pub use pipeline::{Collide, CollideOptions, CollideTiming};
pub use query::{SceneHit, SceneNearest, SceneQuery};
pub use snapshot::RestoreError;
pub use stencil::{EdgeEdge, Stencils, VertexTriangle};

/// Work is handed to threads in pieces of this many items, never by the number of threads.
pub(crate) const CHUNK: usize = 256;
