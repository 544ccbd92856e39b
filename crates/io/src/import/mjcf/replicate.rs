//! `replicate`: what it holds, several times over, each turned and shifted against the one before.

use std::collections::BTreeSet;

use drystone_model::{DVec3, Pose};

use super::super::fault::Log;
use super::super::xml::{Attribute, Element};
use super::settings::Settings;

/// Most that replication may make, as text \[bytes\]: some twenty thousand elements.
const MOST: usize = 2_000_000;
/// Groups whose elements say what they act on by names of other elements.
const NAMING: [&str; 4] = ["contact", "tendon", "equality", "actuator"];
/// Their attributes that name others; the first eight are the ends of equalities.
const REFERENCES: [&str; 20] = [
    "joint1",
    "joint2",
    "body1",
    "body2",
    "site1",
    "site2",
    "tendon1",
    "tendon2",
    "geom1",
    "geom2",
    "joint",
    "jointinparent",
    "body",
    "geom",
    "site",
    "sidesite",
    "refsite",
    "cranksite",
    "slidersite",
    "tendon",
];

/// Puts frames with copies in place of every `replicate`. Names get the number of the copy at their end; elements outside the bodies
/// that name what is copied are copied with it.
pub(super) fn expand(mut root: Element, settings: &Settings, log: &mut Log) -> Element {
    let mut copier = Copier { settings, made: 0, copied: Vec::new() };
    root.children = root
        .children
        .into_iter()
        .flat_map(|child| match child.name.as_str() {
            "worldbody" => copier.expanded(child, log),
            _ => vec![child],
        })
        .collect();
    for Copied { mut names, endings } in std::mem::take(&mut copier.copied) {
        // Actuators name tendons that name joints: each is copied once all that it names is known to be.
        while naming(&root).any(|element| {
            let name = element.text_of("name").filter(|name| !name.is_empty());
            names_one(element, &names) && name.is_some_and(|name| names.insert(name.to_owned()))
        }) {}
        for group in NAMING {
            copier.copy_group(&mut root, group, &names, &endings, log);
        }
    }
    root
}

/// The elements outside the bodies that act on others by name.
fn naming(root: &Element) -> impl Iterator<Item = &Element> {
    root.children.iter().filter(|group| NAMING.contains(&group.name.as_str())).flat_map(|group| &group.children)
}

/// Whether an element names one of these, itself or by what it holds.
fn names_one(element: &Element, names: &BTreeSet<String>) -> bool {
    references(element).any(|reference| names.contains(&reference.value))
        || element.children.iter().any(|child| names_one(child, names))
}

/// The attributes that may name other elements.
fn references(element: &Element) -> impl Iterator<Item = &Attribute> {
    element.attributes.iter().filter(|attribute| REFERENCES.contains(&&*attribute.name))
}

/// What one `replicate` copied: names before they got their endings, and the endings.
struct Copied {
    names: BTreeSet<String>,
    endings: Vec<String>,
}

struct Copier<'a> {
    settings: &'a Settings,
    /// Text made so far \[bytes\].
    made: usize,
    /// In the order they were made: those within others first.
    copied: Vec<Copied>,
}

