//! The linear complementarity problem, pure or box-constrained, with friction rows.

use rug::Rational;

use crate::cone::Cone;
use crate::expect::Expect;
use crate::matrix::Matrix;
use crate::number::Number;

/// Find z and w = Mz + q with this property in each row: w_i >= 0 where z_i is at its lower bound,
/// w_i <= 0 where it is at its upper bound, and w_i = 0 between. The default bounds are 0 and infinity;
/// they make the pure LCP: z >= 0, w >= 0, z'w = 0
/// (Cottle, Pang, Stone: The Linear Complementarity Problem, section 1.1).
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    name: String,
    m: Matrix,
    q: Vec<Number>,
    lower: Option<Vec<Bound>>,
    upper: Option<Vec<Bound>>,
    friction: Vec<Friction>,
    cones: Vec<Cone>,
    blocks: Vec<Vec<usize>>,
    scale: Option<Vec<Number>>,
    /// The known facts about the problem, where there are some.
    pub expect: Option<Expect>,
    /// The fields of the record beside the problem itself.
    pub remarks: Remarks,
}

/// The parts of a record that say nothing mathematical.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Remarks {
    /// Words to select problems by.
    pub tags: Vec<String>,
    /// Where the data come from: any JSON value.
    pub source: Option<serde_json::Value>,
    /// For people.
    pub notes: Option<String>,
    /// Checksum of a golden record (see [`crate::record::digest`]).
    pub digest: Option<String>,
}

/// A lower or upper bound.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Bound {
    /// No bound below.
    NegativeInfinity,
    /// A finite bound.
    Finite(Number),
    /// No bound above.
    Infinity,
}

/// A row whose bounds are set by another row, as ODE, Bullet and DART state friction pyramids:
/// -mu z_normal <= z_row <= mu z_normal, in place of the row's own bounds.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Friction {
    /// The tangential row.
    pub row: usize,
    /// The normal row, whose own lower bound is at least 0.
    pub normal: usize,
    /// The friction coefficient, at least 0.
    pub mu: Number,
}

/// How one row is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row<'a> {
    /// z_i >= 0.
    Nonnegative,
    /// z_i >= l.
    AtLeast(&'a Number),
    /// z_i <= u.
    AtMost(&'a Number),
    /// l <= z_i <= u.
    Between(&'a Number, &'a Number),
    /// Bilateral: z_i free, so w_i = 0.
    Free,
    /// -mu z_j <= z_i <= mu z_j.
    Friction {
        /// The row j.
        normal: usize,
        /// The coefficient mu.
        mu: &'a Number,
    },
    /// A row of a friction cone, which has no bounds of its own.
    Cone,
}

/// Why data make no problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// A vector of another length than M has rows.
    #[error("{field} has {length} entries, but M has {n} rows")]
    Length {
        /// `q`, `lower` or `upper`.
        field: &'static str,
        /// Its length.
        length: usize,
        /// The number of rows of M.
        n: usize,
    },
    /// A bound on the wrong side, such as a lower bound of `inf`.
    #[error("{field}[{row}] is {bound}, which leaves z[{row}] no value")]
    ImpossibleBound {
        /// `lower` or `upper`.
        field: &'static str,
        /// The row.
        row: usize,
        /// The bound as text.
        bound: &'static str,
    },
    /// lower > upper.
    #[error("lower[{row}] is above upper[{row}]: the bounds are crossed")]
    CrossedBounds {
        /// The row.
        row: usize,
    },
    /// A friction entry that cannot be.
    #[error("friction[{entry}]: {problem}")]
    Friction {
        /// Position in the list.
        entry: usize,
        /// The fault, with the remedy.
        problem: String,
    },
    /// A friction cone that cannot be.
    #[error("cones[{entry}]{}: {problem}", dotted(place))]
    Cone {
        /// Position in the list.
        entry: usize,
        /// The field inside of the entry; may be empty.
        place: String,
        /// The fault, with the remedy.
        problem: String,
    },
    /// A block that cannot be.
    #[error("blocks[{entry}]: {problem}")]
    Block {
        /// Position in the list.
        entry: usize,
        /// The fault, with the remedy.
        problem: String,
    },
    /// A size below 0.
    #[error("scale[{row}] is negative, but sizes are not")]
    Scale {
        /// The row.
        row: usize,
    },
    /// NaN or an infinity, or a matrix that is not square.
    #[error("M must be a square matrix, q a vector of as many entries, and all of them finite")]
    NotFinite,
}

