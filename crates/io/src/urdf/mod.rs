//! Mechanisms as URDF: links with masses and collision shapes, joints with limits, dampers and friction.
//!
//! The first link is the world: read it back with a fixed base. The frame of a link has the axes of its body and its origin in the
//! joint, as the format demands. Every joint is written at coordinate zero. What URDF cannot say and would change the motion is
//! refused by name; what else is left out is a note.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use drystone_geometry::{DMat3, DVec3, Pose, Shape};
use drystone_kernels::elementary::{atan2, hypot};
use drystone_model::{Axis, AxisMode, BodyKind, JointKind, Model, WORLD};
use thiserror::Error;

use crate::hung::{Hung, Untold};
use crate::xml_text::{escaped, numbers, vector};

/// Why a model has no URDF.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{entity} cannot be written as URDF: {reason}; {remedy}")]
pub struct UrdfError {
    /// What stands in the way, by name.
    pub entity: String,
    /// Why.
    pub reason: &'static str,
    /// What would work.
    pub remedy: &'static str,
}

impl From<Untold> for UrdfError {
    fn from(Untold { entity, reason, remedy }: Untold) -> Self {
        Self { entity, reason, remedy }
    }
}

/// A model as URDF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Urdf {
    /// The file.
    pub text: String,
    /// What was left out, and does not change how the mechanism moves.
    pub notes: Vec<String>,
}

/// Writes the mechanism of a model as URDF, its name in the file as given.
///
/// ```
/// use drystone_io::import::{Base, ImportOptions, parse_urdf};
/// let model = drystone_scenes::make::<&str>("double-pendulum", &[])?.model;
/// let urdf = drystone_io::urdf::export_urdf(&model, "pendulum")?;
/// let options = ImportOptions { base: Some(Base::Fixed), ..ImportOptions::default() };
/// let back = parse_urdf(&urdf.text, "pendulum.urdf".as_ref(), &options)?.model;
/// assert_eq!(back.body_name, model.body_name);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export_urdf(model: &Model, name: &str) -> Result<Urdf, UrdfError> {
    if model.world_count() != 1 {
        return Err(refuse("the model", "it has several worlds", "export one world at a time"));
    }
    if model.particle_count() > 0 {
        return Err(refuse("the model", "it has particles", "export the bodies alone"));
    }
    let mut writer = Writer {
        model,
        hung: Hung::new(model, |_| false)?,
        world: world_name(model),
        out: String::new(),
        notes: vec![],
    };
    let _ = writeln!(writer.out, "<robot name=\"{}\">", escaped(name));
    writer.world_link()?;
    for body in std::mem::take(&mut writer.hung.roots) {
        writer.body(body)?;
    }
    writer.out.push_str("</robot>\n");
    Ok(Urdf { text: writer.out, notes: writer.notes })
}

fn refuse(entity: impl Into<String>, reason: &'static str, remedy: &'static str) -> UrdfError {
    UrdfError { entity: entity.into(), reason, remedy }
}

/// A name for the first link that no body has.
fn world_name(model: &Model) -> String {
    let mut name = "world".to_owned();
    while model.body_named(&name).is_some() {
        name.push('_');
    }
    name
}

struct Writer<'a> {
    model: &'a Model,
    hung: Hung,
    world: String,
    out: String,
    notes: Vec<String>,
}

