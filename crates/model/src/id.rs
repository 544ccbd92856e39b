//! Typed indices, so that a body is not mistaken for a shape.

use serde::{Deserialize, Serialize};

use crate::model::WORLD;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the arrays of the model as it was built. Edits of a running simulation move what is in the arrays,
            /// and ids stay: `Simulation::body_index` and its like tell where it is then.
            pub fn built_index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "#{}", self.0)
            }
        }

        impl From<u32> for $name {
            fn from(index: u32) -> Self {
                Self(index)
            }
        }

        impl From<$name> for u32 {
            fn from(id: $name) -> u32 {
                id.0
            }
        }
    };
}

id!(
    /// Index of a body, or [`BodyId::WORLD`].
    BodyId
);
id!(
    /// Index of a shape.
    ShapeId
);
id!(
    /// Index of a joint.
    JointId
);
id!(
    /// Index of a particle.
    ParticleId
);

id!(
    /// Index of an independent world.
    WorldId
);

impl BodyId {
    /// The world itself: shapes on it never move, joints to it are anchored.
    pub const WORLD: Self = Self(WORLD);

    /// Whether this is the world rather than a body.
    pub fn is_world(self) -> bool {
        self == Self::WORLD
    }
}
