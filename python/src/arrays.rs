//! Arrays that are made once and filled in place.

use drystone::Simulation;
use drystone::geometry::DVec3;
use drystone::model::{Control, Model};
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{pose_row, twist_row};

/// What an array shows, a row per entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Poses of bodies: position \[m\], quaternion (x, y, z, w).
    BodyQ,
    /// Velocities of bodies \[m/s\], \[rad/s\].
    BodyQd,
    /// Coordinates of joints by axis \[m\], \[rad\].
    JointQ,
    /// Rates of the coordinates of joints \[m/s\], \[rad/s\].
    JointQd,
    /// Positions of particles \[m\].
    ParticleQ,
    /// Velocities of particles \[m/s\].
    ParticleQd,
    /// Standing forces and torques on bodies \[N\], \[N·m\].
    BodyF,
    /// Efforts along the axes of joints \[N\], \[N·m\].
    JointF,
    /// Targets of the drives of joints \[m\], \[rad\].
    JointTarget,
    /// Target rates of the drives of joints \[m/s\], \[rad/s\].
    JointTargetVelocity,
}

/// How many fields there are.
pub const FIELDS: usize = 10;

impl Field {
    /// All of them, in order.
    pub const ALL: [Self; FIELDS] = [
        Self::BodyQ,
        Self::BodyQd,
        Self::JointQ,
        Self::JointQd,
        Self::ParticleQ,
        Self::ParticleQd,
        Self::BodyF,
        Self::JointF,
        Self::JointTarget,
        Self::JointTargetVelocity,
    ];

    /// Whether the user writes it.
    pub fn is_control(self) -> bool {
        matches!(self, Self::BodyF | Self::JointF | Self::JointTarget | Self::JointTargetVelocity)
    }

    /// Rows and columns for a model.
    pub fn shape(self, model: &Model) -> [usize; 2] {
        match self {
            Self::BodyQ => [model.body_count(), 7],
            Self::BodyQd | Self::BodyF => [model.body_count(), 6],
            Self::ParticleQ | Self::ParticleQd => [model.particle_count(), 3],
            Self::JointQ | Self::JointQd | Self::JointF | Self::JointTarget | Self::JointTargetVelocity => {
                [model.joint_count(), 6]
            }
        }
    }

    /// Writes what a simulation has into rows.
    pub fn fill(self, sim: &Simulation, out: &mut [f64]) {
        let (model, state, control) = (sim.model(), sim.state(), sim.control());
        let joints = 0..model.joint_count();
        match self {
            Self::BodyQ => put(out, state.body_q.iter().map(pose_row)),
            Self::BodyQd => put(out, state.body_qd.iter().map(twist_row)),
            Self::JointQ => put(out, joints.map(|joint| model.joint_coordinates(state, joint))),
            Self::JointQd => put(out, joints.map(|joint| model.joint_rates(state, joint))),
            Self::ParticleQ => put(out, state.particle_q.iter().map(|place| place.to_array())),
            Self::ParticleQd => put(out, state.particle_qd.iter().map(|velocity| velocity.to_array())),
            Self::BodyF => put(out, control.body_f.iter().map(|(f, t)| [f.x, f.y, f.z, t.x, t.y, t.z])),
            Self::JointF => put(out, control.joint_f.iter().copied()),
            Self::JointTarget => put(out, control.joint_target.iter().copied()),
            Self::JointTargetVelocity => put(out, control.joint_target_velocity.iter().copied()),
        }
    }

    /// Takes what the user wrote.
    pub fn take(self, rows: &[f64], control: &mut Control) {
        let six =
            |to: &mut [[f64; 6]]| to.iter_mut().zip(rows.chunks_exact(6)).for_each(|(to, row)| to.copy_from_slice(row));
        match self {
            Self::BodyF => control.body_f.iter_mut().zip(rows.chunks_exact(6)).for_each(|(to, row)| {
                *to = (DVec3::from_slice(&row[..3]), DVec3::from_slice(&row[3..]));
            }),
            Self::JointF => six(&mut control.joint_f),
            Self::JointTarget => six(&mut control.joint_target),
            Self::JointTargetVelocity => six(&mut control.joint_target_velocity),
            _ => {}
        }
    }
}

fn put<const N: usize>(out: &mut [f64], rows: impl Iterator<Item = [f64; N]>) {
    out.chunks_exact_mut(N).zip(rows).for_each(|(to, row)| to.copy_from_slice(&row));
}

/// An array and what of it the user sees.
struct Bound2 {
    base: Py<PyArray2<f64>>,
    shown: Py<PyAny>,
}

/// The arrays of a simulation that somebody has asked for.
#[derive(Default)]
pub struct Arrays([Option<Bound2>; FIELDS]);

impl Arrays {
    /// The array of a field, filled; the same one every time.
    pub fn get(&mut self, py: Python<'_>, field: Field, sim: &Simulation) -> PyResult<Py<PyAny>> {
        let slot = &mut self.0[field as usize];
        let shape = field.shape(sim.model());
        if let Some(bound) = slot.as_ref().filter(|bound| bound.base.bind(py).shape() == shape) {
            return Ok(bound.shown.clone_ref(py));
        }
        let base = PyArray2::<f64>::zeros(py, shape, false);
        fill(&base, field, sim)?;
        let shown = if field.is_control() { base.clone().into_any() } else { read_only(base.as_any())? };
        let bound = slot.insert(Bound2 { base: base.unbind(), shown: shown.unbind() });
        Ok(bound.shown.clone_ref(py))
    }

    /// Fills the arrays that were asked for: those of the state, and those of controls if these have changed by themselves.
    pub fn fill(&mut self, py: Python<'_>, sim: &Simulation, controls: bool) -> PyResult<()> {
        for field in Field::ALL {
            let Some(bound) = &self.0[field as usize] else { continue };
            let base = bound.base.bind(py);
            if base.shape() != field.shape(sim.model()) {
                // The scene was edited: who asks again gets an array that fits.
                self.0[field as usize] = None;
            } else if controls || !field.is_control() {
                fill(base, field, sim)?;
            }
        }
        Ok(())
    }

    /// Hands what the user wrote to the simulation.
    pub fn take(&self, py: Python<'_>, sim: &mut Simulation) -> PyResult<()> {
        for field in Field::ALL.into_iter().filter(|field| field.is_control()) {
            if let Some(bound) = &self.0[field as usize] {
                let rows = bound.base.bind(py).try_readonly()?;
                field.take(rows.as_slice()?, sim.control_mut());
            }
        }
        Ok(())
    }
}

fn fill(array: &Bound<'_, PyArray2<f64>>, field: Field, sim: &Simulation) -> PyResult<()> {
    let mut out = array.try_readwrite().map_err(|error| PyValueError::new_err(format!("{field:?}: {error}")))?;
    field.fill(sim, out.as_slice_mut()?);
    Ok(())
}

/// The same numbers, not to be written by the user.
pub fn read_only<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let view = array.call_method0("view")?;
    view.getattr("flags")?.setattr("writeable", false)?;
    Ok(view)
}
