//! The barrier that keeps surfaces apart, and the smooth edge of Coulomb's cone.
//!
//! With y = (d² − ξ²)/(d̂² + 2 ξ d̂) for a distance d, a separation ξ that is never undercut and an activation
//! distance d̂ beyond it: b(y) = −(y − 1)² ln y for y < 1, else 0. It is twice differentiable at 1, convex in d, and
//! infinite at 0.
use drystone_kernels::elementary::ln;

/// Value and first two derivatives by the distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Derivatives {
    pub value: f64,
    pub slope: f64,
    pub curvature: f64,
}

/// The unit barrier of a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Barrier {
    /// d̂ \[m\].
    pub d_hat: f64,
    /// ξ \[m\].
    pub separation: f64,
}

impl Barrier {
    /// b at a distance, with derivatives by the distance; infinite where the separation is undercut.
    pub fn at(&self, distance: f64) -> Derivatives {
        let scale = 1.0 / (self.d_hat * (self.d_hat + 2.0 * self.separation));
        let y = (distance - self.separation) * (distance + self.separation) * scale;
        if y >= 1.0 && distance > self.separation {
            return Derivatives::default();
        }
        if y <= 0.0 || distance <= self.separation {
            return Derivatives { value: f64::INFINITY, slope: f64::NEG_INFINITY, curvature: f64::INFINITY };
        }
        let (log, gap) = (ln(y), 1.0 - y);
        let by_y = gap * (2.0 * log - 1.0 / y + 1.0);
        let by_yy = (1.0 / y + 2.0) / y - 2.0 * log - 3.0;
        let dy = 2.0 * distance * scale;
        Derivatives { value: -gap * gap * log, slope: by_y * dy, curvature: by_yy * dy * dy + by_y * 2.0 * scale }
    }
}

/// The work of unit friction over a slip `y` \[m\], quadratic below `edge` \[m\]: value, slope and curvature. The slope
/// is the share of the sliding friction that acts; it grows to 1 at the edge.
pub fn slip_work(y: f64, edge: f64) -> Derivatives {
    if y >= edge {
        return Derivatives { value: y, slope: 1.0, curvature: 0.0 };
    }
    let x = y / edge;
    Derivatives {
        value: edge * (x * x * (1.0 - x / 3.0) + 1.0 / 3.0),
        slope: x * (2.0 - x),
        curvature: 2.0 * (1.0 - x) / edge,
    }
}

/// Slope over slip, finite at rest \[1/m\].
pub fn slip_ratio(y: f64, edge: f64) -> f64 {
    if y >= edge { 1.0 / y } else { (2.0 - y / edge) / edge }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(at: impl Fn(f64) -> Derivatives, x: f64, size: f64) {
        let (h, unit) = (1e-4 * size, 1.0);
        let (after, before, here) = (at(x + h), at(x - h), at(x));
        let slope = (after.value - before.value) / (2.0 * h);
        let curvature = (after.slope - before.slope) / (2.0 * h);
        assert!((slope - here.slope).abs() <= 1e-7 * (here.slope.abs() + unit), "{x}: {slope} {here:?}");
        assert!((curvature - here.curvature).abs() <= 1e-7 * (here.curvature.abs() + unit / size), "{x}: {curvature}");
    }

    #[test]
    fn barrier_derivatives_are_those_of_finite_differences_and_it_is_convex() {
        for barrier in [Barrier { d_hat: 1e-3, separation: 0.0 }, Barrier { d_hat: 1e-3, separation: 2e-3 }] {
            for share in [0.001, 0.01, 0.1, 0.3, 0.5, 0.8, 0.95] {
                let d = barrier.separation + share * barrier.d_hat;
                check(|d| barrier.at(d), d, share.min(1.0 - share) * barrier.d_hat);
                assert!(barrier.at(d).curvature > 0.0 && barrier.at(d).slope < 0.0);
            }
            assert_eq!(barrier.at((barrier.d_hat + barrier.separation) * (1.0 + 1e-12)), Derivatives::default());
            assert!(barrier.at(barrier.separation).value.is_infinite());
            assert!(barrier.at(-2.0 * barrier.d_hat - barrier.separation).value.is_infinite());
        }
    }

    /// In squared distances with the threshold d̂², by hand at d = d̂/2: b = −(1/4 − 1)² ln ¼.
    #[test]
    fn the_barrier_has_its_textbook_values() {
        let at = Barrier { d_hat: 2.0, separation: 0.0 }.at(1.0);
        assert!((at.value - 0.5625 * 4.0_f64.ln()).abs() < 1e-15);
        assert!((at.slope - 0.75 * (-2.0 * 4.0_f64.ln() - 3.0) * 0.5).abs() < 1e-14);
    }

    #[test]
    fn slip_work_is_smooth_and_becomes_the_slip() {
        let edge = 1e-4;
        for share in [0.01, 0.3, 0.9, 1.5, 10.0] {
            check(|y| slip_work(y, edge), share * edge, share * edge);
            let (y, at) = (share * edge, slip_work(share * edge, edge));
            assert!((slip_ratio(y, edge) * y - at.slope).abs() < 1e-14);
        }
        let (inside, outside) = (slip_work(edge * (1.0 - 1e-12), edge), slip_work(edge, edge));
        assert!((inside.value - outside.value).abs() < 1e-15 && (inside.slope - outside.slope).abs() < 1e-11);
        assert_eq!(slip_ratio(0.0, edge), 2.0 / edge);
    }
}
