//! Contacts of particles: points of the mesh that keep to one side of a plane, which a body or other particles carry; and bonds, which
//! hold a point where a body is.
//!
//! A point is a weighted sum of at most four particles. Against a body the weights sum to one; against other particles those of the
//! other side are negative. The force follows the law of the rigid contacts: a multiplier kept from step to step and a penalty beside
//! it, and Coulomb's cone.

use drystone_geometry::{DMat3, DVec3};
use drystone_solve::parallel;
use serde::{Deserialize, Serialize};

use crate::convert::outer;

/// Share of an overlap at the start of a step that is taken back in it.
const RECOVERED: f64 = 0.1;
/// The same among particles, whose nearest points jump along edges.
const RECOVERED_AMONG: f64 = 0.02;
/// Firmness of a penalty beside the inertia of its particles. Beside its share of a body it is one: a firmer one would part the system from
/// the matrix that its solve is led by, in which bodies stand still.
const FIRM: f64 = 10.0;
/// The same of contacts among particles.
const FIRM_AMONG: f64 = 2.0;
/// Times the force that stops particles in a step which a contact among them may have.
const TURNED_BACK: f64 = 2.0;
/// Share of the way that a bond is open at the start of a step that is taken back in it.
const DRAWN: f64 = 0.5;
/// Part of the change of its force that the multiplier of a bond follows, as with elements.
const GAIN: f64 = 0.6;
/// Loads are held by a penalty that they shift by this share of the fall of a step.
const LOAD_SHIFT: f64 = 0.5;

/// What a point touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Slot of the body, or none: other particles.
    pub body: Option<u32>,
    /// From the body's centre of mass to the point at the start of the step \[m\].
    pub lever: DVec3,
    /// How far the body carries its side in this step \[m\].
    pub carried: DVec3,
    /// How far a conveyor belt carries its surface beyond that \[m\].
    pub belt: DVec3,
}

/// What makes a bond of a contact: the point is held from all sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// From where it is held to the point, at the start of the step \[m\].
    pub offset: DVec3,
    /// How far the body carries its side beyond what its displacement says to first order: where its turn leads \[m\]. Of the last
    /// sweep; in the next one it stays.
    pub bend: DVec3,
    /// Most of the offset that is taken back in a step if the bond is hard \[m\].
    pub most: f64,
}

impl Bond {
    /// Offset that the law sees if nothing moves \[m\].
    fn open(&self, hard: bool) -> DVec3 {
        let share = if hard { DRAWN.min(self.most / self.offset.length()) } else { 1.0 };
        // Nothing open: the share is not a number.
        if share.is_nan() { -self.bend } else { share * self.offset - self.bend }
    }
}

/// A contact.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// What it is known by from step to step: kind, then particles and shape by the model's index.
    pub key: [u32; 5],
    /// Particles by the mesh's index, and their weights; unused ones have none.
    pub particle: [u32; 4],
    /// See `particle`.
    pub weight: [f64; 4],
    /// What it touches.
    pub ground: Ground,
    /// Holds the point from all sides; the normal and friction do not count then, and the multiplier is all in `tangent`.
    pub bond: Option<Bond>,
    /// Away from what is touched.
    pub normal: DVec3,
    /// Gap at the start of the step, from the plane \[m\].
    pub gap: f64,
    /// Overlap at the start of the step \[m\]: how much of it is taken back is another matter than where the plane is.
    pub overlap: f64,
    /// Coefficients of friction while sticking and while sliding.
    pub friction: [f64; 2],
    /// \[N/m\]; infinite means hard.
    pub stiffness: f64,
    /// Damping over the length of the step \[N/m\]: acts while a contact of finite stiffness closes.
    pub viscous: f64,
    /// Penalty \[N/m\].
    pub penalty: f64,
    /// Force kept from step to step \[N\]: along the normal, and across.
    pub multiplier: f64,
    /// See `multiplier`.
    pub tangent: DVec3,
    /// Whether it stuck when last looked at.
    pub stuck: bool,
    /// How far its sides would come toward each other in the step \[m\].
    pub approach: f64,
    /// Largest force along the normal \[N\].
    most: f64,
    /// Whether it touches a body that does not move by forces.
    pub(crate) fixed: bool,
    /// Weighted place at the start of the step \[m\].
    start: DVec3,
    /// Force on the point where the particles were last \[N\], and how it grows against it \[N/m\].
    force: DVec3,
    slope: [f64; 2],
    cone: f64,
    /// Whether it closed when last looked at.
    closing: bool,
}

/// What is kept of a contact from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TouchMemory {
    /// See [`Touch::key`].
    pub key: [u32; 5],
    /// Force along the normal \[N\].
    pub normal: f64,
    /// Force across it \[N\].
    pub tangent: [f64; 3],
    /// Whether it stuck.
    pub stuck: bool,
}

impl Touch {
    /// A contact of one particle with a body.
    pub fn with_body(particle: u32, ground: Ground, normal: DVec3, gap: f64) -> Self {
        Self::new([particle, 0, 0, 0], [1.0, 0.0, 0.0, 0.0], ground, normal, gap)
    }

