//! Light, dark, on a phone and enlarged: everything can be reached, read and used.

use std::fs;

use crate::process::root;

use super::driver::Look;
use super::page::{Page, Tools};

/// How a page is looked at.
const LOOKS: [(&str, Look); 4] = [
    ("light", Look { size: [1280, 800], dark: false, zoom: 1.0, still: false, card: false }),
    ("dark", Look { size: [1280, 800], dark: true, zoom: 1.0, still: false, card: false }),
    ("phone", Look { size: [500, 844], dark: true, zoom: 1.0, still: true, card: false }),
    ("zoom", Look { size: [640, 540], dark: false, zoom: 2.0, still: false, card: false }),
];

pub fn looks(tools: &Tools) -> Result<(), String> {
    let axe = root().join("web/node_modules/axe-core/axe.min.js");
    let axe = fs::read_to_string(&axe).map_err(|error| format!("{}: {error}", axe.display()))?;
    for (name, look) in LOOKS {
        let page = tools.open(&["pyramid", "--set", "rows=4"], look)?;
        if look.still {
            page.wait("!d.session.report.playing", 5.0).map_err(|why| format!("{name}: motion is unwelcome: {why}"))?;
        }
        fits(&page).map_err(|why| format!("{name}: {why}"))?;
        tools.keep(&page, &format!("look-{name}"))?;
        page.eval("(() => { if (document.getElementById('app').classList.contains('closed')) document.getElementById('toggle-panel').click(); })()")?;
        page.eval("document.querySelectorAll('#panel details').forEach((part) => { part.open = true; })")?;
        page.eval("d.session.select(0)")?;
        page.wait("document.querySelector('#body table tr')", 5.0)?;
        fits(&page).map_err(|why| format!("{name}, panel open: {why}"))?;
        tools.keep(&page, &format!("look-{name}-panel"))?;
        accessible(&page, &axe).map_err(|why| format!("{name}: {why}"))?;
        page.check_clean().map_err(|why| format!("{name}: {why}"))?;
    }
    by_keyboard(tools)
}

/// Nothing sticks out, and buttons are large enough for fingers.
fn fits(page: &Page) -> Result<(), String> {
    let wide = page.number("document.documentElement.scrollWidth - document.documentElement.clientWidth")?;
    let hidden = page.eval("[...document.querySelectorAll('#bar button, #bar input, #corner button')].filter((e) => e.offsetParent !== null).map((e) => [e.id, e.getBoundingClientRect()]).filter(([, b]) => b.left < -1 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1 || b.top < -1 || b.height < 24 || b.width < 24).map(([id]) => id)")?;
    let canvas = page.number("document.getElementById('canvas').clientHeight / innerHeight")?;
    if wide > 0.0 || hidden.as_array().is_none_or(|list| !list.is_empty()) || canvas < 0.3 {
        return Err(format!(
            "{wide} pixels too wide; out of sight or too small: {hidden}; the scene has {canvas:.2} of the height"
        ));
    }
    Ok(())
}

/// axe-core finds nothing. It runs as the page's own script would not be allowed to: from the driver.
fn accessible(page: &Page, axe: &str) -> Result<(), String> {
    let run = format!(
        "(async () => {{ {axe}; const found = await window.axe.run(document, {{resultTypes: ['violations']}}); return found.violations.map((v) => `${{v.id}}: ${{v.nodes.map((n) => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).slice(0, 4).join(', ')}}`); }})()"
    );
    let found = page.browser.eval(&run)?;
    match found.as_array() {
        Some(list) if list.is_empty() => Ok(()),
        _ => Err(format!("axe-core finds {found:#}")),
    }
}

/// Every control is reached by the tabulator, and play by space on its button.
fn by_keyboard(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&["pyramid", "--set", "rows=3"], Look::default())?;
    page.command(r#"{"do": "pause"}"#)?;
    page.wait("!d.session.report.playing", 5.0)?;
    let wanted = page.eval("[...document.querySelectorAll('button, canvas#canvas, #timeline, summary')].filter((e) => e.checkVisibility() && !e.disabled).length")?;
    let mut met = std::collections::BTreeSet::new();
    page.eval("document.activeElement.blur()")?;
    for _ in 0..80 {
        page.browser.key("\u{E004}")?;
        let name = page.eval("(() => { const e = document.activeElement; const k = e.matches('button, canvas#canvas, #timeline, summary') ? [...document.querySelectorAll('button, canvas#canvas, #timeline, summary')].indexOf(e) : -1; if (e.id === 'play') window.metPlay = true; return k; })()")?;
        met.extend(name.as_i64().filter(|&number| number >= 0));
    }
    if wanted.as_u64() != Some(met.len() as u64) {
        return Err(format!("by the tabulator {} of {wanted} controls are met", met.len()));
    }
    page.eval("document.getElementById('play').focus()")?;
    page.browser.key(" ")?;
    page.wait("d.session.report.playing && document.getElementById('play').getAttribute('aria-label') === 'Pause'", 5.0)
}
