use glamx::DMat3;

use super::*;
use crate::parts::block6::point_rows;
use crate::parts::krylov::{Ending, Stop, Workspace, cg, dot, norm};
use crate::parts::testing::{Dense, Random, max_abs_difference};

/// Unit boxes on a lattice, each pressed to its neighbours at the four corners of the shared face, as
/// resting contacts and welds do, or pinned at its middle; some held to the world the same way.
struct Boxes {
    position: Vec<DVec3>,
    edges: Vec<[u32; 2]>,
    diagonal: Vec<Mat6<f64>>,
    coupling: Vec<Mat6<f64>>,
}

impl Boxes {
    /// `stiffness` is that of a point over the inertia m/h² of a box.
    fn new(size: [u32; 3], stiffness: f64, pinned: bool, held: &[u32]) -> Self {
        let [nx, ny, nz] = size;
        let cell = |i: u32| [i % nx, i / nx % ny, i / nx / ny];
        let position: Vec<DVec3> = (0..nx * ny * nz).map(|i| DVec3::from(cell(i).map(f64::from))).collect();
        let neighbours = |i: u32| {
            let strides = [(0, 1, nx), (1, nx, ny), (2, nx * ny, nz)];
            let inside = strides.into_iter().filter(move |&(axis, _, n)| cell(i)[axis] + 1 < n);
            inside.map(move |(_, stride, _)| [i, i + stride])
        };
        let edges: Vec<[u32; 2]> = (0..nx * ny * nz).flat_map(neighbours).collect();
        let inertia = DMat3::from_diagonal(DVec3::splat(1.0 / 6.0));
        let diagonal = vec![Mat6::rigid(1.0, 1.0, inertia); position.len()];
        let mut boxes = Self { position, edges, diagonal, coupling: Vec::new() };
        for edge in 0..boxes.edges.len() {
            boxes.join(edge, stiffness, pinned);
        }
        for &body in held {
            let points = face_points(-0.5 * DVec3::Z, pinned);
            points.into_iter().for_each(|lever| boxes.hold(body as usize, lever, stiffness));
        }
        boxes
    }

    fn join(&mut self, edge: usize, stiffness: f64, pinned: bool) {
        let [a, b] = self.edges[edge].map(|body| body as usize);
        let apart = self.position[b] - self.position[a];
        let mut block = Mat6::ZERO;
        for lever in face_points(0.5 * apart, pinned) {
            self.hold(a, lever, stiffness);
            self.hold(b, lever - apart, stiffness);
            for (own, other) in point_rows(lever).iter().zip(&point_rows(lever - apart)) {
                block.add_outer(-stiffness, own, other);
            }
        }
        self.coupling.push(block);
    }

    /// Adds a spring to a point of a body.
    fn hold(&mut self, body: usize, lever: DVec3, stiffness: f64) {
        point_rows(lever).iter().for_each(|row| self.diagonal[body].add_outer(stiffness, row, row));
    }

    fn hierarchy(&self) -> Multilevel {
        let mut multilevel = Multilevel::default();
        multilevel.set_structure(&vec![true; self.position.len()], &self.position, &self.edges);
        multilevel.fill(|body| self.diagonal[body], |edge| self.coupling[edge]);
        multilevel
    }

    fn dense(&self) -> Dense {
        let mut dense = Dense::zero(6 * self.position.len());
        self.diagonal.iter().enumerate().for_each(|(i, block)| dense.add_block(6 * i, 6 * i, &block.0));
        for (&[a, b], block) in self.edges.iter().zip(&self.coupling) {
            dense.add_block(6 * a as usize, 6 * b as usize, &block.0);
            dense.add_block(6 * b as usize, 6 * a as usize, &block.transpose().0);
        }
        dense
    }

    fn weight(&self) -> Vec<Vec6<f64>> {
        vec![[0.0, 0.0, -1.0, 0.0, 0.0, 0.0]; self.position.len()]
    }
}

/// The middle of a face of a unit box, or its four corners.
fn face_points(middle: DVec3, pinned: bool) -> Vec<DVec3> {
    if pinned {
        return vec![middle];
    }
    let (u, v) = (2.0 * middle).any_orthonormal_pair();
    let (u, v) = (0.5 * u, 0.5 * v);
    vec![middle + u + v, middle + u - v, middle - u + v, middle - u - v]
}

