//! Tree to types. Faults carry the span of the value or key that caused them.

use std::fmt::Display;

use serde::de::{
    self, Deserialize, DeserializeSeed, EnumAccess, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use drystone_model::nearest;

use super::super::error::{SceneFault, Span};
use super::scan::clipped;
use super::tree::{Member, Node, Value};

/// Makes a value of a type from a tree.
pub fn from_tree<'de, T: Deserialize<'de>>(node: &'de Node) -> Result<T, SceneFault> {
    T::deserialize(node)
}

impl de::Error for SceneFault {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message.to_string(), "see `drystone schema` for what is allowed here")
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let (expected, found) = (drystone::words::expected(&expected.to_string()), drystone::words::found(found));
        Self::new(format!("expected {expected}, found {found}"), "see `drystone schema` for what is allowed here")
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        let expected = drystone::words::expected(&expected.to_string());
        Self::new(format!("expected {expected}, found {length} entries"), "give as many entries as expected")
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("`{}` is not one of the choices here", clipped(variant)), suggestion(variant, expected))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("unknown key `{}`", clipped(field)), suggestion(field, expected))
    }

    fn missing_field(field: &'static str) -> Self {
        let fault = Self::new(format!("the key `{field}` is missing"), format!("add `{field}: …` to this object"));
        Self { missing: Some(field), ..fault }
    }
}

/// The nearest known name, or all of them.
fn suggestion(name: &str, known: &[&'static str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "nothing is allowed here".into(),
        None => format!("use one of {}", known.join(", ")),
    }
}

impl Node {
    fn mismatch(&self, expected: &str, help: &str) -> SceneFault {
        SceneFault::new(format!("expected {expected}, found {}", self.kind()), help).at(self.span)
    }

    fn number(&self) -> Result<f64, SceneFault> {
        match &self.value {
            Value::Number(value) if value.is_nan() => {
                Err(SceneFault::new("NaN is not a quantity", "give a number, or Infinity for none").at(self.span))
            }
            Value::Number(value) => Ok(*value),
            Value::String(text) if text.trim().parse::<f64>().is_ok() => {
                Err(self.mismatch("a number", "remove the quotes"))
            }
            _ => Err(self.mismatch("a number", "write a number like 12, -0.5 or 2e-3")),
        }
    }

    fn whole_number(&self) -> Result<f64, SceneFault> {
        let value = self.number()?;
        // Beyond 2^53 a number no longer says exactly which whole number was meant.
        if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
            return Ok(value);
        }
        Err(SceneFault::new(format!("{value} is not a whole number"), "write a whole number like 12").at(self.span))
    }

    fn items(&self) -> Result<&[Node], SceneFault> {
        match &self.value {
            Value::Array(items) => Ok(items),
            _ => Err(self.mismatch("a list", "put it in [brackets]")),
        }
    }

    fn members(&self) -> Result<&[Member], SceneFault> {
        match &self.value {
            Value::Object(members) => Ok(members),
            _ => Err(self.mismatch("an object", "write { key: value, … }")),
        }
    }
}

