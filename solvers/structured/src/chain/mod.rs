//! Long chains of ball joints in little memory: the variational step of the general solver, with the joint
//! forces as the only unknowns. A body of a path couples just its two joints, so J M⁻¹ Jᵀ is block
//! tridiagonal, and a step is a few passes over some hundred bytes per link.

mod layout;
mod link;

use drystone_model::{Control, DVec3, Model, State};
use rayon::prelude::*;

use self::layout::{Layout, Path};
use self::link::{Kind, Link};
use super::dynamics::Projection;
use super::moreau::StepOutcome;
use super::options::StructuredOptions;
use super::pieces::{Piece, RESOLVED, larger};
use drystone_solve::parts::twisted::{TwistedNode, factor_and_reduce, middle, reduce, substitute};

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

    /// Takes the state over; false if the joints are open by more than `tolerance`, which a step would turn
    /// into velocities.
    pub fn read(&mut self, state: &State, tolerance: f64) -> bool {
        let kinds = &self.layout.kind;
        let mut closed = true;
        for chain in &mut self.chain {
            chain.factored &= chain.read(kinds, state);
            closed &= chain.factored || chain.gaps(kinds) <= tolerance;
        }
        closed
    }

    /// Takes a piece of a step with all chains, the state staying as it is. Returns what was reached and the largest gap left \[m\].
    pub fn step(
        &mut self,
        state: &State,
        control: &Control,
        options: &StructuredOptions,
        piece: &Piece,
    ) -> (StepOutcome, f64) {
        let kinds = &self.layout.kind;
        let mut total = StepOutcome::new();
        let mut gap: f64 = 0.0;
        for chain in &mut self.chain {
            let (reached, error) = chain.step(kinds, state, control, options, piece);
            gap = gap.max(error);
            total.follow(&reached);
        }
        (total, gap)
    }

    /// Hands the poses and velocities that the step came to back.
    pub fn write(&mut self, state: &mut State) {
        let kinds = &self.layout.kind;
        self.chain.iter_mut().for_each(|chain| chain.write(kinds, state));
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

    fn step(
        &mut self,
        kinds: &[Kind],
        state: &State,
        control: &Control,
        options: &StructuredOptions,
        piece: &Piece,
    ) -> (StepOutcome, f64) {
        let h = piece.h;
        self.carry_impulses(piece);
        if !self.factored {
            self.assemble(kinds, false);
            factor_and_reduce(&mut self.node, &mut self.lambda);
        }
        self.kick(kinds, control, 0.5 * h, 0.5 * h);
        reduce(&self.node, &mut self.lambda);
        substitute(&self.node, &mut self.lambda);
        self.impulse.copy_from_slice(&self.lambda);
        let mut projection = self.close(kinds, state, options, h);
        let mut reached = StepOutcome { closed: projection.converged, ..StepOutcome::new() };
        reached.swing = self.swing(kinds, h);
        self.factored = false;
        if piece.refuse(&reached).is_some() {
            return (reached, projection.error);
        }
        if !projection.converged {
            self.close_by_moving(kinds, options, &mut projection);
        }
        self.assemble(kinds, true);
        self.kick(kinds, control, 0.5 * h, 0.0);
        factor_and_reduce(&mut self.node, &mut self.lambda);
        substitute(&self.node, &mut self.lambda);
        self.factored = true;
        reached.project(&projection);
        (reached, projection.error)
    }

    /// Adds the impulses of the piece before to those of the step, if this is not the first.
    fn carry_impulses(&mut self, piece: &Piece) {
        let joints = if piece.index > 0 { self.impulse.len() } else { 0 };
        self.earlier.resize(joints, DVec3::ZERO);
        self.earlier.iter_mut().zip(&self.impulse).for_each(|(sum, last)| *sum += *last);
    }

    /// Turn of the fastest swing under the tension of the joints within `h` seconds \[rad\], by the impulses of half
    /// of them.
    fn swing(&self, kinds: &[Kind], h: f64) -> f64 {
        let pairs = || self.link.iter().zip(self.impulse.windows(2));
        // A bound that costs next to nothing serves as long as nothing is taut.
        let bound = pairs().map(|(link, ends)| kinds[link.kind as usize].swing_bound(ends)).fold(0.0, larger);
        let fastest = if bound.sqrt() * 2.0 * h <= RESOLVED * RESOLVED {
            bound.sqrt()
        } else {
            pairs().map(|(link, ends)| link.swing_rate(ends)).fold(0.0, larger)
        };
        (fastest * 2.0 * h).sqrt()
    }

    /// Takes poses and velocities over. True when the poses are those the last step ended with.
    fn read(&mut self, kinds: &[Kind], state: &State) -> bool {
        let Self { link, path, .. } = self;
        let links = link.par_iter_mut().zip(&path.body).with_min_len(CHUNK);
        links
            .map(|(link, &body)| {
                let (pose, twist) = (&state.body_q[body as usize], &state.body_qd[body as usize]);
                link.read(&kinds[link.kind as usize], pose, twist)
            })
            .reduce(|| true, |a, b| a & b)
    }

    /// Blocks of the joints from the links at their poses, to which they may have `moved` in this step.
    fn assemble(&mut self, kinds: &[Kind], moved: bool) {
        let Self { link, node, path, .. } = self;
        let turn = middle(node.len());
        let count = link.len();
        let mut carried = path.anchored[0].map(|_| glamx::DMat3::ZERO);
        for (k, link) in link.iter_mut().enumerate() {
            let block = link.place(&kinds[link.kind as usize], moved);
            let joined = k > 0 || path.anchored[0].is_some();
            node[k].diagonal = match carried {
                Some(other) if joined => other + block.first,
                _ => glamx::DMat3::IDENTITY,
            };
            let coupled = joined && (k + 1 < count || path.anchored[1].is_some());
            let coupling = if coupled { block.between } else { glamx::DMat3::ZERO };
            if k < turn {
                node[k].coupling = coupling;
            } else {
                node[k + 1].coupling = coupling.transpose();
            }
            carried = Some(block.second);
        }
        node[count].diagonal = match (path.anchored[1], carried) {
            (Some(_), Some(other)) => other,
            _ => glamx::DMat3::IDENTITY,
        };
    }

    /// Half a kick by gravity and the user, and the rates it leaves in the joints; `ahead` seconds of
    /// centripetal acceleration are added so that the motion that follows ends nearly closed.
    fn kick(&mut self, kinds: &[Kind], control: &Control, h: f64, ahead: f64) {
        let Self { link, path, gravity, lambda, .. } = self;
        let mut before = DVec3::ZERO;
        for (k, link) in link.iter_mut().enumerate() {
            let force = control.body_f[path.body[k] as usize];
            link.kick(&kinds[link.kind as usize], *gravity, force, h);
            let [first, second] = link.end_speeds(ahead);
            lambda[k] = if k > 0 || path.anchored[0].is_some() { first - before } else { DVec3::ZERO };
            before = second;
        }
        let count = link.len();
        lambda[count] = if path.anchored[1].is_some() { -before } else { DVec3::ZERO };
    }

    /// Applies the joint impulses and moves the links, again until all joints end closed.
    fn close(&mut self, kinds: &[Kind], state: &State, options: &StructuredOptions, h: f64) -> Projection {
        let mut projection = Projection::default();
        let mut last = f64::INFINITY;
        loop {
            projection.error = self.advance(kinds, state, h);
            projection.converged = projection.error <= options.tolerance;
            let gained = projection.error < 0.5 * last;
            if projection.converged || !gained || projection.solves >= options.max_projections {
                return projection;
            }
            last = projection.error;
            reduce(&self.node, &mut self.lambda);
            substitute(&self.node, &mut self.lambda);
            self.impulse.iter_mut().zip(&self.lambda).for_each(|(sum, lambda)| *sum += *lambda);
            projection.solves += 1;
        }
    }

    /// Moves the links until the joints are closed, by Newton's method; velocities stay. For motions so far
    /// or tensions so large that corrections by old factors fail.
    fn close_by_moving(&mut self, kinds: &[Kind], options: &StructuredOptions, projection: &mut Projection) {
        while !projection.converged && projection.solves < options.max_projections {
            self.assemble(kinds, true);
            projection.error = self.gaps(kinds);
            factor_and_reduce(&mut self.node, &mut self.lambda);
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

    /// Applies the multipliers, moves the links from the poses of the state, and leaves the gaps per second
    /// as the next right-hand sides. Returns the largest gap \[m\].
    fn advance(&mut self, kinds: &[Kind], state: &State, h: f64) -> f64 {
        let Self { link, path, lambda, .. } = self;
        let (mut worst, mut before): (f64, _) = (0.0, path.anchored[0]);
        let mut pushed = lambda[0];
        let rate = 1.0 / h;
        for (k, link) in link.iter_mut().enumerate() {
            let kind = &kinds[link.kind as usize];
            let next = lambda[k + 1];
            link.push(kind, pushed, next);
            let [first, second] = link.advance(kind, &state.body_q[path.body[k] as usize], h);
            let gap = before.map_or(DVec3::ZERO, |before| first - before);
            worst = worst.max(gap.length_squared());
            lambda[k] = gap * rate;
            (before, pushed) = (Some(second), next);
        }
        let gap = path.anchored[1].zip(before).map_or(DVec3::ZERO, |(anchor, before)| anchor - before);
        lambda[link.len()] = gap * rate;
        worst.max(gap.length_squared()).sqrt()
    }

    /// Applies the last multipliers and hands poses and velocities back.
    fn write(&mut self, kinds: &[Kind], state: &mut State) {
        let Self { link, path, lambda, impulse, .. } = self;
        for (k, link) in link.iter_mut().enumerate() {
            let kind = &kinds[link.kind as usize];
            link.push(kind, lambda[k], lambda[k + 1]);
            let body = path.body[k] as usize;
            (state.body_q[body], state.body_qd[body]) = link.write(kind);
        }
        impulse.iter_mut().zip(lambda).for_each(|(sum, lambda)| *sum += *lambda);
    }
}
