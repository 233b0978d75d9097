//! Judging a claim by what is known of its problem, and by what can be found out.

use etalon_certify::{
    CertificateError, Measure, Tolerance, Truth, check_claim, check_not_refuted, distance,
    energy_error, evaluate, known, loose_rows,
};
use etalon_exact::{
    Budget, SolvedFor, decide_knowing, enclose, far_moves, nearby_solutions, solved_moves,
    solved_rows,
};
use etalon_lcp::record::{write_verdict, write_verdict_with_solution};
use etalon_lcp::{
    Claim, ClaimedAnswer, Cone, Expect, Grade, Law, Number, Problem, Reached, Status, Unique,
    Verdict, VerdictKind, short_text,
};
use rug::Rational;

/// The work of one proof that a verdict needs: about a minute of a processor of 2025, where three of these units were
/// measured to take a nanosecond (enumeration on 40 rows). It is counted and not timed, so verdicts do not depend on
/// the machine.
const PROOF_WORK: u64 = 180_000_000_000;

/// The budget of the proofs that verdicts need, wherever nothing else is said.
pub fn proof_budget() -> Budget {
    Budget {
        work: PROOF_WORK,
        ..Budget::default()
    }
}

/// The judge with its means.
#[derive(Debug, Clone)]
pub struct Judge {
    /// How far an answer may be from exact, and in which measure.
    pub tolerance: Tolerance,
    /// Whether the truth of every problem is looked for, not only where a claim hangs on it.
    pub prove: bool,
    /// Whether `perturbed` is accepted where the problem does not state it, too.
    pub accept_perturbed: bool,
    /// How much work may be spent on what is looked for.
    pub budget: Budget,
}

/// A verdict with what follows from it.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it counts as right.
    pub accepted: bool,
    /// For an answer that is not accepted: the nearest exact solution known.
    pub solution: Option<Vec<Rational>>,
    /// Why the problem's own `expect` is false, where it is. That is no fault of the claim.
    pub false_expect: Option<CertificateError>,
}

impl Judgement {
    /// The record `etalon-verdict/1` as one line, with the solution where there is one to show.
    pub fn line(&self) -> String {
        match &self.solution {
            Some(solution) => write_verdict_with_solution(&self.verdict, solution),
            None => write_verdict(&self.verdict),
        }
    }
}

/// Why the judge knows no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GaveUp {
    /// In words.
    pub reason: String,
    /// Whether it found something, and the checker did not believe it. (Otherwise, the budget ran
    /// out.)
    pub refused: bool,
}

impl Default for Judge {
    fn default() -> Self {
        Self {
            tolerance: Tolerance::default(),
            prove: false,
            accept_perturbed: false,
            budget: proof_budget(),
        }
    }
}

impl Judge {
    /// Judges a claim about a problem. Of the problem's `expect` only what its proofs show is believed.
    pub fn verdict(&self, problem: &Problem, claim: &Claim) -> Judgement {
        let Some(expect) = &problem.expect else {
            return self.verdict_knowing(problem, Truth::default(), claim);
        };
        match known(problem, expect) {
            Ok(truth) => self.verdict_knowing(problem, truth, claim),
            Err(error) => Judgement {
                false_expect: Some(error),
                ..self.verdict_knowing(problem, Truth::default(), claim)
            },
        }
    }

    /// Whether a verdict of this kind counts as right for a problem with this `expect`.
    pub fn accepts(&self, kind: VerdictKind, expect: Option<&Expect>) -> bool {
        let stated = expect.is_some_and(|expect| expect.status == Status::Perturbed);
        kind.is_accepted(self.accept_perturbed || stated)
    }

