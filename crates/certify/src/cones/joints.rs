//! Rows of soft joints told from rows of bodies by signs (`docs/cones.md`, "Bodies at rest"): both are free and have an entry
//! on the diagonal.
//!
//! In mixed form M = [[A, -H'], [H, R]] a force and a velocity meet with M_ij M_ji < 0, two of a kind with M_ij M_ji > 0. A free
//! row and a free unknown may be multiplied by a negative number, which changes the sign of M_ii too: so the sign of M_ii,
//! where it is not 0, counts with both. `etalon-fast` guesses the kinds by the same rule in binary64; the checker takes
//! nothing from a solver, and so has a rule of its own.

use etalon_lcp::Row;

use super::Contacts;
use crate::budget::{Budget, OverBudget};

/// Rows that hang together by nonzeros of M, each with its kind relative to another one of them.
pub(super) struct Kinds {
    /// Another row of the same set, or the row itself at the top of a set.
    above: Vec<usize>,
    /// 1 where the row is of the kind of the row above, else -1; 1 at the top.
    sign: Vec<i32>,
    /// Whether signs contradict each other in the set, at its top.
    contradicts: Vec<bool>,
}

impl Kinds {
    /// So many rows, each alone.
    pub fn new(n: usize) -> Self {
        Self {
            above: (0..n).collect(),
            sign: vec![1; n],
            contradicts: vec![false; n],
        }
    }

    /// The top of a row's set, and the row's kind relative to it. Paths are halved on the way.
    pub fn top(&mut self, mut i: usize) -> (usize, i32) {
        let mut kind = 1;
        while self.above[i] != i {
            let above = self.above[i];
            self.sign[i] *= self.sign[above];
            self.above[i] = self.above[above];
            kind *= self.sign[i];
            i = self.above[i];
        }
        (i, kind)
    }

    /// Two rows meet: of one kind with a sign of 1, of two with -1; with 0 nothing says of which, which contradicts.
    pub fn meet(&mut self, i: usize, j: usize, sign: i32) {
        let ((a, of_a), (b, of_b)) = (self.top(i), self.top(j));
        let (first, last, relative) = (a.min(b), a.max(b), of_a * of_b * sign);
        self.contradicts[first] |= self.contradicts[last] | (sign == 0) | (a == b && relative < 0);
        if a != b {
            (self.above[last], self.sign[last]) = (first, if relative < 0 { -1 } else { 1 });
        }
    }
}

impl Contacts<'_> {
    /// The free rows of bodies: those with an entry on the diagonal, but for soft joints.
    pub(super) fn of_bodies(&self, budget: &Budget) -> Result<Vec<bool>, OverBudget> {
        let m = self.problem.m();
        let rows = self.problem.rows();
        let is_free: Vec<_> = rows.iter().map(|row| matches!(row, Row::Free)).collect();
        let own = |i: usize| m.get(i, i).map_or(0, |own| own.signum());
        let signs: Vec<_> = (is_free.iter().enumerate())
            .map(|(i, is_free)| if *is_free { own(i) } else { 0 })
            .collect();
        let mut of_bodies: Vec<_> = signs.iter().map(|sign| *sign != 0).collect();
        if !of_bodies.contains(&true) {
            return Ok(of_bodies);
        }
        let _held = budget.hold(is_free.len() as u64, 0)?;
        let mut kinds = self.kinds(&signs, budget)?;
        // The kind of forces in each set, relative to its top, and whether it has a body.
        let mut forces = vec![0; is_free.len()];
        for i in (0..is_free.len()).filter(|&i| !is_free[i]) {
            let (top, kind) = kinds.top(i);
            kinds.contradicts[top] |= forces[top] == -kind;
            forces[top] = kind;
        }
        let mut has_body = vec![false; is_free.len()];
        for i in (0..is_free.len()).filter(|&i| of_bodies[i]) {
            let (top, kind) = kinds.top(i);
            has_body[top] |= forces[top] == -kind;
        }
        for (i, of_body) in of_bodies.iter_mut().enumerate() {
            let (top, kind) = kinds.top(i);
            let is_force = forces[top] == kind && has_body[top] && !kinds.contradicts[top];
            *of_body &= !is_force;
        }
        Ok(of_bodies)
    }

    /// The kinds of all rows by the nonzeros of M. `signs` are those of diagonal entries, or 0.
    fn kinds(&self, signs: &[i32], budget: &Budget) -> Result<Kinds, OverBudget> {
        let m = self.problem.m();
        // A look at the other side and a step or two up for each.
        budget.multiply(4 * m.stored() as u64, 1, 1)?;
        let mut kinds = Kinds::new(signs.len());
        let turned = |i: usize| if signs[i] < 0 { -1 } else { 1 };
        for i in 0..signs.len() {
            for (j, value) in m.row(i).filter(|(j, _)| *j != i) {
                let other = m.get(j, i).map_or(0, |other| other.signum());
                kinds.meet(i, j, value.signum() * other * turned(i) * turned(j));
            }
        }
        Ok(kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_a_chain_do_not_depend_on_the_order_of_its_links() {
        let n = 97;
        let sign = |i: usize| if i.is_multiple_of(3) { -1 } else { 1 };
        // Links in steps of all sizes: sets of many rows meet, with paths of many steps.
        for step in 1..n - 1 {
            let links = || (0..n - 1).map(|k| k * step % (n - 1));
            let mut kinds = Kinds::new(n);
            for i in links().chain((0..n - 1).rev()) {
                kinds.meet(i + 1, i, sign(i));
            }
            let mut expected = 1;
            for i in 0..n {
                assert_eq!(kinds.top(i), (0, expected), "{step} {i}");
                expected *= sign(i);
            }
            assert!(!kinds.contradicts[0], "{step}");
        }
    }

    #[test]
    fn a_contradiction_is_one_of_all_that_hangs_together() {
        let mut kinds = Kinds::new(5);
        kinds.meet(3, 4, 1);
        kinds.meet(4, 3, -1);
        kinds.meet(0, 1, 0);
        kinds.meet(2, 3, -1);
        assert_eq!(kinds.contradicts[..3], [true, false, true]);
        kinds.meet(1, 4, 1);
        assert_eq!((kinds.top(2).0, kinds.contradicts[0]), (0, true));
        // A set with a contradiction joins another one by a link that is one, too.
        let mut kinds = Kinds::new(4);
        kinds.meet(2, 3, 0);
        kinds.meet(1, 2, 0);
        assert_eq!((kinds.top(3).0, kinds.contradicts[1]), (1, true));
    }
}
