//! The server: threads, and their end.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use drystone_live::{Kind, Session, frame_of};
use serde_json::json;

use crate::answer;
use crate::connection::{Shared, serve};
use crate::guard::Guard;
use crate::simulation::run;
use crate::token::random_token;

/// Connections at one time.
const MOST_CONNECTIONS: usize = 32;
/// How long readers have to take their farewell.
const FAREWELL: Duration = Duration::from_millis(500);

/// Where a server listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The address; only those of this machine are safe from others.
    pub address: IpAddr,
    /// The port; 0 takes any that is free.
    pub port: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self { address: Ipv4Addr::LOCALHOST.into(), port: 0 }
    }
}

/// A server that shows a session.
pub struct Server {
    place: SocketAddr,
    token: String,
    shared: Arc<Shared>,
    ended: Arc<AtomicBool>,
    simulation: JoinHandle<()>,
}

impl Server {
    /// Begins to listen, and lets the session go its way.
    pub fn start(mut session: Session, options: Options) -> Result<Self, String> {
        let listener = TcpListener::bind((options.address, options.port))
            .map_err(|error| format!("cannot listen on {}:{}: {error}", options.address, options.port))?;
        let place = listener.local_addr().map_err(|error| error.to_string())?;
        let token = random_token()?;
        session.set_instance(&random_token()?[..16]);
        let (asks, questions) = mpsc::channel();
        let guard = Guard::new(&token, !options.address.is_loopback());
        let shared = Arc::new(Shared { guard, asks, hub: Default::default() });
        let ended = Arc::new(AtomicBool::new(false));
        let start = |name: &str| thread::Builder::new().name(name.into());
        let simulation = {
            let shared = shared.clone();
            start("simulation").spawn(move || run(session, &questions, &shared.hub))
        };
        let simulation = simulation.map_err(|error| format!("cannot start a thread: {error}"))?;
        let accepting = {
            let (shared, ended) = (shared.clone(), ended.clone());
            start("accept").spawn(move || accept(&listener, &shared, &ended))
        };
        accepting.map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Self { place, token, shared, ended, simulation })
    }

    /// Where it listens.
    pub fn place(&self) -> SocketAddr {
        self.place
    }

    /// The secret of this run.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The address to open, with the secret in its fragment.
    pub fn address(&self) -> String {
        format!("http://{}/#{}", self.place, self.token)
    }

    /// Pages that watch now.
    pub fn readers(&self) -> usize {
        self.shared.hub.readers()
    }

    /// Pages that ever watched.
    pub fn readers_ever(&self) -> u64 {
        self.shared.hub.ever()
    }

    /// Whether the simulation ended by itself, which it should not.
    pub fn has_failed(&self) -> bool {
        self.simulation.is_finished()
    }

    /// Says farewell to all pages and stops listening.
    pub fn stop(self, why: &str) {
        self.ended.store(true, Ordering::SeqCst);
        let text = json!({"why": why}).to_string();
        self.shared.hub.bye(frame_of(Kind::Bye, 0, 0, 0, 0.0, text.as_bytes()).into());
        let until = Instant::now() + FAREWELL;
        while self.shared.hub.readers() > 0 && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        // Wakes the thread that accepts, which then sees that it is over.
        let _ = TcpStream::connect_timeout(&reachable(self.place), FAREWELL);
    }
}

/// An address of this machine that leads to a place listened on.
fn reachable(place: SocketAddr) -> SocketAddr {
    let ip = if place.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { place.ip() };
    SocketAddr::new(ip, place.port())
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>, ended: &AtomicBool) {
    let count = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        if ended.load(Ordering::SeqCst) {
            return;
        }
        // A connection that could not be accepted concerns nobody else.
        let Ok(stream) = stream else { continue };
        if count.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
            count.fetch_sub(1, Ordering::SeqCst);
            let _ = turn_away(stream);
            continue;
        }
        let (shared, held) = (shared.clone(), count.clone());
        let started = thread::Builder::new().name("connection".into()).spawn(move || {
            // A client that goes away in the middle is no fault of ours.
            let _ = serve(stream, &shared);
            held.fetch_sub(1, Ordering::SeqCst);
        });
        if started.is_err() {
            count.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

fn turn_away(mut stream: TcpStream) -> io::Result<()> {
    stream.set_write_timeout(Some(Duration::from_millis(100)))?;
    let body = json!({"error": "too many connections; close a page"}).to_string();
    answer::write(&mut stream, 503, "application/json", body.as_bytes(), true)
}
