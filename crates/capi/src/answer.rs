//! Solving, and what comes of it.

use std::ffi::{CString, c_char};
use std::ptr;

use etalon::exact::Budget;
use etalon::lcp::record::write_claim;
use etalon::lcp::{Claim, ClaimedAnswer, Number, Problem};
use etalon::methods::Method;

use crate::options::EtalonOptions;
use crate::status::{Error, c_text};

/// The three things a solver can say.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EtalonAnswerKind {
    /// Here is a solution.
    Solved = 0,
    /// There is none; etalon_answer_json() holds the proof.
    Unsolvable = 1,
    /// The method gave up, or ran out of its budget, which says nothing about the problem.
    Failed = 2,
}

/// What a method says of a problem.
#[repr(C)]
#[derive(Debug)]
pub struct EtalonAnswer {
    /// The answer.
    pub kind: EtalonAnswerKind,
    /// Whether it is exact: what a fast method answers is right up to rounding.
    pub exact: bool,
    /// Which method answered.
    pub method: *const c_char,
    /// For people, such as why it gave up; or NULL.
    pub message: *const c_char,
    /// How many entries the solution has: n, or 0 where there is none.
    pub size: usize,
    /// How many pivots it took.
    pub pivots: u64,
}

/// An answer with what C does not see. The visible part comes first, so that one pointer serves both.
#[repr(C)]
pub(crate) struct OwnedAnswer {
    visible: EtalonAnswer,
    /// These own the texts that `visible` points to.
    method: CString,
    message: Option<CString>,
    claim: Claim,
}

/// Solves a problem.
pub(crate) fn solve(
    problem: &Problem,
    method: Method,
    options: &EtalonOptions,
) -> Result<Box<OwnedAnswer>, Error> {
    let budget = options.budget(Budget::default())?;
    let claim = method.solver(&budget).solve(problem);
    Ok(OwnedAnswer::new(claim, method))
}

impl OwnedAnswer {
    fn new(claim: Claim, method: Method) -> Box<Self> {
        let kind = match claim.answer {
            ClaimedAnswer::Solved { .. } => EtalonAnswerKind::Solved,
            ClaimedAnswer::Unsolvable => EtalonAnswerKind::Unsolvable,
            ClaimedAnswer::Failed => EtalonAnswerKind::Failed,
        };
        let name = c_text(claim.method.as_deref().unwrap_or(method.name()));
        let message = claim.message.as_deref().map(c_text);
        let visible = EtalonAnswer {
            kind,
            exact: method.is_exact() && kind != EtalonAnswerKind::Failed,
            method: ptr::null(),
            message: ptr::null(),
            size: entries(&claim).map_or(0, <[_]>::len),
            pivots: claim.pivots.unwrap_or(0),
        };
        let mut owned = Box::new(Self {
            visible,
            method: name,
            message,
            claim,
        });
        owned.visible.method = owned.method.as_ptr();
        if let Some(text) = &owned.message {
            owned.visible.message = text.as_ptr();
        }
        owned
    }

    /// The claim record, with exact values and proof.
    pub(crate) fn json(&self) -> String {
        write_claim(&self.claim)
    }

    /// The solution.
    pub(crate) fn solution(&self) -> Result<&[Number], Error> {
        entries(&self.claim).ok_or_else(|| Error::Absent("solution in this answer".to_owned()))
    }
}

fn entries(claim: &Claim) -> Option<&[Number]> {
    match &claim.answer {
        ClaimedAnswer::Solved { z } => Some(z),
        _ => None,
    }
}
