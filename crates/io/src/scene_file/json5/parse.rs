//! Text to tree.

use std::collections::HashMap;

use super::super::error::{SceneFault, Span};
use super::lost::Lost;
use super::scan::{Scanner, clipped};
use super::tree::{Member, Node, Value};

/// Scenes are a few levels deep; a limit keeps hostile files from exhausting the stack.
const MAX_DEPTH: usize = 64;

/// What a text says, as far as it could be read.
pub struct Parsed {
    /// The value, if the text could be followed to its end. What could not be read is left out of it.
    pub tree: Option<Node>,
    /// What is wrong with the text.
    pub faults: Vec<SceneFault>,
    /// What was left out.
    pub lost: Lost,
}

/// Reads a JSON5 text. A value that is none, a key given twice and a missing comma are noted and passed over; where it is
/// no longer clear what belongs to what, reading ends.
pub fn parse(text: &str) -> Parsed {
    let scan = Scanner { text, position: 0 };
    let mut parser = Parser { scan, depth: 0, faults: Vec::new(), lost: Lost::default() };
    let tree = parser.document().unwrap_or_else(|fault| {
        parser.faults.push(fault);
        None
    });
    Parsed { tree, faults: parser.faults, lost: parser.lost }
}

/// What reads the inside of a list or an object.
type Inside<P> = fn(&mut P) -> Result<Option<Value>, SceneFault>;

struct Parser<'a> {
    scan: Scanner<'a>,
    depth: usize,
    faults: Vec<SceneFault>,
    lost: Lost,
}

