//! The newest frames, one slot per reader.
//!
//! Whoever makes frames puts them here and goes on at once. A frame that a reader has not taken is replaced by the next and counted, so
//! that what waits never grows.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use drystone_live::step_of;

/// Streams at one time.
pub const MOST_STREAMS: usize = 4;
/// Frames sent that a page has not drawn yet.
const AHEAD: usize = 3;
/// A page that tells nothing for this long gets its next frame anyway.
const PATIENCE: Duration = Duration::from_secs(1);
/// Something is sent at least this often.
const ALIVE: Duration = Duration::from_secs(5);

/// Frames on their way to readers.
#[derive(Default)]
pub struct Hub {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    readers: BTreeMap<u64, Reader>,
    next: u64,
    joined: bool,
    bye: Option<Arc<[u8]>>,
}

/// What waits for one reader.
#[derive(Default)]
struct Reader {
    slots: [Option<Arc<[u8]>>; 3],
    dropped: u32,
    undrawn: VecDeque<u64>,
    tells: bool,
    sent: Option<Instant>,
}

/// Which slot a frame waits in. They are emptied in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The scene has changed.
    Scene = 0,
    /// Figures.
    Report = 1,
    /// Where everything is.
    State = 2,
}

/// What a writer has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Send this frame, with so many dropped before it.
    Frame(Arc<[u8]>, u32),
    /// Say that the connection lives.
    Alive,
    /// Say farewell and end.
    Bye(Arc<[u8]>),
}

impl Hub {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new reader's number, unless there are too many.
    pub fn join(&self) -> Option<u64> {
        let mut state = self.lock();
        if state.readers.len() >= MOST_STREAMS || state.bye.is_some() {
            return None;
        }
        state.next += 1;
        state.joined = true;
        let number = state.next;
        state.readers.insert(number, Reader::default());
        Some(number)
    }

    /// A reader is gone.
    pub fn leave(&self, reader: u64) {
        self.lock().readers.remove(&reader);
        self.changed.notify_all();
    }

    /// Number of readers now.
    pub fn readers(&self) -> usize {
        self.lock().readers.len()
    }

    /// Readers that ever were.
    pub fn ever(&self) -> u64 {
        self.lock().next
    }

    /// Whether somebody has joined since this was asked last.
    pub fn take_joined(&self) -> bool {
        std::mem::take(&mut self.lock().joined)
    }

    /// Puts a frame into the slots of all readers. One that was not read is replaced; states are counted.
    pub fn publish(&self, slot: Slot, frame: &Arc<[u8]>) {
        for reader in self.lock().readers.values_mut() {
            if reader.slots[slot as usize].replace(frame.clone()).is_some() && slot == Slot::State {
                reader.dropped = reader.dropped.wrapping_add(1);
            }
        }
        self.changed.notify_all();
    }

