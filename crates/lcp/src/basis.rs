//! Complementary bases: which variable of each pair is basic.

use std::fmt;
use std::str::FromStr;

/// Of each pair (w_i, z_i), whether z_i is the basic one. Text form: a bit string, row 0 first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Basis(Vec<bool>);

/// A bit string with something else in it than 0 and 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a basis is a string of 0 and 1, one for each row; found {found:?}")]
pub struct BasisError {
    /// The first other character.
    pub found: char,
}

impl Basis {
    /// The basis in which z_i is basic where `z_basic[i]`.
    pub fn new(z_basic: Vec<bool>) -> Self {
        Self(z_basic)
    }

    /// The number of pairs.
    pub fn n(&self) -> usize {
        self.0.len()
    }

    /// Whether z_i is basic (and w_i = 0).
    ///
    /// # Panics
    /// When i is not below n.
    pub fn z_is_basic(&self, i: usize) -> bool {
        self.0[i]
    }

    /// The rows whose z is basic, ascending: the index set alpha of M_alpha,alpha.
    pub fn alpha(&self) -> Vec<usize> {
        (0..self.0.len()).filter(|&i| self.0[i]).collect()
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.0.iter().map(|&bit| if bit { '1' } else { '0' });
        f.write_str(&bits.collect::<String>())
    }
}

impl FromStr for Basis {
    type Err = BasisError;

    fn from_str(text: &str) -> Result<Self, BasisError> {
        let bit = |found| match found {
            '0' => Ok(false),
            '1' => Ok(true),
            _ => Err(BasisError { found }),
        };
        text.chars().map(bit).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_string_reads_back() {
        let basis: Basis = "0110".parse().unwrap();
        assert_eq!(basis.alpha(), [1, 2]);
        assert_eq!(basis.to_string(), "0110");
        assert_eq!("01x".parse::<Basis>(), Err(BasisError { found: 'x' }));
    }
}
