//! The nearest point of a friction cone and how it moves with what is projected.

use drystone_kernels::elementary::hypot;

/// Symmetric 3×3, rows and columns being the normal and two tangents: entries (0,0), (0,1), (0,2), (1,1), (1,2), (2,2).
pub type Slope = [f64; 6];

/// All of it: inside the cone.
pub const STICKS: Slope = [1.0, 0.0, 0.0, 1.0, 0.0, 1.0];
/// None of it: the contact is open.
pub const OPEN: Slope = [0.0; 6];

/// The point of |(y₁, y₂)| ≤ μ y₀ nearest to `a`.
#[inline(always)]
pub fn project(mu: f64, a: [f64; 3]) -> [f64; 3] {
    let size = hypot(a[1], a[2]);
    if a[0] >= 0.0 && size <= mu * a[0] {
        return a;
    }
    let along = (a[0] + mu * size).max(0.0) / (1.0 + mu * mu);
    let share = if size > 0.0 { mu * along / size } else { 0.0 };
    [along, share * a[1], share * a[2]]
}

/// The derivative of [`project`]: symmetric, with eigenvalues between 0 and 1.
pub fn slope(mu: f64, a: [f64; 3]) -> Slope {
    let size = hypot(a[1], a[2]);
    if a[0] >= 0.0 && size <= mu * a[0] {
        return STICKS;
    }
    let height = a[0] + mu * size;
    if height <= 0.0 {
        return OPEN;
    }
    let edge = 1.0 / (1.0 + mu * mu);
    let (c, s) = if size > 0.0 { (a[1] / size, a[2] / size) } else { (0.0, 0.0) };
    // Along the edge, and around the cone, where the surface is round.
    let around = if size > 0.0 { mu * height * edge / size } else { 0.0 };
    let (cross, out) = (mu * edge, mu * mu * edge);
    [edge, cross * c, cross * s, out * c * c + around * s * s, (out - around) * c * s, out * s * s + around * c * c]
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_random::Random;

    #[test]
    fn the_slope_is_the_derivative_of_the_projection() {
        let mut random = Random::new(5);
        let mut kinds = [0; 3];
        for trial in 0..300 {
            let mu = [0.0, 0.3, 1.0][trial % 3];
            let a: [f64; 3] = std::array::from_fn(|_| random.signed());
            let d = slope(mu, a);
            kinds[if d == STICKS { 0 } else { 1 + usize::from(d == OPEN) }] += 1;
            let full = [[d[0], d[1], d[2]], [d[1], d[3], d[4]], [d[2], d[4], d[5]]];
            for k in 0..3 {
                let by = |h: f64| {
                    let mut moved = a;
                    moved[k] += h;
                    project(mu, moved)
                };
                let (plus, minus) = (by(1e-6), by(-1e-6));
                for i in 0..3 {
                    let expected = (plus[i] - minus[i]) / 2e-6;
                    assert!((full[i][k] - expected).abs() < 1e-6, "{mu} {a:?} {i} {k}: {} {expected}", full[i][k]);
                }
            }
        }
        assert!(kinds.iter().all(|&count| count > 10), "{kinds:?}");
    }
}
