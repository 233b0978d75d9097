//! Bodies at rest: what is not right by itself, measured with the free rows of bodies solved.

use super::{Contact, Contacts, Rational, Reading, laws};
use crate::twin::linear::{determinant, solve};
use malachite::base::num::arithmetic::traits::Abs;
use malachite::base::num::basic::traits::Zero;

impl Contacts {
    /// Whether the first of the readings that holds within `tol` with the free rows of bodies solved holds so within eps, which
    /// is at most `tol`.
    #[must_use]
    pub fn holds_with_bodies(&self, readings: &[Reading], eps: &Rational, tol: &Rational) -> bool {
        let mut readings = readings.iter();
        let first = readings.find(|reading| self.holds_solved(reading, tol, tol));
        first.is_some_and(|reading| self.holds_solved(reading, eps, tol))
    }

    fn holds_solved(&self, reading: &Reading, eps: &Rational, tol: &Rational) -> bool {
        let of_bodies = self.bodies();
        let holds_by_itself =
            |i: usize, eps: &Rational| self.plain_row_holds(i, reading, &reading.by_blocks, eps);
        let idle: Vec<usize> = (0..self.q.len())
            .filter(|i| of_bodies[*i] && !holds_by_itself(*i, tol))
            .collect();
        if !idle.iter().all(|i| self.is_idle(*i, &of_bodies, reading)) {
            return false;
        }
        let (free, carried) = self.rows_that_hold(&of_bodies, reading, tol);
        let solved = self.solved(reading, &free);
        // Contacts and rows beside velocities of which a row holds in a carried size only are measured both ways.
        let open: Vec<usize> = (self.parts(&free).into_iter())
            .filter(|part| carried.iter().any(|(i, _)| part.contains(i)))
            .flatten()
            .collect();
        let is_beside = |i: usize| open.iter().any(|j| self.entry(i, *j) != 0);
        let holds = |rows: &[usize], one: &dyn Fn(&Reading, &Rational) -> bool| {
            if !one(reading, tol) {
                return one(&solved, eps);
            }
            let again = rows.iter().any(|i| is_beside(*i));
            one(reading, eps) && (!again || one(&solved, eps))
        };
        let row = |i: usize| {
            let one = |reading: &Reading, eps: &Rational| {
                self.plain_row_holds(i, reading, &reading.by_blocks, eps)
            };
            if idle.contains(&i) {
                let size = carried.iter().find(|(row, _)| *row == i);
                size.is_some_and(|(_, size)| (&reading.w[i]).abs() <= eps * size)
            } else if of_bodies[i] {
                one(reading, eps)
            } else {
                holds(&[i], &one)
            }
        };
        let contact = |own: &Contact| {
            let rows: Vec<usize> = own.rows().collect();
            holds(&rows, &|reading, eps| {
                let point = laws::Point {
                    z: &reading.z,
                    w: &reading.w,
                    sizes: &reading.by_blocks,
                };
                laws::obeys(own, &point, eps)
            })
        };
        self.plain().into_iter().all(row) && self.contacts.iter().all(contact)
    }

    /// Whether velocities of bodies are all that enters a row, or it holds no more than 2^-40 of what elimination brings into it at once
    /// from a row in which velocities are no more than that of its size.
    fn is_idle(&self, i: usize, of_bodies: &[bool], reading: &Reading) -> bool {
        let sum = |row: usize, takes: &dyn Fn(usize) -> bool| -> Rational {
            let columns = (0..self.q.len()).filter(|j| takes(*j));
            columns
                .map(|j| (self.entry(row, j) * &reading.z[j]).abs())
                .sum()
        };
        let scale = self.scale.get(i).is_some_and(|own| *own != 0);
        if self.q[i] == 0 && !scale && sum(i, &|j| !of_bodies[j]) == 0 {
            return true;
        }
        let much = |own: &Rational| Rational::from(1_u64 << 40) * own;
        let sizes = &reading.by_entries;
        (0..self.q.len()).any(|j| {
            j != i
                && of_bodies[j]
                && much(&sizes[i]) <= (self.entry(i, j) / self.entry(j, j)).abs() * &sizes[j]
                && much(&sum(j, &|k| of_bodies[k])) <= sizes[j]
        })
    }

