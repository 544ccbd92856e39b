//! Overlap of convex shapes, written independently of the engine's collision code so that one can
//! check the other: a core polytope plus a radius, separating axes for depth, brute force for
//! distance. Plain rather than fast.

use drystone::geometry::{DVec3, Pose, Shape};

/// A convex shape: all points within `radius` of the hull of `vertices`.
#[derive(Clone, Debug, Default)]
pub struct Convex {
    /// Corners of the core \[m\].
    pub vertices: Vec<DVec3>,
    /// Directions normal to its faces.
    normals: Vec<DVec3>,
    /// Directions of its edges.
    edges: Vec<DVec3>,
    /// Triangles that cover its surface, as corner indices.
    triangles: Vec<[usize; 3]>,
    /// Thickness around the core \[m\].
    pub radius: f64,
}

impl Convex {
    /// The convex form of a shape in its own frame; `surface` is its triangulated surface, used for
    /// the curved ones. `None` for what is not convex or not bounded.
    pub fn of(shape: &Shape, surface: &[[DVec3; 3]]) -> Option<Self> {
        match shape {
            Shape::Sphere { radius } => Some(Self::round(vec![DVec3::ZERO], *radius)),
            Shape::Capsule { radius, half_height } => {
                Some(Self::round(vec![DVec3::Z * *half_height, DVec3::Z * -*half_height], *radius))
            }
            Shape::Box { .. }
            | Shape::Cylinder { .. }
            | Shape::Cone { .. }
            | Shape::Ellipsoid { .. }
            | Shape::Hull(_) => Some(Self::polytope(surface)),
            Shape::HalfSpace | Shape::Heightfield(_) | Shape::Mesh(_) => None,
        }
    }

    /// A ball at a place of the world.
    pub fn ball(centre: DVec3, radius: f64) -> Self {
        Self::round(vec![centre], radius)
    }

    fn round(vertices: Vec<DVec3>, radius: f64) -> Self {
        let last = vertices.len() - 1;
        let edges = if last == 0 { Vec::new() } else { vec![(vertices[1] - vertices[0]).normalize()] };
        Self { triangles: vec![[0, last, last]], normals: Vec::new(), edges, vertices, radius }
    }

    /// The polytope of a closed convex surface.
    pub fn polytope(surface: &[[DVec3; 3]]) -> Self {
        let mut convex = Self::default();
        for corners in surface {
            let first = convex.vertices.len();
            convex.vertices.extend(corners);
            convex.triangles.push([first, first + 1, first + 2]);
            let [a, b, c] = *corners;
            let normal = (b - a).cross(c - a);
            push_direction(&mut convex.normals, normal);
            for edge in [b - a, c - b, a - c] {
                push_direction(&mut convex.edges, edge);
            }
        }
        convex
    }

    /// The shape at a pose.
    pub fn placed(&self, pose: &Pose) -> Self {
        let turn = |directions: &[DVec3]| directions.iter().map(|direction| pose.rotation * *direction).collect();
        Self {
            vertices: self.vertices.iter().map(|vertex| pose.transform_point(*vertex)).collect(),
            normals: turn(&self.normals),
            edges: turn(&self.edges),
            triangles: self.triangles.clone(),
            radius: self.radius,
        }
    }

    /// How deep the shape is below the plane through `point` with unit `normal` \[m\]; negative above.
    pub fn depth_below(&self, point: DVec3, normal: DVec3) -> f64 {
        let height = |vertex: &DVec3| normal.dot(*vertex - point);
        self.radius - self.vertices.iter().map(height).fold(f64::INFINITY, f64::min)
    }

    /// How deep a triangle reaches into a rounded point or segment \[m\]; negative outside.
    pub fn depth_in(&self, [a, b, c]: [DVec3; 3]) -> f64 {
        let (start, end) = (self.vertices[0], self.vertices[self.vertices.len() - 1]);
        // The distance to a convex set is convex along a segment.
        self.radius
            - least_of_convex(|t| {
                let point = start.lerp(end, t);
                (point - nearest_on_triangle(point, a, b, c)).length()
            })
    }

