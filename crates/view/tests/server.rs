//! The server over real sockets: what it refuses, what it streams, and that a reader that stalls delays nobody.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use drystone_live::{HEAD_BYTES, Session, Start};
use drystone_view::{Options, Server};
use serde_json::{Map, Value, json};

fn server(scene: &str, parameters: Value) -> Server {
    let start = Start::library(scene, parameters.as_object().unwrap_or(&Map::new())).unwrap();
    Server::start(Session::new(start).unwrap(), Options::default()).unwrap()
}

fn pyramid() -> Server {
    server("pyramid", json!({"rows": 3}))
}

/// Sends bytes and reads the answer to its end.
fn exchange(server: &Server, request: &[u8]) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(server.place()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // A server that refuses early may close while bytes are still on their way.
    let _ = stream.write_all(request);
    read_answer(&mut stream)
}

fn read_answer(stream: &mut TcpStream) -> (u16, String, Vec<u8>) {
    let mut bytes = Vec::new();
    let end = loop {
        let mut one = [0];
        assert_eq!(stream.read(&mut one).unwrap(), 1, "the answer is cut short: {}", String::from_utf8_lossy(&bytes));
        bytes.push(one[0]);
        if bytes.ends_with(b"\r\n\r\n") {
            break bytes.len();
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let length =
        head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).map_or(0, |text| text.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    (status, head, body)
}

/// A request as the page makes it, with fields of its own.
fn request(server: &Server, line: &str, more: &str, body: &str) -> Vec<u8> {
    let (host, token) = (server.place(), server.token());
    let length = if line.starts_with("POST") { format!("Content-Length: {}\r\n", body.len()) } else { String::new() };
    format!("{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{length}{more}\r\n{body}").into_bytes()
}

fn get(server: &Server, path: &str) -> (u16, Vec<u8>) {
    let (status, _, body) = exchange(server, &request(server, &format!("GET {path}"), "", ""));
    (status, body)
}

#[track_caller]
fn command(server: &Server, command: Value) -> Value {
    let (status, _, body) = exchange(server, &request(server, "POST /command", "", &command.to_string()));
    assert_eq!(status, 200, "{command}: {}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).unwrap()
}

/// A stream of frames.
struct Frames(TcpStream, String);

impl Frames {
    fn open(server: &Server) -> Self {
        let mut stream = TcpStream::connect(server.place()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(&request(server, "GET /frames", "", "")).unwrap();
        let (status, head, _) = read_answer(&mut stream);
        assert_eq!(status, 200);
        Self(stream, head)
    }

    /// The next frame, whole.
    fn next(&mut self) -> Vec<u8> {
        let mut frame = vec![0; 4];
        self.0.read_exact(&mut frame).unwrap();
        let length = u32::from_le_bytes(frame[..4].try_into().unwrap()) as usize;
        frame.resize(4 + length, 0);
        self.0.read_exact(&mut frame[4..]).unwrap();
        assert!(frame.len() >= HEAD_BYTES && frame[5] == 1);
        frame
    }

    /// The next of a kind.
    fn next_of(&mut self, kind: u8) -> Vec<u8> {
        (0..10_000).map(|_| self.next()).find(|frame| frame[4] == kind).expect("a frame of this kind")
    }

    fn next_report(&mut self) -> Value {
        serde_json::from_slice(&self.next_of(1)[HEAD_BYTES..]).unwrap()
    }
}

fn dropped(frame: &[u8]) -> u32 {
    u32::from_le_bytes(frame[12..16].try_into().unwrap())
}

#[test]
fn the_page_is_served_with_a_policy_that_lets_nothing_else_in() {
    let server = pyramid();
    for (path, content) in [("/", "text/html"), ("/app.js", "text/javascript"), ("/app.css", "text/css")] {
        // The page itself comes without a key: the key is in the fragment, which no browser sends.
        let line = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.place());
        let (status, head, body) = exchange(&server, line.as_bytes());
        assert_eq!(status, 200);
        assert!(head.contains(&format!("Content-Type: {content}")) && !body.is_empty(), "{head}");
        for field in ["default-src 'none'", "frame-ancestors 'none'", "nosniff", "no-store", "no-referrer"] {
            assert!(head.contains(field), "{field}: {head}");
        }
        assert!(!head.contains("unsafe") && !head.contains("Access-Control"), "{head}");
    }
    server.stop("done");
}

#[test]
fn what_is_not_ours_is_refused() {
    let server = pyramid();
    let (host, token) = (server.place().to_string(), server.token().to_owned());
    let with = |line: &str, host: &str, token: &str, more: &str| {
        format!("{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{more}\r\n").into_bytes()
    };
    let wrong = "0".repeat(32);
    let long = format!("X: {}\r\n", "y".repeat(9000));
    let cases: Vec<(&str, Vec<u8>, u16)> = vec![
        ("good", with("GET /scene", &host, &token, ""), 200),
        ("own origin", with("GET /scene", &host, &token, &format!("Origin: http://{host}\r\n")), 200),
        ("no token", format!("GET /scene HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes(), 401),
        ("wrong token", with("GET /scene", &host, &wrong, ""), 401),
        ("half a token", with("GET /frames", &host, &token[..16], ""), 401),
        ("token in the query", format!("GET /log?token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes(), 401),
        ("no host", b"GET / HTTP/1.1\r\n\r\n".to_vec(), 400),
        ("foreign host", with("GET /scene", "evil.example", &token, ""), 403),
        ("rebound host", with("GET /", "127.evil.example:80", &token, ""), 403),
        ("foreign origin", with("GET /scene", &host, &token, "Origin: http://evil.example\r\n"), 403),
        ("no origin to speak of", with("GET /scene", &host, &token, "Origin: null\r\n"), 403),
        ("method", with("PUT /scene", &host, &token, ""), 405),
        ("command by GET", with("GET /command", &host, &token, ""), 405),
        ("page by POST", with("POST /", &host, &token, "Content-Length: 0\r\n"), 405),
        ("preflight", with("OPTIONS /command", &host, &token, &format!("Origin: http://{host}\r\n")), 405),
        ("up", with("GET /../Cargo.toml", &host, &token, ""), 404),
        ("up, encoded", with("GET /%2e%2e/%2e%2e/etc/passwd", &host, &token, ""), 404),
        ("a file", with("GET /etc/passwd", &host, &token, ""), 404),
        ("absolute", with("GET http://evil.example/", &host, &token, ""), 400),
        ("long head", with("GET /", &host, &token, &long), 431),
        ("no length", with("POST /command", &host, &token, ""), 411),
        ("long body", with("POST /command", &host, &token, "Content-Length: 65537\r\n"), 413),
        ("in pieces", with("POST /command", &host, &token, "Transfer-Encoding: chunked\r\n"), 400),
        ("two lengths", with("POST /command", &host, &token, "Content-Length: 1\r\nContent-Length: 2\r\n"), 400),
        ("body of a GET", with("GET /scene", &host, &token, "Content-Length: 5\r\n"), 400),
        ("old", format!("GET / HTTP/1.0\r\nHost: {host}\r\n\r\n").into_bytes(), 505),
        ("noise", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec(), 400),
    ];
    for (name, bytes, expected) in cases {
        let (status, head, body) = exchange(&server, &bytes);
        assert_eq!(status, expected, "{name}");
        assert!(!head.contains("Access-Control"), "{name}: {head}");
        if status != 200 {
            let body: Value = serde_json::from_slice(&body).unwrap();
            assert!(!body["error"].as_str().unwrap().is_empty() && !body.to_string().contains(&token), "{name}");
        }
    }
    server.stop("done");
}

#[test]
fn a_slow_head_is_cut_off_and_nobody_waits_for_it() {
    let server = pyramid();
    let mut slow = TcpStream::connect(server.place()).unwrap();
    slow.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    slow.write_all(b"GET /scene HTTP/1.1\r\nHost:").unwrap();
    let start = Instant::now();
    assert_eq!(get(&server, "/scene").0, 200);
    assert!(start.elapsed() < Duration::from_secs(4));
    let (status, ..) = read_answer(&mut slow);
    assert_eq!(status, 408);
    let waited = start.elapsed().as_secs_f64();
    assert!((4.0..15.0).contains(&waited), "{waited} s");
    server.stop("done");
}

#[test]
fn frames_reports_and_answers_tell_the_same_story() {
    let server = pyramid();
    let mut frames = Frames::open(&server);
    assert!(frames.1.contains("Drystone-Stream: 1") && !frames.1.contains("Content-Length"), "{}", frames.1);
    let first = frames.next_of(0);
    assert_eq!(first.len(), HEAD_BYTES + 4 + 6 * 20);
    assert_eq!(command(&server, json!({"do": "step", "count": 4}))["step"], 4);
    while frames.next_of(0)[16] != 4 {}
    let report = frames.next_report();
    assert_eq!((&report["step"], &report["playing"]), (&json!(4), &json!(false)));
    command(&server, json!({"do": "throw", "origin": [0, 0, 9], "velocity": [0, 0, 0]}));
    let changed = frames.next_of(4);
    let (status, scene) = get(&server, "/scene");
    let length = u32::from_le_bytes(scene[..4].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&scene[4..4 + length]).unwrap();
    assert_eq!((status, head["bodies"].as_array().unwrap().len()), (200, 7));
    assert_eq!(head["generation"].as_u64().unwrap() as u32, u32::from_le_bytes(changed[8..12].try_into().unwrap()));
    assert_eq!(frames.next_of(0).len(), HEAD_BYTES + 4 + 7 * 20);
    for (path, expected) in [("/catalog", 200), ("/series?since=0", 200), ("/body?id=0", 200), ("/body?id=99", 404)] {
        assert_eq!(get(&server, path).0, expected, "{path}");
    }
    let (status, log) = get(&server, "/log");
    assert_eq!((status, String::from_utf8(log).unwrap().lines().count()), (200, 3));
    assert!(get(&server, "/checkpoint").1.starts_with(b"DRYSTONE"));
    assert_eq!(get(&server, "/recording").0, 409);
    command(&server, json!({"do": "record", "on": true}));
    command(&server, json!({"do": "step", "count": 3}));
    assert!(get(&server, "/recording").1.starts_with(b"PK"));
    server.stop("the test is over");
    let bye: Value = serde_json::from_slice(&frames.next_of(3)[HEAD_BYTES..]).unwrap();
    assert_eq!(bye["why"], "the test is over");
    let mut end = Vec::new();
    assert_eq!(frames.0.read_to_end(&mut end).unwrap(), 0, "nothing comes after the farewell");
}

#[test]
fn one_connection_serves_many_requests() {
    let server = pyramid();
    let mut stream = TcpStream::connect(server.place()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let step = request(&server, "POST /command", "", r#"{"do":"step"}"#);
    for count in 1..=20 {
        stream.write_all(&step).unwrap();
        let (status, _, body) = read_answer(&mut stream);
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((status, &body["step"]), (200, &json!(count)));
    }
    // Two at once are answered one after the other.
    stream.write_all(&[step.clone(), step].concat()).unwrap();
    let steps =
        [(), ()].map(|()| serde_json::from_slice::<Value>(&read_answer(&mut stream).2).unwrap()["step"].clone());
    assert_eq!(steps, [json!(21), json!(22)]);
    server.stop("done");
}

#[test]
fn streams_are_few_and_places_become_free() {
    let server = pyramid();
    let mut open: Vec<Frames> = (0..4).map(|_| Frames::open(&server)).collect();
    let (status, _, body) = exchange(&server, &request(&server, "GET /frames", "", ""));
    assert_eq!(status, 503);
    assert!(String::from_utf8(body).unwrap().contains("close one"));
    open.pop().unwrap().0.shutdown(Shutdown::Both).unwrap();
    command(&server, json!({"do": "play"}));
    let until = Instant::now() + Duration::from_secs(10);
    while server.readers() == 4 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!((server.readers(), server.readers_ever()), (3, 4));
    Frames::open(&server).next();
    server.stop("done");
}

/// Steps taken in a while as fast as they go.
fn rate(server: &Server, seconds: f64) -> f64 {
    let step = || command(server, json!({"do": "speed", "factor": 0}))["step"].as_u64().unwrap() as f64;
    let (start, before) = (Instant::now(), step());
    std::thread::sleep(Duration::from_secs_f64(seconds));
    (step() - before) / start.elapsed().as_secs_f64()
}

/// One reader reads on, another reads nothing: steps go on as before, and what it missed is counted. That nothing
/// is kept for it is held by the tests of the hub.
#[test]
fn a_stalled_reader_delays_nobody() {
    let server = server("wall", json!({"rows": 20, "columns": 50}));
    // A frame is larger then than 100 kB: the kernel keeps some thirty of them.
    let show = json!({"do": "show", "contacts": true, "velocities": true, "groups": true, "bounds": true});
    command(&server, show);
    command(&server, json!({"do": "speed", "factor": 0}));
    command(&server, json!({"do": "play"}));
    let reader = Frames::open(&server);
    let reading = std::thread::spawn({
        let mut stream = reader.0.try_clone().unwrap();
        move || std::io::copy(&mut stream, &mut std::io::sink()).unwrap()
    });
    let best = |times| (0..times).map(|_| rate(&server, 0.7)).fold(0.0, f64::max);
    // Before and after: other tests that begin or end meanwhile are no matter of the reader.
    let before = best(2);
    let mut stalled = Frames::open(&server);
    // Until the buffers of the kernel are full.
    std::thread::sleep(Duration::from_secs(2));
    let with = best(3);
    // The first frames are those of the kernel's buffers; after them comes the newest, which knows how many are missing.
    let missed = (0..400).map(|_| dropped(&stalled.next())).find(|missed| *missed > 0);
    assert!(missed.is_some(), "frames that were not read are counted");
    stalled.0.shutdown(Shutdown::Both).unwrap();
    let after = best(2);
    assert!(with > 0.5 * before.min(after), "{with} steps per second with a stalled reader, {before}, {after} without");
    server.stop("done");
    assert!(reading.join().unwrap() > 0);
    reader.0.shutdown(Shutdown::Both).ok();
}
