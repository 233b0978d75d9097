//! The rows once more, without the unknowns that stand next to a bound.
//!
//! Changes of the data by `tol` move v_k by tol S_k, S_k = sum_i |b_ki| s_i, but no unknown beyond
//! its bounds. Let K be the unknowns that have a bound nearer than that. They are taken out of the
//! loose rows: each stays where it is, but for the room that its bounds leave it. The other unknowns,
//! solved for anew, may be off by what these rooms come to, and no more. The error counts what is
//! beyond.

use std::collections::BTreeMap;

use rug::{Integer, Rational};

use super::cell::Cell;
use super::dictionary::Dictionary;
use super::take::keep_worst;
use super::{SolvedFor, SolvedRows, bounds};
use crate::budget::Meter;
use crate::tableau::{Tableau, Variable};

/// Each room is wider by S_k times 2^-50 on both sides, because rounding of size S_k can lead out of the bounds.
/// 2^-50 is 8 units of rounding (2^-53); the number is chosen. With it and with 2^-40 the calibration rejects none of
/// 179,867 right answers, and 2^-40 accepts wrong ones: with entries of 2^50 it is 1024.
const ROUNDING_BITS: u32 = 50;

/// The rooms of K.
struct Rooms<'a> {
    /// The loose rows without those of K, whose unknowns are the moved ones.
    cell: Cell<'a>,
    /// How far each unknown of K may go down and up.
    rooms: BTreeMap<usize, (Rational, Rational)>,
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
    ) {
        let rooms = self.rooms(reaches, tol);
        if rooms.is_empty() || rooms.len() == reaches.len() {
            return;
        }
        let mut loose = vec![false; self.loose.len()];
        for (k, _) in reaches.iter().filter(|(k, _)| !rooms.contains_key(k)) {
            loose[*k] = true;
        }
        let rest = Rooms {
            cell: Cell {
                problem: self.problem,
                at: self.at,
                ties: self.ties.clone(),
                loose,
                moved: rooms.keys().copied().collect(),
            },
            rooms,
            own,
        };
        for part in rest.cell.parts() {
            // A part that is not solved says nothing, nor do those after it.
            let Ok(dictionary) = rest.cell.dictionary(&part, meter) else {
                return;
            };
            rest.hold(&dictionary, solved);
        }
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

impl Rooms<'_> {
    /// Enters what is beyond the rooms in the rows of a dictionary.
    fn hold(&self, dictionary: &Dictionary, solved: &mut SolvedRows) {
        let Dictionary { tableau, sizes } = dictionary;
        for (r, variable) in tableau.basic().iter().enumerate() {
            let beyond = match *variable {
                Variable::Z(j) => self.beyond(tableau, sizes, (r, j), &solved.point),
                // The row of an unknown of K, solved for it with the others of K as they are.
                Variable::W(k) if self.rooms.contains_key(&k) => solved_for(tableau, r, k)
                    .and_then(|tableau| self.beyond(&tableau, sizes, (r, k), &solved.point)),
                _ => None,
            };
            if let Some(found) = beyond {
                keep_worst(&mut solved.worst, found);
            }
        }
    }

    /// The nearest value to z_j that row r of a dictionary allows, and by how much of its size z_j is
    /// off that. None where it is not off, or where the rows hold nothing at `point`.
    fn beyond(
        &self,
        tableau: &Tableau,
        sizes: &BTreeMap<usize, Rational>,
        (r, j): (usize, usize),
        point: &[Rational],
    ) -> Option<SolvedFor> {
        let Self { cell, rooms, own } = self;
        // All times the denominator, which is positive. The rows have unknowns of K as differences from where
        // they stand (`Cell::row`), the others as they are.
        let mut value = Rational::from(tableau.constant(r));
        if rooms.contains_key(&j) {
            value += Rational::from(&cell.at[j] * tableau.denominator());
        }
        let (mut reach, mut down, mut up) = <(Rational, Rational, Rational)>::default();
        let mut holds = false;
        for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
            match *variable {
                Variable::W(i) if *entry != 0 => {
                    reach += Rational::from(&sizes[&i] * entry).abs();
                    holds |= !cell.row(i, point).2.is_zero();
                }
                Variable::W(_) | Variable::Artificial => {}
                Variable::Z(k) if cell.loose[k] => value += Rational::from(&own[k] * entry),
                Variable::Z(k) => {
                    if let Some((low, high)) = rooms.get(&k) {
                        let size = Integer::from(entry.abs_ref());
                        let (low, high) = if *entry > 0 { (low, high) } else { (high, low) };
                        down += Rational::from(low * &size);
                        up += Rational::from(high * &size);
                    }
                }
            }
        }
        // Sizes are those at `at`: all 0 there, the rows may hold something at the solved point.
        if !holds || reach.is_zero() {
            return None;
        }
        let least = self.inside(j, Rational::from(&value - &down) / tableau.denominator());
        let most = self.inside(j, Rational::from(&value + &up) / tableau.denominator());
        let nearest = own[j].clone().max(least).min(most);
        let gap = Rational::from(&own[j] - &nearest).abs();
        let error = gap * tableau.denominator() / reach;
        (error > 0).then_some(SolvedFor {
            unknown: j,
            value: nearest,
            error,
        })
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

/// The dictionary with row r, that of w_k, solved for z_k; none where it does not hold z_k.
fn solved_for(tableau: &Tableau, r: usize, k: usize) -> Option<Tableau> {
    let mut columns = tableau.nonbasic().iter();
    let c = columns.position(|variable| *variable == Variable::Z(k))?;
    if *tableau.entry(r, c) == 0 {
        return None;
    }
    let mut solved = tableau.clone();
    solved.pivot(r, c);
    Some(solved)
}
