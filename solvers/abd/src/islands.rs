//! Bodies that act on each other, and what every such group of them does to the energy of a step.

use drystone_solve::graph::union;

/// Groups of bodies. Every body has the number of one of its group, its leader.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    leader: Vec<u32>,
}

impl Islands {
    /// All together.
    pub fn whole(slots: usize) -> Self {
        Self { leader: vec![0; slots] }
    }

    /// Every body by itself.
    pub fn single(slots: usize) -> Self {
        Self { leader: (0..slots as u32).collect() }
    }

    /// Joins pairs of bodies, where both are `on`.
    pub fn join(&mut self, pairs: impl Iterator<Item = [u32; 2]>, on: impl Fn(u32) -> bool) {
        for [a, b] in pairs.filter(|pair| pair.iter().all(|&slot| on(slot))) {
            union::unite(&mut self.leader, a, b);
        }
        union::flatten(&mut self.leader);
    }

    pub fn leader(&self) -> &[u32] {
        &self.leader
    }

    /// The leader of a body.
    pub fn of(&self, slot: usize) -> usize {
        self.leader[slot] as usize
    }

    /// Sums over the bodies of every group, by leaders.
    pub fn sums(&self, value: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.leader.len()];
        value.iter().enumerate().for_each(|(slot, value)| sums[self.of(slot)] += value);
        sums
    }

    /// Whether any body of every group is marked, by leaders.
    pub fn any(&self, marked: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut any = vec![false; self.leader.len()];
        (0..self.leader.len()).filter(|&slot| marked(slot)).for_each(|slot| any[self.of(slot)] = true);
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_sum_up_what_their_bodies_have() {
        let mut islands = Islands::single(5);
        islands.join([[0, 3], [1, 4], [3, 4]].into_iter(), |slot| slot != 4);
        assert_eq!(islands.leader(), [0, 1, 2, 0, 4]);
        assert_eq!(islands.sums(&[1.0, 2.0, 3.0, 4.0, 5.0]), [5.0, 2.0, 3.0, 0.0, 5.0]);
        assert_eq!(islands.any(|slot| slot == 3), [true, false, false, false, false]);
    }
}
