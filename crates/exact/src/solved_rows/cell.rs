//! The loose rows of a candidate, and which of them hang together.

use std::collections::BTreeMap;

use etalon_lcp::{Problem, Row};
use rug::Rational;

use super::moves::first_notice;

/// The rows at a point.
pub(super) struct Cell<'a> {
    pub problem: &'a Problem,
    pub at: &'a [Rational],
    /// The friction rows that stand at a bound which moves with a loose normal row, z_t = c z_n: n
    /// and c, by row.
    pub ties: Vec<Option<(usize, Rational)>>,
    /// The rows that are solved.
    pub loose: Vec<bool>,
    /// Unknowns of other rows whose moves are measured.
    pub moved: Vec<usize>,
    /// Where only these are, the sizes of all rows that they are measured by, in place of the plain ones.
    pub only_moves: Option<&'a [Rational]>,
}

/// Loose rows that hang together, and the moved unknowns that hang on them; ascending.
pub(super) struct Part {
    pub rows: Vec<usize>,
    pub moved: Vec<usize>,
}

impl<'a> Cell<'a> {
    pub fn new(problem: &'a Problem, loose: &[bool], at: &'a [Rational], tol: &Rational) -> Self {
        let mut cell = Self {
            problem,
            at,
            ties: vec![None; loose.len()],
            loose: loose.to_vec(),
            moved: Vec::new(),
            only_moves: None,
        };
        let normals = problem.friction().iter();
        let normals = normals.filter(|own| loose[own.row]).map(|own| own.normal);
        let noticed = first_notice(problem, at, normals);
        for (i, row) in problem.rows().into_iter().enumerate() {
            let Row::Friction { normal, mu } = row else {
                continue;
            };
            let limit = mu.to_rational() * &at[normal];
            // Both bounds are 0: there is no side to stand on.
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
    pub fn row(&self, i: usize, x: &[Rational]) -> (BTreeMap<usize, Rational>, Rational, Rational) {
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

    /// Takes friction rows at their bounds along with their normal rows.
    pub fn slide(&self, point: &mut [Rational]) {
        for (row, tie) in self.ties.iter().enumerate() {
            if let Some((normal, mu)) = tie {
                point[row] = Rational::from(mu * &point[*normal]);
            }
        }
    }

    /// Whether no unknown of a part can have an error over `tol`: nothing in it was moved, and its rows are right
    /// within that in plain sizes. z_j - v_j = sum_i b_ji w_i then.
    pub fn is_right(&self, part: &Part, own: &[Rational], tol: &Rational) -> bool {
        let stands = |i: &usize| own[*i] == self.at[*i];
        let holds = |i: &usize| {
            let (entries, constant, size) = self.row(*i, self.at);
            let entries = entries.into_iter().filter(|(k, _)| self.loose[*k]);
            let w = entries.fold(constant, |w, (k, value)| w + value * &self.at[k]);
            w.abs() <= size * tol
        };
        part.moved.is_empty() && part.rows.iter().all(stands) && part.rows.iter().all(holds)
    }

    /// The loose rows in parts that have no entries in each other's rows, and where a moved unknown
    /// has entries in them, or its row has, together with it.
    pub fn parts(&self) -> Vec<Part> {
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
}
