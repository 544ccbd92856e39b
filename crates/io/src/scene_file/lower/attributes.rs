//! Numbers that solvers declare, by name.

use std::collections::BTreeMap;

use drystone_model::{AttributeTarget, BodyId, Entity, JointId, ShapeId};

use super::super::json5::Step;
use super::Lowering;

impl Lowering<'_> {
    /// Takes the defaults of the file, then sets what its entities say.
    pub fn add_attributes(&mut self) {
        let spec = self.spec;
        let defaults = &spec.attribute_defaults;
        let declared =
            [(Entity::Body, &defaults.body), (Entity::Shape, &defaults.shape), (Entity::Joint, &defaults.joint)];
        for (entity, names) in declared {
            for (name, default) in names {
                self.builder.set_attribute_default(name, entity, *default);
            }
        }
        for (index, origin) in (0..).zip(self.origins.body.clone()) {
            if let [Step::Key("bodies"), Step::Index(k)] = origin[..] {
                self.set_attributes(&spec.bodies[k].attributes, BodyId(index));
            }
        }
        for (index, origin) in (0..).zip(self.origins.shape.clone()) {
            match origin[..] {
                [Step::Key("shapes"), Step::Index(k)] => {
                    self.set_attributes(&spec.shapes[k].attributes, ShapeId(index))
                }
                [Step::Key("bodies"), Step::Index(b), Step::Key("shapes"), Step::Index(k)] => {
                    self.set_attributes(&spec.bodies[b].shapes[k].attributes, ShapeId(index));
                }
                _ => {}
            }
        }
        for (index, origin) in (0..).zip(self.origins.joint.clone()) {
            let attributes = match origin[..] {
                [Step::Key("joints"), Step::Index(k)] => &spec.joints[k].attributes,
                [Step::Key("rods"), Step::Index(k)] => &spec.rods[k].joint_attributes,
                [Step::Key("rod_graphs"), Step::Index(k)] => &spec.rod_graphs[k].joint_attributes,
                _ => continue,
            };
            self.set_attributes(attributes, JointId(index));
        }
    }

    fn set_attributes(&mut self, values: &BTreeMap<String, f64>, target: impl Into<AttributeTarget>) {
        let target = target.into();
        for (name, value) in values {
            self.builder.set_attribute(name, target, *value);
        }
    }
}
