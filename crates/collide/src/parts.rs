//! Triangles and edges between particles against corners and edges of shapes: what a sharp shape would poke through between particles.

use std::sync::Arc;

use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_geometry::{Aabb, DVec3};
use drystone_model::{Model, State};

use crate::cloth::parts;
use crate::particles::{Search, in_pieces, project};
use crate::pipeline::Collide;
use crate::sharp::{Sharp, sharp_shapes};

/// A triangle near a corner of a shape, or an edge near an edge of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartContact {
    /// Its particles; of an edge the first two.
    pub particle: [u32; 3],
    /// Weights of the nearest point; they sum to one, and the third of an edge is zero.
    pub weight: [f64; 3],
    /// The shape.
    pub shape: u32,
    /// Number of the corner, or of the edge, among those of the shape.
    pub feature: u32,
    /// Away from the shape, world frame.
    pub normal: DVec3,
    /// From the corner or edge, skins included, to the nearest point \[m\]; negative where it is beyond.
    pub gap: f64,
}

impl PartContact {
    /// Whether it is an edge of the surface.
    pub fn is_edge(&self) -> bool {
        self.weight[2] == 0.0
    }
}

/// Triangles and edges between particles, and the corners and edges of shapes that can poke through them.
#[derive(Clone, Debug, Default)]
pub struct WideParts {
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    sharp: Vec<Option<Arc<Sharp>>>,
}

impl WideParts {
    /// Those of a model.
    pub fn new(model: &Model) -> Self {
        let (triangles, edges) = parts(model, |_| true);
        let sharp = if edges.is_empty() { Vec::new() } else { sharp_shapes(&model.shape_geometry) };
        Self { triangles, edges, sharp }
    }

    /// Whether nothing can poke through anything.
    pub fn is_idle(&self) -> bool {
        self.sharp.iter().all(Option::is_none)
    }
}

/// How far a direction may lean out of the cone of a corner or an edge: a face that lies on another is pressed at all its corners, however it
/// tilts.
const LEAN: f64 = 0.2;
/// Edges are skew enough to have a direction across both from this sine of their angle on.
const SKEW: f64 = 0.03;

impl Collide {
    /// Replaces `out` by the contacts of triangles and edges with corners and edges of shapes that can come about within `dt` seconds.
    /// Shapes are where the last detection had them.
    pub fn part_contacts(&self, wide: &WideParts, model: &Model, state: &State, dt: f64, out: &mut Vec<PartContact>) {
        out.clear();
        if wide.is_idle() {
            return;
        }
        let search = PartSearch { search: Search::new(model, state, &self.table, &self.moving, dt), wide };
        in_pieces(wide.triangles.len(), out, |item, near, found| search.part(&wide.triangles[item], near, found));
        in_pieces(wide.edges.len(), out, |item, near, found| search.part(&wide.edges[item], near, found));
    }
}

struct PartSearch<'a> {
    search: Search<'a>,
    wide: &'a WideParts,
}

/// A triangle or an edge in the frame of a shape.
struct Part<'a> {
    particle: &'a [u32],
    shape: usize,
    /// Where its particles are, and their ways against the shape \[m\].
    at: [DVec3; 3],
    way: [DVec3; 3],
    /// Radii, the skin of the shape included \[m\].
    thick: [f64; 3],
    /// What may bring the two together beyond their ways \[m\].
    stray: f64,
}

impl Part<'_> {
    fn weighted<T: std::ops::Mul<f64, Output = T> + std::iter::Sum + Copy>(&self, of: &[T; 3], weight: [f64; 3]) -> T {
        (0..self.particle.len()).map(|k| of[k] * weight[k]).sum()
    }

    /// Everything it can reach.
    fn reach(&self) -> Aabb {
        let count = self.particle.len();
        let ends = (0..count).flat_map(|k| [self.at[k], self.at[k] + self.way[k]]);
        let thick = self.thick[..count].iter().copied().fold(0.0, f64::max);
        Aabb::from_points(ends).inflated(thick + self.stray)
    }
}

