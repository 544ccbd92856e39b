//! Which bodies an iteration looks at. Newton's method soon leaves most of a scene where it is, while an impact somewhere
//! needs many iterations: those look at the bodies that still move and their neighbours alone. Before a step is said to
//! have converged, everything connected to what was looked at is looked at once more, all together.

use super::contact::Contact;

/// Bodies whose step is below this share of the tolerance are left where they are.
const STILL: f64 = 0.1;

/// The bodies looked at, and what is known of the others.
#[derive(Clone, Debug, Default)]
pub struct ActiveSet {
    /// Bodies that can move at all.
    moves: Vec<bool>,
    on: Vec<bool>,
    count: usize,
    /// How far Newton's step last moved every body \[m\].
    moved: Vec<f64>,
    /// Part of a group that has been looked at in part since it was as a whole.
    open: Vec<bool>,
}

impl ActiveSet {
    /// Nothing yet.
    pub fn begin(&mut self, moves: &[bool]) {
        let slots = moves.len();
        self.moves.clear();
        self.moves.extend_from_slice(moves);
        self.on.clear();
        self.on.resize(slots, false);
        self.open.clear();
        self.open.resize(slots, false);
        self.moved.clear();
        self.moved.resize(slots, 0.0);
        self.count = 0;
    }

    pub fn add(&mut self, slot: usize) {
        self.count += usize::from(self.moves[slot] && !self.on[slot]);
        self.on[slot] = self.moves[slot];
    }

    /// Whether a body is looked at.
    pub fn on(&self, slot: usize) -> bool {
        self.on[slot]
    }

