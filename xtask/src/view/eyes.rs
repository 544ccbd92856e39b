//! What is drawn.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::process::{cargo, run};

use super::driver::Look;
use super::page::{Page, Tools, triple};

/// Size of the pictures compared.
const SIZE: [usize; 2] = [480, 270];
/// Overlap that silhouettes must have: pixels in both over pixels in either.
const OVERLAP: f64 = 0.97;

pub fn silhouettes(tools: &Tools) -> Result<(), String> {
    for scene in [&["pyramid", "--set", "rows=5"][..], &["necklace"], &["domino"]] {
        let recording = tools.pictures.join(scene[0]).with_extension("npz");
        let path = recording.display().to_string();
        let mut command = Command::new(&tools.drystone);
        run(command.arg("run").args(scene).args(["--seconds", "0.5", "--quiet", "--export", &path]))?;
        let page = tools.open(&[&path], Look::default())?;
        let last = page.number("d.session.scene.head.steps[1]")? as u64;
        page.go_to(last)?;
        let drawn = ids(&page)?;
        let expected = expected(&page, &path)?;
        let both = drawn.iter().zip(&expected).filter(|(a, b)| **a > 0 && **b > 0).count();
        let either = drawn.iter().zip(&expected).filter(|(a, b)| **a > 0 || **b > 0).count();
        let same = drawn.iter().zip(&expected).filter(|(a, b)| **a > 0 && a == b).count();
        let [overlap, bodies] = [both, same].map(|count| count as f64 / either.max(1) as f64);
        println!("       {}: overlap {overlap:.4}, of the same body {bodies:.4}, {either} pixels", scene[0]);
        if either < 2000 || overlap < OVERLAP || bodies < OVERLAP - 0.03 {
            return Err(format!("{}: overlap {overlap:.4}, of the same body {bodies:.4}, {either} pixels", scene[0]));
        }
        rays(&page)?;
        tools.keep(&page, &format!("silhouette-{}", scene[0]))?;
        page.check_clean()?;
    }
    Ok(())
}

/// Bodies by pixel as the page draws them, highest row first: 0 for none, index + 1.
fn ids(page: &Page) -> Result<Vec<u32>, String> {
    let [width, height] = SIZE;
    let list = page.eval(&format!("d.silhouette({width}, {height})"))?;
    let list: Vec<u32> = list.as_array().into_iter().flatten().filter_map(Value::as_u64).map(|id| id as u32).collect();
    let body = |id: u32| if id >= 0xff_fffd { 0 } else { id };
    Ok(list.chunks(width).rev().flatten().map(|&id| body(id)).collect())
}

/// The same by the rasteriser of the command, with the page's camera.
fn expected(page: &Page, recording: &str) -> Result<Vec<u32>, String> {
    let [width, height] = SIZE;
    let point = |expression: &str| -> Result<String, String> {
        let value = triple(&page.eval(expression)?).ok_or("no camera")?;
        Ok(value.map(|number| number.to_string()).join(","))
    };
    let origin = "d.session.scene.head.origin";
    let eye = point(&format!("d.orbit.frame().eye.map((v, k) => v + {origin}[k])"))?;
    let target = point(&format!("d.orbit.target.map((v, k) => v + {origin}[k])"))?;
    let opening = page.number("d.orbit.opening")?.to_string();
    let output = cargo()
        .args(["run", "--release", "--quiet", "--locked", "-p", "drystone-cli", "--example", "silhouette", "--"])
        .args([recording, &format!("{width}x{height}"), &eye, &target, &opening])
        .output()
        .map_err(|error| format!("the rasteriser did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("the rasteriser failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let numbers = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<u32> = numbers.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if numbers.len() == width * height { Ok(numbers) } else { Err(format!("{} pixels came back", numbers.len())) }
}

/// Where the picture shows a body, the ray of the engine meets the same body, but for pixels at edges: one or two of a hundred, so that
/// dozens of bodies must be asked for before a share says anything.
fn rays(page: &Page) -> Result<(), String> {
    let check = "(async () => { const c = d.stage.canvas; let asked = 0, right = 0;
        for (let k = 0; k < 200; k++) {
          const x = Math.round(c.clientWidth * ((k * 0.618034) % 1)), y = Math.round(c.clientHeight * (0.15 + 0.7 * ((k * 0.754878) % 1)));
          const seen = d.stage.idBuffer.at(x, y);
          if (seen < 0) continue;
          const { origin, direction } = d.orbit.ray(2 * (x + 0.5) / c.clientWidth - 1, 1 - 2 * (y + 0.5) / c.clientHeight);
          const met = await d.session.transport.command({ do: 'pick', origin, direction });
          asked += 1;
          if (met.body === d.session.scene.bodies.id[seen]) right += 1;
        } return [asked, right]; })()";
    let counts = page.eval(check)?;
    let [asked, right] = [0, 1].map(|k| counts[k].as_f64().unwrap_or(0.0));
    println!("       rays: {right} of {asked} bodies seen");
    if asked >= 20.0 && right >= 0.95 * asked {
        Ok(())
    } else {
        Err(format!("of {asked} bodies seen the rays met {right}"))
    }
}

