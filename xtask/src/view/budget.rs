//! What a picture may cost, drawn by the processor.

use std::fs;

use super::driver::Look;
use super::page::{Page, Tools};

/// Rows of the pyramid, pictures taken, and processor seconds per picture on two idle cores without shadows, 1280 × 720, by the
/// measurements that the viewer was designed by; three times as much is allowed.
const BUDGETS: [(&str, usize, f64); 3] = [("rows=20", 20, 0.06), ("rows=44", 10, 0.08), ("rows=141", 4, 0.33)];

pub fn pictures(tools: &Tools) -> Result<(), String> {
    for (rows, pictures, usual) in BUDGETS {
        let page = tools.open(&["pyramid", "--set", rows, "--paused"], Look::default())?;
        page.eval("(() => { if (!document.getElementById('app').classList.contains('closed')) document.getElementById('toggle-panel').click(); })()")?;
        page.wait("!d.session.report.playing && !d.loop.dirty", 20.0)?;
        let bodies = page.number("d.session.scene.bodies.count")?;
        let [bare, shaded] = [false, true].map(|shadows| cost(&page, pictures, shadows));
        let ([wall, script, each], [_, _, shaded]) = (bare?, shaded?);
        println!(
            "       {bodies} bodies: {wall:.0} ms, {script:.2} ms of script, {each:.3} processor seconds per picture; {shaded:.3} with shadows"
        );
        if each > 3.0 * usual || each <= 0.0 {
            let most = 3.0 * usual;
            return Err(format!("{bodies} bodies: {each:.3} processor seconds per picture, {most:.3} are allowed"));
        }
    }
    Ok(())
}

/// Milliseconds, milliseconds of script and processor seconds of a picture.
fn cost(page: &Page, pictures: usize, shadows: bool) -> Result<[f64; 3], String> {
    let draw = format!(
        "(() => {{ d.stage.show.shadows = {shadows}; d.stage.apply(); const gl = d.stage.renderer.getContext(); const one = new Uint8Array(4); const start = performance.now(); let script = 0;
          for (let k = 0; k < {pictures}; k++) {{ d.orbit.turn(0.01, 0); const s = performance.now(); d.stage.draw(); script += performance.now() - s; gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one); }}
          return [(performance.now() - start) / {pictures}, script / {pictures}]; }})()"
    );
    page.eval(&draw)?;
    let before = processor_seconds(page.browser.process());
    let times = page.eval(&draw)?;
    let each = (processor_seconds(page.browser.process()) - before) / pictures as f64;
    let [wall, script] = [0, 1].map(|at| times[at].as_f64().unwrap_or(0.0));
    Ok([wall, script, each])
}

/// Processor time of a process and all below it \[s\].
pub fn processor_seconds(root: u32) -> f64 {
    let mut rows = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(text) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name, in parentheses, may hold anything.
        let Some((head, tail)) = text.rsplit_once(')') else { continue };
        let number: u32 = head.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0);
        let words: Vec<&str> = tail.split_whitespace().collect();
        let word = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        rows.push((number, word(1) as u32, word(11) + word(12)));
    }
    let mut below = vec![root];
    let mut at = 0;
    while at < below.len() {
        let parent = below[at];
        below.extend(rows.iter().filter(|row| row.1 == parent).map(|row| row.0));
        at += 1;
    }
    let ticks: u64 = rows.iter().filter(|row| below.contains(&row.0)).map(|row| row.2).sum();
    ticks as f64 / 100.0
}
