//! M + Jᵀ D J over the bodies and its elimination.

use super::Problem;
use super::cone_map::Slope;
use crate::bodies::Bodies;
use crate::loops::OuterRow;
use drystone_solve::graph::elimination::Elimination;
use drystone_solve::linalg::block_ldl::BlockLdl;
use drystone_solve::linalg::matrix::{Mat, Mat6, Vec6};

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
        for row in rows.iter().filter(|row| row.body.iter().all(|&body| moves(body)) && row.body[0] != row.body[1]) {
            if self.next.last() != Some(&row.body) {
                self.next.push(row.body);
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
            let rows = row.jacobian.map(|row| Mat([row]));
            let scaled = rows.map(|rows| Mat([rows.0[0].map(|x| slope * x)]));
            add(system, bodies, row.body, &rows, &scaled);
        }
        for (cone, slope) in problem.cone.iter().zip(cone_slope).filter(|(_, slope)| slope[0] != 0.0) {
            let three = &problem.rows[cone.first as usize..cone.first as usize + 3];
            let [a, b, c, d, e, f] = *slope;
            let slope = Mat([[a, b, c], [b, d, e], [c, e, f]]);
            let rows =
                [0, 1].map(|side| Mat([three[0].jacobian[side], three[1].jacobian[side], three[2].jacobian[side]]));
            let scaled = rows.map(|rows| slope.mul(&rows));
            add(system, bodies, three[0].body, &rows, &scaled);
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

/// Adds Jᵀ (D J).
fn add<const R: usize>(
    system: &mut BlockLdl<6>,
    bodies: &Bodies,
    body: [u32; 2],
    rows: &[Mat<f64, R, 6>; 2],
    scaled: &[Mat<f64, R, 6>; 2],
) {
    let moves = body.map(|body| bodies.moves.get(body as usize) == Some(&true));
    for side in (0..2).filter(|&side| moves[side]) {
        system.diagonal_mut(body[side]).add_scaled(1.0, &rows[side].transpose_mul(&scaled[side]));
    }
    if moves == [true; 2] && body[0] != body[1] {
        system.add_coupling(body[0], body[1], &rows[0].transpose_mul(&scaled[1]));
    }
}
