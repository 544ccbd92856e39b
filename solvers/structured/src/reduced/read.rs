//! Coordinates of the links from the poses and velocities of a state.

use drystone_kernels::elementary::sin_cos;
use drystone_model::{DQuat, DVec3, Model, Pose, State, Twist, WORLD};

use super::Reduced;
use super::hung::{Hung, NONE, Turning};
use super::layout::Frames;
use super::stage::Start;
use crate::wide::set_vector;

/// How far the joints of a state are open, and how fast they open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gaps {
    /// \[m\].
    pub linear: f64,
    /// \[rad\].
    pub angle: f64,
    /// The larger of both, angles by the size of their joint \[m\].
    pub open: f64,
    /// \[m/s\].
    pub rate: f64,
}

/// A body with its centre of mass.
#[derive(Clone, Copy)]
pub struct Placed {
    pub centre: DVec3,
    pub turn: DQuat,
    pub twist: Twist,
}

impl Placed {
    /// A body, or the world, which is still.
    pub fn of(model: &Model, body_q: &[Pose], body_qd: &[Twist], body: u32, moves: bool) -> Self {
        let still = Twist { linear: DVec3::ZERO, angular: DVec3::ZERO };
        if body == WORLD {
            return Self { centre: DVec3::ZERO, turn: DQuat::IDENTITY, twist: still };
        }
        let index = body as usize;
        let pose = &body_q[index];
        let twist = if moves { body_qd[index] } else { still };
        Self { centre: pose.transform_point(model.body_com[index]), turn: pose.rotation, twist }
    }
}

impl Reduced {
    /// Reads coordinates and rates of all links, and how far the joints are open.
    pub(super) fn read(&mut self, model: &Model, state: &State) {
        let mut gaps = Gaps::default();
        self.read_roots(model, state);
        let Self { layout, start, yields, .. } = self;
        for hung in &layout.hung {
            let from_moves = yields.get(hung.from as usize) > Some(&0.0);
            let from = Placed::of(model, &state.body_q, &state.body_qd, hung.from, from_moves);
            let to = Placed::of(model, &state.body_q, &state.body_qd, hung.to, true);
            if hung.joint == NONE {
                float(hung, &to, &mut layout.frames, start);
                continue;
            }
            let hint = DVec3::from_array(state.joint_angle[hung.joint as usize]);
            let seen = Seen::new(hung, &from, &to);
            let off = seen.read(hung, hint, &mut layout.frames, start);
            gaps.add(&off, hung.size);
        }
        self.gaps = gaps;
    }

    /// Places what does not move.
    fn read_roots(&mut self, model: &Model, state: &State) {
        let first = self.layout.frames.len();
        for (index, &root) in self.layout.root.iter().enumerate() {
            let (quad, lane) = (first + index / 4, index % 4);
            let at = Placed::of(model, &state.body_q, &state.body_qd, root, false);
            let (turn, matrix) = (at.turn.to_array(), drystone_model::DMat3::from_quat(at.turn).to_cols_array());
            let posed = &mut self.work.posed[quad];
            (0..4).for_each(|k| posed[k][lane] = turn[k]);
            (0..9).for_each(|k| posed[4 + k][lane] = matrix[k]);
            let place = at.centre.to_array();
            (0..3).for_each(|k| self.place[quad][k][lane] = place[k]);
        }
    }
}

impl Gaps {
    fn add(&mut self, off: &Off, size: f64) {
        let larger = crate::substeps::larger;
        self.linear = larger(self.linear, off.linear);
        self.angle = larger(self.angle, off.angle);
        self.open = larger(self.open, larger(off.linear, off.angle * size));
        self.rate = larger(self.rate, larger(off.speed, off.spin * size));
    }
}

/// What a joint does that it should not.
struct Off {
    linear: f64,
    angle: f64,
    speed: f64,
    spin: f64,
}

/// Two bodies seen from their joint: axes of the frame on the first.
struct Seen {
    turn: DQuat,
    offset: DVec3,
    speed: DVec3,
    spin: DVec3,
}