fn dotted(place: &str) -> String {
    match place {
        "" => String::new(),
        place => format!(".{place}"),
    }
}

impl Problem {
    /// A pure LCP.
    ///
    /// # Errors
    /// [`ProblemError::Length`] when q has another length than M has rows.
    pub fn new(name: impl Into<String>, m: Matrix, q: Vec<Number>) -> Result<Self, ProblemError> {
        check_length("q", q.len(), m.n())?;
        Ok(Self {
            name: name.into(),
            m,
            q,
            lower: None,
            upper: None,
            friction: Vec::new(),
            cones: Vec::new(),
            blocks: Vec::new(),
            scale: None,
            expect: None,
            remarks: Remarks::default(),
        })
    }

    /// The same problem with bounds; `None` keeps the default (0 below, infinity above).
    ///
    /// # Errors
    /// Lengths, impossible and crossed bounds.
    pub fn with_bounds(
        mut self,
        lower: Option<Vec<Bound>>,
        upper: Option<Vec<Bound>>,
    ) -> Result<Self, ProblemError> {
        let n = self.n();
        for (field, bounds) in [("lower", &lower), ("upper", &upper)] {
            check_length(field, bounds.as_ref().map_or(n, Vec::len), n)?;
        }
        self.lower = lower;
        self.upper = upper;
        let is_bounded = self.lower.is_some() || self.upper.is_some();
        (0..n)
            .filter(|_| is_bounded)
            .try_for_each(|row| self.check_bounds(row))?;
        // Friction given before must stand with the new bounds too.
        let friction = std::mem::take(&mut self.friction);
        self.with_friction(friction)
    }

    /// The same problem with friction cones. Each row is in one cone at most, and then neither bounded
    /// nor a friction row nor the normal of one: the cone replaces the default bounds.
    ///
    /// # Errors
    /// [`ProblemError::Cone`] for indices outside, rows of two cones or with bounds of their own, a negative
    /// mu, or more rows and discs than [`MAX_DISC_ROWS`](crate::MAX_DISC_ROWS) and
    /// [`MAX_DISCS`](crate::MAX_DISCS).
    pub fn with_cones(mut self, cones: Vec<Cone>) -> Result<Self, ProblemError> {
        self.cones = cones;
        self.check_cones().map(|()| self)
    }

    /// The same problem with blocks: rows that are components of one vector in one unit, such as a body's
    /// force. Rows in no block of the list have those of their cone, or are alone
    /// (`docs/cones.md`, "The block error").
    ///
    /// # Errors
    /// [`ProblemError::Block`] for indices outside and rows of two blocks.
    pub fn with_blocks(mut self, blocks: Vec<Vec<usize>>) -> Result<Self, ProblemError> {
        let mut taken = vec![false; self.n()];
        for (entry, row) in (blocks.iter().enumerate())
            .flat_map(|(entry, block)| block.iter().map(move |row| (entry, *row)))
        {
            let problem = match taken
                .get_mut(row)
                .map(|taken| std::mem::replace(taken, true))
            {
                Some(false) => continue,
                Some(true) => format!("row {row} is in a block already"),
                None => format!("row {row} must be below {}, the number of rows", self.n()),
            };
            return Err(ProblemError::Block { entry, problem });
        }
        self.blocks = blocks;
        Ok(self)
    }

    /// The same problem with a scale: for each row the size of the quantities that w_i is the difference
    /// of, where q_i does not show it.
    ///
    /// # Errors
    /// [`ProblemError::Length`], [`ProblemError::Scale`].
    pub fn with_scale(mut self, scale: Vec<Number>) -> Result<Self, ProblemError> {
        check_length("scale", scale.len(), self.n())?;
        if let Some(row) = scale.iter().position(|size| size.signum() < 0) {
            return Err(ProblemError::Scale { row });
        }
        self.scale = Some(scale);
        Ok(self)
    }

