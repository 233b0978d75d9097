//! Nonnegative solutions of linear systems of up to three rows, by their basic solutions.

use super::Vector;
use super::linear::Inverse;

/// The regular bases of some columns that span all n rows.
#[derive(Debug, Clone, Default)]
pub struct Bases(Vec<Inverse>);

impl Bases {
    /// All choices of n of the columns that are linearly independent.
    pub fn new(n: usize, columns: &[Vector]) -> Self {
        let choices = (0_usize..1 << columns.len()).filter(|set| set.count_ones() as usize == n);
        let bases = choices.map(|set| {
            let chosen = (0..columns.len()).filter(|j| set >> j & 1 == 1);
            Inverse::new(&chosen.map(|j| columns[j]).collect::<Vec<_>>())
        });
        Self(bases.filter(|basis| basis.size != 0).collect())
    }

    /// Whether b is a nonnegative combination of the columns. By Caratheodory's theorem it is then one of
    /// independent columns, and they are part of a basis.
    pub fn reach(&self, b: &Vector) -> bool {
        let holds = |basis: &Inverse| basis.times(b).iter().all(|value| *value >= 0);
        self.0.iter().any(holds)
    }
}

/// Whether there is an x >= 0 with Ax <= b, A given by its columns, of n rows.
pub fn is_satisfiable(n: usize, columns: &[Vector], b: &Vector) -> bool {
    if b.iter().all(|value| *value >= 0) {
        return true;
    }
    let slacks = (0..n).map(|i| {
        let mut slack = [0; 3];
        slack[i] = 1;
        slack
    });
    let all: Vec<Vector> = columns.iter().copied().chain(slacks).collect();
    Bases::new(n, &all).reach(b)
}
