//! Forces of contacts that stand where only large numbers of rows far away would excuse them.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_judge::{Judge, Judgement};
use etalon_lcp::{Reached, VerdictKind, record};

/// The rows of `docs/measure.md`, "Rows right one by one, and wrong together", with a force r in row 4 and w_5 = x_4 + 2. Rows 0 to 3
/// give `large`, 1, 1, 1; then x_4 = 1 + r, so w_5 = 3 + r > 0 for r >= 0, and r = 0.
fn judged(large: f64, (more, cones): (usize, &str), r: f64) -> Judgement {
    let n = 6 + more;
    let mut entries = String::from(
        "[0,0,1],[1,0,-1],[1,1,1],[2,1,-1],[2,2,1],[3,1,-1],[3,3,1],[4,2,-1],[4,3,1],[4,4,1],[4,5,-1],[5,4,1]",
    );
    let (mut q, mut z) = (
        format!("{},{},0,0,-1,2", -large, large - 1.0),
        format!("{large},1,1,1,1,{r}"),
    );
    let mut lower = r#""-inf","-inf","-inf","-inf","-inf",0"#.to_owned();
    for k in 6..n {
        entries += &format!(",[{k},{k},1]");
        q += if k == 6 && more == 2 { ",1" } else { ",0" };
        z += ",0";
        lower += ",0";
    }
    let problem = format!(
        r#"{{"name":"p","M":{{"shape":[{n},{n}],"entries":[{entries}]}},"q":[{q}],"lower":[{lower}]{cones}}}"#
    );
    let claim = format!(r#"{{"name":"p","status":"solved","z":[{z}]}}"#);
    let problem = record::read_problem(&problem).unwrap().record;
    Judge::default().verdict(&problem, &record::read_claim(&claim).unwrap().record)
}

/// No cones; a contact without discs and one with a disc in row 5; and an open contact that has nothing to do with it.
const KINDS: [(usize, &str); 4] = [
    (0, ""),
    (0, r#","cones":[{"normal":5,"discs":[]}]"#),
    (1, r#","cones":[{"rows":[5,6],"mu":0.5}]"#),
    (2, r#","cones":[{"rows":[6,7],"mu":1}]"#),
];

#[test]
fn wrong_forces_beside_large_numbers_are_rejected() {
    for kind in KINDS {
        for (large, r) in [(1e15, 1e5), (1e15, 100.0), (1e10, 1.0), (1e12, 0.01)] {
            for r in [r, -r] {
                let judgement = judged(large, kind, r);
                let verdict = &judgement.verdict;
                let found = format!("{kind:?}, {large:e}, r = {r}: {verdict:?}");
                assert_eq!(verdict.kind, VerdictKind::Rejected, "{found}");
            }
        }
        let far = judged(1e15, kind, -1e5);
        assert_eq!(far.verdict.reached, Some(Reached::SolvedRows), "{kind:?}");
    }
}

/// What is within the tolerance of the rows as they stand is right: r beside w_4 of size 3, and beside x_4 = 1.
#[test]
fn forces_within_the_tolerance_are_accepted() {
    for kind in KINDS {
        for r in [0.0, 1e-10, -1e-10, 1e-13, -1e-13] {
            let judgement = judged(1e15, kind, r);
            assert!(
                judgement.accepted,
                "{kind:?}, r = {r}: {:?}",
                judgement.verdict
            );
        }
    }
}

/// The same rows with friction r in row 5, under a contact that is pressed with N = 1e-3: w_5 = x_4 + c, and r = -mu N where the
/// contact slides with w_5 > 0.
fn judged_friction(mu: f64, c: f64, r: f64) -> Judgement {
    let problem = format!(
        r#"{{"name":"p","M":{{"shape":[8,8],"entries":[[0,0,1],[1,0,-1],[1,1,1],[2,1,-1],[2,2,1],[3,1,-1],[3,3,1],[4,2,-1],
        [4,3,1],[4,4,1],[4,5,-1],[5,4,1],[6,7,1],[7,6,-1],[7,7,1]]}},"q":[-1e15,999999999999999,0,0,-1,{c},0,0.001],
        "lower":["-inf","-inf","-inf","-inf","-inf",0,0,"-inf"],"cones":[{{"rows":[6,5],"mu":{mu},"law":"coulomb"}}]}}"#
    )
    .replace('\n', "");
    let x = 1.0 + r.clamp(-1e-3 * mu, 1e-3 * mu);
    let claim = format!(r#"{{"name":"p","status":"solved","z":[1e15,1,1,1,{x},{r},0.001,0]}}"#);
    let problem = record::read_problem(&problem).unwrap().record;
    Judge::default().verdict(&problem, &record::read_claim(&claim).unwrap().record)
}

#[test]
fn friction_far_beyond_its_cone_is_rejected_beside_large_numbers() {
    for (mu, c, slides) in [(0.25, 2.0, -1.0), (0.5, -4.0, 1.0)] {
        let right = judged_friction(mu, c, slides * mu * 1e-3);
        assert!(right.accepted, "mu = {mu}: {:?}", right.verdict);
        for r in [1e6, 1e3, 1.0, 1e-2] {
            let wrong = judged_friction(mu, c, slides * r);
            assert!(!wrong.accepted, "mu = {mu}, r = {r}: {:?}", wrong.verdict);
        }
        let far = judged_friction(mu, c, slides * 1e6).verdict;
        assert_eq!(far.reached, Some(Reached::SolvedRows), "mu = {mu}: {far:?}");
    }
}
