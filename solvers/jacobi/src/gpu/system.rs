//! Bodies joined at points, in the form the GPU works on.

use drystone_kernels::single::math::{Quat, Sym3, Vec3, Vec6};

use super::memory::KIND_WORDS;

/// What bodies of a kind have in common. Most scenes have few kinds, so that a body costs four bytes
/// of memory traffic for all of this.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyKind {
    /// Inverse mass \[1/kg\].
    pub inverse_mass: f32,
    /// Acceleration of free fall \[m/s²\].
    pub gravity: Vec3,
    /// Inertia about the centre of mass in body axes \[kg·m²\].
    pub inertia: Sym3,
    /// Its inverse.
    pub inverse_inertia: Sym3,
}

impl BodyKind {
    /// The kind as the words kernels read.
    fn words(&self) -> [f32; KIND_WORDS as usize] {
        let (g, i, j) = (self.gravity, self.inertia, self.inverse_inertia);
        [self.inverse_mass, g.x, g.y, g.z, i.xx, i.xy, i.xz, i.yy, i.yz, i.zz, j.xx, j.xy, j.xz, j.yy, j.yz, j.zz]
    }
}

/// Bodies and point constraints between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointSystem {
    /// Kinds of bodies.
    pub kind: Vec<BodyKind>,
    /// Anchors in the frame of the body at its centre of mass, or in the world frame \[m\].
    pub anchor: Vec<Vec3>,
    /// Kind of each body.
    pub body_kind: Vec<u32>,
    /// First body of each constraint, or [`IMMOVABLE`](super::IMMOVABLE), whose anchor is in the world frame.
    pub parent: Vec<u32>,
    /// Second body of each constraint.
    pub child: Vec<u32>,
    /// Anchor of each constraint on its first body.
    pub parent_anchor: Vec<u32>,
    /// Anchor of each constraint on its second body.
    pub child_anchor: Vec<u32>,
}

impl PointSystem {
    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.body_kind.len()
    }

    /// Number of constraints.
    pub fn constraint_count(&self) -> usize {
        self.child.len()
    }

    /// The kinds as kernels read them.
    pub(super) fn kind_words(&self) -> Vec<f32> {
        self.kind.iter().flat_map(BodyKind::words).collect()
    }

    /// The anchors as kernels read them.
    pub(super) fn anchor_words(&self) -> Vec<f32> {
        self.anchor.iter().flat_map(|a| [a.x, a.y, a.z]).collect()
    }

    /// Whether no body feels the gyroscopic term.
    pub(super) fn is_round(&self) -> bool {
        self.kind.iter().all(|kind| {
            drystone_kernels::single::jacobi::asphericity(kind.inertia) <= drystone_kernels::single::jacobi::ROUND
        })
    }
}

/// Where the bodies of a system are, and the impulses that hold its constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointState {
    /// Centres of mass \[m\].
    pub position: Vec<Vec3>,
    /// Orientations.
    pub orientation: Vec<Quat>,
    /// Velocities \[m/s, rad/s\].
    pub velocity: Vec<Vec6>,
    /// Impulse on the second body of each constraint \[N·s\], the start of the next step's iterations.
    pub impulse: Vec<Vec3>,
}

impl PointState {
    /// Words per body: position, orientation, velocity.
    pub(super) const BODY_WORDS: usize = 13;

    /// The words of a body in the order of the device's components.
    pub(super) fn body_words(&self, body: usize) -> [f32; Self::BODY_WORDS] {
        let (x, q, v) = (self.position[body], self.orientation[body], self.velocity[body]);
        [x.x, x.y, x.z, q.x, q.y, q.z, q.w, v.l.x, v.l.y, v.l.z, v.a.x, v.a.y, v.a.z]
    }

    /// Sets a body from its words; `word(c)` is component `c`.
    pub(super) fn set_body(&mut self, body: usize, word: impl Fn(usize) -> f32) {
        let vector = |first| Vec3 { x: word(first), y: word(first + 1), z: word(first + 2) };
        self.position[body] = vector(0);
        self.orientation[body] = Quat { x: word(3), y: word(4), z: word(5), w: word(6) };
        self.velocity[body] = Vec6 { l: vector(7), a: vector(10) };
    }
}

/// How a step is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOptions {
    /// Time step \[s\].
    pub dt: f32,
    /// Iterations per step.
    pub iterations: u32,
    /// Share of a Jacobi step that is taken; 1 is the plain method.
    pub relaxation: f32,
    /// Share of the position error taken back per step; 0 leaves the drift.
    pub stabilization: f32,
}
