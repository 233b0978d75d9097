//! Rows of a basis as integers times powers of two, and the units that make them integral.

use etalon_lcp::{MixedLcp, Number};
use rug::{Integer, Rational};

use crate::basis::coefficient::Coefficient;

/// A row of (M'_alpha | q'): entries by place in alpha, zeros left out.
pub(crate) struct Row {
    pub entries: Vec<(usize, Coefficient)>,
    pub q: Coefficient,
}

/// Powers of two for binary64 data: c (by place in alpha) and s; r follows for each row, but
/// r = c for the rows of a symmetric matrix, which stays symmetric.
pub(super) struct Units {
    pub columns: Vec<i32>,
    pub q: i32,
    pub symmetric: bool,
}

impl Row {
    /// The entry in a column, found at once where no zeros were left out before it.
    fn entry(&self, k: usize) -> Option<&Coefficient> {
        let dense = self.entries.get(k).filter(|(column, _)| *column == k);
        let found = dense.or_else(|| self.entries.iter().find(|(column, _)| *column == k));
        found.map(|(_, value)| value)
    }

    /// Applies column units and the row's own; if that is not given, one that leaves integers
    /// without a common factor of two.
    pub(super) fn scale(&mut self, units: &Units, own: Option<i32>) {
        let mut least = i32::MAX;
        for (k, value) in &mut self.entries {
            value.shift += units.columns[*k];
            least = least.min(value.shift);
        }
        if !self.q.is_zero() {
            self.q.shift += units.q;
            least = least.min(self.q.shift);
        }
        let least = own.map_or(least, |own| -own);
        let values = self.entries.iter_mut().map(|(_, value)| value);
        for value in values.chain([&mut self.q]).filter(|v| !v.is_zero()) {
            value.shift -= least;
        }
    }
}

/// The entries as they are, for binary64 data; else the row times its common denominator.
pub(super) fn raw_row(
    lcp: &MixedLcp,
    i: usize,
    system: (&[Option<u32>], usize),
    binary64: bool,
) -> Row {
    let (place, k) = system;
    let stored = lcp.m().row(i);
    let most = stored.size_hint().1.unwrap_or(k).min(k);
    let entries = stored.filter_map(|(j, value)| Some((place[j]? as usize, value)));
    let q = &lcp.q()[i];
    if !binary64 {
        return integral_row(entries.collect(), q);
    }
    let exact = |value: &Number| {
        // All data are binary64.
        Coefficient::of_binary64(value).unwrap_or_else(|| Coefficient::of_integer(Integer::new()))
    };
    // In one piece of memory, as there is a row for each row of the problem.
    let mut row = Vec::with_capacity(most);
    row.extend(entries.map(|(k, value)| (k, exact(value))));
    Row {
        entries: row,
        q: exact(q),
    }
}

fn integral_row(entries: Vec<(usize, &Number)>, q: &Number) -> Row {
    let numbers = entries.iter().map(|(_, value)| *value).chain([q]);
    let exact: Vec<Rational> = numbers.map(Number::to_rational).collect();
    let mut common = Integer::from(1);
    for value in &exact {
        common.lcm_mut(value.denom());
    }
    let mut integers = exact.into_iter().map(|value| {
        let (numerator, own) = value.into_numer_denom();
        Coefficient::of_integer(numerator * Integer::from(common.div_exact_ref(&own)))
    });
    let mut next = || integers.next();
    let entries = entries
        .iter()
        .map_while(|(k, _)| Some((*k, next()?)))
        .collect();
    let q = next().unwrap_or_else(|| Coefficient::of_integer(Integer::new()));
    Row { entries, q }
}

/// Units that leave no common factor of two in any column, nor in the matrix's part of a row.
pub(super) fn choose_units(rows: &[Row]) -> Units {
    let least = |row: &Row| row.entries.iter().map(|(_, value)| value.shift).min();
    let mut columns: Vec<Option<i32>> = vec![None; rows.len()];
    let mut q: Option<i32> = None;
    let lower = |bound: &mut Option<i32>, shift: i32| {
        *bound = Some(bound.map_or(shift, |bound| bound.min(shift)));
    };
    for row in rows {
        let unit = least(row).unwrap_or(0);
        for (k, value) in &row.entries {
            lower(&mut columns[*k], value.shift - unit);
        }
        if !row.q.is_zero() {
            lower(&mut q, row.q.shift - unit);
        }
    }
    let unit = |bound: Option<i32>| -bound.unwrap_or(0);
    Units {
        columns: columns.into_iter().map(unit).collect(),
        q: unit(q),
        symmetric: false,
    }
}

/// Whether the rows, of binary64 data, are those of a symmetric matrix.
pub(super) fn is_symmetric(rows: &[Row]) -> bool {
    // Where all below the diagonal have a mirror image, none is left over above it.
    let (mut below, mut above) = (0, 0);
    for (i, row) in rows.iter().enumerate() {
        for (k, value) in &row.entries {
            if *k > i {
                above += 1;
            } else if *k < i {
                below += 1;
                let same =
                    // The leads of binary64 data are odd: equal values have the same lead and shift.
                    |mirror: &Coefficient| (mirror.lead, mirror.shift) == (value.lead, value.shift);
                if !rows[*k].entry(i).is_some_and(same) {
                    return false;
                }
            }
        }
    }
    below == above
}

/// Units for rows and columns alike: with c_i^2 the least unit that makes row i integral, or a
/// factor 2 more, c_i c_j makes entry (i, j) integral.
pub(super) fn choose_symmetric_units(rows: &[Row]) -> Units {
    let least = |row: &Row| row.entries.iter().map(|(_, value)| value.shift).min();
    let columns: Vec<i32> = rows
        .iter()
        // c_i = ceil(-least_i / 2). The shift of entry (i, j) is not below least_i or least_j, nor below
        // their mean, so adding c_i + c_j leaves none negative.
        .map(|row| (1 - least(row).unwrap_or(0)).div_euclid(2))
        .collect();
    let filled = rows
        .iter()
        .zip(&columns)
        .filter(|(row, _)| !row.q.is_zero());
    let q = filled.map(|(row, unit)| row.q.shift + unit).min();
    Units {
        columns,
        q: -q.unwrap_or(0),
        symmetric: true,
    }
}
