//! Checksums of texts.

use sha2::{Digest, Sha256};

/// The SHA-256 of a text, in hexadecimal digits.
pub(crate) fn hex(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The same as the field `digest` of a record has it.
pub(crate) fn sha256(text: &str) -> String {
    format!("sha256:{}", hex(text))
}
