//! What planar linkages are made of: bars in the plane of x and z, pinned to each other about y.

use drystone::model::{BodyDef, BodyId, DQuat, DVec3, JointDef, ModelBuilder, ShapeDef};
use drystone_kernels::elementary::{atan2, cos, sin};

use super::chains::ghost;

/// Density of the bars, steel \[kg/m³\].
const DENSITY: f64 = 7800.0;

/// The point of the plane \[m\].
pub(super) fn point(x: f64, z: f64) -> DVec3 {
    DVec3::new(x, 0.0, z)
}

/// The point at `radius` \[m\] from `centre`, at `angle` \[rad\] from x towards z.
pub(super) fn polar(centre: DVec3, radius: f64, angle: f64) -> DVec3 {
    centre + point(cos(angle), sin(angle)) * radius
}

/// Where the circles about `a` and `b` meet: of the two points, the one to the left of the way from `a`
/// to `b` (seen with z up and x to the right). NaN where they do not meet.
pub(super) fn meet((a, radius_a): (DVec3, f64), (b, radius_b): (DVec3, f64)) -> DVec3 {
    let between = b - a;
    let distance = between.length();
    let along = 0.5 * (distance + (radius_a * radius_a - radius_b * radius_b) / distance);
    let across = (radius_a * radius_a - along * along).sqrt();
    let left = point(-between.z, between.x) / distance;
    a + between * (along / distance) + left * across
}

/// The place of a third point of a plate whose first two have moved: `plate` as it was drawn.
pub(super) fn carried(plate: [DVec3; 3], first: DVec3, second: DVec3) -> DVec3 {
    let (drawn, now) = (plate[1] - plate[0], second - first);
    let third = plate[2] - plate[0];
    let along = third.dot(drawn) / drawn.length_squared();
    let across = third.dot(point(-drawn.z, drawn.x)) / drawn.length_squared();
    first + now * along + point(-now.z, now.x) * across
}

/// A rigid link through points of the plane.
pub(super) struct Link<'a> {
    pub(super) name: String,
    /// Its pins, in a row; a plate of three gets a bar from the last to the first as well.
    pub(super) points: &'a [DVec3],
    /// Half the width of a bar \[m\].
    pub(super) half: f64,
    /// Where it lies along y \[m\], so that links pass each other.
    pub(super) layer: f64,
}

impl Link<'_> {
    /// Adds the link; it meets nothing.
    pub(super) fn add(self, scene: &mut ModelBuilder) -> BodyId {
        let shift = DVec3::Y * self.layer;
        let middle = self.points.iter().sum::<DVec3>() / self.points.len() as f64;
        let mut body = BodyDef::dynamic(self.name).at(middle + shift);
        let last = if self.points.len() > 2 { self.points.len() } else { 1 };
        for index in 0..last {
            let (from, to) = (self.points[index], self.points[(index + 1) % self.points.len()]);
            let along = to - from;
            let half = DVec3::new(0.5 * along.length() + self.half, 0.5 * self.half, self.half);
            let shape = ShapeDef::cuboid(half).at(0.5 * (from + to) - middle);
            // About y, a positive turn takes x to −z.
            let turn = DQuat::from_rotation_y(atan2(-along.z, along.x));
            body = body.shape(ghost(shape.rotated(turn).density(DENSITY)));
        }
        scene.add_body(body)
    }
}

/// A pin about y through a point of the plane.
pub(super) fn pin(parent: impl Into<BodyId>, child: impl Into<BodyId>, at: DVec3) -> JointDef {
    JointDef::revolute(parent, child, at, DVec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_meet_on_both_and_to_the_left() {
        let (a, b) = (point(0.3, -0.2), point(1.0, 0.4));
        let c = meet((a, 0.6), (b, 0.7));
        assert!(((c - a).length() - 0.6).abs() < 1e-15 && ((c - b).length() - 0.7).abs() < 1e-15);
        assert!(meet((point(0.0, 0.0), 1.0), (point(1.0, 0.0), 1.0)).z > 0.0);
        assert!(meet((a, 0.1), (b, 0.1)).is_nan());
    }

    #[test]
    fn a_carried_point_keeps_its_distances() {
        let plate = [point(0.0, 0.0), point(2.0, 1.0), point(0.5, 1.5)];
        let turn = DQuat::from_rotation_y(0.7);
        let moved = plate.map(|p| turn * p + point(3.0, -1.0));
        assert!((carried(plate, moved[0], moved[1]) - moved[2]).length() < 1e-14);
    }
}
