//! Work on many items at once.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

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
    /// What `work` makes of items as they come, in their order, as soon as it is found, whether or not the next item is there.
    ///
    /// `take` gives the next items: at most as many as it is asked for, none at the end. It waits for the first of them only. The
    /// threads ask it in turn. They ask for more items where one takes microseconds, as handing it over takes as long.
    /// Where the system gives no threads, this one does all of it.
    ///
    /// A single item is this thread's, and the others come into being for more of them: one record is all that most files have, and
    /// threads reserve address space that there may be a limit of.
    ///
    /// Nobody asks for more items while one of [`LARGE_BYTES`], as `bytes` says, is worked on: memory for several of them may not be there.
    /// Of small ones, many results wait for one that takes long: a thread that waited with them would leave its core idle.
    ///
    /// When the results are dropped, nobody waits for items that are still to come.
    pub fn stream<T: Send + 'static, R: Send + 'static>(
        &self,
        mut take: impl FnMut(usize) -> Vec<T> + Send + 'static,
        bytes: impl Fn(&T) -> usize + Send + Sync + 'static,
        work: impl Fn(T) -> R + Send + Sync + 'static,
    ) -> Results<R> {
        let mut begun = take(2);
        let mut found = Found::default();
        if begun.len() < 2 {
            for item in begun.drain(..) {
                found.add(0, bytes(&item), Ok(work(item)));
            }
        }
        let next = found.count;
        let stream = Arc::new(Stream {
            source: Mutex::new(Source { take, begun, next }),
            bytes,
            work,
            most: AtomicUsize::new(1),
            threads: self.threads(),
            shared: Arc::new(Shared {
                found: Mutex::new(found),
                changed: Condvar::new(),
            }),
        });
        let shared = Arc::clone(&stream.shared);
        let workers = (0..self.threads()).filter_map(|_| {
            let (own, stream) = (Worker::new(&shared), Arc::clone(&stream));
            Builder::new().spawn(move || stream.serve(&own)).ok()
        });
        let here: Option<Box<dyn FnMut() -> bool>> = match workers.count() {
            0 => Some(Box::new(move || stream.work_on_next())),
            _ => None,
        };
        Results {
            shared,
            ready: VecDeque::new(),
            here,
        }
    }
}

/// The largest number of items that a thread takes at once.
const MOST: usize = 256;

/// A thread whose items took less takes twice as many. Chosen: handing over takes some microseconds.
const SOON: Duration = Duration::from_millis(1);

/// A thread whose items took more takes half as many, so that all cores have work until the end.
const LATE: Duration = Duration::from_millis(4);

/// How often results are looked for. Threads announce them once all items are done that they took at once, and one of these may take long.
const LOOK: Duration = Duration::from_millis(10);

/// A thread takes no more records once it has so many bytes of them. Chosen: reading them takes some milliseconds.
pub const FEW_BYTES: usize = 1 << 18;

/// A record of so many bytes is large. Chosen: what is made of it takes some hundred megabytes.
const LARGE_BYTES: usize = 1 << 26;

/// So many results of small items may wait, for each thread. Chosen: while one item takes as long as so many others, all threads have work.
const WAITING: usize = 256;

/// Results wait no longer in such numbers once their items have so many bytes together. Chosen: what is made of them is not larger than what
/// a large record takes.
const WAITING_BYTES: usize = 1 << 22;

/// Work on items that come one after the other.
struct Stream<T, R, S, B, W> {
    source: Mutex<Source<T, S>>,
    bytes: B,
    work: W,
    /// How many items to take at once.
    most: AtomicUsize,
    threads: usize,
    shared: Arc<Shared<R>>,
}

struct Source<T, S> {
    take: S,
    /// Items that were taken before the threads came into being.
    begun: Vec<T>,
    /// The number of the next item.
    next: usize,
}

