//! Binary files of USD (`.usdc`, crate files up to version 0.13): six tables of words, fields and paths, packed, and the values
//! they point to. What a layer says is the same as in text.

mod bytes;
mod values;

use std::collections::BTreeMap;

use super::super::fault::{Log, Place};
use super::layer::{MAX_DEPTH, Spec, Specifier};
use super::value::{Edit, Field, Value};
use crate::excerpt::Span;
use bytes::{Bytes, Read, words};
use values::Values;

/// How such files begin.
pub(super) const MAGIC: &[u8] = b"PXR-USDC";

/// A path: what it hangs from, its own name, and whether that is a property.
#[derive(Clone, Debug, Default)]
struct Node {
    parent: Option<usize>,
    name: String,
    property: bool,
    children: Vec<usize>,
    depth: usize,
    fields: Option<usize>,
    kind: i64,
}

/// Most paths in a file.
const MAX_PATHS: usize = 1 << 21;

/// What kinds of specs there are; others say nothing that is read.
mod kind {
    pub(super) const ATTRIBUTE: i64 = 1;
    pub(super) const RELATIONSHIP: i64 = 8;
}

/// The tables of a file.
struct Tables<'a> {
    values: Values<'a>,
    /// Name and value of every field.
    fields: Vec<(usize, u64)>,
    /// Fields in sets, each ended by none.
    sets: Vec<i64>,
    nodes: Vec<Node>,
    /// Place of every path in the listing that messages show.
    places: Vec<Place>,
}

/// A list of the paths in the file, one to a line: what messages show in place of bytes.
pub(super) fn listing(bytes: &[u8]) -> String {
    let mut text = String::new();
    if let Ok(tables) = Tables::read(bytes) {
        for node in 0..tables.nodes.len() {
            text += &tables.values.paths[node];
            text.push('\n');
        }
    }
    text
}

/// Reads a file whose listing is the last in the log; its prims are the children of the result.
pub(super) fn parse(bytes: &[u8], file: usize, log: &mut Log) -> Option<Spec> {
    let read = Tables::read(bytes).and_then(|mut tables| {
        tables.place(file);
        tables.root()
    });
    match read {
        Ok(root) => Some(root),
        Err(problem) => {
            let help = "write the file anew: `usdcat in.usdc -o out.usda` (it comes with `pip install usd-core`)";
            log.fault(
                Place { file, span: Span { start: 0, end: 1 } },
                format!("a binary file of USD: {problem}"),
                help,
            );
            None
        }
    }
}

impl<'a> Tables<'a> {
    fn read(all: &'a [u8]) -> Read<Self> {
        let mut head = Bytes::at(all, 0)?;
        if head.take(8)? != MAGIC {
            return Err("it does not begin as such");
        }
        let [major, minor, ..] = head.array::<8>()?;
        if major != 0 || !(4..=13).contains(&minor) {
            return Err("its version is not known");
        }
        let mut contents = Bytes::at(all, head.u64()?)?;
        let mut sections = BTreeMap::new();
        for _ in 0..contents.count(32)? {
            let name = contents.array::<16>()?;
            let (start, _) = (contents.u64()?, contents.u64()?);
            sections.insert(words(&name, 1)?.remove(0), start);
        }
        let section = |name: &str| Bytes::at(all, *sections.get(name).ok_or("a section is missing")?);
        let tokens = tokens(section("TOKENS")?)?;
        let mut strings = section("STRINGS")?;
        let count = strings.count(4)?;
        let strings = (0..count).map(|_| strings.u32().map(|index| index as usize)).collect::<Read<Vec<usize>>>()?;
        let fields = fields(section("FIELDS")?)?;
        let mut sets = section("FIELDSETS")?;
        let count = sets.packed_count()?;
        let sets = sets.whole_numbers(count, false)?;
        let mut nodes = paths(section("PATHS")?, &tokens)?;
        specs(section("SPECS")?, &mut nodes)?;
        let paths = full_paths(&nodes);
        let values = Values { all, minor, tokens, strings, paths };
        Ok(Self { values, fields, sets, nodes, places: Vec::new() })
    }

