//! The set: which scenes, at which size, by which solvers.

use drystone_scenes::{SCENES, Scene};

use drystone_device::DeviceChoice;

use super::options::SetOptions;
use crate::args::Backend;
use crate::error::Failure;
use crate::gpu::{HAS_GPU, check_gpu, check_gpu_build, runs_on_gpu};

/// Scenes that are also measured larger than they come, or in another form.
const SIZES: [(&str, &[&str]); 6] = [
    ("mass-ratio", &["mass-ratio", "mass-ratio:flat=true"]),
    ("pile", &["pile:count=2000", "pile:count=8000"]),
    ("necklace", &["necklace", "necklace:chains=2500"]),
    ("incline", &["incline:angle=26.5", "incline:angle=26.75"]),
    ("tree", &["tree", "tree:levels=10"]),
    ("random-tree", &["random-tree", "random-tree:bodies=1000"]),
];
/// Bodies from which on threads are worth a row of their own.
const MANY: usize = 200;

/// A case to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Scene with its settings.
    pub scene: String,
    /// Solver by name.
    pub solver: String,
    /// Threads.
    pub threads: usize,
    /// The GPU it runs on; none for the processor.
    pub device: Option<DeviceChoice>,
}

/// The cases asked for.
pub fn cases(options: &SetOptions) -> Result<Vec<Case>, Failure> {
    let scenes = if options.scenes.is_empty() { all_scenes() } else { options.scenes.clone() };
    let mut cases = Vec::new();
    for text in scenes {
        let scene = drystone_scenes::parse(&text)?;
        let solvers = if options.solver.is_empty() { claimed(&scene) } else { options.solver.clone() };
        for solver in solvers {
            let threads = if options.threads.is_empty() { usual_threads(&scene) } else { options.threads.clone() };
            let case = |threads, device| Case { scene: text.clone(), solver: solver.clone(), threads, device };
            if options.backend != Some(Backend::Gpu) {
                cases.extend(threads.into_iter().map(|threads| case(threads, None)));
            }
            if on_gpu(options, &solver)? {
                cases.push(case(1, Some(options.device)));
            }
        }
    }
    Ok(cases)
}

/// Whether a solver is measured on the GPU too. Solvers that run on the processor only are left out unless they are named.
fn on_gpu(options: &SetOptions, solver: &str) -> Result<bool, Failure> {
    match options.backend {
        Some(Backend::Cpu) => Ok(false),
        Some(Backend::Gpu) if !options.solver.is_empty() => check_gpu(options.device, solver).map(|()| true),
        Some(Backend::Gpu) => Ok(check_gpu_build(options.device).map(|()| runs_on_gpu(solver))?),
        None => Ok(HAS_GPU && runs_on_gpu(solver)),
    }
}

fn all_scenes() -> Vec<String> {
    let sizes = |name: &'static str| {
        let listed = SIZES.iter().find(|(known, _)| *known == name).map(|(_, sizes)| *sizes);
        listed.map_or_else(|| vec![name], <[&str]>::to_vec)
    };
    SCENES.iter().flat_map(|entry| sizes(entry.name)).map(str::to_owned).collect()
}

fn claimed(scene: &Scene) -> Vec<String> {
    scene.settings.solvers.iter().map(|&solver| solver.to_owned()).collect()
}

/// One thread, and all of the machine's where the scene is large.
fn usual_threads(scene: &Scene) -> Vec<usize> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    if scene.model.body_count() >= MANY && all > 1 { vec![1, all] } else { vec![1] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_in_the_set_and_every_size_is_a_scene() {
        let scenes = all_scenes();
        for entry in SCENES {
            let named = |text: &String| text.split(':').next() == Some(entry.name);
            assert!(scenes.iter().any(named), "{}", entry.name);
        }
        for text in scenes.iter().filter(|text| !text.contains("8000") && !text.contains("2500")) {
            assert!(drystone_scenes::parse(text).is_ok(), "{text}");
        }
    }
}
