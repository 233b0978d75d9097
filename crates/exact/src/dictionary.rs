//! The dictionary of an LCP without the columns that can be computed when they are needed.
//!
//! Only the columns of nonbasic w (and of z_0) take part in every pivot. Since w_k = q_k + M_k z,
//! a nonbasic z_j acts like a change of q by column j of M. The columns of w give the effect of that
//! change on the basic variables. So the column of z_j is computed when z_j is about to enter, by
//! products with the small integers of M, and dropped when z_j has left. When k of n
//! z are basic, a pivot costs n (k + 2) large products in place of n (n + 2).

use rug::Integer;

use crate::budget::{Exhausted, Meter};
use crate::scaling::IntegerLcp;
use crate::tableau::{Tableau, Variable};

/// A dictionary of basic variables, nonbasic w and those nonbasic z that are about to move.
pub(crate) struct Dictionary {
    pub tableau: Tableau,
    pub units: IntegerLcp,
    /// Whether w_j and z_j stand here with the other sign (up to a constant, for z_j).
    pub reflected: Vec<bool>,
}

impl Dictionary {
    /// w = q + Mz, with z_0 where its column is given. The free z have columns from the start.
    pub fn new(units: IntegerLcp, artificial: Option<Vec<Integer>>) -> Self {
        let n = units.n;
        let free: Vec<usize> = (0..n).filter(|&j| units.bilateral[j]).collect();
        let rows = units.rows.iter().enumerate().map(|(i, row)| {
            let own = artificial.iter().map(|column| column[i].clone());
            let free = free.iter().map(|&j| row[j].clone());
            free.chain(own).chain([row[n].clone()]).collect()
        });
        let nonbasic = free.iter().map(|&j| Variable::Z(j));
        let tableau = Tableau::new(
            (0..n).map(Variable::W).collect(),
            nonbasic
                .chain(artificial.iter().map(|_| Variable::Artificial))
                .collect(),
            rows,
        );
        Self {
            tableau,
            units,
            reflected: vec![false; n],
        }
    }

    /// The column of a nonbasic variable, computed if it is not there.
    pub fn column(&mut self, variable: Variable) -> Option<usize> {
        let present = self.tableau.column_of(variable);
        let Variable::Z(j) = variable else {
            return present;
        };
        if present.is_some() || self.tableau.row_of(variable).is_some() {
            return present;
        }
        let rows = 0..self.tableau.rows();
        let column = rows.map(|r| self.entry(r, j)).collect();
        Some(self.tableau.push_column(variable, column))
    }

    /// The entry of row r in the column of nonbasic z_j, whether that is there or not.
    pub fn entry(&self, r: usize, j: usize) -> Integer {
        let m = |k: usize| {
            (
                &self.units.rows[k][j],
                self.reflected[k] != self.reflected[j],
            )
        };
        // w_k - M_kj z_j stands where w_k would stand without z_j. That adds -entry M_kj for each nonbasic
        // w_k, and M_kj times the denominator where the row is that of w_k itself.
        let mut negative = Integer::new();
        if let Variable::W(k) = self.tableau.basic()[r] {
            add(&mut negative, m(k), true, self.tableau.denominator());
        }
        let entries = self.tableau.nonbasic().iter().zip(self.tableau.row(r));
        for (variable, entry) in entries {
            if let Variable::W(k) = *variable {
                add(&mut negative, m(k), false, entry);
            }
        }
        -negative
    }

    /// Exchanges basic variable r with nonbasic variable c.
    pub fn exchange(&mut self, r: usize, c: usize) {
        self.tableau.pivot(r, c);
        self.forget(c);
    }

    /// Drops the column of a z that has come to rest.
    pub fn forget(&mut self, c: usize) {
        if let Variable::Z(_) = self.tableau.nonbasic()[c] {
            self.tableau.drop_column(c);
        }
    }

    /// Measures z_j from the point at the given distance, with the other sign, and changes that
    /// of w_j.
    pub fn reflect(&mut self, j: usize, distance: &Integer) {
        self.reflected[j] = !self.reflected[j];
        for (variable, h) in [
            (Variable::Z(j), distance),
            (Variable::W(j), &Integer::new()),
        ] {
            if let Some(r) = self.tableau.row_of(variable) {
                self.tableau.reflect_basic(r, h);
            } else if let Some(c) = self.tableau.column_of(variable) {
                self.tableau.reflect_nonbasic(c, h);
            }
        }
    }

