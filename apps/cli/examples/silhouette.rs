//! Prints which body each pixel of the last frame of a recording shows: index plus one, or zero. The tests of the viewer hold
//! what the browser draws to it.
//!
//! `silhouette RECORDING WIDTHxHEIGHT EYE TARGET OPENING`, points as `x,y,z` in metres, the vertical opening in radians.

use std::path::Path;

use drystone::geometry::DVec3;
use drystone_picture::raster::{Options, Renderer, View};

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, size, eye, target, opening] = &words[..] else {
        return Err("usage: silhouette RECORDING WIDTHxHEIGHT EYE TARGET OPENING".into());
    };
    let [width, height] = numbers::<2>(size, 'x')?.map(|side| side as usize);
    let [eye, target] = [numbers(eye, ',')?, numbers(target, ',')?].map(DVec3::from_array);
    let [opening] = numbers(opening, ',')?;
    let recording = drystone_io::recording::read_recording(Path::new(path)).map_err(|error| error.to_string())?;
    let view = View { opening, eye: Some(eye), target: Some(target), ..View::default() };
    let renderer = Renderer::new(&recording, Options { width, height, supersample: 1, view });
    let last = recording.frame_count().saturating_sub(1);
    let row = |row: &[u32]| row.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    renderer.bodies(last).chunks(width.max(1)).for_each(|pixels| println!("{}", row(pixels)));
    Ok(())
}

fn numbers<const N: usize>(text: &str, between: char) -> Result<[f64; N], String> {
    let list: Option<Vec<f64>> = text.split(between).map(|number| number.parse().ok()).collect();
    list.and_then(|list| list.try_into().ok())
        .ok_or_else(|| format!("`{text}` must be {N} numbers with `{between}` between"))
}
