//! Which rows meet in which front: worked out once per graph.

use std::ops::Range;

use super::dissection::{Dissection, NO_SUPERNODE};
use drystone_solve::graph::csr::Csr;

/// A supernode of the elimination.
#[derive(Clone, Copy, Debug)]
pub struct Supernode {
    /// Place of its first own row.
    pub first: u32,
    /// Number of own rows.
    pub own: u32,
    /// Its rows of later supernodes, in `boundary` and `into_parent`.
    bound: [u32; 2],
    /// Bodies gathered here, as places in the list of bodies.
    body: [u32; 2],
    /// Supernodes it cuts off, or none.
    pub children: [u32; 2],
    /// Supernode that cuts it off, or none.
    parent: u32,
}

/// A row of a constraint at a body.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Where it is in the front.
    pub at: u32,
    /// The row.
    pub row: u32,
    /// Which end of the constraint the body is.
    pub end: u32,
}

/// The fronts of a graph. Places count rows in the order of elimination.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Supernodes in their order.
    pub supernodes: Vec<Supernode>,
    /// Row at every place.
    pub row_at: Vec<u32>,
    /// Places of the later rows of every supernode, ascending.
    pub boundary: Vec<u32>,
    /// Where these are in the front of the parent.
    pub into_parent: Vec<u32>,
    touch_start: Vec<u32>,
    touch: Vec<Touch>,
    /// Work of every supernode and all below it, and the first of these.
    below: Vec<(f64, u32)>,
}

impl Supernode {
    /// Rows of its front.
    pub fn size(&self) -> usize {
        (self.own + self.bound[1] - self.bound[0]) as usize
    }

    /// Its later rows.
    pub fn boundary(&self) -> Range<usize> {
        self.bound[0] as usize..self.bound[1] as usize
    }

    /// Bodies gathered here.
    pub fn bodies(&self) -> Range<usize> {
        self.body[0] as usize..self.body[1] as usize
    }
}

impl Layout {
    /// Of `count` bodies joined by edges with the given rows.
    pub fn new(count: usize, edges: &[[u32; 2]], row_start: &[u32]) -> Self {
        let order = Dissection::new(count, edges);
        let mut edges_at = Csr::default();
        let ends = edges.iter().enumerate().flat_map(|(edge, ends)| ends.map(|node| (node as usize, edge as u32)));
        edges_at.build(count, ends.filter(|&(node, _)| node < count));
        let mut layout = Self { touch_start: vec![0], ..Self::default() };
        let graph = Graph { edges, row_start, edges_at: &edges_at };
        let supernode_of = layout.number(&order, &graph);
        layout.find_boundaries(&order, &graph, &supernode_of);
        layout.point_into_parents(&order);
        layout.measure();
        layout
    }

    /// Rows of a body, in the order of the list of bodies, by their place in the front.
    pub fn touches(&self, body: usize) -> &[Touch] {
        &self.touch[self.touch_start[body] as usize..self.touch_start[body + 1] as usize]
    }

    /// Places of all rows, own rows of all supernodes; returns the supernode of every edge.
    fn number(&mut self, order: &Dissection, graph: &Graph) -> Vec<u32> {
        let mut supernode_of = vec![NO_SUPERNODE; graph.edges.len()];
        for index in 0..order.supernode_count() {
            let first = self.row_at.len() as u32;
            for &edge in order.supernode(index) {
                supernode_of[edge as usize] = index as u32;
                self.row_at.extend(graph.rows(edge));
            }
            let own = self.row_at.len() as u32 - first;
            self.supernodes.push(Supernode {
                first,
                own,
                bound: [0; 2],
                body: [0; 2],
                children: [NO_SUPERNODE; 2],
                parent: order.parent[index],
            });
        }
        for (child, &parent) in order.parent.iter().enumerate().filter(|(_, parent)| **parent != NO_SUPERNODE) {
            let children = &mut self.supernodes[parent as usize].children;
            children[usize::from(children[0] != NO_SUPERNODE)] = child as u32;
        }
        supernode_of
    }

