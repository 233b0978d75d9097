//! The polyhedron of one node of the search, as a dictionary.

use etalon_lcp::{MixedLcp, Number};
use rug::{Integer, Rational};

use crate::budget::{Exhausted, Meter};
use crate::memory;
use crate::scaling::{IntegerLcp, Room};
use crate::tableau::{Tableau, Variable};

/// Which variable of a row is set to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zero {
    Z(usize),
    W(usize),
}

impl Zero {
    fn variable(self) -> Variable {
        match self {
            Self::Z(i) => Variable::Z(i),
            Self::W(i) => Variable::W(i),
        }
    }
}

/// The permitted sign of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Nonnegative,
    /// z of a bilateral row.
    Free,
    /// Chosen to be zero, or w of a bilateral row.
    Zero,
}

/// Row by row, whether z_i and whether w_i is 0 at a point, or along a direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Support(Vec<(bool, bool)>);

impl Support {
    /// Whether everything is 0 that has been chosen to be.
    pub fn honours(&self, choices: &[Option<Zero>]) -> bool {
        self.0
            .iter()
            .zip(choices)
            .all(|(zeros, choice)| match choice {
                None => true,
                Some(Zero::Z(_)) => zeros.0,
                Some(Zero::W(_)) => zeros.1,
            })
    }
}

/// w = Mz + q with the kinds of all variables. Once [`settled`](Cell::settle), the dictionary
/// is a vertex of the polyhedron.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub tableau: Tableau,
    pub(super) lcp: std::sync::Arc<IntegerLcp>,
    w_kinds: Vec<Kind>,
    z_kinds: Vec<Kind>,
    /// Whether the bilateral rows have been taken out of the way.
    prepared: bool,
}

impl Cell {
    pub fn new(lcp: &MixedLcp, meter: &Meter) -> Result<Self, Exhausted> {
        let scaled = IntegerLcp::new(lcp, &mut Room::new(meter))?;
        let n = scaled.n;
        let tableau = Tableau::new(
            (0..n).map(Variable::W).collect(),
            (0..n).map(Variable::Z).collect(),
            scaled.rows.iter().cloned(),
        );
        let kinds = |bilateral: Kind| {
            let kind = move |&is: &bool| if is { bilateral } else { Kind::Nonnegative };
            lcp.bilateral().iter().map(kind).collect()
        };
        Ok(Self {
            tableau,
            w_kinds: kinds(Kind::Zero),
            z_kinds: kinds(Kind::Free),
            lcp: std::sync::Arc::new(scaled),
            prepared: false,
        })
    }

    pub fn entries(&self) -> usize {
        self.tableau.size()
    }

    pub fn bits(&self) -> u64 {
        self.tableau.bits()
    }

    /// An estimate of its size: entries are no larger than the denominator, as a rule.
    pub fn bytes(&self) -> u64 {
        let entries = self.tableau.rows() * (self.tableau.columns() + 1);
        memory::integers(entries, self.bits())
    }

    pub fn kind(&self, variable: Variable) -> Kind {
        match variable {
            Variable::W(i) => self.w_kinds[i],
            Variable::Z(i) => self.z_kinds[i],
            // Never part of these dictionaries.
            Variable::Artificial => Kind::Free,
        }
    }

    fn column_kind(&self, c: usize) -> Kind {
        self.kind(self.tableau.nonbasic()[c])
    }

    pub fn columns(&self, kind: Kind) -> impl Iterator<Item = usize> {
        (0..self.tableau.columns()).filter(move |&c| self.column_kind(c) == kind)
    }

    pub fn pivot(&mut self, r: usize, c: usize, meter: &mut Meter) -> Result<(), Exhausted> {
        self.tableau.room_for_pivot(r, c)?;
        self.tableau.pivot(r, c);
        meter.pivot(self.tableau.bits(), self.tableau.size())
    }

