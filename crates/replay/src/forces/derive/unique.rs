//! What is proved of other answers to a scene.

use etalon_certify::Truth;
use etalon_contact_forces::Formulation;
use etalon_exact::{Budget, ExactMethod, unique_w, unique_z};
use etalon_golden::forces::{SMALL, SceneAnswer, UniqueData, values};
use etalon_lcp::{Certificate, Number, Problem, Unique};
use etalon_scenarios::Setup;
use serde_json::Value;

use super::certificate::certificate;
use super::error::DeriveError;
use super::limits::{SEARCHED, search};

/// The longest certificate that is kept, in bytes.
const LONGEST: usize = 50_000;

/// What is proved of other answers than this one.
pub fn unique(
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
    if !formulation.as_ref().is_some_and(Formulation::rubs) {
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
    if problem.n() > SMALL {
        return Ok(None);
    }
    let known = formulation.forces(&values(z))?;
    let another = formulation.another(&known, budget)?;
    Ok(another.and_then(|(z, _)| {
        let z = z.into_iter().map(Number::from).collect();
        data(None, Some(Certificate::SecondSolution { z }))
    }))
}

fn is_unique(problem: &Problem, proof: &Certificate) -> bool {
    let mut truth = Truth::default();
    truth.add_certificate(problem, proof).is_ok() && truth.status().unique == Some(Unique::Z)
}
