//! Pictures of the viewer for the documentation: `cargo xtask view --pictures`.

use std::fs;

use crate::process::root;

use super::driver::Look;
use super::page::{Tools, decode_base64};

/// Largest file that the repository takes \[bytes\].
const LARGEST: usize = 150_000;

/// A picture: its name, what is viewed, whether the room is dark, the step, and what is done in the page before.
struct Picture {
    name: &'static str,
    scene: &'static [&'static str],
    dark: bool,
    step: u64,
    before: &'static str,
}

const fn picture(
    name: &'static str,
    scene: &'static [&'static str],
    dark: bool,
    step: u64,
    before: &'static str,
) -> Picture {
    Picture { name, scene, dark, step, before }
}

const PICTURES: [Picture; 8] = [
    picture("pyramid", &["pyramid"], false, 30, "open('scene', 'show')"),
    picture("wrecking-ball", &["wrecking-ball"], true, 75, "check('contacts'); shut()"),
    picture("islands", &["domino"], false, 120, "color('islands'); open('show')"),
    picture("joints", &["humanoid"], true, 20, "check('joints'); check('masses'); d.session.select(3); open('body')"),
    picture("overlap", &["wrecking-ball", "--iterations", "1"], false, 70, "color('heat'); shut()"),
    picture("boxes", &["necklace"], true, 60, "check('bounds'); shut()"),
    picture("compare", &["wrecking-ball"], false, 90, "open('compare')"),
    picture("figures", &["card-house"], true, 90, "check('shapes'); open('plots')"),
];

/// Words that the pictures are described in.
const WORDS: &str = "const open = (...names) => document.querySelectorAll('#panel details').forEach((part) => { part.open = names.includes(part.id.replace('part-', '')); });
    const shut = () => document.getElementById('toggle-panel').click();
    const check = (name) => document.querySelector(`[data-show=${name}]`).click();
    const color = (name) => { const e = document.querySelector('[data-show=coloring]'); e.value = name; e.dispatchEvent(new Event('change')); };";

/// Takes all pictures of the documentation, or those whose names contain a word.
pub fn pictures(tools: &Tools, words: &[String]) -> Result<(), String> {
    for Picture { name, scene, dark, step, before } in PICTURES {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let page = tools.open(scene, Look { size: [1120, 769], dark, ..Look::default() })?;
        page.command(r#"{"do": "pause"}"#)?;
        page.command(r#"{"do": "reset"}"#)?;
        if name == "compare" {
            page.command(r#"{"do": "compare", "solver": "jacobi"}"#)?;
            page.wait("d.stage.drawn.length === 2", 10.0)?;
        }
        page.wait("d.session.report.step === 0", 10.0)?;
        page.eval(&format!("(() => {{ {WORDS} {before}; }})()"))?;
        page.go_to(step)?;
        page.eval("new Promise((done) => setTimeout(done, 1500))")?;
        let bytes = decode_base64(&page.browser.photograph()?);
        let path = root().join(format!("docs/images/view-{name}.webp"));
        if bytes.len() > LARGEST {
            return Err(format!("{}: {} bytes, at most {LARGEST}", path.display(), bytes.len()));
        }
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("xtask: {}", path.display());
    }
    Ok(())
}
