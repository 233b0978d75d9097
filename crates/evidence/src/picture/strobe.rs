//! A run of the planar engine: its bodies at several moments, one over the other.

use etalon_planar::{Outline, World};

use super::arrows::Pressing;
use super::digits::digits;
use super::drawing::Drawing;
use super::{IMAGES, PictureError};

/// The moments of a run, one over the other, later ones darker; contact forces at the last.
pub struct Strobe {
    every: u64,
    drawing: Drawing,
    /// The times of the first and the last moment, s.
    times: [f64; 2],
}

impl Strobe {
    /// A picture that starts with the world as it is and goes on for some steps.
    pub fn new(world: &World, steps: u64) -> Self {
        let (fixed, moving): (Vec<_>, Vec<_>) = world.outlines().into_iter().partition(|o| o.fixed);
        let lines = fixed.iter().flat_map(|outline| outline.wires.clone());
        Self {
            every: steps.div_ceil(IMAGES).max(1),
            drawing: Drawing {
                unit: "N",
                lines: lines.collect(),
                fixed: fixed
                    .into_iter()
                    .flat_map(|outline| outline.loops)
                    .collect(),
                images: vec![moving.clone()],
                last: moving,
                ..Drawing::default()
            },
            times: [world.time(); 2],
        }
    }

    /// Takes the world after step k.
    pub fn add(&mut self, k: u64, world: &World) {
        let moving: Vec<Outline> = world.outlines().into_iter().filter(|o| !o.fixed).collect();
        if k.is_multiple_of(self.every) {
            self.drawing.images.push(moving.clone());
        }
        self.drawing.last = moving;
        self.times[1] = world.time();
        let force = |contact: &etalon_planar::ContactForce| (contact.point, contact.vector());
        let contacts = world.snapshot().contacts;
        self.drawing.forces = contacts.iter().map(force).collect::<Vec<Pressing>>();
    }

    /// The picture: bodies above a scale in metres, forces as arrows with their values in N.
    ///
    /// # Errors
    /// [`PictureError`].
    pub fn svg(&self) -> Result<String, PictureError> {
        moments(self.drawing.clone(), self.times, "contact forces").svg()
    }
}

/// The drawing with what is said of moments between two times, s, and of forces at the last.
pub(super) fn moments(mut drawing: Drawing, times: [f64; 2], what: &str) -> Drawing {
    let [from, to] = times.map(digits);
    let images = drawing.images.len();
    drawing.heading.push(format!(
        "{images} moments from t = {from} s to {to} s, the last one dark"
    ));
    drawing.arrows = format!("{what} at t = {to} s");
    drawing.none = format!("no contact presses at t = {to} s");
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_says_its_times() {
        let drawing = moments(Drawing::default(), [0.0, 1.25], "contact forces");
        let text = drawing.svg().unwrap();
        for word in ["t = 0 s to 1.25 s", "no contact presses at t = 1.25 s"] {
            assert!(text.contains(word), "{word}");
        }
    }
}
