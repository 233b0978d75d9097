//! The bounds of a problem's rows at a candidate, exact.

use std::borrow::Cow;
use std::sync::Arc;

use etalon_lcp::{Friction, Number, Problem, Row};
use rug::Rational;

/// A point z, read entry by entry.
pub(crate) trait Vector {
    /// z_i.
    fn at(&self, i: usize) -> &Rational;
}

impl Vector for [Rational] {
    fn at(&self, i: usize) -> &Rational {
        &self[i]
    }
}

impl Vector for Vec<Rational> {
    fn at(&self, i: usize) -> &Rational {
        &self[i]
    }
}

/// A lower and an upper bound. Most are 0, which is one number for all rows.
type Fixed = (Option<Arc<Rational>>, Option<Arc<Rational>>);

/// A lower and an upper bound at a point: those that do not depend on it are not copied.
pub(crate) type BoundsAt<'a> = (Option<Cow<'a, Rational>>, Option<Cow<'a, Rational>>);

/// The bounds of all rows.
pub(crate) struct Bounds {
    fixed: Vec<Fixed>,
    friction: Vec<Cone>,
    /// The position in `friction` of a friction row; empty where there is none.
    friction_of: Vec<Option<usize>>,
}

/// The bounds -mu z_n and mu z_n of a friction row.
pub(crate) struct Cone {
    pub row: usize,
    /// The row n that bounds it.
    pub normal: usize,
    pub mu: Rational,
}

impl Bounds {
    pub fn new(problem: &Problem) -> Self {
        let exact = |number: &Number| Some(Arc::new(number.to_rational()));
        let zero = Arc::default();
        let fixed = problem.rows().into_iter().map(|row| match row {
            Row::Nonnegative => (Some(Arc::clone(&zero)), None),
            Row::AtLeast(lower) => (exact(lower), None),
            Row::AtMost(upper) => (None, exact(upper)),
            Row::Between(lower, upper) => (exact(lower), exact(upper)),
            Row::Free | Row::Friction { .. } | Row::Cone => (None, None),
        });
        let friction = problem.friction().iter().enumerate();
        let mut friction_of = vec![None; friction.len().min(1) * problem.n()];
        let friction = friction.map(|(k, Friction { row, normal, mu })| {
            friction_of[*row] = Some(k);
            let (row, normal, mu) = (*row, *normal, mu.to_rational());
            Cone { row, normal, mu }
        });
        let friction = friction.collect();
        Self {
            fixed: fixed.collect(),
            friction,
            friction_of,
        }
    }

    /// The cone of a friction row; none for other rows.
    pub fn cone(&self, i: usize) -> Option<&Cone> {
        self.friction_of.get(i)?.map(|k| &self.friction[k])
    }

    /// The cones of all friction rows.
    pub fn cones(&self) -> &[Cone] {
        &self.friction
    }

    /// The bounds of row i; those of a friction row depend on z.
    pub fn of(&self, i: usize, z: &(impl Vector + ?Sized)) -> BoundsAt<'_> {
        let Some(Cone { normal, mu, .. }) = self.cone(i) else {
            let (lower, upper) = &self.fixed[i];
            let [lower, upper] = [lower, upper].map(|own| own.as_deref().map(Cow::Borrowed));
            return (lower, upper);
        };
        let limit = Rational::from(mu * z.at(*normal));
        let lower = Rational::from(-&limit);
        (Some(Cow::Owned(lower)), Some(Cow::Owned(limit)))
    }

    /// Whether z_i is at its lower and at its upper bound.
    pub fn at(&self, i: usize, z: &(impl Vector + ?Sized)) -> (bool, bool) {
        let (own, (lower, upper)) = (z.at(i), self.of(i, z));
        (lower.as_deref() == Some(own), upper.as_deref() == Some(own))
    }

    /// The larger of the bounds of row i in size, where one is finite and not 0; none for friction
    /// rows.
    pub fn largest(&self, i: usize) -> Option<Rational> {
        let (lower, upper) = &self.fixed[i];
        let sizes = [lower, upper].into_iter().flatten();
        let sizes = sizes.map(|bound| Rational::from(bound.abs_ref()));
        sizes.max().filter(|size| !size.is_zero())
    }

    /// The rows in an order in which a friction row comes after its normal row.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        let plain = (0..self.fixed.len()).filter(|&i| self.cone(i).is_none());
        plain.chain(self.friction.iter().map(|cone| cone.row))
    }

    /// The nearest bound of z_i, where it lies outside.
    pub fn nearest(&self, i: usize, z: &(impl Vector + ?Sized)) -> Option<Rational> {
        match self.of(i, z) {
            (Some(lower), _) if *z.at(i) < *lower => Some(lower.into_owned()),
            (_, Some(upper)) if *z.at(i) > *upper => Some(upper.into_owned()),
            _ => None,
        }
    }

    /// z_i moved onto its nearest bound where it lies outside.
    pub fn project_row(&self, i: usize, z: &mut [Rational]) {
        if let Some(inside) = self.nearest(i, z) {
            z[i] = inside;
        }
    }

    /// z with every entry moved onto its nearest bound where it lies outside.
    pub fn project(&self, z: &[Rational]) -> Vec<Rational> {
        let mut projected = z.to_vec();
        self.order()
            .for_each(|i| self.project_row(i, &mut projected));
        projected
    }
}
