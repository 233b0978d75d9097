//! Which view belongs to which scenario.

use std::collections::BTreeMap;

use etalon_lcp::Number;

use super::pieces::View;
use super::{flat, spatial};

/// A trajectory's parameters as numbers to draw with.
pub struct Values<'a> {
    texts: &'a BTreeMap<String, String>,
    /// The state at the start.
    pub start: &'a [f64],
}

impl<'a> Values<'a> {
    pub fn new(texts: &'a BTreeMap<String, String>, start: &'a [f64]) -> Self {
        Self { texts, start }
    }

    /// A number; 0 where there is none.
    pub fn get(&self, name: &str) -> f64 {
        let text = self.texts.get(name).map_or("", String::as_str);
        Number::parse_exact(text).map_or(0.0, |number| number.to_f64())
    }

    /// A word.
    pub fn word(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    /// How many there are of something, at most some hundreds.
    pub fn count(&self, name: &str) -> usize {
        self.get(name).clamp(0.0, 500.0) as usize
    }

    /// The angle of a slope, given by the tangent of its half.
    pub fn slope(&self) -> f64 {
        2.0 * self.get("half_angle").atan()
    }
}

/// The views of a scenario; none for one that is not known, whose film has plots only.
pub fn views(scenario: &str, values: &Values<'_>) -> Vec<View> {
    let view = match scenario {
        "rod" => flat::rod(),
        "polygon" => flat::polygon(values),
        "disc" => flat::disc(),
        "painleve-inconsistent" | "painleve-indeterminate" => flat::painleve(values),
        "ladder-slide" => flat::ladder(values),
        "plate-on-slope" => flat::plate(values),
        "cradle-row" => flat::cradle(values),
        "elastic-cradle" => flat::elastic_cradle(values),
        "central-impact" => flat::central_impact(),
        "bouncing-ball" => flat::bouncing_ball(),
        "incline" => flat::incline(values),
        "wedge" => flat::wedge(values),
        "ellipse" => flat::cavity(values),
        "corner" => flat::corner(values),
        "hole" => flat::hole(values),
        "stack-drop" => flat::stack(),
        "settling-chain" => flat::chain(values),
        "joint-slide" => flat::joint(),
        "rolling-ellipse" => flat::rolling_ellipse(values),
        "four-balls" => return spatial::four_balls(),
        "sphere-on-slope" => return spatial::sphere(values),
        "particle-3d" => return spatial::particle(),
        "implicit-sphere" => return spatial::implicit_sphere(values),
        "ellipsoid" => return spatial::ellipsoid(values),
        _ => return Vec::new(),
    };
    vec![view]
}
