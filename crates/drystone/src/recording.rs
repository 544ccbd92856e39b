//! A run as data: everything needed to replay, draw or check it without running it again.

use drystone_geometry::Tessellation;
use drystone_geometry::{DMat3, DVec3, Pose, Shape};
use drystone_model::{Model, State, Twist, WORLD};
use serde::{Deserialize, Serialize};

/// Width of the square that stands for a half-space, in units of the size of the scene: far enough
/// that nothing leaves it in a sensible run, near enough that its corners stay exact.
const HALF_SPACE_EXTENT: f64 = 100.0;

/// The frames of a run together with the scene they belong to.
///
/// Arrays per frame are stored one frame after the other: entry `frame * body_count + body`.
/// `drystone-io` writes and reads recordings as `.npz`, one array per field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// The scene. One read back from a file holds what the file format keeps (bodies, shapes, joint
    /// frames and axes, gravity, particles and their elements); materials, drives and limits are defaults.
    pub model: Model,
    /// Collision surface of all shapes as triangles.
    pub surface: Surface,
    /// Only states whose step count is a multiple of this are kept; 0 counts as 1.
    pub every: u64,
    /// Simulated time of every frame \[s\].
    pub time: Vec<f64>,
    /// Pose of every body frame, world frame, per frame \[m\].
    pub body_q: Vec<Pose>,
    /// Velocity of every centre of mass \[m/s\] and angular velocity \[rad/s\], world frame, per frame.
    pub body_qd: Vec<Twist>,
    /// Affine placement of every body as the rows of a 3×4 matrix, the last column in \[m\], per frame; empty unless a solver
    /// deforms its bodies affinely.
    pub body_affine: Vec<[f64; 12]>,
    /// Position of every particle, per frame \[m\].
    pub particle_q: Vec<DVec3>,
    /// Velocity of every particle, per frame \[m/s\]; empty in files that have none.
    pub particle_qd: Vec<DVec3>,
    /// Gap of every joint, per frame \[m\].
    pub joint_error: Vec<f64>,
    /// Whether every joint has not broken, per frame.
    pub joint_intact: Vec<bool>,
}

/// Triangles of all collision shapes, every vertex in the frame of its body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Vertex positions in the frame of the body, or of the world \[m\].
    pub vertex: Vec<DVec3>,
    /// Vertex indices of every triangle, counter-clockwise seen from outside.
    pub triangle: Vec<[u32; 3]>,
    /// Body of every vertex, or [`WORLD`].
    pub body: Vec<u32>,
    /// Shape of every vertex.
    pub shape: Vec<u32>,
}

impl Recording {
    /// An empty recording of a scene that keeps every state pushed.
    pub fn new(model: &Model) -> Self {
        Self { model: model.clone(), surface: Surface::new(model), every: 1, ..Self::default() }
    }

    /// Keeps only every `steps`-th step.
    pub fn every(mut self, steps: u64) -> Self {
        self.every = steps;
        self
    }

    /// Appends a state and the gap of every joint \[m\], unless thinning skips it. Returns whether a
    /// frame was added.
    ///
    /// # Panics
    /// If the state or the joint errors are not sized for the model of this recording.
    pub fn push(&mut self, state: &State, joint_error: &[f64]) -> bool {
        assert_eq!(state.body_q.len(), self.model.body_count(), "the state belongs to another model");
        assert_eq!(state.particle_q.len(), self.model.particle_count(), "the state belongs to another model");
        assert_eq!(joint_error.len(), self.model.joint_count(), "one joint error per joint");
        if !state.step_count.is_multiple_of(self.every.max(1)) {
            return false;
        }
        self.time.push(state.time);
        self.body_q.extend_from_slice(&state.body_q);
        self.body_qd.extend_from_slice(&state.body_qd);
        self.push_affine(state);
        self.particle_q.extend_from_slice(&state.particle_q);
        self.particle_qd.extend_from_slice(&state.particle_qd);
        self.joint_error.extend_from_slice(joint_error);
        let intact = |j: usize| state.joint_intact.get(j).copied().unwrap_or(true);
        self.joint_intact.extend((0..joint_error.len()).map(intact));
        true
    }

