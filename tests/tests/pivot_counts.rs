//! Pivot counts of the golden problems, as an independent implementation found them: a solver
//! that takes another path than the textbook's is another solver.

use std::collections::BTreeMap;

use etalon_exact::{
    Dantzig, DantzigOutcome, LeastIndex, LeastIndexOutcome, Lemke, LemkeOutcome, Next, Ties,
};
use etalon_lcp::{Problem, Reduction, parse_rational};
use etalon_tests::goldens;
use rug::Rational;
use serde_json::Value;

fn lemke(problem: &Problem, ties: Ties, cover: Option<Vec<Rational>>) -> (&'static str, u64) {
    let lemke = Lemke {
        ties,
        cover,
        ..Lemke::default()
    };
    let run = lemke.solve(Reduction::new(problem).mixed()).unwrap();
    let end = match run.outcome {
        LemkeOutcome::Solved { .. } => "solved",
        LemkeOutcome::Ray(_) => "ray",
        LemkeOutcome::Cycle => "cycle",
        _ => "other",
    };
    (end, run.pivots)
}

fn dantzig(problem: &Problem, next: Next) -> (&'static str, u64) {
    let run = Dantzig {
        next,
        ..Dantzig::default()
    }
    .solve(problem)
    .unwrap();
    let end = match run.outcome {
        DantzigOutcome::Solved { .. } => "solved",
        DantzigOutcome::Unbounded { .. } => "unbounded",
        _ => "other",
    };
    (end, run.steps)
}

fn least_index(problem: &Problem) -> (&'static str, u64) {
    let run = LeastIndex::default().solve(Reduction::new(problem).mixed());
    let solved = matches!(run.outcome, LeastIndexOutcome::Solved { .. });
    (if solved { "solved" } else { "other" }, run.pivots)
}

fn run(problem: &Problem, method: &str, cover: &Value) -> (&'static str, u64) {
    match method {
        "lemke_lexicographic_d_ones" => lemke(problem, Ties::Lexicographic, None),
        "lemke_ties_first_row_d_ones" => lemke(problem, Ties::FirstRow, None),
        "lemke_ties_smallest_variable_d_ones" => lemke(problem, Ties::SmallestVariable, None),
        "lemke_lexicographic_d_given" => {
            let given = cover[problem.name()][method].as_array().unwrap();
            let given = given
                .iter()
                .map(|v| parse_rational(v.as_str().unwrap()).unwrap());
            lemke(problem, Ties::Lexicographic, Some(given.collect()))
        }
        "dantzig_baraff_lowest_index" => dantzig(problem, Next::Lowest),
        "dantzig_baraff_most_negative" => dantzig(problem, Next::MostNegative),
        "murty_least_index_principal_pivoting" => least_index(problem),
        other => panic!("no method {other}"),
    }
}

#[test]
fn every_method_takes_the_listed_number_of_pivots() {
    let data: Value = serde_json::from_str(include_str!("../data/pivot_counts.json")).unwrap();
    let problems: BTreeMap<_, _> = goldens::up_to(usize::MAX)
        .into_iter()
        .map(|problem| (problem.name().to_owned(), problem))
        .collect();
    let mut compared = 0;
    for (name, methods) in data["counts"].as_object().unwrap() {
        let problem = problems
            .get(name)
            .unwrap_or_else(|| panic!("no golden {name}"));
        for (method, expected) in methods.as_object().unwrap() {
            let found = run(problem, method, &data["covering_vectors"]);
            let expected = (expected[0].as_str().unwrap(), expected[1].as_u64().unwrap());
            assert_eq!(found, expected, "{name} by {method}");
            compared += 1;
        }
    }
    assert!(compared > 400, "only {compared} counts");
}

#[test]
fn naive_ties_cycle_on_the_circuit_and_the_lexicographic_rule_does_not() {
    let problems = goldens::up_to(40);
    let circuit = problems
        .iter()
        .find(|p| p.name() == "siconos/lcp_tobenna")
        .unwrap();
    assert_eq!(lemke(circuit, Ties::Lexicographic, None), ("solved", 127));
    assert_eq!(lemke(circuit, Ties::FirstRow, None).0, "cycle");
}

#[test]
fn exponential_families_take_exponentially_many_pivots() {
    for n in 2..=10usize {
        let power = 1 << n;
        let published = |family| {
            let mut problems = etalon_conformance::generate(family, n, 1, 1).unwrap();
            problems.next().unwrap()
        };
        let lexicographic = Ties::Lexicographic;
        for family in ["murty", "birge-gana", "fathi"] {
            let problem = published(family);
            assert_eq!(
                lemke(&problem, lexicographic, None),
                ("solved", power),
                "{family} {n}"
            );
        }
        let upper = published("birge-gana");
        assert_eq!(dantzig(&upper, Next::Lowest), ("solved", power - 1), "{n}");
        assert_eq!(least_index(&upper), ("solved", power - 1), "{n}");
    }
}