impl Writer<'_> {
    /// The link that stands still, with the shapes of the world.
    fn world_link(&mut self) -> Result<(), UrdfError> {
        let _ = writeln!(self.out, "  <link name=\"{}\">", escaped(&self.world.clone()));
        self.collisions(WORLD, &Pose::IDENTITY)?;
        self.out.push_str("  </link>\n");
        Ok(())
    }

    /// A body as a link, the joint it hangs from, and what hangs from it.
    fn body(&mut self, body: u32) -> Result<(), UrdfError> {
        let (model, index) = (self.model, body as usize);
        let named = || format!("body `{}`", model.body_name[index]);
        if model.body_kind[index] == BodyKind::Kinematic {
            return Err(refuse(named(), "URDF has no bodies that are moved by hand", "make it dynamic or static"));
        }
        let moved = model.body_damping[index] != [0.0; 2] || !model.body_drag[index].is_empty();
        if moved || model.body_gravity_scale[index] != 1.0 {
            let reason = "URDF has neither damping nor drag nor gravity of a body";
            return Err(refuse(named(), reason, "give it none of its own"));
        }
        let frame = self.frame(body);
        let _ = writeln!(self.out, "  <link name=\"{}\">", escaped(&model.body_name[index]));
        self.inertial(index, &frame);
        self.collisions(body, &frame)?;
        self.out.push_str("  </link>\n");
        self.joint(body)?;
        for child in std::mem::take(&mut self.hung.children[index]) {
            self.body(child)?;
        }
        Ok(())
    }

    /// The frame of a link in that of its body: the origin where its joint is, the axes of the body.
    fn frame(&self, body: u32) -> Pose {
        let placed = self.hung.placed_by.get(body as usize).copied().flatten();
        let by = placed.filter(|step| self.model.joint_kind[step.joint as usize] != JointKind::Free);
        by.map_or(Pose::IDENTITY, |step| {
            Pose::from_translation(self.model.joint_frame_child[step.joint as usize].translation)
        })
    }

    fn inertial(&mut self, body: usize, frame: &Pose) {
        let (mass, com) = (self.model.body_mass[body], self.model.body_com[body] - frame.translation);
        if mass == 0.0 {
            return;
        }
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| self.model.body_inertia[body] * axis);
        let _ = writeln!(
            self.out,
            "    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{mass:?}\"/>\n      <inertia ixx=\"{:?}\" \
             iyy=\"{:?}\" izz=\"{:?}\" ixy=\"{:?}\" ixz=\"{:?}\" iyz=\"{:?}\"/>\n    </inertial>",
            vector(com),
            x.x,
            y.y,
            z.z,
            x.y,
            x.z,
            y.z
        );
    }

    fn collisions(&mut self, body: u32, frame: &Pose) -> Result<(), UrdfError> {
        let model = self.model;
        for shape in (0..model.shape_count()).filter(|&shape| model.shape_body[shape] == body) {
            let name = format!("shape `{}`", model.shape_name[shape]);
            let geometry = match &model.shape_geometry[shape] {
                _ if !model.is_solid(shape) => {
                    self.notes.push(format!("{name}: URDF has no sensors; it is left out"));
                    continue;
                }
                Shape::HalfSpace => {
                    self.notes.push(format!("{name}: URDF has no ground; it is left out"));
                    continue;
                }
                Shape::Sphere { radius } => format!("<sphere radius=\"{radius:?}\"/>"),
                Shape::Box { half } => format!("<box size=\"{}\"/>", vector(2.0 * *half)),
                Shape::Cylinder { radius, half_height } => {
                    format!("<cylinder radius=\"{radius:?}\" length=\"{:?}\"/>", 2.0 * half_height)
                }
                Shape::Capsule { radius, half_height } => {
                    format!("<capsule radius=\"{radius:?}\" length=\"{:?}\"/>", 2.0 * half_height)
                }
                _ => {
                    let remedy = "use spheres, boxes, cylinders and capsules";
                    return Err(refuse(name, "URDF has no such geometry but in files", remedy));
                }
            };
            let origin = origin(&(frame.inverse() * model.shape_pose[shape]));
            let _ = writeln!(
                self.out,
                "    <collision>\n      {origin}\n      <geometry>{geometry}</geometry>\n    </collision>"
            );
        }
        Ok(())
    }

    /// The joint that holds a link.
    fn joint(&mut self, body: u32) -> Result<(), UrdfError> {
        let (model, index) = (self.model, body as usize);
        let child = escaped(&model.body_name[index]);
        let step = self.hung.placed_by[index];
        let floats = step.is_none_or(|step| model.joint_kind[step.joint as usize] == JointKind::Free);
        if floats {
            let name = step.map_or_else(
                || format!("{}/free", model.body_name[index]),
                |step| model.joint_name[step.joint as usize].clone(),
            );
            let kind = if model.body_kind[index] == BodyKind::Static { "fixed" } else { "floating" };
            let (world, origin) = (escaped(&self.world), origin(&model.body_q[index]));
            self.element(&name, kind, &world, &child, &origin, "");
            return Ok(());
        }
        let Some(step) = step else { return Ok(()) };
        let joint = step.joint as usize;
        let (kind, inside) = kind(model, joint)?;
        let (parent, parent_frame) = match step.from {
            WORLD => (self.world.clone(), Pose::IDENTITY),
            from => (model.body_name[from as usize].clone(), self.frame(from)),
        };
        let turned = Pose::from_parts(DVec3::ZERO, model.joint_frame_child[joint].rotation);
        let at = parent_frame.inverse() * model.joint_frame_parent[joint] * turned.inverse();
        let start = model.joint_coordinates(&model.state(), joint);
        if start.iter().any(|coordinate| coordinate.abs() > 1e-12) {
            self.notes
                .push(format!("joint `{}` starts away from zero, which URDF cannot say", model.joint_name[joint]));
        }
        self.element(&model.joint_name[joint], kind, &escaped(&parent), &child, &origin(&at), &inside);
        Ok(())
    }

    fn element(&mut self, name: &str, kind: &str, parent: &str, child: &str, origin: &str, inside: &str) {
        let name = escaped(name);
        let _ = writeln!(
            self.out,
            "  <joint name=\"{name}\" type=\"{kind}\">\n    {origin}\n    <parent link=\"{parent}\"/>\n    \
             <child link=\"{child}\"/>{inside}\n  </joint>"
        );
    }
}