    /// A page has drawn the frame of a step; without a stream it may be any.
    pub fn drawn(&self, stream: Option<u64>, step: u64) {
        let mut state = self.lock();
        for (_, reader) in state.readers.iter_mut().filter(|(number, _)| stream.is_none_or(|stream| stream == **number))
        {
            reader.tells = true;
            if let Some(at) = reader.undrawn.iter().rposition(|sent| *sent == step) {
                reader.undrawn.drain(..=at);
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Ends all streams with a last frame.
    pub fn bye(&self, frame: Arc<[u8]>) {
        self.lock().bye = Some(frame);
        self.changed.notify_all();
    }

    /// Waits for what a reader is to be sent next. None if it is gone.
    pub fn next(&self, number: u64) -> Option<Next> {
        let until = Instant::now() + ALIVE;
        let mut state = self.lock();
        loop {
            let bye = state.bye.clone();
            let reader = state.readers.get_mut(&number)?;
            if let Some(bye) = bye {
                return Some(Next::Bye(bye));
            }
            let now = Instant::now();
            if let Some(frame) = reader.take(now) {
                return Some(Next::Frame(frame, reader.dropped));
            }
            if now >= until {
                return Some(Next::Alive);
            }
            let held = reader.slots[Slot::State as usize].is_some();
            let wait = if held { PATIENCE / 10 } else { until - now };
            let (back, _) = self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner);
            state = back;
        }
    }
}

impl Reader {
    /// The next frame that may be sent.
    fn take(&mut self, now: Instant) -> Option<Arc<[u8]>> {
        for slot in [Slot::Scene, Slot::Report] {
            if let Some(frame) = self.slots[slot as usize].take() {
                return Some(frame);
            }
        }
        let silent = self.sent.is_none_or(|sent| now - sent > PATIENCE);
        if self.tells && self.undrawn.len() >= AHEAD && !silent {
            return None;
        }
        let frame = self.slots[Slot::State as usize].take()?;
        self.sent = Some(now);
        self.undrawn.push_back(step_of(&frame));
        // One that never tells, or has stopped telling, is not remembered for ever.
        if self.undrawn.len() > AHEAD {
            self.undrawn.pop_front();
        }
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use drystone_live::{Kind, frame_of};

    use super::*;

    fn frame(step: u64) -> Arc<[u8]> {
        frame_of(Kind::State, 0, 1, step, 0.0, &[]).into()
    }

    fn step(next: Option<Next>) -> (u64, u32) {
        match next {
            Some(Next::Frame(frame, dropped)) => (step_of(&frame), dropped),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_newest_waits_and_the_others_are_counted() {
        let hub = Hub::default();
        let reader = hub.join().unwrap();
        (0..10).for_each(|step| hub.publish(Slot::State, &frame(step)));
        assert_eq!(step(hub.next(reader)), (9, 9));
        hub.publish(Slot::State, &frame(10));
        hub.publish(Slot::Scene, &frame(77));
        assert_eq!(step(hub.next(reader)), (77, 9), "a changed scene comes first");
        assert_eq!(step(hub.next(reader)), (10, 9));
    }

    #[test]
    fn nothing_is_kept_but_the_newest() {
        let hub = Hub::default();
        let readers: Vec<u64> = (0..MOST_STREAMS).map(|_| hub.join().unwrap()).collect();
        let frames: Vec<Arc<[u8]>> = (0..100).map(frame).collect();
        frames.iter().for_each(|frame| hub.publish(Slot::State, frame));
        let held: Vec<usize> = frames.iter().map(|frame| Arc::strong_count(frame) - 1).collect();
        assert!(held[..99].iter().all(|count| *count == 0) && held[99] == readers.len(), "{held:?}");
    }

    #[test]
    fn a_page_that_tells_is_never_more_than_three_frames_behind() {
        let hub = Hub::default();
        let reader = hub.join().unwrap();
        hub.drawn(Some(reader), 0);
        for step_now in 1..=3 {
            hub.publish(Slot::State, &frame(step_now));
            assert_eq!(step(hub.next(reader)).0, step_now);
        }
        hub.publish(Slot::State, &frame(4));
        let now = Instant::now();
        let take = |hub: &Hub, now| hub.lock().readers.get_mut(&reader).unwrap().take(now);
        assert!(take(&hub, now).is_none());
        hub.drawn(Some(reader), 2);
        assert_eq!(step_of(&take(&hub, now).unwrap()), 4);
        hub.publish(Slot::State, &frame(5));
        hub.drawn(Some(reader), 3);
        assert_eq!(step_of(&take(&hub, now).unwrap()), 5);
        (6..9).for_each(|step| hub.publish(Slot::State, &frame(step)));
        assert_eq!(step_of(&take(&hub, now).unwrap()), 8);
        hub.publish(Slot::State, &frame(9));
        assert!(take(&hub, now).is_none());
        assert!(take(&hub, now + 2 * PATIENCE).is_some(), "a page that fell silent goes on");
    }

    #[test]
    fn streams_are_few_and_end_with_a_farewell() {
        let hub = Hub::default();
        let readers: Vec<u64> = (0..MOST_STREAMS).map(|_| hub.join().unwrap()).collect();
        assert_eq!(hub.join(), None);
        hub.leave(readers[0]);
        assert!(hub.join().is_some() && hub.readers() == MOST_STREAMS && hub.ever() == 5);
        hub.bye(frame(0));
        assert!(matches!(hub.next(readers[1]), Some(Next::Bye(_))));
        assert_eq!(hub.next(readers[0]), None);
    }
}
