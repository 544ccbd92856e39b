//! Packing connected groups of bodies into workgroups.

use super::equations::IMMOVABLE;
use super::system::PointSystem;
use drystone_solve::graph::union;

/// Widths of workgroups to choose from: multiples of the lockstep groups of common hardware.
const WIDTHS: [u32; 8] = [32, 64, 96, 128, 160, 192, 224, 256];
/// No entry, no body, or an end that does not move, in 16 bits.
pub(super) const NONE16: u32 = 0xffff;
/// Most constraints that a body's other ends may have in a workgroup; more go the general way.
const MAX_DEGREE: u32 = 8;

/// Which slot of which workgroup each body and each constraint lives in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Packing {
    /// Units per workgroup, one body and one constraint each.
    pub width: u32,
    /// Number of workgroups.
    pub blocks: usize,
    /// Slot of each body.
    pub body_slot: Vec<u32>,
    /// Slot of each constraint.
    pub constraint_slot: Vec<u32>,
    /// Whether every constraint lives in the slot of its second body, which is then at hand.
    pub forest: bool,
    /// Most entries of a body: the constraints it takes part in other than the one in its own slot.
    pub degree: u32,
    /// Entries, `degree` rows of one per slot: constraint within the workgroup · 2 + 1 if the body is its second.
    pub entry: Vec<u32>,
}

impl Packing {
    /// A packing of the system, if all its groups fit workgroups of at most `most` units.
    pub fn new(system: &PointSystem, most: u32) -> Option<Self> {
        let groups = Groups::new(system);
        let forest = is_forest(system);
        let width = groups.best_width(most)?;
        let (body_block, blocks) = groups.fill(width);
        let slots = blocks * width as usize;
        let body_slot = slots_in_blocks(&body_block, blocks, width);
        let constraint_slot = if forest {
            system.child.iter().map(|&child| body_slot[child as usize]).collect()
        } else {
            let block: Vec<u32> = system.child.iter().map(|&child| body_block[child as usize]).collect();
            slots_in_blocks(&block, blocks, width)
        };
        let mut packing = Self { width, blocks, body_slot, constraint_slot, forest, degree: 0, entry: Vec::new() };
        packing.list_entries(system, slots)?;
        Some(packing)
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.blocks * self.width as usize
    }

    /// The ends of every constraint within its workgroup: first body, and second in the upper bits.
    pub fn ends(&self, system: &PointSystem) -> Vec<u32> {
        let mut ends = vec![NONE16 | NONE16 << 16; self.slots()];
        for constraint in 0..system.constraint_count() {
            let child = self.body_slot[system.child[constraint] as usize] % self.width;
            let parent = match system.parent[constraint] {
                IMMOVABLE => NONE16,
                body => self.body_slot[body as usize] % self.width,
            };
            ends[self.constraint_slot[constraint] as usize] = parent | child << 16;
        }
        ends
    }

    fn list_entries(&mut self, system: &PointSystem, slots: usize) -> Option<()> {
        let mut used = vec![0u8; slots];
        let mut listed = Vec::with_capacity(system.constraint_count());
        let mut note = |body: u32, entry: u32| {
            let slot = self.body_slot[body as usize];
            let row = used[slot as usize];
            used[slot as usize] = row.saturating_add(1);
            listed.push((u32::from(row), slot, entry));
        };
        for constraint in 0..system.constraint_count() {
            let local = self.constraint_slot[constraint] % self.width;
            if system.parent[constraint] != IMMOVABLE {
                note(system.parent[constraint], local * 2);
            }
            if !self.forest {
                note(system.child[constraint], local * 2 + 1);
            }
        }
        self.degree = u32::from(used.into_iter().max().unwrap_or(0));
        if self.degree > MAX_DEGREE {
            return None;
        }
        self.entry = vec![NONE16; slots * self.degree as usize];
        for (row, slot, entry) in listed {
            self.entry[row as usize * slots + slot as usize] = entry;
        }
        Some(())
    }
}

/// Whether no body is the second of two constraints, so that a body and its constraint can share a slot.
fn is_forest(system: &PointSystem) -> bool {
    let mut seen = vec![false; system.body_count()];
    system.child.iter().all(|&child| !std::mem::replace(&mut seen[child as usize], true))
}

