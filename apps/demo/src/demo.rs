//! What the exported functions do.

use drystone_live::{Answer, Limits, Refusal, Session, Start};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Bytes that a page may say at once.
const MOST: usize = 64 * 1024;
/// Scenes with more bodies do not fit into a page.
const MOST_BODIES: usize = 20_000;
const GOOD: u32 = 200;

/// A session and its two buffers.
#[derive(Default)]
pub struct Demo {
    session: Option<Session>,
    input: Vec<u8>,
    /// What was answered last.
    pub out: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    scene: String,
    #[serde(default)]
    parameters: Map<String, Value>,
    solver: Option<String>,
    #[serde(default)]
    options: Map<String, Value>,
}

impl Demo {
    /// Room for what the page says next.
    pub fn room(&mut self, length: usize) -> &mut [u8] {
        self.input.clear();
        self.input.resize(length.min(MOST), 0);
        &mut self.input
    }

    fn said(&self) -> Result<&str, Refusal> {
        std::str::from_utf8(&self.input).map_err(|_| Refusal::bad("this is no text"))
    }

    fn answer(&mut self, answer: Result<Answer, Refusal>) -> u32 {
        match answer {
            Ok(answer) => {
                self.out = answer.bytes;
                GOOD
            }
            Err(refusal) => {
                self.out = refusal.to_json().to_string().into_bytes();
                u32::from(refusal.status)
            }
        }
    }

    fn session(&mut self) -> Result<&mut Session, Refusal> {
        self.session.as_mut().ok_or_else(|| Refusal::conflict("no scene is open"))
    }

    /// Begins a scene.
    pub fn open(&mut self) -> u32 {
        let opened = self.said().and_then(begin);
        let answer = opened.map(|session| {
            self.session = Some(session);
            Answer::json(&json!({"step": 0}))
        });
        self.answer(answer)
    }

    /// Does a command.
    pub fn command(&mut self) -> u32 {
        let text = self.said().map(str::to_owned);
        let answer = text.and_then(|text| Ok(Answer::json(&self.session()?.command(&text)?)));
        self.answer(answer)
    }

    /// Answers a path. What there is to choose from can be asked before a scene is open.
    pub fn get(&mut self) -> u32 {
        let answer = self.said().map(str::to_owned).and_then(|path| match path.as_str() {
            "/catalog" => Ok(Answer::json(&drystone_live::catalog())),
            path => self.session()?.get(path),
        });
        self.answer(answer)
    }

    /// Lets time pass.
    pub fn pass(&mut self, seconds: f64) -> u32 {
        u32::from(self.session.as_mut().is_some_and(|session| session.pass(seconds)))
    }

    /// Lays a frame out.
    pub fn show(&mut self, make: impl FnOnce(&Session) -> Vec<u8>) -> usize {
        self.out = self.session.as_ref().map(make).unwrap_or_default();
        self.out.len()
    }

    /// A number of the session; zero if none is open.
    pub fn number(&self, read: impl FnOnce(&Session) -> f64) -> f64 {
        self.session.as_ref().map_or(0.0, read)
    }
}

fn begin(text: &str) -> Result<Session, Refusal> {
    let open: Open = serde_json::from_str(text).map_err(Refusal::bad)?;
    let mut start = Start::library(&open.scene, &open.parameters)?;
    let bodies = start.model.body_count();
    if bodies > MOST_BODIES {
        return Err(Refusal::conflict(format!(
            "`{}` has {bodies} bodies; at most {MOST_BODIES} fit into a page: use `drystone view`",
            open.scene
        )));
    }
    if let Some(solver) = &open.solver {
        start.solver = solver.into();
    }
    open.options.into_iter().for_each(|(key, value)| start.solver.set(&key, value));
    Session::with_limits(start, Limits::of_page())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(demo: &mut Demo, text: &str, act: fn(&mut Demo) -> u32) -> (u32, Value) {
        demo.room(text.len()).copy_from_slice(text.as_bytes());
        let status = act(demo);
        (status, serde_json::from_slice(&demo.out).unwrap_or_default())
    }

    #[test]
    fn a_page_opens_a_scene_plays_it_and_reads_frames() {
        let mut demo = Demo::default();
        assert_eq!(say(&mut demo, r#"{"do":"play"}"#, Demo::command).0, 409, "nothing is open");
        assert_eq!(say(&mut demo, "/catalog", Demo::get).0, 200);
        let open = r#"{"scene":"pyramid","parameters":{"rows":3},"solver":"vbd","options":{"iterations":4}}"#;
        assert_eq!(say(&mut demo, open, Demo::open).0, 200);
        assert_eq!(say(&mut demo, r#"{"do":"play"}"#, Demo::command).0, 200);
        (0..10).for_each(|_| while demo.pass(1.0 / 60.0) == 1 {});
        assert!(demo.number(|session| session.step() as f64) >= 9.0);
        assert_eq!(demo.show(Session::frame), 32 + 4 + 6 * 20);
        assert_eq!(say(&mut demo, "/scene", Demo::get).0, 200);
        let (status, body) = say(&mut demo, "/body?id=77", Demo::get);
        assert!(status == 404 && body["error"].is_string());
        let (status, body) = say(&mut demo, r#"{"scene":"pyramit"}"#, Demo::open);
        assert!(status == 400 && body["error"].as_str().unwrap().contains("pyramid"));
    }
}