    fn entry(&self, i: usize, j: usize) -> Rational {
        let own = self.m[i].iter().find(|(column, _)| *column == j);
        own.map_or(Rational::ZERO, |(_, entry)| entry.clone())
    }

    /// E: the rows of bodies that hold entry by entry, or with the sizes that masses carry into them; and the latter with these.
    fn rows_that_hold(
        &self,
        of_bodies: &[bool],
        reading: &Reading,
        tol: &Rational,
    ) -> (Vec<usize>, Vec<(usize, Rational)>) {
        let bodies: Vec<usize> = (0..self.q.len()).filter(|i| of_bodies[*i]).collect();
        let holds = |i: usize, size: &Rational| (&reading.w[i]).abs() <= tol * size;
        let by_itself = |i: &usize| holds(*i, &reading.by_entries[*i]);
        let mut free: Vec<usize> = bodies.iter().copied().filter(by_itself).collect();
        let mut carried = Vec::new();
        for part in self.parts(&bodies) {
            for (i, size) in self.carried(&part, &reading.by_entries) {
                if !by_itself(&i) && holds(i, &size) {
                    free.push(i);
                    carried.push((i, size));
                }
            }
        }
        (free, carried)
    }

    /// The largest product of a row's size and |M_ij| / |M_jj| along a path of these rows that ends in each of them; none where it
    /// grows with the length of the path.
    fn carried(&self, part: &[usize], sizes: &[Rational]) -> Vec<(usize, Rational)> {
        // The largest along paths of as many steps as there have been rounds.
        let mut most: Vec<Rational> = part.iter().map(|i| sizes[*i].clone()).collect();
        for _ in 0..=part.len() {
            let mut next = most.clone();
            for (i, next) in part.iter().zip(&mut next) {
                for (j, size) in part.iter().zip(&most).filter(|(j, _)| *j != i) {
                    let step = self.entry(*i, *j) / self.entry(*j, *j);
                    let size = step.abs() * size;
                    if size > *next {
                        *next = size;
                    }
                }
            }
            if next == most {
                return part.iter().copied().zip(most).collect();
            }
            most = next;
        }
        Vec::new()
    }

    /// w less the multiples of the rows of bodies that leave none of their unknowns in it, and sizes with these.
    fn solved(&self, reading: &Reading, free: &[usize]) -> Reading {
        let n = self.q.len();
        let mut w = reading.w.clone();
        let mut more = vec![Rational::ZERO; n];
        for part in self.parts(free) {
            let block: Vec<Vec<Rational>> = part
                .iter()
                .map(|j| part.iter().map(|i| self.entry(*i, *j)).collect())
                .collect();
            if determinant(&block) == 0 {
                continue;
            }
            for i in (0..n).filter(|i| !free.contains(i)) {
                let right: Vec<Rational> = part.iter().map(|j| self.entry(i, *j)).collect();
                let Some(multiples) = solve(&block, &right, part.len()) else {
                    continue;
                };
                for (y, j) in multiples.point.iter().zip(&part) {
                    w[i] -= y * &reading.w[*j];
                    more[i] += y.abs() * &reading.by_entries[*j];
                }
            }
        }
        let mut sizes = reading.by_blocks.clone();
        for block in self.all_blocks() {
            let others = || block.iter().filter(|i| !free.contains(i));
            let most = others().map(|i| more[*i].clone()).max();
            for i in others() {
                sizes[*i] += most.clone().unwrap_or(Rational::ZERO);
            }
        }
        Reading {
            z: reading.z.clone(),
            w,
            by_entries: reading.by_entries.clone(),
            by_blocks: sizes,
        }
    }

    /// Rows that hang together by entries of M among them.
    fn parts(&self, free: &[usize]) -> Vec<Vec<usize>> {
        let mut left = free.to_vec();
        let mut parts = Vec::new();
        while let Some(first) = left.pop() {
            let mut part = vec![first];
            let mut next = 0;
            while let Some(&i) = part.get(next) {
                let tied = |j: &usize| self.entry(i, *j) != 0 || self.entry(*j, i) != 0;
                part.extend(left.extract_if(.., |j| tied(j)));
                next += 1;
            }
            parts.push(part);
        }
        parts
    }
}
