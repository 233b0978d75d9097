//! Proofs, as records carry them.

use etalon_lcp::record::write_claim;
use etalon_lcp::{Certificate, Claim, ClaimedAnswer};
use serde_json::Value;

/// A certificate as claims carry it.
pub fn certificate(proof: Certificate) -> Value {
    let mut claim = Claim::new("proof", ClaimedAnswer::Unsolvable);
    claim.certificate = Some(proof);
    let record: Value = serde_json::from_str(&write_claim(&claim)).unwrap_or_default();
    record["certificate"].clone()
}
