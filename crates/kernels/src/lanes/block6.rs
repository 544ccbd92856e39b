//! The 6×6 blocks of four bodies, side by side, and their solution: what [`Block6::solve`] does for one, in the same order, so
//! that both give the same bits.

use super::{F64x4, Lanes, Simd4};
use crate::double::math::{Block6, Mat3, Sym3, Vec3, Vec6};

/// The smallest pivot that is taken, as of [`Sym3::cholesky`].
const PIVOT_FLOOR: f64 = crate::double::math::PIVOT_FLOOR;

/// Four vectors of three numbers.
type Three<L> = [Simd4<L>; 3];

/// Four symmetric 3×3 matrices: xx, xy, xz, yy, yz, zz.
pub type Six<L> = [Simd4<L>; 6];

/// Four vectors of six numbers: the linear parts, then the angular ones.
#[derive(Clone, Copy)]
pub struct FourVec6<L: Lanes>(pub Six<L>);

/// Four symmetric 6×6 matrices.
#[derive(Clone, Copy)]
pub struct FourBlock6<L: Lanes> {
    /// Linear-linear.
    pub ll: Six<L>,
    /// Angular rows, linear columns, row by row.
    pub al: [Three<L>; 3],
    /// Angular-angular.
    pub aa: Six<L>,
}

/// The numbers of up to four bodies in memory.
#[derive(Clone, Copy, Default)]
pub struct FourRows {
    force: [F64x4; 6],
    ll: [F64x4; 6],
    al: [[F64x4; 3]; 3],
    aa: [F64x4; 6],
}

impl FourRows {
    /// Unit matrices and no forces: what lanes without a body are solved with.
    #[inline(always)]
    pub fn identity() -> Self {
        let (one, none) = ([1.0; 4], [0.0; 4]);
        let unit = [one, none, none, one, none, one];
        Self { ll: unit, aa: unit, ..Self::default() }
    }

    /// Writes the numbers of one body.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, force: Vec6, block: Block6) {
        write3(&mut self.force, 0, lane, force.l);
        write3(&mut self.force, 3, lane, force.a);
        write_sym(&mut self.ll, lane, block.ll);
        write3(&mut self.al[0], 0, lane, block.al.r0);
        write3(&mut self.al[1], 0, lane, block.al.r1);
        write3(&mut self.al[2], 0, lane, block.al.r2);
        write_sym(&mut self.aa, lane, block.aa);
    }

    /// The vectors and the blocks.
    #[inline(always)]
    pub fn load<L: Lanes>(&self, lanes: L) -> (FourVec6<L>, FourBlock6<L>) {
        let al = [load3(lanes, &self.al[0]), load3(lanes, &self.al[1]), load3(lanes, &self.al[2])];
        let block = FourBlock6 { ll: load6(lanes, &self.ll), al, aa: load6(lanes, &self.aa) };
        (FourVec6(load6(lanes, &self.force)), block)
    }
}

#[inline(always)]
fn write3(rows: &mut [F64x4], first: usize, lane: usize, v: Vec3) {
    rows[first][lane] = v.x;
    rows[first + 1][lane] = v.y;
    rows[first + 2][lane] = v.z;
}

#[inline(always)]
fn write_sym(rows: &mut [F64x4; 6], lane: usize, m: Sym3) {
    rows[0][lane] = m.xx;
    rows[1][lane] = m.xy;
    rows[2][lane] = m.xz;
    rows[3][lane] = m.yy;
    rows[4][lane] = m.yz;
    rows[5][lane] = m.zz;
}

// No closures and no `map` in what follows: they are compiled without the wide instructions of the task around them.

#[inline(always)]
fn load3<L: Lanes>(lanes: L, from: &[F64x4; 3]) -> Three<L> {
    [Simd4::load(lanes, &from[0]), Simd4::load(lanes, &from[1]), Simd4::load(lanes, &from[2])]
}

#[inline(always)]
fn load6<L: Lanes>(lanes: L, from: &[F64x4; 6]) -> Six<L> {
    let [a, b, c, d, e, f] = from;
    let [a, b, c] = [Simd4::load(lanes, a), Simd4::load(lanes, b), Simd4::load(lanes, c)];
    [a, b, c, Simd4::load(lanes, d), Simd4::load(lanes, e), Simd4::load(lanes, f)]
}

