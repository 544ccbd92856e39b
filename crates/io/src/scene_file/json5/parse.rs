//! Text to tree.

use std::collections::HashMap;

use super::super::error::{SceneFault, Span};
use super::scan::{Scanner, clipped};
use super::tree::{Member, Node, Value};

/// Scenes are a few levels deep; a limit keeps hostile files from exhausting the stack.
const MAX_DEPTH: usize = 64;

/// Reads a JSON5 text.
pub fn parse(text: &str) -> Result<Node, SceneFault> {
    let mut parser = Parser { scan: Scanner { text, position: 0 }, depth: 0 };
    parser.scan.skip_space()?;
    if parser.scan.peek().is_none() {
        return Err(SceneFault::new("the file is empty", "begin with `{ bodies: [] }`"));
    }
    let node = parser.value()?;
    parser.scan.skip_space()?;
    match parser.scan.peek() {
        None => Ok(node),
        Some(_) => Err(parser.unexpected("the end of the file", "remove what follows the closing brace")),
    }
}

struct Parser<'a> {
    scan: Scanner<'a>,
    depth: usize,
}

impl Parser<'_> {
    fn value(&mut self) -> Result<Node, SceneFault> {
        let start = self.scan.position;
        let value = match self.scan.peek() {
            Some('{') => self.nested(Self::object)?,
            Some('[') => self.nested(Self::array)?,
            Some('"' | '\'') => Value::String(self.scan.string()?),
            Some(c) if c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'I' | 'N') => {
                Value::Number(self.scan.number()?)
            }
            Some(c) if c.is_alphabetic() => self.word()?,
            _ => return Err(self.unexpected("a value", "write a number, a string in quotes, a [list] or an {object}")),
        };
        Ok(Node { span: self.scan.since(start), value })
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

    fn nested(&mut self, inside: fn(&mut Self) -> Result<Value, SceneFault>) -> Result<Value, SceneFault> {
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

    fn array(&mut self) -> Result<Value, SceneFault> {
        let open = self.scan.position;
        self.scan.bump();
        let mut items = Vec::new();
        loop {
            self.scan.skip_space()?;
            if self.scan.eat(']') {
                return Ok(Value::Array(items));
            }
            self.not_ended(open, "list", ']')?;
            items.push(self.value()?);
            self.separator(open, "list", ']')?;
        }
    }

    fn object(&mut self) -> Result<Value, SceneFault> {
        let open = self.scan.position;
        self.scan.bump();
        let mut members: Vec<Member> = Vec::new();
        // Lookup only; the order of the members is that of the text.
        let mut seen: HashMap<String, Span> = HashMap::new();
        loop {
            self.scan.skip_space()?;
            if self.scan.eat('}') {
                return Ok(Value::Object(members));
            }
            self.not_ended(open, "object", '}')?;
            let member = self.member()?;
            if let Some(first) = seen.insert(member.key.clone(), member.key_span) {
                let line = self.scan.text[..first.start].matches('\n').count() + 1;
                let message = format!("the key `{}` is here twice, first on line {line}", clipped(&member.key));
                return Err(SceneFault::new(message, "keep one of the two").at(member.key_span));
            }
            members.push(member);
            self.separator(open, "object", '}')?;
        }
    }

    fn member(&mut self) -> Result<Member, SceneFault> {
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
        Ok(Member { key, key_span, value: self.value()? })
    }

    /// A comma, or the end of the list or object, which the caller eats.
    fn separator(&mut self, open: usize, what: &str, close: char) -> Result<(), SceneFault> {
        self.scan.skip_space()?;
        if self.scan.eat(',') || self.scan.peek() == Some(close) {
            return Ok(());
        }
        self.not_ended(open, what, close)?;
        Err(self.unexpected(&format!("`,` or `{close}`"), "separate entries by commas"))
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

    #[test]
    fn takes_all_of_json5() {
        let text = r#"// comment
        { /* two */ a: 1, 'b': "x\u00e9\x41\n\
y", "c": [+.5, -0x1F, 5., 1e-3, 1E+2, Infinity, -Infinity, null, true, false,], $_é: {}, }"#;
        let node = parse(text).unwrap();
        assert_eq!(node.get("a").unwrap().value, Value::Number(1.0));
        assert_eq!(node.get("b").unwrap().value, Value::String("xéA\ny".into()));
        let Value::Array(items) = &node.get("c").unwrap().value else { panic!() };
        let numbers: Vec<f64> =
            items.iter().filter_map(|item| if let Value::Number(x) = item.value { Some(x) } else { None }).collect();
        assert_eq!(numbers, [0.5, -31.0, 5.0, 1e-3, 100.0, f64::INFINITY, f64::NEG_INFINITY]);
        assert_eq!(items.len(), 10);
        let span = items[1].span;
        assert_eq!(&text[span.start..span.end], "-0x1F");
        assert_eq!(parse("\u{FEFF} '\\ud83d\\ude00'").unwrap().value, Value::String("😀".into()));
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
            let fault = parse(text).unwrap_err();
            assert!(fault.message.contains(expected), "{text:?} gave {}", fault.message);
            assert_eq!(fault.span.map(|span| span.start), start, "{text:?}");
            assert!(!fault.help.is_empty());
        }
    }

    #[test]
    fn nesting_is_limited() {
        let fault = parse(&"[".repeat(1_000_000)).unwrap_err();
        assert!(fault.message.contains("nested more than 64 deep"));
        assert!(parse(&format!("{}1{}", "[".repeat(64), "]".repeat(64))).is_ok());
    }
}
