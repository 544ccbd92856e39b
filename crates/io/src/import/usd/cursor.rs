//! Text of USD, word by word.

use super::value::Value;

/// Deepest nesting of values.
const MAX_VALUE_DEPTH: usize = 32;

/// Why the text cannot be read on.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// A place in the text.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn broken<T>(&self, message: impl Into<String>, help: &'static str) -> Result<T, Broken> {
        Err(Broken { at: self.at, message: message.into(), help })
    }

    /// Where the last word ended.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The place of what comes next.
    pub(super) fn place(&mut self) -> usize {
        self.skip();
        self.at
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes spaces, ends of lines, `;` and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let spaces = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', ';']).len();
            self.at += spaces;
            let rest = self.rest();
            if rest.starts_with('#') || rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if spaces == 0 {
                return;
            }
        }
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest().chars().next()
    }

    /// Takes a character if it comes next.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    pub(super) fn expect(&mut self, wanted: char) -> Result<(), Broken> {
        if self.take(wanted) {
            return Ok(());
        }
        match self.peek() {
            Some(other) => self.broken(format!("`{wanted}` is missing before `{other}`"), "add it"),
            None => self.broken(format!("the text ends where `{wanted}` is missing"), "the file may be cut off"),
        }
    }

    /// A name, with `:` and `.` in it.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        self.skip();
        let rest = self.rest();
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.');
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let word = &rest[..rest.find(|c| !inside(c)).unwrap_or(rest.len())];
        self.at += word.len();
        Some(word)
    }

    /// The next word, without taking it.
    pub(super) fn peek_word(&mut self) -> Option<&'a str> {
        let (word, at) = (self.word(), self.at);
        self.at = at - word.map_or(0, str::len);
        word
    }

    /// What stands up to a mark, which is taken too.
    fn until(&mut self, end: &str, what: &str) -> Result<&'a str, Broken> {
        let rest = self.rest();
        let Some(length) = rest.find(end) else {
            return self.broken(format!("{what} does not end"), "close it; the file may be cut off");
        };
        self.at += length + end.len();
        Ok(&rest[..length])
    }

    /// A string in single, double or triple quotes.
    pub(super) fn text(&mut self) -> Result<String, Broken> {
        self.skip();
        let rest = self.rest();
        for triple in ["\"\"\"", "'''"] {
            if rest.starts_with(triple) {
                self.at += 3;
                return Ok(self.until(triple, "a text")?.to_owned());
            }
        }
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return self.broken("a text in quotes is missing", "put it in \"…\"");
        };
        let (mut text, mut characters) = (String::new(), rest.char_indices().skip(1));
        while let Some((index, character)) = characters.next() {
            match character {
                '\n' => break,
                '\\' => text.extend(characters.next().map(|(_, escaped)| if escaped == 'n' { '\n' } else { escaped })),
                end if end == quote => {
                    self.at += index + 1;
                    return Ok(text);
                }
                other => text.push(other),
            }
        }
        self.broken("a text does not end on its line", "close the quotes, or use three of them")
    }

    fn path(&mut self) -> Result<String, Broken> {
        self.expect('<')?;
        Ok(self.until(">", "a path")?.trim().to_owned())
    }

    fn asset(&mut self) -> Result<Value, Broken> {
        let marks = if self.rest().starts_with("@@@") { "@@@" } else { "@" };
        self.at += marks.len();
        let file = self.until(marks, "the name of a file")?.to_owned();
        let prim = if self.peek() == Some('<') { Some(self.path()?) } else { None };
        Ok(Value::Asset(file, prim))
    }

    fn number(&mut self) -> Result<Value, Broken> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.')).unwrap_or(rest.len());
        match rest[..end].parse::<f64>() {
            Ok(number) => {
                self.at += end;
                Ok(Value::Number(number))
            }
            Err(_) => self.broken("here a value should stand", "give a number, a text, a path or a list"),
        }
    }

    /// Any value.
    pub(super) fn value(&mut self, depth: usize) -> Result<Value, Broken> {
        if depth > MAX_VALUE_DEPTH {
            return self.broken("values are nested too deeply", "flatten them");
        }
        match self.peek() {
            Some('"' | '\'') => self.text().map(Value::Text),
            Some('<') => self.path().map(Value::Path),
            Some('@') => self.asset(),
            Some('(') => self.items('(', ')', depth).map(Value::Tuple),
            Some('[') => self.items('[', ']', depth).map(Value::List),
            Some('{') => self.dictionary(depth).map(Value::Dictionary),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let word = self.word().unwrap_or_default();
                Ok(match word {
                    "inf" => Value::Number(f64::INFINITY),
                    "nan" => Value::Number(f64::NAN),
                    _ => Value::Word(word.to_owned()),
                })
            }
            _ => self.number(),
        }
    }

    fn items(&mut self, open: char, close: char, depth: usize) -> Result<Vec<Value>, Broken> {
        self.expect(open)?;
        let mut items = Vec::new();
        while !self.take(close) {
            items.push(self.value(depth + 1)?);
            // References in a list may carry an offset in time, which nothing here reads.
            if matches!(items.last(), Some(Value::Asset(..) | Value::Path(_))) && self.peek() == Some('(') {
                self.skip_block()?;
            }
            if !self.take(',') && self.peek() != Some(close) {
                self.expect(close)?;
            }
        }
        Ok(items)
    }

    /// Passes a block in parentheses.
    pub(super) fn skip_block(&mut self) -> Result<(), Broken> {
        self.expect('(')?;
        let mut depth = 1;
        while depth > 0 {
            match self.peek() {
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some('"' | '\'') => {
                    self.text()?;
                    continue;
                }
                Some(_) => {}
                None => return self.expect(')'),
            }
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        }
        Ok(())
    }

    /// `{ type name = value … }` or `{ time: value, … }`.
    fn dictionary(&mut self, depth: usize) -> Result<Vec<(String, Value)>, Broken> {
        self.expect('{')?;
        let mut entries = Vec::new();
        while !self.take('}') {
            let timed = self.peek().is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
            let key = if timed {
                self.number()?;
                self.expect(':')?;
                String::new()
            } else {
                let typed = self.typed_name()?;
                self.expect('=')?;
                typed
            };
            entries.push((key, self.value(depth + 1)?));
            self.take(',');
        }
        Ok(entries)
    }

    /// The name after a type: `string name`, `float[] "name"`; a name alone stands for itself.
    fn typed_name(&mut self) -> Result<String, Broken> {
        let mut name = None;
        loop {
            match self.peek() {
                Some('=') => break,
                Some('"' | '\'') => name = Some(self.text()?),
                Some('[') => {
                    self.expect('[')?;
                    self.expect(']')?;
                }
                _ => match self.word() {
                    Some(word) => name = Some(word.to_owned()),
                    None => return self.broken("the name of an entry is missing", "write `type name = value`"),
                },
            }
        }
        match name {
            Some(name) => Ok(name),
            None => self.broken("the name of an entry is missing", "write `type name = value`"),
        }
    }
}
