//! Options against the ranges they may lie in. One helper for all solvers, so that every refusal names the option, the
//! value and what is allowed, and a number that is not finite never passes.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};

use thiserror::Error;

/// An option outside its range.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("option `{option}` of solver `{solver}` is {value}; it must be {allowed}")]
pub struct BadOption {
    /// The solver.
    pub solver: &'static str,
    /// The option as users write it, `avbd.alpha`.
    pub option: &'static str,
    /// The value it was given.
    pub value: String,
    /// What would do.
    pub allowed: String,
}

/// A number an option may have.
pub trait Number: Copy + PartialOrd + Display {
    /// Neither infinite nor NaN.
    fn is_finite_number(self) -> bool;
}

impl Number for f64 {
    fn is_finite_number(self) -> bool {
        self.is_finite()
    }
}

impl Number for u32 {
    fn is_finite_number(self) -> bool {
        true
    }
}

impl Number for usize {
    fn is_finite_number(self) -> bool {
        true
    }
}

/// Checks the options of a solver one after the other and keeps the first that is bad.
#[derive(Debug)]
#[must_use = "the fault is in `result`"]
pub struct Ranges {
    solver: &'static str,
    fault: Option<BadOption>,
}

impl Ranges {
    /// Nothing checked yet.
    pub fn of(solver: &'static str) -> Self {
        Self { solver, fault: None }
    }

    /// Checks a number.
    pub fn number<T: Number>(mut self, option: &'static str, value: T, allowed: impl RangeBounds<T>) -> Self {
        if self.fault.is_none() && !(value.is_finite_number() && allowed.contains(&value)) {
            self.fault = Some(BadOption {
                solver: self.solver,
                option,
                value: value.to_string(),
                allowed: in_words(allowed.start_bound(), allowed.end_bound()),
            });
        }
        self
    }

    /// Checks a number that may be left out.
    pub fn optional<T: Number>(self, option: &'static str, value: Option<T>, allowed: impl RangeBounds<T>) -> Self {
        match value {
            Some(value) => self.number(option, value, allowed),
            None => self,
        }
    }

    /// The first bad option, if any.
    pub fn result(self) -> Result<(), BadOption> {
        self.fault.map_or(Ok(()), Err)
    }
}

/// Every number above `least`.
pub fn above(least: f64) -> (Bound<f64>, Bound<f64>) {
    (Bound::Excluded(least), Bound::Unbounded)
}

fn in_words<T: Display>(start: Bound<&T>, end: Bound<&T>) -> String {
    let low = match start {
        Bound::Included(low) => format!("at least {low}"),
        Bound::Excluded(low) => format!("above {low}"),
        Bound::Unbounded => String::new(),
    };
    let high = match end {
        Bound::Included(high) => format!("at most {high}"),
        Bound::Excluded(high) => format!("below {high}"),
        Bound::Unbounded => String::new(),
    };
    match (low.is_empty(), high.is_empty()) {
        (true, true) => "a finite number".to_owned(),
        (false, false) => format!("{low} and {high}"),
        _ => format!("a finite number, {low}{high}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(value: f64, allowed: impl RangeBounds<f64>) -> Option<String> {
        Ranges::of("vbd").number("tolerance", value, allowed).result().err().map(|fault| fault.to_string())
    }

    #[test]
    fn a_refusal_names_option_value_and_range() {
        let words = "option `tolerance` of solver `vbd` is -1; it must be at least 0 and at most 1";
        assert_eq!(said(-1.0, 0.0..=1.0).as_deref(), Some(words));
        assert_eq!(said(0.5, 0.0..=1.0), None);
        assert!(said(0.0, above(0.0)).unwrap().ends_with("a finite number, above 0"));
    }

    #[test]
    fn what_is_not_finite_lies_in_no_range() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(said(value, 0.0..).is_some() && said(value, ..).is_some(), "{value}");
        }
    }

    #[test]
    fn the_first_fault_is_kept_and_an_option_left_out_is_none() {
        let ranges =
            Ranges::of("vbd").optional("a", None, 0.0..).optional("b", Some(-1.0), 0.0..).number("c", 0u32, 1..);
        assert_eq!(ranges.result().unwrap_err().option, "b");
    }
}
