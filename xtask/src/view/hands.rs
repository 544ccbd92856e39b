//! What a user does with the scene.

use serde_json::json;

use super::driver::{Look, button, rest, to};
use super::page::{Page, Tools, pair, triple};

/// A scene with a few bodies that come to rest.
const SMALL: [&str; 3] = ["pyramid", "--set", "rows=4"];

pub fn starts_clean(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&SMALL, Look::default())?;
    page.wait("d.session.step > 5", 10.0)?;
    page.wait("document.getElementById('summary').textContent.includes('10 bodies')", 5.0)?;
    tools.keep(&page, "start")?;
    page.check_clean()
}

pub fn keys(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&SMALL, Look::default())?;
    page.focus_canvas()?;
    let playing = page.eval("d.session.report.playing")? == json!(true);
    page.browser.key(" ")?;
    page.wait(&format!("d.session.report.playing === {}", !playing), 5.0)?;
    if !playing {
        page.browser.key(" ")?;
    }
    page.wait("!d.session.report.playing", 5.0)?;
    page.go_to(20)?;
    for (key, step) in [(".", 21), (".", 22), (",", 21), ("r", 0)] {
        page.browser.key(key)?;
        page.wait(&format!("d.session.report.step === {step} && d.session.step === {step}"), 5.0)
            .map_err(|why| format!("after {key:?}: {why}"))?;
    }
    for (key, factor) in [("+", 2.0), ("-", 1.0), ("-", 0.5)] {
        page.browser.key(key)?;
        page.wait(&format!("d.session.report.speed === {factor}"), 5.0)?;
    }
    // Single keys belong to the canvas: typed elsewhere they do nothing.
    page.eval("document.querySelector('#scene input[type=search]').focus()")?;
    page.browser.key("r")?;
    page.browser.key(".")?;
    page.eval("new Promise((done) => setTimeout(done, 300))")?;
    if page.number("d.session.report.step")? != 0.0 {
        return Err("a key typed into a field moved the simulation".into());
    }
    page.check_clean()
}

pub fn camera(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&SMALL, Look::default())?;
    page.focus_canvas()?;
    let state = "[d.orbit.azimuth, d.orbit.elevation, d.orbit.distance, ...d.orbit.target]";
    let changed = |act: &dyn Fn() -> Result<(), String>, name: &str, of: &[usize]| -> Result<(), String> {
        let before = page.eval(state)?;
        act()?;
        let after = page.eval(state)?;
        let moved: Vec<usize> = (0..6).filter(|&k| before[k] != after[k]).collect();
        let right = of.iter().all(|k| moved.contains(k)) && (of == [3, 4, 5] || moved.iter().all(|k| of.contains(k)));
        if right { Ok(()) } else { Err(format!("{name} changed {moved:?} of azimuth, elevation, distance, target")) }
    };
    changed(&|| page.browser.key("\u{E012}"), "the left arrow", &[0])?;
    changed(&|| page.browser.key("\u{E013}"), "the up arrow", &[1])?;
    changed(&|| page.browser.key("\u{E00E}"), "page up", &[2])?;
    let [x, y] = page.middle_of("#canvas")?;
    changed(&|| page.browser.wheel([x, y], 240), "the wheel", &[2])?;
    // Beside all bodies, in a corner of the picture, a drag turns the view.
    let corner = [x - 0.47 * 2.0 * x, 2.0 * y - 40.0];
    let drag = |onto: [f64; 2]| page.browser.mouse(vec![to(corner, 0), button(true), to(onto, 100), button(false)]);
    changed(&|| drag([corner[0] + 120.0, corner[1] - 60.0]), "a drag beside the bodies", &[0, 1])?;
    page.browser.key("f")?;
    page.wait("d.session.step >= 0", 1.0)?;
    let visible = page.number("d.silhouette(160, 90).filter((id) => id > 0 && id < 0xfffffe).length")?;
    if visible < 0.05 * 160.0 * 90.0 {
        return Err(format!("after F bodies fill {visible} of 14400 pixels"));
    }
    // Following: what is selected stays where it is in the picture though it moves.
    page.browser.key("n")?;
    page.browser.key("c")?;
    page.command(r#"{"do": "gravity", "value": [3, 0, 0]}"#)?;
    let target = page.number("d.orbit.target[0]")?;
    page.command(r#"{"do": "play"}"#)?;
    page.wait(&format!("d.orbit.target[0] > {target} + 0.3"), 15.0)?;
    page.check_clean()
}

/// Where a body is in the page, in pixels.
fn on_screen(page: &Page, index: usize) -> Result<[f64; 2], String> {
    let expression = format!(
        "(() => {{ const p = d.stage.drawn[0].poses.place({index}); const f = d.orbit.frame(); const to = p.map((v, k) => v - f.eye[k]);
          const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; const half = Math.tan(d.orbit.opening / 2); const depth = dot(to, f.forward);
          const box = d.stage.canvas.getBoundingClientRect();
          return [box.x + box.width * (0.5 + 0.5 * dot(to, f.right) / (depth * half * d.orbit.aspect)), box.y + box.height * (0.5 - 0.5 * dot(to, f.up) / (depth * half))]; }})()"
    );
    pair(&page.eval(&expression)?).ok_or_else(|| format!("body {index} is nowhere"))
}

