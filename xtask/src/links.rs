//! Links between documents lead somewhere: relative ones to a file that is there, those with a `#` to a heading of it.
//! Files of the sources and commands of xtask that a document names are there too.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::HELP;
use crate::files::files_below;
use crate::process::root;

/// Documents beside the book.
const BESIDE: [&str; 4] = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "fuzz/README.md"];

/// Documents beside the book that a page of it includes, so that their relative links would lead elsewhere.
const INCLUDED: [&str; 2] = ["CHANGELOG.md", "CONTRIBUTING.md"];
/// Documents that tell of the past, and may name files that are gone.
const HISTORY: [&str; 2] = ["CHANGELOG.md", "docs/decisions.md"];
/// What building the book adds to it.
const MADE: [&str; 1] = ["docs/demo/index.html"];
/// Folders of the sources: what documents name in code and begins with one of them is a path.
const FOLDERS: [&str; 10] =
    ["crates/", "solvers/", "apps/", "tests/", "xtask/", "tools/", "scenes/", "benches/", "docs/", "fuzz/"];

/// Holds all documents to their links, and the table of contents to the pages there are. An error lists every fault.
pub fn check() -> Result<(), String> {
    let mut pages = files_below(&root().join("docs"), "md")?;
    for page in &mut pages {
        *page = page.strip_prefix(root()).unwrap_or(page).to_path_buf();
    }
    let documents: Vec<PathBuf> = BESIDE.iter().map(PathBuf::from).chain(pages.iter().cloned()).collect();
    let mut texts = BTreeMap::new();
    for document in documents {
        let text =
            fs::read_to_string(root().join(&document)).map_err(|error| format!("{}: {error}", document.display()))?;
        texts.insert(document, text);
    }
    let mut faults: Vec<String> = texts.keys().flat_map(|document| faults_of(document, &texts)).collect();
    faults.extend(missing_from_contents(&pages, &texts));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

fn faults_of(document: &Path, texts: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let text = &texts[document];
    let fault =
        |link: &str| fault_of(document, link, texts).map(|why| format!("{}: `{link}`: {why}", document.display()));
    let mut faults: Vec<String> = links(text).iter().filter_map(|link| fault(link)).collect();
    let unknown = named_commands(text).into_iter().filter(|name| !HELP.contains(&format!("\n  {name} ")));
    faults.extend(unknown.map(|name| format!("{}: there is no `cargo xtask {name}`", document.display())));
    if !HISTORY.iter().any(|past| document == Path::new(past)) {
        let gone = named_files(text).into_iter().filter(|path| !root().join(path).exists());
        faults.extend(gone.map(|path| format!("{}: names `{path}`, which is not there", document.display())));
    }
    faults
}

/// What a document calls as `cargo xtask …`.
fn named_commands(text: &str) -> Vec<&str> {
    let name = |rest: &'_ str| rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_lowercase()).len();
    let calls = text.split("cargo xtask ").skip(1).map(|rest| &rest[..name(rest)]);
    calls.filter(|name| !name.is_empty() && *name != "help").collect()
}

/// Files and folders of the sources that a document names in code; a part in capitals stands for any name.
fn named_files(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.starts_with("    "));
    let is_plain = |word: &str| word.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter));
    let stands_for_any = |part: &str| part.len() > 1 && part.chars().all(|letter| letter.is_ascii_uppercase());
    let is_path = |word: &&str| {
        FOLDERS.iter().any(|folder| word.starts_with(folder)) && is_plain(word) && !word.split('/').any(stands_for_any)
    };
    lines.flat_map(|line| line.split('`').skip(1).step_by(2)).filter(is_path).collect()
}

fn fault_of(document: &Path, link: &str, texts: &BTreeMap<PathBuf, String>) -> Option<&'static str> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    if INCLUDED.iter().any(|page| document == Path::new(page)) {
        return Some("the book includes this document, where the link leads nowhere; name the path in plain text");
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let file = file.split_once('?').map_or(file, |(file, _)| file);
    let target = if file.is_empty() { document.to_path_buf() } else { resolved(document, file) };
    if document.starts_with("docs") && !target.starts_with("docs") {
        return Some("leads out of docs/, where the book has nothing; name the path in plain text");
    }
    if !root().join(&target).exists() && !MADE.iter().any(|page| target == Path::new(page)) {
        return Some("there is no such file");
    }
    let text = texts.get(&target)?;
    (!anchor.is_empty() && !anchors(text).iter().any(|known| known == anchor)).then_some("there is no such heading")
}

