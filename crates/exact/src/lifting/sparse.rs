//! Square integer matrices by their nonzero entries, and their products with vectors of digits.

use etalon_modular::{Backend, Prime};
use rug::Integer;
use rug::integer::Order;

use crate::budget::{Exhausted, Meter};
use crate::lifting::factors::Factors;
use crate::lifting::integers::residue;
use crate::lifting::residual::{Product, Remainder, Residual};

/// Bits of a limb: products with digits of 50 bits are below 2^106, and 2^16 of them add up to less than
/// 2^122, to which what is carried and the offset (2^66 digits times 2^55) add less than 2^122.
const LIMB_BITS: u32 = 56;

/// As many rows as the sums of products have room for.
pub(crate) const MAX_SPARSE_ROWS: usize = 1 << 16;

/// The nonzero entries row by row, in ascending columns.
#[derive(Debug, Clone)]
pub(crate) struct SparseMatrix {
    pub rows: Vec<Vec<(usize, Integer)>>,
}

impl SparseMatrix {
    pub fn n(&self) -> usize {
        self.rows.len()
    }

    pub fn transposed(&self) -> Self {
        let mut rows = vec![Vec::new(); self.n()];
        for (i, row) in self.rows.iter().enumerate() {
            for (j, value) in row {
                rows[*j].push((i, value.clone()));
            }
        }
        Self { rows }
    }

    /// The least b with |entry| < 2^b for all entries.
    pub fn bits(&self) -> u32 {
        let values = self.rows.iter().flatten();
        let bits = values.map(|(_, value)| value.significant_bits());
        bits.max().unwrap_or(0)
    }

    /// The entries that are not 0 modulo p.
    pub fn residues(&self, prime: Prime) -> Vec<Vec<(usize, u64)>> {
        let own = |row: &Vec<(usize, Integer)>| {
            let entries = row.iter().map(|(j, value)| (*j, residue(value, prime)));
            entries.filter(|(_, value)| *value != 0).collect()
        };
        self.rows.iter().map(own).collect()
    }

    /// log2 of the product of the lengths of the rows, which |det| is not above (Hadamard).
    pub fn determinant_bits(&self) -> f64 {
        let length = |row: &Vec<(usize, Integer)>| {
            let longest = row.iter().map(|(_, value)| value.significant_bits()).max();
            f64::from(longest.unwrap_or(0)) + (row.len() as f64).log2().max(0.0) / 2.0
        };
        self.rows.iter().map(length).sum()
    }
}

/// A, and its factors modulo p in place of an inverse.
#[derive(Debug, Clone)]
pub(crate) struct SparseProducts {
    factors: Factors,
    /// The limbs of A's entries, with their signs.
    columns: Vec<u32>,
    limbs: Vec<i64>,
    /// Where each row begins in `columns`.
    starts: Vec<usize>,
    /// Limbs of an entry, and of A + 2^bits.
    own_limbs: usize,
    raised_limbs: usize,
    bits: u32,
    sums: Vec<u128>,
}

impl SparseProducts {
    pub fn new(
        matrix: &SparseMatrix,
        bits: u32,
        prime: Prime,
        backend: Backend,
        meter: &Meter,
    ) -> Result<Option<Self>, Exhausted> {
        let Some(factors) = Factors::new(matrix.residues(prime), prime, backend, meter)? else {
            return Ok(None);
        };
        let own_limbs = bits.div_ceil(LIMB_BITS).max(1) as usize;
        let (mut columns, mut limbs, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        for row in &matrix.rows {
            for (j, value) in row {
                columns.push(*j as u32);
                push_limbs(&mut limbs, value, own_limbs);
            }
            starts.push(columns.len());
        }
        Ok(Some(Self {
            factors,
            columns,
            limbs,
            starts,
            own_limbs,
            raised_limbs: (bits / LIMB_BITS + 1) as usize,
            bits,
            sums: Vec::new(),
        }))
    }

    /// What a digit costs, in products of words.
    pub fn products(&self) -> usize {
        self.factors.products() + self.limbs.len()
    }

    pub fn by_inverse(&mut self, residues: &[u64], out: &mut Vec<u64>) {
        self.factors.solve(residues, out);
    }

    /// r <- (r - A y) / p for a digit y.
    pub fn subtract_from(&mut self, r: &mut Residual, digit: &[u64]) -> Result<(), Remainder> {
        let digit_sum = digit.iter().copied().map(u128::from).sum();
        self.multiply(digit, digit_sum);
        let product = Sums {
            sums: &self.sums,
            limbs: self.raised_limbs,
        };
        r.step(&product, digit_sum)
    }

    /// (A + 2^bits) y in limbs: A y, and 2^bits times the sum of y, which makes it nonnegative.
    fn multiply(&mut self, digit: &[u64], digit_sum: u128) {
        let (own, raised) = (self.own_limbs, self.raised_limbs);
        let offset = (self.bits / LIMB_BITS) as usize;
        let offset_value = (digit_sum << (self.bits % LIMB_BITS)) as i128;
        self.sums.clear();
        let mut row_sums = vec![0_i128; own.max(raised)];
        for range in self.starts.windows(2) {
            let [start, end] = [range[0], range[1]];
            row_sums.fill(0);
            let columns = &self.columns[start..end];
            let limbs = self.limbs[start * own..end * own].chunks_exact(own);
            for (j, limbs) in columns.iter().zip(limbs) {
                let y = i128::from(digit[*j as usize]);
                for (sum, limb) in row_sums.iter_mut().zip(limbs) {
                    *sum += i128::from(*limb) * y;
                }
            }
            row_sums[offset] += offset_value;
            let mut carry = 0_i128;
            for (k, sum) in row_sums[..raised].iter().enumerate() {
                let value = sum + carry;
                if k + 1 == raised {
                    // The top limb is the whole sum over a power of two, rounded down. The sum is >= 0,
                    // so the cast loses no sign.
                    self.sums.push(value as u128);
                } else {
                    // Mask and shift both round down, also below 0: the limb is in [0, 2^56), and value
                    // is 2^56 carry + limb.
                    self.sums.push((value & ((1 << LIMB_BITS) - 1)) as u128);
                    carry = value >> LIMB_BITS;
                }
            }
        }
    }
}

/// The limbs of a number, each with its sign.
fn push_limbs(limbs: &mut Vec<i64>, value: &Integer, count: usize) {
    let words = value.to_digits::<u64>(Order::Lsf);
    let word = |k: usize| words.get(k).copied().unwrap_or(0);
    for k in 0..count {
        let position = k * LIMB_BITS as usize;
        let (first, shift) = (position / 64, position % 64);
        let high = if shift == 0 {
            0
        } else {
            word(first + 1) << (64 - shift)
        };
        let limb = ((word(first) >> shift | high) & ((1 << LIMB_BITS) - 1)) as i64;
        limbs.push(if *value < 0 { -limb } else { limb });
    }
}

struct Sums<'a> {
    sums: &'a [u128],
    limbs: usize,
}

impl Product for Sums<'_> {
    fn limbs(&self) -> usize {
        self.limbs
    }

    fn width(&self) -> usize {
        LIMB_BITS as usize
    }

    fn sum(&self, i: usize, k: usize) -> u128 {
        self.sums[i * self.limbs + k]
    }
}
