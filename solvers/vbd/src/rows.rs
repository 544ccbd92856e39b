//! Contact rows: what the iterations read and write for every manifold. Vectors are in the frame of
//! the manifold, first component along the normal, unless they say otherwise.

use drystone_kernels::double::contact::{ContactForce, ManifoldSum, contact_force};
use drystone_kernels::double::math::{Mat3, Vec3, Vec6};

/// Points per manifold.
pub const LANES: usize = 4;

/// One contact point. Rows are linear in the displacement since the start of the step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Point {
    /// Place of the point from the centre of the manifold \[m\].
    pub place: Vec3,
    /// Gap and tangential offset at zero displacement, inherited error already reduced \[m\].
    pub offset: Vec3,
    /// Multipliers \[N\].
    pub lambda: Vec3,
    /// Normal penalty \[N/m\].
    pub rho_n: f64,
    /// Tangential penalty \[N/m\].
    pub rho_t: f64,
    /// Share K/(K+ρ) of the penalty that acts for a material stiffness K; 1 is hard.
    pub hardness: f64,
    /// Friction coefficient now: static while the point sticks.
    pub mu: f64,
    /// Gap at the start of the step \[m\].
    pub start_gap: f64,
    /// Largest load that may raise the penalty \[N\].
    pub load_cap: f64,
    /// Whether the point stuck in the step before.
    pub stuck: bool,
    /// Share of the updates of the multipliers that is applied.
    pub gain: f64,
    /// The update before this one, whole \[N\].
    pub last_update: Vec3,
}

/// A pair of bodies in contact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manifold {
    /// Body slots; the world is a slot too.
    pub body: [u32; 2],
    /// Penalty per carried load, `factor / (h² a)` with the acceleration a that goes with the load
    /// \[1/m\]; zero where nothing accelerates.
    pub load_to_penalty: f64,
    /// Number of points in use.
    pub count: u32,
    /// Axes of the frame as rows, world frame: the unit normal from the first to the second body,
    /// then two across.
    pub frame: Mat3,
    /// Centre of the manifold from the centre of mass of either body \[m\].
    pub lever: [Vec3; 2],
    /// The points.
    pub point: [Point; LANES],
}

/// Motion of the second body relative to the first at the centre of a manifold.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairMotion {
    linear: Vec3,
    angular: Vec3,
}

impl PairMotion {
    /// Normal motion at the centre; negative approaches.
    pub fn normal(&self) -> f64 {
        self.linear.x
    }
}

impl Manifold {
    /// The points in use.
    #[inline(always)]
    pub fn points(&self) -> &[Point] {
        &self.point[..self.count as usize]
    }

    /// The points in use.
    #[inline(always)]
    pub fn points_mut(&mut self) -> &mut [Point] {
        &mut self.point[..self.count as usize]
    }

    /// Relative motion of the two bodies, given theirs in the world frame.
    #[inline(always)]
    pub fn motion(&self, delta: &[Vec6; 2]) -> PairMotion {
        let turn = [self.frame.mul(delta[0].a), self.frame.mul(delta[1].a)];
        let linear = self.frame.mul(delta[1].l.sub(delta[0].l));
        PairMotion {
            linear: linear.add(turn[1].cross(self.lever[1])).sub(turn[0].cross(self.lever[0])),
            angular: turn[1].sub(turn[0]),
        }
    }

    /// Wrench and stiffness on the body on `side`, every stiffness times `weight`. Points that do not
    /// press add nothing.
    #[inline(always)]
    pub fn sum(&self, delta: &[Vec6; 2], side: usize, weight: f64) -> ManifoldSum {
        let motion = self.motion(delta);
        let sign = if side == 1 { 1.0 } else { -1.0 };
        let lever = self.lever[side];
        let mut sum = ManifoldSum::default();
        for point in self.points() {
            let answer = point.force(point.displacement(&motion));
            if answer.force.x > 0.0 {
                let (a, b) = (weight * point.hardness * point.rho_n, weight * point.rho_t * answer.stick);
                sum = sum.add(answer.force.scale(sign), lever.add(point.place), a, b);
            }
        }
        sum
    }
}

impl Point {
    /// Displacement at this point under a relative motion.
    #[inline(always)]
    pub fn displacement(&self, motion: &PairMotion) -> Vec3 {
        motion.linear.add(motion.angular.cross(self.place))
    }

    /// Force at a displacement.
    #[inline(always)]
    pub fn force(&self, displacement: Vec3) -> ContactForce {
        let mut lambda = self.lambda;
        lambda.x *= self.hardness;
        contact_force(self.offset.add(displacement), lambda, self.hardness * self.rho_n, self.rho_t, self.mu)
    }

    /// Size of the tangential multiplier \[N\].
    pub fn friction(&self) -> f64 {
        self.lambda.y.hypot(self.lambda.z)
    }
}