impl PartSearch<'_> {
    fn part(&self, particle: &[u32], near: &mut Vec<u32>, found: &mut Vec<PartContact>) {
        let Search { model, state, moving, dt, tree, item, .. } = &self.search;
        let of = |k: usize| particle.get(k).map_or(particle[0], |&particle| particle) as usize;
        let (q, qd) = ([0, 1, 2].map(|k| state.particle_q[of(k)]), [0, 1, 2].map(|k| state.particle_qd[of(k)]));
        if !q.iter().chain(&qd).all(|value| value.is_finite()) {
            return;
        }
        let world = model.particle_world[of(0)];
        let radius = [0, 1, 2].map(|k| model.particle_radius[of(k)]);
        let fall = model.world_gravity[world as usize].length() * dt * dt;
        let ends = (0..3).flat_map(|k| [q[k], q[k] + *dt * qd[k]]);
        let reach = Aabb::from_points(ends).inflated(radius.into_iter().fold(0.0, f64::max) + fall);
        near.clear();
        tree.overlaps(&reach, |index| near.push(item[index as usize]));
        near.sort_unstable();
        for shape in near.iter().map(|&shape| shape as usize) {
            let agrees = particle.iter().all(|&particle| model.agrees_with_shape(particle as usize, shape));
            let Some(sharp) = self.wide.sharp[shape].as_ref().filter(|_| agrees && model.shape_world[shape] == world)
            else {
                continue;
            };
            let own = &moving[shape];
            let way = |k: usize| own.at.local_vector(qd[k] - self.search.velocity_at(shape, q[k])) * *dt;
            let part = Part {
                particle,
                shape,
                at: q.map(|q| own.at.local_point(q)),
                way: [0, 1, 2].map(way),
                thick: radius.map(|radius| radius + own.skin),
                stray: fall + own.stray,
            };
            self.meet(sharp, &part, found);
        }
    }

    /// Corners a triangle can meet, or edges an edge can.
    fn meet(&self, sharp: &Sharp, part: &Part, found: &mut Vec<PartContact>) {
        let from = found.len();
        let tree = if part.particle.len() == 3 { &sharp.corner_tree } else { &sharp.crease_tree };
        tree.overlaps(&part.reach(), |feature| {
            let met = match *part.particle {
                [_, _, _] => corner(sharp, feature, part),
                _ => crease(sharp, feature, part),
            };
            found.extend(met.and_then(|met| self.contact(part, feature, met)));
        });
        found[from..].sort_by_key(|contact| contact.feature);
    }

    /// The contact, if it can come about.
    fn contact(&self, part: &Part, feature: u32, (weight, point, normal): Met) -> Option<PartContact> {
        let Search { model, table, moving, .. } = &self.search;
        let at = part.weighted(&part.at, weight);
        let height = normal.dot(at - point);
        if height < 0.0 {
            // Beyond the corner, or on the other side of a thin shape: only what is inside was poked through.
            let inside = project(table, model, part.shape, at);
            if inside.distance >= 0.0 || inside.normal.dot(normal) <= 0.0 {
                return None;
            }
        }
        let thick = part.weighted(&part.thick, weight);
        let gap = height - thick;
        let way = part.weighted(&part.way, weight);
        let approach = -normal.dot(way);
        // What goes by far away is not stopped by a plane there.
        let aside = (way + normal * approach).length();
        let far = gap > thick + part.stray && aside > gap;
        if far || gap > approach.max(0.0) + part.stray {
            return None;
        }
        let [a, b] = [part.particle[0], part.particle[1]];
        let particle = [a, b, part.particle.get(2).copied().unwrap_or(b)];
        let normal = moving[part.shape].at.vector(normal);
        Some(PartContact { particle, weight, shape: part.shape as u32, feature, normal, gap })
    }
}

/// Weights of the nearest point of a part, the point of the shape, and the direction between them out of the shape.
type Met = ([f64; 3], DVec3, DVec3);

/// A triangle over a corner: where the corner is across its inside, and the triangle on the outer side of the corner.
fn corner(sharp: &Sharp, feature: u32, part: &Part) -> Option<Met> {
    let corner = &sharp.corner[feature as usize];
    let nearest = point_triangle::nearest(corner.at, part.at);
    let inner = nearest.region == point_triangle::Region::Face;
    let weight = [1, 2, 3].map(|k| -nearest.weights[k]);
    let normal = (part.at[1] - part.at[0]).cross(part.at[2] - part.at[0]).try_normalize().filter(|_| inner)?;
    let out = outward(normal, |normal| corner.ring.iter().map(|edge| edge.dot(normal)).fold(-1.0, f64::max))?;
    Some((weight, corner.at, out))
}

/// An edge across another: where both come nearest inside of themselves.
fn crease(sharp: &Sharp, feature: u32, part: &Part) -> Option<Met> {
    let crease = &sharp.crease[feature as usize];
    let own = [part.at[0], part.at[1]];
    let nearest = edge_edge::nearest(own, crease.ends);
    if nearest.region != edge_edge::Region::Inside {
        return None;
    }
    let across = (own[1] - own[0]).normalize_or_zero().cross((crease.ends[1] - crease.ends[0]).normalize_or_zero());
    let normal = across.try_normalize().filter(|_| across.length() > SKEW)?;
    let out = outward(normal, |normal| crease.into.iter().map(|into| into.dot(normal)).fold(-1.0, f64::max))?;
    let [_, _, c, d] = nearest.weights.map(|weight| -weight);
    Some(([nearest.weights[0], nearest.weights[1], 0.0], crease.ends[0] * c + crease.ends[1] * d, out))
}

/// Of a direction and its opposite the one that leans less into the shape, if it hardly does.
fn outward(normal: DVec3, lean: impl Fn(DVec3) -> f64) -> Option<DVec3> {
    let [one, other] = [lean(normal), lean(-normal)];
    let (out, least) = if one <= other { (normal, one) } else { (-normal, other) };
    (least <= LEAN).then_some(out)
}
