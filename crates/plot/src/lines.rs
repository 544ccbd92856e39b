//! Points and paths.

/// At most about `count` points that keep the extremes: of every stretch of points the lowest and the highest.
pub fn thinned(points: &[[f64; 2]], count: usize) -> Vec<[f64; 2]> {
    if points.len() <= count.max(4) {
        return points.to_vec();
    }
    let stretch = points.len().div_ceil(count.max(4) / 2);
    let mut kept = Vec::new();
    for part in points.chunks(stretch) {
        let by_height = |a: &(usize, &[f64; 2]), b: &(usize, &[f64; 2])| a.1[1].total_cmp(&b.1[1]);
        let low = part.iter().enumerate().min_by(by_height).map_or(0, |(i, _)| i);
        let high = part.iter().enumerate().max_by(by_height).map_or(0, |(i, _)| i);
        kept.push(part[low.min(high)]);
        if low != high {
            kept.push(part[low.max(high)]);
        }
    }
    // The last point is where a run ended.
    kept.extend(points.last().filter(|last| kept.last() != Some(last)));
    kept
}

/// A path through points that leaves a gap where one cannot be drawn.
pub(crate) fn path(points: impl Iterator<Item = [f64; 2]>) -> String {
    let mut out = String::new();
    let mut pen_down = false;
    for [x, y] in points {
        let drawn = x.is_finite() && y.is_finite();
        // Far outside is far enough; longer numbers confuse those who draw them.
        let [x, y] = [x, y].map(|pixels| pixels.clamp(-1e4, 1e4));
        if drawn {
            out.push_str(&format!("{}{x:.1} {y:.1}", if pen_down { "L" } else { "M" }));
        }
        pen_down = drawn;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_peaks_and_the_end() {
        let points: Vec<[f64; 2]> = (0..1000).map(|k| [f64::from(k), if k == 437 { 9.0 } else { 0.0 }]).collect();
        let kept = thinned(&points, 100);
        assert!(kept.len() <= 102 && kept.contains(&[437.0, 9.0]) && kept.last() == points.last());
        assert!(kept.windows(2).all(|w| w[0][0] < w[1][0]));
        assert_eq!(thinned(&points[..50], 100), points[..50]);
    }

    #[test]
    fn a_point_that_cannot_be_drawn_leaves_a_gap() {
        let points = [[0.0, 1.0], [1.0, 2.0], [2.0, f64::NAN], [3.0, 4.0]];
        assert_eq!(path(points.into_iter()), "M0.0 1.0L1.0 2.0M3.0 4.0");
    }
}