    /// A contact of a weighted point.
    pub fn new(particle: [u32; 4], weight: [f64; 4], ground: Ground, normal: DVec3, gap: f64) -> Self {
        Self {
            key: [0; 5],
            particle,
            weight,
            ground,
            bond: None,
            normal,
            gap,
            overlap: (-gap).max(0.0),
            friction: [0.0; 2],
            stiffness: f64::INFINITY,
            viscous: 0.0,
            closing: false,
            penalty: 0.0,
            multiplier: 0.0,
            tangent: DVec3::ZERO,
            stuck: true,
            approach: 0.0,
            most: f64::INFINITY,
            fixed: false,
            start: DVec3::ZERO,
            force: DVec3::ZERO,
            slope: [0.0; 2],
            cone: 0.0,
        }
    }

    /// Holds a particle at a body.
    pub fn bound(particle: u32, ground: Ground, bond: Bond, stiffness: f64) -> Self {
        Self { bond: Some(bond), stiffness, ..Self::with_body(particle, ground, DVec3::Z, 0.0) }
    }

    /// Weight of a corner, if the contact is one with other particles.
    fn tied_weight(&self, corner: u8) -> f64 {
        if self.ground.body.is_none() { self.weight[usize::from(corner)].abs() } else { 0.0 }
    }

    /// Particles that have a weight.
    pub fn corners(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.particle.into_iter().zip(self.weight).filter(|&(_, weight)| weight != 0.0)
    }

    /// Force on the point \[N\]; what is touched feels the opposite.
    pub fn force(&self) -> DVec3 {
        self.force
    }

    /// How the force grows against a motion of the point \[N/m\].
    pub fn stiffness_block(&self) -> DMat3 {
        let [along, across] = self.slope;
        DMat3::from_diagonal(DVec3::splat(across)) + outer(self.normal, self.normal, along - across)
    }

    /// Motion of the point against what it touches since the start of the step \[m\].
    fn moved(&self, x: &[DVec3]) -> DVec3 {
        let now: DVec3 = self.corners().map(|(particle, weight)| weight * x[particle as usize]).sum();
        now - self.start - self.ground.carried
    }

    /// Gap that the law sees \[m\]: of an overlap, the part that is taken back.
    fn gap_after(&self, moved: DVec3) -> f64 {
        let recovered = if self.ground.body.is_some() { RECOVERED } else { RECOVERED_AMONG };
        let left = if self.stiffness.is_infinite() { (1.0 - recovered) * self.overlap } else { 0.0 };
        self.gap + left + self.normal.dot(moved)
    }

    /// Force along the normal before it is cut at zero \[N\], and how it grows \[N/m\].
    fn normal_force(&self, moved: DVec3) -> (f64, f64) {
        let (elastic, slope) = self.elastic_force(moved);
        if !self.closing {
            return (elastic, slope);
        }
        (elastic - self.viscous * self.normal.dot(moved), slope + self.viscous)
    }

    /// The same without damping.
    fn elastic_force(&self, moved: DVec3) -> (f64, f64) {
        let share = self.share();
        let slope = share * self.penalty;
        (share * self.multiplier - slope * self.gap_after(moved), slope)
    }

    /// Part of the penalty that is felt: it acts in series with the stiffness.
    fn share(&self) -> f64 {
        if self.stiffness.is_finite() { self.stiffness / (self.stiffness + self.penalty) } else { 1.0 }
    }

    /// Force of a bond \[N\], and how it grows \[N/m\].
    fn bond_force(&self, bond: &Bond, moved: DVec3) -> (DVec3, f64) {
        let share = self.share();
        let slope = share * self.penalty;
        (share * self.tangent - slope * (bond.open(self.stiffness.is_infinite()) + moved), slope)
    }

    /// Friction before it is cut at the cone \[N\].
    fn friction_wanted(&self, moved: DVec3) -> DVec3 {
        let slip = moved - self.ground.belt;
        self.tangent - self.penalty * (slip - self.normal * self.normal.dot(slip))
    }

    fn linearise(&mut self, x: &[DVec3]) {
        let moved = self.moved(x);
        if let Some(bond) = &self.bond {
            let (force, slope) = self.bond_force(bond, moved);
            (self.force, self.slope) = (force, [slope; 2]);
            return;
        }
        if self.viscous > 0.0 {
            self.closing = self.elastic_force(moved).0 > 0.0 && self.normal.dot(moved) < 0.0;
        }
        let (normal, slope) = self.normal_force(moved);
        if normal <= 0.0 {
            (self.force, self.slope, self.cone) = (DVec3::ZERO, [0.0; 2], 0.0);
            self.stuck = true;
            return;
        }
        let share = if normal > self.most { self.most / normal } else { 1.0 };
        let (normal, slope) = (share * normal, share * slope);
        let wanted = self.friction_wanted(moved);
        let [held, sliding] = self.friction;
        let size = wanted.length();
        self.cone = normal * if self.stuck { held } else { sliding };
        self.stuck = size <= self.cone;
        if !self.stuck {
            self.cone = normal * sliding;
        }
        let share = if size > self.cone { self.cone / size } else { 1.0 };
        self.slope = [slope, share * self.penalty];
        self.force = normal * self.normal + share * wanted;
    }

