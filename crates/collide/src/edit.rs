//! Going on after an edit of the model.

use drystone_model::{Contacts, Model, ModelMap, WORLD};

use crate::contact_cache::ContactCache;
use crate::pairs::{pair_key, pair_shapes};
use crate::pipeline::Collide;

impl Collide {
    /// A pipeline for an edited model that remembers the contacts of everything that stayed, and the index before of
    /// every contact point that it remembers. Contacts of shapes that went or were reshaped are gone.
    pub fn edited(&self, model: &Model, map: &ModelMap) -> (Self, Vec<u32>) {
        let mut next = Self::new(model, self.options());
        next.take_hook_of(self);
        let mut kept = Vec::new();
        let (old, out) = (&self.contacts, &mut next.contacts);
        let memory = &mut next.now;
        memory.forgotten.clone_from(&self.now.forgotten);
        if self.now.pair_key.is_empty() {
            return (next, kept);
        }
        out.point_start.push(0);
        memory.pair_manifold.push(0);
        for (pair, &key) in self.now.pair_key.iter().enumerate() {
            let (shape0, shape1) = pair_shapes(key);
            let (Some(now0), Some(now1)) = (map.touching_shape(shape0), map.touching_shape(shape1)) else { continue };
            for manifold in self.now.manifolds(pair) {
                push_manifold(old, manifold, [now0, now1].map(|shape| shape as u32), model, out);
                push_points(old, &self.now, manifold, out, memory, &mut kept);
            }
            memory.pair_key.push(pair_key(now0 as u32, now1 as u32));
            memory.pair_axis.push(self.now.pair_axis[pair]);
            memory.pair_manifold.push(out.manifold_count() as u32);
        }
        (next, kept)
    }
}

fn push_manifold(old: &Contacts, manifold: usize, shape: [u32; 2], model: &Model, out: &mut Contacts) {
    let body = shape.map(|shape| model.shape_body.get(shape as usize).copied().unwrap_or(WORLD));
    out.manifold_shape0.push(shape[0]);
    out.manifold_shape1.push(shape[1]);
    out.manifold_body0.push(body[0]);
    out.manifold_body1.push(body[1]);
    out.manifold_sub.push(old.manifold_sub[manifold]);
    out.manifold_normal.push(old.manifold_normal[manifold]);
    out.manifold_material.push(old.manifold_material[manifold]);
    out.manifold_surface.push(old.manifold_surface[manifold]);
}

fn push_points(
    old: &Contacts,
    last: &ContactCache,
    manifold: usize,
    out: &mut Contacts,
    memory: &mut ContactCache,
    kept: &mut Vec<u32>,
) {
    for point in old.points(manifold) {
        out.point_position0.push(old.point_position0[point]);
        out.point_position1.push(old.point_position1[point]);
        out.point_gap.push(old.point_gap[point]);
        out.point_feature.push(old.point_feature[point]);
        out.point_match.push(old.point_match[point]);
        memory.point_anchor0.push(last.point_anchor0[point]);
        memory.point_anchor1.push(last.point_anchor1[point]);
        memory.point_found_gap.push(last.point_found_gap[point]);
        kept.push(point as u32);
    }
    out.point_start.push(out.point_gap.len() as u32);
}

#[cfg(test)]
mod tests {
    use drystone_model::{BodyDef, DVec3, IndexMap, ModelBuilder};

    use crate::{Collide, CollideOptions};
    use drystone_model::ModelMap;

    /// Two crates on the ground; the first goes. The other's contacts go on as if it had always been alone.
    #[test]
    fn contacts_of_what_stays_go_on() {
        let both = |crates: &[f64]| {
            let mut scene = ModelBuilder::new();
            scene.ground();
            for &x in crates {
                let place = DVec3::new(x, 0.0, 0.5);
                scene.add_body(BodyDef::dynamic(format!("at {x}")).at(place).cuboid(DVec3::splat(0.5)));
            }
            scene.finalize().unwrap()
        };
        let (before, after) = (both(&[0.0, 3.0]), both(&[3.0]));
        let mut collide = Collide::new(&before, CollideOptions::default());
        collide.detect(&before, &before.state(), 0.01);
        let map = ModelMap {
            body: IndexMap::new(&[false, true], 0),
            shape: IndexMap::new(&[true, false, true], 0),
            disturbed: vec![false],
            reshaped: vec![false; 2],
            ..ModelMap::default()
        };
        let (mut next, kept) = collide.edited(&after, &map);
        assert_eq!(kept, [4, 5, 6, 7]);
        assert!(next.now.fits(&next.contacts));
        next.detect(&after, &after.state(), 0.01);
        let mut alone = Collide::new(&after, CollideOptions::default());
        (0..2).for_each(|_| alone.detect(&after, &after.state(), 0.01));
        assert_eq!(next.contacts, alone.contacts);
        assert_eq!(next.contacts.point_match, [0, 1, 2, 3]);
    }
}
