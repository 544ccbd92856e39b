//! Figures of the GPU: copy bandwidth, primitives, necklaces and nets of joints, each beside its floor,
//! and the results checked against the CPU in the same run.
//!
//! `gpu_bench [auto|cuda|vulkan] [small|full]`; `small` fits a software driver.

use std::process::ExitCode;
use std::time::Instant;

use cubecl::prelude::*;
use drystone_device::primitives::{RadixSort, Scan, copy};
use drystone_device::{Buffer, DeviceChoice, DeviceError, Gpu, Job, Phases, open};
use drystone_jacobi::gpu::{
    Execution, PointEngine, PointState, PointSystem, StepOptions, grid, largest_gap, necklaces, reference_step,
};

const OPTIONS: StepOptions = StepOptions { dt: 1.0 / 60.0, iterations: 20, relaxation: 1.0, stabilization: 0.0 };

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("auto", String::as_str);
    let full = arguments.get(1).is_none_or(|size| size == "full");
    let done = name.parse::<DeviceChoice>().and_then(open).and_then(|device| {
        println!("device: {}", device.name());
        device.run(Bench { full })
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

struct Bench {
    full: bool,
}

impl Job for Bench {
    type Output = Result<(), DeviceError>;

    fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Result<(), DeviceError> {
        let words = if self.full { 1 << 27 } else { 1 << 18 };
        let bandwidth = copy_bandwidth(gpu, words)?;
        scan(gpu, words, bandwidth)?;
        sort(gpu, words, bandwidth)?;
        check(gpu, &necklaces(if self.full { 2500 } else { 50 }, 40), "necklaces")?;
        check(gpu, &grid(if self.full { 100 } else { 12 }), "net")?;
        println!("case, bodies, strategy, frames per launch, ms per frame, GB per frame, share of copy bandwidth");
        let chains: &[usize] = if self.full { &[2500, 25_000, 250_000, 2_500_000] } else { &[25] };
        for &chains in chains {
            let (system, state) = necklaces(chains, 40);
            let mut engine = PointEngine::new(gpu, &system);
            engine.upload(gpu, &state);
            for frames_per_launch in [1, 8] {
                time(gpu, &mut engine, "necklace", &system, frames_per_launch, bandwidth)?;
            }
            if chains <= 250_000 {
                for one_pass in [true, false] {
                    let mut engine = PointEngine::unpacked(gpu, &system, one_pass);
                    engine.upload(gpu, &state);
                    time(gpu, &mut engine, "necklace", &system, 1, bandwidth)?;
                }
            }
        }
        let (system, state) = grid(if self.full { 1000 } else { 16 });
        for one_pass in [true, false] {
            let mut engine = PointEngine::unpacked(gpu, &system, one_pass);
            engine.upload(gpu, &state);
            time(gpu, &mut engine, "joint-grid", &system, 1, bandwidth)?;
        }
        Ok(())
    }
}

/// Median seconds of `work`, after a warm-up that compiles the kernels.
fn seconds<R: Runtime>(gpu: &Gpu<R>, repeats: usize, mut work: impl FnMut()) -> Result<f64, DeviceError> {
    work();
    gpu.sync()?;
    let mut times = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let start = Instant::now();
        work();
        gpu.sync()?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[repeats / 2])
}

/// Bytes per second, read and written, of copying a large array.
fn copy_bandwidth<R: Runtime>(gpu: &Gpu<R>, words: usize) -> Result<f64, DeviceError> {
    let input = Buffer::from_slice(gpu, &random(words));
    let mut output = Buffer::new(gpu, 0);
    // Several at a time, so that launching and waiting do not show.
    let time = seconds(gpu, 9, || (0..10).for_each(|_| copy(gpu, &input, &mut output)))? / 10.0;
    let bandwidth = 8.0 * words as f64 / time;
    println!("copy of {words} words: {:.4} ms, {:.0} GB/s", 1e3 * time, 1e-9 * bandwidth);
    Ok(bandwidth)
}

fn scan<R: Runtime>(gpu: &Gpu<R>, words: usize, bandwidth: f64) -> Result<(), DeviceError> {
    let input = random(words);
    let buffer = Buffer::from_slice(gpu, &input);
    let mut output = Buffer::new(gpu, 0);
    let mut scan = Scan::default();
    let time = seconds(gpu, 9, || (0..10).for_each(|_| scan.exclusive(gpu, &buffer, &mut output)))? / 10.0;
    let mut sum = 0u32;
    let right = output.read(gpu)?.iter().zip(&input).all(|(&found, &word)| {
        let expected = sum;
        sum = sum.wrapping_add(word);
        found == expected
    });
    let share = 8.0 * words as f64 / time / bandwidth;
    println!("scan of {words} words: {:.4} ms, {share:.2} of copy bandwidth, right: {right}", 1e3 * time);
    Ok(())
}

fn sort<R: Runtime>(gpu: &Gpu<R>, words: usize, bandwidth: f64) -> Result<(), DeviceError> {
    let keys = random(words);
    let payload: Vec<u32> = (0..words as u32).collect();
    let unsorted = (Buffer::from_slice(gpu, &keys), Buffer::from_slice(gpu, &payload));
    let mut buffers = (Buffer::new(gpu, 0), Buffer::new(gpu, 0));
    copy(gpu, &unsorted.0, &mut buffers.0);
    copy(gpu, &unsorted.1, &mut buffers.1);
    let mut sort = RadixSort::new(gpu);
    sort.sort(gpu, &mut buffers.0, &mut buffers.1, 32);
    let (sorted, order) = (buffers.0.read(gpu)?, buffers.1.read(gpu)?);
    let right = sorted.windows(2).all(|pair| pair[0] <= pair[1])
        && sorted.iter().zip(&order).all(|(&key, &from)| keys[from as usize] == key);
    let mut times = Vec::new();
    for _ in 0..5 {
        copy(gpu, &unsorted.0, &mut buffers.0);
        copy(gpu, &unsorted.1, &mut buffers.1);
        gpu.sync()?;
        let start = Instant::now();
        sort.sort(gpu, &mut buffers.0, &mut buffers.1, 32);
        gpu.sync()?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    // Per pass of 8 bits: keys twice and payload once in, both once out.
    let share = 4.0 * 20.0 * words as f64 / times[2] / bandwidth;
    let rate = 1e-9 * words as f64 / times[2];
    println!(
        "sort of {words} keys with payload: {:.3} ms, {rate:.2} Gkeys/s, {share:.2} of copy bandwidth, right: {right}",
        1e3 * times[2]
    );
    Ok(())
}

/// Compares one step, and ten, with the CPU.
fn check<R: Runtime>(gpu: &Gpu<R>, (system, state): &(PointSystem, PointState), case: &str) -> Result<(), DeviceError> {
    let [one, two] = [true, false].map(|one_pass| PointEngine::unpacked(gpu, system, one_pass));
    for mut engine in [PointEngine::new(gpu, system), one, two] {
        let mut expected = state.clone();
        let mut found = state.clone();
        engine.upload(gpu, state);
        for frame in 1..=10 {
            reference_step(system, &mut expected, &OPTIONS);
            engine.frames(gpu, &OPTIONS, 1, &mut Phases::default())?;
            if frame == 1 || frame == 10 {
                engine.download(gpu, &mut found)?;
                let pairs = expected.position.iter().zip(&found.position);
                let off = pairs.map(|(a, b)| a.sub(*b).length()).fold(0.0, f32::max);
                let gaps = (largest_gap(system, &expected), largest_gap(system, &found));
                println!(
                    "{case}, {:?}, after {frame}: largest difference to the CPU {off:.2e} m, largest gap CPU {:.4e} GPU {:.4e} m",
                    engine.execution(),
                    gaps.0,
                    gaps.1
                );
            }
        }
    }
    Ok(())
}

fn time<R: Runtime>(
    gpu: &Gpu<R>,
    engine: &mut PointEngine,
    case: &str,
    system: &PointSystem,
    frames_per_launch: u32,
    bandwidth: f64,
) -> Result<(), DeviceError> {
    let mut off = Phases::default();
    // Enough launches per measurement that waiting for the device does not show.
    let launches = if system.body_count() > 20_000_000 { 2 } else { 20 };
    let mut failed = Ok(());
    let time = seconds(gpu, 7, || {
        for _ in 0..launches {
            failed = failed.clone().and(engine.frames(gpu, &OPTIONS, frames_per_launch, &mut off));
        }
    })?;
    failed?;
    let frame = time / f64::from(launches * frames_per_launch);
    // Frames after the first of a launch move nothing.
    let loads = if engine.execution() == Execution::Fused { f64::from(frames_per_launch) } else { 1.0 };
    let bytes = engine.bytes_per_frame(&OPTIONS) as f64 / loads;
    println!(
        "{case}, {}, {:?}, {frames_per_launch}, {:.4}, {:.4}, {:.2}",
        system.body_count(),
        engine.execution(),
        1e3 * frame,
        1e-9 * bytes,
        bytes / frame / bandwidth
    );
    Ok(())
}

fn random(count: usize) -> Vec<u32> {
    let mut random = drystone_random::Random::new(1);
    (0..count).map(|_| random.bits() as u32).collect()
}
