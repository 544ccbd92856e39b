//! The spring that a hand pulls with.
//!
//! Implicit, so that no mass, no stiffness and no time step makes it overshoot: at the held point a free body answers a force by
//! K = 1/m − \[r\] I⁻¹ \[r\] per kilogram, and F = K⁻¹ (ω² (x* − x − h v) − 2 ω v) / (1 + h (2 ω + h ω²)) is what takes it to the end of
//! one implicit Euler step of a critically damped spring. Contacts and joints only make the point heavier than K says.

use drystone::model::{DMat3, DVec3};

/// Own frequency of the spring \[rad/s\]: 7.5 Hz.
const OMEGA: f64 = 2.0 * std::f64::consts::PI * 7.5;
/// The largest force, as a multiple of the weight of all that hangs together.
const MOST: f64 = 100.0;
/// What weighs where there is no gravity \[m/s²\].
const EARTH: f64 = 9.81;

/// A point of a body and where it is drawn to.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    /// From the centre of mass to the point \[m\].
    pub arm: DVec3,
    /// From the point to where it is drawn \[m\].
    pub way: DVec3,
    /// Velocity of the point \[m/s\].
    pub velocity: DVec3,
    /// Mass of the body \[kg\].
    pub mass: f64,
    /// Its inertia about the centre of mass, world axes \[kg·m²\].
    pub inertia: DMat3,
    /// Mass of everything that hangs together by joints \[kg\].
    pub whole_mass: f64,
    /// Gravity \[m/s²\].
    pub gravity: f64,
    /// Time step \[s\].
    pub dt: f64,
}

impl Pull {
    /// The force at the point for the next step \[N\].
    pub fn force(&self) -> DVec3 {
        let h = self.dt;
        let pull = OMEGA * OMEGA * (self.way - h * self.velocity) - 2.0 * OMEGA * self.velocity;
        let acceleration = pull / (1.0 + h * (2.0 * OMEGA + h * OMEGA * OMEGA));
        let force = self.answer().inverse() * acceleration;
        let gravity = if self.gravity > 0.0 { self.gravity } else { EARTH };
        force.clamp_length_max(MOST * self.whole_mass * gravity)
    }

    /// How the point of the free body accelerates per force \[1/kg\].
    fn answer(&self) -> DMat3 {
        let cross = DMat3::from_cols(
            DVec3::new(0.0, self.arm.z, -self.arm.y),
            DVec3::new(-self.arm.z, 0.0, self.arm.x),
            DVec3::new(self.arm.y, -self.arm.x, 0.0),
        );
        DMat3::from_diagonal(DVec3::splat(1.0 / self.mass)) - cross * self.inertia.inverse() * cross
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pull(mass: f64, arm: DVec3) -> Pull {
        Pull {
            arm,
            way: DVec3::new(0.3, -0.2, 0.1),
            velocity: DVec3::new(1.0, 2.0, -0.5),
            mass,
            inertia: DMat3::from_diagonal(DVec3::new(0.2, 0.3, 0.4) * mass),
            whole_mass: f64::INFINITY,
            gravity: 9.81,
            dt: 1.0 / 60.0,
        }
    }

    /// By the equations of motion of a free body, the point ends the step with the velocity that implicit Euler asks for.
    #[test]
    fn the_point_does_what_an_implicit_step_of_the_spring_does() {
        for (mass, arm) in [(1.0, DVec3::ZERO), (1e-3, DVec3::new(0.5, 0.2, -0.4)), (1e6, DVec3::new(-2.0, 0.1, 1.0))] {
            let pull = pull(mass, arm);
            let force = pull.force();
            let spin = pull.inertia.inverse() * arm.cross(force);
            let after = pull.velocity + pull.dt * (force / mass + spin.cross(arm));
            let way_after = pull.way - pull.dt * after;
            let asked = pull.velocity + pull.dt * (OMEGA * OMEGA * way_after - 2.0 * OMEGA * after);
            assert!((after - asked).length() < 1e-9 * asked.length().max(1.0), "{mass} {after} {asked}");
        }
    }

    #[test]
    fn the_force_is_at_most_a_hundred_times_the_weight_of_the_whole() {
        let far = Pull { way: DVec3::X * 1e9, whole_mass: 3.0, ..pull(1.0, DVec3::ZERO) };
        assert!((far.force().length() - 100.0 * 3.0 * 9.81).abs() < 1e-6);
        let weightless = Pull { gravity: 0.0, ..far };
        assert!((weightless.force().length() - 100.0 * 3.0 * 9.81).abs() < 1e-6);
    }
}
