//! What watching costs: the size and rate of frames, and whether a reader that stalls slows the simulation or fills the memory.
//!
//!     cargo run --release -p drystone-view --example readers -- wall '{"rows": 20, "columns": 50}' 60
//!
//! Scene, its parameters and the seconds that a stalled reader is kept; 10 unless told. Steps go as fast as they can. The steps
//! per second with and without the stalled reader are measured in turn, in the same run, so that other work on the machine is
//! felt by both.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use drystone_live::{Session, Start};
use drystone_view::{Options, Server};
use serde_json::{Map, Value, json};

/// Turns of measuring with and without the stalled reader.
const TURNS: u32 = 5;

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let scene = words.next().unwrap_or_else(|| "wall".to_owned());
    let parameters: Map<String, Value> = match words.next() {
        Some(text) => serde_json::from_str(&text).map_err(|error| format!("parameters {text}: {error}"))?,
        None => Map::new(),
    };
    let seconds: f64 = words.next().map_or(Ok(10.0), |word| word.parse()).map_err(|_| "seconds are a number")?;

    let start = Start::library(&scene, &parameters).map_err(|refused| refused.text)?;
    let session = Session::new(start).map_err(|refused| refused.text)?;
    let server = Server::start(session, Options::default()).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let bytes = answer(&server, "GET /scene", "").len();
    println!("scene: {:.2} MB in {:.0} ms", bytes as f64 * 1e-6, start.elapsed().as_secs_f64() * 1e3);
    tell(&server, json!({"do": "speed", "factor": 0}));
    tell(&server, json!({"do": "play"}));

    let read = Arc::new(AtomicU64::new(0));
    let reader = std::thread::spawn({
        let (mut stream, read) = (frames(&server), read.clone());
        move || {
            let mut room = vec![0; 1 << 20];
            while let Ok(count @ 1..) = stream.read(&mut room) {
                read.fetch_add(count as u64, Ordering::Relaxed);
            }
        }
    });
    // The first steps of a scene are not like the others.
    std::thread::sleep(Duration::from_secs(2));

    let each = seconds / f64::from(2 * TURNS);
    let (mut alone, mut beside, before) = (Vec::new(), Vec::new(), memory());
    for _ in 0..TURNS {
        alone.push(steps_per_second(&server, each));
        let stalled = frames(&server);
        beside.push(steps_per_second(&server, each));
        drop(stalled);
    }
    let middle = |rates: &mut Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let (alone, beside) = (middle(&mut alone), middle(&mut beside));
    println!(
        "turns: {alone:.0} steps/s, {beside:.0} beside a stalled reader: {:+.1} %",
        100.0 * (beside / alone - 1.0)
    );

    let (first, start, stalled) = (read.load(Ordering::Relaxed), Instant::now(), frames(&server));
    let begun = memory();
    let rate = steps_per_second(&server, seconds);
    let passed = read.load(Ordering::Relaxed) - first;
    println!(
        "{seconds} s beside one stalled reader: {rate:.0} steps/s, memory {} to {} kB ({before} before)",
        begun,
        memory()
    );
    println!("frames to the other: {:.1} MB/s", passed as f64 * 1e-6 / start.elapsed().as_secs_f64());
    drop(stalled);
    server.stop("measured");
    reader.join().map_err(|_| "the reader failed")?;
    Ok(())
}

fn steps_per_second(server: &Server, seconds: f64) -> f64 {
    let step = || tell(server, json!({"do": "speed", "factor": 0}))["step"].as_u64().unwrap_or(0) as f64;
    let (start, before) = (Instant::now(), step());
    std::thread::sleep(Duration::from_secs_f64(seconds));
    (step() - before) / start.elapsed().as_secs_f64()
}

/// Resident memory of this process \[kB\]; zero where the system does not tell.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn ask(server: &Server, line: &str, body: &str) -> TcpStream {
    let (host, token) = (server.place(), server.token());
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let mut stream = TcpStream::connect(host).expect("the server listens");
    let head = format!(
        "{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n{length}\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).expect("the server reads");
    stream
}

/// A stream of frames, its head still to be read.
fn frames(server: &Server) -> TcpStream {
    ask(server, "GET /frames", "")
}

/// The body of an answer.
fn answer(server: &Server, line: &str, body: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    ask(server, line, body).read_to_end(&mut bytes).expect("an answer");
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |at| at + 4);
    bytes.split_off(end)
}

fn tell(server: &Server, command: Value) -> Value {
    serde_json::from_slice(&answer(server, "POST /command", &command.to_string())).unwrap_or_default()
}
