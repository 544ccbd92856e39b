//! Signs of determinants that are right for every input, not only for well separated points.
//!
//! A fast evaluation with an error bound decides nearly always; only when the bound cannot tell, the
//! determinant is summed exactly as an expansion (a sum of floating-point numbers that do not overlap).

use glamx::DVec3;

/// Relative error bound of the plain evaluation of [`orient3d`]: (7 + 56 u) u with u = 2⁻⁵³.
const ORIENT3D_BOUND: f64 = 7.771_561_172_376_103e-16;

/// Six times the signed volume of the tetrahedron (a, b, c, d), with the right sign: positive if `d` lies on the
/// side from which a, b, c appear counter-clockwise, zero exactly if the four points are coplanar.
///
/// Only the sign and rough size are meant; coordinates should be neither close to overflow nor to underflow.
///
/// ```
/// use drystone_geometry::{DVec3, predicates::orient3d};
/// let third = 1.0 / 3.0;
/// let [a, b, c] = [DVec3::new(third, 0.0, third), DVec3::new(0.1, 1.0, 0.1), DVec3::new(-7.0, 0.2, -7.0)];
/// // All of x = z, so exactly coplanar, although no coordinate is a round number.
/// assert_eq!(orient3d(a, b, c, DVec3::new(0.7, 0.3, 0.7)), 0.0);
/// assert!(orient3d(a, b, c, DVec3::new(0.7, 0.3, 0.7000000000000001)) != 0.0);
/// ```
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let (u, v, w) = (b - a, c - a, d - a);
    let minors = [(u.y * v.z, u.z * v.y, w.x), (u.z * v.x, u.x * v.z, w.y), (u.x * v.y, u.y * v.x, w.z)];
    let det: f64 = minors.iter().map(|(p, q, w)| (p - q) * w).sum();
    let permanent: f64 = minors.iter().map(|(p, q, w)| (p.abs() + q.abs()) * w.abs()).sum();
    if det.abs() > ORIENT3D_BOUND * permanent {
        return det;
    }
    if permanent == 0.0 {
        return 0.0;
    }
    orient3d_exact(a, b, c, d)
}

fn orient3d_exact(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let difference = |p: DVec3| [0, 1, 2].map(|i| Expansion::difference(p[i], a[i]));
    let (u, v, w) = (difference(b), difference(c), difference(d));
    let mut det = Expansion::default();
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let minor = u[j].times(&v[k]).plus(&u[k].times(&v[j]).negated());
        det = det.plus(&minor.times(&w[i]));
    }
    det.estimate()
}

/// An exact sum of floating-point numbers, smallest first, without zeros.
#[derive(Clone, Debug, Default)]
struct Expansion(Vec<f64>);

impl Expansion {
    fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Self([low, high].into_iter().filter(|x| *x != 0.0).collect())
    }

    fn negated(mut self) -> Self {
        self.0.iter_mut().for_each(|x| *x = -*x);
        self
    }

    /// Adds one number, keeping the sum exact.
    fn push(&mut self, number: f64) {
        let mut carry = number;
        let mut kept = 0;
        for i in 0..self.0.len() {
            let (high, low) = two_sum(carry, self.0[i]);
            if low != 0.0 {
                self.0[kept] = low;
                kept += 1;
            }
            carry = high;
        }
        self.0.truncate(kept);
        if carry != 0.0 {
            self.0.push(carry);
        }
    }

    fn plus(mut self, other: &Self) -> Self {
        other.0.iter().for_each(|&x| self.push(x));
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for &x in &self.0 {
            for &y in &other.0 {
                let (high, low) = two_product(x, y);
                product.push(low);
                product.push(high);
            }
        }
        product
    }

    /// The sum rounded; its sign is exact because the largest part outweighs all others.
    fn estimate(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// `a + b = high + low` exactly, `high` being the rounded sum.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let high = a + b;
    let b_part = high - a;
    let low = (a - (high - b_part)) + (b - b_part);
    (high, low)
}

/// `a * b = high + low` exactly, `high` being the rounded product.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let high = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    let low = al * bl - (((high - ah * bh) - al * bh) - ah * bl);
    (high, low)
}

/// `a = high + low` with halves of at most 26 bits, whose products are exact.
fn split(a: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0; // 2²⁷ + 1
    let c = FACTOR * a;
    let high = c - (c - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_sums_are_exact() {
        let (x, y) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
        let (high, low) = two_product(x, y);
        assert_eq!((high, low), (1.0, -f64::EPSILON * f64::EPSILON));
        assert_eq!(two_sum(1e16, 1.0), (1e16, 1.0));
    }

    #[test]
    fn sign_matches_integer_arithmetic_near_degeneracy() {
        // Points on a plane through a lattice, moved by single units far from the origin: i128 is the exact twin.
        let mut random = drystone_random::Random::new(7);
        let mut next = || random.below(1 << 24) as i64 - (1 << 23);
        let mut zeros = 0;
        for round in 0..4000 {
            let mut p = [[0i64; 3]; 4];
            for q in &mut p {
                let (x, y) = (next(), next());
                *q = [x, y, 3 * x - 5 * y + (1 << 30)];
            }
            p[3][2] += round % 3 - 1;
            let e = |i: usize, k: usize| (p[i][k] - p[0][k]) as i128;
            let det = (e(1, 1) * e(2, 2) - e(1, 2) * e(2, 1)) * e(3, 0)
                + (e(1, 2) * e(2, 0) - e(1, 0) * e(2, 2)) * e(3, 1)
                + (e(1, 0) * e(2, 1) - e(1, 1) * e(2, 0)) * e(3, 2);
            let [a, b, c, d] = p.map(|q| DVec3::from_array(q.map(|x| x as f64)) * 2f64.powi(-33));
            assert_eq!(orient3d(a, b, c, d).partial_cmp(&0.0), Some(det.cmp(&0)));
            zeros += usize::from(det == 0);
        }
        assert!(zeros > 1000);
    }
}
