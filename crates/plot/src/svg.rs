//! Drawing.

use std::fmt::Write as _;

use crate::text::escaped;
use crate::{Plot, Series};

const WIDTH: f64 = 780.0;
/// Height of a plot whose axis up has no names \[pixels\].
const HEIGHT: f64 = 420.0;
/// Height of a name on the axis up \[pixels\].
const NAME_HEIGHT: f64 = 26.0;
/// Room for labels: left, right, top, bottom \[pixels\].
const MARGIN: [f64; 4] = [78.0, 260.0, 40.0, 52.0];
/// Width of a character of a name \[pixels\], for the room names need.
const CHARACTER: f64 = 7.2;
/// Colours told apart by colour-blind readers too, darkest first.
const COLORS: [&str; 10] =
    ["#0b3c5d", "#d1495b", "#2a9d8f", "#e9a03b", "#6a4c93", "#8d99ae", "#3a7d44", "#56b4e9", "#a65e2e", "#cc79a7"];

/// The plot as SVG.
pub(crate) fn draw(plot: &Plot) -> String {
    let sheet = Sheet::new(plot);
    let mut out = sheet.head();
    let (x, title) = (sheet.left, escaped(&plot.title));
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{title}</text>");
    sheet.grid(&mut out);
    for (index, series) in plot.series.iter().enumerate() {
        sheet.line(&mut out, index, series);
        sheet.legend(&mut out, index, series);
    }
    out.push_str("</svg>\n");
    out
}

/// A plot with its measures.
struct Sheet<'a> {
    plot: &'a Plot,
    height: f64,
    left: f64,
    /// Ends of the axes in their units.
    spans: [[f64; 2]; 2],
}

impl<'a> Sheet<'a> {
    fn new(plot: &'a Plot) -> Self {
        let all = || plot.series.iter().flat_map(|series| &series.points);
        let spans = [plot.x.span(all().map(|p| p[0])), plot.y.span(all().map(|p| p[1]))];
        let longest = plot.y.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let left = MARGIN[0].max(20.0 + CHARACTER * longest as f64);
        let rows = plot.y.names.len().max(plot.series.len() * 20 / 26) as f64;
        let named = MARGIN[2] + MARGIN[3] + NAME_HEIGHT * (rows + 0.2);
        let height = if plot.y.names.is_empty() { HEIGHT } else { named };
        Self { plot, height, left, spans }
    }

    fn head(&self) -> String {
        let height = self.height.round();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        )
    }

    /// Where a point in the units of the axes is on the sheet; what lies outside is put at the edge.
    fn place(&self, x: f64, y: f64) -> [f64; 2] {
        let share = |x: f64, [low, high]: [f64; 2]| ((x - low) / (high - low)).clamp(0.0, 1.0);
        let (across, up) = (share(x, self.spans[0]), share(y, self.spans[1]));
        // Names are read from the top.
        let down = if self.plot.y.names.is_empty() { 1.0 - up } else { up };
        let inner = [WIDTH - self.left - MARGIN[1], self.height - MARGIN[2] - MARGIN[3]];
        [self.left + across * inner[0], MARGIN[2] + down * inner[1]]
    }

    fn grid(&self, out: &mut String) {
        let (top, bottom) = (MARGIN[2], self.height - MARGIN[3]);
        let (left, right) = (self.left, WIDTH - MARGIN[1]);
        for (x, label) in self.plot.x.ticks(self.spans[0]) {
            let [x, _] = self.place(x, 0.0);
            let _ = writeln!(out, "<path d=\"M{x:.1} {top:.1}V{bottom:.1}\" stroke=\"#ddd\"/>");
            text(out, [x, bottom + 18.0], "middle", "", &label);
        }
        for (y, label) in self.plot.y.ticks(self.spans[1]) {
            let [_, y] = self.place(0.0, y);
            let _ = writeln!(out, "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#ddd\"/>");
            text(out, [left - 8.0, y + 4.0], "end", "", &label);
        }
        let _ = writeln!(out, "<path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" stroke=\"#444\" fill=\"none\"/>");
        text(out, [0.5 * (left + right), bottom + 40.0], "middle", "", &self.plot.x.label);
        let middle = 0.5 * (top + bottom);
        text(out, [18.0, middle], "middle", &format!(" transform=\"rotate(-90 18 {middle:.1})\""), &self.plot.y.label);
    }

    fn line(&self, out: &mut String, index: usize, series: &Series) {
        let (plot, color) = (self.plot, color(index, series));
        let points = series.points.iter().map(|p| [plot.x.value(p[0]), plot.y.value(p[1])]);
        let drawn: Vec<[f64; 2]> =
            points.filter(|p| p.iter().all(|x| x.is_finite())).map(|p| self.place(p[0], p[1])).collect();
        if !series.scattered && !drawn.is_empty() {
            let path: Vec<String> = drawn.iter().map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
            let (path, dash) = (path.join("L"), dash(series));
            let _ = writeln!(out, "<path d=\"M{path}\" stroke=\"{color}\" stroke-width=\"1.8\" fill=\"none\"{dash}/>");
        }
        for [x, y] in drawn.iter().filter(|_| series.marks) {
            let radius = if series.scattered { 4.5 } else { 3.0 };
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{color}\"/>");
        }
    }

    fn legend(&self, out: &mut String, index: usize, series: &Series) {
        let (x, y, color) = (WIDTH - MARGIN[1] + 14.0, MARGIN[2] + 12.0 + 20.0 * index as f64, color(index, series));
        if series.scattered {
            let _ = writeln!(out, "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{color}\"/>", x + 11.0);
        } else {
            let (end, dash) = (x + 22.0, dash(series));
            let _ =
                writeln!(out, "<path d=\"M{x:.1} {y:.1}H{end:.1}\" stroke=\"{color}\" stroke-width=\"2.5\"{dash}/>");
        }
        text(out, [x + 28.0, y + 4.0], "start", " font-size=\"12\"", &series.name);
    }
}

fn color(index: usize, series: &Series) -> &'static str {
    COLORS[series.color.unwrap_or(index) % COLORS.len()]
}

fn dash(series: &Series) -> &'static str {
    if series.dashed { " stroke-dasharray=\"6 4\"" } else { "" }
}

fn text(out: &mut String, [x, y]: [f64; 2], anchor: &str, more: &str, text: &str) {
    let text = escaped(text);
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{more}>{text}</text>");
}

#[cfg(test)]
mod tests {
    use crate::{Plot, Scale, Series};

    #[test]
    fn points_that_cannot_be_drawn_are_left_out() {
        let points = vec![[1.0, 1.0], [10.0, f64::NAN], [100.0, -1.0], [1000.0, 1e-3]];
        let mut plot = Plot::new("t", Scale::log("x"), Scale::log("y"));
        plot.series.push(Series::line("a < b", points).marked());
        let svg = plot.svg();
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("a &lt; b") && svg.contains("10⁻³") && !svg.contains("NaN"));
    }

    #[test]
    fn names_are_read_from_the_top() {
        let mut plot = Plot::new("t", Scale::linear("x"), Scale::names(vec!["one".into(), "two".into()]));
        plot.series.push(Series::dots("here", vec![[1.0, 0.0], [2.0, 1.0]]));
        let svg = plot.svg();
        assert!(svg.find(">one<").unwrap() < svg.find(">two<").unwrap());
    }
}
