//! Layers to one stage: sublayers, inherits, variants, references, payloads and specializes, in this order of strength.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::super::fault::{Log, Place, SourceFile};
use super::super::xml;
use super::binary;
use super::layer::{self, MAX_DEPTH, Spec, Specifier};
use super::value::{Edit, Field, Value};

/// Most prims of a stage: references to references double quickly.
const MAX_PRIMS: usize = 200_000;

/// Chosen variants by set.
type Selections = BTreeMap<String, String>;

/// The layers that were opened.
pub(super) struct Composer<'a> {
    log: &'a mut Log,
    layers: Vec<(PathBuf, Option<Spec>)>,
    /// What is being expanded: layer and path, outermost first.
    open: Vec<(usize, String)>,
    prims: usize,
}

/// Composes the stage of a text. The prims are the children of the result; its metadata is that of the first layer.
pub(super) fn stage(path: &Path, source: Source, log: &mut Log) -> Option<Spec> {
    let mut composer = Composer { log, layers: Vec::new(), open: Vec::new(), prims: 0 };
    let first = composer.add(path.to_owned(), source, &mut Vec::new());
    let mut root = composer.layers[first].1.clone()?;
    let children = std::mem::take(&mut root.children);
    for child in children {
        let path = format!("/{}", child.name);
        let child = composer.expand(first, child, &path, &Selections::new())?;
        root.children.push(child);
    }
    Some(root)
}

impl Composer<'_> {
    /// Parses a layer with its sublayers; `above` are the files that brought it in.
    fn add(&mut self, path: PathBuf, source: Source, above: &mut Vec<PathBuf>) -> usize {
        let file = self.log.files.len();
        let text = match &source {
            Source::Text(text) => text.as_str().into(),
            Source::Binary(bytes) => binary::listing(bytes).into(),
        };
        self.log.files.push(SourceFile { path: path.clone(), text });
        let mut root = match &source {
            Source::Text(text) => layer::parse(text, file, self.log),
            Source::Binary(bytes) => binary::parse(bytes, file, self.log),
        };
        let index = self.layers.len();
        self.layers.push((path.clone(), None));
        above.push(tidy(&path));
        let below = root.as_ref().and_then(|root| root.metadata.get("subLayers")).cloned();
        for value in below.iter().flat_map(Field::list) {
            let Value::Asset(name, _) = value else { continue };
            let place = below.as_ref().map_or_else(Place::default, |field| field.place);
            let Some(weaker) = self.open_file(&beside(&path, name), place, above) else {
                root = None;
                break;
            };
            let weaker = self.layers[weaker].1.clone();
            match (&mut root, weaker) {
                (Some(root), Some(weaker)) => {
                    let own = root.metadata.clone();
                    root.merge(weaker);
                    // Units and gravity are the first layer's to say.
                    root.metadata = own;
                }
                _ => root = None,
            }
        }
        above.pop();
        self.layers[index].1 = root;
        index
    }

    /// The layer of a file, opened once.
    fn open_file(&mut self, path: &Path, place: Place, above: &mut Vec<PathBuf>) -> Option<usize> {
        let wanted = tidy(path);
        if above.contains(&wanted) {
            let message = format!("`{}` is a layer of itself, in a circle", path.display());
            self.log.fault(place, message, "remove one of the layers");
            return None;
        }
        if let Some(known) = self.layers.iter().position(|(known, _)| tidy(known) == wanted) {
            return Some(known);
        }
        match read_source(path) {
            Ok(source) => Some(self.add(path.to_owned(), source, above)),
            Err((message, help)) => {
                self.log.fault(place, message, help);
                None
            }
        }
    }

    /// A prim of a layer with all it refers to. `None`, with a fault, where that has no end.
    fn expand(&mut self, layer: usize, mut spec: Spec, here: &str, chosen: &Selections) -> Option<Spec> {
        self.prims += 1;
        if self.prims > MAX_PRIMS {
            self.log.fault(spec.place, format!("the stage has more than {MAX_PRIMS} prims"), "refer to fewer");
            return None;
        }
        if self.open.len() > MAX_DEPTH {
            self.log.fault(spec.place, format!("prims are nested more than {MAX_DEPTH} deep"), "flatten the tree");
            return None;
        }
        self.open.push((layer, here.to_owned()));
        let mut selections = chosen.clone();
        for (set, name) in selection(&spec) {
            selections.entry(set).or_insert(name);
        }
        // What a variant says of a child is stronger than what the child refers to.
        let mut variant = chosen_variants(&mut spec, &selections);
        spec.merge(Spec { children: std::mem::take(&mut variant.children), ..empty(&spec) });
        let mut children = Vec::new();
        for child in std::mem::take(&mut spec.children) {
            let path = format!("{here}/{}", child.name);
            children.push(self.expand(layer, child, &path, &Selections::new())?);
        }
        spec.children = children;
        self.follow(layer, &mut spec, "inherits", here, &selections)?;
        spec.merge(variant);
        for arc in ["references", "payload", "specializes"] {
            self.follow(layer, &mut spec, arc, here, &selections)?;
        }
        self.open.pop();
        Some(spec)
    }

    /// Adds what a prim refers to by one kind of arc.
    fn follow(&mut self, layer: usize, spec: &mut Spec, arc: &str, here: &str, chosen: &Selections) -> Option<()> {
        if let Some(field) = spec.metadata.remove(arc) {
            for value in field.list() {
                let (from, mut target) = self.target(layer, value, field.place, chosen)?;
                map_paths(&mut target, &from, here);
                spec.merge(target);
            }
        }
        Some(())
    }

    /// The prim that a reference names, expanded, and its path there.
    fn target(&mut self, layer: usize, value: &Value, place: Place, chosen: &Selections) -> Option<(String, Spec)> {
        let (layer, path) = match value {
            Value::Path(path) => (layer, Some(path.clone())),
            Value::Asset(file, path) if file.is_empty() => (layer, path.clone()),
            Value::Asset(file, path) => {
                let file = beside(&self.layers[layer].0, file);
                (self.open_file(&file, place, &mut Vec::new())?, path.clone())
            }
            _ => {
                self.log.fault(place, "this refers to nothing", "write `@file@</Prim>` or `</Prim>`");
                return None;
            }
        };
        let root = self.layers[layer].1.as_ref();
        if root.is_none() && self.log.faults.is_empty() {
            self.log.fault(place, "the layer refers to itself, in a circle", "break it");
        }
        let root = root?;
        let first = || match root.metadata.get("defaultPrim").and_then(Field::value) {
            Some(Value::Text(name)) => Some(format!("/{name}")),
            _ => None,
        };
        let Some(path) = path.or_else(first) else {
            self.log.fault(place, "the file named has no `defaultPrim`", "name a prim: `@file@</Prim>`");
            return None;
        };
        let found = path.split('/').skip(1).try_fold(root, |at, name| at.children.iter().find(|c| c.name == name));
        let Some(found) = found.filter(|_| path.starts_with('/')).cloned() else {
            self.log.fault(place, format!("there is no prim <{path}>"), "name one of its layer");
            return None;
        };
        let inside = |open: &str| open == path || open.strip_prefix(&path).is_some_and(|rest| rest.starts_with('/'));
        if self.open.iter().any(|(at, open)| *at == layer && inside(open)) {
            self.log.fault(place, format!("<{path}> refers to itself, in a circle"), "remove one of the references");
            return None;
        }
        let spec = self.expand(layer, found, &path, chosen)?;
        // What is referred to may be abstract; what refers to it says whether it is there.
        let specifier = if spec.specifier == Specifier::Class { Specifier::Over } else { spec.specifier };
        Some((path, Spec { specifier, ..spec }))
    }
}

