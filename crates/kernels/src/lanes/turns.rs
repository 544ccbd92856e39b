//! Rotation vectors and quaternions in every lane.

use super::{Lanes, Simd4, Wide3, WideMatrix, WideTurn};
use crate::double::math::{Quat, Vec3};
use crate::double::rotation;

/// Squared half turn up to which [`WideTurn::exp`] is a series \[rad²\]: a turn of one radian.
const EXP_NEAR: f64 = 0.25;
/// Squared sine of half a turn up to which [`WideTurn::log`] is a series: a turn of 0.6 rad.
const LOG_NEAR: f64 = 0.09;

/// Of sin(a)/a by powers of a², to rounding up to [`EXP_NEAR`].
const SINE: [f64; 9] = [
    1.0,
    -0.16666666666666666,
    0.008333333333333333,
    -0.0001984126984126984,
    2.7557319223985893e-06,
    -2.505210838544172e-08,
    1.6059043836821613e-10,
    -7.647163731819816e-13,
    2.8114572543455206e-15,
];
/// Of cos(a), likewise.
const COSINE: [f64; 9] = [
    1.0,
    -0.5,
    0.041666666666666664,
    -0.001388888888888889,
    2.48015873015873e-05,
    -2.755731922398589e-07,
    2.08767569878681e-09,
    -1.1470745597729725e-11,
    4.779477332387385e-14,
];
/// Of asin(s)/s by powers of s², to rounding up to [`LOG_NEAR`].
const ARC: [f64; 16] = [
    1.0,
    0.16666666666666666,
    0.075,
    0.044642857142857144,
    0.030381944444444444,
    0.022372159090909092,
    0.017352764423076924,
    0.01396484375,
    0.011551800896139705,
    0.009761609529194078,
    0.008390335809616815,
    0.0073125258735988454,
    0.006447210311889649,
    0.005740037670841924,
    0.005153309682319905,
    0.004660143486915096,
];

/// A polynomial.
#[inline(always)]
fn series<L: Lanes, const N: usize>(of: &[f64; N], x: Simd4<L>) -> Simd4<L> {
    let mut sum = x.like(of[N - 1]);
    let mut next = N - 1;
    while next > 0 {
        next -= 1;
        sum = sum * x + x.like(of[next]);
    }
    sum
}

impl<L: Lanes> WideTurn<L> {
    /// The rotations by rotation vectors \[rad\]. Every lane has the result it would have with any others.
    #[inline(always)]
    pub fn exp(lanes: L, v: Wide3<L>) -> Self {
        let x = v.dot(v) * Simd4::splat(lanes, 0.25);
        let s = series(&SINE, x) * Simd4::splat(lanes, 0.5);
        let turn = Self([v.x * s, v.y * s, v.z * s, series(&COSINE, x)]);
        let beyond = x - Simd4::splat(lanes, EXP_NEAR);
        if !beyond.any_positive() {
            return turn;
        }
        let (mut out, v, beyond) = (turn.store(), v.store(), beyond.store());
        for lane in 0..4 {
            if beyond[lane] > 0.0 {
                let Quat { x, y, z, w } = rotation::exp(Vec3::new(v[0][lane], v[1][lane], v[2][lane]));
                [out[0][lane], out[1][lane], out[2][lane], out[3][lane]] = [x, y, z, w];
            }
        }
        Self::load(lanes, &out)
    }

    /// The rotation vectors of turns of length one, at most π long; likewise.
    #[inline(always)]
    pub fn log(self, lanes: L) -> Wide3<L> {
        let [x, y, z, w] = self.0;
        let axis = Wide3 { x, y, z };
        let square = axis.dot(axis);
        let near = axis.times(series(&ARC, square) * Simd4::splat(lanes, 2.0));
        let zero = Simd4::splat(lanes, 0.0);
        // Beyond the series, or turned the long way round.
        let beyond = (square - Simd4::splat(lanes, LOG_NEAR)).max(zero - w);
        if !beyond.any_positive() {
            return near;
        }
        let (mut out, q, beyond) = (near.store(), self.store(), beyond.store());
        for lane in 0..4 {
            if beyond[lane] > 0.0 {
                let [x, y, z, w] = [q[0][lane], q[1][lane], q[2][lane], q[3][lane]];
                let v = rotation::log(Quat { x, y, z, w });
                [out[0][lane], out[1][lane], out[2][lane]] = [v.x, v.y, v.z];
            }
        }
        Wide3::load(lanes, &out)
    }

