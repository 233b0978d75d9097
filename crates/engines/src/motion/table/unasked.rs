//! What a map leaves out of a table: nothing is asked of it.

use std::collections::HashSet;

use super::map::MotionMap;

/// Something that the map could be about and is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unasked {
    /// It, and the field of the map that would ask.
    pub words: String,
    /// Whether it looks like a slip: its name is that of a body, a contact or a joint of the map.
    pub doubtful: bool,
}

/// Columns that the map does not read, gaps that it does not know, and turning of what does not turn.
pub(super) fn unasked(map: &MotionMap, columns: &[String]) -> Vec<Unasked> {
    let read: HashSet<&str> = map.columns().iter().map(|(_, name)| *name).collect();
    let unread = columns.iter().filter(|name| !read.contains(name.as_str()));
    let owners = owners(map);
    let mut found: Vec<Unasked> = unread
        .map(|name| {
            // Names differ from those of columns by default in what follows the point, or in capitals.
            let owner = name.split_once('.').map(|(owner, _)| owner.to_lowercase());
            Unasked {
                words: format!("column {name:?}"),
                doubtful: owner.is_some_and(|own| owners.contains(&own)),
            }
        })
        .collect();
    let open = map.contacts.iter();
    let open = open.filter(|own| own.gap.is_none() && own.shapes.is_none());
    found.extend(open.map(|own| {
        let name = &own.name;
        Unasked {
            words: format!(
                "gap of the contact {name:?} (a column {:?}, \"gap\" or \"shapes\")",
                format!("{name}.gap")
            ),
            doubtful: false,
        }
    }));
    let still = map.bodies.iter().filter(|own| own.inertia.is_none());
    let still = still.filter(|own| own.orientation.is_some() || own.angle.is_some());
    found.extend(still.map(|own| Unasked {
        words: format!("turning of the body {:?} (\"inertia\")", own.name),
        doubtful: false,
    }));
    found
}

/// The names of bodies, contacts and joints, in small letters, up to a point in them.
fn owners(map: &MotionMap) -> HashSet<String> {
    let bodies = map.bodies.iter().map(|own| &own.name);
    let contacts = map.contacts.iter().map(|own| &own.name);
    let joints = map.joints.iter().map(|own| &own.name);
    let names = bodies.chain(contacts).chain(joints);
    let names = names.map(|own| own.split('.').next().unwrap_or_default().to_lowercase());
    names.collect()
}
