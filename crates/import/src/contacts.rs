//! Contacts with friction, as the files of all projects state them: rows of one contact after the other, normal
//! first, and a friction coefficient for each.

use etalon_lcp::{Bound, Cone, Disc, Entry, Friction, Law, Matrix, Mu, Number, Problem};

use super::{ImportError, rows, unexpected};

/// How contacts are stated in the problem that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contacts {
    /// The law of friction cones.
    pub law: Law,
    /// Contacts in the plane are cones, too: a disc of one row. Otherwise they are rows with the bounds
    /// -mu z_j <= z_i <= mu z_j, which state Coulomb's law in the plane, and the problem is a linear one. (The convex
    /// law has no such form, and makes cones of them in any case.)
    pub cones_in_plane: bool,
}

/// How many rows a contact has, and what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dimension {
    /// In the plane: the normal and one tangent.
    Two,
    /// In space: the normal and two tangents.
    Three,
    /// In space with rolling friction: a normal, two tangents, two components of the rolling moment.
    Five,
}

impl Dimension {
    /// The dimension that has so many rows a contact.
    pub(crate) fn of(rows: u64) -> Option<Self> {
        [Self::Two, Self::Three, Self::Five]
            .into_iter()
            .find(|dimension| dimension.rows() as u64 == rows)
    }

    /// The rows of a contact.
    pub(crate) fn rows(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
            Self::Five => 5,
        }
    }
}

/// A problem with contacts, block by block: free rows of bodies and joints, and the rows of contacts.
pub(crate) struct System {
    pub size: usize,
    pub entries: Vec<Entry>,
    pub constants: Vec<Number>,
    pub dimension: Dimension,
    /// The first row of the contacts.
    pub first: usize,
    /// mu of each contact.
    pub mu: Vec<Number>,
    /// Of rolling friction; as many as `mu`, or none where there is no rolling.
    pub mu_rolling: Vec<Number>,
    /// The first rows, which are those of bodies.
    pub bodies: usize,
    /// Whether the matrix is written in full.
    pub is_dense: bool,
}

impl System {
    /// A system without entries.
    pub(crate) fn new(dimension: Dimension, first: usize, bodies: usize) -> Self {
        Self {
            size: 0,
            entries: Vec::new(),
            constants: Vec::new(),
            dimension,
            first,
            mu: Vec::new(),
            mu_rolling: Vec::new(),
            bodies,
            is_dense: false,
        }
    }

    /// Puts a matrix, times a sign, where its rows and columns begin; it must have this many of each.
    ///
    /// # Errors
    /// [`ImportError::Unexpected`] for another size.
    pub(crate) fn block(
        &mut self,
        matrix: &Sparse,
        (top, left): (usize, usize),
        sign: Sign,
        rows: usize,
        columns: usize,
    ) -> Result<(), ImportError> {
        if (matrix.rows, matrix.columns) != (rows, columns) {
            return Err(unexpected(
                "a matrix that fits the others",
                &format!("{} of {} x {}", matrix.name, matrix.rows, matrix.columns),
            ));
        }
        self.entries.extend(matrix.entries.iter().map(|(i, j, x)| {
            let value = match sign {
                Sign::Plus => x.clone(),
                Sign::Minus => negated(x),
            };
            ((top + i) as u64, (left + j) as u64, value)
        }));
        Ok(())
    }

