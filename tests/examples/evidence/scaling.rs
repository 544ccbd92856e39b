//! Time of the four methods over the rows of trees (a) and of loops (l).

use drystone::model::{BodyDef, BodyId, DVec3, JointDef, Model, ModelBuilder, WORLD};
use drystone::structured::{ConstraintSystem, Method, StructuredOptions};
use drystone_plot::{Plot, Scale, Series, exponent};

use crate::clock::processor_time;
use crate::{Outcome, write};

const METHODS: [(&str, Method); 4] = [
    ("full dense", Method::FullDense),
    ("full iterative", Method::FullIterative),
    ("structured dense", Method::StructuredDense),
    ("structured iterative", Method::StructuredIterative),
];
/// Links of the chain whose loops grow.
const LINKS: usize = 1600;
/// Means of which the least counts.
const REPEATS: usize = 5;

pub fn run() -> Outcome {
    println!("| method | exponent in a | exponent in l |\n|---|---|---|");
    // Far enough for the upper half of the linear ones to lie beyond the caches.
    let largest = [100, 800, 150_000, 150_000];
    let trees = METHODS.iter().zip(largest).map(|(method, most)| {
        let sizes = ladder(8, most);
        points(*method, sizes.iter().map(|&links| (3.0 * links as f64, chain(links, 0))))
    });
    let trees: Vec<Vec<[f64; 2]>> = trees.collect();
    let loops: Vec<Vec<[f64; 2]>> = METHODS
        .iter()
        // Thousands of rows in one dense matrix would take minutes each.
        .zip([0, 200, 800, LINKS])
        .map(|(method, most)| {
            let sizes = if most == 0 { Vec::new() } else { ladder(8, most) };
            points(*method, sizes.into_iter().map(|l| (l as f64, chain(LINKS, l))))
        })
        .collect();
    let mut pictures = [Vec::new(), Vec::new()];
    for (index, (name, _)) in METHODS.iter().enumerate() {
        let slopes = [&trees[index], &loops[index]].map(|points| exponent(upper_half(points)));
        let ends = [&trees[index], &loops[index]].map(|points| points.last().map_or(0.0, |point| point[0]));
        println!("| {name} | {:.2} (up to {}) | {:.2} (up to {}) |", slopes[0], ends[0], slopes[1], ends[1]);
        for (k, points) in
            [&trees[index], &loops[index]].into_iter().enumerate().filter(|(_, points)| !points.is_empty())
        {
            let name = format!("{name}: {:.2}", slopes[k]);
            pictures[k].push(Series::line(name, points.clone()).marked());
        }
    }
    let [trees, loops] = pictures;
    let plot = |title: &str, label: &str, series| Plot {
        title: title.into(),
        x: Scale::log(label),
        y: Scale::log("time of one solve [s]"),
        series,
    };
    write("structured-scaling-a", &plot("Chain without loops: time and its exponent", "rows of the tree, a", trees))?;
    let title = format!("Chain of {LINKS} links with loops to the world: time and its exponent");
    write("structured-scaling-l", &plot(&title, "rows of loops, l", loops))
}

/// Sizes from `least` to `most`, about three to a decade of time.
fn ladder(least: usize, most: usize) -> Vec<usize> {
    let mut sizes = vec![least];
    while let Some(&last) = sizes.last().filter(|&&last| last < most) {
        sizes.push((last * 8 / 5 + 1).min(most));
    }
    sizes
}

/// Where the leading power rules.
fn upper_half(points: &[[f64; 2]]) -> &[[f64; 2]] {
    &points[points.len() / 2..]
}

fn points((_, method): (&str, Method), models: impl Iterator<Item = (f64, Model)>) -> Vec<[f64; 2]> {
    models.map(|(size, model)| [size, solve_time(&model, method)]).collect()
}

/// Least of several means over runs of a tenth of a second together, at least one: accounts of processor time are kept in
/// slices of milliseconds, and what other programs do to the caches only ever adds \[s\].
fn solve_time(model: &Model, method: Method) -> f64 {
    let options = StructuredOptions { method, max_iterations: 100_000, ..StructuredOptions::default() };
    let mut mechanism = ConstraintSystem::new(model, options);
    let (state, control) = (model.state(), model.control());
    let mut solve = || {
        let solved = mechanism.forward_dynamics(model, &state, &control);
        assert!(solved.is_ok(), "the chain has a solution");
    };
    // The first run builds the trees and finds room.
    solve();
    let mut mean = || {
        let begun = processor_time();
        let mut runs = 0;
        while runs == 0 || processor_time() - begun < 0.1 {
            solve();
            runs += 1;
        }
        (processor_time() - begun) / f64::from(runs)
    };
    (0..REPEATS).map(|_| mean()).fold(f64::INFINITY, f64::min)
}

/// A chain of ball joints in a zigzag, held to the world by one rod of fixed length at every one of
/// `loops` links, evenly spread.
fn chain(links: usize, loops: usize) -> Model {
    let mut scene = ModelBuilder::new();
    let mut parent = BodyId(WORLD);
    let node = |index: usize| DVec3::new(0.2 * index as f64, 0.0, if index.is_multiple_of(2) { 0.0 } else { 0.1 });
    let mut bodies = Vec::with_capacity(links);
    for index in 0..links {
        let (near, far) = (node(index), node(index + 1));
        // Links in motion: at rest, the forces of a chain are those of its weight, and iterations find them too soon.
        let (place, turn) = (index as f64, DVec3::new((0.7 * index as f64).sin(), (1.3 * index as f64).cos(), 0.5));
        let wave = DVec3::new(0.3 * (0.11 * place).sin(), (0.05 * place).sin(), (0.031 * place).cos());
        let def = BodyDef::dynamic("").at(0.5 * (near + far)).velocity(wave).spin(turn);
        let body = scene.add_body(def.sphere(0.05));
        scene.add_joint(JointDef::ball(parent, body, near));
        bodies.push(body);
        parent = body;
    }
    for k in 0..loops {
        let index = (k * links) / loops;
        let at = 0.5 * (node(index) + node(index + 1));
        let anchor = at + DVec3::new(0.03, 0.5, 1.0);
        let length = (anchor - at).length();
        scene.add_joint(JointDef::distance(WORLD, bodies[index], anchor, at, [length, length]));
    }
    scene.finalize().unwrap_or_else(|error| panic!("{error}"))
}
