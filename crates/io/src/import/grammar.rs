//! Which elements and attributes a format has, and what becomes of each.

use drystone_model::nearest;

use super::fault::Log;
use super::xml::Element;

/// What becomes of an attribute or element that is there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate {
    /// The importer reads it.
    Read,
    /// For the eye, or for other programs' bookkeeping: of no consequence for motion.
    Looks,
    /// Left out, which a note says with these words.
    Noted(&'static str),
    /// Changes the motion in a way the model cannot say: why, and what would work.
    Refused(&'static str, &'static str),
}

/// Names with one fate.
pub(super) type Names = (Fate, &'static [&'static str]);

/// What an element may hold.
pub(super) struct Rule {
    pub(super) element: &'static str,
    pub(super) attributes: &'static [Names],
    pub(super) children: &'static [Names],
}

fn fate(table: &[Names], name: &str) -> Option<Fate> {
    table.iter().find(|(_, names)| names.contains(&name)).map(|&(fate, _)| fate)
}

fn known(table: &[Names]) -> impl Iterator<Item = &'static str> + Clone {
    table.iter().flat_map(|(_, names)| names.iter().copied())
}

/// Checks an element and all below it that is read.
pub(super) fn check(element: &Element, rules: &[Rule], log: &mut Log) {
    check_in("", element, rules, log);
}

/// Checks an element of a parent: a rule may be for it there alone, as `PARENT/ELEMENT`.
fn check_in(parent: &str, element: &Element, rules: &[Rule], log: &mut Log) {
    let there = |rule: &&Rule| rule.element.split_once('/') == Some((parent, element.name.as_str()));
    let anywhere = || rules.iter().find(|rule| rule.element == element.name);
    let Some(rule) = rules.iter().find(there).or_else(anywhere) else { return };
    for attribute in &element.attributes {
        let name = attribute.name.as_str();
        let message = match fate(rule.attributes, name) {
            // Attributes of other programs' namespaces are none of this format.
            _ if name.starts_with(':') => continue,
            Some(Fate::Read | Fate::Looks) => continue,
            Some(Fate::Noted(why)) => {
                log.note(attribute.place, format!("`{name}` of {}: {why}", element.name));
                continue;
            }
            Some(Fate::Refused(why, remedy)) => {
                log.fault(attribute.place, format!("`{name}` of {}: {why}", element.called()), remedy);
                continue;
            }
            None => format!("`{}` has no attribute `{name}`", element.name),
        };
        log.fault(attribute.place, message, suggestion(name, known(rule.attributes)));
    }
    for child in &element.children {
        let name = child.name.as_str();
        match fate(rule.children, name) {
            Some(Fate::Read) => check_in(&element.name, child, rules, log),
            Some(Fate::Looks) => {}
            Some(Fate::Noted(why)) => log.note(child.place, format!("`{name}`: {why}")),
            Some(Fate::Refused(why, remedy)) => log.fault(child.place, format!("{}: {why}", child.called()), remedy),
            None if name.starts_with("xacro:") => {
                let help = "expand it first: `xacro robot.urdf.xacro > robot.urdf`, then read the result";
                log.fault(child.place, "this file holds xacro commands", help);
            }
            None if name.contains(':') => log.note(child.place, format!("`{name}` is an element of another program")),
            None => {
                let message = format!("`{}` has no element `{name}`", element.name);
                log.fault(child.place, message, suggestion(name, known(rule.children)));
            }
        }
    }
}

fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    if let Some(near) = nearest(name, known.clone()) {
        return format!("did you mean `{near}`?");
    }
    let mut all: Vec<&str> = known.collect();
    all.sort_unstable();
    match all.len() {
        0 => "remove it".into(),
        _ => format!("remove it, or use one of {}", all.join(", ")),
    }
}
