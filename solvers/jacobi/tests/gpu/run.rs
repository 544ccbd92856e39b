//! Whole runs on the device.

use super::tools::device;
use drystone_jacobi::gpu::{NecklaceRun, StepOptions, largest_gap, necklaces, reference_step};

const RUN: NecklaceRun = NecklaceRun {
    chains: 3,
    beads: 5,
    substeps: 2,
    step: StepOptions { dt: 1.0 / 120.0, iterations: 4, relaxation: 1.0, stabilization: 0.0 },
    frames: 23,
    every: Some(2),
    most_numbers: usize::MAX,
};

#[test]
fn a_run_records_the_frames_that_the_cpu_steps() {
    let mut heard = Vec::new();
    let figures = RUN.run(&device(), &mut |done| heard.push(done)).unwrap();
    assert!(heard.windows(2).all(|pair| pair[0] < pair[1]) && heard.last() == Some(&RUN.frames), "{heard:?}");
    let recording = figures.recording.unwrap();
    assert_eq!(recording.step, (2..=22).step_by(2).collect::<Vec<_>>());
    let (system, mut state) = necklaces(RUN.chains, RUN.beads);
    for step in 1..=RUN.frames {
        (0..RUN.substeps).for_each(|_| reference_step(&system, &mut state, &RUN.step));
        if let Ok(frame) = recording.step.binary_search(&step) {
            assert!((recording.time[frame] - step as f64 / 60.0).abs() < 1e-6);
            for (found, expected) in recording.frame[frame].iter().zip(&state.position) {
                let off = (found[0] - expected.x).abs() + (found[1] - expected.y).abs() + (found[2] - expected.z).abs();
                // Round-off of beads a tenth of a metre apart, grown over up to 23 frames of swinging.
                assert!(off < 1e-5, "step {step}: off by {off:e}");
            }
        }
    }
    assert!((figures.largest_gap - largest_gap(&system, &state)).abs() < 1e-5);
}

#[test]
fn a_recording_thins_itself_instead_of_growing() {
    // Room for four frames of 15 beads.
    let run = NecklaceRun { most_numbers: 4 * 15 * 13, ..RUN };
    let recording = run.run(&device(), &mut |_| ()).unwrap().recording.unwrap();
    assert_eq!(recording.every, 8);
    assert_eq!(recording.step, [8, 16]);
    assert_eq!((recording.time.len(), recording.frame.len()), (2, 2));
}