    /// Whether one of two bodies is.
    pub fn concerns(&self, slot: [u32; 2]) -> bool {
        slot.iter().any(|&slot| self.on[slot as usize])
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes note of how far Newton's step moves bodies \[m\].
    pub fn note(&mut self, moved: impl Iterator<Item = (u32, f64)>) {
        moved.for_each(|(slot, moved)| self.moved[slot as usize] = moved);
    }

    /// How far Newton's step last moved a body \[m\].
    pub fn moved(&self, slot: usize) -> f64 {
        self.moved[slot]
    }

    /// The longest step \[m\].
    pub fn residual(&self) -> f64 {
        self.moved.iter().fold(0.0, |most, &moved| most.max(moved))
    }

    /// Looks at the bodies of some pairs besides, and at what is `jointed` to them: rows of joints hold bodies that can all move.
    pub fn widen(&mut self, pairs: impl Iterator<Item = [u32; 2]>, jointed: impl Iterator<Item = [u32; 2]>) {
        pairs.flatten().for_each(|slot| self.add(slot as usize));
        let mut next = self.on.clone();
        spread(&mut next, &self.moving(jointed));
        (0..next.len()).filter(|&slot| next[slot]).for_each(|slot| self.add(slot));
    }

    /// Leaves bodies out that hardly move and act on none that does; `pairs` act on each other, and what is `jointed` goes together.
    /// Returns whether anything changed.
    pub fn narrow(
        &mut self,
        tolerance: f64,
        pairs: impl Iterator<Item = [u32; 2]>,
        jointed: impl Iterator<Item = [u32; 2]>,
    ) -> bool {
        let lively: Vec<bool> = self.moved.iter().map(|&moved| moved > STILL * tolerance).collect();
        let (mut pairs, jointed) = (self.moving(pairs), self.moving(jointed));
        let mut next = lively.clone();
        for &[a, b] in pairs.iter().filter(|pair| pair.iter().any(|&slot| lively[slot])) {
            (next[a], next[b]) = (true, true);
        }
        spread(&mut next, &jointed);
        pairs.extend(jointed);
        // Groups in which nothing moves are done with; the others will have to be looked at as a whole.
        let mut linked = lively;
        spread(&mut linked, &pairs);
        self.open.iter_mut().zip(linked).for_each(|(open, linked)| *open |= linked);
        self.look_at(next)
    }

    /// Looks at all that is connected to what was looked at since the last time. Returns whether that is anything more.
    pub fn verify(&mut self, pairs: impl Iterator<Item = [u32; 2]>) -> bool {
        let mut next: Vec<bool> = self.on.iter().zip(&self.open).map(|(on, open)| *on || *open).collect();
        spread(&mut next, &self.moving(pairs));
        self.open.fill(false);
        self.look_at(next)
    }

    /// Pairs of which both can move.
    fn moving(&self, pairs: impl Iterator<Item = [u32; 2]>) -> Vec<[usize; 2]> {
        let pairs = pairs.map(|pair| pair.map(|slot| slot as usize));
        let mut moving: Vec<[usize; 2]> = pairs.filter(|pair| pair.iter().all(|&slot| self.moves[slot])).collect();
        moving.dedup();
        moving
    }

    fn look_at(&mut self, next: Vec<bool>) -> bool {
        let changed = next != self.on;
        if changed {
            self.moved.fill(0.0);
            self.count = next.iter().filter(|on| **on).count();
            self.on = next;
        }
        changed
    }

    /// Moves contacts to where they belong: to `own` those of bodies looked at, to `held` the others.
    pub fn sort(&self, own: &mut Vec<Contact>, held: &mut Vec<Contact>) {
        let mut let_go: Vec<Contact> = own.extract_if(.., |contact| !self.concerns(contact.slot)).collect();
        own.extend(held.extract_if(.., |contact| self.concerns(contact.slot)));
        held.append(&mut let_go);
    }
}

/// Spreads marks along pairs until nothing changes.
fn spread(marked: &mut [bool], pairs: &[[usize; 2]]) {
    let mut changed = true;
    while changed {
        changed = false;
        for &[a, b] in pairs {
            if marked[a] != marked[b] {
                (marked[a], marked[b], changed) = (true, true, true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_at(active: &ActiveSet) -> Vec<usize> {
        (0..active.on.len()).filter(|&slot| active.on(slot)).collect()
    }

    /// A row of four bodies and a pair, all on the ground (slot 6, which never moves): only one end of the row moves.
    #[test]
    fn what_moves_and_its_neighbours_are_looked_at_then_all_that_is_connected() {
        let mut active = ActiveSet::default();
        active.begin(&[true, true, true, true, true, true, false]);
        (0..7).for_each(|slot| active.add(slot));
        assert_eq!(active.count, 6);
        let pairs = [[0, 1], [1, 2], [2, 3], [4, 5], [0, 6], [1, 6], [2, 6], [3, 6], [4, 6], [5, 6]];
        active.note([(0, 1.0)].into_iter().chain((1..6).map(|slot| (slot, 0.01))));
        assert_eq!(active.residual(), 1.0);
        assert!(active.narrow(0.5, pairs.into_iter(), std::iter::empty()));
        assert_eq!(looked_at(&active), [0, 1]);
        // Done there: the whole row counts, also where it has come apart since; the pair was done before.
        active.note([(0, 0.0), (1, 0.0)].into_iter());
        assert!(active.verify(pairs[1..].iter().copied()));
        assert_eq!(looked_at(&active), [0, 1, 2, 3]);
        assert!(!active.verify(pairs.into_iter()));
        // What is touched on the way belongs to it.
        assert!(active.verify(pairs.into_iter().chain([[3, 4]])));
        assert_eq!(looked_at(&active), [0, 1, 2, 3, 4, 5]);
    }

    /// Two chains and a body by itself: one link of the first chain touches something. The other links, which touch nothing, come along.
    #[test]
    fn what_is_jointed_is_looked_at_together() {
        let mut active = ActiveSet::default();
        active.begin(&[true, true, true, true, true, true, false]);
        let jointed = [[1, 0], [1, 2], [3, 4], [3, 6]];
        active.widen([[2, 6]].into_iter(), jointed.into_iter());
        assert_eq!((looked_at(&active), active.count), (vec![0, 1, 2], 3));
        active.widen([[5, 6], [0, 1]].into_iter(), jointed.into_iter());
        assert_eq!((looked_at(&active), active.count), (vec![0, 1, 2, 5], 4));
        // Left out and brought back, as from one pass of friction to the next.
        active.note([(5, 1.0)].into_iter());
        assert!(active.narrow(0.5, [[2, 6]].into_iter(), jointed.into_iter()));
        assert_eq!(looked_at(&active), [5]);
        active.widen([[2, 6]].into_iter(), jointed.into_iter());
        assert_eq!(looked_at(&active), [0, 1, 2, 5]);
    }
}
