//! Rows and contacts at all readings of a candidate: each row is turned into integers once, and measured again only at
//! readings that change what it sees.

use std::ops::Range;

use etalon_kernel::{At, Cone};
use etalon_lcp::Row;
use rug::Rational;

use super::blocks::{add, data_size};
use super::enclosure::Enclosure;
use super::means::Means;
use super::overlay::Overlay;
use super::parts::in_parts;
use super::reading::Reading;
use super::residual::residual;
use super::worst::{Known, Worst};
use super::{Contacts, Found};
use crate::bounds::Vector;
use crate::budget::{Budget, OverBudget, fraction_bits};
use crate::evaluate::{Place, Worst as PlainWorst, natural_residual};
use crate::integers::{ExactVector, IntegerRow, Numerators, numerators};
use crate::own::own_cone;

/// The errors of a reading: in sizes row by row, and block by block.
pub(super) type Errors = [Worst; 2];

/// What is measured: the candidate, and its readings with the sizes of blocks there.
pub(super) struct Measured<'a> {
    z: &'a [Rational],
    numerators: Option<Numerators>,
    readings: &'a [Reading<'a>],
    sizes: Vec<Overlay<'a>>,
    means: Means,
}

/// What is found of some rows or contacts.
struct Part {
    /// The square of the residual; none where a contact has none.
    residual: Option<Enclosure>,
    /// Of each reading.
    errors: Vec<Errors>,
}

/// w and s of a row at the candidate or a reading.
type Sums = (Rational, Rational);

