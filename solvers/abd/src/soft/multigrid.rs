//! A preconditioner for many particles: a multigrid cycle over their elements.
//!
//! Elasticity couples particles over long ways, which the inverses of single blocks know nothing of: conjugate gradients would take
//! as many iterations as the mesh is long. Contacts act over short ways, and are taken with what they add to the block of every
//! particle. What bodies do is left to their own blocks.

use drystone_model::{DMat3, DVec3};
use drystone_soft::{Hierarchy, Matrix, Mesh};

use super::system::Mat3;

/// The matrix of the elements over all particles, those that are no nodes being apart from all others, and its coarser twins.
#[derive(Debug)]
pub struct Multigrid {
    matrix: Matrix,
    hierarchy: Hierarchy,
    /// Particle of every node.
    place: Vec<u32>,
    right: Vec<DVec3>,
    answer: Vec<DVec3>,
}

impl Multigrid {
    pub fn new(mesh: &Mesh, matrix: &Matrix) -> Self {
        let zero = vec![DVec3::ZERO; mesh.model.len()];
        let hierarchy = Hierarchy::new(mesh, matrix);
        Self { matrix: matrix.clone(), hierarchy, place: Vec::new(), right: zero.clone(), answer: zero }
    }

    /// Takes a matrix of elements over, with the blocks that nodes have by themselves, contacts included.
    pub fn update<'a>(&mut self, elements: &Matrix, place: &[u32], own: impl Fn(usize) -> &'a Mat3) {
        self.place.clear();
        self.place.extend_from_slice(place);
        let mut is_node = vec![false; elements.row_count()];
        place.iter().for_each(|&place| is_node[place as usize] = true);
        for row in 0..elements.row_count() {
            for at in elements.row(row) {
                let column = elements.column[at] as usize;
                self.matrix.value[at] = match column == row {
                    true => DMat3::IDENTITY,
                    false if is_node[row] && is_node[column] => elements.value[at],
                    false => DMat3::ZERO,
                };
            }
        }
        for (node, &place) in place.iter().enumerate() {
            let block = own(node);
            let column = |s: usize| DVec3::new(block.0[0][s], block.0[1][s], block.0[2][s]);
            let at = self.matrix.row(place as usize).start;
            self.matrix.value[at] = DMat3::from_cols(column(0), column(1), column(2));
        }
        self.hierarchy.update(&self.matrix);
    }

    /// One cycle from nothing, node by node.
    pub fn cycle(&mut self, right: &[[f64; 3]], out: &mut [[f64; 3]]) {
        let Self { matrix, hierarchy, place, right: all, answer } = self;
        all.fill(DVec3::ZERO);
        for (&place, right) in place.iter().zip(right) {
            all[place as usize] = DVec3::from_array(*right);
        }
        hierarchy.cycle(matrix, all, answer);
        for (&place, out) in place.iter().zip(out) {
            *out = answer[place as usize].to_array();
        }
    }
}
