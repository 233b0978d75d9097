//! The methods, and their names on the command line.

use std::fmt;
use std::str::FromStr;

/// A binary64 method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FastMethod {
    /// The method that fits the structure, then those that might do.
    Auto,
    /// Dantzig's principal pivoting (Baraff 1994): symmetric positive semidefinite M, boxes,
    /// bilateral rows.
    Dantzig,
    /// Lexicographic Lemke: any M.
    Lemke,
    /// Block principal pivoting: symmetric positive semidefinite M and P-matrices; on others
    /// it may give up.
    Block,
}

/// A name that belongs to no method.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no fast method; the methods are {}", FastMethod::ALL.map(FastMethod::name).join(", "))]
pub struct UnknownFastMethod {
    /// The name.
    pub name: String,
}

impl FastMethod {
    /// All methods, the default first.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Dantzig, Self::Lemke, Self::Block];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "fast-auto",
            Self::Dantzig => "fast-dantzig",
            Self::Lemke => "fast-lemke",
            Self::Block => "fast-block",
        }
    }
}

impl fmt::Display for FastMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for FastMethod {
    type Err = UnknownFastMethod;

    fn from_str(name: &str) -> Result<Self, UnknownFastMethod> {
        let known = Self::ALL.into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| UnknownFastMethod {
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_goes_by_its_own_name() {
        for (k, method) in FastMethod::ALL.into_iter().enumerate() {
            assert_eq!(method.name().parse(), Ok(method));
            assert_eq!(method.to_string(), method.name());
            assert!(method.name().starts_with("fast-"));
            assert!(!FastMethod::ALL[..k].contains(&method));
        }
        let error = "fast".parse::<FastMethod>().unwrap_err().to_string();
        for method in FastMethod::ALL {
            assert!(error.contains(method.name()), "{error}");
        }
    }
}
