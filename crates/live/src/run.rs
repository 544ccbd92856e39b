//! A simulation with its past: what was done at which step, and checkpoints to go back to.

use drystone::SolverChoice;
use drystone::model::DVec3;

use crate::act::Scene;
use crate::answer::Refusal;
use crate::command::Command;
use crate::limits::Limits;
use crate::log::Entry;
use crate::pick;
use crate::saves::{Save, Saves};
use crate::stage::Stage;
use crate::start::{Start, choice};

/// Size of a thrown ball, relative to that of the scene.
const BALL: f64 = 0.06;
/// Two simulations have parted when a body is farther from its like than this, relative to the size of the scene.
const PARTED: f64 = 0.01;

/// Steps times bodies that may lie between two checkpoints, and steps at least.
const MANY: u64 = 30_000;
const FEW: u64 = 5;

/// A simulation and its past.
pub struct Run {
    /// How it began.
    pub start: Start,
    /// The simulation.
    pub stage: Stage,
    /// The one beside it.
    pub second: Option<Stage>,
    /// The step at which the two parted, and how far \[m\].
    pub parted: Option<(u64, f64)>,
    /// What was done.
    pub log: Vec<Entry>,
    /// Where coordinates of commands and frames begin \[m\].
    pub origin: DVec3,
    /// Size of the scene \[m\].
    pub size: f64,
    /// The farthest step known.
    pub last: u64,
    /// What the last command did by the way.
    pub aside: Option<String>,
    /// Entries of the log done so far.
    done: usize,
    saves: Saves,
}

impl Run {
    /// The beginning of a scene.
    pub fn new(start: Start, stage: Stage, origin: DVec3, size: f64, limits: &Limits) -> Self {
        let first = Save { step: stage.step_count(), first: stage.save(), second: None, parted: None };
        // A step of many bodies takes long, so that fewer of them may lie between checkpoints.
        let every = (MANY / stage.sim.model().body_count().max(1) as u64).clamp(FEW, limits.checkpoint_every.max(FEW));
        let saves = Saves::new(first, every.min(limits.checkpoint_every), limits.checkpoint_bytes);
        let last = stage.step_count();
        Self {
            start,
            stage,
            second: None,
            parted: None,
            log: Vec::new(),
            origin,
            size,
            last,
            aside: None,
            done: 0,
            saves,
        }
    }

    /// Steps taken.
    pub fn step_count(&self) -> u64 {
        self.stage.step_count()
    }

    /// Does what the user asks for now. What was known to come after is forgotten.
    pub fn command(&mut self, command: Command) -> Result<(String, Command), Refusal> {
        let command = pick::found(&self.stage.sim, command, self.origin)?;
        let note = self.act(&command)?;
        let step = self.step_count();
        self.log.truncate(self.done);
        self.saves.forget_after(step);
        self.last = step;
        // Of all places that something is drawn to within a step only the last counts.
        let moved_on = |entry: &Entry| entry.step == step && matches!(entry.command, Command::Drag { .. });
        if matches!(command, Command::Drag { .. }) && self.log.last().is_some_and(moved_on) {
            self.log.pop();
        }
        self.log.push(Entry { step, command: command.clone() });
        self.done = self.log.len();
        Ok((note, command))
    }

    /// Does a command to both simulations. One beside that cannot follow ends.
    fn act(&mut self, command: &Command) -> Result<String, Refusal> {
        if let Command::Compare { solver, options } = command {
            let solver = solver.as_ref().map(|name| choice(name, options));
            return self.compare(solver.as_ref());
        }
        let scene = Scene { start: &self.start, origin: self.origin, ball: BALL * self.size };
        let note = self.stage.act(command, &scene)?;
        if matches!(command, Command::Solver { .. } | Command::Option { .. }) {
            return Ok(note);
        }
        if let Some(Err(error)) = self.second.as_mut().map(|second| second.act(command, &scene)) {
            self.second = None;
            self.aside = Some(format!("the comparison ended: {}", error.text));
        }
        Ok(note)
    }

