//! All methods by their names on the command line: the exact ones, the fast ones, and
//! `certified`, in which a fast method proposes a basis and exact arithmetic proves or repairs it.

mod examination;
mod pyramid;

use std::fmt;
use std::str::FromStr;

use etalon_exact::{Budget, Certified};
use etalon_fast::ConeSolver;
use etalon_lcp::Solver;

pub use examination::{Assigned, all_methods};
pub use pyramid::{Pyramid, PyramidError, Sides};

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// An answer that is exact, or none.
    Exact(etalon_exact::ExactMethod),
    /// A binary64 answer that is right up to rounding, or none.
    Fast(etalon_fast::FastMethod),
    /// A binary64 answer to a problem with friction cones whose block error is at most 1e-12, or none.
    Cone,
}

/// A name that no method has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no method; the methods are {}", names())]
pub struct UnknownMethod {
    /// It.
    pub name: String,
}

impl Method {
    /// All methods, the default first.
    pub fn all() -> impl Iterator<Item = Self> {
        let exact = etalon_exact::ExactMethod::ALL.into_iter().map(Self::Exact);
        let fast = etalon_fast::FastMethod::ALL.into_iter().map(Self::Fast);
        exact.chain(fast).chain([Self::Cone])
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact(method) => method.name(),
            Self::Fast(method) => method.name(),
            Self::Cone => ConeSolver::NAME,
        }
    }

    /// Its description, in a line.
    pub fn about(self) -> &'static str {
        use etalon_exact::ExactMethod as Exact;
        use etalon_fast::FastMethod as Fast;
        match self {
            Self::Exact(Exact::Certified) => {
                "a fast answer proved or repaired exactly, else exact pivoting, else a proof of none"
            }
            Self::Exact(Exact::Lemke) => "Lemke's method with lexicographic pivots",
            Self::Exact(Exact::Dantzig) => {
                "Cottle-Dantzig principal pivoting: symmetric PSD M and P-matrices"
            }
            Self::Exact(Exact::LeastIndex) => "Murty's least-index principal pivoting: P-matrices",
            Self::Exact(Exact::Enumerate) => "all solutions, or a proof that there is none",
            Self::Fast(Fast::Auto) => "binary64: the method that fits M, checked by backward error",
            Self::Fast(Fast::Dantzig) => "binary64: Dantzig with an updated factorisation",
            Self::Fast(Fast::Lemke) => "binary64: lexicographic Lemke",
            Self::Fast(Fast::Block) => "binary64: block principal pivoting",
            Self::Cone => {
                "binary64: proximal semismooth Newton for friction cones, checked by block error"
            }
            _ => "",
        }
    }

    /// Whether its answers are exact.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// The method as a solver. Of the budget the fast methods take the time; else they have limits of their own. `certified`
    /// gives half of the time to the proposal.
    pub fn solver(self, budget: &Budget) -> Box<dyn Solver + Send + Sync> {
        match self {
            Self::Exact(etalon_exact::ExactMethod::Certified) => {
                let half = budget.time.map(|time| time / 2);
                let proposer = etalon_fast::FastMethod::Auto.solver_within(half);
                Box::new(Certified::new(proposer, budget.clone()))
            }
            Self::Exact(method) => method.solver(budget),
            Self::Fast(method) => method.solver_within(budget.time),
            Self::Cone => ConeSolver::within(budget.time),
        }
    }
}

fn names() -> String {
    Method::all()
        .map(Method::name)
        .collect::<Vec<_>>()
        .join(", ")
}

impl Default for Method {
    fn default() -> Self {
        Self::Exact(etalon_exact::ExactMethod::Certified)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let unknown = || UnknownMethod {
            name: name.to_owned(),
        };
        Self::all()
            .find(|method| method.name() == name)
            .ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_described_and_found_by_its_name() {
        for method in Method::all() {
            assert!(!method.about().is_empty(), "{method}");
            assert_eq!(method.name().parse(), Ok(method));
        }
        assert!("exact-lemkee".parse::<Method>().is_err());
    }
}
