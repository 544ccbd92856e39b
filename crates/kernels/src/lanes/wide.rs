//! Vectors, turns and matrices in every lane. Nothing here computes within a closure: a closure is compiled without the
//! wide instructions of the function around it, and then calls them one by one.

use std::ops::{Add, Sub};

use super::{F64x4, Lanes, Simd4};

/// Vectors in memory, coordinate by coordinate.
pub type Vectors = [F64x4; 3];

/// A vector in every lane.
#[derive(Clone, Copy)]
pub struct Wide3<L: Lanes> {
    /// First coordinate.
    pub x: Simd4<L>,
    /// Second coordinate.
    pub y: Simd4<L>,
    /// Third coordinate.
    pub z: Simd4<L>,
}

impl<L: Lanes> Add for Wide3<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }
}

impl<L: Lanes> Sub for Wide3<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl<L: Lanes> Wide3<L> {
    /// From memory.
    #[inline(always)]
    pub fn load(lanes: L, from: &Vectors) -> Self {
        Self { x: Simd4::load(lanes, &from[0]), y: Simd4::load(lanes, &from[1]), z: Simd4::load(lanes, &from[2]) }
    }

    /// One vector per lane.
    #[inline(always)]
    pub fn gather(lanes: L, [a, b, c, d]: [impl Into<[f64; 3]>; 4]) -> Self {
        let [a, b, c, d] = [a.into(), b.into(), c.into(), d.into()];
        Self::load(lanes, &[[a[0], b[0], c[0], d[0]], [a[1], b[1], c[1], d[1]], [a[2], b[2], c[2], d[2]]])
    }

    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(lanes: L, v: impl Into<[f64; 3]>) -> Self {
        let [x, y, z] = v.into();
        Self { x: Simd4::splat(lanes, x), y: Simd4::splat(lanes, y), z: Simd4::splat(lanes, z) }
    }

    /// To memory.
    #[inline(always)]
    pub fn store(self) -> Vectors {
        [self.x.store(), self.y.store(), self.z.store()]
    }

    /// Every lane's vector times its number.
    #[inline(always)]
    pub fn times(self, s: Simd4<L>) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, b: Self) -> Simd4<L> {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        Self { x: self.y * b.z - self.z * b.y, y: self.z * b.x - self.x * b.z, z: self.x * b.y - self.y * b.x }
    }

    /// The largest coordinate by size.
    #[inline(always)]
    pub fn largest(self) -> Simd4<L> {
        (self.x * self.x).max(self.y * self.y).max(self.z * self.z).sqrt()
    }
}

/// A symmetric matrix in every lane: xx, xy, xz, yy, yz, zz.
#[derive(Clone, Copy)]
pub struct WideSym<L: Lanes>(pub [Simd4<L>; 6]);

impl<L: Lanes> WideSym<L> {
    /// The product with a vector.
    #[inline(always)]
    pub fn times(self, v: Wide3<L>) -> Wide3<L> {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        Wide3 {
            x: xx * v.x + xy * v.y + xz * v.z,
            y: xy * v.x + yy * v.y + yz * v.z,
            z: xz * v.x + yz * v.y + zz * v.z,
        }
    }

    /// To memory.
    #[inline(always)]
    pub fn store(self) -> [F64x4; 6] {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        [xx.store(), xy.store(), xz.store(), yy.store(), yz.store(), zz.store()]
    }

    /// Its columns.
    #[inline(always)]
    pub fn columns(self) -> [Wide3<L>; 3] {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        [Wide3 { x: xx, y: xy, z: xz }, Wide3 { x: xy, y: yy, z: yz }, Wide3 { x: xz, y: yz, z: zz }]
    }
}

/// A unit quaternion in every lane: x, y, z, w.
#[derive(Clone, Copy)]
pub struct WideTurn<L: Lanes>(pub [Simd4<L>; 4]);

impl<L: Lanes> WideTurn<L> {
    /// From memory.
    #[inline(always)]
    pub fn load(lanes: L, from: &[F64x4; 4]) -> Self {
        let [x, y, z, w] = from;
        Self([Simd4::load(lanes, x), Simd4::load(lanes, y), Simd4::load(lanes, z), Simd4::load(lanes, w)])
    }

    /// To memory.
    #[inline(always)]
    pub fn store(self) -> [F64x4; 4] {
        let [x, y, z, w] = self.0;
        [x.store(), y.store(), z.store(), w.store()]
    }

    /// This turn after one with vector part `v` and real part `w`, of length one again.
    #[inline(always)]
    pub fn after(self, v: Wide3<L>, w: Simd4<L>, one: Simd4<L>) -> Self {
        let [x, y, z, r] = self.0;
        let a = r * v.x + x * w + y * v.z - z * v.y;
        let b = r * v.y - x * v.z + y * w + z * v.x;
        let c = r * v.z + x * v.y - y * v.x + z * w;
        let d = r * w - x * v.x - y * v.y - z * v.z;
        let scale = one / (a * a + b * b + c * c + d * d).sqrt();
        Self([a * scale, b * scale, c * scale, d * scale])
    }

    /// The rotation matrix.
    #[inline(always)]
    pub fn matrix(self, one: Simd4<L>) -> WideMatrix<L> {
        let [x, y, z, w] = self.0;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        WideMatrix([
            Wide3 { x: one - (yy + zz), y: xy + wz, z: xz - wy },
            Wide3 { x: xy - wz, y: one - (xx + zz), z: yz + wx },
            Wide3 { x: xz + wy, y: yz - wx, z: one - (xx + yy) },
        ])
    }
}

/// A matrix in every lane, by columns.
#[derive(Clone, Copy)]
pub struct WideMatrix<L: Lanes>(pub [Wide3<L>; 3]);

impl<L: Lanes> WideMatrix<L> {
    /// The product with a vector.
    #[inline(always)]
    pub fn times(self, v: Wide3<L>) -> Wide3<L> {
        let [a, b, c] = self.0;
        a.times(v.x) + b.times(v.y) + c.times(v.z)
    }

    /// The product of the transpose with a vector.
    #[inline(always)]
    pub fn transposed_times(self, v: Wide3<L>) -> Wide3<L> {
        let [a, b, c] = self.0;
        Wide3 { x: a.dot(v), y: b.dot(v), z: c.dot(v) }
    }

    /// M S Mᵀ.
    #[inline(always)]
    pub fn around(self, s: WideSym<L>) -> WideSym<L> {
        let [s, t, u] = s.columns();
        let (a, b, c) = (self.times(s), self.times(t), self.times(u));
        let [p, q, r] = self.0;
        WideSym([
            a.x * p.x + b.x * q.x + c.x * r.x,
            a.x * p.y + b.x * q.y + c.x * r.y,
            a.x * p.z + b.x * q.z + c.x * r.z,
            a.y * p.y + b.y * q.y + c.y * r.y,
            a.y * p.z + b.y * q.z + c.y * r.z,
            a.z * p.z + b.z * q.z + c.z * r.z,
        ])
    }

    /// The solution of M s = b, by Cramer's rule.
    #[inline(always)]
    pub fn solve(self, b: Wide3<L>, one: Simd4<L>) -> Wide3<L> {
        let [p, q, r] = self.0;
        let (qr, rp, pq) = (q.cross(r), r.cross(p), p.cross(q));
        let scale = one / p.dot(qr);
        Wide3 { x: qr.dot(b) * scale, y: rp.dot(b) * scale, z: pq.dot(b) * scale }
    }
}
