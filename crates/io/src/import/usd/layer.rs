//! One file of USD as text: prims, their metadata and their properties.

use std::collections::BTreeMap;

use super::super::fault::{Log, Place};
use super::cursor::{Broken, Cursor};
use super::value::{Edit, Field, Value};
use crate::excerpt::Span;

/// Deepest nesting of prims, as of elements in XML.
pub(super) const MAX_DEPTH: usize = 500;

/// Whether a prim is there, says more about one that is, or is only there to be inherited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Specifier {
    Def,
    Over,
    Class,
}

/// What a layer says about a prim; once composed, what all of them say.
#[derive(Clone, Debug)]
pub(super) struct Spec {
    pub(super) specifier: Specifier,
    /// `Xform`, `Cube`, …; may be empty.
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) metadata: BTreeMap<String, Field>,
    pub(super) properties: BTreeMap<String, Field>,
    pub(super) children: Vec<Spec>,
    /// Variants of every set, each under its name.
    pub(super) variants: BTreeMap<String, Vec<Spec>>,
}

impl Spec {
    pub(super) fn new(specifier: Specifier, kind: &str, name: String, place: Place) -> Self {
        Self {
            specifier,
            kind: kind.to_owned(),
            name,
            place,
            metadata: BTreeMap::new(),
            properties: BTreeMap::new(),
            children: Vec::new(),
            variants: BTreeMap::new(),
        }
    }

    /// Adds weaker opinions to these.
    pub(super) fn merge(&mut self, weaker: Spec) {
        if self.specifier == Specifier::Over {
            self.specifier = weaker.specifier;
        }
        if self.kind.is_empty() {
            self.kind = weaker.kind;
        }
        for (own, other) in [(&mut self.metadata, weaker.metadata), (&mut self.properties, weaker.properties)] {
            for (name, field) in other {
                match own.get_mut(&name) {
                    Some(known) => {
                        known.edits.extend(field.edits);
                        known.animated |= field.animated;
                    }
                    None => drop(own.insert(name, field)),
                }
            }
        }
        let places: BTreeMap<String, usize> =
            self.children.iter().enumerate().map(|(index, child)| (child.name.clone(), index)).collect();
        for child in weaker.children {
            match places.get(&child.name) {
                Some(&known) => self.children[known].merge(child),
                None => self.children.push(child),
            }
        }
        for (set, variants) in weaker.variants {
            let own = self.variants.entry(set).or_default();
            for variant in variants {
                match own.iter_mut().find(|known| known.name == variant.name) {
                    Some(known) => known.merge(variant),
                    None => own.push(variant),
                }
            }
        }
    }
}

/// Reads a text whose file is the last in the log; its prims are the children of the result.
pub(super) fn parse(text: &str, file: usize, log: &mut Log) -> Option<Spec> {
    let mut reader = Reader { cursor: Cursor::new(text), file };
    match reader.layer(text) {
        Ok(root) => Some(root),
        Err(Broken { at, message, help }) => {
            let start = at.min(text.trim_end().len());
            log.fault(Place { file, span: Span { start, end: start + 1 } }, message, help);
            None
        }
    }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    file: usize,
}

