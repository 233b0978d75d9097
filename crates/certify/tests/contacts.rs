//! Answers to problems with friction cones: the wrong ones that are small beside other forces are rejected, the right ones
//! that carry rounding where 0 is meant are accepted, in all units.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{Tolerance, Truth, judge};
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Verdict, VerdictKind, record};
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
        judge(&problem, &claim, &Truth::default(), &Tolerance::default())
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
