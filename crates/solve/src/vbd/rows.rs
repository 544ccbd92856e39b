//! Contact rows: what the iterations read and write for every manifold.

use drystone_kernels::double::contact::{ContactForce, contact_force};
use drystone_kernels::double::math::{Vec3, Vec6};

/// Points per manifold.
pub const LANES: usize = 4;

/// One contact point. Rows are linear in the displacement since the start of the step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Point {
    /// Lever on either body from its centre of mass at the start, world frame \[m\].
    pub lever: [Vec3; 2],
    /// Gap at the start of the step \[m\].
    pub start_gap: f64,
    /// Gap at zero displacement, inherited overlap already reduced \[m\].
    pub gap: f64,
    /// Tangential offset at zero displacement, already reduced \[m\].
    pub slip: Vec3,
    /// Normal multiplier \[N\].
    pub lambda_n: f64,
    /// Tangential multiplier \[N\].
    pub lambda_t: Vec3,
    /// Normal penalty \[N/m\].
    pub rho_n: f64,
    /// Tangential penalty \[N/m\].
    pub rho_t: f64,
    /// Largest load that may raise the penalty \[N\].
    pub load_cap: f64,
    /// Share K/(K+ρ) of the penalty that acts for a material stiffness K; 1 is hard.
    pub hardness: f64,
    /// Whether the point stuck in the step before.
    pub stuck: bool,
    /// Friction coefficient now: static while the point sticks.
    pub mu: f64,
}

/// A pair of bodies in contact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manifold {
    /// Body slots; the world is a slot too.
    pub body: [u32; 2],
    /// Unit normal from the first to the second body.
    pub normal: Vec3,
    /// Number of points in use.
    pub count: u32,
    /// The points.
    pub point: [Point; LANES],
}

impl Point {
    /// Force at the relative displacement `d` of the two bodies at this point.
    #[inline(always)]
    pub fn force(&self, normal: Vec3, d: Vec3) -> ContactForce {
        let along = normal.dot(d);
        let slip = self.slip.add(d.add_scaled(normal, -along));
        contact_force(
            normal,
            self.gap + along,
            slip,
            self.hardness * self.lambda_n,
            self.lambda_t,
            self.hardness * self.rho_n,
            self.rho_t,
            self.mu,
        )
    }

    /// Displacement of the second body relative to the first at this point.
    #[inline(always)]
    pub fn relative(&self, delta: &[Vec6; 2]) -> Vec3 {
        delta[1].at(self.lever[1]).sub(delta[0].at(self.lever[0]))
    }
}