pub fn drag(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&SMALL, Look::default())?;
    page.command(r#"{"do": "pause"}"#)?;
    page.go_to(10)?;
    // The top of the pyramid: the last body.
    let top = page.number("d.session.scene.bodies.count - 1")? as usize;
    let from = on_screen(&page, top)?;
    let seen = page.number(&format!("(() => {{ const b = d.stage.canvas.getBoundingClientRect(); return d.stage.idBuffer.at({} - b.x, {} - b.y); }})()", from[0], from[1]))?;
    let ray = format!(
        "(() => {{ const b = d.stage.canvas.getBoundingClientRect(); const r = d.orbit.ray(2 * ({} - b.x) / b.width - 1, 1 - 2 * ({} - b.y) / b.height); return d.session.transport.command({{do: 'pick', ...r}}); }})()",
        from[0].round(),
        from[1].round()
    );
    let met = page.eval(&ray)?;
    let id = page.number(&format!("d.session.scene.bodies.id[{top}]"))?;
    if seen != top as f64 || met["body"].as_f64() != Some(id) {
        return Err(format!("at the top body {top} (id {id}) the picture shows {seen} and the ray meets {met}"));
    }
    page.command(r#"{"do": "play"}"#)?;
    let before = page.eval(&format!("d.stage.drawn[0].poses.place({top})"))?;
    let onto = [from[0] + 150.0, (from[1] - 60.0).max(20.0)];
    page.press_and_move(from, onto, 1500)?;
    page.wait("d.session.waiting.state.held", 5.0)?;
    let held = page.eval("Array.from(d.session.waiting.state.held)")?;
    let target = page.eval(&format!(
        "(() => {{ const b = d.stage.canvas.getBoundingClientRect(); return d.orbit.onPlane(2 * ({} - b.x) / b.width - 1, 1 - 2 * ({} - b.y) / b.height, Array.from(d.session.waiting.state.held).slice(3)); }})()",
        onto[0].round(), onto[1].round()
    ))?;
    let (Some(hand), Some(wanted)) = (triple(&json!([held[3], held[4], held[5]])), triple(&target)) else {
        return Err(format!("nothing is held: {held}"));
    };
    let away = (0..3).map(|k| (hand[k] - wanted[k]).powi(2)).sum::<f64>().sqrt();
    if away > 0.02 {
        return Err(format!("the hand is at {hand:?}, the pointer at {wanted:?}"));
    }
    let after = page.eval(&format!("d.stage.drawn[0].poses.place({top})"))?;
    let (Some(before), Some(after)) = (triple(&before), triple(&after)) else { return Err("no poses".into()) };
    let followed = (0..3).map(|k| (after[k] - before[k]).powi(2)).sum::<f64>().sqrt();
    if followed < 0.3 {
        return Err(format!("the body held moved {followed} m only"));
    }
    tools.keep(&page, "drag")?;
    page.browser.mouse(vec![button(false), rest(50)])?;
    page.wait("!d.session.waiting.state.held", 5.0)?;
    page.check_clean()
}

pub fn edits(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&SMALL, Look::default())?;
    let count = page.number("d.session.scene.bodies.count")?;
    page.click("#throw")?;
    page.wait(&format!("d.session.scene.bodies.count === {}", count + 1.0), 5.0)?;
    page.wait("d.session.report.playing", 5.0).or_else(|_| page.command(r#"{"do": "play"}"#).map(drop))?;
    page.focus_canvas()?;
    page.browser.key("n")?;
    let chosen = page.number("d.session.body")?;
    page.wait("document.querySelector('#body table').textContent.includes('mass')", 5.0)?;
    let speed =
        || page.number(&format!("d.session.transport.json('body?id={chosen}').then((b) => Math.hypot(...b.velocity))"));
    let slow = speed()?;
    page.click("#body .buttons button:nth-child(1)")?;
    page.wait(
        &format!(
            "d.session.transport.json('body?id={chosen}').then((b) => Math.hypot(...b.velocity) > {} + 0.05)",
            slow
        ),
        5.0,
    )
    .map_err(|why| format!("a push: {why}"))?;
    page.focus_canvas()?;
    page.browser.key("z")?;
    page.wait(&format!("d.session.transport.json('body?id={chosen}').then((b) => b.frozen)"), 5.0)?;
    page.wait("d.stage.drawn[0].poses.marks.image.data[d.session.selected] & 2", 5.0)?;
    page.browser.key("z")?;
    page.wait(&format!("d.session.transport.json('body?id={chosen}').then((b) => !b.frozen)"), 5.0)?;
    page.wait("!(d.stage.drawn[0].poses.marks.image.data[d.session.selected] & 2)", 5.0)?;
    page.browser.key("w")?;
    page.browser.key("\u{E017}")?;
    page.wait(
        &format!("d.session.scene.bodies.count === {count} && !d.session.scene.bodies.id.includes({chosen})"),
        5.0,
    )?;
    page.check_clean()
}

pub fn controls(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&SMALL, Look::default())?;
    page.eval("document.querySelectorAll('#panel details').forEach((part) => { part.open = true; })")?;
    let set = |selector: &str, value: &str| {
        page.eval(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.value = {value:?}; for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, {{bubbles: true}})); }})()"
        ))
    };
    for (selector, value, shows) in [
        ("[data-key=gravity-2]", "-3.5", "d.session.report.settings.gravity[2] === -3.5"),
        ("[data-key=friction]", "0.5", "d.session.report.settings.friction === 0.5"),
        ("[data-key=dt]", "0.01", "Math.abs(d.session.report.settings.dt - 0.01) < 1e-12"),
        ("[data-key=iterations]", "7", "d.session.report.settings.options.iterations === 7"),
        (
            "[data-key=solver]",
            "jacobi",
            "d.session.scene.head.solver === 'jacobi' && d.session.report.solver === 'jacobi'",
        ),
    ] {
        set(selector, value)?;
        page.wait(shows, 10.0).map_err(|why| format!("{selector} set to {value}: {why}"))?;
    }
    set("#scene select", "chain")?;
    page.click("#scene button.main")?;
    page.wait("d.session.scene.head.scene === 'chain' && d.session.step < 600 && d.ready", 20.0)?;
    page.check_clean()
}
