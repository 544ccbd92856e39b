//! Joints and who ignores whom.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;

use drystone_model::{Axis, AxisMode, Drive, JointDef, JointKind, Limit, RodStiffness, Spring, WORLD};

use super::super::spec::{
    AxisName, AxisSpec, AxisSpringSpec, DriveSpec, FilterSpec, FollowSpec, FrameSpec, JointKindSpec, JointSpec,
    LimitSpec, RodStiffnessSpec, SceneSpec,
};
use super::{Exporter, own_attributes, same, unless};

impl Exporter<'_> {
    pub fn add_joints(&self, spec: &mut SceneSpec) {
        let model = self.model;
        let filtered: BTreeSet<(u32, u32)> = model.shape_filter.iter().copied().collect();
        let mut implied = BTreeSet::new();
        for joint in 0..model.joint_count() {
            let pairs = self.pairs(joint);
            let apart = pairs.iter().all(|pair| filtered.contains(pair));
            spec.joints.push(self.joint(joint, !apart));
            if apart {
                implied.extend(pairs);
            }
        }
        let name = |shape: u32| model.shape_name[shape as usize].clone();
        let explicit = filtered.iter().filter(|pair| !implied.contains(*pair));
        spec.filters = explicit.map(|&(a, b)| FilterSpec::Shapes([name(a), name(b)])).collect();
    }

    /// The shape pairs that a joint keeps apart unless it lets its bodies collide.
    fn pairs(&self, joint: usize) -> Vec<(u32, u32)> {
        let worn = |body: u32| self.worn.get(body as usize).map_or(&[][..], Vec::as_slice);
        let (parent, child) = (self.model.joint_parent[joint], self.model.joint_child[joint]);
        worn(parent).iter().flat_map(|&a| worn(child).iter().map(move |&b| (a.min(b), a.max(b)))).collect()
    }

    fn joint(&self, joint: usize, collide: bool) -> JointSpec {
        let model = self.model;
        let (kind, parent) = (model.joint_kind[joint], model.joint_parent[joint]);
        let standard = JointDef::new(kind, WORLD, 0);
        let hard = |value: f64| unless(value, f64::INFINITY);
        let angles = model.joint_angle[joint];
        JointSpec {
            name: Some(model.joint_name[joint].clone()),
            kind: kind_spec(kind),
            parent: model.body_name.get(parent as usize).cloned(),
            child: model.body_name[model.joint_child[joint] as usize].clone(),
            anchor: None,
            axis: None,
            axis_child: None,
            frame: None,
            anchor_parent: None,
            anchor_child: None,
            frame_parent: Some(FrameSpec::from_pose(&model.joint_frame_parent[joint])),
            frame_child: Some(FrameSpec::from_pose(&model.joint_frame_child[joint])),
            free: (model.joint_axis[joint] != standard.axis).then(|| free_axes(&model.joint_axis[joint])),
            axes: self.axes(joint),
            limit: None,
            drive: None,
            spring: None,
            follow: None,
            friction: None,
            armature: None,
            max_rate: None,
            stiffness_linear: hard(model.joint_stiffness[joint][0]),
            stiffness_angular: hard(model.joint_stiffness[joint][1]),
            damping_linear: unless(model.joint_damping[joint][0], 0.0),
            damping_angular: unless(model.joint_damping[joint][1], 0.0),
            break_force: hard(model.joint_break[joint][0]),
            break_torque: hard(model.joint_break[joint][1]),
            distance_min: unless(model.joint_distance[joint][0], 0.0),
            distance_max: hard(model.joint_distance[joint][1]),
            rod: model.joint_rod[joint].as_ref().map(rod_spec),
            enabled: (!model.joint_enabled[joint]).then_some(false),
            collide: (collide != standard.collide).then_some(collide),
            coordinates: BTreeMap::new(),
            rates: BTreeMap::new(),
            angles: angles.iter().any(|angle| angle.abs() > PI).then_some(angles),
            attributes: own_attributes(&model.attributes.joint, joint),
        }
    }

    fn axes(&self, joint: usize) -> BTreeMap<AxisName, AxisSpec> {
        let model = self.model;
        let spec = |k: usize| AxisSpec {
            limit: limit_spec(&model.joint_limit[joint][k]),
            drive: drive_spec(&model.joint_drive[joint][k]),
            spring: spring_spec(&model.joint_spring[joint][k]),
            follow: model.joint_follow[joint][k].as_ref().map(|follow| FollowSpec {
                joint: model.joint_name[follow.joint.built_index()].clone(),
                axis: Some(axis_name(follow.axis)),
                ratio: unless(follow.ratio, 1.0),
                offset: unless(follow.offset, 0.0),
                play: (follow.play != [0.0; 2]).then(|| follow.play.map(|bound| bound.is_finite().then_some(bound))),
                stiffness: unless(follow.stiffness, f64::INFINITY),
                damping: unless(follow.damping, 0.0),
            }),
            friction: unless(model.joint_friction[joint][k], 0.0),
            armature: unless(model.joint_armature[joint][k], 0.0),
            max_rate: unless(model.joint_max_rate[joint][k], f64::INFINITY),
        };
        let all = Axis::ALL.into_iter().map(|axis| (axis_name(axis), spec(axis as usize)));
        all.filter(|(_, spec)| *spec != AxisSpec::default()).collect()
    }
}

