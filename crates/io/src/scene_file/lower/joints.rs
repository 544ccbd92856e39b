//! Joints: which way the frames are given, and what every axis does.

use std::collections::BTreeMap;

use drystone_geometry::{DVec3, Pose};
use drystone_model::{
    Axis, AxisMode, BodyId, Drive, Follow, JointDef, JointFrames, JointId, JointKind, Limit, Model, RodStiffness,
    Spring,
};

use super::super::json5::Step;
use super::super::spec::{AxisName, AxisSpec, FollowSpec, JointKindSpec, JointSpec, RodStiffnessSpec};
use super::shapes::below;
use super::{Lowering, Path};

impl Lowering<'_> {
    pub fn add_joints(&mut self) {
        let spec = self.spec;
        for (k, joint) in spec.joints.iter().enumerate() {
            let path = vec![Step::Key("joints"), Step::Index(k)];
            if let Some(def) = self.joint(joint, &path) {
                self.joint_drives.insert(self.origins.joint.len(), def.drive);
                self.builder.add_joint(def);
                self.origins.joint.push(path);
            }
        }
        self.couple_joints();
    }

    /// Lets axes follow others, once all joints are there to be named.
    fn couple_joints(&mut self) {
        let spec = self.spec;
        for index in 0..self.origins.joint.len() {
            let path = self.origins.joint[index].clone();
            let [Step::Key("joints"), Step::Index(k)] = path[..] else { continue };
            let joint = &spec.joints[k];
            for (&name, of_axis) in &joint.axes {
                if let Some(follow) = &of_axis.follow {
                    let path = below(&below(&path, Step::Key("axes")), Step::Key(name.key()));
                    self.couple(index, Some(axis(name)), follow, &below(&path, Step::Key("follow")));
                }
            }
            if let Some(follow) = &joint.follow {
                self.couple(index, None, follow, &below(&path, Step::Key("follow")));
            }
        }
    }

    /// Lets one axis follow; without one, the only free axis.
    fn couple(&mut self, index: usize, own: Option<Axis>, follow: &FollowSpec, path: &Path) {
        let Some(leader) = self.joint_at(&follow.joint, &below(path, Step::Key("joint"))) else { return };
        let only = |lowering: &Self, joint: usize| {
            let def = lowering.builder.joint_def(JointId(joint as u32))?;
            let mut free = Axis::ALL.into_iter().filter(|&axis| def.axis[axis as usize] == AxisMode::Free);
            free.next().filter(|_| free.next().is_none())
        };
        let Some(along) = follow.axis.map(axis).or_else(|| only(self, leader)) else {
            let message = format!("joint `{}` has more than one free axis", follow.joint);
            return self.fault(path, message, "say which it follows by `axis`");
        };
        let Some(own) = own.or_else(|| only(self, index)) else { return };
        let (ratio, offset) = (follow.ratio.unwrap_or(1.0), follow.offset.unwrap_or(0.0));
        let [below, above] = follow.play.unwrap_or([Some(0.0); 2]);
        let play = [below.unwrap_or(f64::NEG_INFINITY), above.unwrap_or(f64::INFINITY)];
        let (stiffness, damping) = (follow.stiffness.unwrap_or(f64::INFINITY), follow.damping.unwrap_or(0.0));
        let follow = Follow { joint: JointId(leader as u32), axis: along, ratio, offset, play, stiffness, damping };
        self.builder.change_joint(JointId(index as u32), |def| def.follow[own as usize] = Some(follow));
    }

    fn joint(&mut self, spec: &JointSpec, path: &Path) -> Option<JointDef> {
        let parent = match spec.parent.as_deref() {
            None => Some(BodyId::WORLD),
            Some("world") if !self.body_named.contains_key("world") => Some(BodyId::WORLD),
            Some(name) => self.body_at(name, &below(path, Step::Key("parent"))),
        };
        let child = self.body_at(&spec.child, &below(path, Step::Key("child")));
        // Also a joint without its bodies or its place is looked at to the end, for what else is wrong with it.
        let (known, world) = (parent.zip(child), BodyId::WORLD);
        let (parent, child) = known.unwrap_or((world, world));
        let placed = self.placed(spec, parent, child, path);
        let sound = known.is_some() && placed.is_some();
        let mut def = placed.unwrap_or_else(|| JointDef::new(kind(spec.kind), parent, child));
        def.name = spec.name.clone().unwrap_or_default();
        if let Some(free) = &spec.free {
            def.axis = [AxisMode::Locked; 6];
            free.iter().for_each(|&name| def.axis[axis(name) as usize] = AxisMode::Free);
        }
        self.set_axes(spec, &mut def, path);
        def.stiffness = [spec.stiffness_linear, spec.stiffness_angular].map(|value| value.unwrap_or(f64::INFINITY));
        def.damping = [spec.damping_linear, spec.damping_angular].map(Option::unwrap_or_default);
        def.break_at = [spec.break_force, spec.break_torque].map(|value| value.unwrap_or(f64::INFINITY));
        def.distance = [spec.distance_min.unwrap_or(0.0), spec.distance_max.unwrap_or(f64::INFINITY)];
        def.rod = spec.rod.as_ref().map(rod_stiffness);
        def.enabled = spec.enabled.unwrap_or(def.enabled);
        def.collide = spec.collide.unwrap_or(def.collide);
        def.coordinates = by_axis(&spec.coordinates);
        def.rates = by_axis(&spec.rates);
        sound.then_some(def)
    }

    /// A joint of the kind with its frames, by whichever of the ways the file gives them.
    fn placed(&mut self, spec: &JointSpec, parent: BodyId, child: BodyId, path: &Path) -> Option<JointDef> {
        let kind = kind(spec.kind);
        let plain = JointDef::new(kind, parent, child);
        let local = spec.frame_parent.is_some() || spec.frame_child.is_some();
        let points = spec.anchor_parent.is_some() || spec.anchor_child.is_some();
        let anchored = spec.anchor.is_some() || spec.axis.is_some() || spec.axis_child.is_some();
        let ways = [local, points, spec.frame.is_some(), anchored];
        if ways.into_iter().filter(|&way| way).count() > 1 {
            let help = "keep one of: anchor (with axis), frame, anchor_parent with anchor_child, \
                        frame_parent with frame_child";
            self.fault(path, "the joint is placed in more than one way", help);
            return None;
        }
        if local {
            let [parent, child] = [spec.frame_parent, spec.frame_child].map(|frame| frame.unwrap_or_default().pose());
            return Some(plain.frames(parent, child));
        }
        if let Some(frame) = spec.frame {
            return Some(plain.at(JointFrames::Common(frame.pose())));
        }
        if points {
            let (Some(a), Some(b)) = (spec.anchor_parent, spec.anchor_child) else {
                self.fault(path, "one of the two anchors is missing", "give `anchor_parent` and `anchor_child`");
                return None;
            };
            return Some(plain.at(JointFrames::Points(DVec3::from_array(a), DVec3::from_array(b))));
        }
        self.anchored(spec, plain, path)
    }

    /// A joint placed by an anchor and, where the kind has one, an axis.
    fn anchored(&mut self, spec: &JointSpec, plain: JointDef, path: &Path) -> Option<JointDef> {
        let (parent, child, kind) = (plain.parent, plain.child, plain.kind);
        let Some(anchor) = spec.anchor.map(DVec3::from_array) else {
            if matches!(kind, JointKind::Free) && spec.axis.is_none() {
                return Some(plain);
            }
            self.fault(path, "the joint has no place", needs(kind));
            return None;
        };
        let has_axis =
            !matches!(kind, JointKind::Fixed | JointKind::Ball | JointKind::D6 | JointKind::Free | JointKind::Cone);
        if !has_axis {
            if spec.axis.is_some() {
                let message = "a joint of this kind has no axis";
                self.fault(&below(path, Step::Key("axis")), message, "remove it, or use `frame` to turn the joint");
                return None;
            }
            return Some(plain.at(JointFrames::Common(Pose::from_translation(anchor))));
        }
        let Some(axis) = spec.axis.map(DVec3::from_array).filter(|_| kind != JointKind::Distance) else {
            self.fault(path, "the joint lacks what it turns, slides or acts along", needs(kind));
            return None;
        };
        Some(match kind {
            JointKind::Revolute => JointDef::revolute(parent, child, anchor, axis),
            JointKind::Prismatic => JointDef::prismatic(parent, child, anchor, axis),
            JointKind::Cylindrical => JointDef::cylindrical(parent, child, anchor, axis),
            JointKind::Planar => JointDef::planar(parent, child, anchor, axis),
            JointKind::Universal => {
                let Some(second) = spec.axis_child.map(DVec3::from_array) else {
                    self.fault(path, "the second axis of the joint is missing", needs(kind));
                    return None;
                };
                JointDef::universal(parent, child, anchor, axis, second)
            }
            _ => {
                let stiffness = RodStiffness {
                    stretch: f64::INFINITY,
                    shear: f64::INFINITY,
                    bend: 0.0,
                    twist: 0.0,
                    damping_linear: 0.0,
                    damping_angular: 0.0,
                };
                JointDef::rod(parent, child, anchor, axis, stiffness)
            }
        })
    }

    /// Limits, drives, springs, friction and armature: of named axes, or of the only free one.
    fn set_axes(&mut self, spec: &JointSpec, def: &mut JointDef, path: &Path) {
        for (&name, axis_spec) in &spec.axes {
            let k = axis(name) as usize;
            set_axis(def, k, axis_spec);
        }
        let given = [
            ("limit", spec.limit.is_some()),
            ("drive", spec.drive.is_some()),
            ("spring", spec.spring.is_some()),
            ("follow", spec.follow.is_some()),
            ("friction", spec.friction.is_some()),
            ("armature", spec.armature.is_some()),
            ("max_rate", spec.max_rate.is_some()),
        ];
        let Some((key, _)) = given.into_iter().find(|(_, given)| *given) else { return };
        let free: Vec<usize> = (0..6).filter(|&k| def.axis[k] == AxisMode::Free).collect();
        let &[only] = free.as_slice() else {
            let message = format!("`{key}` does not say which of the {} free axes it is for", free.len());
            let help = format!("write axes: {{ ang_x: {{ {key}: … }} }}, with the axis you mean");
            return self.fault(&below(path, Step::Key(key)), message, help);
        };
        let &JointSpec { limit, drive, spring, friction, armature, max_rate, .. } = spec;
        set_axis(def, only, &AxisSpec { limit, drive, spring, follow: None, friction, armature, max_rate });
    }

    /// Angles beyond half a turn, which poses alone do not tell.
    pub fn patch_joint_angles(&self, model: &mut Model) {
        for (joint, path) in self.origins.joint.iter().enumerate() {
            if let [Step::Key("joints"), Step::Index(k)] = path[..]
                && let Some(angles) = self.spec.joints[k].angles
            {
                model.joint_angle[joint] = angles;
            }
        }
    }
}