    /// Keeps the affine placements from the first state on that has them; frames before were rigid.
    fn push_affine(&mut self, state: &State) {
        let bodies = self.model.body_count();
        if state.body_affine.len() == bodies {
            let rigid = self.body_affine.len()..self.body_q.len() - bodies;
            self.body_affine.extend(self.body_q[rigid].iter().map(affine_rows));
            self.body_affine.extend_from_slice(&state.body_affine);
        } else if !self.body_affine.is_empty() {
            self.body_affine.extend(state.body_q.iter().map(affine_rows));
        }
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.time.len()
    }

    /// Poses of all bodies in a frame.
    pub fn poses(&self, frame: usize) -> &[Pose] {
        rows(&self.body_q, self.model.body_count(), frame)
    }

    /// Velocities of all bodies in a frame.
    pub fn twists(&self, frame: usize) -> &[Twist] {
        rows(&self.body_qd, self.model.body_count(), frame)
    }

    /// Affine placements of all bodies in a frame; empty if bodies are rigid.
    pub fn affine(&self, frame: usize) -> &[[f64; 12]] {
        if self.body_affine.is_empty() { &[] } else { rows(&self.body_affine, self.model.body_count(), frame) }
    }

    /// Gaps of all joints in a frame \[m\].
    pub fn joint_errors(&self, frame: usize) -> &[f64] {
        rows(&self.joint_error, self.model.joint_count(), frame)
    }

    /// Positions of all particles in a frame \[m\].
    pub fn particles(&self, frame: usize) -> &[DVec3] {
        rows(&self.particle_q, self.model.particle_count(), frame)
    }

    /// Velocities of all particles in a frame \[m/s\]; `None` if they were not recorded.
    pub fn particle_velocities(&self, frame: usize) -> Option<&[DVec3]> {
        let recorded = self.particle_qd.len() == self.particle_q.len();
        recorded.then(|| rows(&self.particle_qd, self.model.particle_count(), frame))
    }

    /// A frame as a state of [`Recording::model`]. Step counts and unwrapped angles, and particle velocities
    /// where there are none, come back as zero.
    pub fn state(&self, frame: usize) -> State {
        State {
            time: self.time[frame],
            body_q: self.poses(frame).to_vec(),
            body_qd: self.twists(frame).to_vec(),
            body_affine: self.affine(frame).to_vec(),
            particle_q: self.particles(frame).to_vec(),
            particle_qd: match self.particle_velocities(frame) {
                Some(velocities) => velocities.to_vec(),
                None => vec![DVec3::ZERO; self.model.particle_count()],
            },
            joint_angle: vec![[0.0; 3]; self.model.joint_count()],
            joint_intact: rows(&self.joint_intact, self.model.joint_count(), frame).to_vec(),
            body_quarantined: vec![false; self.model.body_count()],
            ..State::default()
        }
    }
}

/// A pose as the rows of a 3×4 matrix.
pub fn affine_rows(pose: &Pose) -> [f64; 12] {
    let (m, t) = (DMat3::from_quat(pose.rotation), pose.translation);
    let row = |r: usize| [m.x_axis[r], m.y_axis[r], m.z_axis[r], t[r]];
    let [a, b, c] = [row(0), row(1), row(2)];
    std::array::from_fn(|i| [a, b, c][i / 4][i % 4])
}

/// The entries of one frame in an array of equally long frames.
fn rows<T>(values: &[T], per_frame: usize, frame: usize) -> &[T] {
    &values[frame * per_frame..(frame + 1) * per_frame]
}

