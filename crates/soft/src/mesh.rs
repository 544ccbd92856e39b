//! Particles of a model in the order in which they are solved, and who touches whom.

use std::collections::BTreeSet;

use drystone_model::{DVec3, Model, WORLD};
use drystone_solve::graph::coloring::{ColorOrder, Coloring};

/// Particles that move first, by colour: those of one colour share no element. Then those that are pinned.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Index in the model of every particle here.
    pub model: Vec<u32>,
    /// Index here of every particle of the model.
    pub here: Vec<u32>,
    /// Particles that move.
    pub free: usize,
    /// Where each colour starts; one more than colours.
    pub colors: Vec<u32>,
    /// Particles that share an element, of every particle here.
    pub neighbours: Vec<Vec<u32>>,
    /// The same without folds, which reach over an edge: ends of springs and seams, and corners of triangles and tetrahedra.
    pub edges: Vec<Vec<u32>>,
    /// Positions in the model's rest \[m\].
    pub rest: Vec<DVec3>,
}

impl Mesh {
    /// The particles of a model.
    pub fn new(model: &Model) -> Self {
        let moves: Vec<bool> = model.particle_mass.iter().map(|&mass| mass > 0.0).collect();
        Self::with(model, &moves)
    }

    /// The particles of a model, all of which count as moving: for solvers that say step by step which are held.
    pub fn whole(model: &Model) -> Self {
        Self::with(model, &vec![true; model.particle_count()])
    }

    fn with(model: &Model, moves: &[bool]) -> Self {
        let count = model.particle_count();
        let edges = edges(model);
        let neighbours = with_folds(model, &edges);
        let (order, free, colors) = by_color(moves, &neighbours);
        let mut here = vec![0; count];
        for (place, &particle) in (0..).zip(&order) {
            here[particle as usize] = place;
        }
        let renamed = |lists: &[BTreeSet<u32>]| -> Vec<Vec<u32>> {
            let list = |&particle: &u32| {
                let names: BTreeSet<u32> = lists[particle as usize].iter().map(|&other| here[other as usize]).collect();
                names.into_iter().collect()
            };
            order.iter().map(list).collect()
        };
        Self {
            neighbours: renamed(&neighbours),
            edges: renamed(&edges),
            rest: order.iter().map(|&particle| model.particle_q[particle as usize]).collect(),
            model: order,
            here,
            free,
            colors,
        }
    }
}

/// Ends of springs and seams and corners of triangles and tetrahedra, by the model's index.
fn edges(model: &Model) -> Vec<BTreeSet<u32>> {
    let mut sets = vec![BTreeSet::new(); model.particle_count()];
    model.spring_particle.iter().for_each(|corners| tie(&mut sets, corners));
    model.triangle_particle.iter().for_each(|corners| tie(&mut sets, corners));
    model.tet_particle.iter().for_each(|corners| tie(&mut sets, corners));
    let seams = model.attachment_particle.iter().zip(&model.attachment_other);
    seams.filter(|(_, other)| **other != WORLD).for_each(|(&one, &other)| tie(&mut sets, &[one, other]));
    sets
}

/// Those and the corners of folds that resist.
fn with_folds(model: &Model, edges: &[BTreeSet<u32>]) -> Vec<BTreeSet<u32>> {
    let mut sets = edges.to_vec();
    let bends = |edge: &usize| model.edge_material[*edge] != [0.0; 2] && model.edge_particle[*edge][1] != WORLD;
    (0..model.edge_particle.len()).filter(bends).for_each(|edge| tie(&mut sets, &model.edge_particle[edge]));
    sets
}

fn tie(sets: &mut [BTreeSet<u32>], corners: &[u32]) {
    for &a in corners {
        sets[a as usize].extend(corners.iter().copied().filter(|&b| b != a));
    }
}

/// Nodes by colour, those that do not move last; how many move; where each colour starts.
pub fn by_color(moves: &[bool], neighbours: &[BTreeSet<u32>]) -> (Vec<u32>, usize, Vec<u32>) {
    let edges: Vec<[u32; 2]> = (0..)
        .zip(neighbours)
        .flat_map(|(a, others)| others.iter().filter(move |&&b| a < b).map(move |&b| [a, b]))
        .collect();
    let mut coloring = Coloring::default();
    coloring.color(moves, &edges, ColorOrder::default());
    let mut order: Vec<u32> = (0..moves.len() as u32).collect();
    let color = coloring.colors();
    // Those without a colour have the largest number there is, and come last.
    order.sort_by_key(|&node| color[node as usize]);
    let free = moves.iter().filter(|&&moves| moves).count();
    let mut starts = vec![0];
    for place in 1..=free {
        let same = place < free && color[order[place] as usize] == color[order[place - 1] as usize];
        if !same {
            starts.push(place as u32);
        }
    }
    (order, free, starts)
}
