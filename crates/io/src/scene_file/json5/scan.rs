//! The letters of JSON5: spaces, comments, strings, names and numbers.

use super::super::error::{SceneFault, Span};

/// A place in the text that moves forward.
pub struct Scanner<'a> {
    pub text: &'a str,
    pub position: usize,
}

impl<'a> Scanner<'a> {
    pub fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.position += c.len_utf8();
        Some(c)
    }

    /// Steps over `c` if it is next.
    pub fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.position += c.len_utf8();
        }
        found
    }

    /// The span from `start` to here, at least one byte wide so that a caret can be drawn.
    pub fn since(&self, start: usize) -> Span {
        Span { start, end: self.position.max(start + 1) }
    }

    /// Steps over spaces, line ends and comments.
    pub fn skip_space(&mut self) -> Result<(), SceneFault> {
        loop {
            let rest = self.rest();
            if rest.starts_with("//") {
                self.position += rest.find(is_line_end).unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let length = rest.find("*/").ok_or_else(|| {
                    SceneFault::new("this comment does not end", "close it with `*/`")
                        .at(Span { start: self.position, end: self.position + 2 })
                })?;
                self.position += length + 2;
            } else if self.peek().is_some_and(|c| c.is_whitespace() || c == '\u{FEFF}') {
                self.bump();
            } else {
                return Ok(());
            }
        }
    }

    /// A name without quotes: letters, digits, `_` and `$`.
    pub fn name(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    /// A string; its opening quote is next.
    pub fn string(&mut self) -> Result<String, SceneFault> {
        let start = self.position;
        let quote = self.bump().unwrap_or('"');
        let mut out = String::new();
        loop {
            let at = self.position;
            match self.bump() {
                Some(c) if c == quote => return Ok(out),
                Some('\\') => self.escape(at, &mut out)?,
                None | Some('\n' | '\r') => {
                    let help = format!("close it with {quote}");
                    return Err(SceneFault::new("this string does not end", help).at(Span { start, end: at }));
                }
                Some(c) => out.push(c),
            }
        }
    }

    /// What follows a backslash.
    fn escape(&mut self, start: usize, out: &mut String) -> Result<(), SceneFault> {
        match self.bump() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{C}'),
            Some('v') => out.push('\u{B}'),
            Some('0') => out.push('\0'),
            Some('x') => out.push(char::from(self.hex(start, 2)? as u8)),
            Some('u') => out.push(self.unicode(start)?),
            // A backslash before a line end continues the string on the next line.
            Some('\r') => drop(self.eat('\n')),
            Some(c) if is_line_end(c) => {}
            Some(c) => out.push(c),
            None => {}
        }
        Ok(())
    }

    /// A code point written as one `\u` escape or, beyond 16 bits, as a pair of them.
    fn unicode(&mut self, start: usize) -> Result<char, SceneFault> {
        let first = self.hex(start, 4)?;
        let code = if (0xD800..0xDC00).contains(&first) && self.rest().starts_with("\\u") {
            self.position += 2;
            let second = self.hex(start, 4)?;
            0x10000 + ((first - 0xD800) << 10) + (second.wrapping_sub(0xDC00) & 0x3FF)
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| {
            SceneFault::new("this escape names no character", "write the character itself").at(self.since(start))
        })
    }

    fn hex(&mut self, start: usize, digits: usize) -> Result<u32, SceneFault> {
        let text = self.rest().get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let value = text.and_then(|text| u32::from_str_radix(text, 16).ok()).ok_or_else(|| {
            let help = format!("give {digits} hexadecimal digits, like `\\u00e9` or `\\x41`");
            SceneFault::new("this escape is not finished", help).at(self.since(start))
        })?;
        self.position += digits;
        Ok(value)
    }

    /// A number: decimal, hexadecimal, `Infinity` or `NaN`, with or without a sign.
    pub fn number(&mut self) -> Result<f64, SceneFault> {
        let start = self.position;
        let negative = self.eat('-');
        if !negative {
            self.eat('+');
        }
        let rest = self.rest();
        let length = rest.find(|c: char| !(is_name(c) || c == '.')).unwrap_or(rest.len());
        // The sign of an exponent belongs to the number, that of a hexadecimal one does not exist.
        let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        let signed = !hexadecimal
            && rest[..length].ends_with(['e', 'E'])
            && rest[length..].starts_with(['+', '-'])
            && rest[..length].starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let length = if signed {
            let tail = &rest[length + 1..];
            length + 1 + tail.find(|c: char| !is_name(c)).unwrap_or(tail.len())
        } else {
            length
        };
        self.position += length;
        let value = magnitude(&rest[..length])
            .map_err(|(message, help)| SceneFault::new(message, help).at(self.since(start)))?;
        Ok(if negative { -value } else { value })
    }
}

/// The value of a number without its sign.
fn magnitude(digits: &str) -> Result<f64, (String, &'static str)> {
    if digits == "Infinity" {
        return Ok(f64::INFINITY);
    }
    if digits == "NaN" {
        return Ok(f64::NAN);
    }
    let wrong = || (format!("`{}` is not a number", clipped(digits)), "write a number like 12, -0.5, 2e-3 or 0xFF");
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).map(|value| value as f64).map_err(|_| wrong());
    }
    // Rust would also take `inf`, `nan` and a sign; JSON5 does not.
    let plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let value: f64 = if plain { digits.parse().map_err(|_| wrong())? } else { return Err(wrong()) };
    if value.is_infinite() {
        let message = format!("`{}` is too large for a number", clipped(digits));
        return Err((message, "write Infinity if that is meant"));
    }
    Ok(value)
}

/// The start of a piece of text, for messages.
pub fn clipped(text: &str) -> String {
    let mut out: String = text.chars().take(40).collect();
    if text.chars().nth(40).is_some() {
        out.push('…');
    }
    out
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
