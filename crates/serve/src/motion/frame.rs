//! Lines of a trajectory in space as frames.

use std::collections::HashMap;

use etalon_golden::trajectory::{Contact, Energy, Header, Line, Quantity};
use etalon_scenarios::space::MovingScene;
use etalon_spatial::{ContactProposal, Surface, Surfaces};
use etalon_time_stepping::implicit::PairTouch;
use rug::Rational;

use super::corners::{upright, upright_pose};
use crate::protocol::{ContactDrawn, FAULTS, JointDrift, MotionFrame};

/// Axes of the world whose shares in a normal differ by less are as far from it as each other. A normal is rounded to
/// 2^-40; either share may be off by half of that.
const ALIKE: f64 = 2.0 / (1u64 << 40) as f64;

/// What a line leaves to be known of its contacts.
pub enum Contacts<'a> {
    /// It says where they are; surfaces say whether friction has a grain.
    Rows(&'a Surfaces),
    /// Of implicit surfaces and of corners, where each contact acts.
    Closest(HashMap<String, PairTouch>),
}

/// How coordinates place the bodies that move.
#[derive(Debug, Clone, Copy)]
pub struct Places {
    /// How many of them there are.
    pub moving: usize,
    /// Whether they are in the plane, with x, y and an angle each; in space with a position and a quaternion.
    pub plane: bool,
}

impl Places {
    /// Those of a scene.
    pub fn of(scene: &MovingScene) -> Self {
        Self {
            moving: scene.places(),
            plane: matches!(scene, MovingScene::Corners(own) if own.dimension() == 2),
        }
    }
}

/// The start; `Err` with the field that is none.
pub fn start(header: &Header, places: Places) -> Result<MotionFrame, &'static str> {
    let energy = header.start.energy.clone().unwrap_or_default();
    Ok(MotionFrame {
        poses: poses(&header.start.q, places)?,
        kinetic: joules(&energy)?[0],
        potential: joules(&energy)?[1],
        ..MotionFrame::default()
    })
}

/// A step with what it breaks; `Err` with the field that is none.
pub fn frame(
    line: &Line,
    places: Places,
    contacts: &Contacts<'_>,
    broken: Vec<String>,
) -> Result<MotionFrame, &'static str> {
    let contacts = line.contacts.iter().map(|own| match contacts {
        Contacts::Rows(surfaces) => contact(own, surfaces),
        Contacts::Closest(touches) => closest(own, touches.get(&own.pair)?),
    });
    let joints = line.joints.iter().flatten();
    Ok(MotionFrame {
        k: line.k,
        time: line.t.finite().ok_or("t")?,
        poses: poses(&line.q, places)?,
        contacts: contacts.collect::<Option<_>>().ok_or("contacts")?,
        joints: joints
            .map(|own| JointDrift {
                joint: own.joint.clone(),
                drift: own.drift.to_f64(),
            })
            .collect(),
        kinetic: joules(&line.energy)?[0],
        potential: joules(&line.energy)?[1],
        dissipated: line.dissipated.finite().unwrap_or_default(),
        verdict: verdict(line),
        broken: broken.into_iter().take(FAULTS).collect(),
    })
}

fn joules(energy: &Energy) -> Result<[f64; 2], &'static str> {
    let both = energy.kinetic.finite().zip(energy.potential.finite());
    both.map(|(kinetic, potential)| [kinetic, potential])
        .ok_or("energy")
}

fn poses(q: &[Quantity], places: Places) -> Result<Vec<[f64; 7]>, &'static str> {
    let length = if places.plane { 3 } else { 7 };
    let numbers: Option<Vec<f64>> = q.iter().map(Quantity::finite).collect();
    let numbers = numbers.filter(|own| own.len() == length * places.moving);
    let numbers = numbers.ok_or("q")?;
    let pose = |own: &[f64]| match *own {
        [x, y, angle] => upright_pose([x, y, angle]),
        _ => std::array::from_fn(|k| own[k]),
    };
    Ok(numbers.chunks_exact(length).map(pose).collect())
}

