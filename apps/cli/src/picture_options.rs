//! How exported pictures are taken.

use clap::Args;
use drystone::model::DVec3;
use drystone_io::export::PictureOptions;
use drystone_picture::raster::View;

/// Options of pictures (`--export` to .png or .gif).
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Pictures")]
pub struct PictureArguments {
    /// Size in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = picture_size)]
    pub size: Option<(usize, usize)>,
    /// Pictures per second of a .gif
    #[arg(long, value_name = "N", value_parser = rate)]
    pub fps: Option<f64>,
    /// Direction to look from: degrees around the scene from its widest side, degrees above the horizon
    #[arg(long, value_name = "AZIMUTH,ELEVATION", value_parser = direction, conflicts_with = "eye", allow_hyphen_values = true)]
    pub view: Option<[f64; 2]>,
    /// Point to look from, in metres; without it everything that moves fits into the picture
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub eye: Option<DVec3>,
    /// Point to look at, in metres
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub look_at: Option<DVec3>,
}

impl PictureArguments {
    /// The scene's own view, changed as the user says.
    pub fn chosen(&self, own: View) -> View {
        let mut view = own;
        if let Some([azimuth, elevation]) = self.view {
            view = View { azimuth, elevation: Some(elevation), opening: own.opening, ..View::default() };
        }
        view.eye = self.eye.or(view.eye);
        view.target = self.look_at.or(view.target);
        view
    }

    /// Everything about the pictures of a run.
    pub fn pictures(&self, view: View) -> PictureOptions {
        let mut pictures = PictureOptions::default();
        pictures.fps = self.fps.unwrap_or(pictures.fps);
        for picture in [&mut pictures.png, &mut pictures.gif] {
            picture.view = view;
            (picture.width, picture.height) = self.size.unwrap_or((picture.width, picture.height));
        }
        pictures
    }
}

/// Largest side of a picture: what fits in the memory of a small machine.
const LARGEST_SIDE: usize = 4096;

fn picture_size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match sides {
        Some((width, height)) if (16..=LARGEST_SIDE).contains(&width) && (16..=LARGEST_SIDE).contains(&height) => {
            Ok((width, height))
        }
        _ => Err(format!("must be two numbers from 16 to {LARGEST_SIDE}, such as 640x360")),
    }
}

/// Viewers slow down what is faster than 50 pictures per second.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.1..=50.0).contains(rate));
    rate.ok_or_else(|| "must be a number from 0.1 to 50, such as 25".to_owned())
}

fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let numbers: Vec<f64> = text.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok().filter(|numbers: &[f64; N]| numbers.iter().all(|number| number.abs() < 1e12))
}

fn direction(text: &str) -> Result<[f64; 2], String> {
    match numbers(text) {
        Some([azimuth, elevation]) if (-90.0..=90.0).contains(&elevation) => {
            Ok([azimuth, elevation].map(f64::to_radians))
        }
        _ => Err("must be two angles in degrees, the second from -90 to 90, such as 30,20".to_owned()),
    }
}

fn point(text: &str) -> Result<DVec3, String> {
    let point = numbers(text).map(DVec3::from_array);
    point.ok_or_else(|| "must be three numbers in metres, such as 6,-9,6".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_sizes_are_two_numbers_in_range() {
        assert_eq!(picture_size("640x360"), Ok((640, 360)));
        for text in ["", "640", "640x", "x360", "640x360x2", "-1x360", "0x0", "15x16", "99999x16", "a x b", "640,360"] {
            assert!(picture_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn places_and_directions_are_finite_numbers() {
        assert_eq!(point("1, -2.5,3e1"), Ok(DVec3::new(1.0, -2.5, 30.0)));
        assert_eq!(direction("180,-90"), Ok([180f64.to_radians(), -90f64.to_radians()]));
        for text in ["", "1,2", "1,2,3,4", "1,,2", "nan,0,0", "inf,0,0", "a,b,c"] {
            assert!(point(text).is_err(), "{text}");
        }
        for text in ["30", "30,91", "30,nan", "30;20"] {
            assert!(direction(text).is_err(), "{text}");
        }
        for text in ["0", "-5", "51", "nan", "fast"] {
            assert!(rate(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_user_has_the_last_word() {
        let own = View { eye: Some(DVec3::X), target: Some(DVec3::Y), opening: 0.7, ..View::default() };
        assert_eq!(PictureArguments::default().chosen(own), own);
        let turned = PictureArguments { view: Some([1.0, 0.2]), ..PictureArguments::default() }.chosen(own);
        assert_eq!((turned.eye, turned.azimuth, turned.elevation, turned.opening), (None, 1.0, Some(0.2), 0.7));
        let aimed = PictureArguments { look_at: Some(DVec3::Z), ..PictureArguments::default() }.chosen(own);
        assert_eq!((aimed.eye, aimed.target), (Some(DVec3::X), Some(DVec3::Z)));
    }
}
