//! Contact rows: what the iterations read and write for every manifold. Vectors are in world axes; the numbers
//! of the up to four points lie side by side, so that one instruction serves them all (`contact_law.rs`, `contact_block.rs`).

use drystone_kernels::double::contact::{ContactForce, contact_force};
use drystone_kernels::double::math::{Vec3, Vec6};
use drystone_kernels::lanes::F64x4;
use drystone_kernels::memory::prefetch;

/// Points per manifold.
pub const LANES: usize = 4;

/// One for every point in use, by their number.
const IN_USE: [F64x4; LANES + 1] =
    [[0.0; 4], [1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0; 4]];

/// Four vectors, component by component.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vec3x4 {
    pub x: F64x4,
    pub y: F64x4,
    pub z: F64x4,
}

impl Vec3x4 {
    /// One of the four.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Vec3 {
        Vec3 { x: self.x[lane], y: self.y[lane], z: self.z[lane] }
    }

    /// Replaces one of the four.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, v: Vec3) {
        (self.x[lane], self.y[lane], self.z[lane]) = (v.x, v.y, v.z);
    }
}

/// A pair of bodies in contact. Rows are linear in the displacement since the start of the step. Lanes beyond
/// `count` have no penalty and no load: they add nothing.
///
/// Nine cache lines, one of which [`Manifold::prefetch`] asks for by each of the places it names.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub struct Manifold {
    /// Points from the centre of mass of the first body \[m\].
    pub lever: Vec3x4,
    /// Gap at zero displacement, inherited error already reduced \[m\].
    pub gap: F64x4,
    /// Slip at zero displacement, likewise, across the normal \[m\].
    pub slip: Vec3x4,
    /// Normal multiplier \[N\].
    pub load: F64x4,
    /// Tangential multiplier, across the normal \[N\].
    pub friction: Vec3x4,
    /// Normal penalty \[N/m\].
    pub rho_n: F64x4,
    /// Tangential penalty \[N/m\].
    pub rho_t: F64x4,
    /// Share K/(K+ρ) of the penalty that acts for a material stiffness K; 1 is hard.
    pub hardness: F64x4,
    /// Friction coefficient now: static while the point sticks.
    pub mu: F64x4,
    /// Unit normal from the first to the second body.
    pub normal: Vec3,
    /// Penalty per carried load, `factor / (h² a)` with the acceleration a that goes with the load
    /// \[1/m\]; zero where nothing accelerates.
    pub load_to_penalty: f64,
    /// From the centre of mass of the second body to that of the first \[m\].
    pub span: Vec3,
    /// Body slots; the world is a slot too.
    pub body: [u32; 2],
    /// Number of points in use.
    pub count: u32,
}

/// What only the updates of the multipliers and the report read of the points of a manifold.
#[derive(Clone, Copy, Debug, Default)]
pub struct DualState {
    /// Share of the updates of the multipliers that is applied.
    pub gain: F64x4,
    /// The last update of the normal multiplier, whole \[N\].
    pub last_load: F64x4,
    /// The last update of the tangential multiplier, whole \[N\].
    pub last_friction: Vec3x4,
    /// Normal force of the step before, as it was \[N\].
    pub load_before: F64x4,
    /// Largest load that may raise the penalty \[N\].
    pub load_cap: F64x4,
    /// Ramp of the published method: largest stiffness \[N/m\].
    pub k_max: F64x4,
    /// Its damping relative to the stiffness, over the step \[1\]; soft points only.
    pub viscous: F64x4,
    /// Whether the point is soft: a spring without multiplier.
    pub soft: [bool; LANES],
    /// Gap at the start of the step \[m\].
    pub start_gap: F64x4,
    /// Overlap to be taken back in this step without a velocity \[m\].
    pub push: F64x4,
    /// Whether the point stuck in the step before.
    pub stuck: [bool; LANES],
    /// Velocity of the second surface against the first beyond that of the bodies, across the normal \[m/s\]: that of
    /// conveyor belts.
    pub belt: Vec3,
}

/// The rows of all contacts.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// What the sweeps read.
    pub manifolds: Vec<Manifold>,
    /// What only the updates read, manifold by manifold.
    pub duals: Vec<DualState>,
    /// How much velocity and acceleration of its bodies conflict with a manifold, for the first guess \[J\].
    pub disagreement: Vec<[f64; 2]>,
}

/// One contact point, by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Point {
    /// From the centre of mass of the first body \[m\].
    pub lever: Vec3,
    /// Gap at zero displacement \[m\].
    pub gap: f64,
    /// Slip at zero displacement \[m\].
    pub slip: Vec3,
    /// Normal multiplier \[N\].
    pub load: f64,
    /// Tangential multiplier \[N\].
    pub friction: Vec3,
    /// Normal penalty \[N/m\].
    pub rho_n: f64,
    /// Tangential penalty \[N/m\].
    pub rho_t: f64,
    /// Share of the penalty that acts.
    pub hardness: f64,
    /// Friction coefficient.
    pub mu: f64,
}

