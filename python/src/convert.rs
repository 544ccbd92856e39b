//! Numbers from Python and back.

use drystone::geometry::{DQuat, DVec3, Pose};
use drystone::model::{Axis, BodyId, JointId, ShapeId, Twist};
use numpy::{PyArray2, PyArrayLikeDyn, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Value};

/// What Python calls the world where a body is asked for.
pub const WORLD_ID: i64 = -1;

/// A body by its id, −1 for the world.
pub fn body_id(id: i64) -> PyResult<BodyId> {
    if id == WORLD_ID { Ok(BodyId::WORLD) } else { index("body", id).map(BodyId) }
}

/// A joint by its id.
pub fn joint_id(id: i64) -> PyResult<JointId> {
    index("joint", id).map(JointId)
}

/// A shape by its id.
pub fn shape_id(id: i64) -> PyResult<ShapeId> {
    index("shape", id).map(ShapeId)
}

fn index(what: &str, id: i64) -> PyResult<u32> {
    let known = u32::try_from(id).ok().filter(|&id| id != u32::MAX);
    known.ok_or_else(|| PyValueError::new_err(format!("{id} is no id of a {what}")))
}

/// A body as Python has it.
pub fn body_number(body: BodyId) -> i64 {
    if body.is_world() { WORLD_ID } else { i64::from(body.0) }
}

/// So many numbers from any sequence or array.
pub fn numbers<const N: usize>(value: &Bound<'_, PyAny>, what: &str) -> PyResult<[f64; N]> {
    let refuse = || PyTypeError::new_err(format!("{what} must be {N} numbers, got {value}"));
    let mut out = [0.0; N];
    let mut count = 0;
    for item in value.try_iter().map_err(|_| refuse())? {
        if count == N {
            return Err(refuse());
        }
        out[count] = item?.extract().map_err(|_| refuse())?;
        count += 1;
    }
    if count == N { Ok(out) } else { Err(refuse()) }
}

/// Three numbers, or the origin.
pub fn vector(value: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<DVec3> {
    value.map_or(Ok(DVec3::ZERO), |value| Ok(DVec3::from_array(numbers(value, what)?)))
}

/// A pose from a position \[m\] and a quaternion (x, y, z, w).
pub fn pose(position: Option<&Bound<'_, PyAny>>, rotation: Option<&Bound<'_, PyAny>>) -> PyResult<Pose> {
    let rotation = match rotation {
        Some(value) => quaternion(value)?,
        None => DQuat::IDENTITY,
    };
    Ok(Pose::from_parts(vector(position, "position")?, rotation))
}

/// A rotation from a quaternion (x, y, z, w) of any length but zero.
pub fn quaternion(value: &Bound<'_, PyAny>) -> PyResult<DQuat> {
    let rotation = DQuat::from_array(numbers(value, "rotation (x, y, z, w)")?);
    if !(rotation.is_finite() && rotation.length() > 0.0) {
        return Err(PyValueError::new_err(format!("rotation (x, y, z, w) must be finite and not zero, got {value}")));
    }
    Ok(rotation.normalize())
}

/// A pose from seven numbers: position \[m\] and quaternion (x, y, z, w).
pub fn pose_of_seven(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Pose> {
    Ok(pose_of_row(&numbers::<7>(value, what)?))
}

/// A pose from a row: position \[m\] and quaternion (x, y, z, w).
pub fn pose_of_row(row: &[f64]) -> Pose {
    Pose::from_parts(DVec3::from_slice(&row[..3]), DQuat::from_xyzw(row[3], row[4], row[5], row[6]))
}

/// A pose as a row.
pub fn pose_row(pose: &Pose) -> [f64; 7] {
    let (p, q) = (pose.translation, pose.rotation);
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w]
}

/// A velocity from a row: linear \[m/s\], angular \[rad/s\].
pub fn twist_of_row(row: &[f64]) -> Twist {
    Twist { linear: DVec3::from_slice(&row[..3]), angular: DVec3::from_slice(&row[3..6]) }
}

/// A velocity as a row.
pub fn twist_row(twist: &Twist) -> [f64; 6] {
    let (v, w) = (twist.linear, twist.angular);
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

/// Axes by name, as scene files have them.
pub const AXES: [(&str, Axis); 6] = [
    ("lin_x", Axis::LinX),
    ("lin_y", Axis::LinY),
    ("lin_z", Axis::LinZ),
    ("ang_x", Axis::AngX),
    ("ang_y", Axis::AngY),
    ("ang_z", Axis::AngZ),
];

/// An axis by its name.
pub fn axis(name: &str) -> PyResult<Axis> {
    let known = AXES.iter().find(|(known, _)| *known == name).map(|(_, axis)| *axis);
    known.ok_or_else(|| {
        PyValueError::new_err(format!("there is no axis `{name}`; axes are lin_x, lin_y, lin_z, ang_x, ang_y, ang_z"))
    })
}

/// The name of an axis.
pub fn axis_name(axis: Axis) -> &'static str {
    AXES[axis as usize].0
}

/// A new array of rows.
pub fn rows<'py, const N: usize>(
    py: Python<'py>,
    values: impl ExactSizeIterator<Item = [f64; N]>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let array = PyArray2::zeros(py, [values.len(), N], false);
    {
        let mut out = array.try_readwrite()?;
        let out = out.as_slice_mut()?;
        out.chunks_exact_mut(N).zip(values).for_each(|(row, value)| row.copy_from_slice(&value));
    }
    Ok(array)
}

