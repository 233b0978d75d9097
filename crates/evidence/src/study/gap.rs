//! How far the models of contact are from Coulomb's law, on logged problems.

use std::path::Path;

use etalon_certify::{Tolerance, evaluate};
use etalon_exact::Budget;
use etalon_fast::ConeSolver;
use etalon_golden::files::BUILT_IN;
use etalon_lcp::{ClaimedAnswer, Cone, Law, Measures, Number, Problem, Solver, round_up_f64};
use etalon_methods::{Pyramid, Sides};
use rug::Rational;

use super::{Page, StudyError};
use crate::measure::statistics::median;

/// The suites of logged problems under Coulomb's law.
const SUITES: [&str; 3] = ["contactbench", "fclib", "siconos"];

/// A contact with a smaller share of the largest force does not press.
const PRESSES: f64 = 1e-9;

/// A tangential velocity that is a larger share of its terms is slip.
const SLIPS: f64 = 1e-6;

/// Work of exact arithmetic on one problem, some ten seconds (`Budget::work`): counted, so that pages are the same
/// on all machines.
const WORK: u64 = 30_000_000_000;

/// An answer to a problem, where the model has one.
type Answer = Option<Vec<Rational>>;

/// A model of contact.
struct Model {
    name: &'static str,
    /// The name in the table of problems.
    short: &'static str,
    answer: fn(&Problem) -> Answer,
}

const MODELS: [Model; 7] = [
    Model {
        name: "cone, as the golden answers",
        short: "cone",
        answer: stored,
    },
    Model {
        name: "cone, rounded to binary32",
        short: "binary32",
        answer: |problem| Some(stored(problem)?.iter().map(single).collect()),
    },
    Model {
        name: "box pyramid (`friction` rows)",
        short: "box",
        answer: |problem| pyramid(problem, Sides::Box),
    },
    Model {
        name: "4 directions, inscribed",
        short: "4",
        answer: |problem| pyramid(problem, Sides::Inscribed(4)),
    },
    Model {
        name: "8 directions, inscribed",
        short: "8",
        answer: |problem| pyramid(problem, Sides::Inscribed(8)),
    },
    Model {
        name: "16 directions, inscribed",
        short: "16",
        answer: |problem| pyramid(problem, Sides::Inscribed(16)),
    },
    Model {
        name: "convex law",
        short: "convex",
        answer: convex,
    },
];

/// The figures of one answer under Coulomb's law.
struct Figures {
    block: f64,
    /// The larger one of the backward error and the negativity.
    componentwise: f64,
}

/// A problem with the figures of the models.
struct Examined {
    name: String,
    n: usize,
    contacts: usize,
    figures: Vec<Option<Figures>>,
}

pub fn page() -> Result<Page, StudyError> {
    let (mut space, mut plane) = (Vec::new(), Vec::new());
    for problem in problems()? {
        if !stored(&problem).is_some_and(|answer| slides(&problem, &answer)) {
            continue;
        }
        let rows = |cone: &Cone| cone.discs.iter().map(|disc| disc.rows.len()).max();
        let most = problem.cones().iter().filter_map(rows).max();
        match most {
            Some(1) => plane.push(examined(&problem)),
            _ => space.push(examined(&problem)),
        }
    }
    let count = space.len();
    Ok(Page::new("The gap between models of contact")
        .text(format!(
            "Contacts are answered as cones, as pyramids and by the convex law. How far is each answer from Coulomb's law? \
             Each was judged as an answer to Coulomb's problem, exactly: by its [block error](../cones.md#the-block-error), and by the larger one of its \
             [backward error](../cones.md#the-backward-error) and its [negativity](../cones.md#candidates-outside-their-cones). The problems are those of \
             `golden/problems/cone` that Siconos, FCLIB and ContactBench logged, in which a contact slides: {count} in space, {} in the plane. \
             Made by `etalon study gap`.",
            plane.len()
        ))
        .table("In space", &HEADER, summary(&space))
        .text(
            "A tolerance of 1e-6 accepts the cones rounded to binary32 and rejects the other models, except where these happen to be right: a contact slides along a \
             direction of the polygon, or its slip is too small to be seen in the block.",
        )
        .table("In the plane", &HEADER, summary(&plane))
        .text("A disc of one row is an interval: here pyramids are the cone, and their answers are right up to rounding.")
        .table(
            "Problem by problem: block errors",
            &["problem", "n", "contacts"].into_iter().chain(MODELS.iter().map(|model| model.short)).collect::<Vec<_>>(),
            space.iter().chain(&plane).map(Examined::row).collect(),
        )
        .text(
            "A dash: the model has no answer. The problem of the pyramids was not solved within the budget, or a disc has more than two rows.",
        ))
}

const HEADER: [&str; 8] = [
    "answer of",
    "answers",
    "block error, median",
    "least",
    "largest",
    "max(backward error, negativity), median",
    "least",
    "largest",
];

/// The problems under Coulomb's law, by suite and name.
fn problems() -> Result<Vec<Problem>, StudyError> {
    let mut problems = Vec::new();
    for suite in SUITES {
        let folder = Path::new(BUILT_IN).join("problems/cone").join(suite);
        for golden in etalon_golden::read(&[folder])? {
            let problem = golden?.problem;
            if problem.cones().iter().all(|cone| cone.law == Law::Coulomb) {
                problems.push(problem);
            }
        }
    }
    Ok(problems)
}

fn examined(problem: &Problem) -> Examined {
    let figures = MODELS.iter().map(|model| {
        let z = (model.answer)(problem)?;
        let evaluation = evaluate(problem, &z, &Tolerance::default()).ok()?;
        Some(Figures::of(&evaluation.measures))
    });
    Examined {
        name: problem.name().trim_start_matches("cone/").to_owned(),
        n: problem.n(),
        contacts: problem.cones().len(),
        figures: figures.collect(),
    }
}

