//! The documentation as a book, built by mdBook, with every link of the pages it makes checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files::files_below;
use crate::links;
use crate::process::{cargo, root, run};

/// The mdBook that builds the book. Without its features it has neither server nor search and needs half the crates.
const VERSION: &str = "0.5.4";
/// Pages whose links are those of other pages, seen from elsewhere.
const COPIES: [&str; 2] = ["print.html", "404.html"];

/// Checks the links of the documents, builds the book into `target/book` and checks the links of its pages.
pub fn book() -> Result<(), String> {
    links::check()?;
    let book = root().join("target/book");
    let docs = root().join("docs");
    run(Command::new(mdbook()?).arg("build").arg(&docs))?;
    place_demo(&book.join("demo"))?;
    let mut pages = files_below(&book, "html")?;
    pages.retain(|page| !COPIES.iter().any(|name| page.ends_with(name)));
    let faults: Vec<String> = pages.iter().flat_map(|page| broken_links(page)).collect();
    if !faults.is_empty() {
        return Err(format!("pages of the book lead nowhere:\n       {}", faults.join("\n       ")));
    }
    println!("xtask: {} pages, open {}", pages.len(), book.join("index.html").display());
    Ok(())
}

/// The viewer without a server, which some pages show: as `cargo xtask demo` left it, or the words that it is not there.
fn place_demo(folder: &Path) -> Result<(), String> {
    const MISSING: &str =
        "<!doctype html><html lang=\"en\"><title>Not built</title><p>`cargo xtask demo` builds what belongs here.";
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(at)?;
    fs::write(folder.join("index.html"), MISSING).map_err(at)?;
    let built = root().join("target/demo");
    for entry in fs::read_dir(built).into_iter().flatten().flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).map_err(at)?;
    }
    Ok(())
}

/// mdBook of the version wanted, installed below `target` if it is not there yet.
fn mdbook() -> Result<PathBuf, String> {
    let tools = root().join("target/tools");
    let program = tools.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    let version = Command::new(&program).arg("--version").output();
    if version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(VERSION)) {
        return Ok(program);
    }
    // Unoptimised: that is the quickest to build, and makes this book in a second all the same.
    run(cargo()
        .args(["install", "mdbook", "--version", VERSION, "--locked", "--no-default-features", "--debug", "--force"])
        .arg("--root")
        .arg(&tools)
        .arg("--target-dir")
        .arg(tools.join("build")))?;
    Ok(program)
}

fn broken_links(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap_or_default();
    let folder = page.parent().unwrap_or(page);
    let leads_nowhere = |link: &&str| {
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let file = file.split_once('?').map_or(file, |(file, _)| file);
        let target = if file.is_empty() { page.to_path_buf() } else { folder.join(file) };
        !target.exists() || (!anchor.is_empty() && !has_id(&target, anchor))
    };
    let links = links_of(&text).filter(|link| !link.contains(':'));
    links.filter(leads_nowhere).map(|link| format!("{}: {link}", page.display())).collect()
}

/// Targets of links, pictures, scripts and styles.
fn links_of(page: &str) -> impl Iterator<Item = &str> {
    let after = |opening: &'static str| page.split(opening).skip(1).filter_map(|rest| rest.split_once('"'));
    after(" href=\"").chain(after(" src=\"")).map(|(target, _)| target)
}

fn has_id(page: &Path, name: &str) -> bool {
    fs::read_to_string(page).is_ok_and(|text| text.contains(&format!("id=\"{name}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_lead_nowhere_are_found() {
        let folder = std::env::temp_dir().join(format!("drystone-book-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let page = folder.join("a.html");
        let links = ["b.html", "#here", "#there", "a.html#here", "a.html?embed", "https://elsewhere.example/x"];
        let body: String = links.iter().map(|link| format!("<a href=\"{link}\">x</a>")).collect();
        fs::write(&page, format!("<h1 id=\"here\">x</h1>{body}<img src=\"c.png\">")).unwrap();
        let faults = broken_links(&page);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(faults.len(), 3, "{faults:?}");
        for (fault, link) in faults.iter().zip(["b.html", "#there", "c.png"]) {
            assert!(fault.ends_with(link), "{fault}");
        }
    }
}
