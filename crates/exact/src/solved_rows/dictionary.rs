//! A part of the loose rows as an exact dictionary, whose rows are worked out when they are asked for.

use std::collections::BTreeMap;

use rug::{Integer, Rational};

use super::cell::{Cell, Part};
use super::choice::choose;
use crate::budget::Meter;
use crate::lifting::{Factored, Failure, Fractions, SparseMatrix};
use crate::tableau::Variable;

/// Primes that may all divide the determinant before the block is taken for singular.
const PRIMES: usize = 3;

/// A part of the loose rows solved for its unknowns.
pub(super) struct Dictionary<'a> {
    lines: BTreeMap<usize, Line>,
    /// The rows that are solved, and the unknowns that they are solved for; ascending.
    rows: Vec<usize>,
    pub unknowns: Vec<usize>,
    /// The rows that stay: those that depend on the solved ones, and those of moved unknowns.
    dependent: Vec<usize>,
    pub moved: Vec<usize>,
    /// The block of `rows` and `unknowns`, and the transposed one once it is needed.
    block: Factored,
    across: Option<Factored>,
    transposed: SparseMatrix,
    meter: &'a Meter,
}

/// A row of the part, times what makes it integral.
struct Line {
    entries: BTreeMap<usize, Integer>,
    constant: Integer,
    /// The plain size of the row.
    size: Rational,
}

/// A row of the dictionary: variable = (constant + sum of entry * variable) / denominator.
pub(super) struct DictionaryRow {
    pub entries: Vec<(Variable, Integer)>,
    pub constant: Integer,
    /// Positive.
    pub denominator: Integer,
}

impl<'a> Dictionary<'a> {
    /// The part's rows solved for its unknowns; the rows of moved unknowns stay.
    pub fn new(cell: &Cell<'_>, part: &Part, meter: &'a Meter) -> Result<Self, Failure> {
        let members = part.rows.iter().chain(&part.moved).copied();
        let lines: BTreeMap<usize, Line> = members.map(|i| (i, Line::new(cell, i))).collect();
        let bits = lines.values().map(Line::bits).sum();
        meter.uncounted(bits, 0)?;
        let all = block(&lines, &part.rows, &part.rows);
        let mut found = None;
        for prime in Factored::primes().take(PRIMES) {
            found = Factored::new(all.clone(), prime, meter)?;
            if found.is_some() {
                break;
            }
        }
        let (rows, unknowns, block, matrix) = match found {
            Some(block) => (part.rows.clone(), part.rows.clone(), block, all),
            None => singular(&lines, &part.rows, &all, meter)?,
        };
        let dependent = part.rows.iter().copied();
        let dependent = dependent.filter(|i| rows.binary_search(i).is_err());
        Ok(Self {
            dependent: dependent.collect(),
            moved: part.moved.clone(),
            transposed: matrix.transposed(),
            lines,
            rows,
            unknowns,
            block,
            across: None,
            meter,
        })
    }

    /// The plain size of a row, in the unit that its variable has here.
    pub fn size(&self, i: usize) -> Option<&Rational> {
        self.lines.get(&i).map(|line| &line.size)
    }

    /// The rows that the part has.
    pub fn members(&self) -> impl Iterator<Item = usize> {
        self.lines.keys().copied()
    }

    /// The values of the unknowns where all solved rows are 0: unknowns that are not solved for have those
    /// of `own`, and moved ones stay.
    pub fn values(&mut self, cell: &Cell<'_>, own: &[Rational]) -> Result<Vec<Rational>, Failure> {
        let wanted = self.rows.iter().map(|i| {
            let line = &self.lines[i];
            let others = line.entries.iter();
            let others = others.filter(|(k, _)| cell.loose[**k] && !self.solves_for(**k));
            let sum = others.map(|(k, value)| Rational::from(&own[*k] * value));
            -sum.fold(Rational::from(&line.constant), |sum, term| sum + term)
        });
        let wanted: Vec<Rational> = wanted.collect();
        let mut unit = Integer::from(1);
        for value in &wanted {
            unit.lcm_mut(value.denom());
        }
        let integer = |value: &Rational| Integer::from(value.numer() * &unit) / value.denom();
        let wanted: Vec<Integer> = wanted.iter().map(integer).collect();
        let found = self.block.solve(&wanted, self.meter)?;
        let denominator = found.denominator * unit;
        let values = found.numerators.into_iter();
        Ok(values
            .map(|num| Rational::from((num, &denominator)))
            .collect())
    }

