//! How far particles may go without passing through each other: by a plane between every two parts of the surface whose ways meet.
//!
//! Two convex parts, a point and a triangle or two edges, are parted at the start by the plane across the line between their nearest
//! points. If such a plane parts them at the end too, it does so all the way, since everything goes straight and evenly. If not, one is
//! put between them that goes as fast as the slower of the two, or stays if they come from both sides, and what would end beyond it is
//! put back along its normal: a part that is stopped still slides along and goes on with the others. What was put back may be in the
//! way of others, so all whose ways meet are looked at again, until nothing changes. Where that does not end soon, planes stay
//! and particles stop on the line to where they were going, which no other stop can undo.

use drystone_collide::{ClothPair, ClothState, ClothSurface};
use drystone_geometry::DVec3;
use drystone_model::Model;

use crate::groups::Groups;

/// Share of the way to a plane that is taken at most.
const SHORT: f64 = 0.9;
/// Particles come no nearer to a plane than this share of their radius: planes that lie on what they part are none.
const KEPT: f64 = 0.01;
/// Least share of the gap that either side has.
const LEAST: f64 = 0.05;
/// Parts that go on as they please keep this share of their gap.
const LEFT: f64 = 0.2;
/// The same of parts that go by less than this share of the sum of their radii: it brings what rubs against each other to rest.
const LEFT_SLOW: f64 = 0.5;
/// See `LEFT_SLOW`.
const SLOW: f64 = 0.5;
/// Pairs are looked for anew once a particle is to end further than this share of its radius from where it was to when they were.
const SLACK: f64 = 0.5;
/// Times that what was put back is looked at again.
const ROUNDS: u32 = 12;
/// A change below this share of the gap is rounding.
const ROUNDING: f64 = 1e-9;

/// What keeps particles apart. All indices are the model's.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    surface: ClothSurface,
    radius: Vec<f64>,
    groups: Groups,
    /// Pairs that may meet if no particle ends further than `SLACK` of its radius from where `looked` says \[m\].
    pairs: Vec<ClothPair>,
    looked: Vec<DVec3>,
    room: Vec<f64>,
    /// Where particles may go \[m\].
    end: Vec<DVec3>,
    /// Share of the way there that they take.
    share: Vec<f64>,
    /// Pairs that no fixed plane parts.
    open: Vec<u32>,
    /// Particles that were put back, and the ways they must not go on.
    halted: Vec<(u32, DVec3)>,
}

/// The motion of all particles in a step.
#[derive(Clone, Copy, Debug)]
pub struct Ways<'a> {
    /// Where they started \[m\].
    pub from: &'a [DVec3],
    /// Where they are meant to end \[m\].
    pub to: &'a [DVec3],
    /// Those that go where they are told: pinned, led or taken out.
    pub led: &'a [bool],
}

impl Guard {
    /// Keeps the particles of a model that have a radius apart.
    pub fn new(model: &Model) -> Self {
        let (groups, radius) = (Groups::new(model), model.particle_radius.clone());
        Self { surface: ClothSurface::new(model), groups, radius, ..Self::default() }
    }

    /// Two triangles, by their corners, that cross where particles are at `q`; the guard can part nothing that is not apart.
    pub fn first_crossing(&self, q: &[DVec3]) -> Option<[[u32; 3]; 2]> {
        self.surface.crossings(q).first().copied()
    }

    /// Whether there is nothing that could meet.
    pub fn is_idle(&self) -> bool {
        self.surface.is_empty()
    }

    /// Begins a step. Returns pairs that may meet in it, those that `wanted` says among them, which are looked for where particles are as large
    /// as `room` says \[m\].
    pub fn begin(
        &mut self,
        ways: &Ways,
        room: impl Fn(usize) -> f64,
        wanted: impl Fn(&ClothPair) -> bool + Sync,
    ) -> &[ClothPair] {
        self.groups.find(ways, &room);
        self.room.clear();
        self.room.extend((0..ways.from.len()).map(|particle| room(particle).max(self.radius[particle])));
        self.looked.clear();
        self.looked.extend_from_slice(ways.to);
        self.look(ways.from, false, &wanted);
        &self.pairs
    }

