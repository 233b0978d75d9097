//! Exchanges near the wrong rows, between two factors of the whole problem.
//!
//! After the first rounds few rows are wrong, and exchanging them changes signs in their neighbourhood only. So the problem of the rows near
//! them, with all other z held, is pivoted by itself until none of its rows is wrong: a step of a Schwarz method
//! (Zeng, Li and Fukushima 2001), with block pivoting in the subdomain. Its places are a proposal, which the next round of the whole problem
//! examines. A wall of a million rows takes three factors of the whole problem so, and thirteen without.
//!
//! Contacts that share a load may take turns without end, as E is small: it is a few dozen rows then, which a larger E settles.

use super::{Guard, Run, SparseLcp};
use crate::failure::Failure;
use crate::place::Place;
use crate::point::Point;

/// Problems with fewer rows are factored in a millisecond or two, which is what it takes to single rows out.
const LEAST: usize = 2000;

/// Rows that are near a wrong one: so many for each. Walls of 100,000 rows took 0.65 s with 200 and 0.55 s with 1000.
const REACH: usize = 1000;

/// At most this part of all rows is near: their factors, of some rounds, then cost less than one of the whole. Walls of 100,000 rows took
/// 0.55 s with an eighth, 0.61 s with a sixteenth and 1.0 s with a thirty-second.
const PART: usize = 8;

/// Where the exchange near the wrong rows takes turns, E is made larger so many times: contacts that can share a load take turns where E is small.
const RAISES: u32 = 3;

/// What E is multiplied by then. A hundred was enough in each of some dozens of walls.
const RAISE: f64 = 100.0;

/// Marks a row that is not near.
const FAR: usize = usize::MAX;

