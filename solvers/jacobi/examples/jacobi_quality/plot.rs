//! Line plots with a logarithmic axis, as SVG.

use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 32.0;
const BOTTOM: f64 = 44.0;
/// Told apart also by those who do not see red and green as two colours.
const COLOURS: [&str; 6] = ["#333333", "#e69f00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9"];
/// Most decades that are shown, from the largest value down.
const DECADES: f64 = 10.0;

/// A line.
pub struct Curve {
    /// What it shows.
    pub label: String,
    /// Its points; values that are not positive are left out.
    pub points: Vec<(f64, f64)>,
}

/// Lines over a linear axis.
pub struct Plot {
    title: String,
    across: &'static str,
    up: &'static str,
    /// The lines.
    pub curves: Vec<Curve>,
}

impl Plot {
    /// An empty plot.
    pub fn new(title: String, across: &'static str, up: &'static str) -> Self {
        Self { title, across, up, curves: Vec::new() }
    }

    /// The plot as a document.
    pub fn svg(&self) -> String {
        let frame = Frame::around(&self.curves);
        let mut out = String::new();
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
        );
        self.axes(&frame, &mut out);
        for (index, curve) in self.curves.iter().enumerate() {
            line(&frame, curve, index, &mut out);
        }
        out.push_str("</svg>\n");
        out
    }

    fn axes(&self, frame: &Frame, out: &mut String) {
        for decade in frame.low as i32..=frame.high as i32 {
            let y = frame.y(10f64.powi(decade));
            let _ = writeln!(out, "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"#dddddd\"/>", WIDTH - RIGHT);
            text(out, LEFT - 6.0, y + 4.0, "end", &format!("1e{decade}"));
        }
        for k in 0..=5 {
            let value = frame.right * f64::from(k) / 5.0;
            text(out, frame.x(value), HEIGHT - BOTTOM + 16.0, "middle", &format!("{value}"));
        }
        let (x, y) = (0.5 * (LEFT + WIDTH - RIGHT), HEIGHT - 10.0);
        text(out, x, y, "middle", self.across);
        text(out, x, 18.0, "middle", &self.title);
        text(out, 6.0, 18.0, "start", self.up);
    }
}

struct Frame {
    right: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn around(curves: &[Curve]) -> Self {
        let points = || curves.iter().flat_map(|curve| &curve.points).filter(|point| point.1 > 0.0);
        let most = points().map(|point| point.1).fold(f64::MIN_POSITIVE, f64::max);
        let least = points().map(|point| point.1).fold(f64::INFINITY, f64::min);
        let high = most.log10().ceil();
        let low = least.log10().floor().max(high - DECADES).min(high - 1.0);
        Self { right: points().map(|point| point.0).fold(0.0, f64::max), low, high }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * value / self.right
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value.log10().max(self.low) - self.low) / (self.high - self.low);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
    }
}

fn line(frame: &Frame, curve: &Curve, index: usize, out: &mut String) {
    let colour = COLOURS[index % COLOURS.len()];
    let points = curve.points.iter().filter(|point| point.1 > 0.0);
    let path: Vec<String> = points.map(|&(x, y)| format!("{:.1} {:.1}", frame.x(x), frame.y(y))).collect();
    let _ = writeln!(out, "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", path.join("L"));
    let y = TOP + 14.0 + 16.0 * index as f64;
    let _ = writeln!(out, "<path d=\"M{} {}h18\" stroke=\"{colour}\" stroke-width=\"3\"/>", WIDTH - 220.0, y - 4.0);
    text(out, WIDTH - 196.0, y, "start", &curve.label);
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}
