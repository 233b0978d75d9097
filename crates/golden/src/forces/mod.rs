//! The record `etalon-forces/1`: a scene with its contact forces, as data.
//!
//! A record holds a scene, what its complementarity problem is (as a checksum of the record that the
//! scene makes), the exact answer, the trace of an exact method, and a binary64 answer beside it. Here it
//! is read and written; how it is derived and what is believed of it is the business of `etalon-replay`.

mod exact;
mod record;
mod trace;

pub use exact::{Exact, exacts, values};
pub use record::{
    FORMAT, FastAnswer, ForcesData, Lcp, ResolutionData, Run, SCHEMA, SMALL, SceneAnswer,
    SceneRecord, UniqueData, read_record, write_record,
};
pub use trace::{Trace, TraceDigest, complement};