    /// Judges a claim about a problem of which `known` is proved already.
    pub fn verdict_knowing(&self, problem: &Problem, known: Truth, claim: &Claim) -> Judgement {
        let mut truth = known;
        let mut gave_up = None;
        let mut asked = false;
        let expect = problem.expect.as_ref();
        // A stated truth without its proof is a question, not an answer.
        let is_stated =
            |expect: &Expect| !matches!(expect.status, Status::Solvable | Status::Unknown);
        let is_question = expect.is_some_and(is_stated) && truth.status().solvable.is_none();
        let is_asked = is_question || (self.prove && !is_complete(&truth));
        if is_asked && is_answer(problem, claim) {
            enclose_near(problem, &mut truth, claim);
            gave_up = self.find_out(problem, &mut truth);
            asked = true;
        }
        let mut verdict = check_claim(problem, claim, &truth, &self.tolerance);
        if verdict.kind == VerdictKind::Rejected
            && self.look_for_a_near_solution(problem, &mut truth, claim)
        {
            verdict = check_claim(problem, claim, &truth, &self.tolerance);
        }
        if matches!(verdict.kind, VerdictKind::Accepted | VerdictKind::Perturbed) {
            verdict = self.held_against_solved_rows(problem, &mut truth, claim, verdict);
        }
        // A claim may come with the proof that it is wrong, and without the solution.
        let in_vain = verdict.kind == VerdictKind::Refuted && truth.solutions().is_empty();
        if in_vain || (verdict.kind == VerdictKind::Unproved && !asked) {
            gave_up = self.find_out(problem, &mut truth);
            asked = true;
            verdict = check_claim(problem, claim, &truth, &self.tolerance);
        }
        verdict.asked = asked;
        if let (true, ClaimedAnswer::Solved { z }) = (self.prove, &claim.answer) {
            let z: Vec<_> = z.iter().map(Number::to_rational).collect();
            // Where the theorem says nothing of the problem there is no such bound.
            verdict.energy_error = energy_error(problem, &z).ok();
        }
        if let Some(why) = gave_up {
            say_why_no_more(&mut verdict, why);
        }
        let wrong = matches!(verdict.kind, VerdictKind::Rejected | VerdictKind::Refuted);
        let solution = wrong
            .then(|| nearest(claim, truth.solutions().to_vec()))
            .flatten();
        Judgement {
            accepted: self.accepts(verdict.kind, expect),
            verdict,
            solution,
            false_expect: expect
                .and_then(|expect| check_not_refuted(problem, expect, &truth).err()),
        }
    }

    /// The verdict on an answer that is accepted by its error, after the rows solved for their unknowns
    /// have been heard: a rejection, where they contradict it.
    fn held_against_solved_rows(
        &self,
        problem: &Problem,
        truth: &mut Truth,
        claim: &Claim,
        verdict: Verdict,
    ) -> Verdict {
        let found = match self.hear(problem, truth, claim, &verdict) {
            Heard::Agrees => return verdict,
            Heard::Unsolved(rows) => return say_what_is_unsolved(verdict, rows),
            Heard::Contradicts(found) => found,
        };
        // As with every rejection, an exact solution next to the answer is looked for first.
        self.look_for_a_near_solution(problem, truth, claim);
        let mut verdict = check_claim(problem, claim, truth, &self.tolerance);
        verdict.reached = Some(Reached::Distance);
        let again = |verdict| self.hear(problem, truth, claim, verdict);
        if self.is_far(&verdict) {
            contradict(&mut verdict, claim, found);
            return verdict;
        }
        match again(&verdict) {
            Heard::Contradicts(_) => contradict(&mut verdict, claim, found),
            Heard::Agrees => verdict.grade = Some(Grade::Noise),
            Heard::Unsolved(rows) => {
                verdict.grade = Some(Grade::Noise);
                verdict = say_what_is_unsolved(verdict, rows);
            }
        }
        verdict
    }

    /// A rejection is an accusation, so an exact solution next to the answer is looked for before it
    /// is made. Returns whether more is known then.
    fn look_for_a_near_solution(
        &self,
        problem: &Problem,
        truth: &mut Truth,
        claim: &Claim,
    ) -> bool {
        let ClaimedAnswer::Solved { z } = &claim.answer else {
            return false;
        };
        if self.tolerance.measure != Measure::Natural
            || truth.has_all_solutions()
            || truth.is_unsolvable()
        {
            return false;
        }
        let z: Vec<Rational> = z.iter().map(Number::to_rational).collect();
        let mut found = false;
        // They are proposals: the kernel checks each, and one that does not hold is dropped.
        for near in nearby_solutions(problem, &z, &self.budget) {
            let near = near.iter().map(Number::to_rational).collect();
            found |= truth.add_solution(problem, near).is_ok();
        }
        found
    }

