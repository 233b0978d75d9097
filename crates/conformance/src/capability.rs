//! The stated capabilities of a solver, which decide what it is sent.

use std::fmt;
use std::str::FromStr;

use etalon_certify::check_symmetric_psd;
use etalon_lcp::{Law, Problem, Row, Status};

/// Above this many rows, the class of a matrix is not looked into: a solver for symmetric positive
/// semidefinite matrices is then sent those only that are tagged so.
const MAX_CLASSIFIED: usize = 300;

/// What a solver can do. The default is what `diff` assumes of everybody: any M, bounds, problems
/// without a solution, but no friction rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// The matrices it is made for.
    pub matrices: Matrices,
    /// Bounds other than z >= 0, free rows among them.
    pub boxes: bool,
    /// Friction rows, |z_i| <= mu z_j.
    pub friction: bool,
    /// Friction cones of one disc under Coulomb's law.
    pub cones: bool,
    /// Friction cones under the convex law.
    pub convex_cones: bool,
    /// Cones of several discs, under a law that it can do.
    pub product_cones: bool,
    /// Problems without a solution: it notices.
    pub unsolvable: bool,
    /// The largest n.
    pub max_rows: Option<usize>,
}

/// A class of matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matrices {
    /// Any square matrix.
    Any,
    /// Symmetric positive semidefinite ones.
    SymmetricPsd,
}

/// Why a problem is not for a solver.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Skip {
    /// Its data are not binary64 numbers.
    ExactData,
    /// It has bounds other than z >= 0.
    Boxes,
    /// It has friction rows.
    Friction,
    /// It has friction cones under Coulomb's law.
    Cones,
    /// It has friction cones under the convex law.
    ConvexCones,
    /// It has friction cones of several discs.
    ProductCones,
    /// It has no solution.
    Unsolvable,
    /// M is not symmetric positive semidefinite.
    Matrix,
    /// It has more rows than this.
    Rows(usize),
}

impl Skip {
    /// The word of a list of capabilities that would send such problems; `None` where there is none.
    pub fn word(&self) -> Option<&'static str> {
        Some(match self {
            Self::Boxes => "boxes",
            Self::Friction => "friction",
            Self::Cones => "cones",
            Self::ConvexCones => "cones-convex",
            Self::ProductCones => "cones-product",
            Self::Unsolvable => "unsolvable",
            Self::ExactData | Self::Matrix | Self::Rows(_) => return None,
        })
    }
}

/// A word that is no capability.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no capability; write a list of boxes, friction, cones, cones-convex, cones-product, unsolvable, psd (for symmetric positive semidefinite M only), n<=N (at most N rows), pure (none of these)"
)]
pub struct UnknownCapability(String);

impl UnknownCapability {
    /// The word, or the start of a long one.
    pub fn word(&self) -> &str {
        &self.0
    }
}

impl Default for Capabilities {
    fn default() -> Self {
        Self {
            matrices: Matrices::Any,
            boxes: true,
            friction: false,
            cones: false,
            convex_cones: false,
            product_cones: false,
            unsolvable: true,
            max_rows: None,
        }
    }
}

impl Capabilities {
    /// Whatever can be sent.
    pub fn all() -> Self {
        Self {
            friction: true,
            cones: true,
            convex_cones: true,
            product_cones: true,
            ..Self::default()
        }
    }

    /// Solvable pure problems only: z >= 0, w >= 0, z'w = 0, any M.
    pub fn pure() -> Self {
        Self {
            boxes: false,
            unsolvable: false,
            ..Self::default()
        }
    }

    /// Why the problem is not for such a solver, by its form, its data and what it says of itself.
    /// Whether an unlabelled problem has a solution is not found out.
    pub fn lacks(&self, problem: &Problem) -> Option<Skip> {
        if !problem.is_binary64() {
            return Some(Skip::ExactData);
        }
        self.lacks_beside_data(problem)
    }