    /// Overlap of two shapes \[m\]: the smallest shift that parts them; zero if they are apart.
    pub fn overlap(&self, other: &Self) -> f64 {
        let thickness = self.radius + other.radius;
        let core = self.core_depth(other, thickness);
        if core >= 0.0 {
            return core + thickness;
        }
        // Apart along some axis by −core: only rounded shapes can still touch.
        if -core >= thickness { 0.0 } else { (thickness - self.core_distance(other)).max(0.0) }
    }

    /// Smallest overlap of the cores' projections over all separating axes; negative if apart, and any such number once they are
    /// apart by more than `enough`.
    fn core_depth(&self, other: &Self, enough: f64) -> f64 {
        let crosses = self.edges.iter().flat_map(|a| other.edges.iter().map(|b| a.cross(*b)));
        let axes = self.normals.iter().chain(&other.normals).copied().chain(crosses);
        let mut least = f64::INFINITY;
        for axis in axes {
            let Some(axis) = unit(axis) else { continue };
            let (low_a, high_a) = self.project(axis);
            let (low_b, high_b) = other.project(axis);
            least = least.min((high_a - low_b).min(high_b - low_a));
            if least < -enough {
                return least;
            }
        }
        // Two points or parallel segments have no axes: they are apart by their distance.
        if least.is_finite() { least } else { -self.core_distance(other) }
    }

    fn project(&self, axis: DVec3) -> (f64, f64) {
        let along = self.vertices.iter().map(|vertex| axis.dot(*vertex));
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    }

    /// Distance of the cores, one of which is a point or a segment \[m\].
    fn core_distance(&self, other: &Self) -> f64 {
        let (thin, solid) = if self.normals.is_empty() { (self, other) } else { (other, self) };
        let (start, end) = (thin.vertices[0], thin.vertices[thin.vertices.len() - 1]);
        // The distance to a convex set is convex along a segment.
        least_of_convex(|t| solid.distance_to(start.lerp(end, t)))
    }

    /// Distance of an outside point to the core \[m\].
    fn distance_to(&self, point: DVec3) -> f64 {
        let distance = |corners: &[usize; 3]| {
            let [a, b, c] = corners.map(|corner| self.vertices[corner]);
            (point - nearest_on_triangle(point, a, b, c)).length()
        };
        self.triangles.iter().map(distance).fold(f64::INFINITY, f64::min)
    }
}

/// Directions closer than this (as a sine) count as the same axis.
const PARALLEL: f64 = 1e-9;

fn push_direction(known: &mut Vec<DVec3>, direction: DVec3) {
    let Some(direction) = unit(direction) else { return };
    if known.iter().all(|other| other.cross(direction).length() > PARALLEL) {
        known.push(direction);
    }
}

/// The unit vector, unless there is no direction: cross products of parallel edges.
fn unit(vector: DVec3) -> Option<DVec3> {
    let length = vector.length();
    (length > PARALLEL).then(|| vector / length)
}

/// Least value of a convex function on 0 ≤ t ≤ 1, by golden sections.
fn least_of_convex(value: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (0.0, 1.0);
    let (mut a, mut b) = (high - GOLDEN, low + GOLDEN);
    let (mut at_a, mut at_b) = (value(a), value(b));
    for _ in 0..60 {
        if at_a < at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - GOLDEN * (high - low);
            at_a = value(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + GOLDEN * (high - low);
            at_b = value(b);
        }
    }
    at_a.min(at_b).min(value(0.0)).min(value(1.0))
}

fn nearest_on_triangle(point: DVec3, a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let inside = |from: DVec3, to: DVec3| normal.dot((to - from).cross(point - from)) >= 0.0;
    if normal.length_squared() > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        return point - normal * (normal.dot(point - a) / normal.length_squared());
    }
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| nearest_on_segment(point, from, to));
    let nearer = |best: DVec3, other: DVec3| {
        if (other - point).length_squared() < (best - point).length_squared() { other } else { best }
    };
    nearer(nearer(sides[0], sides[1]), sides[2])
}

