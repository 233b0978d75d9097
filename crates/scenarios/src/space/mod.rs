//! Scenes of bodies in space, in motion: named ones, and those of files.

mod corner_looks;
mod corners;
mod implicit;
mod line;
mod looks;
mod method;
pub(crate) mod named;
mod run;
mod silhouettes;

use etalon_rigid::Vector3;
use etalon_spatial::{
    Body, Cone, ImpactLaw, Joint, Settings, SpaceMethod, SpaceWorld, SpatialError, Surfaces,
};
use etalon_time_stepping::Scheme;
use rug::Rational;

pub use corners::{CornerBody, CornerScene, CornerShape};
pub use implicit::{ImplicitBody, ImplicitScene, even_moments};
pub use line::{lost_in_steps, stated, stated_compression};
pub use method::MotionMethod;
pub use run::SpaceRun;

/// A scene in space with how it is stepped.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceScene {
    /// The name.
    pub name: String,
    /// What it shows.
    pub notes: Option<String>,
    /// m/s^2.
    pub gravity: Vector3<Rational>,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// The joints.
    pub joints: Vec<Joint>,
    /// Friction and restitution.
    pub surfaces: Surfaces,
    /// How steps are taken.
    pub settings: Settings,
    /// How many.
    pub steps: u64,
}

impl SpaceScene {
    /// The world that it makes; by the method `first-order` with the masses of its steps.
    ///
    /// # Errors
    /// [`SpatialError`] with the names of those at fault.
    pub fn world(&self) -> Result<SpaceWorld, SpatialError> {
        let world = SpaceWorld::new(
            self.gravity.clone(),
            self.bodies.clone(),
            self.joints.clone(),
            self.surfaces.clone(),
        )?;
        match self.settings.method {
            SpaceMethod::FirstOrder => world.in_first_order(&self.settings.h),
            _ => Ok(world),
        }
    }
}

/// Why a method takes no law of restitution.
pub(crate) fn no_impacts(method: MotionMethod) -> String {
    format!(
        "the method {method} has no restitution: leave the law of impacts out, or take the method stewart-trinkle or moreau-jean"
    )
}

/// Why Chakraborty and Berard's method does not take a law of restitution.
pub(crate) fn no_compression(impact: ImpactLaw) -> Option<String> {
    let method = MotionMethod::ChakrabortyBerard;
    (impact != ImpactLaw::Newton).then(|| {
        format!(
            "the law of impacts is {impact}, whose compression is at the start of the step, and the method {method} takes all quantities at its end: say newton, or take the method stewart-trinkle or moreau-jean"
        )
    })
}

/// Why a method of corners or of implicit surfaces does not take a point of evaluation.
pub(crate) fn no_scheme(method: MotionMethod, scheme: Scheme) -> Option<String> {
    match method {
        MotionMethod::ChakrabortyBerard => Some(format!(
            "the method {method} takes all quantities at the end of the step: leave the scheme out, or take another method"
        )),
        MotionMethod::EganTrinkle if scheme.halves_ahead().is_none() => Some(format!(
            "it is {scheme}, which iterates for its point of evaluation, and the method {method} lists all solutions of one problem: say linear, midpoint or predicted"
        )),
        MotionMethod::EganTrinkle | MotionMethod::Rows(_) => None,
    }
}

/// Why a method takes no rule of activation: it has one of its own.
pub(crate) fn no_activation(method: MotionMethod) -> Option<String> {
    let own = match method {
        MotionMethod::Rows(SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder) => return None,
        MotionMethod::Rows(SpaceMethod::MoreauJean) => {
            "contacts take part that are closed, or close by the velocity without contacts"
        }
        MotionMethod::EganTrinkle => {
            "obstacles take part that are closed, or that the motion ends inside"
        }
        MotionMethod::ChakrabortyBerard => "all pairs take part",
    };
    Some(format!(
        "the method {method} has its own rule, that {own}: leave the activation out, or take the method stewart-trinkle"
    ))
}

/// Why Egan and Trinkle's method does not take a cone.
pub(crate) fn no_cone(cone: Cone, dimension: usize) -> Option<String> {
    let method = MotionMethod::EganTrinkle;
    match (cone, dimension) {
        (_, 2) => Some(format!(
            "the cone is {cone}, and friction in the plane is along one line: leave the cone out"
        )),
        (Cone::Circular, _) => Some(format!(
            "the cone is circular, and a step by the method {method} is a linear complementarity problem: say pyramid:8, or leave the cone out"
        )),
        _ => None,
    }
}

