//! The linear system of a set of rows, dense.

mod ldl;
mod lu;

pub(crate) use ldl::Ldl;
pub(crate) use lu::Lu;

use crate::place::Place;
use crate::problem::LcpRef;

/// Which factorisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Kind {
    /// LDL': symmetric positive definite.
    #[default]
    Symmetric,
    /// LU.
    General,
}

/// The factored system (M + E)_FF of the rows F, E a diagonal.
#[derive(Debug, Default)]
pub(crate) struct System {
    kind: Kind,
    ldl: Ldl,
    pub(crate) lu: Lu,
}

impl System {
    /// Room for n rows.
    pub(crate) fn reserve(&mut self, n: usize, kind: Kind) {
        match kind {
            Kind::Symmetric => self.ldl.reserve(n),
            Kind::General => self.lu.reserve(n),
        }
    }

    /// Gathers and factors the block of the rows in `set`, `shift` (empty: none) added to the
    /// diagonal, friction rows at a bound moving with their normals (LU only). `false` when it is singular, or not positive definite where it should be.
    pub(crate) fn factor(
        &mut self,
        kind: Kind,
        lcp: LcpRef<'_>,
        set: &[usize],
        shift: &[f64],
        places: &[Place],
    ) -> bool {
        self.gather(kind, lcp, set, shift, places);
        self.factor_gathered(set.len())
    }

    /// The same of a symmetric block with its diagonal times 1 - `part`, of which
    /// [`crate::proof`] makes a bound for the least eigenvalue.
    pub(crate) fn factor_lowered(&mut self, lcp: LcpRef<'_>, set: &[usize], part: f64) -> bool {
        self.gather(Kind::Symmetric, lcp, set, &[], &[]);
        let k = set.len();
        for value in self.ldl.upper[..k * k].iter_mut().step_by(k + 1) {
            *value *= 1.0 - part;
        }
        self.factor_gathered(k)
    }

    fn gather(
        &mut self,
        kind: Kind,
        lcp: LcpRef<'_>,
        set: &[usize],
        shift: &[f64],
        places: &[Place],
    ) {
        self.kind = kind;
        let k = set.len();
        let target = match kind {
            Kind::Symmetric => &mut self.ldl.upper,
            Kind::General => &mut self.lu.rows,
        };
        for (a, (&i, out)) in set
            .iter()
            .zip(target.chunks_exact_mut(k.max(1)))
            .enumerate()
        {
            let row = lcp.row(i);
            // LDL' reads the upper triangle only.
            let from = if kind == Kind::Symmetric { a } else { 0 };
            for (out, &j) in out[from..].iter_mut().zip(&set[from..]) {
                *out = row[j];
            }
            if let Some(shift) = shift.get(i) {
                out[a] += shift;
            }
            // z_row = -+mu z_normal moves with its normal.
            for f in lcp.friction {
                let sign = match places[f.row] {
                    Place::Lower => -f.mu,
                    Place::Upper => f.mu,
                    Place::Between => continue,
                };
                if let Ok(b) = set.binary_search(&f.normal) {
                    out[b] += sign * row[f.row];
                }
            }
        }
    }

    fn factor_gathered(&mut self, k: usize) -> bool {
        match self.kind {
            Kind::Symmetric => self.ldl.factor(k),
            Kind::General => self.lu.factor(k),
        }
    }

    /// Solves in place.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        match self.kind {
            Kind::Symmetric => self.ldl.solve(x),
            Kind::General => self.lu.solve(x),
        }
    }
}
