//! Line plots as SVG, with either axis linear or logarithmic: what the evidence in the documents needs.

use std::fmt::Write as _;

const WIDTH: f64 = 780.0;
const HEIGHT: f64 = 420.0;
/// Room for labels: left, right, top, bottom.
const MARGIN: [f64; 4] = [78.0, 260.0, 40.0, 52.0];
/// Colours told apart by colour-blind readers too, darkest first.
const COLORS: [&str; 7] = ["#0b3c5d", "#d1495b", "#2a9d8f", "#e9a03b", "#6a4c93", "#8d99ae", "#3a7d44"];

/// One line of a plot.
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
}

/// An axis.
#[derive(Clone, Debug, Default)]
pub struct Scale {
    /// What it shows, with its unit.
    pub label: String,
    /// Whether it is logarithmic.
    pub log: bool,
    /// Its ends, if they shall not follow from the points.
    pub ends: Option<[f64; 2]>,
}

impl Scale {
    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self { label: label.to_owned(), log: true, ends: None }
    }

    /// Sets the ends.
    pub fn between(mut self, low: f64, high: f64) -> Self {
        self.ends = Some([low, high]);
        self
    }

    fn value(&self, x: f64) -> f64 {
        if self.log { x.log10() } else { x }
    }

    /// Ends in the units of the axis.
    fn span(&self, points: impl Iterator<Item = f64>) -> [f64; 2] {
        if let Some(ends) = self.ends {
            return ends.map(|x| self.value(x));
        }
        let values = points.map(|x| self.value(x)).filter(|x| x.is_finite());
        let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
        match (self.log, low < high) {
            (true, _) if low.is_finite() => [low.floor(), high.ceil().max(low.floor() + 1.0)],
            (false, true) => [low, high],
            _ => [0.0, 1.0],
        }
    }

    /// Ticks in the units of the axis, with their labels.
    fn ticks(&self, [low, high]: [f64; 2]) -> Vec<(f64, String)> {
        if self.log {
            let every = (((high - low) / 8.0).ceil() as i32).max(1);
            let powers = (low.ceil() as i32..=high.floor() as i32).filter(|power| power % every == 0);
            return powers.map(|power| (f64::from(power), power_label(power))).collect();
        }
        let rough = (high - low) / 6.0;
        let unit = 10_f64.powf(rough.log10().floor());
        let step = unit * [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * unit >= rough).unwrap_or(10.0);
        let first = (low / step).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        (first..=last).map(|k| (k as f64 * step, short(k as f64 * step))).collect()
    }
}

fn power_label(power: i32) -> String {
    let digits: String = power.to_string().chars().map(superscript).collect();
    format!("10{digits}")
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => digit.to_digit(10).and_then(|value| char::from_u32(0x2070 + value)).unwrap_or(digit),
    }
}

