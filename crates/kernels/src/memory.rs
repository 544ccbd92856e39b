//! Asks for memory before it is read.

/// Asks the processor to fetch the cache line in which a list begins, and goes on. It changes no result, only when it is there.
#[inline(always)]
pub fn prefetch<T>(list: &[T]) {
    prefetch_index::prefetch_index(list, 0);
}
