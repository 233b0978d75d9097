//! Answers held against the exact solution, and verdicts against both.

use std::collections::BTreeMap;

use etalon_benches::splitmix::Splitmix;
use etalon_certify::{Measure, Truth};
use etalon_exact::{Budget, nearby_solutions};
use etalon_lcp::record::{write_claim, write_problem, write_verdict};
use etalon_lcp::{Claim, ClaimedAnswer, Number, Reached, Verdict, VerdictKind};
use rug::Rational;

use crate::case::Case;
use crate::court::{TOLERANCES, claim, informed, passes, tolerance, uninformed};
use crate::displaced::Displacement;
use crate::problems::{FAMILIES, SIZES};
use crate::scaling::Scaling;
use crate::solvers::{Answerer, Peers, Unscaled};

/// An answer is right where its distance is at most the tolerance over this.
pub const RIGHT: u32 = 10;

/// An answer is far where its distance is at least the tolerance times this, the solution is proved
/// to be the only one, and the condition of its system is below [`CONDITION`].
pub const FAR: u32 = 1000;

/// Beyond this condition, a far answer may solve a problem nearby.
pub const CONDITION: f64 = 1e6;

/// Below this, it may not: an error of one tolerance leads that far at most.
pub const WELL: f64 = 1e3;

/// Below this, the inverse in binary64 tells how far changes of the data reach.
const SOLVED: f64 = 1e12;

/// What an answer is counted under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Of [`FAMILIES`].
    pub family: usize,
    /// The units.
    pub scaling: Scaling,
    /// Of the answerers, then of the displacements.
    pub source: usize,
    /// Of [`TOLERANCES`].
    pub tolerance: usize,
}

/// Verdicts on answers that are known to be right or far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Answers judged.
    pub answers: u64,
    /// Those that are right.
    pub right: u64,
    /// Of these, over the tolerance by their error, and accepted by their distance.
    pub by_distance: u64,
    /// Of these, rejected.
    pub rejected: u64,
    /// Of the right ones, rejected by the componentwise measure.
    pub rejected_componentwise: u64,
    /// Those that are far.
    pub far: u64,
    /// Of these, accepted.
    pub accepted: u64,
    /// Of these, with a condition below [`WELL`].
    pub accepted_well: u64,
    /// Of the accepted ones, those called ill-conditioned where the truth is asked for.
    pub flagged: u64,
    /// Of the far ones, accepted by the componentwise measure.
    pub accepted_componentwise: u64,
    /// Answers moved beyond reach from the only solution, and those of them that are accepted, by
    /// either measure.
    pub beyond: [u64; 3],
}

impl Count {
    /// Both.
    pub fn and(self, other: Self) -> Self {
        Self {
            answers: self.answers + other.answers,
            right: self.right + other.right,
            by_distance: self.by_distance + other.by_distance,
            rejected: self.rejected + other.rejected,
            rejected_componentwise: self.rejected_componentwise + other.rejected_componentwise,
            far: self.far + other.far,
            accepted: self.accepted + other.accepted,
            accepted_well: self.accepted_well + other.accepted_well,
            flagged: self.flagged + other.flagged,
            accepted_componentwise: self.accepted_componentwise + other.accepted_componentwise,
            beyond: std::array::from_fn(|k| self.beyond[k] + other.beyond[k]),
        }
    }
}

/// All counts.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Problems, counted in each of their units.
    pub problems: u64,
    /// Answers.
    pub counts: BTreeMap<Key, Count>,
    /// False verdicts, one for each key.
    pub findings: BTreeMap<Key, String>,
}

impl Tally {
    /// Both.
    pub fn and(mut self, other: Self) -> Self {
        self.problems += other.problems;
        for (key, count) in other.counts {
            let own = self.counts.entry(key).or_default();
            *own = own.and(count);
        }
        for (key, finding) in other.findings {
            self.findings.entry(key).or_insert(finding);
        }
        self
    }
}

