//! The viewer's page in a browser, as the cases use it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::driver::{Browser, Look, button, rest, to};
use super::engine::Engine;

/// What all cases need.
pub struct Tools {
    /// The command under test.
    pub drystone: PathBuf,
    /// The browser.
    pub chromium: PathBuf,
    /// Who drives it.
    pub driver: PathBuf,
    /// Where pictures go.
    pub pictures: PathBuf,
}

/// A page with the engine behind it.
pub struct Page {
    /// The browser.
    pub browser: Browser,
    /// The engine; none while it is dead.
    pub engine: Option<Engine>,
}

impl Tools {
    /// Opens a scene and waits for its first picture.
    pub fn open(&self, words: &[&str], look: Look) -> Result<Page, String> {
        let engine = Engine::start(&self.drystone, words)?;
        let browser = Browser::open(&self.driver, &self.chromium, look)?;
        browser.go(&engine.address)?;
        browser.wait("window.drystone?.ready", 30.0)?;
        Ok(Page { browser, engine: Some(engine) })
    }

    /// Keeps a picture of the page for who wants to look.
    pub fn keep(&self, page: &Page, name: &str) -> Result<(), String> {
        let bytes = decode_base64(&page.browser.screenshot()?);
        let path: &Path = &self.pictures.join(name).with_extension("png");
        std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    }
}

impl Page {
    /// The value of an expression, with `d` for the page's own objects.
    pub fn eval(&self, expression: &str) -> Result<Value, String> {
        self.browser.eval(&format!("((d) => {expression})(window.drystone)"))
    }

    /// A number of the page.
    pub fn number(&self, expression: &str) -> Result<f64, String> {
        let value = self.eval(expression)?;
        value.as_f64().ok_or_else(|| format!("`{expression}` is {value}, not a number"))
    }

    /// Waits for something to be true of the page's objects.
    pub fn wait(&self, expression: &str, seconds: f64) -> Result<(), String> {
        self.browser.wait(&format!("((d) => {expression})(window.drystone)"), seconds)
    }

    /// Sends a command to the engine, past the controls.
    pub fn command(&self, json: &str) -> Result<Value, String> {
        self.eval(&format!("d.session.transport.command({json})"))
    }

    /// Pauses and goes to a step, back or on; the page has drawn it when this returns.
    pub fn go_to(&self, step: u64) -> Result<(), String> {
        let now = self.number("d.session.transport.command({do: 'pause'}).then((answer) => answer.step)")? as u64;
        if step > now {
            self.command(&format!(r#"{{"do": "step", "count": {}}}"#, step - now))?;
        } else {
            self.command(&format!(r#"{{"do": "seek", "step": {step}}}"#))?;
        }
        let there = format!("d.session.step === {step} && d.session.report.step === {step}");
        self.wait(&format!("{there} && d.loop.last === {step} && !d.loop.dirty"), 60.0)
    }

    /// Bits of the state as the newest report tells them.
    pub fn hash(&self) -> Result<String, String> {
        Ok(self.eval("d.session.report.hash")?.as_str().unwrap_or_default().to_owned())
    }

    /// Middle of an element \[pixels of the page\].
    pub fn middle_of(&self, selector: &str) -> Result<[f64; 2], String> {
        let expression = format!(
            "(() => {{ const b = document.querySelector({selector:?}).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        );
        pair(&self.eval(&expression)?).ok_or_else(|| format!("`{selector}` is not in the page"))
    }

    /// Clicks an element with the mouse.
    pub fn click(&self, selector: &str) -> Result<(), String> {
        self.eval(&format!("document.querySelector({selector:?}).scrollIntoView({{block: 'center'}})"))?;
        let at = self.middle_of(selector)?;
        self.browser.mouse(vec![to(at, 0), button(true), button(false)])
    }

    /// Presses at one point, moves to another and stays for a while; the caller lets go.
    pub fn press_and_move(&self, from: [f64; 2], onto: [f64; 2], stay: u32) -> Result<(), String> {
        self.browser.mouse(vec![to(from, 0), button(true), to(onto, 300), rest(stay)])
    }

    /// Gives the canvas the focus.
    pub fn focus_canvas(&self) -> Result<(), String> {
        self.eval("document.getElementById('canvas').focus()").map(drop)
    }

    /// Fails if the browser complained or asked anybody but the engine.
    pub fn check_clean(&self) -> Result<(), String> {
        let complaints = self.browser.complaints()?;
        if !complaints.is_empty() {
            return Err(format!("the console says:\n{}", complaints.join("\n")));
        }
        let foreign = self.eval(
            "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith(location.origin) && !name.startsWith('data:') && !name.startsWith('blob:'))",
        )?;
        let none = foreign.as_array().is_some_and(Vec::is_empty);
        if none { Ok(()) } else { Err(format!("the page asked elsewhere: {foreign}")) }
    }
}

/// Two numbers.
pub fn pair(value: &Value) -> Option<[f64; 2]> {
    Some([value.get(0)?.as_f64()?, value.get(1)?.as_f64()?])
}

/// Three numbers.
pub fn triple(value: &Value) -> Option<[f64; 3]> {
    Some([value.get(0)?.as_f64()?, value.get(1)?.as_f64()?, value.get(2)?.as_f64()?])
}

/// Bytes of a text in base64.
pub fn decode_base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = text.bytes().filter_map(digit).collect();
    let group = |four: &[u8]| {
        let bits = four.iter().fold(0u32, |bits, &six| bits << 6 | u32::from(six)) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    digits.chunks(4).flat_map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read() {
        for (text, bytes) in
            [("", &b""[..]), ("TQ==", b"M"), ("TWE=", b"Ma"), ("TWFu", b"Man"), ("+/8A", &[0xfb, 0xff, 0])]
        {
            assert_eq!(decode_base64(text), bytes);
        }
    }
}
