//! A factor kept from the last problem, as a preconditioner of the next.
//!
//! A game's matrices change little from frame to frame, and the rows that stand between hardly at
//! all. The old factor is used with its rows and columns scaled by the square roots of the ratios of
//! the diagonal entries. Where the entries changed little or were scaled, refinement then converges in
//! a step or two. Each step costs one product with M, where a new factor costs k^3 / 6. A factor with
//! which it does not converge so fast is dropped after one such step.

/// Below this, a new factor is as cheap as the attempt to do without: k^3 / 6 is as much as five
/// products of k^2 at k = 30.
const KEEP_FROM: usize = 32;

/// After an attempt in vain, so many problems are solved without one: an attempt costs one part in
/// sixteen of the frames then. Chosen.
const REST: u32 = 15;

/// Which rows the factor of a system belongs to, and how another block is scaled to it.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    set: Vec<usize>,
    diagonal: Vec<f64>,
    scale: Vec<f64>,
    used: bool,
    /// Problems to come that had better not try.
    rest: u32,
}

impl Kept {
    /// Room for n rows; what is kept stays.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.set.reserve(n.saturating_sub(self.set.len()));
        self.diagonal.reserve(n.saturating_sub(self.diagonal.len()));
        self.scale.reserve(n.saturating_sub(self.scale.len()));
    }

    /// The factor is no longer there.
    pub(crate) fn clear(&mut self) {
        self.set.clear();
        self.used = false;
    }

    /// The factor is now that of the block of these rows, with these diagonal entries.
    pub(crate) fn hold(&mut self, set: &[usize], diagonal: impl Iterator<Item = f64>) {
        self.clear();
        if set.len() >= KEEP_FROM {
            self.set.extend_from_slice(set);
            self.diagonal.clear();
            self.diagonal.extend(diagonal);
        }
    }

    /// Takes the kept factor for a block of the same rows; whether there is one.
    pub(crate) fn take(&mut self, set: &[usize], diagonal: impl Iterator<Item = f64>) -> bool {
        if self.set.is_empty() || self.set != set {
            return false;
        }
        if self.rest > 0 {
            self.rest -= 1;
            return false;
        }
        self.scale.clear();
        // A is taken for S^-1 A_old S^-1 with S = sqrt(old / new), which has the new diagonal. Its inverse
        // is S A_old^-1 S.
        let ratios = self.diagonal.iter().zip(diagonal);
        self.scale
            .extend(ratios.map(|(old, new)| (old / new).sqrt()));
        self.used = true;
        true
    }

    /// Notes that the factor was of no use: problems like this one change too much.
    pub(crate) fn fails(&mut self) {
        self.rest = REST;
    }

    /// Whether the factor in use is another block's.
    pub(crate) fn is_used(&self) -> bool {
        self.used
    }

    /// Scales a vector before and after solving with the factor.
    pub(crate) fn scale(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.scale).for_each(|(x, s)| *x *= s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_serves_its_own_rows_scaled_and_rests_where_it_did_not_do() {
        let rows: Vec<usize> = (0..KEEP_FROM).collect();
        let ones = || std::iter::repeat_n(1.0, KEEP_FROM);
        let mut kept = Kept::default();
        assert!(!kept.take(&rows, ones()));
        kept.hold(&rows, ones());
        let others: Vec<usize> = (1..=KEEP_FROM).collect();
        assert!(!kept.take(&others, ones()) && !kept.is_used());
        assert!(kept.take(&rows, ones().map(|d| 4.0 * d)) && kept.is_used());
        // A block of 4 times the diagonal has D A D with D = 2, so its inverse is D^-1 A^-1 D^-1.
        let mut x = vec![1.0; KEEP_FROM];
        kept.scale(&mut x);
        assert!(x.iter().all(|x| *x == 0.5));
        kept.fails();
        for _ in 0..REST {
            assert!(!kept.take(&rows, ones()));
        }
        assert!(kept.take(&rows, ones()));
        kept.clear();
        assert!(!kept.take(&rows, ones()) && !kept.is_used());
        kept.hold(&rows[1..], ones().skip(1));
        assert!(!kept.take(&rows[1..], ones().skip(1)));
    }
}