/// A problem to be assigned.
#[derive(Debug, Clone, Copy)]
pub struct Job {
    /// Of [`FAMILIES`].
    pub family: usize,
    /// The size asked for.
    pub n: usize,
    /// The k-th of its family and size.
    pub k: u64,
}

/// So many jobs, sizes and families in turn.
pub fn plan(count: u64, filter: &str) -> Vec<Job> {
    let chosen: Vec<usize> = (0..FAMILIES.len())
        .filter(|&family| FAMILIES[family].name.contains(filter))
        .collect();
    let each = chosen.len().max(1) as u64;
    let job = |index: u64| {
        let round = index / each;
        Job {
            family: chosen[(index % each) as usize],
            n: SIZES[(round % SIZES.len() as u64) as usize],
            k: round,
        }
    };
    if chosen.is_empty() {
        Vec::new()
    } else {
        (0..count).map(job).collect()
    }
}

/// Answers to one problem in all units, judged.
pub fn examine(job: Job, seed: u64, peers: Option<&Peers>) -> Tally {
    let mut tally = Tally::default();
    let Some(problem) = FAMILIES[job.family].problem(job.n, seed, job.k) else {
        return tally;
    };
    let Some(base) = Case::new(problem) else {
        return tally;
    };
    let unscaled = Unscaled::new(peers, &base.problem);
    let mut draw = Splitmix(seed ^ (job.k << 32) ^ (job.family as u64) << 16 ^ job.n as u64);
    for scaling in Scaling::ALL {
        let Some(case) = base.scaled(scaling, &mut draw) else {
            continue;
        };
        tally.problems += 1;
        let key = |source, tolerance| Key {
            family: job.family,
            scaling,
            source,
            tolerance,
        };
        for (source, answerer) in Answerer::ALL.into_iter().enumerate() {
            if let Some(z) = answerer.answer(&case, peers, &unscaled) {
                let truth = with_nearest(&case, &z);
                for k in 0..TOLERANCES.len() {
                    tally.judge(&case, &truth, &z, key(source, k));
                }
            }
        }
        for (source, displacement) in Displacement::ALL.into_iter().enumerate() {
            for (k, tolerance) in TOLERANCES.into_iter().enumerate() {
                if let Some(z) = displacement.answer(&case, tolerance, &mut draw) {
                    let source = Answerer::ALL.len() + source;
                    tally.judge(&case, &case.truth, &z, key(source, k));
                }
            }
        }
    }
    tally
}

/// The truth, and where there are more solutions than one, the one next to the answer.
fn with_nearest(case: &Case, z: &[f64]) -> Truth {
    let mut truth = case.truth.clone();
    if !case.is_unique {
        let z: Option<Vec<Rational>> = z.iter().map(|z| Rational::from_f64(*z)).collect();
        let budget = Budget {
            pivots: 300,
            ..Budget::default()
        };
        let near = z.map(|z| nearby_solutions(&case.problem, &z, &budget));
        for near in near.into_iter().flatten() {
            // What does not hold is not added.
            let _ = truth.add_solution(
                &case.problem,
                near.iter().map(Number::to_rational).collect(),
            );
        }
    }
    truth
}

