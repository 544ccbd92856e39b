//! Arrays of all worlds, filled in place after a step and read before one.

use drystone::Simulation as Engine;
use numpy::{PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::choose::Chosen;
use super::{Batch, Inner, Worlds, opened};
use crate::arrays::{FIELDS, Field, read_only};
use crate::pool::Workers;

/// Worlds that a thread fills at a time.
const SHARE: usize = 32;

/// Arrays of a robot beside those of the model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra {
    Qpos,
    Qvel,
    Ctrl,
    Act,
}

pub(super) const EXTRA: usize = 4;

/// What an array shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Field(Field),
    Robot(Extra),
}

impl What {
    fn slot(self) -> usize {
        match self {
            Self::Field(field) => field as usize,
            Self::Robot(extra) => FIELDS + extra as usize,
        }
    }

    fn is_control(self) -> bool {
        match self {
            Self::Field(field) => field.is_control(),
            Self::Robot(extra) => extra == Extra::Ctrl,
        }
    }

    /// Whether the user may write it.
    fn is_writable(self) -> bool {
        self.is_control() || self == Self::Robot(Extra::Act)
    }
}

/// An array and what of it the user sees.
pub(super) struct Shown {
    base: Py<PyArray3<f64>>,
    shown: Py<PyAny>,
}

impl Batch {
    pub(super) fn array(&self, py: Python<'_>, what: What) -> PyResult<Py<PyAny>> {
        let mut inner = self.inner.lock(py)?;
        if let Some(known) = &inner.arrays[what.slot()] {
            return Ok(known.shown.clone_ref(py));
        }
        let shape = self.shape(&inner.worlds.batch, what)?;
        let base = PyArray3::<f64>::zeros(py, [self.count, shape[0], shape[1]], false);
        if what != What::Robot(Extra::Ctrl) {
            let size = shape[0] * shape[1];
            let mut rows = base.try_readwrite()?;
            let out = rows.as_slice_mut()?;
            out.chunks_exact_mut(size.max(1))
                .take(if size == 0 { 0 } else { self.count })
                .enumerate()
                .for_each(|(world, out)| self.fill_world(what, &inner.worlds, world, out));
        }
        // A robot's arrays have no rows of their own.
        let whole = if matches!(what, What::Robot(_)) {
            base.as_any().call_method1("reshape", (self.count, shape[1]))?
        } else {
            base.clone().into_any()
        };
        let shown = if what.is_writable() { whole } else { read_only(&whole)? };
        let shown = shown.unbind();
        let answer = shown.clone_ref(py);
        inner.arrays[what.slot()] = Some(Shown { base: base.unbind(), shown });
        Ok(answer)
    }

    pub(super) fn shape(&self, batch: &drystone::Batch, what: What) -> PyResult<[usize; 2]> {
        match (what, &self.robot) {
            (What::Field(field), _) => Ok(field.shape(batch.model())),
            (What::Robot(extra), Some(robot)) => {
                let [positions, velocities] = robot.widths();
                Ok(match extra {
                    Extra::Qpos => [1, positions],
                    Extra::Qvel => [1, velocities],
                    Extra::Ctrl | Extra::Act => [1, robot.actuators.len()],
                })
            }
            (What::Robot(_), None) => Err(PyValueError::new_err(
                "this batch is of a model; make it of a robot (`load_robot`) to use its coordinates",
            )),
        }
    }

    fn fill_world(&self, what: What, worlds: &Worlds, world: usize, out: &mut [f64]) {
        let sim = worlds.batch.world(world);
        match what {
            What::Field(field) => field.fill(sim, out),
            What::Robot(Extra::Qpos) => self.fill_robot(sim, out, &mut []),
            What::Robot(Extra::Qvel) => self.fill_robot(sim, &mut [], out),
            What::Robot(Extra::Ctrl) => {}
            What::Robot(Extra::Act) => {
                if let Some(driven) = worlds.driven.get(world) {
                    out.copy_from_slice(&opened(driven).activations);
                }
            }
        }
    }

    /// Writes the coordinates of a robot; what nobody wants is an empty slice.
    pub(super) fn fill_robot(&self, sim: &Engine, positions: &mut [f64], velocities: &mut [f64]) {
        let Some(robot) = &self.robot else { return };
        let [q, v] = robot.widths();
        let (mut spare_q, mut spare_v) = (Vec::new(), Vec::new());
        let positions = if positions.len() == q {
            positions
        } else {
            spare_q.resize(q, 0.0);
            &mut spare_q
        };
        let velocities = if velocities.len() == v {
            velocities
        } else {
            spare_v.resize(v, 0.0);
            &mut spare_v
        };
        robot.coordinates(sim.state(), positions, velocities);
    }

