//! What is plotted of a step.

use drystone::solve::Report;
use serde_json::{Map, Value, json};

use crate::moment::Moment;

/// Figures of a step; absent where nobody measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    kinetic: f64,
    potential: f64,
    momentum: f64,
    angular: f64,
    penetration: Option<f64>,
    joint_error: Option<f64>,
    iterations: Option<u32>,
    contacts: Option<usize>,
    asleep: u32,
}

impl Figures {
    /// Names of the figures, in order.
    pub const NAMES: [&'static str; 10] = [
        "energy",
        "kinetic",
        "potential",
        "momentum",
        "angular",
        "penetration",
        "joint_error",
        "iterations",
        "contacts",
        "asleep",
    ];

    /// Of a moment, by what the solver reported.
    pub fn of(moment: &Moment<'_>, report: &Report) -> Self {
        let measured = moment.sim.is_some() && moment.step > 0;
        let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        Self {
            kinetic: report.kinetic_energy,
            potential: report.potential_energy,
            momentum: length(report.momentum),
            angular: length(report.angular_momentum),
            penetration: report.max_penetration,
            joint_error: report.max_joint_error,
            iterations: measured.then_some(report.iterations),
            contacts: measured.then_some(report.contact_count),
            asleep: report.asleep,
        }
    }

    /// Their values, in order.
    pub fn values(&self) -> [Value; 10] {
        [
            json!(self.kinetic + self.potential),
            json!(self.kinetic),
            json!(self.potential),
            json!(self.momentum),
            json!(self.angular),
            json!(self.penetration),
            json!(self.joint_error),
            json!(self.iterations),
            json!(self.contacts),
            json!(self.asleep),
        ]
    }

    /// By name.
    pub fn to_json(&self) -> Value {
        let names = Self::NAMES.iter().map(|name| (*name).to_owned());
        Value::Object(names.zip(self.values()).collect::<Map<String, Value>>())
    }
}
