use super::*;
use crate::subject::Function;
use crate::{Capabilities, InProcess};
use etalon_lcp::record::read_problem;
use etalon_lcp::{Claim, Grade, Solver};

const LIMITS: ShrinkLimits = ShrinkLimits {
    questions: 5_000,
    deadline: None,
};

fn problem(text: &str) -> Problem {
    read_problem(text).unwrap().record
}

fn shrunk(subject: &dyn Subject, keep: &str, text: &str) -> Result<Shrunk, ShrinkError> {
    let shrinker = Shrinker {
        subject,
        examiner: &Examiner::default(),
        keep: keep.parse().unwrap(),
        limits: LIMITS,
    };
    shrinker.shrink(&problem(text))
}

const LARGE: &str = r#"{"name": "p", "M": [[3.7, 1.1, 0.3], [1.1, 5.2, 0.7], [0.3, 0.7, 2.9]], "q": [-1.3, -2.7, 0.4]}"#;

/// Calls z = 0 solved whatever is asked.
fn zero(_: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
    Some(vec![0.0; q.len()])
}

#[test]
fn the_smallest_problem_on_which_zero_is_wrong_has_one_row() {
    let subject = Function::new("zero", zero);
    let small = shrunk(&subject, "", LARGE).unwrap();
    // Still solvable, as the problem was: z >= 0 with Mz = 1.
    let expected = problem(r#"{"name": "p (shrunk)", "M": [[1]], "q": [-1]}"#);
    assert_eq!(small.problem.m().to_dmatrix(), expected.m().to_dmatrix());
    assert_eq!(small.problem.q()[0].to_f64(), -1.0);
    assert!(small.finished && small.fault == Fault::Wrong);
}

#[test]
fn an_unsolvable_problem_stays_unsolvable() {
    let subject = Function::new("zero", zero);
    let none = r#"{"name": "p", "M": [[-3.5, -0.5], [-0.25, 0]], "q": [-1.25, -2]}"#;
    let small = shrunk(&subject, "", none).unwrap().problem;
    assert_eq!(Examiner::default().is_solvable(&small), Some(false));
    assert_eq!(small.n(), 1);
    assert_eq!(small.q()[0].to_f64(), -1.0);
}

#[test]
fn what_is_asked_to_be_kept_is_kept() {
    let subject = Function::new("zero", zero);
    let small = shrunk(&subject, "psd,p,unique", LARGE).unwrap().problem;
    assert!(small.m().get(0, 0).unwrap().signum() > 0);
    let skew = r#"{"name": "p", "M": [[1, 2], [-2, 1]], "q": [-1, -1]}"#;
    assert_eq!(
        shrunk(&subject, "psd", skew).unwrap_err(),
        ShrinkError::NotKept("symmetric positive semidefinite")
    );
    assert!("psdd".parse::<KeptProperties>().is_err());
}

/// Wrong only where three rows push on each other: the fault needs them all.
fn needs_three(m: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
    let ties = q.iter().filter(|&&q| q == -1.0).count();
    if q.len() == 3 && ties == 3 && m[0][1] == m[1][0] {
        return Some(vec![7.0; 3]);
    }
    None
}

#[test]
fn rows_that_the_fault_needs_stay_and_symmetry_with_them() {
    let subject = Function::new("three", needs_three);
    let text =
        r#"{"name": "p", "M": [[3, 0.3, 0.1], [0.3, 3, 0.2], [0.1, 0.2, 3]], "q": [-1, -1, -1]}"#;
    let small = shrunk(&subject, "psd", text).unwrap().problem;
    assert_eq!(small.n(), 3);
    let m = small.m().to_dmatrix();
    assert_eq!(m, m.transpose());
    assert!(m.iter().all(|v| [0.0, 1.0].contains(v)), "{m}");
}

/// Wrong on two rows or more, no answer on one.
fn silent_on_one_row(_: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
    Some(match q.len() {
        1 => vec![f64::NAN],
        n => vec![0.0; n],
    })
}

#[test]
fn the_fault_stays_the_same_one() {
    let subject = Function::new("two", silent_on_one_row);
    let small = shrunk(&subject, "", LARGE).unwrap();
    assert_eq!((small.problem.n(), small.fault), (2, Fault::Wrong));
    // The answer that shows it belongs to it.
    let shown = small.examination.judgement.unwrap().verdict;
    assert_eq!(shown.kind, etalon_lcp::VerdictKind::Rejected);
}

/// Answers -q for M = 1 but z_0: by 1 too large on three rows and on one, by 1e-12 of the largest number on two.
fn grave_on_odd_sizes(_: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
    let mut z: Vec<f64> = q.iter().map(|q| (-q).max(0.0)).collect();
    let largest = q.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
    z[0] += if q.len() == 2 { 1e-12 * largest } else { 1.0 };
    Some(z)
}

#[test]
fn a_fault_stays_as_grave_as_it_was_or_becomes_graver() {
    let two_or_three = Function::new("odd", |m: &[Vec<f64>], q: &[f64]| match q.len() {
        1 => None,
        _ => grave_on_odd_sizes(m, q),
    });
    let three = r#"{"name": "p", "M": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [0, -5, -7]}"#;
    let two = r#"{"name": "p", "M": [[1, 0], [0, 1]], "q": [0, -5]}"#;
    let grade = |small: &Shrunk| small.examination.judgement.clone().unwrap().verdict.grade;
    let small = shrunk(&two_or_three, "", three).unwrap();
    assert_eq!((small.problem.n(), grade(&small)), (3, Some(Grade::Gross)));
    let any = Function::new("odd", grave_on_odd_sizes);
    let small = shrunk(&any, "", two).unwrap();
    assert_eq!((small.problem.n(), grade(&small)), (1, Some(Grade::Gross)));
}

#[test]
fn what_is_kept_is_kept_where_the_fault_does_not_need_it() {
    let nan = Function::new("nan", |_, q: &[f64]| Some(vec![f64::NAN; q.len()]));
    let m = |keep: &str| {
        let small = shrunk(&nan, keep, LARGE).unwrap().problem;
        assert_eq!(small.n(), 1, "{keep}");
        small.m().to_dmatrix()[(0, 0)]
    };
    assert_eq!((m(""), m("psd"), m("p")), (0.0, 0.0, 1.0));
}

/// No answer where two rows push on each other, whichever way.
fn coupled(m: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
    let coupled = q.len() == 2 && (m[0][1] != 0.0 || m[1][0] != 0.0);
    coupled.then(|| vec![f64::NAN; 2])
}

#[test]
fn a_symmetric_matrix_stays_so_where_the_fault_does_not_need_it() {
    let subject = Function::new("coupled", coupled);
    let text = r#"{"name": "p", "M": [[3, 0.5], [0.5, 2]], "q": [-1, 4]}"#;
    let m = shrunk(&subject, "", text).unwrap().problem.m().to_dmatrix();
    assert_eq!(m, m.transpose());
    let skew = r#"{"name": "p", "M": [[3, 0.5], [0.25, 2]], "q": [-1, 4]}"#;
    let m = shrunk(&subject, "", skew).unwrap().problem.m().to_dmatrix();
    assert_eq!(m.iter().filter(|value| **value != 0.0).count(), 1);
}

#[test]
fn no_friction_row_is_left_without_its_normal() {
    let text = r#"{"name": "p", "M": [[3, 0, 0], [0, 2, 0], [0, 0, 1]], "q": [-3, 1, 1],
        "friction": [{"row": 1, "normal": 0, "mu": 0.5}]}"#;
    let draft = Draft::of(&problem(text)).unwrap();
    let left = moves::without_rows(&draft, 0, 1).unwrap();
    assert_eq!((left.q, left.friction.len()), (vec![1.0], 0));
}

