//! Robots of other files: their entities come first, before those of the scene itself.

use drystone_model::Model;

use super::super::json5::Step;
use super::super::spec::{BaseSpec, IncludeSpec, Includes, pose};
use super::{Lowering, Path};
use crate::import::{Base, ImportOptions, InertiaFaults, read};

impl Lowering<'_> {
    /// Adds every included robot to the first world.
    pub fn add_includes(&mut self) {
        // Paths end with a key: what ends with a number is an entry of `bodies`.
        match &self.spec.include {
            Includes::File(file) => {
                let spec = IncludeSpec { file: file.clone(), ..IncludeSpec::default() };
                self.include(&spec, vec![Step::Key("include")]);
            }
            Includes::One(one) => self.include(one, vec![Step::Key("include"), Step::Key("file")]),
            Includes::List(list) => {
                for (k, one) in list.iter().enumerate() {
                    self.include(one, vec![Step::Key("include"), Step::Index(k), Step::Key("file")]);
                }
            }
        }
    }

    fn include(&mut self, spec: &IncludeSpec, path: Path) {
        let Some(folder) = self.folder else {
            let message = format!("robot files such as `{}` cannot be read here", spec.file);
            return self.fault(&path, message, "convert it first: `drystone convert robot.xml robot.json5`");
        };
        let mut options = ImportOptions {
            base: spec.base.map(|base| if base == BaseSpec::Fixed { Base::Fixed } else { Base::Free }),
            ..ImportOptions::default()
        };
        if spec.repair_inertia {
            options.inertia = InertiaFaults::Repair;
        }
        match read(&folder.join(&spec.file), &options) {
            Ok(robot) => {
                self.notes.extend(robot.notes.iter().map(ToString::to_string));
                self.add_model(spec, &robot.model, &path);
            }
            Err(error) => {
                let help = "correct the file; `base: \"fixed\"` or `\"free\"` says how a URDF is held";
                self.fault(&path, format!("the robot cannot be read:\n{error}"), help);
            }
        }
    }

    fn add_model(&mut self, spec: &IncludeSpec, model: &Model, path: &Path) {
        let prefix = spec.name.as_ref().map_or_else(String::new, |name| format!("{name}/"));
        let at = pose(spec.position, spec.rotation);
        let joints = self.origins.joint.len();
        let first = self.builder.append(&drystone::new_model().reopen(model), at, &prefix);
        for (index, name) in (first.0..).zip(&model.body_name) {
            self.body_named.entry(format!("{prefix}{name}")).or_insert(index);
            self.body_pose.push(at * model.body_q[(index - first.0) as usize]);
            self.body_world.push(0);
            self.origins.body.push(path.clone());
        }
        for name in &model.shape_name {
            let index = self.origins.shape.len() as u32;
            self.shape_named.entry(format!("{prefix}{name}")).or_insert(index);
            self.shape_world.push(0);
            self.origins.shape.push(path.clone());
        }
        for (joint, name) in model.joint_name.iter().enumerate() {
            self.joint_drives.insert(joints + joint, model.joint_drive[joint]);
            self.joint_included.push((joints + joint, format!("{prefix}{name}")));
            self.origins.joint.push(path.clone());
        }
    }
}
