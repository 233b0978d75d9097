//! What the twin says where it is known by hand.

use super::roots::sum_of_roots_at_most;
use super::{Between, Contact, Contacts, Disc, Rational, Sizes};
use crate::twin::parse;

fn number(text: &str) -> Rational {
    parse(text).unwrap()
}

fn numbers(text: &str) -> Vec<Rational> {
    text.split_whitespace().map(number).collect()
}

/// One contact with M = I.
fn contact(q: &str, mu: &str, one: bool, convex: bool) -> Contacts {
    let q = numbers(q);
    let n = q.len();
    let disc = Disc {
        rows: (1..n).collect(),
        mu: numbers(mu),
        one,
    };
    Contacts {
        m: (0..n).map(|i| vec![(i, Rational::from(1))]).collect(),
        q,
        lower: vec![None; n],
        upper: vec![None; n],
        contacts: vec![Contact {
            normal: 0,
            discs: vec![disc],
            convex,
        }],
        blocks: Vec::new(),
        scale: Vec::new(),
    }
}

#[test]
fn sums_of_roots_are_compared_exactly() {
    let at_most =
        |squares: &str, limit: &str| sum_of_roots_at_most(&numbers(squares), &number(limit));
    assert!(at_most("4 9 16", "9"));
    assert!(!at_most("4 9 16", "8.999999999999999999999999999999"));
    assert!(at_most("2 8", "4.2426406871192851464050661726291"));
    assert!(!at_most("2 8", "4.2426406871192851464050661726290"));
    assert!(at_most("0 0", "0"));
    assert!(!at_most("1/10000000000000000000000 2", "0"));
    assert!(!at_most("", "-1/1000"));
}

#[test]
fn roots_are_between_fractions_that_are_as_near_as_asked() {
    for text in ["2", "1/3", "1e-41", "7e60"] {
        let (square, two) = (number(text), Rational::from(2));
        let Between { low, high } = Between::root(&square, 80);
        assert!(&low * &low < square && &high * &high > square, "{text}");
        assert!((&high - &low) * number("1e24") < &high * two, "{text}");
    }
    assert_eq!(
        Between::root(&number("9/4"), 5),
        Between::exactly(number("3/2"))
    );
}

/// The errors of one answer: those that hold, and smaller ones that do not.
fn has_error(problem: &Contacts, z: &str, error: &str) {
    let [as_it_is, ..] = problem.readings(&numbers(z), &Rational::from(0));
    let error = number(error);
    assert!(
        problem.holds(&as_it_is, Sizes::Entries, &error),
        "{z}: {error}"
    );
    let less = &error * number("0.999999999");
    assert!(
        !problem.holds(&as_it_is, Sizes::Entries, &less),
        "{z}: less than {error}"
    );
}

#[test]
fn errors_are_those_of_the_closed_form() {
    // h = 9: nothing but mu's change explains the force, and it changes all else.
    has_error(&contact("-1 0 0", "1 1", true, false), "1 6 8", "9");
    // A stick with |w_1| = 1/10, s_1 = 3/10.
    has_error(&contact("-1 1/5 0", "1 1", true, false), "1 -1/10 0", "1/3");
    // Open: u_N = -1/2 of s_N = 1/2.
    has_error(&contact("-1/2 0 0", "1 1", true, false), "0 0 0", "1");
    // A force straight along the slip, on the boundary, w = (0, 8/5): the row rests at eps = 1.
    has_error(&contact("-1 1 0", "3/5 3/5", true, false), "1 3/5 0", "1");
}

#[test]
fn a_mu_a_row_is_two_data() {
    // An ellipse: r on it, u_k = -r_k / mu_k^2, so exact. mu = (1, 1/2), r = (1, 3/5, 2/5).
    let right = contact("-1 -6/5 -2", "1 1/2", false, false);
    assert!(right.solves(&numbers("1 3/5 2/5")));
    // Slip against the force instead of the ellipse's normal: no solution.
    let wrong = contact("-1 -6/5 -4/5", "1 1/2", false, false);
    assert!(!wrong.solves(&numbers("1 3/5 2/5")));
}

#[test]
fn the_convex_law_lifts() {
    // r = (5, 3, 4), u = L (5, -3, -4) with L = 1.
    assert!(contact("0 -6 -8", "1 1", true, true).solves(&numbers("5 3 4")));
    assert!(!contact("0 -6 -8", "1 1", true, false).solves(&numbers("5 3 4")));
    assert!(contact("50 30 40", "1 1", true, true).solves(&numbers("0 0 0")));
    assert!(!contact("49.9999 30 40", "1 1", true, true).solves(&numbers("0 0 0")));
}

#[test]
fn negativity_is_what_no_mu_explains() {
    let problem = contact("-1 0 0", "1 1", true, false);
    let at = |z: &str| problem.negativity(&numbers(z));
    assert_eq!(at("1 6 8"), Between::exactly(number("0.9")));
    assert_eq!(at("1 3/5 4/5"), Between::exactly(number("0")));
    assert_eq!(at("-1 0 0"), Between::exactly(number("1")));
}
