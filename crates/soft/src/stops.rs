//! Which ways are barred to particles in a sweep: those along which the guard stopped them, as long as something pushes them on.
//!
//! What is stopped stays where it was stopped along those ways while the rest of the system is solved. So its neighbours come to rest
//! beside it, instead of being pulled on by a solve that knows nothing of the stop. A piece that floats and that bodies
//! hold has no such ways: they would take from its momentum, which is given back to it as a whole while the bodies pull on.

use drystone_geometry::{DMat3, DVec3};

use crate::convert::outer;

/// A particle that was put back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// By the mesh's index.
    pub particle: u32,
    /// The way it must not go.
    pub way: DVec3,
    /// How far it may be along that way \[m\].
    pub bound: f64,
    /// It is there if it is nearer than this \[m\].
    pub near: f64,
}

/// Ways that are left to every particle.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    noted: Vec<Stop>,
    /// Of every particle that moves, where its ways stand in `left`, plus one; none if all are free.
    place: Vec<u32>,
    /// Projections onto the ways that are left.
    left: Vec<DMat3>,
}

/// Two ways nearer than this are one, as the square of the sine.
const ALIKE: f64 = 1e-6;

impl Stops {
    /// Forgets all stops.
    pub fn clear(&mut self) {
        self.noted.clear();
    }

    /// Notes stops.
    pub fn note(&mut self, stops: impl Iterator<Item = Stop>) {
        self.noted.extend(stops);
    }

    /// Bars the ways along which particles at `x` are pushed against a stop, where `bars` says so, and all ways to those `held`.
    pub fn bar(&mut self, x: &[DVec3], push: &[DVec3], held: &[bool], bars: impl Fn(usize) -> bool) {
        let Self { noted, place, left } = self;
        left.clear();
        place.clear();
        place.resize(push.len(), 0);
        if held.contains(&true) {
            left.push(DMat3::ZERO);
            place.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(place, _)| *place = 1);
        }
        noted.sort_by_key(|stop| stop.particle);
        for own in noted.chunk_by(|one, other| one.particle == other.particle) {
            let row = own[0].particle as usize;
            if row >= push.len() || held[row] || !bars(row) {
                continue;
            }
            let at = own.iter().filter(|stop| stop.way.dot(x[row]) >= stop.bound - stop.near);
            if let Some(ways) = ways_left(at, push[row]) {
                left.push(ways);
                place[row] = left.len() as u32;
            }
        }
    }

    /// Whether some way is barred.
    pub fn any(&self) -> bool {
        !self.left.is_empty()
    }

    /// The projection onto the ways that are left to a particle; none if all are.
    #[inline]
    pub fn of(&self, row: usize) -> Option<DMat3> {
        match self.place.get(row) {
            None | Some(0) => None,
            Some(&place) => Some(self.left[place as usize - 1]),
        }
    }

    /// Takes from the blocks of a row what has to do with barred ways. On the diagonal these stand apart, as firm as the rest in the mean.
    pub fn filter(&self, row: usize, column: &[u32], blocks: &mut [DMat3]) {
        let firm = (blocks[0].x_axis.x + blocks[0].y_axis.y + blocks[0].z_axis.z) / 3.0;
        for (block, &other) in blocks.iter_mut().zip(column) {
            if let Some(ways) = self.of(other as usize) {
                *block *= ways;
            }
        }
        if let Some(ways) = self.of(row) {
            blocks.iter_mut().for_each(|block| *block = ways * *block);
            blocks[0] += (DMat3::IDENTITY - ways) * firm;
        }
    }

    /// Takes from a motion or a force what goes along barred ways.
    pub fn project(&self, list: &mut [DVec3]) {
        if !self.any() {
            return;
        }
        for (at, &place) in list.iter_mut().zip(&self.place).filter(|&(_, &place)| place > 0) {
            *at = self.left[place as usize - 1] * *at;
        }
    }
}

/// What is left to a particle that is pushed: ways are barred one by one, the one it is pushed along most first.
fn ways_left<'a>(stops: impl Iterator<Item = &'a Stop> + Clone, push: DVec3) -> Option<DMat3> {
    let mut left = DMat3::IDENTITY;
    let mut barred = 0;
    while barred < 3 {
        let rest = left * push;
        let pushed = stops.clone().filter_map(|stop| {
            let way = left * stop.way;
            let share = way.length_squared();
            (share > ALIKE && stop.way.dot(rest) > 0.0).then(|| (stop.way.dot(rest), way / share.sqrt()))
        });
        let Some((_, way)) = pushed.max_by(|one, other| one.0.total_cmp(&other.0)) else { break };
        left -= outer(way, way, 1.0);
        barred += 1;
    }
    match barred {
        0 => None,
        3 => Some(DMat3::ZERO),
        _ => Some(left),
    }
}