/// A scene in motion, by any method.
#[derive(Debug, Clone, PartialEq)]
pub enum MovingScene {
    /// Contacts have rows.
    Space(SpaceScene),
    /// Bodies have implicit surfaces.
    Implicit(ImplicitScene),
    /// Points stay out of convex bodies, in the plane or in space.
    Corners(CornerScene),
}

impl MovingScene {
    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Self::Space(own) => &own.name,
            Self::Implicit(own) => &own.name,
            Self::Corners(own) => &own.name,
        }
    }

    /// What it shows.
    pub fn notes(&self) -> Option<&String> {
        match self {
            Self::Space(own) => own.notes.as_ref(),
            Self::Implicit(own) => own.notes.as_ref(),
            Self::Corners(own) => own.notes.as_ref(),
        }
    }

    /// The bodies, without implicit surfaces; none of corners, whose bodies may be in the plane.
    pub fn bodies(&self) -> Option<Vec<&Body>> {
        match self {
            Self::Space(own) => Some(own.bodies.iter().collect()),
            Self::Implicit(own) => Some(own.bodies.iter().map(|own| &own.body).collect()),
            Self::Corners(_) => None,
        }
    }

    /// How many bodies have a place in the state.
    pub fn places(&self) -> usize {
        match self {
            Self::Space(own) => own.bodies.iter().filter(|own| !own.fixed).count(),
            Self::Implicit(own) => own.bodies.iter().filter(|own| own.has_state()).count(),
            Self::Corners(own) => own.bodies.iter().filter(|own| own.has_state()).count(),
        }
    }

    /// Friction of all pairs.
    pub fn surfaces(&self) -> &Surfaces {
        match self {
            Self::Space(own) => &own.surfaces,
            Self::Implicit(own) => &own.surfaces,
            Self::Corners(own) => &own.surfaces,
        }
    }

    /// The length of a step, s.
    pub fn h(&self) -> &Rational {
        match self {
            Self::Space(own) => &own.settings.h,
            Self::Implicit(own) => &own.h,
            Self::Corners(own) => &own.h,
        }
    }

    /// How many steps.
    pub fn steps(&self) -> u64 {
        match self {
            Self::Space(own) => own.steps,
            Self::Implicit(own) => own.steps,
            Self::Corners(own) => own.steps,
        }
    }

    /// The method, and the cone.
    pub fn method(&self) -> (MotionMethod, Cone) {
        match self {
            Self::Space(own) => (MotionMethod::Rows(own.settings.method), own.settings.cone),
            Self::Implicit(_) => (MotionMethod::ChakrabortyBerard, Cone::Circular),
            Self::Corners(own) => (own.method(), Cone::Pyramid(own.sides)),
        }
    }

    /// The scene with what is given in place of its own.
    ///
    /// # Errors
    /// Why its method does not take that.
    pub fn with(
        mut self,
        h: Option<Rational>,
        cone: Option<Cone>,
        impact: Option<ImpactLaw>,
        steps: Option<u64>,
    ) -> Result<Self, String> {
        match &mut self {
            Self::Space(own) => {
                if own.settings.method == SpaceMethod::FirstOrder && impact.is_some() {
                    return Err(no_impacts(MotionMethod::Rows(SpaceMethod::FirstOrder)));
                }
                own.settings.h = h.unwrap_or_else(|| own.settings.h.clone());
                own.settings.cone = cone.unwrap_or(own.settings.cone);
                own.settings.impact = impact.unwrap_or(own.settings.impact);
                own.steps = steps.unwrap_or(own.steps);
            }
            Self::Implicit(own) => {
                if let Some(cone) = cone.filter(|cone| *cone != Cone::Circular) {
                    return Err(format!(
                        "the cone is {cone}, and the method {} has the circular cone alone: leave the cone out",
                        MotionMethod::ChakrabortyBerard
                    ));
                }
                if let Some(why) = impact.and_then(no_compression) {
                    return Err(why);
                }
                own.h = h.unwrap_or_else(|| own.h.clone());
                own.steps = steps.unwrap_or(own.steps);
            }
            Self::Corners(own) => {
                if let Some(why) = cone.and_then(|cone| no_cone(cone, own.dimension())) {
                    return Err(why);
                }
                if impact.is_some() {
                    return Err(no_impacts(own.method()));
                }
                if let Some(Cone::Pyramid(sides)) = cone {
                    own.sides = sides;
                }
                own.h = h.unwrap_or_else(|| own.h.clone());
                own.steps = steps.unwrap_or(own.steps);
            }
        }
        Ok(self)
    }
}
