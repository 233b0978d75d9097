//! One step of time: ahead, back to just before a collision, its impulses, and on.
//!
//! Bodies are moved by the whole rest of the step. If that makes any overlap, the world goes back
//! to where it was, and the time of the collision is estimated from both states, under constant
//! acceleration, as the one when the gap is half the distance tolerance; where estimates fail,
//! it is searched for by bisection. When a collision is near that gap, impulses handle it,
//! together with everything that touches. Without contact forces the step begins with the impulses that hold what rests.

use crate::contact::Contact;
use crate::error::StepError;
use crate::observe::Observer;
use crate::world::World;

use super::motion::{Halt, State};

/// So often a collision may come back without time going on.
const TRIES: u32 = 30;
/// From this on it is searched for by bisection.
const PATIENCE: u32 = 3;
/// From this on impulses do not end the search.
const STUBBORN: u32 = 8;
/// A step with more tries than this does not end: events follow each other faster than time goes on.
const MOST_TRIES: u32 = 10_000;
/// Steps shorter than this do not count as progress, s.
const SHORT: f64 = 1e-7;
/// What is left of a step at its end by rounding, s.
const NOTHING: f64 = 1e-16;

/// What the collisions at hand say together.
#[derive(Default)]
struct Summary {
    needs_handling: usize,
    joints: usize,
    /// The earliest estimate; none if any of the imminent has none.
    estimate: Option<f64>,
}