impl DualState {
    /// Force of a point as it acted where the bodies are: the multipliers went only the share of their gain towards it.
    pub fn acted(&self, lane: usize, point: &Point) -> (f64, Vec3) {
        let rest = 1.0 - self.gain[lane];
        let load = point.load + rest * self.last_load[lane];
        (load, point.friction.add_scaled(self.last_friction.get(lane), rest))
    }
}

impl Point {
    /// Force on the second body \[N\]. What does not press does not rub either: the smallest of numbers, left of friction where the cone
    /// is closed, would be a load or none as rounding turns it against the normal.
    pub fn force(&self, normal: Vec3) -> Vec3 {
        if self.load > 0.0 { normal.scale(self.load).add(self.friction) } else { Vec3::default() }
    }
}

/// Motion of the second body relative to the first: of its point at the first one's centre of mass, and its turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairMotion {
    pub linear: Vec3,
    pub angular: Vec3,
}

impl PairMotion {
    /// Displacement at a lever from the first body.
    #[inline(always)]
    pub fn at(&self, lever: Vec3) -> Vec3 {
        self.linear.add(self.angular.cross(lever))
    }
}

impl Manifold {
    /// One for every point in use, zero for the others.
    #[inline(always)]
    pub fn in_use(&self) -> &'static F64x4 {
        &IN_USE[self.count as usize]
    }

    /// The points in use.
    #[inline(always)]
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.count as usize).map(|lane| self.point(lane))
    }

    /// One of the points.
    #[inline(always)]
    pub fn point(&self, lane: usize) -> Point {
        Point {
            lever: self.lever.get(lane),
            gap: self.gap[lane],
            slip: self.slip.get(lane),
            load: self.load[lane],
            friction: self.friction.get(lane),
            rho_n: self.rho_n[lane],
            rho_t: self.rho_t[lane],
            hardness: self.hardness[lane],
            mu: self.mu[lane],
        }
    }

    /// Replaces one of the points.
    #[inline(always)]
    pub fn set_point(&mut self, lane: usize, point: Point) {
        self.lever.set(lane, point.lever);
        self.gap[lane] = point.gap;
        self.slip.set(lane, point.slip);
        self.load[lane] = point.load;
        self.friction.set(lane, point.friction);
        self.rho_n[lane] = point.rho_n;
        self.rho_t[lane] = point.rho_t;
        self.hardness[lane] = point.hardness;
        self.mu[lane] = point.mu;
    }

    /// Asks for the manifold before it is read: one place in each of its cache lines.
    #[inline(always)]
    pub fn prefetch(&self) {
        let Self { lever, slip, friction, rho_t, mu, body, .. } = self;
        for place in [&lever.x, &lever.z, &slip.x, &slip.z, &friction.x, &friction.z, rho_t, mu] {
            prefetch(place);
        }
        prefetch(body);
    }

    /// Middle of the points from the centre of mass of the first body \[m\].
    pub fn centre(&self) -> Vec3 {
        let sum = self.points().fold(Vec3::default(), |sum, point| sum.add(point.lever));
        sum.scale(1.0 / f64::from(self.count.max(1)))
    }

    /// Relative motion of the two bodies.
    #[inline(always)]
    pub fn motion(&self, delta: &[Vec6; 2]) -> PairMotion {
        let [first, second] = delta;
        PairMotion { linear: second.at(self.span).sub(first.l), angular: second.a.sub(first.a) }
    }

    /// Force of a point at a displacement, world axes.
    #[inline(always)]
    pub fn force(&self, point: &Point, displacement: Vec3) -> ContactForce {
        let normal = displacement.dot(self.normal);
        let slip = point.slip.add(displacement).add_scaled(self.normal, -normal);
        let (load, rho) = (point.hardness * point.load, point.hardness * point.rho_n);
        contact_force(point.gap + normal, slip, load, point.friction, rho, point.rho_t, point.mu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cache line of a manifold is asked for, and none twice.
    #[test]
    fn a_manifold_is_nine_lines() {
        let manifold = Manifold::default();
        let start = std::ptr::from_ref(&manifold).addr();
        let Manifold { lever, slip, friction, rho_t, mu, .. } = &manifold;
        let lanes = [&lever.x, &lever.z, &slip.x, &slip.z, &friction.x, &friction.z, rho_t, mu];
        let mut lines = lanes.map(|place| (place.as_ptr().addr() - start) / 64).to_vec();
        lines.push((manifold.body.as_ptr().addr() - start) / 64);
        assert_eq!(lines, (0..9).collect::<Vec<_>>());
        assert_eq!(size_of::<Manifold>(), 9 * 64);
    }
}
