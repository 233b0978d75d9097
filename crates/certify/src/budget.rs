//! What a check may take: the kernel's budget.

pub use etalon_kernel::{Budget, Held, Refusal as OverBudget};
pub(crate) use etalon_kernel::{DIVISION, bits, fraction_bits};

/// The budget of the measures of an answer. For each row it has 1 KiB for the few numbers that are kept of it, so that
/// a million short rows are judged: what they take is linear in the record. And it has four times the work of a
/// certificate's check: what a certificate leaves unproved is asked for, but a right answer must not be rejected.
/// For each entry of M it has 2^11 products of words more, half a microsecond: the exact solution of n dense rows has
/// fractions of about n / 2 words, and each entry of M, of two words, is multiplied by one of them.
pub(crate) fn of_answer(problem: &etalon_lcp::Problem) -> Budget {
    of_size(problem.n(), problem.m().stored())
}

/// That of an answer to so many rows, with so many entries of M.
pub(crate) fn of_size(rows: usize, entries: usize) -> Budget {
    let (bits, work) = Budget::default().left();
    let (rows, entries) = (rows as u64, entries as u64);
    Budget::new(bits + (rows << 13), 4 * work + (entries << 11))
}
