//! Values that may be written in a short or in a long form. Serde's own untagged enums forget where
//! in the file they were; these look at what comes and pass it on.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// The forms a value may take; each says `None` to the ones it does not.
pub trait Forms: Sized {
    /// What may be written, for messages.
    const EXPECTED: &'static str;

    fn from_text(_: &str) -> Option<Self> {
        None
    }

    fn from_number(_: f64) -> Option<Self> {
        None
    }

    fn from_bool(_: bool) -> Option<Self> {
        None
    }

    fn from_list<'de, A: SeqAccess<'de>>(_: SeqAccessDeserializer<A>) -> Option<Result<Self, A::Error>> {
        None
    }

    fn from_object<'de, A: MapAccess<'de>>(_: MapAccessDeserializer<A>) -> Option<Result<Self, A::Error>> {
        None
    }
}

/// Reads a value in whichever form it comes.
pub fn read<'de, T: Forms, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(FormsVisitor(PhantomData))
}

/// Reads a fixed-size list that came in one of several forms.
pub fn array<'de, const N: usize, A: SeqAccess<'de>>(list: SeqAccessDeserializer<A>) -> Result<[f64; N], A::Error> {
    let values = Vec::<f64>::deserialize(list)?;
    let found = values.len();
    values.try_into().map_err(|_| A::Error::custom(format!("expected a list of {N} numbers, found {found}")))
}

struct FormsVisitor<T>(PhantomData<T>);

impl<T: Forms> FormsVisitor<T> {
    fn refuse<E: Error>(found: &str) -> E {
        E::custom(format!("expected {}, found {found}", T::EXPECTED))
    }
}

impl<'de, T: Forms> Visitor<'de> for FormsVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<T, E> {
        T::from_bool(value).ok_or_else(|| Self::refuse("a boolean"))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        T::from_number(value).ok_or_else(|| Self::refuse("a number"))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<T, E> {
        T::from_text(value).ok_or_else(|| Self::refuse("a string"))
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        Err(Self::refuse("null"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::from_list(SeqAccessDeserializer::new(list)).unwrap_or_else(|| Err(Self::refuse("a list")))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::from_object(MapAccessDeserializer::new(map)).unwrap_or_else(|| Err(Self::refuse("an object")))
    }
}
