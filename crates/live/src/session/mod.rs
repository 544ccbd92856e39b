//! A session: what is shown, how time passes, and what is asked of it.

mod obey;
mod time;
mod told;

use std::sync::Arc;

use drystone::Recording;
use drystone::model::{DVec3, State};
use drystone_picture::Look;
use drystone_picture::raster::View;

use crate::answer::Refusal;
use crate::command::Show;
use crate::figures::Figures;
use crate::film::Film;
use crate::frame::{Style, state_frame};
use crate::history::History;
use crate::limits::Limits;
use crate::meter::Meter;
use crate::moment::Moment;
use crate::record::Record;
use crate::run::Run;
use crate::scene::{look, origin_of};
use crate::series::Series;
use crate::stage::Stage;
use crate::start::Start;

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
}

/// A scene at its beginning, and its look.
fn begin(start: Start, limits: &Limits) -> Result<(Run, Look), Refusal> {
    let stage = Stage::new(&start)?;
    let look = look(&Moment::of_stage(&stage), &start.view);
    let (origin, size) = (origin_of(&look), look.extent.radius);
    Ok((Run::new(start, stage, origin, size, limits), look))
}
