use glamx::{DMat3, DVec3};

use super::*;
use drystone_random::Random;
use drystone_solve::linalg::block6::point_rows;
use drystone_solve::testing::{Counted, Dense, max_abs_difference};

const WORLD: u32 = u32::MAX;

/// A system given by blocks per child body, solved by the part and by dense elimination.
struct System {
    forest: Forest,
    joint_count: usize,
    blocks: Vec<SaddleBlocks<f64>>,
}

fn cast<T: Real>(m: &Mat6<f64>) -> Mat6<T> {
    Mat::from_fn(|i, j| T::of(m.0[i][j]))
}

impl System {
    fn new(moves: &[bool], joints: &[[u32; 2]], mut blocks: impl FnMut(TreeSlot) -> SaddleBlocks<f64>) -> Self {
        let mut forest = Forest::default();
        forest.build(moves, joints);
        let mut layout = TreeLayout::default();
        layout.set(&forest, usize::MAX);
        let mut by_body = vec![SaddleBlocks::default(); moves.len()];
        layout.slots.iter().for_each(|slot| by_body[slot.body as usize] = blocks(*slot));
        Self { forest, joint_count: joints.len(), blocks: by_body }
    }

    fn solver<T: Real>(&self) -> SaddleSolver<T> {
        let mut solver = SaddleSolver::default();
        solver.set_structure(&self.forest, usize::MAX);
        solver.fill(|slot, to| {
            let from = &self.blocks[slot.body as usize];
            *to = SaddleBlocks {
                mass: cast(&from.mass),
                row_count: from.row_count,
                child: cast(&from.child),
                parent: cast(&from.parent),
                compliance: cast(&from.compliance),
            };
        });
        solver.factor().unwrap();
        solver
    }

    /// The whole matrix: bodies first, then six rows per joint, those beyond its number being λ = 0.
    fn dense(&self) -> Dense {
        let mut dense = Dense::zero(6 * (self.blocks.len() + self.joint_count));
        let mut layout = TreeLayout::default();
        layout.set(&self.forest, usize::MAX);
        let mut filled = vec![0; self.joint_count];
        for slot in &layout.slots {
            let blocks = &self.blocks[slot.body as usize];
            let row = 6 * slot.body as usize;
            dense.add_block(row, row, &blocks.mass.0);
            let Some(held) = slot.joint else { continue };
            filled[held.constraint()] = blocks.row_count;
            for i in 0..blocks.row_count {
                let joint_row = 6 * (self.blocks.len() + held.constraint()) + i;
                for (rows, body) in [(&blocks.child, Some(slot.body)), (&blocks.parent, slot.parent)] {
                    let Some(body) = body else { continue };
                    let negative = rows.0[i].map(|x| -x);
                    dense.add_block(joint_row, 6 * body as usize, &[negative]);
                    dense.add_block(6 * body as usize, joint_row, &negative.map(|x| [x]));
                }
                for j in 0..blocks.row_count {
                    dense.add_block(joint_row, joint_row - i + j, &[[-blocks.compliance.0[i][j]]]);
                }
            }
        }
        for (joint, &rows) in filled.iter().enumerate() {
            for i in rows..6 {
                let row = 6 * (self.blocks.len() + joint) + i;
                dense.add_block(row, row, &[[1.0]]);
            }
        }
        dense
    }
}

fn random_blocks(slot: TreeSlot, hard: bool, random: &mut Random) -> SaddleBlocks<f64> {
    let a = Mat6::from_fn(|_, _| random.signed());
    let mut mass = a.transpose_mul(&a);
    mass.add_scaled(0.3, &Mat::identity());
    let row_count = if slot.joint.is_some() { 1 + random.below(6) } else { 0 };
    let mut blocks = SaddleBlocks { mass, row_count, ..SaddleBlocks::default() };
    blocks.child = Mat::from_fn(|_, _| random.signed());
    blocks.parent = Mat::from_fn(|_, _| random.signed());
    if !hard {
        let v: Vec6<f64> = std::array::from_fn(|_| random.signed());
        blocks.compliance.add_outer(0.1, &v, &v);
    }
    blocks
}

