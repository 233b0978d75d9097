//! The linear programme of level C, solved exactly: min eps with A x >= b and x >= 0 is the LCP
//! w = [[0, -A'], [A, 0]] (x, y) + (c, -b), whose matrix is skew, so that Lemke's method solves it.

use etalon_exact::Certified;
use etalon_fast::FastMethod;
use etalon_lcp::{Bound, ClaimedAnswer, Entry, Matrix, Number, Problem, Solver};
use rug::Rational;

use super::sets::{ContactSet, DiscSet};
use crate::assembly::{Assembly, Row};
use crate::problem::budget;

/// A column of the programme.
struct Column {
    /// Its entries in the rows of the balance.
    balance: Row,
    /// Its entries in further rows.
    further: Vec<(usize, Rational)>,
    is_free: bool,
}

/// min eps, |change - J'λ| <= eps S, λ in the polygons.
pub(super) struct Programme {
    /// The columns after that of eps.
    columns: Vec<Column>,
    /// For each contact its columns: of the normal, then of the corners of each disc.
    contacts: Vec<Vec<(usize, Vec<Rational>)>>,
    joints: usize,
    /// Rows of the balance that are asked, with change and scale.
    rows: Vec<(usize, Rational, Rational)>,
    /// The right-hand sides of further rows.
    further: Vec<Rational>,
    velocities: usize,
}

/// A solution: impulses, and the dual as a test motion.
pub(super) struct Solved {
    pub impulse: Vec<Vec<Rational>>,
    pub joints: Vec<Rational>,
    pub y: Vec<Rational>,
}

impl Programme {
    /// Rows and columns of the programme.
    pub fn size(assembly: &Assembly, sets: &[ContactSet]) -> usize {
        let of_disc = |disc: &DiscSet| 1 + disc.corners(true).len();
        let of_contact = |set: &ContactSet| 2 + set.discs.iter().map(of_disc).sum::<usize>();
        let joints: usize = assembly.joints.iter().map(|joint| joint.rows.len()).sum();
        2 * assembly.change.len() + joints + sets.iter().map(of_contact).sum::<usize>()
    }

    pub fn new(
        assembly: &Assembly,
        scales: &[Rational],
        sets: &[ContactSet],
        inside: bool,
    ) -> Self {
        let asked = assembly.blocks.iter().filter(|block| !block.asleep);
        let asked = asked.flat_map(|block| block.rows.clone());
        let rows = asked.map(|i| (i, assembly.change[i].clone(), scales[i].clone()));
        let mut own = Self {
            columns: Vec::new(),
            contacts: Vec::new(),
            joints: 0,
            rows: rows.collect(),
            further: Vec::new(),
            velocities: assembly.change.len(),
        };
        for (contact, set) in assembly.contacts.iter().zip(sets) {
            own.add_contact(&contact.rows, set, inside);
        }
        for row in assembly.joints.iter().flat_map(|joint| &joint.rows) {
            own.columns.push(Column {
                balance: row.clone(),
                further: Vec::new(),
                is_free: true,
            });
            own.joints += 1;
        }
        own
    }

    fn add_contact(&mut self, rows: &[Row], set: &ContactSet, inside: bool) {
        let mut contact = Vec::new();
        let unit = |k: usize| {
            let mut unit = vec![Rational::new(); rows.len()];
            unit[k] = Rational::from(1);
            unit
        };
        let normal = self.columns.len();
        self.columns.push(Column {
            balance: rows[0].clone(),
            further: Vec::new(),
            is_free: false,
        });
        contact.push((normal, unit(0)));
        let mut first = 1;
        for disc in &set.discs {
            let row = self.new_row(Rational::new());
            self.columns[normal].further.push((row, Rational::from(1)));
            // Of a ray the frictions add up to the normal impulse: two inequalities.
            let all = matches!(disc, DiscSet::Ray(_)).then(|| self.new_row(Rational::new()));
            if let Some(all) = all {
                self.columns[normal].further.push((all, Rational::from(-1)));
            }
            for corner in disc.corners(inside) {
                let mut further = vec![(row, Rational::from(-1))];
                further.extend(all.map(|all| (all, Rational::from(1))));
                let mut impulse = vec![Rational::new(); rows.len()];
                let mut balance = Row::new();
                for (k, own) in corner.iter().enumerate() {
                    impulse[first + k] = own.clone();
                    let part = rows[first + k].iter();
                    balance.extend(part.map(|(j, entry)| (*j, Rational::from(entry * own))));
                }
                contact.push((self.columns.len(), impulse));
                self.columns.push(Column {
                    balance: gathered(balance),
                    further,
                    is_free: false,
                });
            }
            first += disc.rows();
        }
        if let Some(cap) = &set.cap {
            let row = self.new_row(Rational::from(-cap));
            self.columns[normal].further.push((row, Rational::from(-1)));
        }
        self.contacts.push(contact);
    }

