//! Too few iterations cost accuracy, never energy: what the impulses of a substep may do to each island.
//!
//! Impulses p change the kinetic energy of the free motion by ½ pᵀA p + pᵀJ V*. With what springs store and what the rows want
//! besides zero, that is `f(t p) = t l + ½ t² c` for any multiple t of them, zero without impulses and below zero at the
//! solution. Unconverged impulses may end above zero: those remembered from before a blow, Nesterov's sequence on its way,
//! friction that follows the normal impulses of an iteration. Over some substeps that evens out, as what one takes too much
//! the next gives back. So every body keeps an account of what was taken of late, and impulses are scaled down where they
//! would give an island more than that. Any scale of them keeps to all bounds and cones, and to momentum.

use drystone_kernels::double::math::Vec6;

use super::bodies::Body;
use super::islands::Islands;
use super::layout::Layout;
use super::spec::RowSpec;

/// Share of an account that is left for the next substep: half of it for 140, about seventeen steps. It fades, so that nothing is
/// answered with what was taken long ago. Much faster is worse than no account at all: with 0.8 a stack of ten hops,
/// as what it may bounce by is spent and gathered in turns (drift 16 mm instead of 3 mm in ten seconds).
const KEPT: f64 = 0.995;

/// The accounts of all bodies.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    /// Energy that impulses took of every body in the last substeps and may give back \[J\].
    pub reserve: Vec<f64>,
    /// Bodies that somebody moved or pushed before this substep: what was taken from their islands belongs to another motion.
    pub struck: Vec<bool>,
    island: Vec<Island>,
}

/// What the impulses on an island do.
#[derive(Clone, Copy, Debug, Default)]
struct Island {
    /// l: work of the impulses at the free velocities, and on what the rows want besides zero \[J\].
    linear: f64,
    /// c: twice the energy of the impulses alone \[J\].
    curvature: f64,
    reserve: f64,
    mass: f64,
    scale: f64,
}

/// A substep after its iterations.
#[derive(Clone, Copy, Debug)]
pub struct Solved<'a> {
    /// Bodies at the start.
    pub bodies: &'a [Body],
    /// Masses of all bodies \[kg\].
    pub mass: &'a [f64],
    /// The groups.
    pub layout: &'a Layout,
    /// Who hangs together.
    pub islands: &'a Islands,
    /// Rows with their impulses.
    pub rows: &'a [RowSpec],
    /// Sum of the impulses on every body.
    pub wrench: &'a [Vec6],
    /// What they change of its velocity.
    pub change: &'a [Vec6],
}

impl Accounts {
    /// Empty accounts.
    pub fn new(bodies: usize) -> Self {
        Self { reserve: vec![0.0; bodies], struck: vec![false; bodies], island: Vec::new() }
    }

    /// Books a substep and finds the scale of the impulses that every island may take; `work` are the constraints outside
    /// of the rows that want something besides zero, with their bodies and impulses times that. Returns whether any
    /// scale is less than one.
    pub fn settle(&mut self, solved: &Solved, work: &[([u32; 2], f64)]) -> bool {
        let Self { reserve, struck, island } = self;
        island.clear();
        island.resize(solved.bodies.len(), Island::default());
        add_bodies(island, reserve, solved);
        for body in (0..struck.len()).filter(|&body| std::mem::take(&mut struck[body])) {
            island[solved.islands.leader(body)].reserve = 0.0;
        }
        add_rows(island, solved);
        for &(body, work) in work {
            if let Some(leader) = solved.islands.of(solved.layout, body) {
                island[leader].linear += work;
            }
        }
        let mut cut = false;
        for island in island.iter_mut().filter(|island| island.mass > 0.0) {
            island.settle();
            cut |= island.scale < 1.0;
        }
        for body in (0..solved.bodies.len()).filter(|&body| solved.bodies[body].moves) {
            let island = &island[solved.islands.leader(body)];
            reserve[body] = island.reserve * solved.mass[body] / island.mass;
        }
        cut
    }

