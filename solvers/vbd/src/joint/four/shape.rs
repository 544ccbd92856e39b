//! The structure that joint islands side by side have in common.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use drystone_solve::graph::elimination::Elimination;
use drystone_solve::joint::TurnKind;

use super::super::Joints;
use super::super::island::NO_NODE;
use super::super::rows::RowKind;

/// Block products per body beyond which a component is not eliminated body by body: a square net of 25 × 25 still
/// is.
const PRODUCTS_PER_BODY: usize = 64;

/// What is the same in all islands that go side by side: bodies and joints by their places in the island.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    /// Number of bodies.
    pub nodes: usize,
    /// Nodes of the two ends of every joint, or [`NO_NODE`].
    pub ends: Vec<[u32; 2]>,
    /// What rows look at in every joint.
    pub joints: Vec<JointPattern>,
    /// First row of every joint, and the number of rows.
    pub row_start: Vec<u32>,
    /// The rows.
    pub rows: Vec<RowPattern>,
}

/// How the coordinates of a joint are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPattern {
    /// Whether any row looks at the rotation.
    pub turns: bool,
    /// How the rotation is taken.
    pub kind: TurnKind,
    /// Whether the first coordinate is a distance.
    pub distance: bool,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowPattern {
    /// Coordinate, 0 to 5.
    pub axis: usize,
    /// Whether its law is that of hysteresis.
    pub dahl: bool,
    /// The joint at the other end of a coupling and the axis there, and whether this end follows.
    pub partner: Option<(usize, usize, bool)>,
}

impl Pattern {
    /// Of the joints of an island with so many bodies.
    pub fn new(joints: &Joints, own: &[u32], nodes: usize, ends: Vec<[u32; 2]>) -> Self {
        let mut pattern = Self { nodes, ends, row_start: vec![0], ..Self::default() };
        for &joint in own {
            let geometry = &joints.geometry[joint as usize];
            pattern.joints.push(JointPattern {
                turns: geometry.turns,
                kind: TurnKind::of(geometry),
                distance: geometry.distance,
            });
            for row in joints.rows(joint as usize) {
                let partner = row.partner.and_then(|partner| {
                    let place = own.binary_search(&partner.joint).ok()?;
                    Some((place, partner.axis as usize, partner.follows))
                });
                pattern.rows.push(RowPattern { axis: row.axis as usize, dahl: row.kind == RowKind::Dahl, partner });
            }
            pattern.row_start.push(pattern.rows.len() as u32);
        }
        pattern
    }

    /// Rows of a joint.
    pub fn rows_of(&self, joint: usize) -> std::ops::Range<usize> {
        self.row_start[joint] as usize..self.row_start[joint + 1] as usize
    }

    /// Whether joints follow each other.
    pub fn coupled(&self) -> bool {
        self.rows.iter().any(|row| row.partner.is_some())
    }

    /// Pairs of nodes that act on each other.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let across = (0..self.ends.len()).flat_map(move |joint| {
            let partners = self.rows_of(joint).filter_map(|row| self.rows[row].partner);
            partners.flat_map(move |(other, ..)| {
                let ([a, b], [c, d]) = (self.ends[joint], self.ends[other]);
                [[a, c], [a, d], [b, c], [b, d]]
            })
        });
        let all = self.ends.iter().copied().chain(across);
        all.filter(|ends| !ends.contains(&NO_NODE) && ends[0] != ends[1])
    }

    /// A number that is the same for equal patterns.
    pub fn hash(&self) -> u64 {
        let mut hash = self.nodes as u64;
        let mut add = |x: u64| hash = (hash ^ x).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        self.ends.iter().for_each(|&[a, b]| add(u64::from(a) << 32 | u64::from(b)));
        self.rows.iter().for_each(|row| add(row.axis as u64));
        hash
    }
}

/// A pattern and the order in which its bodies are eliminated.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The pattern.
    pub pattern: Pattern,
    /// The order of elimination.
    pub order: Elimination,
    /// Coupling of the two bodies of every joint, and whether its rows are those of the parent; none for a joint with one.
    pub slot: Vec<Option<(usize, bool)>>,
    /// Whether a joint is the first to write to its coupling.
    pub first: Vec<bool>,
    /// Couplings that no joint writes to.
    pub filled: Vec<usize>,
}

/// Shapes in use in this process: simulations of one robot have one shape, by which they know each other, in one place.
static IN_USE: Mutex<Vec<Weak<Shape>>> = Mutex::new(Vec::new());

impl Shape {
    /// That of a pattern, shared with all who use it; none where [`Shape::new`] makes none.
    fn shared(pattern: &Pattern, limit: usize) -> Option<Arc<Self>> {
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = None;
        in_use.retain(|shape| {
            let shape = shape.upgrade();
            if let Some(shape) = shape.as_ref().filter(|shape| found.is_none() && shape.pattern == *pattern) {
                found = Some(shape.clone());
            }
            shape.is_some()
        });
        if found.is_none() {
            found = Self::new(pattern.clone(), limit).map(Arc::new);
            in_use.extend(found.iter().map(Arc::downgrade));
        }
        found
    }

    /// Where eliminating the bodies would cost more than `limit` block products per body there is none.
    pub fn new(pattern: Pattern, limit: usize) -> Option<Self> {
        let order = Elimination::new(pattern.nodes, pattern.edges(), limit)?;
        let slot_of = |&[parent, child]: &[u32; 2]| match [parent, child].contains(&NO_NODE) {
            true => None,
            // The rows of an entry are those of the place that is eliminated first.
            false => order.entry_of(child, parent),
        };
        let slot: Vec<Option<(usize, bool)>> = pattern.ends.iter().map(slot_of).collect();
        let mut written = vec![false; order.entry_count()];
        let first =
            slot.iter().map(|slot| slot.is_some_and(|(entry, _)| !std::mem::replace(&mut written[entry], true)));
        let first = first.collect();
        let filled = (0..written.len()).filter(|&entry| !written[entry]).collect();
        Some(Self { pattern, order, slot, first, filled })
    }
}

/// The shapes that were met, and the islands of each; none where elimination is too dear.
#[derive(Debug, Default)]
pub struct Shapes {
    /// Each with the numbers of its islands.
    pub known: Vec<(Option<Arc<Shape>>, Vec<u32>)>,
    patterns: Vec<Pattern>,
    by_hash: BTreeMap<u64, Vec<usize>>,
}

impl Shapes {
    /// Puts an island to those of its shape; whether it is to be solved by elimination.
    pub fn put(&mut self, pattern: Pattern, island: u32) -> bool {
        let alike = self.by_hash.entry(pattern.hash()).or_default();
        let found = alike.iter().copied().find(|&known| self.patterns[known] == pattern);
        let shape = found.unwrap_or_else(|| {
            alike.push(self.known.len());
            // Nets know of no bodies moving with others by a coupling: what is coupled is eliminated at almost any cost.
            let most = u32::MAX as usize / pattern.nodes.max(1);
            let limit = if pattern.coupled() { most } else { PRODUCTS_PER_BODY };
            self.known.push((Shape::shared(&pattern, limit), Vec::new()));
            self.patterns.push(pattern);
            self.known.len() - 1
        });
        let (shape, islands) = &mut self.known[shape];
        islands.push(island);
        shape.is_some()
    }
}
