//! What a body hangs on: a joint that holds it to the world at a point away from its shapes is drawn as an arm to a pin.

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose, Shape, Tessellation};
use drystone::model::{AxisMode, JointKind, Model, WORLD};

use super::{Part, ShadedMesh, Visual, bounding_ball, palette};

/// Thickness of an arm and of its pin, relative to its length.
const ARM: f64 = 0.012;
const PIN: f64 = 0.035;
/// An anchor farther from the middle of a shape than this many times the radius around it lies away from it.
const AWAY: f64 = 1.5;
/// Segments of a full circle: arms are thin.
const SEGMENTS: usize = 16;

/// A joint to the world with its anchor away from the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The body it holds.
    pub body: u32,
    /// Where, world frame \[m\].
    pub place: DVec3,
    /// The same in the frame of the body, while the joint is closed \[m\].
    pub local: DVec3,
    /// Centre of mass of the body, in its frame \[m\].
    pub com: DVec3,
}

impl Anchor {
    /// Length of the arm \[m\].
    fn length(&self) -> f64 {
        (self.com - self.local).length()
    }

    /// A ball around the pin, for cameras: centre and radius \[m\].
    pub fn ball(&self) -> (DVec3, f64) {
        (self.place, PIN * self.length())
    }
}

/// Anchors of all joints that hold a point of a body in the world, away from its shapes, and do so in every frame.
pub fn anchors(recording: &Recording) -> Vec<Anchor> {
    let model = &recording.model;
    let mut broken = vec![false; model.joint_count()];
    for intact in recording.joint_intact.chunks(model.joint_count().max(1)) {
        broken.iter_mut().zip(intact).for_each(|(broken, intact)| *broken |= !intact);
    }
    let held = (0..model.joint_count()).filter(|&joint| !broken[joint] && holds_point(model, joint));
    held.filter_map(|joint| anchor(model, joint)).collect()
}

fn holds_point(model: &Model, joint: usize) -> bool {
    let point = model.joint_axis[joint][..3].iter().all(|&axis| axis == AxisMode::Locked);
    let other = matches!(model.joint_kind[joint], JointKind::Free | JointKind::Distance | JointKind::Rod);
    point && !other && model.joint_enabled[joint]
}

fn anchor(model: &Model, joint: usize) -> Option<Anchor> {
    let ends = [
        (model.joint_parent[joint], model.joint_frame_parent[joint]),
        (model.joint_child[joint], model.joint_frame_child[joint]),
    ];
    let ((_, world), (body, frame)) = match ends.map(|(body, _)| body == WORLD) {
        [true, false] => (ends[0], ends[1]),
        [false, true] => (ends[1], ends[0]),
        _ => return None,
    };
    let local = frame.translation;
    let mut shapes = (0..model.shape_count()).filter(|&shape| model.shape_body[shape] == body && model.is_solid(shape));
    let away = |shape: usize| {
        let (centre, radius) = bounding_ball(model, shape);
        (local - centre).length() > AWAY * radius
    };
    let first = away(shapes.next()?);
    let com = model.body_com[body as usize];
    (first && shapes.all(away)).then_some(Anchor { body, place: world.translation, local, com })
}

impl Visual {
    /// Adds an arm and a pin for every anchor. They come after the parts of the shapes.
    pub(crate) fn add_anchors(&mut self, anchors: &[Anchor]) {
        let detail = Tessellation { segments: SEGMENTS, ..Tessellation::default() };
        for anchor in anchors {
            let (along, length) = (anchor.com - anchor.local, anchor.length());
            let arm = Shape::Capsule { radius: ARM * length, half_height: 0.5 * length };
            let turn = DQuat::from_rotation_arc(DVec3::Z, along / length);
            let pose = Pose::from_parts(anchor.local + 0.5 * along, turn);
            let pin = Shape::Sphere { radius: PIN * length };
            for (shape, body, pose) in [(arm, anchor.body, pose), (pin, WORLD, Pose::from_translation(anchor.place))] {
                self.meshes.push(ShadedMesh::new(&shape.to_mesh(&detail)));
                let mesh = self.meshes.len() - 1;
                self.parts.push(Part { mesh, body, pose, color: palette::STATIC, ground: false });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use drystone::model::{BodyDef, BodyId, JointDef, ModelBuilder};

    use super::*;

    fn recorded(scene: &ModelBuilder) -> Recording {
        let model = scene.finalize().unwrap();
        let mut recording = Recording::new(&model);
        recording.push(&model.state(), &vec![0.0; model.joint_count()]);
        recording
    }

    /// A bob on a hinge a metre above it, turned; a bar hinged at its end; a sled that only keeps its height.
    fn scene() -> ModelBuilder {
        let mut scene = ModelBuilder::new();
        let turn = DQuat::from_rotation_x(0.4);
        let bob = BodyDef::dynamic("bob").at(DVec3::new(0.0, 0.0, -1.0)).rotated(turn).sphere(0.1);
        let bob = scene.add_body(bob);
        scene.add_joint(JointDef::revolute(BodyId::WORLD, bob, DVec3::ZERO, DVec3::Y));
        let bar = scene.add_body(BodyDef::dynamic("bar").at(DVec3::X * 5.5).cuboid(DVec3::new(0.5, 0.05, 0.05)));
        scene.add_joint(JointDef::revolute(BodyId::WORLD, bar, DVec3::X * 5.0, DVec3::Y));
        let sled = scene.add_body(BodyDef::dynamic("sled").at(DVec3::X * 9.0).sphere(0.1));
        scene.add_joint(JointDef::planar(BodyId::WORLD, sled, DVec3::Z * 3.0, DVec3::Z));
        scene
    }

    #[test]
    fn an_arm_leads_from_the_pin_to_the_body() {
        let recording = recorded(&scene());
        let found = anchors(&recording);
        assert_eq!(found.iter().map(|anchor| (anchor.body, anchor.place)).collect::<Vec<_>>(), [(0, DVec3::ZERO)]);
        let mut visual = Visual::new(&recording, 1.0);
        let shapes = visual.parts.len();
        visual.add_anchors(&found);
        let [arm, pin] = &visual.parts[shapes..] else { panic!("an arm and a pin") };
        let pose = arm.world_pose(recording.poses(0));
        for (end, expected) in [(-0.5, DVec3::ZERO), (0.5, DVec3::NEG_Z)] {
            assert!((pose * (DVec3::Z * end) - expected).length() < 1e-12);
        }
        assert_eq!(pin.world_pose(recording.poses(0)).translation, DVec3::ZERO);
    }

    #[test]
    fn a_joint_that_breaks_or_is_off_has_no_arm() {
        let mut recording = recorded(&scene());
        recording.joint_intact[0] = false;
        assert_eq!(anchors(&recording), []);
        let mut recording = recorded(&scene());
        recording.model.joint_enabled[0] = false;
        assert_eq!(anchors(&recording), []);
    }
}
