//! What acts along the axes of the joints, read from the model once.

use drystone_model::{Follow, JointKind, Model, Spring};

use drystone_solve::joint::{HeldAxis, held_axes, rod_constants};

/// A force along an axis that has no bounds: a row of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// The coordinate is held exactly at a value \[m or rad\].
    Held(f64),
    /// Spring, damper and rotor.
    Elastic {
        /// What pulls to where it rests.
        spring: Spring,
        /// \[kg or kg·m²\].
        armature: f64,
        /// Stiffness \[N/m or N·m/rad\] and damping \[N·s/m or N·m·s/rad\] that follow the targets of the control, as
        /// drives do; none for a lock that gives.
        driven: Option<[f64; 2]>,
    },
}

/// A law along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisLaw {
    /// Coordinate, 0 to 5.
    pub axis: u8,
    /// What acts.
    pub law: Law,
}

/// A force along an axis that has bounds: a row outside the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedLaw {
    /// The joint.
    pub joint: u32,
    /// Coordinate, 0 to 5.
    pub axis: u8,
    /// What acts.
    pub kind: Bounded,
    /// The coupling whose play it is an end of, in place of the coordinate.
    pub coupling: Option<u32>,
}

/// A coordinate that follows another: C = q₁ − r q₂ − b is held at zero, or within its play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// Joint and axis of what follows and of what leads.
    pub end: [(u32, u8); 2],
    /// r and b.
    pub ratio: f64,
    pub offset: f64,
    /// Whether it has no play.
    pub rigid: bool,
    /// Stiffness and damping where it gives way \[N/m or N·m/rad\], \[N·s/m or N·m·s/rad\].
    pub spring: Option<[f64; 2]>,
}

/// The kinds of bounded forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bounded {
    /// The coordinate stays above (`sign` 1) or below (−1) a bound; infinitely stiff or not.
    Stop {
        /// 1 for a lower bound, −1 for an upper one.
        sign: f64,
        /// The bound \[m or rad\].
        at: f64,
        /// \[N/m or N·m/rad\].
        stiffness: f64,
        /// \[N·s/m or N·m·s/rad\].
        damping: f64,
    },
    /// Dry friction up to this effort \[N or N·m\].
    Friction(f64),
    /// The rate stays above −rate (`sign` 1) or below rate (−1).
    Fastest {
        /// 1 for a rate downwards, −1 for one upwards.
        sign: f64,
        /// \[m/s or rad/s\].
        rate: f64,
    },
    /// A drive that gives at most `max_effort` \[N or N·m\].
    Drive {
        /// \[N/m or N·m/rad\].
        stiffness: f64,
        /// \[N·s/m or N·m·s/rad\].
        damping: f64,
        /// \[N or N·m\].
        max_effort: f64,
    },
}

impl Bounded {
    /// 1 where its multiplier pushes along the coordinate, −1 where against.
    pub fn sign(&self) -> f64 {
        match *self {
            Self::Stop { sign, .. } | Self::Fastest { sign, .. } => sign,
            Self::Friction(_) | Self::Drive { .. } => 1.0,
        }
    }
}

/// The laws of all joints.
#[derive(Clone, Debug, Default)]
pub struct Laws {
    /// First law of every joint, and the number of laws.
    start: Vec<u32>,
    axis: Vec<AxisLaw>,
    /// Bounded laws in joint order.
    pub bounded: Vec<BoundedLaw>,
    /// Couplings in the order of what follows.
    pub couplings: Vec<Coupling>,
}

impl Laws {
    /// Reads a model.
    pub fn new(model: &Model) -> Self {
        let mut laws = Self { start: vec![0], ..Self::default() };
        let mut held = Vec::new();
        for joint in 0..model.joint_count() {
            held.clear();
            held_axes(model, joint, &mut held);
            laws.read_joint(model, joint, &held);
            laws.start.push(laws.axis.len() as u32);
        }
        laws
    }

    /// The unbounded laws of a joint, at most one per axis, in axis order.
    pub fn of(&self, joint: usize) -> &[AxisLaw] {
        &self.axis[self.start[joint] as usize..self.start[joint + 1] as usize]
    }

    fn read_joint(&mut self, model: &Model, joint: usize, held: &[HeldAxis]) {
        for axis in 0..6 {
            if let Some(held) = held.iter().find(|held| held.axis as usize == axis) {
                self.axis.push(AxisLaw { axis: axis as u8, law: Law::Held(held.at) });
                continue;
            }
            match model.joint_kind[joint] {
                JointKind::Free => {}
                JointKind::Distance if axis == 0 => {
                    self.drive(model, joint, axis);
                    self.distance_stops(model, joint);
                    self.rub(model, joint, axis);
                }
                JointKind::Cone if axis == 3 => self.stops(model, joint, axis),
                JointKind::Distance | JointKind::Cone => {}
                _ => self.read_axis(model, joint, axis),
            }
        }
    }

