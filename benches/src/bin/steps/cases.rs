//! The scenes.

/// A scene with its parameters.
pub struct Case {
    /// Its name in `etalon scenario list`.
    pub scene: &'static str,
    /// What is not the default.
    pub settings: &'static [(&'static str, &'static str)],
    /// Its method, and its cone where it has a choice.
    pub method: &'static str,
}

impl Case {
    /// Its name with its parameters.
    pub fn label(&self) -> String {
        let settings = self.settings.iter();
        let shown = settings.filter(|(name, _)| !["method", "cone", "steps"].contains(name));
        let words = shown.map(|(name, value)| format!(" {name}={value}"));
        format!("`{}{}`", self.scene, words.collect::<String>())
    }

    /// Whether the problem of a step has circular friction cones.
    pub fn circular(&self) -> bool {
        self.settings.contains(&CIRCULAR)
    }

    /// Whether another solver of linear complementarity problems can take the place of Lemke's method.
    pub fn has_fast(&self) -> bool {
        !self.circular() && ![CHAKRABORTY_BERARD, EGAN_TRINKLE].contains(&self.method)
    }
}

const STEWART_TRINKLE: &str = "Stewart-Trinkle";
const MOREAU_JEAN: &str = "Moreau-Jean, circle";
const EGAN_TRINKLE: &str = "Egan-Trinkle";
const CHAKRABORTY_BERARD: &str = "Chakraborty-Berard";

const CIRCULAR: (&str, &str) = ("cone", "circular");
const MOREAU: (&str, &str) = ("method", "moreau-jean");

const fn case(
    method: &'static str,
    scene: &'static str,
    settings: &'static [(&'static str, &'static str)],
) -> Case {
    Case {
        scene,
        settings,
        method,
    }
}

/// The scenes of the table: by method, then by contacts.
pub const CASES: [Case; 33] = [
    case(STEWART_TRINKLE, "incline", &[("steps", "200")]),
    case(STEWART_TRINKLE, "rod", &[]),
    case(STEWART_TRINKLE, "two-balls", &[]),
    case(STEWART_TRINKLE, "four-balls", &[]),
    case(
        STEWART_TRINKLE,
        "cradle-row",
        &[("balls", "5"), ("steps", "60")],
    ),
    case(
        STEWART_TRINKLE,
        "cradle-row",
        &[("balls", "20"), ("steps", "60")],
    ),
    case(
        STEWART_TRINKLE,
        "cradle-row",
        &[("balls", "60"), ("steps", "60")],
    ),
    case(STEWART_TRINKLE, "settling-chain", &[("blocks", "5")]),
    case(STEWART_TRINKLE, "settling-chain", &[("blocks", "20")]),
    case(STEWART_TRINKLE, "settling-chain", &[("blocks", "60")]),
    case(STEWART_TRINKLE, "wheel-spin", &[]),
    case(STEWART_TRINKLE, "four-bar", &[]),
    case(STEWART_TRINKLE, "box-slide", &[]),
    case(STEWART_TRINKLE, "box-corner", &[]),
    case(STEWART_TRINKLE, "dominoes", &[("dominoes", "3")]),
    case(STEWART_TRINKLE, "dominoes", &[("dominoes", "10")]),
    case(STEWART_TRINKLE, "box-stack", &[("boxes", "2")]),
    case(STEWART_TRINKLE, "box-stack", &[("boxes", "5")]),
    case(STEWART_TRINKLE, "box-stack", &[("boxes", "10")]),
    case(STEWART_TRINKLE, "box-stack", &[("boxes", "20")]),
    case(MOREAU_JEAN, "box-slide", &[MOREAU, CIRCULAR]),
    case(MOREAU_JEAN, "box-corner", &[MOREAU, CIRCULAR]),
    case(
        MOREAU_JEAN,
        "dominoes",
        &[("dominoes", "3"), MOREAU, CIRCULAR],
    ),
    case(
        MOREAU_JEAN,
        "box-stack",
        &[("boxes", "2"), MOREAU, CIRCULAR],
    ),
    case(
        MOREAU_JEAN,
        "box-stack",
        &[("boxes", "5"), MOREAU, CIRCULAR],
    ),
    case(EGAN_TRINKLE, "hole-turning", &[]),
    case(EGAN_TRINKLE, "triangle", &[]),
    case(EGAN_TRINKLE, "bricks", &[]),
    case(EGAN_TRINKLE, "block-corner", &[]),
    case(CHAKRABORTY_BERARD, "rolling-ellipse", &[]),
    case(CHAKRABORTY_BERARD, "implicit-sphere", &[]),
    case(CHAKRABORTY_BERARD, "ellipsoid", &[]),
    case(CHAKRABORTY_BERARD, "superquadric-rocking", &[]),
];
