//! Answers of HTTP.

use std::io::{self, Write};

/// What a page may do: nothing that does not come from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; \
                      img-src 'self' blob: data:; media-src blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The words of a status.
fn words(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        417 => "Expectation Failed",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Error",
    }
}

/// The head of an answer; without a length its body ends with the connection. `more` holds further fields, each with its line end.
pub fn head(status: u16, content: &str, length: Option<usize>, close: bool, more: &str) -> String {
    let length = length.map_or_else(String::new, |length| format!("Content-Length: {length}\r\n"));
    let connection = if close { "close" } else { "keep-alive" };
    format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {content}\r\n{length}Connection: {connection}\r\nCache-Control: no-store\r\n\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\n{more}\r\n",
        words(status)
    )
}

/// Writes a whole answer.
pub fn write(sink: &mut impl Write, status: u16, content: &str, body: &[u8], close: bool) -> io::Result<()> {
    let more = if status == 405 { "Allow: GET, POST\r\n" } else { "" };
    sink.write_all(head(status, content, Some(body.len()), close, more).as_bytes())?;
    sink.write_all(body)?;
    sink.flush()
}
