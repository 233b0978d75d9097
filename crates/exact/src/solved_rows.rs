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
/// Friction rows within `tol` of a bound that is right for them stand at it.
///
/// An unknown off the loose rows that `own` has elsewhere than `at` was moved. Where its row and the rows
/// that it is in do not excuse that in plain sizes ([`far_moves`]), the solved rows measure it: a
/// move t changes unknown k by c_k t, measured by sum_i |b_ki| s_i, and its own w_j by c_j t,
/// measured by the plain size of row j and what the loose rows leave in it. The largest quotient is
/// its error.
///
/// Where bounds leave loose unknowns less room than that, the rows are solved once more without them, and
/// an answer is held to what these rooms allow.
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
    tol: &Rational,
    budget: &Budget,
) -> SolvedRows {
    let mut cell = Cell::new(problem, loose, at, tol);
    let moves = far_moves(problem, at, own, tol).into_iter();
    cell.moved = moves.filter(|&j| !cell.loose[j]).collect();
    let mut solved = SolvedRows {
        point: at.to_vec(),
        worst: None,
    };
    for (own, (point, loose)) in own.iter().zip(solved.point.iter_mut().zip(&cell.loose)) {
        if *loose {
            point.clone_from(own);
        }
    }
    let meter = Meter::new(budget);
    for part in cell.parts() {
        if part.rows.len() + part.moved.len() > MAX_PART {
            continue;
        }
        // A part that is not solved says nothing.
        let Ok(dictionary) = cell.dictionary(&part, &meter) else {
            continue;
        };
        let reaches = cell.take(&dictionary, own, &mut solved);
        cell.hold_to_bounds(&reaches, own, tol, &meter, &mut solved);
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
    /// The rows that are solved.
    loose: Vec<bool>,
    /// Unknowns of other rows whose moves are measured.
    moved: Vec<usize>,
}

/// Loose rows that hang together, and the moved unknowns that hang on them; ascending.
struct Part {
    rows: Vec<usize>,
    moved: Vec<usize>,
}

/// The bounds of a row at z.
pub(crate) fn bounds(row: &Row<'_>, z: &[Rational]) -> (Option<Rational>, Option<Rational>) {
    match row {
        Row::Free => (None, None),
        Row::Nonnegative => (Some(Rational::new()), None),
        Row::AtLeast(lower) => (Some(lower.to_rational()), None),
        Row::AtMost(upper) => (None, Some(upper.to_rational())),
        Row::Between(lower, upper) => (Some(lower.to_rational()), Some(upper.to_rational())),
        Row::Friction { normal, mu } => {
            let limit = mu.to_rational() * &z[*normal];
            (Some(Rational::from(-&limit)), Some(limit))
        }
    }
}

/// What the first row that holds anything notices of each of these unknowns as a whole, in plain sizes:
/// min s_i / |M_ij| over the rows with s_i > 0; none where there is no such row.
fn first_notice(
    problem: &Problem,
    at: &[Rational],
    unknowns: impl Iterator<Item = usize>,
) -> BTreeMap<usize, Option<Rational>> {
    let mut found: BTreeMap<usize, Option<Rational>> = unknowns.map(|j| (j, None)).collect();
    if found.is_empty() {
        return found;
    }
    for i in 0..problem.n() {
        let row = || {
            problem
                .m()
                .row(i)
                .map(|(j, value)| (j, value.to_rational()))
        };
        if !row().any(|(j, _)| found.contains_key(&j)) {
            continue;
        }
        let own = problem.q()[i].to_rational().abs();
        let size = row().fold(own, |size, (j, value)| size + (value * &at[j]).abs());
        for (j, value) in row().filter(|_| !size.is_zero()) {
            if let Some(first) = found.get_mut(&j) {
                let share = &size / value.abs();
                if first.as_ref().is_none_or(|first| share < *first) {
                    *first = Some(share);
                }
            }
        }
    }
    found
}

/// The unknowns that `own` has elsewhere than `at` by more than `tol` of what the first row that holds
/// anything notices as a whole: min s_i / |M_ij|, plain sizes at `at`.
pub fn far_moves(
    problem: &Problem,
    at: &[Rational],
    own: &[Rational],
    tol: &Rational,
) -> Vec<usize> {
    let moved = own.iter().zip(at).enumerate();
    let moved = moved.filter(|(_, (own, at))| own != at).map(|(j, _)| j);
    let moved = first_notice(problem, at, moved);
    let far = |j: usize, first: &Option<Rational>| {
        let room = first.as_ref().map(|first| Rational::from(tol * first));
        room.is_none_or(|room| Rational::from(&own[j] - &at[j]).abs() > room)
    };
    let moved = moved.into_iter();
    moved
        .filter(|(j, first)| far(*j, first))
        .map(|(j, _)| j)
        .collect()
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

/// A part of the loose rows solved for its unknowns.
struct Dictionary {
    tableau: Tableau,
    /// The plain sizes of the rows, times what made them integral.
    sizes: BTreeMap<usize, Rational>,
}

impl<'a> Cell<'a> {
    fn new(problem: &'a Problem, loose: &[bool], at: &'a [Rational], tol: &Rational) -> Self {
        let mut cell = Self {
            problem,
            at,
            ties: vec![None; loose.len()],
            loose: loose.to_vec(),
            moved: Vec::new(),
        };
        let normals = problem.friction().iter();
        let normals = normals.filter(|own| loose[own.row]).map(|own| own.normal);
        let noticed = first_notice(problem, at, normals);
        for (i, row) in problem.rows().into_iter().enumerate() {
            let Row::Friction { normal, mu } = row else {
                continue;
            };
            let limit = mu.to_rational() * &at[normal];
            if limit.is_zero() {
                continue;
            }
            // On a bound by rounding counts as on it, with the sign of w that belongs there: mu z_n is
            // no binary64 number, and z_n may be rounding itself.
            let plain = noticed.get(&normal).and_then(Option::as_ref);
            let reach = plain.map_or_else(Rational::new, |size| mu.to_rational() * size);
            let room = reach.max(limit.clone()) * tol;
            let near = |bound: &Rational| Rational::from(&at[i] - bound).abs() <= room;
            let w = || cell.value(i);
            let at_upper = near(&limit) && (!loose[i] || w() < 0);
            let at_lower = near(&Rational::from(-&limit)) && (!loose[i] || w() > 0);
            if at_upper || at_lower {
                cell.loose[i] = false;
                let mu = mu.to_rational();
                cell.ties[i] = loose[normal].then(|| (normal, if at_upper { mu } else { -mu }));
            }
        }
        cell
    }

    /// w_i.
    fn value(&self, i: usize) -> Rational {
        let row = self.problem.m().row(i);
        let terms = row.map(|(j, value)| value.to_rational() * &self.at[j]);
        terms.fold(self.problem.q()[i].to_rational(), |w, term| w + term)
    }

    /// Row i over the loose unknowns and those that move, the constant with the latter as they stand, and
    /// its plain size at x.
    fn row(&self, i: usize, x: &[Rational]) -> (BTreeMap<usize, Rational>, Rational, Rational) {
        let mut entries = BTreeMap::<usize, Rational>::new();
        let mut constant = self.problem.q()[i].to_rational();
        let mut size = Rational::from(constant.abs_ref());
        for (j, value) in self.problem.m().row(i) {
            let value = value.to_rational();
            let term = Rational::from(&value * &self.at[j]);
            size += Rational::from(&value * &x[j]).abs();
            let (column, value, term) = match &self.ties[j] {
                Some((normal, mu)) => {
                    let value = value * mu;
                    let term = Rational::from(&value * &self.at[*normal]);
                    (*normal, value, term)
                }
                None => (j, value, term),
            };
            let moves = self.moved.binary_search(&column).is_ok();
            if !self.loose[column] {
                constant += term;
            }
            if self.loose[column] || moves {
                *entries.entry(column).or_default() += value;
            }
        }
        entries.retain(|_, value| !value.is_zero());
        (entries, constant, size)
    }

    /// The loose rows in parts that have no entries in each other's rows, and where a moved unknown
    /// has entries in them, or its row has, together with it.
    fn parts(&self) -> Vec<Part> {
        let n = self.loose.len();
        let takes_part = |i: usize| self.loose[i] || self.moved.binary_search(&i).is_ok();
        let mut neighbours = vec![Vec::new(); n];
        for i in (0..n).filter(|&i| takes_part(i)) {
            for j in self.row(i, self.at).0.into_keys() {
                neighbours[i].push(j);
                neighbours[j].push(i);
            }
        }
        let mut seen: Vec<bool> = (0..n).map(|i| !takes_part(i)).collect();
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
            let (rows, moved) = part.into_iter().partition(|&i| self.loose[i]);
            parts.push(Part { rows, moved });
        }
        parts
    }

    /// The part's rows solved for its unknowns; the rows of moved unknowns come last, and stay.
    fn dictionary(&self, part: &Part, meter: &Meter) -> Result<Dictionary, Exhausted> {
        let mut sizes = BTreeMap::new();
        let members = || part.rows.iter().chain(&part.moved).copied();
        let rows = members().map(|i| {
            let (entries, constant, size) = self.row(i, self.at);
            let column = |j: usize| entries.get(&j).cloned().unwrap_or_default();
            let values: Vec<Rational> = members().map(column).chain([constant]).collect();
            let mut unit = Integer::from(1);
            for value in &values {
                unit.lcm_mut(value.denom());
            }
            let integer = |value: &Rational| Integer::from(value.numer() * &unit) / value.denom();
            let row: Vec<Integer> = values.iter().map(integer).collect();
            let size = size * &unit;
            sizes.insert(i, size);
            row
        });
        let rows: Vec<_> = rows.collect();
        check_work(&rows, meter)?;
        let basic = members().map(Variable::W).collect();
        let unknowns = members().map(Variable::Z).collect();
        let mut tableau = Tableau::new(basic, unknowns, rows);
        let count = part.rows.len();
        for r in 0..count {
            let free = |c: &usize| {
                matches!(tableau.nonbasic()[*c], Variable::Z(_)) && *tableau.entry(r, *c) != 0
            };
            // A row that depends on those before it stays.
            if let Some(c) = Some(r).filter(free).or_else(|| (0..count).find(free)) {
                meter.uncounted(u64::from(tableau.entry(r, c).significant_bits()))?;
                tableau.pivot(r, c);
            }
        }
        Ok(Dictionary { tableau, sizes })
    }

    /// Changes of the data by `tol` move v_k by tol S_k, S_k = sum_i |b_ki| s_i, but no unknown beyond its
    /// bounds. The unknowns K that have a bound nearer than that are taken out of the loose rows: each
    /// stays where it is but for the room that its bounds leave it, and the other unknowns, solved for
    /// anew, may be off by what these rooms come to, and no more. The error counts what is beyond.
    /// Each room has 2^-40 S_k more on both sides, because rounding in S_k knows no bounds.
    fn hold_to_bounds(
        &self,
        reaches: &[(usize, Rational)],
        own: &[Rational],
        tol: &Rational,
        meter: &Meter,
        solved: &mut SolvedRows,
    ) {
        let rows = self.problem.rows();
        let mut rooms: BTreeMap<usize, (Rational, Rational)> = BTreeMap::new();
        for (k, reach) in reaches {
            let (lower, upper) = bounds(&rows[*k], self.at);
            let (most, rounding) = (Rational::from(tol * reach), Rational::from(reach >> 40));
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
        let part = |(k, _): &&(usize, Rational)| !rooms.contains_key(k);
        let mut cell = Cell {
            problem: self.problem,
            at: self.at,
            ties: self.ties.clone(),
            loose: vec![false; self.loose.len()],
            moved: rooms.keys().copied().collect(),
        };
        for (k, _) in reaches.iter().filter(part) {
            cell.loose[*k] = true;
        }
        if rooms.is_empty() || rooms.len() == reaches.len() {
            return;
        }
        for part in cell.parts() {
            let Ok(Dictionary { tableau, sizes }) = cell.dictionary(&part, meter) else {
                return;
            };
            let mut found = |tableau: &Tableau, r: usize, j: usize| {
                let error = cell.beyond(tableau, &sizes, (r, j), own, &rooms, &solved.point);
                let least = solved.worst.as_ref().map(|worst| &worst.error);
                if let Some((value, error)) = error
                    && least.is_none_or(|least| error > *least)
                {
                    solved.worst = Some(SolvedFor {
                        unknown: j,
                        value,
                        error,
                    });
                }
            };
            for (r, variable) in tableau.basic().iter().enumerate() {
                match *variable {
                    Variable::Z(j) => found(&tableau, r, j),
                    // The row of an unknown of K, solved for it with the others of K as they are.
                    Variable::W(k) if rooms.contains_key(&k) => {
                        let mut columns = tableau.nonbasic().iter();
                        let own_column = columns.position(|variable| *variable == Variable::Z(k));
                        let Some(c) = own_column.filter(|c| *tableau.entry(r, *c) != 0) else {
                            continue;
                        };
                        let mut solved_for = tableau.clone();
                        solved_for.pivot(r, c);
                        found(&solved_for, r, k);
                    }
                    _ => {}
                }
            }
        }
    }

    /// The nearest value to z_j that row r of a dictionary allows, and by how much of its size z_j is off that;
    /// none where it is not, or the rows hold nothing.
    fn beyond(
        &self,
        tableau: &Tableau,
        sizes: &BTreeMap<usize, Rational>,
        (r, j): (usize, usize),
        own: &[Rational],
        rooms: &BTreeMap<usize, (Rational, Rational)>,
        point: &[Rational],
    ) -> Option<(Rational, Rational)> {
        // All times the denominator, which is positive.
        let mut value = Rational::from(tableau.constant(r));
        let (mut reach, mut down, mut up) = <(Rational, Rational, Rational)>::default();
        let mut holds = false;
        for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
            match *variable {
                Variable::W(i) if *entry != 0 => {
                    reach += Rational::from(&sizes[&i] * entry).abs();
                    holds |= !self.row(i, point).2.is_zero();
                }
                Variable::W(_) | Variable::Artificial => {}
                Variable::Z(k) if self.loose[k] => value += Rational::from(&own[k] * entry),
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
        if !holds {
            return None;
        }
        let rows = self.problem.rows();
        let (lower, upper) = bounds(&rows[j], self.at);
        let inside = |value: Rational| {
            let value = lower
                .clone()
                .map_or(value.clone(), |lower| lower.max(value));
            upper
                .clone()
                .map_or(value.clone(), |upper| upper.min(value))
        };
        let least = inside(Rational::from(&value - &down) / tableau.denominator());
        let most = inside(Rational::from(&value + &up) / tableau.denominator());
        let nearest = own[j].clone().max(least).min(most);
        let gap = Rational::from(&own[j] - &nearest).abs();
        let error = gap * tableau.denominator() / reach;
        (error > 0).then_some((nearest, error))
    }

    /// Enters what a dictionary says of its unknowns, and of moves; the unknowns with sum_i |b_ji| s_i.
    fn take(
        &self,
        dictionary: &Dictionary,
        own: &[Rational],
        solved: &mut SolvedRows,
    ) -> Vec<(usize, Rational)> {
        let mut reaches = Vec::new();
        let Dictionary { tableau, sizes } = dictionary;
        for (r, variable) in tableau.basic().iter().enumerate() {
            let Variable::Z(j) = *variable else { continue };
            let mut value = Rational::from(tableau.constant(r));
            for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
                match *variable {
                    Variable::Z(k) if self.loose[k] => value += Rational::from(&own[k] * entry),
                    _ => {}
                }
            }
            solved.point[j] = value / tableau.denominator();
        }
        // Rows of zeros hold the candidate's rounding at `at`, and nothing at the solved point.
        let holds = |i: &usize| !self.row(*i, &solved.point).2.is_zero();
        let holding: Vec<usize> = sizes.keys().copied().filter(holds).collect();
        let mut worst = solved.worst.take();
        let mut found = |unknown: usize, value: &Rational, error: Rational| {
            let least = worst.as_ref().map(|worst| &worst.error);
            if !error.is_zero() && least.is_none_or(|least| error > *least) {
                let value = value.clone();
                worst = Some(SolvedFor {
                    unknown,
                    value,
                    error,
                });
            }
        };
        for (r, variable) in tableau.basic().iter().enumerate() {
            // Times the denominator.
            let mut reach = Rational::new();
            let mut is_reached = false;
            if let Variable::W(i) = variable {
                reach += Rational::from(&sizes[i] * tableau.denominator());
                is_reached = holding.binary_search(i).is_ok();
            }
            for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
                if let Variable::W(i) = variable
                    && *entry != 0
                {
                    reach += Rational::from(&sizes[i] * entry).abs();
                    is_reached |= holding.binary_search(i).is_ok();
                }
            }
            if !is_reached || reach.is_zero() {
                continue;
            }
            if let Variable::Z(j) = *variable {
                reaches.push((j, Rational::from(&reach / tableau.denominator())));
                let gap = Rational::from(&own[j] - &solved.point[j]).abs();
                let error = gap * tableau.denominator() / &reach;
                found(j, &solved.point[j], error);
            }
            for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
                if let Variable::Z(j) = *variable
                    && !self.loose[j]
                {
                    let gap = Rational::from(&own[j] - &self.at[j]).abs();
                    found(
                        j,
                        &self.at[j],
                        gap * Integer::from(entry.abs_ref()) / &reach,
                    );
                }
            }
        }
        solved.worst = worst;
        reaches
    }
}
