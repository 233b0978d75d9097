//! How steps are taken.

use std::fmt;
use std::str::FromStr;

use etalon_rigid::Scalar;

use crate::error::StepError;

/// Where M, n and D are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Scheme {
    /// At q^l: one linear problem a step.
    Linear,
    /// At q^l + h v^l: one linear problem a step (remark 4).
    Predicted,
    /// At q^l + h v^l / 2, halfway to that: one linear problem a step.
    Midpoint,
    /// At q^(l+1), by the fixed point of section 3.6: a linear problem an iteration.
    #[default]
    FixedPoint,
    /// At q^(l+1), by Newton's method with the curvature of the gaps, and the fixed point where
    /// the model knows none.
    Newton,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Linear,
        Self::Midpoint,
        Self::Predicted,
        Self::FixedPoint,
        Self::Newton,
    ];

    /// The name: `linear`, `predicted`, `midpoint`, `fixed-point` or `newton`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Predicted => "predicted",
            Self::Midpoint => "midpoint",
            Self::FixedPoint => "fixed-point",
            Self::Newton => "newton",
        }
    }

    /// The share of h v^l by which the point of evaluation is ahead of q^l, in halves, where it is known before the step; none where the
    /// step iterates for it.
    pub fn halves_ahead(self) -> Option<u32> {
        match self {
            Self::Linear => Some(0),
            Self::Midpoint => Some(1),
            Self::Predicted => Some(2),
            Self::FixedPoint | Self::Newton => None,
        }
    }

    /// How far ahead of q^l the point of evaluation is, as a time: 0, h/2 or h; none where the step iterates for it.
    pub fn time_ahead<S: Scalar>(self, h: &S) -> Option<S> {
        let halves = self.halves_ahead()?;
        Some(h.clone() * &S::ratio(i64::from(halves), 2))
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scheme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|own| own.name() == text);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("{text:?} is no scheme; they are {names}")
        })
    }
}

/// Which contacts take part in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Activation {
    /// Those that pressed in the last step and those violated at q^l + h v^l, and then, until there
    /// are none, those violated at q^(l+1) (section 4).
    #[default]
    WhenViolated,
    /// All, in one problem.
    All,
}

impl Activation {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::WhenViolated, Self::All];

    /// The name: `when-violated` or `all`.
    pub fn name(self) -> &'static str {
        match self {
            Self::WhenViolated => "when-violated",
            Self::All => "all",
        }
    }
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Activation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::BOTH.into_iter().find(|own| own.name() == text);
        found.ok_or_else(|| {
            let names = Self::BOTH.map(Self::name).join(" and ");
            format!("{text:?} is no rule of activation; they are {names}")
        })
    }
}

/// How steps are taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings<S> {
    /// The step size h, s.
    pub h: S,
    /// Where M, n and D are evaluated.
    pub scheme: Scheme,
    /// Which contacts take part.
    pub activation: Activation,
    /// Largest difference between the position that was assumed and the one that came out, in any
    /// coordinate, at which a fixed point counts as found.
    pub tolerance: S,
    /// Largest number of iterations of one attempt.
    pub iterations: usize,
    /// How often an iteration that does not converge is tried again with half the step.
    pub dampings: usize,
}

impl<S: Scalar> Settings<S> {
    /// Fixed point to 1e-10, activation as in section 4, 100 iterations, 4 dampings.
    pub fn new(h: S) -> Self {
        Self {
            h,
            scheme: Scheme::default(),
            activation: Activation::default(),
            tolerance: S::ratio(1, 10_000_000_000),
            iterations: 100,
            dampings: 4,
        }
    }

    /// The same settings with another scheme.
    pub fn with_scheme(mut self, scheme: Scheme) -> Self {
        self.scheme = scheme;
        self
    }

    /// The same settings with another activation.
    pub fn with_activation(mut self, activation: Activation) -> Self {
        self.activation = activation;
        self
    }

    /// Checks that h is positive and finite, the tolerance not negative and iterations allowed.
    ///
    /// # Errors
    /// [`StepError::Setting`].
    pub fn check(&self) -> Result<(), StepError> {
        let bad = |setting, value: String, range| {
            Err(StepError::Setting {
                setting,
                value,
                range,
            })
        };
        check_step_length(&self.h)?;
        if self.tolerance.signum() < 0 || !self.tolerance.is_finite() {
            return bad("tolerance", self.tolerance.to_string(), "at least 0");
        }
        if self.iterations == 0 {
            return bad("iterations", "0".to_owned(), "at least 1");
        }
        Ok(())
    }
}

/// Refuses a step whose length lines cannot hold: they have times in binary64.
pub(crate) fn check_step_length<S: Scalar>(h: &S) -> Result<(), StepError> {
    if h.signum() > 0 && h.to_f64().is_normal() {
        return Ok(());
    }
    // What is no number is none that a step can have, as 0 is.
    let exact = h.to_number().map(|own| own.to_rational());
    Err(StepError::of_step_length(&exact.unwrap_or_default()))
}
