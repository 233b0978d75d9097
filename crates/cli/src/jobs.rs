//! Work on many items at once.

use std::num::NonZeroUsize;
use std::thread;

use clap::Args;
use etalon_certify::on_threads;

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
            let result = work(&items[k]);
            done_one();
            result
        })
    }
}
