//! What a picture may cost, drawn by the processor.

use std::fs;

use super::driver::Look;
use super::page::Tools;

/// Scene, processor seconds per picture measured on two idle cores without shadows; three times as much is allowed, and twice
/// for shadows.
const BUDGETS: [(&[&str], f64); 2] =
    [(&["pyramid", "--set", "rows=20"], 0.06), (&["pyramid", "--set", "rows=44"], 0.12)];
const PICTURES: usize = 20;

pub fn pictures(tools: &Tools) -> Result<(), String> {
    for (scene, usual) in BUDGETS {
        let page = tools.open(scene, Look::default())?;
        page.command(r#"{"do": "pause"}"#)?;
        page.wait("!d.session.report.playing && !d.loop.dirty", 20.0)?;
        let draw = format!(
            "(() => {{ const gl = d.stage.renderer.getContext(); const one = new Uint8Array(4); const start = performance.now(); let script = 0;
              for (let k = 0; k < {PICTURES}; k++) {{ d.orbit.turn(0.01, 0); const s = performance.now(); d.stage.draw(); script += performance.now() - s; gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one); }}
              return [(performance.now() - start) / {PICTURES}, script / {PICTURES}]; }})()"
        );
        page.eval(&draw)?;
        let before = processor_seconds(page.browser.process());
        let times = page.eval(&draw)?;
        let each = (processor_seconds(page.browser.process()) - before) / PICTURES as f64;
        let bodies = page.number("d.session.scene.bodies.count")?;
        println!(
            "       {bodies} bodies: {:.0} ms, {:.2} ms of script, {:.3} processor seconds per picture",
            times[0].as_f64().unwrap_or(0.0),
            times[1].as_f64().unwrap_or(0.0),
            each
        );
        if each > 6.0 * usual || each <= 0.0 {
            return Err(format!(
                "{bodies} bodies: {each:.3} processor seconds per picture, {:.3} are allowed",
                6.0 * usual
            ));
        }
    }
    Ok(())
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
