//! What touched in the last step.

use drystone::geometry::DVec3;
use drystone::solve::ContactForce;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::convert::{body_number, rows};

/// Contact points of a step, a row each. Forces are means over the step.
#[pyclass(frozen, module = "drystone")]
pub struct Contacts(pub Vec<ContactForce>);

impl Contacts {
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        pair: impl Fn(&ContactForce) -> [i64; 2],
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        PyArray1::from_vec(py, self.0.iter().flat_map(pair).collect()).reshape([self.0.len(), 2])
    }

    fn twice<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&ContactForce) -> [DVec3; 2],
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let flat = self.0.iter().flat_map(|contact| of(contact).into_iter().flat_map(|vector| vector.to_array()));
        PyArray1::from_vec(py, flat.collect()).reshape([self.0.len(), 2, 3])
    }
}

#[pymethods]
impl Contacts {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Ids of the two bodies, −1 for the world; (points, 2).
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        self.pairs(py, |contact| contact.body.map(body_number))
    }

    /// Ids of the two shapes; (points, 2).
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        self.pairs(py, |contact| contact.key.shape.map(|shape| i64::from(shape.0)))
    }

    /// Where the surfaces of the two are nearest, world frame [m]; (points, 2, 3).
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        self.twice(py, |contact| contact.position)
    }

    /// Unit normal from the first to the second shape, world frame; (points, 3).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.iter().map(|contact| contact.normal.to_array()))
    }

    /// Force on the second body, friction included, world frame [N]; the first feels its opposite; (points, 3).
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.iter().map(|contact| contact.force.to_array()))
    }

    /// Torque on either body about its centre of mass, world frame [N·m]; (points, 2, 3).
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        self.twice(py, |contact| contact.torque)
    }

    fn __repr__(&self) -> String {
        format!("<Contacts: {} points>", self.0.len())
    }
}