/// Residual norm after each of `count` steps x += correct(r − H x).
fn history(
    system: &mut Multilevel,
    b: &[Vec6<f64>],
    count: usize,
    mut correct: impl FnMut(&[Vec6<f64>], &mut [Vec6<f64>]),
) -> Vec<f64> {
    let mut x = vec![[0.0; 6]; b.len()];
    let (mut r, mut step) = (b.to_vec(), x.clone());
    (0..count)
        .map(|_| {
            correct(&r, &mut step);
            x.as_flattened_mut().iter_mut().zip(step.as_flattened()).for_each(|(x, step)| *x += step);
            system.apply(&x, &mut r);
            r.as_flattened_mut().iter_mut().zip(b.as_flattened()).for_each(|(r, b)| *r = b - *r);
            norm(r.as_flattened())
        })
        .collect()
}

#[test]
fn the_product_is_that_of_the_blocks() {
    let boxes = Boxes::new([3, 3, 1], 7.0, false, &[0, 2]);
    let dense = boxes.dense();
    let mut random = Random::new(1);
    let v: Vec<Vec6<f64>> = (0..9).map(|_| std::array::from_fn(|_| random.signed())).collect();
    let mut out = v.clone();
    let mut multilevel = boxes.hierarchy();
    multilevel.apply(&v, &mut out);
    assert!(max_abs_difference(out.as_flattened(), &dense.mul_vec(v.as_flattened())) < 1e-13);
    // Nine bodies are solved directly: one cycle is exact.
    multilevel.cycle(&out.clone(), &mut out);
    assert!(max_abs_difference(out.as_flattened(), v.as_flattened()) < 1e-11);
}

#[test]
fn a_rigid_motion_of_everything_is_found_by_the_groups_alone() {
    // Without anchors a common rigid motion meets only the inertia: the coarse levels hold it exactly.
    let boxes = Boxes::new([20, 20, 1], 1e4, false, &[]);
    let mut multilevel = boxes.hierarchy();
    let motion: Vec<Vec6<f64>> = boxes
        .position
        .iter()
        .map(|&p| {
            crate::parts::block6::spatial(
                DVec3::new(0.1, 0.2, -0.3) + DVec3::new(0.02, -0.01, 0.03).cross(p),
                DVec3::new(0.02, -0.01, 0.03),
            )
        })
        .collect();
    let mut r = motion.clone();
    multilevel.apply(&motion, &mut r);
    // The transfers alone, without smoothing, which would disturb what is already exact.
    multilevel.levels[0].r.clone_from(&r);
    multilevel.levels.iter_mut().for_each(|level| level.x.fill([0.0; 6]));
    for k in 0..multilevel.level_count - 1 {
        let (fine, coarse) = multilevel.levels.split_at_mut(k + 1);
        fine[k].restrict(&mut coarse[0]);
    }
    multilevel.solve_last();
    for k in (0..multilevel.level_count - 1).rev() {
        let (fine, coarse) = multilevel.levels.split_at_mut(k + 1);
        fine[k].prolong(&coarse[0]);
    }
    assert!(max_abs_difference(multilevel.levels[0].x.as_flattened(), motion.as_flattened()) < 1e-9);
}

#[test]
fn the_cycle_is_symmetric_and_positive() {
    let boxes = Boxes::new([12, 12, 1], 1e3, true, &[0, 11]);
    let mut multilevel = boxes.hierarchy();
    let mut random = Random::new(3);
    let mut vector = || -> Vec<Vec6<f64>> { (0..144).map(|_| std::array::from_fn(|_| random.signed())).collect() };
    let (u, v) = (vector(), vector());
    let (mut cu, mut cv) = (u.clone(), v.clone());
    multilevel.cycle(&u, &mut cu);
    multilevel.cycle(&v, &mut cv);
    let (uv, vu) = (dot(u.as_flattened(), cv.as_flattened()), dot(v.as_flattened(), cu.as_flattened()));
    assert!((uv - vu).abs() < 1e-12 * (uv.abs() + norm(u.as_flattened())), "{uv} {vu}");
    assert!(dot(u.as_flattened(), cu.as_flattened()) > 0.0);
}

