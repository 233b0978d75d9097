//! Bodies at rest: the block error with free rows solved, by hand (`docs/cones.md`, "Bodies at rest").

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{Tolerance, evaluate};
use etalon_lcp::{parse_rational, record};
use rug::Rational;

fn fractions(text: &str) -> Vec<Rational> {
    let words = text.split_whitespace();
    words.map(|word| parse_rational(word).unwrap()).collect()
}

/// The block error of an answer to a problem with these rows, the first ones free and the last three a contact with mu 1.
fn error(rows: &[&str], q: &str, more: &str, z: &str, tol: &str) -> Rational {
    let list = |text: &str| {
        let words: Vec<_> = text.split_whitespace().collect();
        format!("[\"{}\"]", words.join("\",\""))
    };
    let n = rows.len();
    let m: Vec<_> = rows.iter().map(|row| list(row)).collect();
    let lower = [vec!["-inf"; n - 3], vec!["0"; 3]].concat().join(" ");
    let text = format!(
        r#"{{"name":"p","M":[{}],"q":{},"lower":{},"cones":[{{"rows":[{},{},{}],"mu":1}}]{more}}}"#,
        m.join(","),
        list(q),
        list(&lower),
        n - 3,
        n - 2,
        n - 1
    );
    let problem = record::read_problem(&text).unwrap().record;
    let tolerance = Tolerance {
        tol: parse_rational(tol).unwrap(),
        ..Tolerance::default()
    };
    let measures = evaluate(&problem, &fractions(z), &tolerance);
    let measures = measures.unwrap().measures;
    assert_eq!(measures.block_error.as_ref(), Some(&measures.error));
    measures.error
}

/// The error is this one, rounded up to 24 bits where it is that of a contact.
fn assert_is(found: &Rational, expected: &str) {
    let expected = parse_rational(expected).unwrap();
    let above = &expected * Rational::from(((1 << 23) + 1, 1 << 23));
    assert!(*found >= expected && *found <= above, "{found} {expected}");
}

/// A velocity that only the normal sees, and a mass of 2.
const ONE: [&str; 4] = ["2 -1 0 0", "1 0 0 0", "0 0 0 0", "0 0 0 0"];

#[test]
fn a_contact_is_measured_with_the_rows_of_its_body() {
    let one = |z: &str, tol: &str| error(&ONE, "10 0 0 0", "", z, tol);
    // Of the body 1/2 of 41/2 is left, and of the contact nothing: 1/4 - 1/2 / 2.
    assert_is(&one("1/4 10 0 0", "1/40"), "1/41");
    // Within that, and no more: then its row is not subtracted.
    assert_is(&one("1/4 10 0 0", "1/41"), "1/41");
    assert_is(&one("1/4 10 0 0", "1/42"), "1");
    // 2/5 are left of 106/5, which are 1/5 of the contact's velocity of 2/5; the other 1/5 is of 2/5 + 106/5 / 2.
    assert_is(&one("2/5 52/5 0 0", "1/40"), "1/53");
    // The body's row holds: 1/20 is left of 1/20 + 202/10 / 2.
    assert_is(&one("1/20 101/10 0 0", "1/100"), "1/203");
    assert_is(&one("1/20 101/10 0 0", "1/203"), "1/203");
    assert_is(&one("1/20 101/10 0 0", "1/204"), "1");
    // Nothing presses, and the weight falls onto the contact; or what presses is doubled.
    assert_is(&one("-5 0 0 0", "1/10"), "1");
    assert_is(&one("5 20 0 0", "1/10"), "1");
}

