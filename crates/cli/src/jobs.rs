//! Work on many items at once.

use std::any::Any;
use std::collections::BTreeMap;
use std::iter::Chain;
use std::num::NonZeroUsize;
use std::option;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

use clap::Args;
use etalon_certify::on_threads;
use etalon_exact::at_work;

use super::console::Console;

/// The number of items to work on at once.
#[derive(Debug, Clone, Args)]
pub struct JobArgs {
    /// Number of threads; all cores by default
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl JobArgs {
    /// Applies `work` to every item, with a progress bar on a terminal. The results are
    /// in the order of the items, whatever the number of threads.
    pub fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        console: &Console,
        work: impl Fn(&T) -> R + Sync,
    ) -> Vec<R> {
        let bar = console.bar(Some(items.len()));
        let results = self.apply(items, || bar.inc(1), work);
        bar.finish_and_clear();
        results
    }

    /// The number of threads, where it was given.
    pub fn given(&self) -> Option<NonZeroUsize> {
        self.jobs
    }

    /// How many items are worked on at once.
    pub fn threads(&self) -> usize {
        let cores = thread::available_parallelism();
        self.jobs.or(cores.ok()).map_or(1, NonZeroUsize::get)
    }

    /// As [`map`](Self::map), telling of each item that is done.
    pub fn apply<T: Sync, R: Send>(
        &self,
        items: &[T],
        done_one: impl Fn() + Sync,
        work: impl Fn(&T) -> R + Sync,
    ) -> Vec<R> {
        on_threads(items.len(), self.threads(), |k| {
            let result = at_work(|| work(&items[k]));
            done_one();
            result
        })
    }
}

impl JobArgs {
    /// What `work` makes of items as they come, in their order. Another thread reads the items, so a result is there as soon
    /// as it is found, whether or not the next item is. For each thread two items at most are under way. Where the system gives no
    /// threads, this one does all of it.
    ///
    /// The first item is this thread's, and the others come into being after it: one record is all that most files have, and threads
    /// reserve address space that there may be a limit of.
    ///
    /// A large item, as `is_large` says, is worked on alone: memory for several of them may not be there.
    ///
    /// When the results are dropped, nobody waits for items that are still to come.
    pub fn stream<T: Send + 'static, R: Send + 'static, I>(
        &self,
        mut items: I,
        is_large: impl Fn(&T) -> bool + Send + 'static,
        work: impl Fn(T) -> R + Send + Sync + 'static,
    ) -> Chain<option::IntoIter<R>, Results<R>>
    where
        I: Iterator<Item = T> + Send + 'static,
    {
        let first = items.next().map(|item| at_work(|| work(item)));
        first.into_iter().chain(self.others(items, is_large, work))
    }

    fn others<T: Send + 'static, R: Send + 'static, I>(
        &self,
        items: I,
        is_large: impl Fn(&T) -> bool + Send + 'static,
        work: impl Fn(T) -> R + Send + Sync + 'static,
    ) -> Results<R>
    where
        I: Iterator<Item = T> + Send + 'static,
    {
        let threads = self.threads();
        let room = Arc::new(Room::new(2 * threads));
        let (to_work, waiting) = channel();
        let (waiting, work) = (Arc::new(Mutex::new(waiting)), Arc::new(work));
        let (to_results, found) = channel();
        let workers = (0..threads).filter_map(|_| {
            let (waiting, work) = (Arc::clone(&waiting), Arc::clone(&work));
            let to_results = to_results.clone();
            let work = move || serve(&waiting, &*work, &to_results);
            Builder::new().spawn(work).ok()
        });
        let workers = workers.count();
        // The items are handed over once there is a thread that takes them.
        let (hand_over, taken) = channel::<I>();
        let reading = Arc::clone(&room);
        let read = move || {
            for (k, item) in taken.into_iter().flatten().enumerate() {
                let places = if is_large(&item) { reading.places } else { 1 };
                reading.take(places);
                if to_work.send((k, places, item)).is_err() {
                    return;
                }
            }
        };
        if workers == 0 || Builder::new().spawn(read).is_err() {
            return Results::Here(Box::new(items.map(move |item| work(item))));
        }
        match hand_over.send(items) {
            Ok(()) => Results::There(Found {
                found,
                early: BTreeMap::new(),
                next: 0,
                room,
            }),
            // Only a reader that has gone does not take them.
            Err(back) => Results::Here(Box::new(back.0.map(move |item| work(item)))),
        }
    }
}

/// Works on items until there are none, or nobody wants to know.
fn serve<T, R>(
    waiting: &Mutex<Receiver<(usize, usize, T)>>,
    work: &impl Fn(T) -> R,
    to_results: &Sender<(usize, Done<R>)>,
) {
    loop {
        let next = locked(waiting).recv();
        let Ok((k, places, item)) = next else {
            return;
        };
        // A panic goes on where the result is asked for.
        let result = catch_unwind(AssertUnwindSafe(|| at_work(|| work(item))));
        if to_results.send((k, Done { places, result })).is_err() {
            return;
        }
    }
}

