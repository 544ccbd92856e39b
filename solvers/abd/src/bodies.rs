//! What the solver knows of every body: inertia, where it is and where inertia would take it. The world has the last
//! slot and never moves.

use drystone_kernels::double::rotation;
use drystone_kernels::elementary::powi;
use drystone_model::{BodyKind, Control, DMat3, DQuat, DVec3, Model, Pose, State, Twist};

use super::affine::{Affine, Mat12, Vec12};
use super::joints::Term;
use super::options::AbdOptions;
use super::rigidity::add_linear;
use drystone_solve::convert::{quat, sym3, to_dvec3, vec3};
use drystone_solve::joint::Wrench;
use drystone_solve::linalg::matrix::Mat;
use drystone_solve::two_step::Aim;

/// A kinematic body counts as this many times heavier than the heaviest dynamic one: it follows its target to a
/// millionth of what its load would do to that.
const KINEMATIC_WEIGHT: f64 = 1e6;

/// Principal second moments below this share of the largest are raised to it: rods and plates given without
/// thickness would have directions without inertia.
const LEAST_MOMENT: f64 = 1e-6;

/// Density that stands for the volume of a body without a volume of its own \[kg/m³\].
const USUAL_DENSITY: f64 = 1000.0;

/// Per-slot arrays.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// Whether the body is an unknown of the step.
    pub moves: Vec<bool>,
    /// Mass \[kg\].
    mass: Vec<f64>,
    /// ∫ρ x̄ x̄ᵀ about the centre of mass, body axes \[kg·m²\].
    second: Vec<DMat3>,
    /// The inverse of it.
    inverse_second: Vec<DMat3>,
    /// κ v: what resists deformation \[J\].
    rigidity: Vec<f64>,
    /// Mass that contacts are stiffened by \[kg\]; zero for what does not yield.
    pub contact_mass: Vec<f64>,
    /// Where the body is.
    pub q: Vec<Affine>,
    /// Where it was at the start of the step.
    pub start: Vec<Affine>,
    /// Where inertia and outer forces alone would take it.
    pub target: Vec<Affine>,
    /// Orientation and angular velocity there \[rad/s\].
    target_motion: Vec<(DQuat, DVec3)>,
    /// Velocity there \[m/s\].
    target_velocity: Vec<DVec3>,
    /// Time over which a displacement becomes a velocity \[s\]: the step, or less by a higher order.
    pub step: Vec<f64>,
}

impl Bodies {
    pub fn new(model: &Model, options: &AbdOptions, radius: &[f64]) -> Self {
        let slots = model.body_count() + 1;
        let mut bodies = Self {
            moves: vec![false; slots],
            mass: vec![0.0; slots],
            second: vec![DMat3::ZERO; slots],
            inverse_second: vec![DMat3::ZERO; slots],
            rigidity: vec![0.0; slots],
            contact_mass: vec![0.0; slots],
            q: vec![Affine::IDENTITY; slots],
            start: vec![Affine::IDENTITY; slots],
            target: vec![Affine::IDENTITY; slots],
            target_motion: vec![(DQuat::IDENTITY, DVec3::ZERO); slots],
            target_velocity: vec![DVec3::ZERO; slots],
            step: vec![1.0; slots],
        };
        let mut volume = vec![0.0; slots];
        for shape in (0..model.shape_count()).filter(|&shape| model.is_solid(shape)) {
            if let Some(total) = volume.get_mut(model.shape_body[shape] as usize) {
                let own = model.shape_geometry[shape].volume();
                *total += if own.is_finite() { own } else { 0.0 };
            }
        }
        let dynamic = |body: usize| model.body_kind[body] == BodyKind::Dynamic;
        let heaviest = (0..model.body_count()).filter(|&b| dynamic(b)).map(|b| model.body_mass[b]).fold(0.0, f64::max);
        for body in 0..model.body_count() {
            if dynamic(body) {
                bodies.mass[body] = model.body_mass[body];
                bodies.second[body] = second_moment(model.body_inertia[body]);
                bodies.contact_mass[body] = model.body_mass[body];
            } else {
                let mass = KINEMATIC_WEIGHT * if heaviest > 0.0 { heaviest } else { 1.0 };
                let size = radius[body].max(f64::MIN_POSITIVE);
                bodies.mass[body] = mass;
                bodies.second[body] = DMat3::from_diagonal(DVec3::splat(0.2 * mass * size * size));
            }
            bodies.inverse_second[body] = bodies.second[body].inverse();
            let own = if volume[body] > 0.0 { volume[body] } else { bodies.mass[body] / USUAL_DENSITY };
            bodies.rigidity[body] = options.stiffness * own;
        }
        bodies
    }