impl<T, R, S, B, W> Stream<T, R, S, B, W>
where
    S: FnMut(usize) -> Vec<T>,
    B: Fn(&T) -> usize,
    W: Fn(T) -> R,
{
    /// Works on items until there are none, or nobody wants to know.
    fn serve(&self, own: &Worker<R>) {
        loop {
            // Few results wait to be asked for, or many small ones.
            let few = 2 * self.threads * self.most.load(Ordering::Relaxed);
            if !own.0.has_room(few, self.threads * WAITING) || !self.work_on_next() {
                return;
            }
        }
    }

    /// Works on the next items; false when there are none.
    fn work_on_next(&self) -> bool {
        let mut source = locked(&self.source);
        let items = source.next_items(self.most.load(Ordering::Relaxed));
        let (first, count) = (source.next - items.len(), items.len());
        if count == 0 {
            return false;
        }
        let is_large = |item: &T| (self.bytes)(item) >= LARGE_BYTES;
        let source = items.iter().any(is_large).then_some(source);
        let begin = Instant::now();
        for (k, item) in (first..).zip(items) {
            let bytes = (self.bytes)(&item);
            // A panic goes on where the result is asked for.
            let result = catch_unwind(AssertUnwindSafe(|| (self.work)(item)));
            locked(&self.shared.found).add(k, bytes, result);
        }
        drop(source);
        self.shared.changed.notify_all();
        let time = begin.elapsed();
        if time < SOON {
            self.most.store(MOST.min(2 * count), Ordering::Relaxed);
        } else if time > LATE {
            self.most.store(1.max(count / 2), Ordering::Relaxed);
        }
        true
    }
}

impl<T, S: FnMut(usize) -> Vec<T>> Source<T, S> {
    fn next_items(&mut self, most: usize) -> Vec<T> {
        let mut items = std::mem::take(&mut self.begun);
        if items.is_empty() {
            items = (self.take)(most);
        } else {
            // Nothing is known of their time.
            self.begun = items.split_off(1);
        }
        self.next += items.len();
        items
    }
}

/// What the threads and who asks for their results know of each other.
struct Shared<R> {
    found: Mutex<Found<R>>,
    changed: Condvar,
}

/// Results that have not been asked for yet.
struct Found<R> {
    /// From the next one that is asked for on, those that are there with the bytes of their items.
    early: VecDeque<Option<(usize, thread::Result<R>)>>,
    /// How many are there.
    count: usize,
    /// The sum of their bytes.
    bytes: usize,
    /// The number of the next one that is asked for.
    next: usize,
    /// The number of threads that work.
    workers: usize,
    /// Whether nobody asks any more.
    is_dropped: bool,
}

impl<R> Default for Found<R> {
    fn default() -> Self {
        Self {
            early: VecDeque::new(),
            count: 0,
            bytes: 0,
            next: 0,
            workers: 0,
            is_dropped: false,
        }
    }
}

impl<R> Found<R> {
    fn add(&mut self, k: usize, bytes: usize, result: thread::Result<R>) {
        let place = k - self.next;
        if place >= self.early.len() {
            self.early.resize_with(place + 1, || None);
        }
        self.early[place] = Some((bytes, result));
        self.count += 1;
        self.bytes += bytes;
    }

    /// Takes those that are next.
    fn take(&mut self) -> VecDeque<thread::Result<R>> {
        let mut taken = VecDeque::new();
        while let Some((bytes, result)) = self.early.front_mut().and_then(Option::take) {
            self.early.pop_front();
            taken.push_back(result);
            self.next += 1;
            self.count -= 1;
            self.bytes -= bytes;
        }
        taken
    }
}

impl<R> Shared<R> {
    /// Waits until fewer results than `few` wait, or fewer than `many` of items that are small together; false when nobody asks for them any more.
    fn has_room(&self, few: usize, many: usize) -> bool {
        let is_full = |found: &mut Found<R>| {
            let places = if found.bytes < WAITING_BYTES {
                many.max(few)
            } else {
                few
            };
            !found.is_dropped && found.count >= places
        };
        let found = self.changed.wait_while(locked(&self.found), is_full);
        !found.unwrap_or_else(PoisonError::into_inner).is_dropped
    }
}

