//! A session: what is shown, how time passes, and what is asked of it.

use std::sync::Arc;

use drystone::Recording;
use drystone::model::{DVec3, State};
use drystone_picture::Look;
use drystone_picture::raster::View;
use serde_json::{Value, json};

use crate::answer::{Answer, Content, Refusal};
use crate::body::body;
use crate::catalog::catalog;
use crate::command::{Command, Show};
use crate::figures::Figures;
use crate::film::Film;
use crate::frame::{Style, state_frame};
use crate::history::History;
use crate::limits::Limits;
use crate::log::{self, Entry};
use crate::meter::Meter;
use crate::moment::Moment;
use crate::numbers::rounded;
use crate::pick;
use crate::record::Record;
use crate::run::Run;
use crate::scene::{look, origin_of};
use crate::series::Series;
use crate::stage::Stage;
use crate::start::Start;

/// Steps that one command takes at most.
const MOST_STEPS: u64 = 10_000;

/// What is shown.
pub(crate) enum Shown {
    /// A simulation.
    Run(Box<Run>),
    /// A recording.
    Film(Box<Film>),
}

/// What the look of a scene depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Looks {
    edits: u64,
    solver: String,
    second: Option<String>,
}

/// A simulation or a recording that is watched. See the crate's documentation.
pub struct Session {
    pub(crate) shown: Shown,
    pub(crate) name: String,
    pub(crate) instance: String,
    pub(crate) view: View,
    pub(crate) origin: DVec3,
    pub(crate) playing: bool,
    pub(crate) meter: Meter,
    pub(crate) show: Show,
    pub(crate) failed: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) generation: u32,
    pub(crate) limits: Limits,
    /// What the session was made with, to come back to by name.
    own: Option<Start>,
    look: Option<Look>,
    looks: Option<Looks>,
    history: History,
    series: Series,
    record: Option<Record>,
    log_before: Option<String>,
    changes: u64,
}

impl Session {
    /// Begins a scene, paused.
    pub fn new(start: Start) -> Result<Self, Refusal> {
        Self::with_limits(start, Limits::default())
    }

    /// Begins a scene, paused, and keeps no more of it than told.
    pub fn with_limits(start: Start, limits: Limits) -> Result<Self, Refusal> {
        let own = Some(start.clone());
        let (run, look) = begin(start, &limits)?;
        let (name, view, origin) = (run.start.name.clone(), run.start.view, run.origin);
        Ok(Self::showing(Shown::Run(Box::new(run)), name, view, origin, look, own, limits))
    }

    /// Shows a recording, paused.
    pub fn of_recording(name: &str, recording: Recording, view: View) -> Self {
        let film = Film::new(recording);
        let look = Look::of(&film.recording, &view, 16.0 / 9.0);
        let origin = origin_of(&look);
        Self::showing(Shown::Film(Box::new(film)), name.to_owned(), view, origin, look, None, Limits::default())
    }

    fn showing(
        shown: Shown,
        name: String,
        view: View,
        origin: DVec3,
        look: Look,
        own: Option<Start>,
        limits: Limits,
    ) -> Self {
        let mut session = Self {
            shown,
            name,
            instance: "page".into(),
            view,
            origin,
            playing: false,
            meter: Meter::default(),
            show: Show::default(),
            failed: None,
            note: None,
            generation: 1,
            limits,
            own,
            look: Some(look),
            looks: None,
            history: History::new(limits.frame_bytes),
            series: Series::new(limits.series),
            record: None,
            log_before: None,
            changes: 0,
        };
        session.looks = Some(session.looks_now());
        session.keep();
        session
    }

    /// Names the run of the program, so that a page tells a restart from a hiccup.
    pub fn set_instance(&mut self, instance: &str) {
        instance.clone_into(&mut self.instance);
    }

    /// The step shown.
    pub fn step(&self) -> u64 {
        match &self.shown {
            Shown::Run(run) => run.step_count(),
            Shown::Film(film) => film.at(),
        }
    }

