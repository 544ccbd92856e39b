//! URDF: links, joints, and nothing about where the base is.

mod grammar;
mod inertia;
mod joint;
mod link;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use drystone_model::{Pose, nearest};

use super::assembly::{Assembly, Motion, Part, assemble};
use super::fault::{ImportError, Log};
use super::meshes::Meshes;
use super::robot::Imported;
use super::xml::Element;
use super::{Base, ImportOptions, failed, grammar as names};

/// Makes a model of a URDF.
pub(super) fn import(
    root: &Element,
    path: &Path,
    options: &ImportOptions,
    mut log: Log,
) -> Result<Imported, ImportError> {
    if root.name != "robot" {
        log.fault(root.place, format!("`{}` begins no URDF", root.name), "URDF files begin with `<robot>`");
        return Err(failed(log));
    }
    names::check(root, grammar::RULES, &mut log);
    let parts = parts(root, path, options, &mut log);
    if !log.faults.is_empty() {
        return Err(failed(log));
    }
    let mut assembly = assemble(&parts, &mut log);
    joint::couple(root, options, &mut assembly, &mut log);
    let model = assembly.finalize(&mut log);
    let notes = log.finish()?;
    let Assembly { frames, joints, .. } = assembly;
    // A model that is missing has left faults, which `finish` returned.
    let model = model.unwrap_or_default();
    let name = root.text_of("name").map(str::to_owned);
    Ok(Imported { name, model, dt: None, frames, joints, actuators: Vec::new(), keys: Vec::new(), notes })
}

/// A link, and the joint it hangs by.
struct Hung<'a> {
    link: &'a Element,
    by: Option<&'a Element>,
    parent: Option<usize>,
}

fn parts(root: &Element, path: &Path, options: &ImportOptions, log: &mut Log) -> Vec<Part> {
    let mut meshes = Meshes::default();
    let mut parts = Vec::new();
    let mut problems = Vec::new();
    for hung in tree(root, log) {
        let name = hung.link.text_of("name").unwrap_or_default().to_owned();
        let motion = match (hung.by, options.base) {
            (Some(joint), _) => joint::motion(joint, options, log),
            (None, Some(Base::Fixed)) => Motion::Welded,
            (None, Some(Base::Free)) => Motion::Free(format!("{name}/free")),
            (None, None) => {
                let help = "say which: `--base fixed` or `--base free` (`ImportOptions::base`)";
                log.fault(
                    hung.link.place,
                    format!("URDF does not say whether link `{name}` is fixed to the world"),
                    help,
                );
                Motion::Welded
            }
        };
        let (mass, problem) = inertia::read(hung.link, link::origin, log);
        problems.push(problem);
        parts.push(Part {
            place: hung.link.place,
            parent: hung.parent,
            pose: hung.by.map_or(Pose::IDENTITY, |joint| link::origin(joint, log)),
            motion,
            mass,
            gravity_scale: 1.0,
            drag: Vec::new(),
            shapes: link::shapes(hung.link, path, options, &mut meshes, log),
            frames: Vec::new(),
            name,
        });
    }
    inertia::check(&mut parts, &problems, options.inertia, log);
    parts
}

/// The links, parents first, depth first in the order of the joints.
fn tree<'a>(root: &'a Element, log: &mut Log) -> Vec<Hung<'a>> {
    let mut links: BTreeMap<&str, &Element> = BTreeMap::new();
    for link in root.children_named("link") {
        if let Some(name) = link.needed(log, "name")
            && links.insert(name, link).is_some()
        {
            log.fault(link.place, format!("there are two links `{name}`"), "rename one of them");
        }
    }
    let mut below: BTreeMap<&str, Vec<(&Element, &str)>> = BTreeMap::new();
    let mut parent_of: BTreeMap<&str, &str> = BTreeMap::new();
    for joint in root.children_named("joint") {
        let ends = ["parent", "child"].map(|end| link_at(joint, end, &links, log));
        let [Some(parent), Some(child)] = ends else { continue };
        if parent_of.insert(child, parent).is_some() {
            let message = format!("link `{child}` hangs from two joints");
            log.fault(joint.place, message, "URDF holds trees only: remove one, and close loops in the model");
            continue;
        }
        below.entry(parent).or_default().push((joint, child));
    }
    let mut roots = root
        .children_named("link")
        .filter(|link| link.text_of("name").is_some_and(|name| !parent_of.contains_key(name)));
    let Some(first) = roots.next() else {
        if log.faults.is_empty() {
            let (message, help) = match links.is_empty() {
                true => ("the robot has no links", "add some"),
                false => ("the joints go round in a circle", "one link must hang from nothing"),
            };
            log.fault(root.place, message, help);
        }
        return Vec::new();
    };
    for other in roots {
        let message =
            format!("{} hangs from nothing, as `{}` does", other.called(), first.text_of("name").unwrap_or_default());
        log.fault(other.place, message, "URDF has one root: join the two");
    }
    walk(first, &links, &below)
}

fn walk<'a>(
    first: &'a Element,
    links: &BTreeMap<&str, &'a Element>,
    below: &BTreeMap<&str, Vec<(&'a Element, &str)>>,
) -> Vec<Hung<'a>> {
    let mut order: Vec<Hung<'a>> = Vec::new();
    let mut waiting = vec![Hung { link: first, by: None, parent: None }];
    while let Some(hung) = waiting.pop() {
        let name = hung.link.text_of("name").unwrap_or_default();
        let parent = Some(order.len());
        order.push(hung);
        let children = below.get(name).map_or(&[][..], Vec::as_slice);
        waiting.extend(children.iter().rev().map(|&(joint, child)| Hung {
            link: links[child],
            by: Some(joint),
            parent,
        }));
    }
    order
}

fn link_at<'a>(
    joint: &'a Element,
    end: &'static str,
    links: &BTreeMap<&str, &Element>,
    log: &mut Log,
) -> Option<&'a str> {
    let Some(element) = joint.child(end) else {
        log.fault(joint.place, format!("{} lacks `{end}`", joint.called()), format!("add `<{end} link=\"…\"/>`"));
        return None;
    };
    let name = element.needed(log, "link")?;
    if !links.contains_key(name) {
        let help = match nearest(name, links.keys().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name one of the links".into(),
        };
        log.fault(element.place, format!("there is no link `{name}`"), help);
        return None;
    }
    Some(name)
}
