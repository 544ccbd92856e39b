//! Bending of two triangles about the edge they share.

use super::super::math::Vec3;
use super::super::real::atan2;
use super::super::{Real, TAU, TINY};
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// The fold of triangles `(p, a, b)` and `(q, b, a)`: the angle between their normals, positive about `a → b`, and how it changes
/// with each of the four.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Fold {
    /// Angle \[rad\], zero where the triangles lie flat.
    pub angle: Real,
    /// Slope with `p` \[rad/m\].
    pub p: Vec3,
    /// Slope with `q`.
    pub q: Vec3,
    /// Slope with `a`.
    pub a: Vec3,
    /// Slope with `b`.
    pub b: Vec3,
}

#[cfg_attr(feature = "gpu", cube)]
impl Fold {
    /// The fold of four points. The slopes of a triangle without area are zero: it has no fold to resist.
    #[inline(always)]
    pub fn new(p: Vec3, q: Vec3, a: Vec3, b: Vec3) -> Fold {
        let edge = b.sub(a);
        let squared = edge.length_squared();
        let length = squared.sqrt();
        let one = a.sub(p).cross(b.sub(p));
        let other = b.sub(q).cross(a.sub(q));
        let angle = atan2(one.cross(other).dot(edge), one.dot(other) * length);
        let flat = FLAT * squared * squared;
        let mut of_p = Vec3::new(0.0, 0.0, 0.0);
        let mut of_q = Vec3::new(0.0, 0.0, 0.0);
        if one.length_squared() > flat {
            of_p = one.scale(-length / one.length_squared());
        }
        if other.length_squared() > flat {
            of_q = other.scale(-length / other.length_squared());
        }
        let along = 1.0 / (squared + TINY);
        let near_p = b.sub(p).dot(edge) * along;
        let near_q = b.sub(q).dot(edge) * along;
        let of_a = of_p.scale(-near_p).add(of_q.scale(-near_q));
        let of_b = of_p.scale(near_p - 1.0).add(of_q.scale(near_q - 1.0));
        Fold { angle, p: of_p, q: of_q, a: of_a, b: of_b }
    }
}

/// Squared height over length of the edge below which a triangle has no area to speak of.
const FLAT: Real = 1.0e-12;

/// Angle `from` to `to` the short way round \[rad\].
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn turned(from: Real, to: Real) -> Real {
    let turn = to - from;
    turn - TAU * (turn / TAU + 0.5).floor()
}

/// Weights by which four points of a sheet that is flat at rest say how it is bent: `|Σ w x|` is `2 sin(θ/2)` of the fold θ as long
/// as the triangles keep their shape. Its energy is a quadratic form with a constant matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct FlatFold {
    /// Weight of `p` \[1/m\].
    pub p: Real,
    /// Weight of `q`.
    pub q: Real,
    /// Weight of `a`.
    pub a: Real,
    /// Weight of `b`.
    pub b: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl FlatFold {
    /// The weights of four points at rest; neither triangle may be without area.
    #[inline(always)]
    pub fn new(p: Vec3, q: Vec3, a: Vec3, b: Vec3) -> FlatFold {
        let edge = b.sub(a);
        let squared = edge.length_squared();
        let length = squared.sqrt();
        let of_p = length / a.sub(p).cross(b.sub(p)).length();
        let of_q = length / b.sub(q).cross(a.sub(q)).length();
        let near_p = b.sub(p).dot(edge) / squared;
        let near_q = b.sub(q).dot(edge) / squared;
        FlatFold {
            p: of_p,
            q: of_q,
            a: -of_p * near_p - of_q * near_q,
            b: of_p * (near_p - 1.0) + of_q * (near_q - 1.0),
        }
    }
}
