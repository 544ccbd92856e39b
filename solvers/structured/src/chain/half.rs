//! Sweeps over half a chain, between its end and the middle, where both halves meet. Whatever is to be done with a link on
//! the way is done in one go: a long chain does not fit into the caches, and every sweep takes it through them.

use drystone_model::{Control, DMat3, DVec3, State};

use super::link::{Kind, Link};
use crate::linalg::twisted::{Taken, TwistedNode};
use crate::substeps::larger;

/// Links from one end of a chain to its middle, each with the joint on its outer side.
pub struct Half<'a> {
    /// Links in the order of the chain.
    pub link: &'a mut [Link],
    /// Blocks of the joints on their outer sides.
    pub node: &'a mut [TwistedNode],
    /// Right-hand sides, then multipliers of these joints.
    pub x: &'a mut [DVec3],
    /// Impulses of these joints.
    pub impulse: &'a mut [DVec3],
    /// Bodies of the links.
    pub body: &'a [u32],
    /// Which end of a link is its outer one: 0 in the first half of the chain, 1 in the second.
    pub outer: usize,
    /// Where the outermost joint is held, if it is \[m\].
    pub anchor: Option<DVec3>,
}

/// A kick by gravity and the user.
#[derive(Clone, Copy)]
pub struct Kick<'a> {
    /// \[m/s²\].
    pub gravity: DVec3,
    /// Forces of the user.
    pub control: &'a Control,
    /// How long it lasts \[s\].
    pub h: f64,
    /// Seconds of centripetal acceleration to add to the rates, so that the motion that follows ends nearly closed.
    pub ahead: f64,
}

/// What a sweep towards the middle brings there.
#[derive(Clone, Copy, Debug)]
pub struct Inward {
    /// What the elimination takes from the middle.
    pub taken: Taken,
    /// Speed of the inner end of the last link, or of the world; none if nothing is there.
    pub speed: Option<DVec3>,
    /// What that link adds to the diagonal block of the middle.
    pub block: Option<DMat3>,
    /// Whether all links were where the state has them.
    pub same: bool,
}

/// What a sweep from the middle begins with.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    /// Impulse of the joint there \[N·s\].
    pub impulse: DVec3,
    /// The same with those of the step before it.
    pub total: DVec3,
}

/// What a sweep from the middle leaves there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outward {
    /// Where the inner end of the innermost link came to, or the anchor, if there is any \[m\].
    pub end: Option<DVec3>,
    /// Square of the largest gap \[m²\].
    pub worst: f64,
    /// The largest [`Kind::swing_bound`] of a link.
    pub swing: f64,
}

