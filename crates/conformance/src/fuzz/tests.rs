#![allow(clippy::needless_range_loop)]

use std::sync::Mutex;

use super::*;
use crate::subject::Function;
use etalon_lcp::record::read_problem;

/// Gauss-Seidel with too few sweeps: near the solution, and called solved.
fn hasty(m: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
    let mut z = vec![0.0; q.len()];
    for _ in 0..20 {
        for i in 0..z.len() {
            let w: f64 = m[i].iter().zip(&z).map(|(m, z)| m * z).sum::<f64>() + q[i];
            z[i] = f64::max(0.0, z[i] - w / m[i][i]);
        }
    }
    z.iter().all(|z| z.is_finite()).then_some(z)
}

#[test]
fn problems_depend_on_the_seed_and_k_alone() {
    let subject = Function::new("hasty", hasty);
    let (a, b) = (Fuzz::new(&subject, 7), Fuzz::new(&subject, 7));
    for k in (0..200).rev() {
        assert_eq!(a.problem(k), b.problem(k));
    }
    let other = Fuzz::new(&subject, 8);
    let differ = (0..60).filter(|&k| a.problem(k).0.q() != other.problem(k).0.q());
    assert!(differ.count() > 40);
    // And a recipe's next problem is another one.
    let differ =
        (0..60).filter(|&k| a.problem(k).0.q() != a.problem(k + recipes::count(false)).0.q());
    assert!(differ.count() > 40);
}

#[test]
fn every_recipe_draws_problems_that_can_be_sent() {
    let subject = Function::new("hasty", hasty);
    let mut fuzz = Fuzz::new(&subject, 3);
    let golden = r#"{"name": "g", "M": [[2, 1], [1, 2]], "q": [-1, 1],
        "friction": [{"row": 1, "normal": 0, "mu": 0.5}]}"#;
    for with_golden in [false, true] {
        if with_golden {
            fuzz.goldens = vec![read_problem(golden).unwrap().record];
        }
        for k in 0..200 * recipes::count(false) {
            let (problem, recipe) = fuzz.problem(k);
            assert!(problem.is_binary64() && problem.n() <= 12, "{recipe} {k}");
        }
    }
}

#[test]
fn cones_are_drawn_for_solvers_that_ask_for_them_alone() {
    let subject = Function::new("hasty", hasty);
    let plain = Fuzz::new(&subject, 5);
    let mut fuzz = Fuzz::new(&subject, 5);
    fuzz.examiner.can.cones = true;
    let golden = r#"{"name": "g", "M": [[2,0,0],[0,1,0],[0,0,1]], "q": [-1,1,0], "cones": [{"rows": [0,1,2], "mu": 0.5}]}"#;
    let mut shapes = std::collections::BTreeSet::new();
    for with_golden in [false, true] {
        if with_golden {
            fuzz.goldens = vec![read_problem(golden).unwrap().record];
        }
        for k in 0..100 * recipes::count(true) {
            let (problem, recipe) = fuzz.problem(k);
            assert!(problem.is_binary64(), "{recipe} {k}");
            assert_eq!(
                recipe.starts_with("cone-"),
                !problem.is_lcp(),
                "{recipe} {k}"
            );
            shapes.extend(problem.cones().iter().map(|cone| cone.rows().count()));
            if let Some(expect) = &problem.expect {
                assert!(
                    etalon_certify::prove(&problem, expect).is_ok(),
                    "{recipe} {k}"
                );
            }
        }
    }
    // From a normal alone to discs of five rows and products.
    assert!(shapes.len() > 8, "{shapes:?}");
    assert!((0..130).all(|k| plain.problem(k).0.is_lcp()));
}

#[test]
fn a_hasty_solver_is_found_out_with_small_problems() {
    let subject = Function::new("hasty", hasty);
    let mut fuzz = Fuzz::new(&subject, 1);
    fuzz.examiner.can = crate::Capabilities::pure();
    let mut told = 0;
    let report = fuzz.run(&FuzzLimits::count(130), &mut |_| told += 1);
    assert_eq!(report.findings.len(), told);
    assert!(report.sent < report.drawn);
    let small = report
        .findings
        .iter()
        .map(|finding| finding.small.problem.n());
    assert!(small.max().unwrap() <= 3, "{:?}", report.faults);
    // The same again, to the last digit.
    let again = fuzz.run(&FuzzLimits::count(130), &mut |_| {});
    let texts = |report: &FuzzReport| -> Vec<_> {
        let findings = report.findings.iter();
        findings
            .map(|f| (f.k, write_problem(&f.small.problem)))
            .collect()
    };
    assert_eq!(texts(&report), texts(&again));
}

#[test]
fn what_is_wrong_in_process_has_its_name_too() {
    let nan = Function::new("nan", |_, q| Some(vec![f64::NAN; q.len()]));
    let report = Fuzz::new(&nan, 1).run(&FuzzLimits::count(13), &mut |_| {});
    let faults: Vec<_> = report
        .faults
        .keys()
        .map(|(_, fault)| fault.word())
        .collect();
    assert!(
        faults.iter().all(|word| *word == "not-finite"),
        "{faults:?}"
    );
    assert_eq!(report.findings[0].small.problem.n(), 1);
}

