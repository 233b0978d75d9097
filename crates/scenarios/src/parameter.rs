//! The parameters of a scenario, with defaults and values.

use std::collections::BTreeMap;

use etalon_lcp::parse_rational;
use rug::Rational;

use crate::part::ScenarioPart;

/// Something that can be set.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name, unique in its scenario.
    pub name: &'static str,
    /// The name that records, headers of trajectories and names of records carry: that of the first
    /// release, so that stored files stay as they are. It is taken in settings, too.
    pub recorded: &'static str,
    /// The value where none is given, exact.
    pub default: &'static str,
    /// The unit; empty for pure numbers.
    pub unit: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// Its permitted values.
    pub range: ParameterRange,
    /// Whether records carry it only where it is not the default: it came after files were stored, which stay as they are.
    pub later: bool,
}

/// The permitted values of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterRange {
    /// Any number.
    Any,
    /// Above zero.
    Positive,
    /// At least zero.
    Nonnegative,
    /// At least zero and at most one.
    UpToOne,
    /// Above zero and at most one.
    Share,
    /// A whole number within bounds, both included.
    Count(u32, u32),
    /// One of several words; its value is its position among them.
    Choice(&'static [&'static str]),
}

/// Why there is no instance.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// No scenario of that name.
    #[error("there is no scenario {name:?}; `etalon scenario list` names them")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The scenario has no such parameter.
    #[error("{scenario} has no parameter {name:?}; its parameters are {known}")]
    Parameter {
        /// The scenario.
        scenario: &'static str,
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// The scenario has no such part.
    #[error("{scenario} is not {part}, but {has}")]
    NoPart {
        /// The scenario.
        scenario: &'static str,
        /// The requested part.
        part: ScenarioPart,
        /// What it is.
        has: ScenarioPart,
    },
    /// The parameter belongs to another part of the scenario.
    #[error(
        "{scenario} has no parameter {name:?} as {part}, only as {has}: choose that part (`--as {0}`, in Python kind=\"{0}\")",
        has.word()
    )]
    OtherPart {
        /// The scenario.
        scenario: &'static str,
        /// The name.
        name: String,
        /// The part that was asked for.
        part: ScenarioPart,
        /// The part that has the parameter.
        has: ScenarioPart,
    },
    /// A value that is no number.
    #[error("{parameter}: {problem}")]
    Number {
        /// The parameter.
        parameter: &'static str,
        /// The fault in the text.
        problem: String,
    },
    /// A value outside the parameter's range.
    #[error("{parameter} is {value}, but must be {range}")]
    Range {
        /// The parameter.
        parameter: &'static str,
        /// The value.
        value: String,
        /// The permitted values.
        range: String,
    },
}

impl std::fmt::Display for ParameterRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Any => f.write_str("any number"),
            Self::Positive => f.write_str("above 0"),
            Self::Nonnegative => f.write_str("at least 0"),
            Self::UpToOne => f.write_str("at least 0 and at most 1"),
            Self::Share => f.write_str("above 0 and at most 1"),
            Self::Count(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::Choice(words) => f.write_str(&words.join(" or ")),
        }
    }
}

impl ParameterRange {
    fn holds(self, value: &Rational) -> bool {
        match self {
            Self::Any => true,
            Self::Positive => *value > 0,
            Self::Nonnegative => *value >= 0,
            Self::UpToOne => *value >= 0 && *value <= 1,
            Self::Share => *value > 0 && *value <= 1,
            Self::Count(low, high) => value.is_integer() && *value >= low && *value <= high,
            // Read by position.
            Self::Choice(words) => value.is_integer() && *value >= 0 && *value < words.len(),
        }
    }
}

/// The value of every parameter of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values(BTreeMap<&'static str, Rational>);

impl Values {
    /// The values given as text, defaults elsewhere.
    ///
    /// # Errors
    /// [`ScenarioError`] for unknown parameters and values out of range.
    pub(crate) fn read<'a>(
        scenario: &'static str,
        parameters: &'static [Parameter],
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ScenarioError> {
        let mut values = BTreeMap::new();
        for parameter in parameters {
            values.insert(parameter.name, parameter.read(parameter.default)?);
        }
        for (name, text) in settings {
            let known = parameters.iter().find(|p| p.is_called(name));
            let parameter = known.ok_or_else(|| {
                let names: Vec<_> = parameters.iter().map(|p| p.name).collect();
                ScenarioError::Parameter {
                    scenario,
                    name: name.to_owned(),
                    known: names.join(", "),
                }
            })?;
            values.insert(parameter.name, parameter.read(text)?);
        }
        Ok(Self(values))
    }

