//! What there is to judge, in its order.

use std::collections::VecDeque;
use std::sync::Arc;
use std::vec;

use super::pairing::{Pair, Pairing};
use super::shard::{Key, KeyMap};
use super::verdicts::Done;
use crate::jobs::FEW_BYTES;

/// The next step of a run.
pub enum Item {
    /// Something that could not be read or paired.
    Complaint(String),
    /// A pair that an earlier run has judged.
    Done(Pair, Done),
    /// A pair that is to be judged.
    Pair(Pair),
}

impl Item {
    /// The length of its texts in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Complaint(_) => 0,
            Self::Done(pair, _) | Self::Pair(pair) => pair.bytes(),
        }
    }
}

/// Pairs in the order of the claims, and then the problems without one.
pub struct Items {
    pairing: Pairing,
    earlier: Arc<KeyMap<Done>>,
    waiting: VecDeque<Item>,
    /// The problems without a claim, once all claims have come.
    unclaimed: Option<vec::IntoIter<Key>>,
}

impl Items {
    pub fn new(pairing: Pairing, earlier: Arc<KeyMap<Done>>) -> Self {
        Self {
            pairing,
            earlier,
            waiting: VecDeque::new(),
            unclaimed: None,
        }
    }

    /// The next items, at most so many. It waits for the first of them only, where the inputs are pipes.
    pub fn few(&mut self, most: usize) -> Vec<Item> {
        let (mut few, mut bytes) = (Vec::new(), 0);
        while few.is_empty() || few.len() < most && bytes < FEW_BYTES && self.is_ready() {
            let Some(item) = self.next() else {
                break;
            };
            bytes += item.bytes();
            few.push(item);
        }
        few
    }

    fn is_ready(&self) -> bool {
        !self.waiting.is_empty() || self.pairing.is_ready()
    }

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.waiting.pop_front() {
                return Some(item);
            }
            let pair = match &mut self.unclaimed {
                None => self.pairing.next_pair(),
                Some(keys) => match keys.next() {
                    None => return None,
                    Some(key) => self.pairing.waiting(key),
                },
            };
            if pair.is_none() && self.unclaimed.is_none() {
                self.unclaimed = Some(self.pairing.unclaimed().into_iter());
            }
            let complaints = self.pairing.take_complaints();
            self.waiting
                .extend(complaints.into_iter().map(Item::Complaint));
            let earlier = |pair: &Pair| self.earlier.get(&pair.key).cloned();
            self.waiting.extend(pair.map(|pair| match earlier(&pair) {
                Some(done) => Item::Done(pair, done),
                None => Item::Pair(pair),
            }));
        }
    }
}
