//! What is measured of a run, from the states alone wherever that is possible: a solver does not get to
//! judge itself.

use drystone::collide::{Collide, CollideOptions};
use drystone::geometry::Shape;
use drystone::model::{BodyKind, DVec3, JointId, Model, Momentum, State, WORLD};
use drystone::solve::Report;
use serde::Serialize;

/// The figures of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figures {
    /// Largest energy above that of the start, as a share of what the scene started with \[1\].
    pub energy_gain: f64,
    /// Largest rise of energy above the lowest so far, as a share of what the scene started with \[1\].
    pub energy_rise: f64,
    /// Largest joint gap \[m\].
    pub gap: f64,
    /// Largest joint gap after a step whose report did not say so \[m\].
    pub silent_gap: f64,
    /// Largest angular joint error \[rad\].
    pub turn: f64,
    /// Deepest overlap of the run by the solver's own reports \[m\].
    pub penetration: f64,
    /// Deepest overlap at the end, found anew from the poses alone \[m\].
    pub end_penetration: f64,
    /// Deepest a centre of mass was below the ground \[m\].
    pub deepest_sunk: f64,
    /// Deepest a centre of mass is below the ground at the end \[m\].
    pub sunk: f64,
    /// Largest distance from the start, as a share of what energy and time allow \[1\].
    pub range: f64,
    /// Largest change of linear momentum in free space, as a share of Σ √(2 m T) at the start \[1\].
    pub momentum: Option<f64>,
    /// Largest change of angular momentum in free space, as a share of Σ |x × m v| + |I ω| at the start \[1\].
    pub angular_momentum: Option<f64>,
    /// Bodies whose numbers stopped being finite.
    pub quarantined: usize,
    /// Steps whose report says that the iterations did not come to their end.
    pub unconverged_steps: u64,
    /// Energy the scene started with: kinetic, and potential above the lowest reachable point \[J\].
    pub start_energy: f64,
}

/// Watches a run.
pub struct Watch {
    start: State,
    start_energy: f64,
    floor: Option<Floor>,
    /// Of the start, where nothing acts from outside.
    free: Option<(Momentum, f64, f64)>,
    lowest_energy: f64,
    lowest_potential: f64,
    max_energy: f64,
    max_rise: f64,
    start_kinetic: f64,
    start_potential: f64,
    /// Largest move of every body over the time it took \[m/s\], one metre of slack taken off.
    fastest: Vec<f64>,
    figures: Figures,
}

/// The plane everything comes to rest on at the latest.
struct Floor {
    point: DVec3,
    up: DVec3,
}

impl Watch {
    /// At the start of a run.
    pub fn new(model: &Model) -> Self {
        let state = model.state();
        let energy = model.energy(&state);
        Self {
            start_energy: energy.total(),
            floor: floor(model),
            free: is_free(model).then(|| momentum_scales(model, &state)),
            lowest_energy: energy.total(),
            lowest_potential: energy.potential,
            max_energy: energy.total(),
            max_rise: 0.0,
            start_kinetic: energy.kinetic,
            start_potential: energy.potential,
            fastest: vec![0.0; model.body_count()],
            figures: Figures::default(),
            start: state,
        }
    }

    /// Whether everything is still a number.
    pub fn is_finite(&self) -> bool {
        self.figures.quarantined == 0 && self.max_energy.is_finite()
    }

    /// Takes in a step; `gap_limit` is the joint gap a report may be silent about \[m\].
    pub fn observe(&mut self, model: &Model, state: &State, report: &Report, gap_limit: f64) {
        let energy = model.energy(state);
        self.lowest_potential = self.lowest_potential.min(energy.potential);
        self.lowest_energy = self.lowest_energy.min(energy.total());
        // `max` would drop a NaN.
        self.max_energy =
            if energy.total() > self.max_energy || energy.total().is_nan() { energy.total() } else { self.max_energy };
        self.max_rise = self.max_rise.max(energy.total() - self.lowest_energy);
        // An overlap that nobody measured may be any.
        self.figures.penetration = self.figures.penetration.max(report.max_penetration.unwrap_or(f64::INFINITY));
        self.figures.quarantined += report.quarantined.len();
        let said = report.is_unconverged();
        self.figures.unconverged_steps += u64::from(said);
        self.observe_joints(model, state, report, gap_limit);
        self.observe_places(model, state);
        self.observe_momentum(model, state);
    }

    fn observe_joints(&mut self, model: &Model, state: &State, report: &Report, gap_limit: f64) {
        for joint in 0..model.joint_count() {
            if !(state.joint_intact[joint] && model.joint_enabled[joint]) {
                continue;
            }
            let error = model.joint_error(state, joint as u32);
            self.figures.gap = self.figures.gap.max(error.linear);
            self.figures.turn = self.figures.turn.max(error.angular);
            if error.linear > gap_limit && !says_open(report, joint as u32) {
                self.figures.silent_gap = self.figures.silent_gap.max(error.linear);
            }
        }
    }

