//! Square integer matrices, in machine words where the entries fit.

use std::ops::Range;

use etalon_modular::{Backend, Planes, Prime, Tiles};
use rug::Integer;
use rug::integer::{IntegerExt64, Order};

/// Entries of more bits than this are kept as long integers.
pub(crate) const NARROW_BITS: u32 = 120;

/// An n by n integer matrix, row by row.
#[derive(Debug, Clone)]
pub(crate) struct IntegerMatrix {
    pub n: usize,
    pub entries: Entries,
}

#[derive(Debug, Clone)]
pub(crate) enum Entries {
    /// At most [`NARROW_BITS`] bits and a sign.
    Narrow(Vec<i128>),
    Wide(Vec<Integer>),
}

impl IntegerMatrix {
    /// The least b with |entry| < 2^b for all entries.
    pub fn bits(&self) -> u32 {
        match &self.entries {
            Entries::Narrow(values) => {
                let all = values.iter().fold(0, |all, v| all | v.unsigned_abs());
                128 - all.leading_zeros()
            }
            Entries::Wide(values) => {
                let bits = values.iter().map(Integer::significant_bits);
                bits.max().unwrap_or(0)
            }
        }
    }

    /// The entries modulo p.
    pub fn residues(&self, prime: Prime) -> Vec<u64> {
        self.residues_of(0..self.n, prime)
    }

    /// Those of some rows.
    pub fn residues_of(&self, rows: Range<usize>, prime: Prime) -> Vec<u64> {
        let own = rows.start * self.n..rows.end * self.n;
        match &self.entries {
            Entries::Narrow(values) => values[own]
                .iter()
                .map(|&value| prime.residue_of_wide(value))
                .collect(),
            Entries::Wide(values) => values[own].iter().map(|v| residue(v, prime)).collect(),
        }
    }

    pub fn is_symmetric(&self) -> bool {
        match &self.entries {
            Entries::Narrow(values) => is_symmetric(values, self.n),
            Entries::Wide(values) => is_symmetric(values, self.n),
        }
    }

    pub fn transposed(&self) -> Self {
        let entries = match &self.entries {
            Entries::Narrow(values) => Entries::Narrow(transposed(values, self.n)),
            Entries::Wide(values) => Entries::Wide(transposed(values, self.n)),
        };
        Self { n: self.n, entries }
    }

    /// The entries plus 2^bits, which makes them nonnegative, cut into limbs.
    pub fn planes(&self, bits: u32, backend: Backend) -> Planes {
        let widest = Planes::max_width(self.n);
        let limbs = (bits + 1).div_ceil(widest);
        let width = (bits + 1).div_ceil(limbs);
        let mask = (1_u64 << width) - 1;
        let mut planes = Planes::new(self.n, limbs as usize, width, backend);
        match &self.entries {
            Entries::Narrow(values) => {
                for row in values.chunks_exact(self.n.max(1)) {
                    let limb = |value: i128, k: usize| {
                        let raised = (value + (1 << bits)) as u128;
                        (raised >> (width as usize * k)) as u64 & mask
                    };
                    planes.push_row(|j, k| limb(row[j], k) as u32);
                }
            }
            Entries::Wide(values) => {
                for row in values.chunks_exact(self.n) {
                    let raised = row.iter().map(|value| (Integer::from(1) << bits) + value);
                    let words: Vec<Vec<u64>> =
                        raised.map(|value| value.to_digits(Order::Lsf)).collect();
                    let limb = |j: usize, k: usize| bits_at(&words[j], width as usize * k) & mask;
                    planes.push_row(|j, k| limb(j, k) as u32);
                }
            }
        }
        planes
    }

    /// The entries plus 2^bits, which makes them nonnegative, in tiles; `None` where they are too
    /// long or too many for those.
    pub fn tiles(&self, bits: u32, is_symmetric: bool, backend: Backend) -> Option<Tiles> {
        let n = self.n;
        let Entries::Narrow(values) = &self.entries else {
            return None;
        };
        if bits >= Tiles::MAX_BITS || n > Tiles::MAX_COLUMNS {
            return None;
        }
        let raised = |i: usize, j: usize| (values[i * n + j] + (1 << bits)) as u128;
        Some(Tiles::new(n, is_symmetric, backend, raised))
    }

    /// Entry k of the row-by-row list, rounded: mantissa 2^exponent.
    pub fn float(&self, k: usize) -> (f64, i32) {
        match &self.entries {
            Entries::Narrow(values) => normalised(values[k] as f64),
            Entries::Wide(values) => to_float(&values[k]),
        }
    }
}

