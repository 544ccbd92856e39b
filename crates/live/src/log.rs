//! What was done, as a file that repeats it.

use drystone::SolverChoice;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::answer::Refusal;
use crate::command::Command;
use crate::session::Session;
use crate::start::{Start, choice};

/// Version of the layout.
const VERSION: u32 = 1;

/// A command and the step before which it acted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The step.
    pub step: u64,
    /// The command.
    #[serde(flatten)]
    pub command: Command,
}

/// The first line of a log: how the scene began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    drystone: String,
    version: u32,
    scene: String,
    source: String,
    parameters: Map<String, Value>,
    solver: String,
    options: Map<String, Value>,
    dt: f64,
    /// The bits of `dt`, which not every reader of JSON keeps.
    dt_bits: String,
    /// Hash of the model, so that a changed file is noticed.
    model: String,
}

/// A log as read from a file.
#[derive(Clone, Debug)]
pub struct Log {
    head: Head,
    entries: Vec<Entry>,
    step: u64,
    hash: String,
}

/// Why a text is no log.
pub type LogError = String;

/// What repeating a log came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Steps taken.
    pub step: u64,
    /// Hash of the state at the end.
    pub hash: String,
    /// The one the log has.
    pub expected: String,
}

impl Repeat {
    /// Whether the bits are the same.
    pub fn is_same(&self) -> bool {
        self.hash == self.expected
    }
}

/// A hash as it is written.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// A log as text.
pub fn text(start: &Start, entries: &[Entry], step: u64, hash: u64) -> String {
    let head = Head {
        drystone: "view log".into(),
        version: VERSION,
        scene: start.name.clone(),
        source: start.source.name().into(),
        parameters: start.parameters.clone(),
        solver: start.solver.name().into(),
        options: start.solver.options().clone(),
        dt: start.dt,
        dt_bits: hex(start.dt.to_bits()),
        model: hex(start.model.hash()),
    };
    let mut lines = vec![json!(head).to_string()];
    lines.extend(entries.iter().map(|entry| json!(entry).to_string()));
    lines.push(json!({"step": step, "hash": hex(hash)}).to_string());
    lines.join("\n") + "\n"
}

impl Log {
    /// Reads a log.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let fault = |line: usize, error: serde_json::Error| format!("line {line} of the log: {error}");
        let (line, first) = lines.next().ok_or("the log is empty")?;
        let head: Head = serde_json::from_str(first).map_err(|error| fault(line, error))?;
        if head.drystone != "view log" || head.version != VERSION {
            return Err(format!("this is no log of version {VERSION} of `drystone view`"));
        }
        let mut entries = Vec::new();
        for (line, text) in lines {
            let value: Value = serde_json::from_str(text).map_err(|error| fault(line, error))?;
            if let (Some(hash), Some(step)) = (value["hash"].as_str(), value["step"].as_u64()) {
                return Ok(Self { head, entries, step, hash: hash.to_owned() });
            }
            entries.push(Entry::read(value).map_err(|error| fault(line, error))?);
        }
        Err("the log has no end: its last line tells step and hash".into())
    }

    /// Name of the scene, or its file.
    pub fn scene(&self) -> &str {
        &self.head.scene
    }

    /// Whether the scene is one of the library.
    pub fn is_of_library(&self) -> bool {
        self.head.source == "library"
    }

    /// Parameters of the scene.
    pub fn parameters(&self) -> &Map<String, Value> {
        &self.head.parameters
    }

    /// Solver and options at the beginning.
    pub fn solver(&self) -> SolverChoice {
        choice(&self.head.solver, &self.head.options)
    }

    /// Runs a scene as the log says, to its end.
    pub fn repeat(&self, mut start: Start) -> Result<Repeat, Refusal> {
        let found = hex(start.model.hash());
        if found != self.head.model {
            let (scene, had) = (&self.head.scene, &self.head.model);
            return Err(Refusal::conflict(format!(
                "`{scene}` is not what it was when the log was written (hash {found}, it was {had}); use the same file and release"
            )));
        }
        let bits = u64::from_str_radix(&self.head.dt_bits, 16).map_err(|_| Refusal::bad("`dt_bits` is no number"))?;
        start.dt = f64::from_bits(bits);
        start.solver = self.solver();
        let mut session = Session::new(start)?;
        session.repeat(&self.entries, self.step)?;
        Ok(Repeat { step: session.step(), hash: hex(session.hash()), expected: self.hash.clone() })
    }
}

impl Entry {
    /// From a line of the log. The step is taken out first: commands refuse what they do not know.
    fn read(mut value: Value) -> Result<Self, serde_json::Error> {
        let step = value.as_object_mut().and_then(|fields| fields.remove("step")).unwrap_or_default();
        Ok(Self { step: serde_json::from_value(step)?, command: serde_json::from_value(value)? })
    }
}
