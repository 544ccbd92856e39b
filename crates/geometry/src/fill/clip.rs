//! Cuts off what of the lattice's tetrahedra is outside.

use std::collections::HashMap;

use glamx::DVec3;

use super::lattice::{Lattice, Node};
use super::surface::{Cuts, Side, ends};
use super::{TetMesh, six_volumes};

/// Places of the corners of a prism, 0–1–2 below and 3–4–5 above, turned so that each in its turn comes first.
const TURNED: [[usize; 6]; 6] = [
    [0, 1, 2, 3, 4, 5],
    [1, 2, 0, 4, 5, 3],
    [2, 0, 1, 5, 3, 4],
    [3, 5, 4, 0, 2, 1],
    [4, 3, 5, 1, 0, 2],
    [5, 4, 3, 2, 1, 0],
];

/// Puts the tetrahedra of a solid together.
pub struct Clip<'a> {
    lattice: &'a Lattice,
    cuts: &'a Cuts,
    filled: TetMesh,
    /// Numbers of nodes and cuts; a node is an edge of its own.
    numbers: HashMap<[Node; 2], u32>,
}

impl<'a> Clip<'a> {
    /// Nothing so far.
    pub fn new(lattice: &'a Lattice, cuts: &'a Cuts) -> Self {
        Self { lattice, cuts, filled: TetMesh::default(), numbers: HashMap::new() }
    }

    /// All that was added.
    pub fn finish(self) -> TetMesh {
        self.filled
    }

    /// Adds what of a tetrahedron of the lattice is inside.
    pub fn add(&mut self, corners: [Node; 4]) {
        let sides = corners.map(|node| self.cuts.side(node));
        if !sides.contains(&Side::In) {
            return;
        }
        let on = |which: fn(&Side) -> bool| -> Vec<Node> {
            corners.iter().zip(&sides).filter(|(_, side)| which(side)).map(|(&node, _)| node).collect()
        };
        let inner = on(|side| matches!(side, Side::In));
        let outer = on(|side| matches!(side, Side::Out));
        let level = on(|side| matches!(side, Side::On(_)));
        match (&inner[..], &outer[..], &level[..]) {
            (_, [], _) => {
                let whole = corners.map(|node| self.node(node));
                self.take(whole);
            }
            (&[tip], _, _) => {
                let base: Vec<u32> = outer.iter().map(|&node| self.cut(tip, node)).collect();
                let rest: Vec<u32> = level.iter().map(|&node| self.node(node)).collect();
                let all: Vec<u32> = [vec![self.node(tip)], base, rest].concat();
                self.take([all[0], all[1], all[2], all[3]]);
            }
            (&[a, b], &[out], &[top]) => {
                let square = [self.node(a), self.node(b), self.cut(b, out), self.cut(a, out)];
                let top = self.node(top);
                self.pyramid(square, top);
            }
            (&[a, b], &[c, d], _) => {
                let prism =
                    [self.node(a), self.cut(a, c), self.cut(a, d), self.node(b), self.cut(b, c), self.cut(b, d)];
                self.prism(prism);
            }
            (&[a, b, c], &[out], _) => {
                let below = [a, b, c].map(|node| self.node(node));
                let above = [a, b, c].map(|node| self.cut(node, out));
                self.prism([below[0], below[1], below[2], above[0], above[1], above[2]]);
            }
            _ => unreachable!("four corners are in, out or on"),
        }
    }

    /// Two tetrahedra. The square is cut through the smallest of its corners, as on the other side of it.
    fn pyramid(&mut self, [a, b, c, d]: [u32; 4], top: u32) {
        if a.min(c) < b.min(d) {
            self.take([a, b, c, top]);
            self.take([a, c, d, top]);
        } else {
            self.take([a, b, d, top]);
            self.take([b, c, d, top]);
        }
    }

    /// Three tetrahedra, each of the squares cut through the smallest of its corners (J. Dompierre and others, 1999).
    fn prism(&mut self, corners: [u32; 6]) {
        let first = (0..6).min_by_key(|&k| corners[k]).unwrap_or(0);
        let [a, b, c, d, e, f] = TURNED[first].map(|k| corners[k]);
        let halves = if b.min(f) < c.min(e) { [[a, b, c, f], [a, b, f, e]] } else { [[a, b, c, e], [a, e, c, f]] };
        halves.into_iter().chain([[a, e, f, d]]).for_each(|tetrahedron| self.take(tetrahedron));
    }

    /// Adds a tetrahedron the right way round.
    fn take(&mut self, [a, b, c, d]: [u32; 4]) {
        let points = [a, b, c, d].map(|corner| self.filled.points[corner as usize]);
        self.filled.tetrahedra.push(if six_volumes(points) < 0.0 { [a, b, d, c] } else { [a, b, c, d] });
    }

    fn node(&mut self, node: Node) -> u32 {
        let place = match self.cuts.side(node) {
            Side::On(place) => place,
            Side::In | Side::Out => self.lattice.place(node),
        };
        self.number([node, node], place)
    }

    /// The cut between a node inside and one outside: there is one, or one of them would have been moved onto it.
    fn cut(&mut self, inner: Node, outer: Node) -> u32 {
        let place = self.cuts.cut(inner, outer).unwrap_or_else(|| self.lattice.place(inner));
        self.number(ends(inner, outer), place)
    }

    fn number(&mut self, key: [Node; 2], place: DVec3) -> u32 {
        let points = &mut self.filled.points;
        *self.numbers.entry(key).or_insert_with(|| {
            points.push(place);
            points.len() as u32 - 1
        })
    }
}