pub fn shown(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&["wrecking-ball"], Look::default())?;
    page.go_to(45)?;
    let differs = |name: &str, change: &str, ready: &str| -> Result<(), String> {
        let count = "(() => { d.stage.draw(); const gl = d.stage.renderer.getContext(); const w = gl.drawingBufferWidth, h = gl.drawingBufferHeight; const p = new Uint8Array(4 * w * h); gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); window.before ??= p; let n = 0; for (let k = 0; k < p.length; k += 4) if (Math.abs(p[k] - window.before[k]) + Math.abs(p[k + 1] - window.before[k + 1]) + Math.abs(p[k + 2] - window.before[k + 2]) > 24) n += 1; return n; })()";
        page.eval("(() => { window.before = undefined; })()")?;
        page.number(count)?;
        page.eval(change)?;
        page.wait(ready, 10.0).map_err(|why| format!("{name}: {why}"))?;
        // What has arrived is drawn with one of the next pictures.
        let mut pixels = 0.0;
        for _ in 0..50 {
            pixels = page.number(count)?;
            if pixels >= 30.0 {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err(format!("{name} changes {pixels} pixels only"))
    };
    for (key, ready) in [
        ("contacts", "d.session.waiting.state.contacts?.shown > 0"),
        ("velocities", "d.session.waiting.state.velocities"),
        ("bounds", "d.session.waiting.state.bounds"),
        ("joints", "d.stage.joints.visible"),
        ("masses", "d.stage.masses.visible"),
        ("wireframe", "d.stage.bodies.materials.solid.wireframe"),
        ("shapes", "d.stage.bodies.edges.visible"),
        ("shadows", "!d.stage.sun.castShadow"),
        ("ground", "!d.stage.show.ground"),
    ] {
        differs(key, &format!("document.querySelector('[data-show={key}]').click()"), ready)?;
        page.eval(&format!("document.querySelector('[data-show={key}]').click()"))?;
    }
    for (value, ready) in [
        ("islands", "d.session.waiting.state.groups"),
        ("heat", "d.session.waiting.state.depths"),
        ("own", "d.stage.coloring === 'own'"),
    ] {
        let change = format!(
            "(() => {{ const e = document.querySelector('[data-show=coloring]'); e.value = {value:?}; e.dispatchEvent(new Event('change')); }})()"
        );
        differs(value, &change, ready)?;
    }
    page.eval("(() => { document.getElementById('part-plots').open = true; })()")?;
    page.command(r#"{"do": "play"}"#)?;
    page.wait("document.querySelectorAll('#plots canvas').length >= 5 && document.querySelectorAll('#plots table tr').length >= 8", 10.0)?;
    page.check_clean()
}

pub fn side_by_side(tools: &Tools) -> Result<(), String> {
    let page = tools.open(&["wrecking-ball"], Look::default())?;
    page.command(r#"{"do": "compare", "solver": "jacobi"}"#)?;
    page.wait("d.session.scene.head.second?.solver === 'jacobi' && d.stage.drawn.length === 2 && d.stage.drawn[1].poses.filled > 1", 15.0)?;
    page.command(r#"{"do": "play"}"#)?;
    page.wait("d.session.report.parted", 30.0)?;
    page.wait("document.querySelector('#compare').textContent.includes('They part at step')", 5.0)?;
    tools.keep(&page, "side-by-side")?;
    page.command(r#"{"do": "compare", "solver": null}"#)?;
    page.wait("d.stage.drawn.length === 1", 10.0)?;
    page.check_clean()
}
