//! Redundant contacts: rows of M and q that are sums of others, each times its factor, exactly.
//!
//! Data that rounding has touched hardly ever have such rows. Data of exact geometry do: w_N at one
//! of the four corners of a face follows from those at the other three.

use etalon_lcp::{Implied, Number, Problem};
use etalon_modular::Prime;
use rug::{Integer, Rational};

use crate::budget::{Budget, Meter};
use crate::lifting::{Entries, IntegerMatrix, residue, solve};

/// The rows among those given, ascending, of which w_k is a sum of factors times w_i of rows before it.
///
/// A prime shows which rows, and of which others they are a sum (Gauss-Jordan elimination of the transpose). The
/// factors are the exact solution of as many equations. The kernel checks the result in all equations.
pub(super) fn implied(problem: &Problem, rows: &[usize]) -> Vec<Implied> {
    let Some(prime) = Prime::nth(0) else {
        return Vec::new();
    };
    let Some(columns) = residues(problem, rows, prime) else {
        return Vec::new();
    };
    // Rank and dependence modulo p are a guess: p may divide a minor. The kernel refuses what does not
    // hold.
    let reduced = Reduced::of(columns, prime);
    let dependent = (0..rows.len()).filter(|k| !reduced.independent.contains(k));
    let found = dependent.filter_map(|k| {
        let column = &reduced.columns[k];
        let others = (reduced.independent.iter().enumerate()).filter(|(at, _)| column[*at] != 0);
        let others: Vec<_> = others.map(|(_, i)| rows[*i]).collect();
        let factors = factors(problem, rows[k], &others, prime)?;
        Some(Implied {
            row: rows[k],
            by: others.into_iter().zip(factors).collect(),
        })
    });
    found.collect()
}

/// Each of the rows (M_i1 .. M_in, q_i) modulo the prime; None where it divides a denominator.
fn residues(problem: &Problem, rows: &[usize], prime: Prime) -> Option<Vec<Vec<u64>>> {
    let of = |value: &Number| {
        let value = value.to_rational();
        let below = residue(value.denom(), prime);
        (below != 0).then(|| prime.multiply(residue(value.numer(), prime), prime.invert(below)))
    };
    let row = |i: &usize| {
        let mut own = vec![0; problem.n() + 1];
        for (j, value) in problem.m().row(*i) {
            own[j] = of(value)?;
        }
        own[problem.n()] = of(&problem.q()[*i])?;
        Some(own)
    };
    rows.iter().map(row).collect()
}

/// Columns after elimination: those that depend on no column before them are columns of the identity, and
/// the others hold the factors by which they are sums of these.
struct Reduced {
    columns: Vec<Vec<u64>>,
    independent: Vec<usize>,
    /// Which entry of the given columns stands at each place.
    order: Vec<usize>,
}

impl Reduced {
    fn of(mut columns: Vec<Vec<u64>>, prime: Prime) -> Self {
        let mut independent = Vec::new();
        let mut order: Vec<_> = (0..columns.first().map_or(0, Vec::len)).collect();
        for k in 0..columns.len() {
            let place = independent.len();
            let Some(pivot) = (place..order.len()).find(|i| columns[k][*i] != 0) else {
                continue;
            };
            columns.iter_mut().for_each(|own| own.swap(place, pivot));
            order.swap(place, pivot);
            let eliminated = columns[k].clone();
            let inverse = prime.invert(eliminated[place]);
            for own in &mut columns[k..] {
                let factor = prime.multiply(own[place], inverse);
                if factor == 0 {
                    continue;
                }
                let less = prime.negate(factor);
                for (entry, by) in own.iter_mut().zip(&eliminated) {
                    if *by != 0 {
                        *entry = prime.residue(*entry + prime.multiply(*by, less));
                    }
                }
                own[place] = factor;
            }
            independent.push(k);
        }
        Self {
            columns,
            independent,
            order,
        }
    }
}

/// The factors by which row k is a sum of the others, which depend on no fewer of them.
fn factors(problem: &Problem, k: usize, others: &[usize], prime: Prime) -> Option<Vec<Number>> {
    // As many columns of (M, q) in which the others are independent.
    let reduced = Reduced::of(residues(problem, others, prime)?, prime);
    let columns = &reduced.order[..others.len()];
    let entry = |i: usize, j: usize| {
        if j == problem.n() {
            return problem.q()[i].to_rational();
        }
        let found = problem.m().row(i).find(|(column, _)| *column == j);
        found.map_or(Rational::new(), |(_, own)| own.to_rational())
    };
    let (mut entries, mut right) = (Vec::new(), Vec::new());
    for &j in columns {
        let row: Vec<_> = others.iter().chain([&k]).map(|i| entry(*i, j)).collect();
        let mut common = Integer::from(1);
        row.iter().for_each(|own| common.lcm_mut(own.denom()));
        let whole = |own: &Rational| {
            let factor = Integer::from(common.div_exact_ref(own.denom()));
            own.numer() * factor
        };
        entries.extend(row[..others.len()].iter().map(whole));
        right.push(whole(&row[others.len()]));
    }
    let matrix = IntegerMatrix {
        n: others.len(),
        entries: Entries::Wide(entries),
    };
    let found = solve(&matrix, &right, &Meter::new(&Budget::default())).ok()?;
    let factor = |own: Integer| Number::from(Rational::from((own, &found.denominator)));
    Some(found.numerators.iter().cloned().map(factor).collect())
}
