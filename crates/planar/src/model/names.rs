//! Bodies by their names.

use std::collections::HashMap;

use crate::error::WorldError;
use crate::scene::BodySpec;

/// The index of each body by its name.
pub(super) type Names<'a> = HashMap<&'a str, usize>;

pub(super) fn names(bodies: &[BodySpec]) -> Result<Names<'_>, WorldError> {
    let mut names = HashMap::new();
    for (i, body) in bodies.iter().enumerate() {
        if names.insert(&*body.name, i).is_some() {
            return Err(WorldError::Twice {
                name: body.name.clone(),
            });
        }
    }
    Ok(names)
}

pub(super) fn find(names: &Names<'_>, name: &str) -> Result<usize, WorldError> {
    let found = names.get(name).copied();
    found.ok_or_else(|| WorldError::Unknown {
        name: name.to_owned(),
    })
}
