//! The body-centred cubic lattice: corners of cubes and their middles.

use glamx::DVec3;

use crate::Aabb;

/// A node, by twice its place in cells: all even at the corner of a cube, all odd in its middle.
pub type Node = [i32; 3];

/// Ways to the fourteen neighbours of a node: six along the axes, eight to the nearest of the other kind.
pub const WAYS: [Node; 14] = [
    [2, 0, 0],
    [-2, 0, 0],
    [0, 2, 0],
    [0, -2, 0],
    [0, 0, 2],
    [0, 0, -2],
    [1, 1, 1],
    [-1, 1, 1],
    [1, -1, 1],
    [-1, -1, 1],
    [1, 1, -1],
    [-1, 1, -1],
    [1, -1, -1],
    [-1, -1, -1],
];

/// How many of the [`WAYS`] are long.
pub const LONG: usize = 6;

/// A piece of the lattice.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// Middle of the piece \[m\].
    middle: DVec3,
    /// Side of a cube \[m\].
    cell: f64,
    /// Cubes on either side of the middle, by axis.
    reach: [i32; 3],
}

impl Lattice {
    /// One that covers a box with a cube to spare on every side.
    pub fn around(bounds: &Aabb, cell: f64) -> Self {
        let half = 0.5 * bounds.extent() / cell;
        // Too many are refused by their count before any is made.
        let reach = half.to_array().map(|cubes| cubes.ceil().min(f64::from(i32::MAX / 8)) as i32 + 1);
        Self { middle: bounds.center(), cell, reach }
    }

    /// Number of nodes.
    pub fn node_count(&self) -> f64 {
        self.reach.iter().map(|&reach| 2.0 * f64::from(reach) + 1.0).product::<f64>() * 2.0
    }

    /// Where a node is \[m\].
    pub fn place(&self, node: Node) -> DVec3 {
        let [x, y, z] = node.map(|twice| 0.5 * f64::from(twice));
        self.middle + DVec3::new(x, y, z) * self.cell
    }

    /// Side of a cube \[m\].
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// All nodes, in order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        let kind = |odd: i32| move |cube: Node| cube.map(|cube| 2 * cube + odd);
        self.cubes().map(kind(0)).chain(self.cubes().map(kind(1)))
    }

    fn cubes(&self) -> impl Iterator<Item = Node> + '_ {
        let [rx, ry, rz] = self.reach;
        (-rz..=rz).flat_map(move |z| (-ry..=ry).flat_map(move |y| (-rx..=rx).map(move |x| [x, y, z])))
    }

    /// Calls `take` with every tetrahedron: the middles of two cubes that share a side, and two corners along an edge of it.
    pub fn for_tetrahedra(&self, mut take: impl FnMut([Node; 4])) {
        for cube in self.cubes() {
            let middle = cube.map(|cube| 2 * cube + 1);
            for axis in 0..3 {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut beyond = middle;
                beyond[axis] += 2;
                // Corners of the side between them, around it.
                let around = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(|[du, dv]| {
                    let mut corner = middle;
                    corner[axis] += 1;
                    corner[u] += du;
                    corner[v] += dv;
                    corner
                });
                for k in 0..4 {
                    take([middle, beyond, around[k], around[(k + 1) % 4]]);
                }
            }
        }
    }
}
