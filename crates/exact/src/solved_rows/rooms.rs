//! The rows once more, without the unknowns that stand next to a bound.
//!
//! Changes of the data by `tol` move v_k by tol S_k, S_k = sum_i |b_ki| s_i, but no unknown beyond
//! its bounds. Let K be the unknowns that have a bound nearer than that. They are taken out of the
//! loose rows: each stays where it is, but for the room that its bounds leave it. The other unknowns,
//! solved for anew, may be off by what these rooms come to, and no more. The error counts what is
//! beyond.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rug::{Integer, Rational};

use super::cell::Cell;
use super::dictionary::{Dictionary, DictionaryRow};
use super::take::keep_worst;
use super::{SolvedFor, SolvedRows, bounds};
use crate::budget::Meter;
use crate::lifting::Failure;
use crate::tableau::Variable;

/// Each room is wider by S_k times 2^-50 on both sides, because rounding of size S_k can lead out of the bounds.
/// 2^-50 is 8 units of rounding (2^-53); the number is chosen. With it and with 2^-40 the calibration rejects none of
/// 179,867 right answers, and 2^-40 accepts wrong ones: with entries of 2^50 it is 1024.
const ROUNDING_BITS: u32 = 50;

/// The rooms of K.
struct Rooms<'a> {
    /// The loose rows without those of K, whose unknowns are the moved ones.
    cell: Cell<'a>,
    /// How far each unknown of K may go down and up, times `unit`.
    rooms: BTreeMap<usize, (Integer, Integer)>,
    unit: Integer,
    own: &'a [Rational],
}

impl Cell<'_> {
    /// Holds an answer to what the bounds of its unknowns allow. `reaches` are the unknowns with
    /// their S_k.
    pub(super) fn hold_to_bounds(
        &self,
        reaches: &[(usize, Rational)],
        own: &[Rational],
        tol: &Rational,
        meter: &Meter,
        solved: &mut SolvedRows,
    ) -> Result<(), Failure> {
        let rooms = self.rooms(reaches, tol);
        if rooms.is_empty() || rooms.len() == reaches.len() {
            return Ok(());
        }
        let mut loose = vec![false; self.loose.len()];
        for (k, _) in reaches.iter().filter(|(k, _)| !rooms.contains_key(k)) {
            loose[*k] = true;
        }
        let (rooms, unit) = integral(&rooms);
        let rest = Rooms {
            cell: Cell {
                problem: self.problem,
                at: self.at,
                sums: Rc::clone(&self.sums),
                ties: self.ties.clone(),
                loose,
                moved: rooms.keys().copied().collect(),
                only_moves: None,
            },
            rooms,
            unit,
            own,
        };
        for part in rest.cell.parts() {
            let mut dictionary = Dictionary::new(&rest.cell, &part, meter)?;
            rest.hold(&mut dictionary, tol, solved)?;
        }
        Ok(())
    }

    /// The rooms of the unknowns that have a bound nearer than tol S_k.
    fn rooms(
        &self,
        reaches: &[(usize, Rational)],
        tol: &Rational,
    ) -> BTreeMap<usize, (Rational, Rational)> {
        let rows = self.problem.rows();
        let mut rooms = BTreeMap::new();
        for (k, reach) in reaches {
            let (lower, upper) = bounds(&rows[*k], self.at);
            let most = Rational::from(tol * reach);
            let rounding = Rational::from(reach >> ROUNDING_BITS);
            let room = |bound: Option<Rational>, sign: i32| {
                let slack = bound.map(|bound| ((bound - &self.at[*k]) * sign).max(Rational::new()));
                slack.filter(|slack| *slack < most)
            };
            let (down, up) = (room(lower, -1), room(upper, 1));
            if down.is_some() || up.is_some() {
                let wide =
                    |slack: Option<Rational>| slack.unwrap_or_else(|| most.clone()) + &rounding;
                rooms.insert(*k, (wide(down), wide(up)));
            }
        }
        rooms
    }
}

/// Rooms over their common denominator: sums of many of them take no common divisors then.
fn integral(
    rooms: &BTreeMap<usize, (Rational, Rational)>,
) -> (BTreeMap<usize, (Integer, Integer)>, Integer) {
    let mut unit = Integer::from(1);
    for (low, high) in rooms.values() {
        unit.lcm_mut(low.denom());
        unit.lcm_mut(high.denom());
    }
    let over = |value: &Rational| Integer::from(value.numer() * &unit).div_exact(value.denom());
    let rooms = rooms.iter();
    let rooms = rooms.map(|(k, (low, high))| (*k, (over(low), over(high))));
    (rooms.collect(), unit)
}

