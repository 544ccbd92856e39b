//! What passes through what between two frames.

use drystone::geometry::bvh::Bvh;
use drystone::geometry::ccd::Ccd;
use drystone::geometry::{Aabb, DVec3};

use super::overlap::{Overlap, Shapes};
use super::place::{Place, largest_turn, places_between};

/// Largest turn of a body on a piece of its way that is taken as straight \[rad\].
const TURN: f64 = 0.1;

/// Share of its first gap that a pair must keep; nearer counts as touching.
const TOUCH: f64 = 1e-6;

/// A triangle at the start and at the end of a piece of its way.
type Way = [[DVec3; 3]; 2];

/// Pairs of shapes that meet on the way from the frame before to this one, and overlap at neither `end` of it. Bodies go
/// straight and turn evenly; those that are deformed go straight with all their points.
pub fn passes(shapes: &Shapes, frame: usize, ends: [&[Overlap]; 2]) -> Vec<[usize; 2]> {
    let pieces = (largest_turn(shapes.recording(), frame - 1) / TURN).ceil().max(1.0) as usize;
    let at = |piece: usize| places_between(shapes.recording(), frame - 1, piece as f64 / pieces as f64);
    let mut found: Vec<[usize; 2]> = Vec::new();
    let mut start = at(0);
    for piece in 1..=pieces {
        let end = at(piece);
        let meeting = near_pairs(shapes, [&start, &end]).into_iter().filter(|pair| {
            let overlaps = |end: &[Overlap]| end.iter().any(|overlap| overlap.shapes == *pair);
            !found.contains(pair) && !overlaps(ends[0]) && !overlaps(ends[1]) && meet(shapes, *pair, [&start, &end])
        });
        let new: Vec<[usize; 2]> = meeting.collect();
        found.extend(new);
        start = end;
    }
    found.sort_unstable();
    found
}

/// Pairs of shapes that may meet and whose boxes do on the way, smaller first.
fn near_pairs(shapes: &Shapes, ends: [&[Place]; 2]) -> Vec<[usize; 2]> {
    let present: Vec<usize> = (0..shapes.count()).filter(|&shape| shapes.is_bounded(shape)).collect();
    let boxes: Vec<Aabb> = present.iter().map(|&shape| way_bounds(shapes, shape, ends)).collect();
    let mut pairs = Vec::new();
    Bvh::build(&boxes).self_pairs(|a, b| {
        let pair = [present[a as usize], present[b as usize]];
        if shapes.may_meet(pair) {
            pairs.push(pair);
        }
    });
    pairs.sort_unstable();
    pairs
}

fn way_bounds(shapes: &Shapes, shape: usize, ends: [&[Place]; 2]) -> Aabb {
    let surface = shapes.surface(shape);
    let [start, end] = ends.map(|places| surface.bounds(surface.place(places)));
    start.union(end)
}

/// Whether triangles of two shapes touch on the way.
fn meet(shapes: &Shapes, pair: [usize; 2], ends: [&[Place]; 2]) -> bool {
    let [first, second] = pair.map(|shape| way_bounds(shapes, shape, ends));
    let region = first.intersection(second);
    let bounds = |way: &Way| Aabb::from_points(way.iter().flatten().copied());
    let ways = pair.map(|shape| {
        let surface = shapes.surface(shape);
        let [start, end] = ends.map(|places| surface.place(places));
        let ways = surface.corners().map(|corners| [corners.map(|v| start.point(v)), corners.map(|v| end.point(v))]);
        ways.filter(|way| bounds(way).overlaps(&region)).collect::<Vec<Way>>()
    });
    let [a, b] = [&ways[0], &ways[1]].map(|ways| Bvh::build(&ways.iter().map(bounds).collect::<Vec<_>>()));
    let mut any = false;
    a.pairs_with(&b, |i, j| any = any || triangles_meet(&ways[0][i as usize], &ways[1][j as usize]));
    any
}

/// Whether two triangles touch on the way: a corner of one meets the other, or two sides meet.
fn triangles_meet(a: &Way, b: &Way) -> bool {
    let ccd = Ccd { boldness: 1.0 - TOUCH, ..Ccd::default() };
    let corner = |k: usize, of: &Way, t: &Way| {
        let at = |end: usize| [of[end][k], t[end][0], t[end][1], t[end][2]];
        ccd.point_triangle(at(0), at(1)).is_some()
    };
    let cross = |[p, q]: [usize; 2], [r, s]: [usize; 2]| {
        let at = |end: usize| [a[end][p], a[end][q], b[end][r], b[end][s]];
        ccd.edge_edge(at(0), at(1)).is_some()
    };
    const SIDES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];
    (0..3).any(|k| corner(k, a, b) || corner(k, b, a)) || SIDES.iter().any(|&e| SIDES.iter().any(|&f| cross(e, f)))
}

#[cfg(test)]
mod tests {
    use drystone::Recording;
    use drystone::geometry::{DQuat, Pose};
    use drystone::model::{BodyDef, Model, ModelBuilder};

    use super::super::scene::Scene;
    use super::*;

    /// A rod before a wall.
    fn model() -> Model {
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("rod").at(DVec3::X * -1.0).cuboid(DVec3::new(0.1, 0.1, 0.5)));
        scene.add_body(BodyDef::fixed("wall").cuboid(DVec3::new(0.01, 1.0, 1.0)));
        scene.finalize().unwrap()
    }

    fn found(model: &Model, poses: [Pose; 2], affine: bool) -> [usize; 2] {
        let mut recording = Recording::new(model);
        for pose in poses {
            let mut state = model.state();
            state.body_q[0] = pose;
            if affine {
                let rows = |t: DVec3| [1.0, 0.0, 0.0, t.x, 0.0, 1.0, 0.0, t.y, 0.0, 0.0, 1.0, t.z];
                state.body_affine = vec![rows(pose.translation), rows(DVec3::ZERO)];
            }
            recording.push(&state, &[]);
        }
        let scene = Scene::new(&recording);
        let shapes = Shapes::new(&recording, &scene);
        let mut sweep = shapes.sweep();
        let ends = [sweep.measure(0), sweep.measure(1)];
        [ends[0].len() + ends[1].len(), passes(&shapes, 1, [&ends[0], &ends[1]]).len()]
    }

    /// On one side of the wall in one frame and on the other in the next, or beside it in both.
    #[test]
    fn what_passes_between_frames_is_found() {
        let at = |x: f64, y: f64| Pose::from_translation(DVec3::new(x, y, 0.0));
        for affine in [true, false] {
            assert_eq!(found(&model(), [at(-1.0, 0.0), at(1.0, 0.0)], affine), [0, 1]);
            assert_eq!(found(&model(), [at(-1.0, 0.0), at(-1.0, 3.0)], affine), [0, 0]);
        }
    }

    /// A half turn beside the wall sweeps through it, although the rod starts and ends upright.
    #[test]
    fn what_turns_through_something_is_found() {
        let turned = |angle: f64| Pose::from_parts(DVec3::X * -0.3, DQuat::from_rotation_y(angle));
        assert_eq!(found(&model(), [turned(0.0), turned(3.0)], false), [0, 1]);
        assert_eq!(found(&model(), [turned(0.0), turned(0.1)], false), [0, 0]);
    }
}
