//! Locked axes of bodies: joints to the world, behind those of the file.

use drystone_model::{BodyId, BodyKind, JointDef};

use super::super::json5::Step;
use super::Lowering;
use super::joints::axis;

impl Lowering<'_> {
    /// Adds the joint of every body that has locked axes.
    pub fn add_locks(&mut self) {
        for body in 0..self.builder.body_count() {
            let mut path = self.origins.body.get(body).cloned().unwrap_or_default();
            let &[Step::Key("bodies"), Step::Index(source)] = &path[..] else { continue };
            let Some(spec) = self.spec.bodies.get(source).filter(|spec| !spec.locked.is_empty()) else { continue };
            let mut locked = [false; 6];
            spec.locked.iter().for_each(|&name| locked[axis(name) as usize] = true);
            path.push(Step::Key("locked"));
            let id = BodyId(body as u32);
            let (pose, kind, name) = match self.builder.body_mut(id) {
                Some(def) => (def.pose, def.kind, def.name.clone()),
                None => continue,
            };
            let name = if name.is_empty() { format!("body_{body}") } else { name };
            match JointDef::axis_lock(id, pose, locked) {
                Some(joint) if kind == BodyKind::Dynamic => {
                    self.builder.add_joint(joint.named(JointDef::axis_lock_name(&name)));
                    self.origins.joint.push(path);
                }
                Some(_) => self.fault(&path, "only a dynamic body can have locked axes", "remove `locked`"),
                None => {
                    let [problem, remedy] = JointDef::ONE_ROTATION;
                    self.fault(&path, problem, remedy);
                }
            }
        }
    }
}
