//! What the solved displacement of a body means: its velocity and pose at the end of the step.

use drystone_kernels::double::math::{Quat, Sym3, Vec3, Vec6};
use drystone_kernels::double::rotation;
use drystone_model::{DVec3, Model, Pose};

use super::bodies::{Bodies, Landing};
use super::convert::{quat, to_dquat, to_dvec3, vec3};
use super::joint::Placement;
use super::turning::turned_to_fit;

impl Bodies {
    /// Velocity that the displacement of a jointed body means.
    pub fn velocity_of_jointed(&self, body: usize) -> Vec6 {
        let mut v = self.velocity_of_displacement(body);
        if self.spin[body].is_some() {
            return v;
        }
        v.a = self.target_velocity[body].a.add_scaled(self.rotation_to_target(body), -1.0 / self.step[body]);
        v
    }

    /// Spin angular momentum that the displacement means by the second-order rule, which adds up turns as vectors: with the inertia
    /// where the body ends. With that at the start, what turns in space would be of first order only.
    pub fn spin_of_displacement(&self, body: usize) -> Vec3 {
        let end = rotation::exp(self.delta[body].a).mul(quat(self.start_rotation[body]));
        rotation::world_inertia(end, self.own_inertia[body][0]).mul(self.velocity_of_displacement(body).a)
    }

    /// Velocity that the displacement means: the predicted one plus what constraints changed. Right for rotations
    /// where nothing turned the body away from its target.
    pub fn velocity_of_displacement(&self, body: usize) -> Vec6 {
        self.target_velocity[body].add(self.delta[body].sub(self.target[body]).scale(1.0 / self.step[body]))
    }

    /// Velocity of a body in contact, and the orientation it ends with.
    ///
    /// The sweeps balance the moments of the contacts with the spin by the inertia at the start of the step. So the spin
    /// changes there, and the body then turns freely: angular momentum is kept to round-off and energy to what
    /// [`rotation::free_rotation`] keeps of it, however far a body that is not round turns within the step.
    pub fn land(&self, body: usize) -> (Vec6, Landing) {
        let step = self.step[body];
        let linear = self.velocity_of_displacement(body).l;
        let spin = self.struck_spin(body);
        let start = quat(self.start_rotation[body]);
        let [inertia, inverse] = self.own_inertia[body];
        let shift = self.shift[body].a;
        let flight = self.flight(body, spin, step);
        let mut end = rotation::exp(flight.rotation).mul(start);
        let mut angular = flight.angular_velocity;
        if shift.length_squared() > 0.0 {
            end = rotation::exp(shift).mul(end);
            let momentum = self.start_inertia(body).mul(spin);
            end = turned_to_fit(end, inertia, momentum, 0.5 * momentum.dot(spin)).mul(end);
            angular = rotation::world_inertia(end, inverse).mul(momentum);
        }
        (Vec6 { l: linear, a: angular }, (end, self.delta[body].a))
    }

    /// Spin at the start of the step after everything that acts in it, by the inertia at the start \[rad/s\].
    pub fn struck_spin(&self, body: usize) -> Vec3 {
        let turned = self.delta[body].a.sub(self.target[body].a);
        self.velocity[body].a.add_scaled(turned, 1.0 / self.step[body])
    }

    /// Orientation after the displacement.
    pub fn end_rotation(&self, body: usize) -> Quat {
        let (landed, turned) = self.landing[body];
        rotation::exp(self.delta[body].a.sub(turned)).mul(landed).normalize()
    }

    /// Centre of mass after the displacement.
    pub fn end_com(&self, body: usize) -> DVec3 {
        self.com[body] + to_dvec3(self.delta[body].l)
    }

    /// World inertia after the displacement \[kg·m²\].
    pub fn end_inertia(&self, body: usize) -> Sym3 {
        self.inertia_at(body, || self.end_rotation(body))
    }

    /// World inertia at the start of the step \[kg·m²\].
    pub fn start_inertia(&self, body: usize) -> Sym3 {
        self.inertia_at(body, || quat(self.start_rotation[body]))
    }

    /// Puts a body at the end of the step to a lever from a centre, in a given orientation.
    pub fn put(&mut self, body: usize, lever: Vec3, centre: DVec3, orientation: Quat) {
        let (com, orientation) = (centre + to_dvec3(lever), orientation.normalize());
        let turned = rotation::log(orientation.mul(quat(self.start_rotation[body]).conjugate()));
        self.delta[body] = Vec6 { l: vec3(com - self.com[body]), a: turned };
        self.landing[body] = (orientation, turned);
        self.placement[body] = Placement { com, rotation: to_dquat(orientation) };
    }

    /// Momentum, and angular momentum about the centre of mass, that a body would leave the step with if nothing touched
    /// it and no joint held it.
    pub fn momentum_without_contact(&self, body: usize, h: f64) -> [Vec3; 2] {
        let (v, mass) = (self.velocity[body], 1.0 / self.inv_mass[body]);
        let spin = self.start_inertia(body).mul(v.a);
        [v.l.add_scaled(self.acceleration[body], h).scale(mass), spin.add_scaled(self.torque[body], h)]
    }

    /// Pose after the displacement.
    pub fn final_pose(&self, model: &Model, body: usize) -> Pose {
        let q = to_dquat(self.end_rotation(body));
        Pose::from_parts(self.end_com(body) - q * model.body_com[body], q)
    }
}
