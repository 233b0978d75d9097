//! Answers to problems with friction cones: the wrong ones that are small beside other forces are rejected, the right ones
//! that carry rounding where 0 is meant are accepted, in all units.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{Tolerance, Truth, check_claim, evaluate};
use etalon_lcp::{
    Claim, ClaimedAnswer, Grade, Measures, Number, Problem, Snapped, Verdict, VerdictKind, record,
};
use rug::Rational;

fn fractions(text: &str) -> Vec<Rational> {
    let words = text.split_whitespace();
    words
        .map(|word| etalon_lcp::parse_rational(word).unwrap())
        .collect()
}

/// M is the unit matrix but for further entries; contacts of three rows, mu = 1/2, begin at `cones`. Rows of one unit are
/// multiplied by powers of two, and their unknowns divided by others.
struct Case {
    more: &'static [(usize, usize, i32)],
    q: &'static str,
    cones: &'static [usize],
    z: &'static str,
}

impl Case {
    fn judged(&self, [rows, columns]: [&[i32]; 2]) -> Verdict {
        let (q, z) = (fractions(self.q), fractions(self.z));
        let n = q.len();
        // A contact's rows have one unit.
        let first = |i: usize| {
            let of = self
                .cones
                .iter()
                .find(|first| (**first..**first + 3).contains(&i));
            *of.unwrap_or(&i)
        };
        let power = |by: &[i32], i: usize| Rational::from(1) << by[first(i) % by.len()];
        let entry = |i: usize, j: usize| {
            let more = self.more.iter().find(|(a, b, _)| (*a, *b) == (i, j));
            let own = more.map_or(i32::from(i == j), |(.., value)| *value);
            Rational::from(own) * power(rows, i) * power(columns, j)
        };
        let list = |values: Vec<Rational>| {
            let words: Vec<_> = values.iter().map(|value| format!("\"{value}\"")).collect();
            format!("[{}]", words.join(","))
        };
        let m = (0..n).map(|i| list((0..n).map(|j| entry(i, j)).collect()));
        let q = (0..n).map(|i| power(rows, i) * &q[i]).collect();
        let cones = self.cones.iter();
        let cones = cones.map(|k| format!(r#"{{"rows":[{k},{},{}],"mu":"1/2"}}"#, k + 1, k + 2));
        let record = format!(
            r#"{{"name":"p","M":[{}],"q":{},"cones":[{}]}}"#,
            m.collect::<Vec<_>>().join(","),
            list(q),
            cones.collect::<Vec<_>>().join(",")
        );
        let problem: Problem = record::read_problem(&record).unwrap().record;
        let z = z
            .iter()
            .enumerate()
            .map(|(j, z)| Number::from(z / power(columns, j)));
        let claim = Claim::new("p", ClaimedAnswer::Solved { z: z.collect() });
        check_claim(&problem, &claim, &Truth::default(), &Tolerance::default())
    }

    /// The verdict, the error and what is outside, which are the same in all units.
    fn in_all_units(&self) -> (VerdictKind, Rational, Rational) {
        let of = |units| {
            let verdict = self.judged(units);
            let measures = verdict.measures.unwrap();
            (
                verdict.kind,
                measures.error.clone(),
                measures.violation().clone(),
            )
        };
        let own = of([&[0], &[0]]);
        let (a, b) = ([3, -50, 17, 40, -9], [-30, 45, 8, -21, 33, 2, 60]);
        for units in [
            [&a[..], &[0]],
            [&[0], &b[..]],
            [&b[..], &a[..]],
            [&a[1..], &b[2..]],
        ] {
            assert_eq!(of(units), own, "{} {units:?}", self.z);
        }
        own
    }
}

/// A force of 1e12 has nothing to do with the others.
#[test]
fn what_is_wrong_is_not_little_beside_other_forces() {
    let case = |q, cones, z| {
        Case {
            more: &[],
            q,
            cones,
            z,
        }
        .in_all_units()
    };
    let rejected = |(kind, _, outside): (VerdictKind, Rational, Rational), figure: &str| {
        assert_eq!(kind, VerdictKind::Rejected, "{figure}");
        assert_eq!(outside, fractions(figure)[0]);
    };
    // -999 where z >= 0 and w = 5, in a plain row and in a contact.
    rejected(
        case("-1 0 0 -1000000000000 5", &[0], "1 0 0 1000000000000 -999"),
        "999/5",
    );
    let two = &[0, 3];
    let q = "-1000000000000 0 0 5 0 0";
    rejected(case(q, two, "1000000000000 0 0 -999 0 0"), "999/5");
    // Open with a force, which the law does not let be there.
    rejected(case(q, two, "1000000000000 0 0 1/2 0 0"), "0");
    // Friction of 18 times its bound: it moves by 17/2, and the contact holds 1 + 9 besides 5.
    let q = "-1000000000000 0 0 -1 5 0";
    let (kind, _, outside) = case(q, two, "1000000000000 0 0 1 -9 0");
    assert_eq!(kind, VerdictKind::Rejected);
    assert!(
        outside > fractions("1/2")[0] && outside < fractions("9/10")[0],
        "{outside}"
    );
}

#[test]
fn rounding_where_zero_is_meant_is_accepted() {
    let case = |q, cones, z| {
        Case {
            more: &[],
            q,
            cones,
            z,
        }
        .in_all_units()
    };
    let accepted = |(kind, error, outside): (VerdictKind, Rational, Rational), most: &str| {
        assert_eq!(kind, VerdictKind::Accepted);
        let most = &fractions(most)[0];
        assert!(error <= *most && outside <= *most, "{error} {outside}");
    };
    // An interior point's contact that is open, and row.
    accepted(case("-1 0 0 5 0 0", &[0, 3], "1 0 0 1e-11 0 0"), "2e-12");
    accepted(
        case("-1 0 0 5 0 0", &[0, 3], "1 0 0 1e-11 4e-12 -2e-12"),
        "2e-12",
    );
    accepted(case("-1 0 0 5", &[0], "1 0 0 1e-11"), "2e-12");
    // On the wrong side.
    accepted(
        case("-1 0 0 5 0 0", &[0, 3], "1 0 0 -1e-16 3e-17 0"),
        "1e-16",
    );
    accepted(case("-1 0 0 5", &[0], "1 0 0 -1e-16"), "1e-16");
    // Friction that rounding leaves outside, of a force that is rounding itself.
    accepted(
        case("-1 0 0 5 0 0", &[0, 3], "1 0 0 1e-16 3e-16 0"),
        "1e-15",
    );
    // Beside the tolerance it is wrong.
    let wrong = case("-1 0 0 5 0 0", &[0, 3], "1 0 0 1e-8 0 0");
    assert_eq!(wrong.0, VerdictKind::Rejected);
}

/// What is measured of an answer as it stands.
fn measures(q: &'static str, cones: &'static [usize], z: &'static str) -> Measures {
    let case = Case {
        more: &[],
        q,
        cones,
        z,
    };
    case.judged([&[0], &[0]]).measures.unwrap()
}

#[test]
fn what_is_moved_counts_as_an_error_where_it_acquits() {
    let two = &[0, 3];
    let in_size = |power: u64| Rational::from((1, power / 2 + 1));
    let one = |furthest: &Rational| Snapped {
        entries: 1,
        furthest: furthest.clone(),
    };
    // A force of 1e-11 where the contact is open and w = 5 + 1e-11: moved for the error, in its size, and not for the
    // backward error, which lets go of 1e-12 only.
    let own = measures("-1 0 0 5 0 0", two, "1 0 0 1e-11 0 0");
    let far = in_size(1_000_000_000_000);
    assert_eq!(
        (&own.error, &own.backward_error),
        (&far, &Rational::from(1))
    );
    assert_eq!((own.moved, own.snapped), (one(&far), Snapped::default()));
    assert_eq!((own.block_error, own.worst_row), (Some(far), None));
    // Within that it counts for nothing.
    let own = measures("-1 0 0 5 0 0", two, "1 0 0 1e-13 0 0");
    assert!(own.error == 0 && own.backward_error == 0);
    let near = one(&in_size(100_000_000_000_000));
    assert_eq!((&own.moved, &own.snapped), (&near, &near));
    // Beside w = 1/10 of 1 + 11/10 in a plain row, which no move mends: what is near moves, and what is not stays.
    let own = measures("-1 0 0 5 0 0 -1", two, "1 0 0 1e-13 0 0 11/10");
    let wrong = Rational::from((1, 21));
    assert_eq!((own.error, own.backward_error), (wrong.clone(), wrong));
    assert_eq!(
        (own.worst_row, &own.moved, &own.snapped),
        (Some(6), &near, &near)
    );
    let own = measures("-1 0 0 5 0 0 -1", two, "1 0 0 1e-11 0 0 11/10");
    assert!(own.error == 1 && own.backward_error == 1 && own.worst_row == Some(3));
    assert_eq!(
        (own.moved, own.snapped),
        (Snapped::default(), Snapped::default())
    );
}

#[test]
fn rows_outside_are_named_and_the_residual_is_told() {
    let outside = measures("-1 0 0 -1000000000000 5", &[0], "1 0 0 1000000000000 -999");
    assert_eq!(outside.negative_row, Some(4));
    let outside = measures("-1 0 0 5 0 0", &[0, 3], "1 0 0 -1 0 0");
    assert_eq!(outside.negative_row, Some(3));
    // r = 1 and u = -1 at N.
    assert_eq!(
        measures("-2 0 0", &[0], "1 0 0").residual,
        Some(Rational::from(1))
    );
    // An exact answer has the residual 0; but products under the convex law have none.
    let exact = |law: &str| {
        let record = format!(
            r#"{{"name":"p","M":[[1,0,0],[0,1,0],[0,0,1]],"q":[-1,0,0],"cones":[{{"normal":0,
            "discs":[{{"rows":[1],"mu":1}},{{"rows":[2],"mu":1}}],"law":"{law}"}}]}}"#
        );
        let problem: Problem = record::read_problem(&record).unwrap().record;
        let z = fractions("1 0 0").into_iter().map(Number::from).collect();
        let claim = Claim::new("p", ClaimedAnswer::Solved { z });
        let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
        verdict.measures.unwrap().residual
    };
    assert_eq!(exact("coulomb"), Some(Rational::new()));
    assert_eq!(exact("convex"), None);
}

