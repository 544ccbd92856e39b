//! Parameters that may differ from world to world.

use drystone::model::WorldId;
use pyo3::prelude::*;

use super::Batch;
use crate::convert::values;
use crate::error::OrRaise;

#[pymethods]
impl Batch {
    /// Sets the gravity of some worlds [m/s²], a row each.
    #[pyo3(signature = (gravity, worlds=None))]
    fn set_gravity(
        &self,
        py: Python<'_>,
        gravity: &Bound<'_, PyAny>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let chosen = self.chosen(worlds)?;
        let rows = values(gravity, "gravity", &[self.rows_of(&chosen), 3])?;
        let listed = chosen.clone();
        self.change(py, &chosen, |world, sim| {
            let row = 3 * Self::row_of(&listed, world);
            sim.set_gravity(WorldId(0), drystone::model::DVec3::from_slice(&rows[row..row + 3])).or_raise()
        })
    }

    /// Sets the mass of every body of some worlds [kg], a row each: inertias grow with them. Bodies that no force moves keep
    /// theirs.
    #[pyo3(signature = (mass, worlds=None))]
    fn set_mass(&self, py: Python<'_>, mass: &Bound<'_, PyAny>, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        use drystone::model::{BodyKind, MassSource};
        let chosen = self.chosen(worlds)?;
        let bodies = self.inner.lock(py)?.worlds.batch.model().body_count();
        let rows = values(mass, "mass", &[self.rows_of(&chosen), bodies])?;
        let listed = chosen.clone();
        self.change(py, &chosen, |world, sim| {
            let row = &rows[Self::row_of(&listed, world) * bodies..][..bodies];
            let ids: Vec<_> = (0..bodies).map(|body| sim.body_id(body)).collect();
            let moved: Vec<bool> = sim.model().body_kind.iter().map(|kind| *kind == BodyKind::Dynamic).collect();
            sim.edit(|scene| {
                for (body, &mass) in row.iter().enumerate().filter(|(body, _)| moved[*body]) {
                    scene.change_body(ids[body], |def| {
                        def.mass = match def.mass {
                            MassSource::Given(given) if given.mass > 0.0 => {
                                MassSource::Given(given.scaled_to_mass(mass))
                            }
                            _ => MassSource::Total(mass),
                        };
                    })?;
                }
                Ok(())
            })
            .or_raise()
        })
    }

    /// Sets static and dynamic friction of every shape of some worlds [1], a row each.
    #[pyo3(signature = (friction, worlds=None))]
    fn set_friction(
        &self,
        py: Python<'_>,
        friction: &Bound<'_, PyAny>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let chosen = self.chosen(worlds)?;
        let shapes = self.inner.lock(py)?.worlds.batch.model().shape_count();
        let rows = values(friction, "friction", &[self.rows_of(&chosen), shapes])?;
        let listed = chosen.clone();
        self.change(py, &chosen, |world, sim| {
            let row = &rows[Self::row_of(&listed, world) * shapes..][..shapes];
            let ids: Vec<_> = (0..shapes).map(|shape| sim.shape_id(shape)).collect();
            sim.edit(|scene| {
                ids.iter().zip(row).try_for_each(|(&shape, &friction)| {
                    scene.change_shape(shape, |def| def.material.set_friction(friction))
                })
            })
            .or_raise()
        })
    }

    /// Sets stiffness [N/m], [N·m/rad] and damping [N·s/m], [N·m·s/rad] of the drives of every joint of some worlds:
    /// (worlds, joints, 6) each. Axes that are locked keep theirs.
    #[pyo3(signature = (stiffness, damping, worlds=None))]
    fn set_gains(
        &self,
        py: Python<'_>,
        stiffness: &Bound<'_, PyAny>,
        damping: &Bound<'_, PyAny>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        use drystone::model::AxisMode;
        let chosen = self.chosen(worlds)?;
        let joints = self.inner.lock(py)?.worlds.batch.model().joint_count();
        let shape = [self.rows_of(&chosen), joints, 6];
        let (stiffness, damping) = (values(stiffness, "stiffness", &shape)?, values(damping, "damping", &shape)?);
        let listed = chosen.clone();
        self.change(py, &chosen, |world, sim| {
            let first = Self::row_of(&listed, world) * joints * 6;
            let ids: Vec<_> = (0..joints).map(|joint| sim.joint_id(joint)).collect();
            sim.edit(|scene| {
                ids.iter().enumerate().try_for_each(|(joint, &id)| {
                    let at = first + 6 * joint;
                    scene.change_joint(id, |def| {
                        for axis in (0..6).filter(|axis| def.axis[*axis] == AxisMode::Free) {
                            def.drive[axis].stiffness = stiffness[at + axis];
                            def.drive[axis].damping = damping[at + axis];
                        }
                    })
                })
            })
            .or_raise()
        })
    }
}
