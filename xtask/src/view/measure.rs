//! What watching costs: `cargo xtask view --measure` (frames, bytes and pictures by number of bodies) and
//! `cargo xtask view --stalled` (a reader that does not read). The command itself is measured, from outside.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::budget::processor_seconds;
use super::driver::{Browser, Look};
use super::engine::Engine;
use super::page::Tools;

/// Strings of 40 beads: 10,000, 100,000 and a million bodies.
const CHAINS: [&str; 3] = ["chains=250", "chains=2500", "chains=25000"];
/// Turns with and without the stalled reader.
const TURNS: u32 = 6;

/// Who draws the page.
const DRAWN_BY: &str = "(() => { const gl = document.createElement('canvas').getContext('webgl2'); \
    return gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL); })()";

/// Pictures per second for five seconds in which every picture asks for the next.
const PICTURES: &str = "new Promise((done) => { const { loop } = window.drystone; const again = () => loop.touch(); \
    loop.after.add(again); again(); const [first, start] = [loop.pictures, performance.now()]; \
    setTimeout(() => { loop.after.delete(again); \
    done(1000 * (loop.pictures - first) / (performance.now() - start)); }, 5000); })";

/// Bodies, bytes and frames, then pictures in the browser: drawn by a graphics card if the first word is `--card`.
pub fn sizes(tools: &Tools, words: &[String]) -> Result<(), String> {
    let (card, words) = match words {
        [first, rest @ ..] if first == "--card" => (true, rest),
        all => (false, all),
    };
    let asked = |chains: &&&str| words.is_empty() || words.iter().any(|word| chains.ends_with(&format!("={word}")));
    for chains in CHAINS.iter().filter(asked) {
        let start = Instant::now();
        let engine = Engine::start(&tools.drystone, &["necklace", "--set", chains, "--paused"])?;
        let begun = start.elapsed().as_secs_f64();
        let scene = Instant::now();
        let bytes = answer(&engine, "GET /scene", "")?.len();
        println!(
            "{chains}: engine after {begun:.1} s with {} MB, scene of {:.1} MB in {:.2} s",
            memory(engine.process()) / 1000,
            bytes as f64 * 1e-6,
            scene.elapsed().as_secs_f64()
        );
        transport(&engine, 10.0)?;
        in_motion(&engine, 10.0)?;
        in_browser(tools, &engine, Look { card, ..Look::default() })?;
    }
    Ok(())
}

