//! Commands that change the motion, done to a stage.

use drystone::geometry::MassProperties;
use drystone::model::{
    Axis, BodyDef, BodyId, BodyKind, DVec3, JointId, MassSource, Material, ParticleId, ShapeId, WorldId,
};

use crate::answer::Refusal;
use crate::command::Command;
use crate::stage::{Frozen, Held, Hold, Stage, whole_mass};
use crate::start::{Start, choice};

/// Names of the axes of a joint, as in scene files.
pub const AXES: [&str; 6] = ["lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"];

/// What a stage needs to know of the scene to act.
pub struct Scene<'a> {
    /// How it began.
    pub start: &'a Start,
    /// Where the coordinates of commands begin \[m\].
    pub origin: DVec3,
    /// Radius of a ball, unless told \[m\].
    pub ball: f64,
}

/// Time steps that are allowed \[s\].
const TIME_STEPS: [f64; 2] = [1e-6, 1.0];

impl Stage {
    /// Does a command that changes the motion, and says what it did. On error nothing has changed.
    pub fn act(&mut self, command: &Command, scene: &Scene<'_>) -> Result<String, Refusal> {
        let place = |point: &[f64; 3]| DVec3::from_array(*point) + scene.origin;
        match command {
            Command::Grab { .. } => self.grab(command),
            Command::Drag { target } => {
                finite(target)?;
                let hold =
                    self.hands.hold.as_mut().ok_or_else(|| Refusal::conflict("nothing is held; grab a body first"))?;
                hold.target = place(target);
                Ok(String::new())
            }
            Command::Release {} => Ok(self.hands.hold.take().map_or(String::new(), |_| "let go".into())),
            Command::Push { body, impulse, point } => self.push(BodyId(*body), impulse, point.as_ref().map(place)),
            Command::Throw { origin, velocity, radius, density } => {
                finite(origin)?;
                finite(velocity)?;
                let velocity = DVec3::from_array(*velocity);
                self.throw(place(origin), velocity, radius.unwrap_or(scene.ball), density.unwrap_or(1000.0))
            }
            Command::Delete { body } => self.delete(BodyId(*body), scene),
            Command::Freeze { body } => self.freeze(BodyId(*body)),
            Command::Thaw { body } => self.thaw(BodyId(*body)),
            Command::Wake { body } => {
                self.sim.wake(BodyId(*body)).map_err(Refusal::conflict)?;
                Ok(format!("woke {}", self.name(BodyId(*body))))
            }
            Command::Joint { joint, axis, target } => self.drive(JointId(*joint), axis, *target),
            Command::Gravity { value } => self.gravity(value),
            Command::Friction { factor } => self.friction(*factor, scene.start),
            Command::Dt { seconds } => {
                let [least, most] = TIME_STEPS;
                if !(least..=most).contains(seconds) {
                    return Err(Refusal::bad(format!("a time step is from {least} to {most} s, got {seconds}")));
                }
                self.sim.set_dt(*seconds).map_err(Refusal::bad)?;
                Ok(format!("time step {seconds} s"))
            }
            Command::Option { key, value } => {
                self.sim.set_option(key, value.clone()).map_err(Refusal::bad)?;
                Ok(format!("{key} = {value}"))
            }
            Command::Solver { name, options } => {
                self.sim.set_solver(choice(name, options)).map_err(Refusal::conflict)?;
                Ok(format!("solver {name}"))
            }
            other => Err(Refusal::bad(format!("{other:?} does not change the motion"))),
        }
    }

    /// Holds a point given in the frame of its body; the session has found it.
    fn grab(&mut self, command: &Command) -> Result<String, Refusal> {
        if let Command::Grab { particle: Some(particle), .. } = command {
            return self.grab_particle(ParticleId(*particle));
        }
        let Command::Grab { body: Some(body), at, .. } = command else {
            return Err(Refusal::bad("say what to grab: a body, a particle, or origin and direction of a ray"));
        };
        let body = BodyId(*body);
        let index = self.sim.body_index(body).map_err(Refusal::missing)?;
        if self.sim.model().body_kind[index] != BodyKind::Dynamic {
            return Err(Refusal::conflict(format!(
                "{} does not move by forces; thaw it or grab another",
                self.name(body)
            )));
        }
        let at = at.map_or(self.sim.model().body_com[index], DVec3::from_array);
        let target = self.sim.state().body_q[index] * at;
        let whole_mass = whole_mass(self.sim.model(), index as u32);
        self.hands.hold = Some(Hold { held: Held::Body { body, at, whole_mass }, target });
        Ok(format!("holding {}", self.name(body)))
    }

    fn grab_particle(&mut self, particle: ParticleId) -> Result<String, Refusal> {
        let index = self.sim.particle_index(particle).map_err(Refusal::missing)?;
        if self.sim.model().particle_mass[index] == 0.0 {
            return Err(Refusal::conflict(format!("particle {particle} is pinned; grab another")));
        }
        self.hands.hold = Some(Hold { held: Held::Particle(particle), target: self.sim.state().particle_q[index] });
        Ok(format!("holding particle {particle}"))
    }

    fn push(&mut self, body: BodyId, impulse: &[f64; 3], point: Option<DVec3>) -> Result<String, Refusal> {
        let impulse = DVec3::from_array(*impulse);
        let done = match point {
            Some(point) => self.sim.apply_impulse_at(body, impulse, point),
            None => self.sim.apply_impulse(body, impulse),
        };
        done.map_err(Refusal::conflict)?;
        Ok(format!("pushed {}", self.name(body)))
    }

