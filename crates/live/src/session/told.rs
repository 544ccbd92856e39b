//! What the session answers: files, figures, what was done.

use drystone::Recording;

use super::{Session, Shown};
use crate::answer::{Answer, Content, Refusal};
use crate::body::body;
use crate::catalog::catalog;
use crate::log::{self, Entry};

impl Session {
    /// What was recorded on the way, or the recording shown.
    pub fn recording(&self) -> Result<&Recording, Refusal> {
        match (&self.shown, &self.record) {
            (Shown::Film(film), _) => Ok(&film.recording),
            (_, Some(record)) => Ok(&record.recording),
            _ => Err(Refusal::conflict("nothing was recorded; begin with the command `record`")),
        }
    }

    /// Whether steps are being recorded.
    pub(crate) fn is_recording(&self) -> bool {
        self.record.as_ref().is_some_and(|record| record.on)
    }

    /// What was done, as a file that repeats it; nothing for a recording.
    pub fn log(&self) -> String {
        match &self.shown {
            Shown::Run(run) => {
                // The end of the log is where the run stands; what it is known to do later is left out.
                let step = run.step_count();
                let done: Vec<Entry> = run.done().to_vec();
                log::text(&run.start, &done, step, self.hash())
            }
            Shown::Film(_) => String::new(),
        }
    }

    /// Does again what a log has, up to a step.
    pub(crate) fn repeat(&mut self, entries: &[Entry], step: u64) -> Result<(), Refusal> {
        let Shown::Run(run) = &mut self.shown else { return Err(Refusal::conflict("a recording has no log")) };
        run.log = entries.to_vec();
        while run.step_count() < step {
            run.step().map_err(Refusal::conflict)?;
        }
        run.catch_up();
        match run.aside.take() {
            Some(refused) => Err(Refusal::conflict(refused)),
            None => Ok(()),
        }
    }

    /// Answers a question, by the path and query of `docs/view-inside.md`.
    pub fn get(&mut self, target: &str) -> Result<Answer, Refusal> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let number = |name: &str| -> Result<u64, Refusal> {
            let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
            let value = value.and_then(|value| value.parse().ok());
            value.ok_or_else(|| Refusal::bad(format!("`{path}` wants `{name}=` and a whole number")))
        };
        match path {
            "/catalog" => Ok(Answer::json(&catalog())),
            "/scene" => Ok(Answer::bytes(self.scene())),
            "/body" => {
                let id = u32::try_from(number("id")?).map_err(Refusal::bad)?;
                Ok(Answer::json(&body(&self.moment(), id, self.origin)?))
            }
            "/series" => Ok(Answer::json(&self.series.since(number("since").unwrap_or(0)))),
            "/log" if query == "before" => {
                let text = self.log_before.clone().ok_or_else(|| Refusal::missing("the scene was not begun anew"))?;
                Ok(Answer { content: Content::Lines, bytes: text.into_bytes() })
            }
            "/log" => Ok(Answer { content: Content::Lines, bytes: self.log().into_bytes() }),
            "/checkpoint" => match &self.shown {
                Shown::Run(run) => Ok(Answer::bytes(run.stage.sim.checkpoint().to_bytes())),
                Shown::Film(_) => Err(Refusal::conflict("a recording has no checkpoint; open the scene itself")),
            },
            _ => Err(Refusal::missing(format!("there is no `{path}`"))),
        }
    }
}