    /// Whether the nearest exact solution that is known is further away than the tolerance.
    fn is_far(&self, verdict: &Verdict) -> bool {
        let distance = verdict.distance.as_ref();
        distance.is_none_or(|distance| *distance > self.tolerance.tol)
    }

    /// An answer that only natural sizes acquit, its rows' or those of the distance, is held against
    /// the loose rows solved for their unknowns.
    fn hear(&self, problem: &Problem, truth: &Truth, claim: &Claim, verdict: &Verdict) -> Heard {
        let ClaimedAnswer::Solved { z } = &claim.answer else {
            return Heard::Agrees;
        };
        if !problem.is_lcp() {
            return match verdict.measures.as_ref().is_some_and(|own| own.moves_far) {
                true => self.hear_of_contacts(problem, z),
                false => Heard::Agrees,
            };
        }
        let stays = verdict.measures.as_ref().is_some_and(|measures| {
            let moves = measures.moved.entries + measures.snapped.entries;
            moves == 0 && measures.negativity.is_zero()
        });
        if verdict.grade.is_none() && stays {
            return Heard::Agrees;
        }
        let z: Vec<Rational> = z.iter().map(Number::to_rational).collect();
        let tol = &self.tolerance.tol;
        let heard = |at: &[Rational], is_plain: bool| {
            if is_plain && far_moves(problem, at, &z, tol).is_empty() {
                return Heard::Agrees;
            }
            let Ok(loose) = loose_rows(problem, at, tol) else {
                return Heard::Agrees;
            };
            let solved = solved_rows(problem, &loose, at, &z, tol, &self.budget);
            match solved.worst.filter(|worst| worst.error > *tol) {
                Some(worst) => Heard::Contradicts(worst),
                None if solved.unsolved > 0 => Heard::Unsolved(solved.unsolved),
                None => Heard::Agrees,
            }
        };
        if verdict.reached == Some(Reached::Distance) {
            let near = |y: &&Vec<Rational>| {
                distance(problem, &z, y, tol).is_ok_and(|distance| distance <= *tol)
            };
            let solutions = truth.solutions().iter().filter(near);
            // One solution that the answer is near to is enough.
            let all = solutions.map(|y| heard(y, false));
            return all.reduce(Heard::better).unwrap_or(Heard::Agrees);
        }
        let evaluation = evaluate(problem, &z, &self.tolerance).unwrap_or_default();
        let reading = evaluation.reading;
        reading.map_or(Heard::Agrees, |x| heard(&x, evaluation.is_plain))
    }

    /// The same with friction cones. The block error has no natural sizes, but moves into bounds and cones have.
    fn hear_of_contacts(&self, problem: &Problem, z: &[Number]) -> Heard {
        let z: Vec<Rational> = z.iter().map(Number::to_rational).collect();
        let tol = &self.tolerance.tol;
        let evaluation = evaluate(problem, &z, &self.tolerance).unwrap_or_default();
        let (Some(at), Some(far)) = (evaluation.reading, evaluation.far) else {
            return Heard::Agrees;
        };
        let Ok(mut loose) = loose_rows(problem, &at, tol) else {
            return Heard::Agrees;
        };
        tighten(problem.cones(), &at, &mut loose);
        let solved = solved_moves(problem, &loose, (&at, &far), &z, tol, &self.budget);
        match solved.worst.filter(|worst| worst.error > *tol) {
            Some(worst) => Heard::Contradicts(worst),
            None if solved.unsolved > 0 => Heard::Unsolved(solved.unsolved),
            None => Heard::Agrees,
        }
    }

    /// Adds what can be decided to what is known; why not more, where the budget ran out or what was
    /// found does not hold.
    ///
    /// Everything in `truth` afterwards was checked by `etalon-certify`.
    pub fn find_out(&self, problem: &Problem, truth: &mut Truth) -> Option<GaveUp> {
        let decision = decide_knowing(problem, std::mem::take(truth), &self.budget);
        *truth = decision.truth;
        let refused = decision.refused.is_some();
        (decision.gave_up).map(|reason| GaveUp { reason, refused })
    }
}

