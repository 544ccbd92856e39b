//! Mechanisms as MJCF, the model files of MuJoCo: bodies, masses, joints with their springs, and the
//! state the model starts in as a key frame.
//!
//! What is written is the mechanism. Drives become servos, and their targets the controls of the key frame. Shapes that MJCF has as primitives come along for the eye, with
//! contact switched off. Joints become MuJoCo's in this order, named `JOINT:AXIS`: slides along the free
//! translations, then hinges about the free rotations, or one ball; a body that floats freely gets a free
//! joint. What MJCF cannot say, or says otherwise, is refused by name.

mod joint;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use drystone_geometry::MassProperties;
use drystone_model::{Axis, BodyKind, Model, Pose, Shape, State, TreeJoint};
use thiserror::Error;

use crate::hung::{Hung, Untold};
use crate::xml_text::{escaped, numbers, quaternion, vector};
use joint::{Moved, dofs, range_of_ball};

/// Why a model has no MJCF.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{entity} cannot be written as MJCF: {reason}; {remedy}")]
pub struct MjcfError {
    /// What stands in the way, by name.
    pub entity: String,
    /// Why.
    pub reason: &'static str,
    /// What would work.
    pub remedy: &'static str,
}

/// Writes the mechanism of a model in its initial state as MJCF.
///
/// ```
/// let model = drystone_scenes::make::<&str>("double-pendulum", &[])?.model;
/// let text = drystone_io::mjcf::export_mjcf(&model)?;
/// assert_eq!(text.matches("type=\"hinge\"").count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export_mjcf(model: &Model) -> Result<String, MjcfError> {
    let [gravity] = model.world_gravity.as_slice() else {
        return Err(refuse("the model".into(), "it has several worlds", "export one world at a time"));
    };
    if model.particle_count() > 0 {
        return Err(refuse("the model".into(), "it has particles", "export the bodies alone"));
    }
    let mut out = String::from("<mujoco>\n");
    out.push_str("  <compiler angle=\"radian\" inertiafromgeom=\"false\" autolimits=\"true\"/>\n");
    let _ = writeln!(out, "  <option gravity=\"{}\"><flag contact=\"disable\"/></option>", vector(*gravity));
    out.push_str("  <worldbody>\n");
    let mut exporter = Exporter::new(model)?;
    for body in std::mem::take(&mut exporter.roots) {
        exporter.body(body, 2, &mut out)?;
    }
    out.push_str("  </worldbody>\n");
    if !exporter.actuators.is_empty() {
        let _ = writeln!(out, "  <actuator>\n{}  </actuator>", exporter.actuators);
    }
    out.push_str(&couplings(model));
    out.push_str("  <keyframe>\n");
    let Moved { position, velocity, control } = &exporter.moved;
    let (position, velocity) = (numbers(position), numbers(velocity));
    let control = if control.is_empty() { String::new() } else { format!(" ctrl=\"{}\"", numbers(control)) };
    let _ = writeln!(out, "    <key name=\"start\" qpos=\"{position}\" qvel=\"{velocity}\"{control}/>");
    out.push_str("  </keyframe>\n</mujoco>\n");
    Ok(out)
}

/// The axes that follow others.
fn couplings(model: &Model) -> String {
    let named = |joint: usize, axis: usize| format!("{}:{:?}", escaped(&model.joint_name[joint]), Axis::ALL[axis]);
    let (mut text, mut tendons) = (String::new(), String::new());
    for (joint, axes) in model.joint_follow.iter().enumerate() {
        for (axis, follow) in axes.iter().enumerate().filter_map(|(axis, follow)| Some((axis, follow.as_ref()?))) {
            let (own, leader) = (named(joint, axis), named(follow.joint.built_index(), follow.axis as usize));
            if follow.is_soft() {
                // A length at rest is not negative in MJCF: where it would be, the tendon is written the other way round.
                let way = if follow.offset < 0.0 { -1.0 } else { 1.0 };
                let _ = writeln!(
                    tendons,
                    "    <fixed stiffness=\"{:?}\" damping=\"{:?}\" springlength=\"{:?}\"><joint joint=\"{own}\" coef=\"{:?}\"/>\
                     <joint joint=\"{leader}\" coef=\"{:?}\"/></fixed>",
                    follow.stiffness,
                    follow.damping,
                    way * follow.offset,
                    way,
                    -way * follow.ratio
                );
                continue;
            }
            if follow.play != [0.0; 2] {
                let range = follow.play.map(|bound| (follow.offset + bound).clamp(-UNBOUNDED, UNBOUNDED));
                let _ = writeln!(
                    tendons,
                    "    <fixed range=\"{}\" limited=\"true\"><joint joint=\"{own}\" coef=\"1\"/>\
                     <joint joint=\"{leader}\" coef=\"{:?}\"/></fixed>",
                    numbers(&range),
                    -follow.ratio
                );
                continue;
            }
            let polynomial = numbers(&[follow.offset, follow.ratio]);
            let _ = writeln!(text, "    <joint joint1=\"{own}\" joint2=\"{leader}\" polycoef=\"{polynomial} 0 0 0\"/>");
        }
    }
    let section = |name: &str, text: String| match text.is_empty() {
        true => text,
        false => format!("  <{name}>\n{text}  </{name}>\n"),
    };
    section("tendon", tendons) + &section("equality", text)
}

