//! `replicate`: what it holds, several times over, each turned and shifted against the one before.

use std::collections::BTreeSet;

use drystone_model::{DVec3, Pose};

use super::super::fault::Log;
use super::super::xml::{Attribute, Element};
use super::settings::Settings;

/// Most that replication may make, as text \[bytes\]: some twenty thousand elements.
const MOST: usize = 2_000_000;
/// Groups whose elements say what they act on by names of other elements.
const NAMING: [&str; 5] = ["contact", "tendon", "equality", "actuator", "keyframe"];

/// Puts frames with copies in place of every `replicate`. Names get the number of the copy at their end.
pub(super) fn expand(mut root: Element, settings: &Settings, log: &mut Log) -> Element {
    let mut copier = Copier { settings, made: 0, copied: BTreeSet::new() };
    root.children = root
        .children
        .into_iter()
        .flat_map(|child| match child.name.as_str() {
            "worldbody" => copier.expanded(child, log),
            _ => vec![child],
        })
        .collect();
    for group in root.children.iter().filter(|group| NAMING.contains(&group.name.as_str())) {
        copier.refuse_names(group, log);
    }
    root
}

struct Copier<'a> {
    settings: &'a Settings,
    /// Text made so far \[bytes\].
    made: usize,
    /// Names before they got numbers.
    copied: BTreeSet<String>,
}

impl Copier<'_> {
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
        element.children.iter().for_each(|child| self.note_names(child));
        let digits = count.to_string().len();
        let mut pose = Pose::IDENTITY;
        let mut frames = Vec::with_capacity(count);
        for number in 0..count {
            let ending = format!("{separator}{number:0digits$}");
            frames.push(frame(&element, &pose, &ending));
            pose *= step;
            pose.rotation = pose.rotation.normalize();
        }
        frames
    }

    fn note_names(&mut self, element: &Element) {
        self.copied.extend(element.text_of("name").map(str::to_owned));
        element.children.iter().for_each(|child| self.note_names(child));
    }

    /// Elements elsewhere that name what was copied would have to be copied too.
    fn refuse_names(&self, element: &Element, log: &mut Log) {
        for attribute in element.attributes.iter().filter(|attribute| !["name", "class"].contains(&&*attribute.name)) {
            if self.copied.contains(&attribute.value) {
                let message = format!("{} names `{}`, which is replicated", element.called(), attribute.value);
                let help = "write the copies out: let MuJoCo save the model and read that file";
                log.fault(attribute.place, message, help);
            }
        }
        element.children.iter().for_each(|child| self.refuse_names(child, log));
    }
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
