//! Why a query cannot be answered.

use drystone_geometry::ShapeError;
use thiserror::Error;

/// A query that makes no sense. Nothing found is not an error.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum QueryError {
    /// A ray or a cast that goes nowhere, or starts nowhere.
    #[error(
        "{what} must be finite and other than zero, but is ({x}, {y}, {z}); check that it was not normalised from zero"
    )]
    BadDirection {
        /// What it is the direction of.
        what: &'static str,
        /// First component.
        x: f64,
        /// Second component.
        y: f64,
        /// Third component.
        z: f64,
    },
    /// A place that is not one.
    #[error("{what} must be finite, but is ({x}, {y}, {z}) m")]
    BadPlace {
        /// What is placed.
        what: &'static str,
        /// First coordinate \[m\].
        x: f64,
        /// Second coordinate \[m\].
        y: f64,
        /// Third coordinate \[m\].
        z: f64,
    },
    /// An orientation that is not a unit quaternion.
    #[error("the orientation of the shape must be a unit quaternion, but its length is {0}")]
    BadOrientation(f64),
    /// A bound that is negative or not a number.
    #[error("{what} must be zero or more, but is {value}; use f64::INFINITY for no bound")]
    BadBound {
        /// Which bound.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The shape asked about has an impossible size.
    #[error("the shape asked about: {0}")]
    BadShape(#[from] ShapeError),
    /// A shape that cannot be asked about.
    #[error("{shape} cannot be {asked}, only be met; use {instead}")]
    CannotAsk {
        /// Kind of shape.
        shape: &'static str,
        /// What was asked of it.
        asked: &'static str,
        /// What would work.
        instead: &'static str,
    },
    /// One of a batch.
    #[error("item {index} of the batch: {fault}")]
    InBatch {
        /// Its index.
        index: usize,
        /// What is wrong with it.
        fault: Box<Self>,
    },
}
