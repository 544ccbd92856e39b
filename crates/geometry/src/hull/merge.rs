//! Merging triangles of a hull into polygonal faces.

use std::collections::BTreeMap;

use glamx::DVec3;

/// Vertex loops of the faces of a triangulated hull, triangles within `tolerance` \[m\] of a common plane merged.
pub(super) fn merge_coplanar(points: &[DVec3], triangles: &[[u32; 3]], tolerance: f64) -> Vec<Vec<u32>> {
    let area_normal: Vec<DVec3> = triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            (b - a).cross(c - a)
        })
        .collect();
    let member = vec![0; triangles.len()];
    let neighbors = neighbors(triangles);
    let mut merger = Merger { points, triangles, area_normal, tolerance, neighbors, member, region: 0 };
    let mut loops = merger.grow_all();
    drop_straight_corners(&mut loops);
    loops
}

/// The triangle across every edge corner k → corner k+1.
fn neighbors(triangles: &[[u32; 3]]) -> Vec<[usize; 3]> {
    let edge = |t: &[u32; 3], k: usize| (t[k], t[(k + 1) % 3]);
    let owner: BTreeMap<(u32, u32), usize> =
        triangles.iter().enumerate().flat_map(|(i, t)| (0..3).map(move |k| (edge(t, k), i))).collect();
    let across = |t: &[u32; 3], k: usize| {
        let (a, b) = edge(t, k);
        owner.get(&(b, a)).copied().unwrap_or(usize::MAX)
    };
    triangles.iter().map(|t| [0, 1, 2].map(|k| across(t, k))).collect()
}

struct Merger<'a> {
    points: &'a [DVec3],
    triangles: &'a [[u32; 3]],
    area_normal: Vec<DVec3>,
    tolerance: f64,
    neighbors: Vec<[usize; 3]>,
    /// Number of the region that last took in a triangle.
    member: Vec<u32>,
    /// Number of the current region, counting from 1.
    region: u32,
}

impl Merger<'_> {
    fn grow_all(&mut self) -> Vec<Vec<u32>> {
        // Largest first: their planes are the best known, and slivers join them instead of leading.
        let mut order: Vec<usize> = (0..self.triangles.len()).collect();
        order.sort_by(|&i, &j| self.area_normal[j].length_squared().total_cmp(&self.area_normal[i].length_squared()));
        let mut taken = vec![false; self.triangles.len()];
        let mut loops = Vec::new();
        for seed in order {
            if taken[seed] {
                continue;
            }
            let rough = self.grow(seed, self.area_normal[seed], &taken);
            let summed: DVec3 = rough.iter().map(|&t| self.area_normal[t]).sum();
            let region = self.grow(seed, summed, &taken);
            let (region, outline) = match self.outline(&region) {
                Some(outline) => (region, outline),
                None => (vec![seed], self.triangles[seed].to_vec()),
            };
            region.iter().for_each(|&t| taken[t] = true);
            loops.push(outline);
        }
        loops
    }

    /// Free triangles connected to `seed` that lie in its plane with the given normal.
    fn grow(&mut self, seed: usize, normal: DVec3, taken: &[bool]) -> Vec<usize> {
        self.region += 1;
        self.member[seed] = self.region;
        let Some(normal) = normal.try_normalize() else { return vec![seed] };
        let mut region = vec![seed];
        let mut next = 0;
        while next < region.len() {
            for across in self.neighbors[region[next]] {
                if across == usize::MAX || taken[across] || self.member[across] == self.region {
                    continue;
                }
                if self.lies_in_plane(across, seed, normal) {
                    self.member[across] = self.region;
                    region.push(across);
                }
            }
            next += 1;
        }
        region
    }

    /// True if triangle `t` lies in the plane through triangle `seed` with the given normal, facing the same way.
    fn lies_in_plane(&self, t: usize, seed: usize, normal: DVec3) -> bool {
        let corner = |t: usize, k: usize| self.points[self.triangles[t][k] as usize];
        let level = (0..3).map(|k| corner(seed, k).dot(normal)).sum::<f64>() / 3.0;
        // A triangle that is no sliver must also face the same way, or the far side of a thin plate would join.
        (0..3).all(|k| (corner(t, k).dot(normal) - level).abs() <= self.tolerance)
            && self.area_normal[t].dot(normal) >= 0.5 * self.area_normal[t].length() - self.sliver_area(t)
    }

    /// Twice the area below which the direction of a triangle's normal means nothing.
    fn sliver_area(&self, t: usize) -> f64 {
        let [a, b, c] = self.triangles[t].map(|i| self.points[i as usize]);
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        2.0 * self.tolerance * longest
    }

    /// The border of the current region as one loop; `None` if it has holes or touches itself.
    fn outline(&self, region: &[usize]) -> Option<Vec<u32>> {
        let mut next_of = BTreeMap::new();
        for &t in region {
            for k in 0..3 {
                if self.member.get(self.neighbors[t][k]) == Some(&self.region) {
                    continue;
                }
                if next_of.insert(self.triangles[t][k], self.triangles[t][(k + 1) % 3]).is_some() {
                    return None;
                }
            }
        }
        let (&first, _) = next_of.first_key_value()?;
        let mut outline = vec![first];
        let mut at = next_of[&first];
        while at != first {
            outline.push(at);
            at = *next_of.get(&at)?;
            if outline.len() > next_of.len() {
                return None;
            }
        }
        (outline.len() == next_of.len()).then_some(outline)
    }
}

/// Removes vertices where only two faces meet: they lie inside a straight edge.
fn drop_straight_corners(loops: &mut [Vec<u32>]) {
    let mut faces_at: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (face, outline) in loops.iter().enumerate() {
        outline.iter().for_each(|&v| faces_at.entry(v).or_default().push(face));
    }
    for (vertex, faces) in faces_at {
        if faces.len() == 2 && faces.iter().all(|&f| loops[f].len() > 3) {
            faces.iter().for_each(|&f| loops[f].retain(|&v| v != vertex));
        }
    }
}
