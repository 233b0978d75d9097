//! Which of n things hang together.

/// Disjoint sets of 0..n, each known by its least member.
pub(crate) struct Unions {
    above: Vec<usize>,
}

impl Unions {
    /// Each by itself.
    pub(crate) fn new(n: usize) -> Self {
        Self {
            above: (0..n).collect(),
        }
    }

    /// The least member of the set of i.
    pub(crate) fn least(&mut self, mut i: usize) -> usize {
        while self.above[i] != i {
            self.above[i] = self.above[self.above[i]];
            i = self.above[i];
        }
        i
    }

    /// The least member of the set of each.
    pub(crate) fn all(mut self) -> Vec<usize> {
        (0..self.above.len()).map(|i| self.least(i)).collect()
    }

    /// Makes one set of those of i and j.
    pub(crate) fn join(&mut self, i: usize, j: usize) {
        let (a, b) = (self.least(i), self.least(j));
        self.above[a.max(b)] = a.min(b);
    }
}
