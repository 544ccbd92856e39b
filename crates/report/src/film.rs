//! Motions side by side, played together.

use std::fmt::Write as _;

use drystone_plot::{escaped, json_number};

/// A motion as one picture that holds all its frames, row by row, each of them only what changed since the one before.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// Whose motion it is.
    pub name: String,
    /// What stands beside the name.
    pub note: String,
    /// Which of the colours of plots it has.
    pub color: usize,
    /// The last frame, as an address: what is seen without a script.
    pub poster: String,
    /// The sheet of frames, as an address.
    pub sheet: String,
    /// Width and height of a frame \[px\].
    pub size: [usize; 2],
    /// Frames in a row of the sheet.
    pub columns: usize,
    /// Time of every frame \[s\].
    pub times: Vec<f64>,
}

/// The films, with one slider for the time of all of them.
pub fn films(films: &[Film]) -> String {
    let mut out = String::from(
        "<div class=\"player\" hidden><button type=\"button\">Pause</button>\
         <input type=\"range\" min=\"0\" max=\"1\" step=\"any\" aria-label=\"time\"><output></output></div>\n\
         <div class=\"films\">\n",
    );
    for film in films {
        let times = film.times.iter().map(|time| json_number(*time)).collect::<Vec<_>>().join(",");
        let [width, height] = film.size;
        let (columns, color) = (film.columns, film.color);
        let (name, note) = (escaped(&film.name), escaped(&film.note));
        let _ = writeln!(
            out,
            "<figure class=\"film\" data-color=\"{color}\" data-sheet='{{\"width\":{width},\"height\":{height},\
             \"columns\":{columns},\"times\":[{times}]}}'><img class=\"poster\" alt=\"{name}: the last frame\" \
             width=\"{width}\" height=\"{height}\" src=\"{}\"><img class=\"sheet\" alt=\"\" hidden src=\"{}\">\
             <figcaption><i class=\"key c{color}\"></i><b>{name}</b><span>{note}</span></figcaption></figure>",
            film.poster, film.sheet
        );
    }
    out.push_str("</div>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_film_is_there_with_its_times() {
        let film = Film { name: "a".into(), times: vec![0.0, 0.5], columns: 2, size: [4, 3], ..Film::default() };
        let text = films(&[film.clone(), film]);
        assert_eq!(text.matches("\"columns\":2,\"times\":[0,0.5]").count(), 2);
    }
}
