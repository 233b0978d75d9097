//! The one judge: every door asks it for the verdict on a claim.
//!
//! The doors are the command line, Python, C, the test kit, fuzzing, replays, re-proofs and the planar engine's watch.
//! They call [`Judge::verdict`] with a problem and a claim, and decide nothing themselves.
//! `etalon-certify` derives a verdict from proved facts. This crate decides which facts to search
//! for, and when:
//!
//! - Of a problem's `expect` the proved part is believed. Where a proof does not hold, none of `expect` is
//!   believed, and [`Judgement::false_expect`] says why.
//! - The judge searches for the truth of a problem with [`Judge::prove`], and where the verdict depends on it.
//! - Before it rejects an answer, it searches for an exact solution near the answer.
//! - An answer that is right only in natural sizes is compared with its rows solved for their unknowns.
//!
//! The table of decisions is in the book, in "Judge your solver"; the reasons are in "The measure".
//!
//! **Cost.** A claim within its tolerance in plain sizes takes one pass over the nonzeros. All searches
//! beyond that are limited by the [`Budget`](etalon_exact::Budget).

mod judge;

pub use judge::{GaveUp, Judge, Judgement, proof_budget, show_vector};