/// Whether an n by n matrix is its own mirror image.
pub(crate) fn is_symmetric<T: PartialEq>(values: &[T], n: usize) -> bool {
    // By squares, so that columns stay in the cache.
    const SIDE: usize = 16;
    let square = |row: usize, column: usize| {
        (row..n.min(row + SIDE)).all(|i| {
            let columns = column..i.min(column + SIDE);
            columns
                .into_iter()
                .all(|j| values[i * n + j] == values[j * n + i])
        })
    };
    let mut rows = (0..n).step_by(SIDE);
    rows.all(|row| (0..=row).step_by(SIDE).all(|column| square(row, column)))
}

/// An n by n matrix with rows and columns exchanged.
pub(crate) fn transposed<T: Clone>(values: &[T], n: usize) -> Vec<T> {
    let column = |j: usize| values[j..].iter().step_by(n.max(1)).cloned();
    (0..n).flat_map(column).collect()
}

/// The integer rounded: mantissa 2^exponent, the mantissa in [1, 2) or 0.
pub(crate) fn to_float(value: &Integer) -> (f64, i32) {
    let (mantissa, exponent) = value.to_f64_exp();
    let (mantissa, own) = normalised(mantissa);
    // Lengths are limited on input to far below 2^31 bits.
    (mantissa, own + exponent as i32)
}

/// A normal number as mantissa 2^exponent with the mantissa in [1, 2).
fn normalised(value: f64) -> (f64, i32) {
    if value == 0.0 {
        return (0.0, 0);
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let mantissa = f64::from_bits(bits & !(0x7ff << 52) | 1023 << 52);
    (mantissa, exponent)
}

/// The two's complement words of a number, least first.
pub(crate) fn words_of(value: i128) -> [u64; 2] {
    [value as u64, (value >> 64) as u64]
}

/// The integer modulo p.
pub(crate) fn residue(value: &Integer, prime: Prime) -> u64 {
    // The remainder of floored division: never negative.
    value.mod_u64(prime.p())
}

/// The 64 bits from a position on, zeros beyond the end.
fn bits_at(words: &[u64], position: usize) -> u64 {
    let (word, shift) = (position / 64, position % 64);
    let get = |k: usize| words.get(k).copied().unwrap_or(0);
    let low = get(word) >> shift;
    if shift == 0 {
        low
    } else {
        low | get(word + 1) << (64 - shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_the_integers() {
        let value = |(mantissa, exponent): (f64, i32)| mantissa * 2_f64.powi(exponent);
        for integer in [
            0_i64,
            1,
            -1,
            2,
            3,
            -3,
            1023,
            1024,
            1025,
            -(1 << 60) + (1 << 9),
        ] {
            let float = to_float(&Integer::from(integer));
            assert_eq!(value(float), integer as f64);
            assert!(float.0 == 0.0 || (1.0..2.0).contains(&float.0.abs()));
            let narrow = IntegerMatrix {
                n: 1,
                entries: Entries::Narrow(vec![i128::from(integer)]),
            };
            assert_eq!(narrow.float(0), float);
        }
        // Beyond the range of binary64.
        let long = Integer::from(-5) << 5000;
        assert_eq!(to_float(&long), (-1.25, 5002));
    }

    #[test]
    fn one_entry_anywhere_breaks_the_symmetry() {
        for n in [6, 16, 17, 35] {
            let symmetric = |values: &[i128]| {
                let entries = Entries::Narrow(values.to_vec());
                IntegerMatrix { n, entries }.is_symmetric()
            };
            let place = |at: usize| (at / n, at % n);
            let mut values: Vec<i128> = (0..n * n)
                .map(|at| 1 << (place(at).0.min(place(at).1)))
                .collect();
            assert!(symmetric(&values));
            for at in (0..n * n).filter(|at| place(*at).0 != place(*at).1) {
                values[at] += 1;
                assert!(!symmetric(&values), "{:?}", place(at));
                values[at] -= 1;
            }
        }
    }

    #[test]
    fn tiles_are_for_short_entries_of_few_columns() {
        let matrix = |entry: i128| IntegerMatrix {
            n: 9,
            entries: Entries::Narrow(vec![entry; 81]),
        };
        let backend = Backend::detect();
        assert!(matrix(5).tiles(3, true, backend).is_some());
        assert!(
            matrix(1)
                .tiles(Tiles::MAX_BITS - 1, true, backend)
                .is_some()
        );
        assert!(matrix(1).tiles(Tiles::MAX_BITS, true, backend).is_none());
        let wide = IntegerMatrix {
            n: 1,
            entries: Entries::Wide(vec![Integer::from(1)]),
        };
        assert!(wide.tiles(1, true, backend).is_none());
        // As many columns as the sums hold, and one more.
        let empty = |n: usize| IntegerMatrix {
            n,
            entries: Entries::Narrow(vec![0; n * n]),
        };
        assert!(
            empty(Tiles::MAX_COLUMNS + 1)
                .tiles(1, true, backend)
                .is_none()
        );
    }
}
