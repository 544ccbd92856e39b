//! Which bodies hang together.

use drystone::model::{BodyKind, WORLD};

use crate::moment::Moment;

/// Nobody's group.
pub const NONE: u16 = u16::MAX;

/// For every body the number of its island: of all it is connected with by joints and by contacts that push. Numbers count from the
/// first body on; those beyond what 16 bits hold begin anew.
pub fn islands(moment: &Moment<'_>) -> Vec<u16> {
    let model = moment.model;
    let moves = |body: usize| model.body_kind[body] == BodyKind::Dynamic;
    let mut leader: Vec<u32> = (0..model.body_count() as u32).collect();
    let mut join = |a: u32, b: u32| {
        if a == WORLD || b == WORLD || !moves(a as usize) || !moves(b as usize) {
            return;
        }
        let (a, b) = (find(&mut leader, a), find(&mut leader, b));
        leader[a.max(b) as usize] = a.min(b);
    };
    for (joint, (&parent, &child)) in model.joint_parent.iter().zip(&model.joint_child).enumerate() {
        if moment.state.joint_intact.get(joint).copied().unwrap_or(true) {
            join(parent, child);
        }
    }
    for contact in moment.contacts().iter().filter(|contact| contact.force != Default::default()) {
        let [a, b] = contact.body.map(|body| moment.frame_index(body));
        if a >= 0 && b >= 0 {
            join(a as u32, b as u32);
        }
    }
    let mut number = vec![NONE; model.body_count()];
    let mut next = 0u16;
    for body in 0..model.body_count() {
        if moves(body) {
            let first = find(&mut leader, body as u32) as usize;
            if first == body {
                number[body] = next;
                next = (next + 1) % NONE;
            }
            number[body] = number[first];
        }
    }
    number
}

fn find(leader: &mut [u32], mut body: u32) -> u32 {
    while leader[body as usize] != body {
        leader[body as usize] = leader[leader[body as usize] as usize];
        body = leader[body as usize];
    }
    body
}

/// For every body the colour it has in the sweeps of the solver; none where the solver does not sweep by colours.
pub fn colors(moment: &Moment<'_>) -> Vec<u16> {
    let told = moment.sim.and_then(|sim| sim.solver().body_colors());
    let told = told.filter(|colors| colors.len() == moment.model.body_count());
    let color = |&color: &u32| u16::try_from(color).unwrap_or(NONE);
    told.map_or_else(|| vec![NONE; moment.model.body_count()], |colors| colors.iter().map(color).collect())
}
