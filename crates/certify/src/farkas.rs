//! Farkas vectors: proofs that linear inequalities have no solution.

use etalon_lcp::{MixedLcp, Number};

use crate::CertificateError;
use crate::integers::{Form, IntegerRows};

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
///
/// # Errors
/// The condition that fails.
pub fn check_farkas(lcp: &MixedLcp, y: &[Number]) -> Result<(), CertificateError> {
    check_length("y", y.len(), lcp.n())?;
    let form = IntegerRows::new(lcp)?.combine(y)?;
    check_signs(&form, &no_choices(lcp))?;
    check_negative(&form)
}

/// The sign conditions under which y'w - (M'y)'z is nonnegative: a coefficient may have the
/// wrong sign only where its variable is 0.
pub(crate) fn check_signs(form: &Form, choices: &[Choice]) -> Result<(), CertificateError> {
    for (i, choice) in choices.iter().enumerate() {
        let w_is_zero = matches!(choice, Choice::WZero | Choice::Free);
        if !w_is_zero && form.y[i] < 0 {
            return Err(CertificateError::new(format!("y[{i}] is negative")));
        }
        let column = &form.mt_y[i];
        let fits = match choice {
            Choice::ZZero => true,
            Choice::Free => *column == 0,
            Choice::Open | Choice::WZero => *column <= 0,
        };
        if !fits {
            let wanted = if *choice == Choice::Free {
                "not 0"
            } else {
                "positive"
            };
            return Err(CertificateError::new(format!("(M'y)[{i}] is {wanted}")));
        }
    }
    Ok(())
}

pub(crate) fn check_negative(form: &Form) -> Result<(), CertificateError> {
    if form.q_y < 0 {
        return Ok(());
    }
    Err(CertificateError::new("q'y is not negative"))
}

pub(crate) fn check_length(what: &str, length: usize, n: usize) -> Result<(), CertificateError> {
    if length == n {
        return Ok(());
    }
    Err(CertificateError::new(format!(
        "{what} has {length} entries where the mixed form has {n} rows"
    )))
}
