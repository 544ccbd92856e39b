//! Pairs of triangles of different shapes that are near each other.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::{Aabb, DVec3};

use crate::Stencils;

/// A triangle with its box.
type Item = (Aabb, u32);

impl Stencils {
    /// Pairs of triangles whose boxes come within `distance` \[m\] of each other with the vertices at `x` \[m\], of
    /// shapes that may touch, sorted. Shape by shape: triangles of one shape are never compared with each other.
    pub fn near_triangles(&self, x: &[DVec3], distance: f64) -> Vec<[u32; 2]> {
        let reach = 0.5 * distance;
        let of = |t: u32| Aabb::from_points(self.triangle_vertex[t as usize].map(|v| x[v as usize])).inflated(reach);
        let present: Vec<(usize, Aabb)> = (0..self.shape_features.len())
            .map(|shape| (shape, self.shape_features[shape].triangle.clone().map(of).fold(Aabb::EMPTY, Aabb::union)))
            .filter(|(_, bounds)| !bounds.is_empty())
            .collect();
        let within = |shape: usize, region: &Aabb| -> Vec<Item> {
            let own = self.shape_features[shape].triangle.clone().map(|t| (of(t), t));
            own.filter(|(bounds, _)| bounds.overlaps(region)).collect()
        };
        let mut near = Vec::new();
        let boxes: Vec<Aabb> = present.iter().map(|(_, bounds)| *bounds).collect();
        Bvh::build(&boxes).self_pairs(|a, b| {
            let [(sa, ba), (sb, bb)] = [present[a as usize], present[b as usize]];
            if self.may_touch(sa, sb) {
                let region = ba.intersection(bb);
                pairs(&within(sa, &region), &within(sb, &region), &mut near);
            }
        });
        near.sort_unstable();
        near
    }
}

fn pairs(first: &[Item], second: &[Item], near: &mut Vec<[u32; 2]>) {
    let tree = |items: &[Item]| Bvh::build(&items.iter().map(|(bounds, _)| *bounds).collect::<Vec<_>>());
    tree(first).pairs_with(&tree(second), |a, b| {
        let [a, b] = [first[a as usize].1, second[b as usize].1];
        near.push([a.min(b), a.max(b)]);
    });
}

#[cfg(test)]
mod tests {
    use drystone_geometry::Tessellation;
    use drystone_model::{BodyDef, DQuat, ModelBuilder};

    use super::*;

    /// Against all pairs, one by one.
    #[test]
    fn finds_what_comparing_all_triangles_finds() {
        let mut scene = ModelBuilder::new();
        for k in 0..6 {
            let place = DVec3::new(0.4 * f64::from(k), 0.2 * f64::from(k % 3), 0.3 * f64::from(k % 2));
            let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 0.7, 0.2) * f64::from(k));
            let body = BodyDef::dynamic(format!("{k}")).at(place).rotated(turn);
            scene.add_body(if k % 2 == 0 { body.sphere(0.2) } else { body.cuboid(DVec3::splat(0.15)) });
        }
        let model = scene.finalize().unwrap();
        let stencils = Stencils::new(&model, &Tessellation { segments: 8, ..Tessellation::default() });
        let mut x = Vec::new();
        stencils.rigid_positions(&model.state(), &mut x);
        for distance in [0.0, 0.1] {
            let bounds = |t: usize| {
                Aabb::from_points(stencils.triangle_vertex[t].map(|v| x[v as usize])).inflated(0.5 * distance)
            };
            let body = |t: usize| stencils.vertex_body[stencils.triangle_vertex[t][0] as usize];
            let count = stencils.triangle_vertex.len();
            let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
            let want: Vec<[u32; 2]> = all
                .filter(|&(a, b)| body(a) != body(b) && bounds(a).overlaps(&bounds(b)))
                .map(|(a, b)| [a as u32, b as u32])
                .collect();
            assert!(!want.is_empty());
            assert_eq!(stencils.near_triangles(&x, distance), want);
        }
    }
}
