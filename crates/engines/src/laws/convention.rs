//! Wrong conventions that are told from the data: an impulse of the other sign, a force in place of an impulse.

use rug::Rational;

use super::momentum::{balance, is_rounding, of_scaled};
use crate::assembly::Assembly;
use crate::step::{EngineStep, Form, FrictionLaw};

/// What would make momentum balance, where it does not.
pub fn remedy(step: &EngineStep, assembly: &Assembly, tol: &Rational) -> Option<String> {
    if !assembly.is_known() || is_rounding(assembly, tol) {
        return None;
    }
    let h = step.h.to_rational();
    let inverse = Rational::from(h.recip_ref());
    let has_impulses = assembly.impulses().any(|(_, own)| !own.is_zero());
    let tried = [
        (
            Rational::from(-1),
            "all impulses have the other sign: `normal` must push the first body of `bodies`, so negate normals and tangents, or swap the two bodies",
        ),
        (h.clone(), "`impulse` holds forces: multiply them by h"),
        (
            -h,
            "`impulse` holds forces of the other sign: multiply them by -h",
        ),
        (
            inverse,
            "`impulse` was multiplied by h twice: divide it by h",
        ),
    ];
    let found = tried
        .iter()
        .find(|(factor, _)| has_impulses && of_scaled(assembly, factor).value <= *tol);
    if let Some((_, why)) = found {
        return Some(format!("momentum balances where {why}"));
    }
    let swapped = swapped_velocities(step)?;
    (balance(&swapped).value <= *tol)
        .then(|| "momentum balances where v0 and v1 are exchanged".to_owned())
}

fn swapped_velocities(step: &EngineStep) -> Option<Assembly> {
    let mut step = step.clone();
    let Form::Bodies(own) = &mut step.form else {
        return None;
    };
    for body in &mut own.bodies {
        std::mem::swap(&mut body.v0, &mut body.v1);
    }
    // Momentum knows no law of friction.
    Assembly::of(&step, FrictionLaw::Coulomb)
}