macro_rules! whole {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
            let value = self.whole_number()?;
            let visited = if value < 0.0 { visitor.visit_i64(value as i64) } else { visitor.visit_u64(value as u64) };
            visited.map_err(|fault: SceneFault| fault.at(self.span))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &'de Node {
    type Error = SceneFault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        match &self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(_) => visitor.visit_f64(self.number()?),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visit_items(items, visitor),
            Value::Object(members) => visit_members(members, visitor),
        }
        .map_err(|fault: SceneFault| fault.at(self.span))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        match self.value {
            Value::Bool(value) => visitor.visit_bool(value),
            _ => Err(self.mismatch("true or false", "write true or false, without quotes")),
        }
    }

    whole!(deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64);

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        visitor.visit_f64(self.number()?).map_err(|fault: SceneFault| fault.at(self.span))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        match &self.value {
            Value::String(text) => visitor.visit_borrowed_str(text).map_err(|fault: SceneFault| fault.at(self.span)),
            _ => Err(self.mismatch("a string", "put it in quotes")),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, SceneFault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        visit_items(self.items()?, visitor).map_err(|fault| fault.at(self.span))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, SceneFault> {
        let items = self.items()?;
        if items.len() != length {
            let message = format!("expected a list of {length}, found {}", items.len());
            return Err(SceneFault::new(message, format!("give {length} entries")).at(self.span));
        }
        visit_items(items, visitor).map_err(|fault| fault.at(self.span))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        visit_members(self.members()?, visitor).map_err(|fault| fault.at(self.opening()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SceneFault> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SceneFault> {
        match &self.value {
            Value::String(_) => visitor.visit_enum(Choice { key: self, value: None }),
            Value::Object(members) => match members.as_slice() {
                [only] => visitor.visit_enum(Choice { key: only, value: Some(&only.value) }),
                [_, second, ..] => {
                    let message = format!("a second choice `{}` beside the first", clipped(&second.key));
                    Err(SceneFault::new(message, "keep just one of them").at(second.key_span))
                }
                [] => Err(SceneFault::new("the choice is missing", format!("give one of {}", variants.join(", ")))
                    .at(self.span)),
            },
            _ => Err(self.mismatch("one of the choices", &format!("give one of {}", variants.join(", ")))),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SceneFault> {
        self.deserialize_str(visitor)
    }

    forward_to_deserialize_any! { i128 u128 char bytes byte_buf unit unit_struct tuple_struct ignored_any }
}

impl Node {
    /// The opening brace: where an object lacks something, the whole of it is too much to point at.
    fn opening(&self) -> Span {
        Span { start: self.span.start, end: self.span.start + 1 }
    }
}

fn visit_items<'de, V: Visitor<'de>>(items: &'de [Node], visitor: V) -> Result<V::Value, SceneFault> {
    visitor.visit_seq(Items(items.iter()))
}

fn visit_members<'de, V: Visitor<'de>>(members: &'de [Member], visitor: V) -> Result<V::Value, SceneFault> {
    visitor.visit_map(Members { members: members.iter(), value: None })
}

struct Items<'de>(std::slice::Iter<'de, Node>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = SceneFault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, SceneFault> {
        self.0.next().map(|node| seed.deserialize(node).map_err(|fault| fault.at(node.span))).transpose()
    }
}

struct Members<'de> {
    members: std::slice::Iter<'de, Member>,
    value: Option<&'de Node>,
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = SceneFault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, SceneFault> {
        let Some(member) = self.members.next() else { return Ok(None) };
        self.value = Some(&member.value);
        let key = member.key.as_str().into_deserializer();
        seed.deserialize(key).map(Some).map_err(|fault: SceneFault| fault.at(member.key_span))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, SceneFault> {
        let node = self.value.take().ok_or_else(|| de::Error::custom("a value without a key"))?;
        seed.deserialize(node).map_err(|fault| fault.at(node.span))
    }
}

/// What names a choice: a string, or the only key of an object.
trait ChoiceKey {
    fn name(&self) -> &str;
    fn place(&self) -> Span;
}

impl ChoiceKey for Node {
    fn name(&self) -> &str {
        match &self.value {
            Value::String(text) => text,
            _ => "",
        }
    }

    fn place(&self) -> Span {
        self.span
    }
}

impl ChoiceKey for Member {
    fn name(&self) -> &str {
        &self.key
    }

    fn place(&self) -> Span {
        self.key_span
    }
}

struct Choice<'de, K> {
    key: &'de K,
    value: Option<&'de Node>,
}

impl<'de, K: ChoiceKey> EnumAccess<'de> for Choice<'de, K> {
    type Error = SceneFault;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), SceneFault> {
        let name = self.key.name().into_deserializer();
        let value = seed.deserialize(name).map_err(|fault: SceneFault| fault.at(self.key.place()))?;
        Ok((value, self))
    }
}

impl<'de, K: ChoiceKey> Choice<'de, K> {
    fn content(&self) -> Result<&'de Node, SceneFault> {
        self.value.ok_or_else(|| {
            let name = clipped(self.key.name());
            SceneFault::new(format!("`{name}` needs its details"), format!("write {{ {name}: {{ … }} }}"))
                .at(self.key.place())
        })
    }
}

impl<'de, K: ChoiceKey> VariantAccess<'de> for Choice<'de, K> {
    type Error = SceneFault;

    fn unit_variant(self) -> Result<(), SceneFault> {
        match self.value {
            None => Ok(()),
            Some(node) if matches!(&node.value, Value::Object(members) if members.is_empty()) => Ok(()),
            Some(node) => {
                let name = clipped(self.key.name());
                Err(SceneFault::new(format!("`{name}` has no details"), format!("write \"{name}\"")).at(node.span))
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, SceneFault> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, SceneFault> {
        de::Deserializer::deserialize_tuple(self.content()?, length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, SceneFault> {
        de::Deserializer::deserialize_map(self.content()?, visitor)
    }
}