/// A range has two bounds in MJCF: one this far away is none.
const UNBOUNDED: f64 = 1e10;

impl From<Untold> for MjcfError {
    fn from(Untold { entity, reason, remedy }: Untold) -> Self {
        refuse(entity, reason, remedy)
    }
}

fn refuse(entity: String, reason: &'static str, remedy: &'static str) -> MjcfError {
    MjcfError { entity, reason, remedy }
}

struct Exporter<'a> {
    model: &'a Model,
    state: State,
    /// The joint that places every body, if one does.
    placed_by: Vec<Option<TreeJoint>>,
    children: Vec<Vec<u32>>,
    roots: Vec<u32>,
    /// Elements of the actuators so far.
    actuators: String,
    /// Coordinates, rates and controls so far, in the order MuJoCo numbers them.
    moved: Moved,
}

impl<'a> Exporter<'a> {
    fn new(model: &'a Model) -> Result<Self, MjcfError> {
        let Hung { placed_by, children, roots } = Hung::new(model, |joint| range_of_ball(model, joint).is_some())?;
        Ok(Self {
            model,
            state: model.state(),
            placed_by,
            children,
            roots,
            actuators: String::new(),
            moved: Moved::default(),
        })
    }

    fn body(&mut self, body: u32, depth: usize, out: &mut String) -> Result<(), MjcfError> {
        let (model, index, pad) = (self.model, body as usize, "  ".repeat(depth));
        let pose = match self.placed_by[index] {
            Some(step) => joint::pose_at_zero(model, step.joint as usize),
            None => self.state.body_q[index],
        };
        self.check_body(index)?;
        let (name, place) = (escaped(&model.body_name[index]), place(&pose));
        let compensated = match 1.0 - model.body_gravity_scale[index] {
            0.0 => String::new(),
            share => format!(" gravcomp=\"{share:?}\""),
        };
        let _ = writeln!(out, "{pad}<body name=\"{name}\" {place}{compensated}>");
        self.inertial(index, &pad, out);
        for dof in dofs(model, &self.state, body, self.placed_by[index])? {
            let _ = writeln!(out, "{pad}  {}", dof.element);
            if let Some(actuator) = &dof.actuator {
                let _ = writeln!(self.actuators, "    {actuator}");
            }
            self.moved.extend(dof.moved);
        }
        self.geoms(body, &pad, out);
        for child in std::mem::take(&mut self.children[index]) {
            self.body(child, depth + 1, out)?;
        }
        let _ = writeln!(out, "{pad}</body>");
        Ok(())
    }

    /// Refuses bodies that would move otherwise in MuJoCo.
    fn check_body(&self, body: usize) -> Result<(), MjcfError> {
        let refuse = |reason, remedy| Err(refuse(format!("body `{}`", self.model.body_name[body]), reason, remedy));
        if self.model.body_kind[body] == BodyKind::Kinematic {
            return refuse("bodies moved by hand are not written", "make it dynamic or static");
        }
        if self.model.body_damping[body] != [0.0; 2] {
            return refuse("MJCF has no damping of a body", "give it none of its own");
        }
        if !self.model.body_drag[body].is_empty() {
            return refuse("the drag of a body is not written", "give it none");
        }
        Ok(())
    }

    fn inertial(&self, body: usize, pad: &str, out: &mut String) {
        let (mass, com) = (self.model.body_mass[body], self.model.body_com[body]);
        if mass == 0.0 && self.model.body_kind[body] != BodyKind::Dynamic {
            return;
        }
        // Written by principal axes, so that MuJoCo need not find them again with its own tolerance.
        let (moments, axes) = MassProperties { mass, com, inertia: self.model.body_inertia[body] }.principal_axes();
        let (com, axes, moments) = (vector(com), quaternion(axes), vector(moments));
        let _ = writeln!(
            out,
            "{pad}  <inertial pos=\"{com}\" quat=\"{axes}\" mass=\"{mass:?}\" diaginertia=\"{moments}\"/>"
        );
    }

    /// Shapes for the eye.
    fn geoms(&self, body: u32, pad: &str, out: &mut String) {
        let worn = (0..self.model.shape_count()).filter(|&shape| self.model.shape_body[shape] == body);
        for shape in worn {
            let (kind, size) = match &self.model.shape_geometry[shape] {
                Shape::Sphere { radius } => ("sphere", numbers(&[*radius])),
                Shape::Box { half } => ("box", vector(*half)),
                Shape::Capsule { radius, half_height } => ("capsule", numbers(&[*radius, *half_height])),
                Shape::Cylinder { radius, half_height } => ("cylinder", numbers(&[*radius, *half_height])),
                _ => continue,
            };
            let place = place(&self.model.shape_pose[shape]);
            let _ =
                writeln!(out, "{pad}  <geom type=\"{kind}\" size=\"{size}\" {place} contype=\"0\" conaffinity=\"0\"/>");
        }
    }
}

fn place(pose: &Pose) -> String {
    format!("pos=\"{}\" quat=\"{}\"", vector(pose.translation), quaternion(pose.rotation))
}
