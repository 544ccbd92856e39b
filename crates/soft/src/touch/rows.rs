//! The contacts of a step by the particles that have them.

use drystone_geometry::{DMat3, DVec3};
use drystone_solve::parallel;

use super::firmness::{Scale, penalty, recovered};
use super::{Touch, TouchMemory};

/// All contacts of a step, and where each particle has some.
#[derive(Clone, Debug, Default)]
pub struct Touches {
    all: Vec<Touch>,
    /// Contacts of every particle that moves, and its place in each.
    start: Vec<u32>,
    of_row: Vec<(u32, u8)>,
    memory: Vec<TouchMemory>,
    /// Those between particles, whose forces tie rows that share no element.
    ties: bool,
}

impl Touches {
    /// The contacts of a step that begins with the particles at `x`. Loads come from the step before.
    pub fn begin(
        &mut self,
        touches: impl Iterator<Item = Touch>,
        x: &[DVec3],
        scale: &Scale,
        body_mass: &dyn Fn(u32) -> f64,
    ) {
        self.all.clear();
        self.all.extend(touches);
        self.all.sort_by_key(|touch| touch.key);
        let mut count: Vec<(u32, u32)> =
            self.all.iter().filter_map(|touch| touch.ground.body).map(|body| (body, 1)).collect();
        count.sort_unstable();
        count.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        let share = |body: Option<u32>| {
            let Some(body) = body else { return 0.0 };
            let found = count.binary_search_by_key(&body, |&(body, _)| body).map_or(1, |at| count[at].1);
            body_mass(body) / f64::from(found)
        };
        let Self { all, memory, .. } = self;
        parallel::each(all, |_, touch| {
            touch.start = touch.corners().map(|(particle, weight)| weight * x[particle as usize]).sum();
            if let Ok(at) = memory.binary_search_by_key(&touch.key, |memory| memory.key) {
                let TouchMemory { normal, tangent, stuck, .. } = memory[at];
                let tangent = DVec3::from_array(tangent);
                let along = if touch.bond.is_some() { DVec3::ZERO } else { touch.normal * touch.normal.dot(tangent) };
                touch.multiplier = normal;
                touch.tangent = tangent - along;
                touch.stuck = stuck;
            }
        });
        for touch in &mut self.all {
            touch.fixed = touch.ground.body.is_some_and(|body| body_mass(body) == 0.0);
            touch.recovered = recovered(touch, scale);
        }
        self.list(scale.free);
        let crowd = |touch: &Touch| {
            let at = |(particle, _): (u32, f64)| match (particle as usize) < scale.free {
                true => self
                    .row(particle as usize)
                    .iter()
                    .map(|&(other, corner)| self.all[other as usize].tied_weight(corner))
                    .sum(),
                false => 0.0,
            };
            touch.corners().map(at).fold(1.0, f64::max)
        };
        let firmness = |touch: &Touch| penalty(touch, scale, share(touch.ground.body), crowd(touch));
        let firmness: Vec<f64> = self.all.iter().map(firmness).collect();
        self.all.iter_mut().zip(firmness).for_each(|(touch, penalty)| touch.penalty = penalty);
    }

    /// Lists contacts by row.
    fn list(&mut self, free: usize) {
        let Self { all, start, of_row, .. } = self;
        start.clear();
        start.resize(free + 1, 0);
        for touch in all.iter() {
            for (particle, _) in touch.corners().filter(|&(particle, _)| (particle as usize) < free) {
                start[particle as usize + 1] += 1;
            }
        }
        for row in 0..free {
            start[row + 1] += start[row];
        }
        of_row.clear();
        of_row.resize(start[free] as usize, (0, 0));
        let mut next = start.clone();
        for (index, touch) in (0..).zip(all.iter()) {
            for corner in
                (0..4).filter(|&corner| touch.weight[corner] != 0.0 && (touch.particle[corner] as usize) < free)
            {
                let slot = &mut next[touch.particle[corner] as usize];
                of_row[*slot as usize] = (index, corner as u8);
                *slot += 1;
            }
        }
        self.ties = self.all.iter().any(|touch| touch.corners().count() > 1);
    }

    /// All contacts.
    pub fn all(&self) -> &[Touch] {
        &self.all
    }

    /// Tells how far bodies carry their sides, by slot and lever, to first order in their displacement and beyond \[m\].
    pub fn carry(&mut self, carried: impl Fn(u32, DVec3) -> DVec3 + Sync, bend: impl Fn(u32, DVec3) -> DVec3 + Sync) {
        parallel::each(&mut self.all, |_, touch| {
            if let Some(body) = touch.ground.body {
                touch.ground.carried = carried(body, touch.ground.lever);
                if let Some(bond) = &mut touch.bond {
                    bond.bend = bend(body, touch.ground.lever);
                }
            }
        });
    }

    /// The same where `carried` knows.
    pub(crate) fn carry_all(&mut self, carried: impl Fn(&Touch) -> Option<DVec3> + Sync) {
        parallel::each(&mut self.all, |_, touch| {
            if let Some(carried) = carried(touch) {
                touch.ground.carried = carried;
            }
        });
    }

    /// Works out all forces where the particles are.
    pub fn linearise(&mut self, x: &[DVec3]) {
        parallel::each(&mut self.all, |_, touch| touch.linearise(x));
    }