    fn energy(&self, x: &[DVec3]) -> f64 {
        let moved = self.moved(x);
        if let Some(bond) = &self.bond {
            let (force, slope) = self.bond_force(bond, moved);
            return 0.5 * force.length_squared() / slope;
        }
        let (normal, slope) = self.normal_force(moved);
        let bounded = normal.min(self.most);
        let pressed = if normal > 0.0 { bounded * (normal - 0.5 * bounded) / slope } else { 0.0 };
        let size = self.friction_wanted(moved).length();
        let rubbed = if size <= self.cone { 0.5 * size * size } else { self.cone * (size - 0.5 * self.cone) };
        pressed + if self.cone > 0.0 { rubbed / self.penalty } else { 0.0 }
    }

    fn update_multiplier(&mut self, x: &[DVec3]) {
        if self.bond.is_some() {
            self.tangent += GAIN * (self.force - self.tangent);
            return;
        }
        // Damping has no memory.
        let damped = if self.closing { -self.viscous * self.normal.dot(self.moved(x)) } else { 0.0 };
        self.multiplier = (self.normal.dot(self.force) - damped).max(0.0);
        self.tangent = self.force - self.normal * self.normal.dot(self.force);
    }
}

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

/// What penalties go by.
pub struct Scale<'a> {
    /// Mass of every particle, by the mesh's index \[kg\].
    pub mass: &'a [f64],
    /// Mass of the piece of every particle, likewise \[kg\], and whether something holds it that does not move by forces.
    pub piece: &'a [(f64, bool)],
    /// Particles that move.
    pub free: usize,
    /// Acceleration that turns a load into a mass \[m/s²\].
    pub gravity: f64,
    /// Length of the step \[s\].
    pub h: f64,
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
        let firmness = |touch: &Touch| {
            let crowd = crowd(touch);
            (penalty(touch, scale, share(touch.ground.body), crowd), most(touch, scale, crowd))
        };
        let firmness: Vec<(f64, f64)> = self.all.iter().map(firmness).collect();
        for (touch, (penalty, most)) in self.all.iter_mut().zip(firmness) {
            (touch.penalty, touch.most) = (penalty, most);
        }
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

    /// Energy where the particles are, cones as they were last worked out \[J\].
    pub(crate) fn energy(&self, x: &[DVec3]) -> f64 {
        self.all.iter().map(|touch| touch.energy(x)).sum()
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

/// What a contact among particles may carry: enough to turn them back, and twice the load it has. Particles jammed between others
/// cannot get where the contact wants them, and its multiplier must not grow for it.
fn most(touch: &Touch, scale: &Scale, crowd: f64) -> f64 {
    if touch.ground.body.is_some() {
        return f64::INFINITY;
    }
    let fall = scale.gravity * scale.h * scale.h;
    let turned = TURNED_BACK * own_mass(touch, scale) * (touch.approach.max(0.0) + fall) / (crowd * scale.h * scale.h);
    2.0 * touch.multiplier + turned
}

/// Mass that the particles of a contact set against it \[kg\]; none if they are pinned.
fn own_mass(touch: &Touch, scale: &Scale) -> f64 {
    let moving = |(particle, weight): (u32, f64)| match (particle as usize) < scale.free {
        true => weight * weight / scale.mass[particle as usize],
        false => 0.0,
    };
    let mobility: f64 = touch.corners().map(moving).sum();
    if mobility > 0.0 { 1.0 / mobility } else { 0.0 }
}

/// Mass that a contact stops beside its own particles \[kg\]: its share of the body. A bond to what does not move holds the whole piece, as
/// a pin would; one to a heavy body takes a piece that floats along and need be no firmer than the piece is heavy.
fn stopped(touch: &Touch, scale: &Scale, body_share: f64) -> f64 {
    let free = |&(particle, _): &(u32, f64)| (particle as usize) < scale.free;
    let Some((particle, _)) = touch.corners().find(free).filter(|_| touch.bond.is_some()) else { return body_share };
    let (mass, held) = scale.piece[particle as usize];
    match (touch.fixed, held) {
        (true, _) => mass,
        (false, true) => body_share,
        (false, false) => body_share.min(mass),
    }
}

/// Firm enough to stop its own particles and its share of the body in a step, and for a load to shift it by a part of a fall only.
fn penalty(touch: &Touch, scale: &Scale, body_share: f64, crowd: f64) -> f64 {
    let own = own_mass(touch, scale);
    // Contacts among particles share the inertia out: the matrix bounds each from above, and must not part from the system.
    let firm = if touch.ground.body.is_some() { FIRM } else { FIRM_AMONG / crowd };
    let inertia = (firm * own).max(stopped(touch, scale, body_share)) / (scale.h * scale.h);
    let fall = scale.gravity * scale.h * scale.h;
    let carried = if touch.bond.is_some() { touch.tangent.length() } else { touch.multiplier };
    let load = if fall > 0.0 { carried / (LOAD_SHIFT * fall) } else { 0.0 };
    inertia.max(load).max(f64::MIN_POSITIVE)
}
