//! The integral system of a basis: rows and columns scaled by powers of two.
//!
//! With positive units r_i, c_j and s, w'_i = r_i s w_i and z'_j = s z_j / c_j satisfy
//! w' = M'z' + q' in integers. Binary64 data go straight from their bits to machine words, with r,
//! c and s powers of two; of other data, each row is multiplied by its common denominator.

use std::cmp::Ordering;
use std::sync::OnceLock;

use etalon_lcp::MixedLcp;
use rug::Integer;

use crate::basis::binary64::{Rounded, Symmetric};
use crate::basis::row::{Row, Units, choose_symmetric_units, choose_units, is_symmetric, raw_row};
use crate::basis::sign::Leading;
use crate::cores::share;
use crate::lifting::{Entries, Fractions, IntegerMatrix, NARROW_BITS};

/// Rows that a thread works on before it takes the next ones.
const PART: usize = 16;

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

impl BasisSystem {
    /// With the help of so many idle cores.
    pub fn new(lcp: &MixedLcp, alpha: Vec<usize>, helpers: usize) -> Self {
        let place = places(lcp, &alpha);
        let own = is_binary64(lcp).then(|| Symmetric::new(lcp, &alpha, &place, helpers));
        match own.flatten() {
            Some(Symmetric { matrix, b, units }) => Self {
                alpha,
                matrix,
                b,
                place,
                units: Some(units),
            },
            None => Self::general(lcp, alpha, helpers),
        }
    }

    /// That of any data.
    pub(super) fn general(lcp: &MixedLcp, alpha: Vec<usize>, helpers: usize) -> Self {
        let place = places(lcp, &alpha);
        let binary64 = is_binary64(lcp);
        let raw = |&i: &usize| raw_row(lcp, i, (&place, alpha.len()), binary64);
        let rows = share(alpha.len().div_ceil(PART), helpers, |k| {
            let own = alpha.iter().skip(k * PART).take(PART);
            own.map(raw).collect::<Vec<_>>()
        });
        let mut rows: Vec<Row> = rows.into_iter().flatten().collect();
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
    pub fn signs(
        &self,
        lcp: &MixedLcp,
        solution: &Fractions,
        helpers: usize,
    ) -> (Vec<usize>, Vec<usize>) {
        let leading = OnceLock::new();
        let leading = || leading.get_or_init(|| Leading::new(solution));
        // Units are those of binary64 data.
        let units = self.units.as_ref();
        let rounded = units.and_then(|units| Rounded::new(lcp.n(), &self.alpha, units, solution));
        let signs = share(lcp.n().div_ceil(PART), helpers, |k| {
            let rows = k * PART..lcp.n().min((k + 1) * PART);
            let own = rows.filter(|&i| !lcp.bilateral()[i]);
            let sign = |i: usize| match self.place[i] {
                // The denominator and all units are positive: z_i has the sign of its numerator.
                Some(k) => (i, solution.numerators[k as usize].cmp0()),
                None => {
                    let sure = rounded.as_ref().and_then(|rounded| rounded.sign(lcp, i));
                    let exact = || leading().sign(&self.row(lcp, i), solution);
                    (i, sure.unwrap_or_else(exact))
                }
            };
            own.map(sign).collect::<Vec<_>>()
        });
        let rows = |wanted: Ordering| {
            let own = signs.iter().flatten().filter(|(_, sign)| *sign == wanted);
            own.map(|(i, _)| *i).collect()
        };
        (rows(Ordering::Less), rows(Ordering::Equal))
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
        // Negative powers go into the common denominator, so that all numerators stay integers.
        let least = powers.iter().min().copied().unwrap_or(0).min(0);
        denominator <<= -least;
        let mut numerators = vec![Integer::new(); n];
        for ((&j, value), power) in self.alpha.iter().zip(scaled).zip(powers) {
            numerators[j] = value << (power - least);
        }
        (numerators, denominator)
    }
}

/// Whether all data are binary64, also those of rows off the basis.
fn is_binary64(lcp: &MixedLcp) -> bool {
    lcp.m().is_binary64() && lcp.q().iter().all(|q| q.as_binary64().is_some())
}

/// Where each column of a problem stands in alpha.
fn places(lcp: &MixedLcp, alpha: &[usize]) -> Vec<Option<u32>> {
    let mut place = vec![None; lcp.n()];
    for (k, &j) in alpha.iter().enumerate() {
        place[j] = Some(k as u32);
    }
    place
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
