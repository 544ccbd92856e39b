//! Long chains of ball joints in little memory: the variational step of the general solver, with the joint
//! forces as the only unknowns. A body of a path couples just its two joints, so J M⁻¹ Jᵀ is block
//! tridiagonal, eliminated from both ends towards the middle. A step is four sweeps over some hundred bytes per link and two
//! for every correction.

mod half;
mod layout;
mod link;

use drystone_model::{Control, DMat3, DVec3, Model, State};
use rayon::prelude::*;

use self::half::{Half, Kick, Middle};
use self::layout::{Layout, Path};
use self::link::{Kind, Link};
use super::dynamics::Projection;
use super::moreau::StepOutcome;
use super::options::StructuredOptions;
use super::substeps::{Piece, RESOLVED, larger};
use crate::linalg::twisted::{self, Halves, TwistedNode, both, reduce, substitute};

/// Gaps beyond this many tolerances are closed by the general step, which makes no velocity of them.
const OPEN: f64 = 100.0;
/// Links per parallel task.
const CHUNK: usize = 4096;

/// The chains of a model that has nothing else.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    layout: Layout,
    chain: Vec<Chain>,
}

/// One chain: joint k lies between link k − 1 and link k, the first and the last to the world if at all.
#[derive(Clone, Debug, Default)]
struct Chain {
    path: Path,
    gravity: DVec3,
    link: Vec<Link>,
    node: Vec<TwistedNode>,
    /// Right-hand sides, then multipliers.
    lambda: Vec<DVec3>,
    /// Impulses of the joints in the step, or in its last piece.
    impulse: Vec<DVec3>,
    /// Those of the pieces before.
    earlier: Vec<DVec3>,
    /// Whether the factors belong to the poses of the links.
    factored: bool,
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
        Some(Self { layout, chain })
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
        let kinds = &self.layout.kind;
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
        let kinds = &self.layout.kind;
        self.chain.iter_mut().for_each(|chain| chain.finish(kinds, state, control, h));
    }

    /// Impulse a joint exerted on its child in the last step along the axes of its parent frame \[N·s\].
    pub fn impulse(&self, model: &Model, joint: usize) -> DVec3 {
        let [chain, place] = self.layout.joint_place[joint].map(|x| x as usize);
        let chain = &self.chain[chain];
        let sign = chain.path.joint_sign(place);
        let parent = if sign < 0.0 { place.checked_sub(1) } else { Some(place) };
        let turn = parent.and_then(|parent| chain.link.get(parent)).map(Link::rotation).unwrap_or_default();
        let frame = turn * model.joint_frame_parent[joint].rotation;
        let earlier = chain.earlier.get(place).copied().unwrap_or_default();
        frame.conjugate() * ((chain.impulse[place] + earlier) * sign)
    }
}

impl Chain {
    fn new(path: &Path, layout: &Layout, model: &Model) -> Self {
        let count = path.body.len();
        let links = path.body.iter().map(|&body| Link::new(layout.body_kind[body as usize]));
        let world = path.body.first().map_or(0, |&body| model.body_world[body as usize]);
        Self {
            path: path.clone(),
            gravity: model.world_gravity[world as usize],
            link: links.collect(),
            node: vec![TwistedNode::EMPTY; count + 1],
            lambda: vec![DVec3::ZERO; count + 1],
            impulse: vec![DVec3::ZERO; count + 1],
            earlier: Vec::new(),
            factored: false,
        }
    }

    /// Up to closed joints: half a kick, and a motion by impulses that end it closed.
    fn take(
        &mut self,
        kinds: &[Kind],
        state: &State,
        control: &Control,
        options: &StructuredOptions,
        piece: &Piece,
    ) -> Option<(StepOutcome, f64)> {
        let half = 0.5 * piece.h;
        self.carry_impulses(piece);
        let kick = Kick { gravity: self.gravity, control, h: half, ahead: half };
        if !(self.factored && self.start(kinds, state, kick)) {
            self.read(kinds, state);
            if self.gaps(kinds) > OPEN * options.tolerance {
                return None;
            }
            self.factor(kinds, false, None);
            self.start(kinds, state, kick);
        }
        self.factored = false;
        let (mut projection, swing) = self.close(kinds, state, options, piece.h);
        let mut reached = StepOutcome { closed: projection.converged, ..StepOutcome::new() };
        reached.swing = self.swing(swing, piece.h);
        if !projection.converged && piece.refuse(&reached).is_none() {
            self.close_by_moving(kinds, options, &mut projection);
        }
        reached.project(&projection);
        Some((reached, projection.error))
    }

