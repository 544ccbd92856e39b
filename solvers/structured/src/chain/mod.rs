//! Long chains of ball joints in little memory: the variational step of the general solver, with the joint
//! forces as the only unknowns. A body of a path couples just its two joints, so J M⁻¹ Jᵀ is block
//! tridiagonal, eliminated from both ends towards the middle. A step is four sweeps over some hundred bytes per link and two
//! for every correction.

mod half;
mod layout;
mod link;
mod sweep;

use drystone_model::{Control, DQuat, DVec3, Model, State};

pub use self::half::Motion;
use self::half::{Bodies, Half, Kick, Middle};
use self::layout::{Layout, Path};
use self::link::Kind;
use super::dynamics::Projection;
use super::moreau::StepOutcome;
use super::options::StructuredOptions;
use super::substeps::{Piece, RESOLVED, larger};
use crate::linalg::twisted::{Symmetric, both, middle};

/// Gaps beyond this many tolerances are closed by the general step, which makes no velocity of them.
const OPEN: f64 = 100.0;

/// The chains of a model that has nothing else.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    layout: Layout,
    chain: Vec<Chain>,
    /// Whether the user pushes bodies in this piece.
    forced: bool,
    /// Energy and momentum where the last piece ended.
    motion: Motion,
}

/// One chain: joint k lies between link k − 1 and link k, the first and the last to the world if at all.
#[derive(Clone, Debug, Default)]
struct Chain {
    path: Path,
    gravity: DVec3,
    half: [Half; 2],
    /// The joint where they meet.
    middle: Meeting,
    /// Whether the factors belong to the poses of the links.
    factored: bool,
}

/// The joint where the halves of a chain meet; its sign is that of the first half.
#[derive(Clone, Copy, Debug, Default)]
struct Meeting {
    inverse: Symmetric,
    /// Right-hand side \[m/s\].
    x: DVec3,
    /// Impulse in the step, or in its last piece \[N·s\].
    impulse: DVec3,
    /// That of the pieces before.
    earlier: DVec3,
}

impl Chains {
    /// The chains of a model, if it consists of nothing but bodies in chains of plain ball joints.
    pub fn new(model: &Model) -> Option<Self> {
        // A chain falls with its world as a whole.
        if model.body_gravity_scale.iter().any(|&scale| scale != 1.0) {
            return None;
        }
        let layout = Layout::new(model)?;
        let chain = layout.path.iter().map(|path| Chain::new(path, &layout, model)).collect();
        Some(Self { layout, chain, ..Self::default() })
    }

    /// Number of chains.
    pub fn count(&self) -> usize {
        self.chain.len()
    }

    /// Whether the joints act as they were found: none broken or switched off, no body out.
    pub fn serves(&self, state: &State, control: &Control) -> bool {
        state.joint_intact.iter().all(|&intact| intact)
            && control.joint_enabled.iter().all(|&enabled| enabled)
            && control.joint_f.iter().all(|effort| *effort == [0.0; 6])
            && !state.body_quarantined.contains(&true)
    }

    /// Takes a piece of a step with all chains up to where all joints are closed, the state staying as it is. Returns what
    /// was reached and the largest gap left \[m\]; none if joints were open, which a step would turn into velocities.
    pub fn take(
        &mut self,
        state: &State,
        control: &Control,
        options: &StructuredOptions,
        piece: &Piece,
    ) -> Option<(StepOutcome, f64)> {
        self.forced = control.body_f.iter().any(|push| *push != (DVec3::ZERO, DVec3::ZERO));
        let (kinds, control) = (&self.layout.kind, self.forced.then_some(control));
        let mut total = StepOutcome::new();
        let mut gap: f64 = 0.0;
        for chain in &mut self.chain {
            let (reached, error) = chain.take(kinds, state, control, options, piece)?;
            gap = gap.max(error);
            total.follow(&reached);
        }
        Some((total, gap))
    }

