//! Continuous collision detection against dense sampling of the true distance.

use drystone_geometry::DVec3;
use drystone_geometry::ccd::Ccd;
use drystone_geometry::distance::{edge_edge, point_triangle};

use crate::common::{Random, assert_close};

type Stencil = [DVec3; 4];

fn at(start: Stencil, end: Stencil, time: f64) -> Stencil {
    [0, 1, 2, 3].map(|k| start[k] + time * (end[k] - start[k]))
}

fn point_triangle_distance([p, a, b, c]: Stencil) -> f64 {
    point_triangle::distance_squared(p, [a, b, c]).sqrt()
}

fn edge_edge_distance([a, b, c, d]: Stencil) -> f64 {
    edge_edge::distance_squared([a, b], [c, d]).sqrt()
}

/// First time at which the signed volume of the four points vanishes with the features overlapping: contacts of
/// moving features without thickness are such roots. Found by scanning for sign changes and bisecting.
fn first_contact(start: Stencil, end: Stencil, distance: impl Fn(Stencil) -> f64) -> Option<f64> {
    let volume = |t: f64| {
        let [a, b, c, d] = at(start, end, t);
        (b - a).cross(c - a).dot(d - a)
    };
    let steps = 2000;
    let mut previous = volume(0.0);
    for i in 1..=steps {
        let (mut low, mut high) = ((i - 1) as f64 / steps as f64, i as f64 / steps as f64);
        let now = volume(high);
        if previous.signum() != now.signum() {
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if volume(middle).signum() == previous.signum() { low = middle } else { high = middle }
            }
            if distance(at(start, end, high)) < 1e-9 {
                return Some(high);
            }
        }
        previous = now;
    }
    None
}

/// Random motions, many of which collide: towards each other, with some common velocity and rotation on top.
fn motion(random: &mut Random, round: usize) -> (Stencil, Stencil) {
    let start = [0; 4].map(|_| random.vector(1.0));
    let common = 100.0 * random.vector(1.0) * (round % 2) as f64;
    let end = start.map(|p| 1.5 * random.vector(1.0) - 0.5 * p + common);
    (start, end)
}

fn check_against_sampling(
    find: impl Fn(&Ccd, Stencil, Stencil) -> Option<f64>,
    distance: impl Fn(Stencil) -> f64 + Copy,
    seed: u64,
) {
    let mut random = Random::new(seed);
    let (mut hits, mut early) = (0, 0);
    for round in 0..1000 {
        let (start, end) = motion(&mut random, round);
        let expected = first_contact(start, end, distance);
        let found = find(&Ccd::default(), start, end);
        if let Some(contact) = expected {
            hits += 1;
            let time = found.expect("a contact was missed");
            assert!(time > 0.0 && time < contact, "time {time} is not before the contact at {contact}");
        } else if found.is_some() {
            early += 1;
            // Only an approach to a tenth of the first gap may be reported as a contact.
            let least = (0..=4000).map(|i| distance(at(start, end, i as f64 / 4000.0))).fold(f64::INFINITY, f64::min);
            assert!(least <= 0.11 * distance(start), "{least} of {}", distance(start));
        }
        let walked = found.unwrap_or(1.0);
        for i in 0..=200 {
            let (now, left) =
                (distance(at(start, end, walked * i as f64 / 200.0)), Ccd::default().left(distance(start)));
            assert!(now >= left - 1e-12, "round {round}: {now} on the way, {left} promised");
        }
    }
    assert!(hits > 60 && early < 3 * hits, "{hits} hits, {early} near misses");
}

#[test]
fn point_triangle_never_misses() {
    check_against_sampling(|ccd, start, end| ccd.point_triangle(start, end), point_triangle_distance, 1);
}

#[test]
fn edge_edge_never_misses() {
    check_against_sampling(|ccd, start, end| ccd.edge_edge(start, end), edge_edge_distance, 2);
}

#[test]
fn separation_is_kept_at_every_scale() {
    let mut random = Random::new(3);
    let mut hits = 0;
    for round in 0..300 {
        let scale = [1e-9, 1.0, 1e7][round % 3];
        let (start, end) = motion(&mut random, 0);
        let (start, end) = (start.map(|p| scale * p), end.map(|p| scale * p));
        for (distance, found) in [
            (point_triangle_distance as fn(Stencil) -> f64, Ccd::point_triangle as fn(&Ccd, _, _) -> _),
            (edge_edge_distance, Ccd::edge_edge),
        ] {
            let separation = 0.3 * distance(start);
            let ccd = Ccd { min_separation: separation, ..Default::default() };
            let found: Option<f64> = found(&ccd, start, end);
            hits += usize::from(found.is_some());
            for i in 0..=100 {
                let now = distance(at(start, end, found.unwrap_or(1.0) * i as f64 / 100.0));
                assert!(now > separation, "{now} at {i} %, {separation} wanted");
            }
        }
    }
    assert!(hits > 100);
}

#[test]
fn the_answer_does_not_depend_on_common_motion_or_scale() {
    let mut random = Random::new(4);
    let mut met = 0;
    for _ in 0..100 {
        let (start, end) = motion(&mut random, 0);
        let Some(time) = Ccd::default().edge_edge(start, end) else { continue };
        met += 1;
        let drift = random.vector(1.0);
        let moved = Ccd::default().edge_edge(start, end.map(|p| p + drift));
        assert_close(moved.unwrap(), time, 1e-9, "common motion");
        let scaled = Ccd::default().edge_edge(start.map(|p| 1024.0 * p), end.map(|p| 1024.0 * p));
        assert_eq!(scaled, Some(time));
    }
    assert!(met > 10, "only {met} motions meet");
}