    fn place(&mut self, file: usize) {
        let mut start = 0;
        for path in &self.values.paths {
            self.places.push(Place { file, span: Span { start, end: start + path.len().max(1) } });
            start += path.len() + 1;
        }
    }

    fn root(&self) -> Read<Spec> {
        let root = self.nodes.iter().position(|node| node.parent.is_none() && node.fields.is_some());
        self.prim(root.ok_or("it has no root")?)
    }

    /// The fields of a path by name.
    fn fields_of(&self, node: usize) -> Read<BTreeMap<&str, u64>> {
        let mut out = BTreeMap::new();
        let Some(first) = self.nodes[node].fields else { return Ok(out) };
        for &field in
            self.sets.get(first..).ok_or("a set of fields is missing")?.iter().take_while(|field| **field >= 0)
        {
            let &(name, value) = self.fields.get(field as usize).ok_or("a field is missing")?;
            out.insert(self.values.token(name)?, value);
        }
        Ok(out)
    }

    fn prim(&self, index: usize) -> Read<Spec> {
        let node = &self.nodes[index];
        let fields = self.fields_of(index)?;
        let specifier = match fields.get("specifier").map(|value| value & 0xff) {
            Some(1) => Specifier::Over,
            Some(2) => Specifier::Class,
            Some(_) => Specifier::Def,
            None => Specifier::Over,
        };
        let text = |name: &str| match fields.get(name).map(|&value| self.values.value(value)) {
            Some(Ok(Some(Value::Text(text)))) => text,
            _ => String::new(),
        };
        let mut spec = Spec::new(specifier, &text("typeName"), node.name.clone(), self.places[index]);
        for (&name, &value) in &fields {
            let name = match name {
                "inheritPaths" => "inherits",
                "variantSelection" => "variants",
                "variantSetNames" => "variantSets",
                "specifier" | "typeName" | "primChildren" | "properties" | "subLayerOffsets" => continue,
                other => other,
            };
            spec.metadata.insert(name.to_owned(), self.field(index, value)?);
        }
        self.children(index, &fields, &mut spec)?;
        Ok(spec)
    }

    /// What hangs from a prim: properties, prims in the order the file gives, variants.
    fn children(&self, index: usize, fields: &BTreeMap<&str, u64>, spec: &mut Spec) -> Read<()> {
        let mut prims = Vec::new();
        for &child in &self.nodes[index].children {
            let node = &self.nodes[child];
            if node.property {
                if let Some(field) = self.property(child)? {
                    spec.properties.insert(node.name.clone(), field);
                }
            } else if let Some((set, name)) =
                node.name.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')?.split_once('='))
            {
                // A set itself has no name of a variant.
                if !name.is_empty() {
                    let variant = Spec { specifier: Specifier::Over, name: name.to_owned(), ..self.prim(child)? };
                    spec.variants.entry(set.to_owned()).or_default().push(variant);
                }
            } else if node.fields.is_some() {
                prims.push(self.prim(child)?);
            }
        }
        if let Some(&order) = fields.get("primChildren")
            && let Some(Value::List(order)) = self.values.value(order)?
        {
            let place =
                |spec: &Spec| order.iter().position(|name| matches!(name, Value::Text(name) if *name == spec.name));
            prims.sort_by_key(|prim| place(prim).unwrap_or(usize::MAX));
        }
        spec.children = prims;
        Ok(())
    }

    fn property(&self, index: usize) -> Read<Option<Field>> {
        let fields = self.fields_of(index)?;
        let value = match self.nodes[index].kind {
            kind::ATTRIBUTE => fields.get("default"),
            kind::RELATIONSHIP => fields.get("targetPaths"),
            _ => return Ok(None),
        };
        let mut field = match value {
            Some(&value) => self.field(index, value)?,
            None => Field { place: self.places[index], edits: Vec::new(), animated: false },
        };
        field.animated |= fields.contains_key("timeSamples") || fields.contains_key("spline");
        Ok(Some(field))
    }

