//! The tree against brute force.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::{Aabb, DVec3, Ray};

use crate::common::Random;

fn random_box(random: &mut Random, round: usize) -> Aabb {
    let size = match round % 3 {
        0 => 0.02,
        1 => 0.3 * random.unit(),
        // Points, and many with the same centre.
        _ => 0.0,
    };
    let center = if round.is_multiple_of(7) { DVec3::splat(0.25) } else { random.vector(1.0) };
    Aabb::from_center_half(center, size * random.vector(1.0).abs())
}

fn boxes(random: &mut Random, count: usize) -> Vec<Aabb> {
    (0..count).map(|i| random_box(random, i)).collect()
}

fn brute_pairs(a: &[Aabb], b: &[Aabb]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            if x.overlaps(y) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}

fn assert_matches_brute_force(tree: &Bvh, bounds: &[Aabb], random: &mut Random) {
    for _ in 0..20 {
        let query = random_box(random, 1).inflated(0.1);
        let mut found = Vec::new();
        tree.overlaps(&query, |i| found.push(i));
        let expected: Vec<u32> = (0..bounds.len() as u32).filter(|&i| bounds[i as usize].overlaps(&query)).collect();
        assert_eq!(sorted(found), expected);

        let ray = Ray::new(2.0 * random.vector(1.0), random.vector(1.0));
        let hit = |i: u32, limit: f64| {
            bounds[i as usize].clip_ray(ray.origin, ray.direction.recip(), limit).map(|(entry, _)| entry)
        };
        let all = (0..bounds.len() as u32).filter_map(|i| hit(i, 3.0).map(|t| (t, i)));
        let expected = all.min_by(|a, b| a.partial_cmp(b).unwrap()).map(|(t, i)| (i, t));
        assert_eq!(tree.cast_ray(&ray, 3.0, hit), expected);

        let point = 1.5 * random.vector(1.0);
        let gap = |i: u32| bounds[i as usize].distance_squared(point);
        for limit in [f64::INFINITY, 0.05] {
            let near = (0..bounds.len() as u32).map(|i| (gap(i), i)).filter(|g| g.0 <= limit);
            let expected = near.min_by(|a, b| a.partial_cmp(b).unwrap()).map(|(g, i)| (i, g));
            assert_eq!(tree.nearest(point, limit, gap), expected);
        }
    }
    let mut found = Vec::new();
    tree.self_pairs(|i, j| found.push((i, j)));
    let expected: Vec<_> = brute_pairs(bounds, bounds).into_iter().filter(|(i, j)| i < j).collect();
    assert_eq!(sorted(found), expected);
}

#[test]
fn queries_match_brute_force() {
    let mut random = Random::new(1);
    for count in [0, 1, 2, 4, 5, 17, 100, 600] {
        let bounds = boxes(&mut random, count);
        assert_matches_brute_force(&Bvh::build(&bounds), &bounds, &mut random);
    }
}

#[test]
fn pairs_between_trees_match_brute_force() {
    let mut random = Random::new(2);
    for (m, n) in [(0, 5), (1, 1), (3, 200), (150, 150)] {
        let (a, b) = (boxes(&mut random, m), boxes(&mut random, n));
        let mut found = Vec::new();
        Bvh::build(&a).pairs_with(&Bvh::build(&b), |i, j| found.push((i, j)));
        assert_eq!(sorted(found), brute_pairs(&a, &b));
    }
}

#[test]
fn refitted_trees_stay_right() {
    let mut random = Random::new(3);
    let mut tree = Bvh::build(&boxes(&mut random, 300));
    for _ in 0..5 {
        let moved = boxes(&mut random, 300);
        tree.refit(&moved);
        assert_matches_brute_force(&tree, &moved, &mut random);
    }
}

#[test]
fn rebuilding_and_building_give_the_same_tree() {
    let mut random = Random::new(4);
    let (first, second) = (boxes(&mut random, 200), boxes(&mut random, 333));
    let mut tree = Bvh::build(&first);
    tree.rebuild(&second);
    assert_eq!(tree, Bvh::build(&second));
    assert_eq!(tree.len(), 333);
}

#[test]
fn infinite_empty_and_equal_boxes_are_welcome() {
    let mut random = Random::new(5);
    let mut bounds = boxes(&mut random, 60);
    bounds[7] = Aabb::ALL;
    bounds[20] = Aabb::EMPTY;
    bounds[30].min.z = f64::NEG_INFINITY;
    bounds.extend([Aabb::from_center_half(DVec3::ONE, DVec3::ONE); 50]);
    let tree = Bvh::build(&bounds);
    let mut found = Vec::new();
    tree.self_pairs(|i, j| found.push((i, j)));
    let expected: Vec<_> = brute_pairs(&bounds, &bounds).into_iter().filter(|(i, j)| i < j).collect();
    assert_eq!(sorted(found), expected);
}

#[test]
fn exponentially_spaced_boxes_do_not_exhaust_the_stack() {
    let at = |i: i32| Aabb::from_center_half(DVec3::X * 2f64.powi(i), DVec3::splat(2f64.powi(i - 3)));
    let bounds: Vec<Aabb> = (-500..500).map(at).collect();
    let tree = Bvh::build(&bounds);
    let mut count = 0;
    tree.overlaps(&Aabb::ALL, |_| count += 1);
    assert_eq!(count, 1000);
    assert_eq!(
        tree.nearest(DVec3::X, f64::INFINITY, |i| bounds[i as usize].distance_squared(DVec3::X)).unwrap().0,
        500
    );
}
