//! Boxes with a solution, as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::RecordError;
use super::fields::{Fields, vector};
use super::write::{Object, array, number, vectors};
use crate::certificate::{Enclosure, Mode};
use crate::number::Number;

/// Numbers by rows, none of which is given twice.
pub(crate) fn by_rows<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<usize, Number>, D::Error> {
    struct Collect;
    impl<'de> Visitor<'de> for Collect {
        type Value = BTreeMap<usize, Number>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of numbers by their rows")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut all = BTreeMap::new();
            while let Some((row, own)) = map.next_entry()? {
                if all.insert(row, own).is_some() {
                    return Err(A::Error::custom(format!("row {row} is given twice")));
                }
            }
            Ok(all)
        }
    }
    deserializer.deserialize_map(Collect)
}

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
    Ok(Enclosure {
        modes: modes
            .into_iter()
            .enumerate()
            .map(mode)
            .collect::<Result<_, _>>()?,
        center: vector(fields, "center")?,
        radius: vector(fields, "radius")?,
        implied: fields.take("implied")?.unwrap_or_default(),
        inverse: fields.require("inverse")?,
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
    if !enclosure.implied.is_empty() {
        let implied = enclosure.implied.iter().map(|own| {
            let by = own.by.iter();
            let by = by.map(|(i, factor)| format!("\"{i}\":{}", number(factor)));
            let by: Vec<_> = by.collect();
            format!("{{\"row\":{},\"by\":{{{}}}}}", own.row, by.join(","))
        });
        object.raw("implied", array(implied));
    }
    object.raw("inverse", vectors(&enclosure.inverse));
}
