//! The options.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use drystone_device::DeviceChoice;

use crate::assemble::AssembleOptions;
use crate::bench::options::BenchOptions;
use crate::picture_options::PictureArguments;
use crate::robot::RobotOptions;
use crate::view::ViewOptions;

/// Physics of rigid and nearly rigid bodies in contact.
#[derive(Debug, Parser)]
#[command(name = "drystone", version, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the scenes: what they show, their parameters, how large they are
    Scenes(ScenesOptions),
    /// Simulate a scene of the library, a scene file or a robot file, and judge its claim
    #[command(allow_negative_numbers = true)]
    Run(Box<RunOptions>),
    /// Watch a scene, a file or a recording in a browser, live, and take a hand in it
    #[command(allow_negative_numbers = true)]
    View(Box<ViewOptions>),
    /// Recompute penetration, joint error, momentum and energy from a recording alone
    #[command(allow_negative_numbers = true)]
    Check(CheckOptions),
    /// Run a scene under several solvers and write one page that shows them side by side
    #[command(allow_negative_numbers = true)]
    Compare(Box<CompareOptions>),
    /// Take a picture of every scene of the library, or of those named
    Gallery(GalleryOptions),
    /// Measure time, memory and quality: of all scenes, as they grow, or beside other engines
    Bench(Box<BenchOptions>),
    /// Write a robot file (URDF, MJCF, USD) or a scene as a scene file (.json5), as MJCF (.xml) or as URDF (.urdf)
    #[command(allow_negative_numbers = true)]
    Convert(Box<ConvertOptions>),
    /// Close the joints of a model whose parts lie apart, or say which cannot be closed and by how much
    #[command(allow_negative_numbers = true)]
    Assemble(Box<AssembleOptions>),
    /// Run many cases of one scene (in the command of the Python package)
    Sweep(SweepOptions),
    /// Print the JSON schema of scene files or of reports
    Schema(SchemaOptions),
    /// Print what makes a shell complete the options, to be put where it looks for that
    Completions(CompletionsOptions),
}

/// Options of `drystone scenes`.
#[derive(Debug, Args)]
pub struct ScenesOptions {
    /// Describe this scene only
    pub scene: Option<String>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Options of `drystone gallery`.
#[derive(Debug, Args)]
pub struct GalleryOptions {
    /// The scenes; all of them unless some are named
    pub scenes: Vec<String>,
    /// The folder for the pictures
    #[arg(long, value_name = "FOLDER", default_value = "gallery")]
    pub out: PathBuf,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the pictures written as a JSON list
    #[arg(long)]
    pub json: bool,
}

/// Options of `drystone sweep`, which the Python package reads itself.
#[derive(Debug, Args)]
pub struct SweepOptions {
    /// A description (.json) and its options: `drystone sweep --help` of the Python package lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<String>,
}

/// Options of `drystone completions`.
#[derive(Debug, Args)]
pub struct CompletionsOptions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Options of `drystone schema`.
#[derive(Debug, Args)]
pub struct SchemaOptions {
    /// Of what: scenes, reports or options of solvers
    #[arg(value_enum, default_value = "scene")]
    pub file: SchemaOf,
}

/// Files that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// What `drystone run` reads
    Scene,
    /// What `drystone run --report` writes
    Report,
    /// What `--option` and `options` of scene files take, solver by solver
    Options,
}

/// Options of `drystone check`.
#[derive(Debug, Args)]
pub struct CheckOptions {
    /// A recording written by `drystone run --record`
    #[arg(value_name = "REC.npz")]
    pub recording: PathBuf,
    /// Compare with the report of the same run
    #[arg(long, value_name = "REPORT.json")]
    pub against: Option<PathBuf>,
    /// Measure overlaps in about so many frames, evenly spread; 0 takes all. Without it 120, or all where overlaps are limited
    #[arg(long, value_name = "N")]
    pub frames: Option<usize>,
    /// Fail if two shapes overlap deeper than this; 0 m for recordings of deformed bodies (`abd`), which may not even touch
    #[arg(long, value_name = "METRES")]
    pub max_overlap: Option<f64>,
    /// Fail if in a frame more pairs of triangles of cloth with a radius cross than this
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub max_crossings: usize,
    /// Also look for what passes through something between frames
    #[arg(long)]
    pub swept: bool,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Where a solver runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// On the processor
    Cpu,
    /// On the graphics card
    Gpu,
}

