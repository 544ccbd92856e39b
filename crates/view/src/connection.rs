//! One connection: requests in, answers out.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Sender, sync_channel};
use std::time::{Duration, Instant};

use drystone_live::{Answer, Content, Kind, Refusal, frame_of, with_dropped};
use serde_json::{Value, json};

use crate::answer;
use crate::guard::Guard;
use crate::head::{Head, MOST_BODY, MOST_HEAD, Refused, end_of_head};
use crate::hub::{Hub, MOST_STREAMS, Next};
use crate::page::FILES;
use crate::simulation::{Ask, What};

/// A request must be here in whole after this long.
const READ: Duration = Duration::from_secs(5);
/// How long a connection may wait for its next request.
const IDLE: Duration = Duration::from_secs(30);
/// A reader that takes nothing for this long is given up.
const STALLED: Duration = Duration::from_secs(120);

const JSON: &str = "application/json";

/// What all connections share.
pub struct Shared {
    /// Who may ask.
    pub guard: Guard,
    /// The way to the session.
    pub asks: Sender<Ask>,
    /// The frames.
    pub hub: Hub,
}

/// Serves a connection to its end.
pub fn serve(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(STALLED))?;
    let mut rest = Vec::new();
    loop {
        let (head, body) = match read_request(&mut stream, &mut rest) {
            Ok(Some(request)) => request,
            Ok(None) => return Ok(()),
            Err(refused) => {
                refuse(&mut stream, &refused, true)?;
                return linger(&mut stream);
            }
        };
        match handle(&mut stream, &head, &body, shared)? {
            Then::GoOn if !head.close => {}
            _ => return Ok(()),
        }
    }
}

enum Then {
    GoOn,
    End,
}

/// Reads the next request; none at the end of the connection. What was read beyond stays in `rest`.
fn read_request(stream: &mut TcpStream, rest: &mut Vec<u8>) -> Result<Option<(Head, Vec<u8>)>, Refused> {
    let late = || Refused::new(408, "the request took longer than 5 s");
    let mut until = Instant::now() + if rest.is_empty() { IDLE } else { READ };
    let mut begun = !rest.is_empty();
    let end = loop {
        if let Some(end) = end_of_head(rest) {
            break end;
        }
        if rest.len() > MOST_HEAD {
            return Err(Refused::new(431, format!("the head of a request is longer than {MOST_HEAD} bytes")));
        }
        match read_some(stream, rest, until) {
            Ok(0) if begun => return Err(Refused::new(400, "the request was cut short")),
            Ok(0) => return Ok(None),
            Ok(_) if !begun => (begun, until) = (true, Instant::now() + READ),
            Ok(_) => {}
            Err(error) if is_late(&error) && begun => return Err(late()),
            Err(_) => return Ok(None),
        }
    };
    let head = Head::parse(&rest[..end])?;
    let length = body_length(&head)?;
    rest.drain(..end);
    while rest.len() < length {
        match read_some(stream, rest, until) {
            Ok(0) => return Err(Refused::new(400, "the body is shorter than its length says")),
            Ok(_) => {}
            Err(error) if is_late(&error) => return Err(late()),
            Err(_) => return Ok(None),
        }
    }
    let body = rest.drain(..length).collect();
    Ok(Some((head, body)))
}