/// A prim that says nothing, in the place of another.
fn empty(spec: &Spec) -> Spec {
    Spec::new(Specifier::Over, "", spec.name.clone(), spec.place)
}

/// What the chosen variants say together; variants within variants count too.
fn chosen_variants(spec: &mut Spec, chosen: &Selections) -> Spec {
    let mut all = empty(spec);
    for (set, variants) in std::mem::take(&mut spec.variants) {
        let name = chosen.get(&set);
        if let Some(mut variant) = variants.into_iter().find(|variant| Some(&variant.name) == name) {
            let inner = chosen_variants(&mut variant, chosen);
            variant.merge(inner);
            all.merge(variant);
        }
    }
    all
}

/// The variants a prim chooses for itself.
fn selection(spec: &Spec) -> Vec<(String, String)> {
    let Some(Value::Dictionary(entries)) = spec.metadata.get("variants").and_then(Field::value) else {
        return Vec::new();
    };
    let text = |(set, value): &(String, Value)| match value {
        Value::Text(name) => Some((set.clone(), name.clone())),
        _ => None,
    };
    entries.iter().filter_map(text).collect()
}

fn map_paths(spec: &mut Spec, from: &str, to: &str) {
    let fields = spec.properties.values_mut().chain(spec.metadata.values_mut());
    fields.flat_map(|field| &mut field.edits).for_each(|(_, value): &mut (Edit, Value)| value.map_paths(from, to));
    spec.children.iter_mut().for_each(|child| map_paths(child, from, to));
}

/// A file named in another: paths are relative to that.
fn beside(file: &Path, name: &str) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(name)
}

/// A path without `.` and `..`, to know a file again.
fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => drop(out.pop()),
            other => out.push(other),
        }
    }
    out
}

/// What a file holds.
pub(in crate::import) enum Source {
    Text(String),
    Binary(Vec<u8>),
}

/// What is in a file; packed ones are refused with the way out.
pub(super) fn read_source(path: &Path) -> Result<Source, (String, String)> {
    let bytes = xml::read_bytes(path).map_err(|error| {
        let first = error.faults.into_iter().next();
        first.map_or_else(Default::default, |fault| (format!("`{}`: {}", path.display(), fault.message), fault.help))
    })?;
    if bytes.starts_with(binary::MAGIC) {
        return Ok(Source::Binary(bytes));
    }
    if bytes.starts_with(b"PK\x03\x04") {
        let help = format!("unpack it (it is a zip file), and read the first file in it: `unzip {}`", path.display());
        return Err((format!("`{}`: packed USD is not read", path.display()), help));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::Text(text)),
        Err(_) => Err((format!("`{}` is not UTF-8 text", path.display()), "save it as UTF-8".into())),
    }
}
