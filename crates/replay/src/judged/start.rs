//! The start of a header held against that of its scene, and states against the grid that the header names.

use std::ops::Range;

use etalon_engines::motion::{Breach, Breaches, MotionLaw, Rounding};
use etalon_golden::trajectory::{Header, Quantity, Start};
use etalon_lcp::short_text;
use rug::Rational;

/// Roundings of a number of a start: it is a sum of a few numbers of the scene, with their sines.
const FEW: u32 = 24;

/// The start of a scene.
#[derive(Debug, Clone)]
pub struct SceneStart {
    start: Start,
    names: [Vec<String>; 2],
    /// Where the quaternions are among the coordinates: with the other sign they say the same.
    quaternions: Vec<Range<usize>>,
    /// The rounding of the scene's own start.
    rounding: Rounding,
}

impl SceneStart {
    /// That of the header that a run of the scene has, with the names of its velocities.
    pub fn new(own: Header, velocities: Vec<String>, quaternions: Vec<Range<usize>>) -> Self {
        let rounding = match own.grid_bits.and_then(|bits| u32::try_from(bits).ok()) {
            Some(bits) => Rounding::grid(bits),
            None => Rounding::exact(),
        };
        Self {
            start: own.start,
            names: [own.coordinates, velocities],
            quaternions,
            rounding,
        }
    }

    /// What is another one in a header, as step 0.
    pub fn off(&self, told: &Start, rounding: &Rounding) -> Vec<Breach> {
        let mut found = Breaches::of(0);
        let own = &self.start;
        let mut q = exact(&told.q);
        let of_scene = exact(&own.q);
        for range in &self.quaternions {
            turn_over(&mut q, &of_scene, range);
        }
        let unnamed = Vec::new();
        let momenta = (told.momentum.as_deref(), own.momentum.as_deref());
        let parts = [
            (q, of_scene, &self.names[0], "q"),
            (exact(&told.v), exact(&own.v), &self.names[1], "v"),
            (
                exact(momenta.0.unwrap_or_default()),
                exact(momenta.1.unwrap_or_default()),
                &unnamed,
                "momentum",
            ),
        ];
        for (told, own, names, field) in parts {
            // A momentum may be left out.
            if told.len() != own.len() {
                continue;
            }
            let largest = own.iter().flatten().map(|own| own.clone().abs()).max();
            let largest = largest.unwrap_or_default();
            let each = |own: &Rounding| Rational::from(&own.relative * &largest) * FEW;
            let mut room = each(rounding) + each(&self.rounding) + &rounding.absolute;
            // On one and the same grid the starts are the same.
            if rounding.absolute != self.rounding.absolute {
                room += &self.rounding.absolute;
            }
            for (i, (told, own)) in told.iter().zip(&own).enumerate() {
                let (Some(told), Some(own)) = (told, own) else {
                    continue;
                };
                let off = Rational::from(told - own);
                if off.clone().abs() > room {
                    let place = match names.get(i) {
                        Some(name) => format!("start.{field} of {name}"),
                        None => format!("start.{field}[{i}]"),
                    };
                    let [told, own] = [told, own].map(short_text);
                    let words = format!("it is {told}, and the scene starts with {own}");
                    let at = (MotionLaw::Data, place);
                    found.report(at, off, ("in units of the scene", room.clone()), words);
                }
            }
        }
        found.into_list()
    }
}

fn exact(own: &[Quantity]) -> Vec<Option<Rational>> {
    own.iter().map(Quantity::exact).collect()
}

/// Gives a quaternion the sign of another one.
fn turn_over(own: &mut [Option<Rational>], other: &[Option<Rational>], range: &Range<usize>) {
    let (Some(own), Some(other)) = (own.get_mut(range.clone()), other.get(range.clone())) else {
        return;
    };
    let pairs = own.iter().flatten().zip(other.iter().flatten());
    let product = pairs.fold(Rational::new(), |sum, (a, b)| sum + Rational::from(a * b));
    if product < 0 {
        for entry in own.iter_mut().flatten() {
            *entry = -entry.clone();
        }
    }
}

/// The first number of a state that is no multiple of 2^-bits, with its field.
///
/// # Errors
/// It, in words.
pub fn on_grid<'a>(
    bits: u32,
    numbers: impl IntoIterator<Item = (String, &'a Quantity)>,
) -> Result<(), String> {
    for (field, own) in numbers {
        let whole = own.exact().map(|own| (own << bits).is_integer());
        if whole == Some(false) {
            return Err(format!(
                "the field {field:?} is {own}, which is no multiple of 2^-{bits}, and the header says by \"arithmetic\" and \"grid_bits\" that all are"
            ));
        }
    }
    Ok(())
}
