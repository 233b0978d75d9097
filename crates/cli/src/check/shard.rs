//! Names as keys, and the part of the work that is ours.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// Keys with what belongs to each.
pub type KeyMap<T> = HashMap<Key, T, KeyHash>;

/// Stands for a name: half of its SHA-256, so that no two names will ever share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(u128);

impl Key {
    /// The key of a name.
    pub fn of(name: &str) -> Self {
        let hash = Sha256::digest(name.as_bytes());
        let half = hash.iter().take(16);
        Self(half.fold(0, |key, byte| key << 8 | u128::from(*byte)))
    }
}

/// Hashes keys. They are random already, but who makes the names could choose them to agree in the bits that a map looks at: so the bits of
/// a key are mixed with numbers that nobody knows.
#[derive(Clone)]
pub struct KeyHash([u64; 2]);

impl Default for KeyHash {
    fn default() -> Self {
        let random = RandomState::new();
        Self([0, 1].map(|k| random.hash_one(k)))
    }
}

impl BuildHasher for KeyHash {
    type Hasher = KeyHasher;

    fn build_hasher(&self) -> KeyHasher {
        KeyHasher {
            secret: self.0,
            hash: 0,
        }
    }
}

/// The hash of one key.
pub struct KeyHasher {
    secret: [u64; 2],
    hash: u64,
}

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(16) {
            let part = part
                .iter()
                .fold(0, |part, byte| part << 8 | u128::from(*byte));
            self.write_u128(part);
        }
    }

    /// Both halves of the product of the two halves: each bit depends on all.
    fn write_u128(&mut self, key: u128) {
        let [low, high] = [key as u64 ^ self.hash, (key >> 64) as u64];
        let product = u128::from(low ^ self.secret[0]) * u128::from(high ^ self.secret[1]);
        self.hash = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.hash
    }
}

/// One of several parts of equal expected size; a record's name decides to which it belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 0.
    index: u64,
    of: u64,
}

impl Shard {
    /// Whether a record belongs to this part.
    pub fn holds(&self, key: Key) -> bool {
        key.0 % u128::from(self.of) == u128::from(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(k, n)| {
            let (k, of) = (k.parse::<u64>().ok()?, n.parse().ok()?);
            (1..=of).contains(&k).then(|| Self { index: k - 1, of })
        });
        parsed.ok_or_else(|| "write k/n with 1 <= k <= n, such as 2/8".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_in_exactly_one_shard() {
        let shards = [1, 2, 3].map(|k| format!("{k}/3").parse::<Shard>().unwrap());
        let mut sizes = [0; 3];
        for name in 0..3000 {
            let key = Key::of(&name.to_string());
            let holders: Vec<_> = (0..3).filter(|&k| shards[k].holds(key)).collect();
            assert_eq!(holders.len(), 1);
            sizes[holders[0]] += 1;
        }
        assert!(
            sizes.iter().all(|size| (900..1100).contains(size)),
            "{sizes:?}"
        );
    }

    #[test]
    fn keys_that_agree_in_half_of_their_bits_have_other_hashes() {
        let hash = KeyHash::default();
        let key = Key::of("a name").0;
        let near = (1..1000_u128).flat_map(|k| [key ^ k, key ^ k << 64, key ^ k << 100]);
        // Of the bits that a map of so many looks at.
        let mut all: Vec<_> = near.map(|key| hash.hash_one(Key(key)) & 0xfffff).collect();
        all.sort_unstable();
        all.dedup();
        assert!(all.len() > 2900, "{}", all.len());
        assert_eq!(hash.hash_one(Key(key)), hash.hash_one(Key(key)));
        assert_ne!(
            hash.hash_one(Key(key)),
            KeyHash::default().hash_one(Key(key))
        );
    }

    #[test]
    fn shards_are_counted_from_one() {
        for text in ["1/1", "2/8", "8/8"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for wrong in ["", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