/// The type of a joint, and what else stands in its element.
fn kind(model: &Model, joint: usize) -> Result<(&'static str, String), UrdfError> {
    let refuse = |reason, remedy| Err(refuse(format!("joint `{}`", model.joint_name[joint]), reason, remedy));
    if model.joint_kind[joint].only_measures() || model.joint_kind[joint] == JointKind::Rod {
        return refuse("URDF has no joint of its kind", "leave it out");
    }
    if model.joint_stiffness[joint].iter().any(|stiffness| stiffness.is_finite()) {
        return refuse("its locked axes are springs", "make it hard");
    }
    if model.joint_break[joint].iter().any(|load| load.is_finite()) || !model.joint_enabled[joint] {
        return refuse("URDF has no joints that break or are switched off", "make it one that holds");
    }
    let free: Vec<usize> = (0..6).filter(|&axis| model.joint_axis[joint][axis] == AxisMode::Free).collect();
    let turn = |axis: DVec3| vector(model.joint_frame_child[joint].rotation * axis);
    match free[..] {
        [] => Ok(("fixed", String::new())),
        [axis] => single(model, joint, axis, &turn(DVec3::AXES[axis % 3])),
        [1, 2, 3] if free.iter().all(|&axis| is_bare(model, joint, axis)) => {
            Ok(("planar", format!("\n    <axis xyz=\"{}\"/>", turn(DVec3::X))))
        }
        [1, 2, 3] => refuse("URDF's planes have neither limits nor drives, rotors or friction", "give it none"),
        _ => refuse("URDF has hinges, sliders and planes only", "put hinges and sliders in a row with bodies between"),
    }
}

/// Whether an axis moves without anything acting on it.
fn is_bare(model: &Model, joint: usize, axis: usize) -> bool {
    let (drive, limit) = (&model.joint_drive[joint][axis], &model.joint_limit[joint][axis]);
    let unlimited = limit.lower == f64::NEG_INFINITY && limit.upper == f64::INFINITY;
    let acting = model.joint_friction[joint][axis] + model.joint_armature[joint][axis];
    unlimited
        && acting == 0.0
        && model.joint_follow[joint][axis].is_none()
        && model.joint_max_rate[joint][axis].is_infinite()
        && !drive.acts()
        && !model.joint_spring[joint][axis].acts()
}

