//! What a check may take: the kernel's budget.

use etalon_lcp::Problem;

pub use etalon_kernel::{Budget, Held, Refusal as OverBudget};
pub(crate) use etalon_kernel::{DIVISION, bits, fraction_bits};

/// The budget of a check, and for each row 1 KiB for the few numbers that an evaluation keeps of it, so that a
/// million short rows are judged: what they take is linear in the record.
pub(crate) fn of_rows(problem: &Problem) -> Budget {
    let (bits, work) = Budget::default().left();
    Budget::new(bits + ((problem.n() as u64) << 13), work)
}
