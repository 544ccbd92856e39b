//! Finding points that are meant to be the same.

use std::collections::HashMap;

use glamx::DVec3;

use crate::Aabb;

/// For every point, the first point within `radius` \[m\] of it that was not itself moved.
pub(crate) fn weld_targets(points: &[DVec3], radius: f64) -> Vec<u32> {
    let bounds = Aabb::from_points(points.iter().copied());
    // Cells at least as large as the radius, so neighbours lie in adjacent ones; never too many to number.
    let size = radius.max(1e-15 * bounds.extent().length()).max(f64::MIN_POSITIVE);
    let cell = |p: DVec3| ((p - bounds.min) / size).floor().to_array().map(|x| x as i64);
    // Only looked up, never walked through, so its order cannot show in the result.
    let mut kept: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut target = Vec::with_capacity(points.len());
    for (i, &p) in points.iter().enumerate() {
        let [x, y, z] = cell(p);
        let around = (0..27).filter_map(|n| kept.get(&[x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]));
        let near = |&&v: &&u32| points[v as usize].distance(p) <= radius;
        match around.flatten().filter(near).min() {
            Some(&first) => target.push(first),
            None => {
                kept.entry([x, y, z]).or_default().push(i as u32);
                target.push(i as u32);
            }
        }
    }
    target
}
