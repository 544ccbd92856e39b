//! Options of `drystone bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use drystone_device::DeviceChoice;

use super::page::Files;
use crate::args::Backend;

/// Options of `drystone bench`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchOptions {
    /// What to do instead of measuring the set
    #[command(subcommand)]
    pub command: Option<BenchCommand>,
    #[command(flatten)]
    pub set: SetOptions,
}

/// What can be done about benchmarks.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Compare two result files; flags only what is beyond the noise of their repeats
    Diff(DiffOptions),
    /// Time and memory against bodies, contacts and threads, with fitted exponents and plots
    Scaling(ScalingOptions),
    /// Measure one case in this process and print it as JSON; what the others are made of
    #[command(hide = true)]
    One(OneOptions),
}

/// Options of the set, ours or the peers'.
#[derive(Debug, Args)]
pub struct SetOptions {
    /// Scenes, with settings as in `pile:count=8000`; all of the set if none is named
    #[arg(value_name = "SCENE")]
    pub scenes: Vec<String>,
    /// Solvers, separated by commas; every one that keeps the scene's claim unless named
    #[arg(long, value_delimiter = ',')]
    pub solver: Vec<String>,
    /// Numbers of threads, separated by commas; one, and all for scenes that are worth it, unless given
    #[arg(long, value_delimiter = ',')]
    pub threads: Vec<usize>,
    /// Where the solvers run; both unless given, in builds that have a GPU backend
    #[arg(long, value_enum, conflicts_with = "peers")]
    pub backend: Option<Backend>,
    /// Which GPU: auto, cuda or vulkan
    #[arg(long, default_value = "auto", conflicts_with = "peers")]
    pub device: DeviceChoice,
    /// How often every case is run
    #[arg(long, default_value = "3", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
    /// Seconds after which a run of a case is cut short
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    pub budget: f64,
    /// Run other engines beside Drystone: Rapier, Box3D, and MuJoCo, Newton and Bullet where Python is there
    #[arg(long)]
    pub peers: bool,
    /// Engines of --peers, separated by commas, such as drystone-5it-1t,rapier-1t,newton-10x5-1t
    #[arg(long, value_delimiter = ',', requires = "peers")]
    pub engines: Vec<String>,
    /// Seconds of stepping after which an engine of --peers is cut short; 20 at most in scenes of 1,000 bodies, 8 of 20,000
    #[arg(long, value_name = "SECONDS", default_value = "40", requires = "peers")]
    pub limit: f64,
    /// Minutes --peers may take with all its set-up; engines are cut short sooner where they run out
    #[arg(long, value_name = "MINUTES", default_value = "25", requires = "peers")]
    pub minutes: f64,
    #[command(flatten)]
    pub files: Files,
}

/// Options of `drystone bench diff`.
#[derive(Debug, Args)]
pub struct DiffOptions {
    /// Figures before
    #[arg(value_name = "A.json")]
    pub before: PathBuf,
    /// Figures after
    #[arg(value_name = "B.json")]
    pub after: PathBuf,
    /// Print every case of both files as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `drystone bench scaling`.
#[derive(Debug, Args)]
pub struct ScalingOptions {
    /// Solvers, separated by commas; all unless named
    #[arg(long, value_delimiter = ',')]
    pub solver: Vec<String>,
    /// How often every case is run
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
    /// Seconds after which a run of a case is cut short
    #[arg(long, value_name = "SECONDS", default_value = "4")]
    pub budget: f64,
    /// Most threads to try; all of the machine unless given
    #[arg(long)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub files: Files,
}

/// Options of `drystone bench one`.
#[derive(Clone, Debug, Args)]
pub struct OneOptions {
    /// The scene with its settings
    pub scene: String,
    /// The solver
    #[arg(long)]
    pub solver: String,
    /// Threads
    #[arg(long, default_value = "1")]
    pub threads: usize,
    /// How often it is run
    #[arg(long, default_value = "3")]
    pub repeats: u32,
    /// Seconds after which a run is cut short
    #[arg(long, default_value = "5")]
    pub budget: f64,
    /// Run on this GPU: auto, cuda or vulkan
    #[arg(long)]
    pub device: Option<DeviceChoice>,
}
