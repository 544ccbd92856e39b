//! Triangles into pixels.

use std::ops::Range;

/// A corner in the picture: position in pixels, and a nearness that is linear across the picture
/// (one over depth in perspective, minus depth in a parallel projection).
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) near: f64,
}

/// Calls `put(column, row, nearness, weights of the corners)` for every pixel whose centre lies in a
/// triangle that winds counter-clockwise (y down: clockwise in pixel coordinates), within `rows` and
/// below `width` columns.
pub(super) fn fill(
    corners: &[Corner; 3],
    width: usize,
    rows: &Range<usize>,
    mut put: impl FnMut(usize, usize, f32, [f32; 3]),
) {
    let [a, b, c] = corners;
    // Twice the area; negative for a front face because y points down.
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if area >= 0.0 || !area.is_finite() {
        return;
    }
    let columns = pixels([a.x, b.x, c.x], &(0..width));
    let rows = pixels([a.y, b.y, c.y], rows);
    // Weight of a corner at (x, y): rises from 0 on the opposite edge to 1 on the corner.
    let weight = |p: &Corner, q: &Corner| {
        let (dx, dy) = ((p.y - q.y) / area, (q.x - p.x) / area);
        [dx, dy, -(dx * p.x + dy * p.y)]
    };
    let [wa, wb] = [weight(b, c), weight(c, a)];
    for row in rows {
        let y = row as f64 + 0.5;
        for column in columns.clone() {
            let x = column as f64 + 0.5;
            let u = wa[0] * x + wa[1] * y + wa[2];
            let v = wb[0] * x + wb[1] * y + wb[2];
            let w = 1.0 - u - v;
            if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                let near = u * a.near + v * b.near + w * c.near;
                put(column, row, near as f32, [u as f32, v as f32, w as f32]);
            }
        }
    }
}

/// Pixels whose centres lie between the smallest and the largest value, cut to `limits`.
fn pixels(values: [f64; 3], limits: &Range<usize>) -> Range<usize> {
    let lowest = values[0].min(values[1]).min(values[2]);
    let highest = values[0].max(values[1]).max(values[2]);
    let first = (lowest - 0.5).ceil().max(limits.start as f64) as usize;
    let end = ((highest - 0.5).floor() + 1.0).clamp(0.0, limits.end as f64) as usize;
    first..end.max(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f64, y: f64, near: f64) -> Corner {
        Corner { x, y, near }
    }

    #[test]
    fn two_triangles_cover_a_square_once_and_nothing_else() {
        let square = [corner(2.0, 3.0, 1.0), corner(2.0, 8.0, 1.0), corner(9.0, 8.0, 1.0), corner(9.0, 3.0, 1.0)];
        let mut count = vec![0; 12 * 12];
        for triangle in [[square[0], square[1], square[2]], [square[0], square[2], square[3]]] {
            fill(&triangle, 12, &(0..12), |x, y, _, _| count[y * 12 + x] += 1);
        }
        for y in 0..12 {
            for x in 0..12 {
                let inside = (2..9).contains(&x) && (3..8).contains(&y);
                assert_eq!(count[y * 12 + x], usize::from(inside), "{x} {y}");
            }
        }
    }

    #[test]
    fn nearness_and_weights_are_linear() {
        let triangle = [corner(0.0, 0.0, 1.0), corner(0.0, 10.0, 2.0), corner(10.0, 0.0, 4.0)];
        let mut seen = 0;
        fill(&triangle, 10, &(0..10), |x, y, near, weights| {
            let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
            assert!((near - (1.0 + 0.1 * y + 0.3 * x)).abs() < 1e-5);
            assert!((weights[1] - 0.1 * y).abs() < 1e-5 && (weights[2] - 0.1 * x).abs() < 1e-5);
            seen += 1;
        });
        assert_eq!(seen, 55);
    }

    #[test]
    fn back_faces_and_other_rows_are_left_out() {
        let back = [corner(0.0, 0.0, 1.0), corner(10.0, 0.0, 1.0), corner(0.0, 10.0, 1.0)];
        fill(&back, 10, &(0..10), |_, _, _, _| panic!("a back face"));
        let front = [back[0], back[2], back[1]];
        let mut seen = Vec::new();
        fill(&front, 10, &(4..5), |x, y, _, _| seen.push([x, y]));
        assert_eq!(seen, [0, 1, 2, 3, 4, 5].map(|x| [x, 4]));
    }
}
