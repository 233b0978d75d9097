//! The end of a budget of time, which all phases of a run look at.
//!
//! A result that was cut short by the end of the time says nothing: a solver that was not given its time does not
//! hang, and a proof that was stopped is not missing. So a run looks at the deadline *after* each question, too, and
//! drops an answer that the deadline overtook. What is kept does not depend on the clock; how much is kept does.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use etalon_exact::Stop;

/// A clock that only goes forward.
pub trait Clock: Sync {
    /// The time that it shows.
    fn now(&self) -> Instant;
}

/// The clock of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// When to stop.
pub struct Deadline<'a> {
    clock: &'a dyn Clock,
    start: Instant,
    end: Option<Instant>,
    stop: Stop,
    /// Ends the thread that waits for the end; on a clock that is not the machine's there is none.
    _alarm: Option<Sender<()>>,
    rings: bool,
}

impl Deadline<'static> {
    /// No end.
    pub fn never() -> Self {
        Self::on(&SystemClock, None)
    }

    /// The end of a budget that begins now. At the end its [`Deadline::stop`] stops exact work wherever it is.
    pub fn after(budget: Duration) -> Self {
        Self::on(&SystemClock, Some(budget)).ringing()
    }
}

impl<'a> Deadline<'a> {
    /// The end of a budget on a clock of one's own, which stops nothing by itself.
    pub fn on(clock: &'a dyn Clock, budget: Option<Duration>) -> Self {
        let start = clock.now();
        Self {
            clock,
            start,
            // A budget beyond what the clock can show has no end.
            end: budget.and_then(|budget| start.checked_add(budget)),
            stop: Stop::new(),
            _alarm: None,
            rings: false,
        }
    }

    fn ringing(mut self) -> Self {
        self.rings = true;
        if let Some(end) = self.end {
            let (alarm, cancelled) = channel::<()>();
            let stop = self.stop.clone();
            thread::spawn(move || {
                // The thread waits on a channel, so that a run that ends early ends it by dropping
                // the sender.
                let left = end.saturating_duration_since(Instant::now());
                if cancelled.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                    stop.stop();
                }
            });
            self._alarm = Some(alarm);
        }
        self
    }

    /// A deadline of its own for a part of what is left: `of` out of `whole` equal pieces.
    pub fn part(&self, of: u32, whole: u32) -> Self {
        let left = self.left().map(|left| left * of / whole.max(1));
        let part = Self::on(self.clock, left);
        if self.rings { part.ringing() } else { part }
    }

    /// The same, but not longer than this.
    pub fn at_most(&self, longest: Duration) -> Self {
        let left = self.left().map_or(longest, |left| left.min(longest));
        let part = Self::on(self.clock, Some(left));
        if self.rings { part.ringing() } else { part }
    }

    /// The time that is left; nothing where there is no end.
    pub fn left(&self) -> Option<Duration> {
        let end = self.end?;
        Some(end.saturating_duration_since(self.clock.now()))
    }

    /// The whole budget.
    pub fn budget(&self) -> Option<Duration> {
        self.end.map(|end| end - self.start)
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    /// The moment at which it is over.
    pub fn end(&self) -> Option<Instant> {
        self.end
    }

    /// Stops exact work at the end, for budgets of it.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// A second goes by whenever somebody looks.
    struct Ticking(Instant, AtomicU64);

    impl Clock for Ticking {
        fn now(&self) -> Instant {
            self.0 + Duration::from_secs(self.1.fetch_add(1, Ordering::Relaxed))
        }
    }

    #[test]
    fn a_deadline_ends_and_its_parts_end_before_it() {
        let clock = Ticking(Instant::now(), AtomicU64::new(0));
        let whole = Deadline::on(&clock, Some(Duration::from_secs(9)));
        assert_eq!(whole.budget(), Some(Duration::from_secs(9)));
        // The first look at 1 s leaves 8 s, of which the half begins at 2 s.
        let half = whole.part(1, 2);
        assert_eq!(half.budget(), Some(Duration::from_secs(4)));
        assert_eq!(half.left(), Some(Duration::from_secs(3)));
        assert!(!whole.is_over());
        assert!(!half.is_over() && half.is_over() && !whole.is_over());
        assert_eq!(
            whole.at_most(Duration::from_secs(7)).budget(),
            Some(Duration::from_secs(1))
        );
        assert!(whole.is_over());
        assert!(!Deadline::never().part(1, 2).is_over());
    }

    #[test]
    fn no_time_is_over_at_once_and_stops_exact_work() {
        let none = Deadline::after(Duration::ZERO);
        assert!(none.is_over());
        let stop = none.stop();
        while !stop.is_stopped() {
            thread::yield_now();
        }
    }
}