    /// The value of a parameter (zero for one that the scenario does not have).
    pub fn get(&self, name: &str) -> Rational {
        self.0.get(name).cloned().unwrap_or_default()
    }

    /// Sets a parameter that the scenario has.
    pub(crate) fn set(&mut self, name: &str, value: Rational) {
        if let Some(own) = self.0.get_mut(name) {
            *own = value;
        }
    }

    /// The value of a counting parameter.
    pub fn count(&self, name: &str) -> usize {
        // Ranges bound counts by u32.
        self.get(name).numer().to_usize().unwrap_or(0)
    }

    /// Whether a parameter of 0 or 1 is 1.
    pub fn is_set(&self, name: &str) -> bool {
        self.count(name) == 1
    }

    /// The word of a parameter that is a choice, as that parameter says.
    pub fn word(&self, parameter: &Parameter) -> &'static str {
        match parameter.range {
            ParameterRange::Choice(words) => {
                words.get(self.count(parameter.name)).copied().unwrap_or("")
            }
            _ => "",
        }
    }

    /// The values of parameters as records and headers carry them, by recorded name.
    pub fn texts(&self, parameters: &[Parameter]) -> BTreeMap<String, String> {
        let text = |parameter: &Parameter| {
            let text = match parameter.range {
                ParameterRange::Choice(_) => self.word(parameter).to_owned(),
                _ => self.get(parameter.name).to_string(),
            };
            let is_said = !(parameter.later && text == parameter.default);
            is_said.then(|| (parameter.recorded.to_owned(), text))
        };
        parameters.iter().filter_map(text).collect()
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Rational)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

impl Parameter {
    /// Whether that is its name, or the one that records carry.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.recorded == name
    }

    /// The value of a text; for words their position.
    pub(crate) fn read(&self, text: &str) -> Result<Rational, ScenarioError> {
        if let ParameterRange::Choice(words) = self.range {
            let found = words.iter().position(|word| *word == text);
            return found
                .map(Rational::from)
                .ok_or_else(|| ScenarioError::Range {
                    parameter: self.name,
                    value: text.to_owned(),
                    range: self.range.to_string(),
                });
        }
        let value = parse_rational(text).map_err(|error| ScenarioError::Number {
            parameter: self.name,
            problem: error.to_string(),
        })?;
        if self.range.holds(&value) {
            return Ok(value);
        }
        Err(ScenarioError::Range {
            parameter: self.name,
            value: value.to_string(),
            range: self.range.to_string(),
        })
    }
}

/// A parameter with any value.
pub(crate) const fn any(
    name: &'static str,
    default: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Parameter {
    Parameter {
        name,
        recorded: name,
        default,
        unit,
        meaning,
        range: ParameterRange::Any,
        later: false,
    }
}

impl Parameter {
    /// The same parameter, which records carry under another name.
    pub(crate) const fn recorded_as(mut self, name: &'static str) -> Self {
        self.recorded = name;
        self
    }

    /// The same parameter, which records carry only where it is not the default.
    pub(crate) const fn later(mut self) -> Self {
        self.later = true;
        self
    }

    /// The same parameter, above zero.
    pub(crate) const fn positive(mut self) -> Self {
        self.range = ParameterRange::Positive;
        self
    }

    /// The same parameter, at least zero.
    pub(crate) const fn nonnegative(mut self) -> Self {
        self.range = ParameterRange::Nonnegative;
        self
    }

    /// The same parameter, at least zero and at most one.
    pub(crate) const fn up_to_one(mut self) -> Self {
        self.range = ParameterRange::UpToOne;
        self
    }

    /// The same parameter, above zero and at most one.
    pub(crate) const fn share(mut self) -> Self {
        self.range = ParameterRange::Share;
        self
    }

    /// The same parameter, one of several words.
    pub(crate) const fn choice(mut self, words: &'static [&'static str]) -> Self {
        self.range = ParameterRange::Choice(words);
        self
    }

    /// The same parameter, a whole number.
    pub(crate) const fn count(mut self, low: u32, high: u32) -> Self {
        self.range = ParameterRange::Count(low, high);
        self
    }
}

/// The acceleration of gravity, downwards.
pub(crate) const fn g(default: &'static str) -> Parameter {
    any("g", default, "m/s^2", "acceleration of gravity, downwards")
}

/// Gravity of scenes at rest, and of scenes in motion that share their parameters.
pub(crate) const GRAVITY: Parameter = g("10").recorded_as("gravity");
