//! Contacts of worlds are held against the step that is taken again.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use etalon_golden::read_trajectory;
use etalon_golden::trajectory::{Contact, Line, Quantity, line_text};
use etalon_replay::worlds::WorldReplay;

fn number(value: f64) -> Quantity {
    Quantity::binary64(value)
}

/// What `verify` says of a step of a golden world with a changed line.
fn said(name: &str, step: u64, change: impl Fn(&mut Line)) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/worlds");
    let mut own = read_trajectory(&folder.join(name)).unwrap();
    let at = usize::try_from(step).unwrap();
    change(&mut own.steps[at - 1]);
    own.texts[at] = line_text(&own.steps[at - 1]);
    WorldReplay::new(&own).unwrap().step(step).join("\n")
}

#[test]
fn a_world_as_it_is_holds() {
    for step in [1, 10, 20] {
        assert_eq!(said("pile.jsonl", step, |_| {}), "");
        assert_eq!(said("blocks-rough.jsonl", step, |_| {}), "");
        assert_eq!(said("pendulums.jsonl", step, |_| {}), "");
    }
}

#[test]
fn what_is_changed_in_contacts_is_named() {
    let rests = |line: &Line| {
        let mut contacts = line.contacts.iter();
        contacts.position(|own| own.normal.to_f64() > 0.0).unwrap()
    };
    type Change<'a> = (&'a str, &'a dyn Fn(&mut Line));
    let changes: [Change<'_>; 9] = [
        ("contacts are [", &|line| line.contacts.clear()),
        ("contacts are [", &|line| {
            line.contacts[0].pair = "no/where".to_owned()
        }),
        ("gap of ", &|line| line.contacts[0].gap = number(-0.5)),
        ("point of ", &|line| {
            line.contacts[0].point = Some([0.25, 9.0].map(number))
        }),
        ("direction of ", &|line| {
            line.contacts[0].direction = Some([0.6, 0.8].map(number))
        }),
        ("force of ", &|line| {
            let at = rests(line);
            line.contacts[at].force = Some(number(0.0));
        }),
        ("contacts push ", &|line| {
            for own in &mut line.contacts {
                (own.normal, own.force) = (number(0.0), Some(number(0.0)));
            }
        }),
        ("contacts push ", &|line| {
            let at = rests(line);
            line.contacts[at].friction = vec![number(1e6)];
        }),
        ("jams go from 0 to 12345", &|line| line.jams = Some(12345)),
    ];
    for (words, change) in changes {
        let said = said("pile.jsonl", 10, change);
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// Moves friction from one contact of a body to another one, so that the sum stays. Both normals are the same.
fn moved(line: &mut Line, [from, to]: [usize; 2], part: f64) {
    let rubbed = |own: &Contact| own.friction.first().map_or(0.0, Quantity::to_f64);
    let pressed = line.contacts[from].normal.to_f64();
    for (at, sign) in [(from, -1.0), (to, 1.0)] {
        let own = &mut line.contacts[at];
        own.friction = vec![number(rubbed(own) + sign * part * pressed)];
    }
}

/// Two contacts of the same pair, side by side on the floor.
fn side_by_side(line: &Line) -> [usize; 2] {
    let pushes = |own: &&Contact| own.normal.to_f64() > 0.0;
    let all: Vec<_> = line.contacts.iter().filter(pushes).collect();
    for (i, a) in line.contacts.iter().enumerate() {
        for (j, b) in line.contacts.iter().enumerate().skip(i + 1) {
            if a.pair == b.pair && all.contains(&a) && all.contains(&b) {
                return [i, j];
            }
        }
    }
    unreachable!("no body lies on two contacts")
}

#[test]
fn friction_that_another_contact_makes_up_for_is_still_bounded() {
    // Half of the bound and less may be moved, if both stay within theirs.
    let moved = |part: f64| {
        said("pile.jsonl", 10, |line| {
            let pair = side_by_side(line);
            moved(line, pair, part);
        })
    };
    assert_eq!(moved(0.01), "");
    // mu is 1/2.
    let far = moved(5.0);
    assert!(far.contains("cone: friction is"), "{far}");
    assert!(!far.contains("contacts push"), "{far}");
}

/// Another platform may round forces in another way.
#[test]
fn forces_may_be_off_by_rounding() {
    for (part, is_said) in [(1e-9, false), (1e-4, true)] {
        let said = said("pile.jsonl", 10, |line| {
            let own = line.contacts.iter_mut();
            let own = own.max_by(|a, b| a.normal.to_f64().total_cmp(&b.normal.to_f64()));
            let own = own.unwrap();
            let more = |value: &Quantity| number(value.to_f64() * (1.0 + part));
            (own.normal, own.force) = (more(&own.normal), own.force.as_ref().map(more));
        });
        assert_eq!(said.contains("contacts push"), is_said, "{said}");
    }
}