#[test]
fn the_rows_of_a_block_have_the_largest_size() {
    // The normal sees the first velocity and the tangent the second, whose row holds 1000 for 1.
    let rows = [
        "2 0 -1 0 0",
        "0 2 0 -1 0",
        "1 0 0 0 0",
        "0 1 0 0 0",
        "0 0 0 0 0",
    ];
    // w_N = 1/20 is left of 1/20 + 1/1000 and half of the larger row of the body, entry by entry.
    let with = |q: &str, tol: &str| error(&rows, q, "", "1/20 1/1000 101/10 -1 0", tol);
    let q = "10 -501/500 0 0 0";
    // Those rows: 1/10 + 10 + 101/10, and 1/500 + 501/500 + 1.
    assert_is(&with(q, "1/100"), "50/10151");
    // So it is for the tangent: 1/20 of 1/20 + (10 + 10) / 2, while its own body's row has 1/10 + 1 + 11/10.
    let of_tangent = error(&rows, "10 -11/10 0 0 0", "", "0 1/20 10 -1 0", "1/100");
    assert_is(&of_tangent, "1/201");
    // With blocks of single rows the normal has its own: 1/20 + (1/10 + 10 + 101/10) / 2.
    let blocks = r#","blocks":[[2],[3],[4]]"#;
    let alone = error(&rows, q, blocks, "1/20 1/1000 101/10 -1 0", "1/100");
    assert_is(&alone, "1/203");
}

#[test]
fn rigid_joints_are_measured_with_the_bodies_that_they_hold() {
    // The joint holds the velocity at 0 and bears 4 of 10.
    let rows = [
        "2 -1 -1 0 0",
        "1 0 0 0 0",
        "1 0 0 0 0",
        "0 0 0 0 0",
        "0 0 0 0 0",
    ];
    let z = "1/20 41/10 6 0 0";
    // 1/20 is left in both, of 1/20 + (1/10 + 10 + 41/10 + 6) / 2.
    assert_is(&error(&rows, "10 0 0 0 0", "", z, "1/100"), "1/203");
    // Two joints hold the same velocity, at 0 exactly, and bear 1 and 2 between them.
    let redundant = [
        "2 1 0 0 -1 0 0",
        "1 2 -1 -1 0 0 0",
        "0 1 0 0 0 0 0",
        "0 1 0 0 0 0 0",
        "1 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
    ];
    // Y = (2/3, -1/3): 1/20 is left of 1/20 + 2/3 202/10 + 1/3 6.
    let z = "1/20 0 1 2 101/10 0 0";
    let found = error(&redundant, "10 59/20 0 0 0 0 0", "", z, "1/100");
    assert_is(&found, "3/931");
    // Of two bodies with a joint each the worse one counts, in either order: 1/20 of 203/20, or of 20003/20.
    let two = [
        "2 0 -1 0 0 0 0",
        "0 2 0 -1 0 0 0",
        "1 0 0 0 0 0 0",
        "0 1 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
    ];
    for (q, z) in [
        ("10 1000 0 0 0 0 0", "1/20 1/20 101/10 10001/10 0 0 0"),
        ("1000 10 0 0 0 0 0", "1/20 1/20 10001/10 101/10 0 0 0"),
    ] {
        assert_is(&error(&two, q, "", z, "1/100"), "1/203");
    }
    // It bears 5.
    let z = "1/2 5 6 0 0";
    assert_is(&error(&rows, "10 0 0 0 0", "", z, "1/100"), "1");
}

