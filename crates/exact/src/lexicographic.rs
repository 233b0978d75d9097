//! Ratio tests that know no ties: the lexicographic perturbation of q.
//!
//! Put q_k + epsilon^(k+1) in place of q_k, for every complementary row k and an epsilon that is
//! small enough. The value of a basic variable becomes a polynomial in epsilon whose coefficients
//! are its row of (q, B^-1), so that comparing values for all small epsilon means comparing rows
//! lexicographically (CPS section 4.9). No row of B^-1 is zero, hence no basic variable ever
//! vanishes and no two ratios are ever equal.
//!
//! B^-1 need not be kept beside the dictionary. Perturbing q_k is to write w_k - epsilon^(k+1)
//! for w_k, so its column is minus that of w_k when w_k is nonbasic, and a unit vector when w_k
//! is basic. The column's unit does not matter either: only signs of differences are asked for.

use std::borrow::Cow;
use std::cmp::Ordering;

use rug::Integer;

use crate::tableau::{Tableau, Variable};

/// Where B^-1 stands in a dictionary.
pub(crate) struct Perturbation<'t> {
    tableau: &'t Tableau,
    columns: Vec<Column>,
}

/// A column of B^-1.
struct Column {
    k: usize,
    place: Place,
    /// The dictionary holds -w_k in place of w_k.
    reflected: bool,
}

enum Place {
    BasicIn(usize),
    NonbasicIn(usize),
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
    /// Of the rows k whose w_k is in the dictionary; `reflected[k]` where it holds -w_k.
    pub fn new(tableau: &'t Tableau, reflected: &[bool]) -> Self {
        let mut places: Vec<Option<Place>> = reflected.iter().map(|_| None).collect();
        for (r, variable) in tableau.basic().iter().enumerate() {
            if let Variable::W(k) = *variable {
                places[k] = Some(Place::BasicIn(r));
            }
        }
        for (c, variable) in tableau.nonbasic().iter().enumerate() {
            if let Variable::W(k) = *variable {
                places[k] = Some(Place::NonbasicIn(c));
            }
        }
        let columns = places.into_iter().zip(reflected).enumerate();
        let columns = columns.filter_map(|(k, (place, &reflected))| {
            let place = place?;
            Some(Column {
                k,
                place,
                reflected,
            })
        });
        Self {
            tableau,
            columns: columns.collect(),
        }
    }

    /// Entry (r, k) of B^-1 times the denominator: a number with the sign to take it with.
    fn entry(&self, r: usize, column: &Column) -> (Ordering, &'t Integer) {
        let (negative, entry) = match column.place {
            Place::BasicIn(own) if own == r => (false, self.tableau.denominator()),
            Place::BasicIn(_) => (false, &ZERO),
            Place::NonbasicIn(c) => (true, self.tableau.entry(r, c)),
        };
        (signed(entry, negative != column.reflected), entry)
    }

    /// Row r of B^-1 times the denominator, with the row k that each entry belongs to.
    pub fn row(&self, r: usize) -> impl Iterator<Item = (usize, Integer)> {
        self.columns.iter().map(move |column| {
            let (sign, entry) = self.entry(r, column);
            let own = entry.cmp0() == sign;
            let entry = if own {
                entry.clone()
            } else {
                Integer::from(-entry)
            };
            (column.k, entry)
        })
    }

    /// Compares two ratios for all small epsilon.
    pub fn compare(&self, a: &Ratio<'_>, b: &Ratio<'_>) -> Ordering {
        compare_constants(a, b).then_with(|| self.compare_perturbations(a, b))
    }

    fn compare_perturbations(&self, a: &Ratio<'_>, b: &Ratio<'_>) -> Ordering {
        let one = |column| {
            let (x, y) = (self.coefficient(a, column), self.coefficient(b, column));
            compare_fractions(x, a.rate, y, b.rate)
        };
        let mut orders = self.columns.iter().map(one);
        orders
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    fn coefficient(&self, ratio: &Ratio<'_>, column: &Column) -> (Ordering, &'t Integer) {
        let Some(r) = ratio.row else {
            return (Ordering::Equal, &ZERO);
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
    let sizes = Integer::from(x * q).cmp_abs(&Integer::from(y * p));
    if sign_x.is_lt() {
        sizes.reverse()
    } else {
        sizes
    }
}
