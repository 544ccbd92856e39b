//! The four points of a manifold at once: forces, and the wrench and stiffness they mean for a body.

use drystone_kernels::double::math::{Block6, Mat3, Sym3, Vec3, Vec6};
use drystone_kernels::lanes::{Lanes, Simd4};

use super::rows::{Manifold, PairMotion, Vec3x4};

/// Four vectors in registers.
#[derive(Clone, Copy)]
pub struct SimdVec3<L: Lanes> {
    pub x: Simd4<L>,
    pub y: Simd4<L>,
    pub z: Simd4<L>,
}

impl<L: Lanes> SimdVec3<L> {
    #[inline(always)]
    pub fn load(lanes: L, from: &Vec3x4) -> Self {
        Self { x: Simd4::load(lanes, &from.x), y: Simd4::load(lanes, &from.y), z: Simd4::load(lanes, &from.z) }
    }

    #[inline(always)]
    pub fn splat(lanes: L, v: Vec3) -> Self {
        Self { x: Simd4::splat(lanes, v.x), y: Simd4::splat(lanes, v.y), z: Simd4::splat(lanes, v.z) }
    }

    #[inline(always)]
    pub fn store(self) -> Vec3x4 {
        Vec3x4 { x: self.x.store(), y: self.y.store(), z: self.z.store() }
    }

    #[inline(always)]
    pub fn add(self, b: Self) -> Self {
        Self { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }

    #[inline(always)]
    pub fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }

    #[inline(always)]
    pub fn scale(self, s: Simd4<L>) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }

    #[inline(always)]
    pub fn dot(self, b: Self) -> Simd4<L> {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        Self { x: self.y * b.z - self.z * b.y, y: self.z * b.x - self.x * b.z, z: self.x * b.y - self.y * b.x }
    }

    #[inline(always)]
    fn sum(self) -> Vec3 {
        Vec3 { x: self.x.sum(), y: self.y.sum(), z: self.z.sum() }
    }
}

/// Forces of the points of a manifold at a relative motion; [`Manifold::force`] is the same law for one point.
#[derive(Clone, Copy)]
pub struct PointForces<L: Lanes> {
    /// Gap after the motion \[m\].
    pub gap: Simd4<L>,
    /// Normal force \[N\].
    pub normal: Simd4<L>,
    /// Friction \[N\].
    pub friction: SimdVec3<L>,
    /// Share of the trial friction that fits the cone.
    pub stick: Simd4<L>,
}

/// Forces of all points of a manifold at a relative motion.
#[inline(always)]
pub fn point_forces<L: Lanes>(lanes: L, manifold: &Manifold, motion: &PairMotion) -> PointForces<L> {
    let load = |from| Simd4::load(lanes, from);
    let n = SimdVec3::splat(lanes, manifold.normal);
    let lever = SimdVec3::load(lanes, &manifold.lever);
    let moved = SimdVec3::splat(lanes, motion.linear).add(SimdVec3::splat(lanes, motion.angular).cross(lever));
    let along = moved.dot(n);
    let slip = SimdVec3::load(lanes, &manifold.slip).add(moved.sub(n.scale(along)));
    let gap = load(&manifold.gap) + along;
    let hardness = load(&manifold.hardness);
    let normal =
        (hardness * load(&manifold.load) - hardness * load(&manifold.rho_n) * gap).max(Simd4::splat(lanes, 0.0));
    let trial = SimdVec3::load(lanes, &manifold.friction).sub(slip.scale(load(&manifold.rho_t)));
    let cone = load(&manifold.mu) * normal;
    let tiny = Simd4::splat(lanes, L::TINY);
    let stick = (cone + tiny) / (trial.dot(trial).sqrt().max(cone) + tiny);
    PointForces { gap, normal, friction: trial.scale(stick), stick }
}

/// Wrench and stiffness of all contacts of a body, summed lane by lane; the lanes are added up once at the end.
#[derive(Clone, Copy)]
pub struct ContactSum<L: Lanes> {
    lanes: L,
    force: SimdVec3<L>,
    torque: SimdVec3<L>,
    /// Σ b.
    b: Simd4<L>,
    /// Σ b r.
    b_lever: SimdVec3<L>,
    /// Σ (a − b) n nᵀ: xx, yy, zz, then xy, xz, yz.
    linear: [SimdVec3<L>; 2],
    /// Σ (a − b) (r × n) nᵀ, row by row.
    coupling: [SimdVec3<L>; 3],
    /// Angular block: xx, yy, zz, then xy, xz, yz.
    angular: [SimdVec3<L>; 2],
}

