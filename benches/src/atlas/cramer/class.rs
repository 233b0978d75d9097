//! The classes of a matrix, by the names of Cottle, Pang and Stone (1992).

use super::Matrix;
use super::cells::Covering;
use super::cones::Cones;
use super::quadratic::{
    is_copositive, is_copositive_plus, is_positive_definite, is_positive_semidefinite,
    is_strictly_copositive,
};
use super::semimonotone::{
    is_column_sufficient, is_row_sufficient, is_s, is_semimonotone, is_strictly_semimonotone,
};

/// A class of matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// M = M'.
    Symmetric,
    /// No entry off the diagonal is positive (section 3.11).
    Z,
    /// All principal minors are positive (section 3.3).
    P,
    /// No principal minor is negative (section 3.4).
    P0,
    /// No principal minor is zero (section 3.6).
    Nondegenerate,
    /// [`is_positive_definite`].
    PositiveDefinite,
    /// [`is_positive_semidefinite`].
    PositiveSemidefinite,
    /// [`is_strictly_copositive`].
    StrictlyCopositive,
    /// [`is_copositive_plus`].
    CopositivePlus,
    /// [`is_copositive`].
    Copositive,
    /// [`is_strictly_semimonotone`].
    StrictlySemimonotone,
    /// [`is_semimonotone`].
    Semimonotone,
    /// [`is_column_sufficient`].
    ColumnSufficient,
    /// [`is_row_sufficient`].
    RowSufficient,
    /// [`is_s`].
    S,
    /// z = 0 is the only solution for q = 0 (chapter 3).
    R0,
    /// Every real q has a solution (section 3.2): decided on the cells ([`Covering`]).
    Q,
    /// Every real q that is feasible has a solution (section 3.2): decided on the cells ([`Covering`]).
    Q0,
}

impl Class {
    /// All, in the order of their bits.
    pub const ALL: [Self; 18] = [
        Self::Symmetric,
        Self::Z,
        Self::P,
        Self::P0,
        Self::Nondegenerate,
        Self::PositiveDefinite,
        Self::PositiveSemidefinite,
        Self::StrictlyCopositive,
        Self::CopositivePlus,
        Self::Copositive,
        Self::StrictlySemimonotone,
        Self::Semimonotone,
        Self::ColumnSufficient,
        Self::RowSufficient,
        Self::S,
        Self::R0,
        Self::Q,
        Self::Q0,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Symmetric => "symmetric",
            Self::Nondegenerate => "nondegenerate",
            Self::PositiveDefinite => "positive definite (PD)",
            Self::PositiveSemidefinite => "positive semidefinite (PSD)",
            Self::StrictlyCopositive => "strictly copositive (SC)",
            Self::CopositivePlus => "copositive-plus (C+)",
            Self::Copositive => "copositive (C0)",
            Self::StrictlySemimonotone => "strictly semimonotone (E)",
            Self::Semimonotone => "semimonotone (E0)",
            Self::ColumnSufficient => "column sufficient",
            Self::RowSufficient => "row sufficient",
            same => same.word(),
        }
    }

    /// Its word in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Symmetric => "sym",
            Self::Z => "Z",
            Self::P => "P",
            Self::P0 => "P0",
            Self::Nondegenerate => "nd",
            Self::PositiveDefinite => "PD",
            Self::PositiveSemidefinite => "PSD",
            Self::StrictlyCopositive => "SC",
            Self::CopositivePlus => "C+",
            Self::Copositive => "C0",
            Self::StrictlySemimonotone => "E",
            Self::Semimonotone => "E0",
            Self::ColumnSufficient => "CS",
            Self::RowSufficient => "RS",
            Self::S => "S",
            Self::R0 => "R0",
            Self::Q => "Q",
            Self::Q0 => "Q0",
        }
    }
}

/// A set of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Classes(u32);

impl Classes {
    /// All classes of M.
    pub fn new(m: &Matrix, cones: &Cones, covering: &Covering) -> Self {
        let minors: Vec<i64> = m.principals().map(|block| block.determinant()).collect();
        let off_diagonal = |i: usize| (0..m.n).filter(move |&j| j != i);
        let mut pairs = (0..m.n).flat_map(|i| off_diagonal(i).map(move |j| (i, j)));
        let holds = |class: Class| match class {
            Class::Symmetric => m.transposed() == *m,
            Class::Z => pairs.all(|(i, j)| m.rows[i][j] <= 0),
            Class::P => minors.iter().all(|minor| *minor > 0),
            Class::P0 => minors.iter().all(|minor| *minor >= 0),
            Class::Nondegenerate => !minors.contains(&0),
            Class::PositiveDefinite => is_positive_definite(m),
            Class::PositiveSemidefinite => is_positive_semidefinite(m),
            Class::StrictlyCopositive => is_strictly_copositive(m),
            Class::CopositivePlus => is_copositive_plus(m),
            Class::Copositive => is_copositive(m),
            Class::StrictlySemimonotone => is_strictly_semimonotone(m),
            Class::Semimonotone => is_semimonotone(m),
            Class::ColumnSufficient => is_column_sufficient(m),
            Class::RowSufficient => is_row_sufficient(m),
            Class::S => is_s(m),
            Class::R0 => !cones.has_rays(),
            Class::Q => covering.least > 0,
            Class::Q0 => covering.is_q0,
        };
        Self::from_iter(Class::ALL.into_iter().filter({
            let mut holds = holds;
            move |class| holds(*class)
        }))
    }

    /// Whether the class is among them.
    pub fn has(self, class: Class) -> bool {
        self.0 >> class as u8 & 1 == 1
    }
}

impl FromIterator<Class> for Classes {
    fn from_iter<T: IntoIterator<Item = Class>>(classes: T) -> Self {
        Self(
            classes
                .into_iter()
                .fold(0, |bits, class| bits | 1 << class as u8),
        )
    }
}

/// The words, joined by spaces; a dash for none.
impl std::fmt::Display for Classes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = Class::ALL.into_iter().filter(|class| self.has(*class));
        let words: Vec<_> = words.map(Class::word).collect();
        f.write_str(if words.is_empty() { "-" } else { "" })?;
        f.write_str(&words.join(" "))
    }
}

/// A word that names no class.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no class")]
pub struct UnknownClass(pub String);

impl std::str::FromStr for Classes {
    type Err = UnknownClass;

    fn from_str(text: &str) -> Result<Self, UnknownClass> {
        let words = text.split_whitespace().filter(|word| *word != "-");
        let class = |word: &str| {
            let class = Class::ALL.into_iter().find(|class| class.word() == word);
            class.ok_or_else(|| UnknownClass(word.to_owned()))
        };
        words.map(class).collect()
    }
}