/// What is simulated and for how long, for every command that simulates.
#[derive(Clone, Debug, Default, Args)]
pub struct SceneOptions {
    /// A scene of the library (`drystone scenes`), a scene file (.json5) or a robot file (.urdf, .xml, .usda, .usdc)
    pub scene: String,
    /// Set a parameter of the scene; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Time step in seconds
    #[arg(long)]
    pub dt: Option<f64>,
    /// Steps of the whole run, those before a checkpoint included
    #[arg(long, conflicts_with = "seconds")]
    pub steps: Option<u64>,
    /// Simulated seconds of the whole run
    #[arg(long)]
    pub seconds: Option<f64>,
    /// Threads; the result does not depend on them
    #[arg(long)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub robot: RobotOptions,
}

/// Options of `drystone convert`.
#[derive(Debug, Args)]
pub struct ConvertOptions {
    #[command(flatten)]
    pub source: SceneOptions,
    /// The file to write
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Options of `drystone compare`.
#[derive(Debug, Args)]
pub struct CompareOptions {
    #[command(flatten)]
    pub source: SceneOptions,
    /// Who takes part: SOLVER[@ITERATIONS][:KEY=VALUE]…, separated by commas, such as vbd@5,vbd@20,abd; every
    /// solver unless told otherwise
    #[arg(long, value_name = "LIST")]
    pub solvers: Option<String>,
    /// Where the solvers named run; without names, `gpu` is every solver that can, beside itself on the processor
    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: Backend,
    /// Which GPU: auto, cuda or vulkan
    #[arg(long, default_value = "auto")]
    pub device: DeviceChoice,
    /// Seconds of computing a run may take; what is slower is stopped there and says so
    #[arg(long, value_name = "SECONDS", default_value = "20")]
    pub budget: f64,
    /// The page; compare-SCENE.html unless told otherwise
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub view: PictureArguments,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `drystone run`.
#[derive(Debug, Args)]
pub struct RunOptions {
    #[command(flatten)]
    pub source: SceneOptions,
    /// Solver; each scene has its default
    #[arg(long)]
    pub solver: Option<String>,
    /// Set an option of the solver, such as method=avbd; may be given several times
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub option: Vec<String>,
    /// Iterations per step
    #[arg(long)]
    pub iterations: Option<u32>,
    /// `structured`: the best answer within a wall-clock time per step, such as 8ms, found by trial before the run; the report says its error, and
    /// the options that give the same bits again
    #[arg(long, value_name = "TIME", conflicts_with_all = ["tolerance", "resume"])]
    pub budget: Option<String>,
    /// `structured`: the least work whose error in metres is within this, found by trial before the run
    #[arg(long, value_name = "METRES", conflicts_with = "resume")]
    pub tolerance: Option<f64>,
    /// Where the solver runs; on the GPU it is `jacobi` unless another that can is named
    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: Backend,
    /// Which GPU: auto, cuda or vulkan
    #[arg(long, default_value = "auto")]
    pub device: DeviceChoice,
    /// Write the motion as a recording (.npz, opens with numpy.load)
    #[arg(long, value_name = "FILE.npz")]
    pub record: Option<PathBuf>,
    /// Write the motion in another format, by extension; may be given several times
    #[arg(long, value_name = "FILE")]
    pub export: Vec<PathBuf>,
    #[command(flatten)]
    pub view: PictureArguments,
    /// Write figures of every step and totals
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// Record every N-th step only; all of them unless that makes a gigabyte and more
    #[arg(long, value_name = "N")]
    pub every: Option<u64>,
    /// Write a checkpoint at the end, and when stopped with Ctrl-C
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Also write the checkpoint every N steps
    #[arg(long, value_name = "N", requires = "checkpoint")]
    pub checkpoint_every: Option<u64>,
    /// Go on from a checkpoint of the same scene
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}
