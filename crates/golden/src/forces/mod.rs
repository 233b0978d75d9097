//! The record `etalon-forces/1`: a scene with its contact forces, as data.
//!
//! A record has a scene, the checksum of its complementarity problem, the exact answer, the trace of an
//! exact method, and a binary64 answer. This module reads and writes records; `etalon-replay` derives
//! and re-checks them.

mod exact;
mod record;
mod trace;

pub use exact::{FractionText, exacts, values};
pub use record::{
    FORMAT, FastAnswer, ForcesData, Lcp, ResolutionData, Run, SCHEMA, SMALL, SceneAnswer,
    SceneRecord, UniqueData, read_record, write_record,
};
pub use trace::{Trace, TraceDigest, complement};
