//! Friction cones: contacts whose friction force is bounded by a circle, an ellipse or several of
//! them, and the laws that tie force and velocity (`docs/cones.md`).

use crate::number::Number;

/// Most tangential rows of a disc: two directions of sliding, torsion, two of rolling.
pub const MAX_DISC_ROWS: usize = 5;

/// Most discs of a cone.
pub const MAX_DISCS: usize = 4;

/// A contact: on its rows z is the force (or impulse) r, and w the velocity u.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cone {
    /// The row N of the normal.
    pub normal: usize,
    /// Discs, each of which bounds rows by r_N; none makes a contact without friction.
    pub discs: Vec<Disc>,
    /// What ties r and u.
    pub law: Law,
}

/// Tangential rows k with sum of (r_k / mu_k)^2 <= r_N^2, and r_k = 0 where mu_k = 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disc {
    /// The rows, 1 to [`MAX_DISC_ROWS`].
    pub rows: Vec<usize>,
    /// The friction coefficients.
    pub mu: Mu,
}

/// The friction coefficients of a disc, none negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mu {
    /// One datum for all rows.
    One(Number),
    /// A datum for each row.
    Each(Vec<Number>),
}

/// A law of friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Law {
    /// Coulomb's (nonassociated): 0 <= r_N, 0 <= u_N, r_N u_N = 0, and friction opposes slip.
    #[default]
    Coulomb,
    /// Associated: r in K, u in the dual cone K*, r'u = 0 (Anitescu; MuJoCo, Chrono, Drake's SAP).
    Convex,
}

impl Law {
    /// Both laws.
    pub const ALL: [Self; 2] = [Self::Coulomb, Self::Convex];

    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Coulomb => "coulomb",
            Self::Convex => "convex",
        }
    }
}

impl Mu {
    /// The coefficient of the k-th row of the disc.
    ///
    /// # Panics
    /// When there is a datum for each row, and not so many rows.
    pub fn of(&self, k: usize) -> &Number {
        match self {
            Self::One(mu) => mu,
            Self::Each(each) => &each[k],
        }
    }

    /// The data.
    pub fn data(&self) -> &[Number] {
        match self {
            Self::One(mu) => std::slice::from_ref(mu),
            Self::Each(each) => each,
        }
    }
}

impl Cone {
    /// All rows of the contact: the normal, then those of the discs in order.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        let tangential = self.discs.iter().flat_map(|disc| &disc.rows);
        std::iter::once(self.normal).chain(tangential.copied())
    }

    /// What cannot be in a problem of n rows, with its place inside of the cone.
    pub(crate) fn fault(&self, n: usize) -> Option<(String, String)> {
        let fault = |place: String, why: String| Some((place, why));
        if self.discs.len() > MAX_DISCS {
            let why = format!(
                "{} discs are over the limit of {MAX_DISCS}",
                self.discs.len()
            );
            return fault("discs".to_owned(), why);
        }
        for (d, disc) in self.discs.iter().enumerate() {
            let at = |field: &str| match self.discs.len() {
                1 => field.to_owned(),
                _ => format!("discs[{d}].{field}"),
            };
            let rows = disc.rows.len();
            if !(1..=MAX_DISC_ROWS).contains(&rows) {
                let why = format!("a disc has 1 to {MAX_DISC_ROWS} tangential rows, not {rows}");
                return fault(at("rows"), why);
            }
            if let Mu::Each(each) = &disc.mu
                && each.len() != rows
            {
                let why = format!(
                    "{} coefficients for {rows} tangential rows; give one number, or one a row",
                    each.len()
                );
                return fault(at("mu"), why);
            }
            if let Some(k) = disc.mu.data().iter().position(|mu| mu.signum() < 0) {
                let why = format!("{} is negative", disc.mu.of(k));
                let index = matches!(disc.mu, Mu::Each(_)).then(|| format!("[{k}]"));
                return fault(at("mu") + &index.unwrap_or_default(), why);
            }
        }
        let outside = self.rows().find(|row| *row >= n)?;
        let why = format!("row {outside} must be below {n}, the number of rows");
        fault("rows".to_owned(), why)
    }
}