impl<L: Lanes> ContactSum<L> {
    #[inline(always)]
    pub fn new(lanes: L) -> Self {
        let (zero, zeros) = (Simd4::splat(lanes, 0.0), SimdVec3::splat(lanes, Vec3::default()));
        Self {
            lanes,
            force: zeros,
            torque: zeros,
            b: zero,
            b_lever: zeros,
            linear: [zeros; 2],
            coupling: [zeros; 3],
            angular: [zeros; 2],
        }
    }

    /// Adds a manifold as the body on `side` feels it, every stiffness times `weight`. Points that do not press
    /// add nothing.
    #[inline(always)]
    pub fn add(&mut self, manifold: &Manifold, motion: &PairMotion, side: usize, weight: f64) {
        let lanes = self.lanes;
        let load = |from| Simd4::load(lanes, from);
        let forces = point_forces(lanes, manifold, motion);
        let zero = Simd4::splat(lanes, 0.0);
        let weight = Simd4::splat(lanes, weight);
        let pressed = |stiffness| forces.normal.where_positive(weight * stiffness, zero);
        let a = pressed(load(&manifold.hardness) * load(&manifold.rho_n));
        let b = pressed(load(&manifold.rho_t) * forces.stick);
        let n = SimdVec3::splat(lanes, manifold.normal);
        let (sign, span) = if side == 1 { (1.0, manifold.span) } else { (-1.0, Vec3::default()) };
        let force = n.scale(forces.normal).add(forces.friction).scale(Simd4::splat(lanes, sign));
        let r = SimdVec3::load(lanes, &manifold.lever).add(SimdVec3::splat(lanes, span));
        self.force = self.force.add(force);
        self.torque = self.torque.add(r.cross(force));
        self.add_stiffness(n, r, a, b);
    }

    /// Adds diag(a, b, b) in the axes of `n`, at lever `r`: b (1, [r]×) twice over, and a − b along (n, r × n).
    #[inline(always)]
    fn add_stiffness(&mut self, n: SimdVec3<L>, r: SimdVec3<L>, a: Simd4<L>, b: Simd4<L>) {
        let c = a - b;
        let (cn, m, br) = (n.scale(c), r.cross(n), r.scale(b));
        let cm = m.scale(c);
        self.b += b;
        self.b_lever = self.b_lever.add(br);
        self.linear[0] = self.linear[0].add(SimdVec3 { x: cn.x * n.x, y: cn.y * n.y, z: cn.z * n.z });
        self.linear[1] = self.linear[1].add(SimdVec3 { x: cn.x * n.y, y: cn.x * n.z, z: cn.y * n.z });
        self.coupling[0] = self.coupling[0].add(n.scale(cm.x));
        self.coupling[1] = self.coupling[1].add(n.scale(cm.y));
        self.coupling[2] = self.coupling[2].add(n.scale(cm.z));
        let (xx, yy, zz) = (br.x * r.x, br.y * r.y, br.z * r.z);
        self.angular[0] = self.angular[0].add(SimdVec3 {
            x: cm.x * m.x + (yy + zz),
            y: cm.y * m.y + (xx + zz),
            z: cm.z * m.z + (xx + yy),
        });
        self.angular[1] = self.angular[1].add(SimdVec3 {
            x: cm.x * m.y - br.x * r.y,
            y: cm.x * m.z - br.x * r.z,
            z: cm.y * m.z - br.y * r.z,
        });
    }

    /// The sums.
    #[inline(always)]
    pub fn finish(self) -> (Vec6, Block6) {
        let wrench = Vec6 { l: self.force.sum(), a: self.torque.sum() };
        let (b, r) = (self.b.sum(), self.b_lever.sum());
        let symmetric = |[diagonal, beside]: [SimdVec3<L>; 2]| {
            let (d, o) = (diagonal.sum(), beside.sum());
            Sym3 { xx: d.x, xy: o.x, xz: o.y, yy: d.y, yz: o.z, zz: d.z }
        };
        let [c0, c1, c2] = self.coupling.map(|row| row.sum());
        let al = Mat3 {
            r0: Vec3 { x: c0.x, y: c0.y - r.z, z: c0.z + r.y },
            r1: Vec3 { x: c1.x + r.z, y: c1.y, z: c1.z - r.x },
            r2: Vec3 { x: c2.x - r.y, y: c2.y + r.x, z: c2.z },
        };
        let ll = Sym3::scaled_identity(b).add(symmetric(self.linear));
        (wrench, Block6 { ll, al, aa: symmetric(self.angular) })
    }
}
