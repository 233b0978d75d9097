//! What a check may take: the kernel's budget.

pub use etalon_kernel::{Budget, Held, Refusal as OverBudget};
pub(crate) use etalon_kernel::{DIVISION, bits, fraction_bits};

/// The budget of the measures of an answer. For each row it has 1 KiB for the few numbers that are kept of it, so that
/// a million short rows are judged: what they take is linear in the record. And it has four times the work of a
/// certificate's check: what a certificate leaves unproved is asked for, but a right answer must not be rejected.
pub(crate) fn of_rows(rows: usize) -> Budget {
    let (bits, work) = Budget::default().left();
    Budget::new(bits + ((rows as u64) << 13), 4 * work)
}
