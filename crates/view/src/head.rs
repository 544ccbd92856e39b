//! The head of a request of HTTP/1.1, and nothing of it that is not needed here.

use std::fmt::Display;

/// Bytes of a head at most.
pub const MOST_HEAD: usize = 8 * 1024;
/// Bytes of a body at most.
pub const MOST_BODY: usize = 64 * 1024;

/// What a client asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The method, as written.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The field `Host`.
    pub host: Option<String>,
    /// The field `Origin`.
    pub origin: Option<String>,
    /// The field `Authorization`.
    pub authorization: Option<String>,
    /// The field `Content-Length`.
    pub length: Option<usize>,
    /// Whether the connection ends after the answer.
    pub close: bool,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Status of HTTP.
    pub status: u16,
    /// What is wrong and the way out.
    pub text: String,
}

impl Refused {
    /// A refusal.
    pub fn new(status: u16, text: impl Display) -> Self {
        Self { status, text: text.to_string() }
    }

    fn bad(text: impl Display) -> Self {
        Self::new(400, text)
    }
}

/// Where a head ends in the bytes read so far: after its empty line.
pub fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4)
}

impl Head {
    /// Reads a head, its empty line included or not.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        if bytes.len() > MOST_HEAD {
            return Err(Refused::new(431, format!("the head of a request is longer than {MOST_HEAD} bytes")));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| Refused::bad("the head is no text"))?;
        let mut lines = text.split("\r\n");
        let mut head = Self::request_line(lines.next().unwrap_or_default())?;
        for line in lines.take_while(|line| !line.is_empty()) {
            head.field(line)?;
        }
        Ok(head)
    }

    fn request_line(line: &str) -> Result<Self, Refused> {
        let words: Vec<&str> = line.split(' ').collect();
        let [method, target, version] = words[..] else {
            return Err(Refused::bad("the first line is not of the form METHOD TARGET HTTP/1.1"));
        };
        if version != "HTTP/1.1" {
            return Err(Refused::new(505, "only HTTP/1.1 is spoken here"));
        }
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !(plain(method) && plain(target) && target.starts_with('/')) {
            return Err(Refused::bad("the target is no path of this server"));
        }
        Ok(Self { method: method.to_owned(), target: target.to_owned(), ..Self::default() })
    }

    fn field(&mut self, line: &str) -> Result<(), Refused> {
        let (name, value) = line.split_once(':').ok_or_else(|| Refused::bad("a field of the head has no colon"))?;
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(Refused::bad("a field of the head has a bad name"));
        }
        let value = value.trim_matches([' ', '\t']);
        if value.bytes().any(|byte| byte.is_ascii_control() && byte != b'\t') {
            return Err(Refused::bad("a field of the head has a bad value"));
        }
        match name.to_ascii_lowercase().as_str() {
            "host" => once(&mut self.host, value, name),
            "origin" => once(&mut self.origin, value, name),
            "authorization" => once(&mut self.authorization, value, name),
            "content-length" => {
                let digits = !value.is_empty() && value.len() < 10 && value.bytes().all(|byte| byte.is_ascii_digit());
                let length = value.parse::<usize>().ok().filter(|_| digits);
                let length = length.ok_or_else(|| Refused::bad("the length of the body is no number"))?;
                once(&mut self.length, length, name)
            }
            "transfer-encoding" => Err(Refused::bad("bodies are taken with their length only, not in pieces")),
            "connection" => {
                self.close |= value.split(',').any(|word| word.trim().eq_ignore_ascii_case("close"));
                Ok(())
            }
            "expect" => Err(Refused::new(417, "nothing can be expected here; send the body with the head")),
            _ => Ok(()),
        }
    }
}

/// Sets what may be said only once.
fn once<T>(slot: &mut Option<T>, value: impl Into<T>, name: &str) -> Result<(), Refused> {
    match slot.replace(value.into()) {
        None => Ok(()),
        Some(_) => Err(Refused::bad(format!("the field `{name}` is given twice"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(text: &str) -> u16 {
        Head::parse(text.as_bytes()).map_or_else(|refused| refused.status, |_| 200)
    }

    #[test]
    fn a_request_is_read() {
        let text = "POST /command?x=1 HTTP/1.1\r\nHost: localhost:80\r\nORIGIN:http://localhost:80 \r\n\
                    Content-Length: 12\r\nX-Other: y\r\nConnection: Close\r\n\r\n";
        let head = Head::parse(text.as_bytes()).unwrap();
        assert_eq!((head.method.as_str(), head.target.as_str()), ("POST", "/command?x=1"));
        assert_eq!(head.host.as_deref(), Some("localhost:80"));
        assert_eq!(head.origin.as_deref(), Some("http://localhost:80"));
        assert_eq!((head.length, head.close), (Some(12), true));
        assert_eq!(end_of_head(text.as_bytes()), Some(text.len()));
        assert_eq!(end_of_head(&text.as_bytes()[..text.len() - 1]), None);
    }

    #[test]
    fn what_is_odd_is_refused() {
        for (text, expected) in [
            ("", 400),
            ("GET / HTTP/1.0\r\n", 505),
            ("GET / HTTP/2\r\n", 505),
            ("GET  / HTTP/1.1\r\n", 400),
            ("GET http://evil/ HTTP/1.1\r\n", 400),
            ("GET * HTTP/1.1\r\n", 400),
            ("GET /\u{e9} HTTP/1.1\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n", 400),
            ("GET / HTTP/1.1\r\nHost a\r\n", 400),
            ("GET / HTTP/1.1\r\n Host: a\r\n", 400),
            ("GET / HTTP/1.1\r\nHost : a\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n", 400),
            ("GET / HTTP/1.1\r\nContent-Length: -1\r\n", 400),
            ("GET / HTTP/1.1\r\nContent-Length: +1\r\n", 400),
            ("GET / HTTP/1.1\r\nContent-Length: 1, 1\r\n", 400),
            ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", 400),
            ("GET / HTTP/1.1\r\nExpect: 100-continue\r\n", 417),
        ] {
            assert_eq!(status(text), expected, "{text:?}");
        }
        assert_eq!(status(&format!("GET / HTTP/1.1\r\nX: {}\r\n", "y".repeat(MOST_HEAD))), 431);
        assert_eq!(Head::parse(b"GET / HTTP/1.1\r\nX: \xff\r\n").unwrap_err().status, 400);
    }
}