#[inline(always)]
fn add3<L: Lanes>(a: Three<L>, b: Three<L>) -> Three<L> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn sub_scaled<L: Lanes>(a: Three<L>, b: Three<L>, s: Simd4<L>) -> Three<L> {
    [a[0] - b[0] * s, a[1] - b[1] * s, a[2] - b[2] * s]
}

#[inline(always)]
fn dot<L: Lanes>(a: Three<L>, b: Three<L>) -> Simd4<L> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn add6<L: Lanes>(a: Six<L>, b: Six<L>) -> Six<L> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]]
}

impl<L: Lanes> FourVec6<L> {
    /// Sum.
    #[inline(always)]
    pub fn add(self, b: Self) -> Self {
        Self(add6(self.0, b.0))
    }

    /// To memory: one vector for each lane.
    #[inline(always)]
    pub fn store(self) -> [Vec6; 4] {
        let [a, b, c, d, e, f] = self.0;
        let (l, m) = ([a.store(), b.store(), c.store()], [d.store(), e.store(), f.store()]);
        let mut all = [Vec6::default(); 4];
        for lane in 0..4 {
            all[lane].l = Vec3 { x: l[0][lane], y: l[1][lane], z: l[2][lane] };
            all[lane].a = Vec3 { x: m[0][lane], y: m[1][lane], z: m[2][lane] };
        }
        all
    }
}

impl<L: Lanes> FourBlock6<L> {
    /// Sum.
    #[inline(always)]
    pub fn add(self, b: Self) -> Self {
        let al = [add3(self.al[0], b.al[0]), add3(self.al[1], b.al[1]), add3(self.al[2], b.al[2])];
        Self { ll: add6(self.ll, b.ll), al, aa: add6(self.aa, b.aa) }
    }

    /// The first of the four.
    #[inline(always)]
    pub fn first(self) -> Block6 {
        let [c0, c1, c2] = self.al;
        Block6 {
            ll: first_sym(self.ll),
            al: Mat3 { r0: first3(c0), r1: first3(c1), r2: first3(c2) },
            aa: first_sym(self.aa),
        }
    }

    /// Solves `self · x = f` for each of the four; see [`Block6::solve`].
    #[inline(always)]
    pub fn solve(self, FourVec6(f): FourVec6<L>) -> FourVec6<L> {
        let [r0, r1, r2] = self.al;
        let (fl, fa) = ([f[0], f[1], f[2]], [f[3], f[4], f[5]]);
        let l = Cholesky::of(self.ll);
        let (x0, x1, x2) = (l.solve(r0), l.solve(r1), l.solve(r2));
        let schur = [
            self.aa[0] - dot(r0, x0),
            self.aa[1] - dot(r0, x1),
            self.aa[2] - dot(r0, x2),
            self.aa[3] - dot(r1, x1),
            self.aa[4] - dot(r1, x2),
            self.aa[5] - dot(r2, x2),
        ];
        let a = Cholesky::of(schur).solve([fa[0] - dot(x0, fl), fa[1] - dot(x1, fl), fa[2] - dot(x2, fl)]);
        let linear = sub_scaled(sub_scaled(sub_scaled(l.solve(fl), x0, a[0]), x1, a[1]), x2, a[2]);
        FourVec6([linear[0], linear[1], linear[2], a[0], a[1], a[2]])
    }
}

#[inline(always)]
fn first3<L: Lanes>(v: Three<L>) -> Vec3 {
    Vec3 { x: v[0].store()[0], y: v[1].store()[0], z: v[2].store()[0] }
}

#[inline(always)]
fn first_sym<L: Lanes>(m: Six<L>) -> Sym3 {
    let [a, b] = [first3([m[0], m[1], m[2]]), first3([m[3], m[4], m[5]])];
    Sym3 { xx: a.x, xy: a.y, xz: a.z, yy: b.x, yz: b.y, zz: b.z }
}

/// Lower Cholesky factors with inverted diagonals; see [`Sym3::cholesky`].
#[derive(Clone, Copy)]
struct Cholesky<L: Lanes> {
    i00: Simd4<L>,
    l10: Simd4<L>,
    i11: Simd4<L>,
    l20: Simd4<L>,
    l21: Simd4<L>,
    i22: Simd4<L>,
}

