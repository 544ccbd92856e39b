//! Displacements while bodies are swept: each is written in place by the thread that steps its body, and read by those that
//! step its neighbours, which are of other colours and so of other times. Relaxed atomics are plain loads and stores; between
//! colours all threads wait for each other.

use std::sync::atomic::{AtomicU64, Ordering};

use drystone_kernels::double::math::{Vec3, Vec6};
use drystone_solve::parallel;

use super::rows::Manifold;

/// A displacement and how far the matter of its body moved in this sweep, squared \[m²\].
#[derive(Debug, Default)]
struct Place {
    delta: [AtomicU64; 6],
    moved: AtomicU64,
}

/// Displacements of all bodies.
#[derive(Debug, Default)]
pub struct Displacements(Vec<Place>);

/// A copy of a solver sweeps with displacements of its own, which every sweep begins anew.
impl Clone for Displacements {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Displacements {
    /// Begins a sweep: nothing has moved.
    pub fn begin(&mut self, delta: &[Vec6]) {
        self.0.resize_with(delta.len(), Place::default);
        parallel::each(&mut self.0, |body, place| {
            let Vec6 { l, a } = delta[body];
            place.delta = [l.x, l.y, l.z, a.x, a.y, a.z].map(|x| AtomicU64::new(x.to_bits()));
            place.moved = AtomicU64::new(0);
        });
    }

    /// The displacement of a body.
    #[inline(always)]
    pub fn get(&self, body: usize) -> Vec6 {
        let [a, b, c, d, e, f] = &self.0[body].delta;
        Vec6 { l: Vec3 { x: read(a), y: read(b), z: read(c) }, a: Vec3 { x: read(d), y: read(e), z: read(f) } }
    }

    /// Displacements of the two bodies of a manifold.
    #[inline(always)]
    pub fn pair(&self, manifold: &Manifold) -> [Vec6; 2] {
        [self.get(manifold.body[0] as usize), self.get(manifold.body[1] as usize)]
    }

    /// Moves a body, by a squared mean way \[m²\].
    #[inline(always)]
    pub fn set(&self, body: usize, Vec6 { l, a }: Vec6, moved: f64) {
        let place = &self.0[body];
        for (place, x) in place.delta.iter().zip([l.x, l.y, l.z, a.x, a.y, a.z]) {
            place.store(x.to_bits(), Ordering::Relaxed);
        }
        place.moved.store(moved.to_bits(), Ordering::Relaxed);
    }

    /// How far the matter of a body moved in this sweep, squared \[m²\].
    pub fn moved(&self, body: usize) -> f64 {
        read(&self.0[body].moved)
    }
}

#[inline(always)]
fn read(number: &AtomicU64) -> f64 {
    f64::from_bits(number.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_is_read_back() {
        let number = |body: usize| Vec6 { l: Vec3::new(body as f64, -0.0, 1e-300), a: Vec3::new(0.5, 2.0, -3.0) };
        let mut delta: Vec<Vec6> = (0..1000).map(number).collect();
        let mut places = Displacements::default();
        places.begin(&delta);
        assert_eq!([places.get(7), places.get(999)], [number(7), number(999)]);
        assert_eq!(places.moved(7), 0.0);
        places.set(7, number(8), 0.25);
        let manifold = Manifold { body: [7, 9], ..Manifold::default() };
        assert_eq!(places.pair(&manifold), [number(8), number(9)]);
        assert_eq!(places.moved(7), 0.25);
        delta[7] = places.get(7);
        assert_eq!([6, 7, 8].map(|body| places.get(body)), [number(6), number(8), number(8)]);
        places.begin(&delta);
        assert_eq!(places.moved(7), 0.0);
    }
}
