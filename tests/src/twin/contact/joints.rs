//! Soft joints, told from bodies by the signs with which rows meet.

use super::{Contact, Contacts, Rational};
use malachite::base::num::arithmetic::traits::Sign;

/// The signs of all entries of M, where -w of a free row stands for w if that makes its diagonal entry positive.
struct Signs {
    of: Vec<Vec<i32>>,
    free: Vec<bool>,
}

impl Contacts {
    /// The free rows of bodies: those with an entry on the diagonal, less the soft joints.
    pub(super) fn bodies(&self) -> Vec<bool> {
        let signs = self.signs();
        let n = self.q.len();
        let mut of_bodies: Vec<bool> = (0..n).map(|i| signs.has_own(i)).collect();
        if !of_bodies.contains(&true) {
            return of_bodies;
        }
        let mut left: Vec<usize> = (0..n).collect();
        while let Some(first) = left.pop() {
            let mut together = vec![first];
            let mut at = 0;
            while let Some(&i) = together.get(at) {
                let tied = |j: &mut usize| signs.of[i][*j] != 0 || signs.of[*j][i] != 0;
                together.extend(left.extract_if(.., tied));
                at += 1;
            }
            let Some([forces, velocities]) = signs.sides(&together) else {
                continue;
            };
            if velocities.iter().any(|i| signs.has_own(*i)) {
                forces.into_iter().for_each(|i| of_bodies[i] = false);
            }
        }
        of_bodies
    }

    fn signs(&self) -> Signs {
        let mut of = vec![vec![0; self.q.len()]; self.q.len()];
        let mut free: Vec<bool> = self.lower.iter().map(Option::is_none).collect();
        self.upper
            .iter()
            .zip(&mut free)
            .for_each(|(upper, free)| *free &= upper.is_none());
        self.contacts
            .iter()
            .flat_map(Contact::rows)
            .for_each(|i| free[i] = false);
        for (i, row) in self.m.iter().enumerate() {
            let own = |(j, value): &(usize, Rational)| (*j, value.sign() as i32);
            row.iter().map(own).for_each(|(j, sign)| of[i][j] = sign);
            if free[i] && of[i][i] < 0 {
                of[i].iter_mut().for_each(|sign| *sign = -*sign);
            }
        }
        Signs { of, free }
    }
}

impl Signs {
    /// Whether a row is free, with an entry on the diagonal.
    fn has_own(&self, i: usize) -> bool {
        self.free[i] && self.of[i][i] != 0
    }

    /// Forces and velocities of rows that hang together; `None` where there is no contact or bound among them, or where no
    /// choice fits all signs.
    fn sides(&self, rows: &[usize]) -> Option<[Vec<usize>; 2]> {
        let first = *rows.iter().find(|i| !self.free[**i])?;
        let mut sides = [vec![first], Vec::new()];
        let mut left: Vec<usize> = rows.iter().copied().filter(|i| *i != first).collect();
        // Whoever meets a row whose side is known takes a side.
        while !left.is_empty() {
            let meets = |i: usize, side: usize| {
                let met = sides[side].iter().map(|j| self.of[i][*j] * self.of[*j][i]);
                met.map(|sign| if side == 0 { sign } else { -sign })
                    .find(|sign| *sign != 0)
            };
            let known = |i: &usize| Some((*i, meets(*i, 0).or_else(|| meets(*i, 1))?));
            let (i, side) = left.iter().find_map(known)?;
            sides[usize::from(side < 0)].push(i);
            left.retain(|j| *j != i);
        }
        let is_force = |i: &usize| sides[0].contains(i);
        let fits = |i: &usize, j: &usize| {
            let (own, other) = (self.of[*i][*j], self.of[*j][*i]);
            let same = if is_force(i) == is_force(j) { 1 } else { -1 };
            i == j || own == same * other
        };
        let all_fit = rows.iter().all(|i| rows.iter().all(|j| fits(i, j)));
        (all_fit && sides[1].iter().all(|i| self.free[*i])).then_some(sides)
    }
}
