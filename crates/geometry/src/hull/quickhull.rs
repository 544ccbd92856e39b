//! Quickhull on exact predicates: the triangulated hull of a point set.
//!
//! Because visibility is decided exactly, the visible faces always form a disc, the horizon a simple loop, and
//! no triangle is ever degenerate, whatever the input. Tolerances enter only afterwards, when faces are merged.

use glamx::DVec3;

use super::{FLAT_TOLERANCE, HullError};
use crate::Aabb;
use crate::predicates::orient3d;

/// Refuses too few points and coordinates that are not finite.
pub(super) fn check_finite(points: &[DVec3]) -> Result<(), HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFewPoints(points.len()));
    }
    match points.iter().position(|p| !p.is_finite()) {
        Some(index) => Err(HullError::NotFinite { index, point: points[index] }),
        None => Ok(()),
    }
}

/// Outward oriented triangles of the convex hull of `points`, scaled to about unit size.
pub(super) fn triangulate(points: &[DVec3]) -> Result<Vec<[u32; 3]>, HullError> {
    let simplex = first_simplex(points)?;
    let mut builder =
        Builder { points, faces: Vec::new(), verdict: Vec::new(), round: 0, rim: vec![[0; 2]; points.len()] };
    builder.start(simplex);
    builder.run();
    Ok(builder.faces.iter().filter(|f| f.alive).map(|f| f.corners).collect())
}

/// Four points far apart, positively oriented; refuses flat input.
fn first_simplex(points: &[DVec3]) -> Result<[u32; 4], HullError> {
    let bounds = Aabb::from_points(points.iter().copied());
    let extent = bounds.extent().max_element();
    let flat = |what, thickness| HullError::Flat { what, thickness, extent };
    let furthest = |measure: &dyn Fn(DVec3) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, p) in points.iter().enumerate() {
            // Differences are scaled by the extent, so tiny and huge clouds behave alike.
            let value = measure((*p - bounds.min) / extent);
            if value > best.1 {
                best = (i, value);
            }
        }
        best
    };
    if extent == 0.0 {
        return Err(flat("coincident", 0.0));
    }
    let at = |i: usize| (points[i] - bounds.min) / extent;
    let long_axis = bounds.extent().max_position();
    let (i, _) = furthest(&|p| -p[long_axis]);
    let (j, _) = furthest(&|p| p[long_axis]);
    let (a, along) = (at(i), (at(j) - at(i)).normalize());
    let (k, off_line) = furthest(&|p| (p - a).cross(along).length());
    if off_line <= FLAT_TOLERANCE {
        return Err(flat("collinear", off_line * extent));
    }
    let normal = along.cross(at(k) - a).normalize();
    let (l, off_plane) = furthest(&|p| (p - a).dot(normal).abs());
    if off_plane <= FLAT_TOLERANCE {
        return Err(flat("coplanar", off_plane * extent));
    }
    let above = (at(l) - a).dot(normal) > 0.0;
    Ok([i, if above { j } else { k }, if above { k } else { j }, l].map(|x| x as u32))
}

struct Face {
    /// Counter-clockwise seen from outside.
    corners: [u32; 3],
    /// Faces across the edges corner k → corner k+1.
    neighbors: [u32; 3],
    /// Points strictly above this face that no other face has claimed.
    outside: Vec<u32>,
    alive: bool,
}

/// An edge between a visible and a hidden face, as it runs in the visible one.
struct HorizonEdge {
    start: u32,
    end: u32,
    hidden: u32,
}

struct Builder<'a> {
    points: &'a [DVec3],
    faces: Vec<Face>,
    /// For every face, the last round in which it was looked at and whether the eye saw it.
    verdict: Vec<(u32, bool)>,
    round: u32,
    /// For every vertex of the current horizon, the new faces whose horizon edge starts and ends there.
    rim: Vec<[u32; 2]>,
}

