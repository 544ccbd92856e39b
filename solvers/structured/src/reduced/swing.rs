//! How stiff a tree is: the frequency of its fastest swing, which a step must resolve.
//!
//! A bound comes from the forces of the joints and costs little. Where it is too large to tell, the frequency is found by power
//! iteration on the change of the accelerations with the coordinates: the direction is kept from step to step, so that
//! one more evaluation every few steps follows it.

use drystone_kernels::lanes;
use drystone_model::{DVec3, Model};
use serde::{Deserialize, Serialize};

use super::Reduced;
use super::hung::{Hung, NONE};
use super::stage::{Accelerate, Now};
use crate::substeps::{RESOLVED, larger};

/// Swing within a step that Runge and Kutta's scheme follows as well as leapfrog follows [`RESOLVED`], which is half of what it bears
/// \[rad\].
const FOLLOWED: f64 = std::f64::consts::SQRT_2;
/// Iterations when nothing is known, and steps from one to the next later on.
const FIRST: u32 = 8;
const EVERY: u64 = 4;
/// Way along the direction, in units of its largest entry \[m or rad\].
const WAY: f64 = 1.0e-5;

/// What a body hangs on its joint with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carried {
    /// Force of the joint \[N\].
    force: DVec3,
    /// Bound of the squared frequency of its swing \[1/s²\].
    bound: f64,
}

/// The fastest swing as far as it is known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Fastest {
    /// Direction, its largest entry one; empty if nothing is known.
    direction: Vec<[f64; 4]>,
    /// Squared frequency \[1/s²\].
    square: f64,
}

impl Reduced {
    /// Turn of the fastest swing within `h` seconds, in units of what a step can follow; after the first stage, whose
    /// accelerations are at hand.
    pub(super) fn swing(&mut self, model: &Model, step: u64, h: f64) -> f64 {
        let bound = self.bound(model);
        if bound.is_nan() {
            return f64::NAN;
        }
        let followed = RESOLVED * h / FOLLOWED;
        if 1.5 * bound.sqrt() * followed <= RESOLVED {
            self.fastest.direction.clear();
            return bound.sqrt() * followed;
        }
        let known = self.fastest.direction.len() == self.start.len();
        if !known || step.is_multiple_of(EVERY) {
            self.follow(if known { 1 } else { FIRST });
        }
        self.fastest.square.sqrt() * followed
    }

    /// Turn of the swing that takes part in the motion, in the same units, by the third difference of the accelerations of the stages: the
    /// places of the stages are off by squares of the step, which for an oscillator of frequency ω makes it ⅔ (ω h)² of the
    /// acceleration; centrifugal forces that grow too fast show as well. Changes that move nothing by more than `tolerance`
    /// are rounding.
    pub(super) fn change(&self, h: f64, tolerance: f64) -> f64 {
        let [first, second, third, fourth] = self.stages.each_ref().map(|stage| stage.as_flattened());
        let (mut change, mut size) = (0.0, 0.0);
        for (index, first) in first.iter().enumerate() {
            let difference = (first - fourth[index]) + 3.0 * (third[index] - second[index]);
            change += difference * difference;
            size += (first * first).max(second[index] * second[index]);
        }
        if change.sqrt() * h * h <= tolerance {
            return 0.0;
        }
        RESOLVED * (1.5 * (change / size).sqrt()).sqrt() / FOLLOWED
    }

    /// Iterates.
    fn follow(&mut self, times: u32) {
        let Self { layout, start, pushes, work, stages: [first, ..], fastest, probe, .. } = self;
        if fastest.direction.len() != start.len() {
            // Neighbours turn against each other in the fastest swing. Quads of one level come one after the other.
            let sign = |quad: usize| if quad.is_multiple_of(2) { 1.0 } else { -0.9 };
            fastest.direction = (0..start.len()).map(|quad| [1.0, -0.8, 0.9, -0.7].map(|x| x * sign(quad))).collect();
        }
        for _ in 0..times {
            probe.clear();
            let rates = start.iter().map(|start| start.rate);
            probe
                .extend(fastest.direction.iter().zip(rates).map(|(way, rate)| Now { way: way.map(|x| WAY * x), rate }));
            lanes::run(Accelerate { frames: &layout.frames, start, now: probe, pushes, work });
            let (mut before, mut after, mut largest) = (0.0, 0.0, 0.0);
            for ((direction, along), first) in fastest.direction.iter_mut().zip(&work.along).zip(&*first) {
                for lane in 0..4 {
                    before += direction[lane] * direction[lane];
                    direction[lane] = (along[lane] - first[lane]) / WAY;
                    after += direction[lane] * direction[lane];
                    largest = larger(largest, direction[lane].abs());
                }
            }
            fastest.square = (after / before).sqrt();
            let scale = if largest > 0.0 { 1.0 / largest } else { 0.0 };
            fastest.direction.iter_mut().flatten().for_each(|x| *x *= scale);
            if !(largest > 0.0 && fastest.square.is_finite()) {
                // Nothing answers: there is no swing, or there are no numbers.
                fastest.direction.clear();
                break;
            }
        }
    }

    /// Bound of the squared frequency of every body's swing under the forces of its joints \[1/s²\].
    fn bound(&mut self, model: &Model) -> f64 {
        let mut carried = std::mem::take(&mut self.carried);
        carried.clear();
        carried.resize(model.body_count(), Carried::default());
        self.own_forces(&mut carried);
        let mut bound: f64 = 0.0;
        for hung in self.layout.hung.iter().rev().filter(|hung| hung.joint != NONE) {
            let force = carried[hung.to as usize].force;
            for (side, body) in [(1, hung.to), (0, hung.from)] {
                if let Some(of) = carried.get_mut(body as usize) {
                    of.bound += self.yields[body as usize] * force.length() * self.lever(hung, side);
                    bound = larger(bound, of.bound);
                }
            }
            if let Some(from) = carried.get_mut(hung.from as usize) {
                from.force += force;
            }
        }
        self.carried = carried;
        bound
    }

    /// Length of the lever of a joint on the body it hangs from (0) or on the other (1) \[m\].
    fn lever(&self, hung: &Hung, side: usize) -> f64 {
        let mut length = hung.frame[side].translation.length();
        for axis in (0..3).filter(|&axis| side == 0 && hung.slides[axis]) {
            let link = hung.link[axis] as usize;
            length += self.start[link / 4].offset[link % 4].abs();
        }
        length
    }

    /// What every body needs to move as it does, weight and user taken off.
    fn own_forces(&self, carried: &mut [Carried]) {
        for (quad, frames) in self.layout.frames.iter().enumerate() {
            for lane in (0..4).filter(|&lane| frames.body[lane] != NONE) {
                let motion = &self.work.motion[quad];
                let vector = |of: &[[f64; 4]]| DVec3::new(of[0][lane], of[1][lane], of[2][lane]);
                let push = self.pushes.get(quad).map_or(DVec3::ZERO, |push| vector(push));
                let needed = frames.mass[lane] * vector(motion) - vector(&frames.weight) - push;
                carried[frames.body[lane] as usize].force = needed;
            }
        }
    }
}