    /// The dictionary's row of an unknown that it is solved for.
    pub fn row_for(&mut self, unknown: usize) -> Result<DictionaryRow, Failure> {
        let unit = |j: &usize| Integer::from(u8::from(*j == unknown));
        let wanted: Vec<Integer> = self.unknowns.iter().map(unit).collect();
        let found = self.combination(&wanted)?;
        let mut row = DictionaryRow {
            entries: Vec::new(),
            constant: Integer::new(),
            denominator: found.denominator,
        };
        let mut others = BTreeMap::<usize, Integer>::new();
        for (i, factor) in self.rows.iter().zip(found.numerators) {
            if factor != 0 {
                self.take_off(*i, &factor, &mut row.constant, &mut others);
                row.entries.push((Variable::W(*i), factor));
            }
        }
        row.push_unknowns(others);
        Ok(row)
    }

    /// The dictionary's row of a row that stays.
    pub fn row_of(&mut self, row: usize) -> Result<DictionaryRow, Failure> {
        let Some(line) = self.lines.get(&row) else {
            return Err(Failure::Singular);
        };
        let entry = |j: &usize| line.entries.get(j).cloned().unwrap_or_default();
        let wanted: Vec<Integer> = self.unknowns.iter().map(entry).collect();
        let mut others = line.entries.clone();
        let mut constant = line.constant.clone();
        others.retain(|k, _| !self.solves_for(*k));
        let found = self.combination(&wanted)?;
        let denominator = found.denominator;
        constant *= &denominator;
        others.values_mut().for_each(|value| *value *= &denominator);
        let mut row = DictionaryRow {
            entries: Vec::new(),
            constant,
            denominator,
        };
        for (i, factor) in self.rows.iter().zip(found.numerators) {
            if factor != 0 {
                self.take_off(*i, &factor, &mut row.constant, &mut others);
                row.entries.push((Variable::W(*i), factor));
            }
        }
        row.push_unknowns(others);
        Ok(row)
    }

    /// Sees that the rows which stay depend on the solved ones: modulo p they do.
    pub fn check_dependent(&mut self, cell: &Cell<'_>) -> Result<(), Failure> {
        for i in self.dependent.clone() {
            let row = self.row_of(i)?;
            let is_open = |(variable, _): &(Variable, Integer)| match variable {
                Variable::Z(k) => cell.loose[*k],
                _ => false,
            };
            // Modulo p the row depends on the solved ones. What is left of it in exact numbers shows
            // whether it does.
            if row.entries.iter().any(is_open) {
                return Err(Failure::Singular);
            }
        }
        Ok(())
    }

    /// The rows that stay.
    pub fn staying(&self) -> Vec<usize> {
        self.dependent.iter().chain(&self.moved).copied().collect()
    }

    /// The value of a row that stays, and its plain size, for these values of the unknowns that are solved for;
    /// others as in [`values`](Self::values).
    pub fn value_of(
        &self,
        row: usize,
        cell: &Cell<'_>,
        values: &[Rational],
        own: &[Rational],
    ) -> Option<(Rational, &Rational)> {
        let line = self.lines.get(&row)?;
        let mut sum = Rational::from(&line.constant);
        for (k, entry) in &line.entries {
            if let Ok(c) = self.unknowns.binary_search(k) {
                sum += Rational::from(&values[c] * entry);
            } else if cell.loose[*k] {
                sum += Rational::from(&own[*k] * entry);
            }
        }
        Some((sum, &line.size))
    }

    fn solves_for(&self, unknown: usize) -> bool {
        self.unknowns.binary_search(&unknown).is_ok()
    }

    /// The combination of the solved rows that has these entries in the unknowns.
    fn combination(&mut self, wanted: &[Integer]) -> Result<Fractions, Failure> {
        if self.across.is_none() {
            for prime in Factored::primes() {
                self.across = Factored::new(self.transposed.clone(), prime, self.meter)?;
                if self.across.is_some() {
                    break;
                }
            }
        }
        let across = self.across.as_mut().ok_or(Failure::Singular)?;
        across.solve(wanted, self.meter)
    }

    /// Takes a multiple of a solved row off the constant and the unknowns that are not solved for.
    fn take_off(
        &self,
        i: usize,
        factor: &Integer,
        constant: &mut Integer,
        others: &mut BTreeMap<usize, Integer>,
    ) {
        let line = &self.lines[&i];
        *constant -= &line.constant * factor;
        if self.dependent.is_empty() && self.moved.is_empty() {
            return;
        }
        for (k, value) in line.entries.iter().filter(|(k, _)| !self.solves_for(**k)) {
            *others.entry(*k).or_default() -= value * factor;
        }
    }
}

