//! faer's sparse factors, with what one matrix leaves for the next of its pattern: the order of elimination and the memory.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::cholesky::{LltRef, SymbolicCholesky, factorize_symbolic_cholesky};
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

/// Cholesky's factor. Memory for the factor of a million rows takes the system as long as half of the arithmetic, so it is kept.
pub(crate) struct Cholesky {
    symbolic: SymbolicCholesky<u32>,
    values: Vec<f64>,
    factoring: MemBuffer,
    solving: MemBuffer,
}

impl Cholesky {
    /// The order of elimination of a pattern; none for an empty one, or where memory does not do.
    pub(crate) fn new(pattern: SymbolicSparseColMatRef<'_, u32>) -> Option<Self> {
        let (order, rules) = Default::default();
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, order, rules).ok()?;
        let numeric = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let one = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        let mut values = Vec::new();
        values.try_reserve_exact(symbolic.len_val()).ok()?;
        values.resize(symbolic.len_val(), 0.0);
        Some(Self {
            values,
            factoring: MemBuffer::try_new(numeric).ok()?,
            solving: MemBuffer::try_new(one).ok()?,
            symbolic,
        })
    }

    /// How many values the factor has.
    pub(crate) fn values(&self) -> usize {
        self.values.len()
    }

    /// Factors a matrix of the pattern, of which the lower triangle is read; `false` where it is not definite. No solution may follow then.
    pub(crate) fn factor(&mut self, matrix: SparseColMatRef<'_, u32, f64>) -> bool {
        let Self {
            symbolic,
            values,
            factoring,
            ..
        } = self;
        let stack = MemStack::new(factoring);
        let (regularise, rules) = Default::default();
        symbolic
            .factorize_numeric_llt(
                values,
                matrix,
                Side::Lower,
                regularise,
                Par::Seq,
                stack,
                rules,
            )
            .is_ok()
    }

    /// Solves in place.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        let n = x.len();
        let x = MatMut::from_column_major_slice_mut(x, n, 1);
        LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            x,
            Par::Seq,
            MemStack::new(&mut self.solving),
        );
    }
}

/// The LU factor with partial pivoting of a matrix given by compressed rows, which are the compressed columns of its transpose.
pub(crate) struct RowLu {
    symbolic: SymbolicLu<u32>,
    numeric: Option<Box<Lu<u32, f64>>>,
}

impl RowLu {
    /// The order of elimination of a pattern; none for an empty one, or where memory does not do.
    pub(crate) fn new(pattern: SymbolicSparseColMatRef<'_, u32>) -> Option<Self> {
        let symbolic = SymbolicLu::try_new(pattern).ok()?;
        Some(Self {
            symbolic,
            numeric: None,
        })
    }

    /// Factors a matrix of the pattern; `false` where it is singular.
    pub(crate) fn factor(&mut self, matrix: SparseColMatRef<'_, u32, f64>) -> bool {
        // Two factors at a time would take twice the memory.
        self.numeric = None;
        let numeric = Lu::try_new_with_symbolic(self.symbolic.clone(), matrix);
        self.numeric = numeric.ok().map(Box::new);
        self.numeric.is_some()
    }

    /// Solves in place; NaN where the last matrix was singular.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let n = x.len();
        match &self.numeric {
            Some(own) => {
                own.solve_transpose_in_place(MatMut::from_column_major_slice_mut(x, n, 1));
            }
            None => x.fill(f64::NAN),
        }
    }
}