/// Contacts that press each other: the first row that notices a force measures it, and not its own alone.
#[test]
fn a_force_is_measured_by_all_that_see_it() {
    let more = &[(0, 3, -1), (3, 0, -1), (0, 0, 2), (3, 3, 2)];
    let case = |q, z| {
        Case {
            more,
            q,
            cones: &[0, 3],
            z,
        }
        .in_all_units()
    };
    // Contact 0 is open by 1e10, and contact 1 presses with 1/2. Row 3 notices -1 for 0: its size is 1 + 2 * 1, as
    // z_3 has the carried size s_3 / 2 = 1.
    let (kind, _, outside) = case("1e10 0 0 -1 0 0", "-1 0 0 1/2 0 0");
    assert_eq!(kind, VerdictKind::Rejected);
    assert_eq!(outside, fractions("1/3")[0]);
    let (kind, ..) = case("1e10 0 0 -1 0 0", "-1e-12 0 0 1/2 0 0");
    assert_eq!(kind, VerdictKind::Accepted);
}

/// Friction of 4/5 where 1/2 is allowed, beside 10 that both contacts see, the first also by 3 of its own: it moves by
/// 3/10 of 10 and its own 9/5.
#[test]
fn friction_is_measured_by_the_forces_that_act_where_it_does() {
    let case = |q, z| {
        let more = &[(0, 3, 1), (3, 0, 1), (0, 0, 3)];
        let own = Case {
            more,
            q,
            cones: &[0, 3],
            z,
        };
        own.in_all_units()
    };
    let (kind, _, negativity) = case("-31 0 0 -11 -4/5 0", "10 0 0 1 4/5 0");
    assert_eq!(kind, VerdictKind::Rejected);
    assert_eq!(negativity, fractions("3/118")[0]);
    // A plain row's force of 100 counts for nothing.
    let plain = case("-31 0 0 -11 -4/5 0 -100", "10 0 0 1 4/5 0 100");
    assert_eq!(plain.2, fractions("3/118")[0]);
}