/// Leaves loose, of the rows of contacts at a point, those that are equations w = 0 there: tangential rows of discs that stick, and
/// under Coulomb's law the normal row of a contact that is pressed. Under the convex law a contact that slides opens.
fn tighten(cones: &[Cone], at: &[Rational], loose: &mut [bool]) {
    for cone in cones {
        let normal = &at[cone.normal];
        let mut all_stick = *normal > 0;
        for disc in &cone.discs {
            let mut square = Rational::new();
            let mut is_held = false;
            for (k, &row) in disc.rows.iter().enumerate() {
                let mu = disc.mu.of(k).to_rational();
                if mu.is_zero() {
                    // The force is 0 whatever the velocity is.
                    loose[row] = false;
                    continue;
                }
                is_held = true;
                let share = &at[row] / mu;
                square += Rational::from(share.square_ref());
            }
            let sticks = *normal > 0 && square < Rational::from(normal.square_ref());
            let turning = disc.rows.iter().enumerate();
            for (_, &row) in turning.filter(|(k, _)| !disc.mu.of(*k).is_zero()) {
                loose[row] = sticks;
            }
            all_stick &= sticks || !is_held;
        }
        loose[cone.normal] = *normal > 0 && (cone.law == Law::Coulomb || all_stick);
    }
}

/// What the loose rows say of an answer when they are solved for their unknowns.
enum Heard {
    Agrees,
    /// Nothing, of so many rows: the budget ran out.
    Unsolved(usize),
    Contradicts(SolvedFor),
}

impl Heard {
    /// What speaks better of the answer.
    fn better(self, other: Self) -> Self {
        match (self, other) {
            (Self::Contradicts(one), Self::Contradicts(other)) if other.error < one.error => {
                Self::Contradicts(other)
            }
            (Self::Contradicts(_), other @ (Self::Agrees | Self::Unsolved(_)))
            | (Self::Unsolved(_), other @ Self::Agrees) => other,
            (one, _) => one,
        }
    }
}

/// Says of an accepted answer what nobody has looked at.
fn say_what_is_unsolved(mut verdict: Verdict, rows: usize) -> Verdict {
    verdict.reason.get_or_insert_with(|| {
        format!("{rows} rows were not solved for their unknowns: over the budget of work")
    });
    verdict
}

/// Adds that there is a solution of a contact problem next to the answer, where a box about it is proved to hold one.
fn enclose_near(problem: &Problem, truth: &mut Truth, claim: &Claim) {
    let ClaimedAnswer::Solved { z } = &claim.answer else {
        return;
    };
    if problem.is_lcp() || !truth.boxes().is_empty() {
        return;
    }
    let z: Vec<_> = z.iter().map(Number::to_f64).collect();
    if let Some(own) = enclose(problem, &z) {
        // The kernel has seen it hold; it contradicts only what is about another problem.
        let _ = truth.add_certificate(problem, &own);
    }
}

/// Adds to the verdict's reason why nothing more is known: where that matters to the verdict, and
/// whenever the judge's own answer was refused.
fn say_why_no_more(verdict: &mut Verdict, GaveUp { reason, refused }: GaveUp) {
    if refused {
        let before = verdict.reason.take();
        let before = before.map_or_else(String::new, |before| format!("{before}; "));
        verdict.reason = Some(format!(
            "{before}the judge's own answer was refused: {reason}"
        ));
    } else if verdict.kind == VerdictKind::Unproved {
        let before = verdict.reason.take().unwrap_or_default();
        verdict.reason = Some(format!("{before} ({reason})"));
    }
}

