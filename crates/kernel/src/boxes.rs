//! A box of candidates, and what linear expressions can be in it.

use std::cell::RefCell;

use rug::{Integer, Rational};

use crate::{Refusal, budget::*, cone::*, ensure, exact::*, krawczyk::*, rows::*};

/// What a row or a contact does in a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// z_i = L_i and w_i >= 0, of a plain row.
    Lower,
    /// z_i = U_i and w_i <= 0, of a plain row.
    Upper,
    /// w_i = 0 between the bounds, of a plain row.
    Free,
    /// r = 0, of a contact.
    Open,
    /// r_N > 0, and whether each disc slides, of a contact.
    Pressed(Vec<bool>),
}

/// A box with a solution, and why.
#[derive(Debug, Clone, Copy)]
pub struct Enclosure<'a> {
    /// The states of the contacts, and then of the plain rows, in their order.
    pub states: &'a [State],
    /// The n entries of its middle.
    pub center: &'a [Rational],
    /// How far it reaches, n entries: 0 where the states say what z_i is, else more than 0.
    pub radius: &'a [Rational],
    /// Rows of C, a number for each entry of the radius that is not 0: an inverse of F'(c), more or less.
    pub inverse: &'a [Vec<Rational>],
}

/// The box, as it is looked at.
pub(crate) struct Looked<'a, P> {
    pub problem: &'a P,
    pub own: Enclosure<'a>,
    /// The number of the unknown that each row is, if it is one.
    pub unknown: Vec<Option<usize>>,
    pub paid: Paid<'a>,
    pub budget: &'a Budget,
    pub held: RefCell<Held<'a>>,
}

impl<P: Problem> Looked<'_, P> {
    /// z_i.
    pub(crate) fn z(&self, i: usize) -> Linear {
        let slope = self.unknown[i].map(|x| (x, Rational::from(1)));
        let [value, reach] = [self.own.center, self.own.radius].map(|all| all[i].clone());
        Linear { value, slope: slope.into_iter().collect(), reach }
    }

    /// The sum of numbers times z_j, and a constant in column n.
    pub(crate) fn sum(
        &self, entries: impl IntoIterator<Item = (usize, Rational)>,
    ) -> Result<Linear, Refusal> {
        let mut held = self.budget.hold(0, 0)?;
        let mut row = Exact::new(entries, &mut held)?;
        ensure(row.entries.last().is_none_or(|(j, _)| *j <= self.problem.n()), "no such column")?;
        let over = |(sum, factor): (Integer, Integer), denominator: &Integer| {
            self.budget.reduce(2, bits(&sum), bits(&factor) + bits(denominator))?;
            Ok(Rational::from((sum, factor * denominator)))
        };
        // Gradients stay until all equations are there.
        let entries = row.entries.len() as u64;
        self.held.borrow_mut().more(2 * entries, entries * 2 * row.longest)?;
        let value = over(row.at(self.own.center, 1, self.budget)?, &row.denominator)?;
        let slope = row.entries.iter().filter_map(|(j, own)| {
            let x = *self.unknown.get(*j)?;
            Some((x?, Rational::from((own, &row.denominator))))
        });
        let slope = slope.collect();
        row.entries.iter_mut().for_each(|(_, own)| own.abs_mut());
        let reach = over(row.at(self.own.radius, 0, self.budget)?, &row.denominator)?;
        Ok(Linear { value, slope, reach })
    }

    pub(crate) fn w(&self, i: usize) -> Result<Linear, Refusal> {
        self.sum(self.problem.row(i))
    }

    /// The least and the largest value in the box.
    pub(crate) fn ends(&self, own: &Linear) -> [Rational; 2] {
        let minus = -own.reach.clone();
        [&minus, &own.reach].map(|by| self.paid.sum(&own.value, by))
    }
}
