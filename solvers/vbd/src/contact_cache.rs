//! What contact points remember from step to step.

use drystone_kernels::double::math::Vec3;
use drystone_model::DVec3;
use serde::{Deserialize, Serialize};

/// Memory of one contact point, in the order of the contacts of its step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CachedPoint {
    /// Force on the second body, world frame \[N\].
    pub force: [f64; 3],
    /// Torsional and rolling torque of the manifold on its second body, world frame \[N·m\].
    pub torque: [f64; 3],
    /// Normal load as the impact cap let it through \[N\].
    pub load: f64,
    /// Normal force at the end of the step before that \[N\].
    pub before: f64,
    /// Share of updates of the multipliers that was applied last; zero if none was.
    pub gain: f64,
    /// Normal and tangential penalty at the end \[N/m\].
    pub rho: [f64; 2],
    /// Whether friction stayed inside its cone.
    pub stuck: bool,
    /// Where the surfaces stuck together, in the frames of the two bodies \[m\].
    pub anchor: [DVec3; 2],
}

impl CachedPoint {
    /// The force as a kernel vector.
    pub fn force(&self) -> Vec3 {
        Vec3 { x: self.force[0], y: self.force[1], z: self.force[2] }
    }

    /// Normal force that held over two steps, zero if it changed more than twofold: that was a blow \[N\].
    pub fn steady(&self, normal: Vec3) -> f64 {
        let now = self.force().dot(normal).max(0.0);
        let (less, more) = (now.min(self.before), now.max(self.before));
        if more < 2.0 * less { less } else { 0.0 }
    }
}