    fn observe_places(&mut self, model: &Model, state: &State) {
        for body in moving(model) {
            let (place, before) = (model.body_centre(state, body as u32), model.body_centre(&self.start, body as u32));
            // Overlaps at the start are pushed out of, which energy does not pay for.
            let moved = ((place - before).length() - 1.0).max(0.0);
            self.fastest[body] = self.fastest[body].max(moved / state.time.max(f64::MIN_POSITIVE));
        }
        self.figures.sunk = self.sunk(model, state);
        self.figures.deepest_sunk = self.figures.deepest_sunk.max(self.figures.sunk);
    }

    /// Deepest a centre of mass is below the ground \[m\].
    fn sunk(&self, model: &Model, state: &State) -> f64 {
        let Some(floor) = &self.floor else { return 0.0 };
        let depth = |body: usize| -(model.body_centre(state, body as u32) - floor.point).dot(floor.up);
        moving(model).map(depth).fold(0.0, f64::max)
    }

    fn observe_momentum(&mut self, model: &Model, state: &State) {
        let Some((start, linear, angular)) = &self.free else { return };
        let now = model.momentum(state);
        let figures = &mut self.figures;
        let worst = |figure: &mut Option<f64>, change: f64| *figure = Some(figure.unwrap_or(0.0).max(change));
        worst(&mut figures.momentum, (now.linear - start.linear).length() / linear.max(f64::MIN_POSITIVE));
        worst(&mut figures.angular_momentum, (now.angular - start.angular).length() / angular.max(f64::MIN_POSITIVE));
    }

    /// The figures, now that the run is over.
    pub fn finish(mut self, model: &Model, state: &State) -> Figures {
        let lowest = self.floor.as_ref().map_or(self.lowest_potential, |floor| {
            let at_floor = |body: usize| {
                -model.body_mass[body] * model.world_gravity[model.body_world[body] as usize].dot(floor.point)
            };
            moving(model).map(at_floor).sum()
        });
        let scale = (self.start_kinetic + self.start_potential - lowest).max(f64::MIN_POSITIVE);
        self.figures.start_energy = scale;
        self.figures.energy_gain = (self.max_energy - self.start_energy) / scale;
        self.figures.energy_rise = self.max_rise / scale;
        let allowed = |body: usize| (2.0 * scale / model.body_mass[body]).sqrt();
        let shares = moving(model).map(|body| self.fastest[body] / allowed(body));
        self.figures.range = shares.fold(0.0, f64::max);
        self.figures.end_penetration = deepest_overlap(model, state);
        self.figures
    }
}

fn moving(model: &Model) -> impl Iterator<Item = usize> + '_ {
    (0..model.body_count()).filter(|&body| model.body_kind[body] == BodyKind::Dynamic)
}

/// Whether the report of a step says that this joint may be open: by name, or, where it names none, by its ending.
fn says_open(report: &Report, joint: u32) -> bool {
    if report.unconverged.is_empty() { report.is_unconverged() } else { report.unconverged.contains(&JointId(joint)) }
}

/// The half-space of the world that gravity pulls onto, if there is one.
fn floor(model: &Model) -> Option<Floor> {
    let up = -model.world_gravity.first()?.try_normalize()?;
    let ground = (0..model.shape_count()).find(|&shape| {
        let normal = model.shape_pose[shape].rotation * DVec3::Z;
        matches!(model.shape_geometry[shape], Shape::HalfSpace)
            && model.shape_body[shape] == WORLD
            && normal.dot(up) > 1.0 - 1e-9
    })?;
    Some(Floor { point: model.shape_pose[ground].translation, up })
}

/// Whether nothing acts on the bodies but the bodies.
fn is_free(model: &Model) -> bool {
    model.world_gravity.iter().all(|gravity| *gravity == DVec3::ZERO)
        && model.body_kind.iter().all(|kind| *kind == BodyKind::Dynamic)
        && model.shape_body.iter().all(|body| *body != WORLD)
        && model.joint_parent.iter().all(|body| *body != WORLD)
}

/// Momentum, and what to measure its changes by: the sums of the magnitudes it is made of. Bodies that only spin have no linear
/// momentum to compare with; what counts is what their energy could give them.
fn momentum_scales(model: &Model, state: &State) -> (Momentum, f64, f64) {
    let (mut linear, mut angular) = (0.0, 0.0);
    for body in 0..model.body_count() {
        let (twist, mass) = (state.body_qd[body], model.body_mass[body]);
        let spin = model.body_inertia_world(state, body) * twist.angular;
        linear += (mass * mass * twist.linear.length_squared() + mass * twist.angular.dot(spin)).sqrt();
        angular += model.body_centre(state, body as u32).cross(mass * twist.linear).length() + spin.length();
    }
    (model.momentum(state), linear, angular)
}

