//! Rows and contacts at all readings of a candidate: each row is turned into integers once, and measured again only at
//! readings that change what it sees.

use std::ops::Range;

use etalon_kernel::{At, Cone};
use etalon_lcp::Row;
use rug::Rational;

use super::blocks::data_size;
use super::certain::{By, Certain};
use super::enclosure::Enclosure;
use super::means::Means;
use super::order::Order;
use super::overlay::Overlay;
use super::parts::in_parts;
use super::reading::Reading;
use super::residual::residual;
use super::worst::{Known, Worst};
use super::{Contacts, Found};
use crate::bounds::Vector;
use crate::budget::{Budget, OverBudget, bits, fraction_bits};
use crate::evaluate::{Reader, Worst as PlainWorst, natural_residual};
use crate::integers::{ExactVector, IntegerRow, Numerators, Sums, numerators};
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
            Ok((own, _held)) => Some(own),
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
        let parts = in_parts(rows.len(), measured.means.part, |range| {
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
            Reader::new(self.problem, self.bounds, self.tol, budget),
        );
        let own = self.sums(&row, i, &measured.vector(), budget)?;
        let own = own.reduced(budget)?;
        for ((reading, sizes), worst) in measured.all().zip(worst) {
            let x = &reading.x;
            let other = match changes(x, i, &row) {
                true => {
                    let sums = self.sums(&row, i, &ExactVector::over(x, None), budget)?;
                    Some(sums.reduced(budget)?)
                }
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
        let parts = in_parts(self.cones.len(), measured.means.part, |range| {
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
        let blocks: Vec<_> = cone.rows().map(|i| self.blocks.of(i)).collect();
        let own = self.at(cone, &rows, &measured.vector(), budget)?;
        if let Some(sum) = &part.residual {
            part.residual = square(cone, &own, measured.z, budget)?.map(|own| sum.plus(&own));
        }
        // What is known of the contact where it is as at the candidate.
        let mut known = <[Known; 2]>::default();
        for ((reading, beside), errors) in measured.all().zip(&mut part.errors) {
            let x = &reading.x;
            let moves = cone.rows().zip(&rows).any(|(i, row)| changes(x, i, row));
            let other = match moves {
                true => Some(self.at(cone, &rows, &ExactVector::over(x, None), budget)?),
                false => None,
            };
            let at = other.as_ref().unwrap_or(&own);
            // Sizes of blocks change where forces near the contact move, too.
            if moves {
                known = <[Known; 2]>::default();
            } else if blocks.iter().any(|block| beside.changes(*block)) {
                known[1] = Known::default();
            }
            let sizes: Vec<_> = blocks.iter().map(|block| beside.at(*block)).collect();
            for ((error, known), by) in errors
                .iter_mut()
                .zip(&mut known)
                .zip([By::Rows, By::Blocks(&sizes)])
            {
                let certain = |eps: &Rational| {
                    at.certain
                        .as_ref()
                        .is_some_and(|certain| certain.obeys(eps, &by))
                };
                let rows = || at.rows(&by, budget);
                error.take_cone(cone, (&certain, &rows), (self.tol, known), budget)?;
            }
            if moves || blocks.iter().any(|block| beside.changes(*block)) {
                known = <[Known; 2]>::default();
            }
        }
        Ok(())
    }

    /// A row in integers.
    fn integers<'b>(&self, i: usize, budget: &'b Budget) -> Result<IntegerRow<'b>, OverBudget> {
        IntegerRow::new(self.problem.m().row(i), &self.problem.q()[i], budget)
    }

    /// w and s of a row.
    pub(super) fn sums(
        &self,
        row: &IntegerRow<'_>,
        i: usize,
        vector: &ExactVector<'_, impl Vector + ?Sized>,
        budget: &Budget,
    ) -> Result<Sums, OverBudget> {
        let sums = vector.sums(row, budget)?;
        if self.problem.scale().is_none() {
            return Ok(sums);
        }
        let q = self.problem.q()[i].to_rational().abs();
        sums.with_more(&(data_size(self.problem, i) - q), budget)
    }

    /// A contact at a point.
    fn at(
        &self,
        cone: &Cone,
        rows: &[IntegerRow<'_>],
        vector: &ExactVector<'_, impl Vector + ?Sized>,
        budget: &Budget,
    ) -> Result<Contact, OverBudget> {
        let of: Vec<_> = cone.rows().collect();
        let forces = vector.entries(&of, budget)?;
        let sums = of.iter().zip(rows);
        let sums = sums.map(|(i, row)| self.sums(row, *i, vector, budget));
        let sums = sums.collect::<Result<Vec<_>, _>>()?;
        let certain = Certain::new(cone, &forces, &sums);
        Ok(Contact {
            forces,
            sums,
            certain,
        })
    }
}

/// A contact at the candidate or a reading.
struct Contact {
    forces: Numerators,
    sums: Vec<Sums>,
    certain: Option<Certain>,
}

impl Contact {
    /// Its rows as the kernel asks for them, in these sizes.
    fn rows(&self, by: &By<'_>, budget: &Budget) -> Result<Vec<At>, OverBudget> {
        let row = |(k, sums): (usize, &Sums)| {
            let r = self.force(k, budget)?;
            let (w, s) = sums.clone().reduced(budget)?;
            Ok(match by {
                By::Rows => At { r, w, s },
                By::Blocks(sizes) => At {
                    r,
                    w,
                    s: sizes[k].clone(),
                },
            })
        };
        self.sums.iter().enumerate().map(row).collect()
    }

    /// The force of a row.
    fn force(&self, k: usize, budget: &Budget) -> Result<Rational, OverBudget> {
        let Numerators {
            values,
            denominator,
        } = &self.forces;
        budget.reduce(1, bits(&values[k]), bits(denominator))?;
        Ok(Rational::from((values[k].clone(), denominator.clone())))
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
fn square(
    cone: &Cone,
    contact: &Contact,
    z: &[Rational],
    budget: &Budget,
) -> Result<Option<Enclosure>, OverBudget> {
    let row = |(i, sums): (usize, &Sums)| {
        let (r, s) = (z[i].clone(), Rational::new());
        budget.reduce(1, bits(&sums.w), bits(&sums.denominator))?;
        let w = Rational::from((sums.w.clone(), sums.denominator.clone()));
        Ok(At { r, w, s })
    };
    let at = cone.rows().zip(&contact.sums).map(row);
    let at = at.collect::<Result<Vec<_>, _>>()?;
    let length = |at: &At| fraction_bits(&at.r) + fraction_bits(&at.w);
    let length = at.iter().map(length).sum();
    // Ends of some 500 bits, a hundred operations a row.
    budget.reduce(100 * at.len() as u64, 512, 512)?;
    budget.reduce(16, length, length)?;
    Ok(residual(cone, &at))
}
