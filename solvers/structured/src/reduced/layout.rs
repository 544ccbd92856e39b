//! The links of a model, four at a time and level by level.

use drystone_kernels::lanes::{F64x4, Vectors};
use drystone_model::{BodyKind, DQuat, DVec3, JointKind, Model, WORLD};

use super::hung::{Hung, NONE};
use crate::axis_laws::{Bounded, Laws};
use crate::wide::set_vector;

/// What of four links never changes within a step. A link has one freedom, or none; a joint with several is a row of links of which
/// only the last has a mass.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    /// Links, or roots, they hang from.
    pub parent: [u32; 4],
    /// Bodies they are, or [`NONE`].
    pub body: [u32; 4],
    /// Orientation in the parent without a turn, and what half a turn makes of it: cos(θ/2) `along` + sin(θ/2) `turned`.
    pub along: [F64x4; 4],
    pub turned: [F64x4; 4],
    /// Axis in the parent.
    pub axis: Vectors,
    /// From the centre of the parent to the joint, axes of the parent, and from there to the own centre, own axes \[m\].
    pub before: Vectors,
    pub after: Vectors,
    /// One where the freedom is a turn, and where it is a translation.
    pub turns: F64x4,
    pub slides: F64x4,
    /// \[kg\].
    pub mass: F64x4,
    /// xx, xy, xz, yy, yz, zz in own axes \[kg·m²\].
    pub inertia: [F64x4; 6],
    /// Rotor \[kg or kg·m²\].
    pub rotor: F64x4,
    /// \[N\].
    pub weight: Vectors,
    /// Centre of mass in the frame of the body \[m\].
    pub com: Vectors,
}

impl Frames {
    /// Lanes without a link: they hang from something, weigh nothing and move nothing.
    fn empty(parent: u32) -> Self {
        let mut along = [[0.0; 4]; 4];
        along[3] = [1.0; 4];
        Self {
            parent: [parent; 4],
            body: [NONE; 4],
            along,
            turned: [[0.0; 4]; 4],
            axis: [[0.0; 4]; 3],
            before: [[0.0; 4]; 3],
            after: [[0.0; 4]; 3],
            turns: [0.0; 4],
            slides: [0.0; 4],
            mass: [0.0; 4],
            inertia: [[0.0; 4]; 6],
            rotor: [0.0; 4],
            weight: [[0.0; 4]; 3],
            com: [[0.0; 4]; 3],
        }
    }

    pub fn set_turns(&mut self, lane: usize, along: DQuat, turned: DQuat) {
        let (along, turned) = (along.to_array(), turned.to_array());
        (0..4).for_each(|k| (self.along[k][lane], self.turned[k][lane]) = (along[k], turned[k]));
    }
}

/// All links.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Level by level: a link comes after those it hangs from, and the four of one quad hang from none of each other.
    pub frames: Vec<Frames>,
    /// Moving bodies, each after what it hangs from.
    pub hung: Vec<Hung>,
    /// What does not move, [`WORLD`] first; their links come after all others.
    pub root: Vec<u32>,
    /// Number of trees.
    pub trees: usize,
}

/// A link before it has its place.
struct Draft {
    level: usize,
    /// Draft it hangs from, or a root.
    parent: Result<usize, usize>,
    /// Place in [`Layout::hung`], its axis or none, and whether it is first and last there.
    hung: usize,
    axis: Option<usize>,
    first: bool,
    last: bool,
}

impl Layout {
    /// The links of a model; none if it has loops, or joints that have no place here.
    pub fn new(model: &Model) -> Option<Self> {
        let tree = model.joint_tree();
        let laws = Laws::new(model);
        let moved = model.body_kind.contains(&BodyKind::Kinematic);
        let coupled = !laws.couplings.is_empty();
        let rubs = laws.bounded.iter().any(|law| matches!(law.kind, Bounded::Friction(_) | Bounded::Fastest { .. }));
        if moved || model.joint_count() == 0 || !tree.loops.is_empty() || coupled || rubs {
            return None;
        }
        // Joints that place no body: distances, and those between things that do not move.
        let idle = model.joint_kind.iter().filter(|kind| **kind == JointKind::Free).count();
        let steps = tree.order.iter().filter(|step| model.joint_kind[step.joint as usize] != JointKind::Free);
        if steps.count() + idle != model.joint_count() {
            return None;
        }
        let mut by = vec![None; model.body_count()];
        tree.order.iter().for_each(|step| by[step.to as usize] = Some(step));
        let mut layout = Self { root: vec![WORLD], ..Self::default() };
        let fixed = (0..model.body_count()).filter(|&body| model.body_kind[body] != BodyKind::Dynamic);
        layout.root.extend(fixed.map(|body| body as u32));
        let dynamic = |body: &usize| model.body_kind[*body] == BodyKind::Dynamic;
        let floating = (0..model.body_count()).filter(dynamic).filter(|&body| by[body].is_none());
        layout.hung.extend(floating.map(|body| Hung::floating(body as u32)));
        for step in tree.order.iter().filter(|step| dynamic(&(step.to as usize))) {
            layout.hung.push(Hung::new(model, &laws, step)?);
        }
        let drafts = layout.drafts(model.body_count())?;
        layout.place(model, &laws, &drafts);
        Some(layout)
    }

