//! Contacts that rest on each other, with their rows.

use crate::contact::Contact;
use crate::observe::{LcpKind, RowBound};

use super::lcp::{Lcp, Rows, normal_bound};

/// What holds contacts that rest.
#[derive(Clone, Copy)]
pub(super) enum By {
    /// Forces, which act all the time.
    Forces,
    /// Impulses at the start of a step of h seconds.
    Impulses { h: f64 },
}

/// A group of contacts that are linked by moving bodies.
pub(super) struct Resting<'a> {
    pub contacts: &'a [Contact],
    pub rows: Rows,
    pub by: By,
}

impl Resting<'_> {
    /// The problem of the first rows, as many as b has values. `friction` has the bound of friction at each contact.
    pub fn lcp(&self, b: &[f64], friction: impl Iterator<Item = RowBound>) -> Lcp {
        let friction: Vec<RowBound> = friction.collect();
        let normals = self.contacts.iter().map(normal_bound);
        let tangents = self.rows.rubbing.iter().filter_map(|&i| friction.get(i));
        let bounds = normals.chain(tangents.copied()).collect();
        let members: Vec<usize> = (0..b.len()).collect();
        self.rows.lcp(LcpKind::Forces, &members, b.to_vec(), bounds)
    }
}
