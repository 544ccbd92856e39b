//! From what was typed to something that can be run.

use std::path::Path;

use drystone::model::{DVec3, Model};
use drystone_io::scene_file::KeyFrames;
use drystone_picture::raster::View;
use drystone_scenes::{Check, Probe};

use crate::args::{Backend, RunOptions, SceneOptions};
use crate::error::Failure;
use crate::gpu::{check_gpu, check_gpu_build, solvers_on_gpu};
use crate::robot;

/// A scene with all choices made: the user's where there are any, the scene's otherwise.
pub struct Job {
    /// What the scene is called.
    pub name: String,
    /// Parameters as given.
    pub set: Vec<String>,
    /// What there is.
    pub model: Model,
    /// What is claimed of it, if anything.
    pub check: Option<Check>,
    /// Solver by name.
    pub solver: String,
    /// Options of the solver.
    pub options: SolverOptions,
    /// Time step \[s\].
    pub dt: f64,
    /// Steps of the whole run.
    pub steps: u64,
    /// Simulated time the scene asks for; its claim is about all of it \[s\].
    pub own_seconds: f64,
    /// From where pictures are taken.
    pub view: View,
    /// Which targets change with time.
    pub motions: KeyFrames,
    /// What a robot file says and the model does not.
    pub notes: Vec<String>,
}

impl Job {
    /// What the scene's claim wants to have read off every state.
    pub fn probe(&self) -> Option<&Probe> {
        self.check.as_ref()?.probe.as_ref()
    }

    /// Changes the solver. Options that a scene file has for its own one are nothing to another.
    pub fn choose_solver(&mut self, solver: &str) {
        if self.solver != solver {
            self.options.clear();
            solver.clone_into(&mut self.solver);
        }
    }

    /// Why the claim cannot be judged, if the run is shorter than what the claim is about.
    pub fn not_judged(&self) -> Option<String> {
        self.check.as_ref()?;
        let simulated = self.steps as f64 * self.dt;
        let short = simulated < self.own_seconds - 0.5 * self.dt;
        short.then(|| format!("{} s of {} s", rounded(simulated), rounded(self.own_seconds)))
    }
}

/// A number without the digits that arithmetic leaves behind.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Makes a job of the options of a run.
pub fn load(options: &RunOptions) -> Result<Job, Failure> {
    let mut job = scene_job(&options.source)?;
    if let Some(solver) = &options.solver {
        job.choose_solver(solver);
    }
    job.options.extend(solver_options(&options.option)?);
    if options.backend == Backend::Gpu {
        job.choose_solver(&solver_on_gpu(options)?);
        job.options.insert("device".to_owned(), options.device.to_string().into());
    }
    if let Some(iterations) = options.iterations {
        set_iterations(&job.solver, &mut job.options, iterations)?;
    }
    check_iterations(&job.options)?;
    job.view = options.view.chosen(job.view);
    Ok(job)
}

/// Makes a job of a scene, with the solver, the options and the view the scene has by itself.
pub fn scene_job(options: &SceneOptions) -> Result<Job, Failure> {
    let is_file = names_file(&options.scene);
    let is_robot = is_file && robot::is_robot(&options.scene);
    if let Some(option) = options.robot.misplaced().filter(|_| !is_robot) {
        let scene = &options.scene;
        return Err(Failure::new(format!(
            "{option}: `{scene}` is no robot file (.urdf, .xml, .usda, .usdc); leave the option out"
        )));
    }
    let source = match is_file {
        true if is_robot => from_robot(options)?,
        true => from_file(options)?,
        false => from_library(options)?,
    };
    let dt = options.dt.unwrap_or(source.dt);
    if !(dt.is_finite() && dt > 0.0) {
        let own = source.dt;
        return Err(Failure::new(format!(
            "--dt must be a positive number of seconds, got {dt}; the scene's own is {own}"
        )));
    }
    Ok(Job {
        name: options.scene.clone(),
        set: options.set.clone(),
        solver: source.solver,
        options: source.options,
        dt,
        steps: step_count(options, source.seconds, dt)?,
        own_seconds: source.seconds,
        model: source.model,
        check: source.check,
        view: source.view,
        motions: source.motions,
        notes: source.notes,
    })
}

