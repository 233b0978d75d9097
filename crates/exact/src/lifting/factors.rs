//! The factors of a sparse matrix modulo a prime.
//!
//! Rows and columns leave the matrix one pair after the other, those first that fill in least
//! (Markowitz 1957). What is left when it is no longer sparse is inverted as a dense matrix.

use std::collections::BTreeSet;

use etalon_modular::{Backend, Halves, Planes, Prime, inverse};

use crate::budget::{Exhausted, Meter};

/// A matrix with at least this share of its entries nonzero, one in so many, is dense.
const DENSE: usize = 3;

/// Fewer rows are not worth a dense matrix.
const FEW: usize = 24;

/// More take too much memory.
const MANY: usize = 2048;

/// Products of residues that take as long as an entry of the meter: some 20 ns.
pub(crate) const PRODUCTS: usize = 10;

/// Products of a dense elimination that take as long: in vector registers.
const DENSE_PRODUCTS: usize = 32;

/// Sums of so many products of residues, below 2^100 each, fit 127 bits.
const SUM: usize = 1 << 20;

/// A modulo p, factored.
#[derive(Debug, Clone)]
pub(super) struct Factors {
    prime: Prime,
    steps: Vec<Step>,
    tail: Tail,
    /// Right-hand side and solution.
    b: Vec<u64>,
    x: Vec<u64>,
}

/// One row and column that left the matrix.
#[derive(Debug, Clone)]
struct Step {
    row: usize,
    column: usize,
    /// The inverse of the pivot.
    inverse: u64,
    /// What was taken off the row before: so much of those rows.
    lower: Vec<(usize, u64)>,
    /// The other entries of the row.
    upper: Vec<(usize, u64)>,
}

/// The dense rest.
#[derive(Debug, Clone)]
struct Tail {
    /// The rows with what was taken off them.
    rows: Vec<(usize, Vec<(usize, u64)>)>,
    columns: Vec<usize>,
    inverse: Planes,
    vector: Halves,
    sums: Vec<[u64; 2]>,
}

impl Factors {
    /// Factors the matrix of these rows; none where it is singular modulo p.
    pub fn new(
        rows: Vec<Vec<(usize, u64)>>,
        prime: Prime,
        backend: Backend,
        meter: &Meter,
    ) -> Result<Option<Self>, Exhausted> {
        let n = rows.len();
        let mut state = Elimination::new(rows, prime);
        let mut steps = Vec::with_capacity(n);
        while !state.by_row.is_empty() && !state.is_dense() {
            let Some((row, column)) = state.choose() else {
                return Ok(None);
            };
            steps.push(state.pivot(row, column, meter)?);
        }
        let Some(tail) = Tail::new(state, backend, meter)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            prime,
            steps,
            tail,
            b: vec![0; n],
            x: vec![0; n],
        }))
    }

    /// The products that a solution takes.
    pub fn products(&self) -> usize {
        let step = |step: &Step| step.lower.len() + step.upper.len() + 2;
        let steps: usize = self.steps.iter().map(step).sum();
        let tail: usize = self.tail.rows.iter().map(|(_, lower)| lower.len()).sum();
        steps + tail + self.tail.columns.len().pow(2) / 2
    }

    /// Appends the x with A x = b modulo p.
    pub fn solve(&mut self, b: &[u64], out: &mut Vec<u64>) {
        let Self {
            prime,
            steps,
            tail,
            b: values,
            x,
        } = self;
        values.copy_from_slice(b);
        for step in steps.iter() {
            values[step.row] = less(*prime, values[step.row], &step.lower, values);
        }
        for (row, lower) in &tail.rows {
            values[*row] = less(*prime, values[*row], lower, values);
        }
        if !tail.columns.is_empty() {
            let rest = tail.rows.iter().map(|(row, _)| values[*row]);
            tail.vector.set(rest);
            tail.inverse.multiply(&tail.vector, &mut tail.sums);
            let solved = Planes::residues(&tail.sums, *prime);
            for (column, value) in tail.columns.iter().zip(solved) {
                x[*column] = value;
            }
        }
        for step in steps.iter().rev() {
            let value = less(*prime, values[step.row], &step.upper, x);
            x[step.column] = prime.multiply(value, step.inverse);
        }
        out.extend_from_slice(x);
    }
}

