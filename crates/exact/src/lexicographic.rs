//! Ratio tests without ties: lexicographic perturbation.
//!
//! Take a basis (the base) and add epsilon, epsilon^2, ... to the values of its basic variables, in
//! some order and for an epsilon that is small enough. In any later dictionary the value of a
//! basic variable becomes a polynomial in epsilon. Its coefficients are the variable's row of (q, T),
//! where T expresses the basic variables by those of the base. So a comparison of values for all small
//! epsilon is a lexicographic comparison of rows. T is regular: none of its rows is zero, hence
//! no basic variable ever vanishes and no two ratios are ever equal. With all w as the base this
//! is the usual perturbation of q, and T = B^-1 (CPS section 4.9).
//!
//! T need not be kept beside the dictionary. Perturbing x_k is to write x_k - epsilon^(k+1) for
//! x_k, so its column is minus that of x_k where x_k is nonbasic, and a unit vector where it is
//! basic. Where the dictionary has dropped the column of a nonbasic z, its entries are computed
//! when a tie needs them. The unit of x_k does not matter, since only signs of
//! differences are used.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

use rug::Integer;

use crate::dictionary::Dictionary;
use crate::tableau::Variable;

/// The columns of T in a dictionary.
pub(crate) struct Perturbation<'t> {
    dictionary: &'t Dictionary,
    columns: Vec<Column>,
}

/// A column of T.
struct Column {
    variable: Variable,
    place: Place,
    /// The dictionary holds minus the variable of the base (up to a constant).
    reflected: bool,
}

#[derive(Clone, Copy)]
enum Place {
    BasicIn(usize),
    NonbasicIn(usize),
    /// Nonbasic z_j, whose column has been dropped.
    Dropped(usize),
}

/// One side of a ratio test: the driving variable's value at which something happens. It is
/// (constant + perturbation of a row) / |rate|, the constant and the rate both times the
/// dictionary's denominator.
#[derive(Clone)]
pub(crate) struct Ratio<'t> {
    pub constant: Cow<'t, Integer>,
    /// The row whose perturbation counts; none does for a bound, which is not perturbed.
    pub row: Option<usize>,
    /// The perturbation counts with the other sign.
    pub negated: bool,
    /// Not zero.
    pub rate: &'t Integer,
}

impl<'t> Perturbation<'t> {
    /// The base's variables in the order of their powers of epsilon, each with whether the
    /// dictionary holds it with the other sign than the base.
    pub fn new(
        dictionary: &'t Dictionary,
        base: impl IntoIterator<Item = (Variable, bool)>,
    ) -> Self {
        let tableau = &dictionary.tableau;
        let basic = tableau.basic().iter().enumerate();
        let nonbasic = tableau.nonbasic().iter().enumerate();
        let places: HashMap<Variable, Place> = basic
            .map(|(r, &variable)| (variable, Place::BasicIn(r)))
            .chain(nonbasic.map(|(c, &variable)| (variable, Place::NonbasicIn(c))))
            .collect();
        let column = |(variable, reflected)| {
            let place = match (places.get(&variable), variable) {
                (Some(&place), _) => place,
                (None, Variable::Z(j)) => Place::Dropped(j),
                // Columns of w are never dropped, and z_0 is in no base.
                (None, _) => return None,
            };
            Some(Column {
                variable,
                place,
                reflected,
            })
        };
        Self {
            dictionary,
            columns: base.into_iter().filter_map(column).collect(),
        }
    }

    /// Entry (r, column) of T times the denominator: a number with the sign to take it with.
    fn entry(&self, r: usize, column: &Column) -> (Ordering, Cow<'t, Integer>) {
        let tableau = &self.dictionary.tableau;
        let (negative, entry) = match column.place {
            Place::BasicIn(own) if own == r => (false, Cow::Borrowed(tableau.denominator())),
            Place::BasicIn(_) => (false, Cow::Borrowed(&ZERO)),
            Place::NonbasicIn(c) => (true, Cow::Borrowed(tableau.entry(r, c))),
            Place::Dropped(j) => (true, Cow::Owned(self.dictionary.entry(r, j))),
        };
        (signed(&entry, negative != column.reflected), entry)
    }

    /// Row r of T times the denominator, with the variable of the base that each entry is for.
    pub fn row(&self, r: usize) -> impl Iterator<Item = (Variable, Integer)> {
        self.columns.iter().map(move |column| {
            let (sign, entry) = self.entry(r, column);
            let own = entry.cmp0() == sign;
            let entry = entry.into_owned();
            (column.variable, if own { entry } else { -entry })
        })
    }

    /// Compares two ratios for all small epsilon.
    pub fn compare(&self, a: &Ratio<'_>, b: &Ratio<'_>) -> Ordering {
        compare_constants(a, b).then_with(|| self.compare_perturbations(a, b))
    }

    fn compare_perturbations(&self, a: &Ratio<'_>, b: &Ratio<'_>) -> Ordering {
        // The columns stand in the order of the powers of epsilon. So the first that differs decides for
        // all small epsilon.
        let one = |column| {
            let (sign_a, x) = self.coefficient(a, column);
            let (sign_b, y) = self.coefficient(b, column);
            compare_fractions((sign_a, &x), a.rate, (sign_b, &y), b.rate)
        };
        let mut orders = self.columns.iter().map(one);
        let order = orders.find(|order| order.is_ne());
        debug_assert!(order.is_some(), "rows of T are never proportional");
        order.unwrap_or(Ordering::Equal)
    }

    fn coefficient(&self, ratio: &Ratio<'_>, column: &Column) -> (Ordering, Cow<'t, Integer>) {
        // A bound is data, and not perturbed.
        let Some(r) = ratio.row else {
            return (Ordering::Equal, Cow::Borrowed(&ZERO));
        };
        let (sign, entry) = self.entry(r, column);
        (if ratio.negated { sign.reverse() } else { sign }, entry)
    }
}

static ZERO: Integer = Integer::new();

fn signed(value: &Integer, negative: bool) -> Ordering {
    let sign = value.cmp0();
    if negative { sign.reverse() } else { sign }
}

/// Compares two ratios at epsilon = 0.
pub(crate) fn compare_constants(a: &Ratio<'_>, b: &Ratio<'_>) -> Ordering {
    let of = |ratio: &Ratio<'_>| ratio.constant.cmp0();
    compare_fractions((of(a), &a.constant), a.rate, (of(b), &b.constant), b.rate)
}

/// Compares x / |p| with y / |q|, where each numerator is the given sign times its own size.
fn compare_fractions(
    (sign_x, x): (Ordering, &Integer),
    p: &Integer,
    (sign_y, y): (Ordering, &Integer),
    q: &Integer,
) -> Ordering {
    let signs = sign_x.cmp(&sign_y);
    if signs.is_ne() || sign_x.is_eq() {
        return signs;
    }
    // Cross-multiplied: |x| / |p| against |y| / |q| without a quotient.
    let sizes = Integer::from(x * q).cmp_abs(&Integer::from(y * p));
    if sign_x.is_lt() {
        sizes.reverse()
    } else {
        sizes
    }
}