    /// Ends the piece that was taken, with all rates zero, and writes the state it leads to.
    pub fn finish(&mut self, state: &mut State, control: &Control, h: f64) {
        let (kinds, control) = (&self.layout.kind, self.forced.then_some(control));
        let motions = self.chain.iter_mut().map(|chain| chain.finish(kinds, state, control, h));
        self.motion = motions.fold(Motion::default(), Motion::and);
    }

    /// Energy and momentum where the last piece ended.
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// Impulse a joint exerted on its child in the last step along the axes of its parent frame \[N·s\].
    pub fn impulse(&self, model: &Model, joint: usize) -> DVec3 {
        let [chain, place] = self.layout.joint_place[joint].map(|x| x as usize);
        let chain = &self.chain[chain];
        let sign = chain.path.joint_sign(place);
        let parent = if sign < 0.0 { place.checked_sub(1) } else { Some(place) };
        let turn = parent.and_then(|parent| chain.link_turn(parent)).unwrap_or_default();
        let frame = turn * model.joint_frame_parent[joint].rotation;
        frame.conjugate() * (chain.joint_impulse(place) * sign)
    }
}

impl Chain {
    fn new(path: &Path, layout: &Layout, model: &Model) -> Self {
        let count = path.body.len();
        let world = path.body.first().map_or(0, |&body| model.body_world[body as usize]);
        let meet = middle(count + 1);
        Self {
            path: path.clone(),
            gravity: model.world_gravity[world as usize],
            half: [Half::new(path, layout, 0..meet, 0), Half::new(path, layout, (meet..count).rev(), 1)],
            middle: Meeting::default(),
            factored: false,
        }
    }

    /// Half and place there of a link.
    fn link_place(&self, link: usize) -> (usize, usize) {
        let first = self.half[0].count;
        if link < first { (0, link) } else { (1, self.path.body.len() - 1 - link) }
    }

    /// Orientation of a link; none if there is no such link.
    fn link_turn(&self, link: usize) -> Option<DQuat> {
        (link < self.path.body.len()).then(|| {
            let (half, place) = self.link_place(link);
            self.half[half].quad[place / 4].turn(place % 4)
        })
    }

    /// Impulse of a joint in the step, in the sign of the chain \[N·s\].
    fn joint_impulse(&self, joint: usize) -> DVec3 {
        let first = self.half[0].count;
        if joint == first {
            return self.middle.impulse + self.middle.earlier;
        }
        let (half, place, sign) = if joint < first { (0, joint, 1.0) } else { (1, self.path.body.len() - joint, -1.0) };
        let half = &self.half[half];
        (half.impulse[place] + half.earlier.get(place).copied().unwrap_or_default()) * sign
    }

    /// Up to closed joints: half a kick, and a motion by impulses that end it closed.
    fn take(
        &mut self,
        kinds: &[Kind],
        state: &State,
        control: Option<&Control>,
        options: &StructuredOptions,
        piece: &Piece,
    ) -> Option<(StepOutcome, f64)> {
        let half = 0.5 * piece.h;
        self.carry_impulses(piece);
        let kick = Kick { gravity: self.gravity, control, h: half };
        let mut moved = Advanced::default();
        if self.factored {
            self.start(kinds, state, kick, half);
            moved = self.advance(kinds, state, piece.h, Some(kick));
        }
        if !(self.factored && moved.same) {
            self.half.iter_mut().for_each(|half| half.read(kinds, state));
            if self.gaps(kinds) > OPEN * options.tolerance {
                self.factored = false;
                return None;
            }
            self.factor(kinds, None);
            self.start(kinds, state, kick, half);
            moved = self.advance(kinds, state, piece.h, Some(kick));
        }
        self.factored = false;
        let mut projection = self.close(kinds, state, options, piece.h, &mut moved);
        let mut reached = StepOutcome { closed: projection.converged, ..StepOutcome::new() };
        reached.swing = self.swing(kinds, state, moved.swing, piece.h);
        if !projection.converged && piece.refuse(&reached).is_none() {
            self.close_by_moving(kinds, options, &mut projection);
        }
        reached.project(&projection);
        Some((reached, projection.error))
    }

