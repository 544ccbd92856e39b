//! How an edited model follows from the one before: what stayed, and where it is now.

/// Marks what has no counterpart on the other side.
const NONE: u32 = u32::MAX;

/// Indices of one kind of entity before and after an edit. What stays keeps its order; what is new comes last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexMap {
    now: Vec<u32>,
    before: Vec<u32>,
}

impl IndexMap {
    /// Of an edit that keeps some of what was there and adds a number of others.
    ///
    /// ```
    /// use drystone_model::IndexMap;
    /// let map = IndexMap::new(&[true, false, true], 1);
    /// assert_eq!([0, 1, 2].map(|before| map.now(before)), [Some(0), None, Some(1)]);
    /// assert_eq!([0, 1, 2].map(|now| map.before(now)), [Some(0), Some(2), None]);
    /// assert_eq!(map.carry(&['a', 'b', 'c'], 'x'), ['a', 'c', 'x']);
    /// ```
    pub fn new(kept: &[bool], added: usize) -> Self {
        let mut map = Self { now: vec![NONE; kept.len()], before: Vec::with_capacity(kept.len() + added) };
        for before in (0..kept.len()).filter(|&before| kept[before]) {
            map.now[before] = map.before.len() as u32;
            map.before.push(before as u32);
        }
        map.before.resize(map.before.len() + added, NONE);
        map
    }

    /// Number of entities now.
    pub fn count(&self) -> usize {
        self.before.len()
    }

    /// Number of entities before.
    pub fn count_before(&self) -> usize {
        self.now.len()
    }

    /// Where an entity is now; `None` if it was removed.
    pub fn now(&self, before: usize) -> Option<usize> {
        self.now.get(before).filter(|&&now| now != NONE).map(|&now| now as usize)
    }

    /// Where an entity was before; `None` if it is new.
    pub fn before(&self, now: usize) -> Option<usize> {
        self.before.get(now).filter(|&&before| before != NONE).map(|&before| before as usize)
    }

    /// What entities had, in the order of now; what is new, or had nothing, gets `fresh`.
    pub fn carry<T: Clone>(&self, values: &[T], fresh: T) -> Vec<T> {
        let of = |now| self.before(now).and_then(|before| values.get(before)).unwrap_or(&fresh).clone();
        (0..self.count()).map(of).collect()
    }

    /// Takes one of two lists for every entity: what it had before, or what it has now if it is new.
    pub fn carry_over<T: Clone>(&self, values: &[T], now: &mut [T]) {
        for (index, slot) in now.iter_mut().enumerate() {
            if let Some(value) = self.before(index).and_then(|before| values.get(before)) {
                slot.clone_from(value);
            }
        }
    }
}

/// How an edited model follows from the one before, for what solvers and the collision pipeline remember.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelMap {
    /// Bodies.
    pub body: IndexMap,
    /// Shapes.
    pub shape: IndexMap,
    /// Joints.
    pub joint: IndexMap,
    /// Particles.
    pub particle: IndexMap,
    /// Bodies now that were changed, or lost or got something they touch or are tied to: groups of them wake.
    pub disturbed: Vec<bool>,
    /// Shapes now whose surface was changed or moved by hand: contacts do not go on.
    pub reshaped: Vec<bool>,
    /// Joints now that were changed: their loads do not go on.
    pub rejoined: Vec<bool>,
    /// Index before of every contact point that the collision pipeline still remembers, in order.
    pub point: Vec<u32>,
}

impl ModelMap {
    /// What a contact point remembered, for all that go on.
    pub fn carry_points<T: Copy + Default>(&self, memory: &[T]) -> Vec<T> {
        self.point.iter().map(|&point| memory.get(point as usize).copied().unwrap_or_default()).collect()
    }

    /// Where a shape is now, if its contacts go on.
    pub fn touching_shape(&self, before: usize) -> Option<usize> {
        self.shape.now(before).filter(|&now| !self.reshaped[now])
    }

    /// Where a joint was before, if its loads go on.
    pub fn loaded_joint(&self, now: usize) -> Option<usize> {
        self.joint.before(now).filter(|_| !self.rejoined[now])
    }
}
