//! Types to text that is pleasant to edit: keys without quotes, what fits on a line on one line,
//! nothing written that says nothing (absent options, empty lists).

use std::fmt::{Display, Write};

use serde::ser::{self, Impossible, Serialize};

use super::super::error::SceneFault;

/// Longest line that is not broken up.
const LINE: usize = 100;

/// Writes a value as JSON5.
pub fn to_text<T: Serialize>(value: &T) -> Result<String, SceneFault> {
    let out = value.serialize(ToOut)?;
    let mut text = String::new();
    out.print(0, &mut text);
    text.push('\n');
    Ok(text)
}

impl ser::Error for SceneFault {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message.to_string(), "this value cannot be written as JSON5")
    }
}

enum Out {
    Nothing,
    /// A number, a word or a quoted string, ready to print.
    Plain(String),
    List(Vec<Out>),
    Map(Vec<(String, Out)>),
}

impl Out {
    fn is_silent(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Plain(_) => false,
            Self::List(items) => items.is_empty(),
            Self::Map(members) => members.is_empty(),
        }
    }

    /// The value on one line, if it fits into `room` characters.
    fn inline(&self, room: usize) -> Option<String> {
        let text = match self {
            Self::Nothing => "null".into(),
            Self::Plain(text) => text.clone(),
            Self::List(items) => format!("[{}]", joined(items.iter().map(|item| item.inline(room)), room)?),
            Self::Map(members) if members.is_empty() => "{}".into(),
            Self::Map(members) => {
                let entry = |(key, value): &(String, Out)| Some(format!("{key}: {}", value.inline(room)?));
                format!("{{ {} }}", joined(members.iter().map(entry), room)?)
            }
        };
        (text.len() <= room).then_some(text)
    }

    fn print(&self, indent: usize, text: &mut String) {
        let inline = self.inline(LINE.saturating_sub(indent));
        match (inline, self) {
            (Some(inline), _) => text.push_str(&inline),
            (None, Self::List(items)) => {
                print_block(text, indent, ['[', ']'], items, |item, text| item.print(indent + 2, text));
            }
            (None, Self::Map(members)) => {
                print_block(text, indent, ['{', '}'], members, |(key, value), text| {
                    text.push_str(key);
                    text.push_str(": ");
                    value.print(indent + 2, text);
                });
            }
            (None, Self::Plain(plain)) => text.push_str(plain),
            (None, Self::Nothing) => text.push_str("null"),
        }
    }
}

/// The pieces with commas between, or `None` as soon as one is missing or the sum is too long.
fn joined(pieces: impl Iterator<Item = Option<String>>, room: usize) -> Option<String> {
    let mut text = String::new();
    for piece in pieces {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&piece?);
        if text.len() > room {
            return None;
        }
    }
    Some(text)
}

fn print_block<T>(
    text: &mut String,
    indent: usize,
    [open, close]: [char; 2],
    entries: &[T],
    print: impl Fn(&T, &mut String),
) {
    text.push(open);
    for entry in entries {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', indent + 2));
        print(entry, text);
        text.push(',');
    }
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
    text.push(close);
}

fn number(value: f64) -> String {
    if value == f64::INFINITY {
        "Infinity".into()
    } else if value == f64::NEG_INFINITY {
        "-Infinity".into()
    } else if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value}")
    } else {
        // The shortest digits that read back as the same number.
        format!("{value:?}")
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn key(text: &str) -> String {
    let mut letters = text.chars();
    let starts_well = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '$');
    if starts_well && letters.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$') {
        text.to_owned()
    } else {
        quoted(text)
    }
}

struct ToOut;

macro_rules! plain {
    ($($method:ident: $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<Out, SceneFault> {
            Ok(Out::Plain(value.to_string()))
        }
    )*};
}

impl ser::Serializer for ToOut {
    type Ok = Out;
    type Error = SceneFault;
    type SerializeSeq = ListOut;
    type SerializeTuple = ListOut;
    type SerializeTupleStruct = ListOut;
    type SerializeTupleVariant = Impossible<Out, SceneFault>;
    type SerializeMap = MapOut;
    type SerializeStruct = MapOut;
    type SerializeStructVariant = MapOut;

    plain!(serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64);

