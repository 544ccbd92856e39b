//! Default classes: what an element says where it says nothing itself.

use std::collections::BTreeMap;

use drystone_model::nearest;

use super::super::fault::Log;
use super::super::xml::{Attribute, Element};
use super::slot::Slot;

/// The class of everything that names none.
const MAIN: &str = "main";

/// Defaults of one class.
#[derive(Clone, Debug, Default)]
struct Class {
    attributes: BTreeMap<String, Vec<Attribute>>,
    actuator: Slot,
}

/// All classes by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Defaults {
    classes: BTreeMap<String, Class>,
}

/// Actuators of every kind; they share one set of defaults. Plugins come last: they have none.
pub(super) const ACTUATORS: &[&str] = &[
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "pid",
    "orientation",
    "plugin",
];

impl Defaults {
    pub(super) fn read(root: &Element, log: &mut Log) -> Self {
        let mut defaults = Self { classes: BTreeMap::from([(MAIN.to_owned(), Class::default())]) };
        for element in root.children_named("default") {
            // The outermost class is `main`, whatever it is called.
            let own = element.text_of("class").unwrap_or(MAIN).to_owned();
            defaults.class(element, MAIN, MAIN, log);
            if own != MAIN {
                let main = defaults.classes[MAIN].clone();
                defaults.classes.insert(own, main);
            }
        }
        defaults
    }

    fn class(&mut self, element: &Element, name: &str, parent: &str, log: &mut Log) {
        let mut class = self.classes.get(parent).cloned().unwrap_or_default();
        for child in element.children.iter().filter(|child| child.name != "default") {
            if ACTUATORS.contains(&child.name.as_str()) {
                class.actuator.apply(child, log);
            } else {
                let known = class.attributes.entry(child.name.clone()).or_default();
                override_with(known, &child.attributes);
            }
        }
        self.classes.insert(name.to_owned(), class);
        for child in element.children_named("default") {
            if let Some(own) = child.needed(log, "class") {
                self.class(child, own, name, log);
            }
        }
    }

    fn find(&self, element: &Element, inherited: Option<&str>, log: &mut Log) -> &Class {
        let wanted = element.text_of("class").or(inherited).unwrap_or(MAIN);
        self.classes.get(wanted).unwrap_or_else(|| {
            let help = match nearest(wanted, self.classes.keys().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a class of `default`".into(),
            };
            let place = element.attribute("class").map_or(element.place, |attribute| attribute.place);
            log.fault(place, format!("there is no class `{wanted}`"), help);
            &self.classes[MAIN]
        })
    }

    /// The element with the attributes of its class where it has none of its own. `slot` is the name of its defaults.
    pub(super) fn resolve(&self, element: &Element, slot: &str, inherited: Option<&str>, log: &mut Log) -> Element {
        let mut resolved = element.clone();
        resolved.attributes = self.find(element, inherited, log).attributes.get(slot).cloned().unwrap_or_default();
        override_with(&mut resolved.attributes, &element.attributes);
        resolved
    }

    /// What an actuator starts from.
    pub(super) fn actuator(&self, element: &Element, log: &mut Log) -> Slot {
        self.find(element, None, log).actuator.clone()
    }
}

/// Ways to say a rotation: one of them replaces the others.
const ROTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

fn override_with(known: &mut Vec<Attribute>, own: &[Attribute]) {
    let rotates = |attribute: &Attribute| ROTATIONS.contains(&attribute.name.as_str());
    if own.iter().any(rotates) {
        known.retain(|attribute| !rotates(attribute));
    }
    for attribute in own {
        known.retain(|other| other.name != attribute.name);
        known.push(attribute.clone());
    }
}
