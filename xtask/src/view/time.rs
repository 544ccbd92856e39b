//! Going back and forth in time, and an engine that dies.

use super::driver::{Look, button, to};
use super::engine::Engine;
use super::page::Tools;

pub fn scrubbing(tools: &Tools) -> Result<(), String> {
    for scene in [
        &["pyramid", "--set", "rows=5"][..],
        &["chain", "--solver", "jacobi"],
        &["double-pendulum", "--solver", "structured"],
    ] {
        let page = tools.open(scene, Look::default())?;
        page.command(r#"{"do": "pause"}"#)?;
        page.command(r#"{"do": "reset"}"#)?;
        page.wait("d.session.report.step === 0", 10.0)?;
        page.go_to(150)?;
        let whole = page.hash()?;
        // With the mouse: the thumb is pressed at the right end and let go at a third of the way.
        let [x, y] = page.middle_of("#timeline")?;
        let width = page.number("document.getElementById('timeline').getBoundingClientRect().width")?;
        let end = [x + 0.5 * width - 8.0, y];
        page.browser.mouse(vec![to(end, 0), button(true), to([x - width / 6.0, y], 300), button(false)])?;
        page.wait(
            "d.session.report.step > 20 && d.session.report.step < 90 && d.session.step === d.session.report.step",
            20.0,
        )?;
        page.go_to(77)?;
        let middle = page.hash()?;
        page.go_to(150)?;
        let again = page.hash()?;
        if whole != again || whole == middle || whole.len() != 16 {
            return Err(format!("{scene:?}: uninterrupted {whole}, after scrubbing {again}, at step 77 {middle}"));
        }
        page.go_to(77)?;
        if page.hash()? != middle {
            return Err(format!("{scene:?}: step 77 has other bits the second time"));
        }
        page.check_clean()?;
    }
    Ok(())
}

pub fn restart(tools: &Tools) -> Result<(), String> {
    let mut page = tools.open(&["pyramid", "--set", "rows=3"], Look::default())?;
    let port = page.engine.as_ref().map(|engine| engine.port().to_owned()).unwrap_or_default();
    page.engine = None;
    page.wait("document.documentElement.dataset.link === 'lost' && !document.getElementById('notice').hidden", 10.0)?;
    let engine = Engine::start(&tools.drystone, &["chain", "--port", &port])?;
    // The new engine has another secret: the old page is refused and says so.
    page.wait("document.documentElement.dataset.link === 'refused' && document.getElementById('notice').textContent.includes('started again')", 10.0)?;
    page.browser.go("about:blank")?;
    page.browser.go(&engine.address)?;
    page.browser.wait("window.drystone?.ready && window.drystone.session.scene.head.scene === 'chain'", 20.0)
}