    fn check_cones(&self) -> Result<(), ProblemError> {
        let error = |entry, place: &str, problem| {
            let place = place.to_owned();
            Err(ProblemError::Cone {
                entry,
                place,
                problem,
            })
        };
        if self.cones.is_empty() {
            return Ok(());
        }
        let mut friction = vec![false; self.n()];
        for f in &self.friction {
            (friction[f.row], friction[f.normal]) = (true, true);
        }
        let mut taken = vec![false; self.n()];
        for (entry, cone) in self.cones.iter().enumerate() {
            if let Some((place, problem)) = cone.fault(self.n()) {
                return error(entry, &place, problem);
            }
            for row in cone.rows() {
                if std::mem::replace(&mut taken[row], true) {
                    return error(entry, "rows", format!("row {row} is in a cone already"));
                }
                if friction[row] {
                    let why = format!("row {row} is a friction row or the normal of one");
                    return error(entry, "rows", why);
                }
                if self.row_without_friction(row) != Row::Nonnegative {
                    let why = format!(
                        "row {row} has bounds of its own; a cone takes the place of the defaults, 0 and inf"
                    );
                    return error(entry, "rows", why);
                }
            }
        }
        Ok(())
    }

    fn check_bounds(&self, row: usize) -> Result<(), ProblemError> {
        let zero = Bound::Finite(Number::from(0));
        let (lower, upper) = (self.lower_bound(row), self.upper_bound(row));
        let impossible = |field, bound| ProblemError::ImpossibleBound { field, row, bound };
        match (lower.unwrap_or(&zero), upper.unwrap_or(&Bound::Infinity)) {
            (Bound::Infinity, _) => Err(impossible("lower", "inf")),
            (_, Bound::NegativeInfinity) => Err(impossible("upper", "-inf")),
            (Bound::Finite(l), Bound::Finite(u)) if l.to_rational() > u.to_rational() => {
                Err(ProblemError::CrossedBounds { row })
            }
            _ => Ok(()),
        }
    }

    /// The same problem with friction rows.
    ///
    /// # Errors
    /// [`ProblemError::Friction`] for indices outside, a row named twice or bounded by itself or
    /// by another friction row, a negative mu, or a normal row that may be negative.
    pub fn with_friction(mut self, friction: Vec<Friction>) -> Result<Self, ProblemError> {
        let mut tangential = vec![false; self.n()];
        for (entry, f) in friction.iter().enumerate() {
            let error = |problem: String| Err(ProblemError::Friction { entry, problem });
            let n = self.n();
            if f.row >= n || f.normal >= n {
                return error(format!(
                    "row and normal must be below {n}, the number of rows"
                ));
            }
            if f.mu.signum() < 0 {
                return error(format!("mu is {}, but must not be negative", f.mu));
            }
            if std::mem::replace(&mut tangential[f.row], true) {
                return error(format!("row {} is bounded twice", f.row));
            }
        }
        for (entry, f) in friction.iter().enumerate() {
            let error = |problem: String| Err(ProblemError::Friction { entry, problem });
            if tangential[f.normal] {
                return error(format!(
                    "the normal row {} is a friction row itself",
                    f.normal
                ));
            }
            let nonnegative = match self.lower_bound(f.normal) {
                None => true,
                Some(Bound::Finite(lower)) => lower.signum() >= 0,
                Some(_) => false,
            };
            if !nonnegative {
                return error(format!(
                    "the normal row {} needs a lower bound of at least 0",
                    f.normal
                ));
            }
        }
        self.friction = friction;
        self.check_cones().map(|()| self)
    }

    /// The name, unique in its stream.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same problem with another M of its size, such as the same one in dense form.
    ///
    /// # Errors
    /// [`ProblemError::Length`] when q has another length than M has rows.
    pub fn with_m(mut self, m: Matrix) -> Result<Self, ProblemError> {
        check_length("q", self.q.len(), m.n())?;
        self.m = m;
        Ok(self)
    }

    /// The same problem under another name.
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The number of rows n.
    pub fn n(&self) -> usize {
        self.m.n()
    }

    /// The matrix M, n by n.
    pub fn m(&self) -> &Matrix {
        &self.m
    }

    /// The vector q of length n.
    pub fn q(&self) -> &[Number] {
        &self.q
    }

    /// All lower bounds, where the record gives any.
    pub fn lower(&self) -> Option<&[Bound]> {
        self.lower.as_deref()
    }

    /// All upper bounds, where the record gives any.
    pub fn upper(&self) -> Option<&[Bound]> {
        self.upper.as_deref()
    }

