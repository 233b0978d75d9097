//! Arrows of forces: how long they are, and their values beside them.

use plotters::prelude::*;

use super::digits::digits;
use crate::ink;

pub type Outcome = std::result::Result<(), Box<dyn std::error::Error>>;
pub type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// The longest arrow, in pixels.
const LONGEST: f64 = 110.0;
/// A force is huge beside the others from so many times their median on. Then its arrow is cut, so that those of the others
/// can be seen: the longest arrow stands for [`CUT`] times the median.
const HUGE: f64 = 20.0;
const CUT: f64 = 8.0;
/// At most so many arrows have their value beside them: the largest. More could not be read.
const VALUES: usize = 12;
/// About the width of a letter of a value, in pixels.
const LETTER: i32 = 7;

/// Where a contact presses, and how: a point, m, and a force.
pub type Pressing = ([f64; 2], [f64; 2]);

/// How long arrows are beside each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    longest: f64,
    /// The force of the longest arrow; larger ones are cut.
    reach: f64,
}

impl Scale {
    /// The scale of forces; those that are 0 or no numbers have no arrows.
    pub fn new<'a>(forces: impl Iterator<Item = &'a [f64; 2]>) -> Self {
        let mut sizes: Vec<f64> = forces.map(size).filter(|size| is_seen(*size)).collect();
        sizes.sort_by(f64::total_cmp);
        let longest = sizes.last().copied().unwrap_or(0.0);
        // Of an even number the lower one: of two forces, the smaller.
        let reach = match sizes.get(sizes.len().saturating_sub(1) / 2) {
            Some(median) if longest > HUGE * median => CUT * median,
            _ => longest,
        };
        Self { longest, reach }
    }

    /// Whether there are any.
    pub fn has_arrows(&self) -> bool {
        self.longest > 0.0
    }

    /// The scale in words; none where there are no arrows.
    pub fn words(&self, what: &str, unit: &str) -> Option<String> {
        let [longest, reach] = [self.longest, self.reach].map(digits);
        let cut = self.longest > self.reach;
        self.has_arrows().then(|| match cut {
            true => format!(
                "arrows: {what}, {LONGEST} pixels are {reach} {unit}; those with a bar are cut"
            ),
            false => format!("arrows: {what}, the longest {longest} {unit} ({LONGEST} pixels)"),
        })
    }

    /// The forces from their points in pixels, in a colour, the largest with their values where these do not cover each other.
    pub fn draw(
        &self,
        area: &Area<'_>,
        mut forces: Vec<((i32, i32), [f64; 2])>,
        unit: &str,
        color: RGBColor,
    ) -> Outcome {
        forces.retain(|(_, force)| is_seen(size(force)));
        forces.sort_by(|a, b| size(&b.1).total_cmp(&size(&a.1)));
        let mut labels: Vec<(i32, i32)> = Vec::new();
        for (from, force) in forces {
            let own = size(&force);
            let scale = LONGEST / own.max(self.reach);
            let [dx, dy] = force.map(|entry| (entry * scale).round() as i32);
            // Upwards is less in pixels.
            let to = (from.0 + dx, from.1 - dy);
            // What is shorter than its own line is wide is no arrow: beside the longest it is nothing.
            if dx.abs().max(dy.abs()) < 3 {
                continue;
            }
            ink::arrow(area, from, to, color)?;
            if own > self.reach {
                ink::bar(area, from, to, color)?;
            }
            let value = format!("{} {unit}", digits(own));
            // Beyond the head, on the side to which the arrow points.
            let aside = if dx < -2 {
                -7 - LETTER * value.chars().count() as i32
            } else {
                7
            };
            let at = (to.0 + aside, to.1 - 7);
            let covers =
                |other: &(i32, i32)| (other.0 - at.0).abs() < 68 && (other.1 - at.1).abs() < 15;
            if labels.len() < VALUES && !labels.iter().any(covers) {
                let font = ("sans-serif", 13).into_font().color(&BLACK);
                area.draw(&Text::new(value, at, font))?;
                labels.push(at);
            }
        }
        Ok(())
    }
}

fn size(force: &[f64; 2]) -> f64 {
    force[0].hypot(force[1])
}

fn is_seen(size: f64) -> bool {
    size > 0.0 && size.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_is_that_of_the_longest_unless_it_is_huge() {
        let reach = |sizes: &[f64]| {
            let forces: Vec<[f64; 2]> = sizes.iter().map(|size| [0.0, *size]).collect();
            Scale::new(forces.iter()).reach
        };
        assert_eq!(reach(&[]), 0.0);
        assert_eq!(reach(&[0.0, f64::NAN]), 0.0);
        assert_eq!(reach(&[7.0]), 7.0);
        assert_eq!(reach(&[1.0, 20.0]), 20.0);
        assert_eq!(reach(&[1.0, 21.0]), 8.0);
        assert_eq!(reach(&[1.0, 2.0, 1e300]), 16.0);
    }
}
