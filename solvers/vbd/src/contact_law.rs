//! The contact law for the four points of a manifold at once: what the sweeps run. For one point it is
//! [`contact_force`](drystone_kernels::double::contact::contact_force); the tests hold the two equal.

use drystone_kernels::lanes::{Lanes, Simd4};

use super::rows::{Manifold, PairMotion};
use super::simd::SimdVec3;

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
    let squared = trial.dot(trial);
    // The root of a rounded square is the number itself, so that the share within the cone is one to the bit; root and quotient are slow.
    if !(squared - cone * cone).any_positive() {
        return PointForces { gap, normal, friction: trial, stick: Simd4::splat(lanes, 1.0) };
    }
    let tiny = Simd4::splat(lanes, L::TINY);
    let stick = (cone + tiny) / (squared.sqrt().max(cone) + tiny);
    PointForces { gap, normal, friction: trial.scale(stick), stick }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use drystone_kernels::double::math::{Vec3, Vec6};
    use drystone_kernels::lanes::{self, F64x4, Task};
    use drystone_random::Random;

    use crate::rows::{LANES, Point};

    /// A vector of random components below one.
    pub fn vector(random: &mut Random) -> Vec3 {
        Vec3::new(random.signed(), random.signed(), random.signed())
    }

    /// A manifold of random points, pressed or open, sticking or sliding, hard or soft.
    pub fn random_manifold(random: &mut Random) -> Manifold {
        let normal = vector(random);
        let mut manifold = Manifold {
            count: 1 + random.below(LANES) as u32,
            normal: normal.scale(1.0 / normal.length()),
            span: vector(random),
            ..Manifold::default()
        };
        for lane in 0..manifold.count as usize {
            let point = Point {
                lever: vector(random),
                gap: 0.1 * random.signed(),
                slip: vector(random).reject(manifold.normal).scale(0.1),
                load: 10.0 * random.signed().max(0.0),
                friction: vector(random).reject(manifold.normal).scale(10.0),
                rho_n: 200.0 + 100.0 * random.signed(),
                rho_t: 200.0 + 100.0 * random.signed(),
                hardness: if random.below(2) == 0 { 1.0 } else { 0.5 + 0.4 * random.signed() },
                mu: 0.6 + 0.5 * random.signed(),
            };
            manifold.set_point(lane, point);
        }
        manifold
    }

    pub fn random_motion(random: &mut Random, size: f64) -> [Vec6; 2] {
        [(); 2].map(|()| Vec6 { l: vector(random).scale(size), a: vector(random).scale(size) })
    }

    struct Law<'a>(&'a Manifold, PairMotion);

    impl Task for Law<'_> {
        /// Normal force, three components of friction, and the ratio of friction to its trial value.
        type Output = [F64x4; 5];

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let PointForces { normal, friction, stick, .. } = point_forces(lanes, self.0, &self.1);
            [normal, friction.x, friction.y, friction.z, stick].map(|x| x.store())
        }
    }

    #[test]
    fn four_points_at_once_feel_what_one_point_feels() {
        let mut random = Random::new(3);
        let (mut sliding, mut open) = (0, 0);
        for _ in 0..500 {
            let manifold = random_manifold(&mut random);
            let motion = manifold.motion(&random_motion(&mut random, 0.1));
            let double = lanes::run(Law(&manifold, motion));
            let single = lanes::run_single(Law(&manifold, motion));
            for (lane, point) in manifold.points().enumerate() {
                let one = manifold.force(&point, motion.at(point.lever));
                let f = one.friction;
                let expected = [one.normal, f.x, f.y, f.z, one.stick];
                for (k, want) in expected.into_iter().enumerate() {
                    assert!(
                        (double[k][lane] - want).abs() < 1e-12 * (1.0 + want.abs()),
                        "{k}: {} {want}",
                        double[k][lane]
                    );
                    assert!(
                        (single[k][lane] - want).abs() < 1e-4 * (1.0 + want.abs()),
                        "{k}: {} {want}",
                        single[k][lane]
                    );
                }
                sliding += usize::from(one.normal > 0.0 && one.stick < 1.0);
                open += usize::from(one.normal == 0.0);
            }
        }
        assert!(sliding > 100 && open > 100, "{sliding} sliding, {open} open");
    }

    /// What is not in use has no penalty and no load, and feels nothing.
    #[test]
    fn lanes_beyond_the_count_feel_nothing() {
        let mut random = Random::new(4);
        for _ in 0..50 {
            let manifold = random_manifold(&mut random);
            let motion = manifold.motion(&random_motion(&mut random, 0.1));
            let forces = lanes::run(Law(&manifold, motion));
            for lane in manifold.count as usize..LANES {
                assert_eq!([0, 1, 2, 3].map(|k| forces[k][lane]), [0.0; 4]);
            }
        }
    }
}
