//! Point against point.

use glamx::{DMat3, DVec3};

use super::Nearest;

/// The vector between the points and its derivatives; nothing can slide.
pub fn nearest(p: DVec3, q: DVec3) -> Nearest<2, ()> {
    Nearest::new((), [1.0, -1.0], p - q, &[])
}

/// Squared distance \[m²\].
#[inline]
pub fn distance_squared(p: DVec3, q: DVec3) -> f64 {
    p.distance_squared(q)
}

/// Derivative of the squared distance by both points \[m\].
pub fn gradient(p: DVec3, q: DVec3) -> [DVec3; 2] {
    nearest(p, q).gradient()
}

/// Second derivatives of the squared distance.
pub fn hessian(p: DVec3, q: DVec3) -> [[DMat3; 2]; 2] {
    nearest(p, q).hessian()
}