#[test]
fn a_right_solver_leaves_nothing_to_shrink() {
    let honest = Function::new("honest", |_, _| None);
    assert_eq!(
        shrunk(&honest, "", LARGE).unwrap_err(),
        ShrinkError::NoFault
    );
}

/// Gives up on everything but friction, where it is wrong.
struct Slides;

impl Solver for Slides {
    fn name(&self) -> &str {
        "slides"
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let one = || etalon_lcp::Number::from_f64(1.0).unwrap();
        if problem.friction().is_empty() {
            return Claim::failed(problem.name(), "no friction");
        }
        let z = (0..problem.n()).map(|_| one()).collect();
        Claim::new(problem.name(), etalon_lcp::ClaimedAnswer::Solved { z })
    }
}

#[test]
fn friction_rows_go_with_their_normal_rows() {
    let text = r#"{"name": "p", "M": [[3, 0.5, 0, 0], [0.5, 2, 0, 0], [0, 0, 3, 0.25], [0, 0, 0.25, 2]],
        "q": [-3, 0.3, -2, 0.7], "lower": [0, 0, 0, 0],
        "friction": [{"row": 1, "normal": 0, "mu": 0.3}, {"row": 3, "normal": 2, "mu": 0.7}]}"#;
    let subject = InProcess(Slides);
    let examiner = Examiner {
        can: "friction,unsolvable".parse::<Capabilities>().unwrap(),
        ..Examiner::default()
    };
    let shrinker = Shrinker {
        subject: &subject,
        examiner: &examiner,
        keep: KeptProperties::default(),
        limits: LIMITS,
    };
    let small = shrinker.shrink(&problem(text)).unwrap().problem;
    assert_eq!((small.n(), small.friction().len()), (2, 1));
    assert!(small.lower().is_none());
}

