//! Integer-preserving dictionaries: x_basic = constant + matrix * x_nonbasic, all entries
//! integers over one common denominator.
//!
//! Each entry is a minor of the initial integer matrix (Cramer), so Hadamard's inequality bounds its
//! size. Each update is two products and one division without remainder (Edmonds 1967, Bareiss
//! 1968). No greatest common divisor is taken.

use rug::{Assign, Integer, Rational, ops::NegAssign};

use crate::budget::{Exhausted, MAX_TABLEAU};
use crate::memory;

/// A variable of an LCP's dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// w_i.
    W(usize),
    /// z_i.
    Z(usize),
    /// Lemke's artificial variable z_0.
    Artificial,
}

impl Variable {
    /// The other variable of the pair; the artificial one has none.
    pub fn complement(self) -> Option<Self> {
        match self {
            Self::W(i) => Some(Self::Z(i)),
            Self::Z(i) => Some(Self::W(i)),
            Self::Artificial => None,
        }
    }
}

impl std::fmt::Display for Variable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::W(i) => write!(f, "w{i}"),
            Self::Z(i) => write!(f, "z{i}"),
            Self::Artificial => f.write_str("z0*"),
        }
    }
}

/// The dictionary. Row r reads: `basic[r]` = (entry(r, last) + sum over c of entry(r, c) *
/// `nonbasic[c]`) / denominator.
#[derive(Debug, Clone)]
pub(crate) struct Tableau {
    basic: Vec<Variable>,
    nonbasic: Vec<Variable>,
    /// Rows of `nonbasic.len() + 1` entries, the constant last.
    entries: Vec<Integer>,
    denominator: Integer,
    /// Scratch space, so that entries never hold more limbs than they need.
    numerator: Integer,
}

/// The common data of all entries off the pivot row and column during one pivot.
struct Update<'a> {
    pivot: &'a Integer,
    denominator: &'a Integer,
    numerator: &'a mut Integer,
}

impl Update<'_> {
    /// value <- (value * pivot - factor * across) / denominator, which leaves no remainder.
    fn apply(&mut self, value: &mut Integer, factor: &Integer, across: &Integer) {
        // Sparse data have many zeros: no long product is made of one.
        let subtract = factor.cmp0().is_ne() && across.cmp0().is_ne();
        if value.cmp0().is_eq() && !subtract {
            return;
        }
        self.numerator.assign(&*value * self.pivot);
        if subtract {
            *self.numerator -= factor * across;
        }
        value.assign(self.numerator.div_exact_ref(self.denominator));
    }
}

impl Tableau {
    /// A dictionary from its rows, the constant last in each.
    pub fn new(
        basic: Vec<Variable>,
        nonbasic: Vec<Variable>,
        rows: impl IntoIterator<Item = Vec<Integer>>,
    ) -> Self {
        let entries: Vec<Integer> = rows.into_iter().flatten().collect();
        debug_assert_eq!(entries.len(), basic.len() * (nonbasic.len() + 1));
        let denominator = Integer::from(1);
        Self {
            basic,
            nonbasic,
            entries,
            denominator,
            numerator: Integer::new(),
        }
    }

    /// The number of its entries.
    pub fn size(&self) -> usize {
        self.rows() * (self.columns() + 1)
    }

    pub fn rows(&self) -> usize {
        self.basic.len()
    }

    pub fn columns(&self) -> usize {
        self.nonbasic.len()
    }

    pub fn basic(&self) -> &[Variable] {
        &self.basic
    }

    pub fn nonbasic(&self) -> &[Variable] {
        &self.nonbasic
    }

    pub fn row(&self, r: usize) -> &[Integer] {
        let width = self.columns() + 1;
        &self.entries[r * width..(r + 1) * width]
    }

    pub fn entry(&self, r: usize, c: usize) -> &Integer {
        &self.row(r)[c]
    }

    /// The basic variable's value, times the denominator.
    pub fn constant(&self, r: usize) -> &Integer {
        &self.row(r)[self.columns()]
    }

    /// The common denominator, positive.
    pub fn denominator(&self) -> &Integer {
        &self.denominator
    }

    /// The basic variable's value.
    pub fn value(&self, r: usize) -> Rational {
        Rational::from((self.constant(r), &self.denominator))
    }

    pub fn row_of(&self, variable: Variable) -> Option<usize> {
        self.basic.iter().position(|&basic| basic == variable)
    }

    pub fn column_of(&self, variable: Variable) -> Option<usize> {
        self.nonbasic
            .iter()
            .position(|&nonbasic| nonbasic == variable)
    }

