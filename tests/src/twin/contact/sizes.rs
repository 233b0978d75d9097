//! The sizes of rows that changes of the data are measured by.

use super::{Contact, Contacts, Rational};
use malachite::base::num::arithmetic::traits::Abs;
use malachite::base::num::basic::traits::Zero;
use std::collections::BTreeMap;

impl Contacts {
    /// f: what w of a row is the difference of, where M does not show it.
    fn constant(&self, i: usize) -> Rational {
        let own = (&self.q[i]).abs();
        self.scale
            .get(i)
            .map_or(own.clone(), |scale| own.max(scale.clone()))
    }

    /// |M||z| + f.
    pub(super) fn sizes_by_entries(&self, z: &[Rational]) -> Vec<Rational> {
        let row = |i: usize| {
            let entries = self.m[i].iter();
            entries.fold(self.constant(i), |sum, (j, entry)| {
                sum + entry.abs() * (&z[*j]).abs()
            })
        };
        (0..self.q.len()).map(row).collect()
    }

    /// The same with the largest entry of a block of M, and the largest f of a block.
    pub(super) fn sizes_by_blocks(&self, z: &[Rational]) -> Vec<Rational> {
        let blocks = self.all_blocks();
        let mut block_of = vec![0; self.q.len()];
        for (index, block) in blocks.iter().enumerate() {
            for row in block {
                block_of[*row] = index;
            }
        }
        let carried: Vec<Rational> = blocks
            .iter()
            .map(|block| block.iter().map(|row| (&z[*row]).abs()).sum())
            .collect();
        let mut sizes = vec![Rational::ZERO; self.q.len()];
        for block in &blocks {
            let mut largest: BTreeMap<usize, Rational> = BTreeMap::new();
            for (j, entry) in block.iter().flat_map(|row| &self.m[*row]) {
                let found = largest.entry(block_of[*j]).or_insert(Rational::ZERO);
                *found = found.clone().max(entry.abs());
            }
            let constants = block.iter().map(|row| self.constant(*row));
            let mut size = constants.max().unwrap_or(Rational::ZERO);
            for (other, entry) in largest {
                size += entry * &carried[other];
            }
            for row in block {
                sizes[*row].clone_from(&size);
            }
        }
        sizes
    }

    /// The blocks of the problem; those of contacts for the rows that they leave; rows alone.
    pub(super) fn all_blocks(&self) -> Vec<Vec<usize>> {
        let mut taken = vec![false; self.q.len()];
        let mut blocks = Vec::new();
        let given = self.blocks.iter().cloned();
        let of_contacts = self.contacts.iter().flat_map(blocks_of_a_contact);
        let alone = (0..self.q.len()).map(|row| vec![row]);
        for block in given.chain(of_contacts).chain(alone) {
            let left: Vec<usize> = block.into_iter().filter(|row| !taken[*row]).collect();
            for row in &left {
                taken[*row] = true;
            }
            if !left.is_empty() {
                blocks.push(left);
            }
        }
        blocks
    }
}

/// The normal with the first two rows of the first disc, its third row, its further rows, every further disc.
fn blocks_of_a_contact(contact: &Contact) -> Vec<Vec<usize>> {
    let Some((first, others)) = contact.discs.split_first() else {
        return vec![vec![contact.normal]];
    };
    let rows = |from: usize, to: usize| {
        let to = to.min(first.rows.len());
        first.rows[from.min(to)..to].to_vec()
    };
    let mut translation = vec![contact.normal];
    translation.extend(rows(0, 2));
    let mut blocks = vec![translation, rows(2, 3), rows(3, usize::MAX)];
    blocks.extend(others.iter().map(|disc| disc.rows.clone()));
    blocks
}
