//! What is no mechanism.

use std::cmp::Ordering;

use super::frame::{Frame, Segment};
use super::joint::{LinkFreedom, LinkJoint};
use super::{GROUND, Mechanism};
use crate::contact::{Contact, JointKind};
use crate::error::SceneError;
use crate::scalar::{Scalar, dot};
use crate::scene::unique;
use crate::vector::Vector;

impl<S: Scalar, B: Segment<S, D>, const D: usize> Mechanism<S, B, D> {
    pub(super) fn check(&self) -> Result<(), SceneError> {
        if !self.gravity.is_finite() {
            return Err(crate::body::not_finite("mechanism", "gravity"));
        }
        let links = self.links.iter().map(|link| link.body.name());
        unique(links.chain([GROUND]))?;
        self.outwards()?;
        for link in &self.links {
            link.body.check_link()?;
            check_joint(link.body.name(), &link.joint)?;
        }
        self.contacts.iter().try_for_each(Contact::check)?;
        for own in &self.loops {
            if !own.points.iter().all(Vector::is_finite) {
                return Err(SceneError::NotFinite {
                    owner: format!("loop {:?}", own.name),
                    quantity: "points",
                });
            }
            if let JointKind::Slider(normal) = &own.kind
                && !normal.norm_squared().is_one()
            {
                return Err(SceneError::SliderLength {
                    joint: own.name.clone(),
                    squared: normal.norm_squared().to_string(),
                });
            }
        }
        let limits: Vec<String> = self
            .limits()
            .iter()
            .map(|own| self.limit_name(own))
            .collect();
        let contacts = self.contacts.iter().map(|contact| contact.name.as_str());
        let loops = self.loops.iter().map(|own| own.name.as_str());
        unique(
            contacts
                .chain(loops)
                .chain(limits.iter().map(String::as_str)),
        )
    }
}

fn check_joint<S: Scalar, F: Frame<S, D>, const D: usize>(
    link: &str,
    joint: &LinkJoint<S, F, D>,
) -> Result<(), SceneError> {
    let finite = |quantity: &'static str, fits: bool| {
        if fits {
            return Ok(());
        }
        Err(SceneError::NotFinite {
            owner: format!("joint of link {link:?}"),
            quantity,
        })
    };
    finite("point", joint.point.is_finite())?;
    finite("rate", joint.rates.iter().all(S::is_finite))?;
    finite("effort", joint.efforts.iter().all(S::is_finite))?;
    let dofs = joint.freedom.dofs();
    for (what, length) in [
        ("the rate of a joint", joint.rates.len()),
        ("the effort of a joint", joint.efforts.len()),
    ] {
        if length != dofs {
            return Err(SceneError::Length { what, length, dofs });
        }
    }
    check_freedom(link, &joint.freedom)?;
    let oriented = joint.frame.is_valid() && joint.freedom.orientation().is_valid();
    if !oriented {
        return Err(SceneError::JointOrientation {
            link: link.to_owned(),
        });
    }
    check_limits(link, &joint.freedom)
}

fn check_freedom<S: Scalar, F: Frame<S, D>, const D: usize>(
    link: &str,
    freedom: &LinkFreedom<S, F, D>,
) -> Result<(), SceneError> {
    let unit = |squared: S, fits: bool| {
        if fits && squared.is_one() {
            return Ok(());
        }
        Err(SceneError::Axis {
            link: link.to_owned(),
            squared: squared.to_string(),
        })
    };
    let turns = |fits: bool| {
        if fits {
            return Ok(());
        }
        Err(SceneError::JointOrientation {
            link: link.to_owned(),
        })
    };
    match freedom {
        LinkFreedom::Revolute {
            axis,
            position,
            limits,
        } => {
            unit(dot(axis, axis), axis.len() == F::AXES)?;
            turns(position.is_valid() && limits.iter().flatten().all(|own| own.is_valid()))
        }
        LinkFreedom::Prismatic {
            axis,
            position,
            limits,
        } => {
            unit(axis.norm_squared(), true)?;
            if position.is_finite() && limits.iter().flatten().all(S::is_finite) {
                return Ok(());
            }
            Err(SceneError::NotFinite {
                owner: format!("joint of link {link:?}"),
                quantity: "position or limit",
            })
        }
        LinkFreedom::Floating { position, .. } if !position.is_finite() => {
            Err(SceneError::NotFinite {
                owner: format!("joint of link {link:?}"),
                quantity: "position",
            })
        }
        LinkFreedom::Fixed | LinkFreedom::Ball { .. } | LinkFreedom::Floating { .. } => Ok(()),
    }
}

fn check_limits<S: Scalar, F: Frame<S, D>, const D: usize>(
    link: &str,
    freedom: &LinkFreedom<S, F, D>,
) -> Result<(), SceneError> {
    let link = || link.to_owned();
    if freedom.limits_order() == Some(Ordering::Greater) {
        return Err(SceneError::Limits { link: link() });
    }
    match freedom.against_limits() {
        [Some(Ordering::Less), _] => Err(SceneError::PastLimit {
            link: link(),
            side: "below the lower",
        }),
        [_, Some(Ordering::Greater)] => Err(SceneError::PastLimit {
            link: link(),
            side: "above the upper",
        }),
        _ => Ok(()),
    }
}
