//! Numbers, problems and parameters as the lines of a trajectory have them.
//!
//! Numbers of fractions are strings (`"-7/5"`). On the grid q and v are JSON numbers that are
//! exactly the state wherever binary64 holds it, strings otherwise; what derives from them is
//! rounded to nearest, unless it is beyond binary64. In binary64 all are JSON numbers.

use std::collections::BTreeMap;

use etalon_golden::trajectory::{self, Quantity};
use etalon_lcp::Basis;
use etalon_rigid::Scalar;
use etalon_time_stepping::{Energy, Kind};
use rug::Rational;
use sha2::{Digest, Sha256};

use super::MotionInstance;

/// Writes numbers of one arithmetic.
#[derive(Debug, Clone, Copy)]
pub struct Writer(pub Kind);

impl Writer {
    /// A number of a state: as it is.
    pub fn state<S: Scalar>(self, value: &S) -> Quantity {
        let exact = value.to_number().map(|n| n.to_rational());
        match (self.0, exact) {
            (Kind::Binary64, _) => binary64(value.to_f64()),
            (Kind::Grid(_), Some(exact)) => {
                let nearest = value.to_f64();
                if Rational::from_f64(nearest).is_some_and(|nearest| nearest == exact) {
                    Quantity::binary64(nearest)
                } else {
                    Quantity::fraction(&exact)
                }
            }
            (_, Some(exact)) => Quantity::fraction(&exact),
            (_, None) => Quantity::None,
        }
    }

    /// A number that derives from states; on a grid one beyond binary64 stays as it is.
    pub fn derived<S: Scalar>(self, value: &S) -> Quantity {
        match self.0 {
            Kind::Rational => self.state(value),
            Kind::Grid(_) if !value.to_f64().is_finite() => self.state(value),
            _ => binary64(value.to_f64()),
        }
    }

    pub fn states<S: Scalar>(self, values: &[S]) -> Vec<Quantity> {
        values.iter().map(|value| self.state(value)).collect()
    }

    pub fn deriveds<S: Scalar>(self, values: &[S]) -> Vec<Quantity> {
        values.iter().map(|value| self.derived(value)).collect()
    }

    /// k h.
    pub fn time(self, k: u64, h: &Rational) -> Quantity {
        self.derived(&Rational::from(h * k))
    }

    pub fn energy<S: Scalar>(self, energy: &Energy<S>) -> trajectory::Energy {
        trajectory::Energy {
            kinetic: self.derived(&energy.kinetic),
            potential: self.derived(&energy.potential),
            ..Default::default()
        }
    }
}

/// A number of a scene in motion in binary64. There is one zero only: -0 + 0 is 0.
pub fn binary64(value: f64) -> Quantity {
    Quantity::binary64(value + 0.0)
}

/// A problem and its solution: size, pivots, basis, and the SHA-256 of the exact z, written as
/// reduced fractions with a space between any two.
pub fn lcp<S: Scalar>(z: &[S], basis: &Basis, pivots: Option<u64>) -> trajectory::Lcp {
    let exact = |z: &S| {
        let number = z.to_number();
        number.map_or_else(|| z.to_string(), |n| n.to_rational().to_string())
    };
    let text: Vec<String> = z.iter().map(exact).collect();
    let digest = Sha256::digest(text.join(" ").as_bytes());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    trajectory::Lcp {
        n: z.len() as u64,
        pivots,
        basis: basis.to_string(),
        sha256: digest,
        ..Default::default()
    }
}

/// The values of all parameters, as text.
pub fn parameters(instance: &MotionInstance) -> BTreeMap<String, String> {
    instance.values.texts(instance.part.parameters)
}
