//! Derivatives of steps with contacts against differences of the solver's own steps.

use drystone::Simulation;
use drystone::mechanism::{ContactEdge, DrivenAxis, MechanismError, StepDerivatives, step_derivatives};
use drystone::model::{
    Axis, BodyDef, BodyId, Control, DQuat, DVec3, Drive, JointDef, JointId, Model, ModelBuilder, ShapeDef, State, WORLD,
};
use drystone::structured::{ConstraintSystem, StructuredOptions};
use drystone_random::Random;
use drystone_tests::differences::{allowed, displaced, miss, stepped};
use drystone_tests::runner::scene;

const DT: f64 = 0.002;
/// Steps that differences are taken of are exact to 10⁻¹⁰ m/s in their contacts.
const EXACT: [(&str, f64); 4] =
    [("tolerance", 1e-12), ("velocity_tolerance", 1e-13), ("contact_tolerance", 1e-10), ("friction_tolerance", 1e-10)];
const BOUND: f64 = 1e-6;
/// Gap that bodies of these tests close within the step, so that contacts hold around their state \[m\].
const GAP: f64 = 1e-3;

/// A model in a state, and what its derivatives are asked by.
struct Case {
    name: &'static str,
    model: Model,
    state: State,
    axes: Vec<DrivenAxis>,
    dt: f64,
    /// How far bodies may be displaced without leaving the contacts as they hold; zero if not at all \[m\].
    displaced: f64,
    /// How far velocities and forces may be changed for that: 1 for bodies that hit, less for those that stand by their weight.
    share: f64,
}

impl Case {
    fn new(name: &'static str, builder: &ModelBuilder) -> Self {
        let model = builder.finalize().unwrap();
        Self { name, state: model.state(), model, axes: Vec::new(), dt: DT, displaced: 1e-4, share: 1.0 }
    }

    fn found(&self) -> StepDerivatives {
        step_derivatives(&self.model, &self.state, &self.model.control(), self.dt, &self.axes)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn after(&self, model: &Model, state: &State, control: &Control) -> State {
        stepped(model, state, control, self.dt, &EXACT)
    }

    /// Compares a derivative with differences, relative to the largest change or to `least`: what sticks answers nothing at all.
    fn check(&self, what: &str, derivative: &[f64], [width, least]: [f64; 2], after: impl Fn(f64) -> State) {
        let off = miss(&self.model, derivative, width, least, after);
        println!("{}: {what} {off:.1e}", self.name);
        assert!(off < BOUND, "{}: {what} {off}", self.name);
    }

    /// By state: along displacements that the joints allow together with velocities, and along velocities alone.
    fn check_state(&self, found: &StepDerivatives, random: &mut Random) {
        let control = self.model.control();
        for still in [false, true].into_iter().filter(|still| *still || self.displaced > 0.0) {
            for _ in 0..3 {
                let mut by = allowed(&self.model, &self.state, random);
                by.iter_mut().enumerate().filter(|(k, _)| still && k % 12 < 6).for_each(|(_, x)| *x = 0.0);
                let after = |share: f64| {
                    let mut moved = displaced(&self.model, &self.state, &by, share);
                    let velocity = moved.body_qd.clone();
                    if !still && self.model.joint_count() > 0 {
                        let mut system = ConstraintSystem::new(&self.model, StructuredOptions::default());
                        system.project_positions(&self.model, &mut moved, &control, 1e-14, 10).unwrap();
                    }
                    moved.body_qd = velocity;
                    self.after(&self.model, &moved, &control)
                };
                let (what, width) = if still { ("velocity", 1e-2 * self.share) } else { ("state", self.displaced) };
                self.check(what, &found.state.times(&by), [width, 1.0], after);
            }
        }
    }

    fn check_control(&self, found: &StepDerivatives, random: &mut Random) {
        let control = self.model.control();
        // Torques of a tenth of the forces, times metres.
        let size = |k: usize| if k % 6 < 3 { 1.0 } else { 0.1 };
        let by: Vec<f64> = (0..found.force.columns()).map(|k| size(k) * random.signed()).collect();
        let heaviest = self.model.body_mass.iter().copied().fold(0.0, f64::max);
        self.check("force", &found.force.times(&by), [0.5 * heaviest * self.share, self.dt / heaviest], |share| {
            let mut control = control.clone();
            for (body, by) in found.body.iter().zip(by.chunks_exact(6)) {
                let (force, torque) = &mut control.body_f[body.built_index()];
                *force += DVec3::from_slice(&by[..3]) * share;
                *torque += DVec3::from_slice(&by[3..]) * share;
            }
            self.after(&self.model, &self.state, &control)
        });
        if self.axes.is_empty() {
            return;
        }
        let by: Vec<f64> = self.axes.iter().map(|_| random.signed()).collect();
        let asked = |share: f64, of: fn(&mut Control) -> &mut Vec<[f64; 6]>| {
            let mut control = control.clone();
            for (axis, by) in self.axes.iter().zip(&by) {
                of(&mut control)[axis.joint.built_index()][axis.axis as usize] += share * by;
            }
            self.after(&self.model, &self.state, &control)
        };
        self.check("effort", &found.effort.times(&by), [0.1 * self.share, 1e-9], |share| {
            asked(share, |control| &mut control.joint_f)
        });
        if self.model.joint_count() < 10 {
            let target = found.target.times(&by);
            self.check("target", &target, [1e-2, 1e-9], |share| asked(share, |control| &mut control.joint_target));
        }
    }

    fn check_masses(&self, found: &StepDerivatives, random: &mut Random) {
        let by: Vec<f64> = found.body.iter().map(|_| random.signed()).collect();
        let mass = |body: &BodyId| self.model.body_mass[body.built_index()];
        let kilograms: Vec<f64> = found.body.iter().zip(&by).map(|(body, by)| by * mass(body)).collect();
        self.check("mass", &found.mass.times(&kilograms), [3e-2, 9.81 * self.dt], |share| {
            let mut model = self.model.clone();
            for (body, by) in found.body.iter().zip(&kilograms) {
                model.body_mass[body.built_index()] += share * by;
            }
            self.after(&model, &self.state, &model.control())
        });
    }

    fn check_all(&self) {
        let (found, mut random) = (self.found(), Random::new(11));
        self.check_state(&found, &mut random);
        self.check_control(&found, &mut random);
        self.check_masses(&found, &mut random);
    }
}

fn ground(friction: f64) -> ModelBuilder {
    let mut builder = ModelBuilder::new();
    builder.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).friction(friction));
    builder
}

