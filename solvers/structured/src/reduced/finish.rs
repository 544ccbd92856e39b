//! Bodies where a step ends.

use drystone_kernels::lanes::{Lanes, Simd4, Task, Vectors, Wide3};
use drystone_model::{DQuat, DVec3, Pose, State, Twist};

use super::hung::NONE;
use super::layout::Frames;
use super::stage::{Now, Pair, Placed, Posed, Start, pick, put, three};
use crate::wide::vector;

/// Writes the bodies of all links where they are now.
pub struct Finish<'a> {
    pub frames: &'a [Frames],
    pub start: &'a [Start],
    pub now: &'a [Now],
    pub posed: &'a mut [Posed],
    /// Centres and their velocities; those of roots come last.
    pub place: &'a mut [Pair],
    pub state: &'a mut State,
}

impl Task for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { frames, start, now, posed, place, state } = self;
        for (quad, frames) in frames.iter().enumerate() {
            let placed = Placed::new(lanes, frames, &start[quad], &now[quad], posed);
            placed.store(&mut posed[quad]);
            let from = pick(place, frames.parent);
            let centre = three(lanes, &from, 0) + placed.before + placed.after;
            let speed = three(lanes, &from, 3)
                + placed.carried.cross(placed.before)
                + placed.sliding
                + placed.spin.cross(placed.after);
            put(&mut place[quad], 0, centre);
            put(&mut place[quad], 3, speed);
            let origin = centre - placed.matrix.times(Wide3::load(lanes, &frames.com));
            let found = Found {
                origin: origin.store(),
                turn: placed.turn.store(),
                linear: speed.store(),
                angular: placed.spin.store(),
            };
            found.write(frames, state);
        }
    }
}

/// Four bodies as a state has them.
struct Found {
    origin: Vectors,
    turn: [[f64; 4]; 4],
    linear: Vectors,
    angular: Vectors,
}

impl Found {
    #[inline(always)]
    fn write(&self, frames: &Frames, state: &mut State) {
        for lane in 0..4 {
            if frames.body[lane] == NONE {
                continue;
            }
            let body = frames.body[lane] as usize;
            let turn = DQuat::from_xyzw(self.turn[0][lane], self.turn[1][lane], self.turn[2][lane], self.turn[3][lane]);
            state.body_q[body] = Pose::from_parts(vector(&self.origin, lane), turn);
            state.body_qd[body] = Twist { linear: vector(&self.linear, lane), angular: vector(&self.angular, lane) };
        }
    }
}

/// Where a stage stands by those before it, for equations of second order: shares of the step times the rate at its start, of its square
/// times the accelerations of all stages, and of the step times these.
pub struct Target {
    pub share: f64,
    pub way: [f64; 4],
    pub rate: [f64; 4],
}

/// Ways and rates after `h` seconds or a part of them.
pub struct Advance<'a> {
    pub start: &'a [Start],
    /// Accelerations of the stages so far; others have no weight.
    pub stages: &'a [Vec<[f64; 4]>; 4],
    pub now: &'a mut [Now],
    pub target: &'a Target,
    /// \[s\].
    pub h: f64,
}

impl Task for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { start, stages: [first, second, third, fourth], now, target, h } = self;
        let Target { share, way: [a, b, c, d], rate: [e, f, g, i] } = *target;
        let share = Simd4::splat(lanes, share * h);
        let way = [a, b, c, d].map(|x| Simd4::splat(lanes, x * h * h));
        let rate = [e, f, g, i].map(|x| Simd4::splat(lanes, x * h));
        for quad in 0..now.len() {
            let begun = Simd4::load(lanes, &start[quad].rate);
            let (k, l) = (Simd4::load(lanes, &first[quad]), Simd4::load(lanes, &second[quad]));
            let (m, n) = (Simd4::load(lanes, &third[quad]), Simd4::load(lanes, &fourth[quad]));
            now[quad].way = (begun * share + (k * way[0] + l * way[1] + (m * way[2] + n * way[3]))).store();
            now[quad].rate = (begun + (k * rate[0] + l * rate[1] + (m * rate[2] + n * rate[3]))).store();
        }
    }
}

/// A force on a body as lanes have it.
pub fn set_pair(of: &mut Pair, lane: usize, force: DVec3, torque: DVec3) {
    (0..3).for_each(|k| (of[k][lane], of[3 + k][lane]) = (force[k], torque[k]));
}
