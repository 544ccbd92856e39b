//! How time passes: steps, play, going to a step, beginning anew.

use super::{Session, Shown, begin};
use crate::answer::Refusal;
use crate::command::Show;
use crate::frame::state_frame;
use crate::history::History;
use crate::moment::Moment;
use crate::series::Series;
use crate::start::Start;

/// Steps that one command takes at most.
const MOST_STEPS: u64 = 10_000;

impl Session {
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

    /// Takes a step. One that fails stops the play; a film stops at its end.
    pub(super) fn take_step(&mut self) {
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
    pub(super) fn keep(&mut self) {
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
    pub(super) fn settle(&mut self) {
        let looks = self.looks_now();
        if self.looks.as_ref() != Some(&looks) {
            self.looks = Some(looks);
            self.renew();
        }
        if let Shown::Run(run) = &mut self.shown {
            self.note = run.aside.take().or(self.note.take());
        }
    }

    /// Lets time pass from now on. A film at its end begins again.
    pub(super) fn play(&mut self) {
        if let Shown::Film(film) = &mut self.shown
            && film.at() == film.last()
        {
            film.seek(0);
        }
        self.meter.rest();
        self.playing = self.failed.is_none();
    }

    pub(super) fn pause(&mut self) {
        self.playing = false;
        self.meter.rest();
    }

    pub(super) fn step_by(&mut self, count: u64) {
        self.pause();
        for _ in 0..count.min(MOST_STEPS) {
            self.take_step();
            if self.failed.is_some() {
                return;
            }
        }
    }

    /// Goes to a step exactly.
    pub(super) fn seek(&mut self, step: u64) -> Result<(), Refusal> {
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

    pub(super) fn reset(&mut self) -> Result<(), Refusal> {
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
    pub(super) fn begin(&mut self, start: Start) -> Result<(), Refusal> {
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
}
