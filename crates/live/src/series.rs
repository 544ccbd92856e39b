//! The plotted figures of the steps kept.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::figures::Figures;

/// Figures by step, the oldest dropped.
pub struct Series {
    rows: VecDeque<Row>,
    most: usize,
}

struct Row {
    step: u64,
    time: f64,
    figures: Figures,
}

impl Series {
    /// For at most so many steps.
    pub fn new(most: usize) -> Self {
        Self { rows: VecDeque::new(), most: most.max(1) }
    }

    /// Keeps the figures of a step, unless they are there.
    pub fn push(&mut self, step: u64, time: f64, figures: Figures) {
        if self.rows.back().is_some_and(|last| last.step >= step) {
            return;
        }
        if self.rows.len() == self.most {
            self.rows.pop_front();
        }
        self.rows.push_back(Row { step, time, figures });
    }

    /// Forgets what came after a step.
    pub fn forget_after(&mut self, step: u64) {
        while self.rows.back().is_some_and(|row| row.step > step) {
            self.rows.pop_back();
        }
    }

    /// The columns from a step on.
    pub fn since(&self, step: u64) -> Value {
        let first = self.rows.partition_point(|row| row.step < step);
        let rows = || self.rows.iter().skip(first);
        let mut columns = serde_json::Map::new();
        for (at, name) in Figures::NAMES.iter().enumerate() {
            columns.insert((*name).to_owned(), rows().map(|row| row.figures.values()[at].clone()).collect());
        }
        let (steps, times): (Vec<u64>, Vec<f64>) = rows().map(|row| (row.step, row.time)).unzip();
        json!({"step": steps, "time": times, "figures": columns})
    }
}