    /// Share of the impulses that the island led by a body takes.
    pub fn scale(&self, leader: usize) -> f64 {
        self.island[leader].scale
    }
}

fn add_bodies(island: &mut [Island], reserve: &[f64], solved: &Solved) {
    for (index, body) in solved.bodies.iter().enumerate().filter(|(_, body)| body.moves) {
        let of = &mut island[solved.islands.leader(index)];
        of.linear += solved.wrench[index].dot(body.free);
        of.curvature += solved.wrench[index].dot(solved.change[index]);
        of.reserve += reserve[index];
        of.mass += solved.mass[index];
    }
}

fn add_rows(island: &mut [Island], solved: &Solved) {
    for row in solved.rows {
        let Some(leader) = solved.islands.of(solved.layout, row.body) else { continue };
        for k in 0..row.count {
            let p = row.impulse[k];
            // A bounce gives back part of what the blow took, and never more: it is no wish that energy may come from.
            let wish = if k == 0 { row.bias[0] - row.bounce } else { row.bias[k] };
            island[leader].linear += p * wish;
            island[leader].curvature += row.softness[k] * p * p;
        }
    }
}

impl Island {
    /// The largest scale that the reserve allows, and what is then left of the reserve.
    fn settle(&mut self) {
        self.scale = scale(self.linear, self.curvature, self.reserve);
        let gain = if self.scale > 0.0 { self.scale * (self.linear + 0.5 * self.scale * self.curvature) } else { 0.0 };
        self.reserve = KEPT * (self.reserve - gain).max(0.0);
    }
}

/// The largest t up to one with `t l + ½ t² c ≤ r`.
fn scale(l: f64, c: f64, r: f64) -> f64 {
    if !(l.is_finite() && c.is_finite()) {
        return 0.0;
    }
    if l + 0.5 * c <= r {
        return 1.0;
    }
    let root = (l * l + 2.0 * c * r).sqrt();
    // Either form of the root of a quadratic, whichever subtracts nothing.
    let scale = if l > 0.0 { 2.0 * r / (l + root) } else { (root - l) / c };
    scale.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_spends_just_the_reserve() {
        for (l, c, r) in [(-1.0, 4.0, 0.0), (-1.0, 4.0, 0.5), (0.5, 3.0, 0.2), (1e-9, 2.0, 1e-3), (-2.0, 4.1, 0.0)] {
            let t = scale(l, c, r);
            assert!(t > 0.0 && t < 1.0, "{l} {c} {r}: {t}");
            assert!((t * l + 0.5 * t * t * c - r).abs() < 1e-12, "{l} {c} {r}: {t}");
        }
    }

    #[test]
    fn what_takes_energy_is_kept_and_what_can_only_give_is_dropped() {
        assert_eq!(scale(-1.0, 1.9, 0.0), 1.0);
        assert_eq!(scale(0.0, 0.0, 0.0), 1.0);
        assert_eq!(scale(0.1, 1.0, 0.0), 0.0);
        assert_eq!(scale(f64::NAN, 1.0, 1.0), 0.0);
        assert_eq!(scale(-1.0, f64::INFINITY, 1.0), 0.0);
    }

    /// What was taken may be given back, later ever less of it.
    #[test]
    fn a_reserve_is_what_was_taken_and_fades() {
        let mut island = Island { linear: -2.0, curvature: 2.0, mass: 1.0, ..Island::default() };
        island.settle();
        assert_eq!((island.scale, island.reserve), (1.0, KEPT));
        (island.linear, island.curvature) = (0.0, 0.0);
        island.settle();
        assert_eq!(island.reserve, KEPT * KEPT);
        (island.linear, island.curvature) = (0.0, 4.0 * KEPT * KEPT);
        island.settle();
        assert!((island.scale - 0.5_f64.sqrt()).abs() < 1e-12 && island.reserve < 1e-12, "{island:?}");
    }
}