impl Half<'_> {
    /// The place of the link that is the `step`th from outside.
    #[inline]
    fn place(&self, step: usize) -> usize {
        if self.outer == 0 { step } else { self.link.len() - 1 - step }
    }

    /// A difference of ends at a joint as the chain counts it: the link after it less the one before it.
    #[inline]
    fn across(&self, outer: DVec3, inner: DVec3) -> DVec3 {
        if self.outer == 0 { inner - outer } else { outer - inner }
    }

    /// Takes the state over, kicks, and eliminates the rates this leaves in the joints with the factors at hand.
    pub fn start(&mut self, kinds: &[Kind], state: &State, kick: Kick) -> Inward {
        let mut speed = self.anchor.map(|_| DVec3::ZERO);
        let (mut taken, mut same) = (DVec3::ZERO, true);
        for step in 0..self.link.len() {
            let k = self.place(step);
            let (link, body) = (&mut self.link[k], self.body[k] as usize);
            let kind = &kinds[link.kind as usize];
            same &= link.read(kind, &state.body_q[body], &state.body_qd[body]);
            link.kick(kind, kick.gravity, kick.control.body_f[body], kick.h);
            let ends = link.end_speeds(kick.ahead);
            self.x[k] = speed.map_or(DVec3::ZERO, |speed| self.across(speed, ends[self.outer]));
            speed = Some(ends[1 - self.outer]);
            taken = self.node[k].reduce(&mut self.x[k], taken);
        }
        Inward { taken: Taken { rhs: taken, ..Taken::NOTHING }, speed, block: None, same }
    }

    /// Blocks at the poses, to which the links may have `moved` in this step, their factors, and, with a kick, the
    /// elimination of the rates it leaves.
    pub fn factor(&mut self, kinds: &[Kind], moved: bool, kick: Option<Kick>) -> Inward {
        let (mut speed, mut block) = (self.anchor.map(|_| DVec3::ZERO), self.anchor.map(|_| DMat3::ZERO));
        let mut taken = Taken::NOTHING;
        for step in 0..self.link.len() {
            let k = self.place(step);
            let link = &mut self.link[k];
            let kind = &kinds[link.kind as usize];
            let own = link.place(kind, moved);
            let ends = kick.map_or([DVec3::ZERO; 2], |kick| {
                link.kick(kind, kick.gravity, kick.control.body_f[self.body[k] as usize], kick.h);
                link.end_speeds(kick.ahead)
            });
            self.x[k] = speed.map_or(DVec3::ZERO, |speed| self.across(speed, ends[self.outer]));
            speed = Some(ends[1 - self.outer]);
            let (outer, inner, between) = if self.outer == 0 {
                (own.first, own.second, own.between)
            } else {
                (own.second, own.first, own.between.transpose())
            };
            self.node[k] =
                block.map_or(TwistedNode::EMPTY, |block| TwistedNode { diagonal: block + outer, coupling: between });
            block = Some(inner);
            taken = self.node[k].eliminate(&mut self.x[k], &taken);
        }
        Inward { taken, speed, block, same: true }
    }

    /// Impulses from that of the middle outwards; pushes the links, moves them from the poses of the state, and leaves the
    /// gaps per second as the next right-hand sides. Impulses add to those of the step, or `begin` them.
    pub fn advance(&mut self, kinds: &[Kind], state: &State, middle: Middle, h: f64, begin: bool) -> Outward {
        let Middle { impulse: mut inner, total: mut inner_total } = middle;
        let (mut worst, mut swing, rate) = (0.0f64, 0.0f64, 1.0 / h);
        let (mut last, mut innermost) = (None::<(usize, DVec3)>, None);
        for step in (0..self.link.len()).rev() {
            let k = self.place(step);
            let own = self.node[k].substitute(self.x[k], inner);
            let total = if begin { own } else { self.impulse[k] + own };
            self.impulse[k] = total;
            let kind = &kinds[self.link[k].kind as usize];
            swing = larger(swing, kind.swing_bound(self.outer, total, inner_total));
            self.push(kind, k, own, inner);
            let ends = self.link[k].advance(kind, &state.body_q[self.body[k] as usize], h);
            match last {
                Some((joint, end)) => {
                    let gap = self.across(ends[1 - self.outer], end);
                    worst = worst.max(gap.length_squared());
                    self.x[joint] = gap * rate;
                }
                None => innermost = Some(ends[1 - self.outer]),
            }
            last = Some((k, ends[self.outer]));
            (inner, inner_total) = (own, total);
        }
        if let Some((joint, end)) = last {
            let gap = self.anchor.map_or(DVec3::ZERO, |anchor| self.across(anchor, end));
            worst = worst.max(gap.length_squared());
            self.x[joint] = gap * rate;
        }
        Outward { end: innermost.or(self.anchor), worst, swing }
    }

    /// The last impulses from that of the middle outwards, and the state they lead to.
    pub fn finish(&mut self, kinds: &[Kind], state: &mut State, middle: DVec3) {
        let mut inner = middle;
        for step in (0..self.link.len()).rev() {
            let k = self.place(step);
            let own = self.node[k].substitute(self.x[k], inner);
            self.impulse[k] += own;
            let kind = &kinds[self.link[k].kind as usize];
            self.push(kind, k, own, inner);
            let body = self.body[k] as usize;
            (state.body_q[body], state.body_qd[body]) = self.link[k].write(kind);
            inner = own;
        }
    }

    #[inline]
    fn push(&mut self, kind: &Kind, k: usize, outer: DVec3, inner: DVec3) {
        let (first, second) = if self.outer == 0 { (outer, inner) } else { (inner, outer) };
        self.link[k].push(kind, first, second);
    }
}