    fn throw(&mut self, origin: DVec3, velocity: DVec3, radius: f64, density: f64) -> Result<String, Refusal> {
        if !(radius > 0.0 && density > 0.0 && radius.is_finite() && density.is_finite()) {
            return Err(Refusal::bad("radius and density of a ball must be positive"));
        }
        let mut material = Material { density, ..Material::default() };
        material.set_friction(material.friction_static * self.hands.friction.unwrap_or(1.0));
        let name = format!("thrown ball {}", self.hands.thrown + 1);
        let mut ball = BodyDef::dynamic(&name).at(origin).velocity(velocity).sphere(radius);
        ball.shapes.iter_mut().for_each(|shape| shape.material = material);
        self.sim.edit(|scene| scene.add_body(ball)).map_err(Refusal::conflict)?;
        self.hands.thrown += 1;
        self.edited();
        Ok(format!("threw {name}"))
    }

    fn delete(&mut self, body: BodyId, scene: &Scene<'_>) -> Result<String, Refusal> {
        if scene.start.motion.is_some() {
            return Err(Refusal::conflict(
                "this scene moves by key frames, which name bodies and joints by number; nothing can be deleted",
            ));
        }
        let name = self.name(body);
        self.sim.edit(|scene| scene.remove_body(body)).map_err(Refusal::conflict)?;
        self.hands.frozen.remove(&body.0);
        self.edited();
        Ok(format!("deleted {name}"))
    }

    fn freeze(&mut self, body: BodyId) -> Result<String, Refusal> {
        let index = self.sim.body_index(body).map_err(Refusal::missing)?;
        let model = self.sim.model();
        let kind = model.body_kind[index];
        if kind == BodyKind::Static {
            return Err(Refusal::conflict(format!("{} does not move already", self.name(body))));
        }
        let mass = MassProperties {
            mass: model.body_mass[index],
            com: model.body_com[index],
            inertia: model.body_inertia[index],
        };
        self.sim.set_kind(body, BodyKind::Static).map_err(Refusal::conflict)?;
        self.hands.frozen.insert(body.0, Frozen { kind, mass });
        self.edited();
        Ok(format!("froze {}", self.name(body)))
    }

    fn thaw(&mut self, body: BodyId) -> Result<String, Refusal> {
        let Some(Frozen { kind, mass }) = self.hands.frozen.get(&body.0).copied() else {
            return Err(Refusal::conflict(format!("{} was not frozen by hand", self.name(body))));
        };
        let change = |def: &mut BodyDef| (def.kind, def.mass) = (kind, MassSource::Given(mass));
        self.sim.edit(|scene| scene.change_body(body, change)).map_err(Refusal::conflict)?;
        self.hands.frozen.remove(&body.0);
        self.edited();
        Ok(format!("thawed {}", self.name(body)))
    }

    fn drive(&mut self, joint: JointId, axis: &str, target: f64) -> Result<String, Refusal> {
        let Some(number) = AXES.iter().position(|name| *name == axis) else {
            return Err(Refusal::bad(format!("there is no axis `{axis}`; the axes are {}", AXES.join(", "))));
        };
        if !target.is_finite() {
            return Err(Refusal::bad("a target must be a finite number"));
        }
        self.sim.set_drive_target(joint, Axis::ALL[number], target).map_err(Refusal::conflict)?;
        Ok(format!("{axis} of joint {joint} aims at {target}"))
    }

    fn gravity(&mut self, value: &[f64; 3]) -> Result<String, Refusal> {
        finite(value)?;
        let worlds = self.sim.model().world_count() as u32;
        let gravity = DVec3::from_array(*value);
        let change = |scene: &mut drystone::SceneEdit<'_>| {
            (0..worlds).try_for_each(|world| scene.set_gravity(WorldId(world), gravity))
        };
        self.sim.edit(change).map_err(Refusal::conflict)?;
        self.weigh_hold();
        Ok(format!("gravity {value:?} m/s²"))
    }

    fn friction(&mut self, factor: f64, start: &Start) -> Result<String, Refusal> {
        if !(0.0..=1e3).contains(&factor) {
            return Err(Refusal::bad(format!("a factor of friction is from 0 to 1000, got {factor}")));
        }
        let own = |shape: ShapeId| start.model.shape_material.get(shape.0 as usize).copied().unwrap_or_default();
        let shapes: Vec<ShapeId> = (0..self.sim.model().shape_count()).map(|index| self.sim.shape_id(index)).collect();
        let change = |scene: &mut drystone::SceneEdit<'_>| {
            shapes.iter().try_for_each(|&shape| {
                let own = own(shape);
                scene.change_shape(shape, |def| {
                    def.material.friction_static = own.friction_static * factor;
                    def.material.friction_dynamic = own.friction_dynamic * factor;
                })
            })
        };
        self.sim.edit(change).map_err(Refusal::conflict)?;
        self.hands.friction = Some(factor);
        Ok(format!("friction times {factor}"))
    }

    /// After what there is to draw has changed.
    fn edited(&mut self) {
        self.hands.look += 1;
        self.weigh_hold();
    }

    /// What a body is called.
    pub fn name(&self, body: BodyId) -> String {
        match self.sim.body_index(body) {
            Ok(index) => self.sim.model().body_name[index].clone(),
            Err(_) => format!("body {body}"),
        }
    }
}

fn finite(numbers: &[f64; 3]) -> Result<(), Refusal> {
    match numbers.iter().all(|number| number.is_finite()) {
        true => Ok(()),
        false => Err(Refusal::bad("numbers must be finite")),
    }
}