    fn serialize_f32(self, value: f32) -> Result<Out, SceneFault> {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<Out, SceneFault> {
        if value.is_nan() {
            return Err(ser::Error::custom("a number of the scene is NaN"));
        }
        Ok(Out::Plain(number(value)))
    }

    fn serialize_char(self, value: char) -> Result<Out, SceneFault> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<Out, SceneFault> {
        Ok(Out::Plain(quoted(value)))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Out, SceneFault> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<Out, SceneFault> {
        Ok(Out::Nothing)
    }

    /// What is there says something by being there, even if it is empty.
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Out, SceneFault> {
        Ok(match value.serialize(self)? {
            Out::List(items) if items.is_empty() => Out::Plain("[]".into()),
            Out::Map(members) if members.is_empty() => Out::Plain("{}".into()),
            out => out,
        })
    }

    fn serialize_unit(self) -> Result<Out, SceneFault> {
        Ok(Out::Nothing)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Out, SceneFault> {
        Ok(Out::Nothing)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Out, SceneFault> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Out, SceneFault> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Out, SceneFault> {
        Ok(Out::Map(vec![(key(variant), value.serialize(Self)?)]))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ListOut, SceneFault> {
        Ok(ListOut(Vec::new()))
    }

    fn serialize_tuple(self, _: usize) -> Result<ListOut, SceneFault> {
        Ok(ListOut(Vec::new()))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ListOut, SceneFault> {
        Ok(ListOut(Vec::new()))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, SceneFault> {
        Err(ser::Error::custom(format!("{name} is a tuple variant, which scene files have none of")))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<MapOut, SceneFault> {
        Ok(MapOut::default())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<MapOut, SceneFault> {
        Ok(MapOut::default())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<MapOut, SceneFault> {
        Ok(MapOut { variant: Some(variant), ..MapOut::default() })
    }
}

struct ListOut(Vec<Out>);

macro_rules! list {
    ($($trait:ident $method:ident),*) => {$(
        impl ser::$trait for ListOut {
            type Ok = Out;
            type Error = SceneFault;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SceneFault> {
                self.0.push(value.serialize(ToOut)?);
                Ok(())
            }

            fn end(self) -> Result<Out, SceneFault> {
                Ok(Out::List(self.0))
            }
        }
    )*};
}

list!(SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field);

#[derive(Default)]
struct MapOut {
    members: Vec<(String, Out)>,
    key: Option<String>,
    variant: Option<&'static str>,
}

impl MapOut {
    fn finish(self) -> Out {
        match self.variant {
            None => Out::Map(self.members),
            Some(variant) => Out::Map(vec![(key(variant), Out::Map(self.members))]),
        }
    }
}

impl ser::SerializeMap for MapOut {
    type Ok = Out;
    type Error = SceneFault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), SceneFault> {
        match name.serialize(ToOut)? {
            // Names arrive as quoted strings; the quotes go where the name needs none.
            Out::Plain(text) => {
                let bare = text.trim_matches('"');
                self.key = Some(if key(bare) == bare { bare.to_owned() } else { text });
                Ok(())
            }
            _ => Err(ser::Error::custom("a key is not a string")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SceneFault> {
        let name = self.key.take().unwrap_or_default();
        self.members.push((name, value.serialize(ToOut)?));
        Ok(())
    }

    fn end(self) -> Result<Out, SceneFault> {
        Ok(self.finish())
    }
}

macro_rules! fields {
    ($($trait:ident),*) => {$(
        impl ser::$trait for MapOut {
            type Ok = Out;
            type Error = SceneFault;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), SceneFault> {
                let value = value.serialize(ToOut)?;
                if !value.is_silent() {
                    self.members.push((key(name), value));
                }
                Ok(())
            }

            fn end(self) -> Result<Out, SceneFault> {
                Ok(self.finish())
            }
        }
    )*};
}

fields!(SerializeStruct, SerializeStructVariant);

#[cfg(test)]
mod tests {
    use super::super::{Value, parse};
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn numbers_read_back_as_the_same_bits() {
        for value in
            [0.0, -0.0, 1.0, -3.0, 0.1, 1e-300, 1e300, 1e15, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY]
        {
            let text = to_text(&value).unwrap();
            let Value::Number(back) = parse(&text).tree.unwrap().value else { panic!("{text}") };
            assert_eq!(back.to_bits(), value.to_bits(), "{text}");
        }
    }

    #[test]
    fn text_is_short_where_it_can_be_and_keeps_odd_strings() {
        let mut map = BTreeMap::new();
        map.insert("plain", vec![1.0, 2.5]);
        map.insert("needs \"quotes\"\n", vec![0.1; 40]);
        let text = to_text(&map).unwrap();
        let node = parse(&text).tree.unwrap();
        assert!(text.contains("plain: [1, 2.5],"), "{text}");
        let Value::Array(numbers) = &node.get("needs \"quotes\"\n").unwrap().value else { panic!("{text}") };
        assert!(numbers.len() == 40 && numbers.iter().all(|number| number.value == Value::Number(0.1)), "{text}");
        assert!(text.lines().all(|line| line.len() <= LINE + 1), "{text}");
    }
}
