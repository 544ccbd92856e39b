//! How far particles may go without passing through each other: by a plane between every two parts of the surface whose ways meet.
//!
//! Two convex parts, a point and a triangle or two edges, are parted at the start by the plane across the line between their nearest
//! points. If such a plane parts them at the end too, it does so all the way, since everything goes straight and evenly: parts that
//! move along together need no more. If not, the plane of the start stays where it is, and a particle that would cross it stops short.
//! That may put it in the way of others, so those are looked at again, until all that go on are parted. Parts are looked at where
//! the boxes around their ways overlap. A particle that stops short stays within its box, so that nothing is missed, however fast
//! things are. Ways are beside the drift that all pieces which may meet share; where one of them is held, there is none, since
//! what is held cannot give way. Where nothing is held all planes stay where they are.

use drystone_collide::{ClothPair, ClothState, ClothSurface};
use drystone_geometry::{Aabb, DVec3};
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
/// Parts that go by less than this share of the sum of their radii are slow: planes that stay hold them up little, and bring what rubs
/// against each other to rest.
const SLOW: f64 = 0.5;

/// What keeps particles apart. All indices are the model's.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    surface: ClothSurface,
    radius: Vec<f64>,
    groups: Groups,
    pairs: Vec<ClothPair>,
    swept: Vec<Aabb>,
    share: Vec<f64>,
    /// Pairs that no fixed plane parts.
    open: Vec<u32>,
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

    /// Whether there is nothing that could meet.
    pub fn is_idle(&self) -> bool {
        self.surface.is_empty()
    }

    /// The parts whose ways meet when every particle is as large as `radius` says \[m\].
    pub fn meeting(&mut self, ways: &Ways, radius: impl Fn(usize) -> f64) -> &[ClothPair] {
        let Self { surface, groups, pairs, swept, .. } = self;
        groups.find(ways, &radius);
        swept.clear();
        swept.extend((0..ways.from.len()).map(|particle| {
            let from = ways.from[particle];
            let to = ways.to[particle] - groups.drift(particle);
            Aabb::new(from.min(to), from.max(to)).inflated(radius(particle))
        }));
        surface.pairs(&ClothState { q: ways.from, swept, group: groups.group() }, pairs);
        pairs
    }

    /// The share of its way beside the drift that every particle may go, and the drift \[m\]. Those that are led go where they are told.
    pub fn shares(&mut self, ways: &Ways) -> impl Fn(usize) -> (f64, DVec3) + '_ {
        self.meeting(ways, |_| 0.0);
        let Self { groups, radius, pairs, share, open, .. } = self;
        let way = |particle: usize| ways.to[particle] - ways.from[particle] - groups.drift(particle);
        let led = |particle: usize| ways.led[particle];
        share.clear();
        share.resize(ways.from.len(), 1.0);
        open.clear();
        open.extend(0..pairs.len() as u32);
        // Stacks of loose sheets come to rest by planes that stay.
        let any_led = ways.led.contains(&true);
        // Every round parts some by planes that do not move, which no other round can undo.
        let mut first = true;
        loop {
            let before = open.len();
            open.retain(|&pair| {
                let pair = &pairs[pair as usize];
                let goes_on = |particle: &u32| share[*particle as usize] == 1.0;
                let alone = !first && pair.particle.iter().all(goes_on);
                if alone || any_led && !is_slow(pair, way, radius) && parted_at_end(pair, way, share) {
                    return true;
                }
                divide(pair, way, radius, &led, share);
                false
            });
            if open.len() == before {
                break;
            }
            first = false;
        }
        |particle| (share[particle], groups.drift(particle))
    }
}

/// Whether two parts go by little along the line between them.
fn is_slow(pair: &ClothPair, way: impl Fn(usize) -> DVec3, radius: &[f64]) -> bool {
    let corners = || pair.particle.iter().map(|&particle| particle as usize);
    let thick: f64 = corners().zip(pair.weight).map(|(particle, weight)| weight.abs() * radius[particle]).sum();
    corners().all(|particle| pair.normal.dot(way(particle)).abs() < SLOW * thick)
}

/// Whether the parts, going as far as they may, end on either side of a plane across the line between their nearest points.
fn parted_at_end(pair: &ClothPair, way: impl Fn(usize) -> DVec3, share: &[f64]) -> bool {
    let ClothPair { particle, reach, normal, distance, first, .. } = *pair;
    let end = |at: usize| {
        let particle = particle[at] as usize;
        reach[at] + share[particle] * normal.dot(way(particle))
    };
    let lowest = (0..first).map(end).fold(f64::INFINITY, f64::min);
    let highest = (first..4).map(end).fold(f64::NEG_INFINITY, f64::max);
    lowest - highest >= LEFT * distance
}

/// Puts a plane between two parts and stops their particles short of it.
fn divide(
    pair: &ClothPair,
    way: impl Fn(usize) -> DVec3,
    radius: &[f64],
    led: &impl Fn(usize) -> bool,
    share: &mut [f64],
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
        }
    }
}
