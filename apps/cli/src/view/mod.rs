//! `drystone view`: watch a scene in a browser, live.

mod browser;
mod repeat;

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use drystone::SolverChoice;
use drystone_live::{Motion, Session, Source, Start};
use drystone_picture::raster::View;
use drystone_view::{Options, Server};
use serde_json::{Map, Value};

use crate::Outcome;
use crate::args::SceneOptions;
use crate::error::Failure;
use crate::print;
use crate::robot::RobotOptions;
use crate::run::{check_threads, watch_for_stop};
use crate::source::{Job, check_iterations, scene_job, set_iterations, solver_options};

/// A page that is loaded again is gone for less than this.
const RELOAD: Duration = Duration::from_secs(3);

/// Options of `drystone view`.
#[derive(Debug, Args)]
pub struct ViewOptions {
    /// A scene of the library (`drystone scenes`), a scene file (.json5), a robot file (.urdf, .xml, .usda, .usdc) or a recording (.npz)
    #[arg(value_name = "SCENE|FILE|RECORDING", required_unless_present = "repeat")]
    pub scene: Option<String>,
    /// Set a parameter of the scene; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Time step in seconds
    #[arg(long)]
    pub dt: Option<f64>,
    /// Threads; the result does not depend on them
    #[arg(long)]
    pub threads: Option<usize>,
    /// Solver; each scene has its default
    #[arg(long)]
    pub solver: Option<String>,
    /// Set an option of the solver, such as method=avbd; may be given several times
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub option: Vec<String>,
    /// Iterations per step
    #[arg(long)]
    pub iterations: Option<u32>,
    /// Begin paused
    #[arg(long)]
    pub paused: bool,
    /// Port to listen on; 0 takes any that is free
    #[arg(long, default_value = "0")]
    pub port: u16,
    /// Address to listen on. Others than this machine's own let others in who know the key
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub address: IpAddr,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
    /// End when the last page is closed
    #[arg(long)]
    pub exit_when_closed: bool,
    /// Run a log of the viewer again, without a browser, and say whether it ends with the same bits
    #[arg(long, value_name = "LOG", conflicts_with_all = ["scene", "set", "dt", "solver", "option", "iterations"])]
    pub repeat: Option<PathBuf>,
    #[command(flatten)]
    pub robot: RobotOptions,
}

/// Shows a scene until the user ends it.
pub fn view(options: &ViewOptions) -> Result<Outcome, Failure> {
    let threads = options.threads.map(check_threads).transpose()?;
    if let Some(log) = &options.repeat {
        return repeat::repeat(log, threads, &options.robot);
    }
    let mut session = open(options, threads)?;
    if !options.paused {
        session.command(r#"{"do": "play"}"#).map_err(refused)?;
    }
    let server =
        Server::start(session, Options { address: options.address, port: options.port }).map_err(Failure::new)?;
    print::line(server.address());
    if !options.address.is_loopback() {
        eprintln!(
            "warning: {} is reached from other machines; whoever has the whole address can watch and take part",
            options.address
        );
    }
    if !options.no_open && !browser::open(&server.address()) {
        eprintln!("note: no browser was found; open the address above in one, on this machine or through a tunnel");
    }
    wait(server, options.exit_when_closed)
}

/// Waits for Ctrl-C, or for the last page to close.
fn wait(server: Server, exit_when_closed: bool) -> Result<Outcome, Failure> {
    let stop = watch_for_stop();
    let mut alone_since = None;
    loop {
        thread::sleep(Duration::from_millis(50));
        if stop.load(Ordering::Relaxed) {
            server.stop("`drystone view` was ended");
            return Ok(Outcome::Good);
        }
        if server.has_failed() {
            server.stop("the simulation broke off");
            return Err(Failure::new("the simulation broke off; what it said is above"));
        }
        let alone = exit_when_closed && server.readers() == 0 && server.readers_ever() > 0;
        alone_since = alone.then(|| alone_since.unwrap_or_else(Instant::now));
        if alone_since.is_some_and(|since| since.elapsed() > RELOAD) {
            server.stop("the last page was closed");
            return Ok(Outcome::Good);
        }
    }
}

fn refused(refusal: drystone_live::Refusal) -> Failure {
    Failure::new(refusal.text)
}

/// The session of what was named.
fn open(options: &ViewOptions, threads: Option<usize>) -> Result<Session, Failure> {
    let name = options.scene.as_deref().unwrap_or_default();
    if name.to_ascii_lowercase().ends_with(".npz") {
        check_nothing_to_solve(options)?;
        let recording = drystone_io::recording::read_recording(Path::new(name))?;
        let file = Path::new(name).file_name().map_or_else(|| name.into(), |file| file.to_string_lossy());
        return Ok(Session::of_recording(&file, recording, View::default()));
    }
    let source = SceneOptions {
        scene: name.to_owned(),
        set: options.set.clone(),
        dt: options.dt,
        threads,
        robot: options.robot.clone(),
        ..SceneOptions::default()
    };
    let mut job = scene_job(&source)?;
    if let Some(solver) = &options.solver {
        job.choose_solver(solver);
    }
    job.options.extend(solver_options(&options.option)?);
    if let Some(iterations) = options.iterations {
        set_iterations(&job.solver, &mut job.options, iterations)?;
    }
    check_iterations(&job.options)?;
    job.notes.iter().for_each(|note| eprintln!("note: {note}"));
    Session::new(start_of(job, threads)).map_err(refused)
}

/// Refuses for a recording what only a simulation has.
fn check_nothing_to_solve(options: &ViewOptions) -> Result<(), Failure> {
    let given = [
        ("--set", !options.set.is_empty()),
        ("--dt", options.dt.is_some()),
        ("--solver", options.solver.is_some()),
        ("--option", !options.option.is_empty()),
        ("--iterations", options.iterations.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            Err(Failure::new(format!("{option}: a recording is played as it is; leave the option out")))
        }
        None => Ok(()),
    }
}

/// What a session begins with, from a job.
fn start_of(job: Job, threads: Option<usize>) -> Start {
    let is_library = drystone_scenes::find(&job.name).is_ok();
    let mut solver = SolverChoice::from(&job.solver);
    job.options.into_iter().for_each(|(key, value)| solver.set(&key, value));
    let motions = job.motions;
    let motion = (!motions.is_empty())
        .then(|| -> Motion { Arc::new(move |time, dt, control| motions.apply(time, dt, control)) });
    Start {
        name: job.name,
        parameters: parameters(&job.set),
        source: if is_library { Source::Library } else { Source::File },
        model: job.model,
        solver,
        dt: job.dt,
        view: job.view,
        motion,
        threads,
    }
}

/// Parameters as typed, each `key=value`.
fn parameters(set: &[String]) -> Map<String, Value> {
    let pair = |text: &String| {
        let (key, value) = text.split_once('=')?;
        let value = value.trim();
        Some((key.trim().to_owned(), serde_json::from_str(value).unwrap_or_else(|_| value.into())))
    };
    set.iter().filter_map(pair).collect()
}
