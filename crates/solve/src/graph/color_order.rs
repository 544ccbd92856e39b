//! The sequence in which first-fit colouring visits bodies.

use super::csr::Csr;
use super::{couples, is_unknown};

/// Who is coloured first. Earlier bodies tend to get lower colours and so are moved first.
#[derive(Clone, Copy, Debug, Default)]
pub enum ColorOrder<'a> {
    /// By body index: the cheapest, and the best for scenes whose bodies were added in some spatial
    /// order.
    #[default]
    Index,
    /// Most constraints first; ties by index.
    LargestFirst,
    /// Repeatedly set aside the body with the fewest constraints left, colour in reverse. Never uses
    /// more colours than the graph's degeneracy plus one: two for any tree.
    SmallestLast,
    /// The caller's sequence of bodies, for instance from the top of a stack downwards. Bodies it
    /// leaves out follow by index; entries that repeat or are no unknowns are passed over.
    Given(&'a [u32]),
}

/// Works out sequences, keeping its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sequencer {
    bodies: Vec<u32>,
    rank: Vec<u32>,
    peeling: Peeling,
}

const UNRANKED: u32 = u32::MAX;

impl Sequencer {
    /// The bodies that move, first to last.
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Place of every body in the sequence; of no meaning for those that do not move.
    pub fn rank(&self) -> &[u32] {
        &self.rank
    }

    pub fn sequence(&mut self, moves: &[bool], edges: &[[u32; 2]], order: ColorOrder) {
        self.bodies.clear();
        self.rank.clear();
        self.rank.resize(moves.len(), UNRANKED);
        match order {
            ColorOrder::Index => {}
            ColorOrder::LargestFirst => {
                self.peeling.sort_by_degree(moves, edges);
                self.take_reversed(moves);
            }
            ColorOrder::SmallestLast => {
                self.peeling.sort_by_degree(moves, edges);
                self.peeling.peel(moves, edges);
                self.take_reversed(moves);
            }
            ColorOrder::Given(bodies) => bodies.iter().for_each(|&body| self.append(moves, body)),
        }
        for body in 0..moves.len() as u32 {
            self.append(moves, body);
        }
    }

    fn take_reversed(&mut self, moves: &[bool]) {
        for place in (0..self.peeling.body.len()).rev() {
            self.append(moves, self.peeling.body[place]);
        }
    }

    fn append(&mut self, moves: &[bool], body: u32) {
        if is_unknown(moves, body) && self.rank[body as usize] == UNRANKED {
            self.rank[body as usize] = self.bodies.len() as u32;
            self.bodies.push(body);
        }
    }
}

/// Bodies sorted by how many constraints they have, kept sorted while bodies are taken away from
/// the front: the bucket queue that finds cores of a graph in linear time.
#[derive(Clone, Debug, Default)]
struct Peeling {
    neighbours: Csr,
    degree: Vec<u32>,
    /// Bodies by ascending degree, and where each of them is.
    body: Vec<u32>,
    place: Vec<u32>,
    /// First place of every degree.
    bucket: Vec<u32>,
    by_degree: Csr,
}

impl Peeling {
    /// Sorts by degree, larger index first among equals: reversing the sequence restores index order.
    fn sort_by_degree(&mut self, moves: &[bool], edges: &[[u32; 2]]) {
        self.degree.clear();
        self.degree.resize(moves.len(), 0);
        for edge in edges.iter().filter(|&&edge| couples(moves, edge)) {
            edge.iter().for_each(|&body| self.degree[body as usize] += 1);
        }
        let largest = self.degree.iter().max().map_or(0, |&degree| degree as usize);
        let by_index = (0..moves.len()).rev().map(|body| (self.degree[body] as usize, body as u32));
        self.by_degree.build(largest + 1, by_index);
        self.body.clear();
        self.body.extend_from_slice(self.by_degree.items());
    }

    /// Reorders `body` into the sequence in which bodies of least remaining degree are taken away.
    fn peel(&mut self, moves: &[bool], edges: &[[u32; 2]]) {
        let coupled = edges.iter().filter(|&&edge| couples(moves, edge));
        let both_ways = coupled.flat_map(|&[a, b]| [(a as usize, b), (b as usize, a)]);
        self.neighbours.build(moves.len(), both_ways);
        self.bucket.clear();
        self.bucket.extend_from_slice(self.by_degree.starts());
        self.place.clear();
        self.place.resize(moves.len(), 0);
        for (place, &body) in self.body.iter().enumerate() {
            self.place[body as usize] = place as u32;
        }
        for front in 0..self.body.len() {
            let taken = self.body[front] as usize;
            for k in 0..self.neighbours.row(taken).len() {
                let neighbour = self.neighbours.row(taken)[k] as usize;
                if self.degree[neighbour] > self.degree[taken] {
                    self.lower(neighbour);
                }
            }
        }
    }

    /// Moves a body one bucket down by swapping it with the first of its bucket.
    fn lower(&mut self, body: usize) {
        let bucket = &mut self.bucket[self.degree[body] as usize];
        let (from, to) = (self.place[body] as usize, *bucket as usize);
        let first = self.body[to] as usize;
        self.body.swap(from, to);
        self.place[first] = from as u32;
        self.place[body] = to as u32;
        *bucket += 1;
        self.degree[body] -= 1;
    }
}
