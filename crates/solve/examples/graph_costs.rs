//! Colours and time per step of the graph parts on pile-like graphs.
//! Run with `cargo run --release -p drystone-solve --example graph_costs`.

use std::time::Instant;

use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::graph::coloring::{ColorOrder, Coloring};

type Edges = Vec<[u32; 2]>;

/// A cube of `n³` bodies; neighbours up to `reach` steps of the lattice apart in Manhattan distance
/// and one step along each axis: 1 for the six faces, 3 for all 26.
fn lattice(n: i32, reach: i32) -> (usize, Edges) {
    let index = |x: i32, y: i32, z: i32| ((z * n + y) * n + x) as u32;
    let mut edges = Edges::new();
    for (x, y, z) in cells(n) {
        for (dx, dy, dz) in (0..27).map(|k| (k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)) {
            let inside = [x + dx, y + dy, z + dz].iter().all(|c| (0..n).contains(c));
            if inside && dx.abs() + dy.abs() + dz.abs() <= reach && (dz, dy, dx) > (0, 0, 0) {
                edges.push([index(x, y, z), index(x + dx, y + dy, z + dz)]);
            }
        }
    }
    ((n * n * n) as usize, edges)
}

fn cells(n: i32) -> impl Iterator<Item = (i32, i32, i32)> {
    (0..n * n * n).map(move |k| (k % n, k / n % n, k / n / n))
}

/// A wall-like pyramid: each box rests on two of the row below and touches its row mates.
fn pyramid(rows: u32) -> (usize, Edges) {
    let first = |row: u32| row * rows - row * row.saturating_sub(1) / 2;
    let mut edges = Edges::new();
    for row in 0..rows {
        for i in 0..rows - row {
            let body = first(row) + i;
            if i > 0 {
                edges.push([body - 1, body]);
            }
            if row > 0 {
                edges.extend([0, 1].map(|side| [first(row - 1) + i + side, body]));
            }
        }
    }
    (first(rows) as usize, edges)
}

/// The bodies under other names, as after a pile has been poured.
fn shuffled((count, edges): (usize, Edges)) -> (usize, Edges) {
    let mut name: Vec<u32> = (0..count as u32).collect();
    let mut random = drystone_random::Random::new(1);
    for i in (1..count).rev() {
        name.swap(i, random.below(i + 1));
    }
    let mut edges: Edges = edges.iter().map(|&[a, b]| [name[a as usize], name[b as usize]]).collect();
    edges.iter_mut().for_each(|edge| edge.sort());
    edges.sort();
    (count, edges)
}

/// Median milliseconds of a call.
fn time(mut call: impl FnMut()) -> f64 {
    let mut samples: Vec<f64> = (0..101)
        .map(|_| {
            let start = Instant::now();
            call();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn main() {
    let scenes = [
        ("lattice, 6 neighbours", lattice(20, 1)),
        ("lattice, 18 neighbours", lattice(20, 2)),
        ("lattice, 26 neighbours", lattice(20, 3)),
        ("6 neighbours, shuffled", shuffled(lattice(20, 1))),
        ("26 neighbours, shuffled", shuffled(lattice(20, 3))),
        ("pyramid, 100 rows", pyramid(100)),
        ("chain", (8000, (1..8000).map(|i| [i - 1, i]).collect())),
        ("star", (8000, (1..8000).map(|i| [0, i]).collect())),
    ];
    println!(
        "{:24} {:>7} {:>7} {:>9}  colours and ms by index | largest first | smallest last",
        "graph", "bodies", "edges", "adjacency"
    );
    for (name, (count, edges)) in scenes {
        let moves = vec![true; count];
        let mut adjacency = Adjacency::default();
        let built = time(|| adjacency.build(&moves, &edges));
        print!("{name:24} {count:7} {:7} {built:9.3}", edges.len());
        for order in [ColorOrder::Index, ColorOrder::LargestFirst, ColorOrder::SmallestLast] {
            let mut coloring = Coloring::default();
            let spent = time(|| coloring.color(&moves, &edges, order));
            print!("  {:3} {spent:6.3}", coloring.color_count());
        }
        println!();
    }
}
