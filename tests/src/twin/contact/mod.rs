//! The twin of the friction cones: contacts in space, measured from the definition.
//!
//! It was written from the specification of the laws and of the errors alone, by somebody who had not read
//! the kernel's decision, and it counts on another arithmetic. It is slow: every question is answered for the
//! whole problem, on fractions that are reduced at every step.
//!
//! Where the specification sorts breakpoints the twin does the same; the kernel goes another way there. Roots
//! are compared by a theorem of Besicovitch (`roots`), in the kernel by a bound on their distance.
//!
//! | file | does |
//! |---|---|
//! | `roots` | square roots between fractions, sums of them against a fraction |
//! | `laws` | whether a contact obeys its law within eps |
//! | `readings` | the three readings of a candidate, and its negativity |
//! | `sizes` | the sizes of rows, componentwise and by blocks |
//! | `bodies` | rows and contacts measured with the free rows of bodies solved |
//! | `residual` | the natural map of Siconos and FCLIB |

mod bodies;
mod joints;
mod laws;
mod readings;
mod residual;
mod roots;
mod sizes;
#[cfg(test)]
mod tests;

use super::Rational;

pub use roots::Between;

/// One disc of a contact.
#[derive(Clone, Debug)]
pub struct Disc {
    /// Its rows.
    pub rows: Vec<usize>,
    /// The coefficient of each row.
    pub mu: Vec<Rational>,
    /// Whether the coefficients are one datum, so that they change together.
    pub one: bool,
}

/// One contact.
#[derive(Clone, Debug)]
pub struct Contact {
    /// The normal row.
    pub normal: usize,
    /// The discs of tangential rows.
    pub discs: Vec<Disc>,
    /// Whether the law is the convex one, and not Coulomb's.
    pub convex: bool,
}

impl Contact {
    /// The normal row, then those of the discs.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        let tangents = self.discs.iter().flat_map(|disc| disc.rows.iter().copied());
        std::iter::once(self.normal).chain(tangents)
    }
}

/// A problem w = Mz + q with contacts. All indices are below the length of `q`.
#[derive(Clone, Debug)]
pub struct Contacts {
    /// The entries of each row of M that are not 0, with their columns.
    pub m: Vec<Vec<(usize, Rational)>>,
    /// The constant term.
    pub q: Vec<Rational>,
    /// Lower bounds of plain rows; `None` is minus infinity. Those of contacts are not looked at.
    pub lower: Vec<Option<Rational>>,
    /// Upper bounds of plain rows; `None` is plus infinity.
    pub upper: Vec<Option<Rational>>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// Rows that are the components of one vector.
    pub blocks: Vec<Vec<usize>>,
    /// The sizes that q does not show; empty where there are none.
    pub scale: Vec<Rational>,
}

/// Whose sizes the changes of the data are measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Entry by entry.
    Entries,
    /// By the largest entry of a block.
    Blocks,
}

/// A reading of a candidate, with what it leaves in the rows.
#[derive(Clone)]
pub struct Reading {
    z: Vec<Rational>,
    w: Vec<Rational>,
    by_entries: Vec<Rational>,
    by_blocks: Vec<Rational>,
}

impl Contacts {
    /// w = Mz + q.
    fn w(&self, z: &[Rational]) -> Vec<Rational> {
        let row = |(row, q): (&Vec<(usize, Rational)>, &Rational)| {
            row.iter()
                .fold(q.clone(), |sum, (j, entry)| sum + entry * &z[*j])
        };
        self.m.iter().zip(&self.q).map(row).collect()
    }

    /// The rows that are in no contact.
    fn plain(&self) -> Vec<usize> {
        let mut plain = vec![true; self.q.len()];
        for row in self.contacts.iter().flat_map(Contact::rows) {
            plain[row] = false;
        }
        (0..plain.len()).filter(|row| plain[*row]).collect()
    }

    /// A point, with w and the sizes of its rows.
    fn reading(&self, z: Vec<Rational>) -> Reading {
        Reading {
            w: self.w(&z),
            by_entries: self.sizes_by_entries(&z),
            by_blocks: self.sizes_by_blocks(&z),
            z,
        }
    }

    /// Whether the reading solves a problem whose data differ by at most eps of these sizes.
    #[must_use]
    pub fn holds(&self, reading: &Reading, sizes: Sizes, eps: &Rational) -> bool {
        let sizes = match sizes {
            Sizes::Entries => &reading.by_entries,
            Sizes::Blocks => &reading.by_blocks,
        };
        let plain = self.plain();
        let mut rows = plain.iter();
        rows.all(|i| self.plain_row_holds(*i, reading, sizes, eps))
            && self.contacts.iter().all(|contact| {
                let point = laws::Point {
                    z: &reading.z,
                    w: &reading.w,
                    sizes,
                };
                laws::obeys(contact, &point, eps)
            })
    }

    fn plain_row_holds(
        &self,
        i: usize,
        reading: &Reading,
        sizes: &[Rational],
        eps: &Rational,
    ) -> bool {
        let reach = eps * &sizes[i];
        let (z, w) = (&reading.z[i], &reading.w[i]);
        let at = |bound: &Option<Rational>| bound.as_ref() == Some(z);
        (at(&self.lower[i]) || *w <= reach) && (at(&self.upper[i]) || *w >= -reach)
    }

    /// Whether the candidate, as it stands, solves the problem.
    #[must_use]
    pub fn solves(&self, z: &[Rational]) -> bool {
        let [as_it_is, ..] = self.readings(z, &Rational::from(0));
        as_it_is.z == z
            && self.negativity(z).high == 0
            && self.holds(&as_it_is, Sizes::Entries, &Rational::from(0))
    }
}
