//! Boxes with a solution, as JSON.

use super::RecordError;
use super::fields::{Fields, vector};
use super::token::{NumberToken, plain};
use super::write::{Object, array, vectors};
use crate::certificate::{Enclosure, Mode};

pub(super) fn read(fields: &mut Fields<'_>) -> Result<Enclosure, RecordError> {
    let modes: Vec<String> = fields.require("modes")?;
    let mode = |(k, text): (usize, String)| {
        mode(&text).ok_or_else(|| {
            let problem = format!(
                "{text:?} is no mode: l, u or f of a plain row, o of an open contact, or s and g, a letter for each disc of another"
            );
            RecordError::new(format!("modes[{k}]"), problem)
        })
    };
    let inverse: Vec<Vec<NumberToken>> = fields.require("inverse")?;
    Ok(Enclosure {
        modes: modes
            .into_iter()
            .enumerate()
            .map(mode)
            .collect::<Result<_, _>>()?,
        center: vector(fields, "center")?,
        radius: vector(fields, "radius")?,
        inverse: inverse.into_iter().map(plain).collect(),
    })
}

fn mode(text: &str) -> Option<Mode> {
    Some(match text {
        "l" => Mode::Lower,
        "u" => Mode::Upper,
        "f" => Mode::Free,
        "o" => Mode::Open,
        discs => {
            let slides = |letter| match letter {
                'g' => Some(true),
                's' => Some(false),
                _ => None,
            };
            Mode::Pressed(discs.chars().map(slides).collect::<Option<_>>()?)
        }
    })
}

pub(super) fn write(enclosure: &Enclosure, object: &mut Object) {
    let text = |mode: &Mode| match mode {
        Mode::Lower => "l".to_owned(),
        Mode::Upper => "u".to_owned(),
        Mode::Free => "f".to_owned(),
        Mode::Open => "o".to_owned(),
        Mode::Pressed(slides) => {
            let letters = slides.iter().map(|slides| if *slides { 'g' } else { 's' });
            letters.collect()
        }
    };
    let modes = enclosure
        .modes
        .iter()
        .map(|mode| format!("\"{}\"", text(mode)));
    object.raw("modes", array(modes));
    object.numbers("center", &enclosure.center);
    object.numbers("radius", &enclosure.radius);
    object.raw("inverse", vectors(&enclosure.inverse));
}
