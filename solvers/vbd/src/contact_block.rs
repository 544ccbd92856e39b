//! Wrench and stiffness that the contacts of a body mean for its six unknowns.

use drystone_kernels::double::math::{Block6, Vec3, Vec6};
use drystone_kernels::lanes::{FourBlock6, FourVec6, Lanes, Simd4};

use super::contact_law::point_forces;
use super::rows::{Manifold, PairMotion};
use super::simd::SimdVec3;

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
        let none = Self::new(self.lanes);
        let (wrench, block) = Self::finish_four(&[self, none, none, none]);
        (wrench.store()[0], block.first())
    }

    /// The sums of four bodies, side by side.
    #[inline(always)]
    pub fn finish_four(all: &[Self; 4]) -> (FourVec6<L>, FourBlock6<L>) {
        let [a, b, c, d] = all;
        let force = sums([a.force, b.force, c.force, d.force]);
        let torque = sums([a.torque, b.torque, c.torque, d.torque]);
        let wrench = FourVec6([force.x, force.y, force.z, torque.x, torque.y, torque.z]);
        let diagonal = sums([a.linear[0], b.linear[0], c.linear[0], d.linear[0]]);
        let beside = sums([a.linear[1], b.linear[1], c.linear[1], d.linear[1]]);
        let twice = Simd4::sums([a.b, b.b, c.b, d.b]);
        let ll = [twice + diagonal.x, beside.x, beside.y, twice + diagonal.y, beside.z, twice + diagonal.z];
        let diagonal = sums([a.angular[0], b.angular[0], c.angular[0], d.angular[0]]);
        let beside = sums([a.angular[1], b.angular[1], c.angular[1], d.angular[1]]);
        let aa = [diagonal.x, beside.x, beside.y, diagonal.y, beside.z, diagonal.z];
        let r = sums([a.b_lever, b.b_lever, c.b_lever, d.b_lever]);
        let c0 = sums([a.coupling[0], b.coupling[0], c.coupling[0], d.coupling[0]]);
        let c1 = sums([a.coupling[1], b.coupling[1], c.coupling[1], d.coupling[1]]);
        let c2 = sums([a.coupling[2], b.coupling[2], c.coupling[2], d.coupling[2]]);
        let al = [[c0.x, c0.y - r.z, c0.z + r.y], [c1.x + r.z, c1.y, c1.z - r.x], [c2.x - r.y, c2.y + r.x, c2.z]];
        (wrench, FourBlock6 { ll, al, aa })
    }
}

