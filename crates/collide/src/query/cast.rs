//! Shapes swept along a straight line.
//!
//! The distance of two convex shapes that move straight is a convex function of time, and the plane between them tells its
//! slope. So Newton's method walks towards the contact from one side, quadratically, and never steps over it.

use drystone_geometry::{Aabb, DVec3, Pose, Ray, Shape};

use super::{QueryError, QueryFilter, SceneHit, SceneQuery, check_bound, check_direction, check_shape};
use crate::narrow::convex::Convex;
use crate::narrow::touch::{closest, witness};
use crate::narrow::{Scratch, Solid};
use crate::placement::Placement;
use crate::shapes::ShapeTable;
use crate::surface::Surface;

/// Shapes nearer than this share of the thinner one's width touch.
const TOUCHING: f64 = 1e-6;
/// What of the direction must lead into a surface for it to be met: sliding along is no hit.
const SLIDING: f64 = 1e-9;
/// Newton's method ends long before; a graze halves the time that is left at every step.
const MAX_STEPS: usize = 100;

/// When and where a swept shape meets another: the point on the other and its normal.
type Met = (f64, DVec3, DVec3);

/// A shape on its way.
struct Sweep<'a> {
    shape: &'a Shape,
    pose: Pose,
    direction: DVec3,
    /// What rounding and tolerance make of no distance \[m\].
    thickness: f64,
}

impl SceneQuery<'_> {
    /// What a convex shape placed at `pose` meets first when it moves along `direction`, up to `max_time` (in units of the
    /// direction's length; infinite is allowed). It does not turn on its way.
    ///
    /// Shapes that touch or overlap it at the start are met at time 0, but only if the motion leads deeper, against
    /// their normal: a box may slide along the floor it lies on and be pulled out of a wall. Meshes and terrain are met
    /// at their surface, from either side. Of shapes met at the same time the one with the lowest number counts.
    pub fn cast_shape(
        &self,
        shape: &Shape,
        pose: &Pose,
        direction: DVec3,
        max_time: f64,
        filter: &QueryFilter,
    ) -> Result<Option<SceneHit>, QueryError> {
        check_shape(shape, pose)?;
        if let Shape::Mesh(_) = shape {
            let (asked, instead) = ("swept", "its convex hull, or one of several convex pieces");
            return Err(QueryError::CannotAsk { shape: "a mesh", asked, instead });
        }
        check_direction("the direction of the sweep", direction)?;
        check_bound("the largest time of a sweep", max_time)?;
        let thickness = ShapeTable::alone(shape).thickness[0];
        let sweep = Sweep { shape, pose: *pose, direction, thickness };
        Ok(self.first_met(&sweep, max_time, filter))
    }

    fn first_met(&self, sweep: &Sweep, max_time: f64, filter: &QueryFilter) -> Option<SceneHit> {
        let mut scratch = Scratch::default();
        let bounds = sweep.shape.aabb(&sweep.pose);
        let mut best: Option<(u32, Met)> = None;
        let mut offer = |shape: u32, limit: f64| {
            let met = if self.admits(filter, shape) { self.meet(sweep, shape, limit, &mut scratch) } else { None }?;
            if best.is_none_or(|(other, known)| (met.0, shape) < (known.0, other)) {
                best = Some((shape, met));
            }
            Some(met.0)
        };
        let mut limit = max_time;
        for shape in self.index.unbounded() {
            limit = offer(shape, limit).unwrap_or(limit);
        }
        let way = Ray::new(bounds.center(), sweep.direction);
        self.index.tree.cast_box(&way, 0.5 * bounds.extent(), limit, |shape, limit| {
            if self.index.in_tree(shape) { offer(shape, limit) } else { None }
        });
        let (shape, (time, point, normal)) = best?;
        Some(SceneHit { shape: self.shape_id(shape), body: self.body_id(shape), time, point, normal })
    }

    fn meet(&self, sweep: &Sweep, other: u32, limit: f64, scratch: &mut Scratch) -> Option<Met> {
        let other = other as usize;
        let solid = self.index.solid(self.model, other);
        match solid.shape {
            Shape::HalfSpace => sweep.meet_plane(solid.at, limit),
            Shape::Mesh(_) | Shape::Heightfield(_) => sweep.meet_surface(&solid, limit, scratch),
            _ => {
                let touching = TOUCHING * sweep.thickness.min(self.index.table.thickness[other]);
                sweep.meet_convex(&Convex::new(&solid), touching, limit, scratch)
            }
        }
    }
}

