//! `drystone view` as a user starts and ends it.

mod tools;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command};
use std::time::Duration;

use tools::{Folder, stderr};

/// The command under way, with the address it printed.
struct Viewer {
    child: Child,
    host: String,
    token: String,
}

impl Viewer {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut child = folder.start(&[&["view", "--no-open"], arguments].concat());
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("no address: {line:?}"));
        let (host, token) = rest.split_once("/#").unwrap();
        Self { host: host.to_owned(), token: token.to_owned(), child }
    }

    fn ask(&self, line: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let (host, token, length) = (&self.host, &self.token, body.len());
        let length = if line.starts_with("POST") { format!("Content-Length: {length}\r\n") } else { String::new() };
        write!(
            stream,
            "{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n{length}\r\n{body}"
        )
        .unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn tell(&self, body: &str) -> String {
        let (status, answer) = self.ask("POST /command", body);
        assert_eq!(status, 200, "{body}: {answer}");
        answer
    }
}

#[cfg(unix)]
#[test]
fn control_c_ends_it_with_a_farewell_and_the_log_repeats() {
    let folder = Folder::new();
    let mut viewer = Viewer::start(&folder, &["pyramid", "--set", "rows=3", "--paused", "--threads", "2"]);
    assert!(viewer.host.starts_with("127.0.0.1:") && viewer.token.len() == 32);
    viewer.tell(r#"{"do":"grab","body":5}"#);
    viewer.tell(r#"{"do":"drag","target":[0.3,0.7,5.1]}"#);
    viewer.tell(r#"{"do":"step","count":25}"#);
    let (status, log) = viewer.ask("GET /log", "");
    assert_eq!(status, 200);
    folder.write("run.jsonl", &log);
    folder.write("other.jsonl", &log.replace("5.1", "5.2"));
    let mut frames = TcpStream::connect(&viewer.host).unwrap();
    frames.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let request =
        format!("GET /frames HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n", viewer.host, viewer.token);
    frames.write_all(request.as_bytes()).unwrap();
    frames.read_exact(&mut [0; 16]).unwrap();
    let killed = Command::new("kill").args(["-INT", &viewer.child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(viewer.child.wait().unwrap().code(), Some(0));
    let mut rest = Vec::new();
    frames.read_to_end(&mut rest).unwrap();
    assert!(String::from_utf8_lossy(&rest).ends_with(r#"{"why":"`drystone view` was ended"}"#));

    let same = folder.drystone(&["view", "--repeat", "run.jsonl"]);
    assert_eq!(same.status.code(), Some(0), "{}", stderr(&same));
    assert!(String::from_utf8_lossy(&same.stdout).starts_with("step 25: the same bits"));
    let other = folder.drystone(&["view", "--repeat", "other.jsonl", "--threads", "1"]);
    assert_eq!(other.status.code(), Some(1), "{}", stderr(&other));
}

#[test]
fn it_ends_when_the_last_page_is_closed() {
    let folder = Folder::new();
    let mut viewer = Viewer::start(&folder, &["pyramid", "--set", "rows=2", "--exit-when-closed"]);
    let mut frames = TcpStream::connect(&viewer.host).unwrap();
    let request =
        format!("GET /frames HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n", viewer.host, viewer.token);
    frames.write_all(request.as_bytes()).unwrap();
    frames.read_exact(&mut [0; 400]).unwrap();
    drop(frames);
    assert_eq!(viewer.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_recording_is_shown() {
    let folder = Folder::new();
    let run = folder.drystone(&["run", "pyramid", "--set", "rows=2", "--steps", "9", "--record", "run.npz", "-q"]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let mut viewer = Viewer::start(&folder, &["run.npz", "--paused"]);
    assert!(viewer.tell(r#"{"do":"seek","step":9}"#).contains(r#""step":9"#));
    assert_eq!(viewer.ask("POST /command", r#"{"do":"gravity","value":[0,0,0]}"#).0, 409);
    viewer.child.kill().unwrap();
    viewer.child.wait().unwrap();
}

#[test]
fn bad_input_is_told_before_anything_listens() {
    let folder = Folder::new();
    for (arguments, word) in [
        (&["view", "pyramit"][..], "pyramid"),
        (&["view", "nothing.npz"], "nothing.npz"),
        (&["view", "pyramid", "--solver", "vdb"], "vbd"),
        (&["view", "pyramid", "--repeat", "x"], "--repeat"),
        (&["view", "--repeat", "missing.jsonl"], "missing.jsonl"),
        (&["view"], "SCENE"),
        (&["view", "pyramid", "--address", "nowhere"], "nowhere"),
    ] {
        let output = folder.drystone(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
    }
}