/// Sets how often a solver iterates, by the option it has for that.
pub fn set_iterations(solver: &str, options: &mut SolverOptions, count: u32) -> Result<(), Failure> {
    // A solver that does not exist is refused when it is made, with the names of those that do.
    let Some(entry) = drystone::solvers().iter().find(|entry| entry.name == solver) else { return Ok(()) };
    let Some(key) = entry.iterations else {
        return Err(Failure::new(format!(
            "--iterations {count}: the solver `{solver}` takes as many as it needs and has no number of them to set; \
             leave it out"
        )));
    };
    options.insert(key.to_owned(), count.into());
    Ok(())
}

/// Refuses options that leave a solver nothing to do.
pub fn check_iterations(options: &SolverOptions) -> Result<(), Failure> {
    let none = |key: &str| options.get(key).and_then(serde_json::Value::as_f64) == Some(0.0);
    if ["iterations", "max_iterations"].into_iter().any(none) {
        return Err(Failure::new("a solver needs at least one iteration: give --iterations 1 or more"));
    }
    Ok(())
}

/// The solver asked for if it has a GPU backend, or the one that has.
fn solver_on_gpu(options: &RunOptions) -> Result<String, Failure> {
    if let Some(name) = &options.solver {
        return check_gpu(options.device, name).map(|()| name.clone());
    }
    check_gpu_build(options.device)?;
    // The one that takes any scene; `vbd` takes bodies without joints there, and is asked for by name.
    Ok(solvers_on_gpu().next_back().unwrap_or(drystone::DEFAULT_SOLVER).to_owned())
}

/// Options of a solver by name.
pub type SolverOptions = serde_json::Map<String, serde_json::Value>;

/// A scene before the user's choices.
struct Source {
    model: Model,
    check: Option<Check>,
    solver: String,
    options: SolverOptions,
    dt: f64,
    seconds: f64,
    view: View,
    motions: KeyFrames,
    notes: Vec<String>,
}

/// Library names have neither dots nor slashes, files nearly always do.
fn names_file(scene: &str) -> bool {
    drystone_scenes::find(scene).is_err() && (scene.contains(['.', '/', '\\']) || Path::new(scene).exists())
}

fn from_library(options: &SceneOptions) -> Result<Source, Failure> {
    check_once("--set", &options.set)?;
    let scene = drystone_scenes::make(&options.scene, &options.set)?;
    Ok(Source {
        model: scene.model,
        check: Some(scene.check),
        solver: scene.settings.solver().to_owned(),
        options: SolverOptions::new(),
        dt: scene.settings.dt,
        seconds: scene.settings.seconds,
        view: View::default(),
        motions: KeyFrames::default(),
        notes: Vec::new(),
    })
}

/// Refuses files that are known to be something else.
fn check_readable(file: &str) -> Result<(), Failure> {
    let extension = Path::new(file).extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    let advice = match extension.as_deref() {
        Some("sdf") => "descriptions in SDF are not read yet: write the bodies and joints in a scene file",
        Some("xacro") => "expand it first: `xacro robot.urdf.xacro > robot.urdf`",
        Some("obj" | "stl" | "ply" | "gltf" | "glb") => {
            "a mesh is a shape of a body: name it in a scene file by `geometry: { mesh: { file: … } }`"
        }
        Some("npz") => "this is a recording: `drystone check` reads it",
        _ => return Ok(()),
    };
    Err(Failure::new(format!(
        "`{file}`: `drystone run` reads robots (.urdf, .xml, .usda, .usdc) and scene files (.json5, .json), which may name meshes (.obj, .stl, .ply, .gltf, .glb); \
         {advice} (`drystone schema` and docs/scene-files.md say how)"
    )))
}

/// Simulated time of a scene file that does not say \[s\].
const FILE_SECONDS: f64 = 5.0;

/// Refuses parameters for files, which have none.
fn check_no_parameters(options: &SceneOptions) -> Result<(), Failure> {
    match options.set.first() {
        None => Ok(()),
        Some(set) => {
            let file = &options.scene;
            Err(Failure::new(format!("--set {set}: files have no parameters; change `{file}` itself")))
        }
    }
}

