//! Contacts of particles: with bodies, with half-spaces and with each other.
//!
//! What `contact.rs` says of two bodies holds for four vertices as well: the vector between the nearest points is Σ weight · x, the
//! gradient of the distance by a vertex is weight · n, and the positive part of the second derivatives is a sum of squares over the
//! ways in which the nearest points slide. Vertices are points of bodies or particles; the blocks between them are pulled back to what
//! these are made of when the matrix is put together.

use drystone_model::{DMat3, DVec3};

use super::super::affine::{cross_matrix, outer};
use super::super::barrier::{Barrier, Derivatives, slip_ratio, slip_work};
use super::super::contact::Fading;
use super::super::touch::{Id, PLANE, Touch};
use super::features::Places;

/// No vertex.
pub const NONE: u32 = u32::MAX;

/// Gradient by four vertices, and blocks between them: that of vertices k and l ≥ k.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    pub gradient: [DVec3; 4],
    pub block: [[DMat3; 4]; 4],
}

impl Local {
    pub const ZERO: Self = Self { gradient: [DVec3::ZERO; 4], block: [[DMat3::ZERO; 4]; 4] };

    /// Adds a block between world directions that acts through weights.
    fn add(&mut self, block: &DMat3, weights: &[f64; 4]) {
        for k in 0..4 {
            for l in k..4 {
                let weight = weights[k] * weights[l];
                if weight != 0.0 {
                    self.block[k][l] += *block * weight;
                }
            }
        }
    }

    /// Adds `scale` u uᵀ.
    fn add_outer(&mut self, scale: f64, u: &[DVec3; 4]) {
        for k in 0..4 {
            for l in k..4 {
                self.block[k][l] += outer(u[k] * scale, u[l]);
            }
        }
    }

    fn add_force(&mut self, force: DVec3, weights: &[f64; 4]) {
        (0..4).for_each(|k| self.gradient[k] += weights[k] * force);
    }
}

/// Near features of particles, or of particles and a body.
#[derive(Clone, Copy, Debug)]
pub struct SoftContact {
    /// Vertices by the common numbers; a half-space has none.
    pub stencil: [u32; 4],
    /// r = Σ weight · x.
    pub weights: [f64; 4],
    /// Direction of r.
    pub normal: DVec3,
    /// Length of r \[m\].
    pub distance: f64,
    /// The separation to keep \[m\].
    pub separation: f64,
    /// Mass that it is stiffened by, times how many pairs of features it stands for \[kg\].
    pub mass: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Shapes on either side that are not of particles.
    pub shape: [Option<u32>; 2],
    pub id: Id,
    fading: Option<Fading>,
    /// Ways in which the nearest points can slide, balanced: how weights change, and the dual direction.
    slide: [Option<([f64; 4], DVec3)>; 2],
}

impl SoftContact {
    /// Two features that touch.
    pub fn new(touch: &Touch, separation: f64) -> Self {
        let nearest = &touch.nearest;
        let mut slides = nearest.slides().map(|(weights, dual)| {
            let size = |w: &[f64; 4]| w.iter().map(|w| w * w).sum::<f64>().sqrt();
            let balance = (size(&nearest.weights) * dual.length() / size(&weights)).sqrt();
            (weights.map(|w| balance * w), dual / balance)
        });
        let distance = nearest.separation.length();
        Self {
            stencil: touch.stencil,
            weights: nearest.weights,
            normal: nearest.separation / distance,
            distance,
            separation,
            mass: f64::from(touch.count),
            friction: 0.0,
            shape: [None; 2],
            id: nearest.region,
            fading: touch.fading,
            slide: [slides.next(), slides.next()],
        }
    }

    /// A particle above a half-space.
    pub fn on_plane([vertex, plane]: [u32; 2], normal: DVec3, distance: f64, separation: f64) -> Self {
        Self {
            stencil: [vertex, NONE, NONE, NONE],
            weights: [1.0, 0.0, 0.0, 0.0],
            normal,
            distance,
            separation,
            mass: 1.0,
            friction: 0.0,
            shape: [None; 2],
            id: [PLANE, vertex, plane, 0],
            fading: None,
            slide: [None; 2],
        }
    }

    fn barrier(&self, d_hat: f64) -> Derivatives {
        Barrier { d_hat, separation: self.separation }.at(self.distance)
    }

    fn fade(&self) -> f64 {
        self.fading.map_or(1.0, |fading| fading.m.value)
    }

    /// Energy for a stiffness per mass \[J/kg\].
    pub fn energy(&self, stiffness: f64, d_hat: f64) -> f64 {
        let fade = self.fade();
        // Parallel edges at no distance: the vertices next to them say what is wrong.
        if fade == 0.0 { 0.0 } else { stiffness * self.mass * fade * self.barrier(d_hat).value }
    }

