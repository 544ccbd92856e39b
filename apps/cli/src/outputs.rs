//! The files a run leaves behind. Everything is checked before the first step, so that a long run
//! does not end with a wrong file name; every file appears whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use drystone::model::Model;
use drystone_io::atomic::atomic_write;
use drystone_io::export::{self, Format, PictureOptions};
use drystone_io::recording::RecordingStream;

use crate::args::RunOptions;
use crate::error::Failure;
use crate::frames::Frames;
use crate::progress::Progress;
use crate::report::RunReport;

/// The files to write.
#[derive(Debug)]
pub struct Outputs {
    motion: Vec<(PathBuf, Format)>,
    report: Option<PathBuf>,
    /// How many steps a recorded frame stands for, where the user says it.
    every: Option<u64>,
}

impl Outputs {
    /// Checks the paths of a run.
    pub fn plan(options: &RunOptions) -> Result<Self, Failure> {
        let mut motion = Vec::new();
        if let Some(path) = &options.record {
            if Format::of(path) != Some(Format::Npz) {
                return Err(Failure::new(format!(
                    "--record {}: recordings end in .npz; other formats go to --export",
                    path.display()
                )));
            }
            motion.push((path.clone(), Format::Npz));
        }
        for path in &options.export {
            let format = Format::of(path).ok_or_else(|| unknown_format(path))?;
            motion.push((path.clone(), format));
        }
        if options.every == Some(0) {
            return Err(Failure::new("--every must be at least 1"));
        }
        if options.checkpoint_every == Some(0) {
            return Err(Failure::new("--checkpoint-every must be at least 1"));
        }
        let plan = Self { motion, report: options.report.clone(), every: options.every };
        let paths: Vec<&Path> = plan.paths().chain(options.checkpoint.as_deref()).collect();
        paths.iter().try_for_each(|path| check_folder(path))?;
        check_distinct(&paths, Path::new(&options.source.scene))?;
        Ok(plan)
    }

    fn paths(&self) -> impl Iterator<Item = &Path> {
        self.motion.iter().map(|(path, _)| path.as_path()).chain(self.report.as_deref())
    }

    /// Where the frames go, if any file needs the motion: to disk beside the first of these files. A run that goes on from a
    /// checkpoint goes on with the frames it had up to then.
    pub fn frames(&self, model: &Model, steps: u64, resumed_at: Option<f64>) -> Result<Frames, Failure> {
        let Some((first, _)) = self.motion.first() else { return Ok(Frames::None) };
        let every = self.every.unwrap_or_else(|| self.thinned(model, steps));
        let Some(until) = resumed_at else {
            return Ok(Frames::Disk(RecordingStream::create(first, model, every)?));
        };
        let stream = RecordingStream::resume(first, model, every, until)?;
        if stream.frame_count() == 0 {
            eprintln!("no earlier frames of this run were found beside {}: it begins at {until:.3} s", first.display());
        }
        Ok(Frames::Disk(stream))
    }

    /// Steps per recorded frame that keep the frames of a run from filling the disk.
    fn thinned(&self, model: &Model, steps: u64) -> u64 {
        (bytes_of(model, steps, 1) / MUCH).ceil().max(1.0) as u64
    }

    /// What to say before a run whose frames would fill disk or memory: that they are thinned, or, where the user says how
    /// many there shall be, how large they get.
    pub fn remark(&self, model: &Model, steps: u64) -> Option<String> {
        let bytes = bytes_of(model, steps, self.every.unwrap_or(1));
        if self.motion.is_empty() || bytes <= MUCH {
            return None;
        }
        let in_memory = self.motion.iter().any(|(_, format)| *format != Format::Npz);
        let place = if in_memory { "disk, and of memory when the pictures are made" } else { "disk" };
        let (all, most) = (format!("{:.1} GB of {place}", bytes / 1e9), format!("{:.0} GB", MUCH / 1e9));
        let fewer = self.thinned(model, steps);
        Some(match self.every {
            None => format!(
                "note: all frames would take about {all}; one step in {fewer} is recorded, which keeps them below {most} \
                 (--every 1 records all)"
            ),
            Some(_) => format!("warning: the frames take about {all}; --every {fewer} keeps them below {most}"),
        })
    }

