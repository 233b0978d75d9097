//! What scenes of rigid bodies in the plane are built of.

use etalon_rigid::Scalar;
use etalon_time_stepping::models::{BodyDisc, Line, Planar, Touch};
use etalon_time_stepping::{Settings, State, StepError};

use super::scene::{Scene, System, value};
use crate::parameter::Values;

pub fn upward<S: Scalar>(name: &str) -> Line<S> {
    Line {
        name: name.to_owned(),
        normal: [S::zero(), S::one()],
        offset: S::zero(),
    }
}

pub fn down<S: Scalar>(values: &Values, name: &str) -> [S; 2] {
    [S::zero(), -value::<S>(values, name)]
}

pub fn point<S: Scalar>(name: impl Into<String>, centre: [S; 2]) -> BodyDisc<S> {
    BodyDisc {
        name: name.into(),
        centre,
        radius: S::zero(),
    }
}

/// All discs of all bodies against one line.
pub fn on_line<S: Scalar>(
    mut model: Planar<S>,
    line: usize,
    mu: &S,
) -> Result<Planar<S>, StepError> {
    let counts: Vec<usize> = model.bodies().iter().map(|b| b.discs.len()).collect();
    for (body, count) in counts.into_iter().enumerate() {
        for disc in 0..count {
            let disc = (body, disc);
            model = model.touch(Touch::Line { disc, line }, mu.clone())?;
        }
    }
    Ok(model)
}

pub fn stewart_trinkle<S: Scalar>(
    model: Planar<S>,
    q: Vec<S>,
    v: Vec<S>,
    settings: Settings<S>,
    steps: u64,
) -> Scene<S> {
    Scene {
        system: System::StewartTrinkle(Box::new(model)),
        start: State::new(q, v),
        settings,
        steps,
    }
}
