//! Time per body of tree elimination, both forms and precisions.
//! Run with `cargo run --release -p drystone-solve --example tree_costs`.

use std::time::Instant;

use drystone_solve::parts::{Forest, Mat6, Real, SaddleSolver, TreeSolver};

/// Median microseconds of a call.
fn time(mut call: impl FnMut()) -> f64 {
    let mut samples: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            call();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Chains of `length` bodies, `count` bodies in all, each chain free.
fn chains(count: u32, length: u32) -> Vec<[u32; 2]> {
    (1..count).filter(|i| i % length != 0).map(|i| [i - 1, i]).collect()
}

fn measure<T: Real>(precision: &str, count: u32, length: u32) {
    let joints = chains(count, length);
    let n = count as usize;
    let mut forest = Forest::default();
    let built = time(|| forest.build(&vec![true; n], &joints));
    let (mut tree, mut saddle) = (TreeSolver::<T>::default(), SaddleSolver::<T>::default());
    tree.set_structure(&forest, usize::MAX);
    saddle.set_structure(&forest, usize::MAX);
    let spring = Mat6::from_fn(|i, j| T::of(if i == j { -1.0 } else { 0.1 / (1 + i + j) as f64 }));
    let tree_factor = time(|| {
        tree.fill(|_, blocks| {
            blocks.diagonal = Mat6::diagonal([T::of(3.0); 6]);
            blocks.coupling = spring;
        });
        tree.factor().unwrap_or_else(|error| panic!("{error}"));
    });
    let saddle_factor = time(|| {
        saddle.fill(|slot, blocks| {
            blocks.mass = Mat6::diagonal([T::of(3.0); 6]);
            blocks.row_count = if slot.parent.is_some() { 3 } else { 0 };
            (blocks.child, blocks.parent) = (spring, Mat6::identity());
        });
        saddle.factor().unwrap_or_else(|error| panic!("{error}"));
    });
    let mut x = vec![[T::ONE; 6]; n];
    let mut lambda = vec![[T::ZERO; 6]; joints.len()];
    let tree_solve = time(|| tree.solve(&mut x));
    let saddle_solve = time(|| {
        x.fill([T::ONE; 6]);
        lambda.fill([T::ZERO; 6]);
        saddle.solve(&mut x, &mut lambda);
    });
    let per = |microseconds: f64| microseconds * 1e3 / f64::from(count);
    println!(
        "{precision} {count:7} bodies in chains of {length:6}: ns per body: forest {:5.0}, bodies only: factor {:5.0} \
         solve {:4.0}, with joints (3 rows): factor {:5.0} solve {:4.0}",
        per(built),
        per(tree_factor),
        per(tree_solve),
        per(saddle_factor),
        per(saddle_solve)
    );
}

fn main() {
    for (count, length) in [(1_000, 50), (10_000, 50), (10_000, 10_000), (100_000, 50), (100_000, 100_000)] {
        measure::<f64>("f64", count, length);
        measure::<f32>("f32", count, length);
    }
}