impl Figures {
    fn of(measures: &Measures) -> Self {
        let block = measures.block_error.as_ref().unwrap_or(&measures.error);
        let componentwise = (&measures.backward_error).max(&measures.negativity);
        Self {
            block: round_up_f64(block),
            componentwise: round_up_f64(componentwise),
        }
    }
}

impl Examined {
    fn row(&self) -> Vec<String> {
        let cells = [
            self.name.clone(),
            self.n.to_string(),
            self.contacts.to_string(),
        ];
        let figures = self.figures.iter();
        let figures = figures.map(|figures| cell(figures.as_ref().map(|own| own.block)));
        cells.into_iter().chain(figures).collect()
    }
}

/// A row for each model.
fn summary(examined: &[Examined]) -> Vec<Vec<String>> {
    let models = MODELS.iter().enumerate();
    let rows = models.map(|(k, model)| {
        let figures = examined.iter().filter_map(|own| own.figures[k].as_ref());
        let figures: Vec<_> = figures.collect();
        let mut row = vec![
            model.name.to_owned(),
            format!("{} of {}", figures.len(), examined.len()),
        ];
        for of in [
            |own: &&Figures| own.block,
            |own: &&Figures| own.componentwise,
        ] {
            let values: Vec<f64> = figures.iter().map(of).collect();
            row.push(cell(median(&values)));
            row.push(cell(values.iter().copied().min_by(f64::total_cmp)));
            row.push(cell(values.iter().copied().max_by(f64::total_cmp)));
        }
        row
    });
    rows.collect()
}

/// Two digits: machines differ in the last ones.
fn cell(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(value) if value >= 0.01 => format!("{value:.2}"),
        Some(value) => format!("{value:.0e}"),
    }
}

/// The binary64 answer of the golden.
fn stored(problem: &Problem) -> Answer {
    let answer = problem.expect.as_ref()?.answer.as_ref()?;
    Some(answer.z.iter().map(Number::to_rational).collect())
}

fn single(value: &Rational) -> Rational {
    Rational::from_f32(value.to_f32()).unwrap_or_default()
}

fn pyramid(problem: &Problem, sides: Sides) -> Answer {
    let budget = Budget {
        work: WORK,
        ..Budget::default()
    };
    solved(&Pyramid::new(sides, budget), problem)
}

/// The answer of the problem with the other law.
fn convex(problem: &Problem) -> Answer {
    let mut cones = problem.cones().to_vec();
    for cone in &mut cones {
        cone.law = Law::Convex;
    }
    solved(&ConeSolver, &problem.clone().with_cones(cones).ok()?)
}

fn solved(solver: &dyn Solver, problem: &Problem) -> Answer {
    match solver.solve(problem).answer {
        ClaimedAnswer::Solved { z } => Some(z.iter().map(Number::to_rational).collect()),
        _ => None,
    }
}

/// Whether a contact that presses slips.
fn slides(problem: &Problem, z: &[Rational]) -> bool {
    let z: Vec<f64> = z.iter().map(Rational::to_f64).collect();
    let forces = problem.cones().iter().map(|cone| z[cone.normal]);
    let largest = forces.fold(0.0, f64::max);
    let slips = |row: usize| {
        let q = problem.q()[row].to_f64();
        let terms = (problem.m().stored_row(row)).map(|(j, value)| value.to_f64() * z[j]);
        let (sum, size) = terms.fold((q, q.abs()), |(sum, size), term| {
            (sum + term, size + term.abs())
        });
        sum.abs() > SLIPS * size
    };
    problem.cones().iter().any(|cone| {
        let rows = cone.discs.iter().flat_map(|disc| &disc.rows);
        z[cone.normal] > PRESSES * largest && rows.copied().any(slips)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::record::read_problem;

    fn pushed(force: &str, answer: &str) -> Problem {
        let record = format!(
            r#"{{"name": "p", "M": [[1,0,0],[0,1,0],[0,0,1]], "q": [-1,{force},0], "cones": [{{"rows": [0,1,2], "mu": 0.5}}],
                "expect": {{"status": "unknown", "answer": {{"z": {answer}, "backward_error": 0, "block_error": 0}}}}}}"#
        );
        read_problem(&record).unwrap().record
    }

    #[test]
    fn what_presses_and_slips_slides() {
        let sliding = pushed("2", "[1, -0.5, 0]");
        assert!(slides(&sliding, &stored(&sliding).unwrap()));
        let held = pushed("0.25", "[1, -0.25, 0]");
        assert!(!slides(&held, &stored(&held).unwrap()));
    }

    #[test]
    fn models_differ_from_the_law_where_it_slides_alone() {
        let held = examined(&pushed("0.25", "[1, -0.25, 0]"));
        assert!(held.figures.iter().flatten().all(|own| own.block < 1e-12));
        let sliding = examined(&pushed("2", "[1, -0.5, 0]"));
        let block: Vec<f64> = sliding
            .figures
            .iter()
            .flatten()
            .map(|own| own.block)
            .collect();
        assert_eq!(block.len(), MODELS.len());
        // It slides along a direction of every polygon; the convex law lifts it.
        assert!(block[..6].iter().all(|error| *error < 1e-12), "{block:?}");
        assert!(block[6] > 0.05, "{block:?}");
    }

    #[test]
    fn cells_have_two_digits() {
        let cells = [None, Some(0.0), Some(1.0), Some(0.0123), Some(4.56e-9)].map(cell);
        assert_eq!(cells, ["-", "0", "1.00", "0.01", "5e-9"]);
    }
}
