//! The factor that fades an edge–edge energy out where the edges become parallel.
//!
//! The distance between edges has a kink where they are parallel. With c = |u × v|² and a threshold ε from the rest
//! lengths, an energy times m(c) = (2 − c/ε) c/ε (1 from c = ε on) is smooth there.

use glamx::{DMat3, DVec3};

use crate::mass::outer;

/// Share of the squared product of rest lengths below which edges count as nearly parallel: sin² of the angle.
const NEARLY_PARALLEL: f64 = 1e-3;

/// The threshold ε for two edges at rest \[m⁴\].
pub fn threshold(first_rest: [DVec3; 2], second_rest: [DVec3; 2]) -> f64 {
    NEARLY_PARALLEL * first_rest[0].distance_squared(first_rest[1]) * second_rest[0].distance_squared(second_rest[1])
}

/// m, dm/dc and d²m/dc² at c for the threshold ε \[1, m⁻⁴, m⁻⁸\].
pub fn fade(c: f64, threshold: f64) -> [f64; 3] {
    if c >= threshold {
        return [1.0, 0.0, 0.0];
    }
    let x = c / threshold;
    [(2.0 - x) * x, 2.0 / threshold * (1.0 - x), -2.0 / (threshold * threshold)]
}

/// |u × v|² of the edges' directions and its derivatives by (first start, first end, second start, second end).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossSquared {
    /// |u × v|² \[m⁴\].
    pub value: f64,
    /// First derivatives \[m³\].
    pub gradient: [DVec3; 4],
    /// Second derivatives \[m²\].
    pub hessian: [[DMat3; 4]; 4],
}

/// |u × v|² alone \[m⁴\].
pub fn cross_squared_value(first: [DVec3; 2], second: [DVec3; 2]) -> f64 {
    (first[1] - first[0]).cross(second[1] - second[0]).length_squared()
}

/// |u × v|² with derivatives.
pub fn cross_squared(first: [DVec3; 2], second: [DVec3; 2]) -> CrossSquared {
    let (u, v) = (first[1] - first[0], second[1] - second[0]);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let by_u = 2.0 * v.cross(u.cross(v));
    let by_v = 2.0 * (u.cross(v)).cross(u);
    let scalar = |x: f64| DMat3::from_diagonal(DVec3::splat(x));
    let huu = 2.0 * (scalar(vv) - outer(v, v));
    let hvv = 2.0 * (scalar(uu) - outer(u, u));
    let huv = 2.0 * (2.0 * outer(u, v) - outer(v, u) - scalar(uv));
    let mut hessian = [[DMat3::ZERO; 4]; 4];
    let sign = [-1.0, 1.0, -1.0, 1.0];
    for k in 0..4 {
        for l in 0..4 {
            let block = match (k < 2, l < 2) {
                (true, true) => huu,
                (true, false) => huv,
                (false, true) => huv.transpose(),
                (false, false) => hvv,
            };
            hessian[k][l] = sign[k] * sign[l] * block;
        }
    }
    CrossSquared { value: u.cross(v).length_squared(), gradient: [-by_u, by_u, -by_v, by_v], hessian }
}

/// The mollifier with its derivatives by (first start, first end, second start, second end).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mollifier {
    /// m, from 0 (parallel) to 1.
    pub value: f64,
    /// First derivatives \[m⁻¹\].
    pub gradient: [DVec3; 4],
    /// Second derivatives \[m⁻²\].
    pub hessian: [[DMat3; 4]; 4],
}

/// The mollifier of two edges for the `threshold` ε of their rest shape.
pub fn mollifier(first: [DVec3; 2], second: [DVec3; 2], threshold: f64) -> Mollifier {
    let cross = cross_squared(first, second);
    let [value, slope, curvature] = fade(cross.value, threshold);
    let mut hessian = cross.hessian;
    for k in 0..4 {
        for l in 0..4 {
            hessian[k][l] = slope * cross.hessian[k][l] + curvature * outer(cross.gradient[k], cross.gradient[l]);
        }
    }
    Mollifier { value, gradient: cross.gradient.map(|g| slope * g), hessian }
}