/// What came of an item.
struct Done<R> {
    places: usize,
    result: Result<R, Box<dyn Any + Send>>,
}

/// Results in the order of the items.
pub enum Results<R> {
    /// Found by other threads.
    There(Found<R>),
    /// Found when they are asked for.
    Here(Box<dyn Iterator<Item = R>>),
}

impl<R> Iterator for Results<R> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        match self {
            Self::There(found) => found.next(),
            Self::Here(results) => results.next(),
        }
    }
}

/// What other threads have found.
pub struct Found<R> {
    found: Receiver<(usize, Done<R>)>,
    /// Those of items after the next.
    early: BTreeMap<usize, Done<R>>,
    next: usize,
    room: Arc<Room>,
}

impl<R> Found<R> {
    fn next(&mut self) -> Option<R> {
        let done = loop {
            if let Some(done) = self.early.remove(&self.next) {
                break done;
            }
            // No sender is left once all items are done.
            let (k, done) = self.found.recv().ok()?;
            self.early.insert(k, done);
        };
        self.next += 1;
        self.room.give(done.places);
        Some(done.result.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

/// Places for items that are under way.
struct Room {
    places: usize,
    taken: Mutex<usize>,
    given: Condvar,
}

impl Room {
    fn new(places: usize) -> Self {
        Self {
            places,
            taken: Mutex::new(0),
            given: Condvar::new(),
        }
    }

    /// Waits for so many places, at most all of them.
    fn take(&self, places: usize) {
        let taken = locked(&self.taken);
        let full = |taken: &mut usize| *taken + places > self.places;
        let taken = self.given.wait_while(taken, full);
        *taken.unwrap_or_else(PoisonError::into_inner) += places;
    }

    fn give(&self, places: usize) {
        *locked(&self.taken) -= places;
        self.given.notify_all();
    }
}

/// Nothing is left half done where a lock is held, so a panic elsewhere is no obstacle.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn jobs(count: usize) -> JobArgs {
        let jobs = NonZeroUsize::new(count);
        JobArgs { jobs }
    }

    #[test]
    fn results_come_in_order_from_any_number_of_threads() {
        for threads in 1..5 {
            // Later items are done first.
            let work = |k: u64| {
                let spins = if k.is_multiple_of(7) { 100_000 } else { 1 };
                (0..spins).fold(k, |sum, _| std::hint::black_box(sum))
            };
            let results = jobs(threads).stream(0..200, |_| false, work);
            assert_eq!(results.collect::<Vec<_>>(), (0..200).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_result_does_not_wait_for_the_next_item() {
        let (ask, questions) = channel();
        ask.send(0).unwrap();
        let mut results = jobs(2).stream(questions.into_iter(), |_| false, |k: u64| k + 1);
        for k in 0..20 {
            assert_eq!(results.next(), Some(k + 1));
            ask.send(k + 1).unwrap();
        }
        // Dropping them does not wait for the items, which this thread could still send.
        drop(results);
    }

    #[test]
    fn few_items_are_under_way_and_large_ones_alone() {
        for large in [false, true] {
            let (read, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let under_way = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&read);
            let items = (0..100).inspect(move |_| {
                counted.fetch_add(1, Ordering::SeqCst);
            });
            let (own, peak) = (Arc::clone(&under_way), Arc::clone(&most));
            let work = move |k: u64| {
                let count = own.fetch_add(1, Ordering::SeqCst) + 1;
                peak.fetch_max(count, Ordering::SeqCst);
                thread::yield_now();
                own.fetch_sub(1, Ordering::SeqCst);
                k
            };
            let mut results = jobs(2).stream(items, move |_| large, work);
            for k in 0..100 {
                assert_eq!(results.next(), Some(k));
                // Besides those under way, one is in the reader's hands.
                let read = read.load(Ordering::SeqCst) as u64;
                let ahead = if large { 1 } else { 4 };
                assert!(read <= k + 1 + ahead + 1, "{read} after {k}");
            }
            assert_eq!(results.next(), None);
            let most = most.load(Ordering::SeqCst);
            assert!(most <= if large { 1 } else { 2 }, "{most}");
        }
    }

    #[test]
    fn a_panic_goes_on_where_its_result_is_asked_for() {
        let work = |k: u64| {
            assert_ne!(k, 3);
            k
        };
        let mut results = jobs(2).stream(0..50, |_| false, work);
        assert_eq!(results.by_ref().take(3).count(), 3);
        assert!(catch_unwind(AssertUnwindSafe(|| results.next())).is_err());
        // The others are not lost.
        assert_eq!(results.count(), 46);
    }
}
