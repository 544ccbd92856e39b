//! Robot files (URDF, MJCF, USD): the options that say how they are read.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use drystone_io::import::{self, Base, ImportOptions, Imported, InertiaFaults, MeshUse, MimicJoints, Speeds};

use crate::error::Failure;

/// Options of robot files.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Robot files (.urdf, .xml, .usda, .usdc)")]
pub struct RobotOptions {
    /// Whether the first link of a URDF stands still; the file does not say
    #[arg(long, value_enum)]
    pub base: Option<BaseChoice>,
    /// What becomes of inertias that no mass has: an error, or the nearest that one can have
    #[arg(long, value_enum)]
    pub inertia: Option<InertiaChoice>,
    /// What becomes of meshes: their convex hulls, or the meshes themselves, which must be closed
    #[arg(long, value_enum)]
    pub meshes: Option<MeshChoice>,
    /// What becomes of joints that follow others (`mimic`): they do, or they move by themselves
    #[arg(long, value_enum)]
    pub mimic: Option<MimicChoice>,
    /// What becomes of the largest speeds of joints (`velocity` of URDF): told only, or held whatever drives them
    #[arg(long, value_enum)]
    pub speeds: Option<SpeedChoice>,
    /// Where a package is, for paths that begin with package://NAME/; may be given several times
    #[arg(long = "package", value_name = "NAME=FOLDER")]
    pub packages: Vec<String>,
    /// Add a floor at z = 0
    #[arg(long)]
    pub ground: bool,
}

/// How the base is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BaseChoice {
    /// It is part of the world
    Fixed,
    /// It floats
    Free,
}

/// What to do about bad inertias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InertiaChoice {
    /// They are errors
    Refuse,
    /// They are mended, with a note
    Repair,
}

/// What meshes become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MeshChoice {
    /// Convex hulls
    Hull,
    /// The meshes themselves
    Exact,
}

/// What joints that follow others become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MimicChoice {
    /// They follow
    Follow,
    /// They move by themselves, with a note
    Free,
}

/// What largest speeds become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SpeedChoice {
    /// Ratings beside the model
    Tell,
    /// Bounds that joints are held to
    Hold,
}

/// Whether a file is a robot by its name.
pub fn is_robot(file: &str) -> bool {
    let extension = Path::new(file).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["urdf", "xml", "mjcf", "usda", "usd", "usdc", "usdz"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

impl RobotOptions {
    /// The option that is given although the scene is no robot file, if one is.
    pub fn misplaced(&self) -> Option<&'static str> {
        let given = [
            ("--base", self.base.is_some()),
            ("--inertia", self.inertia.is_some()),
            ("--meshes", self.meshes.is_some()),
            ("--mimic", self.mimic.is_some()),
            ("--speeds", self.speeds.is_some()),
            ("--package", !self.packages.is_empty()),
            ("--ground", self.ground),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Reads a robot file.
    pub fn read(&self, file: &str) -> Result<Imported, Failure> {
        let mut robot = import::read(Path::new(file), &self.chosen()?)?;
        if self.ground {
            robot.add_ground().map_err(Failure::new)?;
        }
        if robot.model.body_count() == 0 {
            return Err(Failure::new(format!(
                "`{file}` has nothing that could move: no link hangs from a joint that moves"
            )));
        }
        Ok(robot)
    }

    fn chosen(&self) -> Result<ImportOptions, Failure> {
        let mut options = ImportOptions {
            base: self.base.map(|base| if base == BaseChoice::Fixed { Base::Fixed } else { Base::Free }),
            ..ImportOptions::default()
        };
        if self.inertia == Some(InertiaChoice::Repair) {
            options.inertia = InertiaFaults::Repair;
        }
        if self.meshes == Some(MeshChoice::Exact) {
            options.meshes = MeshUse::Exact;
        }
        if self.mimic == Some(MimicChoice::Free) {
            options.mimic = MimicJoints::Free;
        }
        if self.speeds == Some(SpeedChoice::Hold) {
            options.speeds = Speeds::Hold;
        }
        for given in &self.packages {
            let Some((name, folder)) = given.split_once('=') else {
                return Err(Failure::new(format!("--package `{given}` is not of the form NAME=FOLDER")));
            };
            options.packages.insert(name.to_owned(), PathBuf::from(folder));
        }
        Ok(options)
    }
}
