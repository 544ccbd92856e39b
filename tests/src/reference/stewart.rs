//! The Stewart platform in the six freedoms of its plate: legs follow from the plate in closed form,
//! and Kane's equations need no constraint forces.

use drystone::model::{Axis, DMat3, DQuat, DVec3, Model};

use super::{rk4, solve};

/// Velocity of a point and angular velocity, world frame \[m/s\], \[rad/s\].
type Twist = (DVec3, DVec3);

/// Half of a leg, in the frame of the leg: z along it, y across it and the universal joint's first axis.
#[derive(Clone, Copy, Debug)]
struct Half {
    mass: f64,
    inertia: DMat3,
    /// Centre of mass from the foot (lower half) or from the plate's end (upper half) \[m\].
    centre: DVec3,
}

#[derive(Clone, Copy, Debug)]
struct Leg {
    foot: DVec3,
    /// First axis of the universal joint, fixed in the world.
    axis: DVec3,
    /// End on the plate, from its centre, in its frame \[m\].
    end: DVec3,
    halves: [Half; 2],
    /// Length at which the spring is at rest \[m\], its stiffness and damping.
    rest: f64,
    stiffness: f64,
    damping: f64,
}

/// The platform: a plate and six legs.
#[derive(Clone, Debug)]
pub struct Stewart {
    legs: Vec<Leg>,
    mass: f64,
    inertia: DMat3,
    gravity: DVec3,
    /// Centre of the plate, its rotation (x, y, z, w), velocity and angular velocity, world frame.
    pub state: [f64; 13],
}

struct Placed {
    centre: DVec3,
    rotation: DQuat,
}

impl Placed {
    fn of(state: &[f64; 13]) -> Self {
        let &[x, y, z, a, b, c, d, ..] = state;
        Self { centre: DVec3::new(x, y, z), rotation: DQuat::from_xyzw(a, b, c, d).normalize() }
    }

    fn moved(&self, (velocity, spin): Twist, time: f64) -> Self {
        let rotation = DQuat::from_scaled_axis(spin * time) * self.rotation;
        Self { centre: self.centre + velocity * time, rotation }
    }
}

fn twist(state: &[f64; 13]) -> Twist {
    (DVec3::from_slice(&state[7..10]), DVec3::from_slice(&state[10..13]))
}

impl Leg {
    /// Twists of the two halves (at their centres) when the plate moves with `(v, w)`, and the frame
    /// of the leg and its length with their rates.
    fn follow(&self, plate: &Placed, (v, w): Twist) -> Followed {
        let arm = plate.rotation * self.end;
        let span = plate.centre + arm - self.foot;
        let length = span.length();
        let along = span / length;
        let across = along.cross(self.axis).normalize();
        let frame = DMat3::from_cols(across.cross(along), across, along);
        let end = v + w.cross(arm);
        let swing = along.cross(end) / length;
        // The leg's y axis stays across the joint's first axis, which fixes its turn about itself.
        let keep = across.cross(self.axis);
        let spin = swing - along * (swing.dot(keep) / along.dot(keep));
        let [lower, upper] = self.halves.map(|half| frame * half.centre);
        let twists = [(spin.cross(lower), spin), (end + spin.cross(upper), spin)];
        Followed { twists, frame, length, rate: along.dot(end) }
    }
}

struct Followed {
    twists: [Twist; 2],
    frame: DMat3,
    length: f64,
    rate: f64,
}

/// The six unit motions of the plate.
fn unit(freedom: usize) -> Twist {
    if freedom < 3 { (DVec3::AXES[freedom], DVec3::ZERO) } else { (DVec3::ZERO, DVec3::AXES[freedom - 3]) }
}

