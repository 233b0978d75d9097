//! Clocks for a machine that others use too: only time on the processor counts, and contenders run
//! in turn, again and again, so that what disturbs one disturbs all, and medians are compared.

use std::time::Duration;

use cpu_time::ThreadTime;

use super::statistics::median;

/// One thing that takes time.
pub struct Contender<'a, Name> {
    name: Name,
    /// What is timed comes so many times in a run.
    count: u32,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a, Name> Contender<'a, Name> {
    /// With what it is called.
    pub fn new(name: Name, run: impl FnMut() + 'a) -> Self {
        Self::repeated(name, 1, run)
    }

    /// One whose run does so many things of its kind: the time is the mean of these.
    pub fn repeated(name: Name, count: u32, run: impl FnMut() + 'a) -> Self {
        let run = Box::new(run);
        Self { name, count, run }
    }
}

/// A batch of short runs takes at least this long.
const BATCH: Duration = Duration::from_micros(300);
const MAX_ROUNDS: usize = 41;
const MIN_ROUNDS: usize = 3;
/// From here on one measurement must do.
const LONG: Duration = Duration::from_secs(4);

/// Seconds a run of each contender, the median of as many rounds as fit the budget.
pub fn race<Name>(contenders: Vec<Contender<'_, Name>>, budget: Duration) -> Vec<(Name, f64)> {
    let mut runners: Vec<_> = contenders.into_iter().map(Runner::new).collect();
    let round: Duration = runners.iter().map(|r| r.first * r.batch).sum();
    let rounds = budget.as_nanos() / round.as_nanos().max(1);
    let rounds = (rounds as usize).clamp(MIN_ROUNDS, MAX_ROUNDS);
    for _ in 0..rounds {
        for runner in &mut runners {
            runner.round();
        }
    }
    let finish = |runner: Runner<'_, Name>| {
        let seconds = median(&runner.times).unwrap_or(runner.first.as_secs_f64());
        let count = f64::from(runner.contender.count.max(1));
        (runner.contender.name, seconds / count)
    };
    runners.into_iter().map(finish).collect()
}

struct Runner<'a, Name> {
    contender: Contender<'a, Name>,
    /// How long it took at first.
    first: Duration,
    /// Runs in a batch.
    batch: u32,
    times: Vec<f64>,
}

impl<'a, Name> Runner<'a, Name> {
    fn new(mut contender: Contender<'a, Name>) -> Self {
        // Twice, for the first time may wait for memory.
        let mut first = time(1, &mut contender.run);
        if first < LONG {
            first = first.min(time(1, &mut contender.run));
        }
        let batch = BATCH.as_nanos() / first.as_nanos().max(20);
        Self {
            contender,
            first,
            batch: (batch as u32).max(1),
            times: Vec::new(),
        }
    }

    fn round(&mut self) {
        if self.first < LONG {
            let seconds = time(self.batch, &mut self.contender.run).as_secs_f64();
            self.times.push(seconds / f64::from(self.batch));
        }
    }
}

/// The value of a function, and the processor time of this thread for it.
pub fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = ThreadTime::now();
    let result = run();
    (result, start.elapsed())
}

fn time(count: u32, run: &mut dyn FnMut()) -> Duration {
    timed(|| (0..count).for_each(|_| run())).1
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn the_longer_run_takes_longer() {
        let work = |count: u64| move || (0..count).for_each(|k| assert!(black_box(k) < count));
        let contenders = vec![
            Contender::new("long", work(400_000)),
            Contender::new("short", work(100_000)),
        ];
        let times = race(contenders, Duration::from_millis(50));
        assert_eq!((times[0].0, times[1].0), ("long", "short"));
        assert!(times[0].1 > 2.0 * times[1].1, "{times:?}");
    }

    #[test]
    fn a_run_of_many_has_the_time_of_one() {
        let work = |count: u64| move || (0..count).for_each(|k| assert!(black_box(k) < count));
        let contenders = vec![
            Contender::repeated("ten", 10, work(1_000_000)),
            Contender::new("one", work(1_000_000)),
        ];
        let times = race(contenders, Duration::from_millis(50));
        assert!(5.0 * times[0].1 < times[1].1, "{times:?}");
    }

    #[test]
    fn short_runs_are_counted_one_by_one() {
        let mut count = 0u64;
        let contenders = vec![Contender::new((), || count += 1)];
        let times = race(contenders, Duration::from_millis(5));
        assert!(times[0].1 < 1e-5);
        assert!(count > 1000);
    }
}