/// Slots in order of appearance within each block.
fn slots_in_blocks(block: &[u32], blocks: usize, width: u32) -> Vec<u32> {
    let mut used = vec![0u32; blocks];
    let next = |&block: &u32| {
        let slot = block * width + used[block as usize];
        used[block as usize] += 1;
        slot
    };
    block.iter().map(next).collect()
}

/// Connected groups, numbered by their first body.
struct Groups {
    /// Group of each body.
    of_body: Vec<u32>,
    /// Room each group needs: the larger of its bodies and its constraints.
    room: Vec<u32>,
}

impl Groups {
    fn new(system: &PointSystem) -> Self {
        let mut root: Vec<u32> = (0..system.body_count() as u32).collect();
        for (&parent, &child) in system.parent.iter().zip(&system.child) {
            if parent != IMMOVABLE {
                union::unite(&mut root, parent, child);
            }
        }
        let mut of_body = vec![0; system.body_count()];
        let mut bodies: Vec<u32> = Vec::new();
        for body in 0..system.body_count() as u32 {
            // The root of a group is its first body.
            let first = union::find(&mut root, body);
            if first == body {
                of_body[body as usize] = bodies.len() as u32;
                bodies.push(0);
            } else {
                of_body[body as usize] = of_body[first as usize];
            }
            bodies[of_body[body as usize] as usize] += 1;
        }
        let mut constraints = vec![0u32; bodies.len()];
        for &child in &system.child {
            constraints[of_body[child as usize] as usize] += 1;
        }
        let room = bodies.iter().zip(&constraints).map(|(&b, &c)| b.max(c)).collect();
        Self { of_body, room }
    }

    /// The width that wastes the fewest slots; the narrower of two equals, which the scheduler of the
    /// device likes better.
    fn best_width(&self, most: u32) -> Option<u32> {
        let largest = self.room.iter().copied().max().unwrap_or(1);
        let fits = WIDTHS.into_iter().filter(|&width| width >= largest && width <= most);
        fits.min_by_key(|&width| (self.block_count(width) * width as usize, width))
    }

    fn block_count(&self, width: u32) -> usize {
        let mut blocks = 0;
        let mut left = 0;
        for &room in &self.room {
            if room > left {
                blocks += 1;
                left = width;
            }
            left -= room;
        }
        blocks
    }

    /// Block of each body, groups in order.
    fn fill(&self, width: u32) -> (Vec<u32>, usize) {
        let mut blocks = 0;
        let mut left = 0;
        let mut group_block = Vec::with_capacity(self.room.len());
        for &room in &self.room {
            if room > left {
                blocks += 1;
                left = width;
            }
            left -= room;
            group_block.push(blocks - 1);
        }
        (self.of_body.iter().map(|&group| group_block[group as usize]).collect(), blocks as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::super::necklace::{grid, necklaces};
    use super::*;

    #[test]
    fn strings_of_forty_fill_workgroups_of_160() {
        let (system, _) = necklaces(100, 40);
        let packing = Packing::new(&system, 256).unwrap();
        assert_eq!((packing.width, packing.blocks, packing.slots()), (160, 25, 4000));
        assert!(packing.forest && packing.degree == 1);
    }

    /// Every body and constraint has a slot of its own, in one workgroup with what it is joined to.
    #[test]
    fn groups_stay_together_and_slots_are_used_once() {
        for (system, _) in [necklaces(13, 7), necklaces(3, 100), grid(6)] {
            let packing = Packing::new(&system, 256).unwrap();
            for slots in [&packing.body_slot, &packing.constraint_slot] {
                let mut sorted = slots.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len(), slots.len());
                assert!(sorted.last().is_none_or(|&last| (last as usize) < packing.slots()));
            }
            for constraint in 0..system.constraint_count() {
                let block = packing.constraint_slot[constraint] / packing.width;
                for body in [system.parent[constraint], system.child[constraint]] {
                    assert!(body == IMMOVABLE || packing.body_slot[body as usize] / packing.width == block);
                }
            }
        }
    }

    #[test]
    fn what_is_too_large_or_too_bristly_is_not_packed() {
        assert!(Packing::new(&necklaces(2, 257).0, 256).is_none());
        let (mut star, _) = necklaces(1, 30);
        star.parent.iter_mut().filter(|parent| **parent != IMMOVABLE).for_each(|parent| *parent = 0);
        assert!(Packing::new(&star, 256).is_none());
    }
}
