//! Trajectories as JSON lines, `etalon-trajectory/1`.
//!
//! Numbers of fractions are strings (`"-7/5"`). On the grid q and v are JSON numbers that are
//! exactly the state wherever binary64 holds it, strings otherwise; what derives from them is
//! rounded to nearest, unless it is beyond binary64. In binary64 all are JSON numbers.

use etalon_lcp::Basis;
use etalon_rigid::Scalar;
use etalon_time_stepping::{Energy, Kind};
use rug::Rational;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::MotionInstance;

/// The format's name.
pub const FORMAT: &str = "etalon-trajectory/1";

/// The fields of headers and steps that come first, in the order of the format.
const ORDER: &[&str] = &[
    "format",
    "scenario",
    "parameters",
    "h",
    "k",
    "t",
    "q",
    "v",
    "contacts",
    "lcp",
    "energy",
    "dissipated",
];

/// A header or a step as its line, without the end of line: the format's fields in its order, then
/// the others by name.
pub fn line_text(line: &Value) -> String {
    let Value::Object(fields) = line else {
        return line.to_string();
    };
    let first = ORDER.iter().filter_map(|name| fields.get_key_value(*name));
    let others = fields
        .iter()
        .filter(|(name, _)| !ORDER.contains(&name.as_str()));
    let entry = |(name, value): (&String, &Value)| format!("{}:{value}", json!(name));
    let entries: Vec<_> = first.chain(others).map(entry).collect();
    format!("{{{}}}", entries.join(","))
}

/// Writes numbers of one arithmetic.
#[derive(Debug, Clone, Copy)]
pub struct Writer(pub Kind);

impl Writer {
    /// A number of a state: as it is.
    pub fn state<S: Scalar>(self, value: &S) -> Value {
        let exact = value.to_number().map(|n| n.to_rational());
        match (self.0, exact) {
            // There is one zero only.
            (Kind::Binary64, _) => json!(value.to_f64() + 0.0),
            (Kind::Grid(_), Some(exact)) => {
                let nearest = value.to_f64();
                if Rational::from_f64(nearest).is_some_and(|nearest| nearest == exact) {
                    json!(nearest)
                } else {
                    exact.to_string().into()
                }
            }
            (_, Some(exact)) => exact.to_string().into(),
            (_, None) => Value::Null,
        }
    }

    /// A number that derives from states; on a grid one beyond binary64 stays as it is.
    pub fn derived<S: Scalar>(self, value: &S) -> Value {
        match self.0 {
            Kind::Rational => self.state(value),
            Kind::Grid(_) if !value.to_f64().is_finite() => self.state(value),
            _ => json!(value.to_f64() + 0.0),
        }
    }

    pub fn states<S: Scalar>(self, values: &[S]) -> Value {
        values.iter().map(|value| self.state(value)).collect()
    }

    pub fn deriveds<S: Scalar>(self, values: &[S]) -> Value {
        values.iter().map(|value| self.derived(value)).collect()
    }

    /// k h.
    pub fn time(self, k: u64, h: &Rational) -> Value {
        self.derived(&Rational::from(h * k))
    }

    pub fn energy<S: Scalar>(self, energy: &Energy<S>) -> Value {
        json!({
            "kinetic": self.derived(&energy.kinetic),
            "potential": self.derived(&energy.potential),
        })
    }
}

/// A problem and its solution: size, pivots, basis, and the SHA-256 of the exact z, written as
/// reduced fractions with a space between any two.
pub fn lcp<S: Scalar>(z: &[S], basis: &Basis, pivots: Option<u64>) -> Value {
    let exact = |z: &S| {
        let number = z.to_number();
        number.map_or_else(|| z.to_string(), |n| n.to_rational().to_string())
    };
    let text: Vec<String> = z.iter().map(exact).collect();
    let digest = Sha256::digest(text.join(" ").as_bytes());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "n": z.len(),
        "pivots": pivots,
        "basis": basis.to_string(),
        "sha256": digest,
    })
}

/// The values of all parameters, as text.
pub fn parameters(instance: &MotionInstance) -> Value {
    Value::Object(instance.values.texts(instance.part.parameters))
}
