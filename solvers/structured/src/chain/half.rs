//! Half a chain, between its end and the middle, where both halves meet, and the sweeps over it. Whatever is to be done
//! with a link on the way is done in one go: a long chain does not fit into the caches, and every sweep takes it through them. What
//! needs no neighbour is done for four links at once, what follows the chain one by one.
//!
//! Links are counted from outside inwards, and joints pull with the sign that the first half has: a multiplier pulls the link on its
//! inner side back and the one on its outer side forward. In the second half it is the opposite of the chain's.

use drystone_kernels::lanes::{self, Simd4, Wide3};
use drystone_model::{Control, DMat3, DQuat, DVec3, Pose, State, Twist};

use super::layout::{Layout, Path};
use super::link::{Found, Kind, Make, Quad};
use super::sweep::{Advance, Factor, Finish, Gaps, Start};
use crate::linalg::twisted::{Symmetric, Taken, reduce, substitute};
use crate::substeps::{larger, swing_rate, swing_stiffness};
use crate::wide::{set_vector, vector};

/// Links from one end of a chain to its middle, each with the joint on its outer side.
#[derive(Clone, Debug, Default)]
pub struct Half {
    /// Number of links.
    pub count: usize,
    /// Their bodies, the last one repeated up to a multiple of four.
    pub body: Vec<u32>,
    /// The links.
    pub quad: Vec<Quad>,
    /// Inverse blocks of the joints, eliminated.
    pub inverse: Vec<Symmetric>,
    /// Gains of the joints.
    pub gain: Vec<DMat3>,
    /// Right-hand sides of the joints \[m/s\].
    pub x: Vec<DVec3>,
    /// Impulses of the joints in the step, or in its last piece \[N·s\].
    pub impulse: Vec<DVec3>,
    /// Those of the pieces before.
    pub earlier: Vec<DVec3>,
    /// Which joint of a link in the order of the chain is its outer one: 0 in the first half, 1 in the second.
    pub outer: usize,
    /// Where the outermost joint is held, if it is \[m\].
    pub anchor: Option<DVec3>,
}

/// A kick by gravity and the user.
#[derive(Clone, Copy)]
pub struct Kick<'a> {
    /// \[m/s²\].
    pub gravity: DVec3,
    /// Forces of the user, if there are any.
    pub control: Option<&'a Control>,
    /// How long it lasts \[s\].
    pub h: f64,
}

impl Kick<'_> {
    /// What four links gain: velocity and angular momentum.
    #[inline(always)]
    pub fn gain<L: lanes::Lanes>(&self, lanes: L, make: &Make<L>, body: [u32; 4]) -> [Wide3<L>; 2] {
        let fall = Wide3::splat(lanes, self.gravity * self.h);
        let Some(control) = self.control else { return [fall, Wide3::splat(lanes, DVec3::ZERO)] };
        let h = Simd4::splat(lanes, self.h);
        let force = Wide3::gather(lanes, body.map(|body| control.body_f[body as usize].0));
        let torque = Wide3::gather(lanes, body.map(|body| control.body_f[body as usize].1));
        [fall + force.times(make.inverse_mass).times(h), torque.times(h)]
    }
}

/// What a sweep towards the middle brings there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inward {
    /// What the elimination takes from the middle.
    pub taken: Taken,
    /// Speed of the inner end of the last link, or of the world; none if nothing is there.
    pub speed: Option<DVec3>,
    /// What that link adds to the diagonal block of the middle.
    pub block: Option<Symmetric>,
}

/// What a sweep from the middle begins with, in the sign of the half.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    /// Impulse of the joint there \[N·s\].
    pub impulse: DVec3,
    /// The same with those of the step before it.
    pub total: DVec3,
}

impl Middle {
    /// In the sign of the other half.
    pub fn mirrored(self) -> Self {
        Self { impulse: -self.impulse, total: -self.total }
    }
}

/// What a sweep from the middle leaves there.
#[derive(Clone, Copy, Debug)]
pub struct Outward {
    /// Where the inner end of the innermost link came to, or the anchor, if there is any \[m\].
    pub end: Option<DVec3>,
    /// Square of the largest gap \[m²\].
    pub worst: f64,
    /// The largest bound on the square of how fast a link swings.
    pub swing: f64,
    /// Whether all links were where the state has them.
    pub same: bool,
}

