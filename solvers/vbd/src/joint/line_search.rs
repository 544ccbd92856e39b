//! Line search along a Newton direction.
//!
//! The energy of the linearised equations along a direction is a parabola from inertia and elastic
//! joints plus the convex, piecewise quadratic terms of what switches within a step: contacts, and
//! joint rows whose force is bounded (stops, drives with caps, friction). The step length is its minimum, so that forces that
//! switch cannot throw a joint island about.

use drystone_kernels::double::contact::ContactForce;
use drystone_kernels::double::math::{Vec3, Vec6};

use super::rows::JointRow;
use crate::rows::{Manifold, Point};

/// Most places tried for the minimum: halvings down to rounding, with a secant after each.
const TRIALS: usize = 100;
/// Slope, as a share of the slope at the start, that counts as flat.
pub const FLAT: f64 = 1.0e-3;

/// A term that switches along the direction.
#[derive(Clone, Copy, Debug)]
enum Switch<'a> {
    Contact { manifold: &'a Manifold, delta: [Vec6; 2], motion: [Vec6; 2] },
    Row { row: &'a JointRow, at: f64, rate: f64 },
}

/// The energy along a direction.
pub struct LineSearch<'a> {
    /// Slope at the start of what does not switch.
    slope: f64,
    /// Curvature of what does not switch.
    curvature: f64,
    /// Slope at the start of everything; negative.
    start: f64,
    switches: Vec<Switch<'a>>,
}

impl<'a> LineSearch<'a> {
    /// From the slope at the start; its negative is the curvature of the equations solved.
    pub fn new(start: f64) -> Self {
        Self { slope: start, curvature: -start, start, switches: Vec::new() }
    }

    /// Replaces the parabola of a contact by its true energy; `motion` is that of the two bodies
    /// along the direction.
    pub fn contact(&mut self, manifold: &'a Manifold, delta: [Vec6; 2], motion: [Vec6; 2]) {
        self.slope += contact_slope(manifold, &delta, &motion);
        self.curvature -= contact_curvature(manifold, &delta, &motion);
        self.switches.push(Switch::Contact { manifold, delta, motion });
    }

    /// Replaces the parabola of a bounded joint row at coordinate `at` by its true energy.
    pub fn row(&mut self, row: &'a JointRow, at: f64, rate: f64) {
        let (force, stiffness) = row.law(at);
        self.slope -= force * rate;
        self.curvature -= stiffness * rate * rate;
        self.switches.push(Switch::Row { row, at, rate });
    }

    fn slope_at(&self, step_length: f64) -> f64 {
        let mut slope = self.slope + step_length * self.curvature;
        for switch in &self.switches {
            slope += match switch {
                Switch::Contact { manifold, delta, motion } => {
                    let moved = [0, 1].map(|side| delta[side].add(motion[side].scale(step_length)));
                    -contact_slope(manifold, &moved, motion)
                }
                Switch::Row { row, at, rate } => row.law(at + step_length * rate).0 * rate,
            };
        }
        slope
    }

    /// The share of the direction at which the energy stops falling, at most one.
    pub fn step_length(&self) -> f64 {
        if !self.start.is_finite() {
            return 0.0;
        }
        if self.switches.is_empty() || self.slope_at(1.0) <= FLAT * self.start.abs() {
            return 1.0;
        }
        self.flat_place()
    }

    /// Where the slope, which rises, is flat. A stiff row may switch within a millionth of the way (dry friction
    /// that brings a wheel to rest), so the place is narrowed down until the slope says so: by secants, which
    /// are exact on one straight piece, and halvings, which get past kinks.
    fn flat_place(&self) -> f64 {
        let (mut low, mut high) = ((0.0, self.start), (1.0, self.slope_at(1.0)));
        let mut at = 0.5;
        for trial in 0..TRIALS {
            let secant = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            at = if trial % 2 == 0 && secant > low.0 && secant < high.0 { secant } else { 0.5 * (low.0 + high.0) };
            let slope = self.slope_at(at);
            if slope.abs() <= FLAT * self.start.abs() || at == low.0 || at == high.0 {
                break;
            }
            if slope > 0.0 { high = (at, slope) } else { low = (at, slope) }
        }
        at
    }
}

/// The slope at the end of the direction that a contact has beyond that of its parabola.
pub fn contact_at_end(manifold: &Manifold, delta: &[Vec6; 2], motion: &[Vec6; 2]) -> f64 {
    let (place, motion) = (manifold.motion(delta), manifold.motion(motion));
    let beyond = |p: Point| {
        let (at, way) = (place.at(p.lever), motion.at(p.lever));
        let (now, end) = (manifold.force(&p, at), manifold.force(&p, at.add(way)));
        let along = way.dot(manifold.normal);
        let work = (now.normal - end.normal) * along + now.friction.sub(end.friction).dot(way);
        work - curvature(&p, &now, way, along)
    };
    manifold.points().map(beyond).sum()
}

/// Work of the contact forces per share of the motion.
fn contact_slope(manifold: &Manifold, delta: &[Vec6; 2], motion: &[Vec6; 2]) -> f64 {
    let (place, motion) = (manifold.motion(delta), manifold.motion(motion));
    let work = |p: Point| {
        let forces = manifold.force(&p, place.at(p.lever));
        manifold.normal.scale(forces.normal).add(forces.friction).dot(motion.at(p.lever))
    };
    manifold.points().map(work).sum()
}

fn contact_curvature(manifold: &Manifold, delta: &[Vec6; 2], motion: &[Vec6; 2]) -> f64 {
    let (place, motion) = (manifold.motion(delta), manifold.motion(motion));
    let of = |p: Point| {
        let (forces, way) = (manifold.force(&p, place.at(p.lever)), motion.at(p.lever));
        curvature(&p, &forces, way, way.dot(manifold.normal))
    };
    manifold.points().map(of).sum()
}

/// Curvature of a point with these forces along a way of its own, of which so much is `along` the normal.
fn curvature(p: &Point, forces: &ContactForce, way: Vec3, along: f64) -> f64 {
    if forces.normal <= 0.0 {
        return 0.0;
    }
    p.hardness * p.rho_n * along * along + p.rho_t * forces.stick * (way.length_squared() - along * along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::RowKind;

    #[test]
    fn a_row_that_switches_within_a_millionth_of_the_way_is_found() {
        for place in [0.4, 1e-3, 1e-6] {
            // Friction of 1 pushes along the direction until the coordinate has come back by `place`; the rest is
            // a parabola whose slope is the share.
            let row = JointRow {
                axis: 3,
                kind: RowKind::Friction,
                hard: false,
                k: 1e7,
                reference: -place,
                lambda: 0.0,
                lower: -1.0,
                upper: 1.0,
                force: 0.0,
                stored: 0.0,
                blocked: 0.0,
                stiffness: 1e7,
                working: 0.0,
                most: 0.0,
                start: 0.0,
                viscous: 0.0,
                near: false,
                partner: None,
            };
            let mut search = LineSearch::new(-1.0);
            search.row(&row, 0.0, -1.0);
            let step_length = search.step_length();
            assert!((step_length - place).abs() <= 1.01e-7, "{step_length} for {place}");
            assert!((row.law(-step_length).0 - step_length).abs() < 0.01, "force {}", row.law(-step_length).0);
        }
    }
}