impl Contacts<'_> {
    /// The residual of a candidate, and the errors of its readings.
    pub fn measured(
        &self,
        z: &[Rational],
        readings: &[Reading<'_>],
        means: &Means,
    ) -> Found<(Option<Rational>, Vec<Errors>)> {
        let norms = self.blocks.norms(z, means)?;
        let sizes = self.blocks.sizes(self.problem, &norms, means)?;
        let beside = |reading: &Reading<'_>| {
            let base = (&norms[..], &sizes[..]);
            self.blocks
                .sizes_beside(self.problem, base, &reading.x, means)
        };
        let budget = means.of_all();
        let common = match numerators(z.iter(), budget.left().0 / 4, &budget) {
            Ok((values, denominator, _held)) => Some(Numerators {
                values,
                denominator,
            }),
            Err(OverBudget::MEMORY) => None,
            Err(error) => return Err(error.into()),
        };
        let measured = Measured {
            z,
            numerators: common,
            readings,
            sizes: readings.iter().map(beside).collect::<Result<_, _>>()?,
            means: means.of_readings(readings.len()),
        };
        drop(norms);
        let plain = self.plain_rows(&measured)?;
        let contacts = self.contacts(&measured, &plain.errors)?;
        let both = plain.residual.zip(contacts.residual);
        let residual = both.map(|(plain, contacts)| plain.plus(&contacts).root().high);
        Ok((residual, contacts.errors))
    }

    /// What is found of all rows without a cone.
    fn plain_rows(&self, measured: &Measured<'_>) -> Found<Part> {
        let rows = self.problem.rows();
        let parts = in_parts(rows.len(), |range| {
            let budget = measured.means.of_part(range.len());
            let mut sum = Enclosure::default();
            let mut worst = vec![<[PlainWorst; 2]>::default(); measured.readings.len()];
            for i in range.filter(|&i| rows[i] != Row::Cone) {
                let square = self.plain_row(i, measured, &mut worst, &budget)?;
                sum = sum.plus(&square);
            }
            Ok::<_, OverBudget>((sum, worst))
        });
        let mut sum = Enclosure::default();
        let mut worst = vec![<[PlainWorst; 2]>::default(); measured.readings.len()];
        for part in parts {
            let (own, errors) = part?;
            sum = sum.plus(&own);
            for (worst, own) in worst.iter_mut().flatten().zip(errors.into_iter().flatten()) {
                if own.error > worst.error {
                    *worst = own;
                }
            }
        }
        let errors = worst.into_iter().map(|both| both.map(Worst::of_plain));
        Ok(Part {
            residual: Some(sum),
            errors: errors.collect(),
        })
    }

    /// Takes a row without a cone at all readings; the square of its share of the residual.
    fn plain_row(
        &self,
        i: usize,
        measured: &Measured<'_>,
        worst: &mut [[PlainWorst; 2]],
        budget: &Budget,
    ) -> Result<Enclosure, OverBudget> {
        let row = self.integers(i, budget)?;
        let (z, place) = (
            measured.z,
            Place::new(self.problem, self.bounds, self.tol, budget),
        );
        let own = self.sums(&row, i, &measured.vector(), budget)?;
        for ((reading, sizes), worst) in measured.all().zip(worst) {
            let x = &reading.x;
            let other = match changes(x, i, &row) {
                true => Some(self.sums(&row, i, &ExactVector::over(x, None), budget)?),
                false => None,
            };
            let (w, s) = other.as_ref().unwrap_or(&own);
            for (worst, size) in worst.iter_mut().zip([s, sizes.at(self.blocks.of(i))]) {
                place.take(worst, i, (w, size), x, x)?;
            }
        }
        budget.reduce(2, fraction_bits(&z[i]), fraction_bits(&own.0))?;
        let residual = natural_residual(&z[i], &own.0, self.bounds.of(i, z));
        Ok(Enclosure::from(residual).square())
    }

    /// What is found of all contacts, the errors beginning with those of the plain rows.
    fn contacts(&self, measured: &Measured<'_>, plain: &[Errors]) -> Found<Part> {
        let order = Order::new(self.cones.len());
        let parts = in_parts(self.cones.len(), |range| {
            self.some_contacts(range, &order, measured, plain)
        });
        let mut all = Part {
            residual: Some(Enclosure::default()),
            errors: plain.to_vec(),
        };
        for part in parts {
            let part = part?;
            let both = all.residual.zip(part.residual);
            all.residual = both.map(|(sum, own)| sum.plus(&own));
            for (worst, own) in all
                .errors
                .iter_mut()
                .flatten()
                .zip(part.errors.into_iter().flatten())
            {
                if own.high > worst.high {
                    *worst = own;
                }
            }
        }
        Ok(all)
    }

    /// What is found of the contacts at these positions of the order.
    fn some_contacts(
        &self,
        range: Range<usize>,
        order: &Order,
        measured: &Measured<'_>,
        plain: &[Errors],
    ) -> Found<Part> {
        let budget = measured.means.of_part(range.len());
        let mut part = Part {
            residual: Some(Enclosure::default()),
            errors: plain.to_vec(),
        };
        for position in range {
            let cone = own_cone(&self.cones[order.at(position)]);
            self.contact(&cone, measured, &mut part, &budget)?;
        }
        Ok(part)
    }

    /// Takes a contact at the candidate and at all readings.
    fn contact(
        &self,
        cone: &Cone,
        measured: &Measured<'_>,
        part: &mut Part,
        budget: &Budget,
    ) -> Found<()> {
        let rows = cone.rows().map(|i| self.integers(i, budget));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let own = self.at(cone, &rows, measured.z, &measured.vector(), budget)?;
        if let Some(sum) = &part.residual {
            part.residual = square(cone, &own, budget)?.map(|own| sum.plus(&own));
        }
        // What is known of the contact where it is as at the candidate.
        let mut known = <[Known; 2]>::default();
        for ((reading, sizes), errors) in measured.all().zip(&mut part.errors) {
            let x = &reading.x;
            let moves = cone.rows().zip(&rows).any(|(i, row)| changes(x, i, row));
            let other = match moves {
                true => Some(self.at(cone, &rows, x, &ExactVector::over(x, None), budget)?),
                false => None,
            };
            let mut at = other.as_ref().unwrap_or(&own).clone();
            let mut fresh = <[Known; 2]>::default();
            let sized = cone.rows().any(|i| sizes.changes(self.blocks.of(i)));
            let [by_rows, by_blocks] = &mut known;
            let [other_by_rows, other_by_blocks] = &mut fresh;
            let by_rows = if moves { other_by_rows } else { by_rows };
            let by_blocks = if moves || sized {
                other_by_blocks
            } else {
                by_blocks
            };
            errors[0].take_cone(cone, &at, (self.tol, by_rows), budget)?;
            for (at, i) in at.iter_mut().zip(cone.rows()) {
                at.s.clone_from(sizes.at(self.blocks.of(i)));
            }
            errors[1].take_cone(cone, &at, (self.tol, by_blocks), budget)?;
        }
        Ok(())
    }

    /// A row in integers.
    fn integers<'b>(&self, i: usize, budget: &'b Budget) -> Result<IntegerRow<'b>, OverBudget> {
        IntegerRow::new(self.problem.m().row(i), &self.problem.q()[i], budget)
    }

    /// w and s of a row.
    fn sums(
        &self,
        row: &IntegerRow<'_>,
        i: usize,
        vector: &ExactVector<'_, impl Vector + ?Sized>,
        budget: &Budget,
    ) -> Result<Sums, OverBudget> {
        let (w, mut s) = vector.sums(row, budget)?.reduced(budget)?;
        if self.problem.scale().is_some() {
            let q = self.problem.q()[i].to_rational().abs();
            add(&mut s, &(data_size(self.problem, i) - q), budget)?;
        }
        Ok((w, s))
    }

    /// The rows of a contact at a point.
    fn at(
        &self,
        cone: &Cone,
        rows: &[IntegerRow<'_>],
        x: &(impl Vector + ?Sized),
        vector: &ExactVector<'_, impl Vector + ?Sized>,
        budget: &Budget,
    ) -> Result<Vec<At>, OverBudget> {
        let at = |(i, row): (usize, &IntegerRow<'_>)| {
            let (w, s) = self.sums(row, i, vector, budget)?;
            let r = x.at(i).clone();
            Ok(At { r, w, s })
        };
        cone.rows().zip(rows).map(at).collect()
    }
}