/// Energy and momentum of links.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// \[J\].
    pub kinetic: f64,
    /// \[J\].
    pub potential: f64,
    /// \[kg·m/s\].
    pub linear: DVec3,
    /// About the origin \[kg·m²/s\].
    pub angular: DVec3,
}

impl Motion {
    /// Of both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            kinetic: self.kinetic + other.kinetic,
            potential: self.potential + other.potential,
            linear: self.linear + other.linear,
            angular: self.angular + other.angular,
        }
    }
}

/// Poses and velocities of the bodies from `first` on, to be written.
pub struct Bodies<'a> {
    /// The body they begin with.
    pub first: usize,
    /// Poses of the body frames.
    pub q: &'a mut [Pose],
    /// Velocities.
    pub qd: &'a mut [Twist],
}

impl<'a> Bodies<'a> {
    /// All of a state.
    pub fn of(state: &'a mut State) -> Self {
        Self { first: 0, q: &mut state.body_q, qd: &mut state.body_qd }
    }

    /// Those before a body, and the others.
    pub fn split(self, at: usize) -> [Self; 2] {
        let (q, qd) = (self.q.split_at_mut(at - self.first), self.qd.split_at_mut(at - self.first));
        [Self { first: self.first, q: q.0, qd: qd.0 }, Self { first: at, q: q.1, qd: qd.1 }]
    }
}

impl Half {
    /// The half of a chain with the given links, from outside inwards.
    pub fn new(path: &Path, layout: &Layout, links: impl Iterator<Item = usize>, outer: usize) -> Self {
        let mut body: Vec<u32> = links.map(|link| path.body[link]).collect();
        let count = body.len();
        if let Some(&last) = body.last() {
            body.resize(count.next_multiple_of(4), last);
        }
        let kind = |body: u32| layout.body_kind[body as usize];
        let quad = body.chunks_exact(4).map(|of| Quad::new([0, 1, 2, 3].map(|lane| kind(of[lane])))).collect();
        Self {
            count,
            body,
            quad,
            inverse: vec![Symmetric::default(); count],
            gain: vec![DMat3::ZERO; count],
            x: vec![DVec3::ZERO; count],
            impulse: vec![DVec3::ZERO; count],
            earlier: Vec::new(),
            outer,
            anchor: path.anchored[outer],
        }
    }

    /// How many links four lanes hold at a place.
    #[inline(always)]
    pub fn valid(&self, quad: usize) -> usize {
        (self.count - 4 * quad).min(4)
    }

    /// Bodies of four lanes.
    #[inline(always)]
    pub fn bodies(&self, quad: usize) -> [u32; 4] {
        let of = &self.body[4 * quad..4 * quad + 4];
        [of[0], of[1], of[2], of[3]]
    }

    /// The bodies it lies within: the least and the largest index.
    pub fn range(&self) -> Option<[usize; 2]> {
        Some([*self.body.iter().min()? as usize, *self.body.iter().max()? as usize])
    }

    /// Kicks what the state has and eliminates the rates this leaves in the joints, with `ahead` seconds of their centripetal
    /// acceleration, so that the motion that follows ends nearly closed.
    pub fn start(&mut self, kinds: &[Kind], state: &State, kick: Kick, ahead: f64) -> Inward {
        if self.count == 0 { self.nothing() } else { lanes::run(Start { half: self, kinds, state, kick, ahead }) }
    }

    /// Blocks at the poses, their factors, and, with a kick, the elimination of the rates it leaves.
    pub fn factor(&mut self, kinds: &[Kind], kick: Option<Kick>) -> Inward {
        if self.count == 0 { self.nothing() } else { lanes::run(Factor { half: self, kinds, kick }) }
    }

    /// What a half without links brings to the middle.
    fn nothing(&self) -> Inward {
        let block = self.anchor.map(|_| Symmetric::default());
        Inward { speed: self.anchor.map(|_| DVec3::ZERO), block, ..Inward::default() }
    }

    /// Impulses from that of the middle outwards; pushes the links, moves them for `h` seconds from the poses of the state, and leaves the
    /// gaps per second as the next right-hand sides. With a kick it begins at the velocities of the state, without one it goes on.
    pub fn advance(&mut self, kinds: &[Kind], state: &State, middle: Middle, h: f64, kick: Option<Kick>) -> Outward {
        if self.count == 0 {
            return Outward { end: self.anchor, worst: 0.0, swing: 0.0, same: true };
        }
        lanes::run(Advance { half: self, kinds, state, middle, h, kick })
    }

