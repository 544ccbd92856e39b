//! Attributes as numbers, vectors and words, with faults at their places.

use drystone_model::{DQuat, DVec3, nearest};

use super::fault::Log;
use super::xml::{Attribute, Element};

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    pub(super) fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// How messages call it: its kind and its name, if it has one.
    pub(super) fn called(&self) -> String {
        match self.text_of("name") {
            Some(name) => format!("{} `{name}`", self.name),
            None => format!("this {}", self.name),
        }
    }

    /// The value of an attribute the element cannot do without.
    pub(super) fn needed<'a>(&'a self, log: &mut Log, name: &str) -> Option<&'a str> {
        let found = self.text_of(name);
        if found.is_none() {
            log.fault(self.place, format!("{} lacks `{name}`", self.called()), format!("add `{name}=\"…\"`"));
        }
        found
    }

    /// All numbers of an attribute; none, with a fault, if one of them is no finite number.
    pub(super) fn list(&self, log: &mut Log, name: &str) -> Option<Vec<f64>> {
        let attribute = self.attribute(name)?;
        let mut numbers = Vec::new();
        for word in attribute.value.split_whitespace() {
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => numbers.push(number),
                _ => {
                    let help = match word {
                        word if word.contains("${") || word.contains("$(") => {
                            "expand xacro first: `xacro robot.urdf.xacro > robot.urdf`"
                        }
                        _ => "give finite numbers separated by spaces",
                    };
                    log.fault(attribute.place, format!("`{word}` in `{name}` is not a finite number"), help);
                    return None;
                }
            }
        }
        Some(numbers)
    }

    /// Exactly `N` numbers.
    pub(super) fn numbers<const N: usize>(&self, log: &mut Log, name: &str) -> Option<[f64; N]> {
        let list = self.list(log, name)?;
        let given = list.len();
        let array = <[f64; N]>::try_from(list).ok();
        if let (None, Some(attribute)) = (&array, self.attribute(name)) {
            let message = format!("`{name}` has {given} numbers, not {N}");
            log.fault(attribute.place, message, format!("give {N} numbers separated by spaces"));
        }
        array
    }

    pub(super) fn number(&self, log: &mut Log, name: &str) -> Option<f64> {
        self.numbers::<1>(log, name).map(|[number]| number)
    }

    pub(super) fn vector(&self, log: &mut Log, name: &str) -> Option<DVec3> {
        self.numbers(log, name).map(DVec3::from_array)
    }

    /// A quaternion written real part first, brought to unit length.
    pub(super) fn quaternion(&self, log: &mut Log, name: &str) -> Option<DQuat> {
        let [w, x, y, z] = self.numbers(log, name)?;
        let length = DQuat::from_xyzw(x, y, z, w).length();
        if length < 1e-10 {
            log.fault(self.attribute(name)?.place, "a quaternion of no length", "give `w x y z`, not all zero");
            return None;
        }
        Some(DQuat::from_xyzw(x / length, y / length, z / length, w / length))
    }

    /// A vector brought to unit length.
    pub(super) fn direction(&self, log: &mut Log, name: &str) -> Option<DVec3> {
        let vector = self.vector(log, name)?;
        let unit = vector.try_normalize();
        if unit.is_none() {
            log.fault(self.attribute(name)?.place, format!("`{name}` has no length"), "give a direction");
        }
        unit
    }

    /// One of several words.
    pub(super) fn choice<T: Copy>(&self, log: &mut Log, name: &str, words: &[(&str, T)]) -> Option<T> {
        let attribute = self.attribute(name)?;
        let found = words.iter().find(|(word, _)| *word == attribute.value).map(|&(_, value)| value);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
            let help = match nearest(&attribute.value, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of {}", known.join(", ")),
            };
            log.fault(attribute.place, format!("`{name}` cannot be `{}`", attribute.value), help);
        }
        found
    }

    pub(super) fn flag(&self, log: &mut Log, name: &str) -> Option<bool> {
        self.choice(log, name, &[("true", true), ("false", false), ("1", true), ("0", false)])
    }
}
