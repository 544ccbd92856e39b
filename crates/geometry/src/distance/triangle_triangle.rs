//! Triangle against triangle: intersection with exact signs, and distance.

use glamx::DVec3;

use super::{edge_edge, point_triangle};
use crate::predicates::orient3d;

const SIDES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// Squared distance \[m²\]; 0 if the triangles touch.
pub fn distance_squared(first: [DVec3; 3], second: [DVec3; 3]) -> f64 {
    let [p, q] = closest_points(first, second);
    p.distance_squared(q)
}

/// A pair of nearest points, on the first and on the second triangle \[m\].
pub fn closest_points(first: [DVec3; 3], second: [DVec3; 3]) -> [DVec3; 2] {
    if let Some(common) = (!clearly_apart(first, second)).then(|| common_point(first, second)).flatten() {
        return [common, common];
    }
    let mut best = (f64::INFINITY, [first[0], second[0]]);
    let mut offer = |pair: [DVec3; 2]| {
        let squared = pair[0].distance_squared(pair[1]);
        if squared < best.0 {
            best = (squared, pair);
        }
    };
    for k in 0..3 {
        offer([first[k], point_triangle::closest_point(first[k], second)]);
        offer([point_triangle::closest_point(second[k], first), second[k]]);
    }
    for a in SIDES {
        for b in SIDES {
            offer(edge_edge::closest_points(a.map(|k| first[k]), b.map(|k| second[k])));
        }
    }
    best.1
}

/// True if the triangles share a point; touching counts. The signs behind the answer are exact.
///
/// ```
/// use drystone_geometry::{DVec3, distance::triangle_triangle::intersect};
/// let floor = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let shifted = |z: f64| floor.map(|p| DVec3::new(0.3 - p.z, 0.3 - 0.2 * p.y, p.x + z));
/// assert!(intersect(floor, shifted(-0.5)) && intersect(floor, shifted(0.0)));
/// assert!(!intersect(floor, shifted(f64::MIN_POSITIVE)));
/// ```
pub fn intersect(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    !clearly_apart(first, second) && meet(first, second)
}

fn meet(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    let pierces = |edges: [DVec3; 3], face: [DVec3; 3]| SIDES.iter().any(|s| edge_meets(s.map(|k| edges[k]), face));
    pierces(first, second) || pierces(second, first)
}

/// Edges whose directions differ by less than this sine have no common normal.
const PARALLEL: f64 = 1e-9;

/// The least shift of one triangle that parts it from the other \[m\]; 0 if they are apart, touch, or lie in one plane.
///
/// Surfaces that cut through each other are at least this far from being parted, whatever they belong to.
///
/// ```
/// use drystone_geometry::{DVec3, distance::triangle_triangle::overlap};
/// let floor = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let spike = |depth: f64| [DVec3::new(0.3, 0.3, -depth), DVec3::new(0.2, 0.3, 1.0), DVec3::new(0.4, 0.3, 1.0)];
/// assert!((overlap(floor, spike(1e-6)) - 1e-6).abs() < 1e-18);
/// assert_eq!(overlap(floor, spike(-1e-6)), 0.0);
/// ```
pub fn overlap(first: [DVec3; 3], second: [DVec3; 3]) -> f64 {
    let [a, b] = [first, second].map(|triangle| triangle.map(|p| p - first[0]));
    let sides = |t: [DVec3; 3]| SIDES.map(|[i, j]| (t[j] - t[i]).normalize_or_zero());
    let (of_a, of_b) = (sides(a), sides(b));
    let normals = [of_a[0].cross(of_a[1]), of_b[0].cross(of_b[1])];
    let crosses = of_a.iter().flat_map(|e| of_b.iter().map(|f| e.cross(*f)));
    let along = |triangle: [DVec3; 3], axis: DVec3| {
        let [u, v, w] = triangle.map(|p| p.dot(axis));
        [u.min(v).min(w), u.max(v).max(w)]
    };
    let depth = |axis: DVec3| {
        let ([low_a, high_a], [low_b, high_b]) = (along(a, axis), along(b, axis));
        (high_a - low_b).min(high_b - low_a).max(0.0)
    };
    let axes = normals.into_iter().chain(crosses).filter(|axis| axis.length() > PARALLEL);
    axes.map(|axis| depth(axis.normalize())).reduce(f64::min).unwrap_or(0.0)
}

/// True if a plane passes between the triangles with more room on either side than rounding can take up. It tells apart
/// nearly all that do not meet, those in one plane too, for which exact signs are slow.
fn clearly_apart(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    let [a, b] = [first, second].map(|triangle| triangle.map(|p| p - first[0]));
    let size = a.iter().chain(&b).fold(0.0_f64, |most, p| most.max(p.abs().max_element()));
    let apart = |axis: DVec3| {
        let along = |triangle: [DVec3; 3]| {
            let [u, v, w] = triangle.map(|p| p.dot(axis));
            [u.min(v).min(w), u.max(v).max(w)]
        };
        let ([low_a, high_a], [low_b, high_b]) = (along(a), along(b));
        // Sums of three products, each off by a few roundings of its size.
        let room = 16.0 * f64::EPSILON * size * axis.abs().element_sum();
        high_a + room < low_b || high_b + room < low_a
    };
    [a, b].into_iter().any(|triangle| {
        let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        apart(normal) || SIDES.iter().any(|&[i, j]| apart(normal.cross(triangle[j] - triangle[i])))
    })
}