impl Parser<'_> {
    fn document(&mut self) -> Result<Option<Node>, SceneFault> {
        self.scan.skip_space()?;
        if self.scan.peek().is_none() {
            return Err(SceneFault::new("the file is empty", "begin with `{ bodies: [] }`"));
        }
        let node = self.value()?;
        self.scan.skip_space()?;
        match self.scan.peek() {
            None => Ok(node),
            Some(_) => Err(self.unexpected("the end of the file", "remove what follows the closing brace")),
        }
    }

    /// A value; `None` if there is one that says nothing, which is noted.
    fn value(&mut self) -> Result<Option<Node>, SceneFault> {
        let start = self.scan.position;
        let value = match self.scan.peek() {
            Some('{') => self.nested(Self::object)?,
            Some('[') => self.nested(Self::array)?,
            Some('"' | '\'') => Some(Value::String(self.scan.string()?)),
            Some(c) if c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'I' | 'N') => {
                let number = self.scan.number();
                self.noted(number).map(Value::Number)
            }
            Some(c) if c.is_alphabetic() => {
                let word = self.word();
                self.noted(word)
            }
            _ => return Err(self.unexpected("a value", "write a number, a string in quotes, a [list] or an {object}")),
        };
        Ok(value.map(|value| Node { span: self.scan.since(start), value }))
    }

    /// The value, or `None` after noting the fault.
    fn noted<T>(&mut self, value: Result<T, SceneFault>) -> Option<T> {
        value.map_err(|fault| self.faults.push(fault)).ok()
    }

    fn word(&mut self) -> Result<Value, SceneFault> {
        let start = self.scan.position;
        match self.scan.name() {
            "null" => Ok(Value::Null),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            name => {
                let message = format!("`{}` is not a value", clipped(name));
                Err(SceneFault::new(message, "put strings in quotes").at(self.scan.since(start)))
            }
        }
    }

    fn nested(&mut self, inside: Inside<Self>) -> Result<Option<Value>, SceneFault> {
        if self.depth == MAX_DEPTH {
            let message = format!("lists and objects are nested more than {MAX_DEPTH} deep");
            return Err(
                SceneFault::new(message, "a scene needs fewer than ten levels").at(self.scan.since(self.scan.position))
            );
        }
        self.depth += 1;
        let value = inside(self);
        self.depth -= 1;
        value
    }

    /// A list; one with an entry that could not be read says nothing.
    fn array(&mut self) -> Result<Option<Value>, SceneFault> {
        let open = self.scan.position;
        self.scan.bump();
        let mut items = Some(Vec::new());
        loop {
            self.scan.skip_space()?;
            if self.scan.eat(']') {
                return Ok(items.map(Value::Array));
            }
            self.not_ended(open, "list", ']')?;
            let item = self.value()?;
            items = items.zip(item).map(|(mut items, item)| {
                items.push(item);
                items
            });
            self.separator(open, "list", ']')?;
        }
    }

    fn object(&mut self) -> Result<Option<Value>, SceneFault> {
        let open = self.scan.position;
        self.scan.bump();
        let mut members: Vec<Member> = Vec::new();
        // Lookup only; the order of the members is that of the text.
        let mut seen: HashMap<String, Span> = HashMap::new();
        loop {
            self.scan.skip_space()?;
            if self.scan.eat('}') {
                return Ok(Some(Value::Object(members)));
            }
            self.not_ended(open, "object", '}')?;
            let (key, key_span) = self.key()?;
            let value = self.value()?;
            match seen.insert(key.clone(), key_span) {
                Some(first) => {
                    let line = self.scan.text[..first.start].matches('\n').count() + 1;
                    let message = format!("the key `{}` is here twice, first on line {line}", clipped(&key));
                    self.faults.push(SceneFault::new(message, "keep one of the two").at(key_span));
                }
                None => match value {
                    Some(value) => members.push(Member { key, key_span, value }),
                    None => self.lost.note(open, &key),
                },
            }
            self.separator(open, "object", '}')?;
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Result<(String, Span), SceneFault> {
        let start = self.scan.position;
        let key = match self.scan.peek() {
            Some('"' | '\'') => self.scan.string()?,
            Some(c) if c.is_alphabetic() || c == '_' || c == '$' => self.scan.name().to_owned(),
            _ => return Err(self.unexpected("a key", "write `key: value`, keys with odd characters in quotes")),
        };
        let key_span = self.scan.since(start);
        self.scan.skip_space()?;
        if !self.scan.eat(':') {
            return Err(self.unexpected("`:` after the key", "write `key: value`"));
        }
        self.scan.skip_space()?;
        Ok((key, key_span))
    }

    /// A comma, or the end of the list or object, which the caller eats.
    fn separator(&mut self, open: usize, what: &str, close: char) -> Result<(), SceneFault> {
        self.scan.skip_space()?;
        if self.scan.eat(',') || self.scan.peek() == Some(close) {
            return Ok(());
        }
        self.not_ended(open, what, close)?;
        let fault = self.unexpected(&format!("`,` or `{close}`"), "separate entries by commas");
        // Another entry may follow a comma that was forgotten; the wrong bracket may mean anything.
        let entry = |c: char| c.is_alphanumeric() || "\"'{[_$+-.".contains(c);
        if !self.scan.peek().is_some_and(entry) {
            return Err(fault);
        }
        self.faults.push(fault);
        Ok(())
    }

    fn not_ended(&self, open: usize, what: &str, close: char) -> Result<(), SceneFault> {
        if self.scan.peek().is_some() {
            return Ok(());
        }
        let message = format!("the file ends inside this {what}");
        Err(SceneFault::new(message, format!("close it with `{close}`")).at(Span { start: open, end: open + 1 }))
    }

    fn unexpected(&self, expected: &str, help: &str) -> SceneFault {
        let message = match self.scan.peek() {
            Some(c) => format!("expected {expected}, found `{}`", c.escape_debug()),
            None => format!("expected {expected}, found the end of the file"),
        };
        let start = self.scan.position;
        let end = start + self.scan.peek().map_or(1, char::len_utf8);
        SceneFault::new(message, help).at(Span { start, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Node, SceneFault> {
        let Parsed { tree, faults, .. } = parse(text);
        match faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok(tree.unwrap()),
        }
    }

    /// Every value that says nothing, and what is left of the rest.
    #[test]
    fn reading_goes_on_after_what_can_be_passed_over() {
        let text = "{ a: stel, b: [1, 2..3, x], c: 3 d: 4, d: 5, e: { f: 1.2.3, g: 7 } }";
        let Parsed { tree, faults, lost } = parse(text);
        let starts: Vec<usize> = faults.iter().filter_map(|fault| fault.span.map(|span| span.start)).collect();
        assert_eq!(starts, ["stel", "2..3", "x]", "d: 4", "d: 5", "1.2.3"].map(|piece| text.find(piece).unwrap()));
        let tree = tree.unwrap();
        let value = |key: &str| tree.get(key).map(|node| node.value.clone());
        assert_eq!((value("a"), value("b")), (None, None));
        assert_eq!((value("c"), value("d")), (Some(Value::Number(3.0)), Some(Value::Number(4.0))));
        assert_eq!(tree.get("e").unwrap().get("g").unwrap().value, Value::Number(7.0));
        assert!(lost.lacks(&tree, "a") && lost.lacks(tree.get("e").unwrap(), "f") && !lost.lacks(&tree, "c"));
    }

    #[test]
    fn takes_all_of_json5() {
        let text = r#"// comment
        { /* two */ a: 1, 'b': "x\u00e9\x41\n\
y", "c": [+.5, -0x1F, 5., 1e-3, 1E+2, Infinity, -Infinity, null, true, false,], $_é: {}, }"#;
        let node = read(text).unwrap();
        assert_eq!(node.get("a").unwrap().value, Value::Number(1.0));
        assert_eq!(node.get("b").unwrap().value, Value::String("xéA\ny".into()));
        let Value::Array(items) = &node.get("c").unwrap().value else { panic!() };
        let numbers: Vec<f64> =
            items.iter().filter_map(|item| if let Value::Number(x) = item.value { Some(x) } else { None }).collect();
        assert_eq!(numbers, [0.5, -31.0, 5.0, 1e-3, 100.0, f64::INFINITY, f64::NEG_INFINITY]);
        assert_eq!(items.len(), 10);
        let span = items[1].span;
        assert_eq!(&text[span.start..span.end], "-0x1F");
        assert_eq!(read("\u{FEFF} '\\ud83d\\ude00'").unwrap().value, Value::String("😀".into()));
    }

    #[test]
    fn faults_have_places() {
        for (text, start, expected) in [
            ("", None, "the file is empty"),
            ("  // nothing", None, "the file is empty"),
            ("{ a: }", Some(5), "expected a value, found `}`"),
            ("{ a 1 }", Some(4), "expected `:`"),
            ("{ a: 1 b: 2 }", Some(7), "expected `,` or `}`"),
            ("[1, 2", Some(0), "the file ends inside this list"),
            ("{ a: [ 1 }", Some(9), "expected `,` or `]`"),
            ("{ a: 1, a: 2 }", Some(8), "is here twice"),
            ("{ 'a: 1 }", Some(2), "this string does not end"),
            ("{ a: 'x\ny' }", Some(5), "this string does not end"),
            ("/* open", Some(0), "this comment does not end"),
            ("{ a: steel }", Some(5), "`steel` is not a value"),
            ("{ a: 1.2.3 }", Some(5), "`1.2.3` is not a number"),
            ("{ a: 12abc }", Some(5), "`12abc` is not a number"),
            ("{ a: 1e999 }", Some(5), "too large"),
            ("{ a: 0xZZ }", Some(5), "is not a number"),
            ("{ a: - }", Some(5), "is not a number"),
            ("{ a: '\\u12' }", Some(6), "this escape is not finished"),
            ("{ a: '\\ud800' }", Some(6), "names no character"),
            ("{} {}", Some(3), "expected the end of the file"),
            ("{ 1: 2 }", Some(2), "expected a key"),
            ("\u{0}", Some(0), "expected a value"),
        ] {
            let fault = read(text).unwrap_err();
            assert!(fault.message.contains(expected), "{text:?} gave {}", fault.message);
            assert_eq!(fault.span.map(|span| span.start), start, "{text:?}");
            assert!(!fault.help.is_empty());
        }
    }

    #[test]
    fn nesting_is_limited() {
        let fault = read(&"[".repeat(1_000_000)).unwrap_err();
        assert!(fault.message.contains("nested more than 64 deep"));
        assert!(read(&format!("{}1{}", "[".repeat(64), "]".repeat(64))).is_ok());
    }
}
