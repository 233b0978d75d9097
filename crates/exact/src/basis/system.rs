//! The integral system of a basis: rows and columns scaled by powers of two.
//!
//! With positive units r_i, c_j and s, w'_i = r_i s w_i and z'_j = s z_j / c_j satisfy
//! w' = M'z' + q' in integers. Binary64 data go straight from their bits to machine words, with r,
//! c and s powers of two; of other data, each row is multiplied by its common denominator.

use etalon_lcp::{MixedLcp, Number};
use rug::{Integer, Rational};

use crate::basis::coefficient::Coefficient;
use crate::basis::sign::Leading;
use crate::lifting::{Entries, Fractions, IntegerMatrix, NARROW_BITS};

/// M'_alpha,alpha z' = b with what it takes to go back.
pub(crate) struct BasisSystem {
    /// The rows and columns.
    alpha: Vec<usize>,
    pub matrix: IntegerMatrix,
    /// -q'_alpha.
    pub b: Vec<Integer>,
    /// Where a column of M stands in alpha.
    place: Vec<Option<u32>>,
    units: Option<Units>,
}

/// Powers of two for binary64 data: c (by place in alpha) and s; r follows for each row, but
/// r = c for the rows of a symmetric matrix, which stays symmetric.
struct Units {
    columns: Vec<i32>,
    q: i32,
    symmetric: bool,
}

/// A row of (M'_alpha | q'): entries by place in alpha, zeros left out.
pub(crate) struct Row {
    pub entries: Vec<(usize, Coefficient)>,
    pub q: Coefficient,
}

impl BasisSystem {
    pub fn new(lcp: &MixedLcp, alpha: Vec<usize>) -> Self {
        let mut place = vec![None; lcp.n()];
        for (k, &j) in alpha.iter().enumerate() {
            place[j] = Some(k as u32);
        }
        let binary64 = lcp.m().is_binary64() && lcp.q().iter().all(|q| q.as_binary64().is_some());
        let raw = |&i: &usize| raw_row(lcp, i, (&place, alpha.len()), binary64);
        let mut rows: Vec<Row> = alpha.iter().map(raw).collect();
        let units = binary64.then(|| {
            let symmetric = is_symmetric(&rows);
            if symmetric {
                choose_symmetric_units(&rows)
            } else {
                choose_units(&rows)
            }
        });
        if let Some(units) = &units {
            for (k, row) in rows.iter_mut().enumerate() {
                row.scale(units, units.symmetric.then(|| units.columns[k]));
            }
        }
        Self {
            matrix: assemble(alpha.len(), &rows),
            b: rows.iter().map(|row| -row.q.integer()).collect(),
            alpha,
            place,
            units,
        }
    }

    /// Row i of (M'_.,alpha | q').
    fn row(&self, lcp: &MixedLcp, i: usize) -> Row {
        let mut row = raw_row(
            lcp,
            i,
            (&self.place, self.alpha.len()),
            self.units.is_some(),
        );
        if let Some(units) = &self.units {
            row.scale(units, None);
        }
        row
    }

    /// The rows with a negative variable, and the complementary rows with a basic variable 0,
    /// both ascending.
    pub fn signs(&self, lcp: &MixedLcp, solution: &Fractions) -> (Vec<usize>, Vec<usize>) {
        let leading = Leading::new(solution);
        let (mut negative, mut zero) = (Vec::new(), Vec::new());
        for i in (0..lcp.n()).filter(|&i| !lcp.bilateral()[i]) {
            let sign = match self.place[i] {
                Some(k) => solution.numerators[k as usize].cmp0(),
                None => leading.sign(&self.row(lcp, i), solution),
            };
            match sign {
                std::cmp::Ordering::Less => negative.push(i),
                std::cmp::Ordering::Equal => zero.push(i),
                std::cmp::Ordering::Greater => {}
            }
        }
        (negative, zero)
    }

    /// The n numerators of z over a common denominator, and that.
    pub fn unscaled(&self, n: usize, solution: Fractions) -> (Vec<Integer>, Integer) {
        let Fractions {
            numerators: scaled,
            mut denominator,
        } = solution;
        let powers: Vec<i32> = match &self.units {
            Some(Units { columns, q, .. }) => columns.iter().map(|c| c - q).collect(),
            None => vec![0; scaled.len()],
        };
        let least = powers.iter().min().copied().unwrap_or(0).min(0);
        denominator <<= -least;
        let mut numerators = vec![Integer::new(); n];
        for ((&j, value), power) in self.alpha.iter().zip(scaled).zip(powers) {
            numerators[j] = value << (power - least);
        }
        (numerators, denominator)
    }
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
    fn scale(&mut self, units: &Units, own: Option<i32>) {
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
fn raw_row(lcp: &MixedLcp, i: usize, system: (&[Option<u32>], usize), binary64: bool) -> Row {
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
fn choose_units(rows: &[Row]) -> Units {
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
fn is_symmetric(rows: &[Row]) -> bool {
    // Where all below the diagonal have a mirror image, none is left over above it.
    let (mut below, mut above) = (0, 0);
    for (i, row) in rows.iter().enumerate() {
        for (k, value) in &row.entries {
            if *k > i {
                above += 1;
            } else if *k < i {
                below += 1;
                let same =
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
fn choose_symmetric_units(rows: &[Row]) -> Units {
    let least = |row: &Row| row.entries.iter().map(|(_, value)| value.shift).min();
    let columns: Vec<i32> = rows
        .iter()
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

fn assemble(n: usize, rows: &[Row]) -> IntegerMatrix {
    let bits = rows.iter().flat_map(|row| &row.entries);
    let bits = bits.map(|(_, value)| value.bits()).max().unwrap_or(0);
    let entries = if bits <= NARROW_BITS {
        let mut entries = vec![0; n * n];
        for (row, out) in rows.iter().zip(entries.chunks_exact_mut(n.max(1))) {
            row.entries.iter().for_each(|(k, v)| out[*k] = v.narrow());
        }
        Entries::Narrow(entries)
    } else {
        let mut entries = vec![Integer::new(); n * n];
        for (row, out) in rows.iter().zip(entries.chunks_exact_mut(n.max(1))) {
            row.entries.iter().for_each(|(k, v)| out[*k] = v.integer());
        }
        Entries::Wide(entries)
    };
    IntegerMatrix { n, entries }
}
