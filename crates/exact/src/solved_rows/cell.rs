//! The loose rows of a candidate, and which of them hang together.

use std::collections::BTreeMap;
use std::rc::Rc;

use etalon_certify::{Rows, rows_at};
use etalon_lcp::{Problem, Row};
use rug::Rational;

use super::moves::first_notice;

/// The rows at a point.
pub(super) struct Cell<'a> {
    pub problem: &'a Problem,
    pub at: &'a [Rational],
    /// w with friction rows at their bounds along with their normal rows, and the plain sizes at `at`.
    pub sums: Rc<Rows>,
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
    /// The rows at a point of n values, or `None` where their numbers are too long for the budget of a check.
    pub fn new(
        problem: &'a Problem,
        loose: &[bool],
        at: &'a [Rational],
        tol: &Rational,
    ) -> Option<Self> {
        let mut sums = rows_at(problem, at).ok()?;
        let mut cell = Self {
            problem,
            at,
            sums: Rc::default(),
            ties: vec![None; loose.len()],
            loose: loose.to_vec(),
            moved: Vec::new(),
            only_moves: None,
        };
        let normals = problem.friction().iter();
        let normals = normals.filter(|own| loose[own.row]).map(|own| own.normal);
        let noticed = first_notice(problem, &sums.s, normals);
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
            let w = &sums.w[i];
            let at_upper = near(&limit) && (!loose[i] || *w < 0);
            let at_lower = near(&Rational::from(-&limit)) && (!loose[i] || *w > 0);
            if at_upper || at_lower {
                cell.loose[i] = false;
                let mu = mu.to_rational();
                cell.ties[i] = loose[normal].then(|| (normal, if at_upper { mu } else { -mu }));
            }
        }
        if cell.ties.iter().any(Option::is_some) {
            let mut slid = at.to_vec();
            cell.slide(&mut slid);
            sums.w = rows_at(problem, &slid).ok()?.w;
        }
        cell.sums = Rc::new(sums);
        Some(cell)
    }

    /// Row i over the loose unknowns and those that move.
    pub fn entries(&self, i: usize) -> BTreeMap<usize, Rational> {
        let mut entries = BTreeMap::<usize, Rational>::new();
        for (column, value) in self.columns(i) {
            if self.loose[column] || self.moved.binary_search(&column).is_ok() {
                *entries.entry(column).or_default() += value;
            }
        }
        entries.retain(|_, value| !value.is_zero());
        entries
    }

    /// The constant of row i, with the unknowns that are not loose as they stand.
    pub fn constant(&self, i: usize) -> Rational {
        let others = self.columns(i);
        let others = others.filter(|(column, _)| !self.loose[*column] && self.at[*column] != 0);
        let constant = self.problem.q()[i].to_rational();
        others.fold(constant, |sum, (column, value)| {
            sum + value * &self.at[column]
        })
    }

    /// Row i with friction rows at their bounds along with their normal rows, whose columns then may come several times.
    fn columns(&self, i: usize) -> impl Iterator<Item = (usize, Rational)> {
        let row = self.problem.m().row(i);
        row.map(|(j, value)| match &self.ties[j] {
            Some((normal, mu)) => (*normal, value.to_rational() * mu),
            None => (j, value.to_rational()),
        })
    }

    /// Whether row i holds anything at a point: q_i or a term is not 0.
    pub fn holds(&self, i: usize, point: &[Rational]) -> bool {
        let mut row = self.problem.m().row(i);
        !self.problem.q()[i].is_zero() || row.any(|(j, value)| point[j] != 0 && !value.is_zero())
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
            let (w, size) = (&self.sums.w[*i], &self.sums.s[*i]);
            Rational::from(w.abs_ref()) <= Rational::from(size * tol)
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
            for j in self.entries(i).into_keys() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::record;

    /// Friction next to its bound z_0 / 2 goes along with z_0: w is that of the point with friction at the bound.
    #[test]
    fn rows_are_those_of_friction_at_its_bound() {
        let text = r#"{"name": "f", "M": [[2, 3], [1, 1]], "q": [-7, -9],
            "friction": [{"row": 1, "normal": 0, "mu": 0.5}]}"#;
        let problem = record::read_problem(text).unwrap().record;
        let near = Rational::from(1) - (Rational::from(1) >> 40);
        let (at, tol) = ([Rational::from(2), near], Rational::from(1) >> 30);
        let cell = Cell::new(&problem, &[true, true], &at, &tol).unwrap();
        assert!(cell.ties[1].is_some());
        for i in 0..2 {
            let entries = cell.entries(i).into_iter();
            let sum = entries.fold(cell.constant(i), |sum, (k, value)| sum + value * &at[k]);
            assert_eq!(cell.sums.w[i], sum, "row {i}");
        }
    }
}
