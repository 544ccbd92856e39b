//! Blocks of a joint in every lane.

use drystone_kernels::lanes::{Lanes, Simd4, Vectors, Wide3, WideSym};
use drystone_solve::linalg::four_ldl::{Lower, Six, Square};

use super::coordinates::choose;
use super::load::JointLanes;

/// Change of a coordinate per small motion of an end.
#[inline(always)]
pub fn jacobian<L: Lanes>(lanes: L, joint: &JointLanes, axis: usize, side: usize) -> [Simd4<L>; 6] {
    let zero = Simd4::splat(lanes, 0.0);
    let none = Wide3 { x: zero, y: zero, z: zero };
    let [mut linear, mut angular] = match axis < 3 {
        true => {
            let along = Wide3::load(lanes, &joint.direction[axis]);
            [along, Wide3::load(lanes, &joint.lever[side]).cross(along)]
        }
        false => [none, Wide3::load(lanes, &joint.row[axis - 3])],
    };
    if side == 0 {
        [linear, angular] = [negative(linear), negative(angular)];
    }
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

/// The other way.
#[inline(always)]
pub fn negative<L: Lanes>(v: Wide3<L>) -> Wide3<L> {
    let zero = v.x.like(0.0);
    Wide3 { x: zero - v.x, y: zero - v.y, z: zero - v.z }
}

/// Σ s v over three vectors, with the numbers from `first` on.
#[inline(always)]
pub fn sum_scaled<L: Lanes, const N: usize>(lanes: L, of: &[Vectors; 3], s: &[Simd4<L>; N], first: usize) -> Wide3<L> {
    let [x, y, z] = [Wide3::load(lanes, &of[0]), Wide3::load(lanes, &of[1]), Wide3::load(lanes, &of[2])];
    x.times(s[first]) + y.times(s[first + 1]) + z.times(s[first + 2])
}

/// Σ s v vᵀ, likewise.
#[inline(always)]
pub fn sum_outer<L: Lanes>(lanes: L, of: &[Vectors; 3], s: &[Simd4<L>; 6], first: usize) -> WideSym<L> {
    let mut sum = [Simd4::splat(lanes, 0.0); 6];
    for k in 0..3 {
        let v = Wide3::load(lanes, &of[k]);
        let w = v.times(s[first + k]);
        let products = [w.x * v.x, w.x * v.y, w.x * v.z, w.y * v.y, w.y * v.z, w.z * v.z];
        for i in 0..6 {
            sum[i] += products[i];
        }
    }
    WideSym(sum)
}

/// Their sum.
#[inline(always)]
pub fn add_sym<L: Lanes>(a: WideSym<L>, b: WideSym<L>) -> WideSym<L> {
    let mut sum = a.0;
    for i in 0..6 {
        sum[i] += b.0[i];
    }
    WideSym(sum)
}

/// The rows of l × M, column by column.
#[inline(always)]
pub fn cross_rows<L: Lanes>(lever: Wide3<L>, m: WideSym<L>) -> [Wide3<L>; 3] {
    let [a, b, c] = m.columns();
    let (a, b, c) = (lever.cross(a), lever.cross(b), lever.cross(c));
    [Wide3 { x: a.x, y: b.x, z: c.x }, Wide3 { x: a.y, y: b.y, z: c.y }, Wide3 { x: a.z, y: b.z, z: c.z }]
}

/// Adds a force and a torque.
#[inline(always)]
pub fn add_force<L: Lanes>(lanes: L, into: &mut Six, force: Wide3<L>, torque: Wide3<L>) {
    let both = [force.x, force.y, force.z, torque.x, torque.y, torque.z];
    for k in 0..6 {
        into[k] = (Simd4::load(lanes, &into[k]) + both[k]).store();
    }
}

/// Adds the block of a joint to that of a body.
#[inline(always)]
pub fn add_diagonal<L: Lanes>(
    lanes: L,
    into: &mut Lower,
    translations: WideSym<L>,
    arm: &[Wide3<L>; 3],
    lever: Wide3<L>,
    turned: WideSym<L>,
) {
    let [xx, xy, xz, yy, yz, zz] = translations.0;
    let [txx, txy, txz, tyy, tyz, tzz] = turned.0;
    let (x, y, z) = (lever.cross(arm[0]), lever.cross(arm[1]), lever.cross(arm[2]));
    let [a, b, c] = *arm;
    let all = [
        xx,
        xy,
        yy,
        xz,
        yz,
        zz,
        a.x,
        a.y,
        a.z,
        x.x + txx,
        b.x,
        b.y,
        b.z,
        y.x + txy,
        y.y + tyy,
        c.x,
        c.y,
        c.z,
        z.x + txz,
        z.y + tyz,
        z.z + tzz,
    ];
    for k in 0..21 {
        into[k] = (Simd4::load(lanes, &into[k]) + all[k]).store();
    }
}

/// Rows of the child, columns of the parent.
#[inline(always)]
pub fn coupling<L: Lanes>(
    translations: WideSym<L>,
    arms: &[[Wide3<L>; 3]; 2],
    lever: Wide3<L>,
    rotations: WideSym<L>,
) -> [[Simd4<L>; 6]; 6] {
    let [xx, xy, xz, yy, yz, zz] = translations.0;
    let [rxx, rxy, rxz, ryy, ryz, rzz] = rotations.0;
    let [[p, q, r], [a, b, c]] = *arms;
    let (x, y, z) = (lever.cross(a), lever.cross(b), lever.cross(c));
    let zero = xx.like(0.0);
    let mut block = [
        [xx, xy, xz, p.x, q.x, r.x],
        [xy, yy, yz, p.y, q.y, r.y],
        [xz, yz, zz, p.z, q.z, r.z],
        [a.x, a.y, a.z, x.x + rxx, x.y + rxy, x.z + rxz],
        [b.x, b.y, b.z, y.x + rxy, y.y + ryy, y.z + ryz],
        [c.x, c.y, c.z, z.x + rxz, z.y + ryz, z.z + rzz],
    ];
    for i in 0..6 {
        for j in 0..6 {
            block[i][j] = zero - block[i][j];
        }
    }
    block
}

/// Writes a coupling, turned round where its rows are those of the parent, or adds it to what others wrote `first`.
#[inline(always)]
pub fn write_coupling<L: Lanes>(lanes: L, into: &mut Square, block: &[[Simd4<L>; 6]; 6], flipped: bool, first: bool) {
    for i in 0..6 {
        for j in 0..6 {
            let mut x = if flipped { block[j][i] } else { block[i][j] };
            if !first {
                x += Simd4::load(lanes, &into[i][j]);
            }
            into[i][j] = x.store();
        }
    }
}

/// The geometric stiffness of forces at levers with its negative eigenvalues set to zero; see
/// [`geometric_stiffness_psd`](drystone_solve::joint::geometric_stiffness_psd).
#[inline(always)]
pub fn bend<L: Lanes>(lanes: L, f: Wide3<L>, r: Wide3<L>) -> WideSym<L> {
    let (zero, one, half) = (Simd4::splat(lanes, 0.0), Simd4::splat(lanes, 1.0), Simd4::splat(lanes, 0.5));
    let (f_size, r_size) = (f.dot(f).sqrt(), r.dot(r).sqrt());
    let f_dir = f.times(f_size.where_positive(one / f_size, zero));
    let r_dir = r.times(r_size.where_positive(one / r_size, zero));
    let (sum, difference) = (f_dir + r_dir, f_dir - r_dir);
    let (sum2, difference2) = (sum.dot(sum), difference.dot(difference));
    let away = zero - f_dir.dot(r_dir);
    // Only the longer of the two in-plane directions is safe to divide by: its square is two or more.
    let along = choose(away, difference, sum);
    let long = away.where_positive(difference2, sum2).max(one);
    let short = away.where_positive(sum2, difference2);
    let w = along.times(half * half * f_size * r_size * short / long);
    // What is pulled outwards has the exact stiffness besides.
    let exact = away.where_positive(one, zero);
    let (g, level) = (f.times(exact * half), f.dot(r) * exact);
    WideSym([
        w.x * along.x + (g.x * r.x + g.x * r.x) - level,
        w.x * along.y + (g.x * r.y + g.y * r.x),
        w.x * along.z + (g.x * r.z + g.z * r.x),
        w.y * along.y + (g.y * r.y + g.y * r.y) - level,
        w.y * along.z + (g.y * r.z + g.z * r.y),
        w.z * along.z + (g.z * r.z + g.z * r.z) - level,
    ])
}

#[cfg(test)]
mod tests {
    use drystone_kernels::lanes::{F64x4, Task, run};
    use drystone_model::DVec3;
    use drystone_random::Random;
    use drystone_solve::joint::geometric_stiffness_psd;

    use super::*;

    struct Bend([DVec3; 4], [DVec3; 4]);

    impl Task for Bend {
        type Output = [F64x4; 6];

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            bend(lanes, Wide3::gather(lanes, self.0), Wide3::gather(lanes, self.1)).store()
        }
    }

    /// In every direction, nearly and exactly along the lever, against it, and of no force or lever at all.
    #[test]
    fn four_geometric_stiffnesses_are_those_of_each() {
        let mut random = Random::new(8);
        let mut vector = || DVec3::new(random.signed(), random.signed(), random.signed());
        for trial in 0..200 {
            let (f, any) = (vector() * 1e3, vector());
            let mut lever = |way: DVec3| way * 1e-3 + vector() * if trial % 2 == 0 { 1e-9 } else { 0.0 };
            let mut levers = [lever(f), lever(-f), any, any];
            let mut forces = [f, f, f, vector()];
            match trial % 7 {
                0 => forces[3] = DVec3::ZERO,
                1 => levers[3] = DVec3::ZERO,
                2 => (forces[3], levers[3]) = (DVec3::ZERO, DVec3::ZERO),
                _ => {}
            }
            let got = run(Bend(forces, levers));
            for lane in 0..4 {
                let want = geometric_stiffness_psd(forces[lane], levers[lane]);
                let size = 1e-14 * forces[lane].length() * levers[lane].length();
                for (k, (i, j)) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].into_iter().enumerate() {
                    assert!((got[k][lane] - want.col(j)[i]).abs() <= size, "{} {}", forces[lane], levers[lane]);
                }
            }
        }
    }
}