#[test]
fn agrees_with_dense_elimination_on_random_trees() {
    let mut random = Random::new(1);
    for trial in 0..20 {
        let count = 1 + random.below(25);
        let mut joints: Vec<[u32; 2]> = (1..count).map(|i| [random.below(i) as u32, i as u32]).collect();
        if trial % 2 == 0 {
            joints.push([WORLD, random.below(count) as u32]);
        }
        let system = System::new(&vec![true; count], &joints, |slot| random_blocks(slot, trial % 3 == 0, &mut random));
        let mut solver = system.solver::<f64>();
        let dense = system.dense();
        let mut body: Vec<Vec6<f64>> = (0..count).map(|_| std::array::from_fn(|_| random.signed())).collect();
        let mut joint = vec![[0.0; 6]; joints.len()];
        for slot in solver.slots().iter().filter(|slot| slot.joint.is_some()) {
            let rows = system.blocks[slot.body as usize].row_count;
            joint[slot.joint.unwrap().constraint()][..rows].fill_with(|| random.signed());
        }
        let b = [body.as_flattened(), joint.as_flattened()].concat();
        solver.solve(&mut body, &mut joint);
        let x = [body.as_flattened(), joint.as_flattened()].concat();
        let expected = dense.solve(&b);
        let size = expected.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        assert!(max_abs_difference(&x, &expected) < 1e-9 * size, "trial {trial}");
        assert!(max_abs_difference(&dense.mul_vec(&x), &b) < 1e-10 * size);
    }
}

/// A chain of balls hanging from the world, each link 0.2 m long, with its last body heavier.
/// `lean` is the direction along which it hangs; blocks are those of a step of 1/60 s.
fn chain(links: usize, ratio: f64, compliance: f64, lean: DVec3) -> System {
    let joints: Vec<[u32; 2]> = (0..links as u32).map(|i| if i == 0 { [WORLD, 0] } else { [i - 1, i] }).collect();
    let lever = lean.normalize() * 0.1;
    System::new(&vec![true; links], &joints, |slot| {
        let mass = if slot.body as usize == links - 1 { ratio } else { 1.0 };
        let inertia = DMat3::from_diagonal(DVec3::splat(0.4 * 0.05 * 0.05 * mass));
        let mut blocks = SaddleBlocks { mass: Mat6::rigid(3600.0, mass, inertia), row_count: 3, ..Default::default() };
        blocks.child.0[..3].copy_from_slice(&point_rows(-lever));
        blocks.parent.0[..3].copy_from_slice(&point_rows(lever).map(|row| row.map(|x| -x)));
        blocks.compliance = Mat6::diagonal([compliance; 6]);
        blocks
    })
}

/// Weights of the chain's bodies as forces along z.
fn weights(system: &System) -> Vec<Vec6<f64>> {
    system.blocks.iter().map(|blocks| [0.0, 0.0, -9.81 * blocks.mass.0[0][0] / 3600.0, 0.0, 0.0, 0.0]).collect()
}

/// Largest |J x + g| of the chain.
fn gap(system: &System, body: &[Vec6<f64>], error: &[Vec6<f64>]) -> f64 {
    let gaps = (0..body.len()).flat_map(|i| {
        let own = system.blocks[i].child.mul_vec(&body[i]);
        let other = if i > 0 { system.blocks[i].parent.mul_vec(&body[i - 1]) } else { [0.0; 6] };
        (0..3).map(move |k| (own[k] + other[k] + error[i][k]).abs())
    });
    gaps.fold(0.0, f64::max)
}

#[test]
fn a_hanging_chain_carries_what_is_below_it_at_any_mass_ratio() {
    // At rest nothing moves and each joint carries the weight below: exact for hard joints.
    for (ratio, tolerance) in [(1.0, 1e-12), (1000.0, 1e-11), (50_000.0, 1e-9)] {
        let system = chain(50, ratio, 0.0, -DVec3::Z);
        let mut body = weights(&system);
        let mut joint = vec![[0.0; 6]; 50];
        system.solver::<f64>().solve(&mut body, &mut joint);
        for i in 0..50 {
            let load = 9.81 * (ratio + (49 - i) as f64);
            assert!((joint[i][2] - load).abs() < tolerance * load, "joint {i}: {} for {load}", joint[i][2]);
        }
        let moved = body.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(moved < tolerance * 9.81 / 3600.0, "{moved}");
    }
}

#[test]
fn hard_joints_close_exactly_and_compliance_approaches_them() {
    let lean = DVec3::new(1.0, 0.3, -0.2);
    let error: Vec<Vec6<f64>> = (0..50).map(|i| [1e-3 * (i as f64).sin(), 2e-3, -1e-3, 0.0, 0.0, 0.0]).collect();
    let mut gaps = Vec::new();
    for compliance in [1e-9, 1e-12, 1e-14, 0.0] {
        let system = chain(50, 50_000.0, compliance, lean);
        let (mut body, mut joint) = (weights(&system), error.clone());
        system.solver::<f64>().solve(&mut body, &mut joint);
        gaps.push(gap(&system, &body, &error));
    }
    assert!(gaps.is_sorted_by(|a, b| a > b));
    assert!((gaps[1] / gaps[2] - 100.0).abs() < 1.0, "the gap is compliance times force: {gaps:?}");
    assert!(gaps[3] < 1e-9 * 2e-3, "{gaps:?}");
}