    /// The same for a solver that takes exact data, too.
    pub fn lacks_beside_data(&self, problem: &Problem) -> Option<Skip> {
        if let Some(most) = self.max_rows.filter(|&most| problem.n() > most) {
            return Some(Skip::Rows(most));
        }
        if !self.friction && !problem.friction().is_empty() {
            return Some(Skip::Friction);
        }
        if let Some(skip) = self.lacks_cones(problem) {
            return Some(skip);
        }
        if !self.boxes && has_boxes(problem) {
            return Some(Skip::Boxes);
        }
        let stated = problem.expect.as_ref().map(|expect| expect.status);
        if !self.unsolvable && stated == Some(Status::Unsolvable) {
            return Some(Skip::Unsolvable);
        }
        if self.matrices == Matrices::SymmetricPsd && !is_symmetric_psd(problem) {
            return Some(Skip::Matrix);
        }
        None
    }

    fn lacks_cones(&self, problem: &Problem) -> Option<Skip> {
        let has = |law| problem.cones().iter().any(|cone| cone.law == law);
        let is_product = problem.cones().iter().any(|cone| cone.discs.len() > 1);
        let skips = [
            (!self.cones && has(Law::Coulomb), Skip::Cones),
            (!self.convex_cones && has(Law::Convex), Skip::ConvexCones),
            (!self.product_cones && is_product, Skip::ProductCones),
        ];
        skips
            .into_iter()
            .find_map(|(lacks, skip)| lacks.then_some(skip))
    }

    /// The same with what is missing for problems that are skipped for this reason; `None` where no word of a list
    /// of capabilities would send them.
    pub fn with(&self, skip: &Skip) -> Option<Self> {
        let mut can = self.clone();
        match skip {
            Skip::Boxes => can.boxes = true,
            Skip::Friction => can.friction = true,
            Skip::Cones => can.cones = true,
            Skip::ConvexCones => can.convex_cones = true,
            Skip::ProductCones => can.product_cones = true,
            Skip::Unsolvable => can.unsolvable = true,
            Skip::ExactData | Skip::Matrix | Skip::Rows(_) => return None,
        }
        Some(can)
    }
}

fn has_boxes(problem: &Problem) -> bool {
    let rows = problem.rows();
    rows.iter()
        .any(|row| !matches!(row, Row::Nonnegative | Row::Friction { .. } | Row::Cone))
}

fn is_symmetric_psd(problem: &Problem) -> bool {
    if problem.n() > MAX_CLASSIFIED {
        let tagged = |word: &str| problem.remarks.tags.iter().any(|tag| tag == word);
        return tagged("symmetric")
            && (tagged("positive-semidefinite") || tagged("positive-definite"));
    }
    check_symmetric_psd(problem.m()).is_ok()
}

impl Capabilities {
    /// The words of a list, with what each says; a number belongs behind `n<=`.
    pub const WORDS: [(&str, &str); 9] = [
        ("boxes", "bounds other than z >= 0"),
        ("friction", "friction rows"),
        ("cones", "friction cones of one disc, Coulomb's law"),
        ("cones-convex", "friction cones, the convex law"),
        ("cones-product", "friction cones of several discs"),
        ("unsolvable", "problems without a solution"),
        ("n<=", "at most so many rows"),
        ("psd", "only symmetric positive semidefinite M"),
        ("pure", "none of these"),
    ];
}

impl FromStr for Capabilities {
    type Err = UnknownCapability;

