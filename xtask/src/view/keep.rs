//! What can be taken home: picture, film, recording, checkpoint, log.

use std::process::Command;

use super::driver::Look;
use super::page::{Page, Tools, decode_base64};

/// Keeps what the page saves instead of leaving it to the browser's downloads.
const WATCH: &str = "(() => { window.kept = []; const make = URL.createObjectURL.bind(URL); URL.createObjectURL = (blob) => { window.kept.push(blob); return make(blob); }; })()";

pub fn keep(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&["pyramid", "--set", "rows=4"], Look::default())?;
    page.command(r#"{"do": "pause"}"#)?;
    page.command(r#"{"do": "reset"}"#)?;
    page.go_to(5)?;
    page.eval(WATCH)?;
    page.eval(
        "document.querySelectorAll('#panel details').forEach((part) => { part.open = part.id === 'part-keep'; })",
    )?;

    let picture = saved(&page, "Picture")?;
    expect("picture", &picture, b"\x89PNG", 2000)?;

    page.focus_canvas()?;
    page.browser.key("b")?;
    page.wait("d.session.scene.bodies.count === 11", 5.0)?;
    press(&page, "Record")?;
    page.wait("d.session.report.recording", 5.0)?;
    press(&page, "Film")?;
    page.wait("document.getElementById('film').getAttribute('aria-pressed') === 'true'", 5.0)?;
    page.command(r#"{"do": "play"}"#)?;
    page.wait("d.session.report.step > 60", 20.0)?;
    page.command(r#"{"do": "pause"}"#)?;
    let film = saved(&page, "End film")?;
    expect("film", &film, b"\x1aE\xdf\xa3", 2000)?;
    press(&page, "Record")?;
    page.wait("!d.session.report.recording && !d.session.report.playing", 5.0)?;

    let recording = saved(&page, "Save recording")?;
    expect("recording", &recording, b"PK", 2000)?;
    let path = tools.pictures.join("kept.npz");
    std::fs::write(&path, recording).map_err(|error| format!("{}: {error}", path.display()))?;
    let film = tools.open(&[&path.display().to_string()], Look::default())?;
    if film.number("d.session.scene.head.steps[1]")? < 55.0 || film.eval("d.session.scene.head.source")? != "recording"
    {
        return Err("the recording saved does not play".into());
    }
    drop(film);

    expect("checkpoint", &saved(&page, "Save checkpoint")?, b"", 500)?;
    let log = saved(&page, "Save log")?;
    let text = String::from_utf8_lossy(&log);
    if !text.contains("\"throw\"") || !text.contains(&page.hash()?) {
        return Err(format!("the log has neither the ball nor the bits at its end: {text}"));
    }
    repeats(tools, "kept.jsonl", &log)?;
    page.check_clean()
}

/// A log repeats what was done to the same bits, without a browser.
pub fn repeats(tools: &Tools, name: &str, log: &[u8]) -> Result<(), String> {
    let path = tools.pictures.join(name);
    std::fs::write(&path, log).map_err(|error| format!("{}: {error}", path.display()))?;
    let again = Command::new(&tools.drystone).args(["view", "--repeat"]).arg(&path).output();
    let again = again.map_err(|error| format!("{} did not start: {error}", tools.drystone.display()))?;
    if again.status.success() {
        return Ok(());
    }
    let [said, wrong] = [&again.stdout, &again.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    Err(format!("{name} does not repeat: {said}{wrong}"))
}

fn press(page: &Page, label: &str) -> Result<(), String> {
    let mark = format!(
        "(() => {{ document.querySelectorAll('[data-pressed]').forEach((e) => e.removeAttribute('data-pressed')); const found = [...document.querySelectorAll('#keep button')].find((e) => e.textContent === {label:?}); found?.setAttribute('data-pressed', ''); return Boolean(found); }})()"
    );
    if page.eval(&mark)? != true {
        return Err(format!("there is no button `{label}`"));
    }
    page.click("[data-pressed]")
}

/// The bytes that a button saves.
fn saved(page: &Page, label: &str) -> Result<Vec<u8>, String> {
    page.eval("(() => { window.kept.length = 0; })()")?;
    press(page, label)?;
    page.browser.wait("window.kept.length", 10.0).map_err(|why| format!("`{label}`: {why}"))?;
    let text = page.eval("new Promise((done) => { const reader = new FileReader(); reader.onload = () => done(reader.result.split(',')[1]); reader.readAsDataURL(window.kept[0]); })")?;
    Ok(decode_base64(text.as_str().unwrap_or_default()))
}

fn expect(what: &str, bytes: &[u8], begins: &[u8], least: usize) -> Result<(), String> {
    if bytes.starts_with(begins) && bytes.len() >= least {
        return Ok(());
    }
    Err(format!("the {what} has {} bytes and begins with {:?}", bytes.len(), &bytes[..bytes.len().min(8)]))
}
