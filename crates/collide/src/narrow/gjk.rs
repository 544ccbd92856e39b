//! Distance of two convex shapes from their support functions.

use drystone_geometry::DVec3;

/// A vertex of the Minkowski difference: `difference = on1 − on0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vertex {
    pub difference: DVec3,
    pub on0: DVec3,
    pub on1: DVec3,
}

/// Support mapping of a pair: the vertex of the difference farthest along a direction.
pub(crate) trait PairSupport {
    /// The pair of points that is farthest apart along `direction`: shape 1's farthest along it and shape
    /// 0's farthest against it.
    fn vertex(&self, direction: DVec3) -> Vertex;
}

/// How two shapes lie to each other.
// Lives on the stack of one pair: boxing the simplex would allocate for every contact.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Distance {
    /// Apart: closest points; the difference is longer than round-off.
    Apart {
        /// On shape 0.
        on0: DVec3,
        /// On shape 1.
        on1: DVec3,
    },
    /// Touching or overlapping: the simplex that holds the origin.
    Overlap(Simplex),
}

/// Up to four vertices of the difference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplex {
    pub vertices: [Vertex; 4],
    pub count: usize,
}

/// Squared length relative to the size of the shapes below which a difference is zero.
const ZERO: f64 = 1e-24;
/// Relative gap between the upper and the lower bound of the squared distance at which the search ends.
const CONVERGED: f64 = 1e-13;
const MAX_ITERATIONS: usize = 96;

/// Runs the search from a first guess of the direction from shape 0 to shape 1.
pub(crate) fn distance(pair: &impl PairSupport, guess: DVec3) -> Distance {
    let first = pair.vertex(-guess);
    let mut simplex = Simplex { vertices: [first; 4], count: 1 };
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut nearest = first.difference;
    let mut size = first.difference.length_squared();
    // Whether a plane was found that holds the shapes apart.
    let mut apart = false;
    for _ in 0..MAX_ITERATIONS {
        let squared = nearest.length_squared();
        if squared <= ZERO * size {
            return Distance::Overlap(simplex);
        }
        let vertex = pair.vertex(-nearest);
        size = size.max(vertex.difference.length_squared());
        let known = simplex.vertices[..simplex.count].iter().any(|v| v.difference == vertex.difference);
        if known || squared - nearest.dot(vertex.difference) <= CONVERGED * squared {
            break;
        }
        apart |= nearest.dot(vertex.difference) > 0.0;
        let before = (simplex, weights);
        simplex.vertices[simplex.count] = vertex;
        simplex.count += 1;
        weights = reduce(&mut simplex, apart);
        if simplex.count == 4 {
            return Distance::Overlap(simplex);
        }
        let moved = combine(&simplex, &weights, |v| v.difference);
        // Round-off: the new simplex is no better than the old one.
        if moved.length_squared() >= squared {
            (simplex, weights) = before;
            break;
        }
        nearest = moved;
    }
    Distance::Apart { on0: combine(&simplex, &weights, |v| v.on0), on1: combine(&simplex, &weights, |v| v.on1) }
}

fn combine(simplex: &Simplex, weights: &[f64; 4], part: impl Fn(&Vertex) -> DVec3) -> DVec3 {
    (0..simplex.count).map(|i| part(&simplex.vertices[i]) * weights[i]).sum()
}

/// Shrinks the simplex to the face nearest to the origin; returns the weights of the nearest point.
/// Four vertices are left only if they hold the origin, which they cannot where the shapes are known to be apart.
fn reduce(simplex: &mut Simplex, apart: bool) -> [f64; 4] {
    let d = simplex.vertices.map(|v| v.difference);
    let (kept, weights) = match simplex.count {
        2 => segment(&d, [0, 1]),
        3 => triangle(&d, [0, 1, 2]),
        // The rounding of a flat tetrahedron can put the origin on the inner side of all its faces.
        _ => match nearest_face(&d, false).or_else(|| nearest_face(&d, true).filter(|_| apart)) {
            Some(face) => face,
            None => return [0.25; 4],
        },
    };
    let mut count = 0;
    let mut out = [0.0; 4];
    let old = simplex.vertices;
    for (slot, &weight) in kept.iter().zip(&weights) {
        if weight > 0.0 {
            simplex.vertices[count] = old[*slot];
            out[count] = weight;
            count += 1;
        }
    }
    simplex.count = count;
    out
}

type Face = ([usize; 3], [f64; 3]);

fn segment(d: &[DVec3; 4], [a, b]: [usize; 2]) -> Face {
    let ab = d[b] - d[a];
    let length = ab.length_squared();
    let t = if length > 0.0 { (-d[a].dot(ab) / length).clamp(0.0, 1.0) } else { 0.0 };
    ([a, b, a], [1.0 - t, t, 0.0])
}

/// Nearest point of a triangle to the origin.
fn triangle(d: &[DVec3; 4], [a, b, c]: [usize; 3]) -> Face {
    let (ab, ac) = (d[b] - d[a], d[c] - d[a]);
    let normal = ab.cross(ac);
    let area = normal.length_squared();
    // Barycentric coordinates of the projection of the origin.
    let u = normal.dot(d[b].cross(d[c]));
    let v = normal.dot(d[c].cross(d[a]));
    let w = normal.dot(d[a].cross(d[b]));
    if area > 0.0 && u > 0.0 && v > 0.0 && w > 0.0 {
        let total = u + v + w;
        return ([a, b, c], [u / total, v / total, w / total]);
    }
    let squared = |(kept, weights): &Face| (0..3).map(|i| d[kept[i]] * weights[i]).sum::<DVec3>().length_squared();
    let edges = [segment(d, [a, b]), segment(d, [b, c]), segment(d, [c, a])];
    let [first, second, third] = edges;
    let mut best = first;
    for edge in [second, third] {
        if squared(&edge) < squared(&best) {
            best = edge;
        }
    }
    best
}

/// The face of a tetrahedron nearest to the origin, of those that have it outside or of `all`; `None` without any.
fn nearest_face(d: &[DVec3; 4], all: bool) -> Option<Face> {
    let mut best: Option<(f64, Face)> = None;
    for [a, b, c, opposite] in [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 3, 2, 0]] {
        let normal = (d[b] - d[a]).cross(d[c] - d[a]);
        let origin_side = -normal.dot(d[a]);
        let inner_side = normal.dot(d[opposite] - d[a]);
        // A flat tetrahedron holds nothing: every face is looked at.
        if !all && origin_side * inner_side > 0.0 {
            continue;
        }
        let face = triangle(d, [a, b, c]);
        let squared = (0..3).map(|i| d[face.0[i]] * face.1[i]).sum::<DVec3>().length_squared();
        if best.as_ref().is_none_or(|(least, _)| squared < *least) {
            best = Some((squared, face));
        }
    }
    best.map(|(_, face)| face)
}