fn ball_on_ground(name: &'static str, friction: f64, velocity: DVec3, spin: DVec3) -> Case {
    let mut builder = ground(friction);
    let ball = BodyDef::dynamic("ball").at(DVec3::new(0.1, 0.2, 0.1 + GAP)).sphere(0.1).friction(friction);
    builder.add_body(ball.velocity(velocity).spin(spin));
    Case::new(name, &builder)
}

#[test]
fn balls_that_roll_and_slide() {
    let down = DVec3::NEG_Z;
    let rolling = DVec3::new(0.3, 0.1, 0.0);
    ball_on_ground("ball, sticks", 0.9, rolling + down, DVec3::new(-1.0, 3.0, 0.7)).check_all();
    ball_on_ground("ball, slides", 0.3, DVec3::new(2.0, 0.7, 0.0) + down, DVec3::new(2.0, -5.0, 4.0)).check_all();
    ball_on_ground("ball, no friction", 0.0, DVec3::new(2.0, 0.7, 0.0) + down, DVec3::new(2.0, -5.0, 4.0)).check_all();
}

fn box_on_ground(name: &'static str, friction: f64, velocity: DVec3, gap: f64) -> Case {
    let mut builder = ground(friction);
    let half = DVec3::new(0.2, 0.15, 0.1);
    let block = BodyDef::dynamic("box").at(DVec3::Z * (half.z + gap)).rotated(DQuat::from_rotation_z(0.4));
    builder.add_body(block.cuboid(half).friction(friction).velocity(velocity));
    Case::new(name, &builder)
}

