//! What is proved of other answers to a scene.

use etalon_certify::Truth;
use etalon_contact_forces::{Formulation, Motion};
use etalon_exact::{Budget, Method as ExactMethod, unique_w, unique_z};
use etalon_lcp::{Certificate, Problem, Unique};
use etalon_scenarios::Setup;
use rug::Rational;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::derive::{DeriveError, certificate, search};
use super::exact::{Exact, values};
use super::record::SceneAnswer;
use super::{SEARCHED, recheck};

/// What all answers to a scene share, with the proof.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UniqueData {
    /// `z`: there is no other answer; `w`: all have the same accelerations (for impacts the same
    /// velocities); null: there are others, and one is shown.
    pub of: Option<String>,
    /// As claims carry it. Without one the scene itself is the proof: where nothing rubs,
    /// A = J M^-1 J' with M positive definite is symmetric positive semidefinite (CPS theorem 3.1.7).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Value>,
}

/// The longest certificate that is kept, in bytes.
const LONGEST: usize = 50_000;

/// What is proved of other answers than this one.
pub(super) fn derive(
    setup: &Setup,
    problem: &Problem,
    answer: &SceneAnswer,
    budget: &Budget,
) -> Result<Option<UniqueData>, DeriveError> {
    let z = match answer {
        SceneAnswer::Solved { z, .. } => z,
        SceneAnswer::Impulses { p, .. } => p,
        _ => return Ok(None),
    };
    let data = |of: Option<&str>, proof: Option<Certificate>| {
        let certificate = proof.map(certificate);
        let text = certificate.as_ref().map(Value::to_string);
        let fits = text.is_none_or(|text| text.len() <= LONGEST);
        fits.then(|| UniqueData {
            of: of.map(str::to_owned),
            certificate,
        })
    };
    if let Some(proof) = unique_z(problem) {
        return Ok(data(Some("z"), Some(proof)));
    }
    let formulation = setup.formulation()?;
    if nothing_rubs(formulation.as_ref()) {
        return Ok(data(Some("w"), unique_w(problem)));
    }
    let Some(formulation) = formulation else {
        return Ok(None);
    };
    if problem.n() <= SEARCHED {
        let short = search(problem.n(), budget);
        let claim = ExactMethod::Enumerate.solver(&short).solve(problem);
        if let Some(proof) = claim.certificate
            && is_unique(problem, &proof)
        {
            return Ok(data(Some("z"), Some(proof)));
        }
    }
    // Beyond that both orders of index sets would take long, too.
    if problem.n() > super::SMALL {
        return Ok(None);
    }
    let known = formulation.forces(&values(z))?;
    let another = formulation.another(&known, budget)?;
    Ok(another.and_then(|(z, _)| {
        let z = z.into_iter().map(etalon_lcp::Number::from).collect();
        data(None, Some(Certificate::SecondSolution { z }))
    }))
}

fn is_unique(problem: &Problem, proof: &Certificate) -> bool {
    let mut truth = Truth::default();
    truth.add_certificate(problem, proof).is_ok() && truth.status().unique == Some(Unique::Z)
}

/// Whether no contact has friction, so that A = J M^-1 J'; impacts are frictionless.
fn nothing_rubs(formulation: Option<&Formulation<Rational>>) -> bool {
    let rubs = |motion: &Motion<Rational>| matches!(motion, Motion::Static | Motion::Sliding(_));
    !formulation.is_some_and(|formulation| formulation.motions().iter().any(rubs))
}

/// Proves the statement again.
pub(super) fn check(
    setup: &Setup,
    problem: &Problem,
    answer: &SceneAnswer,
    stated: &UniqueData,
) -> Result<(), String> {
    let z: &[Exact] = match answer {
        SceneAnswer::Solved { z, .. } => z,
        SceneAnswer::Impulses { p, .. } => p,
        _ => return Err("there is no single answer that could be the only one".to_owned()),
    };
    let Some(proof) = &stated.certificate else {
        let formulation = setup.formulation().map_err(|error| error.to_string())?;
        return match stated.of.as_deref() {
            Some("w") if nothing_rubs(formulation.as_ref()) => Ok(()),
            _ => Err("there is no proof".to_owned()),
        };
    };
    let proof = recheck::read_certificate(proof)?;
    let mut truth = Truth::default();
    let added = truth.add_certificate(problem, &proof);
    added.map_err(|error| error.to_string())?;
    let proved = match (stated.of.as_deref(), truth.status().unique) {
        (Some("z"), Some(Unique::Z)) | (Some("w"), Some(_)) => true,
        (None, _) => {
            let formulation = setup.formulation().map_err(|error| error.to_string())?;
            let formulation = formulation.ok_or("impacts without friction share velocities")?;
            let forces = |z: &[Rational]| formulation.forces(z).map_err(|error| error.to_string());
            let known = forces(&values(z))?;
            let [other] = truth.solutions() else {
                return Err("another solution is not shown".to_owned());
            };
            forces(other)? != known
        }
        _ => false,
    };
    if proved {
        return Ok(());
    }
    Err("the certificate proves something else".to_owned())
}
