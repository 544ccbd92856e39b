//! Squared distances between points, edges and triangles, with gradients and Hessians.
//!
//! One module per pair, all built alike: `nearest` finds the nearest parts once and answers everything from there;
//! `distance_squared`, `gradient` and `hessian` are shorthands. Derivatives come per point of the stencil: entry k is
//! for point k, in the order of the arguments.
//!
//! ```
//! use drystone_geometry::{DVec3, distance::point_triangle::{self, Region}};
//! let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
//! let nearest = point_triangle::nearest(DVec3::new(0.2, 0.2, 0.5), triangle);
//! assert_eq!(nearest.region, Region::Face);
//! assert_eq!(nearest.distance_squared(), 0.25);
//! assert_eq!(nearest.gradient()[0], DVec3::Z); // raising the point by h adds 2 · 0.5 · h
//! ```

use glamx::{DMat3, DVec3};

use crate::mass::outer;

pub mod edge_edge;
pub mod mollifier;
pub mod point_edge;
pub mod point_point;
pub mod point_triangle;
pub mod triangle_triangle;

/// The nearest points of a stencil of `N` points, as one weighted sum: the vector between them is `Σ weights[k] x[k]`.
///
/// Where the nearest points can slide (along an edge, over a face), the distance is the minimum over the sliding
/// parameters β. So its gradient is that at fixed weights, and its Hessian that at fixed weights minus what sliding
/// gives back: with rᵦ = Σ ∂w/∂β x and G = rᵦ·rᵦ',
/// `½ H = w wᵀ ⊗ 1 − Σ (∂w ⊗ r + w ⊗ rᵦ) G⁻¹ (∂w ⊗ r + w ⊗ rᵦ)ᵀ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<const N: usize, Region> {
    /// Which parts are nearest.
    pub region: Region,
    /// Weights of the points; those of one side sum to 1, those of the other to −1.
    pub weights: [f64; N],
    /// The vector between the nearest points, from the second side to the first \[m\].
    pub separation: DVec3,
    /// Ways in which the nearest points can slide; the first `slide_count` count.
    slides: [Slide<N>; 2],
    slide_count: usize,
}

/// How the weights and the separation change when one nearest point slides.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slide<const N: usize> {
    weights: [f64; N],
    separation: DVec3,
}

impl<const N: usize, Region> Nearest<N, Region> {
    fn new(region: Region, weights: [f64; N], separation: DVec3, slides: &[Slide<N>]) -> Self {
        let mut all = [Slide { weights: [0.0; N], separation: DVec3::ZERO }; 2];
        all[..slides.len()].copy_from_slice(slides);
        Self { region, weights, separation, slides: all, slide_count: slides.len() }
    }

    /// The same with another name for the nearest parts.
    pub fn named<Name>(self, region: Name) -> Nearest<N, Name> {
        let Self { weights, separation, slides, slide_count, .. } = self;
        Nearest { region, weights, separation, slides, slide_count }
    }

    /// Squared distance \[m²\].
    #[inline]
    pub fn distance_squared(&self) -> f64 {
        self.separation.length_squared()
    }

    /// Derivative of the squared distance by every point \[m\].
    #[inline]
    pub fn gradient(&self) -> [DVec3; N] {
        self.weights.map(|w| 2.0 * w * self.separation)
    }

    /// Second derivatives of the squared distance: block (k, l) for points k and l.
    pub fn hessian(&self) -> [[DMat3; N]; N] {
        let mut blocks = [[DMat3::ZERO; N]; N];
        let slides = &self.slides[..self.slide_count];
        let given_back = self.inverse_gram();
        let direction =
            |slide: &Slide<N>, k: usize| slide.weights[k] * self.separation + self.weights[k] * slide.separation;
        for k in 0..N {
            for l in k..N {
                let mut block = DMat3::from_diagonal(DVec3::splat(self.weights[k] * self.weights[l]));
                for (i, a) in slides.iter().enumerate() {
                    for (j, b) in slides.iter().enumerate() {
                        block -= outer(direction(a, k), given_back[i][j] * direction(b, l));
                    }
                }
                // Exactly symmetric, so that factorisations and hashes see no rounding.
                blocks[k][l] = if k == l { block + block.transpose() } else { 2.0 * block };
                blocks[l][k] = blocks[k][l].transpose();
            }
        }
        blocks
    }

    /// The ways in which the nearest points can slide: how the weights change, ∂w, and the direction r* dual to how the
    /// separation does. With n along the separation, the part of the distance's (not its square's) second derivatives
    /// that does not vanish with the distance is `−Σ (∂w ⊗ n)(w ⊗ r*)ᵀ` and its transpose, for two slides.
    pub fn slides(&self) -> impl Iterator<Item = ([f64; N], DVec3)> {
        let inverse = self.inverse_gram();
        (0..self.slide_count).map(move |i| {
            let dual = (0..self.slide_count).map(|j| inverse[i][j] * self.slides[j].separation).sum();
            (self.slides[i].weights, dual)
        })
    }

    /// Inverse of the matrix of products of the slides' separations.
    fn inverse_gram(&self) -> [[f64; 2]; 2] {
        let [u, v] = self.slides.map(|s| s.separation);
        match self.slide_count {
            0 => [[0.0; 2]; 2],
            1 => [[1.0 / u.length_squared(), 0.0], [0.0, 0.0]],
            _ => {
                let inverse = 1.0 / u.cross(v).length_squared();
                let off = -u.dot(v) * inverse;
                [[v.length_squared() * inverse, off], [off, u.length_squared() * inverse]]
            }
        }
    }
}
