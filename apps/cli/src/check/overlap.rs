//! Which shapes overlap in a frame, and how deep: exact shapes where both are convex and rigid, triangles otherwise.

use std::collections::HashMap;

use drystone::Recording;
use drystone::geometry::bvh::Bvh;
use drystone::geometry::{Aabb, DVec3, Pose};

use super::convex::Convex;
use super::place::{Place, places};
use super::scene::Scene;
use super::surface::{Cut, ShapeSurface, cut};

/// Two shapes that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The shapes, smaller first.
    pub shapes: [usize; 2],
    /// The least shift that parts them where they are convex, or that parts the worst two triangles \[m\].
    pub depth: f64,
    /// Pairs of triangles, or vertices below a half-space.
    pub count: usize,
}

/// The shapes of a recording at rest.
pub struct Shapes<'a> {
    recording: &'a Recording,
    scene: &'a Scene<'a>,
    surfaces: Vec<ShapeSurface>,
}

/// Frames measured one after the other: pairs of which neither body moved are not measured again.
pub struct FrameSweep<'a> {
    shapes: &'a Shapes<'a>,
    places: Vec<Place>,
    bounds: Vec<Aabb>,
    known: HashMap<[usize; 2], Option<Cut>>,
}

impl<'a> Shapes<'a> {
    pub fn new(recording: &'a Recording, scene: &'a Scene<'a>) -> Self {
        Self { recording, scene, surfaces: ShapeSurface::of_all(recording) }
    }

    /// Whether bodies are deformed: then their triangles are what counts.
    pub fn affine(&self) -> bool {
        !self.recording.body_affine.is_empty()
    }

    /// Shapes without a surface or an exact form, with which no overlap can be measured.
    pub fn unmeasured(&self) -> usize {
        let plane = |shape: usize| self.scene.is_plane(shape);
        let open =
            |shape: usize| self.surfaces[shape].is_empty() && (self.affine() || self.scene.convex(shape).is_none());
        (0..self.surfaces.len()).filter(|&shape| !plane(shape) && open(shape)).count()
    }

    pub fn surface(&self, shape: usize) -> &ShapeSurface {
        &self.surfaces[shape]
    }

    pub fn count(&self) -> usize {
        self.surfaces.len()
    }

    pub fn recording(&self) -> &'a Recording {
        self.recording
    }

    /// Whether a shape has a surface and an inside of finite size.
    pub fn is_bounded(&self, shape: usize) -> bool {
        !self.scene.is_plane(shape) && !self.surfaces[shape].is_empty()
    }

    pub fn may_meet(&self, [a, b]: [usize; 2]) -> bool {
        self.scene.may_meet(a, b)
    }

    /// Starts measuring frames.
    pub fn sweep(&'a self) -> FrameSweep<'a> {
        FrameSweep { shapes: self, places: Vec::new(), bounds: Vec::new(), known: HashMap::new() }
    }

    /// Whether a shape is a half-space.
    pub fn is_plane(&self, shape: usize) -> bool {
        self.scene.is_plane(shape)
    }

    /// Where a shape is in a frame.
    pub fn shape_pose(&self, shape: usize, frame: usize) -> Pose {
        self.scene.shape_pose(shape, self.recording.poses(frame))
    }

    /// The exact form of a shape where it is convex and nothing deforms it.
    pub fn exact(&self, shape: usize) -> Option<&Convex> {
        if self.affine() { None } else { self.scene.convex(shape) }
    }

    /// Its box in the world \[m\]; empty for a half-space.
    pub fn bounds(&self, shape: usize, places: &[Place]) -> Aabb {
        let surface = &self.surfaces[shape];
        if self.scene.is_plane(shape) {
            return Aabb::EMPTY;
        }
        let flat = surface.bounds(surface.place(places));
        // Triangles lie within what is round.
        match self.exact(shape) {
            Some(convex) if convex.radius > 0.0 => flat.inflated(convex.radius),
            _ => flat,
        }
    }
}