    /// Fills positions and velocities of a robot side by side, where somebody asked for both.
    pub(super) fn fill_both(
        &self,
        py: Python<'_>,
        inner: &Inner,
        chosen: &Chosen,
        workers: &Workers,
    ) -> PyResult<bool> {
        let [Some(q), Some(v)] =
            [Extra::Qpos, Extra::Qvel].map(|extra| inner.arrays[What::Robot(extra).slot()].as_ref())
        else {
            return Ok(false);
        };
        let [width_q, width_v] =
            [Extra::Qpos, Extra::Qvel].map(|extra| self.shape(&inner.worlds.batch, What::Robot(extra)));
        let (width_q, width_v) = (width_q?[1].max(1), width_v?[1].max(1));
        let (mut rows_q, mut rows_v) = (q.base.bind(py).try_readwrite()?, v.base.bind(py).try_readwrite()?);
        let (all_q, all_v) = (rows_q.as_slice_mut()?, rows_v.as_slice_mut()?);
        let batch = &inner.worlds.batch;
        match chosen {
            None => {
                let rows = all_q.par_chunks_exact_mut(width_q).zip(all_v.par_chunks_exact_mut(width_v));
                let rows = rows.with_min_len(SHARE).enumerate();
                workers.run(|| rows.for_each(|(world, (q, v))| self.fill_robot(batch.world(world), q, v)));
            }
            Some(worlds) => worlds.iter().for_each(|&world| {
                let q = &mut all_q[world * width_q..(world + 1) * width_q];
                let v = &mut all_v[world * width_v..(world + 1) * width_v];
                self.fill_robot(batch.world(world), q, v);
            }),
        }
        Ok(true)
    }

    /// Hands what the user wrote to the worlds.
    pub(super) fn take(&self, py: Python<'_>, inner: &mut Inner, chosen: &Chosen, workers: &Workers) -> PyResult<()> {
        let Inner { worlds: Worlds { batch, driven }, arrays, .. } = inner;
        let driven = &driven[..];
        for field in Field::ALL.into_iter().filter(|field| field.is_control()) {
            let Some(array) = &arrays[What::Field(field).slot()] else { continue };
            let rows = array.base.bind(py).try_readonly()?;
            let (rows, size) = (rows.as_slice()?, field.shape(batch.model()).iter().product::<usize>());
            let take = |world: usize, sim: &mut Engine| {
                field.take(&rows[world * size..(world + 1) * size], sim.control_mut());
            };
            workers.run(|| batch.each(chosen.as_deref(), take));
        }
        if let (Some(array), Some(robot)) = (&arrays[What::Robot(Extra::Ctrl).slot()], &self.robot) {
            let rows = array.base.bind(py).try_readonly()?;
            let (rows, size) = (rows.as_slice()?, robot.actuators.len());
            let apply = |world: usize, sim: &mut Engine| {
                let controls = &rows[world * size..(world + 1) * size];
                match driven.get(world) {
                    Some(driven) => opened(driven).set_controls(controls),
                    None => robot.apply(controls, sim.control_mut()),
                }
            };
            let applied = workers.run(|| batch.each(chosen.as_deref(), apply));
            if let Some((bad, error)) =
                applied.iter().enumerate().find_map(|(at, done)| Some((at, done.as_ref().err()?)))
            {
                let world = chosen.as_ref().map_or(bad, |worlds| worlds[bad]);
                return Err(PyValueError::new_err(format!("ctrl of world {world}: {error}")));
            }
        }
        self.take_activations(py, inner, chosen)
    }

    fn take_activations(&self, py: Python<'_>, inner: &Inner, chosen: &Chosen) -> PyResult<()> {
        let Some(array) = &inner.arrays[What::Robot(Extra::Act).slot()] else { return Ok(()) };
        let rows = array.base.bind(py).try_readonly()?;
        let (rows, size) = (rows.as_slice()?, self.shape(&inner.worlds.batch, What::Robot(Extra::Act))?[1]);
        for (world, driven) in inner.worlds.driven.iter().enumerate() {
            if chosen.as_ref().is_some_and(|chosen| chosen.binary_search(&world).is_err()) {
                continue;
            }
            let row = &rows[world * size..(world + 1) * size];
            if let Some(actuator) = row.iter().position(|activation| !activation.is_finite()) {
                let message = format!("act of world {world}: entry {actuator} is not finite; give numbers");
                return Err(PyValueError::new_err(message));
            }
            opened(driven).activations.copy_from_slice(row);
        }
        Ok(())
    }

    /// Shows the worlds in the arrays that were asked for.
    pub(super) fn fill(
        &self,
        py: Python<'_>,
        inner: &mut Inner,
        chosen: &Chosen,
        controls: bool,
        workers: &Workers,
    ) -> PyResult<()> {
        let both = self.fill_both(py, inner, chosen, workers)?;
        let robot: &[Extra] = if both { &[Extra::Act] } else { &[Extra::Act, Extra::Qpos, Extra::Qvel] };
        let all = Field::ALL.into_iter().map(What::Field).chain(robot.iter().copied().map(What::Robot));
        for what in all.filter(|what| controls || !what.is_control()) {
            let Some(array) = &inner.arrays[what.slot()] else { continue };
            let size = self.shape(&inner.worlds.batch, what)?.iter().product::<usize>();
            if size == 0 {
                continue;
            }
            let mut rows = array.base.bind(py).try_readwrite()?;
            let out = rows.as_slice_mut()?;
            let all = &inner.worlds;
            match chosen {
                None => {
                    let rows = out.par_chunks_exact_mut(size).with_min_len(SHARE).enumerate();
                    workers.run(|| rows.for_each(|(world, out)| self.fill_world(what, all, world, out)));
                }
                Some(worlds) => worlds.iter().for_each(|&world| {
                    self.fill_world(what, all, world, &mut out[world * size..(world + 1) * size]);
                }),
            }
        }
        Ok(())
    }
}
