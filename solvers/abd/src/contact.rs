//! One contact: a pair of nearest points of two bodies, and the barrier between them.
//!
//! The vector between the points is linear in the coordinates at fixed weights, r = Σ arm · q, and the distance is
//! the least over the weights. So with n = r/d the gradient of the distance by a body's coordinates is n ⊗ arm,
//! and the barrier's is B′ n ⊗ arm. Of the second derivatives B″ (n ⊗ arm)(n ⊗ arm)ᵀ + B′ ∇²d Newton's matrix
//! keeps the first term and the positive part of the second. That part is a sum over the ways in which the nearest
//! points can slide: F (a bᵀ + b aᵀ) with F = −B′, a = n ⊗ ∂arm (the points slide) and b = r* ⊗ arm (the bodies do), of
//! which F/2 (s a + b/s)(s a + b/s)ᵀ is the positive half. Without it bodies that turn while they slide run into
//! each other along what the linear model takes for free directions, until hardly any gap is left.

use drystone_geometry::distance::mollifier::{fade, threshold};
use drystone_model::{DMat3, DVec3};

use super::affine::{Affine, Arm, Mat12, Vec12, add_block, add_force, cross_matrix, outer};
use super::barrier::{Barrier, Derivatives};
use super::surface::{Surface, VertexPlane};
use super::touch::{Id, PLANE, Touch};

/// A pair of near features of two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Slots of the bodies.
    pub slot: [u32; 2],
    /// The nearest points in the rest shapes, the second negative: r = Σ arm · q.
    pub arm: [Arm; 2],
    /// Direction of r.
    pub normal: DVec3,
    /// Length of r \[m\].
    pub distance: f64,
    /// The separation to keep \[m\].
    pub separation: f64,
    /// Shapes, for what depends on their materials.
    pub shape: [u32; 2],
    /// How many pairs of features it stands for.
    pub weight: f64,
    /// Which features, the same from step to step.
    pub id: Id,
    /// Present for edges that are nearly parallel.
    pub fading: Option<Fading>,
    /// Ways in which the nearest points can slide.
    slide: [Option<Slide>; 2],
}

/// A way in which the nearest points of a contact can slide, balanced: s ∂arm and r*/s.
#[derive(Clone, Copy, Debug)]
struct Slide {
    arm: [Arm; 2],
    dual: DVec3,
}

/// How the energy of nearly parallel edges fades: m(c) with c = |u × v|².
#[derive(Clone, Copy, Debug)]
pub struct Fading {
    /// m and its derivatives by c.
    pub m: Derivatives,
    /// Edges now.
    pub edge: [DVec3; 2],
    /// Edges at rest, as arms.
    arm: [Arm; 2],
    /// Derivatives of c by the edges.
    pub by_edge: [DVec3; 2],
}

/// Where a contact's blocks and gradients go: those of the first and the second body, and their coupling.
#[derive(Clone, Debug)]
pub struct PairSystem {
    pub diagonal: [Mat12; 2],
    pub coupling: Mat12,
    pub gradient: [Vec12; 2],
}

impl PairSystem {
    pub const ZERO: Self = Self { diagonal: [Mat12::ZERO; 2], coupling: Mat12::ZERO, gradient: [[0.0; 12]; 2] };

    /// Adds a block between world directions that acts through the same arms on both sides.
    #[inline(always)]
    pub fn add(&mut self, block: &DMat3, arm: &[Arm; 2]) {
        self.add_blocks([block, block, block], arm);
    }

    /// Adds blocks first–first, first–second, second–second.
    #[inline(always)]
    fn add_blocks(&mut self, [first, mixed, second]: [&DMat3; 3], arm: &[Arm; 2]) {
        add_block(&mut self.diagonal[0], first, &arm[0], &arm[0]);
        add_block(&mut self.coupling, mixed, &arm[0], &arm[1]);
        add_block(&mut self.diagonal[1], second, &arm[1], &arm[1]);
    }

    /// Adds `weight` g gᵀ for a gradient g of both bodies.
    #[inline(always)]
    pub fn add_outer(&mut self, weight: f64, g: &[Vec12; 2]) {
        self.diagonal[0].add_outer(weight, &g[0], &g[0]);
        self.coupling.add_outer(weight, &g[0], &g[1]);
        self.diagonal[1].add_outer(weight, &g[1], &g[1]);
    }

