//! Golden scenes: the record `etalon-forces/1`, derived from a scene and re-checked from itself.
//!
//! A record holds a scene, what its complementarity problem is (as a checksum of the record that
//! the scene makes), the exact answer, the trace of an exact method, and a binary64 answer beside
//! it. [`derive()`] makes it, [`recheck`] believes nothing of it: see there.

mod derive;
mod exact;
mod path;
mod recheck;
mod record;
mod trace;
mod unique;

pub use derive::{DeriveError, derive};
pub use exact::Exact;
pub use recheck::recheck;
pub use record::{
    FORMAT, FastAnswer, ForcesData, Lcp, ResolutionData, Run, SCHEMA, SceneAnswer, SceneRecord,
    read_record, write_record,
};
pub use trace::{Trace, TraceDigest};
pub use unique::UniqueData;

/// Up to this many rows a record holds index-set runs and Lemke's path, and is derived anew when it
/// is checked.
pub const SMALL: usize = 40;

/// Up to this many rows all other answers are searched for.
const SEARCHED: usize = 20;

#[cfg(test)]
mod tests;
