//! Blocks, and the sizes of rows that the block error is relative to (`docs/cones.md`, "The block error").

use super::data::{Cone, ConeProblem};

/// A row that no block has taken yet.
const NONE: usize = usize::MAX;

/// The blocks of a problem, and the largest entries of M between them.
pub(super) struct Blocks {
    /// The block of each row.
    of: Vec<usize>,
    /// max |M_cd| by compressed rows c.
    starts: Vec<usize>,
    largest: Vec<(usize, f64)>,
    /// Of each block the largest size of its data.
    data: Vec<f64>,
    norms: Vec<f64>,
}

impl Blocks {
    /// Those of the record; else of a cone the normal with the first two rows of its first disc, a third row of
    /// it alone (torsion), its further rows together (rolling), every further disc; else the row alone.
    pub fn new(problem: &ConeProblem) -> Self {
        let (of, rows) = partition(problem);
        let count = rows.len();
        let (mut starts, mut largest) = (vec![0], Vec::new());
        let (mut place, mut data) = (vec![NONE; count], vec![0.0f64; count]);
        for (block, rows) in rows.iter().enumerate() {
            let begin = largest.len();
            for &i in rows {
                data[block] = data[block].max(problem.sizes[i]);
                for (j, value) in problem.row(i) {
                    let other = of[j];
                    // A place before `begin` was given by an earlier block: the list need not be cleared
                    // between blocks.
                    if place[other] == NONE || place[other] < begin {
                        place[other] = largest.len();
                        largest.push((other, 0.0));
                    }
                    let entry: &mut (usize, f64) = &mut largest[place[other]];
                    entry.1 = entry.1.max(value.abs());
                }
            }
            starts.push(largest.len());
        }
        Self {
            of,
            starts,
            largest,
            data,
            norms: vec![0.0; count],
        }
    }

    /// s of each row: the sum over blocks d of max |M_cd| (sum of |z_j| in d), and the largest size of data.
    pub fn sizes(&mut self, problem: &ConeProblem, z: &[f64], s: &mut [f64]) {
        self.norms.fill(0.0);
        for (block, z) in self.of.iter().zip(z) {
            self.norms[*block] += z.abs();
        }
        let size = |block: usize| {
            let row = &self.largest[self.starts[block]..self.starts[block + 1]];
            let terms = row.iter().map(|(other, value)| value * self.norms[*other]);
            terms.sum::<f64>() + self.data[block]
        };
        let sizes: Vec<f64> = (0..self.data.len()).map(size).collect();
        for i in 0..problem.n() {
            s[i] = sizes[self.of[i]];
        }
    }
}

/// The block of each row, and the rows of each block.
fn partition(problem: &ConeProblem) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut of = vec![NONE; problem.n()];
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut take = |rows: &mut dyn Iterator<Item = usize>| {
        let mut own = Vec::new();
        for row in rows {
            if of[row] == NONE {
                of[row] = blocks.len();
                own.push(row);
            }
        }
        if !own.is_empty() {
            blocks.push(own);
        }
    };
    for block in &problem.blocks {
        take(&mut block.iter().copied());
    }
    for Cone { normal, discs, .. } in &problem.cones {
        let (first, others) = match discs.split_first() {
            Some((first, others)) => (&first.rows[..], others),
            None => (&[][..], &[][..]),
        };
        let (plane, more) = first.split_at(first.len().min(2));
        let (torsion, rolling) = more.split_at(more.len().min(1));
        take(&mut [*normal].into_iter().chain(plane.iter().copied()));
        take(&mut torsion.iter().copied());
        take(&mut rolling.iter().copied());
        for disc in others {
            take(&mut disc.rows.iter().copied());
        }
    }
    for row in 0..problem.n() {
        take(&mut std::iter::once(row));
    }
    (of, blocks)
}