    fn field(&self, index: usize, value: u64) -> Read<Field> {
        let mut edits = self.values.edits(value)?;
        if edits.is_empty()
            && let Some(value) = self.values.value(value)?
        {
            edits.push((Edit::Set, value));
        }
        Ok(Field { place: self.places[index], edits, animated: false })
    }
}

fn tokens(mut at: Bytes<'_>) -> Read<Vec<String>> {
    let count = at.packed_count()?;
    let size = at.packed_count()?;
    words(&at.unpacked(size)?, count)
}

fn fields(mut at: Bytes<'_>) -> Read<Vec<(usize, u64)>> {
    let count = at.packed_count()?;
    let names = at.whole_numbers(count, false)?;
    let values = at.unpacked(count.saturating_mul(8))?;
    let values = values.chunks_exact(8).map(|value| u64::from_le_bytes(std::array::from_fn(|k| value[k])));
    Ok(names.into_iter().map(|name| usize::try_from(name).unwrap_or(usize::MAX)).zip(values).collect())
}

/// The tree of paths, which the file writes depth first, with jumps to siblings.
fn paths(mut at: Bytes<'_>, tokens: &[String]) -> Read<Vec<Node>> {
    let count = at.packed_count()?;
    let encoded = at.packed_count()?;
    if count.max(encoded) > MAX_PATHS {
        return Err("it has more paths than are read");
    }
    let [places, names, jumps] =
        [at.whole_numbers(encoded, false)?, at.whole_numbers(encoded, false)?, at.whole_numbers(encoded, false)?];
    let mut nodes = vec![Node::default(); count];
    let mut known = vec![false; count];
    // Where to go on, and from which parent.
    let mut open: Vec<(usize, Option<usize>)> = if encoded > 0 { vec![(0, None)] } else { Vec::new() };
    while let Some((mut at, mut parent)) = open.pop() {
        loop {
            let (Some(&place), Some(&name), Some(&jump)) = (places.get(at), names.get(at), jumps.get(at)) else {
                return Err("a path is missing");
            };
            let place = usize::try_from(place).ok().filter(|&place| place < count).ok_or("a path is missing")?;
            if std::mem::replace(&mut known[place], true) {
                return Err("a path is there twice");
            }
            if let Some(above) = parent {
                let word = tokens.get(name.unsigned_abs() as usize).ok_or("a word is missing")?;
                let depth = nodes[above].depth + 1;
                if depth > MAX_DEPTH {
                    return Err("prims are nested too deep");
                }
                nodes[place] = Node { parent, name: word.clone(), property: name < 0, depth, ..Node::default() };
                nodes[above].children.push(place);
            }
            let (has_child, has_sibling) = (jump > 0 || jump == -1, jump >= 0);
            if has_child && has_sibling {
                open.push((at + jump as usize, parent));
            }
            match (has_child, has_sibling) {
                (true, _) => parent = Some(place),
                (false, true) if parent.is_some() => {}
                _ => break,
            }
            at += 1;
        }
    }
    Ok(nodes)
}

fn specs(mut at: Bytes<'_>, nodes: &mut [Node]) -> Read<()> {
    let count = at.packed_count()?;
    let [paths, sets, kinds] =
        [at.whole_numbers(count, false)?, at.whole_numbers(count, false)?, at.whole_numbers(count, false)?];
    for ((path, set), kind) in paths.into_iter().zip(sets).zip(kinds) {
        let node = usize::try_from(path).ok().and_then(|path| nodes.get_mut(path)).ok_or("a path is missing")?;
        (node.fields, node.kind) = (usize::try_from(set).ok(), kind);
    }
    Ok(())
}

fn full_paths(nodes: &[Node]) -> Vec<String> {
    let full = |node: usize| {
        let up = std::iter::successors(Some(node), |&node| nodes[node].parent);
        let mut names: Vec<usize> = up.collect();
        names.reverse();
        let mut path = String::new();
        for &node in &names[1..] {
            let node = &nodes[node];
            let joint = if node.property {
                "."
            } else if node.name.starts_with('{') {
                ""
            } else {
                "/"
            };
            path += joint;
            path += &node.name;
        }
        if path.is_empty() { "/".to_owned() } else { path }
    };
    (0..nodes.len()).map(full).collect()
}
