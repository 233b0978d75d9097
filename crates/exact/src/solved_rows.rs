//! The loose rows of a candidate, solved for their unknowns.
//!
//! Row by row a candidate may be right within what elimination leaves in a row, and wrong all the
//! same: where the large terms of several rows cancel, the rows together determine an unknown
//! better than any of them says. So the equations of the loose rows are solved for the unknowns,
//! exactly (a dictionary of CPS section 2.2):
//!
//! z_j = v_j + sum_i b_ji w_i, B^-1 = (b_ji) where the loose block B is regular.
//!
//! The candidate has z_j, the equations have v_j, and changes of the data by eps, relatively, can
//! move v_j by eps sum_i |b_ji| s_i to first order, s the plain sizes of the rows (Skeel 1979). The
//! quotient is the error of the solved row, see `docs/measure.md`.
//!
//! Where B is singular, the dictionary takes the first unknowns that can be taken into it, and the
//! others have the candidate's values. The choice looks at zeros alone, so it does not depend on
//! units.

use etalon_lcp::{Problem, Row};
use rug::{Integer, Rational};
use std::collections::BTreeMap;

use crate::budget::{Budget, Exhausted, Meter};
use crate::tableau::{Tableau, Variable};

/// Parts of the loose block with more rows are not solved: the numbers of a dictionary of k rows
/// of binary64 have some 53 k bits, and there are k^3 products of them, a second for 64.
const MAX_PART: usize = 64;

/// k^3 products of numbers of as many 64-bit words as all rows have together, a product of v words
/// counted as v^1.5: 64 rows of 100 bits each. Longer rows are left as they are.
const MAX_WORK: u128 = 1 << 28;

/// What the loose rows say together.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedRows {
    /// The candidate with the values v_j for the unknowns that the loose rows determine.
    pub point: Vec<Rational>,
    /// The unknown with the largest error in its solved row, where one is not 0.
    pub worst: Option<SolvedFor>,
}

/// One unknown, solved for.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedFor {
    /// j.
    pub unknown: usize,
    /// v_j.
    pub value: Rational,
    /// |z_j - v_j| / sum_i |b_ji| s_i.
    pub error: Rational,
}

/// Solves the loose rows (n flags) at a point within the bounds, of n values, for their unknowns.
/// Sizes and all other unknowns are taken at `at`, the candidate's unknowns from `own`: the two are
/// the same for a candidate's own rows, and differ for rows at an exact solution next to it.
///
/// An unknown has no error here where the rows that determine it hold nothing at the solved point,
/// sum_i |b_ji| s_i = 0 with s of that point: what is left of it is the rounding of other rows.
/// Parts of the loose block that are too large, or whose numbers are too long for the budget, are
/// left as they are.
pub fn solved_rows(
    problem: &Problem,
    loose: &[bool],
    at: &[Rational],
    own: &[Rational],
    budget: &Budget,
) -> SolvedRows {
    let cell = Cell::new(problem, loose, at);
    let mut solved = SolvedRows {
        point: at.to_vec(),
        worst: None,
    };
    for (own, (point, loose)) in own.iter().zip(solved.point.iter_mut().zip(loose)) {
        if *loose {
            point.clone_from(own);
        }
    }
    let meter = Meter::new(budget);
    for part in cell.parts(loose) {
        if part.len() > MAX_PART {
            continue;
        }
        // A part that is not solved says nothing.
        let Ok(dictionary) = cell.dictionary(&part, &meter) else {
            continue;
        };
        cell.take(&dictionary, own, &mut solved);
    }
    for (row, (normal, mu)) in cell
        .ties
        .iter()
        .enumerate()
        .filter_map(|(i, tie)| Some((i, tie.as_ref()?)))
    {
        solved.point[row] = Rational::from(mu * &solved.point[*normal]);
    }
    solved
}

/// The rows at a point.
struct Cell<'a> {
    problem: &'a Problem,
    at: &'a [Rational],
    /// The friction rows that stand at a bound which moves with a loose normal row, z_t = c z_n: n
    /// and c, by row.
    ties: Vec<Option<(usize, Rational)>>,
    loose: &'a [bool],
}

/// Whether the dictionary of these rows is worth its work.
fn check_work(rows: &[Vec<Integer>], meter: &Meter) -> Result<(), Exhausted> {
    let longest = |row: &Vec<Integer>| row.iter().map(Integer::significant_bits).max();
    let bits: u64 = rows.iter().filter_map(longest).map(u64::from).sum();
    meter.uncounted(bits)?;
    let (k, words) = (rows.len() as u128, u128::from(bits / 64 + 1));
    // k^3 words^1.5 against the limit, both squared.
    let work = k.pow(6).saturating_mul(words.saturating_pow(3));
    if work > MAX_WORK.pow(2) {
        return Err(Exhausted::Bits(bits));
    }
    Ok(())
}

/// A part of the loose rows solved for its unknowns, and what its rows were multiplied by.
struct Dictionary {
    tableau: Tableau,
    /// r_i with w'_i = r_i w_i, and r_i s_i, by row of the problem.
    units: BTreeMap<usize, (Integer, Rational)>,
}

