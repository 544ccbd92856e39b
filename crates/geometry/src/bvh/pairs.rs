//! All overlapping pairs, within a tree or between two.

use super::Bvh;

impl Bvh {
    /// Calls `visit` once with every pair of items `(i, j)`, `i < j`, whose boxes overlap.
    pub fn self_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        if !self.is_empty() {
            self.pairs_within(0, &mut |a: u32, b: u32| visit(a.min(b), a.max(b)));
        }
    }

    /// Calls `visit` with every pair of an item of this tree and one of `other` whose boxes overlap.
    pub fn pairs_with(&self, other: &Bvh, mut visit: impl FnMut(u32, u32)) {
        if !self.is_empty() && !other.is_empty() {
            pairs_between(self, 0, other, 0, &mut visit);
        }
    }

    fn pairs_within(&self, node: u32, visit: &mut impl FnMut(u32, u32)) {
        if let Some([left, right]) = self.children(node) {
            self.pairs_within(left, visit);
            self.pairs_within(right, visit);
            pairs_between(self, left, self, right, visit);
            return;
        }
        let leaves = self.leaves_of(node);
        for (k, a) in leaves.iter().enumerate() {
            let hit = leaves[k + 1..].iter().filter(|b| a.bounds.overlaps(&b.bounds));
            hit.for_each(|b| visit(a.item, b.item));
        }
    }
}

fn pairs_between(first: &Bvh, a: u32, second: &Bvh, b: u32, visit: &mut impl FnMut(u32, u32)) {
    let (box_a, box_b) = (&first.node(a).bounds, &second.node(b).bounds);
    if !box_a.overlaps(box_b) {
        return;
    }
    // Opening the larger box first separates sooner.
    match (first.children(a), second.children(b)) {
        (Some(children), None) => children.iter().for_each(|&child| pairs_between(first, child, second, b, visit)),
        (None, Some(children)) => children.iter().for_each(|&child| pairs_between(first, a, second, child, visit)),
        (Some(children), Some(_)) if box_a.half_area() >= box_b.half_area() => {
            children.iter().for_each(|&child| pairs_between(first, child, second, b, visit));
        }
        (Some(_), Some(children)) => children.iter().for_each(|&child| pairs_between(first, a, second, child, visit)),
        (None, None) => {
            for x in first.leaves_of(a) {
                let hit = second.leaves_of(b).iter().filter(|y| x.bounds.overlaps(&y.bounds));
                hit.for_each(|y| visit(x.item, y.item));
            }
        }
    }
}
