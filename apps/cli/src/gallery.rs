//! `drystone gallery`: a picture of every scene.

use std::path::Path;

use drystone::Recording;
use drystone_picture::raster::{Options, View};
use drystone_picture::{write_gif, write_png};
use drystone_scenes::{Measures, SCENES, find};

use crate::Outcome;
use crate::args::{GalleryOptions, SceneOptions};
use crate::error::Failure;
use crate::frames::Frames;
use crate::live_run::{LiveRun, simulation};
use crate::print;
use crate::progress::Progress;
use crate::source::{Job, scene_job};

/// Small enough for a page of many and a clone of few megabytes \[pixels\].
const PICTURE: [usize; 2] = [480, 270];
const FILM: [usize; 2] = [320, 180];
/// Pictures per second of a film.
const FPS: f64 = 12.0;

/// How a scene is run so that its last frame shows what it is about.
struct Shot {
    scene: &'static str,
    set: &'static [&'static str],
    /// Simulated time, if not the scene's own \[s\].
    seconds: Option<f64>,
    /// Where it is looked at from, if not from the usual place: degrees around and above it.
    from: Option<[f64; 2]>,
}

impl Shot {
    const fn from(self, azimuth: f64, elevation: f64) -> Self {
        Self { from: Some([azimuth, elevation]), ..self }
    }

    fn view(&self) -> View {
        let direction = self.from.map(|degrees| degrees.map(f64::to_radians));
        direction.map_or_else(View::default, |[azimuth, elevation]| View {
            azimuth,
            elevation: Some(elevation),
            ..View::default()
        })
    }
}