fn from_robot(options: &SceneOptions) -> Result<Source, Failure> {
    check_no_parameters(options)?;
    let robot = options.robot.read(&options.scene)?;
    Ok(Source {
        notes: robot.notes.iter().map(ToString::to_string).collect(),
        model: robot.model,
        check: None,
        solver: drystone::DEFAULT_SOLVER.to_owned(),
        options: SolverOptions::new(),
        dt: robot.dt.unwrap_or(drystone::DEFAULT_DT),
        seconds: FILE_SECONDS,
        view: View::default(),
        motions: KeyFrames::default(),
    })
}

fn from_file(options: &SceneOptions) -> Result<Source, Failure> {
    check_no_parameters(options)?;
    check_readable(&options.scene)?;
    let scene = drystone_io::scene_file::load(Path::new(&options.scene))?;
    if scene.model.body_count() == 0 && scene.model.particle_count() == 0 {
        let file = &options.scene;
        return Err(Failure::new(format!(
            "`{file}` has nothing that could move; add entries to `bodies` (`docs/scene-files.md` and the files in \
             `scenes/` show how)"
        )));
    }
    let settings = scene.settings;
    let mut chosen = SolverOptions::new();
    for (key, value) in &settings.options {
        chosen.insert(key.clone(), value.into());
    }
    let solver = settings.solver.unwrap_or_else(|| drystone::DEFAULT_SOLVER.to_owned());
    if let Some(iterations) = settings.iterations {
        set_iterations(&solver, &mut chosen, iterations)?;
    }
    Ok(Source {
        notes: scene.notes,
        motions: scene.motions,
        model: scene.model,
        check: None,
        solver,
        options: chosen,
        dt: settings.dt.unwrap_or(drystone::DEFAULT_DT),
        seconds: settings.seconds.unwrap_or(FILE_SECONDS),
        view: settings.camera.map_or(View::default(), |camera| View {
            eye: Some(DVec3::from_array(camera.eye)),
            target: Some(DVec3::from_array(camera.target)),
            opening: camera.fov_degrees.map_or(View::default().opening, f64::to_radians),
            ..View::default()
        }),
    })
}

/// Runs longer than this are taken for a slip of the keyboard.
const MOST_STEPS: f64 = 1e9;

fn step_count(options: &SceneOptions, seconds: f64, dt: f64) -> Result<u64, Failure> {
    let seconds = options.seconds.unwrap_or(seconds);
    if !(seconds.is_finite() && seconds >= 0.0) {
        return Err(Failure::new(format!("--seconds must be a number of seconds that is not negative, got {seconds}")));
    }
    let steps = options.steps.map_or((seconds / dt).round(), |steps| steps as f64);
    if steps > MOST_STEPS {
        return Err(Failure::new(format!(
            "this would be {steps:.1e} steps; at most {MOST_STEPS:.0e} are taken: shorten --seconds or raise --dt"
        )));
    }
    Ok(steps as u64)
}

/// A key given twice is a slip: only one of the values could count.
fn check_once(option: &str, settings: &[String]) -> Result<(), Failure> {
    let key = |text: &String| text.split_once('=').map(|(key, _)| key.trim().to_owned());
    for (index, text) in settings.iter().enumerate() {
        if let Some(key) =
            key(text).filter(|name| settings[..index].iter().any(|other| key(other).as_ref() == Some(name)))
        {
            return Err(Failure::new(format!("{option} {text}: `{key}` is given twice; keep one of the two")));
        }
    }
    Ok(())
}

/// Options of a solver as typed, each `key=value`.
pub fn solver_options(given: &[String]) -> Result<SolverOptions, Failure> {
    check_once("--option", given)?;
    let mut chosen = SolverOptions::new();
    for text in given {
        let Some((key, value)) = text.split_once('=') else {
            return Err(Failure::new(format!("--option `{text}` is not of the form key=value")));
        };
        // A bare word is a string: method=avbd rather than method="avbd".
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        chosen.insert(key.trim().to_owned(), value);
    }
    Ok(chosen)
}