    /// Sets a variable to zero. Returns the Farkas vector when that alone empties the cell.
    pub fn set_zero(
        &mut self,
        zero: Zero,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Number>>, Exhausted> {
        match zero {
            Zero::Z(i) => self.z_kinds[i] = Kind::Zero,
            Zero::W(i) => self.w_kinds[i] = Kind::Zero,
        }
        self.take_out(zero.variable(), meter)
    }

    /// Makes a variable of kind zero nonbasic, where it can move at all.
    fn take_out(
        &mut self,
        variable: Variable,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Number>>, Exhausted> {
        let Some(r) = self.tableau.row_of(variable) else {
            return Ok(None);
        };
        // A free variable first: once it is basic, its row bounds nothing.
        // Variables of kind zero do not enter: they stay 0, and their columns with them.
        let entering = [Kind::Free, Kind::Nonnegative]
            .into_iter()
            .flat_map(|kind| self.columns(kind))
            .find(|&c| *self.tableau.entry(r, c) != 0);
        if let Some(c) = entering {
            self.pivot(r, c, meter)?;
            return Ok(None);
        }
        // The row is constant: 0 = constant, which is either nothing new or impossible.
        Ok(match self.tableau.constant(r).cmp0() {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(self.multipliers(r, false)),
            std::cmp::Ordering::Greater => Some(self.multipliers(r, true)),
        })
    }

    /// Takes the equations out and the free variables in, once and for all.
    fn prepare(&mut self, meter: &mut Meter) -> Result<Option<Vec<Number>>, Exhausted> {
        if std::mem::replace(&mut self.prepared, true) {
            return Ok(None);
        }
        let lcp = self.lcp.clone();
        for i in (0..lcp.n).filter(|&i| lcp.bilateral[i]) {
            if let Some(y) = self.take_out(Variable::W(i), meter)? {
                return Ok(Some(y));
            }
        }
        // A free variable that is still nonbasic trades places with a nonnegative one; then its
        // row bounds nothing. Where no such row has it, it is free to move everywhere.
        while let Some((r, c)) = self.free_exchange() {
            self.pivot(r, c, meter)?;
        }
        Ok(None)
    }

    fn free_exchange(&self) -> Option<(usize, usize)> {
        self.columns(Kind::Free).find_map(|c| {
            (0..self.tableau.rows())
                .filter(|&r| self.kind(self.tableau.basic()[r]) == Kind::Nonnegative)
                .find(|&r| *self.tableau.entry(r, c) != 0)
                .map(|r| (r, c))
        })
    }

    /// Moves the dictionary to a vertex by the dual simplex method with Bland's rule (there is
    /// no objective, so every dictionary is dual feasible). Returns the Farkas vector when the
    /// polyhedron is empty.
    pub fn settle(&mut self, meter: &mut Meter) -> Result<Option<Vec<Number>>, Exhausted> {
        if let Some(y) = self.prepare(meter)? {
            return Ok(Some(y));
        }
        while let Some(r) = self.first_negative_row() {
            // Bland's rule in both choices: least row, least column. Nothing else ends the
            // degenerate pivots of contact problems for certain (Bland 1977).
            let entering = self
                .columns(Kind::Nonnegative)
                .filter(|&c| *self.tableau.entry(r, c) > 0)
                .min_by_key(|&c| self.tableau.nonbasic()[c]);
            match entering {
                Some(c) => self.pivot(r, c, meter)?,
                None => return Ok(Some(self.multipliers(r, false))),
            }
        }
        Ok(None)
    }

    fn first_negative_row(&self) -> Option<usize> {
        (0..self.tableau.rows())
            .filter(|&r| *self.tableau.constant(r) < 0)
            .filter(|&r| self.kind(self.tableau.basic()[r]) == Kind::Nonnegative)
            .min_by_key(|&r| self.tableau.basic()[r])
    }

    /// Row r reads x_r - sum of entry * x_nonbasic = constant; the coefficients of the w are
    /// the multipliers y of the form y'w - (M'y)'z = q'y. With `reversed`, of its negative.
    fn multipliers(&self, r: usize, reversed: bool) -> Vec<Number> {
        let mut y = vec![Integer::new(); self.lcp.n];
        if let Variable::W(i) = self.tableau.basic()[r] {
            y[i].clone_from(self.tableau.denominator());
        }
        for (c, variable) in self.tableau.nonbasic().iter().enumerate() {
            if let Variable::W(i) = variable {
                y[*i] = Integer::from(-self.tableau.entry(r, c));
            }
        }
        if reversed {
            crate::tableau::negate(&mut y);
        }
        self.unscaled(y)
    }

    /// Multipliers in the original units, without their common factor.
    pub fn unscaled(&self, y: Vec<Integer>) -> Vec<Number> {
        let exact: Vec<Rational> = y
            .iter()
            .enumerate()
            .map(|(i, value)| self.lcp.multiplier(i, &Rational::from(value)))
            .collect();
        primitive(exact).into_iter().map(Number::from).collect()
    }

    fn value(&self, variable: Variable) -> Option<&Integer> {
        let r = self.tableau.row_of(variable)?;
        Some(self.tableau.constant(r))
    }

    /// A row on which the vertex breaks complementarity.
    pub fn row_to_branch_on(&self) -> Option<usize> {
        let positive = |variable| self.value(variable).is_some_and(|value| *value > 0);
        self.open_rows()
            .find(|&i| positive(Variable::W(i)) && positive(Variable::Z(i)))
    }

    /// A row without a choice.
    pub fn open_row(&self) -> Option<usize> {
        self.open_rows().next()
    }

    fn open_rows(&self) -> impl Iterator<Item = usize> {
        (0..self.lcp.n).filter(|&i| {
            self.w_kinds[i] == Kind::Nonnegative && self.z_kinds[i] == Kind::Nonnegative
        })
    }

    /// z at the vertex, in the original units.
    pub fn point(&self) -> Vec<Rational> {
        let value = |j| match self.value(Variable::Z(j)) {
            None => Rational::new(),
            Some(value) => Rational::from((value, self.tableau.denominator())),
        };
        (0..self.lcp.n).map(|j| self.lcp.z(j, value(j))).collect()
    }

    /// The variables that are 0 at the vertex.
    pub fn zeros(&self) -> Support {
        let zero = |variable| self.value(variable).is_none_or(Integer::is_zero);
        let pair = |i| (zero(Variable::Z(i)), zero(Variable::W(i)));
        Support((0..self.lcp.n).map(pair).collect())
    }

    /// The choices, row by row.
    pub fn choices(&self) -> Vec<Option<Zero>> {
        let choice = |i| match (self.z_kinds[i], self.w_kinds[i]) {
            (Kind::Zero, _) => Some(Zero::Z(i)),
            (_, Kind::Zero) => Some(Zero::W(i)),
            _ => None,
        };
        (0..self.lcp.n).map(choice).collect()
    }

    /// The direction of z in which nonbasic variable c grows, in the original units and without
    /// common factor, and what is 0 along it.
    pub fn direction(&self, c: usize) -> (Vec<Rational>, Support) {
        let t = &self.tableau;
        let mut direction = vec![Rational::new(); self.lcp.n];
        let mut zeros = vec![(true, true); self.lcp.n];
        let mut set = |variable: Variable, value: &Integer| match variable {
            Variable::Z(j) => {
                direction[j] = self.lcp.z_direction(j, Rational::from(value));
                zeros[j].0 = value.is_zero();
            }
            Variable::W(i) => zeros[i].1 = value.is_zero(),
            // Never part of these dictionaries.
            Variable::Artificial => {}
        };
        for (r, &variable) in t.basic().iter().enumerate() {
            set(variable, t.entry(r, c));
        }
        set(t.nonbasic()[c], t.denominator());
        (primitive(direction), Support(zeros))
    }

    /// The rows that stop nonbasic variable c first as it grows from 0, and whether they do so
    /// at once; none when nothing stops it.
    pub fn blocking_rows(&self, c: usize) -> Vec<usize> {
        let t = &self.tableau;
        let mut best: Vec<usize> = Vec::new();
        for r in 0..t.rows() {
            if *t.entry(r, c) >= 0 || self.kind(t.basic()[r]) != Kind::Nonnegative {
                continue;
            }
            let order = best.first().map_or(std::cmp::Ordering::Less, |&other| {
                // constant / -entry, cross-multiplied.
                let own = Integer::from(t.constant(r) * t.entry(other, c));
                let theirs = Integer::from(t.constant(other) * t.entry(r, c));
                // Both entries are negative, so their product is positive and the order stays.
                theirs.cmp(&own)
            });
            match order {
                std::cmp::Ordering::Less => best = vec![r],
                std::cmp::Ordering::Equal => best.push(r),
                std::cmp::Ordering::Greater => {}
            }
        }
        best
    }

    /// Nonbasic columns along which one can leave the vertex.
    pub fn movable(&self) -> Vec<usize> {
        self.columns(Kind::Nonnegative).collect()
    }

    /// Nonbasic free columns, along which one can move both ways.
    pub fn lines(&self) -> Vec<usize> {
        self.columns(Kind::Free).collect()
    }
}

/// The vector times the positive factor that makes its entries integers without common divisor.
fn primitive(values: Vec<Rational>) -> Vec<Rational> {
    let mut numerators = Integer::new();
    let mut denominators = Integer::from(1);
    for value in &values {
        numerators.gcd_mut(value.numer());
        denominators.lcm_mut(value.denom());
    }
    if numerators == 0 {
        return values;
    }
    let factor = Rational::from((denominators, numerators));
    values.into_iter().map(|value| value * &factor).collect()
}
