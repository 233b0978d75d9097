//! Forces: from the description to what a step works with.

use crate::error::WorldError;
use crate::forces::{Anchor, Law};
use crate::range::{finite, limit, nonnegative, positive};
use crate::scene::{BodySpec, Course, ForceLaw};

use super::names::{Names, find, names};

/// The laws of forces on bodies.
pub(super) fn laws(bodies: &[BodySpec], forces: &[ForceLaw]) -> Result<Vec<Law>, WorldError> {
    limit("forces", forces.len())?;
    let names = names(bodies)?;
    forces.iter().map(|force| law(force, &names)).collect()
}

fn law(force: &ForceLaw, names: &Names<'_>) -> Result<Law, WorldError> {
    check(force)?;
    let law = match force {
        ForceLaw::Gravity { g } => Law::Gravity { g: *g },
        ForceLaw::InverseSquare { g } => Law::InverseSquare { g: *g },
        ForceLaw::Damping {
            damping,
            rotate_ratio,
        } => Law::Damping {
            damping: *damping,
            rotate_ratio: *rotate_ratio,
        },
        ForceLaw::Spring {
            body,
            at,
            other,
            other_at,
            length,
            stiffness,
            damping,
            compress_only,
        } => Law::Spring {
            one: anchor(names, body, *at)?,
            other: anchor(names, other, *other_at)?,
            length: *length,
            stiffness: *stiffness,
            damping: *damping,
            compress_only: *compress_only,
        },
        ForceLaw::Push {
            body,
            at,
            force,
            frame,
            course,
        } => Law::Push {
            at: anchor(names, body, *at)?,
            force: (*force).into(),
            frame: *frame,
            course: *course,
        },
    };
    Ok(law)
}

/// Refuses numbers outside of their range.
fn check(force: &ForceLaw) -> Result<(), WorldError> {
    match force {
        ForceLaw::Gravity { g } | ForceLaw::InverseSquare { g } => finite("gravity", &[*g])?,
        ForceLaw::Damping {
            damping,
            rotate_ratio,
        } => {
            nonnegative("the damping", *damping)?;
            nonnegative("the rotate ratio", *rotate_ratio)?;
        }
        ForceLaw::Spring {
            length,
            stiffness,
            damping,
            ..
        } => {
            nonnegative("the length of a spring", *length)?;
            nonnegative("the stiffness of a spring", *stiffness)?;
            nonnegative("the damping of a spring", *damping)?;
        }
        ForceLaw::Push { force, course, .. } => {
            finite("a force", force)?;
            match course {
                None => {}
                Some(Course::Sine { frequency, phase }) => {
                    finite("the frequency or phase of a force", &[*frequency, *phase])?;
                }
                Some(Course::Ramp { from, until }) => {
                    finite("a time of a force", &[*from, *until])?;
                    positive("the time in which a force grows", until - from)?;
                }
            }
        }
    }
    Ok(())
}

fn anchor(names: &Names<'_>, body: &str, at: [f64; 2]) -> Result<Anchor, WorldError> {
    finite("a point of a force", &at)?;
    Ok(Anchor {
        body: find(names, body)?,
        at: at.into(),
    })
}
