//! The classes against their definitions, by vectors of small integers.

use super::cells::Covering;
use super::class::{Class, Classes};
use super::cones::{Cones, Solutions};
use super::lemke::{End, Ties, lemke};
use super::linear::dot;
use super::{Matrix, Vector};

fn classes(m: &Matrix) -> Classes {
    let cones = Cones::new(m);
    Classes::new(m, &cones, &Covering::new(m, &cones))
}

/// All x of two entries from `least` to 9, but 0.
fn vectors(least: i64) -> impl Iterator<Item = Vector> {
    let all = (least..=9).flat_map(move |a| (least..=9).map(move |b| [a, b, 0]));
    all.filter(|x| *x != [0; 3])
}

fn product(m: &Matrix, x: &Vector) -> Vector {
    m.rows.map(|row| dot(&row, x))
}

/// Whether some x breaks the definition of a class.
fn is_broken(m: &Matrix, class: Class) -> Option<bool> {
    let form = |x: &Vector| dot(x, &product(m, x));
    let signs = |m: &Matrix, x: &Vector| {
        let y = product(m, x);
        [x[0] * y[0], x[1] * y[1]]
    };
    let s = m.doubled_symmetric_part();
    let transposed = m.transposed();
    let insufficient = |m: &Matrix, x: &Vector| {
        let signs = signs(m, x);
        signs.iter().all(|own| *own <= 0) && signs != [0, 0]
    };
    let reversed = |x: &Vector, strict: bool| {
        let y = product(m, x);
        (0..2).all(|i| x[i] <= 0 || y[i] < 0 || (!strict && y[i] == 0))
    };
    Some(match class {
        Class::PositiveDefinite => vectors(-9).any(|x| form(&x) <= 0),
        Class::PositiveSemidefinite => vectors(-9).any(|x| form(&x) < 0),
        Class::StrictlyCopositive => vectors(0).any(|x| form(&x) <= 0),
        Class::Copositive => vectors(0).any(|x| form(&x) < 0),
        Class::CopositivePlus => {
            vectors(0).any(|x| form(&x) < 0 || (form(&x) == 0 && product(&s, &x) != [0; 3]))
        }
        Class::Semimonotone => vectors(0).any(|x| reversed(&x, true)),
        Class::StrictlySemimonotone => vectors(0).any(|x| reversed(&x, false)),
        Class::P => vectors(-9).any(|x| signs(m, &x).iter().all(|own| *own <= 0)),
        Class::ColumnSufficient => vectors(-9).any(|x| insufficient(m, &x)),
        Class::RowSufficient => vectors(-9).any(|x| insufficient(&transposed, &x)),
        Class::S => !vectors(0).any(|x| product(m, &x)[..2].iter().all(|own| *own > 0)),
        _ => return None,
    })
}

#[test]
fn classes_of_two_rows_are_those_of_the_definitions() {
    let mut broken = 0;
    for index in 0..625 {
        let digit = |k: u32| index / 5_i64.pow(k) % 5 - 2;
        let rows = [[digit(0), digit(1), 0], [digit(2), digit(3), 0], [0; 3]];
        let m = Matrix { n: 2, rows };
        let classes = classes(&m);
        for class in Class::ALL {
            if let Some(is_broken) = is_broken(&m, class) {
                assert_eq!(classes.has(class), !is_broken, "{class:?} of {rows:?}");
                broken += usize::from(is_broken);
            }
        }
    }
    assert!(broken > 2000, "{broken}");
}

/// A semidefinite one, a nonnegative one, and one of which only the pairs of rows are copositive.
#[test]
fn copositive_matrices_of_three_rows() {
    let with = |rows| classes(&Matrix { n: 3, rows });
    let semidefinite = with([[1, -1, 0], [-1, 1, 0], [0, 0, 0]]);
    assert!(
        semidefinite.has(Class::CopositivePlus) && !semidefinite.has(Class::StrictlyCopositive)
    );
    let nonnegative = with([[0, 1, 0], [1, 0, 0], [0, 0, 1]]);
    assert!(nonnegative.has(Class::Copositive) && !nonnegative.has(Class::CopositivePlus));
    // All pairs are strictly copositive, the whole is not even copositive: x = (1, 1, 1).
    let whole = with([[5, -3, -3], [-3, 5, -3], [-3, -3, 5]]);
    assert!(!whole.has(Class::Copositive));
}

/// n = 1: every case by hand.
#[test]
fn one_row_by_hand() {
    let mut found = Solutions::default();
    let mut look = |entry: i64, q: i64| {
        let rows = [[entry, 0, 0], [0; 3], [0; 3]];
        let m = Matrix { n: 1, rows };
        Cones::new(&m).solve(&[q, 0, 0], &mut found);
        let end = lemke(&m, &[q, 0, 0], Ties::Lexicographic).end;
        (found.isolated.len(), found.faces.len(), end)
    };
    assert_eq!(look(1, -2), (1, 0, End::Solved));
    assert_eq!(look(1, 2), (1, 0, End::Start));
    assert_eq!(look(0, 0), (0, 1, End::Start));
    assert_eq!(look(0, 1), (1, 0, End::Start));
    assert_eq!(look(0, -1), (0, 0, End::Ray));
    assert_eq!(look(-1, 2), (2, 0, End::Start));
    assert_eq!(look(-1, 0), (1, 0, End::Start));
    assert_eq!(look(-1, -2), (0, 0, End::Ray));
}