impl<L: Lanes> Cholesky<L> {
    #[inline(always)]
    fn of([xx, xy, xz, yy, yz, zz]: Six<L>) -> Self {
        let one = xx.like(1.0);
        let floor = (xx + yy + zz) * xx.like(PIVOT_FLOOR);
        let i00 = one / xx.max(floor).sqrt();
        let (l10, l20) = (xy * i00, xz * i00);
        let i11 = one / (yy - l10 * l10).max(floor).sqrt();
        let l21 = (yz - l20 * l10) * i11;
        let i22 = one / (zz - l20 * l20 - l21 * l21).max(floor).sqrt();
        Self { i00, l10, i11, l20, l21, i22 }
    }

    #[inline(always)]
    fn solve(self, b: Three<L>) -> Three<L> {
        let y0 = b[0] * self.i00;
        let y1 = (b[1] - self.l10 * y0) * self.i11;
        let y2 = (b[2] - self.l20 * y0 - self.l21 * y1) * self.i22;
        let z = y2 * self.i22;
        let y = (y1 - self.l21 * z) * self.i11;
        [(y0 - self.l10 * y - self.l20 * z) * self.i00, y, z]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Single, Task, run};
    use super::*;
    use drystone_random::Random;

    struct Solve(FourRows);

    impl Task for Solve {
        type Output = [Vec6; 4];

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> [Vec6; 4] {
            let (force, block) = self.0.load(lanes);
            block.solve(force).store()
        }
    }

    fn vector(random: &mut Random) -> Vec3 {
        Vec3::new(random.signed(), random.signed(), random.signed())
    }

    /// Masses on springs at levers: positive definite, stiff or soft.
    fn random_block(random: &mut Random) -> Block6 {
        let mass = 0.1 + random.signed().abs();
        let own =
            Block6 { ll: Sym3::scaled_identity(mass), al: Mat3::default(), aa: Sym3::scaled_identity(0.3 * mass) };
        (0..4).fold(own, |sum, _| {
            let (s, r) = (100.0 * random.signed().abs(), vector(random));
            let al = Mat3 {
                r0: Vec3::new(0.0, -s * r.z, s * r.y),
                r1: Vec3::new(s * r.z, 0.0, -s * r.x),
                r2: Vec3::new(-s * r.y, s * r.x, 0.0),
            };
            sum.add(Block6 { ll: Sym3::scaled_identity(s), al, aa: Sym3::scaled_lever(r, s) })
        })
    }

    /// Four bodies at once are solved as each of them is alone, to the bit, in either precision.
    #[test]
    fn four_blocks_are_solved_as_one_is() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let mut rows = FourRows::default();
            let systems = [(); 4].map(|()| {
                let force = Vec6 { l: vector(&mut random), a: vector(&mut random) };
                (force, random_block(&mut random))
            });
            for (lane, &(force, block)) in systems.iter().enumerate() {
                rows.set(lane, force, block);
            }
            assert_eq!(run(Solve(rows)), systems.map(|(force, block)| block.solve(force)));
            let single = Solve(rows).run(Single);
            assert_eq!(single, systems.map(|(force, block)| Single.solve(block, force)));
            for ((force, block), x) in systems.into_iter().zip(run(Solve(rows))) {
                let left = block.mul(x).sub(force);
                assert!(left.dot(left).sqrt() < 1e-12, "{left:?}");
            }
        }
    }

    #[test]
    fn sums_and_the_first_of_four() {
        struct Sum(FourRows);
        impl Task for Sum {
            type Output = (Block6, [Vec6; 4]);

            #[inline(always)]
            fn run<L: Lanes>(self, lanes: L) -> Self::Output {
                let (force, block) = self.0.load(lanes);
                (block.add(block).first(), force.add(force).store())
            }
        }
        let mut random = Random::new(6);
        let (force, block) = (Vec6 { l: vector(&mut random), a: vector(&mut random) }, random_block(&mut random));
        let mut rows = FourRows::default();
        rows.set(0, force, block);
        let (twice, forces) = run(Sum(rows));
        assert_eq!(twice, block.add(block));
        assert_eq!(forces, [force.add(force), Vec6::default(), Vec6::default(), Vec6::default()]);
    }
}