/// Six numbers from those given by name, or `None` if none is.
fn by_axis(given: &BTreeMap<AxisName, f64>) -> Option<[f64; 6]> {
    let mut values = [0.0; 6];
    given.iter().for_each(|(&name, &value)| values[axis(name) as usize] = value);
    (!given.is_empty()).then_some(values)
}

fn set_axis(def: &mut JointDef, k: usize, spec: &AxisSpec) {
    if let Some(limit) = spec.limit {
        let base = Limit::default();
        def.limit[k] = Limit {
            lower: limit.lower.unwrap_or(base.lower),
            upper: limit.upper.unwrap_or(base.upper),
            stiffness: limit.stiffness.unwrap_or(base.stiffness),
            damping: limit.damping.unwrap_or(base.damping),
        };
    }
    if let Some(drive) = spec.drive {
        let base = Drive::default();
        def.drive[k] = Drive {
            target: drive.target.unwrap_or(base.target),
            target_velocity: drive.target_velocity.unwrap_or(base.target_velocity),
            stiffness: drive.stiffness.unwrap_or(base.stiffness),
            damping: drive.damping.unwrap_or(base.damping),
            max_effort: drive.max_effort.unwrap_or(base.max_effort),
        };
    }
    if let Some(spring) = spec.spring {
        let number = |given: Option<f64>| given.unwrap_or(0.0);
        let (rest, stiffness, damping) = (number(spring.rest), number(spring.stiffness), number(spring.damping));
        def.spring[k] = Spring { rest, stiffness, damping };
    }
    def.friction[k] = spec.friction.unwrap_or(def.friction[k]);
    def.armature[k] = spec.armature.unwrap_or(def.armature[k]);
    def.max_rate[k] = spec.max_rate.unwrap_or(def.max_rate[k]);
}