/// The numbers of an array or of nested sequences that must have this shape.
pub fn values(array: &Bound<'_, PyAny>, what: &str, shape: &[usize]) -> PyResult<Vec<f64>> {
    let like: PyArrayLikeDyn<'_, f64, numpy::AllowTypeChange> = array
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{what} must be an array of numbers of shape {shape:?}")))?;
    let view = like.as_array();
    if view.shape() != shape {
        let given = view.shape();
        return Err(PyValueError::new_err(format!("{what} must have shape {shape:?}, got {given:?}")));
    }
    Ok(view.iter().copied().collect())
}

/// Rows of three numbers, however many.
pub fn points(array: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<DVec3>> {
    let like: PyArrayLikeDyn<'_, f64, numpy::AllowTypeChange> =
        array.extract().map_err(|_| PyTypeError::new_err(format!("{what} must be rows of 3 numbers")))?;
    let view = like.as_array();
    match *view.shape() {
        [_, 3] => {}
        ref given => return Err(PyValueError::new_err(format!("{what} must have shape [n, 3], got {given:?}"))),
    }
    let flat: Vec<f64> = view.iter().copied().collect();
    Ok(flat.chunks_exact(3).map(DVec3::from_slice).collect())
}

/// Options of a solver as JSON.
pub fn options(given: Option<&Bound<'_, PyDict>>) -> PyResult<Map<String, Value>> {
    let mut map = Map::new();
    for (key, value) in given.into_iter().flatten() {
        map.insert(key.extract()?, json(&value)?);
    }
    Ok(map)
}

/// A plain value as JSON.
pub fn json(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return Ok(options(Some(dict))?.into());
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return value.try_iter()?.map(|item| json(&item?)).collect::<PyResult<Vec<_>>>().map(Value::from);
    }
    if value.is_instance_of::<PyString>() {
        return Ok(value.extract::<String>()?.into());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.extract::<i64>()?.into());
    }
    match value.extract::<f64>() {
        Ok(number) if value.is_instance_of::<PyFloat>() || number.fract() != 0.0 => Ok(number.into()),
        // Whole numbers of NumPy.
        Ok(number) if number.abs() < 1e15 => Ok((number as i64).into()),
        _ => Err(PyTypeError::new_err(format!("{value} is no number, text, flag, list or dict"))),
    }
}

/// JSON as a value of Python.
pub fn python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into_pyobject(py)?.into_any(),
            None => number.as_f64().unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(python(py, item)?))?;
            list.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            map.iter().try_for_each(|(key, item)| dict.set_item(key, python(py, item)?))?;
            dict.into_any()
        }
    })
}