    /// The problem: free rows, then contacts.
    ///
    /// # Errors
    /// [`ImportError`] for sizes over the limit, entries given twice, a negative friction coefficient.
    pub(crate) fn into_problem(
        self,
        name: &str,
        contacts: Contacts,
    ) -> Result<Problem, ImportError> {
        let size = rows(self.size as u64)?;
        let matrix = into_matrix(size, self.entries, self.is_dense)?;
        let problem = Problem::new(name, matrix, self.constants)?;
        let in_plane = self.dimension == Dimension::Two;
        if in_plane && !contacts.cones_in_plane && contacts.law == Law::Coulomb {
            return with_friction(problem, self.first, self.mu);
        }
        // Rows of bodies stand before those of contacts, rows of joints before or behind them.
        let of_contacts = self.first..self.first + self.mu.len() * self.dimension.rows();
        let mut rolling = self.mu_rolling.into_iter();
        let cones = self.mu.into_iter().enumerate().map(|(contact, mu)| {
            let normal = self.first + contact * self.dimension.rows();
            let sliding = (normal + 1..normal + self.dimension.rows().min(3)).collect();
            let disc = |rows, mu| Disc {
                rows,
                mu: Mu::One(mu),
            };
            let mut discs = vec![disc(sliding, mu)];
            if self.dimension == Dimension::Five {
                discs.extend(
                    rolling
                        .next()
                        .map(|mu| disc(vec![normal + 3, normal + 4], mu)),
                );
            }
            Cone {
                normal,
                discs,
                law: contacts.law,
            }
        });
        let cones = cones.collect();
        let problem = if of_contacts.len() < size {
            let lower = (0..size)
                .map(|i| lower(!of_contacts.contains(&i)))
                .collect();
            problem.with_bounds(Some(lower), None)?
        } else {
            problem
        };
        let problem = problem.with_cones(cones)?;
        Ok(if in_plane {
            problem
        } else {
            problem.with_blocks(vectors(self.bodies))?
        })
    }
}

/// The matrix of n rows with these entries.
///
/// # Errors
/// [`ImportError::Matrix`] for entries outside and given twice.
pub(crate) fn into_matrix(
    n: usize,
    entries: Vec<Entry>,
    is_dense: bool,
) -> Result<Matrix, ImportError> {
    let sparse = Matrix::from_entries((n as u64, n as u64), entries)?;
    if !is_dense {
        return Ok(sparse);
    }
    // A binary64 zero, as it stands in the file, and not the fraction 0, which a record puts in quotes.
    let zero = Number::from_f64(0.0).unwrap_or_else(|| Number::from(0));
    let full = (0..n).map(|i| {
        let mut row = vec![zero.clone(); n];
        for (j, value) in sparse.row(i) {
            row[j] = value.clone();
        }
        row
    });
    Ok(Matrix::from_rows(full.collect())?)
}

/// Forces and moments of bodies in space, and forces on nodes, are vectors of three rows each.
fn vectors(bodies: usize) -> Vec<Vec<usize>> {
    if !bodies.is_multiple_of(3) {
        return Vec::new();
    }
    (0..bodies)
        .step_by(3)
        .map(|row| vec![row, row + 1, row + 2])
        .collect()
}

fn lower(is_free: bool) -> Bound {
    if is_free {
        Bound::NegativeInfinity
    } else {
        Bound::Finite(Number::from(0))
    }
}

/// Contacts in the plane from the row `first` on, as rows with bounds.
fn with_friction(problem: Problem, first: usize, mu: Vec<Number>) -> Result<Problem, ImportError> {
    let normals = first..first + 2 * mu.len();
    let is_free = |i: usize| !normals.contains(&i) || (i - first) % 2 == 1;
    let bounds = (0..problem.n()).map(|i| lower(is_free(i))).collect();
    let friction = mu.into_iter().enumerate().map(|(contact, mu)| {
        let normal = first + 2 * contact;
        Friction {
            row: normal + 1,
            normal,
            mu,
        }
    });
    let friction = friction.collect();
    let problem = problem.with_bounds(Some(bounds), None)?;
    Ok(problem.with_friction(friction)?)
}

/// The sign of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

/// The number of the other sign; 0 stays 0.
pub(crate) fn negated(value: &Number) -> Number {
    if value.is_zero() {
        return Number::from(0);
    }
    // Only binary64 numbers are read, and those of the other sign are binary64 numbers, too.
    Number::from_f64(-value.to_f64()).unwrap_or_else(|| Number::from(-value.to_rational()))
}

/// A matrix of any shape as its entries: row, column, value.
pub(crate) struct Sparse {
    pub name: &'static str,
    pub rows: usize,
    pub columns: usize,
    pub entries: Vec<(usize, usize, Number)>,
    /// Whether the file has all entries, zeros too.
    pub is_dense: bool,
}

impl Sparse {
    pub(crate) fn transposed(&self) -> Self {
        let swap = |(i, j, x): &(usize, usize, Number)| (*j, *i, x.clone());
        Self {
            name: self.name,
            rows: self.columns,
            columns: self.rows,
            entries: self.entries.iter().map(swap).collect(),
            is_dense: self.is_dense,
        }
    }
}