impl Stewart {
    /// The scene `stewart-platform` at its start, at rest. The plate is body 0, then tube and rod of
    /// every leg; joints of a leg: universal, slider, ball.
    pub fn of(model: &Model) -> Self {
        let state = model.state();
        let plate = state.body_q[0];
        let leg = |index: usize| {
            let (universal, slider, ball) = (3 * index, 3 * index + 1, 3 * index + 2);
            let (base, _) = model.joint_frames(&state, universal);
            let (_, top) = model.joint_frames(&state, ball);
            let half = |part: usize, root: DVec3| {
                let body = 1 + 2 * index + part;
                let turn = state.body_q[body].rotation.inverse();
                let centre = turn * (model.body_centre(&state, body as u32) - root);
                Half { mass: model.body_mass[body], inertia: model.body_inertia[body], centre }
            };
            let drive = model.joint_drive[slider][Axis::LinX as usize];
            let length = (top.translation - base.translation).length();
            Leg {
                foot: base.translation,
                axis: base.rotation * DVec3::X,
                end: plate.rotation.inverse() * (top.translation - plate.translation),
                halves: [half(0, base.translation), half(1, top.translation)],
                // The slider's coordinate is zero where the scene starts.
                rest: length + drive.target,
                stiffness: drive.stiffness,
                damping: drive.damping,
            }
        };
        let (p, r) = (plate.translation, plate.rotation);
        Self {
            legs: (0..6).map(leg).collect(),
            mass: model.body_mass[0],
            inertia: model.body_inertia[0],
            gravity: model.world_gravity[0],
            state: [p.x, p.y, p.z, r.x, r.y, r.z, r.w, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        }
    }

    /// Centre and rotation of the plate.
    pub fn plate(&self) -> (DVec3, DQuat) {
        let Placed { centre, rotation } = Placed::of(&self.state);
        (centre, rotation)
    }

    /// Goes on by `time` \[s\] in steps of at most `dt` \[s\].
    pub fn advance(&mut self, time: f64, dt: f64) {
        let steps = (time / dt).ceil();
        for _ in 0..steps as usize {
            self.state = rk4(self.state, time / steps, |y| self.rates(y));
        }
    }

    fn rates(&self, state: &[f64; 13]) -> [f64; 13] {
        let (v, w) = twist(state);
        let &[_, _, _, x, y, z, s, ..] = state;
        let turn = DQuat::from_xyzw(0.5 * w.x, 0.5 * w.y, 0.5 * w.z, 0.0) * DQuat::from_xyzw(x, y, z, s);
        let a = self.acceleration(&Placed::of(state), (v, w));
        [v.x, v.y, v.z, turn.x, turn.y, turn.z, turn.w, a[0], a[1], a[2], a[3], a[4], a[5]]
    }

    /// Kane: along every unit motion, inertia of all bodies balances weight and springs.
    fn acceleration(&self, plate: &Placed, motion: Twist) -> [f64; 6] {
        let mut matrix = [[0.0; 6]; 6];
        let mut force = [0.0; 6];
        let turn = DMat3::from_quat(plate.rotation);
        let body = Moving { mass: self.mass, inertia: turn * self.inertia * turn.transpose(), spin: motion.1 };
        body.add(&std::array::from_fn(unit), (DVec3::ZERO, DVec3::ZERO), self.gravity, &mut matrix, &mut force);
        for leg in &self.legs {
            let now = leg.follow(plate, motion);
            let unit: [Followed; 6] = std::array::from_fn(|freedom| leg.follow(plate, unit(freedom)));
            for half in 0..2 {
                let Half { mass, inertia, .. } = leg.halves[half];
                let inertia = now.frame * inertia * now.frame.transpose();
                let body = Moving { mass, inertia, spin: now.twists[half].1 };
                let partial = std::array::from_fn(|freedom| unit[freedom].twists[half]);
                body.add(&partial, drift(leg, plate, motion, half), self.gravity, &mut matrix, &mut force);
            }
            let push = leg.stiffness * (leg.rest - now.length) - leg.damping * now.rate;
            (0..6).for_each(|freedom| force[freedom] += push * unit[freedom].rate);
        }
        solve(matrix, force)
    }

    /// Kinetic and potential energy with that of the springs \[J\].
    pub fn energy(&self) -> f64 {
        let (plate, motion) = (Placed::of(&self.state), twist(&self.state));
        let kinetic = |mass: f64, inertia: DMat3, (v, w): Twist| 0.5 * (mass * v.length_squared() + w.dot(inertia * w));
        let turn = DMat3::from_quat(plate.rotation);
        let mut energy = kinetic(self.mass, turn * self.inertia * turn.transpose(), motion);
        energy -= self.mass * self.gravity.dot(plate.centre);
        for leg in &self.legs {
            let now = leg.follow(&plate, motion);
            let roots = [leg.foot, plate.centre + plate.rotation * leg.end];
            for half in 0..2 {
                let Half { mass, inertia, centre } = leg.halves[half];
                energy += kinetic(mass, now.frame * inertia * now.frame.transpose(), now.twists[half]);
                energy -= mass * self.gravity.dot(roots[half] + now.frame * centre);
            }
            energy += 0.5 * leg.stiffness * (leg.rest - now.length).powi(2);
        }
        energy
    }
}

/// Acceleration of a half when the plate's velocity does not change: a difference of fourth order along
/// the motion, good to twelve digits at the speeds here.
fn drift(leg: &Leg, plate: &Placed, motion: Twist, half: usize) -> Twist {
    const STEP: f64 = 1e-3;
    let at = |time: f64| leg.follow(&plate.moved(motion, time), motion).twists[half];
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|k| at(k * STEP));
    let slope = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (8.0 * (c - b) - (d - a)) / (12.0 * STEP);
    (slope(a.0, b.0, c.0, d.0), slope(a.1, b.1, c.1, d.1))
}

/// A body with its inertia about its centre, world axes, and its angular velocity.
struct Moving {
    mass: f64,
    inertia: DMat3,
    spin: DVec3,
}

impl Moving {
    /// Adds the body's inertia and its weight along every unit motion.
    fn add(
        &self,
        partial: &[Twist; 6],
        drift: Twist,
        gravity: DVec3,
        matrix: &mut [[f64; 6]; 6],
        force: &mut [f64; 6],
    ) {
        let push = self.mass * (gravity - drift.0);
        let twist = -(self.inertia * drift.1 + self.spin.cross(self.inertia * self.spin));
        for (row, &(v, w)) in partial.iter().enumerate() {
            for (column, &(other_v, other_w)) in partial.iter().enumerate() {
                matrix[row][column] += self.mass * v.dot(other_v) + w.dot(self.inertia * other_w);
            }
            force[row] += v.dot(push) + w.dot(twist);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::scene;

    #[test]
    fn energy_stays_without_damping() {
        let mut platform = Stewart::of(&scene("stewart-platform", &["damping=0"]).model);
        let start = platform.energy();
        platform.advance(0.5, 1e-3);
        assert!((platform.energy() - start).abs() < 1e-6 * start.abs(), "{} {start}", platform.energy());
        let (v, w) = twist(&platform.state);
        assert!(v.length() + w.length() > 1e-3, "it moves");
    }
}
