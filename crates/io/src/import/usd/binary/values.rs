//! Values of a binary file: a word of 64 bits holds the type, and the value itself or where it stands.

use super::super::value::{Edit, Value};
use super::bytes::{Bytes, Read};

/// What values refer to.
pub(super) struct Values<'a> {
    pub(super) all: &'a [u8],
    /// Minor version of the file.
    pub(super) minor: u8,
    pub(super) tokens: Vec<String>,
    pub(super) strings: Vec<usize>,
    pub(super) paths: Vec<String>,
}

const ARRAY: u64 = 1 << 63;
const INLINED: u64 = 1 << 62;
const PACKED: u64 = 1 << 61;
/// Arrays of fewer are never packed.
const LEAST_PACKED: usize = 16;
/// Deepest nesting of dictionaries.
const MAX_DEPTH: usize = 32;
const TYPE: &str = "a value has a type that does not fit";

/// Numbers as they stand in the file.
#[derive(Clone, Copy, PartialEq)]
enum Scalar {
    Bool,
    Byte,
    Int,
    UInt,
    Int64,
    UInt64,
    Half,
    Float,
    Double,
}

impl Scalar {
    fn size(self) -> usize {
        match self {
            Self::Bool | Self::Byte => 1,
            Self::Half => 2,
            Self::Int | Self::UInt | Self::Float => 4,
            Self::Int64 | Self::UInt64 | Self::Double => 8,
        }
    }

    fn read(self, at: &mut Bytes<'_>) -> Read<f64> {
        Ok(match self {
            Self::Bool | Self::Byte => f64::from(at.array::<1>()?[0]),
            Self::Half => half(u16::from_le_bytes(at.array()?)),
            Self::Int => f64::from(i32::from_le_bytes(at.array()?)),
            Self::UInt => f64::from(at.u32()?),
            Self::Float => f64::from(f32::from_le_bytes(at.array()?)),
            Self::Int64 => at.i64()? as f64,
            Self::UInt64 => at.u64()? as f64,
            Self::Double => f64::from_le_bytes(at.array()?),
        })
    }
}

/// A number of half precision.
fn half(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    sign * match exponent {
        0 => fraction / 16384.0,
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * f64::from_bits(((exponent + 1008) as u64) << 52),
    }
}

/// How numbers make a value: one, a vector, a quaternion (real part last in the file), a square matrix.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    One,
    Vector(usize),
    Quaternion,
    Matrix(usize),
}

impl Form {
    fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Vector(count) => count,
            Self::Quaternion => 4,
            Self::Matrix(side) => side * side,
        }
    }

    fn value(self, numbers: &[f64], scalar: Scalar) -> Value {
        let tuple = |numbers: &[f64]| Value::Tuple(numbers.iter().map(|&number| Value::Number(number)).collect());
        match self {
            Self::One if scalar == Scalar::Bool => Value::Word((numbers[0] != 0.0).to_string()),
            Self::One => Value::Number(numbers[0]),
            Self::Vector(_) => tuple(numbers),
            Self::Quaternion => tuple(&[numbers[3], numbers[0], numbers[1], numbers[2]]),
            Self::Matrix(side) => Value::Tuple(numbers.chunks(side).map(tuple).collect()),
        }
    }
}

/// What a type of numbers is; none for types of other things.
fn numeric(kind: u64) -> Option<(Scalar, Form)> {
    use Scalar::{Bool, Byte, Double, Float, Half, Int, Int64, UInt, UInt64};
    let precision = |index: u64| [Double, Float, Half, Int][index as usize];
    Some(match kind {
        1 => (Bool, Form::One),
        2 => (Byte, Form::One),
        3 => (Int, Form::One),
        4 => (UInt, Form::One),
        5 => (Int64, Form::One),
        6 => (UInt64, Form::One),
        7 => (Half, Form::One),
        8 => (Float, Form::One),
        9 | 56 => (Double, Form::One),
        13..=15 => (Double, Form::Matrix(kind as usize - 11)),
        16..=18 => (precision(kind - 16), Form::Quaternion),
        19..=22 => (precision(kind - 19), Form::Vector(2)),
        23..=26 => (precision(kind - 23), Form::Vector(3)),
        27..=30 => (precision(kind - 27), Form::Vector(4)),
        _ => return None,
    })
}

impl<'a> Values<'a> {
    pub(super) fn token(&self, index: usize) -> Read<&str> {
        self.tokens.get(index).map(String::as_str).ok_or("a word is missing")
    }

    fn string(&self, index: u32) -> Read<&str> {
        self.token(*self.strings.get(index as usize).ok_or("a string is missing")?)
    }

    fn path(&self, index: u32) -> Read<String> {
        self.paths.get(index as usize).cloned().ok_or("a path is missing")
    }

