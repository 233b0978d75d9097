//! Which cores are idle, as far as this process knows.
//!
//! A question that is asked alone should have all cores, and one of many that are asked side by side its own. So threads
//! count while they work, and a thread that could use help takes the cores that are left.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use etalon_certify::on_threads;
use etalon_lcp::Number;

/// Threads at work.
static BUSY: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static IS_COUNTED: Cell<bool> = const { Cell::new(false) };
}

/// Counts this thread as one at work meanwhile, so that no other one counts on its core.
pub fn at_work<T>(work: impl FnOnce() -> T) -> T {
    let _own = Counted::new();
    work()
}

/// A thread that is counted once, also where it is counted again meanwhile.
struct Counted {
    is_first: bool,
}

impl Counted {
    fn new() -> Self {
        let is_first = !IS_COUNTED.replace(true);
        if is_first {
            BUSY.fetch_add(1, Ordering::Relaxed);
        }
        Self { is_first }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if self.is_first {
            IS_COUNTED.set(false);
            BUSY.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// This thread's core, and some that were idle.
pub(crate) struct Spare {
    helpers: usize,
    _own: Counted,
}

/// Takes at most so many idle cores until what it returns is dropped.
pub(crate) fn spare(most: usize) -> Spare {
    let own = Counted::new();
    let mut helpers = 0;
    let take = |busy: usize| {
        helpers = cores().saturating_sub(busy).min(most);
        Some(busy + helpers)
    };
    // The closure always has a value.
    let _ = BUSY.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
    Spare { helpers, _own: own }
}

/// Fewer fractions than this are read by one thread. Chosen: those of so many rows take a tenth of a second, and a thread takes
/// some microseconds to begin.
const MANY: usize = 256;

/// Numbers that a thread reads before it looks for the next ones.
const AT_ONCE: usize = 16;

/// What `read` makes of parts of a solution, in order, on this thread and on others, at most so many in all, whose cores are idle.
/// Fractions over one denominator ([`Number::over`]) are brought to lowest terms when they are first read. For a thousand long ones that takes
/// as long as to find them, and their decimal digits take a third of it again.
pub fn read_in_parts<T: Send>(
    z: &[Number],
    threads: Option<NonZeroUsize>,
    read: impl Fn(&[Number]) -> T + Sync,
) -> Vec<T> {
    if z.len() < MANY {
        return vec![read(z)];
    }
    let parts: Vec<_> = z.chunks(AT_ONCE).collect();
    let helpers = threads.map_or(usize::MAX, NonZeroUsize::get) - 1;
    share(parts.len(), helpers, |k| read(parts[k]))
}

/// What `work` makes of each of so many parts, in order: on this core, and on at most so many others that are idle.
pub(crate) fn share<T: Send>(
    parts: usize,
    helpers: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let spare = spare(helpers.min(parts.saturating_sub(1)));
    on_threads(parts, spare.threads(), work)
}

impl Spare {
    /// The threads that may work: this one and its helpers.
    pub fn threads(&self) -> usize {
        1 + self.helpers
    }
}

impl Drop for Spare {
    fn drop(&mut self) {
        BUSY.fetch_sub(self.helpers, Ordering::Relaxed);
    }
}

fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_counts_once_and_until_it_ends() {
        // Tests run side by side, so only this thread's own mark is asked for here.
        let is_counted = || IS_COUNTED.get();
        assert!(!is_counted());
        at_work(|| {
            assert!(is_counted());
            at_work(|| assert!(is_counted()));
            assert!(is_counted(), "it still works");
            drop(spare(0));
            assert!(is_counted(), "it still works");
        });
        assert!(!is_counted());
        let panicked = std::panic::catch_unwind(|| at_work(|| panic!("on purpose")));
        assert!(panicked.is_err() && !is_counted());
    }

    #[test]
    fn parts_are_all_numbers_in_order_in_lowest_terms() {
        for n in [0, MANY - 1, MANY, 1000] {
            let z = Number::over((0..n).map(Into::into).collect(), 720.into()).unwrap();
            let text = |part: &[Number]| part.iter().map(Number::to_string).collect::<Vec<_>>();
            let parts = read_in_parts(&z, NonZeroUsize::new(3), text);
            assert_eq!(parts.len() == 1, n < MANY);
            assert_eq!(parts.concat(), text(&z));
        }
    }

    #[test]
    fn no_more_help_than_asked_for() {
        assert_eq!(spare(0).threads(), 1);
        for most in 1..4 {
            assert!((1..=1 + most).contains(&spare(most).threads()));
        }
        assert!(spare(usize::MAX).threads() <= cores());
    }
}