/// A row that nothing measures need not move.
#[test]
fn what_stays_costs_nothing() {
    let own = Case {
        more: &[(5, 5, 0)],
        q: "-1 0 0 5 0 0",
        cones: &[0, 3],
        z: "1 0 0 1e-11 0 0",
    };
    let (kind, error, _) = own.in_all_units();
    assert_eq!(kind, VerdictKind::Accepted);
    assert!(error < fractions("2e-12")[0]);
    // One that has to move goes all of its size.
    let own = Case {
        more: &[(3, 3, 0)],
        q: "-1 0 0 0 0 0",
        cones: &[0, 3],
        z: "1 0 0 -1 0 0",
    };
    let (kind, _, negativity) = own.in_all_units();
    assert!(kind == VerdictKind::Rejected && negativity == 1);
}

/// M is the unit matrix but for further entries as in a record, with such cones, bounds and an answer.
fn measured(more: &str, q: &str, cones: &str, lower: &str, z: &str) -> (VerdictKind, Measures) {
    let n = z.split_whitespace().count();
    let own = |i: usize, j: usize| match more.split(' ').find(|one| *one == format!("{i},{j}")) {
        Some(_) => 1,
        None => i32::from(i == j),
    };
    let rows = (0..n).map(|i| format!("{:?}", (0..n).map(|j| own(i, j)).collect::<Vec<_>>()));
    let list = |text: &str| format!("{:?}", text.split_whitespace().collect::<Vec<_>>());
    let record = format!(
        r#"{{"name":"p","M":[{}],"q":{},"cones":[{cones}],"lower":{}}}"#,
        rows.collect::<Vec<_>>().join(","),
        list(q),
        list(lower)
    );
    let problem: Problem = record::read_problem(&record).unwrap().record;
    let z = fractions(z).into_iter().map(Number::from).collect();
    let claim = Claim::new("p", ClaimedAnswer::Solved { z });
    let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
    (verdict.kind, verdict.measures.unwrap())
}