    /// First and last step that can be shown.
    pub fn steps(&self) -> [u64; 2] {
        match &self.shown {
            Shown::Run(run) => [0, run.last],
            Shown::Film(film) => [0, film.last()],
        }
    }

    /// Simulated time \[s\].
    pub fn time(&self) -> f64 {
        self.moment().state.time
    }

    /// The state shown.
    pub fn state(&self) -> &State {
        self.moment().state
    }

    /// Hash of the state shown.
    pub fn hash(&self) -> u64 {
        self.moment().state.hash()
    }

    /// Counts everything that changes what a page shows.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Changes with what there is to draw.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Whether time passes.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Bytes kept of the past: frames and checkpoints.
    pub fn kept_bytes(&self) -> [usize; 2] {
        let saved = if let Shown::Run(run) = &self.shown { run.saved_bytes() } else { 0 };
        [self.history.bytes(), saved]
    }

    /// Lets real time pass \[s\]: takes a step if one is due, and says whether another is.
    pub fn pass(&mut self, seconds: f64) -> bool {
        if !self.playing {
            return false;
        }
        let dt = self.dt();
        self.meter.pass(seconds, dt);
        if !self.meter.due(dt) {
            return false;
        }
        self.take_step();
        self.meter.took(dt);
        self.settle();
        self.playing && self.meter.due(self.dt())
    }

    /// Real time until the next step is due \[s\]; none while paused.
    pub fn wait(&self) -> Option<f64> {
        self.playing.then(|| self.meter.wait(self.dt()))
    }

    pub(crate) fn dt(&self) -> f64 {
        match &self.shown {
            Shown::Run(run) => run.stage.sim.dt(),
            Shown::Film(film) => film.dt(),
        }
    }

