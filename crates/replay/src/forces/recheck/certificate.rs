//! Proofs, as records carry them.

use etalon_lcp::Certificate;
use etalon_lcp::record::read_claim;
use serde_json::{Value, json};

use super::words::words;

/// A certificate as claims carry it.
pub fn read_certificate(certificate: &Value) -> Result<Certificate, String> {
    let claim = json!({"name": "proof", "status": "unsolvable", "certificate": certificate});
    let claim = read_claim(&claim.to_string()).map_err(words)?.record;
    Ok(claim.certificate.ok_or("there is no certificate")?)
}
