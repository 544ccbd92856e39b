//! The report file: figures of every step, totals, times, and what they are figures of.

use std::collections::BTreeMap;

use drystone::Simulation;
use drystone::model::{JointId, Model};
use drystone::solve::{Phase, Report};
use drystone_scenes::{Measures, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::live_run::LiveRun;
use crate::source::Job;
use crate::trade::Trade;

/// Everything a report file says.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RunReport {
    /// Version of Drystone.
    pub version: String,
    /// Where it ran.
    pub machine: Machine,
    /// The command line.
    pub command: Vec<String>,
    /// Scene by name.
    pub scene: String,
    /// Parameters as given.
    pub set: Vec<String>,
    /// Solver by name.
    pub solver: String,
    /// The graphics card it ran on; nothing for the processor.
    #[serde(default)]
    pub device: Option<String>,
    /// Solver options as given.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// Time step \[s\].
    pub dt: f64,
    /// Steps of the whole run.
    pub steps: u64,
    /// Bodies, shapes, joints.
    pub counts: [usize; 3],
    /// Hash of the final state, hexadecimal.
    pub state_hash: String,
    /// Extremes and ends.
    pub totals: Totals,
    /// Seconds per step in every phase, on average over all steps but the first.
    pub phases: BTreeMap<String, f64>,
    /// Seconds per step, on average over all steps but the first.
    pub seconds_per_step: f64,
    /// Seconds of the first step, which also prepares what the others go on from.
    #[serde(default)]
    pub first_step_seconds: f64,
    /// The scene's claim.
    pub claim: Option<String>,
    /// Whether it held.
    #[schemars(with = "Option<VerdictFields>")]
    pub verdict: Option<Verdict>,
    /// Why a claim was not judged: the simulated time, and the time the claim is about.
    #[serde(default)]
    pub not_judged: Option<String>,
    /// What `--budget` or `--tolerance` asked for and got.
    #[serde(default)]
    pub trade: Option<Trade>,
    /// Figures of every step since the start or the checkpoint.
    pub series: Series,
}

/// What the schema says of a [`Verdict`], which knows no schemas.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Verdict")]
#[expect(dead_code, reason = "only its description is used")]
struct VerdictFields {
    /// Whether the claim held.
    passed: bool,
    /// The figures it rests on, with their bounds.
    measured: String,
}

/// The JSON schema of report files.
pub fn schema() -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&schemars::schema_for!(RunReport))
}

/// The machine a run was on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Machine {
    /// Operating system.
    pub os: String,
    /// Processor family.
    pub arch: String,
    /// Processor model, where the system tells it.
    pub cpu: Option<String>,
    /// Threads the machine runs at once.
    pub parallelism: usize,
}

impl Machine {
    /// The machine at hand.
    pub fn here() -> Self {
        let parallelism = std::thread::available_parallelism().map_or(1, usize::from);
        Self { os: std::env::consts::OS.into(), arch: std::env::consts::ARCH.into(), cpu: cpu_model(), parallelism }
    }
}

/// What Linux calls the processor.
fn cpu_model() -> Option<String> {
    let facts = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = facts.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Extremes and ends of a run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Totals {
    /// Deepest overlap \[m\]; null if some step did not measure it.
    pub max_penetration: Option<f64>,
    /// Largest joint gap \[m\]; null if some step did not measure it.
    pub max_joint_error: Option<f64>,
    /// Largest angular joint error \[rad\]; null if some step did not measure it.
    pub max_joint_angle_error: Option<f64>,
    /// Largest rise of the energy over its start \[J\].
    pub energy_gain: f64,
    /// Change of the energy by the end \[J\].
    pub energy_change: f64,
    /// Largest distance of a body from its start \[m\].
    pub max_moved: f64,
    /// Bodies quarantined.
    pub quarantined: usize,
    /// Joints broken.
    pub broken: usize,
    /// Steps that say of themselves that their iterations did not come to their end.
    #[serde(default)]
    pub unconverged_steps: u64,
    /// How many joints some step left open and named.
    #[serde(default)]
    pub open_joints: usize,
    /// The names of the first of them.
    #[serde(default)]
    pub open_joint_names: Vec<String>,
}

/// Most joints that totals name.
const NAMED_JOINTS: usize = 5;

impl Totals {
    /// The totals of what was measured.
    pub fn of(model: &Model, measures: &Measures) -> Self {
        let named = measures.open_joints.iter().take(NAMED_JOINTS);
        Self {
            max_penetration: measures.max_penetration,
            max_joint_error: measures.max_joint_error,
            max_joint_angle_error: measures.max_joint_angle_error,
            energy_gain: measures.max_energy - measures.start_energy,
            energy_change: measures.end_energy - measures.start_energy,
            max_moved: measures.max_moved,
            quarantined: measures.quarantined,
            broken: measures.broken,
            unconverged_steps: measures.unconverged_steps,
            open_joints: measures.open_joints.len(),
            open_joint_names: named.map(|&joint| joint_name(model, joint)).collect(),
        }
    }
}

/// A joint by its name, or by its number if it has none.
fn joint_name(model: &Model, joint: JointId) -> String {
    let name = model.joint_name.get(joint.built_index()).filter(|name| !name.is_empty());
    name.cloned().unwrap_or_else(|| joint.to_string())
}

/// One number or vector per step.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Series {
    /// Simulated time after the step \[s\].
    pub time: Vec<f64>,
    /// Deepest overlap \[m\]; null where the solver did not measure it.
    pub penetration: Vec<Option<f64>>,
    /// Largest joint gap \[m\]; null where the solver did not measure it.
    pub joint_error: Vec<Option<f64>>,
    /// Kinetic energy \[J\].
    pub kinetic_energy: Vec<f64>,
    /// Potential energy \[J\].
    pub potential_energy: Vec<f64>,
    /// Linear momentum \[kg·m/s\].
    pub momentum: Vec<[f64; 3]>,
    /// Angular momentum about the origin \[kg·m²/s\].
    pub angular_momentum: Vec<[f64; 3]>,
    /// Contact points.
    pub contacts: Vec<usize>,
    /// Last move of the iteration \[m\]; null where the solver did not measure it.
    pub residual: Vec<Option<f64>>,
    /// Wall-clock time of the step \[s\].
    #[serde(default)]
    pub seconds: Vec<f64>,
    /// Smallest distance of two bodies \[m\], where the solver measures it and some are near.
    #[serde(default)]
    pub min_distance: Vec<Option<f64>>,
    /// Largest stretch of a spring, sheet or tetrahedron, as a share of its rest; null where there are none or the solver did not
    /// measure it. The same for the three that follow.
    #[serde(default)]
    pub max_strain: Vec<Option<f64>>,
    /// Mean stretch of all of these, shortening counted like lengthening.
    #[serde(default)]
    pub mean_strain: Vec<Option<f64>>,
    /// Tetrahedra that are inside out.
    #[serde(default)]
    pub inverted: Vec<Option<u32>>,
    /// Smallest distance of two parts of cloth, soft bodies and strings that were about to meet \[m\].
    #[serde(default)]
    pub closest_approach: Vec<Option<f64>>,
    /// Energy stored in springs, sheets, folds and tetrahedra \[J\]; null without particles.
    #[serde(default)]
    pub elastic_energy: Vec<Option<f64>>,
    /// Whether the step says of itself that its iterations did not come to their end.
    #[serde(default)]
    pub unconverged: Vec<bool>,
    /// Joints that the step left open and named.
    #[serde(default)]
    pub open_joints: Vec<usize>,
}

