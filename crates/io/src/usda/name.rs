//! Names that USD accepts.

use std::collections::BTreeSet;

/// Names in use under one parent.
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// An identifier (letters, digits, `_`, not starting with a digit) like `title` that is not yet in
    /// use.
    pub(super) fn unique(&mut self, title: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut base: String = title.chars().map(plain).collect();
        if !base.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            base.insert(0, '_');
        }
        let mut name = base.clone();
        let mut copy = 1;
        while !self.0.insert(name.clone()) {
            copy += 1;
            name = format!("{base}_{copy}");
        }
        name
    }
}

/// A text in quotes, with what would end it escaped and control characters left out.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars().filter(|c| !c.is_control()) {
        if c == '"' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut names = Names::default();
        assert_eq!(names.unique("link 1"), "link_1");
        assert_eq!(names.unique("link-1"), "link_1_2");
        assert_eq!(names.unique("link_1"), "link_1_3");
        assert_eq!(names.unique("7"), "_7");
        assert_eq!(names.unique(""), "_");
        assert_eq!(names.unique("石"), "__2");
    }

    #[test]
    fn quotes_cannot_be_broken_out_of() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\cd\"");
    }
}