/// A thread that works, until it ends.
struct Worker<R>(Arc<Shared<R>>);

impl<R> Worker<R> {
    fn new(shared: &Arc<Shared<R>>) -> Self {
        locked(&shared.found).workers += 1;
        Self(Arc::clone(shared))
    }
}

impl<R> Drop for Worker<R> {
    fn drop(&mut self) {
        locked(&self.0.found).workers -= 1;
        self.0.changed.notify_all();
    }
}

/// Results in the order of the items.
pub struct Results<R> {
    shared: Arc<Shared<R>>,
    /// Those that were found together with the last.
    ready: VecDeque<thread::Result<R>>,
    /// Works on the next items, where there is no other thread.
    here: Option<Box<dyn FnMut() -> bool>>,
}

impl<R> Results<R> {
    /// Whether the next result is there already.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }
}

impl<R> Iterator for Results<R> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        loop {
            if let Some(result) = self.ready.pop_front() {
                return Some(result.unwrap_or_else(|panic| resume_unwind(panic)));
            }
            let mut found = locked(&self.shared.found);
            self.ready = found.take();
            if self.is_ready() {
                self.shared.changed.notify_all();
            } else if found.workers > 0 {
                drop(self.shared.changed.wait_timeout(found, LOOK));
            } else {
                drop(found);
                let work = self.here.as_mut()?;
                if !work() {
                    return None;
                }
            }
        }
    }
}

impl<R> Drop for Results<R> {
    fn drop(&mut self) {
        locked(&self.shared.found).is_dropped = true;
        self.shared.changed.notify_all();
    }
}