/// A value less the sum of these multiples of others, modulo p.
fn less(prime: Prime, value: u64, entries: &[(usize, u64)], others: &[u64]) -> u64 {
    if entries.is_empty() {
        return value;
    }
    let mut rest = value;
    for entries in entries.chunks(SUM) {
        let products = entries
            .iter()
            .map(|(k, factor)| u128::from(*factor) * u128::from(others[*k]));
        let sum = products.sum::<u128>();
        rest = prime.residue(rest + prime.negate(prime.residue_of_wide(sum as i128)));
    }
    rest
}

/// The rows and columns that have not left the matrix.
struct Elimination {
    prime: Prime,
    rows: Vec<Vec<(usize, u64)>>,
    lower: Vec<Vec<(usize, u64)>>,
    /// The rows with an entry in each column.
    columns: Vec<BTreeSet<usize>>,
    /// The rows and the columns by the number of their entries.
    by_row: BTreeSet<(usize, usize)>,
    by_column: BTreeSet<(usize, usize)>,
    entries: usize,
}

impl Elimination {
    fn new(rows: Vec<Vec<(usize, u64)>>, prime: Prime) -> Self {
        let mut columns = vec![BTreeSet::new(); rows.len()];
        for (i, row) in rows.iter().enumerate() {
            for (j, _) in row {
                columns[*j].insert(i);
            }
        }
        let by_row = rows.iter().enumerate().map(|(i, row)| (row.len(), i));
        let by_column = columns.iter().enumerate().map(|(j, own)| (own.len(), j));
        Self {
            prime,
            by_row: by_row.collect(),
            by_column: by_column.collect(),
            entries: rows.iter().map(Vec::len).sum(),
            lower: vec![Vec::new(); rows.len()],
            columns,
            rows,
        }
    }

    fn is_dense(&self) -> bool {
        let n = self.by_row.len();
        (FEW..=MANY).contains(&n) && self.entries.saturating_mul(DENSE) >= n * n
    }

    /// The entry that fills in least, of the shortest row and of the shortest column.
    fn choose(&self) -> Option<(usize, usize)> {
        // A pivot of a row of r and a column of c entries fills in at most (r - 1)(c - 1) places. Only the
        // shortest row and the shortest column are searched, where that product is small. One without
        // entries ends the search: the matrix is singular modulo p.
        let (row_count, row) = *self.by_row.first()?;
        let (column_count, column) = *self.by_column.first()?;
        let best_column = self.rows[row].iter().map(|(j, _)| *j);
        let best_column = best_column.min_by_key(|j| self.columns[*j].len())?;
        let best_row = self.columns[column].iter().copied();
        let best_row = best_row.min_by_key(|i| self.rows[*i].len())?;
        let by_row = (row_count - 1) * (self.columns[best_column].len() - 1);
        let by_column = (column_count - 1) * (self.rows[best_row].len() - 1);
        Some(if by_row <= by_column {
            (row, best_column)
        } else {
            (best_row, column)
        })
    }