impl Series {
    /// Appends a step that took so many `seconds`.
    pub fn push(&mut self, time: f64, report: &Report, seconds: f64) {
        self.time.push(time);
        self.penetration.push(report.max_penetration);
        self.joint_error.push(report.max_joint_error);
        self.kinetic_energy.push(report.kinetic_energy);
        self.potential_energy.push(report.potential_energy);
        self.momentum.push(report.momentum);
        self.angular_momentum.push(report.angular_momentum);
        self.contacts.push(report.contact_count);
        self.residual.push(report.residual);
        self.seconds.push(seconds);
        self.min_distance.push(report.min_distance);
        self.max_strain.push(report.max_strain);
        self.mean_strain.push(report.mean_strain);
        self.inverted.push(report.inverted_count);
        self.closest_approach.push(report.closest_approach);
        self.elastic_energy.push(report.elastic_energy);
        self.unconverged.push(report.is_unconverged());
        self.open_joints.push(report.unconverged.len());
    }
}

/// Puts a report together.
pub fn make(job: &Job, live: &mut LiveRun, verdict: Option<Verdict>) -> RunReport {
    let series = std::mem::take(&mut live.series);
    let (sim, measures) = (&live.sim, &live.measures);
    // What the first step takes to prepare says nothing about the others; alone it is all there is.
    let first = if series.time.len() > 1 { series.seconds[0] } else { 0.0 };
    let taken = series.time.len().saturating_sub(1).max(1) as f64;
    let in_first = |phase| match first {
        0.0 => 0.0,
        _ => live.first_phases.iter().filter(|(known, _)| *known == phase).map(|(_, seconds)| seconds).sum::<f64>(),
    };
    let per_step = |(phase, seconds): &(Phase, f64)| (phase_name(phase), (seconds - in_first(*phase)).max(0.0) / taken);
    let phases = sim.phase_total().iter().map(per_step);
    let model = sim.model();
    RunReport {
        version: env!("CARGO_PKG_VERSION").into(),
        machine: Machine::here(),
        command: std::env::args().collect(),
        scene: job.name.clone(),
        set: job.set.clone(),
        solver: sim.solver().name().into(),
        device: sim.solver().device_name(),
        options: job.options.clone(),
        dt: sim.dt(),
        steps: sim.state().step_count,
        counts: [model.body_count(), model.shape_count(), model.joint_count()],
        state_hash: format!("{:016x}", sim.state_hash()),
        totals: Totals::of(model, measures),
        phases: phases.collect(),
        seconds_per_step: (live.wall - first) / taken,
        first_step_seconds: series.seconds.first().copied().unwrap_or(0.0),
        claim: job.check.as_ref().map(|check| check.claim.clone()),
        not_judged: if verdict.is_none() { not_judged(job, sim) } else { None },
        verdict,
        trade: None,
        series,
    }
}

/// How much of the time its claim is about a run without a verdict has simulated.
fn not_judged(job: &Job, sim: &Simulation) -> Option<String> {
    job.check.as_ref()?;
    let stopped = || format!("{:.2} s of {} s", sim.time(), job.own_seconds);
    Some(job.not_judged().unwrap_or_else(stopped))
}

/// The name a phase has in files: that of its serialisation.
pub fn phase_name(phase: &Phase) -> String {
    serde_json::to_value(phase).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
