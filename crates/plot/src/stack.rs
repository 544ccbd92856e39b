//! What a whole is made of: over time as stacked areas, in all as stacked bars.

use std::fmt::Write as _;

use crate::Scale;
use crate::canvas::Canvas;
use crate::text::{escaped, json_number, json_text};

/// Colours there are for parts.
const COLORS: usize = 12;

/// One part of a whole.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// What it is.
    pub name: String,
    /// Its size at every x of the areas, or in every bar.
    pub sizes: Vec<f64>,
    /// Which of the colours for parts it has.
    pub color: usize,
}

/// Stacked areas over a common x.
#[derive(Clone, Debug, Default)]
pub struct Areas {
    /// What they show.
    pub title: String,
    /// The axis across.
    pub x: Scale,
    /// The axis up; it is linear, since sizes add up.
    pub y: Scale,
    /// Where sizes are given, ascending.
    pub at: Vec<f64>,
    /// The parts, lowest first.
    pub layers: Vec<Layer>,
}

impl Areas {
    /// The areas as part of a page, with their numbers.
    pub fn inline(&self) -> String {
        let sums = |index: usize| self.layers.iter().map(|layer| layer.sizes.get(index).copied().unwrap_or(0.0)).sum();
        let top = self.y.ends.map_or_else(|| (0..self.at.len()).map(sums).fold(0.0, f64::max), |ends| ends[1]);
        let canvas = Canvas::new([self.x.span(self.at.iter().copied()), [0.0, if top > 0.0 { top } else { 1.0 }]]);
        let mut out = canvas.open(&self.title);
        canvas.axes(&mut out, &self.x, &self.y);
        let mut below = vec![0.0; self.at.len()];
        for layer in &self.layers {
            let above: Vec<f64> =
                below.iter().enumerate().map(|(i, y)| (y + layer.sizes.get(i).unwrap_or(&0.0)).min(top)).collect();
            let edge = |y: &[f64]| self.at.iter().zip(y).map(|(&x, &y)| canvas.place([x, y])).collect::<Vec<_>>();
            let outline = edge(&above).into_iter().chain(edge(&below).into_iter().rev());
            let points = outline.map(|[x, y]| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ");
            let _ = writeln!(out, "<polygon class=\"area p{}\" points=\"{points}\"/>", layer.color % COLORS);
            below = above;
        }
        out.push_str("</svg>\n");
        let _ = writeln!(out, "<script type=\"application/json\">{}</script>", self.numbers(&canvas));
        out
    }

    fn numbers(&self, canvas: &Canvas) -> String {
        let list = |numbers: &[f64]| numbers.iter().map(|x| json_number(*x)).collect::<Vec<_>>().join(",");
        let at = list(&self.at);
        // The topmost first, as the eye meets them.
        let each = self.layers.iter().rev().map(|layer| {
            let name = json_text(&layer.name);
            format!("{{\"name\":{name},\"part\":{},\"x\":[{at}],\"y\":[{}]}}", layer.color % COLORS, list(&layer.sizes))
        });
        let axis = |scale: &Scale| {
            format!("{{\"label\":{},\"log\":false,\"floor\":null,\"linear\":null}}", json_text(&scale.label))
        };
        let series = each.collect::<Vec<_>>().join(",");
        let (geometry, x, y) = (canvas.geometry(), axis(&self.x), axis(&self.y));
        format!("{{{geometry},\"stacked\":true,\"x\":{x},\"y\":{y},\"series\":[{series}]}}")
    }
}

/// Bars of equal length, cut into shares.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    /// Name of every bar and what stands behind it.
    pub names: Vec<[String; 2]>,
    /// The parts, from the left.
    pub layers: Vec<Layer>,
}

impl Bars {
    /// The bars as part of a page: plain elements, so that they are as wide as there is room.
    pub fn inline(&self) -> String {
        let mut out = String::from("<div class=\"bars\">\n");
        for (index, [name, note]) in self.names.iter().enumerate() {
            let size = |layer: &Layer| layer.sizes.get(index).copied().unwrap_or(0.0).max(0.0);
            let whole: f64 = self.layers.iter().map(size).sum();
            let _ = write!(out, "<b>{}</b><div class=\"bar\">", escaped(name));
            for layer in self.layers.iter().filter(|layer| size(layer) > 0.0) {
                let share = 100.0 * size(layer) / whole;
                let (color, part) = (layer.color % COLORS, escaped(&layer.name));
                // Wide enough for its name in most fonts.
                let shown = if share > 1.4 * part.chars().count() as f64 { part.as_str() } else { "" };
                let _ = write!(
                    out,
                    "<span class=\"p{color}\" style=\"width:{share:.2}%\" title=\"{part}: {share:.1} %\">{shown}</span>"
                );
            }
            let _ = writeln!(out, "</div><span>{}</span>", escaped(note));
        }
        out.push_str("</div>\n");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers() -> Vec<Layer> {
        let layer = |name: &str, sizes: &[f64], color| Layer { name: name.into(), sizes: sizes.to_vec(), color };
        vec![layer("low", &[1.0, 1.0], 0), layer("high", &[1.0, 3.0], 1)]
    }

    #[test]
    fn areas_lie_on_each_other_and_reach_the_sum() {
        let [x, y] = ["x", "y"].map(Scale::linear);
        let areas = Areas { title: "t".into(), x: x.between(0.0, 1.0), y, at: vec![0.0, 1.0], layers: layers() };
        let text = areas.inline();
        let canvas = Canvas::new([[0.0, 1.0], [0.0, 4.0]]);
        let [[_, half], [right, quarter]] = [canvas.place([0.0, 2.0]), canvas.place([1.0, 1.0])];
        let [_, _, top, _] = canvas.edges();
        assert!(
            text.contains(&format!("{right:.1},{quarter:.1} "))
                && text.contains(&format!(",{half:.1} {right:.1},{top:.1}")),
            "{text}"
        );
    }

    #[test]
    fn shares_of_a_bar_fill_it() {
        let names = ["a", "b"].map(|name| [name.to_owned(), String::new()]).to_vec();
        let text = Bars { names, layers: layers() }.inline();
        assert_eq!(text.matches("width:50.00%").count(), 2);
        assert!(text.contains("width:25.00%") && text.contains("width:75.00%"));
    }
}