impl Summary {
    fn of(contacts: &[Contact]) -> Self {
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

/// The state of one call of `advance`.
struct Progress {
    total: f64,
    done: f64,
    /// The length of the next try.
    next: f64,
    estimate: Option<f64>,
    bisecting: bool,
    /// Tries of one length in a row while bisecting.
    tries_of_length: u32,
    stuck: u32,
    contacts: Vec<Contact>,
    summary: Summary,
    handled: bool,
}

impl World {
    /// Goes ahead by `duration` seconds.
    pub(crate) fn advance(
        &mut self,
        duration: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        let (mut left, mut tries) = (duration, 0);
        while left > NOTHING {
            left -= self.advance_part(left, &mut tries, observer)?;
        }
        Ok(())
    }

    /// Goes ahead by `duration` seconds, or the part of it that impulses can hold for; how far.
    fn advance_part(
        &mut self,
        duration: f64,
        tries: &mut u32,
        observer: &mut dyn Observer,
    ) -> Result<f64, StepError> {
        let mut progress = Progress {
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
        };
        if !self.scene.settings.contact_forces {
            self.hold_on(&mut progress, observer)?;
            progress.next = progress.total;
        }
        while progress.left() > NOTHING {
            *tries += 1;
            if *tries > MOST_TRIES {
                return Err(StepError::Stuck {
                    time: self.time,
                    tries: MOST_TRIES,
                });
            }
            self.go_on(&mut progress, observer)?;
        }
        let straighten = self.scene.settings.joint_impulses && !progress.handled;
        if straighten && progress.summary.joints > 0 {
            progress.contacts.retain(Contact::touches);
            if !progress.contacts.is_empty() {
                self.handle(&progress.contacts, observer)?;
            }
        }
        Ok(progress.total)
    }

    /// Holds what touches by impulses until the end, which comes as soon as they last.
    fn hold_on(
        &mut self,
        progress: &mut Progress,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        let part = self.part(progress.left());
        progress.total = progress.done + part;
        self.hold(part, observer)
    }

    /// One try, with what follows from it.
    fn go_on(
        &mut self,
        progress: &mut Progress,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        let (start, start_time, work) = (self.state(), self.time, self.work);
        self.attempt(progress, observer)?;
        let mut went_back = false;
        if progress.summary.needs_handling > 0 {
            self.go_back(progress, &start, start_time);
            self.work = work;
            went_back = true;
            progress.stuck += 1;
            if progress.stuck >= PATIENCE {
                progress.bisecting = true;
            }
            if progress.stuck >= TRIES {
                return Err(StepError::Stuck {
                    time: self.time,
                    tries: TRIES,
                });
            }
        }
        let is_close =
            |contact: &&Contact| contact.is_imminent() && contact.close_enough(went_back);
        let close = progress.contacts.iter().filter(is_close).count();
        if close > 0 {
            self.collide(progress, close, observer)?;
        }
        if !went_back {
            progress.arrived();
        }
        // Where forces do not keep gaps open, or collisions come back, what touches is held for the rest of the step.
        let held = close > 0 && !self.scene.settings.contact_forces;
        let comes_back = went_back && progress.stuck >= STUBBORN;
        if (held || comes_back) && progress.left() > NOTHING {
            self.hold_on(progress, observer)?;
        }
        progress.choose_next(self.time, went_back);
        Ok(())
    }

    /// Moves ahead, and looks for collisions: in states that the integrator tried, or at the end.
    fn attempt(
        &mut self,
        progress: &mut Progress,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        for body in &mut self.bodies {
            body.old = Some(body.pose);
        }
        self.totals.steps += 1;
        progress.contacts.clear();
        match self.integrate(progress.next, observer) {
            Ok(()) => {
                let mut contacts = std::mem::take(&mut progress.contacts);
                self.find(&mut contacts, self.time);
                progress.contacts = contacts;
            }
            Err(Halt::Collisions(contacts)) => progress.contacts = contacts,
            Err(Halt::Error(error)) => return Err(error),
        }
        // The order of handling depends on this order. Estimates that differ by rounding only are
        // the same.
        let key = |contact: &Contact| {
            contact
                .estimate
                .map_or(f64::INFINITY, |t| (1e7 * t + 0.5).floor())
        };
        progress.contacts.sort_by(|a, b| key(a).total_cmp(&key(b)));
        for contact in &mut progress.contacts {
            contact.must_handle = contact.collides();
        }
        progress.summary = Summary::of(&progress.contacts);
        Ok(())
    }

    /// Back to the start of the try. What collided stays known, with its place and velocity then.
    fn go_back(&mut self, progress: &mut Progress, start: &State, time: f64) {
        self.set_state(start);
        self.time = time;
        for body in &mut self.bodies {
            body.old = None;
        }
        self.totals.backups += 1;
        let mut contacts = std::mem::take(&mut progress.contacts);
        contacts.retain(Contact::collides);
        for contact in &mut contacts {
            contact.update(&self.bodies, &self.place(), time);
        }
        self.find(&mut contacts, time);
        progress.summary = Summary::of(&contacts);
        progress.contacts = contacts;
    }

    /// Handles what is close, with all that touches.
    fn collide(
        &mut self,
        progress: &mut Progress,
        close: usize,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        let contacts = std::mem::take(&mut progress.contacts);
        let (contacts, mut distant): (Vec<_>, Vec<_>) =
            contacts.into_iter().partition(Contact::touches);
        distant.reverse();
        progress.contacts = contacts;
        if self.handle(&progress.contacts, observer)? {
            let place = Place::of(self);
            place.update_all(&mut progress.contacts);
            self.totals.searches += u64::from(progress.bisecting);
            self.totals.collisions += close as u64;
            // A collision that comes back however often it is handled, as between corners that slip past each
            // other, is not where it was estimated.
            progress.bisecting &= progress.stuck >= STUBBORN;
            progress.tries_of_length = 0;
            progress.handled = true;
        } else {
            // Nothing approaches yet: nearer to the collision it will.
            progress.bisecting = true;
        }
        progress.estimate = None;
        progress.summary = Summary::of(&distant);
        Ok(())
    }
}

/// The world's bodies at a time, for updating contacts.
struct Place<'a> {
    world: &'a World,
}

impl<'a> Place<'a> {
    fn of(world: &'a World) -> Self {
        Self { world }
    }

    fn update_all(&self, contacts: &mut [Contact]) {
        let (bodies, place) = (&self.world.bodies, self.world.place());
        for contact in contacts {
            contact.update(bodies, &place, self.world.time);
        }
    }
}

impl Progress {
    /// How much there is to go, s.
    fn left(&self) -> f64 {
        self.total - self.done
    }

    /// Time has gone on.
    fn arrived(&mut self) {
        if self.next > SHORT {
            self.stuck = 0;
        }
        self.done += self.next;
        if self.bisecting {
            self.tries_of_length += 1;
            if self.tries_of_length >= 2 {
                // Twice this length without a collision: it is not there any more.
                self.bisecting = false;
                self.tries_of_length = 0;
                return;
            }
        }
        // There should have been a collision.
        self.bisecting |= self.estimate.is_some();
    }

    /// The length of the next try: up to the estimate, half of the last one, or all that is left.
    fn choose_next(&mut self, time: f64, went_back: bool) {
        self.estimate = self.summary.estimate;
        let passed = self.estimate.is_some_and(|estimate| estimate < time);
        let unknown = self.summary.needs_handling > 0 && self.estimate.is_none();
        self.bisecting |= passed || unknown;
        let left = self.left();
        if self.bisecting {
            self.estimate = None;
            if went_back {
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
