//! Arguments that several commands share.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use etalon_certify::{Measure, Tolerance};
use etalon_evidence::heading;
use etalon_exact::Budget;
use etalon_judge::proof_budget;
use etalon_lcp::parse_rational;
use etalon_methods::Method;
use rug::Rational;
use serde_json::{Map, Value, json};

/// The measure that decides whether an answer is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MeasureArg {
    /// The natural-scale error: independent of units, tolerates the rounding of stable solvers
    Natural,
    /// The componentwise backward error: entries that are 0 stay 0
    Componentwise,
    /// The block error: rows of one vector are measured together; the default where there are friction cones
    Block,
}

impl From<MeasureArg> for Measure {
    fn from(arg: MeasureArg) -> Self {
        match arg {
            MeasureArg::Natural => Self::Natural,
            MeasureArg::Componentwise => Self::Componentwise,
            MeasureArg::Block => Self::Block,
        }
    }
}

/// How far an answer may be from exact.
#[derive(Debug, Clone, Args)]
pub struct ToleranceArgs {
    /// Largest error of an accepted answer
    #[arg(long, value_name = "T", default_value = "1e-9", value_parser = tolerance, allow_hyphen_values = true)]
    pub tol: Rational,

    /// The figure that is compared with T. By default this is the natural-scale error. With friction cones it is the block
    /// error and what is outside of them. The others count what is outside, too
    #[arg(long, value_name = "MEASURE", default_value = "natural")]
    pub measure: MeasureArg,

    /// For the backward error, entries within T of a bound in natural size may count as on it; 0 for
    /// none
    #[arg(long, value_name = "T", default_value = "1e-12", value_parser = tolerance, allow_hyphen_values = true)]
    pub snap: Rational,

    /// Accept answers to a neighbour of an unsolvable problem (verdict `perturbed`)
    #[arg(long)]
    pub accept_perturbed: bool,
}

impl ToleranceArgs {
    /// The tolerances.
    pub fn tolerance(&self) -> Tolerance {
        Tolerance {
            tol: self.tol.clone(),
            snap: self.snap.clone(),
            measure: self.measure.into(),
        }
    }

    /// The fields of these options in a file of verdicts.
    pub fn record(&self) -> Map<String, Value> {
        heading::tolerance(&self.tolerance(), self.accept_perturbed)
    }

    /// These arguments again, where they are not the defaults: each with a blank before it.
    pub fn words(&self) -> String {
        let default = Tolerance::default();
        let mut words = String::new();
        for (flag, own, usual) in [
            ("--tol", &self.tol, &default.tol),
            ("--snap", &self.snap, &default.snap),
        ] {
            if own != usual {
                words += &format!(" {flag} {own}");
            }
        }
        let measure = Measure::from(self.measure);
        if measure != default.measure {
            words += &format!(" --measure {}", measure.word());
        }
        if self.accept_perturbed {
            words += " --accept-perturbed";
        }
        words
    }
}

/// The budget of exact methods on one problem.
#[derive(Debug, Clone, Args)]
pub struct BudgetArgs {
    /// Largest number of pivots
    #[arg(long, value_name = "COUNT", default_value_t = Budget::default().pivots)]
    pub pivots: u64,

    /// Largest number of bits in a number of the tableau
    #[arg(long, value_name = "BITS", default_value_t = Budget::default().bits)]
    pub bits: u64,

    /// Longest time, such as 10s, 500ms or 2m. It is asked between pivots and before factors, one of which may take longer. Without
    /// it results do not depend on the machine. A proof that a verdict needs
    /// may then take the work of about a minute
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
}

impl BudgetArgs {
    /// The budget of a method.
    pub fn budget(&self) -> Budget {
        Budget {
            pivots: self.pivots,
            bits: self.bits,
            time: self.time_limit,
            ..Budget::default()
        }
    }

    /// The budget of a proof that a verdict needs: the work is bounded where the time is not.
    pub fn proof_budget(&self) -> Budget {
        let own = self.budget();
        Budget {
            work: self.time_limit.map_or(proof_budget().work, |_| own.work),
            ..own
        }
    }

    /// The fields of these options in a file of verdicts, by the names of the flags; the time in seconds.
    pub fn record(&self) -> Map<String, Value> {
        let time = self.time_limit;
        let fields = [
            ("pivots", json!(self.pivots)),
            ("bits", json!(self.bits)),
            ("time_limit", json!(time.map(|time| time.as_secs_f64()))),
        ];
        fields
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect()
    }
}

/// A time with its unit, or none at all: `0s`.
pub fn duration_or_none(text: &str) -> std::result::Result<Duration, String> {
    match text {
        "0" | "0s" => Ok(Duration::ZERO),
        _ => duration(text),
    }
}

/// A time with its unit; seconds where none is given.
pub fn duration(text: &str) -> std::result::Result<Duration, String> {
    let digits = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    let scale = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("{unit:?} is no unit of time; write ms, s, m or h")),
    };
    let seconds = number.parse::<f64>().map(|number| number * scale);
    match seconds.map(Duration::try_from_secs_f64) {
        Ok(Ok(duration)) if !duration.is_zero() => Ok(duration),
        _ => Err("write a time above 0, such as 10s".to_owned()),
    }
}

/// A relative tolerance, taken exactly: 1e-9, 1/1000, 0.
pub fn tolerance(text: &str) -> std::result::Result<Rational, String> {
    let value = parse_rational(text).map_err(|error| error.to_string())?;
    // Every z within its bounds has an error of at most 1, so 1 would accept everything.
    if !(0..1).contains(&value) {
        return Err("a relative tolerance is at least 0 and below 1".to_owned());
    }
    Ok(value)
}

/// The names of the methods: shells complete them, and a slip is told what is near.
pub fn method() -> impl TypedValueParser<Value = Method> {
    let names = Method::all().map(Method::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Method>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "0", "-1", "s", "1y", "inf", "nan", "1e300h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tolerances_are_exact_and_sensible() {
        assert_eq!(tolerance("1e-9"), Ok(Rational::from((1, 1_000_000_000))));
        assert_eq!(tolerance("0"), Ok(Rational::new()));
        for wrong in ["-1e-9", "1", "2", "nan", "inf", "1e999999999", "1/0", ""] {
            assert!(tolerance(wrong).is_err(), "{wrong}");
        }
    }
}
