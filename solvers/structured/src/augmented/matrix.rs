//! M + Jᵀ D J over the bodies and its elimination.

use super::Problem;
use super::cone_map::Slope;
use crate::bodies::Bodies;
use crate::loops::OuterRow;
use drystone_solve::graph::elimination::Elimination;
use drystone_solve::linalg::block_ldl::BlockLdl;
use drystone_solve::linalg::matrix::{Mat6, Vec6, add_scaled};

/// Updates per body beyond which an elimination fills up.
const MAX_UPDATES: usize = 400;

/// The matrix of a Newton step.
#[derive(Clone, Debug, Default)]
pub struct BodyMatrix {
    edges: Vec<[u32; 2]>,
    next: Vec<[u32; 2]>,
    count: usize,
    system: Option<BlockLdl<6>>,
}

impl BodyMatrix {
    /// Orders the elimination for rows between bodies, unless they join the same bodies as the last ones. False when it would
    /// fill up.
    pub fn set_pattern(&mut self, rows: &[OuterRow], bodies: &Bodies) -> bool {
        let moves = |body: u32| bodies.moves.get(body as usize) == Some(&true);
        self.next.clear();
        let next = &mut self.next;
        let mut tie = |pair: [u32; 2]| {
            if pair[0] != pair[1] && pair.iter().all(|&body| moves(body)) && next.last() != Some(&pair) {
                next.push(pair);
            }
        };
        for row in rows {
            match row.far {
                None => tie(row.body),
                Some(_) => row.pairs().for_each(|pair| tie(pair.map(|(body, _)| body))),
            }
        }
        if self.system.is_some() && self.next == self.edges && self.count == bodies.count() {
            return true;
        }
        std::mem::swap(&mut self.edges, &mut self.next);
        self.count = bodies.count();
        self.system = Elimination::new(self.count, self.edges.iter().copied(), MAX_UPDATES).map(BlockLdl::new);
        self.system.is_some()
    }

    /// Fills and factors.
    pub fn factor(&mut self, problem: &Problem, row_slope: &[f64], cone_slope: &[Slope]) {
        let Some(system) = &mut self.system else { return };
        let bodies = problem.bodies;
        system.clear();
        for (index, body) in bodies.body.iter().enumerate().take(bodies.count()).filter(|(i, _)| bodies.moves[*i]) {
            *system.diagonal_mut(index as u32) = Mat6::rigid(1.0, body.mass, body.inertia);
        }
        for (row, &slope) in problem.rows.iter().zip(row_slope).filter(|(_, slope)| **slope != 0.0) {
            if row.far.is_some() {
                add_coupling(system, bodies, row, slope);
                continue;
            }
            let rows = [[&row.jacobian[0]], [&row.jacobian[1]]];
            let mut scaled = [[[0.0; 6]; 1]; 2];
            for (side, k) in (0..12).map(|entry| (entry / 6, entry % 6)) {
                scaled[side][0][k] = slope * row.jacobian[side][k];
            }
            add(system, bodies, row.body, rows, &scaled);
        }
        for (cone, slope) in problem.cone.iter().zip(cone_slope).filter(|(_, slope)| slope[0] != 0.0) {
            let [p, q, r] = &problem.rows[cone.first as usize..][..3] else { continue };
            let [a, b, c, d, e, f] = *slope;
            let slope = [[a, b, c], [b, d, e], [c, e, f]];
            let rows =
                [[&p.jacobian[0], &q.jacobian[0], &r.jacobian[0]], [&p.jacobian[1], &q.jacobian[1], &r.jacobian[1]]];
            let mut scaled = [[[0.0; 6]; 3]; 2];
            for (scaled, rows) in scaled.iter_mut().zip(&rows) {
                for (scaled, slope) in scaled.iter_mut().zip(&slope) {
                    (0..3).for_each(|k| add_scaled(scaled, slope[k], rows[k]));
                }
            }
            add(system, bodies, p.body, rows, &scaled);
        }
        system.factor();
    }

    /// Solves in place.
    pub fn solve(&mut self, x: &mut [Vec6<f64>]) {
        if let Some(system) = &mut self.system {
            system.solve(x);
        }
    }
}

/// Adds Jᵀ (D J). Rows are taken where they lie: copying them would cost as much as the products.
fn add<const R: usize>(
    system: &mut BlockLdl<6>,
    bodies: &Bodies,
    body: [u32; 2],
    rows: [[&Vec6<f64>; R]; 2],
    scaled: &[[Vec6<f64>; R]; 2],
) {
    let moves = body.map(|body| bodies.moves.get(body as usize) == Some(&true));
    for side in (0..2).filter(|&side| moves[side]) {
        add_product(system.diagonal_mut(body[side]), rows[side], &scaled[side]);
    }
    if moves == [true; 2] && body[0] != body[1] {
        let mut block = Mat6::ZERO;
        add_product(&mut block, rows[0], &scaled[1]);
        system.add_coupling(body[0], body[1], &block);
    }
}

/// Adds Jᵀ (D J) of a row over two joints.
fn add_coupling(system: &mut BlockLdl<6>, bodies: &Bodies, row: &OuterRow, slope: f64) {
    let moves = |body: u32| bodies.moves.get(body as usize) == Some(&true);
    for (body, jacobian) in row.ends().filter(|(body, _)| moves(*body)) {
        system.diagonal_mut(body).add_outer(slope, jacobian, jacobian);
    }
    for [(a, one), (b, other)] in row.pairs().filter(|[(a, _), (b, _)]| a != b && moves(*a) && moves(*b)) {
        let mut block = Mat6::ZERO;
        block.add_outer(slope, one, other);
        system.add_coupling(a, b, &block);
    }
}

/// sum += aᵀ b.
#[inline(always)]
fn add_product<const R: usize>(sum: &mut Mat6<f64>, a: [&Vec6<f64>; R], b: &[Vec6<f64>; R]) {
    for i in 0..6 {
        let mut row = [0.0; 6];
        (0..R).for_each(|k| add_scaled(&mut row, a[k][i], &b[k]));
        add_scaled(&mut sum.0[i], 1.0, &row);
    }
}
