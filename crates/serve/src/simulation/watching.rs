//! The results of the exact watch for a frame.

use std::time::Duration;

use etalon_exact::Budget;
use etalon_lcp::round_up_f64;
use etalon_planar::{
    IndexSets, Keep, LcpEvent, LcpKind, Observer, RowBound, RowPlace, Verdicts, Watch, index_sets,
    problem,
};

use crate::limits::{ROWS_PIVOTED, ROWS_SHOWN};
use crate::protocol::{Judged, ShownLcp};

/// Judges every LCP, and keeps the last of each kind for the page.
#[derive(Debug)]
pub struct FrameWatch {
    watch: Watch,
    forces: Option<Kept>,
    impulses: Option<Kept>,
    judged: Judged,
}

/// An LCP with its verdict.
#[derive(Debug)]
struct Kept {
    kind: LcpKind,
    time: f64,
    a: Vec<f64>,
    b: Vec<f64>,
    bounds: Vec<RowBound>,
    f: Vec<f64>,
    clamped: Vec<bool>,
    pivots: u64,
    ridge: f64,
    places: Vec<RowPlace>,
    verdict: &'static str,
    error: Option<f64>,
}

/// The results for a frame.
#[derive(Debug, Default)]
pub struct Watched {
    pub forces: Option<ShownLcp>,
    pub impulses: Option<ShownLcp>,
    pub judged: Judged,
    pub verdicts: Verdicts,
}

impl FrameWatch {
    pub fn new() -> Self {
        Self {
            watch: Watch::new(Keep::Nothing),
            forces: None,
            impulses: None,
            judged: Judged::default(),
        }
    }

    /// What was seen since the last call. `pivoting` says whether index sets are wanted.
    pub fn take(&mut self) -> Watched {
        Watched {
            forces: self.forces.take().map(Kept::shown),
            impulses: self.impulses.take().map(Kept::shown),
            judged: std::mem::take(&mut self.judged),
            verdicts: self.watch.verdicts(),
        }
    }
}

impl Observer for FrameWatch {
    fn lcp(&mut self, event: &LcpEvent<'_>) {
        let wrong_before = self.watch.verdicts().wrong;
        self.watch.lcp(event);
        let wrong = self.watch.verdicts().wrong - wrong_before;
        let last = self.watch.last();
        // A problem that is no record has no verdict of its own.
        let verdict = last
            .filter(|_| wrong == 0 || is_finite(event))
            .map(|(_, verdict)| verdict);
        let measures = verdict.and_then(|verdict| verdict.measures.as_ref());
        let error = measures.map(|measures| round_up_f64(&measures.error));
        self.judged.wrong += wrong;
        let worst = &mut self.judged.worst_error;
        *worst = worst.max(error.unwrap_or(0.0));
        let kept = Kept {
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
            verdict: verdict.map_or("failed", |verdict| verdict.kind.word()),
            error,
        };
        match event.kind {
            LcpKind::Forces => {
                self.judged.forces += 1;
                self.forces = Some(kept);
            }
            LcpKind::Impulses => {
                self.judged.impulses += 1;
                self.impulses = Some(kept);
            }
        }
    }
}

fn is_finite(event: &LcpEvent<'_>) -> bool {
    event.a.iter().chain(event.b).all(|value| value.is_finite())
}

impl Kept {
    fn event(&self) -> LcpEvent<'_> {
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

    fn shown(self) -> ShownLcp {
        let sets = self.sets();
        let n = self.b.len();
        ShownLcp {
            kind: self.kind.into(),
            time: self.time,
            n,
            a: if n <= ROWS_SHOWN { self.a } else { Vec::new() },
            b: self.b,
            f: self.f,
            pairs: self
                .places
                .iter()
                .map(|place| [place.first, place.second])
                .collect(),
            joints: self.bounds.iter().map(|bound| bound.is_joint()).collect(),
            friction: self
                .bounds
                .iter()
                .map(|bound| bound.is_friction())
                .collect(),
            clamped: self.clamped,
            pivots: self.pivots,
            ridge: self.ridge,
            verdict: self.verdict.to_owned(),
            error: self.error,
            sets,
        }
    }
}