/// Where a link of a document leads, from the root.
fn resolved(document: &Path, link: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for part in document.parent().unwrap_or(Path::new("")).join(link).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}

fn missing_from_contents(pages: &[PathBuf], texts: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let contents = Path::new("docs/SUMMARY.md");
    let Some(text) = texts.get(contents) else { return vec!["docs/SUMMARY.md is missing".into()] };
    let listed: Vec<PathBuf> = links(text).iter().map(|link| resolved(contents, link)).collect();
    let is_missing = |page: &&PathBuf| page.as_path() != contents && !listed.contains(page);
    pages.iter().filter(is_missing).map(|page| format!("docs/SUMMARY.md does not list {}", page.display())).collect()
}

/// The targets of a document's links and pictures, outside code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        for (opening, closing) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
            let pieces = line.split(opening).skip(1);
            found.extend(pieces.filter_map(|rest| rest.split_once(closing)).map(|(target, _)| target.to_owned()));
        }
    }
    found
}

/// The lines of a document that are not code, without the code inside them.
fn prose(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut is_code = false;
    text.lines().filter_map(move |line| {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            return None;
        }
        (!is_code && !line.starts_with("    ")).then(|| line.split('`').step_by(2).collect::<Vec<_>>().join("`"))
    })
}

/// What the headings of a document are called in links, as renderers of Markdown agree on it.
fn anchors(text: &str) -> Vec<String> {
    let mut seen = BTreeMap::<String, usize>::new();
    let mut is_code = false;
    let mut anchors = Vec::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if is_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let name = anchor(title.trim());
        let count = seen.entry(name.clone()).or_default();
        anchors.push(if *count == 0 { name } else { format!("{name}-{count}") });
        *count += 1;
    }
    anchors
}

fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_lead_somewhere() {
        check().unwrap_or_else(|faults| panic!("{faults}"));
    }

    #[test]
    fn links_are_read_outside_code_only() {
        let text =
            "[a](b.md#c) `[not](this)` ![d](e.png)\n```\n[nor](that)\n```\n    [nor](those)\n<img src=\"f.gif\">";
        assert_eq!(links(text), ["b.md#c", "e.png", "f.gif"]);
    }

    #[test]
    fn files_of_the_sources_are_told_from_other_words() {
        let text = "`docs/a.md` and `crates/b/src`, not `cargo run` nor `benches/set-{x}.json` nor docs/c.md nor `fuzz/TARGET`\n    `docs/d`";
        assert_eq!(named_files(text), ["docs/a.md", "crates/b/src"]);
    }

    #[test]
    fn commands_of_xtask_are_found() {
        assert_eq!(
            named_commands("`cargo xtask book`, `cargo xtask help`; cargo xtask soak --quiet"),
            ["book", "soak"]
        );
    }

    #[test]
    fn headings_have_the_names_links_use() {
        assert_eq!(
            anchors("# `vbd`: block descent\n## One step\n```\n# no\n```\n## One step"),
            ["vbd-block-descent", "one-step", "one-step-1"]
        );
    }

    #[test]
    fn a_broken_link_is_told() {
        let page = PathBuf::from("docs/architecture.md");
        let text = "[a](nowhere.md) [b](architecture.md#nothing) [c](../Cargo.toml) [d](architecture.md#here)\n# Here";
        let texts = BTreeMap::from([(page.clone(), text.to_owned())]);
        let faults = faults_of(&page, &texts);
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults[0].contains("no such file") && faults[1].contains("no such heading"), "{faults:?}");
        assert!(faults[2].contains("leads out of docs/"), "{faults:?}");
        let changes = PathBuf::from("CHANGELOG.md");
        let texts = BTreeMap::from([(changes.clone(), "[here](docs/architecture.md)".to_owned())]);
        assert_eq!(faults_of(&changes, &texts).len(), 1);
    }
}