/// A hinge or a slider.
fn single(model: &Model, joint: usize, axis: usize, direction: &str) -> Result<(&'static str, String), UrdfError> {
    let refuse = |reason, remedy| Err(refuse(format!("joint `{}`", model.joint_name[joint]), reason, remedy));
    let (drive, limit) = (&model.joint_drive[joint][axis], &model.joint_limit[joint][axis]);
    let spring = &model.joint_spring[joint][axis];
    let mut mimic = String::new();
    if drive.acts() || spring.stiffness != 0.0 {
        let remedy = "use a damper (a `Spring` without stiffness), and drive it from the program";
        return refuse("URDF has no springs and motors in a joint", remedy);
    }
    if let Some(follow) = &model.joint_follow[joint][axis] {
        if follow.play != [0.0; 2] || follow.is_soft() {
            return refuse("URDF's joints follow others exactly", "give it neither play nor a stiffness");
        }
        let leader = follow.joint.built_index();
        let single = model.joint_axis[leader].iter().filter(|mode| **mode == AxisMode::Free).count() == 1;
        if !single {
            return refuse("URDF's joints follow hinges and sliders only", "let it follow one, or move by itself");
        }
        mimic = format!(
            "\n    <mimic joint=\"{}\" multiplier=\"{:?}\" offset=\"{:?}\"/>",
            escaped(&model.joint_name[leader]),
            follow.ratio,
            follow.offset
        );
    }
    if model.joint_armature[joint][axis] != 0.0 {
        return refuse("URDF has no rotor inertia", "add it to the inertia of a link");
    }
    let mut inside = format!("\n    <axis xyz=\"{direction}\"/>");
    let hinge = axis >= Axis::AngX as usize;
    let kind = match [limit.lower.is_finite(), limit.upper.is_finite()] {
        [true, true] if limit.stiffness.is_finite() => return refuse("its limits are springs", "make them hard"),
        [true, true] => {
            let effort = if drive.max_effort.is_finite() { drive.max_effort } else { 0.0 };
            let (lower, upper) = (limit.lower, limit.upper);
            let rate =
                if model.joint_max_rate[joint][axis].is_finite() { model.joint_max_rate[joint][axis] } else { 0.0 };
            let _ = write!(
                inside,
                "\n    <limit lower=\"{lower:?}\" upper=\"{upper:?}\" effort=\"{effort:?}\" velocity=\"{rate:?}\"/>"
            );
            if hinge { "revolute" } else { "prismatic" }
        }
        _ if model.joint_max_rate[joint][axis].is_finite() => {
            return refuse("URDF has a largest rate only beside both limits", "give it limits, or take out `max_rate`");
        }
        [false, false] if hinge => "continuous",
        [false, false] => return refuse("URDF's sliders have limits", "give it both"),
        _ => return refuse("URDF has no limit on one side", "give it both, or none"),
    };
    let (damping, friction) = (spring.damping, model.joint_friction[joint][axis]);
    if damping != 0.0 || friction != 0.0 {
        let _ = write!(inside, "\n    <dynamics damping=\"{damping:?}\" friction=\"{friction:?}\"/>");
    }
    inside.push_str(&mimic);
    Ok((kind, inside))
}

/// A pose as an `origin`.
fn origin(pose: &Pose) -> String {
    let m = DMat3::from_quat(pose.rotation);
    let level = hypot(m.x_axis.x, m.x_axis.y);
    let pitch = atan2(-m.x_axis.z, level);
    // Straight up or down, roll and yaw turn about one axis: all of it is called roll.
    let (roll, yaw) = if level > 1e-9 {
        (atan2(m.y_axis.z, m.z_axis.z), atan2(m.x_axis.y, m.x_axis.x))
    } else {
        (atan2(-m.z_axis.y, m.y_axis.y), 0.0)
    };
    format!("<origin xyz=\"{}\" rpy=\"{}\"/>", vector(pose.translation), numbers(&[roll, pitch, yaw]))
}
