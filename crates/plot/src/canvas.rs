//! The frame of a plot: where numbers are on the paper, grid, ticks and labels.

use std::fmt::Write as _;

use crate::Scale;
use crate::text::escaped;

/// Style of everything drawn into pages, light and dark: colours as `--c0`, `--c1` … for lines and `--p0`, `--p1` …
/// for parts.
pub const STYLE: &str = include_str!("../assets/plot.css");

/// Paper with axes.
pub(crate) struct Canvas {
    /// Width and height \[px\].
    size: [f64; 2],
    /// Room for labels: left, right, top, bottom \[px\].
    margin: [f64; 4],
    /// Ends of both axes, in their units.
    spans: [[f64; 2]; 2],
}

impl Canvas {
    /// A plot in a page, where name and legend stand outside of it.
    pub(crate) fn new(spans: [[f64; 2]; 2]) -> Self {
        Self { size: [460.0, 270.0], margin: [58.0, 14.0, 26.0, 38.0], spans }
    }

    /// Where a point in the units of the axes is \[px\].
    pub(crate) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [left, right, top, bottom] = self.edges();
        let [across, up] = [(x, self.spans[0]), (y, self.spans[1])].map(|(x, [low, high])| (x - low) / (high - low));
        [left + across * (right - left), bottom + up * (top - bottom)]
    }

    /// Left, right, top and bottom of the field \[px\].
    pub(crate) fn edges(&self) -> [f64; 4] {
        let [left, right, top, bottom] = self.margin;
        [left, self.size[0] - right, top, self.size[1] - bottom]
    }

    /// The opening tag of a plot in a page, with what a reader that cannot see it is told.
    pub(crate) fn open(&self, what: &str) -> String {
        let [width, height] = self.size;
        let what = escaped(what);
        format!("<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{what}\">\n")
    }

    /// Grid, ticks and labels. The label of the upward axis lies above it, where it reads without turning the head.
    pub(crate) fn axes(&self, out: &mut String, x: &Scale, y: &Scale) {
        let [left, right, top, bottom] = self.edges();
        for (value, label) in x.ticks(self.spans[0]) {
            let [at, _] = self.place([value, 0.0]);
            let below = bottom + 16.0;
            let _ = writeln!(out, "<path class=\"grid\" d=\"M{at:.1} {top:.1}V{bottom:.1}\"/>");
            let _ = writeln!(out, "<text x=\"{at:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{label}</text>");
        }
        for (value, label) in y.ticks(self.spans[1]) {
            let [_, at] = self.place([0.0, value]);
            let (beside, level) = (left - 6.0, at + 4.0);
            let _ = writeln!(out, "<path class=\"grid\" d=\"M{left:.1} {at:.1}H{right:.1}\"/>");
            let _ = writeln!(out, "<text x=\"{beside:.1}\" y=\"{level:.1}\" text-anchor=\"end\">{label}</text>");
        }
        let _ = writeln!(out, "<path class=\"frame\" d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\"/>");
        let (lowest, above) = (bottom + 32.0, top - 10.0);
        let (x, y) = (escaped(&x.label), escaped(&y.label));
        let _ = writeln!(out, "<text x=\"{right:.1}\" y=\"{lowest:.1}\" text-anchor=\"end\">{x}</text>");
        let _ = writeln!(out, "<text x=\"8\" y=\"{above:.1}\">{y}</text>");
    }

    /// The opening tag of the field: what leaves it is not seen, but for the width of a mark at its edges.
    pub(crate) fn open_field(&self) -> String {
        let [left, right, top, bottom] = self.edges();
        let (x, y, width, height) = (left - 5.0, top - 5.0, right - left + 10.0, bottom - top + 10.0);
        let size = format!("width=\"{width}\" height=\"{height}\"");
        format!("<svg x=\"{x}\" y=\"{y}\" {size} viewBox=\"{x} {y} {width} {height}\">\n")
    }

    /// What the script needs to find numbers under the pointer: edges \[px\] and ends of the axes.
    pub(crate) fn geometry(&self) -> String {
        let edges = self.edges().map(|x| format!("{x:.1}")).join(",");
        let spans = self.spans.as_flattened().iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(",");
        format!("\"edges\":[{edges}],\"spans\":[{spans}]")
    }
}