const fn shot(scene: &'static str, set: &'static [&'static str], seconds: Option<f64>) -> Shot {
    Shot { scene, set, seconds, from: None }
}

/// Scenes that are not shown at the end of their own time, or not in their own size. Large ones are shown smaller.
const SHOTS: &[Shot] = &[
    shot("pyramid", &[], Some(1.0)),
    shot("wall", &["rows=12", "columns=12"], Some(1.0)),
    shot("stack", &[], Some(1.0)),
    shot("mass-ratio", &[], Some(1.0)),
    shot("large-pyramid", &["rows=40"], Some(0.2)),
    shot("keva", &[], Some(0.1)),
    shot("pile", &["count=500"], Some(3.0)),
    shot("card-house", &[], Some(1.0)),
    shot("arch", &[], Some(1.0)),
    shot("incline", &[], Some(1.0)),
    shot("sliding-box", &[], Some(1.0)),
    shot("sliding-row", &[], Some(0.1)),
    shot("sliding-slabs", &[], Some(1.0)),
    shot("overhang", &[], Some(1.0)),
    shot("domino", &["count=16"], Some(1.2)),
    shot("thrown-stack", &[], Some(0.5)),
    shot("chain", &[], Some(1.0)),
    shot("necklace", &["chains=10"], Some(1.0)),
    shot("joint-grid", &["size=8"], Some(1.0)),
    shot("pendulum", &[], Some(0.5)),
    shot("double-pendulum", &[], Some(0.7)),
    shot("newton-cradle", &[], Some(0.6)),
    shot("gyroscope", &[], Some(2.1)),
    shot("cable", &[], Some(2.0)),
    shot("gears", &[], Some(1.0)),
    shot("bridge", &[], Some(2.0)),
    shot("wrecking-ball", &[], Some(1.5)),
    shot("chain-hits-stack", &[], Some(1.2)),
    shot("ragdolls", &["count=2"], Some(0.6)),
    shot("tree", &[], Some(0.3)),
    shot("random-tree", &[], Some(0.1)),
    shot("humanoid", &[], Some(0.3)),
    shot("four-bar", &[], Some(0.3)),
    shot("six-bar", &[], Some(0.3)),
    shot("klann-walker", &[], Some(0.3)),
    shot("walker-on-rubble", &[], Some(0.5)),
    shot("thousand-loops", &["legs=24"], Some(0.3)).from(30.0, 20.0),
    shot("signs", &["count=10"], Some(1.0)).from(35.0, 15.0),
    shot("mail-on-ball", &["size=6"], None).from(-35.0, 60.0),
    shot("stewart-platform", &[], Some(0.3)),
    shot("chain-mail", &["size=4"], Some(0.3)),
    shot("assembly", &[], Some(0.3)),
    shot("tunnelling", &[], Some(0.04)).from(-35.0, 15.0),
    shot("peg-in-hole", &[], Some(0.2)),
    shot("turntable", &[], Some(0.3)).from(25.0, 35.0),
    shot("chain-net", &["size=3"], Some(0.6)),
    shot("screw", &[], Some(0.5)).from(30.0, 25.0),
    shot("creature", &[], Some(0.6)),
    shot("spikes", &[], Some(0.6)),
    shot("erleben-cliff-edges", &[], Some(0.6)),
    shot("erleben-internal-edges", &[], Some(0.5)),
    shot("erleben-sliding-spike", &[], Some(0.5)),
    shot("erleben-sliding-wedge", &[], Some(0.5)),
    shot("erleben-spike-and-wedge", &[], Some(0.4)),
    shot("erleben-spike-in-crack", &[], Some(0.6)),
    shot("erleben-spike-in-hole", &[], Some(0.6)),
    shot("erleben-spikes", &[], Some(0.4)),
    shot("erleben-wedge-in-crack", &[], Some(0.6)),
    shot("erleben-wedges", &[], Some(0.4)),
];

/// Scenes that are also shown moving, with the simulated time of the film \[s\].
const FILMS: &[(&str, f64)] = &[("wrecking-ball", 4.0), ("klann-walker", 3.0), ("domino", 3.0)];

/// Takes the pictures of all scenes or of those named.
pub fn gallery(options: &GalleryOptions) -> Result<Outcome, Failure> {
    let names: Vec<&str> = match options.scenes.is_empty() {
        true => SCENES.iter().map(|entry| entry.name).collect(),
        false => options.scenes.iter().map(|name| Ok(find(name)?.name)).collect::<Result<_, Failure>>()?,
    };
    std::fs::create_dir_all(&options.out)
        .map_err(|error| Failure::new(format!("cannot make the folder `{}`: {error}", options.out.display())))?;
    let mut written = Vec::new();
    let quiet = options.quiet || options.json;
    for name in names {
        let path = options.out.join(name).with_extension("png");
        let shot = SHOTS.iter().find(|shot| shot.scene == name);
        let (own, seconds) = shot.map_or((&[][..], None), |shot| (shot.set, shot.seconds));
        let view = shot.map_or_else(View::default, Shot::view);
        let recording = record(name, own, seconds, quiet)?;
        write_png(&path, &recording, None, sized(PICTURE, view))?;
        tell(quiet, &path);
        written.push(path.clone());
        if let Some((_, seconds)) = FILMS.iter().find(|(film, _)| *film == name) {
            let path = path.with_extension("gif");
            write_gif(&path, &record(name, own, Some(*seconds), quiet)?, FPS, sized(FILM, view), &|_, _| ())?;
            tell(quiet, &path);
            written.push(path);
        }
    }
    if options.json {
        print::line(serde_json::to_string_pretty(&serde_json::json!({ "written": written }))?);
    }
    Ok(Outcome::Good)
}

fn sized([width, height]: [usize; 2], view: View) -> Options {
    Options { width, height, view, ..Options::default() }
}

fn tell(quiet: bool, path: &Path) {
    if !quiet {
        print::line(format!("wrote {}", path.display()));
    }
}

/// Runs a scene by its own solver. Whether its claim holds is not asked: a run cut short has not shown it yet.
fn record(scene: &str, set: &[&str], seconds: Option<f64>, quiet: bool) -> Result<Recording, Failure> {
    let set = set.iter().map(|&text| text.to_owned()).collect();
    let job: Job = scene_job(&SceneOptions { scene: scene.to_owned(), set, seconds, ..SceneOptions::default() })?;
    let sim = simulation(&job, &job.solver, &job.options, None)?;
    let recording = Recording::new(&job.model);
    let mut live = LiveRun::new(sim, Measures::new(&job.model, None), Frames::Memory(recording))?;
    let mut progress = Progress::new(scene, 0, job.steps, job.model.body_count(), quiet);
    for step in 0..job.steps {
        live.step(None)?;
        progress.step(step + 1);
    }
    progress.finish();
    Ok(live.frames.into_recording())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shot_is_of_a_scene_that_can_be_made_so() {
        for shot in SHOTS {
            assert!(drystone_scenes::make(shot.scene, shot.set).is_ok(), "{}", shot.scene);
        }
        assert!(FILMS.iter().all(|(name, _)| find(name).is_ok()));
    }
}
