//! Which bodies follow each other in which chain.

use drystone_model::{BodyKind, DVec3, JointKind, Model, WORLD};

use super::link::Kind;
use drystone_solve::joint::held_axes;

/// A chain of bodies.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// Bodies in order.
    pub body: Vec<u32>,
    /// Where in the world the ends are held, if they are \[m\].
    pub anchored: [Option<DVec3>; 2],
    /// For every joint along the chain whether its child is the link after it.
    forward: Vec<bool>,
}

impl Path {
    /// 1 if the multiplier of the joint at a place pushes its child, −1 if its parent.
    pub fn joint_sign(&self, place: usize) -> f64 {
        if self.forward.get(place) == Some(&true) { -1.0 } else { 1.0 }
    }
}

/// All chains of a model.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The chains.
    pub path: Vec<Path>,
    /// Makes of links.
    pub kind: Vec<Kind>,
    /// Make of every body.
    pub body_kind: Vec<u32>,
    /// Chain of every joint and its place there.
    pub joint_place: Vec<[u32; 2]>,
}

/// Joints of a body: at most two.
type Ends = [Option<u32>; 2];

impl Layout {
    /// The chains, if the model has nothing else: dynamic bodies, plain ball joints, at most two per body,
    /// no rings, none held at both ends.
    pub fn new(model: &Model) -> Option<Self> {
        if model.joint_count() == 0 || model.body_kind.iter().any(|kind| *kind != BodyKind::Dynamic) {
            return None;
        }
        let mut held = Vec::new();
        let plain = (0..model.joint_count()).all(|joint| {
            held.clear();
            held_axes(model, joint, &mut held);
            model.joint_kind[joint] == JointKind::Ball && held.len() == 3 && no_extras(model, joint)
        });
        if !plain {
            return None;
        }
        let ends = joint_ends(model)?;
        let mut layout = Self {
            body_kind: vec![u32::MAX; model.body_count()],
            joint_place: vec![[u32::MAX; 2]; model.joint_count()],
            ..Self::default()
        };
        for body in 0..model.body_count() {
            // A chain begins at a body with at most one joint to another body.
            let inner = ends[body].iter().flatten().filter(|&&joint| far(model, joint, body as u32) != WORLD).count();
            if layout.body_kind[body] == u32::MAX && inner < 2 {
                layout.walk(model, &ends, body as u32);
            }
        }
        let rings = layout.body_kind.contains(&u32::MAX);
        // Held at both ends and taut, the joints of a chain depend on each other.
        let bridges = layout.path.iter().any(|path| path.anchored.iter().all(Option::is_some));
        (!rings && !bridges).then_some(layout)
    }

    fn walk(&mut self, model: &Model, ends: &[Ends], first: u32) {
        let mut path = Path::default();
        let inner = |body: u32, not: Option<u32>| {
            ends[body as usize]
                .iter()
                .flatten()
                .copied()
                .find(|&joint| Some(joint) != not && far(model, joint, body) != WORLD)
        };
        let to_world = |body: u32, not: Option<u32>| {
            ends[body as usize]
                .iter()
                .flatten()
                .copied()
                .find(|&joint| Some(joint) != not && far(model, joint, body) == WORLD)
        };
        let mut before = to_world(first, None);
        path.anchored[0] = before.map(|joint| model.joint_frame_parent[joint as usize].translation);
        let mut body = first;
        loop {
            let place = path.body.len() as u32;
            if let Some(joint) = before {
                self.joint_place[joint as usize] = [self.path.len() as u32, place];
            }
            path.forward.push(before.is_some_and(|joint| model.joint_child[joint as usize] == body));
            path.body.push(body);
            let after = inner(body, before).or_else(|| to_world(body, before));
            self.add_kind(model, body, before, after);
            let Some(joint) = after else { break };
            let next = far(model, joint, body);
            if next == WORLD {
                self.joint_place[joint as usize] = [self.path.len() as u32, place + 1];
                path.anchored[1] = Some(model.joint_frame_parent[joint as usize].translation);
                break;
            }
            (before, body) = (Some(joint), next);
        }
        path.forward.push(false);
        self.path.push(path);
    }

    fn add_kind(&mut self, model: &Model, body: u32, before: Option<u32>, after: Option<u32>) {
        let index = body as usize;
        let anchor = |joint: Option<u32>| {
            joint.map_or(DVec3::ZERO, |joint| {
                let joint = joint as usize;
                let frame = if model.joint_child[joint] == body {
                    model.joint_frame_child[joint]
                } else {
                    model.joint_frame_parent[joint]
                };
                frame.translation - model.body_com[index]
            })
        };
        let (inverse, anchor) = (model.body_inertia[index].inverse(), [anchor(before), anchor(after)]);
        let kind = Kind {
            mass: model.body_mass[index],
            inertia: model.body_inertia[index],
            inverse,
            anchor,
            com: model.body_com[index],
        };
        // Neighbours are mostly alike: looking at the last few kinds is enough to find them. Anchors come from places in the
        // world, and differ by their rounding where these are far out.
        let rounding = 8.0 * f64::EPSILON * model.body_q[index].translation.abs().max_element();
        let known = self.kind.iter().rev().take(8).position(|other| other.is_like(&kind, rounding));
        self.body_kind[index] = match known {
            Some(back) => (self.kind.len() - 1 - back) as u32,
            None => {
                self.kind.push(kind);
                self.kind.len() as u32 - 1
            }
        };
    }
}

/// The body at the other end of a joint.
fn far(model: &Model, joint: u32, body: u32) -> u32 {
    let joint = joint as usize;
    if model.joint_child[joint] == body { model.joint_parent[joint] } else { model.joint_child[joint] }
}

/// No limits, drives, friction, rotors or breaking on any axis.
fn no_extras(model: &Model, joint: usize) -> bool {
    let free = |axis: usize| {
        let (limit, drive) = (model.joint_limit[joint][axis], model.joint_drive[joint][axis]);
        !limit.lower.is_finite()
            && !limit.upper.is_finite()
            && !drive.acts()
            && !model.joint_spring[joint][axis].acts()
            && model.joint_friction[joint][axis] == 0.0
            && model.joint_armature[joint][axis] == 0.0
            && model.joint_follow[joint][axis].is_none()
            && model.joint_max_rate[joint][axis].is_infinite()
    };
    (0..6).all(free) && model.joint_break[joint] == [f64::INFINITY; 2]
}

/// Joints of every body, or none if a body has more than two.
fn joint_ends(model: &Model) -> Option<Vec<Ends>> {
    let mut ends: Vec<Ends> = vec![[None; 2]; model.body_count()];
    for joint in 0..model.joint_count() {
        for body in [model.joint_parent[joint], model.joint_child[joint]] {
            if body == WORLD {
                continue;
            }
            let slot = ends[body as usize].iter_mut().find(|slot| slot.is_none())?;
            *slot = Some(joint as u32);
        }
    }
    Some(ends)
}
