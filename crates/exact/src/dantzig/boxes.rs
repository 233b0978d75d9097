//! A dictionary with bounds: each z is measured from the bound it rests on.

use etalon_lcp::{Basis, MixedLcp, Problem, Row};
use rug::{Integer, Rational};

use super::DantzigError;
use crate::budget::{Exhausted, Meter};
use crate::dictionary::Dictionary;
use crate::scaling::{IntegerLcp, Room};
use crate::tableau::Variable;

/// The dictionary of a problem in which z_j = origin_j + a_j, or origin_j - a_j where row j is
/// reflected, and w_j has its sign changed there; all a_j >= 0 but for free rows.
pub(crate) struct Boxes {
    pub dictionary: Dictionary,
    axes: Vec<Axis>,
    /// The largest a_j, in the dictionary's units.
    widths: Vec<Option<Integer>>,
}

/// How z_j is measured.
struct Axis {
    origin: Rational,
    /// The bound at a_j = width.
    other: Option<Rational>,
    at_upper: bool,
}

/// How each unknown of a problem is measured.
pub(crate) struct Axes(Vec<Axis>);

impl Axes {
    pub fn new(problem: &Problem) -> Result<Self, DantzigError> {
        let rows = problem.rows().into_iter().enumerate();
        rows.map(|(j, row)| axis(j, &row))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl Boxes {
    pub fn new(problem: &Problem, axes: Axes, meter: &Meter) -> Result<Self, Exhausted> {
        let (Axes(axes), mut room) = (axes, Room::new(meter));
        let rows = problem.rows();
        let bilateral = rows.iter().map(|row| *row == Row::Free).collect();
        let q = shifted(problem, &axes, meter)?;
        let units = IntegerLcp::from_parts(problem.m(), q, bilateral, &mut room)?;
        Self::from_axes(units, axes, &mut room)
    }

    /// The dictionary w = q + Mz of a mixed LCP, which knows no bounds but zero.
    pub fn unbounded(lcp: &MixedLcp, meter: &Meter) -> Result<Self, Exhausted> {
        let mut room = Room::new(meter);
        let axes = (0..lcp.n()).map(|_| Axis {
            origin: Rational::new(),
            other: None,
            at_upper: false,
        });
        let units = IntegerLcp::new(lcp, &mut room)?;
        Self::from_axes(units, axes.collect(), &mut room)
    }

    fn from_axes(
        mut units: IntegerLcp,
        axes: Vec<Axis>,
        room: &mut Room<'_>,
    ) -> Result<Self, Exhausted> {
        let distance = |axis: &Axis| Some(Rational::from(axis.other.as_ref()? - &axis.origin));
        let widths = units.widths(axes.iter().map(distance).collect(), room)?;
        let mut dictionary = Dictionary::new(units, None);
        for (j, axis) in axes.iter().enumerate() {
            if axis.at_upper {
                dictionary.reflect(j, &Integer::new());
            }
        }
        Ok(Self {
            dictionary,
            axes,
            widths,
        })
    }

    /// The largest value of a_j, in the dictionary's units.
    pub fn width(&self, j: usize) -> Option<&Integer> {
        self.widths[j].as_ref()
    }

    /// Whether both bounds of z_j are one number, so that w_j may have any sign.
    pub fn is_fixed(&self, j: usize) -> bool {
        self.width(j).is_some_and(|width| *width == 0)
    }

    /// Whether z_j is basic and has the value of its other bound.
    pub fn basic_at_width(&self, j: usize) -> bool {
        let row = self.dictionary.tableau.row_of(Variable::Z(j));
        row.zip(self.width(j)).is_some_and(|(r, width)| {
            *self.dictionary.tableau.constant(r)
                == Integer::from(width * self.dictionary.tableau.denominator())
        })
    }

    /// Measures z_j from its other bound: width - a_j in place of a_j.
    pub fn reflect(&mut self, j: usize) {
        let Some(width) = self.widths[j].take() else {
            return;
        };
        self.dictionary.reflect(j, &width);
        self.widths[j] = Some(width);
        let Axis {
            origin,
            other,
            at_upper,
        } = &mut self.axes[j];
        if let Some(other) = other {
            std::mem::swap(origin, other);
        }
        *at_upper = !*at_upper;
    }

    /// Settles the bilateral rows that depend on the others, with the free z that are left
    /// over at zero.
    pub fn settle_dependent(&mut self, left_over: &[usize]) -> Result<(), Dependent> {
        for &r in left_over {
            self.check_dependent(r)?;
        }
        for c in (0..self.dictionary.tableau.columns()).rev() {
            self.dictionary.forget(c);
        }
        Ok(())
    }

    fn check_dependent(&self, r: usize) -> Result<(), Dependent> {
        let nonbasic = |&j: &usize| self.dictionary.tableau.row_of(Variable::Z(j)).is_none();
        let mut others = (0..self.dictionary.units.n).filter(nonbasic);
        if others.any(|j| self.dictionary.entry(r, j) != 0) {
            return Err(Dependent::OutOfClass);
        }
        let mut y = vec![Rational::new(); self.dictionary.units.n];
        let denominator = self.dictionary.tableau.denominator();
        for (c, variable) in self.dictionary.tableau.nonbasic().iter().enumerate() {
            if let Variable::W(k) = *variable {
                let entry = self.dictionary.tableau.entry(r, c);
                y[k] = -Rational::from((entry, denominator));
            }
        }
        let own = pair(self.dictionary.tableau.basic()[r]);
        if self.dictionary.tableau.row_of(Variable::Z(own)).is_some() {
            // A pivot off the diagonal took the free z of a dependent row.
            return Err(Dependent::OutOfClass);
        }
        // The row reads w_own - sum of entry / den w_k = constant / den for every z. So y'M = 0, and a
        // constant that is not 0 contradicts w = 0 on the bilateral rows.
        y[own] = Rational::from(1);
        let constant = self.dictionary.tableau.constant(r);
        if *constant == 0 {
            return Ok(());
        }
        let sign = if *constant > 0 { -1 } else { 1 };
        let multipliers = y.iter().enumerate();
        let y = multipliers.map(|(i, value)| self.dictionary.units.multiplier(i, value) * sign);
        Err(Dependent::Inconsistent(y.collect()))
    }

    /// z and w where the driving variable in column c, if there is one, has the given value in
    /// the dictionary's units.
    pub fn point(&self, driving: Option<(usize, &Rational)>) -> (Vec<Rational>, Vec<Rational>) {
        let mut z: Vec<_> = self.axes.iter().map(|axis| axis.origin.clone()).collect();
        let mut w = vec![Rational::new(); z.len()];
        let mut add = |variable: Variable, scaled: Rational| {
            let value = self.dictionary.units.value(variable, scaled);
            let (target, j) = match variable {
                Variable::Z(j) => (&mut z[j], j),
                Variable::W(j) => (&mut w[j], j),
                Variable::Artificial => return,
            };
            if self.dictionary.reflected[j] {
                *target -= value;
            } else {
                *target += value;
            }
        };
        for (r, &variable) in self.dictionary.tableau.basic().iter().enumerate() {
            let mut scaled = self.dictionary.tableau.value(r);
            if let Some((c, driving)) = driving {
                let rate = (
                    self.dictionary.tableau.entry(r, c),
                    self.dictionary.tableau.denominator(),
                );
                scaled += Rational::from(rate) * driving;
            }
            add(variable, scaled);
        }
        if let Some((c, driving)) = driving {
            add(self.dictionary.tableau.nonbasic()[c], driving.clone());
        }
        (z, w)
    }

    /// The direction of z as nonbasic variable c grows, scaled to one unit of that variable.
    pub fn direction(&self, c: usize) -> Vec<Rational> {
        let mut direction = vec![Rational::new(); self.dictionary.units.n];
        let mut set = |variable: Variable, scaled: Rational| {
            if let Variable::Z(j) = variable {
                let value = self.dictionary.units.direction(variable, scaled);
                direction[j] = if self.dictionary.reflected[j] {
                    -value
                } else {
                    value
                };
            }
        };
        let driving = self.dictionary.tableau.nonbasic()[c];
        set(driving, Rational::from(1));
        for (r, &variable) in self.dictionary.tableau.basic().iter().enumerate() {
            let rate = (
                self.dictionary.tableau.entry(r, c),
                self.dictionary.tableau.denominator(),
            );
            set(variable, Rational::from(rate));
        }
        let unit = self.dictionary.units.direction(driving, Rational::from(1));
        direction.iter_mut().for_each(|value| *value /= &unit);
        direction
    }

    /// Whether z_j is fixed and w_j < 0, as it is at an upper bound.
    fn fixed_below(&self, j: usize) -> bool {
        let row = self.dictionary.tableau.row_of(Variable::W(j));
        self.is_fixed(j) && row.is_some_and(|r| *self.dictionary.tableau.constant(r) < 0)
    }

    /// The bilateral rows, ascending.
    pub fn bilateral_rows(&self) -> Vec<usize> {
        let rows = 0..self.dictionary.units.n;
        rows.filter(|&i| self.dictionary.units.bilateral[i])
            .collect()
    }

    /// The clamped rows (z basic) with row i added or removed, ascending.
    pub fn minor(&self, i: usize) -> Vec<usize> {
        let clamped = |j: usize| self.dictionary.tableau.row_of(Variable::Z(j)).is_some();
        let rows = 0..self.dictionary.units.n;
        rows.filter(|&j| clamped(j) != (j == i)).collect()
    }

    /// The basis on the rows of the mixed form, where a variable at the upper of two bounds is
    /// basic together with its multiplier.
    pub fn basis(&self) -> Basis {
        let basic = |j: usize| {
            self.dictionary.units.bilateral[j]
                || self.dictionary.tableau.row_of(Variable::Z(j)).is_some()
        };
        let doubles = (0..self.dictionary.units.n).filter(|&j| self.widths[j].is_some());
        let at_upper = |j: usize| !basic(j) && (self.axes[j].at_upper || self.fixed_below(j));
        let own = (0..self.dictionary.units.n)
            .map(|j| basic(j) || self.widths[j].is_some() && at_upper(j));
        Basis::new(own.chain(doubles.map(at_upper)).collect())
    }
}

/// The row that a variable belongs to. These dictionaries have no z_0.
pub(crate) fn pair(variable: Variable) -> usize {
    match variable {
        Variable::W(i) | Variable::Z(i) => i,
        Variable::Artificial => 0,
    }
}

/// The fault in a bilateral row that depends on the others.
pub(crate) enum Dependent {
    /// With y'M = 0 and y'q < 0.
    Inconsistent(Vec<Rational>),
    /// The block of the bilateral rows is singular in a way that no symmetric positive
    /// semidefinite matrix allows.
    OutOfClass,
}

fn axis(j: usize, row: &Row<'_>) -> Result<Axis, DantzigError> {
    let (origin, other) = match *row {
        Row::Nonnegative | Row::Free => (Rational::new(), None),
        Row::AtLeast(bound) | Row::AtMost(bound) => (bound.to_rational(), None),
        Row::Between(lower, upper) => (lower.to_rational(), Some(upper.to_rational())),
        Row::Friction { normal, .. } => return Err(DantzigError::Friction { row: j, normal }),
        Row::Cone => return Err(DantzigError::Cone { row: j }),
    };
    Ok(Axis {
        origin,
        other,
        at_upper: matches!(row, Row::AtMost(_)),
    })
}

/// M z + q where every z is at its origin.
fn shifted(problem: &Problem, axes: &[Axis], meter: &Meter) -> Result<Vec<Rational>, Exhausted> {
    let value = |i: usize| {
        let mut sum = problem.q()[i].to_rational();
        let row = problem.m().row(i);
        for (j, entry) in row.filter(|(j, _)| axes[*j].origin != 0) {
            meter.goes_on()?;
            sum += entry.to_rational() * &axes[j].origin;
        }
        Ok(sum)
    };
    (0..problem.n()).map(value).collect()
}
