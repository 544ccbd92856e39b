//! Robots of other programs' files in a scene.

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess};
use serde::{Deserialize, Serialize};

use super::either::{self, Forms};
use super::place::Rotation;

/// The file of a robot, one with its place, or a list of either.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Includes {
    /// A URDF or MJCF file, relative to the scene file.
    File(String),
    /// A file and where its robot stands.
    One(Box<IncludeSpec>),
    /// Several.
    List(Vec<IncludeSpec>),
}

impl Default for Includes {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Forms for Includes {
    const EXPECTED: &'static str = "the name of a robot file, { file: … } or a list of those";

    fn from_text(file: &str) -> Option<Self> {
        Some(Self::File(file.to_owned()))
    }

    fn from_object<'de, A: MapAccess<'de>>(map: MapAccessDeserializer<A>) -> Option<Result<Self, A::Error>> {
        Some(IncludeSpec::deserialize(map).map(|one| Self::One(Box::new(one))))
    }

    fn from_list<'de, A: SeqAccess<'de>>(list: SeqAccessDeserializer<A>) -> Option<Result<Self, A::Error>> {
        Some(Vec::deserialize(list).map(Self::List))
    }
}

impl<'de> Deserialize<'de> for Includes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        either::read(deserializer)
    }
}

/// A robot and where it stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncludeSpec {
    /// A URDF or MJCF file, relative to the scene file.
    pub file: String,
    /// Put before the names of its bodies, joints and shapes, with a slash; needed if a file is included twice.
    pub name: Option<String>,
    /// Where its origin is [m]; at the origin if not given.
    pub position: Option<[f64; 3]>,
    /// How it is turned; not at all if not given.
    pub rotation: Option<Rotation>,
    /// Whether the first link of a URDF stands still; the file does not say.
    pub base: Option<BaseSpec>,
    /// Whether inertias that no mass has are repaired; an error if not given.
    #[serde(default)]
    pub repair_inertia: bool,
}

/// How the first link is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BaseSpec {
    /// It is part of the world.
    Fixed,
    /// It floats.
    Free,
}
