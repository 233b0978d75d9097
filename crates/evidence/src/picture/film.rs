//! A scene in motion: its bodies at several moments, from the scene's own view.

use etalon_planar::Outline;
use etalon_scenarios::view::View;

use super::drawing::Drawing;
use super::strobe::moments;
use super::{IMAGES, PictureError};

/// The moments of a trajectory, one over the other, later ones darker; normal forces at the last.
pub struct FilmStrip {
    view: View,
    every: u64,
    taken: u64,
    times: [f64; 2],
    drawing: Drawing,
    /// Contacts press at the last moment, and the view shows none of them.
    unseen: bool,
}

impl FilmStrip {
    /// A picture from a view that starts in a state and goes on for some steps.
    pub fn new(view: View, name: &str, q: &[f64], steps: u64) -> Self {
        let first = outlines(&view, q);
        let title = match view.title.as_str() {
            "" => name.to_owned(),
            title => format!("{name}, {}", title.to_lowercase()),
        };
        let drawing = Drawing {
            heading: vec![title],
            unit: "N",
            axes: Some([view.across.clone(), view.up.clone()]),
            solids: view.solids.clone(),
            lines: view.lines.clone(),
            images: vec![first.clone()],
            last: first,
            ..Drawing::default()
        };
        Self {
            view,
            every: steps.div_ceil(IMAGES).max(1),
            taken: 0,
            times: [0.0; 2],
            drawing,
            unseen: false,
        }
    }

    /// Takes the state after one more step, the time, s, and the mean normal force of each contact in the step, N.
    pub fn add(&mut self, q: &[f64], time: f64, forces: &[f64]) {
        self.taken += 1;
        let now = outlines(&self.view, q);
        if self.taken.is_multiple_of(self.every) {
            self.drawing.images.push(now.clone());
        }
        self.drawing.last = now;
        self.times[1] = time;
        let touches = self.view.touches(&self.view.poses(q));
        let touches_nothing = touches.iter().all(Option::is_none);
        let pressing = touches.into_iter().zip(forces);
        self.unseen = touches_nothing && forces.iter().any(|force| *force > 0.0);
        let pressing = pressing.filter(|(_, force)| **force > 0.0);
        let pressing = pressing.filter_map(|(touch, force)| {
            let touch = touch?;
            Some((touch.at, touch.normal.map(|entry| force * entry)))
        });
        self.drawing.forces = pressing.collect();
    }

    /// The picture.
    ///
    /// # Errors
    /// [`PictureError`].
    pub fn svg(&self) -> Result<String, PictureError> {
        let mut drawing = moments(self.drawing.clone(), self.times, "normal forces");
        if self.unseen {
            drawing.none = "contacts press; their forces are not drawn".to_owned();
        }
        drawing.svg()
    }
}

fn outlines(view: &View, q: &[f64]) -> Vec<Outline> {
    let named = view.bodies.iter().zip(view.outlines(q));
    let outline = named.map(|(body, outline)| Outline {
        name: body.name.clone(),
        fixed: false,
        loops: vec![outline],
        wires: Vec::new(),
    });
    outline.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_scenarios::find;

    #[test]
    fn a_strip_shows_bodies_where_they_are_and_what_presses() {
        let rod = find("rod").unwrap().motion_instance([]).unwrap();
        let view = rod.views().unwrap().remove(0);
        let contacts = view.touches(&view.poses(&[0.0, 1.0, 0.5])).len();
        let mut strip = FilmStrip::new(view, "rod", &[0.0, 1.0, 0.5], 2);
        strip.add(&[0.1, 0.9, 0.4], 0.5, &vec![0.0; contacts]);
        assert!(
            strip
                .svg()
                .unwrap()
                .contains("no contact presses at t = 0.5 s")
        );
        strip.add(&[0.1, 0.9, 0.4], 1.0, &vec![12.0; contacts]);
        let text = strip.svg().unwrap();
        for word in ["rod", "3 moments from t = 0 s to 1 s", "12 N", "x, m"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        assert!(text.matches("<polyline").count() > 4, "{text}");
    }
}
