//! Necklaces on the GPU: so far the one scene it runs.

use std::collections::BTreeMap;

use drystone_device::{DeviceChoice, open};

use super::one::median;
use super::options::OneOptions;
use super::record::Row;
use crate::beads;
use crate::error::Failure;

/// Measures a case on the GPU.
pub fn measure(options: &OneOptions) -> Result<Row, Failure> {
    let settings = options.scene.split_once(':').map_or("", |(_, settings)| settings);
    let set: Vec<String> = settings.split(',').filter(|text| !text.is_empty()).map(str::to_owned).collect();
    let run = beads::plan_of(&set)?;
    let device = open(DeviceChoice::default())?;
    let (mut times, mut gap) = (Vec::new(), 0.0);
    for _ in 0..options.repeats.max(1) {
        let figures = run.run(&device, &mut |_| {})?;
        times.push(1e3 * figures.run_seconds / run.frames as f64);
        gap = f64::from(figures.largest_gap);
    }
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    let most = times.iter().copied().fold(0.0, f64::max);
    Ok(Row {
        scene: options.scene.clone(),
        solver: options.solver.clone(),
        backend: "gpu".into(),
        threads: 1,
        bodies: run.chains * run.beads,
        joints: run.chains * run.beads,
        contacts: 0.0,
        steps: run.frames,
        steps_asked: run.frames,
        ms_min: least,
        ms_median: median(times),
        spread: most / least - 1.0,
        memory: None,
        phases: BTreeMap::new(),
        penetration: 0.0,
        drift: f64::NAN,
        joint_gap: gap,
        energy_gain: 0.0,
        passed: None,
        measured: format!("plain, on {}", device.name()),
    })
}
