//! A generalised step as slices of binary64 numbers: what an engine has in memory.

use etalon_lcp::Number;

use crate::step::{
    Engine, EngineAnswer, EngineStep, Form, Generalised, Precision, Quantity, Set, Sparse,
};

/// The set of the force of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowSet {
    /// Any force.
    Equality,
    /// |f| <= this bound.
    Box(f64),
    /// f >= 0.
    Nonnegative,
    /// The normal row of a cone; its tangential rows follow.
    Normal,
    /// A tangential row of the cone above, with its coefficient mu > 0.
    Tangential(f64),
}

/// The problem of a step and the engine's answer. Matrices are dense, row by row.
#[derive(Debug, Clone, Copy)]
pub struct StepView<'a> {
    /// The length of the step in seconds.
    pub h: f64,
    /// M, nv x nv, symmetric.
    pub m: &'a [f64],
    /// The forces q that are no constraint forces, nv.
    pub force: &'a [f64],
    /// J, nefc x nv.
    pub j: &'a [f64],
    /// The diagonal R, nefc, positive.
    pub r: &'a [f64],
    /// The targets, nefc.
    pub target: &'a [f64],
    /// The sets of the forces, nefc.
    pub rows: &'a [RowSet],
    /// The engine's accelerations, nv.
    pub motion: &'a [f64],
    /// The engine's constraint forces, nefc.
    pub constraint_force: Option<&'a [f64]>,
}

/// Why slices are no step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// Slices of other lengths than nv and nefc ask for.
    #[error("{field} has {found} numbers where {expected} belong")]
    Length {
        /// The field.
        field: &'static str,
        /// Its length.
        found: usize,
        /// The length that it must have.
        expected: usize,
    },
    /// NaN or an infinity.
    #[error("{field}[{index}] is not finite: the state of the engine has broken down")]
    NotFinite {
        /// The field.
        field: &'static str,
        /// The index in it.
        index: usize,
    },
    /// R that is not positive, mu that is not, a negative bound, a tangential row without its cone.
    #[error("row {row}: {problem}")]
    Row {
        /// The row.
        row: usize,
        /// The fault.
        problem: &'static str,
    },
    /// M is not symmetric to the bit.
    #[error("M[{0}][{1}] and M[{1}][{0}] differ; M is symmetric, both triangles are given")]
    Asymmetric(usize, usize),
}

impl<'a> StepView<'a> {
    /// The number of velocities.
    pub fn nv(&self) -> usize {
        self.force.len()
    }

    /// The number of constraint rows.
    pub fn nefc(&self) -> usize {
        self.r.len()
    }