    /// The last impulses from that of the middle outwards, and the state they lead to.
    pub fn finish(&mut self, kinds: &[Kind], bodies: Bodies, kick: Kick, middle: DVec3) -> Motion {
        if self.count == 0 {
            return Motion::default();
        }
        lanes::run(Finish { half: self, kinds, bodies, kick, middle })
    }

    /// Leaves the gaps of the joints as right-hand sides; returns the square of the largest \[m²\], and the inner end.
    pub fn gaps(&mut self, kinds: &[Kind]) -> (f64, Option<DVec3>) {
        if self.count == 0 {
            return (0.0, self.anchor);
        }
        let (worst, end) = lanes::run(Gaps { half: self, kinds });
        (worst, Some(end))
    }

    /// Takes the poses of the state over.
    pub fn read(&mut self, kinds: &[Kind], state: &State) {
        for quad in 0..self.quad.len() {
            let (body, kind) = (self.bodies(quad), self.quad[quad].kind);
            let make = Make::new(lanes::Plain, kinds, kind, self.outer);
            let found = Found::new(lanes::Plain, &make, state, body);
            (self.quad[quad].com, self.quad[quad].rotation) = (found.com.store(), found.rotation.store());
        }
    }

    /// The first half of a solve with the factors at hand; returns what it takes from the middle.
    pub fn reduce(&mut self) -> DVec3 {
        self.gain.iter().zip(&mut self.x).fold(DVec3::ZERO, |taken, (gain, x)| {
            *x -= taken;
            reduce(gain, *x)
        })
    }

    /// Moves the links by what the solution of the right-hand sides would do in a second.
    pub fn displace(&mut self, kinds: &[Kind], middle: DVec3) {
        let mut inner = middle;
        for k in (0..self.count).rev() {
            let own = substitute(&self.inverse[k], &self.gain[k], self.x[k], inner);
            let (quad, lane) = (&mut self.quad[k / 4], k % 4);
            let kind = &kinds[quad.kind[lane] as usize];
            let rotation = quad.turn(lane);
            let [first, second] = [self.outer, 1 - self.outer].map(|end| rotation * kind.anchor[end]);
            let torque = rotation.conjugate() * (second.cross(inner) - first.cross(own));
            let turn = rotation * (kind.inverse * torque);
            let com = vector(&quad.com, lane) + (inner - own) / kind.mass;
            set_vector(&mut quad.com, lane, com);
            let turned = (DQuat::from_scaled_axis(turn) * rotation).normalize().to_array();
            (0..4).for_each(|part| quad.rotation[part][lane] = turned[part]);
            inner = own;
        }
        self.repeat_last();
    }

    /// ω² of the fastest swing of a link under the impulses of its joints, at the poses of the state \[N·s/(kg·m)\].
    pub fn swing(&self, kinds: &[Kind], state: &State, middle: DVec3) -> f64 {
        let inner = self.impulse.iter().skip(1).chain([&middle]);
        let links = self.body.iter().zip(self.impulse.iter().zip(inner)).enumerate();
        let rate = |(k, (&body, (&outer, &inner))): (usize, (&u32, (&DVec3, &DVec3)))| {
            let kind = &kinds[self.quad[k / 4].kind[k % 4] as usize];
            let turn = DMat3::from_quat(state.body_q[body as usize].rotation);
            let lever = [self.outer, 1 - self.outer].map(|end| turn * kind.anchor[end]);
            let stiffness = swing_stiffness(-outer, lever[0]) + swing_stiffness(inner, lever[1]);
            swing_rate(turn * kind.inverse * turn.transpose(), stiffness)
        };
        links.map(rate).fold(0.0, larger)
    }

    /// Keeps the lanes beyond the last link equal to it.
    fn repeat_last(&mut self) {
        let (last, Some(quad)) = ((self.count + 3) % 4, self.quad.last_mut()) else { return };
        for lane in last + 1..4 {
            quad.com.iter_mut().for_each(|part| part[lane] = part[last]);
            quad.rotation.iter_mut().for_each(|part| part[lane] = part[last]);
        }
    }
}