    /// Finds pairs that may meet on the way to where `looked` says, and those that `wanted` says.
    fn look(&mut self, from: &[DVec3], may_stop: bool, wanted: &(dyn Fn(&ClothPair) -> bool + Sync)) {
        let Self { surface, radius, groups, pairs, looked, room, .. } = self;
        let near = |pair: &ClothPair| may_stop || may_meet(pair, from, looked, radius) || wanted(pair);
        let state = ClothState { q: from, to: looked, room, may_stop, group: groups.group(), wanted: &near };
        surface.pairs(&state, pairs);
    }

    /// Where every particle may go in the step \[m\]. Those that are led go where they are told.
    pub fn ends(&mut self, ways: &Ways) -> &[DVec3] {
        self.end.clear();
        self.end.extend_from_slice(ways.to);
        self.halted.clear();
        for _ in 0..ROUNDS {
            let near = |(k, end): (usize, &DVec3)| end.distance(self.looked[k]) <= SLACK * self.radius[k];
            if !self.end.iter().enumerate().all(near) {
                self.looked.clone_from(&self.end);
                self.room.clone_from(&self.radius);
                self.look(ways.from, false, &|_| false);
            }
            let mut changed = false;
            let Self { pairs, groups, radius, end, halted, .. } = self;
            for pair in pairs.iter() {
                changed |= Parting { pair, ways, groups, radius }.part(end, halted);
            }
            if !changed {
                return &self.end;
            }
        }
        self.stop(ways);
        &self.end
    }

    /// What `ends` put back: particles, where they may go \[m\], the ways they must not go on, and their radii \[m\].
    pub fn halted(&self) -> impl Iterator<Item = (u32, DVec3, DVec3, f64)> + '_ {
        let told = |&(particle, way): &(u32, DVec3)| {
            let at = particle as usize;
            (particle, self.end[at], way, self.radius[at])
        };
        self.halted.iter().map(told)
    }

    /// Stops particles on the line to where they were going, by planes that go with the drift alone.
    fn stop(&mut self, ways: &Ways) {
        self.looked.clear();
        self.looked.extend((0..self.end.len()).map(|particle| self.end[particle] - self.groups.drift(particle)));
        self.room.fill(0.0);
        self.look(ways.from, true, &|_| true);
        let Self { groups, radius, pairs, share, open, end, halted, .. } = self;
        let way = |particle: usize| end[particle] - ways.from[particle] - groups.drift(particle);
        let led = |particle: usize| ways.led[particle];
        share.clear();
        share.resize(ways.from.len(), 1.0);
        open.clear();
        open.extend(0..pairs.len() as u32);
        // Every round parts some by planes that do not move, which no other round can undo.
        loop {
            let before = open.len();
            open.retain(|&pair| {
                let pair = &pairs[pair as usize];
                let parted = parted_at_end(pair, way, share);
                if !parted {
                    divide(pair, way, radius, &led, share, halted);
                }
                parted
            });
            if open.len() == before {
                break;
            }
        }
        for particle in (0..end.len()).filter(|&particle| share[particle] < 1.0 && !ways.led[particle]) {
            let start = ways.from[particle] + groups.drift(particle);
            end[particle] = start + share[particle] * (end[particle] - start);
        }
        // The pairs are those of another frame.
        self.looked.fill(DVec3::INFINITY);
    }
}

/// Whether parts can meet on the way, where no particle ends further than `SLACK` of its radius from where it goes.
fn may_meet(pair: &ClothPair, from: &[DVec3], to: &[DVec3], radius: &[f64]) -> bool {
    let at = pair.particle.map(|particle| particle as usize);
    let slack = SLACK * (at.map(|at| radius[at]).into_iter().fold(0.0, f64::max));
    left_at_end(pair, |k| pair.normal.dot(to[at[k]] - from[at[k]])) < LEFT_SLOW * pair.distance + 2.0 * slack
}

/// What is left between the parts at the end along the line between their nearest points at the start \[m\], if corners go by so much along it.
fn left_at_end(pair: &ClothPair, go: impl Fn(usize) -> f64) -> f64 {
    let end = |k: usize| pair.reach[k] + go(k);
    let lowest = (0..pair.first).map(end).fold(f64::INFINITY, f64::min);
    let highest = (pair.first..4).map(end).fold(f64::NEG_INFINITY, f64::max);
    lowest - highest
}

/// Two parts in the motion of all.
struct Parting<'a> {
    pair: &'a ClothPair,
    ways: &'a Ways<'a>,
    groups: &'a Groups,
    radius: &'a [f64],
}

