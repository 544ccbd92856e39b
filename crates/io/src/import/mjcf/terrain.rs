//! Height fields: written out, as pictures, or as a file of numbers.

use std::io::Cursor;
use std::path::Path;

use drystone_geometry::Heightfield;

use super::super::fault::Log;
use super::super::xml::{self, Attribute, Element};
use super::assets::located;
use super::settings::Settings;

/// Most heights of a field.
const MOST: usize = 10_000_000;

/// Heights as they are given, row by row, the first at the least y.
struct Grid {
    columns: usize,
    rows: usize,
    heights: Vec<f64>,
}

/// A height field: what is given is scaled to the height it may have at most.
pub(super) fn read(element: &Element, path: &Path, settings: &Settings, log: &mut Log) -> Option<Heightfield> {
    let grid = match element.attribute("file").filter(|file| !file.value.is_empty()) {
        Some(file) => of_file(element, file, &located(&file.value, path, settings), log)?,
        None => written_out(element, log)?,
    };
    let [x, y, top, _] = element.numbers(log, "size")?;
    let Grid { columns, rows, mut heights } = grid;
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let scale = if high > low { top / (high - low) } else { 0.0 };
    heights.iter_mut().for_each(|height| *height = (*height - low) * scale);
    let spacing = [2.0 * x / (columns - 1) as f64, 2.0 * y / (rows - 1) as f64];
    Some(Heightfield { columns, rows, spacing, heights })
}

fn written_out(element: &Element, log: &mut Log) -> Option<Grid> {
    let [columns, rows] = ["ncol", "nrow"].map(|name| element.number(log, name).unwrap_or(0.0));
    if !(columns >= 2.0 && rows >= 2.0 && columns * rows <= MOST as f64) {
        let message = format!("{}: too few or too many rows and columns", element.called());
        log.fault(element.place, message, "give two to a few thousand");
        return None;
    }
    let (columns, rows) = (columns as usize, rows as usize);
    let given = element.list(log, "elevation").unwrap_or_else(|| vec![0.0; columns * rows]);
    if given.len() != columns * rows {
        let message = format!("{} has {} heights, not {rows} × {columns}", element.called(), given.len());
        log.fault(element.place, message, "give one for every place of the grid");
        return None;
    }
    Some(Grid { columns, rows, heights: upwards(&given, columns) })
}

/// Rows in the order of growing y: texts and pictures begin with the last.
fn upwards(given: &[f64], columns: usize) -> Vec<f64> {
    given.chunks(columns).rev().flatten().copied().collect()
}

fn of_file(element: &Element, file: &Attribute, path: &Path, log: &mut Log) -> Option<Grid> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_picture = element.text_of("content_type") == Some("image/png") || extension.eq_ignore_ascii_case("png");
    let bytes = match xml::read_bytes(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let problem = error.faults.first().map_or_else(String::new, |fault| fault.message.clone());
            log.fault(file.place, format!("`{}`: {problem}", path.display()), "paths are relative to `meshdir`");
            return None;
        }
    };
    let grid = if is_picture { of_picture(&bytes) } else { of_numbers(&bytes) };
    grid.map_err(|problem| {
        let help = "give a picture (PNG), or a file of rows, columns and heights in single precision";
        log.fault(file.place, format!("`{}`: {problem}", path.display()), help);
    })
    .ok()
}

/// The first channel of a picture in 256 steps, as MuJoCo takes it.
fn of_picture(bytes: &[u8]) -> Result<Grid, String> {
    let broken = |error: png::DecodingError| format!("this is no picture that can be read: {error}");
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(broken)?;
    let (columns, rows) = (reader.info().width as usize, reader.info().height as usize);
    check_size(columns, rows)?;
    let channels = reader.output_color_type().0.samples();
    let mut pixels = vec![0; columns * rows * channels];
    reader.next_frame(&mut pixels).map_err(broken)?;
    let heights: Vec<f64> = pixels.chunks(channels).map(|pixel| f64::from(pixel[0])).collect();
    Ok(Grid { columns, rows, heights: upwards(&heights, columns) })
}

/// Numbers of rows and columns, then heights, all of four bytes.
fn of_numbers(bytes: &[u8]) -> Result<Grid, String> {
    let words: Vec<[u8; 4]> = bytes.chunks_exact(4).filter_map(|word| word.try_into().ok()).collect();
    let [rows, columns, heights @ ..] = &words[..] else { return Err("the file is too short".into()) };
    let [rows, columns] = [rows, columns].map(|word| usize::try_from(i32::from_le_bytes(*word)).unwrap_or(0));
    check_size(columns, rows)?;
    if bytes.len() != 4 * (2 + rows * columns) {
        return Err(format!("the file has {} bytes, which are not {rows} × {columns} heights", bytes.len()));
    }
    let heights: Vec<f64> = heights.iter().map(|word| f64::from(f32::from_le_bytes(*word))).collect();
    match heights.iter().all(|height| height.is_finite()) {
        true => Ok(Grid { columns, rows, heights }),
        false => Err("a height is not finite".into()),
    }
}

fn check_size(columns: usize, rows: usize) -> Result<(), String> {
    match columns >= 2 && rows >= 2 && columns.saturating_mul(rows) <= MOST {
        true => Ok(()),
        false => Err(format!("{columns} columns and {rows} rows are too few or too many")),
    }
}