    fn row(&self, row: usize) -> &[(u32, u8)] {
        if self.all.is_empty() {
            return &[];
        }
        &self.of_row[self.start[row] as usize..self.start[row + 1] as usize]
    }

    /// Adds to the block of a particle what its contacts resist with, and as much again as they tie it to others: the matrix then
    /// bounds them from above, and what is too much is taken off in products with it.
    pub(crate) fn add_block(&self, row: usize, block: &mut DMat3) {
        for &(touch, corner) in self.row(row) {
            let touch = &self.all[touch as usize];
            let whole: f64 = touch.weight.iter().map(|weight| weight.abs()).sum();
            *block += touch.stiffness_block() * (touch.weight[usize::from(corner)].abs() * whole);
        }
    }

    /// Adds to a product of the matrix and `x` what the blocks on the diagonal have too much.
    pub(crate) fn correct_product(&self, x: &[DVec3], out: &mut [DVec3]) {
        if !self.ties {
            return;
        }
        parallel::each(out, |row, out| {
            for &(touch, corner) in self.row(row) {
                let touch = &self.all[touch as usize];
                let own = touch.weight[usize::from(corner)];
                let whole: f64 = touch.weight.iter().map(|weight| weight.abs()).sum();
                let moved =
                    |(particle, weight): (u32, f64)| weight * x.get(particle as usize).copied().unwrap_or_default();
                let point: DVec3 = touch.corners().map(moved).sum();
                *out += touch.stiffness_block() * (own * point - own.abs() * whole * x[row]);
            }
        });
    }

    /// Adds minus the forces on a particle.
    pub(crate) fn add_gradient(&self, row: usize, gradient: &mut DVec3) {
        for &(touch, corner) in self.row(row) {
            let touch = &self.all[touch as usize];
            *gradient -= touch.weight[usize::from(corner)] * touch.force;
        }
    }

    /// Force on a particle with all particles at `x` \[N\], and how it grows against a motion of that one at most, others of the contact
    /// moving too \[N/m\].
    pub(crate) fn at_row(&self, row: usize, x: &[DVec3]) -> (DVec3, DMat3) {
        let mut sum = (DVec3::ZERO, DMat3::ZERO);
        for &(touch, corner) in self.row(row) {
            let mut touch = self.all[touch as usize];
            let own = touch.weight[usize::from(corner)];
            touch.linearise(x);
            sum.0 += touch.force * own;
            let whole: f64 = touch.weight.iter().map(|weight| weight.abs()).sum();
            sum.1 += touch.stiffness_block() * (own.abs() * whole);
        }
        sum
    }

    /// Calls `each` with every contact and its energy where the particles are, cones as they were last worked out \[J\].
    pub(crate) fn each_energy(&self, x: &[DVec3], mut each: impl FnMut(&Touch, f64)) {
        self.all.iter().for_each(|touch| each(touch, touch.energy(x)));
    }

    /// How far overlaps among particles are taken back in the step \[m\].
    pub(crate) fn each_recovery(&self, mut each: impl FnMut(&Touch, f64)) {
        let among = self.all.iter().filter(|touch| touch.ground.body.is_none() && touch.overlap > 0.0);
        among.for_each(|touch| each(touch, touch.recovered * touch.overlap));
    }

    /// Calls `each` with contacts among particles and the work that they do while parting, as far as `most` says at most \[J\].
    pub(crate) fn each_parting(&self, x: &[DVec3], most: impl Fn(&Touch) -> f64, mut each: impl FnMut(&Touch, f64)) {
        let among = self.all.iter().filter(|touch| touch.ground.body.is_none());
        among.for_each(|touch| each(touch, touch.parting(x, most(touch))));
    }

    /// Moves the multipliers to the forces where the particles are.
    pub(crate) fn update_multipliers(&mut self, x: &[DVec3]) {
        parallel::each(&mut self.all, |_, touch| {
            touch.linearise(x);
            touch.update_multiplier(x);
        });
    }

    /// Keeps what contacts carry for the next step.
    pub fn keep(&mut self) {
        let Self { all, memory, .. } = self;
        memory.clear();
        let loaded = |touch: &&Touch| touch.multiplier > 0.0 || touch.bond.is_some();
        memory.extend(all.iter().filter(loaded).map(|touch| TouchMemory {
            key: touch.key,
            normal: touch.multiplier,
            tangent: touch.tangent.to_array(),
            stuck: touch.stuck,
        }));
    }

    /// Forgets what contacts carried.
    pub fn forget(&mut self) {
        self.memory.clear();
        self.all.iter_mut().for_each(|touch| (touch.multiplier, touch.tangent) = (0.0, DVec3::ZERO));
    }

    /// What is kept of the step before.
    pub fn memory(&self) -> &[TouchMemory] {
        &self.memory
    }

    /// Puts back what was kept, in the order of the keys.
    pub fn remember(&mut self, memory: Vec<TouchMemory>) {
        self.memory = memory;
    }

    /// Deepest overlap where the particles are \[m\].
    pub fn deepest(&self, x: &[DVec3]) -> f64 {
        let [deepest] = parallel::largest(self.all.len(), |index| {
            let touch = &self.all[index];
            let overlap = -(touch.gap + touch.normal.dot(touch.moved(x)));
            [if touch.bond.is_some() { 0.0 } else { overlap }]
        });
        deepest
    }
}