    /// Half a kick that ends with all rates zero.
    fn finish(&mut self, kinds: &[Kind], state: &mut State, control: &Control, h: f64) {
        let kick = Kick { gravity: self.gravity, control, h: 0.5 * h, ahead: 0.0 };
        self.factor(kinds, true, Some(kick));
        let middle = self.meet_impulse(false);
        let Some((halves, _)) = self.halves() else { return };
        halves.into_iter().for_each(|mut half| half.finish(kinds, state, middle.impulse));
        self.factored = true;
    }

    /// Both halves, and the joint where they meet.
    fn halves(&mut self) -> Option<([Half<'_>; 2], &mut DVec3)> {
        let (node, x, impulse) =
            (Halves::of(&mut self.node)?, Halves::of(&mut self.lambda)?, Halves::of(&mut self.impulse)?);
        let count = node.before.len();
        let (link, body) = (self.link.split_at_mut(count), self.path.body.split_at(count));
        let first = Half {
            link: link.0,
            node: node.before,
            x: x.before,
            impulse: impulse.before,
            body: body.0,
            outer: 0,
            anchor: self.path.anchored[0],
        };
        let second = Half {
            link: link.1,
            node: node.after,
            x: x.after,
            impulse: impulse.after,
            body: body.1,
            outer: 1,
            anchor: self.path.anchored[1],
        };
        Some(([first, second], x.middle))
    }

    /// Takes the state over and eliminates what half a kick does; false if links were not where the state has them, which
    /// the factors do not belong to then.
    fn start(&mut self, kinds: &[Kind], state: &State, kick: Kick) -> bool {
        let Some(([mut a, mut b], middle)) = self.halves() else { return true };
        let (a, b) = both(a.link.len(), || a.start(kinds, state, kick), || b.start(kinds, state, kick));
        *middle = meet(a.speed, b.speed) - a.taken.rhs - b.taken.rhs;
        a.same && b.same
    }

    /// Factors at the poses, to which the links may have `moved` in this step, and, with a kick, the elimination of the
    /// rates it leaves.
    fn factor(&mut self, kinds: &[Kind], moved: bool, kick: Option<Kick>) {
        let Some(([mut a, mut b], middle)) = self.halves() else { return };
        let (a, b) = both(a.link.len(), || a.factor(kinds, moved, kick), || b.factor(kinds, moved, kick));
        *middle = meet(a.speed, b.speed) - a.taken.rhs - b.taken.rhs;
        // A chain of one free link has no joint there; nothing gives way to nothing.
        let blocks = a.block.zip(b.block);
        let give = blocks.map_or(DMat3::ZERO, |(a_block, b_block)| {
            (a_block + b_block - a.taken.diagonal - b.taken.diagonal).inverse()
        });
        let place = twisted::middle(self.node.len());
        self.node[place] = TwistedNode { diagonal: give, coupling: DMat3::ZERO };
    }

    /// The impulse of the joint where the halves meet, added to those of the step, or to `begin` them.
    fn meet_impulse(&mut self, begin: bool) -> Middle {
        let place = twisted::middle(self.node.len());
        let impulse = self.node[place].diagonal * self.lambda[place];
        let total = if begin { impulse } else { self.impulse[place] + impulse };
        self.impulse[place] = total;
        Middle { impulse, total }
    }

    /// Adds the impulses of the piece before to those of the step, if this is not the first.
    fn carry_impulses(&mut self, piece: &Piece) {
        let joints = if piece.index > 0 { self.impulse.len() } else { 0 };
        self.earlier.resize(joints, DVec3::ZERO);
        self.earlier.iter_mut().zip(&self.impulse).for_each(|(sum, last)| *sum += *last);
    }

    /// Turn of the fastest swing under the tension of the joints within `h` seconds \[rad\], by the impulses of half
    /// of them and a bound, which serves as long as nothing is taut.
    fn swing(&self, bound: f64, h: f64) -> f64 {
        let links = || self.link.iter().zip(self.impulse.windows(2));
        let fastest = if bound.sqrt() * 2.0 * h <= RESOLVED * RESOLVED {
            bound.sqrt()
        } else {
            links().map(|(link, ends)| link.swing_rate(ends)).fold(0.0, larger)
        };
        (fastest * 2.0 * h).sqrt()
    }

    /// Takes poses and velocities over.
    fn read(&mut self, kinds: &[Kind], state: &State) {
        let Self { link, path, .. } = self;
        link.par_iter_mut().zip(&path.body).with_min_len(CHUNK).for_each(|(link, &body)| {
            let (pose, twist) = (&state.body_q[body as usize], &state.body_qd[body as usize]);
            link.read(&kinds[link.kind as usize], pose, twist);
        });
    }

    /// Applies the joint impulses and moves the links, again until all joints end closed. Also returns the largest bound on
    /// how links swing.
    fn close(&mut self, kinds: &[Kind], state: &State, options: &StructuredOptions, h: f64) -> (Projection, f64) {
        let mut projection = Projection::default();
        let mut last = f64::INFINITY;
        loop {
            let swing;
            (projection.error, swing) = self.advance(kinds, state, h, projection.solves == 0);
            projection.converged = projection.error <= options.tolerance;
            let gained = projection.error < 0.5 * last;
            if projection.converged || !gained || projection.solves >= options.max_projections {
                return (projection, swing);
            }
            last = projection.error;
            reduce(&self.node, &mut self.lambda);
            projection.solves += 1;
        }
    }

    /// Applies what was eliminated, moves the links from the poses of the state, and leaves the gaps per second as the next
    /// right-hand sides. Returns the largest gap \[m\] and the largest bound on how links swing.
    fn advance(&mut self, kinds: &[Kind], state: &State, h: f64, begin: bool) -> (f64, f64) {
        let middle = self.meet_impulse(begin);
        let Some(([mut a, mut b], gap)) = self.halves() else { return (0.0, 0.0) };
        let (a, b) = both(
            a.link.len(),
            || a.advance(kinds, state, middle, h, begin),
            || b.advance(kinds, state, middle, h, begin),
        );
        *gap = meet(a.end, b.end);
        let worst = a.worst.max(b.worst).max(gap.length_squared()).sqrt();
        *gap /= h;
        (worst, larger(a.swing, b.swing))
    }

    /// Moves the links until the joints are closed, by Newton's method; velocities stay. For motions so far
    /// or tensions so large that corrections by old factors fail.
    fn close_by_moving(&mut self, kinds: &[Kind], options: &StructuredOptions, projection: &mut Projection) {
        while !projection.converged && projection.solves < options.max_projections {
            self.factor(kinds, true, None);
            projection.error = self.gaps(kinds);
            reduce(&self.node, &mut self.lambda);
            substitute(&self.node, &mut self.lambda);
            for (k, link) in self.link.iter_mut().enumerate() {
                link.displace(&kinds[link.kind as usize], self.lambda[k], self.lambda[k + 1]);
            }
            projection.solves += 1;
            projection.error = self.gaps(kinds);
            projection.converged = projection.error <= options.tolerance;
        }
    }

    /// Leaves the gaps of the joints as right-hand sides; returns the largest \[m\].
    fn gaps(&mut self, kinds: &[Kind]) -> f64 {
        let Self { link, path, lambda, .. } = self;
        let (mut worst, mut before): (f64, _) = (0.0, path.anchored[0]);
        for (k, link) in link.iter().enumerate() {
            let [first, second] = link.ends(&kinds[link.kind as usize]);
            lambda[k] = before.map_or(DVec3::ZERO, |before| first - before);
            worst = worst.max(lambda[k].length_squared());
            before = Some(second);
        }
        let gap = path.anchored[1].zip(before).map_or(DVec3::ZERO, |(anchor, before)| anchor - before);
        lambda[link.len()] = gap;
        worst.max(gap.length_squared()).sqrt()
    }
}

/// What the link after the middle has beyond the one before it, if there are both.
fn meet(before: Option<DVec3>, after: Option<DVec3>) -> DVec3 {
    before.zip(after).map_or(DVec3::ZERO, |(before, after)| after - before)
}
