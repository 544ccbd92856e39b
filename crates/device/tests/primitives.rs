//! Every primitive against a plain CPU twin, on sizes that hit the edges of units, tiles and levels.
#![cfg(any(feature = "cuda", feature = "wgpu"))]

use cubecl::prelude::*;
use drystone_device::primitives::{Coloring, Compaction, Fold, RadixSort, Reduction, Scan, histogram, segmented_sum};
use drystone_device::{Buffer, Device, Gpu, Job, open_from_environment};
use drystone_random::Random;

/// Nothing, one, around a lockstep group, a workgroup, a tile, and enough tiles for a second level.
const SIZES: [usize; 14] = [0, 1, 2, 31, 33, 255, 257, 1000, 4095, 4096, 4097, 70_001, 300_007, 5_000_003];

fn sizes(largest: usize) -> impl Iterator<Item = usize> {
    SIZES.into_iter().filter(move |&size| size <= largest)
}

/// Without a device the tests fail and say what to install.
fn device() -> Device {
    open_from_environment().unwrap_or_else(|error| panic!("{error}"))
}

/// Whole numbers below a bound.
fn words(random: &mut Random, count: usize, below: u32) -> Vec<u32> {
    (0..count).map(|_| random.below(below as usize) as u32).collect()
}

/// Numbers from −1 to 1.
fn floats(random: &mut Random, count: usize) -> Vec<f32> {
    (0..count).map(|_| random.signed() as f32).collect()
}

#[test]
fn the_device_says_what_it_is() {
    assert!(device().name().len() > 5, "{}", device().name());
}

#[test]
fn buffers_grow_and_give_back_what_was_written() {
    struct Test;
    impl Job for Test {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let mut buffer = Buffer::from_slice(gpu, &[1u32, 2, 3]);
            assert_eq!(buffer.read(gpu).unwrap(), [1, 2, 3]);
            assert!(!buffer.resize(gpu, 2), "a smaller size must not allocate");
            assert_eq!(buffer.read(gpu).unwrap(), [1, 2]);
            assert!(buffer.resize(gpu, 100));
            assert!(!buffer.resize(gpu, 100), "a steady size must not allocate");
            assert_eq!(buffer.read(gpu).unwrap().len(), 100);
            buffer.upload(gpu, &[]);
            assert!(buffer.is_empty() && buffer.read(gpu).unwrap().is_empty());
        }
    }
    device().run(Test);
}

#[test]
fn scan_sums_everything_before() {
    struct Test;
    impl Job for Test {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let mut random = Random::new(1);
            let mut scan = Scan::default();
            let mut output = Buffer::new(gpu, 0);
            for size in sizes(5_000_003) {
                let input = words(&mut random, size, 1 << 20);
                scan.exclusive(gpu, &Buffer::from_slice(gpu, &input), &mut output);
                let mut sum = 0u32;
                let mut expected = vec![0];
                expected.extend(input.iter().map(|&word| {
                    sum = sum.wrapping_add(word);
                    sum
                }));
                assert!(output.read(gpu).unwrap() == expected, "size {size}");
            }
        }
    }
    device().run(Test);
}

#[test]
fn sort_is_stable_and_takes_the_payload_along() {
    struct Test;
    impl Job for Test {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let mut random = Random::new(2);
            let mut sort = RadixSort::new(gpu);
            for size in sizes(300_007) {
                for (below, bits) in [(u32::MAX, 32), (300, 9), (3, 2)] {
                    let keys = words(&mut random, size, below);
                    let mut expected: Vec<(u32, u32)> = keys.iter().copied().zip(0..).collect();
                    expected.sort_by_key(|&(key, _)| key);
                    let mut key_buffer = Buffer::from_slice(gpu, &keys);
                    let mut payload = Buffer::from_slice(gpu, &(0..size as u32).collect::<Vec<_>>());
                    sort.sort(gpu, &mut key_buffer, &mut payload, bits);
                    let found = key_buffer.read(gpu).unwrap().into_iter().zip(payload.read(gpu).unwrap());
                    assert!(found.eq(expected.iter().copied()), "size {size}, keys below {below}");
                }
            }
        }
    }
    device().run(Test);
}

#[test]
fn sort_keeps_keys_of_all_ones_inside() {
    struct Test;
    impl Job for Test {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            // The padding of the last tile has this key too and must not get mixed in.
            let keys = vec![u32::MAX; 5000];
            let mut key_buffer = Buffer::from_slice(gpu, &keys);
            let mut payload = Buffer::from_slice(gpu, &(0..5000).collect::<Vec<u32>>());
            RadixSort::new(gpu).sort(gpu, &mut key_buffer, &mut payload, 32);
            assert!(payload.read(gpu).unwrap().into_iter().eq(0..5000));
        }
    }
    device().run(Test);
}

#[test]
fn reduce_folds_everything() {
    struct Test;
    impl Job for Test {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let mut random = Random::new(3);
            let mut reduction = Reduction::new(gpu);
            for size in sizes(5_000_003) {
                let input = floats(&mut random, size);
                let buffer = Buffer::from_slice(gpu, &input);
                let sum: f64 = input.iter().map(|&x| f64::from(x)).sum();
                let found = reduction.fold(gpu, &buffer, Fold::Sum).unwrap();
                // Error of a tree of sums: round-off times its depth times the sum of magnitudes.
                let bound = f64::from(f32::EPSILON) * 40.0 * size as f64;
                assert!((f64::from(found) - sum).abs() <= bound, "size {size}: {found} for {sum}");
                assert_eq!(found.to_bits(), reduction.fold(gpu, &buffer, Fold::Sum).unwrap().to_bits());
                let most = input.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let least = input.iter().copied().fold(f32::INFINITY, f32::min);
                assert_eq!(reduction.fold(gpu, &buffer, Fold::Max).unwrap(), most, "size {size}");
                assert_eq!(reduction.fold(gpu, &buffer, Fold::Min).unwrap(), least, "size {size}");
            }
        }
    }
    device().run(Test);
}

