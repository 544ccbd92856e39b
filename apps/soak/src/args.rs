//! The words of the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use drystone::solvers;
use drystone_scenes::RandomScene;

use crate::case::Source;
use crate::judge::Fault;
use crate::trial::Trial;

/// Runs random scenes, or scene files, under every solver and judges them by what physics allows.
#[derive(Clone, Debug, Parser)]
#[command(name = "soak", bin_name = "cargo xtask soak")]
pub struct Args {
    /// Scene files to run instead of random scenes.
    pub files: Vec<PathBuf>,
    /// Seed of the first random scene; the next have the numbers that follow.
    #[arg(long, default_value_t = 1)]
    pub seed: u32,
    /// Number of random scenes [default: 24, or as many as the minutes allow].
    #[arg(long)]
    pub scenes: Option<u32>,
    /// Begin no further run after this many minutes.
    #[arg(long)]
    pub minutes: Option<f64>,
    /// Solvers, separated by commas [default: all].
    #[arg(long, value_delimiter = ',')]
    pub solvers: Vec<String>,
    /// Sweeps of solvers that take a fixed number of them, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 5, 10])]
    pub sweeps: Vec<u32>,
    /// Runs at a time [default: the number of cores].
    #[arg(long)]
    pub jobs: Option<usize>,
    /// Simulated seconds of each run [default: 3, or what the file says].
    #[arg(long)]
    pub seconds: Option<f64>,
    /// Seconds a run may take; a longer one is a fault.
    #[arg(long, default_value_t = 120.0)]
    pub limit: f64,
    /// Writes every outcome with all figures to this file.
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Writes the scenes to this folder as scene files and runs nothing.
    #[arg(long)]
    pub write: Option<PathBuf>,
    /// Kinds of faults that do not make the command fail, separated by commas.
    #[arg(long, value_delimiter = ',')]
    pub forgive: Vec<Fault>,
    /// Shows no progress.
    #[arg(long, short)]
    pub quiet: bool,
    /// What random scenes are made of.
    #[command(flatten)]
    pub random: RandomSceneArgs,
}

/// What random scenes are made of, where the seed shall not choose.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "What random scenes are made of, instead of by the seed")]
pub struct RandomSceneArgs {
    /// Bodies.
    #[arg(long)]
    pub count: Option<usize>,
    /// Largest start velocity along each axis [m/s].
    #[arg(long)]
    pub speed: Option<f64>,
    /// Ratio of the largest to the smallest density.
    #[arg(long)]
    pub mass_ratio: Option<f64>,
    /// Time step in seconds.
    #[arg(long)]
    pub dt: Option<f64>,
    /// Whether a third of the neighbours are jointed.
    #[arg(long)]
    pub joints: Option<bool>,
    /// Whether two of five bodies bounce.
    #[arg(long)]
    pub bouncy: Option<bool>,
    /// Whether there is neither gravity nor ground.
    #[arg(long)]
    pub free: Option<bool>,
    /// Whether bodies start so near that some overlap.
    #[arg(long)]
    pub crowded: Option<bool>,
}

impl ValueEnum for Fault {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.word()))
    }
}

impl RandomSceneArgs {
    /// The scene of a seed with these changes, and the words that make them again.
    pub fn source(&self, seed: u32) -> Source {
        let mut random = RandomScene::of_seed(seed);
        let mut words = String::new();
        let mut note = |name: &str, value: &dyn std::fmt::Display| words.push_str(&format!(" --{name} {value}"));
        macro_rules! change {
            ($($field:ident $name:literal),*) => {
                $(if let Some(value) = self.$field {
                    random.$field = value;
                    note($name, &value);
                })*
            };
        }
        change!(count "count", speed "speed", mass_ratio "mass-ratio", dt "dt");
        change!(joints "joints", bouncy "bouncy", free "free", crowded "crowded");
        Source::Random(random, words)
    }
}

impl Args {
    /// The scenes, in order.
    pub fn sources(&self) -> Box<dyn Iterator<Item = Source> + Send + '_> {
        if !self.files.is_empty() {
            return Box::new(self.files.iter().cloned().map(Source::File));
        }
        let count = self.scenes.unwrap_or(if self.minutes.is_some() { u32::MAX } else { 24 });
        Box::new((self.seed..self.seed.saturating_add(count)).map(|seed| self.random.source(seed)))
    }

    /// Number of scenes, if it is known.
    pub fn scene_count(&self) -> Option<usize> {
        match (self.files.len(), self.scenes, self.minutes) {
            (0, Some(count), _) => Some(count as usize),
            (0, None, None) => Some(24),
            (0, None, Some(_)) => None,
            (count, ..) => Some(count),
        }
    }

    /// What every scene is run under. Solvers that iterate until they are done, or not at all, have no sweeps.
    pub fn trials(&self) -> Result<Vec<Trial>, String> {
        let known: Vec<&str> = solvers().iter().map(|entry| entry.name).collect();
        if let Some(unknown) = self.solvers.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(format!("there is no solver `{unknown}`; the solvers are: {}", known.join(", ")));
        }
        let chosen = solvers()
            .iter()
            .filter(|entry| self.solvers.is_empty() || self.solvers.iter().any(|name| name == entry.name));
        let trials = chosen.flat_map(|entry| {
            let swept = entry.iterations == Some("iterations");
            let sweeps = if swept { self.sweeps.iter().map(|&sweeps| Some(sweeps)).collect() } else { vec![None] };
            sweeps.into_iter().map(|sweeps| Trial { solver: entry.name.to_owned(), sweeps })
        });
        Ok(trials.collect())
    }

    /// When no further run begins, counted from the start.
    pub fn deadline(&self) -> Option<Duration> {
        self.minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes.max(0.0)))
    }
}
