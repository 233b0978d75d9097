//! The path of Lemke's method to the answer of a step, taken again and held against theory.
//!
//! A line that counts pivots says that Lemke's method (lexicographic, covering vector of ones) came to its basis by so many.
//! The line does not hold the path: it follows from the step's problem, so it is taken again here, and what must hold
//! of it is checked from its bases and points alone. No basis comes twice, so the path ends. Each basis but the last is complementary
//! except for one pair, and each entering variable is the complement of the one that left. Points are feasible. The path begins and ends with
//! the artificial variable, within the budget, after as many pivots as the line says and in the basis that it names.

use std::collections::HashSet;

use etalon_exact::{Budget, Lemke, LemkeOutcome, PivotStep, Trace, Variable};
use etalon_golden::trajectory::Lcp;
use etalon_lcp::{MixedLcp, Problem};

/// What does not hold of the path to the answer of a step's (last) problem; empty too where the line counts no pivots.
pub fn broken_path(problem: &Problem, line: &Lcp) -> Vec<String> {
    let Some(pivots) = line.pivots else {
        return Vec::new();
    };
    let n = problem.n();
    if n == 0 {
        let why = format!("termination: {pivots} pivots are recorded, and there is no row");
        return (pivots != 0).then_some(why).into_iter().collect();
    }
    let lemke = Lemke {
        trace: true,
        ..Lemke::default()
    };
    let mixed = MixedLcp::new(problem.m().clone(), problem.q().to_vec(), vec![false; n]);
    let Some(mixed) = mixed else {
        return vec!["termination: the problem has rows of another length".to_owned()];
    };
    let run = match lemke.solve(&mixed) {
        Ok(run) => run,
        Err(error) => return vec![format!("termination: {error}")],
    };
    let mut found = Vec::new();
    let most = Budget::default().pivots;
    if run.pivots > most {
        found.push(format!(
            "{} pivots are over the budget of {most}",
            run.pivots
        ));
    }
    if run.pivots != pivots {
        found.push(format!(
            "{pivots} pivots are recorded, and the path has {}",
            run.pivots
        ));
    }
    match &run.outcome {
        LemkeOutcome::Solved { basis, .. } if basis.to_string() == line.basis => {}
        LemkeOutcome::Solved { basis, .. } => {
            let recorded = &line.basis;
            found.push(format!(
                "the path ends in the basis {basis}, and {recorded} is recorded"
            ));
        }
        LemkeOutcome::Ray(_) => found.push("the path ends in a ray".to_owned()),
        other => found.push(format!("the path ends without an answer: {other:?}")),
    }
    found.extend(law_of_paths(&run.trace.unwrap_or_default(), n).err());
    found
        .iter()
        .map(|why| format!("termination: {why}"))
        .collect()
}

/// What theory promises of every path to a solution.
fn law_of_paths(trace: &Trace, n: usize) -> Result<(), String> {
    let mut seen = HashSet::new();
    let mut entering = Variable::Artificial;
    for (k, step) in (1..).zip(&trace.steps) {
        let wrong = |why: String| Err(format!("pivot {k}: {why}"));
        if step.entering != entering {
            return wrong(format!("{} enters, not {entering}", step.entering));
        }
        if !seen.insert(step.basic.clone()) {
            return wrong("a basis comes again".to_owned());
        }
        let is_last = k == trace.steps.len();
        complementary(step, n, is_last).or_else(wrong)?;
        let negative = step.z.iter().chain(&step.w).any(|value| *value < 0);
        if negative || step.length < 0 {
            return wrong("its point is not feasible".to_owned());
        }
        match (step.leaving.complement(), is_last) {
            (Some(next), false) => entering = next,
            (None, true) => {}
            (Some(_), true) => {
                return wrong("the artificial variable does not leave at the end".to_owned());
            }
            (None, false) => return wrong("the path goes on after its end".to_owned()),
        }
    }
    Ok(())
}