    /// Takes placements over from the state. Bodies that someone has moved since the last step are rigid again;
    /// returns whether there were any.
    pub fn load(&mut self, model: &Model, state: &State) -> bool {
        let mut moved = false;
        for body in 0..model.body_count() {
            let (pose, com) = (state.body_q[body], model.body_com[body]);
            let kept = state.body_affine.get(body).map(|rows| from_rows(rows, com)).filter(|q| pose_of(q, com) == pose);
            moved |= kept.is_none();
            self.q[body] = kept.unwrap_or_else(|| Affine::rigid(pose.transform_point(com), pose.rotation));
            self.start[body] = self.q[body];
        }
        moved
    }

    /// Aims all bodies for a step of `h` seconds under outer forces and torques.
    pub fn predict(&mut self, model: &Model, state: &State, control: &Control, wrench: &[Wrench], h: f64) {
        for body in 0..model.body_count() {
            let alive = !state.body_quarantined[body];
            self.target[body] = self.start[body];
            self.step[body] = h;
            self.moves[body] = match model.body_kind[body] {
                BodyKind::Dynamic if alive => self.aim_dynamic(model, state, wrench[body], body, h),
                BodyKind::Kinematic if alive => self.aim_kinematic(model, state, control, body, h),
                _ => false,
            };
        }
    }

    fn aim_dynamic(&mut self, model: &Model, state: &State, wrench: Wrench, body: usize, h: f64) -> bool {
        let (force, torque) = wrench;
        let twist = state.body_qd[body];
        let gravity = model.body_gravity(body);
        let velocity = twist.linear + h * (gravity + force / model.body_mass[body]);
        let orientation = state.body_q[body].rotation;
        let inertia = model.body_inertia[body];
        let (inertia, inverse) = (sym3(inertia), sym3(inertia.inverse()));
        // Torques act at the start of the step, as forces do: what holds against one then holds all of it.
        let turn = DMat3::from_quat(orientation);
        let spin = twist.angular + h * (turn * (model.body_inertia[body].inverse() * (turn.transpose() * torque)));
        let free = rotation::free_rotation(quat(orientation), vec3(spin), vec3(DVec3::ZERO), inertia, inverse, h);
        let turned = (DQuat::from_scaled_axis(to_dvec3(free.rotation)) * orientation).normalize();
        self.target[body] = Affine::rigid(self.start[body].position + h * velocity, turned);
        self.target_motion[body] = (turned, to_dvec3(free.angular_velocity));
        self.target_velocity[body] = velocity;
        true
    }

    /// Aims a body that nothing holds, moving at `velocity`, along its parabola.
    pub fn aim_by_parabola(&mut self, body: usize, velocity: DVec3, acceleration: DVec3, h: f64) {
        self.target[body].position = self.start[body].position + h * velocity + 0.5 * h * h * acceleration;
    }

    /// Aims a body by the second-order rule.
    pub fn aim_second_order(&mut self, body: usize, orientation: DQuat, aim: &Aim) {
        let turned = (DQuat::from_scaled_axis(aim.turned) * orientation).normalize();
        self.target[body] = Affine::rigid(self.start[body].position + aim.moved, turned);
        self.target_motion[body] = (turned, aim.twist.angular);
        self.target_velocity[body] = aim.twist.linear;
        self.step[body] = aim.step;
    }

