//! What acts on the bodies beside the rows: gravity, the user, gyroscopic torques, springs as they are.

use drystone_model::{Control, Model};

use super::system::ConstraintSystem;
use drystone_solve::linalg::block6::spatial;
use drystone_solve::linalg::matrix::add_scaled;

impl ConstraintSystem {
    /// Writes the force and torque on every body into [`ConstraintSystem::motion`]: gravity, the forces of the
    /// user, −ω × I ω, and what joints push beside their rows.
    pub fn external_forces(&mut self, model: &Model, control: &Control, gyroscopic: bool) {
        for index in 0..self.bodies.count() {
            if !self.bodies.moves[index] {
                self.motion[index] = [0.0; 6];
                continue;
            }
            let body = &self.bodies.body[index];
            let (force, torque) = control.body_f[index];
            let weight = model.body_gravity(index) * body.mass;
            let omega = body.angular();
            let gyration = if gyroscopic { omega.cross(body.inertia * omega) } else { Default::default() };
            self.motion[index] = spatial(force + weight, torque - gyration);
        }
        let joints = self.blocks.iter().zip(&self.geometry).zip(&self.active).filter(|(_, active)| **active);
        for ((block, geometry), _) in joints {
            for side in 0..2 {
                add_scaled(&mut self.motion[geometry.body[side]], 1.0, &block.push[side]);
            }
        }
    }
}
