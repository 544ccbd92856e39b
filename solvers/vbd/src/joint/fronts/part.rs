//! Some of the supernodes, with their columns of the factor: either all below one, or those that hold such pieces together.

use super::layout::{Layout, Supernode};
use super::{RowEnds, front};

/// Supernodes in their order.
#[derive(Clone, Debug, Default)]
pub struct Part {
    nodes: Vec<u32>,
    /// First number of the columns of each, and first of its vector.
    start: Vec<[usize; 2]>,
    /// Columns of the factor, supernode by supernode.
    factor: Vec<f32>,
    /// What a supernode solves for: its own rows, and those of later ones that it meets.
    vector: Vec<f32>,
    front: Vec<f32>,
    /// What supernodes leave for those that cut them off: a stack.
    left: Vec<f32>,
    packed: Vec<f32>,
}

impl Part {
    /// Of the given supernodes.
    pub fn new(layout: &Layout, nodes: Vec<u32>) -> Self {
        let mut part = Self { nodes, ..Self::default() };
        let (mut factor, mut vector, mut largest) = (0, 0, 0);
        for &node in &part.nodes {
            let supernode = &layout.supernodes[node as usize];
            part.start.push([factor, vector]);
            factor += supernode.own as usize * supernode.size();
            vector += supernode.size();
            largest = largest.max(supernode.size());
        }
        part.factor = vec![0.0; factor];
        part.vector = vec![0.0; vector];
        part.front = vec![0.0; largest * largest];
        part
    }

    /// Tells every own row and its place.
    pub fn rows(&self, layout: &Layout, mut tell: impl FnMut(u32, u32)) {
        for (&node, &[_, vector]) in self.nodes.iter().zip(&self.start) {
            let supernode = &layout.supernodes[node as usize];
            for k in 0..supernode.own {
                tell(layout.row_at[(supernode.first + k) as usize], vector as u32 + k);
            }
        }
    }

    /// The solution at a place.
    pub fn value(&self, place: u32) -> f32 {
        self.vector[place as usize]
    }

    /// Factors its supernodes, given the `pieces` below it.
    pub fn factor(&mut self, layout: &Layout, rows: &[RowEnds], diagonal: &[f32], pieces: &[Self]) {
        self.left.clear();
        for place in 0..self.nodes.len() {
            let supernode = layout.supernodes[self.nodes[place] as usize];
            let (size, own) = (supernode.size(), supernode.own as usize);
            self.front[..size * size].fill(0.0);
            self.gather(layout, &supernode, rows, diagonal);
            for &child in supernode.children.iter().rev() {
                self.take_over(layout, child, size, pieces);
            }
            front::eliminate(&mut self.front[..size * size], size, own, &mut self.packed);
            let start = self.start[place][0];
            self.factor[start..start + own * size].copy_from_slice(&self.front[..own * size]);
            for column in self.front[own * size..size * size].chunks_exact(size.max(1)) {
                self.left.extend_from_slice(&column[own..]);
            }
        }
    }

    /// Adds what bodies and diagonal bring to a supernode.
    fn gather(&mut self, layout: &Layout, supernode: &Supernode, rows: &[RowEnds], diagonal: &[f32]) {
        let size = supernode.size();
        for body in supernode.bodies() {
            let touches = layout.touches(body);
            for (k, a) in touches.iter().enumerate() {
                let own = &rows[a.row as usize][a.end as usize];
                for b in &touches[k..] {
                    let product: f32 = own.iter().zip(&rows[b.row as usize][b.end as usize]).map(|(a, b)| a * b).sum();
                    self.front[a.at as usize * size + b.at as usize] += product;
                }
            }
        }
        for k in 0..supernode.own as usize {
            self.front[k * size + k] += diagonal[layout.row_at[supernode.first as usize + k] as usize];
        }
    }

    /// Adds what a supernode left to the front of its parent, of `size` rows.
    fn take_over(&mut self, layout: &Layout, child: u32, size: usize, pieces: &[Self]) {
        let Some(supernode) = layout.supernodes.get(child as usize) else { return };
        let into = &layout.into_parent[supernode.boundary()];
        let count = into.len();
        let piece = pieces.iter().find(|piece| piece.nodes.last() == Some(&child));
        let start = self.left.len() - if piece.is_some() { 0 } else { count * count };
        let left = piece.map_or(&self.left[start..], |piece| &piece.left);
        for (j, column) in left.chunks_exact(count.max(1)).enumerate() {
            let target = &mut self.front[into[j] as usize * size..][..size];
            into[j..].iter().zip(&column[j..]).for_each(|(&i, value)| target[i as usize] += value);
        }
        self.left.truncate(start);
    }

    /// From the leaves up: the right-hand side `b` less what is known.
    pub fn forward(&mut self, layout: &Layout, b: &[f64], pieces: &[Self]) {
        for place in 0..self.nodes.len() {
            let supernode = &layout.supernodes[self.nodes[place] as usize];
            let ([factor, vector], own) = (self.start[place], supernode.own as usize);
            let Self { nodes, start, vector: all, factor: columns, .. } = &mut *self;
            let (before, local) = all.split_at_mut(vector);
            let local = &mut local[..supernode.size()];
            let rows = &layout.row_at[supernode.first as usize..][..own];
            local[..own].iter_mut().zip(rows).for_each(|(local, &row)| *local = b[row as usize] as f32);
            local[own..].fill(0.0);
            for child in supernode.children {
                let Some(below) = layout.supernodes.get(child as usize) else { continue };
                let left = match pieces.iter().find(|piece| piece.nodes.last() == Some(&child)) {
                    Some(piece) => &piece.vector[piece.vector.len() - below.size()..],
                    None => &before[start[place_of(nodes, child)][1]..][..below.size()],
                };
                let into = &layout.into_parent[below.boundary()];
                into.iter().zip(&left[below.own as usize..]).for_each(|(&into, left)| local[into as usize] += left);
            }
            front::forward(&columns[factor..factor + own * local.len()], own, local);
        }
    }

    /// Back from the top: what is below a supernode of the part `above`, or the whole.
    pub fn backward(&mut self, layout: &Layout, above: Option<&Self>) {
        for place in (0..self.nodes.len()).rev() {
            let supernode = &layout.supernodes[self.nodes[place] as usize];
            let ([factor, vector], own) = (self.start[place], supernode.own as usize);
            let (local, after) = self.vector[vector..].split_at_mut(supernode.size());
            let into = &layout.into_parent[supernode.boundary()];
            if let Some(parent) = layout.parent_of(self.nodes[place]) {
                let known = match self.nodes.binary_search(&parent) {
                    Ok(parent) => &after[self.start[parent][1] - vector - local.len()..],
                    Err(_) => match above {
                        Some(above) => &above.vector[above.start[place_of(&above.nodes, parent)][1]..],
                        None => continue,
                    },
                };
                local[own..].iter_mut().zip(into).for_each(|(local, &into)| *local = known[into as usize]);
            }
            front::backward(&self.factor[factor..factor + own * local.len()], own, local);
        }
    }

    /// Numbers there is room for.
    #[cfg(test)]
    pub fn room(&self) -> usize {
        self.left.capacity() + self.packed.capacity()
    }
}

/// Place of a supernode among some in ascending order.
fn place_of(nodes: &[u32], node: u32) -> usize {
    nodes.partition_point(|&other| other < node)
}
