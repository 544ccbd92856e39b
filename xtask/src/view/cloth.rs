//! Hands on what is made of particles.

use serde_json::Value;

use super::driver::{Look, button, rest};
use super::keep::repeats;
use super::page::{Page, Tools, pair, triple};

/// Squares along a side of the sheet, and its side \[m\].
const CELLS: &str = "cells=12";
const SIDE: f64 = 1.0;

pub fn drag(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&["cloth-hang", "--set", CELLS], Look::default())?;
    page.command(r#"{"do": "pause"}"#)?;
    page.command(r#"{"do": "reset"}"#)?;
    page.go_to(30)?;
    // The sheet has swung down: the whole of it in sight, the rim lowest.
    page.focus_canvas()?;
    page.browser.key("f")?;
    page.wait("!d.loop.dirty", 10.0)?;
    let from = lowest_seen(&page)?;
    let at = |at: [f64; 2], what: &str| {
        format!(
            "(() => {{ const b = d.stage.canvas.getBoundingClientRect(); const [x, y] = [2 * ({} - b.x) / b.width - 1, 1 - 2 * ({} - b.y) / b.height]; return {what}; }})()",
            at[0], at[1]
        )
    };
    let ray = page.eval(&at(from, "d.orbit.ray(x, y)"))?;
    let (origin, along) = (point(&ray["origin"])?, point(&ray["direction"])?);
    page.command(r#"{"do": "play"}"#)?;
    let onto = [from[0] - 130.0, from[1] - 60.0];
    page.press_and_move(from, onto, 1500)?;
    page.wait("Number.isInteger(d.session.report.particle) && d.session.waiting.state.held", 5.0)?;
    let particle = page.number("d.session.report.particle")? as usize;
    let held = page.eval("Array.from(d.session.waiting.state.held)")?;
    let wanted = "d.orbit.onPlane(x, y, Array.from(d.session.waiting.state.held).slice(3))";
    let wanted = point(&page.eval(&at(onto, wanted))?)?;
    let numbers: Vec<f64> = held.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let [a, b, c, x, y, z] = numbers[..] else { return Err(format!("nothing is held: {held}")) };
    let (place, hand) = ([a, b, c], [x, y, z]);
    if apart(hand, wanted) > 0.02 {
        return Err(format!("the hand is at {hand:?}, the pointer at {wanted:?}"));
    }
    let drawn = point(&page.eval(&format!(
        "Array.from(d.stage.drawn[0].soft.position.array.slice(3 * {particle}, 3 * {particle} + 3))"
    ))?)?;
    // The sheet swings on between the press and the next step, and the hand leads no further than it stretches.
    let off = beside(origin, along, place);
    if apart(drawn, place) > 0.05 || off < 0.1 * SIDE || apart(place, hand) > 0.5 * SIDE {
        return Err(format!(
            "particle {particle} is drawn at {drawn:?} and held at {place:?}, {off} m from where it was, for a hand at {hand:?}"
        ));
    }
    tools.keep(&page, "drag-cloth")?;
    page.browser.mouse(vec![button(false), rest(50)])?;
    page.wait("d.session.report.particle === null && !d.session.waiting.state.held", 5.0)?;
    page.command(r#"{"do": "pause"}"#)?;
    let log = page.eval("d.session.transport.bytes('log').then((bytes) => new TextDecoder().decode(bytes))")?;
    let log = log.as_str().ok_or("the log is no text")?;
    if !log.contains("\"particle\":") {
        return Err(format!("the log does not say which particle was held: {log}"));
    }
    repeats(tools, "cloth.jsonl", log.as_bytes())?;
    page.check_clean()
}

/// The lowest pixel of the page in which something soft is seen, a little above the rim.
fn lowest_seen(page: &Page) -> Result<[f64; 2], String> {
    let found = page.eval(
        "(() => { const c = d.stage.canvas; const b = c.getBoundingClientRect();
          for (let y = c.clientHeight - 4; y > 0; y -= 6) for (let x = 0.35 * c.clientWidth; x < 0.65 * c.clientWidth; x += 6)
            if (d.stage.idBuffer.at(x, y) === -2 && d.stage.idBuffer.at(x, y - 10) === -2) return [Math.round(b.x + x), Math.round(b.y + y - 10)];
          return null; })()",
    )?;
    pair(&found).ok_or_else(|| "no cloth is seen".to_owned())
}

fn point(value: &Value) -> Result<[f64; 3], String> {
    triple(value).ok_or_else(|| format!("{value} is no point"))
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// How far a point is from a ray with a unit direction \[m\].
fn beside(origin: [f64; 3], along: [f64; 3], place: [f64; 3]) -> f64 {
    let to: [f64; 3] = std::array::from_fn(|k| place[k] - origin[k]);
    let reach: f64 = (0..3).map(|k| to[k] * along[k]).sum();
    apart(to, along.map(|part| part * reach))
}