    fn place(&self, value: u64) -> Read<Bytes<'a>> {
        Bytes::at(self.all, value & 0xffff_ffff_ffff)
    }

    /// A value; `None` for those of kinds that nothing here asks for.
    pub(super) fn value(&self, value: u64) -> Read<Option<Value>> {
        self.nested(value, 0)
    }

    fn nested(&self, value: u64, depth: usize) -> Read<Option<Value>> {
        let kind = value >> 48 & 0xff;
        if depth > MAX_DEPTH {
            return Err("dictionaries are nested too deep");
        }
        if let Some((scalar, form)) = numeric(kind) {
            return match (value & ARRAY != 0, value & INLINED != 0) {
                (true, _) => self.numbers(value, scalar, form).map(Some),
                (false, true) => inlined(value, kind, scalar, form).map(Some),
                (false, false) => one(&mut self.place(value)?, scalar, form).map(Some),
            };
        }
        let index = value as u32;
        let text = |word: &str| Value::Text(word.to_owned());
        Ok(Some(match kind {
            10..=12 if value & ARRAY != 0 => {
                let (mut at, count) = match self.array(value)? {
                    Some((at, count)) => (at, count),
                    None => return Ok(Some(Value::List(Vec::new()))),
                };
                let item = |_| self.word(kind, at.u32()?);
                Value::List((0..count).map(item).collect::<Read<_>>()?)
            }
            10..=12 => self.word(kind, index)?,
            31 => self.dictionary(self.place(value)?, value & INLINED != 0, depth)?,
            40 => self.list(&mut self.place(value)?, |at| Ok(Value::Path(self.path(at.u32()?)?)))?,
            41 => self.list(&mut self.place(value)?, |at| Ok(text(self.token(at.u32()? as usize)?)))?,
            50 => {
                self.list(&mut self.place(value)?, |at| Ok(Value::Asset(self.string(at.u32()?)?.to_owned(), None)))?
            }
            45 => {
                let mut at = self.place(value)?;
                let count = at.count(8)?;
                let mut entries = Vec::new();
                for _ in 0..count {
                    entries.push((self.string(at.u32()?)?.to_owned(), text(self.string(at.u32()?)?)));
                }
                Value::Dictionary(entries)
            }
            47 => self.reference(&mut self.place(value)?, self.minor >= 8, false)?,
            51 | 60 => Value::Word("None".into()),
            _ => return Ok(None),
        }))
    }

    fn word(&self, kind: u64, index: u32) -> Read<Value> {
        Ok(match kind {
            10 => Value::Text(self.string(index)?.to_owned()),
            11 => Value::Text(self.token(index as usize)?.to_owned()),
            _ => Value::Asset(self.token(index as usize)?.to_owned(), None),
        })
    }

    /// The edits of a list that says how it changes weaker ones; none for other values.
    pub(super) fn edits(&self, value: u64) -> Read<Vec<(Edit, Value)>> {
        let kind = value >> 48 & 0xff;
        if !matches!(kind, 32..=35 | 55) || value & INLINED != 0 {
            return Ok(Vec::new());
        }
        let mut at = self.place(value)?;
        let [flags] = at.array::<1>()?;
        let mut edits = Vec::new();
        // Explicit, added, prepended, appended, deleted, ordered: bits 1, 2, 5, 6, 3, 4.
        let parts = [
            (1, Some(Edit::Set)),
            (2, Some(Edit::Append)),
            (5, Some(Edit::Prepend)),
            (6, Some(Edit::Append)),
            (3, Some(Edit::Delete)),
            (4, None),
        ];
        for (bit, edit) in parts {
            if flags >> bit & 1 == 0 {
                continue;
            }
            let list = self.list(&mut at, |at| match kind {
                32 => Ok(Value::Text(self.token(at.u32()? as usize)?.to_owned())),
                33 => Ok(Value::Text(self.string(at.u32()?)?.to_owned())),
                34 => Ok(Value::Path(self.path(at.u32()?)?)),
                35 => self.reference(at, true, true),
                _ => self.reference(at, self.minor >= 8, false),
            })?;
            edits.extend(edit.map(|edit| (edit, list)));
        }
        // An explicit list without items takes all weaker ones back.
        if edits.is_empty() && flags & 1 == 1 {
            edits.push((Edit::Set, Value::List(Vec::new())));
        }
        Ok(edits)
    }

    /// A reference or a payload: a file, a prim in it, an offset in time and what others noted.
    fn reference(&self, at: &mut Bytes<'_>, offset: bool, notes: bool) -> Read<Value> {
        let file = self.string(at.u32()?)?.to_owned();
        let path = self.path(at.u32()?).ok().filter(|path| path != "/");
        if offset {
            at.take(16)?;
        }
        if notes {
            for _ in 0..at.count(20)? {
                entry(at)?;
            }
        }
        Ok(match path {
            Some(path) if file.is_empty() => Value::Path(path),
            path => Value::Asset(file, path),
        })
    }

    fn list(&self, at: &mut Bytes<'a>, mut item: impl FnMut(&mut Bytes<'a>) -> Read<Value>) -> Read<Value> {
        let count = at.count(4)?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(at)?);
        }
        Ok(Value::List(items))
    }

    fn dictionary(&self, mut at: Bytes<'a>, empty: bool, depth: usize) -> Read<Value> {
        let mut entries = Vec::new();
        let count = if empty { 0 } else { at.count(20)? };
        for _ in 0..count {
            let (key, value) = entry(&mut at)?;
            let key = self.string(key)?.to_owned();
            entries.extend(self.nested(value, depth + 1)?.map(|value| (key, value)));
        }
        Ok(Value::Dictionary(entries))
    }

    /// Where the items of an array begin, and how many there are; none for one without.
    fn array(&self, value: u64) -> Read<Option<(Bytes<'a>, usize)>> {
        if value & 0xffff_ffff_ffff == 0 {
            return Ok(None);
        }
        let mut at = self.place(value)?;
        if self.minor < 5 {
            at.u32()?;
        }
        let count = if self.minor < 7 { at.u32()? as usize } else { at.packed_count()? };
        Ok(Some((at, count)))
    }

    fn numbers(&self, value: u64, scalar: Scalar, form: Form) -> Read<Value> {
        let Some((mut at, count)) = self.array(value)? else { return Ok(Value::List(Vec::new())) };
        let packed = value & PACKED != 0 && count >= LEAST_PACKED && form == Form::One;
        if packed {
            let numbers = packed_numbers(&mut at, count, scalar)?;
            return Ok(Value::List(numbers.into_iter().map(|number| form.value(&[number], scalar)).collect()));
        }
        let size = scalar.size() * form.count();
        let mut items = Bytes::at(at.take(count.checked_mul(size).ok_or(TYPE)?)?, 0)?;
        Ok(Value::List((0..count).map(|_| one(&mut items, scalar, form)).collect::<Read<_>>()?))
    }
}