    fn distance_stops(&mut self, model: &Model, joint: usize) {
        let (stiffness, damping) = (model.joint_stiffness[joint][0], model.joint_damping[joint][0]);
        for (sign, at) in [1.0, -1.0].into_iter().zip(model.joint_distance[joint]) {
            self.stop(joint, 0, Bounded::Stop { sign, at, stiffness, damping });
        }
    }

    fn read_axis(&mut self, model: &Model, joint: usize, axis: usize) {
        let angular = usize::from(axis >= 3);
        let (stiffness, damping) = match model.joint_axis[joint][axis] {
            _ if model.joint_rod[joint].is_some() => rod_constants(model, joint, axis),
            drystone_model::AxisMode::Locked => {
                (model.joint_stiffness[joint][angular], model.joint_damping[joint][angular])
            }
            drystone_model::AxisMode::Free => return self.free_axis(model, joint, axis),
        };
        if stiffness > 0.0 || damping > 0.0 {
            let spring = Spring { rest: 0.0, stiffness, damping };
            let law = Law::Elastic { spring, armature: 0.0, driven: None };
            self.axis.push(AxisLaw { axis: axis as u8, law });
        }
    }

    fn free_axis(&mut self, model: &Model, joint: usize, axis: usize) {
        self.drive(model, joint, axis);
        self.stops(model, joint, axis);
        self.rub(model, joint, axis);
        if let Some(follow) = &model.joint_follow[joint][axis] {
            self.couple(joint, axis, follow);
        }
    }

    fn stops(&mut self, model: &Model, joint: usize, axis: usize) {
        let limit = model.axis_limit(joint, axis);
        for (sign, at) in [(1.0, limit.lower), (-1.0, limit.upper)] {
            let (stiffness, damping) = (limit.stiffness, limit.damping);
            self.stop(joint, axis, Bounded::Stop { sign, at, stiffness, damping });
        }
        let rate = model.joint_max_rate[joint][axis];
        if rate.is_finite() {
            [1.0, -1.0].into_iter().for_each(|sign| self.bound(joint, axis, Bounded::Fastest { sign, rate }));
        }
    }

    fn rub(&mut self, model: &Model, joint: usize, axis: usize) {
        let friction = model.joint_friction[joint][axis];
        if friction > 0.0 {
            self.bound(joint, axis, Bounded::Friction(friction));
        }
    }

    /// Drive, spring and rotor of an axis.
    fn drive(&mut self, model: &Model, joint: usize, axis: usize) {
        let drive = model.joint_drive[joint][axis];
        let armature = model.joint_armature[joint][axis];
        let spring = model.joint_spring[joint][axis];
        let drives = drive.acts();
        let unbounded = drive.max_effort.is_infinite();
        let driven = if drives && unbounded { [drive.stiffness, drive.damping] } else { [0.0; 2] };
        if armature > 0.0 || drives && unbounded || spring.acts() {
            let law = Law::Elastic { spring, armature, driven: Some(driven) };
            self.axis.push(AxisLaw { axis: axis as u8, law });
        }
        if drives && !unbounded {
            let (stiffness, damping, max_effort) = (drive.stiffness, drive.damping, drive.max_effort);
            self.bound(joint, axis, Bounded::Drive { stiffness, damping, max_effort });
        }
    }

    fn couple(&mut self, joint: usize, axis: usize, follow: &Follow) {
        let coupling = Some(self.couplings.len() as u32);
        let rigid = follow.play == [0.0; 2];
        let end = [(joint as u32, axis as u8), (follow.joint.0, follow.axis as u8)];
        let spring = follow.is_soft().then_some([follow.stiffness, follow.damping]);
        self.couplings.push(Coupling { end, ratio: follow.ratio, offset: follow.offset, rigid, spring });
        let ends = [1.0, -1.0].into_iter().zip(follow.play).filter(|(_, at)| !rigid && at.is_finite());
        self.bounded.extend(ends.map(|(sign, at)| {
            let kind = Bounded::Stop { sign, at, stiffness: f64::INFINITY, damping: 0.0 };
            BoundedLaw { joint: joint as u32, axis: axis as u8, kind, coupling }
        }));
    }

    fn stop(&mut self, joint: usize, axis: usize, stop: Bounded) {
        if let Bounded::Stop { at, .. } = stop
            && at.is_finite()
        {
            self.bound(joint, axis, stop);
        }
    }

    fn bound(&mut self, joint: usize, axis: usize, kind: Bounded) {
        self.bounded.push(BoundedLaw { joint: joint as u32, axis: axis as u8, kind, coupling: None });
    }
}
