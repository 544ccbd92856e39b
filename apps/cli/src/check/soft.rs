//! Cloth, soft bodies and strings in a frame: triangles that cross, stretch, tetrahedra inside out, and particles inside shapes.

use drystone::Recording;
use drystone::geometry::bvh::Bvh;
use drystone::geometry::distance::triangle_triangle::intersect;
use drystone::geometry::{Aabb, DMat3, DVec3};
use drystone::model::{Meeting, Model};

use super::convex::Convex;
use super::overlap::Shapes;
use super::place::{Place, places};

/// What the particles of a frame do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoftFrame {
    /// Triangles that share a point and no corner, smaller first: of those whose particles all have a radius, which are to keep apart.
    pub crossings: Vec<[u32; 2]>,
    /// Largest stretch of a spring or a sheet beyond its rest, as a share of it.
    pub stretch: f64,
    /// Tetrahedra that are inside out.
    pub inverted: usize,
    /// The particle that is deepest in a shape, if one is in any.
    pub deepest: Option<Sunk>,
}

/// A particle in a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sunk {
    pub particle: usize,
    pub shape: usize,
    /// How far the ball around the particle reaches into the shape \[m\].
    pub depth: f64,
}

impl SoftFrame {
    /// Measures a frame; `None` without particles.
    pub fn measure(shapes: &Shapes, frame: usize) -> Option<Self> {
        let recording = shapes.recording();
        let (model, q) = (&recording.model, recording.particles(frame));
        if q.is_empty() {
            return None;
        }
        Some(Self {
            crossings: crossings(model, q),
            stretch: stretch(model, q),
            inverted: model.tet_particle.iter().filter(|corners| volume(corners, q) <= 0.0).count(),
            deepest: deepest(shapes, recording, frame),
        })
    }
}

fn crossings(model: &Model, q: &[DVec3]) -> Vec<[u32; 2]> {
    let kept = |t: &u32| {
        let corners = model.triangle_particle[*t as usize];
        corners.iter().all(|&corner| model.particle_radius[corner as usize] > 0.0)
    };
    let triangles: Vec<u32> = (0..model.triangle_particle.len() as u32).filter(kept).collect();
    let numbers = |item: u32| model.triangle_particle[triangles[item as usize] as usize];
    let corners = |item: u32| numbers(item).map(|corner| q[corner as usize]);
    let boxes: Vec<Aabb> = (0..triangles.len() as u32).map(|item| Aabb::from_points(corners(item))).collect();
    let meeting = Meeting::new(model);
    let mut found = Vec::new();
    Bvh::build(&boxes).self_pairs(|a, b| {
        let [one, other] = [numbers(a), numbers(b)];
        let apart = !one.iter().any(|corner| other.contains(corner));
        let world = |of: [u32; 3]| model.particle_world[of[0] as usize];
        if apart && world(one) == world(other) && meeting.allows(&one, &other) && intersect(corners(a), corners(b)) {
            let [a, b] = [triangles[a as usize], triangles[b as usize]];
            found.push([a.min(b), a.max(b)]);
        }
    });
    found.sort_unstable();
    found
}

/// Of springs and of triangles that have a stiffness; surfaces of soft bodies have none.
fn stretch(model: &Model, q: &[DVec3]) -> f64 {
    let spring = |(&[a, b], &rest): (&[u32; 2], &f64)| q[a as usize].distance(q[b as usize]) / rest - 1.0;
    let springs = model.spring_particle.iter().zip(&model.spring_length).filter(|(_, rest)| **rest > 0.0).map(spring);
    let stiff = |t: &usize| model.triangle_material[*t][..2].iter().any(|constant| *constant > 0.0);
    let sheets = (0..model.triangle_particle.len()).filter(stiff).map(|t| {
        let [a, b, c] = model.triangle_particle[t].map(|corner| q[corner as usize]);
        largest_singular_value([b - a, c - a], model.triangle_rest[t]) - 1.0
    });
    springs.chain(sheets).fold(0.0, f64::max)
}

/// Largest stretch of a triangle with these edges whose rest edges have this inverse, by columns.
fn largest_singular_value(edges: [DVec3; 2], [a, b, c, d]: [f64; 4]) -> f64 {
    let (u, v) = (edges[0] * a + edges[1] * b, edges[0] * c + edges[1] * d);
    let (mean, half, shear) = (0.5 * (u.dot(u) + v.dot(v)), 0.5 * (u.length_squared() - v.length_squared()), u.dot(v));
    (mean + half.hypot(shear)).sqrt()
}

/// Six times the signed volume \[m³\].
fn volume(corners: &[u32; 4], q: &[DVec3]) -> f64 {
    let [a, b, c, d] = corners.map(|corner| q[corner as usize]);
    DMat3::from_cols(b - a, c - a, d - a).determinant()
}

/// Shapes of a frame that particles can be in.
fn deepest(shapes: &Shapes, recording: &Recording, frame: usize) -> Option<Sunk> {
    let (model, q) = (&recording.model, recording.particles(frame));
    let now = places(recording, frame);
    let open = |&shape: &usize| model.is_solid(shape) && model.shape_mask[shape] != 0 && model.shape_group[shape] != 0;
    let (planes, bounded): (Vec<usize>, Vec<usize>) =
        (0..model.shape_count()).filter(open).partition(|&shape| shapes.is_plane(shape));
    let solids: Vec<Solid> = bounded.iter().map(|&shape| Solid::new(shapes, shape, frame, &now)).collect();
    let tree = Bvh::build(&bounded.iter().map(|&shape| shapes.bounds(shape, &now)).collect::<Vec<_>>());
    let mut worst: Option<Sunk> = None;
    let mut note = |particle: usize, shape: usize, depth: f64| {
        let same_world = model.particle_world[particle] == model.shape_world[shape];
        if same_world && model.agrees_with_shape(particle, shape) && depth > worst.map_or(0.0, |worst| worst.depth) {
            worst = Some(Sunk { particle, shape, depth });
        }
    };
    for (particle, &point) in q.iter().enumerate().filter(|(_, point)| point.is_finite()) {
        let radius = model.particle_radius[particle];
        for &plane in &planes {
            let pose = shapes.shape_pose(plane, frame);
            note(particle, plane, radius - (pose.rotation * DVec3::Z).dot(point - pose.translation));
        }
        let reach = Aabb::new(point, point).inflated(radius);
        tree.overlaps(&reach, |item| {
            note(particle, bounded[item as usize], solids[item as usize].depth(point, radius))
        });
    }
    worst
}

/// A shape where a frame has it.
enum Solid<'a> {
    Convex(Convex),
    Surface(&'a super::surface::ShapeSurface, Place),
}

impl<'a> Solid<'a> {
    fn new(shapes: &'a Shapes, shape: usize, frame: usize, now: &[Place]) -> Self {
        match shapes.exact(shape) {
            Some(convex) => Self::Convex(convex.placed(&shapes.shape_pose(shape, frame))),
            None => Self::Surface(shapes.surface(shape), shapes.surface(shape).place(now)),
        }
    }

    /// How far a ball reaches in \[m\]; nothing is known of open surfaces.
    fn depth(&self, point: DVec3, radius: f64) -> f64 {
        match self {
            Self::Convex(convex) => convex.overlap(&Convex::ball(point, radius)),
            Self::Surface(surface, place) => surface.distance_to(*place, point).map_or(0.0, |d| radius - d),
        }
    }
}