impl Tally {
    fn judge(&mut self, case: &Case, truth: &Truth, z: &[f64], key: Key) {
        let problem = &case.problem;
        let Some(claim) = claim(problem, z) else {
            return;
        };
        let natural = tolerance(TOLERANCES[key.tolerance], Measure::Natural);
        let componentwise = tolerance(TOLERANCES[key.tolerance], Measure::Componentwise);
        let verdict = informed(problem, truth, &claim, &natural);
        let Some(distance) = &verdict.distance else {
            return;
        };
        let right = Rational::from(distance * RIGHT) <= natural.tol;
        let far = Rational::from(distance / FAR) >= natural.tol
            && case.is_unique
            && case.condition < CONDITION;
        let count = self.counts.entry(key).or_default();
        count.answers += 1;
        if is_beyond_reach(key.source) {
            // Natural sizes say nothing here: what is right or far is another question.
            if case.is_unique && case.condition < SOLVED {
                let other = passes(&informed(problem, truth, &claim, &componentwise));
                count.beyond[0] += 1;
                count.beyond[1] += u64::from(passes(&verdict));
                count.beyond[2] += u64::from(other);
                if passes(&verdict) {
                    self.find("beyond reach and accepted", case, &claim, &verdict, key);
                }
            }
            return;
        }
        count.right += u64::from(right);
        count.far += u64::from(far);
        if !right && !far {
            return;
        }
        let other = passes(&informed(problem, truth, &claim, &componentwise));
        if far {
            count.accepted_componentwise += u64::from(other);
            if passes(&verdict) {
                count.accepted += 1;
                count.accepted_well += u64::from(case.condition < WELL);
                count.flagged += u64::from(verdict.ill_conditioned.is_some());
                self.find("far and accepted", case, &claim, &verdict, key);
            }
            return;
        }
        count.rejected_componentwise += u64::from(!other);
        if verdict.reached == Some(Reached::Distance) {
            // Right only because a solution is known: does the user get to know it?
            let theirs = uninformed(problem, &claim, &natural);
            if passes(&theirs) {
                count.by_distance += 1;
            } else {
                count.rejected += 1;
                self.find("right and rejected", case, &claim, &theirs, key);
            }
        } else if verdict.kind == VerdictKind::Rejected {
            count.rejected += 1;
            self.find("right and rejected", case, &claim, &verdict, key);
        }
    }

    fn find(&mut self, what: &str, case: &Case, claim: &Claim, verdict: &Verdict, key: Key) {
        let line = || finding(what, case, claim, verdict, key);
        self.findings.entry(key).or_insert_with(line);
    }
}

/// A false verdict as a line of JSON.
fn finding(what: &str, case: &Case, claim: &Claim, verdict: &Verdict, key: Key) -> String {
    let z = case.z.iter().cloned().map(Number::from).collect();
    let exact = Claim::new(case.problem.name(), ClaimedAnswer::Solved { z });
    format!(
        "{{\"what\":\"{what}\",\"units\":\"{}\",\"answer\":\"{}\",\"tol\":1e-{},\"condition\":\"{:.1e}\",\
         \"problem\":{},\"claim\":{},\"verdict\":{},\"exact\":{}}}",
        key.scaling.name(),
        source_name(key.source),
        TOLERANCES[key.tolerance],
        case.condition,
        write_problem(&case.problem),
        write_claim(claim),
        write_verdict(verdict),
        write_claim(&exact),
    )
}

fn is_beyond_reach(source: usize) -> bool {
    let displacement = source.checked_sub(Answerer::ALL.len());
    displacement.is_some_and(|k| Displacement::ALL[k] == Displacement::BeyondReach)
}

/// Who or what an answer is from.
pub fn source_name(source: usize) -> &'static str {
    match source.checked_sub(Answerer::ALL.len()) {
        None => Answerer::ALL[source].name(),
        Some(displacement) => Displacement::ALL[displacement].name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lu_on_the_right_rows_is_right_and_displaced_answers_are_far() {
        let family = FAMILIES
            .iter()
            .position(|family| family.name == "pd-int")
            .unwrap();
        let tally = examine(Job { family, n: 5, k: 1 }, 1, None);
        assert_eq!(tally.problems, 4);
        let of = |source: usize, tolerance: usize| {
            let own = tally.counts.iter();
            let own = own.filter(|(key, _)| (key.source, key.tolerance) == (source, tolerance));
            own.fold(Count::default(), |sum, (_, count)| sum.and(*count))
        };
        assert_eq!((of(0, 1).right, of(0, 1).far), (4, 0));
        let one = Answerer::ALL.len();
        assert_eq!((of(one, 1).right, of(one, 1).far), (0, 4));
        assert!(tally.findings.is_empty());
    }
}
