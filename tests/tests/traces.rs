//! The paths of the exact solvers on problems that one can follow by hand.

use std::fmt::Write;

use etalon_exact::{Dantzig, LeastIndex, Lemke, Trace};
use etalon_lcp::{Problem, Reduction, record};
use etalon_tests::goldens;

fn golden(name: &str) -> Problem {
    let problems = goldens::up_to(12);
    let found = problems.into_iter().find(|problem| problem.name() == name);
    found.unwrap_or_else(|| panic!("no golden {name}"))
}

/// A line a step: what enters, what leaves, how far, and z there.
fn lines(trace: Option<Trace>) -> String {
    let mut text = String::new();
    for step in trace.expect("a trace was asked for").steps {
        let z: Vec<String> = step.z.iter().map(ToString::to_string).collect();
        let basic: Vec<String> = step.basic.iter().map(ToString::to_string).collect();
        writeln!(
            text,
            "{:>3} in, {:>3} out, step {:>6}; basic {}; z = ({})",
            step.entering.to_string(),
            step.leaving.to_string(),
            step.length.to_string(),
            basic.join(" "),
            z.join(", "),
        )
        .expect("writing to a string");
    }
    text
}

fn lemke(problem: &Problem) -> String {
    let lemke = Lemke {
        trace: true,
        ..Lemke::default()
    };
    lines(lemke.solve(Reduction::new(problem).mixed()).unwrap().trace)
}

fn dantzig(problem: &Problem) -> String {
    let dantzig = Dantzig {
        trace: true,
        ..Dantzig::default()
    };
    lines(dantzig.solve(problem).unwrap().trace)
}

fn least_index(problem: &Problem) -> String {
    let method = LeastIndex {
        trace: true,
        ..LeastIndex::default()
    };
    lines(method.solve(Reduction::new(problem).mixed()).trace)
}

#[test]
fn a_rounded_tie_is_no_tie_in_exact_arithmetic() {
    let tie = golden("reports/dart_dantzig_rounded_tie");
    insta::assert_snapshot!("tie_lemke", lemke(&tie));
    insta::assert_snapshot!("tie_dantzig", dantzig(&tie));
    insta::assert_snapshot!("tie_least_index", least_index(&tie));
}

#[test]
fn three_collinear_contacts_take_two_drives() {
    let beam = golden("statics/three_collinear");
    insta::assert_snapshot!("beam_dantzig", dantzig(&beam));
    insta::assert_snapshot!("beam_lemke", lemke(&beam));
}

#[test]
fn kostrevas_circulant_does_not_cycle() {
    insta::assert_snapshot!(
        "circulant_lemke",
        lemke(&golden("reports/drake_moby_circulant"))
    );
}

#[test]
fn a_box_stops_a_drive_at_its_upper_bound() {
    let json = r#"{"name": "box", "M": [[2, 1], [1, 2]], "q": [-5, -6],
        "lower": [0, 0], "upper": [1, "inf"]}"#;
    let problem = record::read_problem(json).unwrap().record;
    insta::assert_snapshot!("box_dantzig", dantzig(&problem));
}

#[test]
fn an_infeasible_problem_ends_in_a_ray() {
    insta::assert_snapshot!("opposed_lemke", lemke(&golden("reports/opposed_normals")));
}