/// A joint in one block with the row of the body that it holds, which is small beside that of another body.
#[test]
fn rows_of_bodies_in_the_block_of_a_joint_are_subtracted_as_they_are() {
    let rows = [
        "2 1 0 0 0 0 0",
        "1 2 0 -1 0 0 0",
        "1 0 0 0 0 0 0",
        "0 1 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
    ];
    let q = "0 1000 0 0.09999 0 0 0";
    let z = "1/20 -0.09999 0 999.85002 0 0 0";
    let found = error(&rows, q, r#","blocks":[[0,2]]"#, z, "1/100");
    // Y = (2/3, -1/3), and the row holds 1/100000: 0.14998/3 is left of 0.19999 + 2/3 0.19999 + 1/3 2000.1.
    assert_is(&found, "14998/200109995");
}

#[test]
fn what_has_no_rows_to_subtract_keeps_its_error() {
    let error = |rows: &[&str], z: &str| error(rows, "10 0 0 0", "", z, "1/100");
    // The free row has an unknown of its own, or none.
    assert_is(&error(&ONE, "1/20 101/10 0 0"), "1/203");
    let none = ["0 -1 0 0", "1 0 0 0", "0 0 0 0", "0 0 0 0"];
    assert_is(&error(&none, "1/20 10 0 0"), "1");
    // Two rows are one: their block is singular.
    let twice = [
        "1 1 -1 0 0",
        "1 1 -1 0 0",
        "1 1 0 0 0",
        "0 0 0 0 0",
        "0 0 0 0 0",
    ];
    let z = "1/20 1/20 101/10 0 0";
    let singular = at_a_hundredth(&twice, "10 10 0 0 0", z);
    assert_is(&singular, "1");
    // Two that are not, the second of which the contact does not see.
    let other = [
        "1 1 -1 0 0",
        "1 2 -1 0 0",
        "1 1 0 0 0",
        "0 0 0 0 0",
        "0 0 0 0 0",
    ];
    // Y = (1, 0): 1/10 is left of 1/10 + 1/10 + 10 + 101/10.
    assert_is(
        &at_a_hundredth(&other, "10 199/20 0 0 0", "1/20 1/20 101/10 0 0"),
        "1/203",
    );
}

/// With a tolerance of a hundredth.
fn at_a_hundredth(rows: &[&str], q: &str, z: &str) -> Rational {
    error(rows, q, "", z, "1/100")
}

/// Two velocities that the masses couple, of which the contact's normal sees the first.
const COUPLED: [&str; 5] = [
    "2 1 -1 0 0",
    "1 2 0 0 0",
    "1 0 0 0 0",
    "0 0 0 0 0",
    "0 0 0 0 0",
];

#[test]
fn a_row_of_a_body_is_measured_by_itself() {
    let z = "1/20 0 101/10 1 0";
    // The second row holds 51/1000 for 0, whatever the first one holds: data of its own are in it.
    let found = at_a_hundredth(&COUPLED, "10 1/1000 0 0 0", z);
    assert_is(&found, "1");
    let scale = r#","scale":[0,"1/1000",0,0,0]"#;
    let found = error(&COUPLED, "10 0 0 0 0", scale, z, "1/100");
    assert_is(&found, "1");
    // Or a force enters it, here that of the tangent.
    let mut rows = COUPLED;
    rows[1] = "1 2 0 -1/1000 0";
    let found = at_a_hundredth(&rows, "10 0 0 0 0", z);
    assert_is(&found, "1");
    // Both rows hold. Y = (2/3, -1/3): 1/20 is left of 1/20 + 2/3 (1/10 + 1/40 + 403/40 + 10) + 1/3 (1/20 + 1/20).
    let found = at_a_hundredth(&COUPLED, "10 0 0 0 0", "1/20 -1/40 403/40 0 0");
    assert_is(&found, "1/271");
}

#[test]
fn an_idle_row_of_a_body_has_the_size_that_masses_carry_into_it() {
    let at = |z: &str, tol: &str| error(&COUPLED, "10 0 0 0 0", "", z, tol);
    // The second row holds 1/20, and half of 202/10 is carried into it. The contact has 1/20 + 1/60, which is less of its size.
    let z = "1/20 0 101/10 0 0";
    assert_is(&at(z, "1/100"), "1/202");
    assert_is(&at(z, "1/202"), "1/202");
    assert_is(&at(z, "1/203"), "1");
    // 1/5 of 101/10. The contact is right by itself.
    assert_is(&at("0 1/10 101/10 0 0", "1/40"), "2/101");
    assert_is(&at("0 1/10 101/10 0 0", "1/60"), "1");
    // No force enters either row, and none is carried.
    let unseen = error(&COUPLED, "0 0 0 0 0", "", "1/20 0 0 0 0", "1/40");
    assert_is(&unseen, "1");
    // Nor where the masses do not couple them.
    let mut rows = COUPLED;
    (rows[0], rows[1]) = ("2 0 -1 0 0", "0 2 0 0 0");
    let alone = at_a_hundredth(&rows, "10 0 0 0 0", "1/20 1/20 101/10 0 0");
    assert_is(&alone, "1");
}

#[test]
fn a_row_that_holds_rounding_of_data_and_forces_is_idle() {
    let at = |q: &str, entry: &str, z: &str| {
        let mut rows = COUPLED;
        let row = format!("1 2 0 {entry} 0");
        rows[1] = &row;
        error(&rows, q, "", z, "1e-9")
    };
    let z = "1e-17 -3e-17 10 1 0";
    // Half of 20 is carried into the second row, and 2^-40 of that is 9.1e-12.
    for (q, entry) in [
        ("10 9e-17 0 0 0", "0"),
        ("10 9e-12 0 0 0", "0"),
        ("10 0 0 0 0", "9e-12"),
    ] {
        assert!(
            at(q, entry, z) < Rational::from((1, 1_000_000_000)),
            "{q}, {entry}"
        );
    }
    for (q, entry) in [("10 92e-13 0 0 0", "0"), ("10 0 0 0 0", "92e-13")] {
        assert_is(&at(q, entry, z), "1");
    }
    // The first velocity is more than rounding: its row holds 2e-10 of 20.
    assert_is(&at("10 9e-17 0 0 0", "0", "1e-10 -3e-17 10 1 0"), "1");
}

/// A velocity that a joint holds at 0 against 1000, and one that an idle row leaves at 1. The contact's rows see both, so that
/// nothing of the first body's row is subtracted from them: Y = (0, 1/2).
#[test]
fn what_an_idle_row_leaves_open_hides_no_wrong_contact() {
    let rows = [
        "2 1 -1 -1/2 0 0",
        "1 2 0 -1 0 0",
        "1 0 0 0 0 0",
        "1/2 1 0 0 0 0",
        "1/2 1 0 0 0 0",
        "0 0 0 0 0 0",
    ];
    let at = |of_contact: &str| {
        let q = format!("1000 0 0 {of_contact} 0");
        at_a_hundredth(&rows, &q, "0 1 1001 0 0 0")
    };
    // The contact parts by 2, and by 1 where the second row holds. That holds 2 beside half of 2002.
    assert_is(&at("1 5"), "2/1001");
    // It parts by 1/2, and overlaps by 1/2 where that row holds.
    assert_is(&at("-1/2 5"), "1");
    // A joint that sees the same holds, or does where that row holds.
    let rows = [
        "2 1 -1 -1/2 0 0 0",
        "1 2 0 -1 0 0 0",
        "1 0 0 0 0 0 0",
        "1/2 1 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
    ];
    for (of_joint, expected) in [("-1", "1"), ("0", "2/1001")] {
        let q = format!("1000 0 0 {of_joint} 0 0 0");
        assert_is(&at_a_hundredth(&rows, &q, "0 1 1001 0 0 0 0"), expected);
    }
}

/// The first body's row holds 4 of 196, which is little beside the row that is in one block with it. Half of 196 is carried into
/// the idle row, which holds 3/5 of it.
#[test]
fn rows_that_hold_in_carried_sizes_alone_are_no_others() {
    let rows = [
        "2 1 -1 0 0 0 0",
        "1 2 0 0 0 0 0",
        "1 0 0 0 0 0 0",
        "0 0 0 10000 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
    ];
    let q = "98 0 -1 -10000 0 0 0";
    let blocks = r#","blocks":[[0,3]]"#;
    let found = error(&rows, q, blocks, "1 -1/5 479/5 1 0 0 0", "1/100");
    assert_is(&found, "3/490");
}

/// The third row holds a weight of 6 and a force of 26/5 for 5. Velocities of 1e15 cancel in the row that is coupled with it.
#[test]
fn large_velocities_that_cancel_excuse_no_force() {
    let rows = [
        "1 0 0 0 0 0",
        "-1 1 0 0 0 0",
        "0 -1 1 -1 0 0",
        "0 0 1 0 0 0",
        "0 0 0 0 0 0",
        "0 0 0 0 0 0",
    ];
    let q = "-1000000000000000 999999999999999 6 0 0 0";
    let z = "1000000000000000 1 0 26/5 0 0";
    assert_is(&error(&rows, q, "", z, "1e-9"), "1/61");
}

#[test]
fn sizes_are_carried_along_the_largest_path() {
    let rows = [
        "2 1 1/10 0 -1 0 0",
        "1 2 1 0 0 0 0",
        "1/10 1 2 1 0 0 0",
        "0 0 1 4 0 0 0",
        "1 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
    ];
    // By 1/2 and 1/2 into the third row, more than by 1/20 at once, and by 1/2 into the fourth: 1/10 beside an eighth of 20.
    let z = "0 0 0 1/40 10 0 0";
    let at = |tol: &str| error(&rows, "10 0 0 0 0 0 0", "", z, tol);
    assert_is(&at("1/25"), "1/25");
    assert_is(&at("1/26"), "1");
}

#[test]
fn masses_that_gain_in_a_circle_carry_nothing() {
    let rows = [
        "1 2 -1 0 0",
        "2 1 0 0 0",
        "1 0 0 0 0",
        "0 0 0 0 0",
        "0 0 0 0 0",
    ];
    let found = at_a_hundredth(&rows, "10 0 0 0 0", "0 1/1000000 5000001/500000 0 0");
    assert_is(&found, "1");
}

/// Two masses that are nearly one in relative coordinates. The inverse of the block is large, and no row is excused by it.
#[test]
fn ill_conditioned_masses_excuse_no_idle_row() {
    let own = "1.0000000009313226";
    let rows = [
        &format!("{own} 1 -1 0 0") as &str,
        "1 1 0 0 0",
        "1 0 0 0 0",
        "0 0 0 0 0",
        "0 0 0 0 0",
    ];
    let found = error(&rows, "0 0 0 0 0", "", "-1000 -1000 0 0 0", "1e-6");
    assert_is(&found, "1");
    // The force is 8; what is above that is in the idle rows, 1/10000 of 8 and of 8 in each.
    let (first, second) = ("2.0000076293945312", "1.0000076293945312");
    let rows = [
        &format!("{first} 1 -1 0 -1 0 0") as &str,
        &format!("1 {first} 0 1 -1 0 0"),
        &format!("-1 0 {second} 0 0 0 0"),
        &format!("0 1 0 {second} 0 0 0"),
        "1 1 0 0 0 0 0",
        "0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0",
    ];
    let z = "0 0 -1/1250 1/1250 10001/1250 0 0";
    let at = |tol: &str| error(&rows, "8 8 0 0 0 0 0", "", z, tol);
    assert_is(&at("1e-5"), "1");
    assert!(at("1/1000") > Rational::from((1, 20_000)));
}

/// Rows that hold nothing but rounding and meet a contact: it is large, and their entries of it are 0 or rounding.
#[test]
fn rows_beside_a_contact_that_bears_hold_in_carried_sizes() {
    let tilted = [
        "1 1 0 -1 0 0",
        "1 3 1 0 -1 0",
        "0 1 2 0 0 0",
        "1 0 0 0 0 0",
        "0 1 0 0 0 0",
        "0 0 0 0 0 0",
    ];
    for z in [
        "0 1e-17 0 8 0 0",
        "0 1e-17 0 8 1e-17 0",
        "1e-17 -1e-17 2e-17 8 -1e-17 0",
    ] {
        let found = error(&tilted, "8 0 0 0 0 0", "", z, "1e-12");
        assert!(
            found < Rational::from((1, 1_000_000_000_000_u64)),
            "{z}: {found}"
        );
    }
    let wrong = error(&tilted, "8 0 0 0 0 0", "", "0 1e-3 0 8 0 0", "1e-9");
    assert_is(&wrong, "1");
}

#[test]
fn rows_are_exchanged_where_a_pivot_is_0() {
    let rows = [
        "1 1 0 -1 0 0",
        "1 1 1 0 0 0",
        "0 1 1 0 0 0",
        "1 0 0 0 0 0",
        "0 0 0 0 0 0",
        "0 0 0 0 0 0",
    ];
    // Y = (0, 1, -1): 1/20 is left of 1/20 + 101/10 + 10.
    let z = "1/20 0 5 201/20 0 0";
    assert_is(&at_a_hundredth(&rows, "10 -101/20 -5 0 0 0", z), "1/403");
}

/// A velocity, perhaps another one, a soft joint that holds the first, and a contact of which the tangent holds the second.
const SOFT: [&str; 6] = [
    "2 1 -1 -1 0 0",
    "1 2 0 0 -1 0",
    "1 0 1/8200 0 0 0",
    "1 0 0 0 0 0",
    "0 1 0 0 0 0",
    "0 0 0 0 0 0",
];

/// The same with other rows; 1/10 is left in the joint's row, of 1/10, and 1/20 in that of the contact, of 1/20.
fn with_rows(rows: &[(usize, &'static str)], of_second: &str) -> Rational {
    let mut all = SOFT;
    rows.iter().for_each(|(i, row)| all[*i] = row);
    let q = format!("10 {of_second} 99/2000 0 0 0");
    let blocks = r#","blocks":[[3],[4],[5]]"#;
    error(&all, &q, blocks, "1/20 0 41/10 6 0 0", "1/100")
}

#[test]
fn soft_joints_are_measured_with_the_bodies_that_they_hold() {
    // Y = (2/3, -1/3): the sizes are 1/10 + 2/3 202/10 + 1/3 1/10.
    assert_is(&with_rows(&[], "-1/20"), "1/136");
    // The row of the second body turned round.
    let turned = [(1, "-1 -2 0 0 1 0")];
    assert_is(&with_rows(&turned, "1/20"), "1/136");
    // The joint is wrong by more.
    let far = |q: &str| error(&SOFT, q, "", "1/20 0 41/10 6 0 0", "1/100");
    assert_is(&far("10 -1/20 1 0 0 0"), "1");
}

#[test]
fn where_signs_contradict_each_other_joints_are_measured_by_themselves() {
    for (rows, of_second) in [
        // The velocities meet with opposite signs.
        (&[(1, "-1 2 0 0 -1 0")][..], "1/20"),
        // The same, where the tangent that disagrees stands between others.
        (
            &[
                (0, "2 1 -1 -1 0 -1"),
                (1, "-1 2 0 0 -1 0"),
                (5, "1 0 0 0 0 0"),
            ],
            "1/20",
        ),
        // Of the second body and the contact, or of two forces, one alone sees the other.
        (&[(4, "0 0 0 0 0 0")], "-1/20"),
        (&[(2, "1 0 1/8200 0 1 0")], "-1/20"),
        // The second velocity makes the joint a body's, and the contact makes it a joint's.
        (&[(1, "1 2 -1 0 -1 0"), (2, "1 -1 1/8200 0 0 0")], "81/20"),
    ] {
        assert_is(&with_rows(rows, of_second), "1");
    }
}

#[test]
fn a_body_between_soft_joints_is_measured_by_itself() {
    // Three bodies, a joint between each two, and a contact of the first, which bears 1e12. The second feels the first.
    let rows = [
        "2 1/2 0 -1 0 -1 0 0",
        "1/2 2 0 1 -1 0 0 0",
        "0 0 2 0 1 0 0 0",
        "1 -1 0 1e-9 0 0 0 0",
        "0 1 -1 0 1e-9 0 0 0",
        "1 0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0 0",
    ];
    let with = |of_second: &str| {
        let q = format!("1000000000005 {of_second} -3 -5e-9 -3e-9 0 0 0");
        error(&rows, &q, "", "0 0 0 5 3 1000000000000 0 0", "1/1000")
    };
    assert_is(&with("-2"), "0");
    // 1 is left of 5 + 3 + 1.
    assert_is(&with("-1"), "1/9");
}

#[test]
fn free_rows_of_the_local_form_are_rows_of_bodies() {
    let rows = ["2 1 0 0", "1 0 0 0", "0 0 0 0", "0 0 0 0"];
    // 1/20 is left of 1/20 + 202/10 / 2: all forces are in the free row.
    let found = error(&rows, "-101/10 0 0 0", "", "1/20 10 0 0", "1/100");
    assert_is(&found, "1/203");
}
