//! LCPs of a run that are kept for the page.

use std::time::Duration;

use etalon_exact::Budget;
use etalon_planar::{
    ContactForce, IndexSets, Keep, LcpEvent, LcpKind, Observer, RowBound, RowPlace, Watch,
    index_sets, problem,
};

use crate::limits::{ROWS_PIVOTED, ROWS_SHOWN};
use crate::protocol::{ShownLcp, UniqueMotion};

/// The verdict on an answer.
#[derive(Debug, Clone)]
pub struct Ruling {
    /// In the judge's word.
    pub verdict: &'static str,
    pub accepted: bool,
    pub reason: Option<String>,
    /// The exact natural-scale error, rounded up.
    pub error: Option<f64>,
}

impl Ruling {
    /// What the watch said last; `wrong` says that it did not accept.
    pub fn of(watch: &Watch, event: &LcpEvent<'_>, wrong: bool) -> Self {
        // A problem that is no record has no verdict of its own.
        let known = !wrong || is_finite(event);
        let verdict = watch.last().filter(|_| known).map(|(_, verdict)| verdict);
        let measures = verdict.and_then(|verdict| verdict.measures.as_ref());
        Self {
            verdict: verdict.map_or("failed", |verdict| verdict.kind.word()),
            accepted: !wrong,
            reason: verdict.and_then(|verdict| verdict.reason.clone()),
            error: measures.map(|measures| etalon_lcp::round_up_f64(&measures.error)),
        }
    }
}

/// Has an answer judged, as every answer of the run is.
pub fn rule(watch: &mut Watch, event: &LcpEvent<'_>) -> Ruling {
    let before = watch.verdicts().wrong;
    watch.lcp(event);
    Ruling::of(watch, event, watch.verdicts().wrong > before)
}

/// Whether the judge accepts forces for the problem of an event.
pub fn accepts(event: &LcpEvent<'_>, f: &[f64]) -> bool {
    let mut watch = Watch::new(Keep::Nothing);
    rule(&mut watch, &LcpEvent { f, ..*event }).accepted
}

fn is_finite(event: &LcpEvent<'_>) -> bool {
    event.a.iter().chain(event.b).all(|value| value.is_finite())
}

/// An LCP with the engine's answer, and that of a solver under test where there is one.
#[derive(Debug, Clone)]
pub struct Kept {
    pub kind: LcpKind,
    pub time: f64,
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    pub bounds: Vec<RowBound>,
    pub f: Vec<f64>,
    clamped: Vec<bool>,
    pivots: u64,
    ridge: f64,
    pub places: Vec<RowPlace>,
    /// The forces of a solver under test, which act.
    pub given: Option<Vec<f64>>,
}

impl Kept {
    pub fn of(event: &LcpEvent<'_>) -> Self {
        Self {
            kind: event.kind,
            time: event.time,
            a: event.a.to_vec(),
            b: event.b.to_vec(),
            bounds: event.bounds.to_vec(),
            f: event.f.to_vec(),
            clamped: event.clamped.to_vec(),
            pivots: event.pivots,
            ridge: event.ridge,
            places: event.places.to_vec(),
            given: None,
        }
    }

    /// The problem with the engine's own answer.
    pub fn event(&self) -> LcpEvent<'_> {
        LcpEvent {
            kind: self.kind,
            time: self.time,
            a: &self.a,
            b: &self.b,
            bounds: &self.bounds,
            f: &self.f,
            clamped: &self.clamped,
            pivots: self.pivots,
            ridge: self.ridge,
            places: &self.places,
        }
    }

    /// Whether both have a contact of the same two bodies: then they are problems of one group at different times.
    pub fn is_of_the_group(&self, places: &[RowPlace]) -> bool {
        let pair = |place: &RowPlace| (place.first, place.second);
        let own = |other: &RowPlace| self.places.iter().any(|place| pair(place) == pair(other));
        places.iter().any(own)
    }

    /// The row of a contact's normal force.
    pub fn normal_row(&self, contact: &ContactForce) -> Option<usize> {
        let normal = |(place, bound): (&RowPlace, &RowBound)| {
            !bound.is_friction() && at(place, contact) && place.direction == contact.normal
        };
        self.places.iter().zip(&self.bounds).position(normal)
    }

    /// The row of a contact's friction.
    pub fn friction_row(&self, contact: &ContactForce) -> Option<usize> {
        let along =
            |(place, bound): (&RowPlace, &RowBound)| bound.is_friction() && at(place, contact);
        self.places.iter().zip(&self.bounds).position(along)
    }

    fn sets(&self) -> Vec<IndexSets> {
        if self.b.len() > ROWS_PIVOTED {
            return Vec::new();
        }
        // It is for show: what takes longer is left out of the frame.
        let budget = Budget {
            pivots: 300,
            bits: 60_000,
            time: Some(Duration::from_millis(4)),
            ..Budget::default()
        };
        let problem = problem(&self.event(), "shown");
        problem.map_or(Vec::new(), |problem| index_sets(&problem, &budget))
    }

    /// As the page is shown it, with the verdict on the answer that acts.
    pub fn shown(self, ruling: &Ruling, uniqueness: Option<UniqueMotion>) -> ShownLcp {
        let sets = self.sets();
        let n = self.b.len();
        let pairs = self.places.iter().map(|place| [place.first, place.second]);
        let pairs = pairs.collect();
        let clamped = match &self.given {
            Some(given) => given.iter().map(|f| *f != 0.0).collect(),
            None => self.clamped,
        };
        let (f, right) = match self.given {
            Some(given) => (given, self.f),
            None => (self.f, Vec::new()),
        };
        ShownLcp {
            kind: self.kind.into(),
            time: self.time,
            n,
            a: if n <= ROWS_SHOWN { self.a } else { Vec::new() },
            b: self.b,
            f,
            pairs,
            joints: self.bounds.iter().map(|bound| bound.is_joint()).collect(),
            friction: self
                .bounds
                .iter()
                .map(|bound| bound.is_friction())
                .collect(),
            clamped,
            pivots: self.pivots,
            ridge: self.ridge,
            verdict: ruling.verdict.to_owned(),
            error: ruling.error,
            accepted: ruling.accepted,
            reason: ruling.reason.clone(),
            right,
            uniqueness,
            sets,
        }
    }
}

fn at(place: &RowPlace, contact: &ContactForce) -> bool {
    (place.first, place.second, place.point) == (contact.first, contact.second, contact.point)
}
