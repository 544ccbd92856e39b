//! Where the surfaces of two bodies stick together.

use drystone_kernels::lanes::{Lanes, Simd4};
use drystone_model::{DMat3, DVec3, Pose};

use super::convert::vec3;
use super::rows::Vec3x4;
use super::simd::SimdVec3;

/// Way of a contact over the surfaces, as a share of its lever, after which it gets new anchors.
pub const ROLLED: f64 = 0.01;

/// The frames of two bodies in contact.
pub struct Surfaces {
    rotation: [DMat3; 2],
    origin: [DVec3; 2],
}

impl Surfaces {
    /// From the poses of the bodies.
    pub fn new(pose: [Pose; 2]) -> Self {
        Self { rotation: pose.map(|pose| DMat3::from_quat(pose.rotation)), origin: pose.map(|pose| pose.translation) }
    }

    /// Anchors of points that are `here` on the two surfaces, in the frames of the bodies, and how far they are apart, from the
    /// first to the second in world axes. Where one body rolls on the other the place of contact
    /// wanders over both; material anchors left behind would pull the bodies back, so new ones are taken.
    /// `arm` is the squared distance of the points from the nearer moving body; the `old` anchors are those of points that `stuck`.
    #[inline(always)]
    pub fn anchors<L: Lanes>(
        &self,
        here: [SimdVec3<L>; 2],
        arm: Simd4<L>,
        used: Simd4<L>,
        stuck: Simd4<L>,
        old: &[Vec3x4; 2],
    ) -> ([SimdVec3<L>; 2], SimdVec3<L>) {
        let old = [here[0].load_like(&old[0]), here[0].load_like(&old[1])];
        let (first, second) = (self.in_world(0, old[0]), self.in_world(1, old[1]));
        let way = here[0].sub(first);
        let rolled = way.dot(way) - arm.like(ROLLED * ROLLED) * arm;
        let kept = rolled.where_positive(arm.like(0.0), stuck);
        let apart = SimdVec3::choose(kept, second.sub(first), here[1].sub(here[0]));
        if !(used - kept).any_positive() {
            return (old, apart);
        }
        let fresh = [self.in_body(0, here[0]), self.in_body(1, here[1])];
        ([SimdVec3::choose(kept, old[0], fresh[0]), SimdVec3::choose(kept, old[1], fresh[1])], apart)
    }

    /// Points in the frame of a body, in the world.
    #[inline(always)]
    fn in_world<L: Lanes>(&self, side: usize, p: SimdVec3<L>) -> SimdVec3<L> {
        let DMat3 { x_axis, y_axis, z_axis } = self.rotation[side];
        let (x, y, z) = (p.splat_like(vec3(x_axis)), p.splat_like(vec3(y_axis)), p.splat_like(vec3(z_axis)));
        x.scale(p.x).add(y.scale(p.y)).add(z.scale(p.z)).add(p.splat_like(vec3(self.origin[side])))
    }

    /// Points in the world, in the frame of a body.
    #[inline(always)]
    fn in_body<L: Lanes>(&self, side: usize, p: SimdVec3<L>) -> SimdVec3<L> {
        let DMat3 { x_axis, y_axis, z_axis } = self.rotation[side];
        let (x, y, z) = (p.splat_like(vec3(x_axis)), p.splat_like(vec3(y_axis)), p.splat_like(vec3(z_axis)));
        let p = p.sub(p.splat_like(vec3(self.origin[side])));
        SimdVec3 { x: x.dot(p), y: y.dot(p), z: z.dot(p) }
    }
}
