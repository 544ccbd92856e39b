//! How far to follow a Newton direction.
//!
//! The energy of the linearised equations along a direction is a parabola from inertia and elastic
//! joints plus the convex, piecewise quadratic terms of what switches within a step: contacts, and
//! joint rows whose force is bounded (stops, drives with caps, friction). Its minimum is found by
//! halving, so that switching forces cannot throw a mechanism about.

use drystone_kernels::double::math::Vec6;

use super::rows::JointRow;
use crate::vbd::rows::{Manifold, Point};

/// Halvings of the interval that holds the minimum.
const HALVINGS: usize = 12;
/// Slope at the full step, as a share of the slope at the start, that counts as flat.
const FLAT: f64 = 1.0e-3;

/// A term that switches along the direction.
#[derive(Clone, Copy, Debug)]
enum Switch<'a> {
    Contact { manifold: &'a Manifold, delta: [Vec6; 2], motion: [Vec6; 2] },
    Row { row: &'a JointRow, at: f64, rate: f64 },
}

/// The energy along a direction.
pub struct Search<'a> {
    /// Slope at the start of what does not switch.
    slope: f64,
    /// Curvature of what does not switch.
    curvature: f64,
    /// Slope at the start of everything; negative.
    start: f64,
    switches: Vec<Switch<'a>>,
}

impl<'a> Search<'a> {
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

    fn slope_at(&self, share: f64) -> f64 {
        let mut slope = self.slope + share * self.curvature;
        for switch in &self.switches {
            slope += match switch {
                Switch::Contact { manifold, delta, motion } => {
                    let moved = [0, 1].map(|side| delta[side].add(motion[side].scale(share)));
                    -contact_slope(manifold, &moved, motion)
                }
                Switch::Row { row, at, rate } => row.law(at + share * rate).0 * rate,
            };
        }
        slope
    }

    /// The share of the direction at which the energy stops falling, at most one.
    pub fn share(&self) -> f64 {
        if !self.start.is_finite() {
            return 0.0;
        }
        if self.switches.is_empty() || self.slope_at(1.0) <= FLAT * self.start.abs() {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.slope_at(middle) > 0.0 { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    }
}

/// Work of the contact forces per share of the motion.
fn contact_slope(manifold: &Manifold, delta: &[Vec6; 2], motion: &[Vec6; 2]) -> f64 {
    let (place, motion) = (manifold.motion(delta), manifold.motion(motion));
    let work = |p: &Point| p.force(p.displacement(&place)).force.dot(p.displacement(&motion));
    manifold.points().iter().map(work).sum()
}

fn contact_curvature(manifold: &Manifold, delta: &[Vec6; 2], motion: &[Vec6; 2]) -> f64 {
    let (place, motion) = (manifold.motion(delta), manifold.motion(motion));
    let curvature = |p: &Point| {
        let answer = p.force(p.displacement(&place));
        if answer.force.x <= 0.0 {
            return 0.0;
        }
        let m = p.displacement(&motion);
        p.hardness * p.rho_n * m.x * m.x + p.rho_t * answer.stick * (m.y * m.y + m.z * m.z)
    };
    manifold.points().iter().map(curvature).sum()
}