impl Sweep<'_> {
    fn leads_into(&self, closing: f64) -> bool {
        closing > SLIDING * self.direction.length()
    }

    fn meet_plane(&self, ground: &Placement, limit: f64) -> Option<Met> {
        let up = ground.rotation.z_axis;
        let lowest = self.pose.transform_point(self.shape.support(self.pose.inverse_transform_vector(-up)));
        let (gap, closing) = (up.dot(lowest - ground.position), -up.dot(self.direction));
        let time = (gap / closing).max(0.0);
        let met = self.leads_into(closing) && time <= limit;
        met.then(|| {
            let below = lowest + time * self.direction;
            (time, below - up * up.dot(below - ground.position), up)
        })
    }

    fn meet_convex(&self, other: &Convex, touching: f64, limit: f64, scratch: &mut Scratch) -> Option<Met> {
        let start = Placement::new(&self.pose);
        let mut time = 0.0;
        for step in 0..=MAX_STEPS {
            let at = Placement { position: start.position + time * self.direction, ..start };
            let solid = Solid { shape: self.shape, mesh: None, at: &at };
            let moving = Convex::new(&solid);
            let touch = closest(&moving, other, 5e-3 * self.thickness, scratch);
            let gap = touch.separation - moving.radius() - other.radius();
            let closing = touch.normal.dot(self.direction);
            if !self.leads_into(closing) {
                return None;
            }
            // Not yet there after so many steps is a graze; stopping early is safe.
            if gap <= touching || step == MAX_STEPS {
                return Some((time, witness(&moving, other, &touch).position1, -touch.normal));
            }
            time += gap / closing;
            if time.is_nan() || time > limit {
                return None;
            }
        }
        None
    }

    /// Every triangle near the way is a convex shape of its own.
    fn meet_surface(&self, solid: &Solid, limit: f64, scratch: &mut Scratch) -> Option<Met> {
        let surface = solid.surface()?;
        let turned = solid.at.rotation.transpose();
        let direction = turned * self.direction;
        let bounds = self.local_bounds(solid.at);
        let way = Ray::new(bounds.center(), direction);
        let mut best: Option<(u32, Met)> = None;
        let mut offer = |number: u32, corners: &Convex, limit: f64| {
            let met = self.meet_convex(corners, TOUCHING * self.thickness, limit, scratch)?;
            if best.is_none_or(|(other, known)| (met.0, number) < (known.0, other)) {
                best = Some((number, met));
            }
            Some(met.0)
        };
        match surface {
            Surface::Mesh(table) => {
                table.tree().cast_box(&way, 0.5 * bounds.extent(), limit, |number, limit| {
                    offer(number, &Convex::poly(table.triangle(number as usize).poly(), *solid.at), limit)
                });
            }
            Surface::Terrain(field) => {
                let ground = solid.shape.aabb(&Pose::IDENTITY).grown_by(0.5 * bounds.extent());
                let (_, exit) = ground.clip_ray(way.origin, way.direction.recip(), limit)?;
                let swept = bounds.union(bounds.shifted(exit * direction));
                let mut limit = limit;
                Surface::Terrain(field).near(&swept, &mut Vec::new(), |number, triangle| {
                    limit = offer(number, &Convex::poly(triangle.poly(), *solid.at), limit).unwrap_or(limit);
                });
            }
        }
        best.map(|(_, met)| met)
    }

    /// Box around the shape at the start, in the frame of another.
    fn local_bounds(&self, frame: &Placement) -> Aabb {
        let extent = |axis: DVec3| {
            let world = frame.rotation * axis;
            let local = self.pose.inverse_transform_vector(world);
            let point = |d: DVec3| frame.local_point(self.pose.transform_point(self.shape.support(d)));
            (point(-local).dot(axis), point(local).dot(axis))
        };
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(extent);
        let tight = Aabb::new(DVec3::new(x.0, y.0, z.0), DVec3::new(x.1, y.1, z.1));
        // As much as rounding may lose, and a flat shape has some width to be found by.
        tight.inflated(1e-9 * (self.thickness + tight.min.abs().max(tight.max.abs()).max_element()))
    }
}
