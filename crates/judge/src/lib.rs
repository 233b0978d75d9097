//! What a claim is worth: the one judge that every door asks.
//!
//! The command line, Python, C, the test kit, fuzzing, replays, re-proofs and the planar engine's watch
//! hand a problem and a claim to [`Judge::verdict`], and none of them decides anything itself.
//! `etalon-certify` states what follows from what is proved; this crate decides what is looked
//! for, and when:
//!
//! - Of a problem's `expect` only what its proofs show is believed. Where a proof does not hold nothing
//!   is, and [`Judgement::false_expect`] says why.
//! - The truth of a problem is looked for with [`Judge::prove`], and where the claim hangs on it.
//! - An exact solution near an answer is looked for before the answer is rejected.
//! - An answer that only natural sizes acquit is held against its rows solved for their unknowns.
//!
//! The table of decisions is in the book, in "Judge your solver"; the reasons are in "The measure".
//!
//! **Cost.** A claim within its tolerance in plain sizes takes one look at each nonzero. What is looked for
//! beyond that takes the [`Budget`](etalon_exact::Budget).

mod judge;

pub use judge::{GaveUp, Judge, Judgement, show_vector};
