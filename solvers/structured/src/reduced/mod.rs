//! Trees of joints in the coordinates of their freedoms: no rows, no projections, and an acceleration of everything in one sweep out,
//! one back and one out, whose time grows with the number of bodies. Taken by `rk4` while nothing is in touch and no stop is reached.
//!
//! A joint with several freedoms is a row of links with one each, all but the last without mass. Configurations are those of the
//! state: what is integrated are the ways since a step began, so that full turns, ball joints and bodies that float need no
//! charts and a run goes on from any state to the bit.

mod finish;
mod forces;
mod hung;
mod layout;
mod read;
mod stage;
mod swing;
#[cfg(test)]
mod tests;

use drystone_kernels::elementary::atan2;
use drystone_kernels::lanes;
use drystone_model::{BodyKind, Control, DVec3, Model, Pose, State, Twist};

use self::finish::{Advance, Finish, Target, set_pair};
use self::hung::{Hung, NONE, Turning};
use self::layout::Layout;
use self::read::Gaps;
use self::stage::{Accelerate, Now, Pair, Start, Work};
use self::swing::Carried;
pub use self::swing::Fastest;
use super::axis_laws::{Bounded, BoundedLaw, Law, Laws};
use super::moreau::StepOutcome;
use super::options::StructuredOptions;
use super::substeps::{Piece, larger};

/// Gaps and rates of gaps beyond this many tolerances are closed by the general step, with the least change of momentum.
const OPEN: f64 = 100.0;
/// Turn about the second of three axes within a step from which they are too near to one plane \[rad\].
const FAR: f64 = 1.0;
/// Kutta's rule of three eighths: of fourth order by four stages as the classical one, with three fifths of its error.
const STAGES: [Target; 4] = [
    Target { share: 1.0 / 3.0, way: [0.0; 4], rate: [1.0 / 3.0, 0.0, 0.0, 0.0] },
    Target { share: 2.0 / 3.0, way: [1.0 / 3.0, 0.0, 0.0, 0.0], rate: [-1.0 / 3.0, 1.0, 0.0, 0.0] },
    Target { share: 1.0, way: [-2.0 / 3.0, 1.0, 0.0, 0.0], rate: [1.0, -1.0, 1.0, 0.0] },
    Target { share: 1.0, way: [0.125, 0.25, 0.125, 0.0], rate: [0.125, 0.375, 0.375, 0.125] },
];

/// The trees of a model that has nothing else.
#[derive(Clone, Debug, Default)]
pub struct Reduced {
    layout: Layout,
    start: Vec<Start>,
    now: Vec<Now>,
    /// Accelerations of the stages.
    stages: [Vec<[f64; 4]>; 4],
    work: Work,
    /// Forces of the user on every link; empty if there are none.
    pushes: Vec<Pair>,
    /// Centres and their velocities, those of roots last.
    place: Vec<Pair>,
    /// Axes with springs, drives or rotors: the body in the order of the layout, the axis, and the law.
    elastic: Vec<(usize, usize, Law)>,
    /// Drives with a largest effort, and stops.
    bounded: Vec<(usize, BoundedLaw)>,
    /// Place in the layout of the body that hangs by each joint; none for joints that hold nothing.
    hung_by: Vec<Option<usize>>,
    /// Whether efforts of the user were set in the last step.
    efforts: bool,
    /// Bound of how bodies answer to a torque \[1/(kg·m²)\]; zero for what does not move.
    yields: Vec<f64>,
    carried: Vec<Carried>,
    /// The fastest swing: what a step remembers of those before.
    pub fastest: Fastest,
    /// Links a little further along the fastest swing.
    probe: Vec<Now>,
    gaps: Gaps,
    /// Bodies where the step began, and where the last piece of one ended.
    begun: Kept,
    ended: Kept,
    begun_force: Vec<(DVec3, DVec3)>,
    begun_effort: Vec<[f64; 6]>,
    /// Length of the step \[s\].
    duration: f64,
    /// Whether the coordinates are those of `ended`.
    fresh: bool,
}

/// Poses and velocities of all bodies.
#[derive(Clone, Debug, Default)]
struct Kept {
    body_q: Vec<Pose>,
    body_qd: Vec<Twist>,
}

impl Kept {
    fn keep(&mut self, state: &State) {
        self.body_q.clone_from(&state.body_q);
        self.body_qd.clone_from(&state.body_qd);
    }

    fn is(&self, state: &State) -> bool {
        self.body_q == state.body_q && self.body_qd == state.body_qd
    }
}

