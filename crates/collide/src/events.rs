//! Begin, persist and end of touching, per pair of shapes.

use drystone_model::{ContactEvent, Contacts};

use crate::pairs::pair_key;

/// Keys of the pairs with at least one manifold, ascending.
fn touching(contacts: &Contacts) -> impl Iterator<Item = u64> + '_ {
    let key = |m: usize| pair_key(contacts.manifold_shape0[m], contacts.manifold_shape1[m]);
    (0..contacts.manifold_count()).filter(move |&m| m == 0 || key(m) != key(m - 1)).map(key)
}

/// Fills `events` with what changed between two steps, sorted by pair.
pub(crate) fn events(last: &Contacts, now: &Contacts, events: &mut Vec<ContactEvent>) {
    events.clear();
    let mut old = touching(last).peekable();
    let mut new = touching(now).peekable();
    loop {
        let (key, was, is) = match (old.peek(), new.peek()) {
            (None, None) => return,
            (Some(&a), None) => (a, true, false),
            (None, Some(&b)) => (b, false, true),
            (Some(&a), Some(&b)) => (a.min(b), a <= b, b <= a),
        };
        let (shape0, shape1) = ((key >> 32) as u32, (key & 0xffff_ffff) as u32);
        events.push(match (was, is) {
            (true, true) => ContactEvent::Persist { shape0, shape1 },
            (true, false) => ContactEvent::End { shape0, shape1 },
            _ => ContactEvent::Begin { shape0, shape1 },
        });
        if was {
            old.next();
        }
        if is {
            new.next();
        }
    }
}