/// Makes a rejection of it, by what the solved rows say.
fn contradict(verdict: &mut Verdict, claim: &Claim, found: SolvedFor) {
    let SolvedFor {
        unknown,
        value,
        error,
    } = found;
    let own = match &claim.answer {
        ClaimedAnswer::Solved { z } => z.get(unknown).map(Number::to_rational),
        _ => None,
    };
    let own = own.unwrap_or_default();
    let [given, claimed] = [&value, &own].map(short_text);
    let compared = if given == claimed {
        // Four digits hide what is between them.
        let apart = short_text(&Rational::from(&own - &value));
        format!("{given}, and {apart} less than claimed")
    } else {
        format!("{given}, not {claimed}")
    };
    verdict.kind = VerdictKind::Rejected;
    verdict.reached = Some(Reached::SolvedRows);
    verdict.grade = Some(Grade::Wrong);
    verdict.ill_conditioned = None;
    verdict.reason = Some(format!(
        "the rows solved for z_{unknown} give {compared}; error {}",
        short_text(&error)
    ));
    if let Some(measures) = &mut verdict.measures {
        measures.error = error;
        measures.worst_row = Some(unknown);
    }
}

/// Whether the claim says anything about the problem.
fn is_answer(problem: &Problem, claim: &Claim) -> bool {
    match &claim.answer {
        ClaimedAnswer::Solved { z } => z.len() == problem.n(),
        ClaimedAnswer::Unsolvable => true,
        ClaimedAnswer::Failed => false,
    }
}

/// Whether no more can be found out that a verdict would tell.
fn is_complete(truth: &Truth) -> bool {
    let has_the_solution =
        truth.status().unique == Some(Unique::Z) && !truth.solutions().is_empty();
    truth.is_unsolvable() || has_the_solution
}

/// The solution nearest to the claimed one, in the largest difference of an entry.
fn nearest(claim: &Claim, solutions: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    let ClaimedAnswer::Solved { z } = &claim.answer else {
        return solutions.into_iter().next();
    };
    let distance = |solution: &Vec<Rational>| {
        let pairs = z.iter().zip(solution);
        let gaps = pairs.map(|(own, exact)| (own.to_rational() - exact).abs());
        gaps.max().unwrap_or_default()
    };
    solutions.into_iter().min_by_key(distance)
}

/// A vector for people: long fractions rounded, long vectors cut.
pub fn show_vector(z: &[Rational]) -> String {
    const SHOWN: usize = 12;
    let mut parts: Vec<_> = z.iter().take(SHOWN).map(short_text).collect();
    if z.len() > SHOWN {
        parts.push("...".to_owned());
    }
    format!("({})", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::{Certificate, record};

    fn problem(q: &str) -> Problem {
        let text = format!(r#"{{"name": "p", "M": [[-1]], "q": [{q}]}}"#);
        record::read_problem(&text).unwrap().record
    }

    fn judge() -> Judge {
        Judge {
            prove: true,
            ..Judge::default()
        }
    }

    #[test]
    fn what_is_found_out_is_added_to_what_is_known() {
        let mut truth = Truth::default();
        truth
            .add_solution(&problem("2"), vec![Rational::from(2)])
            .unwrap();
        assert_eq!(judge().find_out(&problem("2"), &mut truth), None);
        assert!(truth.has_all_solutions());
        assert_eq!(truth.solutions().len(), 2);
    }

    #[test]
    fn an_answer_that_the_checker_refuses_is_said_whatever_the_verdict() {
        // Knowledge about another problem, which contradicts what is found about this one.
        let mut known = Truth::default();
        let farkas = Certificate::Farkas { y: vec![1.into()] };
        known.add_certificate(&problem("-1"), &farkas).unwrap();
        let mut truth = known.clone();
        let gave_up = judge().find_out(&problem("2"), &mut truth).unwrap();
        assert!(gave_up.refused, "{}", gave_up.reason);
        assert_eq!(truth, known, "nothing is taken over");
        // It is complete, so the judge does not look; what has only a part of it does.
        let mut part = Truth::default();
        part.add_solution(&problem("2"), vec![Rational::from(2)])
            .unwrap();
        let claim = Claim::new("p", ClaimedAnswer::Unsolvable);
        let judgement = judge().verdict_knowing(&problem("-1"), part, &claim);
        let reason = judgement.verdict.reason.unwrap();
        assert!(
            reason.contains("the judge's own answer was refused: the proof found does not hold"),
            "{reason}"
        );
    }
}