    /// Whether there is memory for what [`pivot`](Self::pivot) makes of the entries: the pivot is their next
    /// denominator, and they are about as long.
    pub fn room_for_pivot(&self, r: usize, c: usize) -> Result<(), Exhausted> {
        self.room_within(MAX_TABLEAU, r, c)
    }

    fn room_within(&self, limit: u64, r: usize, c: usize) -> Result<(), Exhausted> {
        let bits = u64::from(self.entry(r, c).significant_bits());
        let fits = |entries: usize| memory::integers(entries, bits) <= limit;
        if fits(self.size()) {
            return Ok(());
        }
        // Zeros take next to nothing, so those are counted that will not be zero, at most.
        let nonzeros = |row: &[Integer]| row.iter().filter(|entry| **entry != 0).count();
        let column = (0..self.rows()).filter(|&i| *self.entry(i, c) != 0).count();
        let filled = column * nonzeros(self.row(r)) + nonzeros(&self.entries);
        let fits = fits(filled.min(self.size()));
        fits.then_some(()).ok_or(Exhausted::Tableau(limit))
    }

    /// Exchanges basic variable r with nonbasic variable c, whose entry must not be zero.
    pub fn pivot(&mut self, r: usize, c: usize) {
        let width = self.columns() + 1;
        let (before, rest) = self.entries.split_at_mut(r * width);
        let (pivot_row, after) = rest.split_at_mut(width);
        let pivot = std::mem::take(&mut pivot_row[c]);
        debug_assert!(pivot != 0, "a pivot must not be zero");
        let mut update = Update {
            pivot: &pivot,
            denominator: &self.denominator,
            numerator: &mut self.numerator,
        };
        let others = before.chunks_exact_mut(width);
        for row in others.chain(after.chunks_exact_mut(width)) {
            // Column c keeps its numerators: with x_c = den x_r / pivot + ..., a_ic / den becomes a_ic /
            // pivot. With 0 in their place the loop passes them by.
            let factor = std::mem::take(&mut row[c]);
            for (value, across) in row.iter_mut().zip(&*pivot_row) {
                update.apply(value, &factor, across);
            }
            row[c] = factor;
        }
        // Solved for the entering variable, over the new denominator.
        negate(pivot_row);
        pivot_row[c] = std::mem::replace(&mut self.denominator, pivot);
        if self.denominator < 0 {
            self.denominator.neg_assign();
            negate(&mut self.entries);
        }
        std::mem::swap(&mut self.basic[r], &mut self.nonbasic[c]);
    }

    /// Adds a row for the sum of the given variables, as an objective; its index. It is an integer
    /// combination of the initial variables, so the divisions stay exact.
    pub fn push_sum(&mut self, variables: &[Variable]) -> usize {
        let width = self.columns() + 1;
        let mut sum = vec![Integer::new(); width];
        for &variable in variables {
            if let Some(c) = self.column_of(variable) {
                sum[c] += &self.denominator;
            } else if let Some(r) = self.row_of(variable) {
                sum.iter_mut()
                    .zip(self.row(r))
                    .for_each(|(sum, value)| *sum += value);
            }
        }
        self.entries.extend(sum);
        self.basic.push(Variable::Artificial);
        self.basic.len() - 1
    }

    /// Takes the last row away.
    pub fn pop_row(&mut self) {
        self.basic.pop();
        self.entries.truncate(self.rows() * (self.columns() + 1));
    }

    /// Replaces basic variable r by h - it; h = 0 where only the sign changes.
    pub fn reflect_basic(&mut self, r: usize, h: &Integer) {
        let width = self.columns() + 1;
        let row = &mut self.entries[r * width..(r + 1) * width];
        negate(row);
        row[width - 1] += h * &self.denominator;
    }

    /// Replaces nonbasic variable c by h - it; h = 0 where only the sign changes.
    pub fn reflect_nonbasic(&mut self, c: usize, h: &Integer) {
        let width = self.columns() + 1;
        for row in self.entries.chunks_exact_mut(width) {
            self.numerator.assign(&row[c] * h);
            row[width - 1] += &self.numerator;
            row[c].neg_assign();
        }
    }

    /// Adds a nonbasic variable with its column, times the denominator; its index.
    pub fn push_column(&mut self, variable: Variable, column: Vec<Integer>) -> usize {
        let width = self.columns() + 1;
        debug_assert_eq!(column.len(), self.rows());
        let mut old = std::mem::take(&mut self.entries).into_iter();
        self.entries.reserve_exact(old.len() + column.len());
        for own in column {
            self.entries.extend(old.by_ref().take(width - 1));
            self.entries.push(own);
            self.entries.extend(old.next());
        }
        self.nonbasic.push(variable);
        width - 1
    }

