//! Line and dot plots, stacked areas and bars as SVG: what documents, pages and benchmarks show. It needs nothing but
//! the standard library, so that any crate can afford it.
//!
//! ```
//! use drystone_plot::{Plot, Scale, Series, exponent};
//! let points = vec![[10.0, 0.2], [100.0, 2.0], [1000.0, 20.0]];
//! let slope = exponent(&points);
//! let mut plot = Plot::new("Time of a step", Scale::log("bodies"), Scale::log("time [ms]"));
//! plot.series.push(Series::line(format!("vbd: {slope:.2}"), points).marked());
//! assert!(plot.svg().contains("vbd: 1.00"));
//! ```
#![forbid(unsafe_code)]

mod canvas;
mod fit;
mod inline;
mod lines;
mod scale;
mod stack;
mod svg;
mod text;

pub use canvas::STYLE;
pub use fit::exponent;
pub use lines::thinned;
pub use scale::Scale;
pub use stack::{Areas, Bars, Layer};
pub use text::{escaped, json_number};

/// One line, or one kind of dots, of a plot.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// What it is, for the legend.
    pub name: String,
    /// Its points; those that cannot be drawn are left out.
    pub points: Vec<[f64; 2]>,
    /// Whether points are marked.
    pub marks: bool,
    /// Whether the line is dashed.
    pub dashed: bool,
    /// Whether the points stand alone, without a line through them.
    pub scattered: bool,
    /// Which of the colours it has, so that a thing keeps its colour from plot to plot; its place in the plot
    /// chooses if this does not.
    pub color: Option<usize>,
}

impl Series {
    /// A line through points.
    pub fn line(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), points, ..Self::default() }
    }

    /// Points without a line.
    pub fn dots(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), points, marks: true, scattered: true, ..Self::default() }
    }

    /// Marks the points.
    pub fn marked(mut self) -> Self {
        self.marks = true;
        self
    }

    /// Chooses the colour.
    pub fn colored(mut self, color: usize) -> Self {
        self.color = Some(color);
        self
    }

    /// Dashes the line.
    pub fn dashed(mut self) -> Self {
        self.dashed = true;
        self
    }
}

/// A plot.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The axis across.
    pub x: Scale,
    /// The axis up.
    pub y: Scale,
    /// The lines.
    pub series: Vec<Series>,
}

impl Plot {
    /// A plot without lines yet.
    pub fn new(title: impl Into<String>, x: Scale, y: Scale) -> Self {
        Self { title: title.into(), x, y, series: Vec::new() }
    }

    /// The plot as a document of its own, on white.
    pub fn svg(&self) -> String {
        svg::draw(self)
    }

    /// The plot as part of a page that has [`STYLE`]: without title and legend, as wide as its place, followed by its
    /// numbers as JSON for a script that shows them under the pointer.
    pub fn inline(&self) -> String {
        inline::draw(self)
    }
}