/// The chosen rows and unknowns of a singular block, and the block that they make.
fn singular(
    lines: &BTreeMap<usize, Line>,
    part: &[usize],
    all: &SparseMatrix,
    meter: &Meter,
) -> Result<(Vec<usize>, Vec<usize>, Factored, SparseMatrix), Failure> {
    let mut best = (Vec::new(), Vec::new());
    let mut by = None;
    for prime in Factored::primes().take(PRIMES) {
        let chosen = choose(&all.residues(prime), prime, meter)?;
        // The rank modulo p is never above the rank. So the prime that shows most independent rows is the
        // best guess.
        if by.is_none() || chosen.0.len() > best.0.len() {
            (best, by) = (chosen, Some(prime));
        }
    }
    let prime = by.ok_or(Failure::Singular)?;
    let [rows, unknowns] = [best.0, best.1].map(|chosen| {
        let own = chosen.into_iter().map(|k| part[k]);
        own.collect::<Vec<_>>()
    });
    let matrix = block(lines, &rows, &unknowns);
    let factored = Factored::new(matrix.clone(), prime, meter)?;
    let factored = factored.ok_or(Failure::Singular)?;
    Ok((rows, unknowns, factored, matrix))
}

/// The entries of these rows in the columns of these unknowns (ascending).
fn block(lines: &BTreeMap<usize, Line>, rows: &[usize], unknowns: &[usize]) -> SparseMatrix {
    let row = |i: &usize| {
        let entries = lines[i].entries.iter();
        let own = entries.filter_map(|(k, value)| {
            let column = unknowns.binary_search(k).ok()?;
            Some((column, value.clone()))
        });
        own.collect()
    };
    SparseMatrix {
        rows: rows.iter().map(row).collect(),
    }
}

impl Line {
    fn new(cell: &Cell<'_>, i: usize) -> Self {
        let (entries, constant) = (cell.entries(i), cell.constant(i));
        let size = cell.only_moves.unwrap_or(&cell.sums.s)[i].clone();
        let mut unit = Integer::from(constant.denom());
        for value in entries.values() {
            unit.lcm_mut(value.denom());
        }
        let integer = |value: &Rational| Integer::from(value.numer() * &unit) / value.denom();
        Self {
            entries: entries
                .iter()
                .map(|(k, value)| (*k, integer(value)))
                .collect(),
            constant: integer(&constant),
            size: size * &unit,
        }
    }

    /// Bits of the longest number.
    fn bits(&self) -> u64 {
        let values = self.entries.values().chain([&self.constant]);
        u64::from(values.map(Integer::significant_bits).max().unwrap_or(0))
    }
}

impl DictionaryRow {
    fn push_unknowns(&mut self, others: BTreeMap<usize, Integer>) {
        let others = others.into_iter().filter(|(_, value)| *value != 0);
        let others = others.map(|(k, value)| (Variable::Z(k), value));
        self.entries.extend(others);
    }

    /// sum |entry| s_i over the rows, times the denominator; with the row that is solved itself, if one stays.
    /// None where it is 0, or where none of its rows holds anything.
    pub fn reach(
        &self,
        own: Option<usize>,
        dictionary: &Dictionary<'_>,
        holds: impl Fn(usize) -> bool,
    ) -> Option<Rational> {
        let own = own.map(|i| (i, &self.denominator));
        let rows = self
            .entries
            .iter()
            .filter_map(|(variable, entry)| match variable {
                Variable::W(i) => Some((*i, entry)),
                _ => None,
            });
        let mut reach = Rational::new();
        let mut is_reached = false;
        for (i, entry) in rows.chain(own) {
            if let Some(size) = dictionary.size(i) {
                reach += Rational::from(size * entry).abs();
                is_reached |= holds(i);
            }
        }
        (is_reached && !reach.is_zero()).then_some(reach)
    }

    /// The row of w_k, which stays, solved for z_k; none where it does not hold z_k.
    pub fn solved_for(self, k: usize) -> Option<Self> {
        let is_own = |(variable, _): &(Variable, Integer)| *variable == Variable::Z(k);
        let (_, pivot) = self.entries.iter().find(|entry| is_own(entry))?.clone();
        // w_k den = constant + pivot z_k + ...
        let sign = if pivot > 0 { -1 } else { 1 };
        let others = self.entries.into_iter().filter(|entry| !is_own(entry));
        let mut entries: Vec<_> = others.map(|(own, value)| (own, value * sign)).collect();
        entries.push((Variable::W(k), self.denominator * -sign));
        Some(Self {
            entries,
            constant: self.constant * sign,
            denominator: pivot.abs(),
        })
    }
}