    /// A further row, sum of entries >= a number.
    fn new_row(&mut self, least: Rational) -> usize {
        self.further.push(least);
        self.further.len() - 1
    }

    /// The programme as an LCP: x = (eps, columns), then y for the two rows of each row of the balance, and for
    /// further rows.
    fn problem(&self) -> Option<Problem> {
        let (nx, nb) = (1 + self.columns.len(), self.rows.len());
        let ny = 2 * nb + self.further.len();
        let mut place = vec![None; self.velocities];
        for (at, (i, _, _)) in self.rows.iter().enumerate() {
            place[*i] = Some(at);
        }
        let mut entries: Vec<Entry> = Vec::new();
        let mut put = |row: usize, column: usize, own: &Rational| {
            if !own.is_zero() {
                let (row, column) = ((nx + row) as u64, column as u64);
                entries.push((row, column, Number::from(own.clone())));
                // The skew pair: x'(-A'y) + y'A x = 0, so the matrix is semidefinite, and a ray of Lemke's
                // path proves that there is no solution.
                entries.push((column, row, Number::from(Rational::from(-own))));
            }
        };
        let mut q = vec![Number::from(0); nx + ny];
        q[0] = Number::from(1);
        for (at, (_, change, scale)) in self.rows.iter().enumerate() {
            // eps S - change + J'λ >= 0 and eps S + change - J'λ >= 0.
            put(2 * at, 0, scale);
            put(2 * at + 1, 0, scale);
            q[nx + 2 * at] = Number::from(Rational::from(-change));
            q[nx + 2 * at + 1] = Number::from(change.clone());
        }
        for (k, own) in self.columns.iter().enumerate() {
            for (j, entry) in &own.balance {
                if let Some(at) = place[*j] {
                    put(2 * at, 1 + k, entry);
                    put(2 * at + 1, 1 + k, &Rational::from(-entry));
                }
            }
            for (row, entry) in &own.further {
                put(2 * nb + row, 1 + k, entry);
            }
        }
        for (row, least) in self.further.iter().enumerate() {
            q[nx + 2 * nb + row] = Number::from(Rational::from(-least));
        }
        let n = (nx + ny) as u64;
        let m = Matrix::from_entries((n, n), entries).ok()?;
        let mut lower = vec![Bound::Finite(Number::from(0)); nx + ny];
        for (k, own) in self
            .columns
            .iter()
            .enumerate()
            .filter(|(_, own)| own.is_free)
        {
            debug_assert!(own.further.is_empty());
            lower[1 + k] = Bound::NegativeInfinity;
        }
        let problem = Problem::new("step", m, q).ok()?;
        problem.with_bounds(Some(lower), None).ok()
    }

    /// Solves it exactly.
    ///
    /// # Errors
    /// The budget ran out.
    pub fn solve(&self) -> Result<Solved, String> {
        let problem = self
            .problem()
            .ok_or("the linear programme cannot be put together")?;
        let solver = Certified::new(FastMethod::Auto.solver(), budget());
        let claim = solver.solve(&problem);
        let ClaimedAnswer::Solved { z } = claim.answer else {
            let why = claim.message.unwrap_or_default();
            return Err(format!("the linear programme was not solved: {why}"));
        };
        let z: Vec<Rational> = z.into_iter().map(Number::into_rational).collect();
        let (x, y) = z.split_at(1 + self.columns.len());
        let impulse = self.contacts.iter().map(|columns| {
            let mut impulse = vec![Rational::new(); columns[0].1.len()];
            for (at, unit) in columns {
                for (own, unit) in impulse.iter_mut().zip(unit) {
                    *own += Rational::from(&x[1 + at] * unit);
                }
            }
            impulse
        });
        let mut motion = vec![Rational::new(); self.velocities];
        for (at, (i, _, _)) in self.rows.iter().enumerate() {
            // The two rows of a balance are its two sides, so that the difference of their
            // multipliers is the multiplier of the balance itself.
            motion[*i] = Rational::from(&y[2 * at + 1] - &y[2 * at]);
        }
        Ok(Solved {
            impulse: impulse.collect(),
            joints: x[x.len() - self.joints..].to_vec(),
            y: motion,
        })
    }
}

/// Entries of one column added up.
fn gathered(mut row: Row) -> Row {
    row.sort_by_key(|(j, _)| *j);
    let mut sums: Row = Vec::new();
    for (j, own) in row {
        match sums.last_mut() {
            Some((last, sum)) if *last == j => *sum += own,
            _ => sums.push((j, own)),
        }
    }
    sums
}