#[test]
fn cycles_converge_far_faster_than_sweeps() {
    let boxes = Boxes::new([40, 40, 1], 1e4, false, &[0, 39]);
    let b = boxes.weight();
    let mut multilevel = boxes.hierarchy();
    let mut plain = multilevel.clone();
    plain.level_count = 1;
    let mut system = multilevel.clone();
    // A cycle without coarse levels is ten sweeps forward and ten back, more work than a full one.
    let sweeps = history(&mut system, &b, 20, |r, step| plain.cycle(r, step));
    let cycles = history(&mut system, &b, 20, |r, step| multilevel.cycle(r, step));
    let digits = |history: &[f64]| (history[9] / history[19]).log10();
    println!("digits gained in 10 × 20 sweeps {:.4}, in 10 cycles {:.4}", digits(&sweeps), digits(&cycles));
    assert!(digits(&sweeps) < 0.1 && digits(&cycles) > 10.0 * digits(&sweeps));
}

/// Iterations of conjugate gradients to eight digits, with cycles and with the bodies' own blocks.
fn iterations(boxes: &Boxes) -> (usize, usize) {
    let b = boxes.weight();
    let (mut multilevel, mut system, plain) = (boxes.hierarchy(), boxes.hierarchy(), boxes.hierarchy());
    let mut run = |cycles: bool| {
        let mut x = vec![0.0; b.as_flattened().len()];
        let apply = |v: &[f64], out: &mut [f64]| system.apply(v.as_chunks().0, out.as_chunks_mut().0);
        let precondition = |r: &[f64], out: &mut [f64]| {
            let (r, out) = (r.as_chunks().0, out.as_chunks_mut().0);
            if cycles { multilevel.cycle(r, out) } else { plain.levels[0].block_jacobi(r, out) }
        };
        let stop = Stop::relative(1e-8, b.as_flattened(), 5000);
        let outcome = cg(apply, precondition, b.as_flattened(), &mut x, stop, &mut Workspace::default());
        assert_eq!(outcome.ending, Ending::Converged);
        outcome.iterations
    };
    (run(true), run(false))
}

#[test]
fn as_preconditioner_it_needs_few_iterations_on_walls_towers_and_piles() {
    let wall = |n| Boxes::new([n, 1, n], 1e4, false, &(0..n).collect::<Vec<_>>());
    let tower = Boxes::new([1, 1, 400], 1e6, false, &[0]);
    let pile = Boxes::new([9, 9, 9], 1e4, false, &(0..81).collect::<Vec<_>>());
    let sheet = Boxes::new([32, 32, 1], 1e4, false, &[0, 31]);
    for (name, boxes, most) in [
        ("wall 16²", wall(16), 25),
        ("wall 40²", wall(40), 25),
        ("tower 400", tower, 25),
        ("pile 9³", pile, 25),
        ("sheet 32²", sheet, 55),
    ] {
        let (cycles, blocks) = iterations(&boxes);
        println!("{name}: {cycles} iterations with cycles, {blocks} with blocks");
        assert!(cycles < most && 2 * cycles < blocks, "{name}: {cycles} {blocks}");
    }
}

#[test]
fn bodies_that_do_not_move_and_loners_are_left_alone() {
    let moves: Vec<bool> = (0..100).map(|i| i != 50).collect();
    let position: Vec<DVec3> = (0..100).map(|i| DVec3::X * f64::from(i)).collect();
    let constraints: Vec<[u32; 2]> = (1..90).map(|i| [i - 1, i]).chain([[3, u32::MAX]]).collect();
    let mut multilevel = Multilevel::default();
    multilevel.set_structure(&moves, &position, &constraints);
    let diagonal = |body: usize| if moves[body] { Mat6::diagonal([3.0; 6]) } else { Mat6::ZERO };
    multilevel.fill(diagonal, |_| Mat6::diagonal([-1.0, -1.0, -1.0, -0.1, -0.1, -0.1]));
    let r = vec![[1.0; 6]; 100];
    let mut x = r.clone();
    multilevel.cycle(&r, &mut x);
    assert_eq!(x[50], [0.0; 6]);
    assert!(x[95].iter().all(|&x| (x - 1.0 / 3.0).abs() < 1e-15));
    assert!(multilevel.sizes().count() > 1 && x.as_flattened().iter().all(|x| x.is_finite()));
}