    /// Half a kick that ends with all rates zero.
    fn finish(&mut self, kinds: &[Kind], state: &mut State, control: Option<&Control>, h: f64) -> Motion {
        let kick = Kick { gravity: self.gravity, control, h: 0.5 * h };
        self.factor(kinds, Some(kick));
        let met = self.meet_impulse(false);
        self.factored = true;
        let [a, b] = &mut self.half;
        let all = Bodies::of(state);
        let Some([[from_a, to_a], [from_b, to_b]]) = a.range().zip(b.range()).map(|(a, b)| [a, b]) else {
            // One half has all the links.
            return match a.count {
                0 => b.finish(kinds, all, kick, -met.impulse),
                _ => a.finish(kinds, all, kick, met.impulse),
            };
        };
        let count = a.count;
        let (one, other) = if to_a < from_b {
            let [of_a, of_b] = all.split(from_b);
            both(count, || a.finish(kinds, of_a, kick, met.impulse), || b.finish(kinds, of_b, kick, -met.impulse))
        } else if to_b < from_a {
            let [of_b, of_a] = all.split(from_a);
            both(count, || a.finish(kinds, of_a, kick, met.impulse), || b.finish(kinds, of_b, kick, -met.impulse))
        } else {
            // Bodies of both are mixed.
            let one = a.finish(kinds, all, kick, met.impulse);
            (one, b.finish(kinds, Bodies::of(state), kick, -met.impulse))
        };
        one.and(other)
    }

    /// Eliminates what half a kick does to the velocities of the state.
    fn start(&mut self, kinds: &[Kind], state: &State, kick: Kick, ahead: f64) {
        let [a, b] = &mut self.half;
        let (a, b) = both(a.count, || a.start(kinds, state, kick, ahead), || b.start(kinds, state, kick, ahead));
        self.middle.x = meet(a.speed, b.speed) - a.taken.rhs + b.taken.rhs;
    }

    /// Factors at the poses, and, with a kick, the elimination of the rates it leaves.
    fn factor(&mut self, kinds: &[Kind], kick: Option<Kick>) {
        let [a, b] = &mut self.half;
        let (a, b) = both(a.count, || a.factor(kinds, kick), || b.factor(kinds, kick));
        self.middle.x = meet(a.speed, b.speed) - a.taken.rhs + b.taken.rhs;
        // A chain of one free link has no joint there; nothing gives way to nothing.
        self.middle.inverse = a.block.zip(b.block).map_or(Symmetric::default(), |(a_block, b_block)| {
            a_block.plus(1.0, &b_block).plus(-1.0, &a.taken.diagonal).plus(-1.0, &b.taken.diagonal).inverse()
        });
    }

    /// The impulse of the joint where the halves meet, added to those of the step, or to `begin` them.
    fn meet_impulse(&mut self, begin: bool) -> Middle {
        let impulse = self.middle.inverse.times(self.middle.x);
        let total = if begin { impulse } else { self.middle.impulse + impulse };
        self.middle.impulse = total;
        Middle { impulse, total }
    }

    /// Adds the impulses of the piece before to those of the step, if this is not the first.
    fn carry_impulses(&mut self, piece: &Piece) {
        let first = piece.index == 0;
        self.middle.earlier = if first { DVec3::ZERO } else { self.middle.earlier + self.middle.impulse };
        for half in &mut self.half {
            half.earlier.resize(if first { 0 } else { half.count }, DVec3::ZERO);
            half.earlier.iter_mut().zip(&half.impulse).for_each(|(sum, last)| *sum += *last);
        }
    }