    pub(crate) fn moment(&self) -> Moment<'_> {
        match &self.shown {
            Shown::Run(run) => Moment::of_stage(&run.stage),
            Shown::Film(film) => film.moment(),
        }
    }

    pub(crate) fn second(&self) -> Option<&Stage> {
        match &self.shown {
            Shown::Run(run) => run.second.as_ref(),
            Shown::Film(_) => None,
        }
    }

    pub(crate) fn figures(&self) -> Figures {
        match &self.shown {
            Shown::Film(film) => Figures::of(&film.moment(), &film.report()),
            Shown::Run(_) => {
                let moment = self.moment();
                Figures::of(&moment, &moment.report())
            }
        }
    }

    /// The state shown, as a frame.
    pub fn frame(&self) -> Vec<u8> {
        let second = self.second().map(Moment::of_stage);
        state_frame(&self.moment(), second.as_ref(), &self.style(self.show))
    }

    /// The frame of a step that is still at hand, before it is gone to exactly.
    pub fn glimpse(&self, step: u64) -> Option<Arc<[u8]>> {
        self.history.get(step, self.looks_now().edits)
    }

    fn style(&self, show: Show) -> Style {
        Style { origin: self.origin, show, contacts: self.limits.contacts, generation: self.generation }
    }

    /// Takes a step. One that fails stops the play; a film stops at its end.
    fn take_step(&mut self) {
        match &mut self.shown {
            Shown::Run(run) => match run.step() {
                Ok(()) => self.keep(),
                Err(error) => {
                    self.failed = Some(error);
                    self.playing = false;
                }
            },
            Shown::Film(film) if film.at() < film.last() => {
                film.seek(film.at() + 1);
                self.keep();
            }
            Shown::Film(_) => self.playing = false,
        }
        self.changes += 1;
    }

    /// Keeps figures, frame and recording of the step at hand.
    fn keep(&mut self) {
        let (step, time) = (self.step(), self.time());
        self.series.push(step, time, self.figures());
        if let Shown::Run(run) = &self.shown {
            if self.history.wants(step) {
                let frame = state_frame(&Moment::of_stage(&run.stage), None, &self.style(Show::default()));
                self.history.push(step, run.stage.hands.look, frame.into());
            }
            let ended = self.record.as_mut().and_then(|record| record.push(&run.stage));
            self.note = ended.map(str::to_owned).or(self.note.take());
        }
    }

    /// After anything was done: notices what there is to draw now.
    fn settle(&mut self) {
        let looks = self.looks_now();
        if self.looks.as_ref() != Some(&looks) {
            self.looks = Some(looks);
            self.renew();
        }
        if let Shown::Run(run) = &mut self.shown {
            self.note = run.aside.take().or(self.note.take());
        }
    }

    fn renew(&mut self) {
        self.generation += 1;
        self.changes += 1;
        self.look = None;
    }

    fn looks_now(&self) -> Looks {
        match &self.shown {
            Shown::Run(run) => Looks {
                edits: run.stage.hands.look,
                solver: run.stage.sim.solver().name().into(),
                second: run.second.as_ref().map(|second| second.sim.solver().name().into()),
            },
            Shown::Film(_) => Looks { edits: 0, solver: String::new(), second: None },
        }
    }

    /// The look of the scene now, made once for every generation.
    pub(crate) fn look(&mut self) -> &Look {
        if self.look.is_none() {
            self.look = Some(look(&self.moment(), &self.view));
        }
        self.look.get_or_insert_with(|| unreachable!("it was made just now"))
    }

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

    /// Lets time pass from now on. A film at its end begins again.
    fn play(&mut self) {
        if let Shown::Film(film) = &mut self.shown
            && film.at() == film.last()
        {
            film.seek(0);
        }
        self.meter.rest();
        self.playing = self.failed.is_none();
    }

    fn pause(&mut self) {
        self.playing = false;
        self.meter.rest();
    }

    fn step_by(&mut self, count: u64) {
        self.pause();
        for _ in 0..count.min(MOST_STEPS) {
            self.take_step();
            if self.failed.is_some() {
                return;
            }
        }
    }

    /// Goes to a step exactly.
    fn seek(&mut self, step: u64) -> Result<(), Refusal> {
        self.meter.rest();
        if let Shown::Film(film) = &mut self.shown {
            film.seek(step);
            return Ok(());
        }
        self.failed = None;
        let mut back = step < self.step();
        let Shown::Run(run) = &mut self.shown else { return Ok(()) };
        let done = run.seek(step);
        back &= self.record.as_mut().is_some_and(|record| std::mem::replace(&mut record.on, false));
        if back {
            self.note = Some("the recording ended: the simulation went back".into());
        }
        done
    }

    fn reset(&mut self) -> Result<(), Refusal> {
        match &mut self.shown {
            Shown::Film(film) => film.seek(0),
            Shown::Run(run) => {
                let start = run.start.clone();
                self.log_before = Some(self.log());
                self.begin(start)?;
            }
        }
        Ok(())
    }

    /// Begins a scene in place of the one shown; time passes as before.
    fn begin(&mut self, start: Start) -> Result<(), Refusal> {
        let (run, look) = begin(start, &self.limits)?;
        (self.name, self.view, self.origin) = (run.start.name.clone(), run.start.view, run.origin);
        self.shown = Shown::Run(Box::new(run));
        self.history = History::new(self.limits.frame_bytes);
        self.series = Series::new(self.limits.series);
        (self.failed, self.record) = (None, None);
        self.meter.rest();
        self.renew();
        self.look = Some(look);
        self.looks = Some(self.looks_now());
        self.keep();
        Ok(())
    }

    fn pick(&self, origin: [f64; 3], direction: [f64; 3]) -> Result<Value, Refusal> {
        let moment = self.moment();
        let (from, along) = (DVec3::from_array(origin) + self.origin, DVec3::from_array(direction));
        let hit = match moment.sim {
            Some(sim) => pick::pick(&sim.query(), from, along)?,
            None => pick::pick_in(moment.model, moment.state, from, along)?,
        };
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

/// A scene at its beginning, and its look.
fn begin(start: Start, limits: &Limits) -> Result<(Run, Look), Refusal> {
    let stage = Stage::new(&start)?;
    let look = look(&Moment::of_stage(&stage), &start.view);
    let (origin, size) = (origin_of(&look), look.extent.radius);
    Ok((Run::new(start, stage, origin, size, limits), look))
}
