//! Why there is no answer.

/// Why a solver gave up. None of these says that the problem has no solution.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// NaN or an infinity in M or q.
    #[error("M and q must be finite")]
    NotFinite,
    /// The method is for symmetric positive semidefinite M.
    #[error("this method needs a symmetric positive semidefinite M; use fast-lemke or fast-auto")]
    NotSemidefinite,
    /// The method cannot take a friction row.
    #[error("this method takes no friction rows; use fast-lemke or fast-auto")]
    Friction,
    /// Lemke's path ended in a ray. In floating point that proves nothing.
    #[error("Lemke's path ended in a ray, which proves nothing in floating point")]
    Ray,
    /// A variable can grow without end.
    #[error("a variable can grow without a bound, which proves nothing in floating point")]
    Unbounded,
    /// More pivots than the budget.
    #[error("no answer within {pivots} pivots")]
    Pivots {
        /// The budget.
        pivots: u64,
    },
    /// The time that was allowed is over.
    #[error("the time ran out")]
    Time,
    /// The system of the final basis is singular, or nearly.
    #[error("the system of the final basis is singular to working precision")]
    Singular,
    /// The answer fails the self-check.
    #[error("{}", inaccurate(*backward_error))]
    Inaccurate {
        /// A bound on its backward error.
        backward_error: f64,
    },
    /// The numbers leave the range of binary64, even scaled.
    #[error(
        "numbers of the data or of the solution leave the range in which products of binary64 keep their digits, 2^-300 to 2^300, in any units that were tried"
    )]
    Overflow,
}

/// A backward error without a bound is not called one.
fn inaccurate(backward_error: f64) -> String {
    if backward_error.is_finite() {
        format!(
            "the best answer has a backward error of up to {backward_error:.1e}, over the limit"
        )
    } else {
        "the best answer is wrong in a row by as much as all terms of the row, or leaves the range in which that can be told".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_without_a_bound_is_said_in_words() {
        let of = |backward_error| Failure::Inaccurate { backward_error }.to_string();
        assert!(of(1e-9).contains("up to 1.0e-9, over the limit"));
        for unbounded in [f64::INFINITY, f64::NAN] {
            let text = of(unbounded);
            assert!(
                text.contains("all terms of the row") && !text.contains("inf"),
                "{text}"
            );
        }
    }
}
