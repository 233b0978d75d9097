//! A box of candidates, and what linear expressions can be in it.

use std::cell::RefCell;

use rug::Rational;

use super::krawczyk::*;
use crate::{Checked, budget::*, cone::*, contact::*, exact::*, rows::*};

/// What a row or a contact does in a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
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
    /// The modes of the contacts, and then of the plain rows, in their order.
    pub modes: &'a [Mode],
    /// The n entries of its middle.
    pub center: &'a [Rational],
    /// How far it reaches, n entries: 0 where the modes say what z_i is, or one of the solutions is chosen.
    pub radius: &'a [Rational],
    /// Rows whose linear equations are sums of others, and these with their factors.
    pub implied: &'a [(usize, Vec<(usize, Rational)>)],
    /// Rows of C, a number for each entry of the radius that is not 0: an inverse of F'(c), more or less.
    pub inverse: &'a [Vec<Rational>],
}

/// The box, as it is looked at.
pub(crate) struct Looked<'a> {
    pub own: Enclosure<'a>,
    /// The rows of the problem.
    pub rows: Vec<Row>,
    /// The number of the unknown that each row is, if it is one.
    pub unknown: Vec<Option<usize>>,
    pub paid: Paid<'a>,
    pub held: RefCell<Held<'a>>,
}

impl Looked<'_> {
    /// z_i.
    pub(crate) fn z(&self, i: usize) -> Linear {
        let slope = self.unknown[i].map(|x| (x, Rational::from(1)));
        let [value, reach] = [self.own.center, self.own.radius].map(|all| all[i].clone());
        Linear { value, slope: slope.into_iter().collect(), reach }
    }

    /// An expression of a row. Its reach is the sum of |coefficient| times radius.
    pub(crate) fn linear(&self, own: &Exact) -> Checked<Linear> {
        // Gradients stay until all equations are there.
        let (numbers, mut held) = (own.entries.len() as u64, self.held.borrow_mut());
        held.more(3 * numbers, 3 * numbers * own.longest)?;
        let slope = own.entries.iter().filter_map(|(j, value)| {
            let x = *self.unknown.get(*j)?;
            Some((x?, Rational::from((value, &own.denominator))))
        });
        let entries = own.entries.iter().map(|(j, value)| (*j, value.clone().abs())).collect();
        let positive = Exact { entries, denominator: own.denominator.clone(), ..*own };
        let at = |own: &Exact, z: &[Rational], last| value(own, z, last, held.budget);
        let (value, reach) = (at(own, self.own.center, 1)?, at(&positive, self.own.radius, 0)?);
        Ok(Linear { value, slope: slope.collect(), reach })
    }

    /// w_i.
    pub(crate) fn w(&self, i: usize) -> Checked<Linear> {
        self.rows[i].terms[0].as_ref().map_or(Ok(Linear::default()), |w| self.linear(w))
    }

    /// The least and the largest value in the box.
    pub(crate) fn ends(&self, own: &Linear) -> [Rational; 2] {
        self.paid.around(&own.value, &own.reach)
    }

    /// The largest absolute value in the box.
    pub(crate) fn farthest(&self, own: &Linear) -> Rational {
        self.paid.sum(&own.value.clone().abs(), &own.reach)
    }
}