impl Reduced {
    /// The trees of a model, if it has no loops, nothing that the user moves, and joints of exact locks and free axes without dry friction.
    pub fn new(model: &Model) -> Option<Self> {
        let layout = Layout::new(model)?;
        let quads = layout.frames.len();
        let laws = Laws::new(model);
        let (mut elastic, mut hung_by) = (Vec::new(), vec![None; model.joint_count()]);
        for (index, hung) in layout.hung.iter().enumerate().filter(|(_, hung)| hung.joint != NONE) {
            hung_by[hung.joint as usize] = Some(index);
            let springs = laws.of(hung.joint as usize).iter().filter(|law| matches!(law.law, Law::Elastic { .. }));
            elastic.extend(springs.map(|law| (index, law.axis as usize, law.law)));
        }
        let place = |law: &BoundedLaw| Some((hung_by[law.joint as usize]?, *law));
        let bounded = laws.bounded.iter().filter_map(place).collect();
        let yields = |body: usize| match model.body_kind[body] {
            // At most √3 times the largest answer, as the rates of swings are.
            BodyKind::Dynamic => {
                let inverse = model.body_inertia[body].inverse();
                let square: f64 = (0..3).map(|k| inverse.col(k).length_squared()).sum();
                3f64.sqrt() * square.sqrt()
            }
            _ => 0.0,
        };
        let work = Work::new(quads, layout.root.len());
        let mut start = vec![Start::default(); quads];
        start.iter_mut().for_each(|start| start.cosine = [1.0; 4]);
        Some(Self {
            start,
            now: vec![Now::default(); quads],
            stages: std::array::from_fn(|_| vec![[0.0; 4]; quads]),
            place: vec![[[0.0; 4]; 6]; work.motion.len()],
            yields: (0..model.body_count()).map(yields).collect(),
            work,
            layout,
            elastic,
            bounded,
            hung_by,
            ..Self::default()
        })
    }

    /// Number of trees.
    pub fn count(&self) -> usize {
        self.layout.trees
    }

    /// Largest gap \[m\] and angle \[rad\] of a joint where the last piece ended.
    pub fn gaps(&self) -> [f64; 2] {
        [self.gaps.linear, self.gaps.angle]
    }

    /// Takes a piece of a step up to where the links are at its end, the state staying as it is; none where something is open, out,
    /// broken, switched off or too fast for these coordinates.
    pub fn take(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        options: &StructuredOptions,
        piece: &Piece,
    ) -> Option<StepOutcome> {
        if !self.serves(state, control) {
            return None;
        }
        if !(self.fresh && self.ended.is(state)) {
            self.read(model, state);
        }
        self.fresh = false;
        let closed = self.gaps.open <= OPEN * options.tolerance && self.gaps.rate <= OPEN * options.velocity_tolerance;
        if !closed {
            return None;
        }
        if piece.index == 0 {
            self.begin(state, control, piece.left());
        }
        self.push(control);
        self.set_efforts(state, control);
        for (now, start) in self.now.iter_mut().zip(&self.start) {
            *now = Now { way: [0.0; 4], rate: start.rate };
        }
        let mut reached = StepOutcome::new();
        for (stage, target) in STAGES.iter().enumerate() {
            let Self { layout, start, now, stages, pushes, work, .. } = self;
            lanes::run(Accelerate { frames: &layout.frames, start, now, pushes, work });
            std::mem::swap(&mut stages[stage], &mut work.along);
            lanes::run(Advance { start, stages, now, target, h: piece.h });
            match stage {
                0 => reached.swing = self.swing(model, state.step_count, piece.h),
                3 => reached.swing = larger(reached.swing, self.change(piece.h, options.tolerance)),
                _ => continue,
            }
            if piece.refuse(&reached).is_some() {
                return Some(reached);
            }
        }
        (self.has_arrived() && self.is_within_stops(state)).then_some(reached)
    }

    /// Whether no stop was passed, where the piece begins or where it ends: those who act are for the general step.
    fn is_within_stops(&self, state: &State) -> bool {
        self.bounded.iter().all(|&(hung, law)| {
            let Bounded::Stop { sign, at, .. } = law.kind else { return true };
            let (hung, axis) = (&self.layout.hung[hung], law.axis as usize);
            let (quad, lane) = (hung.link[axis] as usize / 4, hung.link[axis] as usize % 4);
            let start = coordinate(hung, axis, &self.start[quad], lane, state.joint_angle[hung.joint as usize]);
            let end = start + hung.sign * self.now[quad].way[lane];
            sign * (start - at) >= 0.0 && sign * (end - at) >= 0.0
        })
    }

    /// Whether joints and bodies are as they were found, and efforts act along freedoms only.
    fn serves(&self, state: &State, control: &Control) -> bool {
        let along = |joint: usize, efforts: &[f64; 6]| {
            let hung = self.hung_by[joint].map(|hung| &self.layout.hung[hung]);
            let free =
                |hung: &Hung, axis: usize| hung.link[axis] != NONE && !(axis >= 3 && hung.turning == Turning::Free);
            efforts.iter().enumerate().all(|(axis, effort)| *effort == 0.0 || hung.is_some_and(|hung| free(hung, axis)))
        };
        state.joint_intact.iter().all(|&intact| intact)
            && control.joint_enabled.iter().all(|&enabled| enabled)
            && !state.body_quarantined.contains(&true)
            && control.joint_f.iter().enumerate().all(|(joint, efforts)| *efforts == [0.0; 6] || along(joint, efforts))
    }

