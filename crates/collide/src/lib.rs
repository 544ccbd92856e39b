//! One collision pipeline for every solver: bounds → pairs → contacts, matched to the step before.
//! Results do not depend on the number of threads.
//!
//! [`Collide`] finds manifolds of up to four points with one normal for every pair of shapes that can meet
//! within a step and says which points continue those of the step before. [`Stencils`] finds vertex–triangle and
//! edge–edge pairs for solvers that keep surfaces apart. [`SceneQuery`] answers questions about a whole scene.
//!
//! ```
//! use drystone_collide::{Collide, CollideOptions};
//! use drystone_model::{BodyDef, DVec3, ModelBuilder, Shape, ShapeDef, WORLD};
//!
//! let mut builder = ModelBuilder::new();
//! builder.add_shape(WORLD, ShapeDef::new(Shape::HalfSpace));
//! builder.add_body(BodyDef::dynamic("crate").at(DVec3::Z * 0.5).cuboid(DVec3::splat(0.5)));
//! let model = builder.finalize()?;
//!
//! let mut collide = Collide::new(&model, CollideOptions::default());
//! collide.detect(&model, &model.state(), 1.0 / 60.0);
//! assert_eq!(collide.contacts.point_count(), 4);
//! assert_eq!(collide.contacts.manifold_normal[0], DVec3::Z);
//!
//! collide.detect(&model, &model.state(), 1.0 / 60.0);
//! assert_eq!(collide.contacts.point_match, [0, 1, 2, 3]);
//! # Ok::<(), drystone_model::ModelError>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod bounds;
mod carried;
mod cloth;
mod contact_cache;
mod contacts;
mod edit;
mod feature_pairs;
mod following;
#[cfg(any(feature = "cuda", feature = "vulkan"))]
pub mod gpu;
mod hook;
mod matching;
mod narrow;
mod pairs;
mod particles;
mod parts;
mod pipeline;
mod placement;
mod query;
mod shapes;
mod sharp;
mod snapshot;
mod stencil;
mod stopwatch;
mod surface;
mod tree;
mod triangles;

pub use cloth::{ClothPair, ClothState, ClothSurface};
pub use feature_pairs::{Candidates, NearFeatures, Side};
pub use following::{BoxTree, FollowingTree};
pub use hook::{ContactHook, ContactPair, ContactPatch, PatchPoint};
pub use particles::ParticleContact;
pub use parts::{PartContact, WideParts};
pub use pipeline::{Collide, CollideOptions, CollideTiming};
pub use query::{QueryError, QueryFilter, SceneContact, SceneHit, SceneIndex, SceneNearest, SceneQuery};
pub use snapshot::RestoreError;
pub use stencil::Stencils;
pub use stopwatch::Moment;

/// Work is handed to threads in pieces of this many items, never by the number of threads.
pub(crate) const CHUNK: usize = 256;
