//! Work that stays with the thread that calls it. Waking another thread and waiting for it takes a quarter of a millisecond where
//! processors rest deeply, which is more than a whole step of a small scene.

use std::cell::Cell;

use rayon::iter::{IndexedParallelIterator, MinLen};

thread_local! {
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Does some work on this thread: loops of this crate inside it call no others.
pub fn alone<R>(work: impl FnOnce() -> R) -> R {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _before = Before(ALONE.replace(true));
    work()
}

/// Whether loops stay with this thread.
pub fn is_alone() -> bool {
    ALONE.get()
}

/// How many threads would share a loop.
pub fn width() -> usize {
    if is_alone() { 1 } else { rayon::current_num_threads() }
}

/// Does two things, side by side where a thread is free.
pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if is_alone() { (a(), b()) } else { rayon::join(a, b) }
}

/// Sorts a list whose items differ, so that there is one order only.
pub fn sort_unstable<T: Ord + Send>(items: &mut [T]) {
    use rayon::slice::ParallelSliceMut;
    if is_alone() { items.sort_unstable() } else { items.par_sort_unstable() }
}

/// How a loop is cut into pieces.
pub trait Shared: IndexedParallelIterator {
    /// Pieces of no less than some turns; one piece, for this thread, where it is alone. Every loop that a step runs says it, as
    /// the last thing before its work.
    fn shared(self, least: usize) -> MinLen<Self> {
        self.with_min_len(if is_alone() { usize::MAX } else { least })
    }
}

impl<I: IndexedParallelIterator> Shared for I {}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::thread::{ThreadId, current};

    use rayon::prelude::*;

    use super::*;

    /// The threads that a loop of many turns runs on.
    fn threads_of_a_loop() -> Vec<ThreadId> {
        let mut threads: Vec<ThreadId> = (0..10_000).into_par_iter().shared(1).map(|_| current().id()).collect();
        threads.dedup();
        threads
    }

    #[test]
    fn what_is_alone_stays_on_its_thread() {
        let here = current().id();
        alone(|| {
            assert!(is_alone());
            assert_eq!((width(), threads_of_a_loop()), (1, vec![here]));
            assert_eq!(join(|| current().id(), || current().id()), (here, here));
        });
        assert!(!is_alone());
    }

    /// From outside a pool everything goes to one of its threads.
    #[test]
    fn other_loops_go_to_the_pool() {
        assert!(!threads_of_a_loop().contains(&current().id()));
    }

    #[test]
    fn the_word_is_taken_back_after_a_panic_and_kept_when_it_was_given_before() {
        assert!(catch_unwind(|| alone(|| panic!("on purpose"))).is_err());
        assert!(!is_alone());
        alone(|| {
            alone(|| ());
            assert!(is_alone());
        });
    }

    #[test]
    fn lists_are_sorted_either_way() {
        let list: Vec<u32> = (0..5000).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
        let sort = || {
            let mut sorted = list.clone();
            sort_unstable(&mut sorted);
            sorted
        };
        let mut sorted = list.clone();
        sorted.sort();
        assert_eq!((sort(), alone(sort)), (sorted.clone(), sorted));
    }
}