    /// Turn of the fastest swing under the tension of the joints within `h` seconds \[rad\], by the impulses of half
    /// of them and a bound, which serves as long as nothing is taut.
    fn swing(&self, kinds: &[Kind], state: &State, bound: f64, h: f64) -> f64 {
        let fastest = if bound.sqrt() * 2.0 * h <= RESOLVED * RESOLVED {
            bound.sqrt()
        } else {
            let both = [(0, self.middle.impulse), (1, -self.middle.impulse)];
            both.map(|(half, inner)| self.half[half].swing(kinds, state, inner)).into_iter().fold(0.0, larger)
        };
        (fastest * 2.0 * h).sqrt()
    }

    /// Applies the joint impulses and moves the links again until all joints end closed, after a first time.
    fn close(
        &mut self,
        kinds: &[Kind],
        state: &State,
        options: &StructuredOptions,
        h: f64,
        moved: &mut Advanced,
    ) -> Projection {
        let mut projection = Projection::default();
        let mut last = f64::INFINITY;
        loop {
            projection.error = moved.gap;
            projection.converged = projection.error <= options.tolerance;
            let gained = projection.error < 0.5 * last;
            if projection.converged || !gained || projection.solves >= options.max_projections {
                return projection;
            }
            last = projection.error;
            self.reduce();
            *moved = self.advance(kinds, state, h, None);
            projection.solves += 1;
        }
    }

    /// The first half of a solve with the factors at hand.
    fn reduce(&mut self) {
        let [a, b] = &mut self.half;
        let (a, b) = both(a.count, || a.reduce(), || b.reduce());
        self.middle.x = self.middle.x - a + b;
    }

    /// Applies what was eliminated, moves the links from the poses of the state, and leaves the gaps per second as the next
    /// right-hand sides. With a kick it begins at the velocities of the state.
    fn advance(&mut self, kinds: &[Kind], state: &State, h: f64, kick: Option<Kick>) -> Advanced {
        let met = self.meet_impulse(kick.is_some());
        let [a, b] = &mut self.half;
        let (a, b) = both(
            a.count,
            || a.advance(kinds, state, met, h, kick),
            || b.advance(kinds, state, met.mirrored(), h, kick),
        );
        let gap = meet(a.end, b.end);
        self.middle.x = gap / h;
        let gap = a.worst.max(b.worst).max(gap.length_squared()).sqrt();
        Advanced { gap, swing: larger(a.swing, b.swing), same: a.same && b.same }
    }

    /// Moves the links until the joints are closed, by Newton's method; velocities and spins stay. For motions so far
    /// or tensions so large that corrections by old factors fail.
    fn close_by_moving(&mut self, kinds: &[Kind], options: &StructuredOptions, projection: &mut Projection) {
        while !projection.converged && projection.solves < options.max_projections {
            self.factor(kinds, None);
            projection.error = self.gaps(kinds);
            self.reduce();
            let met = self.middle.inverse.times(self.middle.x);
            let [a, b] = &mut self.half;
            both(a.count, || a.displace(kinds, met), || b.displace(kinds, -met));
            projection.solves += 1;
            projection.error = self.gaps(kinds);
            projection.converged = projection.error <= options.tolerance;
        }
    }

    /// Leaves the gaps of the joints as right-hand sides; returns the largest \[m\].
    fn gaps(&mut self, kinds: &[Kind]) -> f64 {
        let [a, b] = &mut self.half;
        let ((a, before), (b, after)) = both(a.count, || a.gaps(kinds), || b.gaps(kinds));
        let gap = meet(before, after);
        self.middle.x = gap;
        a.max(b).max(gap.length_squared()).sqrt()
    }
}

/// What a motion left.
#[derive(Clone, Copy, Debug, Default)]
struct Advanced {
    /// The largest gap \[m\].
    gap: f64,
    /// The largest bound on the square of how fast links swing.
    swing: f64,
    /// Whether all links were where the state had them.
    same: bool,
}

/// What the link after the middle has beyond the one before it, if there are both.
fn meet(before: Option<DVec3>, after: Option<DVec3>) -> DVec3 {
    before.zip(after).map_or(DVec3::ZERO, |(before, after)| after - before)
}