    /// True if the body shall move.
    fn aim_kinematic(&mut self, model: &Model, state: &State, control: &Control, body: usize, h: f64) -> bool {
        let (pose, twist) = (state.body_q[body], state.body_qd[body]);
        let com = model.body_com[body];
        let goal = control.body_target[body].unwrap_or_else(|| {
            let turned = (DQuat::from_scaled_axis(h * twist.angular) * pose.rotation).normalize();
            Pose::from_parts(pose.transform_point(com) + h * twist.linear - turned * com, turned)
        });
        let spin = (goal.rotation * pose.rotation.inverse()).to_scaled_axis() / h;
        self.target[body] = Affine::rigid(goal.transform_point(com), goal.rotation);
        self.target_motion[body] = (goal.rotation, spin);
        self.target_velocity[body] = (self.target[body].position - self.start[body].position) / h;
        self.target[body] != self.start[body]
    }

    /// Aims a body at a part of its way to where inertia would take it in the whole step.
    pub fn aim_at_part(&mut self, body: usize, whole: &Affine, part: f64) {
        let start = &self.start[body];
        let from = start.rotation();
        let turned = part * DQuat::from_mat3(&(whole.linear * from.transpose())).normalize().to_scaled_axis();
        let position = start.position + part * (whole.position - start.position);
        self.target[body] = Affine { linear: DMat3::from_quat(DQuat::from_scaled_axis(turned)) * from, position };
    }

    /// Inertia and rigidity: energy \[J\].
    pub fn energy(&self, body: usize, q: &Affine, options: &AbdOptions) -> f64 {
        let away = q.position - self.target[body].position;
        let turn = q.linear - self.target[body].linear;
        let second = turn * self.second[body];
        let rotary: f64 = (0..3).map(|c| turn.col(c).dot(second.col(c))).sum();
        0.5 * (self.mass[body] * away.length_squared() + rotary) / powi(self.step[body], 2)
            + options.rigidity.value(q.linear, self.rigidity[body])
    }

    /// The gradient of [`Bodies::energy`] where the body is.
    pub fn gradient(&self, body: usize, options: &AbdOptions) -> Vec12 {
        let q = &self.q[body];
        let inverse = 1.0 / powi(self.step[body], 2);
        let inertial = Affine {
            linear: (q.linear - self.target[body].linear) * self.second[body] * inverse,
            position: self.mass[body] * inverse * (q.position - self.target[body].position),
        };
        let mut gradient = inertial.to_array();
        add_linear(&mut gradient, options.rigidity.gradient(q.linear, self.rigidity[body]));
        gradient
    }

    /// Its second derivatives, made positive definite.
    pub fn block(&self, body: usize, options: &AbdOptions) -> Mat12 {
        let mut block = self.mass_matrix(body);
        block = Mat::from_fn(|i, j| block.0[i][j] / powi(self.step[body], 2));
        options.rigidity.add_hessian(&mut block, self.q[body].linear, self.rigidity[body], 0.0);
        block
    }

    /// The mass that resists a motion along a term: the inverse of by M⁻¹ byᵀ over the bodies that move.
    pub fn effective_mass(&self, term: &Term) -> f64 {
        let mut yielding = 0.0;
        for k in 0..2 {
            let slot = term.slot[k] as usize;
            if self.moves[slot] {
                let by = Affine::from_array(&term.by[k]);
                let rows = by.linear.transpose();
                let turning: f64 = (0..3).map(|r| rows.col(r).dot(self.inverse_second[slot] * rows.col(r))).sum();
                yielding += turning + by.position.length_squared() / self.mass[slot];
            }
        }
        if yielding > 0.0 { 1.0 / yielding } else { 0.0 }
    }

