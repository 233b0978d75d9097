//! Whether the vertex of a cell is its only point, with the multipliers that prove it.

use etalon_lcp::Number;
use rug::Integer;

use super::cell::{Cell, Kind};
use crate::budget::{Exhausted, Meter};
use crate::tableau::Variable;

/// The maximum of a sum of variables over a cell.
enum Maximum {
    /// 0, as these multipliers prove.
    Zero(Vec<Number>),
    /// The sum grows along a nonbasic variable of the dictionary.
    Positive { column: usize },
}

impl Cell {
    /// Whether the vertex is the only point of the polyhedron; if so, the multipliers that prove
    /// it. The sum of the nonbasic variables is maximised: the vertex is alone if and only if the
    /// maximum is 0, and then the objective row of the last dictionary is the proof.
    pub fn alone(&self, meter: &mut Meter) -> Result<Option<Vec<Number>>, Exhausted> {
        if !self.lines().is_empty() {
            return Ok(None);
        }
        let movable = self.movable();
        let nonbasic = movable.iter().map(|&c| self.tableau.nonbasic()[c]);
        let mut cell = self.clone();
        Ok(match cell.maximise(nonbasic.collect(), meter)? {
            Maximum::Zero(y) => Some(y),
            Maximum::Positive { .. } => None,
        })
    }

    /// Whether the first `own` entries of z are the same all over the polyhedron; if so, the
    /// multipliers that prove it. The others are multipliers of bounds, and may move.
    ///
    /// The variables that are 0 at the vertex and nonnegative are candidates for being 0 everywhere.
    /// Their sum is maximised. Where it can grow, either one of the own entries moves along, and
    /// the answer is no; or the candidates that grow are none. At the end the sum of those
    /// that remain is 0 everywhere, and the others can be positive all at once: so the equations that
    /// the remaining ones are 0 hold all that the polyhedron's points share, and they are what the
    /// multipliers prove.
    pub fn alone_in(
        &self,
        own: usize,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Number>>, Exhausted> {
        let is_own = |variable: Variable| matches!(variable, Variable::Z(j) if j < own);
        if self.lines().into_iter().any(|c| self.moves(c, &is_own)) {
            return Ok(None);
        }
        let tableau = &self.tableau;
        let basic = (0..tableau.rows()).filter(|&r| *tableau.constant(r) == 0);
        let nonbasic = tableau.nonbasic().iter().copied();
        let zero = basic.map(|r| tableau.basic()[r]).chain(nonbasic);
        let mut candidates: Vec<Variable> = zero
            .filter(|&variable| self.kind(variable) == Kind::Nonnegative)
            .collect();
        let mut cell = self.clone();
        loop {
            match cell.maximise(candidates.clone(), meter)? {
                Maximum::Zero(y) => return Ok(Some(y)),
                Maximum::Positive { column } => {
                    if cell.moves(column, &is_own) {
                        return Ok(None);
                    }
                    candidates.retain(|&variable| !cell.moves(column, &|other| other == variable));
                }
            }
        }
    }

    /// Whether a variable of a sort changes as nonbasic variable c grows.
    fn moves(&self, c: usize, sort: &dyn Fn(Variable) -> bool) -> bool {
        let tableau = &self.tableau;
        let basic = tableau.basic().iter().enumerate();
        let mut changing = basic.filter(|(r, _)| *tableau.entry(*r, c) != 0);
        sort(tableau.nonbasic()[c]) || changing.any(|(_, &variable)| sort(variable))
    }

    /// Maximises the sum of nonnegative variables that are 0 at the vertex by the primal simplex
    /// method with Bland's rule, as long as that does not leave the vertex.
    fn maximise(&mut self, summed: Vec<Variable>, meter: &mut Meter) -> Result<Maximum, Exhausted> {
        let objective = self.tableau.push_sum(&summed);
        loop {
            let entering = self
                .columns(Kind::Nonnegative)
                .filter(|&c| *self.tableau.entry(objective, c) > 0)
                .min_by_key(|&c| self.tableau.nonbasic()[c]);
            let Some(c) = entering else {
                return Ok(Maximum::Zero(self.sum_multipliers(objective, &summed)));
            };
            let leaving = self
                .blocking_rows(c)
                .into_iter()
                .min_by_key(|&r| self.tableau.basic()[r]);
            match leaving {
                // A pivot of length 0 stays at the vertex, and Bland's rule ends a row of such. With a
                // positive length the sum would grow.
                Some(r) if self.tableau.constant(r).is_zero() => self.pivot(r, c, meter)?,
                _ => {
                    self.tableau.pop_row();
                    return Ok(Maximum::Positive { column: c });
                }
            }
        }
    }

    /// The objective reads sum of x over `summed` + sum of (-entry) * x_nonbasic = 0.
    fn sum_multipliers(&self, objective: usize, summed: &[Variable]) -> Vec<Number> {
        let mut y = vec![Integer::new(); self.lcp.n];
        for variable in summed {
            if let Variable::W(i) = variable {
                y[*i] += self.tableau.denominator();
            }
        }
        for (c, variable) in self.tableau.nonbasic().iter().enumerate() {
            if let Variable::W(i) = variable {
                y[*i] -= self.tableau.entry(objective, c);
            }
        }
        self.unscaled(y)
    }
}