#[test]
fn single_precision_keeps_a_heavy_chain_together() {
    let system = chain(50, 50_000.0, 0.0, DVec3::new(1.0, 0.3, -0.2));
    let (mut body, mut joint) = (weights(&system), vec![[0.0; 6]; 50]);
    let narrow = |v: &Vec6<f64>| v.map(|x| x as f32);
    let wide = |v: &Vec6<f32>| v.map(f64::from);
    let mut body32: Vec<Vec6<f32>> = body.iter().map(narrow).collect();
    let mut joint32 = vec![[0f32; 6]; 50];
    system.solver::<f64>().solve(&mut body, &mut joint);
    let mut solver32 = system.solver::<f32>();
    solver32.solve(&mut body32, &mut joint32);

    let largest = |v: &[Vec6<f64>]| v.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let load = largest(&joint);
    let loads32: Vec<f64> = joint32.as_flattened().iter().map(|&x| f64::from(x)).collect();
    // Across the chain a light link's inertia is what is left of the heavy ball's in single
    // precision: forces are uncertain by some roundings times the mass ratio (measured: 1 %).
    let uncertain = max_abs_difference(&loads32, joint.as_flattened()) / load;
    assert!(uncertain < 4.0 * 50_000.0 * f64::from(f32::EPSILON), "{uncertain}");
    // The gap is one rounding of what the joint force would do to a light link on its own.
    let moves: Vec<Vec6<f64>> = body32.iter().map(wide).collect();
    let opened = gap(&system, &moves, &[[0.0; 6]; 50]);
    let light_response = (1.0 + 0.1 * 0.1 / (0.4 * 0.05 * 0.05)) / 3600.0;
    assert!(opened < f64::from(f32::EPSILON) * light_response * load, "{opened:e}");
    assert!(opened < 1e-3 * largest(&body), "gap {opened:e} of a move of {:e}", largest(&body));

    // Solving again for what is left open closes it, as the next iteration of a solver does.
    let mut rest: Vec<Vec6<f32>> = (0..50)
        .map(|i| {
            let own = system.blocks[i].child.mul_vec(&moves[i]);
            let other = if i > 0 { system.blocks[i].parent.mul_vec(&moves[i - 1]) } else { [0.0; 6] };
            std::array::from_fn(|k| (own[k] + other[k]) as f32)
        })
        .collect();
    let mut correction = vec![[0f32; 6]; 50];
    solver32.solve(&mut correction, &mut rest);
    let corrected: Vec<Vec6<f64>> =
        moves.iter().zip(&correction).map(|(a, b)| std::array::from_fn(|k| a[k] + f64::from(b[k]))).collect();
    assert!(gap(&system, &corrected, &[[0.0; 6]; 50]) < 1e-2 * opened);
}

#[test]
fn repeated_rows_are_dropped_and_the_joint_still_closes() {
    let mut random = Random::new(6);
    let system = System::new(&[true; 2], &[[0, 1]], |slot| {
        let mut blocks = random_blocks(slot, true, &mut random);
        blocks.row_count = if slot.joint.is_some() { 4 } else { 0 };
        blocks.child.0[2] = blocks.child.0[0];
        blocks.parent.0[2] = blocks.parent.0[0];
        blocks
    });
    let mut solver = SaddleSolver::<f64>::default();
    solver.set_structure(&system.forest, 1);
    solver.fill(|slot, blocks| *blocks = system.blocks[slot.body as usize]);
    assert_eq!(solver.factor(), Ok(1));
    let mut body = [[1.0, -2.0, 0.5, 0.3, 0.2, 0.1], [0.0; 6]];
    let mut joint = [[0.1, 0.2, 0.1, -0.4, 0.0, 0.0]];
    solver.solve(&mut body, &mut joint);
    let own = system.blocks[1].child.mul_vec(&body[1]);
    let other = system.blocks[1].parent.mul_vec(&body[0]);
    for (i, error) in [0.1, 0.2, 0.1, -0.4].into_iter().enumerate() {
        assert!((own[i] + other[i] + error).abs() < 1e-12);
    }
}

#[test]
fn work_grows_linearly() {
    let operations = |links: usize| {
        let system = chain(links, 10.0, 0.0, DVec3::X);
        Counted::reset();
        let mut solver = system.solver::<Counted>();
        solver.solve(&mut vec![[Counted::ONE; 6]; links], &mut vec![[Counted::ONE; 6]; links]);
        Counted::count() as f64
    };
    assert_eq!((operations(400) - operations(200)) / 200.0, (operations(1600) - operations(800)) / 800.0);
}
