//! What a record states of other answers, proved again.

use etalon_certify::Truth;
use etalon_contact_forces::Formulation;
use etalon_golden::forces::{FractionText, SceneAnswer, UniqueData, values};
use etalon_lcp::{Problem, Unique};
use etalon_scenarios::Setup;
use rug::Rational;

use super::certificate::read_certificate;
use super::words::words;

/// Proves the statement again.
pub fn check(
    setup: &Setup,
    problem: &Problem,
    answer: &SceneAnswer,
    stated: &UniqueData,
) -> Result<(), String> {
    let z: &[FractionText] = match answer {
        SceneAnswer::Solved { z, .. } => z,
        SceneAnswer::Impulses { p, .. } => p,
        _ => return Err("there is no single answer that could be the only one".to_owned()),
    };
    let Some(proof) = &stated.certificate else {
        let formulation = setup.formulation().map_err(words)?;
        return match stated.of.as_deref() {
            Some("w") if !formulation.as_ref().is_some_and(Formulation::rubs) => Ok(()),
            _ => Err("there is no proof".to_owned()),
        };
    };
    let proof = read_certificate(proof)?;
    let mut truth = Truth::default();
    let added = truth.add_certificate(problem, &proof);
    added.map_err(words)?;
    let proved = match (stated.of.as_deref(), truth.status().unique) {
        (Some("z"), Some(Unique::Z)) | (Some("w"), Some(_)) => true,
        (None, _) => {
            let formulation = setup.formulation().map_err(words)?;
            let formulation = formulation.ok_or("impacts without friction share velocities")?;
            let forces = |z: &[Rational]| formulation.forces(z).map_err(words);
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