    /// Bilateral rows first: the free z enter the basis, where no ratio test will look at them
    /// (Baraff 1994, section 4.5), row by row and preferably each in its own. What remains is
    /// zero within the block: a row whose w_i stays basic depends on the others there, and the
    /// block is singular when there is one.
    ///
    /// Returns the rows of the dictionary that are left over. The columns of the w that left
    /// stay, since other columns are computed from them; they are zero for ever.
    pub fn bring_in_free(&mut self, meter: &Meter) -> Result<Vec<usize>, Exhausted> {
        let mut left_over = Vec::new();
        for r in 0..self.tableau.rows() {
            let Variable::W(i) = self.tableau.basic()[r] else {
                continue;
            };
            if !self.units.bilateral[i] {
                continue;
            }
            let Some(c) = self.free_column(r, i) else {
                left_over.push(r);
                continue;
            };
            self.tableau.room_for_pivot(r, c)?;
            meter.uncounted(
                u64::from(self.tableau.entry(r, c).significant_bits()),
                self.tableau.size(),
            )?;
            self.tableau.pivot(r, c);
        }
        Ok(left_over)
    }

    /// Brings z_i of the given rows into the basis by principal pivots, of one or two rows at
    /// a time, as far as those go; the basis stays complementary. Bilateral rows come first.
    pub fn bring_in(&mut self, rows: &[usize], meter: &Meter) -> Result<(), Exhausted> {
        let mut waiting = rows.to_vec();
        loop {
            let before = waiting.len();
            waiting = self.bring_in_single(waiting, meter)?;
            if waiting.len() == before && !self.bring_in_pair(&mut waiting, meter)? {
                return Ok(());
            }
        }
    }

    /// One pass over the rows; those whose diagonal entry was zero.
    fn bring_in_single(
        &mut self,
        rows: Vec<usize>,
        meter: &Meter,
    ) -> Result<Vec<usize>, Exhausted> {
        let mut left_over = Vec::new();
        for i in rows {
            let Some(r) = self.tableau.row_of(Variable::W(i)) else {
                continue;
            };
            if self.entry(r, i) == 0 {
                left_over.push(i);
            } else {
                self.enter(r, i, meter)?;
            }
        }
        Ok(left_over)
    }

    /// The first pair with zero diagonal entries and other ones that are not; whether there
    /// was one.
    fn bring_in_pair(&mut self, rows: &mut Vec<usize>, meter: &Meter) -> Result<bool, Exhausted> {
        let place = |i: usize| Some((i, self.tableau.row_of(Variable::W(i))?));
        let places: Vec<(usize, usize)> = rows.iter().filter_map(|&i| place(i)).collect();
        let pairs = places.iter().enumerate();
        let mut pairs = pairs.flat_map(|(k, &i)| places[k + 1..].iter().map(move |&j| (i, j)));
        // No diagonal entry is a pivot, but two entries beside two zeros of it make a regular block.
        let pair = pairs.find(|&((i, r), (j, s))| self.entry(r, j) != 0 && self.entry(s, i) != 0);
        let Some(((i, r), (j, s))) = pair else {
            return Ok(false);
        };
        self.enter(r, j, meter)?;
        self.enter(s, i, meter)?;
        rows.retain(|&k| k != i && k != j);
        Ok(true)
    }

    fn enter(&mut self, r: usize, j: usize, meter: &Meter) -> Result<(), Exhausted> {
        if let Some(c) = self.column(Variable::Z(j)) {
            self.tableau.room_for_pivot(r, c)?;
            meter.uncounted(
                u64::from(self.tableau.entry(r, c).significant_bits()),
                self.tableau.size(),
            )?;
            self.exchange(r, c);
        }
        Ok(())
    }

    /// The column of a free z with a nonzero entry in row r, that of z_i if possible.
    fn free_column(&self, r: usize, i: usize) -> Option<usize> {
        let tableau = &self.tableau;
        let usable = |&c: &usize| {
            let free = matches!(tableau.nonbasic()[c], Variable::Z(_));
            free && *tableau.entry(r, c) != 0
        };
        // On the diagonal if possible: w_i and z_i stay a complementary pair.
        let own = tableau.column_of(Variable::Z(i)).filter(usable);
        own.or_else(|| (0..tableau.columns()).find(usable))
    }
}

/// sum += value * factor, or minus that.
fn add(sum: &mut Integer, (factor, minus): (&Integer, bool), turned: bool, value: &Integer) {
    if factor.cmp0().is_eq() {
        return;
    }
    if minus == turned {
        *sum += value * factor;
    } else {
        *sum -= value * factor;
    }
}
