//! The words of the record.

/// Defines an enum whose variants are words of records.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$of])* $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word that stands in records.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(word: &str) -> Result<Self, String> {
                let found = Self::ALL.iter().find(|own| own.word() == word);
                found.copied().ok_or_else(|| {
                    let known: Vec<_> = Self::ALL.iter().map(|own| own.word()).collect();
                    format!("{word:?} is none of {}", known.join(", "))
                })
            }
        }
    };
}

words! {
    /// The precision in which an engine computes.
    Precision {
        /// binary64.
        F64 = "f64",
        /// binary32.
        F32 = "f32",
    }
}

words! {
    /// The moment at which contact points and frames were taken.
    When {
        /// Before the step.
        Start = "start",
        /// After it.
        End = "end",
    }
}

words! {
    /// The bound on friction that an engine declares.
    FrictionLaw {
        /// A circle: |λ_t| <= μ λ_n.
        Coulomb = "coulomb",
        /// Each axis by itself: |λ_i| <= μ_i λ_n, with the normal impulse of the step.
        Pyramid = "pyramid",
        /// The same rows, with a bound that the engine takes from an earlier normal impulse.
        Box = "box",
        /// An ellipse: |(λ_i / μ_i)| <= λ_n.
        Ellipse = "ellipse",
    }
}

words! {
    /// The model of contact that an engine declares.
    ContactModel {
        /// Signorini's conditions and Coulomb's law.
        Hard = "hard",
        /// Regularised and convex (MuJoCo).
        SoftConvex = "soft-convex",
        /// Convex without regularisation.
        Convex = "convex",
        /// Friction bounded by the normal force before the step.
        Lagged = "lagged",
        /// Positions are projected, velocities follow.
        PositionBased = "position-based",
    }
}

words! {
    /// The unknown of a generalised step.
    Quantity {
        /// Accelerations, with forces.
        Acceleration = "acceleration",
        /// Velocities after the step, with impulses.
        Velocity = "velocity",
    }
}

impl Precision {
    /// The unit roundoff u is 2 to this power.
    pub fn unit_exponent(self) -> i32 {
        match self {
            Self::F64 => -53,
            Self::F32 => -24,
        }
    }
}

impl FrictionLaw {
    /// Whether each axis has its own bound.
    pub fn is_by_axis(self) -> bool {
        matches!(self, Self::Pyramid | Self::Box)
    }
}
