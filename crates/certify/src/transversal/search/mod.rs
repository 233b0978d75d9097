//! The search for a transversal that no exchange of rows makes heavier, and for the paths along which sizes are
//! carried furthest. Nothing here is trusted: sizes are proved ([`Pairing::prove`]).

mod paths;
mod rounds;
mod weights;

use rug::Rational;

use super::Work;
use super::proof::{Pairing, Proved};
pub(super) use paths::parts;
use rounds::Rounds;
use weights::Scales;

/// A step of a proposal takes a small part of the time of a look at an exact entry.
const STEPS_A_LOOK: u64 = 4;

/// The steps that proposals may still take.
struct Steps(u64);

impl Steps {
    fn pay(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.checked_sub(count as u64)?;
        Some(())
    }
}

pub(super) struct Search {
    /// Of the search for a row: the unknown that it was for, and the one that reached this row.
    from: Vec<Option<(usize, usize)>>,
    scales: Scales,
    rounds: Rounds,
    steps: Steps,
}

impl Search {
    /// For n unknowns, with work of so many looks.
    pub fn new(n: usize, looks: u64) -> Self {
        Self {
            from: vec![None; n],
            scales: Scales::new(n),
            rounds: Rounds::new(n),
            steps: Steps(STEPS_A_LOOK * looks),
        }
    }

    /// The carried sizes of the square part of a part; `None` where the work is used up.
    pub fn sizes(
        &mut self,
        pairing: &mut Pairing<'_>,
        part: Vec<usize>,
        s: &[Rational],
        work: &mut Work,
    ) -> Option<Proved> {
        for &j in &part {
            if pairing.row_of[j].is_none() {
                self.augment(pairing, j, work)?;
            }
        }
        let square = pairing.square(part, work)?;
        let mut is_first = true;
        loop {
            let mut cycles = self.rounds.propose(pairing, &square, s, &mut self.steps);
            if cycles.is_empty() {
                if let Some(proved) = pairing.prove(&square, &mut self.rounds.source, s, work)? {
                    return Some(proved);
                }
                cycles = self.rounds.mend(pairing, &square, work)?;
                if cycles.is_empty() {
                    return pairing.prove(&square, &mut self.rounds.source, s, work)?;
                }
            }
            if std::mem::take(&mut is_first) && self.reassign(pairing, &square.0) {
                continue;
            }
            for cycle in cycles {
                self.rounds.exchange(pairing, &cycle);
            }
        }
    }

    /// Gives unknown j a row, others moving on to rows of their own, where that is possible.
    fn augment(&mut self, pairing: &mut Pairing<'_>, j: usize, work: &mut Work) -> Option<()> {
        let mut queue = std::collections::VecDeque::from([j]);
        while let Some(unknown) = queue.pop_front() {
            for &(row, _) in &pairing.rows_with[unknown] {
                work.look(0)?;
                if self.from[row].is_some_and(|(whom, _)| whom == j) {
                    continue;
                }
                self.from[row] = Some((j, unknown));
                match pairing.unknown_of[row] {
                    Some(next) => queue.push_back(next),
                    None => {
                        self.move_along(pairing, row);
                        return Some(());
                    }
                }
            }
        }
        Some(())
    }

    /// Each unknown on the way back, to the one that had no row, takes the row that it reached.
    fn move_along(&mut self, pairing: &mut Pairing<'_>, mut row: usize) {
        while let Some((_, unknown)) = self.from[row] {
            let left = pairing.row_of[unknown];
            pairing.pair(row, unknown);
            let Some(left) = left else { return };
            row = left;
        }
    }
}