#[test]
fn boxes_that_stick_and_slide() {
    box_on_ground("box, sticks", 0.8, DVec3::new(0.02, 0.01, -1.0), GAP).check_all();
    // Four corners share the load in more than one way, which turns friction only as they are displaced further.
    let slides = box_on_ground("box, slides", 0.3, DVec3::new(2.0, 0.5, -1.0), GAP);
    Case { displaced: 3e-6, share: 0.1, ..slides }.check_all();
    // At rest bodies overlap by next to nothing, and the step neither closes gaps nor takes them back.
    let rests = box_on_ground("box, rests", 0.8, DVec3::ZERO, -5e-11);
    Case { displaced: 0.0, share: 0.1, ..rests }.check_all();
}

/// Both bodies of a contact move, and its normal turns with where they are.
#[test]
fn balls_that_meet_in_flight() {
    for (name, friction) in [("two balls, stick", 2.0), ("two balls, slide", 0.1)] {
        let mut builder = ModelBuilder::new();
        let way = DVec3::new(1.0, 0.3, 0.2).normalize();
        let first = BodyDef::dynamic("first").sphere(0.1).friction(friction);
        builder.add_body(first.velocity(way + DVec3::Y * 0.2).spin(DVec3::new(1.0, 2.0, -3.0)));
        let second = BodyDef::dynamic("second").at(way * (0.25 + GAP)).sphere(0.15).friction(friction).density(300.0);
        builder.add_body(second.spin(DVec3::new(-1.0, 0.5, 2.0)));
        Case::new(name, &builder).check_all();
    }
}

#[test]
fn contacts_that_give_way() {
    let mut builder = ground(0.4);
    let mut block = ShapeDef::sphere(0.1).friction(0.4);
    block.material.stiffness = 1e5;
    block.material.damping = 50.0;
    let ball = BodyDef::dynamic("ball").at(DVec3::Z * (0.1 - GAP)).shape(block);
    builder.add_body(ball.velocity(DVec3::new(1.0, 0.2, -0.3)).spin(DVec3::new(0.5, 1.0, 2.0)));
    Case::new("soft ball, slides", &builder).check_all();
}

/// An arm of driven hinges whose tip comes to a wall.
#[test]
fn arms_that_push_against_a_wall() {
    for (name, friction) in [("arm at a wall, sticks", 1.5), ("arm at a wall, slides", 0.1)] {
        let mut builder = ModelBuilder::new();
        let mut parent = BodyId(WORLD);
        let mut axes = Vec::new();
        let joints = [DVec3::ZERO, DVec3::new(0.3, 0.0, 0.25), DVec3::new(0.6, 0.05, 0.1)];
        let tip = DVec3::new(0.8, 0.1, -0.1);
        for (link, &near) in joints.iter().enumerate() {
            let far = joints.get(link + 1).copied().unwrap_or(tip);
            let middle = 0.5 * (near + far);
            let mut body = BodyDef::dynamic(format!("link {link}")).at(middle).mass(1.0 + link as f64);
            let mut bar = ShapeDef::cuboid(DVec3::new(0.1, 0.03, 0.02));
            bar.group = 0;
            body = body.shape(bar.density(100.0));
            if link == 2 {
                body = body.shape(ShapeDef::sphere(0.05).at(tip - middle).friction(friction));
            }
            let body = builder.add_body(body);
            let axis = DVec3::new(0.1, 1.0, 0.2 * link as f64);
            let drive = Drive::position(0.2, 30.0, 0.5);
            let joint = JointDef::revolute(parent, body, near, axis).drive(Axis::AngX, drive);
            axes.push(DrivenAxis {
                joint: builder.add_joint(joint.rates([0.0, 0.0, 0.0, -2.0, 0.0, 0.0])),
                axis: Axis::AngX,
            });
            parent = body;
        }
        let wall = DVec3::X * (tip.x + 0.05 + 2.0 * GAP);
        builder.add_shape(WORLD, ShapeDef::plane(wall, DVec3::NEG_X).friction(friction));
        let mut case = Case::new(name, &builder);
        case.axes = axes;
        // Until the tip is there.
        let touched = |case: &Case| {
            let after = case.after(&case.model, &case.state, &case.model.control());
            step_derivatives(&case.model, &after, &case.model.control(), DT, &[]).is_ok()
        };
        assert!(touched(&case));
        case.check_all();
    }
}