    /// A body is gathered in the first supernode that has one of its edges. The front of a supernode has the rows of
    /// these bodies and what its children left.
    fn find_boundaries(&mut self, order: &Dissection, graph: &Graph, supernode_of: &[u32]) {
        let first_supernode =
            |body: usize| graph.edges_at.row(body).iter().map(|&edge| supernode_of[edge as usize]).min();
        let mut bodies = Csr::default();
        let homes =
            (0..graph.edges_at.row_count()).filter_map(|body| Some((first_supernode(body)? as usize, body as u32)));
        bodies.build(order.supernode_count(), homes);
        let mut place = vec![0; self.row_at.len()];
        self.row_at.iter().enumerate().for_each(|(at, &row)| place[row as usize] = at as u32);
        for index in 0..self.supernodes.len() {
            let supernode = self.supernodes[index];
            let mut later: Vec<u32> = Vec::new();
            for &edge in bodies.row(index).iter().flat_map(|&body| graph.edges_at.row(body as usize)) {
                later.extend(graph.rows(edge).map(|row| place[row as usize]));
            }
            for &child in supernode.children.iter().filter(|&&child| child != NO_SUPERNODE) {
                later.extend(&self.boundary[self.supernodes[child as usize].boundary()]);
            }
            later.retain(|&place| place >= supernode.first + supernode.own);
            later.sort_unstable();
            later.dedup();
            let start = self.boundary.len() as u32;
            self.boundary.extend(later);
            self.supernodes[index].bound = [start, self.boundary.len() as u32];
            self.supernodes[index].body[0] = self.touch_start.len() as u32 - 1;
            for &body in bodies.row(index) {
                self.add_touches(index, body, graph, &place);
            }
            self.supernodes[index].body[1] = self.touch_start.len() as u32 - 1;
        }
    }

    fn add_touches(&mut self, supernode: usize, body: u32, graph: &Graph, place: &[u32]) {
        let first = self.touch.len();
        for &edge in graph.edges_at.row(body as usize) {
            let ends = graph.edges[edge as usize];
            // An edge from a body to itself is met twice, and once is enough.
            let end = u32::from(ends[0] != body);
            for row in graph.rows(edge) {
                self.touch.push(Touch { at: self.at(supernode, place[row as usize]), row, end });
            }
        }
        self.touch[first..].sort_unstable_by_key(|touch| (touch.at, touch.end));
        self.touch_start.push(self.touch.len() as u32);
    }

    /// Where a place is in the front of a supernode.
    fn at(&self, supernode: usize, place: u32) -> u32 {
        let supernode = &self.supernodes[supernode];
        if place < supernode.first + supernode.own {
            return place - supernode.first;
        }
        let later = &self.boundary[supernode.boundary()];
        supernode.own + later.partition_point(|&other| other < place) as u32
    }

    fn point_into_parents(&mut self, order: &Dissection) {
        self.into_parent.reserve(self.boundary.len());
        for index in 0..self.supernodes.len() {
            for k in self.supernodes[index].boundary() {
                // A supernode without a parent has no boundary.
                self.into_parent.push(self.at(order.parent[index] as usize, self.boundary[k]));
            }
        }
    }

    fn measure(&mut self) {
        for index in 0..self.supernodes.len() {
            let supernode = &self.supernodes[index];
            let size = supernode.size() as f64;
            let mut below = (f64::from(supernode.own) * size * size, index as u32);
            for child in supernode.children.iter().filter_map(|&child| self.below.get(child as usize)) {
                below = (below.0 + child.0, below.1.min(child.1));
            }
            self.below.push(below);
        }
    }

    /// Products that a supernode and all below it take.
    pub fn work_below(&self, index: usize) -> f64 {
        self.below.get(index).map_or(0.0, |below| below.0)
    }

    /// The first of the supernodes below one, which are all up to it.
    pub fn first_below(&self, index: usize) -> usize {
        self.below[index].1 as usize
    }

    /// The supernode that cuts another off.
    pub fn parent_of(&self, index: u32) -> Option<u32> {
        Some(self.supernodes[index as usize].parent).filter(|&parent| parent != NO_SUPERNODE)
    }
}

struct Graph<'a> {
    edges: &'a [[u32; 2]],
    row_start: &'a [u32],
    edges_at: &'a Csr,
}

impl Graph<'_> {
    fn rows(&self, edge: u32) -> Range<u32> {
        self.row_start[edge as usize]..self.row_start[edge as usize + 1]
    }
}
