//! Lagged Coulomb friction: normal loads, directions and points are those of an earlier iterate, so that friction
//! is the gradient of a work μ λ f(|slip|).
//!
//! The slip of a step adds to what earlier steps left, up to the slip at which friction has its full size: a spring
//! that gives way. What sticks comes to rest under a steady load instead of creeping on.

use drystone_model::{DMat3, DVec3, ModelMap};
use serde::{Deserialize, Serialize};

use super::affine::{Affine, Arm, Vec12, outer};
use super::barrier::{slip_ratio, slip_work};
use super::contact::{Contact, PairSystem};
use super::touch::Id;

/// Friction at a pair of points.
#[derive(Clone, Copy, Debug)]
pub struct Friction {
    pub slot: [u32; 2],
    pub shape: [u32; 2],
    pub arm: [Arm; 2],
    normal: DVec3,
    /// μ λ \[N\].
    load: f64,
    /// Slip left by earlier steps \[m\].
    held: DVec3,
    pub id: Id,
}

/// What contacts have slipped and not yet given way, by bodies and features in contact, sorted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    entries: Vec<Entry>,
}

/// What is remembered of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    slot: [u32; 2],
    id: Id,
    /// Where it was on the first body at rest \[m\].
    place: DVec3,
    /// How the first body has slipped against the second \[m\].
    slip: DVec3,
}

impl Entry {
    fn key(&self) -> ([u32; 2], Id) {
        (self.slot, self.id)
    }
}

impl Memory {
    /// What a contact has slipped before. Where its features were not in contact, others at the same place were: a corner that
    /// lay on a corner and now lies beside it.
    fn slip(&self, contact: &Contact, contact_distance: f64) -> DVec3 {
        let first = self.entries.partition_point(|entry| entry.slot < contact.slot);
        let of_bodies = self.entries[first..].partition_point(|entry| entry.slot == contact.slot);
        let known = &self.entries[first..first + of_bodies];
        if let Ok(same) = known.binary_search_by(|entry| entry.id.cmp(&contact.id)) {
            return known[same].slip;
        }
        let place = place(&contact.arm[0]);
        let distance = |entry: &&Entry| entry.place.distance(place);
        let nearest = known.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.filter(|entry| distance(entry) <= contact_distance).map_or(DVec3::ZERO, |entry| entry.slip)
    }

    /// Keeps what the frictions of a finished step hold.
    pub fn keep(&mut self, frictions: &[Friction], start: &[Affine], q: &[Affine], edge: f64) {
        self.entries.clear();
        self.entries.extend(frictions.iter().map(|friction| {
            let slip = friction.slip(start, q).clamp_length_max(edge) * sign(&friction.arm[0]);
            Entry { slot: friction.slot, id: friction.id, place: place(&friction.arm[0]), slip }
        }));
        self.entries.sort_unstable_by_key(Entry::key);
    }

    /// What goes on after an edit. Features have other numbers then: contacts are known by their place alone.
    pub fn edited(&self, map: &ModelMap) -> Self {
        let slot = |slot: u32| match map.body.now(slot as usize) {
            Some(now) => Some(now as u32),
            // The world has the slot behind the last body.
            None => (slot as usize == map.body.count_before()).then_some(map.body.count() as u32),
        };
        let moved = |entry: &Entry| {
            Some(Entry { slot: [slot(entry.slot[0])?, slot(entry.slot[1])?], id: [u32::MAX; 4], ..*entry })
        };
        let mut entries: Vec<Entry> = self.entries.iter().filter_map(moved).collect();
        entries.sort_by_key(Entry::key);
        Self { entries }
    }

    /// Forgets contacts of bodies that someone has moved.
    pub fn forget(&mut self, moved: impl Fn(u32) -> bool) {
        self.entries.retain(|entry| !entry.slot.iter().any(|&slot| moved(slot)));
    }
}

/// Whether a body is on the first or the second side of a contact: 1 or −1.
fn sign(arm: &Arm) -> f64 {
    arm[3]
}

/// The point of the rest shape an arm stands for \[m\].
fn place(arm: &Arm) -> DVec3 {
    DVec3::new(arm[0], arm[1], arm[2]) * sign(arm)
}

impl Friction {
    /// For a contact that pushes with `force` \[N\] at a coefficient of friction, whose first surface goes `belt` \[m\] further
    /// than the second beyond what their bodies do; what was in contact within `contact_distance` of it \[m\] is taken over.
    pub fn new(
        contact: &Contact,
        force: f64,
        coefficient: f64,
        belt: DVec3,
        memory: &Memory,
        contact_distance: f64,
    ) -> Self {
        Self {
            slot: contact.slot,
            shape: contact.shape,
            arm: contact.arm,
            normal: contact.normal,
            load: coefficient * force,
            held: (memory.slip(contact, contact_distance) + belt) * sign(&contact.arm[0]),
            id: contact.id,
        }
    }

    /// How the first point has slipped against the second since `start`, and before \[m\].
    #[inline(always)]
    fn slip(&self, start: &[Affine], q: &[Affine]) -> DVec3 {
        let moved = |k: usize| {
            let (slot, [x, y, z, w]) = (self.slot[k] as usize, self.arm[k]);
            let (from, to) = (&start[slot], &q[slot]);
            (to.linear - from.linear) * DVec3::new(x, y, z) + (to.position - from.position) * w
        };
        let total = moved(0) + moved(1) + self.held;
        total - self.normal * total.dot(self.normal)
    }