/// True if a segment and a triangle share a point; touching counts.
pub fn edge_meets(edge: [DVec3; 2], face: [DVec3; 3]) -> bool {
    let [p, q] = edge;
    let [a, b, c] = face;
    let (above, below) = (orient3d(a, b, c, p), orient3d(a, b, c, q));
    if above * below > 0.0 {
        return false;
    }
    if above == 0.0 && below == 0.0 {
        return coplanar_edge_meets(edge, face);
    }
    let around = [orient3d(p, q, a, b), orient3d(p, q, b, c), orient3d(p, q, c, a)];
    around.iter().all(|&s| s >= 0.0) || around.iter().all(|&s| s <= 0.0)
}

/// The case in which all five points lie in a plane.
fn coplanar_edge_meets(edge: [DVec3; 2], face: [DVec3; 3]) -> bool {
    let Some(apex) = off_plane(edge, face) else { return false };
    // Seen from a point off the plane, orientation in the plane is orientation in space.
    let turn = |a: DVec3, b: DVec3, c: DVec3| orient3d(a, b, c, apex);
    let inside = |p: DVec3| {
        let turns = SIDES.map(|[i, j]| turn(face[i], face[j], p));
        turns.iter().all(|&s| s >= 0.0) || turns.iter().all(|&s| s <= 0.0)
    };
    let crosses = |[c, d]: [DVec3; 2]| {
        let [a, b] = edge;
        let (to_c, to_d, to_a, to_b) = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
        to_c.signum() * to_d.signum() * f64::from(to_c * to_d != 0.0) < 0.0
            && to_a.signum() * to_b.signum() * f64::from(to_a * to_b != 0.0) < 0.0
    };
    let touches = |p: DVec3, [c, d]: [DVec3; 2]| turn(c, d, p) == 0.0 && (p - c).dot(p - d) <= 0.0;
    inside(edge[0]) || inside(edge[1]) || SIDES.iter().any(|s| crosses(s.map(|k| face[k])) || touches(face[s[0]], edge))
}

/// Some point off the plane of the triangle; `None` if the triangle has no area.
fn off_plane(edge: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let size = [b, c, edge[0], edge[1]].iter().map(|p| (*p - a).abs().max_element()).fold(0.0, f64::max);
    [DVec3::X, DVec3::Y, DVec3::Z].into_iter().map(|axis| a + size * axis).find(|&p| orient3d(a, b, c, p) != 0.0)
}

/// A point both triangles share, if any.
fn common_point(first: [DVec3; 3], second: [DVec3; 3]) -> Option<DVec3> {
    let find = |edges: [DVec3; 3], face: [DVec3; 3]| {
        SIDES.iter().map(|s| s.map(|k| edges[k])).find(|e| edge_meets(*e, face)).map(|e| meeting_point(e, face))
    };
    find(first, second).or_else(|| find(second, first))
}

/// Where an edge that meets a triangle does so.
fn meeting_point([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let (above, below) = ((p - a).dot(normal), (q - a).dot(normal));
    let candidates =
        if above != below { vec![p + (q - p) * (above / (above - below)).clamp(0.0, 1.0)] } else { vec![] };
    // Coplanar, or too flat to divide: an end of the edge inside the triangle, or a crossing of sides.
    let sides = SIDES.iter().map(|[i, j]| edge_edge::closest_points([p, q], [[a, b, c][*i], [a, b, c][*j]])[0]);
    let distance = |x: &DVec3| point_triangle::distance_squared(*x, [a, b, c]);
    let all = candidates.into_iter().chain([p, q]).chain(sides);
    all.min_by(|x, y| distance(x).total_cmp(&distance(y))).unwrap_or(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners on a coarse grid, so that many pairs touch, lie in one plane or have no area; then moved off the grid.
    #[test]
    fn what_is_clearly_apart_does_not_meet() {
        let mut random = drystone_random::Random::new(1);
        let mut draw = move || random.below(4);
        let turn = glamx::DQuat::from_scaled_axis(DVec3::new(0.3, -0.7, 1.1));
        let (mut apart, mut touching) = (0, 0);
        for round in 0..100_000 {
            let flat = round % 3 == 0;
            let mut corner = || DVec3::new(draw() as f64, draw() as f64, if flat { 0.0 } else { draw() as f64 });
            let mut triangle = || [corner(), corner(), corner()];
            let (first, second) = (triangle(), triangle());
            let far = |p: DVec3| if round % 2 == 0 { p } else { turn * p * 1e-3 + DVec3::new(1e3, -30.0, 7.0) };
            let (first, second) = (first.map(far), second.map(far));
            let exact = meet(first, second);
            assert!(!(exact && clearly_apart(first, second)), "{first:?} {second:?}");
            apart += usize::from(clearly_apart(first, second));
            touching += usize::from(exact);
        }
        assert!(apart > 20_000 && touching > 20_000, "{apart} {touching}");
    }
}