/// A walker that stands on its feet, its motor holding and its loops closed. Feet that move on arcs end a little in the ground, where
/// the steps that differences are taken of, more exact than others, would move them.
#[test]
fn walkers_on_their_feet() {
    let mut model = scene("klann-walker", &[]).model;
    model.body_damping.iter_mut().for_each(|damping| *damping = [0.0; 2]);
    model.joint_drive.iter_mut().flatten().for_each(|drive| drive.target_velocity = 0.0);
    let dt = 1e-3;
    let mut builder = Simulation::builder(model.clone()).solver("structured").dt(dt).option("friction_passes", 200);
    for (name, value) in EXACT {
        builder = builder.option(name, value);
    }
    let mut sim = builder.build().unwrap();
    sim.run(5, |_| ()).unwrap();
    let state = sim.state().clone();
    let axes = vec![DrivenAxis { joint: JointId(0), axis: Axis::AngX }];
    Case { name: "walker", model, state, axes, dt, displaced: 0.0, share: 0.1 }.check_all();
}

fn edge(case: &Case, control: &Control) -> ContactEdge {
    match step_derivatives(&case.model, &case.state, control, DT, &[]) {
        Err(MechanismError::Contact { edge, .. }) => edge,
        other => panic!("{}: {other:?}", case.name),
    }
}

#[test]
fn contacts_at_an_edge_are_refused() {
    // Held back so that it reaches the ground with no speed left to take.
    let touches = ball_on_ground("ball, just touches", 0.5, DVec3::NEG_Z, DVec3::ZERO);
    let mut control = touches.model.control();
    control.body_f[0].0 = DVec3::Z * (((1.0 - GAP / DT) / DT + 9.81) * touches.model.body_mass[0]);
    assert_eq!(edge(&touches, &control), ContactEdge::JustTouches);

    let leans = box_on_ground("box, at the edge", 0.5, DVec3::ZERO, -5e-11);
    let mut control = leans.model.control();
    control.body_f[0].0 = DVec3::X * (0.5 * 9.81 * leans.model.body_mass[0]);
    assert_eq!(edge(&leans, &control), ContactEdge::Cone);

    let mut bounces = ball_on_ground("ball, bounces", 0.5, DVec3::NEG_Z, DVec3::ZERO);
    bounces.model.shape_material.iter_mut().for_each(|material| material.restitution = 0.5);
    assert_eq!(edge(&bounces, &bounces.model.control()), ContactEdge::Bounces);

    let deep = ball_on_ground("ball, in the ground", 0.5, DVec3::ZERO, DVec3::ZERO);
    let mut sunk = deep.state.clone();
    sunk.body_q[0].translation.z -= 2.0 * GAP;
    let deep = Case { state: sunk, ..deep };
    assert_eq!(edge(&deep, &deep.model.control()), ContactEdge::Overlaps);
}

#[test]
fn friction_that_is_not_determined_or_gives_way_is_refused() {
    // Four corners share the load in more than one way, and each slides in a direction of its own.
    let mut turns = box_on_ground("box, slides and turns", 0.3, DVec3::new(2.0, 0.5, -1.0), GAP);
    turns.state.body_qd[0].angular = DVec3::Z * 5.0;
    // Which way the solver found decides whether it is told so, or that one of them touches and carries nothing.
    let found = edge(&turns, &turns.model.control());
    assert!(matches!(found, ContactEdge::Undetermined | ContactEdge::JustTouches), "{found:?}");

    let mut rolls = ball_on_ground("ball, rolls on", 0.9, DVec3::new(1.0, 0.0, -1.0), DVec3::Y * 10.0);
    rolls.model.shape_material.iter_mut().for_each(|material| material.friction_rolling = 1e-4);
    assert_eq!(edge(&rolls, &rolls.model.control()), ContactEdge::Spins);
}

#[test]
fn floating_groups_that_are_pushed_unevenly_are_refused() {
    let mut builder = ModelBuilder::new();
    builder.add_body(BodyDef::dynamic("first").sphere(0.1).velocity(DVec3::X));
    builder.add_body(BodyDef::dynamic("second").at(DVec3::X * (0.2 + GAP)).sphere(0.1).spin(DVec3::Z));
    let case = Case::new("two balls, one pushed", &builder);
    let mut control = case.model.control();
    control.body_f[0].0 = DVec3::Y;
    assert_eq!(edge(&case, &control), ContactEdge::PushedUnevenly);
}
