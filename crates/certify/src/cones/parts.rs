//! Large work in parts, on all cores. How it is parted depends on its size alone, so what is found does not
//! depend on the number of threads.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

/// So many rows or contacts are one part. Work of one part is done where it is asked for.
pub(super) const PART: usize = 1 << 15;

/// The results of all parts of so many things, in their order; a part is of this size.
pub(super) fn in_parts<T: Send>(
    count: usize,
    part: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let range = |k: usize| k * part..count.min((k + 1) * part);
    on_threads(count.div_ceil(part), cores, |k| work(range(k)))
}

/// What `work` makes of 0, 1, ... below `count`, in this order, on at most so many threads, this one among
/// them. Which thread has which number changes from run to run.
///
/// Programs and tests share it with the checker, which depends on nobody's threads but its own.
///
/// # Panics
/// When `work` panics.
pub fn on_threads<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let own = numbers.take_while(|k| *k < count);
        own.map(|k| (k, work(k))).collect::<Vec<_>>()
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let spawn = |_| Builder::new().spawn_scoped(scope, worker).ok();
        let others: Vec<_> = (1..threads.min(count)).filter_map(spawn).collect();
        // This thread works too; one that the system did not give is not missed.
        let mut done = worker();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_in_order_on_any_number_of_threads() {
        for count in [0, 1, 7, 8, 9, 100] {
            for threads in [1, 2, 8] {
                let all = on_threads(count, threads, |k| k);
                assert_eq!(all, (0..count).collect::<Vec<_>>(), "{count} {threads}");
            }
            let parts = in_parts(count, 8, |range| range);
            assert_eq!(parts.len(), count.div_ceil(8));
            let all: Vec<_> = parts.into_iter().flatten().collect();
            assert_eq!(all, (0..count).collect::<Vec<_>>(), "{count}");
        }
    }
}