/// An entry of a dictionary: its key, and its value, which stands behind what it refers to, at a distance that comes first.
fn entry(at: &mut Bytes<'_>) -> Read<(u32, u64)> {
    let key = at.u32()?;
    let distance = { *at }.i64()?;
    if distance < 8 {
        return Err("a dictionary is damaged");
    }
    *at = at.moved(distance)?;
    Ok((key, at.u64()?))
}

fn packed_numbers(at: &mut Bytes<'_>, count: usize, scalar: Scalar) -> Read<Vec<f64>> {
    let real = |whole: Vec<i64>| whole.into_iter().map(|number| number as f64).collect();
    match scalar {
        Scalar::Int => at.whole_numbers(count, false).map(real),
        Scalar::UInt => Ok(at.whole_numbers(count, false)?.into_iter().map(|n| f64::from(n as u32)).collect()),
        Scalar::Int64 => at.whole_numbers(count, true).map(real),
        Scalar::UInt64 => Ok(at.whole_numbers(count, true)?.into_iter().map(|n| n as u64 as f64).collect()),
        // Whole numbers, or a table and places in it.
        Scalar::Half | Scalar::Float | Scalar::Double => match at.array::<1>()? {
            [b'i'] => at.whole_numbers(count, false).map(real),
            [b't'] => {
                let known = at.u32()? as usize;
                let mut table = Bytes::at(at.take(known.checked_mul(scalar.size()).ok_or(TYPE)?)?, 0)?;
                let table = (0..known).map(|_| scalar.read(&mut table)).collect::<Read<Vec<f64>>>()?;
                let places = at.whole_numbers(count, false)?;
                let number = |place: i64| usize::try_from(place).ok().and_then(|place| table.get(place).copied());
                places.into_iter().map(|place| number(place).ok_or("a number is missing")).collect()
            }
            _ => Err(TYPE),
        },
        Scalar::Bool | Scalar::Byte => Err(TYPE),
    }
}

fn one(at: &mut Bytes<'_>, scalar: Scalar, form: Form) -> Read<Value> {
    let mut numbers = [0.0; 16];
    let numbers = &mut numbers[..form.count()];
    for number in &mut *numbers {
        *number = scalar.read(at)?;
    }
    Ok(form.value(numbers, scalar))
}

/// A value that stands in the word itself: numbers of up to four bytes as they are, longer ones as shorter ones that are equal,
/// vectors as whole numbers of a byte each, matrices by their diagonal.
fn inlined(value: u64, kind: u64, scalar: Scalar, form: Form) -> Read<Value> {
    let bytes = (value as u32).to_le_bytes();
    let small = |k: usize| f64::from(bytes[k].cast_signed());
    Ok(match form {
        Form::One => {
            let short = match scalar {
                Scalar::Double => Scalar::Float,
                Scalar::Int64 => Scalar::Int,
                Scalar::UInt64 => Scalar::UInt,
                other => other,
            };
            form.value(&[short.read(&mut Bytes::at(&bytes, 0)?)?], scalar)
        }
        // Two halves fit as they are.
        Form::Vector(2) if kind == 21 => one(&mut Bytes::at(&bytes, 0)?, scalar, form)?,
        Form::Vector(count) => form.value(&(0..count).map(small).collect::<Vec<_>>(), scalar),
        Form::Matrix(side) => {
            let mut numbers = vec![0.0; side * side];
            (0..side).for_each(|k| numbers[k * side + k] = small(k));
            form.value(&numbers, scalar)
        }
        Form::Quaternion => return Err(TYPE),
    })
}