#[test]
fn what_is_near_a_bound_or_a_boundary_goes_there() {
    let cone = r#"{"rows":[0,1,2],"mu":"1/2"}"#;
    // A row at the bound 2 where w = 1, below it by 1e-12 of it.
    let at = |z: &str| measured("", "-1 0 0 -1", cone, "0 0 0 2", z);
    let (kind, own) = at(&format!("1 0 0 {}", "1.999999999998"));
    assert_eq!((kind, own.negative_row), (VerdictKind::Accepted, Some(3)));
    assert_eq!(own.negativity, fractions("1e-12")[0]);
    // Above it by more than is let go of, and by less than the tolerance.
    let (kind, own) = at("1 0 0 2.000000000002");
    assert_eq!(kind, VerdictKind::Accepted);
    assert!(own.moved.entries == 1 && own.error <= fractions("3e-12")[0]);
    // Friction of 1/2 that is 1e-13 inside, and outside, where it slides: on the boundary there is no error.
    for z in ["1 -0.49999999999995 0", "1 -0.50000000000005 0"] {
        let (kind, own) = measured("", "-1 5 0", cone, "0 0 0", z);
        assert_eq!(kind, VerdictKind::Accepted);
        let none = &fractions("1e-25")[0];
        assert!(
            own.error < *none && own.backward_error < *none,
            "{z} {own:?}"
        );
    }
    // Inside by 1e-7 of a force of 1/1000 beside 10: it moves by 5e-11 of 10.0015.
    let cones = format!(r#"{cone},{{"rows":[3,4,5],"mu":"1/2"}}"#);
    let z = "10 0 0 0.001 -0.00049999995 0";
    let (kind, own) = measured(
        "0,3 3,0",
        "-10.001 0 0 -10.001 5 0",
        &cones,
        "0 0 0 0 0 0",
        z,
    );
    assert_eq!((kind, own.moved.entries), (VerdictKind::Accepted, 1));
    assert!(
        own.error > fractions("4.99e-12")[0] && own.error < fractions("5e-12")[0],
        "{own:?}"
    );
    // w = 2e-9 / (1 + 1e-9) of 1 + |q| is 1e-9 exactly, which is within the tolerance.
    let q = "-999999999/1000000001 0 0";
    let (kind, own) = measured("", q, cone, "0 0 0", "1 0 0");
    assert!(kind == VerdictKind::Accepted && own.error == fractions("1e-9")[0]);
    // Friction without a normal force goes to 0.
    let open = |z: &str| measured("", "-1 0 0 5 0 0", &cones, "0 0 0 0 0 0", z).0;
    assert_eq!(open("1 0 0 0 1e-16 0"), VerdictKind::Accepted);
    assert_eq!(open("1 0 0 0 3 0"), VerdictKind::Rejected);
}

/// |r - P_K(r - u - g e_N)| by hand, with u = r + q.
#[test]
fn the_residual_is_the_distance_to_a_projection() {
    let is = |cone: &str, q: &str, z: &str, expected: &str| {
        let lower = z.split(' ').map(|_| "0").collect::<Vec<_>>().join(" ");
        let found = measured("", q, cone, &lower, z).1.residual.unwrap();
        // Roots are rounded up.
        let expected = &fractions(expected)[0];
        assert!(found >= *expected && found < expected + (Rational::from(1) >> 99));
    };
    let (coulomb, convex) = (
        r#"{"rows":[0,1,2],"mu":"3/4"}"#,
        r#"{"rows":[0,1,2],"mu":"3/4","law":"convex"}"#,
    );
    // (-1/2, 2, 0), of which (16, 12) / 25 is the projection; lifted by Coulomb's law alone.
    is(coulomb, "-1 -2 0", "1 0 0", "3/5");
    is(convex, "1/2 -2 0", "1 0 0", "3/5");
    // Where the apex is nearest all of the force is left; inside of the cone all of the velocity.
    is(convex, "96 -3 0", "4 3 0", "5");
    is(convex, "6 5 0", "4 3 0", "5");
    is(convex, "-16 -4 -3", "20 4 0", "5");
    // Disc by disc: 1 at N, 2 of a disc that slides with mu = 2, and 1/2 times 1/2 of one inside with mu = 1/2.
    let discs = r#"{"normal":0,"discs":[{"rows":[1],"mu":2},{"rows":[2],"mu":"1/2"}]}"#;
    is(discs, "-1 -3 1", "2 0 0", "9/4");
    is(discs, "-1 -4 1", "2 4 0", "9/4");
    is(discs, "-2 -13/2 1", "3 6 0", "9/4");
    is(discs, "-2 -5/2 1", "3 3 0", "9/4");
}

/// Friction is 1e-13 beyond its cone and moved onto it. The contact's own row holds 4, and a free row 2 if it sees it: none of them
/// notices anything.
#[test]
fn moves_that_rows_excuse_are_not_far() {
    for sees in [0, 1] {
        let problem = format!(
            r#"{{"name":"p","M":[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,{sees},0,1]],"q":[-1,3,0,0],
            "lower":[0,0,0,"-inf"],"cones":[{{"rows":[0,1,2],"mu":1,"law":"coulomb"}}]}}"#
        );
        let problem = record::read_problem(&problem).unwrap().record;
        let mut z = fractions("1 -1.0000000000001 0");
        z.push(Rational::from(-sees) * &z[1]);
        let evaluation = evaluate(&problem, &z, &Tolerance::default()).unwrap();
        let own = &evaluation.measures;
        assert!(own.moved.entries == 1 && own.error < Rational::from((1, 1_000_000_000)));
        assert_eq!((own.moves_far, &evaluation.far), (false, &None));
    }
}

