//! Which bodies an iteration looks at. Newton's method soon leaves most of a scene where it is, while an impact somewhere
//! needs many iterations: those look at the bodies that still move and their neighbours alone. Before a step is said to
//! have converged, everything connected to what was looked at is looked at once more, all together.

use super::contact::Contact;

/// Bodies whose step is below this share of the tolerance are left where they are.
const STILL: f64 = 0.1;

/// The bodies looked at, and what is known of the others.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// Bodies that can move at all.
    moves: Vec<bool>,
    on: Vec<bool>,
    count: usize,
    /// How far Newton's step last moved every body \[m\].
    moved: Vec<f64>,
    /// Looked at since all bodies were that are connected to it.
    open: Vec<bool>,
}

impl Focus {
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

    /// The longest step \[m\].
    pub fn residual(&self) -> f64 {
        self.moved.iter().fold(0.0, |most, &moved| most.max(moved))
    }

    /// Looks at all bodies in contact besides.
    pub fn widen(&mut self, contacts: &[Contact]) {
        contacts.iter().for_each(|contact| contact.slot.iter().for_each(|&slot| self.add(slot as usize)));
    }

    /// Leaves bodies out that hardly move and touch none that does. Returns whether anything changed.
    pub fn narrow(&mut self, tolerance: f64, contacts: &[Contact]) -> bool {
        let lively: Vec<bool> = self.moved.iter().map(|&moved| moved > STILL * tolerance).collect();
        let mut next = lively.clone();
        for contact in contacts.iter().filter(|c| c.slot.iter().any(|&slot| lively[slot as usize])) {
            contact.slot.iter().for_each(|&slot| next[slot as usize] = self.moves[slot as usize]);
        }
        self.look_at(next)
    }

    /// Looks at all that is connected to what was looked at since the last time. Returns whether that is anything more.
    pub fn verify<'a>(&mut self, contacts: impl Iterator<Item = &'a Contact>) -> bool {
        let both_move = |pair: &[u32; 2]| pair.iter().all(|&slot| self.moves[slot as usize]);
        let mut pairs: Vec<[u32; 2]> = contacts.map(|contact| contact.slot).filter(both_move).collect();
        pairs.dedup();
        let mut next: Vec<bool> = self.on.iter().zip(&self.open).map(|(on, open)| *on || *open).collect();
        spread(&mut next, &pairs);
        let more = self.look_at(next);
        self.open.fill(false);
        more
    }

    fn look_at(&mut self, next: Vec<bool>) -> bool {
        let changed = next != self.on;
        if changed {
            self.open.iter_mut().zip(&self.on).for_each(|(open, on)| *open |= on);
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
fn spread(marked: &mut [bool], pairs: &[[u32; 2]]) {
    loop {
        let mut changed = false;
        for pair in pairs.iter().map(|pair| pair.map(|slot| slot as usize)) {
            let any = marked[pair[0]] || marked[pair[1]];
            changed |= any && !(marked[pair[0]] && marked[pair[1]]);
            if any {
                (marked[pair[0]], marked[pair[1]]) = (true, true);
            }
        }
        if !changed {
            break;
        }
    }
}
