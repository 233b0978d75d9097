//! How far a step has come, and how long the next try is.

use crate::contact::Contact;
use crate::tolerances::STUBBORN;

/// A summary of the known collisions.
#[derive(Default)]
pub(super) struct Summary {
    pub needs_handling: usize,
    pub joints: usize,
    /// The earliest estimated time of a collision, s; none if any collision that is to come has no estimate.
    pub estimate: Option<f64>,
}

impl Summary {
    pub fn of(contacts: &[Contact]) -> Self {
        let imminent = contacts.iter().filter(|contact| contact.is_imminent());
        let estimates: Option<Vec<f64>> = imminent.map(|contact| contact.estimate).collect();
        Self {
            needs_handling: contacts
                .iter()
                .filter(|contact| contact.must_handle)
                .count(),
            joints: contacts.iter().filter(|contact| contact.joint).count(),
            estimate: estimates.and_then(|all| all.into_iter().min_by(f64::total_cmp)),
        }
    }
}

/// How far the present part of a step has come.
pub(super) struct Progress {
    pub total: f64,
    pub done: f64,
    /// The length of the next try, s.
    pub next: f64,
    pub estimate: Option<f64>,
    pub bisecting: bool,
    /// Tries of one length in a row while bisecting.
    pub tries_of_length: u32,
    pub stuck: u32,
    pub contacts: Vec<Contact>,
    pub summary: Summary,
    pub handled: bool,
}

impl Progress {
    /// The progress of a part of `duration` seconds, before the first try.
    pub fn new(duration: f64) -> Self {
        Self {
            total: duration,
            done: 0.0,
            next: duration,
            estimate: None,
            bisecting: false,
            tries_of_length: 0,
            stuck: 0,
            contacts: Vec::new(),
            summary: Summary::default(),
            handled: false,
        }
    }

    /// How much there is to go, s.
    pub fn left(&self) -> f64 {
        self.total - self.done
    }

    /// Whether the collision has come back so often that handling it does not end the search for its time.
    pub fn comes_back(&self) -> bool {
        self.stuck >= STUBBORN
    }

    /// Notes that a try has succeeded. Only a try longer than `moment` seconds means that the collision does not come back.
    pub fn arrived(&mut self, moment: f64) {
        if self.next > moment {
            self.stuck = 0;
        }
        self.done += self.next;
        if self.bisecting {
            self.tries_of_length += 1;
            if self.tries_of_length >= 2 {
                // Two tries of this length without a collision: there is none any more.
                self.bisecting = false;
                self.tries_of_length = 0;
                return;
            }
        }
        // A collision was estimated within this try and did not come: it is searched for.
        self.bisecting |= self.estimate.is_some();
    }

    /// The length of the next try: up to the estimate, half of the last one, or all that is left.
    pub fn choose_next(&mut self, time: f64, went_back: bool) {
        self.estimate = self.summary.estimate;
        let passed = self.estimate.is_some_and(|estimate| estimate < time);
        let unknown = self.summary.needs_handling > 0 && self.estimate.is_none();
        // An estimate in the past, or none at all, gives no length for the next try.
        self.bisecting |= passed || unknown;
        let left = self.left();
        if self.bisecting {
            self.estimate = None;
            if went_back {
                // Both halves shrink until the gap at the end is near half the tolerance: linear,
                // but sure.
                self.next /= 2.0;
                self.tries_of_length = 0;
            }
            self.next = self.next.min(left);
        } else {
            self.next = self
                .estimate
                .map_or(left, |estimate| (estimate - time).min(left));
        }
    }
}