impl FrameSweep<'_> {
    /// Everything that overlaps or touches in a frame, by shapes.
    pub fn measure(&mut self, frame: usize) -> Vec<Overlap> {
        let (shapes, scene) = (self.shapes, self.shapes.scene);
        let now = places(shapes.recording, frame);
        let moved: Vec<bool> = (0..now.len()).map(|body| self.places.get(body) != Some(&now[body])).collect();
        let stays = |shape: usize| moved.get(shapes.surfaces[shape].body as usize).is_none_or(|moved| !moved);
        if self.bounds.is_empty() {
            self.bounds = (0..shapes.count()).map(|shape| shapes.bounds(shape, &now)).collect();
        } else {
            (0..shapes.count()).filter(|&s| !stays(s)).for_each(|s| self.bounds[s] = shapes.bounds(s, &now));
        }
        self.places = now;
        let mut pairs = self.near_pairs();
        pairs.extend(scene.planes().flat_map(|plane| (0..shapes.count()).map(move |shape| [plane, shape])));
        pairs.retain(|[a, b]| scene.may_meet(*a, *b));
        pairs.sort_unstable();
        let mut known = std::mem::take(&mut self.known);
        let mut found = Vec::new();
        for pair in pairs {
            let kept = if pair.iter().all(|&shape| stays(shape)) { known.remove(&pair) } else { None };
            let cut = kept.unwrap_or_else(|| self.pair(pair, frame));
            self.known.insert(pair, cut);
            let shapes = [pair[0].min(pair[1]), pair[0].max(pair[1])];
            found.extend(cut.map(|cut| Overlap { shapes, depth: cut.depth, count: cut.count }));
        }
        found
    }

    /// Bounded shapes whose boxes meet.
    fn near_pairs(&self) -> Vec<[usize; 2]> {
        let present: Vec<usize> = (0..self.bounds.len()).filter(|&shape| !self.bounds[shape].is_empty()).collect();
        let boxes: Vec<Aabb> = present.iter().map(|&shape| self.bounds[shape]).collect();
        let mut pairs = Vec::new();
        Bvh::build(&boxes).self_pairs(|a, b| pairs.push([present[a as usize], present[b as usize]]));
        pairs
    }

    fn pair(&self, [a, b]: [usize; 2], frame: usize) -> Option<Cut> {
        let shapes = self.shapes;
        if shapes.scene.is_plane(a) {
            return self.sunk(a, b, frame);
        }
        let [pose_a, pose_b] = [a, b].map(|shape| shapes.scene.shape_pose(shape, shapes.recording.poses(frame)));
        if let (Some(first), Some(second)) = (shapes.exact(a), shapes.exact(b)) {
            let depth = first.placed(&pose_a).overlap(&second.placed(&pose_b));
            return (depth > 0.0).then_some(Cut { depth, count: 1 });
        }
        let side = |shape: usize| (&shapes.surfaces[shape], shapes.surfaces[shape].place(&self.places));
        let bounds = [self.bounds[a], self.bounds[b]];
        let flat = cut([side(a), side(b)], bounds);
        let round = |round: usize, other: usize, pose: &Pose| {
            let convex = shapes.exact(round).filter(|convex| convex.radius > 0.0)?.placed(pose);
            let (surface, place) = side(other);
            let triangles = surface.within(place, &self.bounds[round]);
            let depth = triangles.into_iter().map(|t| convex.depth_in(t)).fold(0.0, f64::max);
            (depth > 0.0).then_some(Cut { depth, count: 1 })
        };
        let rounded = round(a, b, &pose_a).or_else(|| round(b, a, &pose_b));
        match (flat, rounded) {
            (Some(flat), Some(round)) => Some(Cut { depth: flat.depth.max(round.depth), ..flat }),
            (flat, round) => flat.or(round),
        }
    }

    /// How far a shape is below a half-space.
    fn sunk(&self, plane: usize, shape: usize, frame: usize) -> Option<Cut> {
        let shapes = self.shapes;
        let poses = shapes.recording.poses(frame);
        let pose = shapes.scene.shape_pose(plane, poses);
        let (point, normal) = (pose.translation, pose.rotation * DVec3::Z);
        if let Some(convex) = shapes.exact(shape) {
            let depth = convex.placed(&shapes.scene.shape_pose(shape, poses)).depth_below(point, normal);
            return (depth > 0.0).then_some(Cut { depth, count: 1 });
        }
        let surface = &shapes.surfaces[shape];
        let depths = surface.vertices(surface.place(&self.places)).map(|x| -normal.dot(x - point));
        let sunk: Vec<f64> = depths.filter(|depth| *depth >= 0.0).collect();
        let depth = sunk.iter().copied().reduce(f64::max)?;
        Some(Cut { depth, count: sunk.len() })
    }
}