fn limit_spec(limit: &Limit) -> Option<LimitSpec> {
    let base = Limit::default();
    let spec = LimitSpec {
        lower: unless(limit.lower, base.lower),
        upper: unless(limit.upper, base.upper),
        stiffness: unless(limit.stiffness, base.stiffness),
        damping: unless(limit.damping, base.damping),
    };
    (spec != LimitSpec::default()).then_some(spec)
}

fn drive_spec(drive: &Drive) -> Option<DriveSpec> {
    let base = Drive::default();
    let spec = DriveSpec {
        target: unless(drive.target, base.target),
        target_velocity: unless(drive.target_velocity, base.target_velocity),
        stiffness: unless(drive.stiffness, base.stiffness),
        damping: unless(drive.damping, base.damping),
        max_effort: unless(drive.max_effort, base.max_effort),
    };
    (spec != DriveSpec::default()).then_some(spec)
}

fn spring_spec(spring: &Spring) -> Option<AxisSpringSpec> {
    let spec = AxisSpringSpec {
        rest: unless(spring.rest, 0.0),
        stiffness: unless(spring.stiffness, 0.0),
        damping: unless(spring.damping, 0.0),
    };
    (spec != AxisSpringSpec::default()).then_some(spec)
}

fn rod_spec(rod: &RodStiffness) -> RodStiffnessSpec {
    RodStiffnessSpec {
        stretch: unless(rod.stretch, f64::INFINITY),
        shear: unless(rod.shear, f64::INFINITY),
        bend: rod.bend,
        twist: rod.twist,
        damping_linear: (!same(rod.damping_linear, 0.0)).then_some(rod.damping_linear),
        damping_angular: (!same(rod.damping_angular, 0.0)).then_some(rod.damping_angular),
    }
}

fn free_axes(modes: &[AxisMode; 6]) -> Vec<AxisName> {
    Axis::ALL.into_iter().filter(|&axis| modes[axis as usize] == AxisMode::Free).map(axis_name).collect()
}

fn axis_name(axis: Axis) -> AxisName {
    match axis {
        Axis::LinX => AxisName::LinX,
        Axis::LinY => AxisName::LinY,
        Axis::LinZ => AxisName::LinZ,
        Axis::AngX => AxisName::AngX,
        Axis::AngY => AxisName::AngY,
        Axis::AngZ => AxisName::AngZ,
    }
}

fn kind_spec(kind: JointKind) -> JointKindSpec {
    match kind {
        JointKind::Fixed => JointKindSpec::Fixed,
        JointKind::Ball => JointKindSpec::Ball,
        JointKind::Revolute => JointKindSpec::Revolute,
        JointKind::Prismatic => JointKindSpec::Prismatic,
        JointKind::Cylindrical => JointKindSpec::Cylindrical,
        JointKind::Planar => JointKindSpec::Planar,
        JointKind::Universal => JointKindSpec::Universal,
        JointKind::Distance => JointKindSpec::Distance,
        JointKind::D6 => JointKindSpec::D6,
        JointKind::Rod => JointKindSpec::Rod,
        JointKind::Cone => JointKindSpec::Cone,
        JointKind::Free => JointKindSpec::Free,
    }
}