impl Reader<'_> {
    fn here(&mut self, length: usize) -> Place {
        let start = self.cursor.place();
        Place { file: self.file, span: Span { start, end: start + length.max(1) } }
    }

    fn layer(&mut self, text: &str) -> Result<Spec, Broken> {
        if !text.starts_with("#usda 1.") && !text.starts_with("#sdf 1.4.32") {
            return self.cursor.broken("this is no text of USD", "such files begin with `#usda 1.0`");
        }
        let place = self.here(1);
        let mut root = Spec::new(Specifier::Def, "", String::new(), place);
        if self.cursor.peek() == Some('(') {
            self.metadata(&mut root.metadata)?;
        }
        while self.cursor.peek().is_some() {
            self.statement(&mut root, 0)?;
        }
        Ok(root)
    }

    /// `( "comment" name = value prepend name = value … )`
    fn metadata(&mut self, into: &mut BTreeMap<String, Field>) -> Result<(), Broken> {
        self.cursor.expect('(')?;
        while !self.cursor.take(')') {
            if matches!(self.cursor.peek(), Some('"' | '\'')) {
                self.cursor.text()?;
                continue;
            }
            let edit = self.edit();
            let place = self.here(1);
            let Some(name) = self.cursor.word() else {
                return self.cursor.broken("the name of a piece of metadata is missing", "write `name = value`");
            };
            self.cursor.expect('=')?;
            let value = self.cursor.value(0)?;
            if matches!(value, Value::Asset(..) | Value::Path(_)) && self.cursor.peek() == Some('(') {
                self.cursor.skip_block()?;
            }
            self.cursor.take(',');
            let field = Field { place, edits: Vec::new(), animated: false };
            into.entry(name.to_owned()).or_insert(field).edits.push((edit, value));
        }
        Ok(())
    }

    /// The word that says how a list is changed.
    fn edit(&mut self) -> Edit {
        let edit = match self.cursor.peek_word() {
            Some("prepend") => Edit::Prepend,
            Some("append" | "add") => Edit::Append,
            Some("delete") => Edit::Delete,
            _ => return Edit::Set,
        };
        self.cursor.word();
        edit
    }

    /// Whatever may stand between the braces of a prim.
    fn statement(&mut self, prim: &mut Spec, depth: usize) -> Result<(), Broken> {
        let specifier = match self.cursor.peek_word() {
            Some("def") => Specifier::Def,
            Some("over") => Specifier::Over,
            Some("class") => Specifier::Class,
            Some("variantSet") => return self.variants(prim, depth),
            Some("reorder") => {
                self.cursor.word();
                self.cursor.word();
                self.cursor.expect('=')?;
                return self.cursor.value(0).map(drop);
            }
            _ => return self.property(prim),
        };
        self.cursor.word();
        let child = self.prim(specifier, depth + 1)?;
        prim.children.push(child);
        Ok(())
    }

    fn prim(&mut self, specifier: Specifier, depth: usize) -> Result<Spec, Broken> {
        if depth > MAX_DEPTH {
            return self.cursor.broken(format!("prims are nested more than {MAX_DEPTH} deep"), "flatten the tree");
        }
        let kind = self.cursor.word().unwrap_or_default();
        let mut place = self.here(1);
        let name = self.cursor.text()?;
        place.span.end += name.len() + 1;
        if name.is_empty() || name.contains(['/', '.', '<', '>', ' ']) {
            return self.cursor.broken(format!("`{name}` is no name of a prim"), "use letters, digits and `_`");
        }
        let mut prim = Spec::new(specifier, kind, name, place);
        self.body(&mut prim, depth)?;
        Ok(prim)
    }

    /// Metadata, if any, and what stands between braces.
    fn body(&mut self, prim: &mut Spec, depth: usize) -> Result<(), Broken> {
        if self.cursor.peek() == Some('(') {
            self.metadata(&mut prim.metadata)?;
        }
        self.cursor.expect('{')?;
        while !self.cursor.take('}') {
            if self.cursor.peek().is_none() {
                return self.cursor.expect('}');
            }
            self.statement(prim, depth)?;
        }
        Ok(())
    }

    /// `variantSet "name" = { "one" { … } "two" { … } }`
    fn variants(&mut self, prim: &mut Spec, depth: usize) -> Result<(), Broken> {
        if depth >= MAX_DEPTH {
            return self.cursor.broken(format!("prims are nested more than {MAX_DEPTH} deep"), "flatten the tree");
        }
        self.cursor.word();
        let set = self.cursor.text()?;
        self.cursor.expect('=')?;
        self.cursor.expect('{')?;
        while !self.cursor.take('}') {
            let place = self.here(1);
            let name = self.cursor.text()?;
            let mut variant = Spec::new(Specifier::Over, "", name, place);
            self.body(&mut variant, depth + 1)?;
            prim.variants.entry(set.clone()).or_default().push(variant);
        }
        Ok(())
    }

    /// `custom uniform type[] name = value (metadata)`, `rel name = <path>`, `name.timeSamples = { … }`.
    fn property(&mut self, prim: &mut Spec) -> Result<(), Broken> {
        let place = self.here(1);
        let mut edit = Edit::Set;
        let mut words = Vec::new();
        while let Some(word) = self.cursor.peek_word() {
            self.cursor.word();
            match word {
                "prepend" => edit = Edit::Prepend,
                "append" | "add" => edit = Edit::Append,
                "delete" => edit = Edit::Delete,
                "custom" | "uniform" | "varying" | "config" => {}
                _ => words.push(word),
            }
            if self.cursor.peek() == Some('[') {
                self.cursor.expect('[')?;
                self.cursor.expect(']')?;
            }
            if words.len() == 2 {
                break;
            }
        }
        let [_, name] = words[..] else {
            return self.cursor.broken("this is neither a prim nor a property", "write `type name = value`");
        };
        let (name, part) = match name.split_once('.') {
            Some((name, part)) => (name, Some(part)),
            None => (name, None),
        };
        let mut field = Field { place, edits: Vec::new(), animated: false };
        if self.cursor.take('=') {
            let value = self.cursor.value(0)?;
            match part {
                None => field.edits.push((edit, value)),
                Some("timeSamples" | "spline") => field.animated = true,
                Some(_) => {}
            }
        }
        field.place.span.end = self.cursor.at().max(place.span.start + 1);
        if self.cursor.peek() == Some('(') {
            self.cursor.skip_block()?;
        }
        if part.is_none() || field.animated {
            let known = prim.properties.entry(name.to_owned());
            let known = known.or_insert_with(|| Field { edits: Vec::new(), ..field.clone() });
            known.edits.extend(field.edits);
            known.animated |= field.animated;
        }
        Ok(())
    }
}
