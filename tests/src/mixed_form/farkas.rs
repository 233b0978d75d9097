//! Farkas vectors: proofs that linear inequalities have no solution.

use etalon_lcp::{MixedLcp, Number};

use super::budget::Budget;
use super::integers::{Form, IntegerRows};
use super::{CertificateError, ensure};

/// What has been chosen for a row: nothing yet, z_i = 0, or w_i = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Open,
    ZZero,
    WZero,
    /// Bilateral: z_i free and w_i = 0.
    Free,
}

/// No choices but those of the bilateral rows.
pub(crate) fn no_choices(lcp: &MixedLcp) -> Vec<Choice> {
    let choice = |&bilateral: &bool| {
        if bilateral {
            Choice::Free
        } else {
            Choice::Open
        }
    };
    lcp.bilateral().iter().map(choice).collect()
}

/// Checks that y proves the inequalities to have no solution: with y >= 0, M'y <= 0 and
/// q'y < 0, every z >= 0 with w = Mz + q >= 0 would give 0 <= y'w = (M'y)'z + q'y < 0.
pub(crate) fn check_farkas_within(
    lcp: &MixedLcp,
    y: &[Number],
    budget: &Budget,
) -> Result<(), CertificateError> {
    check_length("y", y.len(), lcp.n())?;
    let form = IntegerRows::new(lcp, budget)?.combine(y)?;
    check_signs(&form, &no_choices(lcp))?;
    check_negative(&form)
}

/// The sign conditions under which y'w - (M'y)'z is nonnegative: a coefficient may have the
/// wrong sign only where its variable is 0.
pub(crate) fn check_signs(form: &Form<'_>, choices: &[Choice]) -> Result<(), CertificateError> {
    for (i, choice) in choices.iter().enumerate() {
        let w_is_zero = matches!(choice, Choice::WZero | Choice::Free);
        let fits = w_is_zero || form.y[i] >= 0;
        ensure(fits, format_args!("y[{i}] is negative"))?;
        let column = &form.mt_y[i];
        let (fits, what) = match choice {
            Choice::ZZero => continue,
            Choice::Free => (*column == 0, "not 0"),
            Choice::Open | Choice::WZero => (*column <= 0, "positive"),
        };
        ensure(fits, format_args!("(M'y)[{i}] is {what}"))?;
    }
    Ok(())
}

pub(crate) fn check_negative(form: &Form<'_>) -> Result<(), CertificateError> {
    ensure(form.q_y < 0, "q'y is not negative")
}

pub(crate) fn check_length(what: &str, length: usize, n: usize) -> Result<(), CertificateError> {
    let why = format!("{what} has {length} entries where the mixed form has {n} rows");
    ensure(length == n, why)
}