/// One of w_i and z_i is basic for each i; before the end, the artificial variable stands in the place of one pair.
fn complementary(step: &PivotStep, n: usize, is_last: bool) -> Result<(), String> {
    let mut basic = vec![0u8; n];
    let mut artificial = false;
    for variable in &step.basic {
        match variable {
            Variable::W(i) | Variable::Z(i) if *i < n => basic[*i] += 1,
            Variable::Artificial if !artificial => artificial = true,
            other => return Err(format!("{other} cannot be basic there")),
        }
    }
    if let Some(i) = basic.iter().position(|count| *count > 1) {
        return Err(format!("both w{i} and z{i} are basic"));
    }
    let without = basic.iter().filter(|count| **count == 0).count();
    match (artificial, without, is_last) {
        (false, 0, true) | (true, 1, false) => Ok(()),
        _ => Err(format!("{without} pairs have no basic variable")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::{Matrix, Number};

    fn problem() -> Problem {
        let int = |own: i64| Number::from(own);
        let m = Matrix::from_rows(vec![vec![int(2), int(1)], vec![int(1), int(2)]]).unwrap();
        Problem::new("two", m, vec![int(-5), int(-6)]).unwrap()
    }

    fn trace() -> Trace {
        let own = problem();
        let mixed = MixedLcp::new(own.m().clone(), own.q().to_vec(), vec![false; 2]).unwrap();
        let lemke = Lemke {
            trace: true,
            ..Lemke::default()
        };
        lemke.solve(&mixed).unwrap().trace.unwrap()
    }

    fn line(pivots: u64, basis: &str) -> Lcp {
        Lcp {
            n: 2,
            pivots: Some(pivots),
            basis: basis.to_owned(),
            ..Lcp::default()
        }
    }

    #[test]
    fn a_path_must_have_the_pivots_and_the_end_that_its_line_says() {
        let none: [String; 0] = [];
        assert_eq!(broken_path(&problem(), &line(3, "11")), none);
        let found = broken_path(&problem(), &line(4, "11"));
        assert_eq!(
            found,
            ["termination: 4 pivots are recorded, and the path has 3"]
        );
        let found = broken_path(&problem(), &line(3, "10"));
        let why = "termination: the path ends in the basis 11, and 10 is recorded";
        assert_eq!(found, [why]);
        let uncounted = Lcp {
            pivots: None,
            ..line(9, "")
        };
        assert_eq!(broken_path(&problem(), &uncounted), none);
    }

    #[test]
    fn every_law_of_paths_is_held() {
        assert_eq!(law_of_paths(&trace(), 2), Ok(()));
        type Change = fn(&mut Trace);
        let w = |i| Variable::W(i);
        let both = vec![Variable::W(0), Variable::Z(0)];
        let none = vec![w(0), w(1)];
        assert_ne!(trace().steps[0].basic, both);
        assert_ne!(trace().steps[0].basic, none);
        let cases: [(Change, &str); 7] = [
            (
                |own| own.steps[1].entering = Variable::W(0),
                "pivot 2: w0 enters",
            ),
            (
                |own| own.steps[1].basic = own.steps[0].basic.clone(),
                "pivot 2: a basis comes again",
            ),
            (
                |own| own.steps[0].basic = vec![Variable::W(0), Variable::Z(0)],
                "pivot 1: both w0 and z0 are basic",
            ),
            (
                |own| own.steps[0].basic = vec![Variable::W(0), Variable::W(1)],
                "pivot 1: 0 pairs",
            ),
            (
                |own| own.steps[0].z[0] = (-1).into(),
                "pivot 1: its point is not feasible",
            ),
            (
                |own| own.steps.truncate(2),
                "pivot 2: 1 pairs have no basic variable",
            ),
            (
                |own| own.steps[2].leaving = Variable::W(0),
                "pivot 3: the artificial variable does not leave",
            ),
        ];
        for (change, expected) in cases {
            let mut own = trace();
            change(&mut own);
            let why = law_of_paths(&own, 2).unwrap_err();
            assert!(why.starts_with(expected), "{why}, not {expected}");
        }
    }
}