/// The sums of four, one in each lane.
#[inline(always)]
fn sums<L: Lanes>([a, b, c, d]: [SimdVec3<L>; 4]) -> SimdVec3<L> {
    SimdVec3 {
        x: Simd4::sums([a.x, b.x, c.x, d.x]),
        y: Simd4::sums([a.y, b.y, c.y, d.y]),
        z: Simd4::sums([a.z, b.z, c.z, d.z]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_law::tests::{random_manifold, random_motion, vector};
    use crate::rows::Point;
    use drystone_kernels::lanes::{self, Task};
    use drystone_random::Random;

    struct Sum<'a> {
        manifold: &'a Manifold,
        delta: [Vec6; 2],
        side: usize,
        weight: f64,
    }

    impl Task for Sum<'_> {
        type Output = (Vec6, Block6);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> (Vec6, Block6) {
            let mut sum = ContactSum::new(lanes);
            sum.add(self.manifold, &self.manifold.motion(&self.delta), self.side, self.weight);
            sum.finish()
        }
    }

    fn sum(manifold: &Manifold, delta: [Vec6; 2], side: usize, weight: f64) -> (Vec6, Block6) {
        lanes::run(Sum { manifold, delta, side, weight })
    }

    fn size(v: Vec6) -> f64 {
        v.dot(v).sqrt()
    }

    /// Points that press and stick (`mu` large), or press and slide without friction (`mu` zero): both are linear.
    fn pressed(random: &mut Random, mu: f64) -> Manifold {
        let mut manifold = random_manifold(random);
        for lane in 0..manifold.count as usize {
            let point = manifold.point(lane);
            manifold.set_point(lane, Point { gap: -1.0, load: 5.0, mu, ..point });
        }
        manifold
    }

    /// The block is minus the derivative of the wrench by the motion of the body, whichever of the two it is.
    #[test]
    fn the_block_is_the_slope_of_the_wrench() {
        let mut random = Random::new(11);
        for mu in [0.0, 1e3] {
            for trial in 0..100 {
                let (manifold, side) = (pressed(&mut random, mu), trial % 2);
                let delta = random_motion(&mut random, 0.01);
                let step = Vec6 { l: vector(&mut random).scale(1e-3), a: vector(&mut random).scale(1e-3) };
                let mut moved = delta;
                moved[side] = delta[side].add(step);
                let (before, block) = sum(&manifold, delta, side, 1.0);
                let (after, _) = sum(&manifold, moved, side, 1.0);
                let expected = before.sub(block.mul(step));
                // A step across the normal of a point without friction changes little, but far more than rounding does.
                let rounding = 1e-14 * size(before);
                assert!(size(after.sub(before)) > 1e4 * rounding, "the step changes nothing");
                assert!(size(after.sub(expected)) < rounding, "{:e}", size(after.sub(expected)));
            }
        }
    }

    /// Forces on the two bodies are opposite, and so are the moments about one place.
    #[test]
    fn momentum_is_kept() {
        let mut random = Random::new(12);
        for _ in 0..100 {
            let (manifold, delta) = (random_manifold(&mut random), random_motion(&mut random, 0.05));
            let [first, second] = [0, 1].map(|side| sum(&manifold, delta, side, 1.0).0);
            assert!(first.l.add(second.l).length() <= 1e-12 * (1.0 + first.l.length()));
            // About the centre of mass of the second body, `span` back from that of the first.
            let moment = first.a.add(manifold.span.cross(first.l)).add(second.a);
            assert!(moment.length() < 1e-11 * (1.0 + first.a.length() + first.l.length()), "{moment:?}");
        }
    }

    /// By hand: a point above the centre at (0, 0, −1) along z pushes up, a friction of its own along x turns about −y.
    #[test]
    fn one_point_by_hand() {
        let mut manifold = Manifold { count: 1, normal: Vec3::new(0.0, 0.0, 1.0), ..Manifold::default() };
        let point = Point {
            lever: Vec3::new(0.0, 0.0, -1.0),
            gap: -0.1,
            rho_n: 30.0,
            rho_t: 20.0,
            hardness: 1.0,
            mu: 10.0,
            friction: Vec3::new(2.0, 0.0, 0.0),
            ..Point::default()
        };
        manifold.set_point(0, point);
        let (wrench, block) = sum(&manifold, Default::default(), 1, 1.0);
        assert!((wrench.l.sub(Vec3::new(2.0, 0.0, 3.0))).length() < 1e-12, "{wrench:?}");
        assert!((wrench.a.sub(Vec3::new(0.0, -2.0, 0.0))).length() < 1e-12, "{wrench:?}");
        let (ll, aa) = (block.ll, block.aa);
        assert_eq!([ll.xx, ll.yy, ll.zz, ll.xy, ll.xz, ll.yz], [20.0, 20.0, 30.0, 0.0, 0.0, 0.0]);
        assert_eq!([aa.xx, aa.yy, aa.zz, aa.xy, aa.xz, aa.yz], [20.0, 20.0, 0.0, 0.0, 0.0, 0.0]);
        // A turn about y moves the point, one metre below, along −x: the spring of friction pulls it along +x.
        assert_eq!(block.al.r1, Vec3::new(-20.0, 0.0, 0.0));
    }

    #[test]
    fn the_weight_is_on_the_stiffness_alone() {
        let mut random = Random::new(13);
        let (manifold, delta) = (pressed(&mut random, 0.5), random_motion(&mut random, 0.01));
        let ((force, block), (same, twice)) = (sum(&manifold, delta, 0, 1.0), sum(&manifold, delta, 0, 2.0));
        let probe = Vec6 { l: vector(&mut random), a: vector(&mut random) };
        assert_eq!(force, same);
        assert!(size(twice.mul(probe).sub(block.mul(probe).scale(2.0))) < 1e-12 * size(twice.mul(probe)));
    }

    #[test]
    fn open_points_add_nothing() {
        let mut random = Random::new(14);
        let mut manifold = random_manifold(&mut random);
        for lane in 0..manifold.count as usize {
            let point = manifold.point(lane);
            manifold.set_point(lane, Point { gap: 1.0, load: 0.0, ..point });
        }
        let (force, block) = sum(&manifold, Default::default(), 1, 1.0);
        // What the smallest of numbers leaves of friction where the cone is closed.
        assert!(size(force) < 1e-200, "{force:?}");
        assert_eq!(block, Block6::default());
    }
}
