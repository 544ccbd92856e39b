//! The thread that owns the session. It touches no socket.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

use drystone_live::{Answer, Refusal, Session};
use serde_json::Value;

use crate::hub::{Hub, Slot};

/// Time from one frame to the next at least.
const FRAME: Duration = Duration::from_millis(16);
/// Bytes of frames a second: larger frames come less often. A browser reads about so many.
const BYTES_PER_SECOND: f64 = 400e6;
/// Time from one report to the next.
const REPORT: Duration = Duration::from_millis(100);
/// How long it sleeps at most.
const NAP: Duration = Duration::from_millis(500);

/// A question or a command on its way to the session.
pub struct Ask {
    /// What is asked.
    pub what: What,
    /// Where the answer goes.
    pub reply: SyncSender<Result<Answer, Refusal>>,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A path with its query.
    Get(String),
    /// A command as JSON.
    Command(String),
    /// Nothing: somebody has joined and wants to see.
    Nudge,
}

/// When things were sent last.
struct Sent {
    frame: Instant,
    report: Instant,
    frame_changes: u64,
    report_changes: u64,
    generation: u32,
    pause: Duration,
}

/// Runs the session until everybody who could ask is gone.
pub fn run(mut session: Session, asks: &Receiver<Ask>, hub: &Hub) {
    let long_ago = Instant::now() - Duration::from_secs(1);
    let generation = session.generation();
    let mut sent = Sent {
        frame: long_ago,
        report: long_ago,
        frame_changes: u64::MAX,
        report_changes: u64::MAX,
        generation,
        pause: FRAME,
    };
    let mut before = Instant::now();
    loop {
        match listen(&mut session, asks, hub, &sent) {
            Ok(()) => {}
            Err(()) => return,
        }
        let now = Instant::now();
        session.pass((now - before).as_secs_f64());
        before = now;
        tell(&mut session, hub, &mut sent);
    }
}

/// Waits as long as nothing is to be done, and answers what has come.
fn listen(session: &mut Session, asks: &Receiver<Ask>, hub: &Hub, sent: &Sent) -> Result<(), ()> {
    let mut wait = session.wait().map_or(NAP, |seconds| Duration::from_secs_f64(seconds.min(0.5)));
    if sent.frame_changes != session.changes() && hub.readers() > 0 {
        wait = wait.min(sent.pause.saturating_sub(sent.frame.elapsed()));
    }
    let mut batch = Vec::new();
    if wait > Duration::ZERO {
        match asks.recv_timeout(wait) {
            Ok(ask) => batch.push(ask),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(()),
        }
    }
    loop {
        match asks.try_recv() {
            Ok(ask) => batch.push(ask),
            Err(TryRecvError::Empty) => break,
            Err(TryRecvError::Disconnected) if batch.is_empty() => return Err(()),
            Err(TryRecvError::Disconnected) => break,
        }
    }
    answer_all(session, batch, hub);
    Ok(())
}

/// Answers in order. Of several places to go to, one after the other, only the last is gone to.
fn answer_all(session: &mut Session, batch: Vec<Ask>, hub: &Hub) {
    let mut batch = batch.into_iter().peekable();
    let mut skipped = Vec::new();
    while let Some(ask) = batch.next() {
        let step = sought(&ask.what);
        if step.is_some() && batch.peek().is_some_and(|next| sought(&next.what).is_some()) {
            skipped.push(ask.reply);
            continue;
        }
        if let Some(frame) = step.and_then(|step| session.glimpse(step)) {
            hub.publish(Slot::State, &frame);
        }
        let answer = answer(session, &ask.what);
        for reply in skipped.drain(..).chain([ask.reply]) {
            // Whoever asked may be gone.
            let _ = reply.send(answer.clone());
        }
    }
}

/// The step a command wants to go to, if it is one of that kind.
fn sought(what: &What) -> Option<u64> {
    let What::Command(text) = what else { return None };
    let value: Value = serde_json::from_str(text).ok()?;
    (value["do"] == "seek").then(|| value["step"].as_u64())?
}

fn answer(session: &mut Session, what: &What) -> Result<Answer, Refusal> {
    match what {
        What::Command(text) => session.command(text).map(|value| Answer::json(&value)),
        What::Get(target) if target == "/recording" => {
            let bytes = drystone_io::recording::recording_bytes(session.recording()?);
            Ok(Answer::bytes(bytes.map_err(Refusal::conflict)?))
        }
        What::Get(target) => session.get(target),
        What::Nudge => Ok(Answer::bytes(Vec::new())),
    }
}

/// Time until the next frame after one of so many bytes: large ones are thinned to what can be read.
fn pause_after(bytes: usize) -> Duration {
    FRAME.max(Duration::from_secs_f64(bytes as f64 / BYTES_PER_SECOND))
}

/// Publishes what is new, not more often than it can be read.
fn tell(session: &mut Session, hub: &Hub, sent: &mut Sent) {
    if hub.take_joined() {
        (sent.frame_changes, sent.report_changes) = (u64::MAX, u64::MAX);
    }
    if hub.readers() == 0 {
        return;
    }
    if sent.generation != session.generation() {
        sent.generation = session.generation();
        hub.publish(Slot::Scene, &session.scene_frame().into());
    }
    let changes = session.changes();
    if sent.frame_changes != changes && sent.frame.elapsed() >= sent.pause {
        let frame: Arc<[u8]> = session.frame().into();
        sent.pause = pause_after(frame.len());
        hub.publish(Slot::State, &frame);
        (sent.frame, sent.frame_changes) = (Instant::now(), changes);
    }
    if (sent.report_changes != changes || session.is_playing()) && sent.report.elapsed() >= REPORT {
        hub.publish(Slot::Report, &session.report_frame().into());
        (sent.report, sent.report_changes) = (Instant::now(), changes);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use drystone_live::Start;
    use serde_json::Map;

    use super::*;

    #[test]
    fn frames_of_a_million_bodies_come_less_often() {
        let frames_per_second = |bodies: usize| 1.0 / pause_after(36 + 20 * bodies).as_secs_f64();
        assert!(frames_per_second(10_000) > 60.0);
        assert!(frames_per_second(100_000) > 60.0);
        let rate = frames_per_second(1_000_000);
        assert!((15.0..25.0).contains(&rate), "{rate}");
    }

    /// Of places gone to in a row only the last is gone to, and all are told where that is.
    #[test]
    fn a_hand_on_the_slider_does_not_leave_a_queue_behind() {
        let mut session = Session::new(Start::library("pyramid", &Map::new()).unwrap()).unwrap();
        session.command(r#"{"do":"step","count":9}"#).unwrap();
        let changes = session.changes();
        let (batch, answers): (Vec<Ask>, Vec<_>) = [3, 7, 2, 5]
            .map(|step| {
                let (reply, answer) = sync_channel(1);
                (Ask { what: What::Command(format!(r#"{{"do":"seek","step":{step}}}"#)), reply }, answer)
            })
            .into_iter()
            .unzip();
        answer_all(&mut session, batch, &Hub::default());
        assert_eq!((session.step(), session.changes()), (5, changes + 1));
        for answer in answers {
            let told: Value = serde_json::from_slice(&answer.recv().unwrap().unwrap().bytes).unwrap();
            assert_eq!(told["step"], 5);
        }
    }
}