fn short(x: f64) -> String {
    let text = format!("{x:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A plot.
#[derive(Clone, Debug)]
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
    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|series| &series.points);
        let spans = [self.x.span(all().map(|p| p[0])), self.y.span(all().map(|p| p[1]))];
        let inner = [WIDTH - MARGIN[0] - MARGIN[1], HEIGHT - MARGIN[2] - MARGIN[3]];
        let place = move |x: f64, y: f64| {
            let [across, up] = [(x, spans[0]), (y, spans[1])].map(|(x, [low, high])| (x - low) / (high - low));
            [MARGIN[0] + across * inner[0], MARGIN[2] + (1.0 - up) * inner[1]]
        };
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{}</text>",
            MARGIN[0],
            escaped(&self.title)
        );
        self.grid(&mut out, spans, &place);
        for (index, series) in self.series.iter().enumerate() {
            self.line(&mut out, index, series, &place);
        }
        out.push_str("</svg>\n");
        out
    }

    fn grid(&self, out: &mut String, spans: [[f64; 2]; 2], place: &impl Fn(f64, f64) -> [f64; 2]) {
        let [left, bottom] = place(spans[0][0], spans[1][0]);
        let [right, top] = place(spans[0][1], spans[1][1]);
        for (x, label) in self.x.ticks(spans[0]) {
            let [x, _] = place(x, spans[1][0]);
            let _ = writeln!(out, "<path d=\"M{x:.1} {top:.1}V{bottom:.1}\" stroke=\"#ddd\"/>");
            let y = bottom + 18.0;
            let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>");
        }
        for (y, label) in self.y.ticks(spans[1]) {
            let [_, y] = place(spans[0][0], y);
            let _ = writeln!(out, "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#ddd\"/>");
            let (x, y) = (left - 8.0, y + 4.0);
            let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{label}</text>");
        }
        let _ = writeln!(out, "<path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" stroke=\"#444\" fill=\"none\"/>");
        let (middle, below) = (0.5 * (left + right), bottom + 40.0);
        let label = escaped(&self.x.label);
        let _ = writeln!(out, "<text x=\"{middle:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{label}</text>");
        let (middle, label) = (0.5 * (top + bottom), escaped(&self.y.label));
        let turn = format!("rotate(-90 18 {middle:.1})");
        let _ = writeln!(
            out,
            "<text x=\"18\" y=\"{middle:.1}\" transform=\"{turn}\" text-anchor=\"middle\">{label}</text>"
        );
    }

    fn line(&self, out: &mut String, index: usize, series: &Series, place: &impl Fn(f64, f64) -> [f64; 2]) {
        let color = COLORS[index % COLORS.len()];
        let points = series.points.iter().map(|p| [self.x.value(p[0]), self.y.value(p[1])]);
        let drawn: Vec<[f64; 2]> =
            points.filter(|p| p.iter().all(|x| x.is_finite())).map(|p| place(p[0], p[1])).collect();
        let path: String = drawn
            .iter()
            .enumerate()
            .map(|(k, [x, y])| format!("{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" }))
            .collect();
        let dash = if series.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        if !path.is_empty() {
            let _ = writeln!(out, "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"1.8\" fill=\"none\"{dash}/>");
        }
        for [x, y] in drawn.iter().filter(|_| series.marks) {
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
        }
        let (x, y) = (WIDTH - MARGIN[1] + 14.0, MARGIN[2] + 12.0 + 20.0 * index as f64);
        let (end, text, level) = (x + 22.0, x + 28.0, y + 4.0);
        let _ = writeln!(out, "<path d=\"M{x:.1} {y:.1}H{end:.1}\" stroke=\"{color}\" stroke-width=\"2.5\"{dash}/>");
        let _ =
            writeln!(out, "<text x=\"{text:.1}\" y=\"{level:.1}\" font-size=\"12\">{}</text>", escaped(&series.name));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Exponent of a power law through points of positive coordinates: the slope of log y over log x.
pub fn exponent(points: &[[f64; 2]]) -> f64 {
    let logs: Vec<[f64; 2]> = points.iter().map(|p| p.map(f64::ln)).collect();
    let count = logs.len() as f64;
    let mean = [0, 1].map(|k| logs.iter().map(|p| p[k]).sum::<f64>() / count);
    let across: f64 = logs.iter().map(|p| (p[0] - mean[0]).powi(2)).sum();
    logs.iter().map(|p| (p[0] - mean[0]) * (p[1] - mean[1])).sum::<f64>() / across
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_law_is_found() {
        let points: Vec<[f64; 2]> = (1..9).map(|k| [f64::from(k), 3.0 * f64::from(k).powf(1.7)]).collect();
        assert!((exponent(&points) - 1.7).abs() < 1e-12);
    }

    #[test]
    fn points_that_cannot_be_drawn_are_left_out() {
        let points = vec![[1.0, 1.0], [10.0, f64::NAN], [100.0, -1.0], [1000.0, 1e-3]];
        let series = vec![Series { name: "a < b".into(), points, marks: true, dashed: false }];
        let plot = Plot { title: "t".into(), x: Scale::log("x"), y: Scale::log("y"), series };
        let svg = plot.svg();
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("a &lt; b") && svg.contains("10⁻³") && !svg.contains("NaN"));
    }
}