/// Whether the friction of a contact has a grain: its tangents follow the grain, and a line does not have them.
fn is_grained(pair: &str, surfaces: &Surfaces) -> bool {
    let grained = surfaces.pairs.iter().filter(|own| own.2.grain.is_some());
    let mut names = grained.flat_map(|(a, b, _)| [(a, b), (b, a)]);
    // A piece has its own name behind that of its body, and contacts of a pair after the first have a number.
    let is_piece = |rest: &str| rest.is_empty() || rest.starts_with('.');
    let ends = |rest: &str| is_piece(rest) || rest.starts_with(' ');
    names.any(|(first, second)| {
        let Some(rest) = pair.strip_prefix(&**first) else {
            return false;
        };
        let mut cuts = rest.match_indices('/');
        cuts.any(|(at, _)| {
            let after = rest[at + 1..].strip_prefix(&**second);
            is_piece(&rest[..at]) && after.is_some_and(ends)
        })
    })
}

/// A contact of implicit surfaces, or of corners.
fn closest(own: &Contact, touch: &PairTouch) -> Option<ContactDrawn> {
    let three = |values: &[f64]| -> Option<[f64; 3]> {
        let finite = values.iter().all(|value| value.is_finite());
        upright(values).filter(|_| finite)
    };
    let (along, size) = (three(&touch.normal)?, own.normal.finite()?);
    let shares: Option<Vec<f64>> = own.friction.iter().map(Quantity::finite).collect();
    let mut friction = [0.0; 3];
    for (share, tangent) in shares?.iter().zip(&touch.tangents) {
        let tangent = three(tangent)?;
        friction = std::array::from_fn(|k| friction[k] + share * tangent[k]);
    }
    Some(ContactDrawn {
        pair: own.pair.clone(),
        at: three(&touch.at)?,
        gap: own.gap.finite()?,
        normal: along.map(|entry| size * entry),
        friction: Some(friction),
        torsion: own.torsion.as_ref().and_then(Quantity::finite),
    })
}

/// What the judge says of the worse of the answers of a step, of which an impact has two.
fn verdict(line: &Line) -> Option<String> {
    if let Some(verified) = &line.verified {
        let word = if verified.proved {
            "proved"
        } else {
            "unproved"
        };
        return Some(word.to_owned());
    }
    let first = line.compression.as_ref();
    let first = first.and_then(|own| own.verdict.clone());
    let rank = |word: &String| match &**word {
        "exact" => 0,
        "accepted" => 1,
        _ => 2,
    };
    first
        .into_iter()
        .chain(line.verdict.clone())
        .max_by_key(rank)
}

fn contact(own: &Contact, surfaces: &Surfaces) -> Option<ContactDrawn> {
    let at = finite(own.at.as_ref()?)?;
    let along = finite(own.along.as_ref()?)?;
    let size = own.normal.finite()?;
    let shares: Option<Vec<f64>> = own.friction.iter().map(Quantity::finite).collect();
    let friction = match shares?[..] {
        [] => Some([0.0; 3]),
        [..] if is_grained(&own.pair, surfaces) => None,
        [one, other] => {
            tangents(along).map(|[a, b]| std::array::from_fn(|k| one * a[k] + other * b[k]))
        }
        _ => None,
    };
    Some(ContactDrawn {
        pair: own.pair.clone(),
        at,
        gap: own.gap.finite()?,
        normal: along.map(|entry| size * entry),
        friction,
        torsion: None,
    })
}

/// The tangents that a step makes of a normal. It makes them before the normal is rounded, of the axis of the world that
/// is furthest from it: where two axes are as far, which of them was taken cannot be told from a line, unless the
/// normal is an axis of the world itself, where the first is taken.
fn tangents(normal: [f64; 3]) -> Option<[[f64; 3]; 2]> {
    let mut shares = normal.map(f64::abs);
    shares.sort_by(f64::total_cmp);
    if shares[1] > 0.0 && shares[1] - shares[0] < ALIKE {
        return None;
    }
    let proposal = ContactProposal {
        first: 0,
        second: 1,
        point: [0.0; 3],
        normal,
        gap: 0.0,
    };
    let contact = etalon_spatial::Contact::of(&proposal, String::new(), &Surface::default())?;
    let one = |k: usize| {
        contact.tangents[k]
            .coordinates()
            .each_ref()
            .map(Rational::to_f64)
    };
    Some([one(0), one(1)])
}

fn finite(values: &[Quantity; 3]) -> Option<[f64; 3]> {
    let [x, y, z] = values.each_ref().map(Quantity::finite);
    Some([x?, y?, z?])
}
