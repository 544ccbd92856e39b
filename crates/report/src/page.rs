//! A page that holds everything it shows.

use drystone_plot::STYLE;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const PAGE_STYLE: &str = include_str!("../assets/page.css");
const SCRIPT: &str = include_str!("../assets/page.js");

/// A page in the making: one HTML file without anything outside of it, for light and dark rooms, wide and narrow
/// screens. Its script writes `data-status="ready"` into the root element when all is set up, and
/// `data-error` when something went wrong.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    lead: Markup,
    sections: Vec<Section>,
}

#[derive(Clone, Debug)]
struct Section {
    anchor: String,
    heading: String,
    body: Markup,
}

impl Page {
    /// A page with a title and what stands below it.
    pub fn new(title: &str, lead: Markup) -> Self {
        Self { title: title.to_owned(), lead, sections: Vec::new() }
    }

    /// Appends a section: the name of its anchor, its heading, its content.
    pub fn section(&mut self, anchor: &str, heading: &str, body: Markup) {
        self.sections.push(Section { anchor: anchor.to_owned(), heading: heading.to_owned(), body });
    }

    /// The whole file.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" data-status="loading" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    link rel="icon" href="data:,";
                    style { (PreEscaped(STYLE)) (PreEscaped(PAGE_STYLE)) }
                }
                body {
                    header { h1 { (self.title) } (self.lead) }
                    nav {
                        @for Section { anchor, heading, .. } in &self.sections { a href={ "#" (anchor) } { (heading) } }
                    }
                    main {
                        @for Section { anchor, heading, body } in &self.sections {
                            section id=(anchor) { h2 { (heading) } (body) }
                        }
                    }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        page.into_string()
    }
}

/// A figure: its name, how to read it, and the plot as `drystone-plot` draws it.
pub fn figure(name: &str, note: &str, plot: &str) -> Markup {
    html! { figure { figcaption { b { (name) } " " (note) } (PreEscaped(plot)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_needs_nothing_else() {
        let mut page = Page::new("a < b", html! { p { "lead" } });
        page.section("one", "First", figure("f", "note", "<svg></svg>"));
        let html = page.html();
        assert!(html.contains("<title>a &lt; b</title>") && html.contains("<section id=\"one\">"));
        assert!(html.contains("href=\"#one\"") && html.contains("data-status=\"loading\""));
        for outside in ["http:", "https:", "src=\"/", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
    }
}
