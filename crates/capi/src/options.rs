//! What a caller may choose.

use std::ffi::c_char;
use std::ptr;
use std::time::Duration;

use etalon::certify::{Measure, Tolerance};
use etalon::exact::Budget;
use etalon::judge::{Judge, proof_budget};
use etalon::lcp::{format_f64, parse_rational};
use etalon::methods::Method;
use rug::Rational;

use crate::status::Error;

/// By which measure an answer is right or wrong.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EtalonMeasure {
    /// The natural-scale error: independent of units, forgives the rounding of stable solvers.
    Natural = 0,
    /// The componentwise backward error and what is outside.
    Componentwise = 1,
    /// The block error and what is outside.
    Block = 2,
}

impl From<EtalonMeasure> for Measure {
    fn from(measure: EtalonMeasure) -> Self {
        match measure {
            EtalonMeasure::Natural => Self::Natural,
            EtalonMeasure::Componentwise => Self::Componentwise,
            EtalonMeasure::Block => Self::Block,
        }
    }
}

/// What a caller may choose. Made by etalon_options_new() with the defaults; set what should be otherwise.
#[repr(C)]
pub struct EtalonOptions {
    /// Largest error of an accepted answer: at least 0, below 1; default 1e-9. Taken by its shortest decimal text, so
    /// that 1e-9 is 1/1000000000.
    pub tolerance: f64,
    /// Which error that is; default ETALON_MEASURE_NATURAL.
    pub measure: EtalonMeasure,
    /// For the backward error, entries within this of a bound in natural size may count as on it; default 1e-12, 0 for
    /// none.
    pub snap: f64,
    /// Whether to look for the truth of every problem that is checked, not only where a claim hangs on it: then
    /// `truth`, `unique`, `distance` and the verdict "perturbed" can be had. Default false.
    pub prove: bool,
    /// Whether an answer to a neighbour of an unsolvable problem (verdict "perturbed") counts as accepted. Default
    /// false.
    pub accept_perturbed: bool,
    /// How etalon_solve() solves: "certified", "exact-lemke", ..., as `etalon solve --help` lists them; NULL for the
    /// default, "certified". The caller keeps the text until after the last call with these options.
    pub method: *const c_char,
    /// Longest time for the exact arithmetic of one call, in seconds; INFINITY for none. 0, the default, means none for
    /// solving, and for the proofs of a check the work of about a minute, which is counted and not timed: then results do
    /// not depend on the machine.
    pub time_limit: f64,
    /// Largest number of pivots of one call; 0, the default, for 1000000.
    pub pivots: u64,
}

impl Default for EtalonOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            measure: EtalonMeasure::Natural,
            snap: 1e-12,
            prove: false,
            accept_perturbed: false,
            method: ptr::null(),
            time_limit: 0.0,
            pivots: 0,
        }
    }
}

impl EtalonOptions {
    /// The judge.
    pub(crate) fn judge(&self) -> Result<Judge, Error> {
        Ok(Judge {
            tolerance: Tolerance {
                tol: relative("tolerance", self.tolerance)?,
                snap: relative("snap", self.snap)?,
                measure: self.measure.into(),
            },
            prove: self.prove,
            accept_perturbed: self.accept_perturbed,
            budget: self.budget(proof_budget())?,
        })
    }

    /// How much work exact arithmetic may do; `usual` where no time is given.
    pub(crate) fn budget(&self, usual: Budget) -> Result<Budget, Error> {
        let none = Budget::default();
        let (time, work) = match self.time_limit {
            0.0 => (usual.time, usual.work),
            f64::INFINITY => (None, none.work),
            seconds => {
                let time = Duration::try_from_secs_f64(seconds).map_err(|error| {
                    Error::Option(format!("time_limit is {seconds} seconds: {error}"))
                })?;
                (Some(time), none.work)
            }
        };
        let pivots = match self.pivots {
            0 => none.pivots,
            pivots => pivots,
        };
        Ok(Budget {
            pivots,
            time,
            work,
            ..none
        })
    }
}

/// The method of that name.
pub(crate) fn method(name: Option<&str>) -> Result<Method, Error> {
    Ok(name.map_or_else(|| Ok(Method::default()), str::parse)?)
}

fn relative(field: &str, value: f64) -> Result<Rational, Error> {
    // Every z within its bounds has an error of at most 1, so 1 would accept everything.
    if !(0.0..1.0).contains(&value) {
        let range = "is at least 0 and below 1";
        return Err(Error::Option(format!(
            "{field} is {value}, but a relative tolerance {range}"
        )));
    }
    parse_rational(&format_f64(value)).map_err(|error| Error::Option(format!("{field}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_command_line() {
        let judge = EtalonOptions::default().judge().unwrap();
        assert_eq!(judge.tolerance, Tolerance::default());
        assert!(!judge.prove);
        assert_eq!(judge.budget, proof_budget());
        let budget = EtalonOptions::default().budget(Budget::default()).unwrap();
        assert_eq!(budget, Budget::default());
        assert_eq!(method(None).unwrap().name(), "certified");
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for value in [-1e-9, 1.0, f64::NAN, f64::INFINITY] {
            for options in [
                EtalonOptions {
                    tolerance: value,
                    ..EtalonOptions::default()
                },
                EtalonOptions {
                    snap: value,
                    ..EtalonOptions::default()
                },
            ] {
                assert!(options.judge().is_err(), "{value}");
            }
        }
        for time_limit in [-1.0, f64::NAN, f64::NEG_INFINITY, 1e300] {
            let options = EtalonOptions {
                time_limit,
                ..EtalonOptions::default()
            };
            assert!(options.budget(Budget::default()).is_err(), "{time_limit}");
        }
        assert!(method(Some("exact-lemkee")).is_err());
    }
}
