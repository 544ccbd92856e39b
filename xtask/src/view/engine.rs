//! A running `drystone view`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// The command with its server, ended when dropped.
pub struct Engine {
    program: Child,
    /// The address with its secret.
    pub address: String,
}

impl Engine {
    /// Starts the viewer on a scene, its words after `drystone view`.
    pub fn start(drystone: &Path, words: &[&str]) -> Result<Self, String> {
        let mut program = Command::new(drystone)
            .arg("view")
            .args(words)
            .args(["--no-open"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|error| format!("{} did not start: {error}", drystone.display()))?;
        let output = program.stdout.take().ok_or("no output to read the address from")?;
        let (send, receive) = channel();
        // Reads to the end, so that the command never waits for a reader.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Some(at) = line.find("http://") {
                    let address = line[at..].split_whitespace().next().unwrap_or_default().to_owned();
                    let _ = send.send(address);
                }
            }
        });
        let address = receive.recv_timeout(Duration::from_secs(120));
        let mut engine = Self { program, address: String::new() };
        engine.address = address.map_err(|_| format!("`drystone view {}` printed no address", words.join(" ")))?;
        Ok(engine)
    }

    /// Number of its process.
    pub fn process(&self) -> u32 {
        self.program.id()
    }

    /// The port it listens on.
    pub fn port(&self) -> &str {
        self.address
            .split("://")
            .nth(1)
            .and_then(|rest| rest.split(['/', '#']).next()?.rsplit(':').next())
            .unwrap_or("0")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
