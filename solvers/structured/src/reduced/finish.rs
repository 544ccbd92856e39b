//! Bodies where a step ends.

use drystone_kernels::lanes::{Lanes, Simd4, Task};
use drystone_model::{DQuat, DVec3, Pose, State, Twist};

use super::hung::NONE;
use super::layout::Frames;
use super::stage::{Now, Pair, Placed, Posed, Start, pick, put, three};
use crate::wide::{Vectors, Wide3, vector};

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

/// Ways and rates of a stage: the start, and `h` seconds at the rates and accelerations of the stage before.
pub struct Advance<'a> {
    pub start: &'a [Start],
    /// Accelerations of the stage before.
    pub along: &'a [[f64; 4]],
    /// Its rates on entry, those of the next on return.
    pub now: &'a mut [Now],
    /// Rates and accelerations of all stages with their weights.
    pub sum: &'a mut [Now],
    pub weight: f64,
    /// Time to the next stage \[s\].
    pub h: f64,
}

impl Task for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let [weight, h] = [self.weight, self.h].map(|x| Simd4::splat(lanes, x));
        for (quad, now) in self.now.iter_mut().enumerate() {
            let (rate, along) = (Simd4::load(lanes, &now.rate), Simd4::load(lanes, &self.along[quad]));
            let sum = &mut self.sum[quad];
            sum.way = (Simd4::load(lanes, &sum.way) + rate * weight).store();
            sum.rate = (Simd4::load(lanes, &sum.rate) + along * weight).store();
            now.way = (rate * h).store();
            now.rate = (Simd4::load(lanes, &self.start[quad].rate) + along * h).store();
        }
    }
}

/// A force on a body as lanes have it.
pub fn set_pair(of: &mut Pair, lane: usize, force: DVec3, torque: DVec3) {
    (0..3).for_each(|k| (of[k][lane], of[3 + k][lane]) = (force[k], torque[k]));
}