    fn compare(&mut self, solver: Option<&SolverChoice>) -> Result<String, Refusal> {
        let second = solver.map(|solver| self.stage.beside(&self.start, solver)).transpose()?;
        (self.second, self.parted) = (second, None);
        Ok(solver.map_or("the comparison ended".into(), |solver| format!("comparing with {}", solver.name())))
    }

    /// Does what the log has for this step and is not done yet.
    pub fn catch_up(&mut self) {
        let step = self.step_count();
        while let Some(entry) = self.log.get(self.done).filter(|entry| entry.step <= step) {
            let command = entry.command.clone();
            self.done += 1;
            // It was done before in the same state, so it can be done.
            if let Err(error) = self.act(&command) {
                self.aside = Some(format!("a command of the log was refused: {}", error.text));
            }
        }
    }

    /// Takes a step. On error nothing has moved.
    pub fn step(&mut self) -> Result<(), String> {
        self.catch_up();
        self.stage.step(&self.start)?;
        if let Some(Err(error)) = self.second.as_mut().map(|second| second.step(&self.start)) {
            self.second = None;
            self.aside = Some(format!("the comparison ended: {error}"));
        }
        self.look_whether_parted();
        let step = self.step_count();
        self.last = self.last.max(step);
        if self.saves.wants(step) {
            let second = self.second.as_ref().map(Stage::save);
            self.saves.push(Save { step, first: self.stage.save(), second, parted: self.parted });
        }
        Ok(())
    }

    fn look_whether_parted(&mut self) {
        let Some(second) = self.second.as_ref().filter(|_| self.parted.is_none()) else { return };
        let pairs = self.stage.sim.state().body_q.iter().zip(&second.sim.state().body_q);
        let distance = pairs.map(|(a, b)| (a.translation - b.translation).length()).fold(0.0, f64::max);
        if distance > PARTED * self.size {
            self.parted = Some((self.step_count(), distance));
        }
    }

    /// Goes to a step known, exactly: back to a checkpoint before it and on from there as it was.
    pub fn seek(&mut self, step: u64) -> Result<(), Refusal> {
        if step > self.last {
            return Err(Refusal::conflict(format!("steps 0 to {} are known; play on to see step {step}", self.last)));
        }
        let now = self.step_count();
        let near = self.saves.before(step).next().map_or(0, |save| save.step);
        if step < now || near > now {
            self.go_back(step)?;
        }
        while self.step_count() < step {
            self.step().map_err(Refusal::conflict)?;
        }
        if step == self.last {
            self.catch_up();
        }
        Ok(())
    }

    /// To the nearest checkpoint before a step that can be taken up again; the start always can.
    fn go_back(&mut self, step: u64) -> Result<(), Refusal> {
        let mut refused = Refusal::conflict("there is no checkpoint");
        let saves: Vec<Save> = self.saves.before(step).cloned().collect();
        for save in saves {
            match self.take_up(&save) {
                Ok(()) => return Ok(()),
                Err(refusal) => refused = refusal,
            }
        }
        Err(refused)
    }

    fn take_up(&mut self, save: &Save) -> Result<(), Refusal> {
        let second = match &save.second {
            Some(saved) => {
                let mut second = self.stage.beside_at(saved, &self.start)?;
                second.restore(saved, &self.start)?;
                Some(second)
            }
            None => None,
        };
        self.stage.restore(&save.first, &self.start)?;
        (self.second, self.parted) = (second, save.parted);
        self.done = self.log.partition_point(|entry| entry.step < save.step);
        Ok(())
    }

    /// What was done up to now.
    pub fn done(&self) -> &[Entry] {
        &self.log[..self.done]
    }

    /// Bytes of checkpoints kept.
    pub fn saved_bytes(&self) -> usize {
        self.saves.bytes()
    }
}