impl Surface {
    /// The surface of all shapes of a model but sensors, at the default detail.
    pub fn new(model: &Model) -> Self {
        let mut all = Self::default();
        let mut unbounded = Vec::new();
        for shape in (0..model.shape_count()).filter(|&shape| model.is_solid(shape)) {
            match model.shape_geometry[shape] {
                Shape::HalfSpace => unbounded.push(shape),
                _ => all.append(model, shape, &Tessellation::default()),
            }
        }
        let radius = all.radius(model);
        let extent = HALF_SPACE_EXTENT * if radius > 0.0 { radius } else { 1.0 };
        for shape in unbounded {
            all.append(model, shape, &Tessellation { extent, ..Tessellation::default() });
        }
        all
    }

    fn append(&mut self, model: &Model, shape: usize, detail: &Tessellation) {
        let mesh = model.shape_geometry[shape].to_mesh(detail);
        let pose = model.shape_pose[shape];
        let base = self.vertex.len() as u32;
        self.triangle.extend(mesh.triangles.iter().map(|t| t.map(|i| base + i)));
        self.vertex.extend(mesh.vertices.iter().map(|&v| pose * v));
        self.body.resize(self.vertex.len(), model.shape_body[shape]);
        self.shape.resize(self.vertex.len(), shape as u32);
    }

    /// Distance of the farthest vertex from the world origin at the start \[m\].
    fn radius(&self, model: &Model) -> f64 {
        let world = |(&v, &body): (&DVec3, &u32)| if body == WORLD { v } else { model.body_q[body as usize] * v };
        self.vertex.iter().zip(&self.body).map(|pair| world(pair).length()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box one metre up, above a half-space of the world.
    fn falling_box() -> Model {
        Model {
            world_gravity: vec![DVec3::new(0.0, 0.0, -9.81)],
            body_name: vec!["box".into()],
            body_q: vec![Pose::from_translation(DVec3::Z)],
            body_qd: vec![Twist::default()],
            shape_geometry: vec![Shape::HalfSpace, Shape::Box { half: DVec3::splat(0.5) }],
            shape_body: vec![WORLD, 0],
            shape_pose: vec![Pose::IDENTITY, Pose::from_translation(DVec3::X)],
            ..Model::default()
        }
    }

    fn state(step: u64, height: f64) -> State {
        State {
            time: step as f64 * 0.5,
            step_count: step,
            body_q: vec![Pose::from_translation(DVec3::Z * height)],
            body_qd: vec![Twist { linear: DVec3::NEG_Z * step as f64, angular: DVec3::ZERO }],
            ..State::default()
        }
    }

    #[test]
    fn thinning_goes_by_step_count() {
        let mut recording = Recording::new(&falling_box()).every(2);
        let kept: Vec<bool> = (0..5).map(|i| recording.push(&state(i, i as f64), &[])).collect();
        assert_eq!(kept, [true, false, true, false, true]);
        assert_eq!(recording.time, [0.0, 1.0, 2.0]);
        assert_eq!(recording.poses(1)[0].translation, DVec3::Z * 2.0);
        assert_eq!(recording.state(2).body_qd[0].linear, DVec3::NEG_Z * 4.0);
    }

    #[test]
    fn the_surface_lies_in_body_frames_and_the_ground_reaches_far() {
        let surface = Recording::new(&falling_box()).surface;
        assert_eq!((surface.vertex.len(), surface.triangle.len()), (12, 14));
        for i in 0..8 {
            assert_eq!((surface.body[i], surface.shape[i]), (0, 1));
            assert_eq!((surface.vertex[i] - DVec3::X).abs(), DVec3::splat(0.5));
        }
        for i in 8..12 {
            assert_eq!(surface.body[i], WORLD);
            assert!(surface.vertex[i].z == 0.0 && surface.vertex[i].x.abs() > 100.0);
        }
    }

    #[test]
    #[should_panic(expected = "another model")]
    fn a_foreign_state_is_refused() {
        Recording::new(&falling_box()).push(&State::default(), &[]);
    }
}