    /// The groups of rows that have a set in common, with their first row.
    pub(super) fn groups(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            let start = next;
            self.rows.get(start)?;
            next += 1;
            while matches!(self.rows.get(next), Some(RowSet::Tangential(_))) {
                next += 1;
            }
            Some(start..next)
        })
    }

    /// Checks lengths, numbers, sets and symmetry, in time linear in the data.
    ///
    /// # Errors
    /// [`ViewError`] naming field and index.
    pub fn check(&self) -> Result<(), ViewError> {
        let (nv, nefc) = (self.nv(), self.nefc());
        let fields = [
            ("M", self.m, nv * nv),
            ("force", self.force, nv),
            ("J", self.j, nefc * nv),
            ("R", self.r, nefc),
            ("target", self.target, nefc),
            ("motion", self.motion, nv),
            (
                "constraint_force",
                // R stands in for absent forces: it has their length, and is finite or refused above.
                self.constraint_force.unwrap_or(self.r),
                nefc,
            ),
        ];
        for (field, own, expected) in fields {
            if own.len() != expected {
                let found = own.len();
                return Err(ViewError::Length {
                    field,
                    found,
                    expected,
                });
            }
            // Without a way out of the loop it takes several numbers at once.
            if !own.iter().fold(true, |all, own| all & own.is_finite()) {
                let index = own.iter().position(|own| !own.is_finite());
                let index = index.unwrap_or_default();
                return Err(ViewError::NotFinite { field, index });
            }
        }
        if self.rows.len() != nefc {
            let (field, found, expected) = ("rows", self.rows.len(), nefc);
            return Err(ViewError::Length {
                field,
                found,
                expected,
            });
        }
        if let Some(row) = self.r.iter().position(|own| *own <= 0.0) {
            let problem = "R must be positive";
            return Err(ViewError::Row { row, problem });
        }
        self.check_sets()?;
        for i in 0..nv {
            for j in 0..i {
                if self.m[i * nv + j] != self.m[j * nv + i] {
                    return Err(ViewError::Asymmetric(i, j));
                }
            }
        }
        Ok(())
    }

    fn check_sets(&self) -> Result<(), ViewError> {
        let mut in_cone = 0;
        for (row, set) in self.rows.iter().enumerate() {
            let problem = match *set {
                RowSet::Box(bound) if !(bound >= 0.0 && bound.is_finite()) => {
                    "a bound is finite and not negative"
                }
                RowSet::Tangential(mu) if !(mu > 0.0 && mu.is_finite()) => {
                    "mu is finite and positive"
                }
                RowSet::Tangential(_) if in_cone == 0 => {
                    "a tangential row follows the normal row of its cone"
                }
                RowSet::Tangential(_) if in_cone > etalon_lcp::MAX_DISC_ROWS => {
                    "a cone has 5 tangential rows at most"
                }
                RowSet::Normal
                    if !matches!(self.rows.get(row + 1), Some(RowSet::Tangential(_))) =>
                {
                    "a normal row without tangential rows is a nonnegative one"
                }
                _ => {
                    let goes_on = matches!(set, RowSet::Normal | RowSet::Tangential(_));
                    in_cone = if goes_on { in_cone + 1 } else { 0 };
                    if matches!(set, RowSet::Normal) {
                        in_cone = 1;
                    }
                    continue;
                }
            };
            return Err(ViewError::Row { row, problem });
        }
        Ok(())
    }

    /// The same as a record, for exact judgement, replay and files.
    ///
    /// # Errors
    /// [`ViewError`], as [`check`](Self::check).
    pub fn to_step(&self, name: &str, precision: Precision) -> Result<EngineStep, ViewError> {
        self.check()?;
        let vector = |own: &[f64]| own.iter().map(|own| number(*own)).collect::<Vec<_>>();
        let answer = EngineAnswer {
            motion: Some(vector(self.motion)),
            force: self.constraint_force.map(vector),
            iterations: None,
            iteration_limit: None,
            stop_gap: None,
        };
        let sets = self.groups().map(|group| {
            let i = group.start;
            match self.rows[i] {
                RowSet::Equality => Set::Equality(i),
                RowSet::Box(bound) => Set::Box(i, number(bound)),
                RowSet::Nonnegative => Set::Nonnegative(i),
                RowSet::Normal | RowSet::Tangential(_) => {
                    Set::Cone(i, self.mu(group).into_iter().map(number).collect())
                }
            }
        });
        let form = Generalised {
            m: sparse(self.m, self.nv(), self.nv()),
            force: vector(self.force),
            j: sparse(self.j, self.nefc(), self.nv()),
            r: Some(vector(self.r)),
            target: Some(vector(self.target)),
            sets: sets.collect(),
            quantity: Quantity::Acceleration,
            answer: Some(answer),
            v0: None,
            v1: None,
        };
        Ok(EngineStep {
            follows: None,
            name: name.to_owned(),
            source: None,
            engine: Engine::default(),
            precision,
            declared_error: None,
            h: number(self.h),
            substeps: 1,
            when: None,
            law: None,
            model: None,
            not_judged: None,
            replay: None,
            form: Form::Generalised(Box::new(form)),
        })
    }

    /// The coefficients of a cone.
    pub(super) fn mu(&self, group: std::ops::Range<usize>) -> Vec<f64> {
        let rows = self.rows[group].iter();
        rows.filter_map(|row| match row {
            RowSet::Tangential(mu) => Some(*mu),
            _ => None,
        })
        .collect()
    }
}

fn number(own: f64) -> Number {
    // Checked to be finite.
    Number::from_f64(own).unwrap_or_else(|| Number::from(0))
}

fn sparse(dense: &[f64], rows: usize, columns: usize) -> Sparse {
    let row = |i: usize| {
        let entries = dense[i * columns..(i + 1) * columns].iter().enumerate();
        let stored = entries.filter(|(_, own)| **own != 0.0);
        stored.map(|(j, own)| (j, number(*own))).collect()
    };
    Sparse {
        columns,
        rows: (0..rows).map(row).collect(),
    }
}