impl Measured<'_> {
    /// The candidate.
    fn vector(&self) -> ExactVector<'_, [Rational]> {
        ExactVector::over(self.z, self.numerators.as_ref())
    }

    /// All readings with the sizes of blocks there.
    fn all(&self) -> impl Iterator<Item = (&Reading<'_>, &Overlay<'_>)> {
        self.readings.iter().zip(&self.sizes)
    }
}

/// Whether a row is another one at a reading than at the candidate.
fn changes(x: &Overlay<'_>, i: usize, row: &IntegerRow<'_>) -> bool {
    x.changes(i) || row.entries.iter().any(|(j, _)| x.changes(*j))
}

/// The square of a contact's share of the residual, if it has one.
fn square(cone: &Cone, at: &[At], budget: &Budget) -> Result<Option<Enclosure>, OverBudget> {
    let bits = |at: &At| fraction_bits(&at.r) + fraction_bits(&at.w);
    let bits = at.iter().map(bits).sum();
    // Ends of some 500 bits, a hundred operations a row.
    budget.reduce(100 * at.len() as u64, 512, 512)?;
    budget.reduce(16, bits, bits)?;
    Ok(residual(cone, at))
}

/// All contacts in an order that has nothing to do with their errors, so that few are larger than all before:
/// those at multiples of a number without a common divisor with theirs.
struct Order {
    count: usize,
    step: usize,
}

impl Order {
    fn new(count: usize) -> Self {
        // Near the golden section of them, where multiples are spread evenly.
        let near = (count as u128 * 618 / 1000) as usize;
        let prime_to = |step: &usize| gcd(*step, count) == 1;
        let step = (near.max(1)..).find(prime_to).unwrap_or(1);
        Self { count, step }
    }

    /// The contact at a position.
    fn at(&self, position: usize) -> usize {
        (position as u128 * self.step as u128 % self.count as u128) as usize
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
