//! Two nearly parallel segments side by side: a line of contact, held by its two ends. One point would
//! leave the bodies free to turn about it.

use drystone_geometry::DVec3;

use super::manifold::Point;

/// The ends of the stretch where two segments run side by side, as points that lie opposite each other along
/// `normal`; none if the sine of the angle between them is above `sine` or they do not overlap.
/// `feature` names the first and the second end.
pub(crate) fn line_contact(
    [from0, to0]: [DVec3; 2],
    [from1, to1]: [DVec3; 2],
    normal: DVec3,
    sine: f64,
    feature: impl Fn(u32) -> u32,
) -> Option<[Point; 2]> {
    let (length0, length1) = (from0.distance(to0), from1.distance(to1));
    let (along0, along1) = ((to0 - from0).try_normalize()?, (to1 - from1).try_normalize()?);
    let cosine = along0.dot(along1);
    if cosine.abs() < (1.0 - sine * sine).sqrt() {
        return None;
    }
    // Where the second segment begins and ends, measured along the first.
    let (start, turned) = (along0.dot(from1 - from0), cosine * length1);
    let low = start.min(start + turned).max(0.0);
    let high = start.max(start + turned).min(length0);
    if high <= low {
        return None;
    }
    let end = |number: u32, place: f64| {
        let position0 = from0 + along0 * place;
        let on1 = from1 + along1 * ((place - start) / cosine);
        let gap = normal.dot(on1 - position0);
        // The point of the second body opposite the first's, so that the gap is the distance of the two.
        Point { position0, position1: position0 + normal * gap, gap, feature: feature(number) }
    };
    Some([end(0, low), end(1, high)])
}