impl Builder<'_> {
    fn point(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    fn sees(&self, face: u32, point: u32) -> bool {
        let [a, b, c] = self.faces[face as usize].corners.map(|i| self.point(i));
        orient3d(a, b, c, self.point(point)) > 0.0
    }

    fn add_face(&mut self, corners: [u32; 3], neighbors: [u32; 3]) -> u32 {
        self.faces.push(Face { corners, neighbors, outside: Vec::new(), alive: true });
        self.verdict.push((0, false));
        self.faces.len() as u32 - 1
    }

    fn start(&mut self, [a, b, c, d]: [u32; 4]) {
        // d lies above abc, so seen from outside the base winds the other way.
        self.add_face([a, c, b], [3, 2, 1]);
        self.add_face([a, b, d], [0, 2, 3]);
        self.add_face([b, c, d], [0, 3, 1]);
        self.add_face([c, a, d], [0, 1, 2]);
        let all: Vec<u32> = (0..self.points.len() as u32).collect();
        self.distribute(&all, 0..4);
    }

    /// Gives every point to the first of `faces` that sees it; points no face sees are inside.
    fn distribute(&mut self, points: &[u32], faces: std::ops::Range<u32>) {
        for &p in points {
            if let Some(face) = faces.clone().find(|&f| self.sees(f, p)) {
                self.faces[face as usize].outside.push(p);
            }
        }
    }

    fn run(&mut self) {
        let mut pending: Vec<u32> = (0..4).collect();
        while let Some(face) = pending.pop() {
            if !self.faces[face as usize].alive || self.faces[face as usize].outside.is_empty() {
                continue;
            }
            let eye = self.furthest_outside(face);
            let (visible, horizon) = self.look_from(eye, face);
            let first_new = self.faces.len() as u32;
            self.cone(eye, &horizon);
            let mut orphans = Vec::new();
            for v in visible {
                self.faces[v as usize].alive = false;
                orphans.append(&mut self.faces[v as usize].outside);
            }
            orphans.retain(|&p| p != eye);
            let new_faces = first_new..self.faces.len() as u32;
            self.distribute(&orphans, new_faces.clone());
            pending.extend(new_faces);
        }
    }

    fn furthest_outside(&self, face: u32) -> u32 {
        let face = &self.faces[face as usize];
        let [a, b, c] = face.corners.map(|i| self.point(i));
        let normal = (b - a).cross(c - a);
        let mut best = (face.outside[0], f64::NEG_INFINITY);
        for &p in &face.outside {
            let height = (self.point(p) - a).dot(normal);
            if height > best.1 {
                best = (p, height);
            }
        }
        best.0
    }

    /// All faces visible from `eye`, starting with `seed`, and the edges around them.
    fn look_from(&mut self, eye: u32, seed: u32) -> (Vec<u32>, Vec<HorizonEdge>) {
        self.round += 1;
        self.verdict[seed as usize] = (self.round, true);
        let mut visible = vec![seed];
        let mut horizon = Vec::new();
        let mut next = 0;
        while next < visible.len() {
            let Face { corners, neighbors, .. } = self.faces[visible[next] as usize];
            next += 1;
            for k in 0..3 {
                let across = neighbors[k];
                if self.verdict[across as usize].0 != self.round {
                    self.verdict[across as usize] = (self.round, self.sees(across, eye));
                    if self.verdict[across as usize].1 {
                        visible.push(across);
                    }
                }
                if !self.verdict[across as usize].1 {
                    horizon.push(HorizonEdge { start: corners[k], end: corners[(k + 1) % 3], hidden: across });
                }
            }
        }
        (visible, horizon)
    }

    /// Joins `eye` to every edge of the horizon.
    fn cone(&mut self, eye: u32, horizon: &[HorizonEdge]) {
        let first = self.faces.len() as u32;
        for (edge, face) in horizon.iter().zip(first..) {
            self.rim[edge.start as usize][0] = face;
            self.rim[edge.end as usize][1] = face;
        }
        for (edge, face) in horizon.iter().zip(first..) {
            let (after, before) = (self.rim[edge.end as usize][0], self.rim[edge.start as usize][1]);
            self.add_face([edge.start, edge.end, eye], [edge.hidden, after, before]);
            let hidden = &mut self.faces[edge.hidden as usize];
            let side = (0..3).find(|&k| hidden.corners[k] == edge.end && hidden.corners[(k + 1) % 3] == edge.start);
            if let Some(side) = side {
                hidden.neighbors[side] = face;
            }
        }
    }
}