/// Deepest overlap of two shapes, by a search that remembers nothing \[m\].
fn deepest_overlap(model: &Model, state: &State) -> f64 {
    if !state.body_q.iter().all(|pose| pose.translation.is_finite() && pose.rotation.is_finite()) {
        return f64::INFINITY;
    }
    let mut still = state.clone();
    // Contacts ahead of moving bodies are of no interest.
    still.body_qd.iter_mut().for_each(|twist| *twist = Default::default());
    let mut collide = Collide::new(model, CollideOptions::default());
    collide.detect(model, &still, 1e-6);
    collide.contacts.point_gap.iter().fold(0.0, |deepest, gap| deepest.max(-gap))
}

#[cfg(test)]
mod tests {
    use drystone::model::{BodyDef, JointDef, ModelBuilder};
    use drystone::solve::Ending;

    use super::*;

    /// Two balls of 1 kg on a ball joint, 1 m above the ground or in free space, one of them moving at 2 m/s.
    fn balls(free: bool) -> Model {
        let mut scene = ModelBuilder::new();
        if free {
            scene.gravity(DVec3::ZERO);
        } else {
            scene.gravity(DVec3::Z * -10.0).ground();
        }
        let a = scene.add_body(BodyDef::dynamic("a").at(DVec3::Z).sphere(0.1).mass(1.0).velocity(DVec3::X * 2.0));
        let b = scene.add_body(BodyDef::dynamic("b").at(DVec3::new(0.0, 0.5, 1.0)).sphere(0.1).mass(1.0));
        scene.add_joint(JointDef::ball(a, b, DVec3::new(0.0, 0.25, 1.0)));
        scene.finalize().unwrap()
    }

    fn figures(model: &Model, report: &Report, change: impl Fn(&mut State)) -> Figures {
        let (mut watch, mut state) = (Watch::new(model), model.state());
        state.time = 0.1;
        change(&mut state);
        watch.observe(model, &state, report, 0.01);
        watch.finish(model, &state)
    }

    /// 2 J of motion and 20 J of height: what the energy is measured against, and a gain by hand.
    #[test]
    fn energy_is_measured_against_what_the_scene_started_with() {
        let model = balls(false);
        let still = figures(&model, &Report::default(), |_| ());
        assert!((still.start_energy - 22.0).abs() < 1e-12, "{}", still.start_energy);
        assert_eq!((still.energy_gain, still.energy_rise), (0.0, 0.0));
        let faster = figures(&model, &Report::default(), |state| state.body_qd[0].linear *= 2.0);
        assert!((faster.energy_gain - 6.0 / 22.0).abs() < 1e-12, "{}", faster.energy_gain);
        let blown = figures(&model, &Report::default(), |state| state.body_qd[0].linear.x = f64::NAN);
        assert!(blown.energy_gain.is_nan());
    }

    #[test]
    fn an_open_joint_is_silent_unless_the_report_says_so() {
        let model = balls(false);
        let open = |state: &mut State| state.body_q[1].translation.y += 0.02;
        let silent = figures(&model, &Report::default(), open);
        assert!((silent.gap - 0.02).abs() < 1e-12 && silent.silent_gap == silent.gap, "{silent:?}");
        let slow = Report { ending: Ending::Slow, ..Report::default() };
        for report in [slow.clone(), Report { unconverged: vec![JointId(0)], ..Report::default() }] {
            let said = figures(&model, &report, open);
            assert!(said.gap == silent.gap && said.silent_gap == 0.0 && said.unconverged_steps == 1, "{said:?}");
        }
        // A report that names another joint has not said it.
        let other = figures(&model, &Report { unconverged: vec![JointId(7)], ..slow }, open);
        assert_eq!(other.silent_gap, silent.gap);
    }

    /// 22 J let a kilogram fly at 6.6 m/s and no faster.
    #[test]
    fn places_are_held_to_what_energy_allows() {
        let model = balls(false);
        let jump = |way: f64| figures(&model, &Report::default(), move |state| state.body_q[0].translation.x += way);
        let allowed = 0.1 * 44.0_f64.sqrt();
        assert!((jump(1.0 + allowed).range - 1.0).abs() < 1e-9);
        assert_eq!(jump(0.5).range, 0.0);
        let under = figures(&model, &Report::default(), |state| state.body_q[0].translation.z = -0.3);
        assert!((under.sunk - 0.3).abs() < 1e-12 && (under.end_penetration - 0.4).abs() < 1e-9, "{under:?}");
    }

    #[test]
    fn momentum_counts_where_nothing_acts_from_outside() {
        let kick = |state: &mut State| state.body_qd[1].linear.x += 0.2;
        let free = figures(&balls(true), &Report::default(), kick);
        assert!((free.momentum.unwrap() - 0.1).abs() < 1e-12, "{free:?}");
        let spun = figures(&balls(true), &Report::default(), |state| state.body_qd[1].angular.z = 1.0);
        assert!(spun.momentum == Some(0.0) && spun.angular_momentum.unwrap() > 1e-4, "{spun:?}");
        assert_eq!(figures(&balls(false), &Report::default(), kick).momentum, None);
    }
}
