//! A page that holds everything it shows.

use std::fmt::Write as _;

use drystone_plot::{STYLE, escaped};

const PAGE_STYLE: &str = include_str!("../assets/page.css");
const SCRIPT: &str = include_str!("../assets/page.js");

/// A page in the making: one HTML file without anything outside of it, for light and dark rooms, wide and narrow
/// screens. Its script writes `data-status="ready"` into the root element when all is set up, and
/// `data-error` when something went wrong.
#[derive(Clone, Debug, Default)]
pub struct Page {
    title: String,
    lead: String,
    sections: Vec<[String; 3]>,
}

impl Page {
    /// A page with a title and some HTML below it.
    pub fn new(title: &str, lead: String) -> Self {
        Self { title: title.to_owned(), lead, sections: Vec::new() }
    }

    /// Appends a section: the name of its anchor, its heading, its HTML.
    pub fn section(&mut self, anchor: &str, heading: &str, body: String) {
        self.sections.push([anchor.to_owned(), heading.to_owned(), body]);
    }

    /// The whole file.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\" data-status=\"loading\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}{PAGE_STYLE}</style>\n</head>\n<body>\n\
             <header><h1>{title}</h1>\n{}</header>\n<nav>",
            self.lead
        );
        for [anchor, heading, _] in &self.sections {
            let _ = write!(out, "<a href=\"#{anchor}\">{}</a>", escaped(heading));
        }
        out.push_str("</nav>\n<main>\n");
        for [anchor, heading, body] in &self.sections {
            let heading = escaped(heading);
            let _ = write!(out, "<section id=\"{anchor}\">\n<h2>{heading}</h2>\n{body}</section>\n");
        }
        let _ = write!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
        out
    }
}

/// A figure: its name, how to read it, and the plot.
pub fn figure(name: &str, note: &str, plot: &str) -> String {
    let (name, note) = (escaped(name), escaped(note));
    format!("<figure>\n<figcaption><b>{name}</b> {note}</figcaption>\n{plot}</figure>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_needs_nothing_else() {
        let mut page = Page::new("a < b", "<p>lead</p>".into());
        page.section("one", "First", figure("f", "note", "<svg></svg>"));
        let html = page.html();
        assert!(html.contains("<title>a &lt; b</title>") && html.contains("<section id=\"one\">"));
        assert!(html.contains("href=\"#one\"") && html.contains("data-status=\"loading\""));
        for outside in ["http:", "https:", "src=\"/", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
    }
}
