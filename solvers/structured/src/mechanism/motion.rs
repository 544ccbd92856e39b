//! Accelerations of joints to accelerations of bodies and back, and the efforts they take.

use drystone_model::{Control, DVec3, State, Twist};

use super::axes::JointAxes;
use super::joint_space::{Hung, JointSpace, joined};

impl JointSpace<'_> {
    /// Accelerations of all bodies (of the centre of mass, and angular, world frame) when the freedoms
    /// accelerate by `accelerations` \[m/s²\], \[rad/s²\]. Bodies that forces do not move have none.
    pub fn body_accelerations(&self, state: &State, accelerations: &[f64]) -> Vec<Twist> {
        let mut of_body = vec![Twist::default(); self.model.body_count()];
        for hung in &self.order {
            let mut six = [0.0; 6];
            hung.freedoms().for_each(|freedom| six[self.axis(freedom)] = accelerations[freedom]);
            let (slide, turn) = (DVec3::new(six[0], six[1], six[2]), DVec3::new(six[3], six[4], six[5]));
            of_body[hung.body as usize] = match hung.by {
                None => Twist { linear: slide, angular: turn },
                Some(step) => {
                    let axes = self.joint_axes(state, step);
                    let along = (0..3).map(|axis| axes.slide[axis] * slide[axis]).sum();
                    let about = (0..3).map(|axis| axes.turn[axis] * turn[axis]).sum();
                    let from = of_body.get(step.from as usize).copied().unwrap_or_default();
                    self.beyond(state, hung, &axes, from, Twist { linear: along, angular: about })
                }
            };
        }
        of_body
    }

    /// Acceleration of a body from that of the body it hangs from and the change of the joint's rates.
    fn beyond(&self, state: &State, hung: &Hung, axes: &JointAxes, from: Twist, change: Twist) -> Twist {
        let Some(step) = hung.by else { return change };
        let joint = step.joint as usize;
        let (parent, child) = (self.model.joint_parent[joint], self.model.joint_child[joint]);
        let spin = |body: u32| self.model.body_velocity(state, body).angular;
        let arm = |body: u32| axes.origin - self.model.body_centre(state, body);
        let swing = |body: u32| spin(body).cross(spin(body).cross(arm(body)));
        // Seen from the parent the child's origin accelerates by this, beyond what the parent's own
        // material does there.
        let relative = change.linear + 2.0 * spin(parent).cross(axes.sliding);
        let relative_spin = change.angular + axes.turning;
        if step.reversed {
            let angular = from.angular - relative_spin;
            let origin = from.linear + from.angular.cross(arm(child)) + swing(child);
            Twist { linear: origin - relative - angular.cross(arm(parent)) - swing(parent), angular }
        } else {
            let angular = from.angular + relative_spin;
            let origin = from.linear + from.angular.cross(arm(parent)) + swing(parent) + relative;
            Twist { linear: origin - angular.cross(arm(child)) - swing(child), angular }
        }
    }

    /// Accelerations of the freedoms \[m/s²\], \[rad/s²\] from those of the bodies: the inverse of
    /// [`JointSpace::body_accelerations`] for accelerations the joints allow.
    pub fn joint_accelerations(&self, state: &State, of_body: &[Twist]) -> Vec<f64> {
        let mut accelerations = Vec::with_capacity(self.freedoms().len());
        for hung in &self.order {
            let own = of_body[hung.body as usize];
            let six = match hung.by {
                None => joined(own.linear, own.angular),
                Some(step) => {
                    let axes = self.joint_axes(state, step);
                    let from = of_body.get(step.from as usize).copied().unwrap_or_default();
                    let still = self.beyond(state, hung, &axes, from, Twist::default());
                    let sign = if step.reversed { -1.0 } else { 1.0 };
                    self.changes(
                        state,
                        hung,
                        &axes,
                        (own.linear - still.linear) * sign,
                        (own.angular - still.angular) * sign,
                    )
                }
            };
            accelerations.extend(hung.freedoms().map(|freedom| six[self.axis(freedom)]));
        }
        accelerations
    }

    /// The changes of a joint's rates that make up an acceleration of the body it places.
    fn changes(&self, state: &State, hung: &Hung, axes: &JointAxes, linear: DVec3, angular: DVec3) -> [f64; 6] {
        let arm = self.model.body_centre(state, hung.body) - axes.origin;
        let along = linear - angular.cross(arm);
        let slide = axes.slide.map(|axis| axis.dot(along));
        // Coordinates of a vector in three axes that need not be perpendicular: volumes over volume.
        let [x, y, z] = axes.turn;
        let volume = x.dot(y.cross(z));
        let turn = [y.cross(z), z.cross(x), x.cross(y)].map(|face| face.dot(angular) / volume);
        [slide[0], slide[1], slide[2], turn[0], turn[1], turn[2]]
    }

    /// Efforts along all freedoms \[N\], \[N·m\] that give them the accelerations asked for, against
    /// weight, inertia and the forces of `control` on the bodies. Springs, friction and the efforts of
    /// `control` itself are not subtracted: they are part of the answer.
    ///
    /// One sweep out and one back (Newton–Euler recursion): time linear in the number of bodies.
    pub fn inverse_dynamics(&self, state: &State, control: &Control, accelerations: &[f64]) -> Vec<f64> {
        let model = self.model;
        let of_body = self.body_accelerations(state, accelerations);
        let mut needed: Vec<(DVec3, DVec3)> = self
            .order
            .iter()
            .map(|hung| {
                let body = hung.body as usize;
                let (Twist { linear, angular }, spin) = (of_body[body], state.body_qd[body].angular);
                let inertia = model.body_inertia_world(state, body);
                let (force, torque) = control.body_f[body];
                let gravity = model.body_gravity(body);
                let push = model.body_mass[body] * (linear - gravity) - force;
                (push, inertia * angular + spin.cross(inertia * spin) - torque)
            })
            .collect();
        let axes = self.all_axes(state);
        let mut efforts = vec![0.0; self.freedoms().len()];
        for (index, hung) in self.order.iter().enumerate().rev() {
            let (force, torque) = needed[index];
            for freedom in hung.freedoms() {
                let column = self.column(state, hung, axes[index].as_ref(), freedom);
                efforts[freedom] = column.linear.dot(force) + column.angular.dot(torque);
            }
            if let Some(from) = hung.from {
                let centre = |body: u32| model.body_centre(state, body);
                let arm = centre(hung.body) - centre(self.order[from].body);
                needed[from].0 += force;
                needed[from].1 += torque + arm.cross(force);
            }
        }
        self.add_rotors(accelerations, &mut efforts);
        efforts
    }

    /// Rotors of drives resist the acceleration of their own axis.
    fn add_rotors(&self, accelerations: &[f64], efforts: &mut [f64]) {
        for hung in &self.order {
            let Some(step) = hung.by else { continue };
            for freedom in hung.freedoms() {
                efforts[freedom] +=
                    self.model.joint_armature[step.joint as usize][self.axis(freedom)] * accelerations[freedom];
            }
        }
    }
}