/// A clock on which a second goes by whenever somebody looks.
struct Ticking(std::time::Instant, std::sync::atomic::AtomicU32);

impl crate::deadline::Clock for Ticking {
    fn now(&self) -> std::time::Instant {
        let looks = self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.0 + Duration::from_secs(looks.into())
    }
}

#[test]
fn the_search_ends_with_its_time_and_drops_the_answer_that_came_too_late() {
    let zeros = Function::new("zeros", |_, q| Some(vec![0.0; q.len()]));
    let mut fuzz = Fuzz::new(&zeros, 1);
    fuzz.shrinks = false;
    let run = |seconds| {
        let clock = Ticking(std::time::Instant::now(), 0.into());
        let deadline = Deadline::on(&clock, Some(Duration::from_secs(seconds)));
        fuzz.run_until(&FuzzLimits::count(1000), &deadline, &mut |_| {})
    };
    // Two looks for each problem that is sent, one for each that is not.
    let (none, some, more) = (run(0), run(7), run(8));
    assert_eq!((none.drawn, none.sent, none.out_of_budget), (0, 0, true));
    assert_eq!(some.drawn + some.sent, 6);
    assert!(some.out_of_budget && more.drawn + more.sent >= 6);
    assert!(!fuzz.run(&FuzzLimits::count(3), &mut |_| {}).out_of_budget);
}

#[test]
fn problems_side_by_side_find_what_one_after_another_finds() {
    let subject = Function::new("hasty", hasty);
    for limits in [
        FuzzLimits::count(150),
        FuzzLimits {
            findings: Some(2),
            ..FuzzLimits::count(400)
        },
        FuzzLimits::count(0),
    ] {
        let found = |threads: usize| {
            let mut fuzz = Fuzz::new(&subject, 11);
            fuzz.threads = threads;
            let mut told = Vec::new();
            let report = fuzz.run(&limits, &mut |finding| told.push(finding.k));
            let small = report.findings.iter().map(|finding| {
                (
                    finding.k,
                    finding.recipe,
                    finding.fault,
                    write_problem(&finding.small.problem),
                )
            });
            let findings: Vec<_> = small.collect();
            (told, findings, report.drawn, report.sent, report.faults)
        };
        let one = found(1);
        assert_eq!(found(2), one);
        assert_eq!(found(5), one);
    }
}

#[test]
fn a_deadline_that_is_over_sends_nothing_from_any_thread() {
    let subject = Function::new("never", |_: &[Vec<f64>], _: &[f64]| panic!("it was asked"));
    let mut fuzz = Fuzz::new(&subject, 1);
    fuzz.threads = 3;
    let report = fuzz.run(&FuzzLimits::budget(Duration::ZERO), &mut |_| {});
    assert!(report.out_of_budget);
    assert_eq!((report.drawn, report.sent), (0, 0));
}

/// Silent the first so many times that it is asked a problem.
struct Silent(u32, std::sync::Mutex<BTreeMap<String, u32>>);

impl Silent {
    fn asked(&self) -> u32 {
        self.1.lock().unwrap().values().sum()
    }
}

impl Subject for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn ask(&self, problem: &Problem) -> Result<etalon_lcp::Claim, crate::SubjectFailure> {
        let mut asked = self.1.lock().unwrap();
        let times = asked.entry(problem.name().to_owned()).or_default();
        *times += 1;
        if *times <= self.0 {
            let kind = crate::FailureKind::Hung;
            return Err(crate::SubjectFailure::new(kind, "no answer"));
        }
        Ok(etalon_lcp::Claim::failed(problem.name(), "it gives up"))
    }
}

#[test]
fn a_problem_that_was_not_answered_beside_others_is_asked_alone() {
    let run = |times: u32, threads: usize| {
        let subject = Silent(times, Mutex::default());
        let mut fuzz = Fuzz::new(&subject, 1);
        (fuzz.threads, fuzz.shrinks) = (threads, false);
        let report = fuzz.run(&FuzzLimits::count(30), &mut |_| {});
        (
            report.sent,
            report.faults.values().sum::<u64>(),
            subject.asked(),
        )
    };
    // Each is asked twice in any case.
    let (sent, hung, _) = run(2, 1);
    assert_eq!(hung, sent);
    let (sent, hung, asked) = run(2, 3);
    assert_eq!((hung, u64::from(asked)), (0, 3 * sent));
    // A solver that is silent alone, too, is not waited for any more.
    let (sent, hung, asked) = run(u32::MAX, 3);
    assert!(sent > u64::from(AGAIN));
    let (_, alone, asked_alone) = run(u32::MAX, 1);
    assert_eq!((hung, asked), (alone, asked_alone + 2 * AGAIN));
}
