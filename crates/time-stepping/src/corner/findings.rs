//! What is found to be wrong with a step among corners.

use etalon_rigid::Scalar;

use crate::oracle::{Term, Violation};

/// The violations of one step so far.
pub(super) struct Findings<'a, S> {
    pub step: u64,
    pub tolerance: &'a S,
    pub found: Vec<Violation>,
}

impl<S: Scalar> Findings<'_, S> {
    pub fn violated(&mut self, term: Term, contact: Option<&str>, amount: &S) {
        self.found.push(Violation {
            step: self.step,
            contact: contact.map(str::to_owned),
            term,
            amount: amount.to_string(),
        });
    }

    pub fn vanishes(&mut self, term: Term, contact: Option<&str>, value: &S, scale: &S) {
        if value.abs() > self.tolerance.clone() * scale || !value.is_finite() {
            self.violated(term, contact, value);
        }
    }

    pub fn nonnegative(&mut self, term: Term, contact: Option<&str>, value: &S, scale: &S) {
        if value.clone() + self.tolerance.clone() * scale < S::zero() || !value.is_finite() {
            self.violated(term, contact, value);
        }
    }
}