impl Parting<'_> {
    /// Puts a plane between the parts unless one parts them all the way, and what would end beyond it back. Returns whether
    /// anything was.
    fn part(&self, end: &mut [DVec3], halted: &mut Vec<(u32, DVec3)>) -> bool {
        let ClothPair { particle, weight, reach, normal, distance, first } = *self.pair;
        let particle = particle.map(|particle| particle as usize);
        let go: [f64; 4] = particle.map(|at| normal.dot(end[at] - self.ways.from[at] - self.groups.drift(at)));
        let thick: f64 = (0..4).map(|at| weight[at].abs() * self.radius[particle[at]]).sum();
        let slow = go.iter().all(|go| go.abs() < SLOW * thick);
        if left_at_end(self.pair, |at| go[at]) >= if slow { LEFT_SLOW } else { LEFT } * distance {
            return false;
        }
        let led = |mut range: std::ops::Range<usize>| range.any(|at| self.ways.led[particle[at]]);
        let forced = [led(0..first), led(first..4)];
        let one = go[..first].iter().copied().fold(f64::INFINITY, f64::min);
        let other = go[first..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let speed = match forced {
            [true, true] => return false,
            [true, false] => one.min(other),
            [false, true] => other.max(one),
            // As fast as the slower of two that go the same way.
            [false, false] => 0.0_f64.clamp(one.min(other), other.max(one)),
        };
        let [one, other] = [(speed - one).max(0.0), (other - speed).max(0.0)];
        let fraction = match forced {
            [true, false] => 1.0 - LEAST,
            [false, true] => LEAST,
            _ => (one / (one + other)).clamp(LEAST, 1.0 - LEAST),
        };
        let plane = distance * (1.0 - fraction);
        let mut changed = false;
        for at in (0..4).filter(|&at| !self.ways.led[particle[at]]) {
            let side = if at < first { 1.0 } else { -1.0 };
            let away = side * (reach[at] - plane);
            let room = (SHORT * away).min(away - KEPT * self.radius[particle[at]]).max(0.0);
            let beyond = side * (speed - go[at]) - room;
            if beyond > ROUNDING * distance {
                end[particle[at]] += side * beyond * normal;
                halted.push((particle[at] as u32, -side * normal));
                changed = true;
            }
        }
        changed
    }
}

/// Whether the parts, going as far as they may, end on either side of a plane across the line between their nearest points.
fn parted_at_end(pair: &ClothPair, way: impl Fn(usize) -> DVec3, share: &[f64]) -> bool {
    let go = |k: usize| {
        let particle = pair.particle[k] as usize;
        share[particle] * pair.normal.dot(way(particle))
    };
    left_at_end(pair, go) >= LEFT * pair.distance
}

/// Puts a plane between two parts and stops their particles short of it.
fn divide(
    pair: &ClothPair,
    way: impl Fn(usize) -> DVec3,
    radius: &[f64],
    led: &impl Fn(usize) -> bool,
    share: &mut [f64],
    halted: &mut Vec<(u32, DVec3)>,
) {
    let ClothPair { particle, reach, normal, distance, first, .. } = *pair;
    let side = |at: usize| if at < first { -1.0 } else { 1.0 };
    let approach: [f64; 4] = std::array::from_fn(|at| (side(at) * normal.dot(way(particle[at] as usize))).max(0.0));
    let most = |range: std::ops::Range<usize>| range.map(|at| approach[at]).fold(0.0, f64::max);
    let [one, other] = [most(0..first), most(first..4)];
    if one + other <= 0.5 * distance {
        return;
    }
    let forced = |mut range: std::ops::Range<usize>| range.any(|at| led(particle[at] as usize));
    let fraction = match [forced(0..first), forced(first..4)] {
        [true, false] => 1.0 - LEAST,
        [false, true] => LEAST,
        _ => (one / (one + other)).clamp(LEAST, 1.0 - LEAST),
    };
    let plane = distance * (1.0 - fraction);
    for at in (0..4).filter(|&at| !led(particle[at] as usize)) {
        let particle = particle[at] as usize;
        let away = -side(at) * (reach[at] - plane);
        let room = (SHORT * away).min(away - KEPT * radius[particle]).max(0.0);
        if approach[at] > room {
            share[particle] = share[particle].min(room / approach[at]);
            halted.push((particle as u32, side(at) * normal));
        }
    }
}