    /// Adds a force through the arms.
    #[inline(always)]
    pub fn add_force(&mut self, force: DVec3, arm: &[Arm; 2]) {
        (0..2).for_each(|k| add_force(&mut self.gradient[k], force, &arm[k]));
    }
}

impl Contact {
    /// Two features that touch, of shapes that keep a separation \[m\].
    pub fn new(surface: &Surface, touch: &Touch, separation: f64) -> Self {
        let Touch { stencil, split, nearest, fading, count } = *touch;
        let side = |weights: &[f64; 4], range: std::ops::Range<usize>, last: f64| {
            let rest: DVec3 = range.map(|k| weights[k] * surface.vertex_rest[stencil[k] as usize]).sum();
            [rest.x, rest.y, rest.z, last]
        };
        let sides = |weights: &[f64; 4], last: f64| [side(weights, 0..split, last), side(weights, split..4, -last)];
        let mut slides = nearest.slides().map(|(weights, dual)| {
            let size = |w: &[f64; 4]| w.iter().map(|w| w * w).sum::<f64>().sqrt();
            let balance = (size(&nearest.weights) * dual.length() / size(&weights)).sqrt();
            Slide { arm: sides(&weights.map(|w| balance * w), 0.0), dual: dual / balance }
        });
        let distance = nearest.separation.length();
        let contact = Self {
            slot: [stencil[0], stencil[3]].map(|v| surface.vertex_slot[v as usize]),
            arm: sides(&nearest.weights, 1.0),
            normal: nearest.separation / distance,
            distance,
            separation,
            shape: [stencil[0], stencil[3]].map(|v| surface.stencils.vertex_shape[v as usize]),
            weight: f64::from(count),
            id: nearest.region,
            fading,
            slide: [slides.next(), slides.next()],
        };
        contact.ordered()
    }

    /// A vertex at `point` against a half-space, if nearer than `contact_distance` beyond their separation.
    pub fn vertex_plane(surface: &Surface, pair: VertexPlane, point: DVec3, contact_distance: f64) -> Option<Self> {
        let (v, plane) = (pair[0] as usize, &surface.planes[pair[1] as usize]);
        let distance = plane.gap(point);
        let shape = [surface.stencils.vertex_shape[v], plane.shape];
        let separation = surface.separation(shape[0], shape[1]);
        let world = surface.radius.len() as u32 - 1;
        let foot = point - distance * plane.normal;
        (distance < contact_distance + separation).then(|| Self {
            slot: [surface.vertex_slot[v], world],
            arm: [super::affine::arm(1.0, surface.vertex_rest[v]), super::affine::arm(-1.0, foot)],
            normal: plane.normal,
            distance,
            separation,
            shape,
            weight: 1.0,
            id: [PLANE, pair[0], pair[1], 0],
            fading: None,
            slide: [None; 2],
        })
    }

    /// The body with the smaller slot first, so that the contacts of two bodies have one order. The sum of both
    /// sides stays what it is.
    fn ordered(mut self) -> Self {
        if self.slot[0] > self.slot[1] {
            self.slot.swap(0, 1);
            self.arm.swap(0, 1);
            self.shape.swap(0, 1);
            self.slide.iter_mut().flatten().for_each(|slide| slide.arm.swap(0, 1));
            if let Some(fading) = &mut self.fading {
                fading.edge.swap(0, 1);
                fading.arm.swap(0, 1);
                fading.by_edge.swap(0, 1);
            }
        }
        self
    }

    fn barrier(&self, distance: f64, contact_distance: f64) -> Derivatives {
        Barrier { d_hat: contact_distance, separation: self.separation }.at(distance)
    }

    pub fn fade(&self) -> f64 {
        self.fading.map_or(1.0, |fading| fading.m.value)
    }

    /// Energy at unit stiffness.
    pub fn energy(&self, contact_distance: f64) -> f64 {
        let barrier = self.barrier(self.distance, contact_distance).value;
        // Parallel edges at no distance: the vertices next to them say what is wrong.
        if self.fade() == 0.0 { 0.0 } else { self.fade() * barrier }
    }

    /// Force along the normal at unit stiffness \[1/m\].
    pub fn load(&self, contact_distance: f64) -> f64 {
        -self.fade() * self.barrier(self.distance, contact_distance).slope
    }

