//! A small client of WebDriver: JSON over plain HTTP to `chromedriver`.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How a browser is opened.
#[derive(Clone, Copy)]
pub struct Look {
    /// Width and height of the window \[pixels\].
    pub size: [u32; 2],
    /// Whether the room is dark.
    pub dark: bool,
    /// Pixels of the screen per pixel of the page: 2 is a zoom of 200 %.
    pub zoom: f64,
    /// Whether motion is unwelcome.
    pub still: bool,
    /// Whether a graphics card draws, through EGL, which needs no window; the processor does otherwise.
    pub card: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { size: [1280, 720], dark: false, zoom: 1.0, still: false, card: false }
    }
}

/// A browser with one page, closed when dropped.
pub struct Browser {
    program: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Opens a browser without a window.
    pub fn open(driver: &Path, chromium: &Path, look: Look) -> Result<Self, String> {
        let port = free_port()?;
        let program = Command::new(driver)
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{} did not start: {error}", driver.display()))?;
        let mut browser = Self { program, port, session: String::new() };
        let deadline = Instant::now() + Duration::from_secs(20);
        while request(port, "GET", "/status", None).is_err() {
            if Instant::now() > deadline {
                return Err("chromedriver did not become ready within 20 seconds".into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let session = request(port, "POST", "/session", Some(&capabilities(chromium, look)))?;
        browser.session = session["sessionId"].as_str().ok_or("chromedriver gave no session")?.to_owned();
        browser.post("timeouts", &json!({"script": 60_000, "pageLoad": 60_000}))?;
        Ok(browser)
    }

    /// Number of the process that has all others of the browser below it.
    pub fn process(&self) -> u32 {
        self.program.id()
    }

    /// Opens an address.
    pub fn go(&self, url: &str) -> Result<(), String> {
        self.post("url", &json!({"url": url})).map(drop)
    }

    /// The value of an expression in the page; a promise is waited for.
    pub fn eval(&self, expression: &str) -> Result<Value, String> {
        let script = format!(
            "const done = arguments[0]; (async () => ({expression}))().then((value) => done({{value}}), (error) => done({{error: String(error.stack ?? error)}}));"
        );
        let mut answer = self.post("execute/async", &json!({"script": script, "args": []}))?;
        match answer["error"].as_str() {
            Some(error) => Err(format!("`{expression}` failed in the page: {error}")),
            None => Ok(answer["value"].take()),
        }
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str, seconds: f64) -> Result<(), String> {
        let deadline = Instant::now() + Duration::from_secs_f64(seconds);
        while self.eval(&format!("Boolean({expression})"))? != json!(true) {
            if Instant::now() > deadline {
                return Err(format!("`{expression}` did not become true within {seconds} seconds"));
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        Ok(())
    }

    /// Presses a key for whatever has the focus.
    pub fn key(&self, key: &str) -> Result<(), String> {
        let keys = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.post("actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": keys}]})).map(drop)
    }

    /// What a mouse does, one action after the other.
    pub fn mouse(&self, actions: Vec<Value>) -> Result<(), String> {
        let mouse =
            json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions});
        self.post("actions", &json!({"actions": [mouse]})).map(drop)
    }

    /// Turns the wheel over a point.
    pub fn wheel(&self, [x, y]: [f64; 2], by: i32) -> Result<(), String> {
        let turn = json!([{"type": "scroll", "x": x.round() as i64, "y": y.round() as i64, "deltaX": 0, "deltaY": by}]);
        self.post("actions", &json!({"actions": [{"type": "wheel", "id": "wheel", "actions": turn}]})).map(drop)
    }

    /// The page as PNG, in base64.
    pub fn screenshot(&self) -> Result<String, String> {
        let answer = request(self.port, "GET", &format!("/session/{}/screenshot", self.session), None)?;
        Ok(answer.as_str().unwrap_or_default().to_owned())
    }

    /// The page as WebP, in base64: a fraction of the bytes.
    pub fn photograph(&self) -> Result<String, String> {
        let picture = json!({"cmd": "Page.captureScreenshot", "params": {"format": "webp", "quality": 82}});
        let answer = self.post("goog/cdp/execute", &picture)?;
        Ok(answer["data"].as_str().unwrap_or_default().to_owned())
    }

    /// Errors and warnings the browser wrote into its console since the last call.
    pub fn complaints(&self) -> Result<Vec<String>, String> {
        let log = self.post("se/log", &json!({"type": "browser"}))?;
        let grave = |entry: &&Value| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING"));
        let entries = log.as_array().into_iter().flatten().filter(grave);
        Ok(entries.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect())
    }

    fn post(&self, what: &str, body: &Value) -> Result<Value, String> {
        request(self.port, "POST", &format!("/session/{}/{what}", self.session), Some(body))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = request(self.port, "DELETE", &format!("/session/{}", self.session), None);
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// A step of [`Browser::mouse`]: to a point of the page, in so many milliseconds.
pub fn to([x, y]: [f64; 2], milliseconds: u32) -> Value {
    json!({"type": "pointerMove", "origin": "viewport", "duration": milliseconds, "x": x.round() as i64, "y": y.round() as i64})
}

/// A step of [`Browser::mouse`]: the left button down or up.
pub fn button(down: bool) -> Value {
    json!({"type": if down { "pointerDown" } else { "pointerUp" }, "button": 0})
}

/// A step of [`Browser::mouse`]: waits.
pub fn rest(milliseconds: u32) -> Value {
    json!({"type": "pause", "duration": milliseconds})
}

fn capabilities(chromium: &Path, look: Look) -> Value {
    let [width, height] = look.size;
    let mut arguments = vec![
        "--headless=new".to_owned(),
        "--no-sandbox".to_owned(),
        "--hide-scrollbars".to_owned(),
        format!("--window-size={width},{height}"),
        format!("--force-device-scale-factor={}", look.zoom),
        format!("--blink-settings=preferredColorScheme={}", u8::from(!look.dark)),
    ];
    let drawing: &[&str] = match look.card {
        true => &["--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"],
        false => &["--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    };
    arguments.extend(drawing.iter().map(|&argument| argument.to_owned()));
    if look.still {
        arguments.push("--force-prefers-reduced-motion".to_owned());
    }
    json!({"capabilities": {"alwaysMatch": {
        "browserName": "chrome",
        "goog:loggingPrefs": {"browser": "ALL"},
        "goog:chromeOptions": {"binary": chromium.display().to_string(), "args": arguments},
    }}})
}

/// A port nobody listens on.
pub fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| format!("no port is free: {error}"))?;
    Ok(listener.local_addr().map_err(|error| error.to_string())?.port())
}

/// One request to the driver and the `value` of its answer.
fn request(port: u16, method: &str, path: &str, body: Option<&Value>) -> Result<Value, String> {
    let at = |error: std::io::Error| format!("chromedriver, {path}: {error}");
    let mut stream = TcpStream::connect(("127.0.0.1", port)).map_err(at)?;
    stream.set_read_timeout(Some(Duration::from_secs(120))).map_err(at)?;
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).map_err(at)?;
    let answer = read_answer(BufReader::new(stream)).map_err(at)?;
    let mut answer: Value =
        serde_json::from_slice(&answer).map_err(|error| format!("chromedriver, {path}: no JSON: {error}"))?;
    match answer["value"]["error"].as_str() {
        // `execute/async` answers with what the page says, which may have an `error` of its own but no `stacktrace`.
        Some(error) if answer["value"]["stacktrace"].is_string() => {
            Err(format!("chromedriver, {path}: {error}: {}", answer["value"]["message"].as_str().unwrap_or_default()))
        }
        _ => Ok(answer["value"].take()),
    }
}

/// The body of an answer whose length is told.
fn read_answer(mut reader: impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_as_long_as_it_says() {
        let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: y\r\n\r\n{\"a\"}rest";
        assert_eq!(read_answer(&bytes[..]).unwrap(), b"{\"a\"");
        assert!(read_answer(&b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"[..]).is_err(), "cut short");
    }
}