    /// Writes everything; returns the paths written.
    pub fn write(
        &self,
        frames: &mut Frames,
        report: &RunReport,
        pictures: &PictureOptions,
        quiet: bool,
    ) -> Result<Vec<PathBuf>, Failure> {
        if let Frames::Disk(stream) = frames {
            self.write_motion(stream, pictures, quiet)?;
        }
        if let Some(path) = &self.report {
            let text = serde_json::to_string_pretty(report)?;
            atomic_write(path, |file| file.write_all(text.as_bytes()))?;
        }
        Ok(self.paths().map(Path::to_owned).collect())
    }

    /// Recordings straight from disk; the other formats need all frames at once.
    fn write_motion(
        &self,
        stream: &mut RecordingStream,
        pictures: &PictureOptions,
        quiet: bool,
    ) -> Result<(), Failure> {
        for (path, _) in self.motion.iter().filter(|(_, format)| *format == Format::Npz) {
            stream.write(path)?;
        }
        if self.motion.iter().all(|(_, format)| *format == Format::Npz) {
            return Ok(());
        }
        let recording = stream.load()?;
        for (path, format) in self.motion.iter().filter(|(_, format)| *format != Format::Npz) {
            let bar = Progress::film(&path.display().to_string(), quiet);
            let watch = |done: usize, all: usize| {
                bar.set_length(all as u64);
                bar.set_position(done as u64);
            };
            let written = export::write(path, *format, &recording, pictures, &watch);
            bar.finish_and_clear();
            written?;
        }
        Ok(())
    }
}

/// Bytes of frames that a user is warned of.
const MUCH: f64 = 1e9;

/// Bytes of a frame: poses, velocities and, as `abd` has them, affine placements of bodies; joints; particles.
fn frame_bytes(model: &Model) -> f64 {
    let [bodies, joints, particles] = [model.body_count(), model.joint_count(), model.particle_count()];
    (bodies * (7 + 6 + 12) * 8 + joints * 9 + particles * 24) as f64
}

fn unknown_format(path: &Path) -> Failure {
    let known: Vec<String> = Format::ALL.iter().map(|(extension, _)| format!(".{extension}")).collect();
    Failure::new(format!("--export {}: the extension says no format; known: {}", path.display(), known.join(", ")))
}

/// No file may be written twice, nor over the scene it came from.
fn check_distinct(paths: &[&Path], scene: &Path) -> Result<(), Failure> {
    for (index, path) in paths.iter().enumerate() {
        if paths[..index].contains(path) {
            let path = path.display();
            return Err(Failure::new(format!("`{path}` would be written twice; give every output its own name")));
        }
        if same_file(path, scene) {
            let path = path.display();
            return Err(Failure::new(format!("`{path}` is the scene itself; give the output another name")));
        }
    }
    Ok(())
}

/// Whether two paths lead to the same file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Refuses a path that cannot be written to.
pub fn check_folder(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::new(format!("`{}` is a folder; name a file in it", path.display())));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Failure::new(format!(
            "cannot write `{}`: there is no folder `{}`; make it first",
            path.display(),
            folder.display()
        ))),
        _ => Ok(()),
    }
}

/// Bytes of the frames of a run of so many steps.
fn bytes_of(model: &Model, steps: u64, every: u64) -> f64 {
    (steps / every + 1) as f64 * frame_bytes(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_fill_the_memory_are_announced_with_the_way_out() {
        let outputs = |every| Outputs { motion: vec![("a.npz".into(), Format::Npz)], report: None, every };
        let model = drystone_scenes::make("stack", &["count=10"]).unwrap().model;
        assert_eq!(outputs(Some(1)).remark(&model, 10_000), None);
        // 2,000 bytes a frame.
        let warning = outputs(Some(1)).remark(&model, 5_000_000).unwrap();
        assert!(warning.contains("10.0 GB of disk;") && warning.contains("--every 11"), "{warning}");
        assert_eq!(outputs(Some(11)).remark(&model, 5_000_000), None);
    }

    #[test]
    fn frames_are_thinned_where_nobody_says_how_many_there_shall_be() {
        let outputs = |motion| Outputs { motion, report: None, every: None };
        let recorded = outputs(vec![("a.npz".into(), Format::Npz)]);
        let model = drystone_scenes::make("stack", &["count=10"]).unwrap().model;
        assert_eq!((recorded.thinned(&model, 10_000), recorded.remark(&model, 10_000)), (1, None));
        let note = recorded.remark(&model, 5_000_000).unwrap();
        assert!(note.starts_with("note") && note.contains("one step in 11"), "{note}");
        assert_eq!(outputs(Vec::new()).remark(&model, 5_000_000), None);
    }
}
