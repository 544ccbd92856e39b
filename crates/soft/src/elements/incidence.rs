//! Which elements a particle belongs to, and where their blocks stand in its row.

use drystone_geometry::{DMat3, DVec3};

use super::{Element, Elements};
use crate::matrix::Matrix;

/// Which list an element stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Spring,
    Sheet,
    Fold,
    Solid,
    Seam,
}

/// A particle that is pinned has no column, and blocks below the diagonal are those above it.
const NOWHERE: u16 = u16::MAX;

/// One element at one of its corners.
#[derive(Clone, Copy, Debug)]
pub struct Incidence {
    /// Index in its list.
    pub element: u32,
    pub kind: Kind,
    corner: u8,
    /// Places of the blocks with every corner in the row.
    place: [u16; 4],
}

impl Incidence {
    /// The corner of the element.
    pub fn corner(&self) -> usize {
        usize::from(self.corner)
    }

    /// Force of the element on this corner with all particles at `x`, and how it grows against a motion of the corner.
    #[inline]
    pub fn alone<E: Element + Clone>(&self, element: &E, x: &[DVec3], h: f64) -> (DVec3, DMat3) {
        let corner = usize::from(self.corner);
        let mut element = element.clone();
        element.evaluate_alone(x, h);
        (element.force(corner), element.block(corner, corner))
    }

    /// Adds what the element has at this corner to a row, from the diagonal on.
    #[inline]
    pub fn add(&self, element: &impl Element, blocks: &mut [DMat3]) {
        let corner = usize::from(self.corner);
        for (other, &place) in self.place.iter().enumerate().take(element.corners().len()) {
            if place != NOWHERE {
                blocks[usize::from(place)] += element.block(corner, other);
            }
        }
    }
}

/// The incidences of every particle that moves, by row, in the order of the lists.
pub fn of(elements: &Elements, free: usize, matrix: &Matrix) -> (Vec<u32>, Vec<Incidence>) {
    let mut rows = vec![Vec::new(); free];
    list(&elements.springs, Kind::Spring, matrix, &mut rows);
    list(&elements.sheets, Kind::Sheet, matrix, &mut rows);
    list(&elements.folds, Kind::Fold, matrix, &mut rows);
    list(&elements.solids, Kind::Solid, matrix, &mut rows);
    list(&elements.seams, Kind::Seam, matrix, &mut rows);
    let mut start = vec![0];
    for row in &rows {
        start.push(start[start.len() - 1] + row.len() as u32);
    }
    (start, rows.concat())
}

fn list(elements: &[impl Element], kind: Kind, matrix: &Matrix, rows: &mut [Vec<Incidence>]) {
    for (element, index) in elements.iter().zip(0..) {
        for (corner, &particle) in element.corners().iter().enumerate() {
            let Some(row) = rows.get_mut(particle as usize) else { continue };
            let mut place = [NOWHERE; 4];
            for (place, &other) in place.iter_mut().zip(element.corners()).filter(|&(_, &other)| other >= particle) {
                if let Some(at) = matrix.place(particle as usize, other) {
                    *place = at as u16;
                }
            }
            row.push(Incidence { element: index, kind, corner: corner as u8, place });
        }
    }
}
