//! Static friction by index sets.

use etalon_contact_forces::{Order, RowKind};
use etalon_golden::forces::{Run, SMALL};
use etalon_scenarios::Setup;

use super::error::DeriveError;

/// Static friction by index sets, for small scenes at rest with friction rows.
pub fn runs(setup: &Setup) -> Result<Vec<Run>, DeriveError> {
    let Some(formulation) = setup.formulation()? else {
        return Ok(Vec::new());
    };
    let tangent = |row: &RowKind| matches!(row, RowKind::Tangent { .. });
    if formulation.n() > SMALL || !formulation.rows().iter().any(tangent) {
        return Ok(Vec::new());
    }
    let orders = [
        ("one-at-a-time", Order::OneAtATime),
        ("simultaneous", Order::Simultaneous),
    ];
    let run = |(name, order): (&str, Order)| {
        let run = formulation.static_friction(order)?;
        Ok(Run {
            order: name.to_owned(),
            outcome: match run.outcome {
                Ok(_) => "solved".to_owned(),
                Err(failure) => failure.to_string(),
            },
            steps: run.work.steps,
            degenerate: run.work.degenerate,
            away: run.work.away,
        })
    };
    orders.into_iter().map(run).collect()
}
