//! Paths along successors, and what hangs together.

use std::collections::BTreeMap;

use crate::transversal::proof::Pairing;

/// Paths in a graph in which each node has at most one successor.
pub(super) struct Paths {
    /// The number of the last path that came to a node.
    seen: Vec<usize>,
    count: usize,
}

impl Paths {
    pub fn new(nodes: usize) -> Self {
        Self {
            seen: vec![0; nodes],
            count: 0,
        }
    }

    /// The cycles that the paths from these nodes come to within so many steps. A path ends where one
    /// has been before.
    pub fn cycles(
        &mut self,
        next: &[Option<usize>],
        starts: &[usize],
        far: usize,
    ) -> Vec<Vec<usize>> {
        let before = self.count;
        let mut found = Vec::new();
        for &start in starts {
            self.count += 1;
            let mut at = Some(start);
            for _ in 0..=far {
                let Some(node) = at else { break };
                if self.seen[node] == self.count {
                    let around = std::iter::successors(next[node], |&member| next[member]);
                    let others = around.take_while(|&member| member != node);
                    found.push(std::iter::once(node).chain(others).collect());
                }
                if self.seen[node] > before {
                    break;
                }
                self.seen[node] = self.count;
                at = next[node];
            }
        }
        found
    }
}

/// The unknowns of a block in parts that hang together, small ones first.
pub(in crate::transversal) fn parts(pairing: &Pairing<'_>, members: &[bool]) -> Vec<Vec<usize>> {
    let members = || (0..members.len()).filter(|&j| members[j]);
    let mut part = Parts((0..pairing.rows_with.len()).collect());
    for j in members() {
        for (row, _) in &pairing.rows_with[j] {
            part.join(*row, j);
        }
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for j in members() {
        parts.entry(part.root(j)).or_default().push(j);
    }
    let mut parts: Vec<Vec<usize>> = parts.into_values().collect();
    let entries = |part: &Vec<usize>| -> usize {
        let rows = part.iter().map(|&j| pairing.rows_with[j].len());
        rows.sum()
    };
    parts.sort_by_key(entries);
    parts
}

/// Which nodes hang together.
struct Parts(Vec<usize>);

impl Parts {
    fn root(&mut self, mut node: usize) -> usize {
        while self.0[node] != node {
            self.0[node] = self.0[self.0[node]];
            node = self.0[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a] = b;
    }
}