fn nearest_on_segment(point: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let along = to - from;
    let squared = along.length_squared();
    if squared == 0.0 { from } else { from + along * ((point - from).dot(along) / squared).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use drystone::geometry::DQuat;
    use drystone::geometry::Tessellation;

    use super::*;

    fn convex(shape: &Shape) -> Convex {
        let mesh = shape.to_mesh(&Tessellation::default());
        let corners = |triangle: &[u32; 3]| triangle.map(|vertex| mesh.vertices[vertex as usize]);
        Convex::of(shape, &mesh.triangles.iter().map(corners).collect::<Vec<_>>()).unwrap()
    }

    fn overlap(a: &Shape, b: &Shape, pose: Pose) -> f64 {
        let (a, b) = (convex(a), convex(b).placed(&pose));
        assert_eq!(a.overlap(&b), b.overlap(&a));
        a.overlap(&b)
    }

    const CUBE: Shape = Shape::Box { half: DVec3::splat(0.5) };
    const BALL: Shape = Shape::Sphere { radius: 0.25 };

    #[test]
    fn faces_edges_and_corners_of_boxes() {
        let shifted = |x: f64| Pose::from_translation(DVec3::new(x, 0.2, 0.1));
        assert!((overlap(&CUBE, &CUBE, shifted(0.9)) - 0.1).abs() < 1e-12);
        assert_eq!(overlap(&CUBE, &CUBE, shifted(1.1)), 0.0);
        // Edge on edge, crossed: both stand on an edge, √½ from their centres.
        let turned = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
        let other = Pose::from_parts(DVec3::X * 1.35, DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4));
        let a = convex(&CUBE).placed(&Pose::from_rotation(turned));
        let depth = a.overlap(&convex(&CUBE).placed(&other));
        assert!((depth - (2.0_f64.sqrt() - 1.35)).abs() < 1e-12, "{depth}");
    }

    #[test]
    fn balls_against_faces_corners_and_from_inside() {
        let at = |x: f64, y: f64, z: f64| Pose::from_translation(DVec3::new(x, y, z));
        assert!((overlap(&CUBE, &BALL, at(0.7, 0.1, 0.0)) - 0.05).abs() < 1e-12);
        let corner = 0.25 - 0.1 * 3.0_f64.sqrt();
        assert!((overlap(&CUBE, &BALL, at(0.6, 0.6, 0.6)) - corner).abs() < 1e-12);
        assert!((overlap(&CUBE, &BALL, at(0.4, 0.0, 0.0)) - 0.35).abs() < 1e-12);
        assert_eq!(overlap(&CUBE, &BALL, at(0.7, 0.7, 0.7)), 0.0);
        assert!((overlap(&BALL, &BALL, at(0.3, 0.0, 0.0)) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn capsules_against_each_other_and_a_box() {
        let capsule = Shape::Capsule { radius: 0.1, half_height: 1.0 };
        let crossed = Pose::from_parts(DVec3::X * 0.15, DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
        assert!((overlap(&capsule, &capsule, crossed) - 0.05).abs() < 1e-9);
        let parallel = Pose::from_translation(DVec3::new(0.12, 0.0, 0.7));
        assert!((overlap(&capsule, &capsule, parallel) - 0.08).abs() < 1e-9);
        let beside = Pose::from_translation(DVec3::new(0.57, 0.0, 0.4));
        assert!((overlap(&CUBE, &capsule, beside) - 0.03).abs() < 1e-9);
        let tip = Pose::from_translation(DVec3::new(0.0, 0.0, 1.56));
        assert!((overlap(&CUBE, &capsule, tip) - 0.04).abs() < 1e-9);
    }

    #[test]
    fn depth_below_a_plane() {
        let ball = convex(&BALL).placed(&Pose::from_translation(DVec3::Z * 0.2));
        assert!((ball.depth_below(DVec3::ZERO, DVec3::Z) - 0.05).abs() < 1e-12);
    }
}