impl Seen {
    fn new(hung: &Hung, from: &Placed, to: &Placed) -> Self {
        let [near, far] = hung.frame;
        let frame = from.turn * near.rotation;
        let back = frame.conjugate();
        let lever = to.turn * far.translation;
        let origin = to.centre + lever;
        let offset = origin - (from.centre + from.turn * near.translation);
        let carried = from.twist.linear + from.twist.angular.cross(origin - from.centre);
        let speed = to.twist.linear + to.twist.angular.cross(lever) - carried;
        Self {
            turn: back * (to.turn * far.rotation),
            offset: back * offset,
            speed: back * speed,
            spin: back * (to.twist.angular - from.twist.angular),
        }
    }

    fn read(&self, hung: &Hung, hint: DVec3, frames: &mut [Frames], start: &mut [Start]) -> Off {
        let (mut offset, mut speed) = (self.offset, self.speed);
        for axis in (0..3).filter(|&axis| hung.slides[axis]) {
            let (own, lane) = at(start, hung.link[axis]);
            (own.offset[lane], own.rate[lane]) = (offset[axis], speed[axis]);
            (offset[axis], speed[axis]) = (0.0, 0.0);
        }
        let [angle, spin] = self.read_turns(hung, hint, frames, start);
        Off { linear: offset.length(), angle, speed: speed.length(), spin }
    }

    /// Returns the angle by which the joint is off, and its rate.
    fn read_turns(&self, hung: &Hung, hint: DVec3, frames: &mut [Frames], start: &mut [Start]) -> [f64; 2] {
        match hung.turning {
            Turning::Held => [2.0 * self.turn.xyz().length(), self.spin.length()],
            Turning::One(axis) => {
                let (mut off, mut spin) = (self.turn.xyz(), self.spin);
                let (sine, cosine) = (off[axis], self.turn.w);
                let scale = 1.0 / (sine * sine + cosine * cosine).sqrt();
                let (own, lane) = at(start, hung.link[3 + axis]);
                (own.sine[lane], own.cosine[lane]) = (sine * scale, cosine * scale);
                own.rate[lane] = spin[axis];
                (off[axis], spin[axis]) = (0.0, 0.0);
                [2.0 * off.length(), spin.length()]
            }
            Turning::Two(axes) => {
                let chart = drystone_model::Chart::Euler;
                let angles = chart.angles(self.turn, hint);
                let rates = chart.rates(angles, self.spin);
                for axis in axes {
                    let (own, lane) = at(start, hung.link[3 + axis]);
                    (own.sine[lane], own.cosine[lane]) = sin_cos(0.5 * angles[axis]);
                    own.rate[lane] = rates[axis];
                }
                let locked = 3 - axes[0] - axes[1];
                [angles[locked].abs(), rates[locked].abs()]
            }
            Turning::Free => {
                set_free(hung, self.turn, self.spin, frames, start);
                [0.0; 2]
            }
        }
    }
}

/// Turns counted from the one of now.
fn set_free(hung: &Hung, turn: DQuat, spin: DVec3, frames: &mut [Frames], start: &mut [Start]) {
    for axis in 0..3 {
        let (own, lane) = at(start, hung.link[3 + axis]);
        (own.sine[lane], own.cosine[lane], own.rate[lane]) = (0.0, 1.0, spin[axis]);
    }
    let behind = turn * hung.frame[1].rotation.conjugate();
    let last = hung.last as usize;
    frames[last / 4].set_turns(last % 4, behind, DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0) * behind);
}

/// A body that hangs from nothing, with ways counted from where it is.
fn float(hung: &Hung, to: &Placed, frames: &mut [Frames], start: &mut [Start]) {
    for axis in 0..3 {
        let (own, lane) = at(start, hung.link[axis]);
        (own.offset[lane], own.rate[lane]) = (0.0, to.twist.linear[axis]);
    }
    let first = hung.link[0] as usize;
    set_vector(&mut frames[first / 4].before, first % 4, to.centre);
    set_free(hung, to.turn, to.twist.angular, frames, start);
}

fn at(start: &mut [Start], link: u32) -> (&mut Start, usize) {
    (&mut start[link as usize / 4], link as usize % 4)
}