impl Copier<'_> {
    /// Copies the elements of a group that name what was copied: all of them for the first copy, then all for the second, behind those
    /// that name nothing of it.
    fn copy_group(
        &mut self,
        root: &mut Element,
        group: &str,
        names: &BTreeSet<String>,
        endings: &[String],
        log: &mut Log,
    ) {
        let mut originals = Vec::new();
        for section in root.children.iter_mut().filter(|section| section.name == group) {
            let (naming, others) =
                std::mem::take(&mut section.children).into_iter().partition(|element| names_one(element, names));
            section.children = others;
            let naming: Vec<Element> = naming;
            originals.extend(naming);
        }
        for element in &originals {
            self.made = self.made.saturating_add(endings.len().saturating_mul(size(element)));
            let outside = |end: &Attribute| REFERENCES[..8].contains(&&*end.name) && !names.contains(&end.value);
            if group == "equality" && references(element).any(outside) {
                let message = format!("{} ties what is replicated to what is not", element.called());
                log.fault(element.place, message, "write the copies out: let MuJoCo save the model and read that file");
                return;
            }
        }
        if self.made > MOST {
            let place = originals.first().map_or(root.place, |element| element.place);
            log.fault(place, format!("replication makes more than {MOST} bytes"), "replicate fewer");
            return;
        }
        let copies =
            endings.iter().flat_map(|ending| originals.iter().map(move |element| ended(element, names, ending)));
        if let Some(last) = root.children.iter_mut().rfind(|section| section.name == group) {
            last.children.extend(copies);
        }
    }

    /// What stands for an element: itself, or the frames of its copies.
    fn expanded(&mut self, mut element: Element, log: &mut Log) -> Vec<Element> {
        element.children =
            std::mem::take(&mut element.children).into_iter().flat_map(|child| self.expanded(child, log)).collect();
        match element.name.as_str() {
            "replicate" => self.copies(element, log),
            _ => vec![element],
        }
    }

    fn copies(&mut self, element: Element, log: &mut Log) -> Vec<Element> {
        if element.needed(log, "count").is_none() {
            return Vec::new();
        }
        let count = element.number(log, "count").unwrap_or(0.0).max(0.0) as usize;
        self.made = self.made.saturating_add(count.saturating_mul(size(&element)));
        if self.made > MOST {
            log.fault(element.place, format!("replication makes more than {MOST} bytes"), "replicate fewer");
            return Vec::new();
        }
        let offset = element.vector(log, "offset").unwrap_or(DVec3::ZERO);
        let turn = self.settings.rotation(&element, log).unwrap_or_default();
        let step = Pose::from_parts(offset, turn);
        let separator = element.text_of("sep").unwrap_or_default().to_owned();
        let mut copied = Copied { names: BTreeSet::new(), endings: Vec::new() };
        element.children.iter().for_each(|child| note_names(child, &mut copied.names));
        let digits = count.to_string().len();
        let mut pose = Pose::IDENTITY;
        let mut frames = Vec::with_capacity(count);
        for number in 0..count {
            let ending = format!("{separator}{number:0digits$}");
            frames.push(frame(&element, &pose, &ending));
            copied.endings.push(ending);
            pose *= step;
            pose.rotation = pose.rotation.normalize();
        }
        self.copied.push(copied);
        frames
    }
}

/// Adds the names of an element and of all below it.
fn note_names(element: &Element, names: &mut BTreeSet<String>) {
    names.extend(element.text_of("name").map(str::to_owned));
    element.children.iter().for_each(|child| note_names(child, names));
}

/// A copy of an element outside the bodies: its own name and those of what is copied get the ending.
fn ended(element: &Element, names: &BTreeSet<String>, ending: &str) -> Element {
    let mut copy = element.clone();
    for attribute in &mut copy.attributes {
        let own = attribute.name == "name" && !attribute.value.is_empty();
        if own || REFERENCES.contains(&&*attribute.name) && names.contains(&attribute.value) {
            attribute.value += ending;
        }
    }
    copy.children = element.children.iter().map(|child| ended(child, names, ending)).collect();
    copy
}

/// A copy of what an element holds.
fn frame(element: &Element, pose: &Pose, ending: &str) -> Element {
    let text = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let turn = pose.rotation;
    let attribute = |name: &str, value: String| Attribute { name: name.to_owned(), value, place: element.place };
    let mut attributes = vec![
        attribute("pos", text(&pose.translation.to_array())),
        attribute("quat", text(&[turn.w, turn.x, turn.y, turn.z])),
    ];
    attributes.extend(element.attribute("childclass").cloned());
    let children = element.children.iter().map(|child| renamed(child, ending)).collect();
    Element { name: "frame".to_owned(), place: element.place, attributes, children }
}

fn renamed(element: &Element, ending: &str) -> Element {
    let mut copy = element.clone();
    copy.attributes.iter_mut().filter(|attribute| attribute.name == "name").for_each(|name| name.value += ending);
    copy.children = element.children.iter().map(|child| renamed(child, ending)).collect();
    copy
}

/// About as much text as an element and all below it are \[bytes\].
fn size(element: &Element) -> usize {
    let own: usize = element.attributes.iter().map(|attribute| attribute.value.len()).sum();
    100 + own + element.children.iter().map(size).sum::<usize>()
}
