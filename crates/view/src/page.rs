//! The page, as it stands in the program.

/// A file of the page: its name, what it is, its bytes.
pub struct File {
    /// The path it is asked by.
    pub path: &'static str,
    /// Its media type.
    pub content: &'static str,
    /// Its bytes.
    pub bytes: &'static [u8],
}

macro_rules! file {
    ($path:literal, $name:literal, $content:literal) => {
        File {
            path: $path,
            content: $content,
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/", $name)),
        }
    };
}

/// All files there are. Nothing else is ever read.
pub const FILES: [File; 4] = [
    file!("/", "index.html", "text/html; charset=utf-8"),
    file!("/app.js", "app.js", "text/javascript; charset=utf-8"),
    file!("/app.css", "app.css", "text/css; charset=utf-8"),
    file!("/worker.js", "worker.js", "text/javascript; charset=utf-8"),
];
