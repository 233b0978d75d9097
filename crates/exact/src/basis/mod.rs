//! The solution that belongs to a complementary basis, exactly, with all signs decided.
//!
//! A basis alpha stands for the point with w_alpha = 0 and z_i = 0 off alpha: z_alpha solves
//! M_alpha,alpha z_alpha = -q_alpha, and w_i = q_i + M_i,alpha z_alpha off alpha. It solves the LCP if
//! no z_i and no w_i is negative (CPS section 1.3; complementary cones). The system is solved by
//! p-adic [lifting](crate::lifting): cubic with the constant of floating-point elimination, where
//! pivoting to the same basis is cubic in long integers.

mod binary64;
mod coefficient;
mod row;
mod sign;
mod system;
#[cfg(test)]
mod tests;

use etalon_lcp::{Basis, MixedLcp};
use etalon_modular::{Backend, Prime, independent_columns};
use rug::{Integer, Rational};

use crate::budget::{Budget, Exhausted, Meter};
use crate::lifting::{Failure, MAX_ROWS, helpers, solve};
use system::BasisSystem;

/// The point of a complementary basis, as fractions over one denominator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasisSolution {
    /// The numerators of z, n values, 0 off the basis.
    pub numerators: Vec<Integer>,
    /// The common denominator, positive.
    pub denominator: Integer,
    /// Whether the point solves the LCP.
    pub signs: Signs,
    /// The complementary rows whose basic variable is 0: where other bases share the point.
    pub degenerate: Vec<usize>,
}

/// Which signs a point has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signs {
    /// z >= 0 and w >= 0 on all complementary rows: a solution.
    Feasible,
    /// No solution.
    Infeasible {
        /// The rows with a negative z_i (those in the basis) or w_i (the others), ascending.
        rows: Vec<usize>,
    },
}

/// Why a basis has no point to show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BasisFailure {
    /// A basis of another size.
    #[error("the basis has {length} bits, but the problem has {n} rows")]
    Length {
        /// Its bits.
        length: usize,
        /// The number of rows.
        n: usize,
    },
    /// M_alpha,alpha is singular, so that the basis is none. For more than twelve rows this is no
    /// proof: the determinant vanishes modulo three primes of 50 bits, and nothing that Etalon
    /// certifies rests on it.
    #[error("the basis matrix is singular")]
    Singular,
    /// The budget ran out, which says nothing about the basis.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl From<Failure> for BasisFailure {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Singular => Self::Singular,
            Failure::Exhausted(exhausted) => Self::Exhausted(exhausted),
        }
    }
}

/// Computes the point of a complementary basis and decides its signs, exactly. The rows of the
/// basis are those whose bit is set, and all bilateral ones.
///
/// ```
/// use etalon_exact::{Budget, Signs, basis_solution};
/// use etalon_lcp::{Matrix, MixedLcp, Number};
///
/// let int = |v: i64| Number::from(v);
/// let m = Matrix::from_rows(vec![vec![int(2), int(1)], vec![int(1), int(2)]])?;
/// let lcp = MixedLcp::new(m, vec![int(-5), int(-6)], vec![false; 2]).ok_or("lengths")?;
/// let solution = basis_solution(&lcp, &"11".parse()?, &Budget::default())?;
/// assert_eq!(solution.z(), [rug::Rational::from((4, 3)), rug::Rational::from((7, 3))]);
/// assert_eq!(solution.signs, Signs::Feasible);
/// let wrong = basis_solution(&lcp, &"01".parse()?, &Budget::default())?;
/// assert_eq!(wrong.signs, Signs::Infeasible { rows: vec![0] });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BasisFailure`]. The budget bounds the bits of the denominator and the time; bases of more
/// than 4096 rows are refused before memory is taken for them.
pub fn basis_solution(
    lcp: &MixedLcp,
    basis: &Basis,
    budget: &Budget,
) -> Result<BasisSolution, BasisFailure> {
    let n = lcp.n();
    if basis.n() != n {
        let length = basis.n();
        return Err(BasisFailure::Length { length, n });
    }
    let meter = Meter::new(budget);
    let alpha = alpha(lcp, basis);
    if alpha.len() > MAX_ROWS {
        return Err(Exhausted::Rows(MAX_ROWS).into());
    }
    let helpers = helpers(alpha.len(), &meter);
    let system = BasisSystem::new(lcp, alpha, helpers);
    let scaled = solve(&system.matrix, &system.b, &meter)?;
    let (rows, degenerate) = system.signs(lcp, &scaled, helpers);
    let signs = if rows.is_empty() {
        Signs::Feasible
    } else {
        Signs::Infeasible { rows }
    };
    let (numerators, denominator) = system.unscaled(n, scaled);
    Ok(BasisSolution {
        numerators,
        denominator,
        signs,
        degenerate,
    })
}

/// The rows of the basis, the bilateral ones first.
fn alpha(lcp: &MixedLcp, basis: &Basis) -> Vec<usize> {
    let rows = 0..lcp.n();
    let (mut alpha, others): (Vec<usize>, Vec<usize>) = rows.partition(|&i| lcp.bilateral()[i]);
    alpha.extend(others.into_iter().filter(|&i| basis.z_is_basic(i)));
    alpha
}

/// A basis without the rows whose columns depend on those before them, bilateral rows first,
/// modulo a prime. For symmetric M what is left is regular; otherwise it may be.
pub(crate) fn independent_part(lcp: &MixedLcp, basis: &Basis) -> Basis {
    let alpha = alpha(lcp, basis);
    let mut bits = vec![false; lcp.n()];
    if let Some(prime) = Prime::nth(0)
        && alpha.len() <= MAX_ROWS
    {
        let matrix = BasisSystem::new(lcp, alpha.clone(), 0).matrix;
        let residues = matrix.residues(prime);
        let backend = Backend::detect();
        // Columns independent modulo p are independent: an unlucky prime may drop rows, never keep more.
        for k in independent_columns(residues, matrix.n, prime, backend) {
            bits[alpha[k]] = true;
        }
    }
    Basis::new(bits)
}

impl BasisSolution {
    /// z, n fractions in lowest terms.
    pub fn z(&self) -> Vec<Rational> {
        let over = |numerator: &Integer| {
            if *numerator == 0 {
                return Rational::new();
            }
            Rational::from((numerator, &self.denominator))
        };
        self.numerators.iter().map(over).collect()
    }

    /// w = Mz + q, n fractions.
    ///
    /// # Panics
    /// When the LCP is not the one solved and has more columns.
    pub fn w(&self, lcp: &MixedLcp) -> Vec<Rational> {
        let row = |i: usize| {
            let terms = lcp.m().row(i);
            let products = terms.map(|(j, value)| value.to_rational() * &self.numerators[j]);
            let sum = products.fold(Rational::new(), |sum, term| sum + term);
            sum / &self.denominator + lcp.q()[i].to_rational()
        };
        (0..lcp.n()).map(row).collect()
    }
}