    /// Adds gradient and Newton's matrix for a stiffness \[J\], with the barrier as its parabola about the distance `about` \[m\].
    #[inline(always)]
    pub fn add_to(&self, stiffness: f64, contact_distance: f64, about: f64, out: &mut PairSystem) {
        let b = self.barrier(about, contact_distance);
        match &self.fading {
            None if b.curvature == 0.0 => return,
            None => {
                let slope = b.slope + b.curvature * (self.distance - about);
                out.add_force(stiffness * slope * self.normal, &self.arm);
                out.add(&(outer(self.normal, self.normal) * (stiffness * b.curvature)), &self.arm);
            }
            Some(fading) => self.add_fading(fading, &b, stiffness, out),
        }
        let force = -stiffness * self.fade() * b.slope;
        self.slide.iter().flatten().for_each(|slide| self.add_slide(slide, force, out));
    }

    /// The distance of the points along the normal with bodies at `q` \[m\].
    pub fn distance_at(&self, q: &[Affine]) -> f64 {
        let side = |k: usize| {
            let (place, [x, y, z, w]) = (&q[self.slot[k] as usize], self.arm[k]);
            place.linear * DVec3::new(x, y, z) + place.position * w
        };
        self.normal.dot(side(0) + side(1))
    }

    /// The same points and normal, of bodies that are still this far apart \[m\].
    pub fn as_ahead(&self, distance: f64) -> Self {
        Self { distance, slide: [None; 2], fading: None, ..*self }
    }

    /// How much the distance between the points grows with steps of the bodies, to first order \[m\].
    pub fn growth(&self, step: [&Vec12; 2]) -> f64 {
        let side = |k: usize| {
            let moved = |r: usize| (0..4).map(|c| step[k][4 * r + c] * self.arm[k][c]).sum::<f64>();
            self.normal.x * moved(0) + self.normal.y * moved(1) + self.normal.z * moved(2)
        };
        side(0) + side(1)
    }

    #[inline(always)]
    fn add_slide(&self, slide: &Slide, force: f64, out: &mut PairSystem) {
        let mut g = [[0.0; 12]; 2];
        for k in 0..2 {
            add_force(&mut g[k], self.normal, &slide.arm[k]);
            add_force(&mut g[k], slide.dual, &self.arm[k]);
        }
        out.add_outer(0.5 * force, &g);
    }

    /// The same for m(c) B(d): m B″ along the normal, and m′ B times the second derivatives of c = |w|² with w = u × v
    /// taken linearly. Both are positive. The mixed derivatives m′ B′ are left out: cutting them off by eigenvalues would
    /// leave directions with a force but no stiffness, and steps of metres.
    #[inline(always)]
    fn add_fading(&self, fading: &Fading, b: &Derivatives, stiffness: f64, out: &mut PairSystem) {
        let m = &fading.m;
        let by_c = stiffness * m.slope * b.value;
        let by_d = stiffness * m.value * b.slope;
        for k in 0..2 {
            add_force(&mut out.gradient[k], by_c * fading.by_edge[k], &fading.arm[k]);
            add_force(&mut out.gradient[k], by_d * self.normal, &self.arm[k]);
        }
        out.add(&(outer(self.normal, self.normal) * (stiffness * m.value * b.curvature)), &self.arm);
        // dw = du × v + u × dv = −[v] du + [u] dv.
        let [u, v] = fading.edge.map(cross_matrix);
        let scale = 2.0 * by_c;
        let blocks = [v.transpose() * v * scale, v.transpose() * u * -scale, u.transpose() * u * scale];
        out.add_blocks([&blocks[0], &blocks[1], &blocks[2]], &fading.arm);
    }
}

impl Fading {
    /// Of edges as they are and the vertices of both at rest, if they are nearly parallel.
    pub fn new(edge: [DVec3; 2], rest: [DVec3; 4]) -> Option<Self> {
        let [u, v] = edge;
        let (c, limit) = (u.cross(v).length_squared(), threshold([rest[0], rest[1]], [rest[2], rest[3]]));
        if c >= limit {
            return None;
        }
        let [value, slope, curvature] = fade(c, limit);
        let arm = |from: DVec3, to: DVec3| [to.x - from.x, to.y - from.y, to.z - from.z, 0.0];
        Some(Self {
            m: Derivatives { value, slope, curvature },
            edge,
            arm: [arm(rest[0], rest[1]), arm(rest[2], rest[3])],
            by_edge: [2.0 * v.cross(u.cross(v)), 2.0 * u.cross(v).cross(u)],
        })
    }
}
