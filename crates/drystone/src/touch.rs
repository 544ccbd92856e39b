//! When a pair of shapes counts as touching.

use drystone_model::Model;

/// Part of a shape's thickness within which a gap counts as closed. Resting contacts hover around zero by
/// what the solver leaves; speculative contacts of bodies about to meet are much further apart.
const CLOSED: f64 = 5e-4;

/// For every shape, the gap up to which it counts as touching \[m\]. Gaps are between the skins of the shapes,
/// so that margins play no part.
pub(crate) fn shape_reach(model: &Model) -> Vec<f64> {
    model.shape_geometry.iter().map(|shape| CLOSED * shape.thickness()).collect()
}