    /// Work done so far \[J\]; `edge` is the slip at which friction has its full size \[m\].
    pub fn energy(&self, start: &[Affine], q: &[Affine], edge: f64) -> f64 {
        self.load * slip_work(self.slip(start, q).length(), edge).value
    }

    /// The gradient of the work, along the slip \[N\].
    pub fn pull(&self, start: &[Affine], q: &[Affine], edge: f64) -> DVec3 {
        let slip = self.slip(start, q);
        self.load * slip_ratio(slip.length(), edge) * slip
    }

    /// Direction of the contact.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The slip after a step of the bodies, and whether a model with the second derivatives here, or with the parabola through the slip `about`,
    /// knows the force there to half of its full size \[m\].
    pub fn after(
        &self,
        start: &[Affine],
        q: &[Affine],
        edge: f64,
        step: [&Vec12; 2],
        about: Option<f64>,
    ) -> (f64, bool) {
        let here = self.slip(start, q);
        let moved = |k: usize| {
            let row = |r: usize| (0..4).map(|c| step[k][4 * r + c] * self.arm[k][c]).sum::<f64>();
            DVec3::new(row(0), row(1), row(2))
        };
        let moved = moved(0) + moved(1);
        let moved = moved - self.normal * moved.dot(self.normal);
        let (y, end) = (here.length(), here + moved);
        let modelled = match about {
            Some(about) => slip_ratio(about, edge) * end,
            None => {
                let (ratio, along) = (slip_ratio(y, edge), slip_work(y, edge).curvature);
                let unit = if y > 0.0 { here / y } else { DVec3::ZERO };
                ratio * end + unit * ((along - ratio) * unit.dot(moved))
            }
        };
        (end.length(), modelled.distance(slip_ratio(end.length(), edge) * end) <= 0.5)
    }

    /// Adds gradient and the second derivatives, which are positive semi-definite as they are; or those of the parabola that has the force at the
    /// slip `about` and is nowhere below the work \[m\].
    #[inline(always)]
    pub fn add_to(&self, start: &[Affine], q: &[Affine], edge: f64, about: Option<f64>, out: &mut PairSystem) {
        let slip = self.slip(start, q);
        let across = DMat3::IDENTITY - outer(self.normal, self.normal);
        if let Some(about) = about {
            let ratio = self.load * slip_ratio(about, edge);
            out.add_force(ratio * slip, &self.arm);
            out.add(&(across * ratio), &self.arm);
            return;
        }
        let y = slip.length();
        let (ratio, along) = (slip_ratio(y, edge), slip_work(y, edge).curvature);
        let mut block = across * ratio;
        if y > 0.0 {
            block += outer(slip, slip) * ((along - ratio) / (y * y));
        }
        out.add_force(self.load * ratio * slip, &self.arm);
        out.add(&(block * self.load), &self.arm);
    }
}

#[cfg(test)]
mod tests {
    use drystone_model::DQuat;

    use super::super::affine::arm;
    use super::*;

    fn rub() -> (Friction, Vec<Affine>) {
        let arms = [arm(1.0, DVec3::new(0.3, -0.2, 0.5)), arm(-1.0, DVec3::new(-0.1, 0.4, 0.2))];
        let normal = DVec3::new(0.2, -0.3, 0.9).normalize();
        let friction =
            Friction { slot: [0, 1], shape: [0, 1], arm: arms, normal, load: 7.0, held: DVec3::ZERO, id: [0; 4] };
        let place = |k: f64| Affine::rigid(DVec3::new(k, 0.1, -k), DQuat::from_rotation_x(k));
        (friction, vec![place(0.2), place(0.5)])
    }

    /// The slip after a step is that of bodies that have taken it, and steps that change no force are known.
    #[test]
    fn the_slip_after_a_step_is_that_of_bodies_which_took_it() {
        let ((friction, start), edge) = (rub(), 1e-3);
        for (size, stays) in [(1e-5, true), (0.5, false)] {
            let step: [Vec12; 2] =
                [0, 1].map(|k| std::array::from_fn(|i| size * (1.3 * i as f64 + 2.0 * f64::from(k)).sin()));
            let mut moved = start.clone();
            for k in 0..2 {
                let q = moved[k].to_array();
                moved[k] = Affine::from_array(&std::array::from_fn(|i| q[i] + step[k][i]));
            }
            let (end, known) = friction.after(&start, &start, edge, [&step[0], &step[1]], None);
            assert!((end - friction.slip(&start, &moved).length()).abs() < 1e-14);
            assert_eq!(known, stays, "{size}");
            // The parabola through where it ends has the force there.
            assert!(friction.after(&start, &start, edge, [&step[0], &step[1]], Some(end)).1);
        }
    }

    /// It has the slope of the work at the slip it goes through, and lies nowhere below it.
    #[test]
    fn the_parabola_through_a_slip_is_nowhere_below_the_work() {
        let edge = 1e-3;
        for about in [1e-4, 9e-4, 3e-3, 0.2] {
            let ratio = slip_ratio(about, edge);
            assert!((ratio * about - slip_work(about, edge).slope).abs() < 1e-12);
            for y in (0..400).map(|k| 1e-5 * f64::from(k) * f64::from(k)) {
                let above = 0.5 * ratio * (y * y - about * about) + slip_work(about, edge).value;
                assert!(above >= slip_work(y, edge).value - 1e-15, "{about} {y}");
            }
        }
    }
}
