//! Recordings that do not grow in memory: frames go to files beside the recording, one per array, and become the
//! recording when the run ends.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use drystone::Recording;
use drystone::model::{Model, State};
use drystone::recording::affine_rows;

use super::arrays::Arrays;
use super::columns::{AFFINE, COLUMNS, Column};
use super::{RecordingError, read, read_recording, write};
use crate::atomic::{WriteError, atomic_write};
use crate::npz::{Array, Data, NpzWriter, RawKind};

/// Frames are held back until they fill this much \[bytes\].
const HELD_BACK: usize = 4 << 20;
/// The file that says to which scene the frames belong.
const SCENE: &str = "scene";

/// Frames on their way to disk.
///
/// They lie in a hidden folder beside the file they were asked for, which is removed at the end unless
/// [`RecordingStream::keep`] says that the run will go on.
#[derive(Debug)]
pub struct RecordingStream {
    /// The scene, and the frames held back.
    held: Recording,
    path: PathBuf,
    folder: PathBuf,
    on_disk: usize,
    last: f64,
    keep: bool,
}

impl RecordingStream {
    /// Starts a stream for the file at `path`; frames left there by an earlier run are removed.
    pub fn create(path: &Path, model: &Model, every: u64) -> Result<Self, WriteError> {
        let stream = Self {
            held: Recording::new(model).every(every),
            path: path.to_path_buf(),
            folder: folder_of(path),
            on_disk: 0,
            last: f64::NEG_INFINITY,
            keep: false,
        };
        stream.told(|| {
            if stream.folder.exists() {
                fs::remove_dir_all(&stream.folder)?;
            }
            fs::create_dir_all(&stream.folder)?;
            fs::write(stream.folder.join(SCENE), scene_mark(model))
        })?;
        Ok(stream)
    }

    /// Goes on with the frames up to time `until` \[s\] of an earlier run: those it left in its folder, or those of the
    /// recording at `path` if it came to its end. Starts with none if there are neither.
    pub fn resume(path: &Path, model: &Model, every: u64, until: f64) -> Result<Self, RecordingError> {
        let folder = folder_of(path);
        let ours = fs::read_to_string(folder.join(SCENE)).is_ok_and(|mark| mark == scene_mark(model));
        if !ours {
            let earlier = earlier_frames(path, model)?;
            let mut stream = Self::create(path, model, every)?;
            if let Some(earlier) = earlier {
                stream.take_over(&earlier, until)?;
            }
            return Ok(stream);
        }
        let held = Recording::new(model).every(every);
        let mut stream =
            Self { held, path: path.to_path_buf(), folder, on_disk: 0, last: f64::NEG_INFINITY, keep: false };
        stream.cut(until).map_err(|source| stream.failed(source))?;
        Ok(stream)
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.on_disk + self.held.frame_count()
    }

    /// Appends a state and the gap of every joint \[m\], unless thinning skips it or the frame is there already. Returns
    /// whether a frame was added.
    ///
    /// # Panics
    /// If the state or the joint errors are not sized for the model.
    pub fn push(&mut self, state: &State, joint_error: &[f64]) -> Result<bool, WriteError> {
        if state.time <= self.last || !self.held.push(state, joint_error) {
            return Ok(false);
        }
        self.last = state.time;
        let frame = 200 * self.held.model.body_count() + 48 * self.held.model.particle_count() + 8;
        if self.held.frame_count() * frame >= HELD_BACK {
            self.flush()?;
        }
        Ok(true)
    }

