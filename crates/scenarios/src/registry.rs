//! Scenarios: a name, and the parts that it can be run as.

use crate::instance::{AtRest, Instance};
use crate::motion::{InMotion, MotionInstance};
use crate::parameter::{Parameter, ScenarioError, Values};
use crate::part::ScenarioPart;
use crate::worlds::{EngineWorld, WorldInstance};

/// A named scene. It has at least one part; parts of one scenario show the same bodies.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// The name, unique.
    pub name: &'static str,
    /// The scene at one moment: contact forces, or the impulses of an impact.
    pub at_rest: Option<AtRest>,
    /// The scene by time steps.
    pub in_motion: Option<InMotion>,
    /// The scene as a world of the planar engine.
    pub world: Option<EngineWorld>,
    /// The outline of each body at rest about its centre of mass, m, where its contacts do not show it.
    pub(crate) outline: Option<fn() -> Vec<[f64; 2]>>,
}

/// The description of a part of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct PartDescription {
    /// Which part.
    pub part: ScenarioPart,
    /// Its purpose, in one sentence.
    pub description: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
}

impl Scenario {
    const fn empty(name: &'static str) -> Self {
        Self {
            name,
            at_rest: None,
            in_motion: None,
            world: None,
            outline: None,
        }
    }

    pub(crate) const fn of_rest(name: &'static str, part: AtRest) -> Self {
        let mut own = Self::empty(name);
        own.at_rest = Some(part);
        own
    }

    /// The same, with the outline that each of its bodies is drawn with.
    pub(crate) const fn with_outline(mut self, outline: fn() -> Vec<[f64; 2]>) -> Self {
        self.outline = Some(outline);
        self
    }

    pub(crate) const fn of_motion(name: &'static str, part: InMotion) -> Self {
        Self::empty(name).and_motion(part)
    }

    pub(crate) const fn of_world(name: &'static str, part: EngineWorld) -> Self {
        let mut own = Self::empty(name);
        own.world = Some(part);
        own
    }

    pub(crate) const fn and_motion(mut self, part: InMotion) -> Self {
        self.in_motion = Some(part);
        self
    }

    /// The description of a part, if the scenario has it.
    pub fn about(&self, part: ScenarioPart) -> Option<PartDescription> {
        let (description, source, parameters) = match part {
            ScenarioPart::Rest => self
                .at_rest
                .map(|own| (own.description, own.source, own.parameters)),
            ScenarioPart::Motion => self
                .in_motion
                .map(|own| (own.description, own.source, own.parameters)),
            ScenarioPart::World => self
                .world
                .map(|own| (own.description, own.source, own.parameters)),
        }?;
        Some(PartDescription {
            part,
            description,
            source,
            parameters,
        })
    }

    /// The parts that the scenario has, in the order of [`ScenarioPart::ALL`].
    pub fn parts(&self) -> impl Iterator<Item = PartDescription> + '_ {
        ScenarioPart::ALL
            .into_iter()
            .filter_map(|part| self.about(part))
    }

    /// The description of the part that makes trajectories: in motion, or else as a world.
    pub fn about_trajectory(&self) -> Option<PartDescription> {
        self.parts().find(|about| about.part.moves())
    }

    /// The part that is taken where nothing is said: the first that the scenario has.
    pub fn first_part(&self) -> ScenarioPart {
        self.parts()
            .next()
            .map_or(ScenarioPart::Rest, |about| about.part)
    }

    /// The scene at rest for the values given as text (exact: `1/3`, `0.1`, `2e-3`), defaults
    /// elsewhere.
    ///
    /// # Errors
    /// [`ScenarioError`] for a scenario without that part, unknown parameters and values out of
    /// range.
    pub fn instance<'a>(
        &self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Instance, ScenarioError> {
        let part = self.at_rest.ok_or_else(|| self.lacks(ScenarioPart::Rest))?;
        let values = self.values(ScenarioPart::Rest, part.parameters, settings)?;
        let setup = (part.build)(&values);
        Ok(Instance {
            scenario: self.name,
            part,
            values,
            setup,
            outline: self.outline,
        })
    }

    /// The scene in motion for the values given as text.
    ///
    /// # Errors
    /// As [`Scenario::instance`].
    pub fn motion_instance<'a>(
        &self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<MotionInstance, ScenarioError> {
        let part = self
            .in_motion
            .ok_or_else(|| self.lacks(ScenarioPart::Motion))?;
        let values = self.values(ScenarioPart::Motion, part.parameters, settings)?;
        Ok(MotionInstance {
            scenario: self.name,
            part,
            values,
        })
    }

    /// The world of the engine for the values given as text.
    ///
    /// # Errors
    /// As [`Scenario::instance`].
    pub fn world_instance<'a>(
        &self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<WorldInstance, ScenarioError> {
        let part = self.world.ok_or_else(|| self.lacks(ScenarioPart::World))?;
        let values = self.values(ScenarioPart::World, part.parameters, settings)?;
        Ok(part.instance(self.name, &values))
    }

    fn lacks(&self, part: ScenarioPart) -> ScenarioError {
        ScenarioError::NoPart {
            scenario: self.name,
            part,
            has: self.first_part(),
        }
    }

    fn values<'a>(
        &self,
        part: ScenarioPart,
        parameters: &'static [Parameter],
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Values, ScenarioError> {
        Values::read(self.name, parameters, settings).map_err(|error| match error {
            ScenarioError::Parameter { name, known, .. } => {
                let mut others = self.parts().filter(|about| about.part != part);
                let has = others.find(|about| about.parameters.iter().any(|p| p.is_called(&name)));
                match has {
                    Some(has) => ScenarioError::OtherPart {
                        scenario: self.name,
                        name,
                        part,
                        has: has.part,
                    },
                    None => ScenarioError::Parameter {
                        scenario: self.name,
                        name,
                        known,
                    },
                }
            }
            error => error,
        })
    }
}