#[test]
fn parallel_edges_meeting_head_on_are_caught() {
    let start = [DVec3::ZERO, DVec3::X, DVec3::new(0.2, 1.0, 0.0), DVec3::new(1.3, 1.0, 0.0)];
    for fall in [1.5, 1.0, 3.0, 1e6] {
        let mut end = start;
        end[2].y -= fall;
        end[3].y -= fall;
        let time = Ccd::default().edge_edge(start, end).expect("they meet");
        assert!(time < 1.0 / fall && time > 0.8 / fall);
    }
    let mut end = start;
    end[2].y -= 0.8;
    end[3].y -= 0.8;
    assert_eq!(Ccd::default().edge_edge(start, end), None);
}

#[test]
fn contact_at_the_start_and_broken_numbers_stop_everything() {
    let touching = [DVec3::new(0.2, 0.2, 0.0), DVec3::ZERO, DVec3::X, DVec3::Y];
    let mut end = touching;
    end[0].z = 1.0;
    assert_eq!(Ccd::default().point_triangle(touching, end), Some(0.0));
    let still = [DVec3::new(0.2, 0.2, 0.1), DVec3::ZERO, DVec3::X, DVec3::Y];
    assert_eq!(Ccd::default().point_triangle(still, still), None);
    end[0].z = f64::NAN;
    assert_eq!(Ccd::default().point_triangle(still, end), Some(0.0));
    let hurried = Ccd { max_steps: 1, ..Default::default() };
    let mut end = still;
    end[0].z = -1.0;
    let early = hurried.point_triangle(still, end).unwrap();
    assert!(early > 0.0 && early < 0.1 / 1.1);
}

/// Small integers as coordinates and eighths as weights and times: everything below is exact in floating point,
/// and coincidences (flat motion, needles, points, parallel edges, hits on corners) come up again and again.
struct Lattice(Random);

impl Lattice {
    fn vector(&mut self, flat: bool) -> DVec3 {
        let mut coordinate = || self.0.below(9) as f64 - 4.0;
        DVec3::new(coordinate(), coordinate(), if flat { 0.0 } else { coordinate() })
    }

    /// Weights of corners, in eighths, adding up to one.
    fn weights<const N: usize>(&mut self) -> [f64; N] {
        let mut weights = [0.0; N];
        (0..8).for_each(|_| weights[self.0.below(N)] += 0.125);
        if self.0.below(3) == 0 {
            weights = [0.0; N];
            weights[self.0.below(N)] = 1.0;
        }
        weights
    }
}

/// Motions that certainly meet, at a known time and place: additive CCD finds every one, and not too late.
fn check_certain_contacts<const FIRST: usize, const SECOND: usize>(
    find: impl Fn(&Ccd, Stencil, Stencil) -> Option<f64>,
    distance: impl Fn(Stencil) -> f64,
    seed: u64,
) {
    let mut lattice = Lattice(Random::new(seed));
    let (mut apart, mut wasted) = (0, 0.0);
    for round in 0..3000 {
        let flat = round % 3 == 0;
        let time = (1 + lattice.0.below(8)) as f64 / 8.0;
        let velocity = [0; 4].map(|_| if lattice.0.below(4) == 0 { DVec3::ZERO } else { lattice.vector(flat) });
        let mut meeting = [0; 4].map(|_| lattice.vector(flat));
        let (one, other) = (lattice.weights::<FIRST>(), lattice.weights::<SECOND>());
        let place =
            |weights: &[f64], points: &[DVec3]| -> DVec3 { weights.iter().zip(points).map(|(w, p)| *w * *p).sum() };
        let apart_by = place(&one, &meeting[..FIRST]) - place(&other, &meeting[FIRST..]);
        meeting[..FIRST].iter_mut().for_each(|point| *point -= apart_by);
        let start = [0, 1, 2, 3].map(|k| meeting[k] - time * velocity[k]);
        let end = [0, 1, 2, 3].map(|k| start[k] + velocity[k]);
        let found = find(&Ccd::default(), start, end);
        let found =
            found.unwrap_or_else(|| panic!("round {round}: the contact at {time} of {start:?} → {end:?} was missed"));
        assert!(found <= time, "round {round}: {found} is after the contact at {time}");
        if distance(start) > 0.0 {
            assert!(found > 0.0 || distance(start) < 1e-9, "round {round}: no progress");
            apart += 1;
            wasted += (time - found) / time;
        } else {
            assert_eq!(found, 0.0, "round {round}: they touch from the start");
        }
    }
    assert!(apart > 2000, "only {apart} motions start apart");
    println!("on average {:.0} % of the way to the contact is given away", 100.0 * wasted / f64::from(apart));
}

#[test]
fn no_certain_contact_of_a_point_and_a_triangle_is_missed() {
    check_certain_contacts::<1, 3>(Ccd::point_triangle, point_triangle_distance, 5);
}

#[test]
fn no_certain_contact_of_two_edges_is_missed() {
    check_certain_contacts::<2, 2>(Ccd::edge_edge, edge_edge_distance, 6);
}