/// Presses each contact until it no longer sinks, row by row, and knows of no friction.
struct Frictionless;

impl Solver for Frictionless {
    fn name(&self) -> &str {
        "frictionless"
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let mut z = vec![0.0; problem.n()];
        for cone in problem.cones() {
            let i = cone.normal;
            let own = problem.m().get(i, i).map_or(0.0, |own| own.to_f64());
            z[i] = (-problem.q()[i].to_f64() / own).max(0.0);
        }
        let z = z
            .into_iter()
            .filter_map(etalon_lcp::Number::from_f64)
            .collect();
        Claim::new(problem.name(), etalon_lcp::ClaimedAnswer::Solved { z })
    }
}

const CONTACTS: &str = r#"{"name": "p", "M": [[2.5,0,0,0,0,0,0],[0,1.5,0.25,0,0,0,0],[0,0.25,1.75,0,0,0,0],[0,0,0,2,0,0,0.125],
    [0,0,0,0,1.125,0,0],[0,0,0,0,0,1,0],[0,0,0,0.125,0,0,3]], "q": [-1.25,0.75,0.375,-3.5,1.75,-0.625,0.5],
    "scale": [1,1,1,1,1,1,1], "cones": [{"rows": [0,1,2], "mu": [0.3,0.7]}, {"normal": 3, "discs": [{"rows": [4,5], "mu": 0.6}, {"rows": [6], "mu": 0.1}]}]}"#;

#[test]
fn of_contacts_one_stays_with_one_row_of_friction() {
    let subject = InProcess(Frictionless);
    let mut examiner = Examiner::default();
    (examiner.can.cones, examiner.can.product_cones) = (true, true);
    let shrinker = Shrinker {
        subject: &subject,
        examiner: &examiner,
        keep: KeptProperties::default(),
        limits: LIMITS,
    };
    let small = shrinker.shrink(&problem(CONTACTS)).unwrap();
    assert_eq!(small.fault, Fault::Wrong);
    assert!(small.finished);
    let small = small.problem;
    // A normal and a tangent, whose slip friction would stop: nothing smaller shows it.
    assert_eq!((small.n(), small.cones().len()), (2, 1), "{small:?}");
    assert_eq!(small.scale(), None);
    let disc = &small.cones()[0].discs[0];
    assert_eq!((disc.rows.len(), disc.mu.of(0).to_f64()), (1, 1.0));
}

#[test]
fn a_row_of_a_disc_takes_its_own_coefficient_along() {
    let draft = Draft::of(&problem(CONTACTS)).unwrap();
    let smaller = |from: usize, block: usize| {
        let draft = moves::without_rows(&draft, from, block).unwrap();
        draft.into_problem(String::new()).unwrap()
    };
    let without_tangent = smaller(1, 1);
    let disc = &without_tangent.cones()[0].discs[0];
    assert_eq!(
        (disc.rows.as_slice(), disc.mu.of(0).to_f64()),
        (&[1][..], 0.7)
    );
    // A normal takes its contact along, and the last row of a disc the disc.
    let without_normal = smaller(0, 1);
    assert_eq!(
        (without_normal.n(), without_normal.cones()[0].normal),
        (4, 0)
    );
    assert_eq!(smaller(6, 1).cones()[1].discs.len(), 1);
    assert_eq!(smaller(4, 3).cones()[1].discs.len(), 0);
}