fn rod_stiffness(spec: &RodStiffnessSpec) -> RodStiffness {
    RodStiffness {
        stretch: spec.stretch.unwrap_or(f64::INFINITY),
        shear: spec.shear.unwrap_or(f64::INFINITY),
        bend: spec.bend,
        twist: spec.twist,
        damping_linear: spec.damping_linear.unwrap_or(0.0),
        damping_angular: spec.damping_angular.unwrap_or(0.0),
    }
}

/// What a joint of this kind is placed by.
fn needs(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Fixed | JointKind::Ball | JointKind::D6 | JointKind::Free | JointKind::Cone => {
            "give `anchor: [x, y, z]`, or `frame`"
        }
        JointKind::Universal => "give `anchor`, `axis` and `axis_child`, or `frame`",
        JointKind::Distance => "give `anchor_parent` and `anchor_child`",
        _ => "give `anchor: [x, y, z]` and `axis: [x, y, z]`, or `frame`",
    }
}

fn kind(kind: JointKindSpec) -> JointKind {
    match kind {
        JointKindSpec::Fixed => JointKind::Fixed,
        JointKindSpec::Ball => JointKind::Ball,
        JointKindSpec::Revolute => JointKind::Revolute,
        JointKindSpec::Prismatic => JointKind::Prismatic,
        JointKindSpec::Cylindrical => JointKind::Cylindrical,
        JointKindSpec::Planar => JointKind::Planar,
        JointKindSpec::Universal => JointKind::Universal,
        JointKindSpec::Distance => JointKind::Distance,
        JointKindSpec::D6 => JointKind::D6,
        JointKindSpec::Rod => JointKind::Rod,
        JointKindSpec::Free => JointKind::Free,
        JointKindSpec::Cone => JointKind::Cone,
    }
}

/// The axis of a name.
pub fn axis(name: AxisName) -> Axis {
    match name {
        AxisName::LinX => Axis::LinX,
        AxisName::LinY => Axis::LinY,
        AxisName::LinZ => Axis::LinZ,
        AxisName::AngX => Axis::AngX,
        AxisName::AngY => Axis::AngY,
        AxisName::AngZ => Axis::AngZ,
    }
}
