//! One door for every way out: the extension of a path says what to write.

use std::path::Path;

use drystone::Recording;
use drystone_picture::raster::Options;
use drystone_picture::{Watch, write_gif, write_png};

use crate::atomic::WriteError;
use crate::glb::write_glb;
use crate::recording::write_recording;
use crate::usda::write_usda;

/// A file format that holds a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// All data, for NumPy and for `drystone check`.
    Npz,
    /// Animated binary glTF.
    Glb,
    /// Animated USD text.
    Usda,
    /// A picture of the last frame.
    Png,
    /// A looped animation.
    Gif,
}

impl Format {
    /// Every format with its extension.
    pub const ALL: [(&'static str, Self); 5] =
        [("npz", Self::Npz), ("glb", Self::Glb), ("usda", Self::Usda), ("png", Self::Png), ("gif", Self::Gif)];

    /// What the extension of a path asks for, in capitals or not; `None` if it is none of
    /// [`Format::ALL`].
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.iter().find(|(known, _)| *known == extension).map(|(_, format)| *format)
    }
}

/// How to make pictures; the other formats have nothing to choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureOptions {
    /// Size and view of a `.png`.
    pub png: Options,
    /// Size and view of a `.gif`.
    pub gif: Options,
    /// Pictures per second of a `.gif` \[1/s\].
    pub fps: f64,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { png: Options::default(), gif: Options { width: 640, height: 360, ..Options::default() }, fps: 25.0 }
    }
}

/// Writes a recording in a format, whole or not at all. `watch` is told how far the pictures of a film are.
pub fn write(
    path: &Path,
    format: Format,
    recording: &Recording,
    pictures: &PictureOptions,
    watch: Watch<'_>,
) -> Result<(), WriteError> {
    match format {
        Format::Npz => write_recording(path, recording),
        Format::Glb => write_glb(path, recording),
        Format::Usda => write_usda(path, recording),
        Format::Png => write_png(path, recording, None, pictures.png),
        Format::Gif => write_gif(path, recording, pictures.fps, pictures.gif, watch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic::tests::Folder;
    use crate::glb::tests::recording;

    #[test]
    fn every_format_is_written_and_starts_with_its_mark() {
        let folder = Folder::new("export");
        let small = Options { width: 32, height: 18, ..Options::default() };
        let pictures = PictureOptions { png: small, gif: small, fps: 5.0 };
        let marks: [&[u8]; 5] = [b"PK\x03\x04", b"glTF", b"#usda", b"\x89PNG", b"GIF89a"];
        for ((extension, format), mark) in Format::ALL.into_iter().zip(marks) {
            let path = folder.0.join(format!("out.{extension}"));
            write(&path, format, &recording(), &pictures, &|_, _| ()).unwrap();
            assert!(std::fs::read(&path).unwrap().starts_with(mark), "{extension}");
        }
        assert_eq!(folder.names().len(), 5);
        for (_, format) in Format::ALL {
            assert!(write(&folder.0.join("no/such/folder.x"), format, &recording(), &pictures, &|_, _| ()).is_err());
        }
        assert_eq!(folder.names().len(), 5);
    }

    #[test]
    fn extensions_are_found_in_any_case() {
        assert_eq!(Format::of(Path::new("a/b.GLB")), Some(Format::Glb));
        assert_eq!(Format::of(Path::new("b.blend")), None);
        assert_eq!(Format::of(Path::new("npz")), None);
    }
}
