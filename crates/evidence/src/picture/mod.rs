//! Pictures of scenes and of engines' steps as SVG: bodies above a scale in metres, forces as arrows with heads and values, and energies over time.

mod arrows;
mod digits;
mod drawing;
mod energies;
mod film;
mod rest;
mod sight;
mod states;
mod strobe;

pub(crate) use drawing::clipped;
pub use energies::Energies;
pub use film::FilmStrip;
pub use rest::{Acting, at_rest};
pub use states::of_states;
pub use strobe::Strobe;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PictureError(String);

/// A picture shows at most so many moments.
const IMAGES: u64 = 16;
