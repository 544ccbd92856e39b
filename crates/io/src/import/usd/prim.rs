//! What a composed prim says, with faults where it says something else than a number or a path.

use drystone_model::{DMat3, DQuat, DVec3};

use super::super::fault::Log;
use super::layer::Spec;
use super::transform::Affine;
use super::value::{Field, Value};

impl Spec {
    /// How messages call it.
    pub(super) fn called(&self) -> String {
        format!("{} `{}`", if self.kind.is_empty() { "prim" } else { &self.kind }, self.name)
    }

    /// Whether it wears a schema, by its name or with an instance: `PhysicsDriveAPI:angular`.
    pub(super) fn wears(&self, schema: &str) -> bool {
        self.schemas().contains(&schema)
    }

    /// The schemas it wears.
    pub(super) fn schemas(&self) -> Vec<&str> {
        let list = self.metadata.get("apiSchemas").map(Field::list).unwrap_or_default();
        list.into_iter()
            .filter_map(|value| if let Value::Text(name) = value { Some(name.as_str()) } else { None })
            .collect()
    }

    /// Whether a piece of metadata says no: `active = false`.
    pub(super) fn says_no(&self, name: &str) -> bool {
        let value = self.metadata.get(name).and_then(Field::value);
        value.and_then(Value::numbers).is_some_and(|numbers| numbers == [0.0])
    }

    /// The value of a property that does not change over time.
    pub(super) fn value(&self, log: &mut Log, name: &str) -> Option<&Value> {
        let field = self.properties.get(name)?;
        if field.value().is_none() && field.animated {
            let message = format!("{}: `{name}` changes over time", self.called());
            log.fault(field.place, message, "give it one value; motions are given in scene files");
        }
        field.value()
    }

    /// Exactly `N` numbers, infinite ones among them.
    fn any_numbers<const N: usize>(&self, log: &mut Log, name: &str) -> Option<[f64; N]> {
        let numbers = self.value(log, name)?.numbers();
        let array = numbers.and_then(|numbers| <[f64; N]>::try_from(numbers).ok());
        let good = array.filter(|array| !array.iter().any(|number| number.is_nan()));
        if good.is_none() {
            let help = if N == 1 { "give a number".into() } else { format!("give {N} numbers in parentheses") };
            log.fault(self.properties[name].place, format!("{}: `{name}` is no such value", self.called()), help);
        }
        good
    }

    /// Exactly `N` finite numbers.
    pub(super) fn numbers<const N: usize>(&self, log: &mut Log, name: &str) -> Option<[f64; N]> {
        let array = self.any_numbers::<N>(log, name)?;
        if array.iter().any(|number| !number.is_finite()) {
            log.fault(
                self.properties[name].place,
                format!("{}: `{name}` is not finite", self.called()),
                "give numbers",
            );
            return None;
        }
        Some(array)
    }

    pub(super) fn number(&self, log: &mut Log, name: &str) -> Option<f64> {
        self.numbers::<1>(log, name).map(|[number]| number)
    }

    /// A number, where an infinite one means that there is no bound.
    pub(super) fn bound(&self, log: &mut Log, name: &str) -> Option<f64> {
        // The largest number of single precision stands for none as well.
        let number = self.any_numbers::<1>(log, name)?[0];
        Some(if number.abs() > 3e38 { f64::INFINITY.copysign(number) } else { number })
    }

    pub(super) fn flag(&self, log: &mut Log, name: &str) -> Option<bool> {
        self.number(log, name).map(|number| number != 0.0)
    }

    pub(super) fn vector(&self, log: &mut Log, name: &str) -> Option<DVec3> {
        self.numbers(log, name).map(DVec3::from_array)
    }

    /// A vector in which −∞ means "compute".
    pub(super) fn given_vector(&self, log: &mut Log, name: &str) -> Option<DVec3> {
        let array = self.any_numbers::<3>(log, name)?;
        array.iter().all(|number| number.is_finite()).then(|| DVec3::from_array(array))
    }

    /// A quaternion, real part first; one of no length means none is given.
    pub(super) fn rotation(&self, log: &mut Log, name: &str) -> Option<DQuat> {
        let [w, x, y, z] = self.numbers(log, name)?;
        let rotation = DQuat::from_xyzw(x, y, z, w);
        (rotation.length() > 1e-10).then(|| rotation.normalize())
    }

    /// A matrix as USD writes it, for rows of numbers.
    pub(super) fn matrix(&self, log: &mut Log, name: &str) -> Option<Affine> {
        let m: [f64; 16] = self.numbers(log, name)?;
        let column = |row: usize| DVec3::new(m[4 * row], m[4 * row + 1], m[4 * row + 2]);
        Some(Affine { linear: DMat3::from_cols(column(0), column(1), column(2)), offset: column(3) })
    }

    pub(super) fn token(&self, name: &str) -> Option<&str> {
        match self.properties.get(name)?.value()? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn tokens(&self, name: &str) -> Vec<&str> {
        match self.properties.get(name).and_then(Field::value) {
            Some(Value::List(items)) => {
                let texts = items.iter().map(|item| if let Value::Text(text) = item { text.as_str() } else { "" });
                texts.collect()
            }
            _ => Vec::new(),
        }
    }

    /// The prims a relationship names.
    pub(super) fn targets(&self, name: &str) -> Vec<&str> {
        let list = self.properties.get(name).map(Field::list).unwrap_or_default();
        list.into_iter()
            .filter_map(|value| if let Value::Path(path) = value { Some(path.as_str()) } else { None })
            .collect()
    }

    /// A list of numbers or of tuples of them, each of `N`.
    pub(super) fn rows<const N: usize>(&self, log: &mut Log, name: &str) -> Option<Vec<[f64; N]>> {
        let Value::List(items) = self.value(log, name)? else { return None };
        let row = |item: &Value| {
            let row = <[f64; N]>::try_from(item.numbers()?).ok()?;
            row.iter().all(|number| number.is_finite()).then_some(row)
        };
        let rows: Option<Vec<_>> = items.iter().map(row).collect();
        if rows.is_none() {
            let message = format!("{}: `{name}` is no list of {N} finite numbers each", self.called());
            log.fault(self.properties[name].place, message, "correct it");
        }
        rows
    }
}