fn body_length(head: &Head) -> Result<usize, Refused> {
    match (head.method.as_str(), head.length) {
        ("POST", None) => Err(Refused::new(411, "a command needs the length of its body")),
        (_, Some(length)) if length > MOST_BODY => {
            Err(Refused::new(413, format!("a command may have {MOST_BODY} bytes, this one has {length}")))
        }
        ("POST", Some(length)) => Ok(length),
        (_, None | Some(0)) => Ok(0),
        _ => Err(Refused::new(400, "only POST has a body")),
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Reads what there is, until a moment.
fn read_some(stream: &mut TcpStream, into: &mut Vec<u8>, until: Instant) -> io::Result<usize> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut buffer = [0u8; 4096];
    let count = stream.read(&mut buffer)?;
    into.extend_from_slice(&buffer[..count]);
    Ok(count)
}

/// Lets a refused client read its answer before the connection goes: unread bytes would tear it down.
fn linger(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(std::net::Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut buffer = [0u8; 4096];
    let until = Instant::now() + Duration::from_secs(1);
    while Instant::now() < until && stream.read(&mut buffer).is_ok_and(|count| count > 0) {}
    Ok(())
}

fn refuse(stream: &mut TcpStream, refused: &Refused, close: bool) -> io::Result<()> {
    let body = json!({"error": refused.text}).to_string();
    answer::write(stream, refused.status, JSON, body.as_bytes(), close)
}

/// Answers a request.
fn handle(stream: &mut TcpStream, head: &Head, body: &[u8], shared: &Shared) -> io::Result<Then> {
    let answered = shared.guard.check_place(head).and_then(|()| answer_to(head, body, shared));
    match answered {
        Ok(Reply::File(content, bytes)) => answer::write(stream, 200, content, bytes, head.close)?,
        Ok(Reply::Answer(answer)) => {
            let content = match answer.content {
                Content::Json => JSON,
                Content::Lines => "application/jsonl",
                Content::Bytes => "application/octet-stream",
            };
            answer::write(stream, 200, content, &answer.bytes, head.close)?;
        }
        Ok(Reply::Stream(number)) => {
            let written = write_frames(stream, number, &shared.hub);
            shared.hub.leave(number);
            return written.map(|()| Then::End);
        }
        Err(refused) => refuse(stream, &refused, head.close)?,
    }
    Ok(Then::GoOn)
}

enum Reply {
    File(&'static str, &'static [u8]),
    Answer(Answer),
    Stream(u64),
}

fn answer_to(head: &Head, body: &[u8], shared: &Shared) -> Result<Reply, Refused> {
    let path = head.target.split('?').next().unwrap_or_default();
    if let Some(file) = FILES.iter().find(|file| file.path == path) {
        method(head, "GET")?;
        return Ok(Reply::File(file.content, file.bytes));
    }
    shared.guard.check_token(head)?;
    match path {
        "/frames" => {
            method(head, "GET")?;
            let full = || Refused::new(503, format!("{MOST_STREAMS} pages watch already; close one of them"));
            let number = shared.hub.join().ok_or_else(full)?;
            // The simulation may be asleep; whoever comes new wants to see at once.
            ask(shared, What::Nudge).inspect_err(|_| shared.hub.leave(number))?;
            Ok(Reply::Stream(number))
        }
        "/command" => {
            method(head, "POST")?;
            let text = std::str::from_utf8(body).map_err(|_| Refused::new(400, "a command is JSON, in UTF-8"))?;
            match drawn(text) {
                Some((stream, step)) => {
                    shared.hub.drawn(stream, step);
                    Ok(Reply::Answer(Answer::json(&json!({"step": step}))))
                }
                None => ask(shared, What::Command(text.to_owned())),
            }
        }
        "/catalog" | "/scene" | "/body" | "/series" | "/checkpoint" | "/recording" | "/log" => {
            method(head, "GET")?;
            ask(shared, What::Get(head.target.clone()))
        }
        _ => Err(Refused::new(404, "there is nothing here by this name")),
    }
}

fn method(head: &Head, wanted: &str) -> Result<(), Refused> {
    if head.method == wanted { Ok(()) } else { Err(Refused::new(405, format!("this is asked with {wanted}"))) }
}

/// A page tells what it has drawn: that concerns its stream alone.
fn drawn(text: &str) -> Option<(Option<u64>, u64)> {
    let value: Value = serde_json::from_str(text).ok()?;
    (value["do"] == "drawn").then(|| Some((value["stream"].as_u64(), value["step"].as_u64()?)))?
}

/// Asks the session and waits for its answer.
fn ask(shared: &Shared, what: What) -> Result<Reply, Refused> {
    let gone = || Refused::new(503, "the simulation has ended");
    let (reply, answer) = sync_channel(1);
    shared.asks.send(Ask { what, reply }).map_err(|_| gone())?;
    match answer.recv().map_err(|_| gone())? {
        Ok(answer) => Ok(Reply::Answer(answer)),
        Err(Refusal { status, text }) => Err(Refused { status, text }),
    }
}

/// Writes frames until the reader or the server ends.
fn write_frames(stream: &mut TcpStream, number: u64, hub: &Hub) -> io::Result<()> {
    let more = format!("Drystone-Stream: {number}\r\n");
    stream.write_all(answer::head(200, "application/octet-stream", None, true, &more).as_bytes())?;
    while let Some(next) = hub.next(number) {
        match next {
            Next::Frame(frame, dropped) => {
                let head = with_dropped(&frame, dropped);
                stream.write_all(&head)?;
                stream.write_all(&frame[head.len()..])?;
            }
            Next::Alive => stream.write_all(&frame_of(Kind::Alive, 0, 0, 0, 0.0, &[]))?,
            Next::Bye(frame) => {
                stream.write_all(&frame)?;
                return stream.flush();
            }
        }
    }
    Ok(())
}
