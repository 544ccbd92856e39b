//! Two bars, one hung from the other, in the angles of the bars.

use drystone::model::Model;

use super::{rk4, solve};

/// A compound double pendulum in the plane of x and z, gravity along −z.
#[derive(Clone, Copy, Debug)]
pub struct DoublePendulum {
    mass: [f64; 2],
    /// About the centre of mass, across the plane \[kg·m²\].
    inertia: [f64; 2],
    /// From a bar's pin to its centre \[m\].
    centre: [f64; 2],
    /// From the first pin to the second \[m\].
    length: f64,
    gravity: f64,
    /// Angles of the bars from x towards z and their rates \[rad\], \[rad/s\].
    pub state: [f64; 4],
}

impl DoublePendulum {
    /// The scene `double-pendulum` at its start: both bars along x, at rest.
    pub fn of(model: &Model) -> Self {
        let state = model.state();
        let pin = |joint: usize| model.joint_frames(&state, joint).0.translation;
        let centre = |body: usize| (model.body_centre(&state, body as u32) - pin(body)).length();
        Self {
            mass: [model.body_mass[0], model.body_mass[1]],
            inertia: [0, 1].map(|body| model.body_inertia_world(&state, body).y_axis.y),
            centre: [centre(0), centre(1)],
            length: (pin(1) - pin(0)).length(),
            gravity: -model.world_gravity[0].z,
            state: [0.0; 4],
        }
    }

    /// Goes on by `time` \[s\] in steps of at most `dt` \[s\].
    pub fn advance(&mut self, time: f64, dt: f64) {
        let steps = (time / dt).ceil();
        for _ in 0..steps as usize {
            self.state = rk4(self.state, time / steps, |y| self.rates(y));
        }
    }

    fn rates(&self, &[a, b, da, db]: &[f64; 4]) -> [f64; 4] {
        let ([m1, m2], [c1, c2], l) = (self.mass, self.centre, self.length);
        let coupling = m2 * l * c2;
        let matrix = [
            [self.inertia[0] + m1 * c1 * c1 + m2 * l * l, coupling * (a - b).cos()],
            [coupling * (a - b).cos(), self.inertia[1] + m2 * c2 * c2],
        ];
        let sine = coupling * (a - b).sin();
        let weight = [(m1 * c1 + m2 * l) * self.gravity * a.cos(), m2 * c2 * self.gravity * b.cos()];
        let [dda, ddb] = solve(matrix, [-sine * db * db - weight[0], sine * da * da - weight[1]]);
        [da, db, dda, ddb]
    }

    /// Kinetic and potential energy \[J\].
    pub fn energy(&self) -> f64 {
        let ([m1, m2], [c1, c2], l) = (self.mass, self.centre, self.length);
        let [a, b, da, db] = self.state;
        let kinetic = 0.5 * (self.inertia[0] + m1 * c1 * c1 + m2 * l * l) * da * da
            + 0.5 * (self.inertia[1] + m2 * c2 * c2) * db * db
            + m2 * l * c2 * (a - b).cos() * da * db;
        kinetic + self.gravity * ((m1 * c1 + m2 * l) * a.sin() + m2 * c2 * b.sin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::scene;

    /// The equations come from the energy: if either were wrong it would not stay.
    #[test]
    fn energy_stays() {
        let mut pendulum = DoublePendulum::of(&scene("double-pendulum", &[]).model);
        pendulum.state = [0.3, -0.8, 1.0, 2.0];
        let start = pendulum.energy();
        pendulum.advance(5.0, 1e-3);
        let scale = pendulum.gravity * (pendulum.mass[0] + pendulum.mass[1]) * pendulum.length;
        assert!((pendulum.energy() - start).abs() < 1e-8 * scale, "{} {start}", pendulum.energy());
        assert!(pendulum.state[0] != 0.3);
    }
}
