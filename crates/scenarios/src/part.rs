//! The parts that a scenario may have.

/// The parts that a scenario can be run as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScenarioPart {
    /// Contact forces or impulses at one moment.
    Rest,
    /// A trajectory by time steps.
    Motion,
    /// A world of the planar engine.
    World,
}

impl ScenarioPart {
    /// All parts, in the order in which a scenario is taken where nothing is said.
    pub const ALL: [Self; 3] = [Self::Rest, Self::Motion, Self::World];

    /// The word that chooses it, as in `--as motion`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Motion => "motion",
            Self::World => "world",
        }
    }

    /// Whether it makes trajectories.
    pub const fn moves(self) -> bool {
        !matches!(self, Self::Rest)
    }

    /// The part of that word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.word() == word)
    }
}

impl std::fmt::Display for ScenarioPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Rest => "a scene at rest",
            Self::Motion => "a scene in motion",
            Self::World => "a world of the engine",
        })
    }
}
