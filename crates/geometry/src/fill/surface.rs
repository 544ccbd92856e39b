//! Where a surface meets the lattice.

use std::collections::HashMap;

use glamx::DVec3;

use super::lattice::{LONG, Lattice, Node, WAYS};

/// A node that is nearer to a cut of a long edge, as a share of the edge, is moved onto it; likewise of a short one. Values of the
/// paper for cells of one size: with them no angle gets small.
const NEAR_LONG: f64 = 0.24999;
const NEAR_SHORT: f64 = 0.41189;
/// Halvings and secants that find a cut.
const TRIALS: usize = 24;
/// Accuracy of a cut, as a share of the cell.
const EXACT: f64 = 1.0e-9;

/// On which side of the surface the nodes are, and where it cuts the edges between them.
#[derive(Debug, Default)]
pub struct Cuts {
    sides: HashMap<Node, Side>,
    /// Cuts of edges, from the smaller to the larger end.
    cuts: HashMap<[Node; 2], DVec3>,
}

/// Where a node is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// Inside the solid.
    In,
    /// Outside.
    Out,
    /// Moved onto the surface \[m\].
    On(DVec3),
}

impl Cuts {
    /// Where the surface on which `depth` is zero, positive inside, meets the lattice.
    pub fn find(lattice: &Lattice, depth: impl Fn(DVec3) -> f64) -> Self {
        let depths: HashMap<Node, f64> = lattice.nodes().map(|node| (node, depth(lattice.place(node)))).collect();
        let mut all = Self::default();
        for (&node, &d) in &depths {
            all.sides.insert(node, if d > 0.0 { Side::In } else { Side::Out });
        }
        for node in lattice.nodes() {
            let inner = depths[&node] > 0.0;
            for way in WAYS {
                let other = along(node, way);
                // Each edge once, and none that leaves the piece.
                if node < other && depths.get(&other).is_some_and(|&d| (d > 0.0) != inner) {
                    let ends = [node, other].map(|node| (lattice.place(node), depths[&node]));
                    all.cuts.insert([node, other], cut(ends, EXACT * lattice.cell(), &depth));
                }
            }
        }
        for node in lattice.nodes() {
            if let Some(place) = all.nearest_cut(lattice, node) {
                all.sides.insert(node, Side::On(place));
                for way in WAYS {
                    all.cuts.remove(&ends(node, along(node, way)));
                }
            }
        }
        all
    }

    /// The nearest cut of an edge of a node that is too near to it.
    fn nearest_cut(&self, lattice: &Lattice, node: Node) -> Option<DVec3> {
        let here = lattice.place(node);
        let cuts = WAYS.iter().enumerate().filter_map(|(k, &way)| {
            let other = along(node, way);
            let cut = *self.cuts.get(&ends(node, other))?;
            let share = cut.distance(here) / lattice.place(other).distance(here);
            let near = if k < LONG { NEAR_LONG } else { NEAR_SHORT };
            (share < near).then_some((cut.distance(here), cut))
        });
        cuts.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cut)| cut)
    }

    /// Where a node is; those beyond the piece of the lattice are outside.
    pub fn side(&self, node: Node) -> Side {
        self.sides.get(&node).copied().unwrap_or(Side::Out)
    }

    /// Where the edge between two nodes on different sides is cut \[m\].
    pub fn cut(&self, one: Node, other: Node) -> Option<DVec3> {
        self.cuts.get(&ends(one, other)).copied()
    }
}

/// The edge between two nodes.
pub fn ends(one: Node, other: Node) -> [Node; 2] {
    [one.min(other), one.max(other)]
}

fn along(node: Node, way: Node) -> Node {
    [node[0] + way[0], node[1] + way[1], node[2] + way[2]]
}

/// Where the depth changes sign between two points: by secants, halving where they are slow.
fn cut([mut a, mut b]: [(DVec3, f64); 2], exact: f64, depth: impl Fn(DVec3) -> f64) -> DVec3 {
    let mut at = a.0;
    for trial in 0..TRIALS {
        let share = if trial % 3 == 2 { 0.5 } else { a.1 / (a.1 - b.1) };
        at = a.0.lerp(b.0, share);
        let d = depth(at);
        if d.abs() <= exact {
            break;
        }
        if (d > 0.0) == (a.1 > 0.0) { a = (at, d) } else { b = (at, d) }
    }
    at
}