impl<'a> Cell<'a> {
    fn new(problem: &'a Problem, loose: &'a [bool], at: &'a [Rational]) -> Self {
        let tie = |(i, row): (usize, Row<'_>)| {
            let Row::Friction { normal, mu } = row else {
                return None;
            };
            let moves = !loose[i] && loose[normal] && !at[normal].is_zero();
            let limit = mu.to_rational() * &at[normal];
            match () {
                () if moves && at[i] == limit => Some((normal, mu.to_rational())),
                () if moves && at[i] == Rational::from(-&limit) => {
                    Some((normal, -mu.to_rational()))
                }
                () => None,
            }
        };
        let ties = problem.rows().into_iter().enumerate().map(tie).collect();
        Self {
            problem,
            at,
            ties,
            loose,
        }
    }

    /// Row i over the loose unknowns, the constant, and its plain size at x.
    fn row(&self, i: usize, x: &[Rational]) -> (BTreeMap<usize, Rational>, Rational, Rational) {
        let mut entries = BTreeMap::<usize, Rational>::new();
        let mut constant = self.problem.q()[i].to_rational();
        let mut size = Rational::from(constant.abs_ref());
        for (j, value) in self.problem.m().row(i) {
            let value = value.to_rational();
            let term = Rational::from(&value * &self.at[j]);
            size += Rational::from(&value * &x[j]).abs();
            match &self.ties[j] {
                Some((normal, mu)) => *entries.entry(*normal).or_default() += value * mu,
                None if self.loose[j] => *entries.entry(j).or_default() += value,
                None => constant += term,
            }
        }
        entries.retain(|_, value| !value.is_zero());
        (entries, constant, size)
    }

    /// The loose rows in parts that have no entries in each other's rows.
    fn parts(&self, loose: &[bool]) -> Vec<Vec<usize>> {
        let n = loose.len();
        let mut neighbours = vec![Vec::new(); n];
        for i in (0..n).filter(|&i| loose[i]) {
            for j in self.row(i, self.at).0.into_keys() {
                neighbours[i].push(j);
                neighbours[j].push(i);
            }
        }
        let mut seen: Vec<bool> = loose.iter().map(|loose| !loose).collect();
        let mut parts = Vec::new();
        for i in 0..n {
            if std::mem::replace(&mut seen[i], true) {
                continue;
            }
            let mut part = vec![i];
            let mut next = 0;
            while next < part.len() {
                for &k in &neighbours[part[next]] {
                    if !std::mem::replace(&mut seen[k], true) {
                        part.push(k);
                    }
                }
                next += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    fn dictionary(&self, part: &[usize], meter: &Meter) -> Result<Dictionary, Exhausted> {
        let mut units = BTreeMap::new();
        let rows = part.iter().map(|&i| {
            let (entries, constant, size) = self.row(i, self.at);
            let mut unit = constant.denom().clone();
            for value in entries.values() {
                unit.lcm_mut(value.denom());
            }
            let integer = |value: &Rational| Integer::from(value.numer() * &unit) / value.denom();
            let zero = Rational::new();
            let own = part
                .iter()
                .map(|j| integer(entries.get(j).unwrap_or(&zero)));
            let row: Vec<Integer> = own.chain([integer(&constant)]).collect();
            let size = size * &unit;
            units.insert(i, (unit, size));
            row
        });
        let rows: Vec<_> = rows.collect();
        check_work(&rows, meter)?;
        let basic = part.iter().map(|&i| Variable::W(i)).collect();
        let unknowns = part.iter().map(|&j| Variable::Z(j)).collect();
        let mut tableau = Tableau::new(basic, unknowns, rows);
        for r in 0..part.len() {
            let free = |c: &usize| {
                matches!(tableau.nonbasic()[*c], Variable::Z(_)) && *tableau.entry(r, *c) != 0
            };
            // A row that depends on those before it stays.
            if let Some(c) = Some(r).filter(free).or_else(|| (0..part.len()).find(free)) {
                meter.uncounted(u64::from(tableau.entry(r, c).significant_bits()))?;
                tableau.pivot(r, c);
            }
        }
        Ok(Dictionary { tableau, units })
    }

    /// Enters what a dictionary says of its unknowns.
    fn take(&self, dictionary: &Dictionary, own: &[Rational], solved: &mut SolvedRows) {
        let Dictionary { tableau, units } = dictionary;
        let determined = |r: usize| match tableau.basic()[r] {
            Variable::Z(j) => Some((r, j)),
            _ => None,
        };
        let determined: Vec<_> = (0..tableau.rows()).filter_map(determined).collect();
        for &(r, j) in &determined {
            let mut value = Rational::from(tableau.constant(r));
            for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
                if let Variable::Z(k) = *variable {
                    value += Rational::from(&own[k] * entry);
                }
            }
            solved.point[j] = value / tableau.denominator();
        }
        // Rows of zeros hold the candidate's rounding at `at`, and nothing at the solved point.
        let holds = |i: &usize| !self.row(*i, &solved.point).2.is_zero();
        let holding: Vec<usize> = units.keys().copied().filter(holds).collect();
        for &(r, j) in &determined {
            let mut reach = Rational::new();
            let mut is_reached = false;
            for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
                if let Variable::W(i) = variable
                    && *entry != 0
                {
                    reach += Rational::from(&units[i].1 * entry).abs();
                    is_reached |= holding.binary_search(i).is_ok();
                }
            }
            let gap = Rational::from(&own[j] - &solved.point[j]).abs();
            if !is_reached || reach.is_zero() || gap.is_zero() {
                continue;
            }
            let error = gap * tableau.denominator() / reach;
            let least = solved.worst.as_ref().map(|worst| &worst.error);
            if least.is_none_or(|least| error > *least) {
                let value = solved.point[j].clone();
                solved.worst = Some(SolvedFor {
                    unknown: j,
                    value,
                    error,
                });
            }
        }
    }
}