    /// The inverse.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let [x, y, z, w] = self.0;
        let zero = x.like(0.0);
        Self([zero - x, zero - y, zero - z, w])
    }

    /// First `b`, then this.
    #[inline(always)]
    pub fn mul(self, b: Self) -> Self {
        let ([x, y, z, w], [p, q, r, s]) = (self.0, b.0);
        Self([
            w * p + x * s + y * r - z * q,
            w * q - x * r + y * s + z * p,
            w * r + x * q - y * p + z * s,
            w * s - x * p - y * q - z * r,
        ])
    }

    /// Of length one again.
    #[inline(always)]
    pub fn normalize(self) -> Self {
        let [x, y, z, w] = self.0;
        let scale = x.like(1.0) / (x * x + y * y + z * z + w * w).sqrt();
        Self([x * scale, y * scale, z * scale, w * scale])
    }

    /// Turns vectors.
    #[inline(always)]
    pub fn rotate(self, v: Wide3<L>) -> Wide3<L> {
        let [x, y, z, w] = self.0;
        let axis = Wide3 { x, y, z };
        let once = axis.cross(v);
        let once = once + once;
        v + once.times(w) + axis.cross(once)
    }

    /// The rotation matrix of turns of length one.
    #[inline(always)]
    pub fn columns(self) -> WideMatrix<L> {
        self.matrix(self.0[0].like(1.0))
    }
}

#[cfg(test)]
mod tests {
    use drystone_random::Random;

    use super::*;
    use crate::lanes::{F64x4, Plain, Task, Vectors, run};

    struct Around(Vectors);

    impl Task for Around {
        type Output = ([F64x4; 4], Vectors, Vectors);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let v = Wide3::load(lanes, &self.0);
            let turn = WideTurn::exp(lanes, v);
            let back = turn.mul(turn.normalize()).mul(turn.inverse()).log(lanes);
            (turn.store(), back.store(), turn.rotate(v + v.cross(turn.rotate(v))).store())
        }
    }

    /// Turns from nothing to nearly π, one in every lane and all mixed.
    #[test]
    fn every_lane_has_what_one_number_alone_has() {
        let mut random = Random::new(3);
        for trial in 0..400 {
            let mut v: Vectors = [[0.0; 4]; 3];
            for lane in 0..4 {
                let size = [0.0, 1e-9, 1e-3, 0.3, 0.61, 1.01, 3.0][(trial + lane * random.below(3)) % 7];
                let way = Vec3::new(random.signed(), random.signed(), random.signed());
                let way = way.scale(size / way.length());
                [v[0][lane], v[1][lane], v[2][lane]] = [way.x, way.y, way.z];
            }
            let wide = run(Around(v));
            assert_eq!(wide, Around(v).run(Plain));
            for lane in 0..4 {
                let own = Vec3::new(v[0][lane], v[1][lane], v[2][lane]);
                let q = rotation::exp(own);
                let turn = Quat { x: wide.0[0][lane], y: wide.0[1][lane], z: wide.0[2][lane], w: wide.0[3][lane] };
                let off = [turn.x - q.x, turn.y - q.y, turn.z - q.z, turn.w - q.w];
                assert!(off.iter().all(|off| off.abs() < 3e-16), "{off:?}");
                let back = Vec3::new(wide.1[0][lane], wide.1[1][lane], wide.1[2][lane]);
                assert!(back.sub(own).length() < 4e-16 * (1.0 + own.length()), "{own:?} {back:?}");
                let alone = run(Around(v.map(|v| [v[lane]; 4])));
                assert!((0..3).all(|k| alone.1[k][0] == wide.1[k][lane] && alone.2[k][0] == wide.2[k][lane]));
            }
        }
    }
}
