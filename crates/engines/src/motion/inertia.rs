//! M^-1, block by block, in fractions.

use etalon_rigid::Dense;
use rug::Rational;

use crate::assembly::Row;

/// The inverse of a mass matrix.
pub(super) struct Inverse {
    blocks: Vec<(usize, Dense<Rational>)>,
    n: usize,
}

impl Inverse {
    /// `None` where the matrix has no inverse.
    pub fn of(mass: &[Row]) -> Option<Self> {
        let mut blocks = Vec::new();
        let (mut start, mut reach) = (0, 0);
        for (i, row) in mass.iter().enumerate() {
            // M is symmetric: where no row so far reaches beyond row i, no later row reaches back to it.
            let furthest = row.iter().map(|(j, _)| *j).max().unwrap_or(i);
            reach = reach.max(furthest).max(i);
            if reach == i {
                let n = i + 1 - start;
                let entry = |a: usize, b: usize| {
                    let mut found = mass[start + a].iter().filter(|(j, _)| *j == start + b);
                    found.next().map(|(_, own)| own.clone()).unwrap_or_default()
                };
                blocks.push((start, Dense::from_fn(n, n, entry).inverse()?));
                start = i + 1;
            }
        }
        Some(Self {
            blocks,
            n: mass.len(),
        })
    }

    /// M^-1 times a vector.
    pub fn times(&self, vector: &[Rational]) -> Vec<Rational> {
        let mut product = vec![Rational::new(); self.n];
        for (start, block) in &self.blocks {
            for i in 0..block.rows() {
                for (j, own) in block.row(i).iter().enumerate() {
                    product[start + i] += Rational::from(own * &vector[start + j]);
                }
            }
        }
        product
    }

    /// M^-1 times a sparse row.
    pub fn times_row(&self, row: &Row) -> Vec<Rational> {
        let mut dense = vec![Rational::new(); self.n];
        for (j, own) in row {
            dense[*j] += own;
        }
        self.times(&dense)
    }
}
