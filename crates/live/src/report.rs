//! What a page is told about a session: figures, and the scene.

use serde_json::{Map, Value, json};

use crate::figures::Figures;
use crate::frame::{Kind, frame_of};
use crate::log::hex;
use crate::moment::Moment;
use crate::scene::scene_bytes;
use crate::session::{Session, Shown};
use crate::stage::Held;
use crate::start::choice_of;

/// Scenes of more bodies are not hashed while they move: it would take longer than a frame.
const MANY: usize = 50_000;

impl Session {
    /// Figures and settings now, as JSON.
    pub fn report(&self) -> Value {
        let moment = self.moment();
        let hash = (!self.playing || moment.model.body_count() < MANY).then(|| hex(self.hash()));
        let second = self.second().map(|second| {
            let moment = Moment::of_stage(second);
            Figures::of(&moment, &moment.report()).to_json()
        });
        let (held, frozen, parted) = match &self.shown {
            Shown::Run(run) => {
                let frozen: Vec<u32> = run.stage.hands.frozen.keys().copied().collect();
                (run.stage.hands.hold.map(|hold| hold.held), frozen, run.parted)
            }
            Shown::Film(_) => (None, Vec::new(), None),
        };
        json!({
            "step": self.step(),
            "time": self.time(),
            "playing": self.playing,
            "speed": self.meter.speed,
            "rate": self.meter.rate(),
            "solver": moment.sim.map(|sim| sim.solver().name()),
            "settings": self.settings(),
            "show": self.show,
            "recording": self.is_recording(),
            "bodies": moment.model.body_count(),
            "held": held.and_then(|held| match held { Held::Body { body, .. } => Some(body.0), Held::Particle(_) => None }),
            "particle": held.and_then(|held| match held { Held::Particle(particle) => Some(particle.0), Held::Body { .. } => None }),
            "frozen": frozen,
            "figures": self.figures().to_json(),
            "phases": phases(&moment),
            "second": second,
            "parted": parted.map(|(step, distance)| json!({"step": step, "distance": distance})),
            "failed": self.failed,
            "hash": hash,
            "steps": self.steps(),
            "note": self.note,
        })
    }

    /// The same as a frame.
    pub fn report_frame(&self) -> Vec<u8> {
        let text = self.report().to_string();
        frame_of(Kind::Report, 0, self.generation, self.step(), self.time(), text.as_bytes())
    }

    /// A frame that says that the scene has changed.
    pub fn scene_frame(&self) -> Vec<u8> {
        frame_of(Kind::Scene, 0, self.generation, self.step(), self.time(), &[])
    }

    fn settings(&self) -> Map<String, Value> {
        let moment = self.moment();
        let choice = moment.sim.map(choice_of);
        let friction = match &self.shown {
            Shown::Run(run) => run.stage.hands.friction.unwrap_or(1.0),
            Shown::Film(_) => 1.0,
        };
        let gravity = moment.model.world_gravity.first().map(|gravity| gravity.to_array());
        let all = json!({
            "solver": choice.as_ref().map(|choice| choice.name()),
            "options": choice.as_ref().map(|choice| choice.options()),
            "dt": self.dt(),
            "gravity": gravity,
            "friction": friction,
        });
        all.as_object().cloned().unwrap_or_default()
    }

    /// What there is to draw.
    pub(crate) fn scene(&mut self) -> Vec<u8> {
        let mut head = self.settings();
        let source = match &self.shown {
            Shown::Run(run) => run.start.source.name(),
            Shown::Film(_) => "recording",
        };
        let parameters = match &self.shown {
            Shown::Run(run) => json!(run.start.parameters),
            Shown::Film(_) => json!({}),
        };
        let second = self.second().map(|second| {
            let choice = choice_of(&second.sim);
            json!({"solver": choice.name(), "options": choice.options()})
        });
        let (can, why) = self.abilities();
        head.extend([
            ("version".to_owned(), json!(1)),
            ("generation".to_owned(), json!(self.generation)),
            ("instance".to_owned(), json!(self.instance)),
            ("scene".to_owned(), json!(self.name)),
            ("parameters".to_owned(), parameters),
            ("source".to_owned(), json!(source)),
            ("second".to_owned(), json!(second)),
            ("steps".to_owned(), json!(self.steps())),
            ("can".to_owned(), can),
            ("why".to_owned(), why),
        ]);
        let (origin, view) = (self.origin, self.view);
        let look = self.look().clone();
        scene_bytes(&self.moment(), &look, origin, &view, head)
    }

    /// What can be done, and why the rest cannot.
    fn abilities(&self) -> (Value, Value) {
        let moment = self.moment();
        let mut why = Map::new();
        let mut cannot = |what: &str, reason: String| {
            why.insert(what.to_owned(), reason.into());
        };
        match moment.sim {
            None => {
                for what in ["drag", "edit", "contacts", "colors", "compare"] {
                    cannot(
                        what,
                        "this is a recording: it shows what has happened and knows neither forces nor solvers".into(),
                    );
                }
            }
            Some(sim) => {
                if let Err(untold) = sim.contacts() {
                    cannot("contacts", untold.to_string());
                }
                if moment.step > 0 && sim.solver().body_colors().is_none() {
                    cannot("colors", format!("solver `{}` does not sweep by colours", sim.solver().name()));
                }
            }
        }
        if let Shown::Run(run) = &self.shown
            && run.start.motion.is_some()
        {
            cannot("delete", "this scene moves by key frames, which name bodies and joints by number".into());
        }
        if moment.model.joint_count() > 20_000 {
            cannot("joints", format!("{} joints are too many to list", moment.model.joint_count()));
        }
        let names = ["drag", "contacts", "edit", "delete", "seek", "colors", "compare", "joints"];
        let can: Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), (!why.contains_key(*name)).into())).collect();
        (can.into(), why.into())
    }
}

/// Milliseconds of every phase of the last step.
fn phases(moment: &Moment<'_>) -> Value {
    let mut phases = Map::new();
    for (phase, seconds) in moment.sim.filter(|_| moment.step > 0).map_or(&[][..], |sim| &sim.report().time) {
        let name = json!(phase).as_str().unwrap_or_default().to_owned();
        phases.insert(name, (seconds * 1e3).into());
    }
    phases.into()
}
