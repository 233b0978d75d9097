//! Contact problems without an answer to them: proofs that there is a solution, or that there is none.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_exact::{Budget, Decision, decide};
use etalon_lcp::{Certificate, Problem, record};
use proptest::prelude::*;

fn problem(text: &str) -> Problem {
    record::read_problem(text).unwrap().record
}

/// The decision, all of which the kernel has checked.
fn decided(text: &str) -> Decision {
    let decision = decide(&problem(text), &Budget::default());
    assert_eq!(decision.refused, None);
    decision
}

/// The kind of the proof, and whether there is a solution.
fn found(text: &str) -> (&'static str, Option<bool>) {
    let decision = decided(text);
    let kind = match decision.certificate {
        Some(Certificate::Farkas { .. }) => "farkas",
        Some(Certificate::Cover(_)) => "cone-cover",
        Some(Certificate::ConeFeasible { .. }) => "cone-feasible",
        Some(Certificate::Contraction { .. }) => "contraction",
        Some(_) => "another",
        None => "none",
    };
    (kind, decision.truth.status().solvable)
}

#[test]
fn a_contact_that_nothing_holds_has_a_farkas_vector() {
    // w_N = -1 whatever r is.
    let none = r#"{"name": "p", "M": [[0,0,0],[0,1,0],[0,0,1]], "q": [-1,0,0], "cones": [{"rows": [0,1,2], "mu": 1, "law": "LAW"}]}"#;
    for law in ["coulomb", "convex"] {
        assert_eq!(found(&none.replace("LAW", law)), ("farkas", Some(false)));
    }
    // Under the convex law w must be in the dual cone, and w = (1, 2, 0) is not; under Coulomb's law it takes off.
    let fast = r#"{"name": "p", "M": [[0,0,0],[0,0,0],[0,0,0]], "q": [1,2,0], "cones": [{"rows": [0,1,2], "mu": 1, "law": "LAW"}]}"#;
    assert_eq!(
        found(&fast.replace("LAW", "convex")),
        ("farkas", Some(false))
    );
    assert_eq!(found(&fast.replace("LAW", "coulomb")).1, None);
}

#[test]
fn what_farkas_does_not_see_is_divided_by_modes() {
    // r = 0 leaves w_N = -1, and w_N = 0 leaves w_T = (1, 0): r_T = (-r_N, 0) and w_N = -r_N - 1.
    let none = r#"{"name": "p", "M": [[1,2,0],[2,4,0],[0,0,0]], "q": [-1,-1,0], "cones": [{"rows": [0,1,2], "mu": 1}]}"#;
    assert_eq!(found(none), ("cone-cover", Some(false)));
    // Another friction coefficient has no other answer; with a small one sliding holds the contact.
    assert_eq!(
        found(&none.replace(r#""mu": 1"#, r#""mu": "7/10""#)).1,
        Some(false)
    );
    assert_ne!(
        found(&none.replace(r#""mu": 1"#, r#""mu": "1/4""#)).1,
        Some(false)
    );
}

#[test]
fn plain_rows_beside_contacts_are_divided_too() {
    // As before, but q_0 = -1 - z_3, and z_3 is 0 or 1 by its own row: w_3 = z_3 - 1.
    let record = r#"{"name": "p", "M": [[1,2,0,-1],[2,4,0,-1],[0,0,0,0],[0,0,0,1]], "q": [-1,-1,0,-1],
        "lower": LOWER, "upper": UPPER, "cones": [{"rows": [0,1,2], "mu": 1}]}"#;
    let bounded = |lower: &str, upper: &str| {
        let own = record.replace("LOWER", lower).replace("UPPER", upper);
        found(&own)
    };
    for bounds in [
        (r#"[0, 0, 0, 0]"#, r#"null"#),
        (r#"[0, 0, 0, "-inf"]"#, r#"["inf", "inf", "inf", "1/2"]"#),
        (r#"[0, 0, 0, 0]"#, r#"["inf", "inf", "inf", "1/2"]"#),
    ] {
        assert_eq!(
            bounded(bounds.0, bounds.1),
            ("cone-cover", Some(false)),
            "{bounds:?}"
        );
    }
}

#[test]
fn two_contacts_are_divided_together() {
    // Two of them side by side, of which the second has no solution.
    let two = r#"{"name": "p", "M": [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,2,0],[0,0,0,2,4,0],[0,0,0,0,0,0]],
        "q": [-1,1,2,-1,-1,0], "cones": [{"rows": [0,1,2], "mu": "1/2"}, {"rows": [3,4,5], "mu": 1}]}"#;
    assert_eq!(found(two), ("cone-cover", Some(false)));
}

#[test]
fn a_point_inside_of_the_dual_cones_shows_a_solution_that_nobody_knows() {
    // A disc pressed onto a plane by two contacts, in mixed form; friction is not weak.
    let record = r#"{"name": "p", "M": [[2,0,-1,-1,0,0],[0,2,0,0,-1,-1],[1,0,0,0,0,0],[1,0,0,0,0,0],[0,1,0,0,0,0],[0,1,0,0,0,0]],
        "q": [3,-1,0,0,1,1], "lower": ["-inf","-inf",0,0,0,0],
        "cones": [{"rows": [2,4], "mu": 3}, {"rows": [3,5], "mu": 2}]}"#;
    assert_eq!(found(record), ("cone-feasible", Some(true)));
    // A product of two discs, which has no sectors.
    let product = r#"{"name": "p", "M": [[1,1,0,0],[1,2,0,0],[0,0,1,0],[0,0,0,1]], "q": [-1,5,1,2],
        "cones": [{"normal": 0, "discs": [{"rows": [1,2], "mu": 2}, {"rows": [3], "mu": 1}]}]}"#;
    assert_eq!(found(product), ("cone-feasible", Some(true)));
}

proptest! {
    /// A problem made from a solution of it is not refuted, by either law.
    #[test]
    fn what_has_a_solution_is_never_refuted(
        entries in prop::collection::vec(-3i64..=3, 9), r in (0i64..=3, -2i64..=2), open in any::<bool>(), law in any::<bool>(),
    ) {
        let (r_n, w_n) = if open { (0, r.0) } else { (r.0 + 2, 0) };
        let r_t = if open { 0 } else { r.1 };
        let z = [r_n, r_t, 0];
        let q = [0, 1, 2].map(|i| {
            let w = if i == 0 { w_n } else { 0 };
            w - (0..3).map(|j| entries[3 * i + j] * z[j]).sum::<i64>()
        });
        let law = if law { "coulomb" } else { "convex" };
        let rows: Vec<_> = entries.chunks(3).map(|row| format!("[{},{},{}]", row[0], row[1], row[2])).collect();
        let text = format!(
            r#"{{"name": "p", "M": [{}], "q": [{},{},{}], "cones": [{{"rows": [0,1,2], "mu": 1, "law": "{law}"}}]}}"#,
            rows.join(","), q[0], q[1], q[2]
        );
        prop_assert_ne!(found(&text).1, Some(false));
    }
}
