//! What a joint of space allows, as scenes at rest and in motion write it.

use etalon_rigid::{Freedom, Vector};
use rug::Rational;

use super::SceneFileError;
use super::node::Fields;

type Result<T> = std::result::Result<T, SceneFileError>;

/// What a joint of space allows.
pub(super) fn kind<const D: usize>(fields: &Fields<'_>) -> Result<Freedom<Rational, D>> {
    let word = fields.or("kind", "ball".to_owned(), |node| {
        Ok(node.text()?.to_owned())
    })?;
    let axis = |name: &str| -> Result<Vector<Rational, D>> { fields.need(name)?.vector() };
    let without = |kind: Freedom<Rational, D>, names: &[&str]| match names
        .iter()
        .find(|name| fields.get(name).is_some())
    {
        Some(name) => fields.error(format!("a {} joint has no {name:?}", kind.word())),
        None => Ok(kind),
    };
    match &*word {
        "ball" => without(Freedom::Ball, &["axis", "second_axis"]),
        "fixed" => without(Freedom::Fixed, &["axis", "second_axis"]),
        "hinge" => {
            let axis = axis("axis")?;
            without(Freedom::Hinge { axis }, &["second_axis"])
        }
        "slider" => {
            let axis = axis("axis")?;
            without(Freedom::Slider { axis }, &["second_axis"])
        }
        "universal" => Ok(Freedom::Universal {
            axis: axis("axis")?,
            second_axis: axis("second_axis")?,
        }),
        _ => fields.error(format!(
            "the kind {word:?} must be ball, hinge, universal, slider or fixed"
        )),
    }
}
