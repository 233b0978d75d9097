//! What a check may take: the kernel's budget.

pub use etalon_kernel::{Budget, Held, Refusal as OverBudget};
pub(crate) use etalon_kernel::{DIVISION, bits, fraction_bits};
