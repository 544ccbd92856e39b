//! Clipping of one face against the sides of another.

use drystone_geometry::DVec3;

/// A corner of a polygon and the label of the edge that leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub position: DVec3,
    pub edge: u32,
}

/// A half-space `normal · x ≤ offset` whose boundary bears a label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub normal: DVec3,
    pub offset: f64,
    pub label: u32,
}

/// Cuts the convex polygon `polygon` by a side; `spare` is scratch. Every edge of the result keeps the
/// label of the line it lies on, so a corner is named by the two edges that meet in it.
pub(crate) fn clip(polygon: &mut Vec<Corner>, spare: &mut Vec<Corner>, side: &Side) {
    let height = |corner: &Corner| side.normal.dot(corner.position) - side.offset;
    let Some(last) = polygon.last() else { return };
    let mut from = *last;
    let mut from_height = height(&from);
    if from_height <= 0.0 && polygon.iter().all(|corner| height(corner) <= 0.0) {
        return;
    }
    spare.clear();
    for &to in polygon.iter() {
        let to_height = height(&to);
        if (from_height <= 0.0) != (to_height <= 0.0) {
            let t = from_height / (from_height - to_height);
            let position = from.position + (to.position - from.position) * t;
            let edge = if from_height <= 0.0 { side.label } else { from.edge };
            spare.push(Corner { position, edge });
        }
        if to_height <= 0.0 {
            spare.push(to);
        }
        (from, from_height) = (to, to_height);
    }
    std::mem::swap(polygon, spare);
}
