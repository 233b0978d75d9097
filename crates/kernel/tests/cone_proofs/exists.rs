//! A solution somewhere: a point at which w is inside the dual cones.

use super::*;

/// A body of three free rows on one contact.
fn body() -> Contacts {
    contacts(
        "2 0 0 -1 0 0 1; 0 2 1 0 -1 0 3; 0 1 2 0 0 -1 0; 1 0 0 0 0 0 0; 0 1 0 0 0 0 0; 0 0 1 0 0 0 0",
        ".. .. .. .. .. ..",
        vec![cone(3, "3 3", Law::Coulomb)],
    )
}

fn exists(problem: &Contacts, z: &str) -> Result<(), Refusal> {
    let mut truth = Truth::default();
    let added = truth.add_existence(problem, &vector(z), &Budget::default());
    assert_eq!(truth.proved().solvable, added.is_ok().then_some(true));
    added
}

#[test]
fn a_point_inside_the_dual_cones_shows_that_there_is_a_solution() {
    exists(&body(), "1 0 0 0 0 0").unwrap();
    exists(&body(), "16 3 4 5 6 7").unwrap();
    assert_eq!(why(exists(&body(), "15 3 4 0 0 0")), "w is not inside its dual cone");
    assert_eq!(why(exists(&body(), "0 0 0 0 0 0")), "w is not inside its dual cone");
    assert_eq!(why(exists(&body(), "-1 0 0 0 0 0")), "w is not inside its dual cone");
    let changed = |row: usize, column: usize, value: &str| {
        let mut own = body();
        own.data.rows[row][column] = number(value);
        exists(&own, "1 0 0 0 0 0")
    };
    let opposite = "what stands beside free rows is not opposite to what stands below them";
    assert_eq!(why(changed(0, 3, "1")), opposite);
    assert_eq!(why(changed(0, 4, "1/9")), opposite);
    assert_eq!(why(changed(3, 1, "1/9")), opposite);
    // A need not be symmetric, and R must be.
    changed(1, 2, "-1").unwrap();
    assert_eq!(why(changed(1, 2, "3")), "not positive definite: a pivot is 0");
    assert_eq!(why(changed(1, 2, "4")), "not positive semidefinite: a pivot is negative");
    changed(3, 3, "1/9").unwrap();
    assert_eq!(why(changed(4, 4, "-1/9")), "not positive semidefinite: a pivot is negative");
    let mut own = body();
    own.data.rows[4][5] = number("1/9");
    own.data.rows[4][4] = number("1");
    own.data.rows[5][5] = number("1");
    assert_eq!(why(exists(&own, "1 0 0 0 0 0")), "M is not symmetric here");
    own.data.rows[5][4] = number("1/9");
    exists(&own, "1 0 0 0 0 0").unwrap();
    assert_eq!(why(exists(&body(), "1 0 0 0 0")), "z has not n entries");
}

#[test]
fn plain_rows_are_contacts_without_friction() {
    let own = |bounds: &str| {
        let own = contacts("1 -1 -2 0; 1 0 0 -3; 2 0 0 5", bounds, vec![]);
        exists(&own, "4 0 0")
    };
    own(".. 0.. 0..").unwrap();
    let bounds = "its bounds are neither absent nor z >= 0";
    for other in [".. 0..1 0..", ".. ..0 0..", ".. 1.. 0.."] {
        assert_eq!(why(own(other)), bounds);
    }
    let own = contacts("1 -1 -2 0; 1 0 0 -4; 2 0 0 5", ".. 0.. 0..", vec![]);
    assert_eq!(why(exists(&own, "4 0 0")), "w is not inside: it must be positive");
}
