//! How much nearer the features of two bodies can have come. Bodies that move together, however far, come no nearer.

use drystone_model::DMat3;

use super::affine::Affine;

/// What distances d between two bodies have become at least: (1 − `shrink`) d − `approach`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    shrink: f64,
    /// \[m\]
    approach: f64,
}

/// Two bodies: where they are.
pub type Places = [Affine; 2];

/// What rounding does to a point, relative to its coordinates.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl Drift {
    pub const NONE: Self = Self { shrink: 0.0, approach: 0.0 };

    /// After both have gone from one place to another, by whatever way; `radius` is that of the bodies (infinite for a
    /// half-space, which never moves) and `size` the size of
    /// the distances that matter \[m\].
    pub fn between(from: &Places, to: &Places, radius: [f64; 2], size: f64) -> Self {
        // |x₁ − y₁| ≥ |G (x₀ − y₀)| − |y₁ − G y₀| ≥ σ |x₀ − y₀| − …, where G is how the first has moved, and σ² ≥ 1 − ‖GᵀG − 1‖.
        let strain = |g: &DMat3| size_of(&(g.transpose() * *g - DMat3::IDENTITY));
        Self::least(from, to, radius, size, strain)
    }

    /// Anywhere on straight ways from one place to another that both go at the same time.
    pub fn along(from: &Places, to: &Places, radius: [f64; 2], size: f64) -> Self {
        // x − y changes by (G − 1)(x₀ − y₀) and by what the second moves against the first.
        Self::least(from, to, radius, size, |g| size_of(&(*g - DMat3::IDENTITY)))
    }

    /// Wherever each of them is on its way.
    pub fn apart(from: &Places, to: &Places, radius: [f64; 2]) -> Self {
        let way = |k: usize| if from[k] == to[k] { 0.0 } else { to[k].farthest(&from[k], radius[k]) };
        Self { shrink: 0.0, approach: way(0) + way(1) + rounding(to, radius) }
    }

    fn least(from: &Places, to: &Places, radius: [f64; 2], size: f64, shrink: impl Fn(&DMat3) -> f64) -> Self {
        if from == to {
            return Self::NONE;
        }
        let mut best = Self::apart(from, to, radius);
        for k in 0..2 {
            let g = to[k].linear * from[k].linear.inverse();
            let other = &from[1 - k];
            let carried =
                Affine { linear: g * other.linear, position: g * (other.position - from[k].position) + to[k].position };
            let approach = to[1 - k].farthest(&carried, radius[1 - k]) + rounding(to, radius);
            let seen = Self { shrink: shrink(&g) + ROUNDING, approach };
            if seen.worth(size) < best.worth(size) {
                best = seen;
            }
        }
        best
    }

    fn worth(&self, size: f64) -> f64 {
        self.approach + self.shrink * size
    }

    /// The largest distance of before that can have become `distance`.
    pub fn before(&self, distance: f64) -> f64 {
        if self.shrink < 1.0 { (distance + self.approach) / (1.0 - self.shrink) } else { f64::INFINITY }
    }
}

fn size_of(m: &DMat3) -> f64 {
    m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn rounding(at: &Places, radius: [f64; 2]) -> f64 {
    let finite = |radius: f64| if radius.is_finite() { radius } else { 0.0 };
    ROUNDING * (0..2).map(|k| at[k].position.abs().max_element() + finite(radius[k])).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use drystone_model::{DQuat, DVec3};

    use super::*;

    fn places(seed: f64) -> Places {
        [0.0, 1.0].map(|k| {
            let at = |i: f64| (seed + 3.1 * k + 1.7 * i).sin();
            let turn = DQuat::from_scaled_axis(DVec3::new(at(1.0), at(2.0), at(3.0)));
            let mut q = Affine::rigid(2.0 * DVec3::new(at(4.0), at(5.0), at(6.0)), turn);
            q.linear *= 1.0 + 1e-3 * at(7.0);
            q
        })
    }

    /// Random points of random bodies: no distance becomes smaller than promised, at the end and on the way.
    #[test]
    fn no_distance_becomes_smaller_than_promised() {
        let radius = [0.7, 0.4];
        let mut tight = 0;
        for seed in 0..400 {
            let from = places(f64::from(seed));
            let mut to = places(f64::from(seed) + if seed % 2 == 0 { 0.02 } else { 0.3 });
            if seed % 3 == 0 {
                // Together, but for a little.
                let g = to[0].linear * from[0].linear.inverse();
                to[1].linear = g * from[1].linear * 1.0001;
                to[1].position = g * (from[1].position - from[0].position) + to[0].position + DVec3::X * 1e-3;
            }
            let rest = [0, 1].map(|k| {
                let at = |i: f64| (7.3 * f64::from(seed) + 2.0 * f64::from(k) + i).sin();
                radius[k as usize] * DVec3::new(at(1.0), at(2.0), at(3.0)).normalize()
            });
            let distance = |q: &Places| q[0].point(rest[0]).distance(q[1].point(rest[1]));
            let start = distance(&from);
            let end = Drift::between(&from, &to, radius, start);
            assert!(end.before(distance(&to)) >= start, "{seed}");
            tight += usize::from(end.before(distance(&to)) < 1.1 * start + 0.1);
            let (along, apart) = (Drift::along(&from, &to, radius, start), Drift::apart(&from, &to, radius));
            for t in 0..=10 {
                let mix = |k: usize, t: f64| from[k].point(rest[k]).lerp(to[k].point(rest[k]), t);
                let t = f64::from(t) / 10.0;
                assert!(along.before(mix(0, t).distance(mix(1, t))) >= start * (1.0 - 1e-12), "{seed} {t}");
                assert!(apart.before(mix(0, t).distance(mix(1, 1.0 - t))) >= start * (1.0 - 1e-12), "{seed} {t}");
            }
        }
        assert!(tight > 100, "only {tight} promises are worth something");
    }

    #[test]
    fn bodies_that_move_together_come_no_nearer() {
        let from = places(1.0);
        let turn = DMat3::from_quat(DQuat::from_rotation_y(0.8));
        let to = from.map(|q| Affine { linear: turn * q.linear, position: turn * q.position + DVec3::splat(5.0) });
        assert!(Drift::between(&from, &to, [1.0, 1.0], 0.01).before(0.01) < 0.01 + 1e-13);
        assert!(Drift::apart(&from, &to, [1.0, 1.0]).before(0.01) > 5.0);
    }
}