/// A reader that only reads, while commands ask for a new frame all the time and nothing is computed.
fn transport(engine: &Engine, seconds: f64) -> Result<(), String> {
    let (reader, end) = (Reader::start(engine)?, Arc::new(AtomicBool::new(false)));
    let asking = spawn({
        let (end, place) = (end.clone(), Place::of(engine));
        move || {
            while !end.load(Ordering::Relaxed) {
                let _ = ask(&place, "POST /command", r#"{"do": "show"}"#)
                    .map(|mut stream| stream.read_to_end(&mut Vec::new()));
            }
        }
    });
    let told = reader.watch(seconds);
    end.store(true, Ordering::Relaxed);
    asking.join().map_err(|_| "nobody asked for frames")?;
    println!("       paused, a frame after every command: {told}");
    Ok(())
}

/// The same while it moves as fast as it can.
fn in_motion(engine: &Engine, seconds: f64) -> Result<(), String> {
    tell(engine, r#"{"do": "speed", "factor": 0}"#)?;
    tell(engine, r#"{"do": "play"}"#)?;
    let before = step(engine)?;
    let start = Instant::now();
    let told = Reader::start(engine)?.watch(seconds);
    let rate = (step(engine)? - before) / start.elapsed().as_secs_f64();
    tell(engine, r#"{"do": "pause"}"#)?;
    println!("       moving, {rate:.1} steps/s: {told}, {} MB", memory(engine.process()) / 1000);
    Ok(())
}

/// The page in a browser: who draws, time to the first picture, pictures in motion, and pictures of what stands still.
fn in_browser(tools: &Tools, engine: &Engine, look: Look) -> Result<(), String> {
    let browser = Browser::open(&tools.driver, &tools.chromium, look)?;
    let start = Instant::now();
    browser.go(&engine.address)?;
    browser.wait("window.drystone?.ready", 300.0)?;
    let first = start.elapsed().as_secs_f64();
    let by = browser.eval(DRAWN_BY)?;
    println!("       browser: {} draws", by.as_str().unwrap_or("nobody"));
    tell(engine, r#"{"do": "play"}"#)?;
    let state = "[window.drystone.loop.pictures, window.drystone.session.dropped, window.drystone.session.step, performance.now() / 1000]";
    let [before, worn] = [browser.eval(state)?, Value::from(processor_seconds(browser.process()))];
    sleep(Duration::from_secs(15));
    let after = browser.eval(state)?;
    tell(engine, r#"{"do": "pause"}"#)?;
    let change = |at: usize| after[at].as_f64().unwrap_or(0.0) - before[at].as_f64().unwrap_or(0.0);
    let worn = processor_seconds(browser.process()) - worn.as_f64().unwrap_or(0.0);
    println!(
        "       browser: first picture after {first:.1} s; {:.2} pictures/s beside {:.1} steps/s, {:.2} processor seconds each, {} frames left out",
        change(0) / change(3),
        change(2) / change(3),
        worn / change(0).max(1.0),
        change(1)
    );
    let still = browser.eval(PICTURES)?;
    println!("       browser: {:.1} pictures/s of what stands still", still.as_f64().unwrap_or(0.0));
    Ok(())
}

/// Steps per second of the wall and of the processor in turns, with a reader that stalls and without; then a minute with it.
pub fn stalled(tools: &Tools, words: &[String]) -> Result<(), String> {
    let seconds: f64 = words.first().map_or(Ok(60.0), |word| word.parse()).map_err(|_| "seconds are a number")?;
    let scene = ["wall", "--set", "rows=20", "--set", "columns=50", "--paused"];
    let engine = Engine::start(&tools.drystone, &scene)?;
    tell(&engine, r#"{"do": "speed", "factor": 0}"#)?;
    tell(&engine, r#"{"do": "play"}"#)?;
    let reader = Reader::start(&engine)?;
    settle(&engine);
    let each = seconds / f64::from(TURNS);
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        rates[0].push(rate(&engine, each)?);
        let silent = ask(&Place::of(&engine), "GET /frames", "")?;
        rates[1].push(rate(&engine, each)?);
        drop(silent);
    }
    let [alone, beside] = rates.map(|turns| {
        let count = turns.len() as f64;
        [0, 1].map(|k| turns.iter().map(|turn: &[f64; 2]| turn[k]).sum::<f64>() / count)
    });
    println!(
        "turns of {each:.0} s, {seconds:.0} s each: {:.0} steps/s alone, {:.0} beside a stalled reader ({:+.1} %); per processor second {:.0} and {:.0} ({:+.1} %)",
        alone[0],
        beside[0],
        percent(beside[0], alone[0]),
        alone[1],
        beside[1],
        percent(beside[1], alone[1])
    );
    let silent = ask(&Place::of(&engine), "GET /frames", "")?;
    let mut sizes = vec![memory(engine.process())];
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < seconds {
        sleep(Duration::from_secs(1));
        sizes.push(memory(engine.process()));
    }
    let (least, most) = (sizes.iter().min().unwrap_or(&0), sizes.iter().max().unwrap_or(&0));
    println!(
        "{seconds:.0} s beside it: memory {} kB at first, {} at the end, {least} to {most} on the way",
        sizes[0],
        sizes[sizes.len() - 1]
    );
    drop(silent);
    println!("the reader that read: {}", reader.watch(1.0));
    Ok(())
}

fn percent(value: f64, of: f64) -> f64 {
    100.0 * (value / of - 1.0)
}

/// Waits until what is kept of the past has its full size: until memory stays for ten seconds, two minutes at most.
fn settle(engine: &Engine) {
    let start = Instant::now();
    let mut before = 0;
    loop {
        sleep(Duration::from_secs(10));
        let now = memory(engine.process());
        if now < before + before / 200 || start.elapsed().as_secs() > 120 {
            println!("{:.0} s until frames and checkpoints kept fill {} MB", start.elapsed().as_secs_f64(), now / 1000);
            return;
        }
        before = now;
    }
}

/// Steps per second, and per second of the processor.
fn rate(engine: &Engine, seconds: f64) -> Result<[f64; 2], String> {
    let (start, before, worn) = (Instant::now(), step(engine)?, processor_seconds(engine.process()));
    sleep(Duration::from_secs_f64(seconds));
    let steps = step(engine)? - before;
    Ok([steps / start.elapsed().as_secs_f64(), steps / (processor_seconds(engine.process()) - worn)])
}

/// A stream that is read as fast as it comes.
struct Reader {
    frames: Arc<AtomicU64>,
    bytes: Arc<AtomicU64>,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Reader {
    fn start(engine: &Engine) -> Result<Self, String> {
        let mut stream = BufReader::with_capacity(1 << 20, ask(&Place::of(engine), "GET /frames", "")?);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            stream.read_line(&mut line).map_err(|error| format!("no head: {error}"))?;
        }
        let [frames, bytes] = [(); 2].map(|()| Arc::new(AtomicU64::new(0)));
        let end = Arc::new(AtomicBool::new(false));
        let thread = spawn({
            let (frames, bytes, end) = (frames.clone(), bytes.clone(), end.clone());
            move || {
                let mut room = Vec::new();
                while !end.load(Ordering::Relaxed) {
                    let mut length = [0; 4];
                    if stream.read_exact(&mut length).is_err() {
                        return;
                    }
                    room.resize(u32::from_le_bytes(length) as usize, 0);
                    if stream.read_exact(&mut room).is_err() {
                        return;
                    }
                    frames.fetch_add(u64::from(room[0] == 0), Ordering::Relaxed);
                    bytes.fetch_add(4 + room.len() as u64, Ordering::Relaxed);
                }
            }
        });
        Ok(Self { frames, bytes, end, thread: Some(thread) })
    }

    /// What comes in so many seconds, in words.
    fn watch(&self, seconds: f64) -> String {
        let read = || [&self.frames, &self.bytes].map(|count| count.load(Ordering::Relaxed) as f64);
        let (start, before) = (Instant::now(), read());
        sleep(Duration::from_secs_f64(seconds));
        let (after, passed) = (read(), start.elapsed().as_secs_f64());
        let [frames, bytes] = [0, 1].map(|k| (after[k] - before[k]) / passed);
        format!("{frames:.1} frames/s, {:.1} MB/s", bytes * 1e-6)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        // A stream lives for five seconds at most without a word.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Where an engine listens, and its secret.
struct Place {
    host: String,
    token: String,
}

impl Place {
    fn of(engine: &Engine) -> Self {
        let token = engine.address.split_once('#').map_or("", |(_, token)| token);
        Self { host: format!("127.0.0.1:{}", engine.port()), token: token.to_owned() }
    }
}

fn ask(Place { host, token }: &Place, line: &str, body: &str) -> Result<TcpStream, String> {
    let mut stream = TcpStream::connect(host).map_err(|error| format!("{host}: {error}"))?;
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let head = format!(
        "{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n{length}\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).map_err(|error| format!("{line}: {error}"))?;
    Ok(stream)
}

/// The body of an answer.
fn answer(engine: &Engine, line: &str, body: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    ask(&Place::of(engine), line, body)?.read_to_end(&mut bytes).map_err(|error| format!("{line}: {error}"))?;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |at| at + 4);
    Ok(bytes.split_off(end))
}

fn tell(engine: &Engine, command: &str) -> Result<Value, String> {
    serde_json::from_slice(&answer(engine, "POST /command", command)?).map_err(|error| format!("{command}: {error}"))
}

fn step(engine: &Engine) -> Result<f64, String> {
    tell(engine, r#"{"do": "show"}"#)?["step"].as_f64().ok_or_else(|| "no step is told".to_owned())
}

/// Resident memory of a process \[kB\].
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