#[test]
fn segmented_sums_stay_within_their_segments() {
    struct Test;
    impl Job for Test {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let mut random = Random::new(4);
            let mut output = Buffer::new(gpu, 0);
            for segments in sizes(70_001) {
                // Mostly short ones, some empty; then few long ones.
                for longest in [7, 3000] {
                    if longest > 100 && segments > 300 {
                        continue;
                    }
                    let mut offsets = vec![0u32];
                    for _ in 0..segments {
                        offsets.push(offsets[offsets.len() - 1] + random.below(longest as usize) as u32);
                    }
                    let input = floats(&mut random, offsets[segments] as usize);
                    let buffers = (Buffer::from_slice(gpu, &input), Buffer::from_slice(gpu, &offsets));
                    segmented_sum(gpu, &buffers.0, &buffers.1, &mut output);
                    let found = output.read(gpu).unwrap();
                    assert_eq!(found.len(), segments);
                    for (segment, range) in offsets.windows(2).enumerate() {
                        let items = &input[range[0] as usize..range[1] as usize];
                        let sum: f64 = items.iter().map(|&x| f64::from(x)).sum();
                        let bound = f64::from(f32::EPSILON) * items.len() as f64 * items.len() as f64;
                        assert!((f64::from(found[segment]) - sum).abs() <= bound, "segment {segment} of {segments}");
                    }
                }
            }
        }
    }
    device().run(Test);
}

#[test]
fn compaction_keeps_the_marked_in_order() {
    struct Test;
    impl Job for Test {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let mut random = Random::new(5);
            let mut compaction = Compaction::new(gpu);
            let mut output = Buffer::new(gpu, 0);
            for size in sizes(300_007) {
                let input = words(&mut random, size, u32::MAX);
                let flags = words(&mut random, size, 2);
                let buffers = (Buffer::from_slice(gpu, &input), Buffer::from_slice(gpu, &flags));
                let kept = compaction.keep(gpu, &buffers.0, &buffers.1, &mut output).unwrap();
                let expected: Vec<u32> =
                    input.iter().zip(&flags).filter(|&(_, &flag)| flag == 1).map(|(&word, _)| word).collect();
                assert_eq!(kept, expected.len());
                assert!(output.read(gpu).unwrap() == expected, "size {size}");
            }
        }
    }
    device().run(Test);
}

#[test]
fn histogram_counts_every_value_in_range() {
    struct Test;
    impl Job for Test {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let mut random = Random::new(6);
            let mut output = Buffer::new(gpu, 0);
            for size in sizes(300_007) {
                for bins in [1, 17, 256, 5000] {
                    let input = words(&mut random, size, bins + 3);
                    histogram(gpu, &Buffer::from_slice(gpu, &input), bins, &mut output);
                    let mut expected = vec![0u32; bins as usize];
                    for &value in input.iter().filter(|&&value| value < bins) {
                        expected[value as usize] += 1;
                    }
                    assert!(output.read(gpu).unwrap() == expected, "size {size}, {bins} bins");
                }
            }
        }
    }
    device().run(Test);
}

/// A graph as offsets and neighbours, from a list of edges.
fn adjacency(vertices: usize, edges: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut lists = vec![Vec::new(); vertices];
    for &(a, b) in edges {
        lists[a as usize].push(b);
        lists[b as usize].push(a);
    }
    let mut offsets = vec![0];
    for list in &lists {
        offsets.push(offsets[offsets.len() - 1] + list.len() as u32);
    }
    (offsets, lists.concat())
}

/// The sequential greedy method in the order of importance.
fn greedy(offsets: &[u32], neighbors: &[u32]) -> Vec<u32> {
    let vertices = offsets.len() - 1;
    let mut order: Vec<u32> = (0..vertices as u32).collect();
    order.sort_by_key(|&vertex| std::cmp::Reverse((Coloring::importance(vertex), vertex)));
    let mut colors = vec![u32::MAX; vertices];
    for vertex in order {
        let around = &neighbors[offsets[vertex as usize] as usize..offsets[vertex as usize + 1] as usize];
        let taken: std::collections::BTreeSet<u32> = around.iter().map(|&other| colors[other as usize]).collect();
        colors[vertex as usize] = (0..).find(|color| !taken.contains(color)).unwrap();
    }
    colors
}

#[test]
fn coloring_is_that_of_the_greedy_method_and_proper() {
    struct Test;
    impl Job for Test {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let mut random = Random::new(7);
            let mut coloring = Coloring::new(gpu);
            for vertices in sizes(70_001) {
                let mut edges: Vec<(u32, u32)> = (0..vertices * 3)
                    .map(|_| (random.below(vertices) as u32, random.below(vertices) as u32))
                    .filter(|&(a, b)| a != b)
                    .collect();
                // A clique needs more colours than fit one word of marks.
                let clique = vertices.min(70) as u32;
                edges.extend((0..clique).flat_map(|a| (0..a).map(move |b| (a, b))));
                let (offsets, neighbors) = adjacency(vertices, &edges);
                let buffers = (Buffer::from_slice(gpu, &offsets), Buffer::from_slice(gpu, &neighbors));
                let found = coloring.color(gpu, &buffers.0, &buffers.1).unwrap().read(gpu).unwrap();
                assert!(edges.iter().all(|&(a, b)| found[a as usize] != found[b as usize]), "{vertices} vertices");
                assert!(found == greedy(&offsets, &neighbors), "{vertices} vertices");
            }
        }
    }
    device().run(Test);
}
