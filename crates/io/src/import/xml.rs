//! Text to elements with places: every element and attribute knows where it stands.

use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions, TextPos};

use super::fault::{ImportError, Log, Place, SourceFile};
use crate::excerpt::Span;

/// Larger files are refused before they are read: the largest robots have a few megabytes, meshes apart.
const MAX_BYTES: u64 = 1 << 28;
/// Most elements, attributes and texts of a file.
const MAX_NODES: u32 = 4_000_000;
/// Deepest nesting of elements: a chain of that many links is taken for a generator gone wild.
const MAX_DEPTH: usize = 500;

/// An element with its attributes and child elements.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) name: String,
    /// The opening tag's name.
    pub(super) place: Place,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<Element>,
}

/// An attribute.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) place: Place,
}

/// Reads a file into the log and returns its root element; `None`, with a fault, if it is no XML.
pub(super) fn read(path: &Path, log: &mut Log) -> Result<Option<Element>, ImportError> {
    let text = as_text(path, read_bytes(path)?)?;
    Ok(parse(path, text, log))
}

/// Reads a text the same way.
pub(super) fn parse(path: &Path, text: String, log: &mut Log) -> Option<Element> {
    let file = log.files.len();
    log.files.push(SourceFile { path: path.to_owned(), text: text.as_str().into() });
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    match Document::parse_with_options(&text, options) {
        Ok(document) => convert(document.root_element(), file, 0, log),
        Err(error) => {
            let start = match error {
                // The reader gives this no place: the text breaks off at its end.
                roxmltree::Error::UnclosedRootNode => text.trim_end().len().saturating_sub(1),
                _ => offset(&text, error.pos()),
            };
            let place = Place { file, span: Span { start, end: start + 1 } };
            let (message, help) = explain(&error);
            log.fault(place, message, help);
            None
        }
    }
}

/// The bytes of a file of bearable size, without the mark some editors put before text.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, ImportError> {
    let unreadable = |error: std::io::Error| {
        ImportError::of_file(path, format!("cannot read the file: {error}"), "check the path and its permissions")
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if about.is_dir() {
        return Err(ImportError::of_file(path, "this is a folder", "name a robot file in it"));
    }
    if !about.is_file() {
        return Err(ImportError::of_file(path, "this is no plain file", "name a robot file"));
    }
    if about.len() > MAX_BYTES {
        let message = format!("the file has {} bytes", about.len());
        return Err(ImportError::of_file(path, message, "keep meshes in files of their own"));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    Ok(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).to_vec())
}

/// The bytes as text.
pub(super) fn as_text(path: &Path, bytes: Vec<u8>) -> Result<String, ImportError> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        ImportError::of_file(path, format!("the file is not UTF-8 text from line {line} on"), "save it as UTF-8")
    })
}

/// What the reader's errors mean to somebody who wrote the file.
fn explain(error: &roxmltree::Error) -> (String, &'static str) {
    use roxmltree::Error;
    match error {
        Error::DtdDetected => (
            "document type definitions and entities are not read".into(),
            "write out what the entities stand for and remove `<!DOCTYPE …>`",
        ),
        Error::UnknownNamespace(prefix, _) if prefix == "xacro" => (
            "this file holds xacro commands".into(),
            "expand them first: `xacro robot.urdf.xacro > robot.urdf`, then read the result",
        ),
        Error::UnknownNamespace(prefix, _) => {
            (format!("the prefix `{prefix}` is not declared"), "declare it by `xmlns:…` in the first element")
        }
        Error::NodesLimitReached => {
            ("the file has too many elements".into(), "split it, and keep meshes in files of their own")
        }
        // The place stands beside the message already.
        other => {
            let text = other.to_string();
            let text = text.split(" at ").next().unwrap_or_default();
            (format!("not well-formed XML: {text}"), "every element needs its end, every value its quotes")
        }
    }
}

/// Byte of a row and a column, both counted from 1, columns in characters.
fn offset(text: &str, place: TextPos) -> usize {
    let before: usize = text.split_inclusive('\n').take(place.row.saturating_sub(1) as usize).map(str::len).sum();
    let within = text[before..].chars().take(place.col.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>();
    (before + within).min(text.len())
}

fn convert(node: Node<'_, '_>, file: usize, depth: usize, log: &mut Log) -> Option<Element> {
    let tag = node.tag_name();
    // Elements of other programs keep their prefix, so that they cannot be mistaken for ours.
    let name = match tag.namespace().and_then(|uri| node.lookup_prefix(uri)) {
        Some(prefix) => format!("{prefix}:{}", tag.name()),
        None => tag.name().to_owned(),
    };
    let start = node.range().start + 1;
    let place = Place { file, span: Span { start, end: start + name.len() } };
    if depth > MAX_DEPTH {
        log.fault(place, format!("elements are nested more than {MAX_DEPTH} deep"), "flatten the tree");
        return None;
    }
    let attributes = node.attributes().map(|attribute| Attribute {
        name: match attribute.namespace() {
            Some(_) => format!(":{}", attribute.name()),
            None => attribute.name().to_owned(),
        },
        value: attribute.value().to_owned(),
        place: Place { file, span: Span { start: attribute.range().start, end: attribute.range().end } },
    });
    let attributes = attributes.collect();
    let mut children = Vec::new();
    for child in node.children().filter(Node::is_element) {
        children.push(convert(child, file, depth + 1, log)?);
    }
    Some(Element { name, place, attributes, children })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> String {
        let mut log = Log::default();
        let root = parse("robot.xml".as_ref(), text.to_owned(), &mut log);
        assert!(root.is_none());
        log.finish().unwrap_err().to_string()
    }

    #[test]
    fn elements_and_attributes_know_their_places() {
        let text = "<a>\n  <b x=\"1\"\n y='2'/>\n</a>";
        let mut log = Log::default();
        let root = parse("robot.xml".as_ref(), text.to_owned(), &mut log).unwrap();
        let inner = &root.children[0];
        let slice = |place: Place| &text[place.span.start..place.span.end];
        assert_eq!((slice(root.place), slice(inner.place)), ("a", "b"));
        assert_eq!(slice(inner.attributes[1].place), "y='2'");
    }

    #[test]
    fn truncated_and_broken_texts_are_refused_where_they_break() {
        let truncated = faults("<robot>\n <link name=\"a\">\n");
        assert!(truncated.starts_with("robot.xml:2:16:"), "{truncated}");
        assert!(faults("<a>\n<b></c></a>").starts_with("robot.xml:2:"));
        assert!(faults("").contains("not well-formed"));
    }

    #[test]
    fn entities_are_refused_before_they_grow() {
        let bomb = "<!DOCTYPE a [<!ENTITY l \"ll\"><!ENTITY m \"&l;&l;&l;\">]>\n<a>&m;</a>";
        assert!(faults(bomb).contains("entities are not read"), "{}", faults(bomb));
    }

    #[test]
    fn a_million_nested_elements_are_refused_without_overflow() {
        let deep = "<b>".repeat(1_000_000) + &"</b>".repeat(1_000_000);
        assert!(faults(&deep).contains("nested more than 500 deep"));
    }

    #[test]
    fn xacro_is_named_with_the_tool() {
        let shown = faults("<robot>\n<xacro:macro name='leg'/>\n</robot>");
        assert!(
            shown.starts_with("robot.xml:2:") && shown.contains("`xacro robot.urdf.xacro > robot.urdf`"),
            "{shown}"
        );
    }
}