    /// Writes the frames held back, so that they survive the process.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.complete_affine().and_then(|()| self.append()).map_err(|source| self.failed(source))
    }

    /// Leaves the frames on disk for a run that goes on from here.
    pub fn keep(&mut self) {
        self.keep = true;
    }

    /// Writes everything as `.npz`.
    pub fn write(&mut self, path: &Path) -> Result<(), WriteError> {
        self.flush()?;
        atomic_write(path, |sink| {
            let mut npz = NpzWriter::new(sink);
            for column in self.columns() {
                let shape = column.shape(&self.held.model, self.on_disk);
                let kind = if column.name == "joint_intact" { RawKind::Bool } else { RawKind::Float };
                npz.raw(column.name, kind, &shape, BufReader::new(File::open(self.file(column.name))?))?;
            }
            write::scene(&self.held, &mut npz)?;
            npz.finish()
        })
    }

    /// Reads all frames into memory, for formats that need them at once.
    pub fn load(&mut self) -> Result<Recording, WriteError> {
        self.flush()?;
        self.arrays().map_err(|source| self.failed(source)).and_then(|arrays| {
            let mut whole = self.held.clone();
            read::frames(&mut Arrays(arrays), &self.held.model, &mut whole)
                .map_err(|error| self.failed(io::Error::other(error)))?;
            Ok(whole)
        })
    }

    fn arrays(&self) -> io::Result<BTreeMap<String, Array>> {
        let array = |column: &Column| {
            let mut bytes = Vec::new();
            File::open(self.file(column.name))?.read_to_end(&mut bytes)?;
            let data = match column.name {
                "joint_intact" => Data::Bool(bytes.iter().map(|&b| b != 0).collect()),
                _ => Data::Float(bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect()),
            };
            let shape = column.shape(&self.held.model, self.on_disk);
            Ok((column.name.to_owned(), Array { shape, data }))
        };
        self.columns().map(array).collect()
    }

    /// The columns on disk.
    fn columns(&self) -> impl Iterator<Item = &'static Column> {
        let affine = self.file(AFFINE).exists();
        COLUMNS.iter().filter(move |column| column.name != AFFINE || affine)
    }

    fn file(&self, column: &str) -> PathBuf {
        self.folder.join(column)
    }

    /// Affine placements may begin with a later frame; those before were rigid.
    fn complete_affine(&mut self) -> io::Result<()> {
        let (begun, held) = (self.file(AFFINE).exists(), !self.held.body_affine.is_empty());
        if begun && !held {
            self.held.body_affine = self.held.body_q.iter().map(affine_rows).collect();
        }
        if held && !begun && self.on_disk > 0 {
            let earlier = super::arrays::to_poses(read_floats(&self.file("body_q"))?);
            let rows: Vec<[f64; 12]> = earlier.iter().map(affine_rows).collect();
            fs::write(self.file(AFFINE), rows.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn append(&mut self) -> io::Result<()> {
        for column in COLUMNS.iter().filter(|column| column.is_in(&self.held)) {
            let file = OpenOptions::new().create(true).append(true).open(self.file(column.name))?;
            let mut sink = BufWriter::new(file);
            (column.values)(&self.held).write(&mut sink)?;
            sink.flush()?;
        }
        self.on_disk += self.held.frame_count();
        let held = std::mem::take(&mut self.held);
        self.held = Recording { model: held.model, surface: held.surface, every: held.every, ..Recording::default() };
        Ok(())
    }

    /// Cuts all files to the frames up to `until`; a process that was killed leaves them unequally long.
    fn cut(&mut self, until: f64) -> io::Result<()> {
        let model = &self.held.model;
        let time = read_floats(&self.file("time"))?;
        let mut frames = time.iter().take_while(|&&t| t <= until).count();
        let bytes = |column: &Column, frames: usize| {
            let each = if column.name == "joint_intact" { 1 } else { 8 };
            column.shape(model, frames).iter().product::<usize>() as u64 * each
        };
        for column in self.columns() {
            let length = fs::metadata(self.file(column.name))?.len();
            let row = bytes(column, 1);
            frames = frames.min(length.checked_div(row).map_or(frames, |rows| rows as usize));
        }
        for column in self.columns() {
            OpenOptions::new().write(true).open(self.file(column.name))?.set_len(bytes(column, frames))?;
        }
        self.on_disk = frames;
        self.last = frames.checked_sub(1).map_or(f64::NEG_INFINITY, |last| time[last]);
        Ok(())
    }

    /// Takes the frames of a finished recording over.
    fn take_over(&mut self, earlier: &Recording, until: f64) -> Result<(), WriteError> {
        for frame in (0..earlier.frame_count()).filter(|&frame| earlier.time[frame] <= until) {
            let mut state = earlier.state(frame);
            // Frames were thinned when they were made.
            state.step_count = 0;
            self.push(&state, earlier.joint_errors(frame))?;
        }
        self.flush()
    }

    fn told<T>(&self, work: impl FnOnce() -> io::Result<T>) -> Result<T, WriteError> {
        work().map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> WriteError {
        WriteError { path: self.path.clone(), source }
    }
}

impl Drop for RecordingStream {
    fn drop(&mut self) {
        if !self.keep {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

fn read_floats(path: &Path) -> io::Result<Vec<f64>> {
    let bytes = fs::read(path)?;
    Ok(bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect())
}

/// The recording of a run that came to its end, if there is one of this scene.
fn earlier_frames(path: &Path, model: &Model) -> Result<Option<Recording>, RecordingError> {
    if path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("npz")) || !path.exists() {
        return Ok(None);
    }
    let earlier = read_recording(path)?;
    let same = earlier.model.body_name == model.body_name
        && earlier.model.joint_count() == model.joint_count()
        && earlier.model.particle_count() == model.particle_count();
    Ok(same.then_some(earlier))
}

/// The hidden folder beside a file.
fn folder_of(path: &Path) -> PathBuf {
    let mut hidden = OsString::from(".");
    hidden.push(path.file_name().unwrap_or_default());
    hidden.push(".frames");
    path.with_file_name(hidden)
}

fn scene_mark(model: &Model) -> String {
    // With velocities of particles; folders of earlier versions lack them and are begun again.
    format!("{:016x} 2", model.hash())
}
