//! How near particles come to each other.

use drystone_geometry::DVec3;
use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_solve::parallel;

use crate::touch::{Touch, Touches};

impl Touches {
    /// Smallest distance between the parts of contacts among particles \[m\]; none if there are none.
    pub(crate) fn closest_approach(&self, x: &[DVec3]) -> Option<f64> {
        let all = self.all();
        let among = |range: std::ops::Range<usize>| {
            let own = all[range].iter().filter(|touch| touch.ground.body.is_none());
            own.map(|touch| distance(touch, x)).reduce(f64::min)
        };
        parallel::of_pieces(all.len(), among).into_iter().flatten().reduce(f64::min)
    }
}

/// Between the two parts of a contact among particles \[m\].
fn distance(touch: &Touch, x: &[DVec3]) -> f64 {
    let [a, b, c, d] = touch.particle.map(|particle| x[particle as usize]);
    match touch.weight[1] > 0.0 {
        true => edge_edge::nearest([a, b], [c, d]).separation.length(),
        false => point_triangle::nearest(a, [b, c, d]).separation.length(),
    }
}