    /// Force along the normal \[N\].
    pub fn load(&self, stiffness: f64, d_hat: f64) -> f64 {
        -stiffness * self.mass * self.fade() * self.barrier(d_hat).slope
    }

    /// Gradient and Newton's matrix.
    pub fn local(&self, stiffness: f64, d_hat: f64) -> Local {
        let (stiffness, b, n) = (stiffness * self.mass, self.barrier(d_hat), self.normal);
        let mut local = Local::ZERO;
        let fade = self.fade();
        local.add_force(stiffness * fade * b.slope * n, &self.weights);
        local.add(&(outer(n, n) * (stiffness * fade * b.curvature)), &self.weights);
        if let Some(fading) = &self.fading {
            add_fading(fading, stiffness * fading.m.slope * b.value, &mut local);
        }
        for (weights, dual) in self.slide.iter().flatten() {
            let u: [DVec3; 4] = std::array::from_fn(|k| n * weights[k] + *dual * self.weights[k]);
            local.add_outer(-0.5 * stiffness * fade * b.slope, &u);
        }
        local
    }

    /// On which side of the vector between the points the feature is that names the contact: 1 or −1. What slips is told as
    /// seen from there.
    fn sign(&self) -> f64 {
        let named = self.stencil.iter().position(|&vertex| vertex == self.id[1]);
        if named.is_some_and(|k| self.weights[k] < 0.0) { -1.0 } else { 1.0 }
    }
}

/// The part of fading edges that turns: m′ B times the second derivatives of |u × v|², with u × v taken linearly.
fn add_fading(fading: &Fading, by_c: f64, local: &mut Local) {
    const OF_EDGES: [(usize, f64); 4] = [(0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)];
    let [u, v] = fading.edge.map(cross_matrix);
    let scale = 2.0 * by_c;
    let own = [v.transpose() * v * scale, u.transpose() * u * scale];
    let mixed = v.transpose() * u * -scale;
    for (k, &(edge, sign)) in OF_EDGES.iter().enumerate() {
        local.gradient[k] += sign * by_c * fading.by_edge[edge];
        for (l, &(other, other_sign)) in OF_EDGES.iter().enumerate().skip(k) {
            let block = if edge == other { &own[edge] } else { &mixed };
            local.block[k][l] += *block * (sign * other_sign);
        }
    }
}

/// Lagged friction at a contact of particles.
#[derive(Clone, Copy, Debug)]
pub struct SoftFriction {
    pub stencil: [u32; 4],
    weights: [f64; 4],
    normal: DVec3,
    /// μ λ \[N\].
    load: f64,
    /// Slip left by earlier steps, and the way of belts \[m\].
    held: DVec3,
    sign: f64,
    pub id: Id,
}

impl SoftFriction {
    /// For a contact that pushes with `force` \[N\], whose first side goes `belt` \[m\] further than the second, with what it had slipped.
    pub fn new(contact: &SoftContact, force: f64, belt: DVec3, known: DVec3) -> Self {
        let sign = contact.sign();
        Self {
            stencil: contact.stencil,
            weights: contact.weights,
            normal: contact.normal,
            load: contact.friction * force,
            held: known * sign + belt,
            sign,
            id: contact.id,
        }
    }

    /// How the first side has slipped against the second since the start, and before \[m\].
    fn slip(&self, start: &Places, now: &Places) -> DVec3 {
        let vertices = self.stencil.iter().zip(self.weights).filter(|(vertex, _)| **vertex != NONE);
        let total = self.held + vertices.map(|(&v, weight)| (now.at(v) - start.at(v)) * weight).sum::<DVec3>();
        total - self.normal * total.dot(self.normal)
    }

    /// Work done so far \[J\]; `edge` is the slip at which friction has its full size \[m\].
    pub fn energy(&self, start: &Places, now: &Places, edge: f64) -> f64 {
        self.load * slip_work(self.slip(start, now).length(), edge).value
    }

    /// What is remembered of it: slip as seen from the feature that names it \[m\].
    pub fn memory(&self, start: &Places, now: &Places, edge: f64) -> (Id, DVec3) {
        (self.id, self.slip(start, now).clamp_length_max(edge) * self.sign)
    }

    /// Gradient and second derivatives, which are positive semi-definite.
    pub fn local(&self, start: &Places, now: &Places, edge: f64) -> Local {
        let slip = self.slip(start, now);
        let y = slip.length();
        let (ratio, along) = (slip_ratio(y, edge), slip_work(y, edge).curvature);
        let mut block = (DMat3::IDENTITY - outer(self.normal, self.normal)) * ratio;
        if y > 0.0 {
            block += outer(slip, slip) * ((along - ratio) / (y * y));
        }
        let mut local = Local::ZERO;
        local.add_force(self.load * ratio * slip, &self.weights);
        local.add(&(block * self.load), &self.weights);
        local
    }
}