    /// How much a rigid body yields to a unit force and moment along a row: by M⁻¹ byᵀ.
    pub fn rigid_yielding(&self, slot: usize, (linear, angular): (DVec3, DVec3)) -> f64 {
        let turn = self.q[slot].linear;
        let second = turn * self.second[slot] * turn.transpose();
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
        linear.length_squared() / self.mass[slot] + angular.dot(inertia.inverse() * angular)
    }

    /// ∫ρ JᵀJ: one 4×4 matrix for each row.
    fn mass_matrix(&self, body: usize) -> Mat12 {
        let (mass, second) = (self.mass[body], &self.second[body]);
        Mat::from_fn(|i, j| match (i / 4 == j / 4, i % 4, j % 4) {
            (true, 3, 3) => mass,
            (true, r, c) if r < 3 && c < 3 => second.col(c)[r],
            _ => 0.0,
        })
    }

    /// Angular velocity at the end of the step \[rad/s\]. What forces turned a body away from its target is a change of
    /// angular momentum: the torque that balances (A − Ã) S/h² along A, exactly.
    fn spin(&self, model: &Model, body: usize) -> DVec3 {
        let h = self.step[body];
        let (turned, spin) = self.target_motion[body];
        let end = self.q[body].rotation();
        if model.body_kind[body] != BodyKind::Dynamic {
            return spin + (DQuat::from_mat3(&end) * turned.inverse()).to_scaled_axis() / h;
        }
        let aimed = self.target[body].linear;
        let product = self.q[body].linear * self.second[body] * aimed.transpose();
        let skew = product - product.transpose();
        let kick = DVec3::new(skew.y_axis.z, skew.z_axis.x, skew.x_axis.y) / h;
        let inertia = model.body_inertia[body];
        let momentum = aimed * (inertia * (aimed.transpose() * spin)) + kick;
        end * (inertia.inverse() * (end.transpose() * momentum))
    }

    /// Writes poses, velocities and affine placements back.
    pub fn store(&self, model: &Model, state: &mut State) {
        state.body_affine.resize(model.body_count(), [0.0; 12]);
        for body in 0..model.body_count() {
            let (q, com) = (&self.q[body], model.body_com[body]);
            if self.moves[body] {
                let off = (q.position - self.target[body].position) / self.step[body];
                let linear = self.target_velocity[body] + off;
                state.body_qd[body] = Twist { linear, angular: self.spin(model, body) };
            } else if model.body_kind[body] != BodyKind::Dynamic {
                state.body_qd[body] = Twist::default();
            }
            state.body_affine[body] = to_rows(q, com);
            // From the stored rows, so that the next step finds the very same pose.
            state.body_q[body] = pose_of(&from_rows(&state.body_affine[body], com), com);
        }
    }
}

/// A placement about the centre of mass from one of the body frame.
fn from_rows(rows: &Vec12, com: DVec3) -> Affine {
    let frame = Affine::from_array(rows);
    Affine { linear: frame.linear, position: frame.point(com) }
}

fn to_rows(q: &Affine, com: DVec3) -> Vec12 {
    Affine { linear: q.linear, position: q.position - q.linear * com }.to_array()
}

/// The rigid pose of the body frame nearest to a placement.
fn pose_of(q: &Affine, com: DVec3) -> Pose {
    let rotation = DQuat::from_mat3(&q.rotation()).normalize();
    Pose::from_parts(q.position - rotation * com, rotation)
}

/// ∫ρ x̄ x̄ᵀ from an inertia tensor, positive definite.
fn second_moment(inertia: DMat3) -> DMat3 {
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    let second = DMat3::from_diagonal(DVec3::splat(0.5 * trace)) - inertia;
    let (moments, axes) = drystone_geometry::mass::symmetric_eigen(second);
    let raised = moments.max(DVec3::splat(LEAST_MOMENT * moments.max_element()));
    if raised == moments { second } else { axes * DMat3::from_diagonal(raised) * axes.transpose() }
}