    /// The friction rows.
    pub fn friction(&self) -> &[Friction] {
        &self.friction
    }

    /// The friction cones.
    pub fn cones(&self) -> &[Cone] {
        &self.cones
    }

    /// Whether this is a linear complementarity problem, with bounds and friction rows perhaps: it has no
    /// friction cones.
    pub fn is_lcp(&self) -> bool {
        self.cones.is_empty()
    }

    /// The blocks that the record gives.
    pub fn blocks(&self) -> &[Vec<usize>] {
        &self.blocks
    }

    /// The sizes of rows, where the record gives them.
    pub fn scale(&self) -> Option<&[Number]> {
        self.scale.as_deref()
    }

    /// How each row is bounded.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let mut rows: Vec<_> = (0..self.n())
            .map(|i| self.row_without_friction(i))
            .collect();
        for Friction { row, normal, mu } in &self.friction {
            rows[*row] = Row::Friction {
                normal: *normal,
                mu,
            };
        }
        for row in self.cones.iter().flat_map(Cone::rows) {
            rows[row] = Row::Cone;
        }
        rows
    }

    fn row_without_friction(&self, i: usize) -> Row<'_> {
        let lower = match self.lower_bound(i) {
            None => return self.row_from_zero(i),
            Some(Bound::Finite(lower)) => Some(lower),
            Some(_) => None,
        };
        match (lower, self.upper_bound(i)) {
            (Some(lower), Some(Bound::Finite(upper))) => Row::Between(lower, upper),
            (None, Some(Bound::Finite(upper))) => Row::AtMost(upper),
            (Some(lower), _) if lower.is_zero() => Row::Nonnegative,
            (Some(lower), _) => Row::AtLeast(lower),
            (None, _) => Row::Free,
        }
    }

    fn row_from_zero(&self, i: usize) -> Row<'_> {
        match self.upper_bound(i) {
            Some(Bound::Finite(upper)) => Row::Between(zero(), upper),
            _ => Row::Nonnegative,
        }
    }

    fn lower_bound(&self, i: usize) -> Option<&Bound> {
        self.lower.as_ref().map(|bounds| &bounds[i])
    }

    fn upper_bound(&self, i: usize) -> Option<&Bound> {
        self.upper.as_ref().map(|bounds| &bounds[i])
    }

    /// Whether this is a pure LCP: z >= 0 and nothing else on every row.
    pub fn is_pure(&self) -> bool {
        self.friction.is_empty()
            && self.cones.is_empty()
            && (self.lower.is_none() && self.upper.is_none()
                || (0..self.n()).all(|i| self.row_without_friction(i) == Row::Nonnegative))
    }

    /// Whether all data stand in the record as binary64 numbers, so that a float solver sees
    /// just this problem.
    pub fn is_binary64(&self) -> bool {
        let finite = |bounds: &Option<Vec<Bound>>| {
            bounds.iter().flatten().all(|bound| match bound {
                Bound::Finite(number) => number.as_binary64().is_some(),
                _ => true,
            })
        };
        self.m.is_binary64()
            && self.q.iter().all(|value| value.as_binary64().is_some())
            && self.friction.iter().all(|f| f.mu.as_binary64().is_some())
            && finite(&self.lower)
            && finite(&self.upper)
            && self
                .scale
                .iter()
                .flatten()
                .chain(self.mus())
                .all(|x| x.as_binary64().is_some())
    }

    /// The data mu of all discs.
    fn mus(&self) -> impl Iterator<Item = &Number> {
        let discs = self.cones.iter().flat_map(|cone| &cone.discs);
        discs.flat_map(|disc| disc.mu.data())
    }

    /// q as exact fractions.
    pub fn q_exact(&self) -> Vec<Rational> {
        self.q.iter().map(Number::to_rational).collect()
    }
}

/// The number 0 with a lifetime that outlives every problem.
fn zero() -> &'static Number {
    static ZERO: std::sync::LazyLock<Number> = std::sync::LazyLock::new(|| Number::from(0));
    &ZERO
}

fn check_length(field: &'static str, length: usize, n: usize) -> Result<(), ProblemError> {
    if length != n {
        return Err(ProblemError::Length { field, length, n });
    }
    Ok(())
}