    /// A list such as `boxes,friction,unsolvable`: what is not in it is not sent.
    fn from_str(list: &str) -> Result<Self, UnknownCapability> {
        let mut can = Self::pure();
        for word in list.split([',', ' ']).filter(|word| !word.is_empty()) {
            match word {
                "pure" => {}
                "boxes" => can.boxes = true,
                "friction" => can.friction = true,
                "cones" => can.cones = true,
                "cones-convex" => can.convex_cones = true,
                "cones-product" => can.product_cones = true,
                "unsolvable" => can.unsolvable = true,
                "psd" => can.matrices = Matrices::SymmetricPsd,
                _ => match word.strip_prefix("n<=").map(str::parse) {
                    Some(Ok(most)) => can.max_rows = Some(most),
                    _ => return Err(UnknownCapability(word.chars().take(40).collect())),
                },
            }
        }
        Ok(can)
    }
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        let mut say = |whether: bool, word: &str| {
            if whether {
                words.push(word.to_owned());
            }
        };
        say(self.matrices == Matrices::SymmetricPsd, "psd");
        say(self.boxes, "boxes");
        say(self.friction, "friction");
        say(self.cones, "cones");
        say(self.convex_cones, "cones-convex");
        say(self.product_cones, "cones-product");
        say(self.unsolvable, "unsolvable");
        if let Some(most) = self.max_rows {
            words.push(format!("n<={most}"));
        }
        if words.is_empty() {
            words.push("pure".to_owned());
        }
        f.write_str(&words.join(","))
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExactData => f.write_str("exact data"),
            Self::Boxes => f.write_str("boxes"),
            Self::Friction => f.write_str("friction rows"),
            Self::Cones => f.write_str("friction cones"),
            Self::ConvexCones => f.write_str("friction cones under the convex law"),
            Self::ProductCones => f.write_str("friction cones of several discs"),
            Self::Unsolvable => f.write_str("unsolvable"),
            Self::Matrix => f.write_str("M is not symmetric positive semidefinite"),
            Self::Rows(most) => write!(f, "more than {most} rows"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::record::read_problem;

    fn lacks(can: &str, more: &str) -> Option<Skip> {
        let record = format!(r#"{{"name": "p", "M": [[1, 0], [0, 1]], "q": [-1, 1]{more}}}"#);
        let problem = read_problem(&record).unwrap().record;
        can.parse::<Capabilities>().unwrap().lacks(&problem)
    }

    #[test]
    fn a_solver_is_asked_what_it_can_do() {
        assert_eq!(lacks("pure", ""), None);
        let friction = r#", "friction": [{"row": 1, "normal": 0, "mu": 1}]"#;
        assert_eq!(lacks("boxes", friction), Some(Skip::Friction));
        assert_eq!(lacks("friction", friction), None);
        let bounds = r#", "lower": [0, "-inf"]"#;
        assert_eq!(lacks("pure", bounds), Some(Skip::Boxes));
        assert_eq!(lacks("boxes", bounds), None);
        let none = r#", "expect": {"status": "unsolvable"}"#;
        assert_eq!(lacks("pure", none), Some(Skip::Unsolvable));
        assert_eq!(lacks("unsolvable", none), None);
        assert_eq!(lacks("n<=1", ""), Some(Skip::Rows(1)));
        assert_eq!(lacks("psd", ""), None);
        let skew = r#"{"name": "p", "M": [[1, 1], [-1, 1]], "q": [-1, 1]}"#;
        let skew = read_problem(skew).unwrap().record;
        let psd: Capabilities = "psd".parse().unwrap();
        assert_eq!(psd.lacks(&skew), Some(Skip::Matrix));
    }

    #[test]
    fn a_missing_capability_is_added_to_what_there_is() {
        let can: Capabilities = "psd,unsolvable,n<=30".parse().unwrap();
        let more = can.with(&Skip::Boxes).map(|can| can.to_string());
        assert_eq!(more.as_deref(), Some("psd,boxes,unsolvable,n<=30"));
        assert_eq!(can.with(&Skip::ExactData), None);
        for (word, _) in Capabilities::WORDS {
            let Ok(more) = word.parse::<Capabilities>() else {
                continue;
            };
            let skips = [
                Skip::Boxes,
                Skip::Friction,
                Skip::Cones,
                Skip::ConvexCones,
                Skip::ProductCones,
                Skip::Unsolvable,
            ];
            let sends = skips.iter().find(|skip| skip.word() == Some(word));
            if let Some(skip) = sends {
                assert_eq!(Capabilities::pure().with(skip), Some(more), "{word}");
            }
        }
    }

    #[test]
    fn all_words_are_read_and_no_others() {
        let pure = Capabilities::pure();
        for (word, _) in Capabilities::WORDS {
            let list = match word {
                "n<=" => "n<=7",
                word => word,
            };
            let can: Capabilities = list.parse().unwrap();
            assert_eq!(can == pure, word == "pure", "{word}");
            assert!(UnknownCapability(String::new()).to_string().contains(word));
        }
        for wrong in ["n<=", "n<=x", "box"] {
            assert!(wrong.parse::<Capabilities>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn capabilities_are_read_as_they_are_written() {
        for list in ["pure", "psd,boxes,friction,unsolvable,n<=30", "friction"] {
            let can: Capabilities = list.parse().unwrap();
            assert_eq!(can.to_string(), list);
        }
        assert!("boxs".parse::<Capabilities>().is_err());
    }
}