    /// Takes a row and a column out of the matrix.
    fn pivot(&mut self, row: usize, column: usize, meter: &Meter) -> Result<Step, Exhausted> {
        let own = std::mem::take(&mut self.rows[row]);
        self.by_row.remove(&(own.len(), row));
        self.entries -= own.len();
        for (j, _) in &own {
            let rows = self.columns[*j].len();
            self.by_column.remove(&(rows, *j));
            self.columns[*j].remove(&row);
            if *j != column {
                self.by_column.insert((rows - 1, *j));
            }
        }
        let pivot = own.iter().find(|(j, _)| *j == column);
        let inverse = pivot.map_or(0, |(_, pivot)| self.prime.invert(*pivot));
        let upper: Vec<_> = own.into_iter().filter(|(j, _)| *j != column).collect();
        for i in std::mem::take(&mut self.columns[column]) {
            let work = upper.len() + self.rows[i].len();
            meter.uncounted(0, work / PRODUCTS + 1)?;
            self.reduce(i, row, column, inverse, &upper);
        }
        Ok(Step {
            row,
            column,
            inverse,
            lower: std::mem::take(&mut self.lower[row]),
            upper,
        })
    }

    /// Takes off row i what makes its entry in the column 0.
    fn reduce(
        &mut self,
        i: usize,
        row: usize,
        column: usize,
        inverse: u64,
        upper: &[(usize, u64)],
    ) {
        let prime = self.prime;
        let old = std::mem::take(&mut self.rows[i]);
        self.by_row.remove(&(old.len(), i));
        self.entries -= old.len();
        let entry = old.iter().find(|(j, _)| *j == column);
        let factor = entry.map_or(0, |(_, entry)| prime.multiply(*entry, inverse));
        self.lower[i].push((row, factor));
        let minus = prime.negate(factor);
        let mut merged = Vec::with_capacity(old.len() + upper.len());
        let mut others = upper.iter().peekable();
        for (j, value) in old.into_iter().filter(|(j, _)| *j != column) {
            while let Some((k, other)) = others.next_if(|(k, _)| *k < j) {
                merged.push((*k, prime.multiply(minus, *other)));
                self.count(*k, i, true);
            }
            let Some((_, other)) = others.next_if(|(k, _)| *k == j) else {
                merged.push((j, value));
                continue;
            };
            let value = prime.residue(value + prime.multiply(minus, *other));
            if value == 0 {
                self.count(j, i, false);
            } else {
                merged.push((j, value));
            }
        }
        for (k, other) in others {
            merged.push((*k, prime.multiply(minus, *other)));
            self.count(*k, i, true);
        }
        self.entries += merged.len();
        self.by_row.insert((merged.len(), i));
        self.rows[i] = merged;
    }

    /// Row i gets an entry in a column, or loses it.
    fn count(&mut self, column: usize, i: usize, has: bool) {
        let rows = &mut self.columns[column];
        self.by_column.remove(&(rows.len(), column));
        if has {
            rows.insert(i);
        } else {
            rows.remove(&i);
        }
        self.by_column.insert((rows.len(), column));
    }
}

impl Tail {
    fn new(
        mut state: Elimination,
        backend: Backend,
        meter: &Meter,
    ) -> Result<Option<Self>, Exhausted> {
        let mut columns: Vec<usize> = state.by_column.iter().map(|(_, j)| *j).collect();
        columns.sort_unstable();
        let mut rows: Vec<usize> = state.by_row.iter().map(|(_, i)| *i).collect();
        rows.sort_unstable();
        let n = rows.len();
        meter.uncounted(0, n.pow(3) / DENSE_PRODUCTS)?;
        let mut place = vec![0; state.rows.len()];
        for (k, j) in columns.iter().enumerate() {
            place[*j] = k;
        }
        let mut dense = vec![0; n * n];
        for (i, dense) in rows.iter().zip(dense.chunks_exact_mut(n.max(1))) {
            for (j, value) in &state.rows[*i] {
                dense[place[*j]] = *value;
            }
        }
        if n > 0 && inverse(&mut dense, n, state.prime, backend).is_err() {
            return Ok(None);
        }
        let lower = rows.into_iter();
        let lower = lower.map(|i| (i, std::mem::take(&mut state.lower[i])));
        Ok(Some(Self {
            rows: lower.collect(),
            columns,
            inverse: Planes::of_residues(&dense, n, backend),
            vector: Halves::default(),
            sums: Vec::new(),
        }))
    }
}
