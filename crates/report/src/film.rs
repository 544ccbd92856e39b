//! Motions side by side, played together.

use drystone_plot::json_number;
use maud::{Markup, html};

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
pub fn films(films: &[Film]) -> Markup {
    html! {
        div class="player" hidden {
            button type="button" { "Pause" }
            input type="range" min="0" max="1" step="any" aria-label="time";
            output {}
        }
        div class="films" { @for film in films { (film.markup()) } }
    }
}

impl Film {
    fn markup(&self) -> Markup {
        let [width, height] = self.size;
        html! {
            figure class="film" data-color=(self.color) data-sheet=(self.layout()) {
                img class="poster" alt={ (self.name) ": the last frame" } width=(width) height=(height) src=(self.poster);
                img class="sheet" alt="" hidden src=(self.sheet);
                figcaption { i class={ "key c" (self.color) } {} b { (self.name) } span { (self.note) } }
            }
        }
    }

    /// Where the frames are on the sheet and when, as JSON for the script.
    fn layout(&self) -> String {
        let times = self.times.iter().map(|time| json_number(*time)).collect::<Vec<_>>().join(",");
        let [width, height] = self.size;
        format!("{{\"width\":{width},\"height\":{height},\"columns\":{},\"times\":[{times}]}}", self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_film_is_there_with_its_times() {
        let film = Film { name: "a".into(), times: vec![0.0, 0.5], columns: 2, size: [4, 3], ..Film::default() };
        let text = films(&[film.clone(), film]).into_string();
        assert_eq!(text.matches("&quot;columns&quot;:2,&quot;times&quot;:[0,0.5]").count(), 2);
    }
}
