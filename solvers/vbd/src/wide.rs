//! The four points of a manifold at once: forces, and the wrench and stiffness they mean for a body.

use drystone_kernels::double::math::{Block6, Mat3, Sym3, Vec3, Vec6};
use drystone_kernels::lanes::{Four, Lanes};

use super::rows::{Manifold, PairMotion, Vectors4};

/// Four vectors in registers.
#[derive(Clone, Copy)]
pub struct Wide3<L: Lanes> {
    pub x: Four<L>,
    pub y: Four<L>,
    pub z: Four<L>,
}

impl<L: Lanes> Wide3<L> {
    #[inline(always)]
    pub fn load(lanes: L, from: &Vectors4) -> Self {
        Self { x: Four::load(lanes, &from.x), y: Four::load(lanes, &from.y), z: Four::load(lanes, &from.z) }
    }

    #[inline(always)]
    pub fn splat(lanes: L, v: Vec3) -> Self {
        Self { x: Four::splat(lanes, v.x), y: Four::splat(lanes, v.y), z: Four::splat(lanes, v.z) }
    }

    #[inline(always)]
    pub fn store(self) -> Vectors4 {
        Vectors4 { x: self.x.store(), y: self.y.store(), z: self.z.store() }
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
    pub fn scale(self, s: Four<L>) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }

    #[inline(always)]
    pub fn dot(self, b: Self) -> Four<L> {
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

/// What the points of a manifold answer to a motion, as [`Manifold::force`] says it of one.
#[derive(Clone, Copy)]
pub struct Answer<L: Lanes> {
    /// Gap after the motion \[m\].
    pub gap: Four<L>,
    /// Normal force \[N\].
    pub normal: Four<L>,
    /// Friction \[N\].
    pub friction: Wide3<L>,
    /// Share of the trial friction that fits the cone.
    pub stick: Four<L>,
}

/// Forces of all points of a manifold at a relative motion.
#[inline(always)]
pub fn answer<L: Lanes>(lanes: L, manifold: &Manifold, motion: &PairMotion) -> Answer<L> {
    let four = |from| Four::load(lanes, from);
    let n = Wide3::splat(lanes, manifold.normal);
    let lever = Wide3::load(lanes, &manifold.lever);
    let moved = Wide3::splat(lanes, motion.linear).add(Wide3::splat(lanes, motion.angular).cross(lever));
    let along = moved.dot(n);
    let slip = Wide3::load(lanes, &manifold.slip).add(moved.sub(n.scale(along)));
    let gap = four(&manifold.gap) + along;
    let hardness = four(&manifold.hardness);
    let normal =
        (hardness * four(&manifold.load) - hardness * four(&manifold.rho_n) * gap).max(Four::splat(lanes, 0.0));
    let trial = Wide3::load(lanes, &manifold.friction).sub(slip.scale(four(&manifold.rho_t)));
    let cone = four(&manifold.mu) * normal;
    let tiny = Four::splat(lanes, L::TINY);
    let stick = (cone + tiny) / (trial.dot(trial).sqrt().max(cone) + tiny);
    Answer { gap, normal, friction: trial.scale(stick), stick }
}

/// Wrench and stiffness of all contacts of a body, summed lane by lane; the lanes are added up once at the end.
#[derive(Clone, Copy)]
pub struct ContactSum<L: Lanes> {
    lanes: L,
    force: Wide3<L>,
    torque: Wide3<L>,
    /// Σ b.
    b: Four<L>,
    /// Σ b r.
    b_lever: Wide3<L>,
    /// Σ (a − b) n nᵀ: xx, yy, zz, then xy, xz, yz.
    linear: [Wide3<L>; 2],
    /// Σ (a − b) (r × n) nᵀ, row by row.
    coupling: [Wide3<L>; 3],
    /// Angular block: xx, yy, zz, then xy, xz, yz.
    angular: [Wide3<L>; 2],
}

impl<L: Lanes> ContactSum<L> {
    #[inline(always)]
    pub fn new(lanes: L) -> Self {
        let (zero, zeros) = (Four::splat(lanes, 0.0), Wide3::splat(lanes, Vec3::default()));
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
        let four = |from| Four::load(lanes, from);
        let answer = answer(lanes, manifold, motion);
        let zero = Four::splat(lanes, 0.0);
        let weight = Four::splat(lanes, weight);
        let pressed = |stiffness| answer.normal.where_positive(weight * stiffness, zero);
        let a = pressed(four(&manifold.hardness) * four(&manifold.rho_n));
        let b = pressed(four(&manifold.rho_t) * answer.stick);
        let n = Wide3::splat(lanes, manifold.normal);
        let (sign, span) = if side == 1 { (1.0, manifold.span) } else { (-1.0, Vec3::default()) };
        let force = n.scale(answer.normal).add(answer.friction).scale(Four::splat(lanes, sign));
        let r = Wide3::load(lanes, &manifold.lever).add(Wide3::splat(lanes, span));
        self.force = self.force.add(force);
        self.torque = self.torque.add(r.cross(force));
        self.add_stiffness(n, r, a, b);
    }

    /// Adds diag(a, b, b) in the axes of `n`, at lever `r`: b (1, [r]×) twice over, and a − b along (n, r × n).
    #[inline(always)]
    fn add_stiffness(&mut self, n: Wide3<L>, r: Wide3<L>, a: Four<L>, b: Four<L>) {
        let c = a - b;
        let (cn, m, br) = (n.scale(c), r.cross(n), r.scale(b));
        let cm = m.scale(c);
        self.b += b;
        self.b_lever = self.b_lever.add(br);
        self.linear[0] = self.linear[0].add(Wide3 { x: cn.x * n.x, y: cn.y * n.y, z: cn.z * n.z });
        self.linear[1] = self.linear[1].add(Wide3 { x: cn.x * n.y, y: cn.x * n.z, z: cn.y * n.z });
        self.coupling[0] = self.coupling[0].add(n.scale(cm.x));
        self.coupling[1] = self.coupling[1].add(n.scale(cm.y));
        self.coupling[2] = self.coupling[2].add(n.scale(cm.z));
        let (xx, yy, zz) = (br.x * r.x, br.y * r.y, br.z * r.z);
        self.angular[0] = self.angular[0].add(Wide3 {
            x: cm.x * m.x + (yy + zz),
            y: cm.y * m.y + (xx + zz),
            z: cm.z * m.z + (xx + yy),
        });
        self.angular[1] = self.angular[1].add(Wide3 {
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
        let symmetric = |[diagonal, beside]: [Wide3<L>; 2]| {
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
