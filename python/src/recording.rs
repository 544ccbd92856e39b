//! A run as data.

use std::path::PathBuf;

use drystone::Simulation as Engine;
use drystone::geometry::DVec3;
use drystone::model::Pose;
use drystone_io::export::{Format, PictureOptions};
use drystone_io::recording::{read_recording, write_recording};
use drystone_picture::raster::{Options, Renderer, View};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::convert::{pose_row, twist_row, vector};
use crate::error::{FileError, OrRaise};
use crate::model::Model;
use crate::pool::Threads;
use crate::shared::Shared;
use crate::simulation::Simulation;

/// The frames of a run with the scene they belong to: to be saved, drawn and read with NumPy.
#[pyclass(frozen, module = "drystone")]
pub struct Recording(Shared<drystone::Recording>);

#[pymethods]
impl Recording {
    /// An empty recording of a model that keeps every `every`-th step.
    #[new]
    #[pyo3(signature = (model, *, every=1))]
    fn new(model: PyRef<'_, Model>, every: u64) -> PyResult<Self> {
        if every == 0 {
            return Err(PyValueError::new_err("every must be 1 or more"));
        }
        Ok(Self(Shared::new(drystone::Recording::new(&model.0).every(every))))
    }

    /// Reads a recording (.npz).
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        Ok(Self(Shared::new(read_recording(&path).or_raise()?)))
    }

    /// Appends the state of a simulation of the same model; returns whether it was kept.
    fn push(&self, py: Python<'_>, sim: PyRef<'_, Simulation>) -> PyResult<bool> {
        sim.ask(py, |sim| {
            let mut recording = self.0.lock(py)?;
            push(&mut recording, sim)
        })
    }

    /// Number of frames.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.lock(py)?.frame_count())
    }

    /// The scene.
    #[getter]
    fn model(&self, py: Python<'_>) -> PyResult<Model> {
        Ok(Model::new(self.0.lock(py)?.model.clone()))
    }

    /// Simulated time of every frame [s].
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, &self.0.lock(py)?.time))
    }

    /// Pose of every body in every frame: position [m], quaternion (x, y, z, w); (frames, bodies, 7).
    #[getter]
    fn body_q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let recording = self.0.lock(py)?;
        let shape = [recording.frame_count(), recording.model.body_count(), 7];
        PyArray1::from_vec(py, recording.body_q.iter().flat_map(|pose: &Pose| pose_row(pose)).collect()).reshape(shape)
    }

    /// Velocity of every body in every frame [m/s], [rad/s]; (frames, bodies, 6).
    #[getter]
    fn body_qd<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let recording = self.0.lock(py)?;
        let shape = [recording.frame_count(), recording.model.body_count(), 6];
        PyArray1::from_vec(py, recording.body_qd.iter().flat_map(twist_row).collect()).reshape(shape)
    }

    /// Writes the recording; the extension says how: .npz (all of it, opens with numpy.load), .glb, .usda, .png (the last frame),
    /// .gif (a film with `fps` pictures a second).
    #[pyo3(signature = (path, *, width=None, height=None, fps=25.0, eye=None, target=None))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        width: Option<usize>,
        height: Option<usize>,
        fps: f64,
        eye: Option<&Bound<'_, PyAny>>,
        target: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let recording = self.0.lock(py)?;
        let recording = &*recording;
        let Some(format) = Format::of(&path) else {
            let known: Vec<String> = Format::ALL.iter().map(|(name, _)| format!(".{name}")).collect();
            let text = format!("`{}`: a recording is written as {}", path.display(), known.join(", "));
            return Err(FileError::new_err(text));
        };
        let view = view(eye, target)?;
        let sized = |own: Options| Options {
            width: width.unwrap_or(own.width),
            height: height.unwrap_or(own.height),
            view,
            ..own
        };
        let own = PictureOptions::default();
        let pictures = PictureOptions { png: sized(own.png), gif: sized(own.gif), fps };
        let workers = Threads(None).pool(py, usize::MAX)?;
        py.detach(|| {
            workers.run(|| match format {
                Format::Npz => write_recording(&path, recording),
                _ => drystone_io::export::write(&path, format, recording, &pictures, &|_, _| ()),
            })
        })
        .or_raise()
    }

    /// Pictures of some frames, all from one place: (frames, height, width, 3), sRGB bytes. All frames unless some are named.
    #[pyo3(signature = (frames=None, *, width=480, height=270, eye=None, target=None))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        frames: Option<Vec<usize>>,
        width: usize,
        height: usize,
        eye: Option<&Bound<'py, PyAny>>,
        target: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let recording = self.0.lock(py)?;
        let recording = &*recording;
        let count = recording.frame_count();
        let frames = frames.unwrap_or_else(|| (0..count).collect());
        if let Some(bad) = frames.iter().find(|frame| **frame >= count) {
            return Err(PyIndexError::new_err(format!("there is no frame {bad}; the recording has {count}")));
        }
        let options = Options { width, height, view: view(eye, target)?, ..Options::default() };
        let workers = Threads(None).pool(py, usize::MAX)?;
        let images = py.detach(|| {
            workers.run(|| {
                let renderer = Renderer::new(recording, options);
                frames.iter().flat_map(|frame| renderer.render(*frame).rgb).collect::<Vec<u8>>()
            })
        });
        let shape = [frames.len(), height.max(1), width.max(1), 3];
        Ok(PyArray1::from_vec(py, images).reshape(shape)?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let recording = self.0.lock(py)?;
        Ok(format!("<Recording: {} frames, {} bodies>", recording.frame_count(), recording.model.body_count()))
    }
}

#[pymethods]
impl Simulation {
    /// A picture of the scene as it is: (height, width, 3), sRGB bytes. The camera stands where everything fits, or at `eye` [m],
    /// looking at `target` [m].
    #[pyo3(signature = (*, width=480, height=270, eye=None, target=None))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        width: usize,
        height: usize,
        eye: Option<&Bound<'py, PyAny>>,
        target: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let options = Options { width, height, view: view(eye, target)?, ..Options::default() };
        let workers = Threads(None).pool(py, usize::MAX)?;
        let recording = self.ask(py, |sim| {
            let mut recording = drystone::Recording::new(sim.model());
            push(&mut recording, sim)?;
            Ok(recording)
        })?;
        let image = py.detach(|| workers.run(|| Renderer::new(&recording, options).render(0)));
        PyArray1::from_vec(py, image.rgb).reshape([image.height, image.width, 3])
    }
}

/// Where to look from.
fn view(eye: Option<&Bound<'_, PyAny>>, target: Option<&Bound<'_, PyAny>>) -> PyResult<View> {
    let given = |value: Option<&Bound<'_, PyAny>>, what| -> PyResult<Option<DVec3>> {
        value.map(|value| vector(Some(value), what)).transpose()
    };
    Ok(View { eye: given(eye, "eye")?, target: given(target, "target")?, ..View::default() })
}

fn push(recording: &mut drystone::Recording, sim: &Engine) -> PyResult<bool> {
    let (model, state) = (sim.model(), sim.state());
    let sizes = |model: &drystone::model::Model| [model.body_count(), model.joint_count(), model.particle_count()];
    if sizes(model) != sizes(&recording.model) {
        let text = "the simulation has another number of bodies, joints or particles than the model of this recording; \
                    begin a new one after an edit";
        return Err(PyValueError::new_err(text));
    }
    let gaps: Vec<f64> = (0..model.joint_count() as u32).map(|joint| model.joint_error(state, joint).linear).collect();
    Ok(recording.push(state, &gaps))
}
