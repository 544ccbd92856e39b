//! What acts along one coordinate of a joint: springs, drives, stops, dry friction. Each is the slope of an energy.

use super::barrier::{Barrier, Derivatives, slip_work};

/// An energy of one coordinate u \[m or rad\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// An effort `bias − slope·u`, capped in magnitude: drives, elasticity, damping, armature.
    Spring {
        /// Effort at u = 0 \[N or N·m\].
        bias: f64,
        /// \[N/m or N·m/rad\].
        slope: f64,
        /// Largest magnitude \[N or N·m\].
        cap: f64,
    },
    /// A hard stop: a barrier keeps `sign·(limit − u)` positive.
    Stop {
        /// Where it is \[m or rad\].
        limit: f64,
        /// +1 for the largest coordinate, −1 for the smallest.
        sign: f64,
        /// How far from it it begins to push \[m or rad\].
        d_hat: f64,
        /// Of the barrier \[J\].
        stiffness: f64,
    },
    /// A stop that yields.
    Cushion {
        /// Where it is \[m or rad\].
        limit: f64,
        /// +1 for the largest coordinate, −1 for the smallest.
        sign: f64,
        /// \[N/m or N·m/rad\].
        stiffness: f64,
    },
    /// Dry friction against the motion away from a coordinate.
    Friction {
        /// Coordinate at which it vanishes: that at the start of the step less the slip held before \[m or rad\].
        from: f64,
        /// Its full size \[N or N·m\].
        load: f64,
        /// Slip at which it has that size \[m or rad\].
        edge: f64,
    },
}

impl Law {
    /// Energy and derivatives by the coordinate; all laws are convex.
    pub fn at(&self, u: f64) -> Derivatives {
        match *self {
            Self::Spring { bias, slope, cap } => {
                let effort = bias - slope * u;
                if effort.abs() <= cap {
                    return Derivatives { value: 0.5 * effort * effort / slope, slope: -effort, curvature: slope };
                }
                let value = cap * (effort.abs() - 0.5 * cap) / slope;
                Derivatives { value, slope: -cap * effort.signum(), curvature: 0.0 }
            }
            Self::Stop { limit, sign, d_hat, stiffness } => {
                let unit = Barrier { d_hat, separation: 0.0 }.at(sign * (limit - u));
                Derivatives {
                    value: stiffness * unit.value,
                    slope: -sign * stiffness * unit.slope,
                    curvature: stiffness * unit.curvature,
                }
            }
            Self::Cushion { limit, sign, stiffness } => {
                let depth = (sign * (u - limit)).max(0.0);
                let curvature = if depth > 0.0 { stiffness } else { 0.0 };
                Derivatives { value: 0.5 * stiffness * depth * depth, slope: sign * stiffness * depth, curvature }
            }
            Self::Friction { from, load, edge } => {
                let slip = u - from;
                let unit = slip_work(slip.abs(), edge);
                Derivatives {
                    value: load * unit.value,
                    slope: load * unit.slope * slip.signum(),
                    curvature: load * unit.curvature,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_and_curvatures_are_those_of_finite_differences() {
        let laws = [
            Law::Spring { bias: 3.0, slope: 2.0, cap: f64::INFINITY },
            Law::Spring { bias: 3.0, slope: 2.0, cap: 1.5 },
            Law::Stop { limit: 0.7, sign: 1.0, d_hat: 0.9, stiffness: 4.0 },
            Law::Stop { limit: -0.6, sign: -1.0, d_hat: 0.9, stiffness: 4.0 },
            Law::Cushion { limit: 0.2, sign: 1.0, stiffness: 5.0 },
            Law::Friction { from: 0.1, load: 2.0, edge: 0.3 },
        ];
        let h = 1e-6;
        for law in laws {
            for u in [-0.55, -0.3, 0.05, 0.25, 0.5, 0.65] {
                let (more, less, here) = (law.at(u + h), law.at(u - h), law.at(u));
                let off = |found: f64, expected: f64| (found - expected).abs() / (1.0 + expected.abs());
                assert!(off((more.value - less.value) / (2.0 * h), here.slope) < 1e-7, "{law:?} at {u}");
                assert!(off((more.slope - less.slope) / (2.0 * h), here.curvature) < 1e-6, "{law:?} at {u}");
                assert!(here.curvature >= 0.0);
            }
        }
        assert!(Law::Stop { limit: 0.7, sign: 1.0, d_hat: 0.9, stiffness: 4.0 }.at(0.71).value.is_infinite());
    }
}