    /// Drops nonbasic column c: its variable stays 0 for ever.
    pub fn drop_column(&mut self, c: usize) {
        let width = self.columns() + 1;
        let mut position = 0;
        self.entries.retain(|_| {
            let keep = position % width != c;
            position += 1;
            keep
        });
        self.nonbasic.remove(c);
    }

    /// Bits of the denominator: how large the numbers have grown.
    pub fn bits(&self) -> u64 {
        u64::from(self.denominator.significant_bits())
    }
}

/// Changes all signs in place.
pub(crate) fn negate(values: &mut [Integer]) {
    values.iter_mut().for_each(Integer::neg_assign);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tableau(rows: &[&[i64]]) -> Tableau {
        let n = rows.len();
        let integers = rows
            .iter()
            .map(|row| row.iter().map(|&v| Integer::from(v)).collect());
        Tableau::new(
            (0..n).map(Variable::W).collect(),
            (0..n).map(Variable::Z).collect(),
            integers,
        )
    }

    #[test]
    fn pivoting_on_every_diagonal_solves_the_system() {
        // w = Mz + q with M = [[2, 1], [1, 2]], q = (-5, -6): z = (4/3, 7/3) at w = 0.
        let mut t = tableau(&[&[2, 1, -5], &[1, 2, -6]]);
        t.pivot(0, 0);
        t.pivot(1, 1);
        assert_eq!(t.value(0), Rational::from((4, 3)));
        assert_eq!(t.value(1), Rational::from((7, 3)));
        assert_eq!(*t.denominator(), 3);
        assert_eq!(t.bits(), 2);
    }

    /// A pivot on 2^79 makes numbers of some 80 bits: 10 bytes, beside 48 of the number itself.
    #[test]
    fn a_pivot_needs_memory_for_all_that_is_not_zero_after_it() {
        let room = |rows: [&[i64]; 3], entries: u64| {
            let mut t = tableau(&rows);
            t.entries[0] <<= 79;
            t.room_within(58 * entries, 0, 0).is_ok()
        };
        let arrow: [&[i64]; 3] = [&[1, 1, 1, 0], &[1, 0, 0, 0], &[1, 0, 0, 0]];
        // Of twelve entries all may fill, for the pivot's row and its column meet in nine.
        assert!(room(arrow, 12) && !room(arrow, 11));
        // One in the row, one in the column, and three before.
        let diagonal: [&[i64]; 3] = [&[1, 0, 0, 0], &[0, 2, 0, 0], &[0, 0, 2, 0]];
        assert!(room(diagonal, 4) && !room(diagonal, 3));
        let full = tableau(&arrow).room_within(58, 0, 0);
        assert_eq!(full, Err(Exhausted::Tableau(58)));
    }

    #[test]
    fn pivoting_twice_is_the_identity() {
        let start = tableau(&[&[0, -3, 7], &[4, 5, -1]]);
        let mut t = start.clone();
        t.pivot(0, 1);
        assert_eq!(t.basic(), [Variable::Z(1), Variable::W(1)]);
        assert!(*t.denominator() > 0);
        t.pivot(0, 1);
        assert_eq!(
            (&t.entries, &t.denominator),
            (&start.entries, &start.denominator)
        );
    }

    #[test]
    fn a_sum_of_variables_is_a_row_like_any_other() {
        // w0 = 2 z0 + z1 - 5, w1 = z0 + 2 z1 - 6; after one pivot z0 = (w0 - z1 + 5) / 2.
        let mut t = tableau(&[&[2, 1, -5], &[1, 2, -6]]);
        t.pivot(0, 0);
        let before = t.clone();
        let r = t.push_sum(&[Variable::Z(0), Variable::Z(1)]);
        assert_eq!((r, t.rows()), (2, 3));
        // (w0 + z1 + 5) / 2, whose pivot takes it along.
        assert_eq!(t.row(r), [1, 1, 5]);
        t.pivot(1, 1);
        assert_eq!(t.value(r), Rational::from((11, 3)));
        t.pivot(1, 1);
        t.pop_row();
        assert_eq!(t.entries, before.entries);
        assert_eq!(t.basic(), before.basic());
    }

    #[test]
    fn dropping_a_column_leaves_the_others() {
        let mut t = tableau(&[&[1, 2, 3], &[4, 5, 6]]);
        t.drop_column(0);
        assert_eq!(t.row(1), [5, 6]);
        assert_eq!(t.nonbasic(), [Variable::Z(1)]);
    }
}