/// Nothing is left half done where a lock is held, so a panic elsewhere is no obstacle.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::sync::mpsc::channel;

    fn jobs(count: usize) -> JobArgs {
        let jobs = NonZeroUsize::new(count);
        JobArgs { jobs }
    }

    /// Takes items one after the other, where they are there.
    fn of<T>(mut items: impl Iterator<Item = T>) -> impl FnMut(usize) -> Vec<T> {
        move |most| items.by_ref().take(most).collect()
    }

    #[test]
    fn results_come_in_order_from_any_number_of_threads() {
        for threads in 1..5 {
            for count in [0, 1, 2, 3, 500] {
                // Later items are done first.
                let work = |k: u64| {
                    let spins = if k.is_multiple_of(7) { 20_000 } else { 1 };
                    (0..spins).fold(k, |sum, _| std::hint::black_box(sum))
                };
                let results = jobs(threads).stream(of(0..count), |_| 0, work);
                assert_eq!(results.collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_result_does_not_wait_for_the_next_item() {
        let (ask, questions) = channel();
        ask.send(0).unwrap();
        let one = move |_| questions.recv().into_iter().collect();
        let mut results = jobs(2).stream(one, |_| 0, |k: u64| k + 1);
        for k in 0..20 {
            assert_eq!(results.next(), Some(k + 1));
            ask.send(k + 1).unwrap();
        }
        // Dropping them does not wait for the items, which this thread could still send.
        drop(results);
    }

    #[test]
    fn a_result_does_not_wait_for_items_that_were_taken_with_it() {
        let (end, ended) = channel::<()>();
        let ended = Mutex::new(ended);
        // Items of a microsecond, so that many are taken at once: twice as many each time. One in their midst waits for the others.
        let slow = 3 * MOST + 77;
        let work = move |k: usize| {
            if k == slow {
                assert!(locked(&ended).recv().is_err());
            }
            k
        };
        let mut results = jobs(1).stream(of(0..4 * MOST), |_| 0, work);
        for k in 0..slow {
            assert_eq!(results.next(), Some(k));
        }
        drop(end);
        assert_eq!(results.count(), 4 * MOST - slow);
    }

    #[test]
    fn small_items_go_on_beside_one_that_takes_long() {
        let (counted, all) = (AtomicUsize::new(0), 20);
        // The first takes until all others are done, each of which is taken alone.
        let work = move |k: usize| {
            let begin = Instant::now();
            while k == 0
                && counted.load(Ordering::SeqCst) < all
                && begin.elapsed() < Duration::from_secs(20)
            {
                thread::sleep(SOON);
            }
            if k > 0 {
                thread::sleep(SOON);
                counted.fetch_add(1, Ordering::SeqCst);
            }
            counted.load(Ordering::SeqCst)
        };
        let mut results = jobs(2).stream(of(0..=all), |_| 1, work);
        assert_eq!(results.next(), Some(all));
        assert_eq!(results.count(), all);
    }

    #[test]
    fn few_items_are_under_way() {
        let (taken, threads) = (Arc::new(AtomicUsize::new(0)), 2);
        let counted = Arc::clone(&taken);
        let items = (0..40).inspect(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        // Of items that take so long, a thread takes one at a time.
        let work = |k: usize| {
            thread::sleep(SOON);
            k
        };
        // They are large enough for their results to be kept to a few.
        let mut results = jobs(threads).stream(of(items), |_| WAITING_BYTES, work);
        for k in 0..40 {
            assert_eq!(results.next(), Some(k));
            if k < 2 {
                // Without a limit, threads would take some twenty.
                thread::sleep(10 * SOON);
            }
            // What was found together with the last one is asked for already.
            let asked = k + 1 + results.ready.len();
            let taken = taken.load(Ordering::SeqCst);
            assert!(taken <= asked + 3 * threads, "{taken} after {asked}");
        }
        assert_eq!(results.next(), None);
    }

    #[test]
    fn nothing_is_taken_while_a_large_item_is_worked_on() {
        let (large, read) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (under_way, counted) = (Arc::clone(&large), Arc::clone(&read));
        let items = (0..200).inspect(move |_| {
            assert_eq!(under_way.load(Ordering::SeqCst), 0);
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let is_large = |k: usize| k.is_multiple_of(3);
        let bytes = move |k: &usize| if is_large(*k) { LARGE_BYTES } else { 0 };
        let work = move |k: usize| {
            if is_large(k) {
                large.fetch_add(1, Ordering::SeqCst);
                thread::yield_now();
                large.fetch_sub(1, Ordering::SeqCst);
            }
            k
        };
        let results = jobs(4).stream(of(items), bytes, work);
        assert_eq!(results.count(), 200);
        assert_eq!(read.load(Ordering::SeqCst), 200);
    }

    #[test]
    fn a_panic_goes_on_where_its_result_is_asked_for() {
        let work = |k: u64| {
            assert_ne!(k, 3);
            k
        };
        let mut results = jobs(2).stream(of(0..50), |_| 0, work);
        assert_eq!(results.by_ref().take(3).count(), 3);
        assert!(catch_unwind(AssertUnwindSafe(|| results.next())).is_err());
        // The others are not lost.
        assert_eq!(results.count(), 46);
    }

    #[test]
    fn one_thread_does_all_where_there_is_no_other() {
        let stream = Arc::new(Stream {
            source: Mutex::new(Source {
                take: of(0..50),
                begun: Vec::new(),
                next: 0,
            }),
            bytes: |_: &u64| 0,
            work: |k: u64| k,
            most: AtomicUsize::new(1),
            threads: 1,
            shared: Arc::new(Shared {
                found: Mutex::new(Found::default()),
                changed: Condvar::new(),
            }),
        });
        let results = Results {
            shared: Arc::clone(&stream.shared),
            ready: VecDeque::new(),
            here: Some(Box::new(move || stream.work_on_next())),
        };
        assert_eq!(results.collect::<Vec<_>>(), (0..50).collect::<Vec<_>>());
    }
}
