//! Numbers and names inside pages.

/// Text that means itself in HTML and SVG, in attributes too.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number for JSON; what JSON cannot hold is null.
pub fn json_number(x: f64) -> String {
    if !x.is_finite() {
        return "null".to_owned();
    }
    // Six digits: more than can be read off a plot.
    let plain = format!("{}", format!("{x:.5e}").parse::<f64>().unwrap_or(x));
    let power = format!("{x:.5e}");
    if plain.len() <= power.len() { plain } else { power }
}

/// Text as a JSON string that may stand inside a script element.
pub(crate) fn json_text(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", letter as u32)),
            letter if (letter as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", letter as u32)),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_holds_any_number_and_any_text() {
        assert_eq!(json_number(f64::NAN), "null");
        assert_eq!(json_number(0.1), "0.1");
        assert_eq!(json_number(1.0 / 3.0), "0.333333");
        assert_eq!(json_number(-1.234567e-9).parse::<f64>(), Ok(-1.23457e-9));
        assert_eq!(json_text("a\"b\\</script>\n"), "\"a\\\"b\\\\\\u003c/script\\u003e\\u000a\"");
    }
}
