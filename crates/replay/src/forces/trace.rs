//! Paths of exact methods, and what must hold along them.

use std::collections::{BTreeSet, HashSet};

use etalon_exact::{Progress, Step, Variable};
use rug::Rational;
use serde::{Deserialize, Serialize};

use super::exact::Exact;
use super::record::sha256;

/// The path of an exact method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Trace {
    /// Baraff's drive to zero, contacts in the order of the scene.
    DriveToZero {
        /// Baraff's maxstep, step by step: the driven row d, the row j that blocks (d itself where
        /// its acceleration has reached zero), and by how much f_d grows, N.
        steps: Vec<(usize, usize, Exact)>,
    },
    /// Lexicographic Lemke on the pure form: entering and leaving variables.
    Lemke {
        /// `w3`, `z3`, or `z` for the artificial variable.
        pivots: Vec<(String, String)>,
        /// The variable that enters last and grows for ever, where the path ends in a ray.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ray: Option<String>,
    },
}

/// A long path, by its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceDigest {
    /// The method, as a [`Trace`] names it.
    pub method: String,
    /// Steps or pivots.
    pub steps: usize,
    /// SHA-256 of the list of steps or pivots that the [`Trace`] would have, on one line.
    pub digest: String,
}

impl Trace {
    /// From the steps of the drive to zero.
    pub fn of_drive(steps: &[Step]) -> Option<Self> {
        let step = |step: &Step| {
            let Progress::Driven(d) = step.progress else {
                return None;
            };
            let (Variable::W(j) | Variable::Z(j)) = step.leaving else {
                return None;
            };
            Some((d, j, Exact(step.length.clone())))
        };
        let steps: Option<_> = steps.iter().map(step).collect();
        Some(Self::DriveToZero { steps: steps? })
    }

    /// From the steps of Lemke's method, which may have ended in a ray.
    pub fn of_lemke(steps: &[Step], ends_in_ray: bool) -> Self {
        let pivot = |step: &Step| (name(step.entering), name(step.leaving));
        let pivots: Vec<_> = steps.iter().map(pivot).collect();
        let last = pivots.last().and_then(|(_, leaving)| complement(leaving));
        Self::Lemke {
            ray: last.filter(|_| ends_in_ray),
            pivots,
        }
    }

    /// The same path by its checksum.
    pub fn digest(&self) -> TraceDigest {
        // Lists of numbers and strings can be written always.
        let (method, steps, text) = match self {
            Self::DriveToZero { steps } => {
                ("drive-to-zero", steps.len(), serde_json::to_string(steps))
            }
            Self::Lemke { pivots, .. } => ("lemke", pivots.len(), serde_json::to_string(pivots)),
        };
        TraceDigest {
            method: method.to_owned(),
            steps,
            digest: sha256(&text.unwrap_or_default()),
        }
    }

    /// Checks what theory promises of the path: of Baraff's drive that steps are not negative, that
    /// the clamped set C never comes again within a drive, and that at the end forces vanish
    /// outside C and accelerations in it; of Lemke's path that it is complementary, begins and ends
    /// with the artificial variable (or in a ray), and never meets a basis twice.
    ///
    /// # Errors
    /// The first thing that does not hold.
    pub fn check(&self, f: &[Rational], a: &[Rational], joints: &[usize]) -> Result<(), String> {
        match self {
            Self::DriveToZero { steps } => check_drive(steps, f, a, joints),
            Self::Lemke { pivots, ray } => check_lemke(pivots, ray.as_deref()),
        }
    }
}

fn name(variable: Variable) -> String {
    match variable {
        Variable::W(i) => format!("w{i}"),
        Variable::Z(i) => format!("z{i}"),
        _ => "z".to_owned(),
    }
}

fn check_drive(
    steps: &[(usize, usize, Exact)],
    f: &[Rational],
    a: &[Rational],
    joints: &[usize],
) -> Result<(), String> {
    let mut clamped: BTreeSet<usize> = joints.iter().copied().collect();
    let mut driven = None;
    let mut seen = HashSet::new();
    for (k, (d, j, length)) in steps.iter().enumerate() {
        if *d >= f.len() || *j >= f.len() {
            return Err(format!("step {k}: there is no such row"));
        }
        if length.0 < 0 {
            return Err(format!("step {k} is negative"));
        }
        if driven != Some(*d) {
            if driven.is_some() {
                return Err(format!("step {k}: a drive ends before its row is at zero"));
            }
            if clamped.contains(d) {
                return Err(format!(
                    "step {k}: row {d} is driven, but is clamped already"
                ));
            }
            driven = Some(*d);
            seen.clear();
        }
        if !seen.insert(clamped.clone()) {
            return Err(format!(
                "step {k}: the clamped set comes again within a drive"
            ));
        }
        if j == d {
            driven = None;
        }
        if !clamped.remove(j) {
            clamped.insert(*j);
        }
    }
    if driven.is_some() {
        return Err("the last drive does not end".to_owned());
    }
    for (i, (f, a)) in f.iter().zip(a).enumerate() {
        if clamped.contains(&i) && *a != 0 {
            return Err(format!("row {i} is clamped, but accelerates"));
        }
        if !clamped.contains(&i) && *f != 0 {
            return Err(format!("row {i} is not clamped, but has a force"));
        }
    }
    Ok(())
}

fn complement(variable: &str) -> Option<String> {
    let (kind, row) = variable.split_at_checked(1)?;
    match kind {
        "w" => Some(format!("z{row}")),
        "z" if !row.is_empty() => Some(format!("w{row}")),
        _ => None,
    }
}

fn check_lemke(pivots: &[(String, String)], ray: Option<&str>) -> Result<(), String> {
    let mut expected = "z".to_owned();
    // The basis as its difference from the first one.
    let mut basis = BTreeSet::new();
    let mut seen = HashSet::from([basis.clone()]);
    for (k, (entering, leaving)) in pivots.iter().enumerate() {
        if *entering != expected {
            return Err(format!("pivot {k}: {entering} enters, not {expected}"));
        }
        for variable in [entering, leaving] {
            if !basis.remove(variable) {
                basis.insert(variable.clone());
            }
        }
        if !seen.insert(basis.clone()) {
            return Err(format!("pivot {k}: a basis comes again"));
        }
        let last = k + 1 == pivots.len();
        match (complement(leaving), leaving.as_str()) {
            (Some(next), _) if !last => expected = next,
            (Some(next), _) if ray == Some(&*next) => return Ok(()),
            (None, "z") if last && ray.is_none() => return Ok(()),
            _ => return Err(format!("pivot {k}: {leaving} leaves")),
        }
    }
    // Nothing to do: q >= 0.
    match ray {
        Some(_) => Err("a ray without a pivot before it".to_owned()),
        None => Ok(()),
    }
}
