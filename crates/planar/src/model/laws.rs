//! Forces: from the description to what a step works with.

use crate::error::WorldError;
use crate::forces::{Anchor, Law};
use crate::range::{finite, limit, nonnegative};
use crate::scene::{BodySpec, ForceLaw};

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
        } => Law::Spring {
            one: anchor(names, body, *at)?,
            other: anchor(names, other, *other_at)?,
            length: *length,
            stiffness: *stiffness,
        },
        ForceLaw::Push {
            body,
            at,
            force,
            frame,
        } => Law::Push {
            at: anchor(names, body, *at)?,
            force: (*force).into(),
            frame: *frame,
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
            length, stiffness, ..
        } => {
            nonnegative("the length of a spring", *length)?;
            nonnegative("the stiffness of a spring", *stiffness)?;
        }
        ForceLaw::Push { force, .. } => finite("a force", force)?,
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