/// A force is 1e-10 below its upper bound 1, and plain friction at half of it. Both go to their bounds, by 1e-10 and half of that.
#[test]
fn plain_friction_goes_along_with_its_force_beside_a_cone() {
    let problem = r#"{"name":"p","M":[[1,0,0,0,0],[0,1,0,0,0],[0,0,1,0,0],[0,0,0,1,0],[0,0,0,0,1]],"q":[-1,0,0,-3,-3],
        "upper":["inf","inf","inf",1,"inf"],"friction":[{"row":4,"normal":3,"mu":0.5}],
        "cones":[{"rows":[0,1,2],"mu":1}]}"#;
    let problem = record::read_problem(problem).unwrap().record;
    let z = fractions("1 0 0 0.9999999999 0.49999999995");
    let measures = evaluate(&problem, &z, &Tolerance::default())
        .unwrap()
        .measures;
    assert_eq!(measures.error, Rational::from((1, 10_000_000_000_u64)));
    assert_eq!(measures.moved.entries, 2);
}

/// A force of 1e-10 is to be 0, and friction of 5e-8 along with it, which its own row notices: it holds 1e-7.
#[test]
fn plain_friction_is_not_moved_for_nothing_beside_a_cone() {
    let problem = r#"{"name":"p","M":[[1,0,0,0,0],[0,1,0,0,0],[0,0,1,0,0],[0,0,0,1,0],[0,0,0,0,1]],"q":[-1,0,0,1,-5e-8],
        "friction":[{"row":4,"normal":3,"mu":1000}],"cones":[{"rows":[0,1,2],"mu":1}]}"#;
    let problem = record::read_problem(problem).unwrap().record;
    let z = fractions("1 0 0 1e-10 5e-8");
    let measures = evaluate(&problem, &z, &Tolerance::default())
        .unwrap()
        .measures;
    assert!(measures.error > Rational::from((1, 10)), "{measures:?}");
}

