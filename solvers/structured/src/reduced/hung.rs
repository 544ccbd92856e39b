//! What a body hangs by, as a row of freedoms.

use drystone_model::{AxisMode, BodyKind, Chart, DVec3, JointKind, Model, Pose, TreeJoint, WORLD};

use crate::axis_laws::{Law, Laws};

/// No link, no joint.
pub const NONE: u32 = u32::MAX;

/// How a joint lets its bodies turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    /// Not at all.
    Held,
    /// About one axis.
    One(usize),
    /// About two axes, one after the other.
    Two([usize; 2]),
    /// Any way: three turns about the axes of the joint frame, counted from where the step begins, so that they never lie in one plane.
    Free,
}

/// A moving body and the joint it hangs by; bodies that float hang from the world by six freedoms.
#[derive(Clone, Copy, Debug)]
pub struct Hung {
    /// The joint, or [`NONE`].
    pub joint: u32,
    /// What it hangs from: a body or [`WORLD`].
    pub from: u32,
    /// The body.
    pub to: u32,
    /// Joint frames on both, from their centres of mass and in their axes.
    pub frame: [Pose; 2],
    /// Translations that are free.
    pub slides: [bool; 3],
    /// Rotations that are free.
    pub turning: Turning,
    /// Minus one where the joint's parent hangs from its child: coordinates count the other way.
    pub sign: f64,
    /// The link of every free axis, or [`NONE`]; in the order of the axes from the body it hangs from to the body.
    pub link: [u32; 6],
    /// The link that has the mass of the body.
    pub last: u32,
    /// What a radian counts as in lengths \[m\].
    pub size: f64,
}

impl Hung {
    /// A body that hangs from nothing.
    pub fn floating(body: u32) -> Self {
        Self {
            joint: NONE,
            from: WORLD,
            to: body,
            frame: [Pose::IDENTITY; 2],
            slides: [true; 3],
            turning: Turning::Free,
            sign: 1.0,
            link: [NONE; 6],
            last: NONE,
            size: 1.0,
        }
    }

    /// A body on a joint; none if the joint is of a kind that has no place here.
    pub fn new(model: &Model, laws: &Laws, step: &TreeJoint) -> Option<Self> {
        let joint = step.joint as usize;
        if model.joint_kind[joint] == JointKind::Free {
            return Some(Self::floating(step.to));
        }
        let slides = [0, 1, 2].map(|axis| model.joint_axis[joint][axis] == AxisMode::Free);
        let turning = turning(model, joint);
        let several = slides.iter().filter(|slide| **slide).count() + usize::from(turning != Turning::Held) > 1;
        // The other way round the axes would come in another order.
        let in_order = !step.reversed || !(several || matches!(turning, Turning::Two(_)));
        if !in_order || !is_plain(model, laws, joint, turning) {
            return None;
        }
        let com = |body: u32| if body == WORLD { DVec3::ZERO } else { model.body_com[body as usize] };
        let mut frame = [model.joint_frame_parent[joint], model.joint_frame_child[joint]];
        if step.reversed {
            frame.swap(0, 1);
        }
        frame[0].translation -= com(step.from);
        frame[1].translation -= com(step.to);
        let size = (frame[0].translation.length() + frame[1].translation.length())
            .max(gyration(model, step.from))
            .max(gyration(model, step.to));
        let sign = if step.reversed { -1.0 } else { 1.0 };
        let floating = Self::floating(step.to);
        Some(Self { joint: step.joint, from: step.from, frame, slides, turning, sign, size, ..floating })
    }

    /// The free axes from the body it hangs from to the body.
    pub fn axes(&self) -> impl Iterator<Item = usize> {
        let Self { slides, turning, .. } = *self;
        let turns = move |axis: usize| match turning {
            Turning::Held => false,
            Turning::One(one) => axis == one,
            Turning::Two(two) => two.contains(&axis),
            Turning::Free => true,
        };
        (0..6).filter(move |&axis| if axis < 3 { slides[axis] } else { turns(axis - 3) })
    }
}

/// Which rotations of a joint are free. A ball joint and one with three angles let bodies turn the same ways.
fn turning(model: &Model, joint: usize) -> Turning {
    let free: Vec<usize> = (0..3).filter(|axis| model.joint_axis[joint][3 + axis] == AxisMode::Free).collect();
    match free[..] {
        [] => Turning::Held,
        [one] => Turning::One(one),
        [one, two] => Turning::Two([one, two]),
        _ => Turning::Free,
    }
}

/// Whether every axis is either held exactly or free, with nothing but springs, dampers, drives, stops and rotors on free axes that
/// have a coordinate.
fn is_plain(model: &Model, laws: &Laws, joint: usize, turning: Turning) -> bool {
    let law = |axis: usize| laws.of(joint).iter().find(|law| law.axis as usize == axis);
    let plain = |axis: usize| match (model.joint_axis[joint][axis], law(axis).map(|law| law.law)) {
        (AxisMode::Locked, Some(Law::Held(at))) => at == 0.0,
        (AxisMode::Free, None) => true,
        (AxisMode::Free, Some(Law::Elastic { .. })) => axis < 3 || turning != Turning::Free,
        _ => false,
    };
    let mut bounded = laws.bounded.iter().filter(|law| law.joint as usize == joint);
    let bounds = turning != Turning::Free || bounded.all(|law| law.axis < 3);
    let kind = !model.joint_kind[joint].only_measures() && model.joint_kind[joint] != JointKind::Rod;
    let two =
        matches!(turning, Turning::Two(_)) == (model.joint_chart(joint) == Chart::Euler && turning != Turning::Free);
    kind && two && bounds && (0..6).all(plain) && model.joint_break[joint] == [f64::INFINITY; 2]
}

fn gyration(model: &Model, body: u32) -> f64 {
    if body == WORLD || model.body_kind[body as usize] != BodyKind::Dynamic {
        return 0.0;
    }
    let inertia = model.body_inertia[body as usize];
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    (trace / (3.0 * model.body_mass[body as usize])).sqrt()
}
