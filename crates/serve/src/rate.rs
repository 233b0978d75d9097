//! How fast a page may speak.

use std::time::Instant;

use crate::limits::{MESSAGES_AT_ONCE, MESSAGES_DROPPED, MESSAGES_PER_SECOND};

/// The decision on a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// It is heard.
    Heard,
    /// It is dropped, and the page is told.
    Told,
    /// It is dropped without a word.
    Dropped,
    /// The connection ends.
    Ended,
}

/// A bucket of messages that fills with time.
#[derive(Debug)]
pub struct Rate {
    left: f64,
    at: Instant,
    dropped: u32,
}

impl Rate {
    /// A full bucket.
    pub fn new(now: Instant) -> Self {
        Self {
            left: MESSAGES_AT_ONCE,
            at: now,
            dropped: 0,
        }
    }

    /// Takes a message of so many bytes.
    pub fn take(&mut self, bytes: usize, now: Instant) -> Pace {
        let since = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = now;
        self.left = (self.left + since * MESSAGES_PER_SECOND).min(MESSAGES_AT_ONCE);
        let cost = 1.0 + bytes as f64 / 1024.0;
        if self.left >= cost {
            self.left -= cost;
            // One heard makes up for one dropped: a flood, too, has a message heard whenever the bucket has filled.
            self.dropped = self.dropped.saturating_sub(1);
            return Pace::Heard;
        }
        self.dropped += 1;
        match self.dropped {
            1 => Pace::Told,
            MESSAGES_DROPPED.. => Pace::Ended,
            _ => Pace::Dropped,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_is_heard_and_a_flood_is_not() {
        let now = Instant::now();
        let mut rate = Rate::new(now);
        let burst = MESSAGES_AT_ONCE as usize;
        assert!((0..burst).all(|_| rate.take(0, now) == Pace::Heard));
        assert_eq!(rate.take(0, now), Pace::Told);
        assert_eq!(rate.take(0, now), Pace::Dropped);
        assert!((0..MESSAGES_DROPPED).any(|_| rate.take(0, now) == Pace::Ended));
    }

    #[test]
    fn a_flood_that_lasts_ends_though_a_part_of_it_is_heard() {
        let start = Instant::now();
        let mut rate = Rate::new(start);
        let mut flood = (0..60).flat_map(|frame| {
            let now = start + Duration::from_millis(16 * frame);
            std::iter::repeat_n(now, 200)
        });
        assert!(flood.any(|now| rate.take(60, now) == Pace::Ended));
    }

    #[test]
    fn time_fills_the_bucket_and_size_empties_it() {
        let now = Instant::now();
        let mut rate = Rate::new(now);
        let large = 120 * 1024;
        assert_eq!(rate.take(large, now), Pace::Heard);
        assert_eq!(rate.take(large, now), Pace::Told);
        let later = now + Duration::from_secs(1);
        assert_eq!(rate.take(large, later), Pace::Heard);
    }
}