impl Run<'_> {
    /// Pivots the rows near the wrong ones, which have just been exchanged. Where that does not settle, their places stay, and it is not tried
    /// again: in piles with redundant contacts the rows held would have to give way.
    ///
    /// # Errors
    /// [`Failure::Time`].
    pub(super) fn settle_near(&mut self) -> Result<(), Failure> {
        let n = self.lcp.n();
        let most = (REACH * self.wrong.len()).min(n / PART);
        if !self.tries_near || n < LEAST || self.wrong.len() > most {
            return Ok(());
        }
        let rows = self.near(most);
        let held = self.held(&rows);
        let settled = self.settle(&rows, &held)?;
        self.tries_near = settled.is_some();
        for (&i, place) in rows.iter().zip(settled.unwrap_or_default()) {
            self.places[i] = place;
        }
        Ok(())
    }

    /// The places of these rows, from the problem with all others held; none where the exchange does not settle.
    fn settle(&mut self, rows: &[usize], held: &SparseLcp) -> Result<Option<Vec<Place>>, Failure> {
        let of = |all: &[f64]| rows.iter().map(|&i| all[i]).collect();
        let mut point = Point::default();
        point.reset(held.view());
        let mut run = Run {
            lcp: held,
            factor: None,
            masked: Vec::new(),
            places: rows.iter().map(|&i| self.places[i]).collect(),
            point,
            centre: of(&self.centre),
            shift: of(&self.shift),
            step: vec![0.0; rows.len()],
            wrong: Vec::new(),
            is_whole: false,
            tries_near: false,
            is_known: false,
            pivots: 0,
            until: self.until,
        };
        let (mut guard, mut raises) = (Guard::new(), 0);
        loop {
            self.until.check()?;
            if run.begin().is_err() {
                return Ok(None);
            }
            run.go();
            if run.wrong.is_empty() {
                self.pivots += run.pivots;
                return Ok(Some(run.places));
            }
            run.swap(guard);
            guard.count(run.wrong.len());
            if !guard.all() {
                if raises == RAISES {
                    return Ok(None);
                }
                raises += 1;
                run.shift.iter_mut().for_each(|own| *own *= RAISE);
                guard = Guard::new();
            }
        }
    }

    /// The wrong rows and those next to them, and next to these, up to so many; ascending.
    fn near(&self, most: usize) -> Vec<usize> {
        let mut seen = vec![false; self.lcp.n()];
        let mut rows = self.wrong.clone();
        for &i in &rows {
            seen[i] = true;
        }
        let mut at = 0;
        while at < rows.len() && rows.len() < most {
            for (j, _) in self.lcp.row(rows[at]) {
                if !std::mem::replace(&mut seen[j], true) {
                    rows.push(j);
                }
            }
            at += 1;
        }
        rows.sort_unstable();
        rows
    }

    /// The problem of these rows, with the z of all others held.
    fn held(&self, rows: &[usize]) -> SparseLcp {
        let mut slot = vec![FAR; self.lcp.n()];
        for (k, &i) in rows.iter().enumerate() {
            slot[i] = k;
        }
        let mut held = SparseLcp::empty(rows.len());
        held.is_symmetric = self.lcp.is_symmetric;
        for &i in rows {
            let mut q = self.lcp.q[i];
            for (j, value) in self.lcp.row(i) {
                if slot[j] == FAR {
                    q += value * self.point.z[j];
                } else {
                    held.push(slot[j], value);
                }
            }
            held.q.push(q);
            held.end_row();
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::Until;
    use crate::place::Start;

    /// A row of n weights on springs, q from a rule: M has `beside`, 2.1, `beside` in each row.
    fn chain(n: usize, beside: f64, q: impl Fn(usize) -> f64) -> SparseLcp {
        let mut entries = Vec::new();
        for i in 0..n {
            entries.push((i, i, 2.1));
            if i > 0 {
                entries.extend([(i, i - 1, beside), (i - 1, i, beside)]);
            }
        }
        SparseLcp::new(&entries, &(0..n).map(q).collect::<Vec<_>>()).unwrap()
    }

    fn pull(i: usize) -> f64 {
        ((i * i) % 7) as f64 - 3.5
    }

    #[test]
    fn the_solution_solves_the_problem_of_some_rows_with_the_others_held() {
        let lcp = chain(60, -1.0, pull);
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        run.pivot().unwrap();
        let rows: Vec<usize> = (3..20).chain(41..43).collect();
        let held = run.held(&rows);
        assert_eq!((held.n(), held.widest), (19, 3));
        let own = crate::solve_sparse(&held, Start::Cold).unwrap();
        for (k, &i) in rows.iter().enumerate() {
            assert!((own.z[k] - run.point.z[i]).abs() < 1e-12, "{i}");
            assert_eq!(own.places[k], run.places[i], "{i}");
        }
    }

    #[test]
    fn rows_near_a_wrong_one_are_those_of_few_steps() {
        let lcp = chain(60, -1.0, pull);
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        run.wrong = vec![30, 58];
        assert_eq!(run.near(2), [30, 58]);
        assert_eq!(run.near(5), [29, 30, 31, 57, 58, 59]);
        assert_eq!(run.near(100).len(), 60);
    }

    /// The wrong rows of the first round and of the second.
    fn two_rounds(lcp: &SparseLcp, tries_near: bool) -> (Vec<usize>, Vec<usize>) {
        let mut run = Run::new(lcp, Start::Cold, Until::default()).unwrap();
        run.tries_near = tries_near;
        run.begin().unwrap();
        run.go();
        run.swap(Guard::new());
        let first = run.wrong.clone();
        run.settle_near().unwrap();
        run.begin().unwrap();
        run.go();
        (first, run.wrong)
    }

    #[test]
    fn what_is_near_is_settled_before_the_whole_is_factored_again() {
        // A row that opens takes load off its neighbours, whose neighbours then open.
        let lcp = chain(3000, 1.0, |i| {
            -1.0 - 3.0 / (1.0 + 1500_usize.abs_diff(i) as f64)
        });
        let (first, second) = two_rounds(&lcp, true);
        assert!(
            !first.is_empty() && second.is_empty(),
            "{first:?} {second:?}"
        );
        let (same, without) = two_rounds(&lcp, false);
        assert_eq!(first, same);
        assert!(!without.is_empty());
    }

    #[test]
    fn what_does_not_settle_leaves_the_places_and_is_not_tried_again() {
        // Three rows that go in a circle (docs/block-pivoting.md), and others that lie.
        let n = 3000;
        let circle = [(0, 0, 1.0), (0, 2, 3.0), (1, 0, -1.0), (1, 1, 1.0)];
        let rest = [(2, 0, -3.0), (2, 1, 2.0), (2, 2, 2.0)];
        let mut entries = [&circle[..], &rest[..]].concat();
        entries.extend((3..n).map(|i| (i, i, 1.0)));
        let mut q = vec![-1.0; n];
        q[..3].copy_from_slice(&[4.0, -2.0, -1.0]);
        let lcp = SparseLcp::general(&entries, &q).unwrap();
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        run.places[..3].fill(Place::Lower);
        run.begin().unwrap();
        run.go();
        run.swap(Guard::new());
        assert_eq!(run.wrong.len(), 2);
        let before = run.places.clone();
        run.settle_near().unwrap();
        assert_eq!(run.places, before);
        assert!(!run.tries_near);
    }

    #[test]
    fn what_takes_turns_is_settled_with_a_larger_shift() {
        // M = J J', q = J a, of four freedoms between five contacts: with the smallest E they take turns.
        let j = [
            [1.0, -1.0, -2.0, 0.0],
            [2.0, -2.0, 2.0, -1.0],
            [0.0, 1.0, 2.0, 2.0],
            [-1.0, 1.0, -2.0, 2.0],
            [-2.0, 1.0, -1.0, -2.0],
        ];
        let a = [-2.0, -2.0, 10.0, 15.0];
        let dot = |x: &[f64; 4], y: &[f64; 4]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let mut entries = Vec::new();
        for (i, own) in j.iter().enumerate() {
            entries.extend(
                j.iter()
                    .enumerate()
                    .map(|(k, other)| (i, k, dot(own, other))),
            );
        }
        let q = j.map(|own| dot(&own, &a));
        let lcp = SparseLcp::new(&entries, &q).unwrap();
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        let rows: Vec<usize> = (0..5).collect();
        let places = run.settle(&rows, &lcp).unwrap().unwrap();
        run.places = places;
        run.begin().unwrap();
        run.go();
        assert!(run.wrong.is_empty());
    }
}
