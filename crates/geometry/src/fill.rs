//! Solids cut into tetrahedra: what is inside a closed surface, in cells of one size.
//!
//! A body-centred cubic lattice is laid over the solid. Its tetrahedra are all alike and nearly regular. Nodes close to the
//! surface are moved onto it; what still crosses it is cut off there (isosurface stuffing, F. Labelle and J. R. Shewchuk, 2007).
//! So no tetrahedron is flat, whatever the surface looks like.

mod clip;
mod lattice;
mod surface;

use std::sync::Arc;

use glamx::DVec3;

use crate::mesh::MeshTree;
use crate::{MeshFault, TriMesh};

use clip::Clip;
use lattice::Lattice;
use surface::Cuts;

/// More nodes than this are taken for a mistake in the size of the cells.
const MOST_NODES: f64 = 2.0e7;
/// Share of its volume that a filled solid may miss.
const MISSED: f64 = 0.1;

/// A solid in tetrahedra.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetMesh {
    /// Where the corners are \[m\].
    pub points: Vec<DVec3>,
    /// The corners of every tetrahedron; (b − a) × (c − a) · (d − a) is positive.
    pub tetrahedra: Vec<[u32; 4]>,
}

/// Why a surface was not filled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FillError {
    /// The surface does not bound a solid.
    #[error(transparent)]
    Surface(#[from] MeshFault),
    /// The size of the cells is no length.
    #[error("cells need a positive, finite size, but {0} m was given")]
    BadCell(f64),
    /// There would be too many cells.
    #[error("cells of {cell} m would be {nodes:.1e} nodes; take larger ones")]
    TooMany {
        /// Size that was asked for \[m\].
        cell: f64,
        /// Nodes of the lattice.
        nodes: f64,
    },
    /// Parts of the solid are thinner than the cells.
    #[error(
        "cells of {cell} m hold {filled:.3e} of the {volume:.3e} m³ of the solid, parts of which are thinner than they; take \
         smaller ones"
    )]
    Coarse {
        /// Size that was asked for \[m\].
        cell: f64,
        /// What the tetrahedra hold \[m³\].
        filled: f64,
        /// What the surface holds \[m³\].
        volume: f64,
    },
}

impl TetMesh {
    /// Cuts the inside of a closed surface into tetrahedra with edges of about `cell` \[m\].
    ///
    /// ```
    /// use drystone_geometry::{DVec3, Shape, Tessellation, TetMesh};
    /// let ball = Shape::sphere(0.5)?.to_mesh(&Tessellation::default());
    /// let soft = TetMesh::fill(&ball, 0.1)?;
    /// assert!((soft.volume() / ball.solid_moments().volume - 1.0).abs() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill(surface: &TriMesh, cell: f64) -> Result<Self, FillError> {
        if !(cell > 0.0 && cell.is_finite()) {
            return Err(FillError::BadCell(cell));
        }
        let tree = MeshTree::new(Arc::new(surface.clone()))?;
        let lattice = Lattice::around(&surface.bounds(), cell);
        let nodes = lattice.node_count();
        if nodes > MOST_NODES {
            return Err(FillError::TooMany { cell, nodes });
        }
        let cuts = Cuts::find(&lattice, |point| -tree.project(point).0.distance);
        let mut clip = Clip::new(&lattice, &cuts);
        lattice.for_tetrahedra(|corners| clip.add(corners));
        let filled = clip.finish();
        let (held, volume) = (filled.volume(), surface.solid_moments().volume);
        if held < (1.0 - MISSED) * volume {
            return Err(FillError::Coarse { cell, filled: held, volume });
        }
        Ok(filled)
    }

    /// Volume of all tetrahedra \[m³\].
    pub fn volume(&self) -> f64 {
        self.tetrahedra.iter().map(|corners| six_volumes(corners.map(|c| self.points[c as usize]))).sum::<f64>() / 6.0
    }

    /// The surface, facing outwards, with the points of the whole.
    pub fn surface(&self) -> TriMesh {
        TriMesh { vertices: self.points.clone(), triangles: boundary(&self.tetrahedra) }
    }
}

/// Six times the signed volume of a tetrahedron \[m³\].
fn six_volumes([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).cross(c - a).dot(d - a)
}

/// Faces of one tetrahedron only, facing outwards, in the order of their corners.
pub fn boundary(tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let outward = |[a, b, c, d]: [u32; 4]| [[b, c, d], [a, d, c], [a, b, d], [a, c, b]];
    let mut faces: Vec<([u32; 3], [u32; 3])> = tetrahedra
        .iter()
        .flat_map(|&corners| outward(corners))
        .map(|face| {
            let mut key = face;
            key.sort_unstable();
            (key, face)
        })
        .collect();
    faces.sort_unstable();
    let alone = faces.chunk_by(|a, b| a.0 == b.0).filter(|faces| faces.len() == 1);
    alone.map(|faces| faces[0].1).collect()
}
