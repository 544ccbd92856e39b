//! Bodies by what they hang from, for formats that hold trees.

use drystone_model::{Model, TreeJoint, WORLD};

/// What stands in the way of a tree, by name.
pub(crate) struct Untold {
    pub(crate) entity: String,
    pub(crate) reason: &'static str,
    pub(crate) remedy: &'static str,
}

/// The tree of a model.
pub(crate) struct Hung {
    /// The joint that places every body, if one does.
    pub(crate) placed_by: Vec<Option<TreeJoint>>,
    /// What hangs from every body.
    pub(crate) children: Vec<Vec<u32>>,
    /// Bodies that hang from the world or from nothing.
    pub(crate) roots: Vec<u32>,
}

impl Hung {
    /// The tree, or what is in its way: loops, but for what `said` says that joints beside the tree are said by.
    pub(crate) fn new(model: &Model, said: impl Fn(usize) -> bool) -> Result<Self, Untold> {
        let tree = model.joint_tree();
        let named = |joint: u32| format!("joint `{}`", model.joint_name[joint as usize]);
        if let Some(&joint) = tree.loops.iter().find(|joint| !said(**joint as usize)) {
            let remedy = "cut the loop, or compare trees only";
            return Err(Untold { entity: named(joint), reason: "it closes a loop", remedy });
        }
        if let Some(step) = tree.order.iter().find(|step| step.reversed) {
            let reason = "its child is nearer to the root than its parent";
            return Err(Untold { entity: named(step.joint), reason, remedy: "swap its parent and its child" });
        }
        let mut placed_by = vec![None; model.body_count()];
        let mut children = vec![Vec::new(); model.body_count()];
        for step in &tree.order {
            placed_by[step.to as usize] = Some(*step);
            if step.from != WORLD {
                children[step.from as usize].push(step.to);
            }
        }
        let hangs = |body: &u32| placed_by[*body as usize].is_some_and(|step| step.from != WORLD);
        let roots = (0..model.body_count() as u32).filter(|body| !hangs(body)).collect();
        Ok(Self { placed_by, children, roots })
    }
}