    fn drafts(&mut self, bodies: usize) -> Option<Vec<Draft>> {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut link_of = vec![None; bodies];
        for (index, hung) in self.hung.iter().enumerate() {
            let root = self.root.iter().position(|&root| root == hung.from);
            let mut parent = match root {
                Some(root) => Err(root),
                None => Ok(link_of[hung.from as usize]?),
            };
            self.trees += usize::from(root.is_some());
            let axes: Vec<Option<usize>> = hung.axes().map(Some).collect();
            let axes = if axes.is_empty() { vec![None] } else { axes };
            for (place, &axis) in axes.iter().enumerate() {
                let level = parent.map_or(0, |draft: usize| drafts[draft].level + 1);
                let (first, last) = (place == 0, place + 1 == axes.len());
                drafts.push(Draft { level, parent, hung: index, axis, first, last });
                parent = Ok(drafts.len() - 1);
            }
            link_of[hung.to as usize] = parent.ok();
        }
        Some(drafts)
    }

    /// Gives every link its place and fills in what it is.
    fn place(&mut self, model: &Model, laws: &Laws, drafts: &[Draft]) {
        let mut order: Vec<usize> = (0..drafts.len()).collect();
        order.sort_by_key(|&draft| drafts[draft].level);
        let mut slot = vec![0u32; drafts.len()];
        let mut next = 0u32;
        let mut level = 0;
        for &draft in &order {
            if drafts[draft].level != level {
                (level, next) = (drafts[draft].level, next.next_multiple_of(4));
            }
            slot[draft] = next;
            next += 1;
        }
        let quads = next.div_ceil(4) as usize;
        let root = 4 * quads as u32;
        self.frames = vec![Frames::empty(root); quads];
        for (draft, &slot_of) in drafts.iter().zip(&slot) {
            let parent = draft.parent.map_or_else(|kept| root + kept as u32, |parent| slot[parent]);
            let hung = &mut self.hung[draft.hung];
            if let Some(axis) = draft.axis {
                hung.link[axis] = slot_of;
            }
            if draft.last {
                hung.last = slot_of;
            }
            let (frames, lane) = (&mut self.frames[slot_of as usize / 4], slot_of as usize % 4);
            frames.parent[lane] = parent;
            frames.fill(model, laws, hung, draft, lane);
        }
    }
}

impl Frames {
    fn fill(&mut self, model: &Model, laws: &Laws, hung: &Hung, draft: &Draft, lane: usize) {
        let [near, far] = hung.frame;
        let ahead = if draft.first { near.rotation } else { DQuat::IDENTITY };
        let behind = if draft.last { far.rotation.conjugate() } else { DQuat::IDENTITY };
        let unit = draft.axis.map_or(DVec3::ZERO, |axis| DVec3::AXES[axis % 3]);
        let half = DQuat::from_xyzw(unit.x, unit.y, unit.z, 0.0);
        self.set_turns(lane, ahead * behind, ahead * half * behind);
        set_vector(&mut self.axis, lane, ahead * unit);
        match draft.axis {
            Some(axis) if axis < 3 => self.slides[lane] = 1.0,
            Some(_) => self.turns[lane] = 1.0,
            None => {}
        }
        if draft.first {
            set_vector(&mut self.before, lane, near.translation);
        }
        if hung.joint != NONE && draft.axis.is_some() {
            let own = laws.of(hung.joint as usize).iter().find(|law| Some(law.axis as usize) == draft.axis);
            if let Some(crate::axis_laws::Law::Elastic { armature, .. }) = own.map(|law| law.law) {
                self.rotor[lane] = armature;
            }
        }
        if !draft.last {
            return;
        }
        let body = hung.to as usize;
        self.body[lane] = hung.to;
        set_vector(&mut self.after, lane, -far.translation);
        set_vector(&mut self.com, lane, model.body_com[body]);
        self.mass[lane] = model.body_mass[body];
        let [x, y, z] = model.body_inertia[body].to_cols_array_2d();
        let inertia = [x[0], x[1], x[2], y[1], y[2], z[2]];
        (0..6).for_each(|k| self.inertia[k][lane] = inertia[k]);
        set_vector(&mut self.weight, lane, model.body_mass[body] * model.body_gravity(body));
    }
}
