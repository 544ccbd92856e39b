//! What the session is told to do.

use drystone::model::DVec3;
use serde_json::{Value, json};

use super::{Session, Shown};
use crate::answer::Refusal;
use crate::command::Command;
use crate::numbers::rounded;
use crate::pick;
use crate::record::Record;
use crate::start::Start;

impl Session {
    /// Does a command given as JSON.
    pub fn command(&mut self, text: &str) -> Result<Value, Refusal> {
        let value: Value = serde_json::from_str(text).map_err(|error| Refusal::bad(format!("no JSON: {error}")))?;
        let command =
            serde_json::from_value(rounded(value)).map_err(|error| Refusal::bad(format!("command: {error}")))?;
        self.obey(command)
    }

    /// Does a command.
    pub fn obey(&mut self, command: Command) -> Result<Value, Refusal> {
        self.note = None;
        let answer = if command.changes_motion() { self.change(command)? } else { self.conduct(command)? };
        self.changes += 1;
        self.settle();
        let mut told = json!({"step": self.step(), "note": self.note});
        if let (Some(told), Value::Object(more)) = (told.as_object_mut(), answer) {
            told.extend(more);
        }
        Ok(told)
    }

    /// A command that changes the motion.
    fn change(&mut self, command: Command) -> Result<Value, Refusal> {
        let origin = self.origin;
        let Shown::Run(run) = &mut self.shown else {
            return Err(Refusal::conflict(
                "this is a recording: what has happened cannot be changed; open the scene itself",
            ));
        };
        let (note, command) = run.command(command)?;
        let step = run.step_count();
        self.failed = None;
        self.history.forget_after(step);
        self.series.forget_after(step);
        if !note.is_empty() {
            self.note = Some(note);
        }
        let Command::Grab { body, particle, .. } = command else { return Ok(json!({})) };
        let held = run.stage.hands.hold.and_then(|hold| run.stage.held_point(&hold));
        Ok(json!({"body": body, "particle": particle, "point": held.map(|point| (point - origin).to_array())}))
    }

    /// A command that does not.
    fn conduct(&mut self, command: Command) -> Result<Value, Refusal> {
        match command {
            Command::Play {} => self.play(),
            Command::Pause {} => self.pause(),
            Command::Step { count } => self.step_by(count),
            Command::Back { count } => {
                self.pause();
                self.seek(self.step().saturating_sub(count))?;
            }
            Command::Seek { step } => self.seek(step)?,
            Command::Speed { factor } => {
                if !(factor == 0.0 || (0.01..=100.0).contains(&factor)) {
                    return Err(Refusal::bad(format!("a speed is 0 or from 0.01 to 100, got {factor}")));
                }
                self.meter.speed = factor;
            }
            Command::Reset {} => self.reset()?,
            Command::Pick { origin, direction } => return self.pick(origin, direction),
            Command::Scene { name, parameters } => {
                let own = self.own.clone().filter(|own| own.name == name && parameters.is_empty());
                let start = own.map_or_else(|| Start::library(&name, &parameters), Ok)?;
                let threads = self.own.as_ref().and_then(|own| own.threads);
                self.begin(Start { threads, ..start })?;
            }
            Command::Show(change) => self.show = self.show.with(change),
            Command::Record { on } => self.set_recording(on)?,
            other => return Err(Refusal::bad(format!("{other:?} is not understood"))),
        }
        Ok(json!({}))
    }

    fn pick(&mut self, origin: [f64; 3], direction: [f64; 3]) -> Result<Value, Refusal> {
        let (from, along) = (DVec3::from_array(origin) + self.origin, DVec3::from_array(direction));
        let hit = match &mut self.shown {
            Shown::Run(run) => pick::pick(&run.stage.sim.query(), from, along)?,
            Shown::Film(film) => pick::pick(&film.query(), from, along)?,
        };
        let moment = self.moment();
        let Some(hit) = hit else { return Ok(json!({"body": null, "point": null, "name": null})) };
        let index = usize::try_from(moment.frame_index(hit.body)).ok();
        let name = index.map(|index| moment.model.body_name[index].clone());
        let body = index.map(|_| hit.body.0);
        Ok(json!({"body": body, "point": (hit.point - self.origin).to_array(), "name": name,
                  "normal": hit.normal.to_array()}))
    }

    fn set_recording(&mut self, on: bool) -> Result<(), Refusal> {
        let Shown::Run(run) = &self.shown else {
            return Err(Refusal::conflict("this is a recording already"));
        };
        match (on, &mut self.record) {
            (true, _) => self.record = Some(Record::new(&run.stage, self.limits.recording_bytes)),
            (false, Some(record)) => record.on = false,
            (false, None) => {}
        }
        Ok(())
    }
}