impl Rooms<'_> {
    /// Enters what is beyond the rooms in the rows of a dictionary.
    fn hold(
        &self,
        dictionary: &mut Dictionary<'_>,
        tol: &Rational,
        solved: &mut SolvedRows,
    ) -> Result<(), Failure> {
        let Self {
            cell, rooms, own, ..
        } = self;
        let values = dictionary.values(cell, own)?;
        dictionary.check_dependent(cell)?;
        let holding = cell.holding(dictionary, &solved.point);
        for (j, value) in dictionary.unknowns.clone().into_iter().zip(&values) {
            // The rooms have where the unknowns of K stand in them.
            let gap = Rational::from(&own[j] - value).abs();
            let is_inside = self.inside(j, own[j].clone()) == own[j];
            if !(is_inside && cell.is_within(j, &gap, tol)) {
                let row = dictionary.row_for(j)?;
                self.enter(&row, j, dictionary, &holding, &mut solved.worst);
            }
        }
        // The rows of unknowns of K, solved for them with the others of K as they are.
        for k in dictionary.moved.clone() {
            if !rooms.contains_key(&k) || self.is_right(k, dictionary, &values, tol) {
                continue;
            }
            if let Some(row) = dictionary.row_of(k)?.solved_for(k) {
                self.enter(&row, k, dictionary, &holding, &mut solved.worst);
            }
        }
        Ok(())
    }

    /// Whether the row of an unknown of K is right within `tol` of its plain size, at the values of the others:
    /// then its unknown is off by no more in the size that the dictionary has for it.
    fn is_right(
        &self,
        k: usize,
        dictionary: &Dictionary<'_>,
        values: &[Rational],
        tol: &Rational,
    ) -> bool {
        let value = dictionary.value_of(k, &self.cell, values, self.own);
        let stands = self.own[k] == self.cell.at[k];
        stands && value.is_some_and(|(w, size)| w.abs() <= Rational::from(size * tol))
    }

    /// Enters by how much of its size z_j is off the nearest value that a row of a dictionary allows.
    /// Nothing where it is not off, or where the rows hold nothing.
    fn enter(
        &self,
        row: &DictionaryRow,
        j: usize,
        dictionary: &Dictionary<'_>,
        holding: &BTreeSet<usize>,
        worst: &mut Option<SolvedFor>,
    ) {
        let Self {
            cell, rooms, own, ..
        } = self;
        // All times the denominator. The rows have unknowns of K as differences from where they stand
        // (`Cell::row`), the others as they are.
        let mut value = Rational::from(&row.constant);
        if rooms.contains_key(&j) {
            value += Rational::from(&cell.at[j] * &row.denominator);
        }
        let (mut down, mut up) = <(Integer, Integer)>::default();
        for (variable, entry) in &row.entries {
            let Variable::Z(k) = *variable else { continue };
            if cell.loose[k] {
                value += Rational::from(&own[k] * entry);
            } else if let Some((low, high)) = rooms.get(&k) {
                let size = entry.as_abs();
                // With a negative entry the row falls as the unknown rises: down and up change places.
                let (low, high) = if *entry > 0 { (low, high) } else { (high, low) };
                down += low * &*size;
                up += high * &*size;
            }
        }
        // Sizes are those at `at`: all 0 there, the rows may hold something at the solved point.
        let Some(reach) = row.reach(None, dictionary, |i| holding.contains(&i)) else {
            return;
        };
        let [down, up] = [down, up].map(|sum| Rational::from((sum, &self.unit)));
        let least = self.inside(j, Rational::from(&value - &down) / &row.denominator);
        let most = self.inside(j, Rational::from(&value + &up) / &row.denominator);
        let nearest = own[j].clone().max(least).min(most);
        let gap = Rational::from(&own[j] - &nearest).abs();
        let found = SolvedFor {
            unknown: j,
            value: nearest,
            error: gap * &row.denominator / reach,
        };
        keep_worst(worst, found);
    }

    /// A value of z_j, or the bound that it is beyond.
    fn inside(&self, j: usize, value: Rational) -> Rational {
        let rows = self.cell.problem.rows();
        let (lower, upper) = bounds(&rows[j], self.cell.at);
        let value = match lower {
            Some(lower) => lower.max(value),
            None => value,
        };
        match upper {
            Some(upper) => upper.min(value),
            None => value,
        }
    }
}
