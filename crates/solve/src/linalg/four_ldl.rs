//! Direct solution of four systems of equal pattern side by side, one in every lane: what [`BlockLdl`](super::block_ldl::BlockLdl)
//! does for one, with Y_j = L⁻¹ C_j in place of the gains, so that no block is kept twice:
//!
//!   factor:  D = L S Lᵀ,  Y_j = L⁻¹ C_j,  D_j −= Y_jᵀ S⁻¹ Y_j,  C_jk −= Y_jᵀ S⁻¹ Y_k
//!   solve:   y = L⁻¹ r,  r_j −= Y_jᵀ S⁻¹ y,  then backwards  x = L⁻ᵀ S⁻¹ (y − Σ Y_j x_j)
//!
//! No lane looks at another, so that every system has the result it would have with any others beside it.

use drystone_kernels::lanes::{F64x4, Lanes, Simd4};

use super::ldl::PIVOT_ERRORS;
use crate::graph::elimination::Elimination;

/// Entries of the lower triangle of a block, row by row.
pub type Lower = [F64x4; 21];
/// A block, row by row.
pub type Square = [[F64x4; 6]; 6];
/// A vector.
pub type Six = [F64x4; 6];

/// Place of an entry in a [`Lower`].
#[inline(always)]
pub const fn at(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// Four block matrices over one joint graph, and their factors.
#[derive(Clone, Debug, Default)]
pub struct FourLdl {
    /// Blocks on the diagonal, by place; then L below the diagonal and 1/S on it.
    pub diagonal: Vec<Lower>,
    /// Couplings, by entry, with the rows of the earlier place; then Y.
    pub coupling: Vec<Square>,
    work: Vec<Six>,
}

impl FourLdl {
    /// Of a pattern, with nothing in it yet.
    pub fn new(order: &Elimination) -> Self {
        let (nodes, entries) = (order.count(), order.entry_count());
        let none = [0.0; 4];
        Self {
            diagonal: vec![[none; 21]; nodes],
            coupling: vec![[[none; 6]; 6]; entries],
            work: vec![[none; 6]; nodes],
        }
    }

    /// Factors, using up the blocks, and solves; `x` is indexed by node and holds the right-hand side on entry. Pivots that fail
    /// are left out, as [`Ldl::semidefinite`](super::ldl::Ldl::semidefinite) does.
    #[inline(always)]
    pub fn solve<L: Lanes>(&mut self, lanes: L, order: &Elimination, x: &mut [Six]) {
        for node in 0..x.len() {
            self.work[order.place(node as u32)] = x[node];
        }
        let mut updates = order.updates();
        for place in 0..order.count() {
            let own = Factor::of(lanes, &self.diagonal[place]);
            self.diagonal[place] = own.store();
            let r = own.forward(load(lanes, &self.work[place]));
            self.work[place] = store(r);
            let range = order.entries(place);
            let mut scaled = r;
            for i in 0..6 {
                scaled[i] = r[i] * own.inverse[i];
            }
            for entry in range.clone() {
                own.halve(lanes, &mut self.coupling[entry]);
            }
            let later = order.later(place);
            for a in range.clone() {
                let target = later[a - range.start] as usize;
                let y = &self.coupling[a];
                subtract_transposed(lanes, &mut self.work[target], y, &scaled);
                subtract_square(lanes, &mut self.diagonal[target], y, &own.inverse);
                if a + 1 < range.end {
                    let (targets, rest) = updates.split_at(range.end - a - 1);
                    updates = rest;
                    let y = *y;
                    for b in a + 1..range.end {
                        let z = self.coupling[b];
                        subtract_product(lanes, &mut self.coupling[targets[b - a - 1] as usize], &y, &z, &own.inverse);
                    }
                }
            }
        }
        for place in (0..order.count()).rev() {
            let mut own = load(lanes, &self.work[place]);
            let later = order.later(place);
            let range = order.entries(place);
            for entry in range.clone() {
                let known = load(lanes, &self.work[later[entry - range.start] as usize]);
                subtract(lanes, &mut own, &self.coupling[entry], &known);
            }
            self.work[place] = store(backward(lanes, &self.diagonal[place], own));
        }
        for node in 0..x.len() {
            x[node] = self.work[order.place(node as u32)];
        }
    }
}

#[inline(always)]
fn load<L: Lanes>(lanes: L, from: &Six) -> [Simd4<L>; 6] {
    let mut out = [Simd4::splat(lanes, 0.0); 6];
    for i in 0..6 {
        out[i] = Simd4::load(lanes, &from[i]);
    }
    out
}

#[inline(always)]
fn store<L: Lanes>(from: [Simd4<L>; 6]) -> Six {
    let mut out = [[0.0; 4]; 6];
    for i in 0..6 {
        out[i] = from[i].store();
    }
    out
}

/// The factor of a block: L below the diagonal, and 1/S, zero for pivots left out.
struct Factor<L: Lanes> {
    lower: [Simd4<L>; 21],
    inverse: [Simd4<L>; 6],
}

impl<L: Lanes> Factor<L> {
    #[inline(always)]
    fn of(lanes: L, a: &Lower) -> Self {
        let zero = Simd4::splat(lanes, 0.0);
        let (one, epsilon) = (Simd4::splat(lanes, 1.0), Simd4::splat(lanes, f64::EPSILON));
        let errors = Simd4::splat(lanes, PIVOT_ERRORS);
        let mut factor = Self { lower: [zero; 21], inverse: [zero; 6] };
        let mut error = [zero; 6];
        for i in 0..6 {
            // Row i of L S, from which row i of L follows by scaling.
            let mut scaled = [zero; 6];
            let mut pivot = Simd4::load(lanes, &a[at(i, i)]);
            error[i] = epsilon * pivot;
            for j in 0..i {
                let mut own = Simd4::load(lanes, &a[at(i, j)]);
                for k in 0..j {
                    own = own - scaled[k] * factor.lower[at(j, k)];
                }
                scaled[j] = own;
                let lower = own * factor.inverse[j];
                factor.lower[at(i, j)] = lower;
                pivot = pivot - lower * own;
                error[i] += lower * lower * error[j];
            }
            factor.inverse[i] = (pivot - errors * error[i]).where_positive(one / pivot, zero);
        }
        factor
    }

    #[inline(always)]
    fn store(&self) -> Lower {
        let mut out = [[0.0; 4]; 21];
        for i in 0..6 {
            for j in 0..i {
                out[at(i, j)] = self.lower[at(i, j)].store();
            }
            out[at(i, i)] = self.inverse[i].store();
        }
        out
    }

    /// L⁻¹ r.
    #[inline(always)]
    fn forward(&self, mut r: [Simd4<L>; 6]) -> [Simd4<L>; 6] {
        for i in 1..6 {
            for j in 0..i {
                r[i] = r[i] - self.lower[at(i, j)] * r[j];
            }
        }
        r
    }

    /// L⁻¹ of a block, in place.
    #[inline(always)]
    fn halve(&self, lanes: L, block: &mut Square) {
        for column in 0..6 {
            let mut x = [self.inverse[0]; 6];
            for i in 0..6 {
                x[i] = Simd4::load(lanes, &block[i][column]);
            }
            let x = self.forward(x);
            for i in 0..6 {
                block[i][column] = x[i].store();
            }
        }
    }
}

/// `out − Yᵀ v`.
#[inline(always)]
fn subtract_transposed<L: Lanes>(lanes: L, out: &mut Six, y: &Square, v: &[Simd4<L>; 6]) {
    for i in 0..6 {
        let mut sum = Simd4::load(lanes, &out[i]);
        for k in 0..6 {
            sum = sum - Simd4::load(lanes, &y[k][i]) * v[k];
        }
        out[i] = sum.store();
    }
}

/// `out − Y v`.
#[inline(always)]
fn subtract<L: Lanes>(lanes: L, out: &mut [Simd4<L>; 6], y: &Square, v: &[Simd4<L>; 6]) {
    for i in 0..6 {
        for k in 0..6 {
            out[i] = out[i] - Simd4::load(lanes, &y[i][k]) * v[k];
        }
    }
}

/// `out − Yᵀ S⁻¹ Y`, of which the lower triangle is kept.
#[inline(always)]
fn subtract_square<L: Lanes>(lanes: L, out: &mut Lower, y: &Square, inverse: &[Simd4<L>; 6]) {
    for i in 0..6 {
        let mut scaled = *inverse;
        for k in 0..6 {
            scaled[k] = Simd4::load(lanes, &y[k][i]) * inverse[k];
        }
        for j in 0..=i {
            let mut sum = Simd4::load(lanes, &out[at(i, j)]);
            for k in 0..6 {
                sum = sum - scaled[k] * Simd4::load(lanes, &y[k][j]);
            }
            out[at(i, j)] = sum.store();
        }
    }
}

/// `out − Yᵀ S⁻¹ Z`.
#[inline(always)]
fn subtract_product<L: Lanes>(lanes: L, out: &mut Square, y: &Square, z: &Square, inverse: &[Simd4<L>; 6]) {
    for i in 0..6 {
        let mut scaled = *inverse;
        for k in 0..6 {
            scaled[k] = Simd4::load(lanes, &y[k][i]) * inverse[k];
        }
        for j in 0..6 {
            let mut sum = Simd4::load(lanes, &out[i][j]);
            for k in 0..6 {
                sum = sum - scaled[k] * Simd4::load(lanes, &z[k][j]);
            }
            out[i][j] = sum.store();
        }
    }
}

/// L⁻ᵀ S⁻¹ y. An unknown whose pivot was left out is zero, as its column of L is.
#[inline(always)]
fn backward<L: Lanes>(lanes: L, factor: &Lower, mut x: [Simd4<L>; 6]) -> [Simd4<L>; 6] {
    for i in 0..6 {
        x[i] = x[i] * Simd4::load(lanes, &factor[at(i, i)]);
    }
    for back in 0..6 {
        let i = 5 - back;
        for j in i + 1..6 {
            x[i] = x[i] - Simd4::load(lanes, &factor[at(j, i)]) * x[j];
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use drystone_kernels::lanes::{Plain, Task, run};
    use drystone_random::Random;

    use super::super::block_ldl::BlockLdl;
    use super::super::matrix::{Mat6, Vec6};
    use super::*;
    use crate::testing::max_abs_difference;

    struct Solving<'a>(FourLdl, &'a Elimination, Vec<Six>);

    impl Task for Solving<'_> {
        type Output = Vec<Six>;

        #[inline(always)]
        fn run<L: Lanes>(mut self, lanes: L) -> Vec<Six> {
            self.0.solve(lanes, self.1, &mut self.2);
            self.2
        }
    }

    fn put(into: &mut Six, lane: usize, from: &Vec6<f64>) {
        (0..6).for_each(|i| into[i][lane] = from[i]);
    }

    /// Springs along edges on top of masses, other ones in every lane; one body has no mass about one axis.
    fn check(count: usize, edges: &[[u32; 2]]) {
        let order = Elimination::new(count, edges.iter().copied(), usize::MAX / count).unwrap();
        let mut random = Random::new(5);
        let mut four = FourLdl::new(&order);
        let mut rhs = vec![[[0.0; 4]; 6]; count];
        let mut expected = Vec::new();
        for lane in 0..4 {
            let mut one = BlockLdl::<6>::new(order.clone());
            let mut blocks = vec![Mat6::<f64>::identity(); count];
            blocks[0].0[4][4] = 0.0;
            for &[a, b] in edges {
                let mut rows = [0, 1].map(|_| Mat6::<f64>::from_fn(|_, _| random.signed()));
                rows.iter_mut()
                    .zip([a, b])
                    .filter(|(_, end)| *end == 0)
                    .for_each(|(rows, _)| rows.0.iter_mut().for_each(|row| row[4] = 0.0));
                blocks[a as usize].add_scaled(1.0, &rows[0].transpose_mul(&rows[0]));
                blocks[b as usize].add_scaled(1.0, &rows[1].transpose_mul(&rows[1]));
                let cross = rows[0].transpose_mul(&rows[1]);
                one.add_coupling(a, b, &cross);
                let (entry, flipped) = order.entry_of(a, b).unwrap();
                let cross = if flipped { cross.transpose() } else { cross };
                (0..36).for_each(|k| four.coupling[entry][k / 6][k % 6][lane] += cross.0[k / 6][k % 6]);
            }
            for (node, block) in blocks.iter().enumerate() {
                one.diagonal_mut(node as u32).add_scaled(1.0, block);
                let own = &mut four.diagonal[order.place(node as u32)];
                (0..6).for_each(|i| (0..=i).for_each(|j| own[at(i, j)][lane] = block.0[i][j]));
            }
            let mut x: Vec<Vec6<f64>> = (0..count).map(|_| std::array::from_fn(|_| random.signed())).collect();
            x.iter().zip(&mut rhs).for_each(|(x, rhs)| put(rhs, lane, x));
            one.factor();
            one.solve(&mut x);
            expected.push(x);
        }
        let solved = run(Solving(four.clone(), &order, rhs.clone()));
        assert_eq!(solved, Solving(four, &order, rhs).run(Plain));
        for (lane, expected) in expected.iter().enumerate() {
            let own: Vec<Vec6<f64>> = solved.iter().map(|x| x.map(|x| x[lane])).collect();
            assert!(max_abs_difference(own.as_flattened(), expected.as_flattened()) < 1e-9);
            assert_eq!(own[0][4], 0.0);
        }
    }

    #[test]
    fn every_lane_is_solved_as_it_would_be_alone() {
        let chain: Vec<_> = (1..9).map(|i| [i, i - 1]).collect();
        check(9, &chain);
        let ring: Vec<_> = (0..10).map(|i| [i, (i + 1) % 10]).chain([[0, 5], [2, 7]]).collect();
        check(10, &ring);
    }
}