/// Two contacts, the solution (7e-18, 0, 0, 1, 0, 0): a missed one is gross, a tiny one beside it is not, in all units in which
/// rows and unknowns of a contact are reciprocal.
#[test]
fn a_tiny_contact_missed_beside_a_large_one_is_not_gross() {
    let case = |z| Case {
        more: &[],
        q: "-7e-18 0 0 -1 0 0",
        cones: &[0, 3],
        z,
    };
    // Contact 1 feels contact 0.
    let coupled = |z| Case {
        more: &[(3, 0, 1)],
        ..case(z)
    };
    let cases = [
        (case("7e-18 0 0 0 0 0"), Grade::Gross),
        (case("7e-18 0 0 2 0 0"), Grade::Gross),
        // Friction without a reason, and outside of its cone.
        (case("7e-18 0 0 1 0.1 0"), Grade::Gross),
        (case("7e-18 0 0 1 0.6 0"), Grade::Gross),
        (case("0 0 0 1 0 0"), Grade::Wrong),
        (case("-7e-18 0 0 1 0 0"), Grade::Wrong),
        (case("7e-18 3e-18 0 1 0 0"), Grade::Wrong),
        (case("0 2e-16 0 1 0 0"), Grade::Wrong),
        (coupled("0 0 0 0 0 0"), Grade::Gross),
        (coupled("0 0 0 1 0 0"), Grade::Wrong),
    ];
    for (k, (case, grade)) in cases.iter().enumerate() {
        // By a power of two for each contact: contact 1's rows, and its unknowns divided by the same.
        for units in [[0, 0], [20, -3], [-20, 5], [0, 40], [40, 0]] {
            let period = [units[0], units[0], units[0], units[1], units[1], units[1]];
            let verdict = case.judged([&period, &period]);
            assert_eq!(verdict.kind, VerdictKind::Rejected, "case {k} {units:?}");
            assert_eq!(
                verdict.grade,
                Some(*grade),
                "case {k} {units:?}: {verdict:?}"
            );
        }
    }
}

#[test]
fn a_block_without_a_diagonal_is_compared_with_none() {
    let problem = r#"{"name":"p","q":["-7e-18",0,0,-1],"cones":[{"rows":[0,1,2],"mu":1}],
        "M":[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,1]]}"#;
    let problem: Problem = record::read_problem(problem).unwrap().record;
    let z = fractions("0 0 0 1").into_iter().map(Number::from);
    let claim = Claim::new("p", ClaimedAnswer::Solved { z: z.collect() });
    let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
    assert_eq!(verdict.grade, Some(Grade::Gross), "{verdict:?}");
}
