//! A scenario with values: its mechanical system and its complementarity problem.

use etalon_contact_forces::{ForceError, Formulation, FrictionModel, impact_problem};
use etalon_lcp::{Problem, Remarks};
use etalon_rigid::{Linkage, Mechanism2, Mechanism3, Model, Scene2, Scene3, SceneError, System};
use rug::Rational;

use crate::parameter::{Parameter, Values};
use crate::strike::Strike;
use crate::view::Sketch;

/// A scene at one moment, for each choice of values.
#[derive(Debug, Clone, Copy)]
pub struct AtRest {
    /// Its purpose, in one sentence.
    pub description: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
    pub(crate) build: fn(&Values) -> Setup,
}

/// A scene at rest with a value for each parameter.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The scenario's name.
    pub scenario: &'static str,
    /// The description of the scene.
    pub part: AtRest,
    /// The values.
    pub values: Values,
    /// The scene and the question.
    pub setup: Setup,
    pub(crate) outline: Option<fn() -> Vec<[f64; 2]>>,
}

/// A scene and what is asked of it.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The scene.
    pub mechanics: Mechanics,
    /// The question.
    pub question: Question,
}

/// A scene in the plane, in space, or a mechanism in joint space.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Mechanics {
    /// In the plane.
    Planar(Scene2<Rational>),
    /// In space.
    Spatial(Scene3<Rational>),
    /// A serial linkage.
    Linkage(Linkage<Rational>),
    /// A tree of links in the plane, in joint space.
    PlanarMechanism(Mechanism2<Rational>),
    /// A tree of links in space, in joint space.
    SpatialMechanism(Mechanism3<Rational>),
}

/// The question about a scene.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Question {
    /// Contact forces, with friction stated in that way.
    Forces(FrictionModel),
    /// Impulses of a frictionless impact with this coefficient of restitution.
    Impact(Rational),
    /// Impulses of an impact with friction in a pyramid, or by Poisson's law of restitution.
    Strike(Strike),
}

impl Model<Rational> for Mechanics {
    fn system(&self) -> Result<System<Rational>, SceneError> {
        match self {
            Self::Planar(scene) => scene.system(),
            Self::Spatial(scene) => scene.system(),
            Self::Linkage(linkage) => linkage.system(),
            Self::PlanarMechanism(mechanism) => mechanism.system(),
            Self::SpatialMechanism(mechanism) => mechanism.system(),
        }
    }

    fn with_velocity(&self, velocity: &[Rational]) -> Result<Self, SceneError> {
        Ok(match self {
            Self::Planar(scene) => Self::Planar(scene.with_velocity(velocity)?),
            Self::Spatial(scene) => Self::Spatial(scene.with_velocity(velocity)?),
            Self::Linkage(linkage) => Self::Linkage(linkage.with_velocity(velocity)?),
            Self::PlanarMechanism(own) => Self::PlanarMechanism(own.with_velocity(velocity)?),
            Self::SpatialMechanism(own) => Self::SpatialMechanism(own.with_velocity(velocity)?),
        })
    }
}

impl Setup {
    /// The mechanical system.
    ///
    /// # Errors
    /// [`ForceError::Scene`] for data that make no scene.
    pub fn system(&self) -> Result<System<Rational>, ForceError> {
        Ok(self.mechanics.system()?)
    }

    /// The contact force problem; `None` where impulses are asked for.
    ///
    /// # Errors
    /// [`ForceError`].
    pub fn formulation(&self) -> Result<Option<Formulation<Rational>>, ForceError> {
        match &self.question {
            Question::Forces(model) => Ok(Some(Formulation::new(self.system()?, *model)?)),
            Question::Impact(_) | Question::Strike(_) => Ok(None),
        }
    }

    /// The setup whose complementarity problem comes nearest: where static friction in space is asked
    /// for in the circular cone, which has none, the box about it (a pyramid of 4 sides); otherwise the
    /// setup as it is.
    pub fn complementary(&self) -> Self {
        let question = match &self.question {
            Question::Forces(FrictionModel::Circular) => Question::Forces(FrictionModel::Rows),
            question => question.clone(),
        };
        Self {
            mechanics: self.mechanics.clone(),
            question,
        }
    }

    /// The complementarity problem under that name, that of the [`complementary`](Self::complementary)
    /// setup.
    ///
    /// # Errors
    /// [`ForceError`].
    pub fn problem(&self, name: &str) -> Result<Problem, ForceError> {
        match &self.complementary().question {
            Question::Forces(model) => Formulation::new(self.system()?, *model)?.problem(name),
            Question::Impact(restitution) => impact_problem(&self.system()?, restitution, name),
            // By Poisson's law the problem of the compression: the other one depends on its answer.
            Question::Strike(strike) => strike.first(&self.system()?)?.problem(name),
        }
    }

    pub(crate) fn planar(scene: Scene2<Rational>, question: Question) -> Self {
        let mechanics = Mechanics::Planar(scene);
        Self {
            mechanics,
            question,
        }
    }

    pub(crate) fn spatial(scene: Scene3<Rational>, question: Question) -> Self {
        let mechanics = Mechanics::Spatial(scene);
        Self {
            mechanics,
            question,
        }
    }
}

impl Instance {
    /// The name of the scenario, with the values that differ from the defaults.
    pub fn name(&self) -> String {
        let mut name = self.scenario.to_owned();
        for parameter in self.part.parameters {
            let value = self.values.get(parameter.name);
            let default = etalon_lcp::parse_rational(parameter.default).unwrap_or_default();
            if value != default {
                name.push_str(&format!("/{}={value}", parameter.recorded));
            }
        }
        name
    }

    /// The scene as it is drawn, its bodies by their outlines where the scenario has these.
    pub fn sketch(&self) -> Sketch {
        let sketch = Sketch::new(&self.setup.mechanics);
        match self.outline {
            Some(outline) => sketch.with_outline(&outline()),
            None => sketch,
        }
    }

    /// The mechanical system.
    ///
    /// # Errors
    /// [`ForceError::Scene`] for values that make no scene.
    pub fn system(&self) -> Result<System<Rational>, ForceError> {
        self.setup.system()
    }

    /// The contact force problem; `None` where impulses are asked for.
    ///
    /// # Errors
    /// [`ForceError`].
    pub fn formulation(&self) -> Result<Option<Formulation<Rational>>, ForceError> {
        self.setup.formulation()
    }

    /// The complementarity problem as a record.
    ///
    /// # Errors
    /// [`ForceError`].
    pub fn problem(&self) -> Result<Problem, ForceError> {
        let mut problem = self.setup.problem(&self.name())?;
        problem.remarks = Remarks {
            tags: vec!["scenario".to_owned(), self.scenario.to_owned()],
            source: Some(serde_json::json!({
                "scenario": self.scenario,
                "parameters": self.values.texts(self.part.parameters),
                "reference": self.part.source,
            })),
            notes: Some(self.part.description.to_owned()),
            digest: None,
        };
        Ok(problem)
    }
}