    fn begin(&mut self, state: &State, control: &Control, duration: f64) {
        self.begun.keep(state);
        self.duration = duration;
        self.begun_force.clear();
        if control.body_f.iter().any(|push| *push != (DVec3::ZERO, DVec3::ZERO)) {
            self.begun_force.extend_from_slice(&control.body_f);
        }
        self.begun_effort.clear();
        if control.joint_f.iter().any(|effort| *effort != [0.0; 6]) {
            self.begun_effort.extend_from_slice(&control.joint_f);
        }
    }

    /// Forces of the user on the bodies.
    fn push(&mut self, control: &Control) {
        self.pushes.clear();
        if control.body_f.iter().all(|push| *push == (DVec3::ZERO, DVec3::ZERO)) {
            return;
        }
        self.pushes.resize(self.layout.frames.len(), [[0.0; 4]; 6]);
        for (frames, pushes) in self.layout.frames.iter().zip(&mut self.pushes) {
            for lane in (0..4).filter(|&lane| frames.body[lane] != NONE) {
                let (force, torque) = control.body_f[frames.body[lane] as usize];
                set_pair(pushes, lane, force, torque);
            }
        }
    }

    /// Efforts of springs, drives and the user along the freedoms.
    fn set_efforts(&mut self, state: &State, control: &Control) {
        let asked = control.joint_f.iter().any(|effort| *effort != [0.0; 6]);
        if self.elastic.is_empty() && self.bounded.is_empty() && !asked && !self.efforts {
            return;
        }
        self.efforts = asked;
        self.start.iter_mut().for_each(|start| start.push = [0.0; 4]);
        for hung in self.layout.hung.iter().filter(|hung| hung.joint != NONE) {
            for (axis, effort) in control.joint_f[hung.joint as usize].into_iter().enumerate() {
                if let Some(start) = self.start.get_mut(hung.link[axis] as usize / 4) {
                    start.push[hung.link[axis] as usize % 4] += hung.sign * effort;
                }
            }
        }
        for &(hung, axis, law) in &self.elastic {
            let Law::Elastic { spring, driven, .. } = law else { continue };
            let hung = &self.layout.hung[hung];
            let (joint, link) = (hung.joint as usize, hung.link[axis] as usize);
            let (start, lane) = (&mut self.start[link / 4], link % 4);
            let at = coordinate(hung, axis, start, lane, state.joint_angle[joint]);
            let [stiffness, damping] = driven.unwrap_or([0.0; 2]);
            let wanted = [control.joint_target[joint][axis], control.joint_target_velocity[joint][axis]];
            let pull = stiffness * (wanted[0] - at) + damping * wanted[1] + spring.stiffness * (spring.rest - at);
            start.push[lane] += hung.sign * pull;
            start.stiffness[lane] = stiffness + spring.stiffness;
            start.damping[lane] = damping + spring.damping;
        }
        for &(hung, law) in &self.bounded {
            let Bounded::Drive { stiffness, damping, max_effort } = law.kind else { continue };
            let (hung, axis) = (&self.layout.hung[hung], law.axis as usize);
            let (joint, link) = (hung.joint as usize, hung.link[axis] as usize);
            let (start, lane) = (&mut self.start[link / 4], link % 4);
            let at = coordinate(hung, axis, start, lane, state.joint_angle[joint]);
            let wanted = [control.joint_target[joint][axis], control.joint_target_velocity[joint][axis]];
            let pull = stiffness * (wanted[0] - at) + damping * wanted[1];
            for (kept, number) in start.capped.iter_mut().zip([hung.sign * pull, stiffness, damping]) {
                kept[lane] = number;
            }
            start.cap[lane] = max_effort;
        }
    }

    /// Whether ways and rates are numbers, and no ways too long.
    fn has_arrived(&self) -> bool {
        let numbers = self.now.iter().flat_map(|now| now.way.iter().chain(&now.rate));
        let finite = { numbers }.all(|number| number.is_finite());
        let free = self.layout.hung.iter().filter(|hung| hung.turning == Turning::Free);
        let near = |hung: &Hung| self.now[hung.link[4] as usize / 4].way[hung.link[4] as usize % 4].abs() < FAR;
        finite && { free }.all(near)
    }

    /// Writes the bodies where the piece that was taken ends, and reads what they are there.
    pub fn finish(&mut self, model: &Model, state: &mut State) {
        let Self { layout, start, now, work, place, .. } = self;
        lanes::run(Finish { frames: &layout.frames, start, now, posed: &mut work.posed, place, state });
        self.read(model, state);
        self.ended.keep(state);
        // Two turns are read by the angles of the step before, which are brought up to date after this.
        self.fresh = !self.layout.hung.iter().any(|hung| matches!(hung.turning, Turning::Two(_)));
    }
}

/// Coordinate of a free axis of a joint, full turns by where it was \[m or rad\].
fn coordinate(hung: &Hung, axis: usize, start: &Start, lane: usize, hint: [f64; 3]) -> f64 {
    if axis < 3 {
        return hung.sign * start.offset[lane];
    }
    let angle = hung.sign * 2.0 * atan2(start.sine[lane], start.cosine[lane]);
    let turn = 2.0 * std::f64::consts::PI;
    angle + turn * ((hint[axis - 3] - angle) / turn).round()
}
