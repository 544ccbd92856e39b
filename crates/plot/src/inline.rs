//! Plots as parts of pages.

use std::fmt::Write as _;

use crate::canvas::Canvas;
use crate::lines::path;
use crate::text::{json_number, json_text};
use crate::{Plot, Scale, Series};

/// Colours there are for lines.
const COLORS: usize = 8;
/// Room beyond the outermost points of a linear axis, as a share of it.
const ROOM: f64 = 0.05;

/// The plot, followed by its numbers.
pub(crate) fn draw(plot: &Plot) -> String {
    let canvas = Canvas::new(plot.spans());
    let mut out = canvas.open(&plot.title);
    plot.draw(&mut out, &canvas);
    out.push_str("</svg>\n");
    let _ = writeln!(out, "<script type=\"application/json\">{}</script>", plot.numbers(&canvas));
    out
}

/// A linear axis gets room around its points, and starts at zero where they are sizes that nearly reach it.
fn roomy(scale: &Scale, [low, high]: [f64; 2]) -> [f64; 2] {
    if scale.log || scale.ends.is_some() {
        return [low, high];
    }
    let room = ROOM * (high - low);
    let below = if low >= 0.0 && low < 0.5 * high { 0.0 } else { low - room };
    let above = if high <= 0.0 && high > 0.5 * low { 0.0 } else { high + room };
    [below, above]
}

fn class(series: &Series, index: usize) -> usize {
    series.color.unwrap_or(index) % COLORS
}

impl Plot {
    fn spans(&self) -> [[f64; 2]; 2] {
        let all = || self.series.iter().flat_map(|series| &series.points);
        [roomy(&self.x, self.x.span(all().map(|p| p[0]))), roomy(&self.y, self.y.span(all().map(|p| p[1])))]
    }

    fn draw(&self, out: &mut String, canvas: &Canvas) {
        canvas.axes(out, &self.x, &self.y);
        out.push_str(&canvas.open_field());
        for (index, series) in self.series.iter().enumerate() {
            let class = class(series, index);
            let place = |p: &[f64; 2]| canvas.place([self.x.value(p[0]), self.y.value(p[1])]);
            let line = path(series.points.iter().map(place));
            let dash = if series.dashed { " dashed" } else { "" };
            if !line.is_empty() && !series.scattered {
                let _ = writeln!(out, "<path class=\"curve c{class}{dash}\" d=\"{line}\"/>");
            }
            let dots = series.points.iter().map(place).filter(|p| p.iter().all(|x| x.is_finite()));
            // A single point is no line.
            let marked = series.marks || series.points.len() == 1;
            for [x, y] in dots.filter(|_| marked) {
                let _ = writeln!(out, "<circle class=\"dot c{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>");
            }
        }
        out.push_str("</svg>\n");
    }

    fn numbers(&self, canvas: &Canvas) -> String {
        let list = |series: &Series, axis: usize| {
            series.points.iter().map(|p| json_number(p[axis])).collect::<Vec<_>>().join(",")
        };
        let each = self.series.iter().enumerate().map(|(index, series)| {
            let (name, color) = (json_text(&series.name), class(series, index));
            format!("{{\"name\":{name},\"color\":{color},\"x\":[{}],\"y\":[{}]}}", list(series, 0), list(series, 1))
        });
        let axis = |scale: &Scale| {
            let floor = scale.floor.map_or("null".to_owned(), |floor| format!("{floor:e}"));
            let linear = scale.linear_below.map_or("null".to_owned(), |size| format!("{size:e}"));
            let label = json_text(&scale.label);
            format!("{{\"label\":{label},\"log\":{},\"floor\":{floor},\"linear\":{linear}}}", scale.log)
        };
        format!(
            "{{{},\"x\":{},\"y\":{},\"series\":[{}]}}",
            canvas.geometry(),
            axis(&self.x),
            axis(&self.y),
            each.collect::<Vec<_>>().join(",")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_in_a_page_brings_its_numbers_and_leaves_gaps() {
        let mut plot = Plot::new("t", Scale::log("x"), Scale::log("y"));
        plot.series
            .push(Series::line("a < b", vec![[1.0, 1.0], [10.0, f64::NAN], [100.0, -1.0], [1000.0, 1e-3]]).marked());
        let text = plot.inline();
        assert_eq!(text.matches("<circle").count(), 2);
        assert!(text.contains("\"name\":\"a \\u003c b\"") && text.contains("\"y\":[1,null,-1,0.001]"), "{text}");
        assert!(!text.contains("http"), "a page needs no network");
    }

    #[test]
    fn points_are_where_the_axes_say() {
        let [x, y] = ["x", "y"].map(Scale::linear);
        let mut plot = Plot::new("t", x.between(0.0, 2.0), y.between(0.0, 4.0));
        plot.series.push(Series::line("a", vec![[0.0, 0.0], [2.0, 4.0]]));
        let [left, right, top, bottom] = Canvas::new(plot.spans()).edges();
        assert!(plot.inline().contains(&format!("M{left:.1} {bottom:.1}L{right:.1} {top:.1}")));
    }

    #[test]
    fn sizes_start_at_zero_and_small_spreads_do_not() {
        let axis = Scale::linear("");
        assert_eq!(roomy(&axis, [1.0, 10.0])[0], 0.0);
        assert!(roomy(&axis, [9.0, 10.0])[0] > 8.9);
        assert_eq!(roomy(&axis, [-10.0, -1.0])[1], 0.0);
    }
}
