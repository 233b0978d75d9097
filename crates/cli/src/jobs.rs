//! Work on many items at once.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::Args;

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

    /// As [`map`](Self::map), telling of each item that is done.
    pub fn apply<T: Sync, R: Send>(
        &self,
        items: &[T],
        done_one: impl Fn() + Sync,
        work: impl Fn(&T) -> R + Sync,
    ) -> Vec<R> {
        let cores = thread::available_parallelism();
        let jobs = self.jobs.or(cores.ok()).map_or(1, NonZeroUsize::get);
        let jobs = jobs.min(items.len());
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut done = Vec::new();
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(k) else {
                    return done;
                };
                done.push((k, work(item)));
                done_one();
            }
        };
        let mut results: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = (1..jobs).map(|_| scope.spawn(worker)).collect();
            // This thread works too; one whose spawning failed is not missed.
            let mut results = worker();
            for worker in workers {
                match worker.join() {
                    Ok(done) => results.extend(done),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            results
        });
        results.sort_by_key(|(k, _)| *k);
        results.into_iter().map(|(_, result)| result).collect()
    }
}
