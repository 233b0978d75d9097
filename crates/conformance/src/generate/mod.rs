//! Generated problems: the families, and the stream of problems of one.

mod bodies;
mod bounded;
mod column;
mod cone;
mod definite;
mod degenerate;
pub(crate) mod draft;
pub(crate) mod draw;
mod exponential;
mod family;
mod friction;
mod friction_space;
mod game;
mod integer;
mod list;
mod masonry;
mod mixed;
mod mixed_list;
mod nonsymmetric;
mod pile;
mod resting;
mod semidefinite;
#[cfg(test)]
mod tests;
mod unsolvable;

use etalon_lcp::Problem;

pub use cone::cone_families;
pub(crate) use cone::sliding;
use draw::Draw;
pub use family::{Family, Sizes, Theory};
pub use list::families;
pub use mixed_list::mixed_families;
pub use resting::resting_families;

/// Why nothing can be generated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No family has this name.
    #[error("{name:?} is no family of problems; the families are {}", names())]
    UnknownFamily {
        /// The name asked for, shortened.
        name: String,
    },
    /// The family has no problems of this size.
    #[error("the family {family} has problems of size {sizes}, none of size {n}")]
    Size {
        /// The family.
        family: &'static str,
        /// The size asked for.
        n: usize,
        /// The sizes that it has.
        sizes: Sizes,
    },
}

/// All families: those of linear complementarity problems, then those with friction cones, in local and in mixed form, and those of many bodies in
/// mixed form.
pub fn all_families() -> impl Iterator<Item = &'static Family> {
    let cones = cone_families().iter().chain(resting_families());
    families().iter().chain(cones).chain(mixed_families())
}

/// The first `count` problems of a family at size n, named `FAMILY/n{n}/s{seed}/{k}` for
/// k = 0, 1, ... Each is made when the iterator reaches it.
///
/// # Errors
/// [`GenerateError`] when there is no such family, or it has no problems of that size.
pub fn generate(
    family: &str,
    n: usize,
    count: u64,
    seed: u64,
) -> Result<impl Iterator<Item = Problem>, GenerateError> {
    let family = all_families()
        .find(|known| known.name == family)
        .ok_or_else(|| GenerateError::UnknownFamily {
            name: family.chars().take(40).collect(),
        })?;
    if !family.sizes.contains(n) {
        return Err(GenerateError::Size {
            family: family.name,
            n,
            sizes: family.sizes,
        });
    }
    Ok((0..count).map(move |k| problem(family, n, seed, k)))
}

/// The names of all families, for the error that lists them.
fn names() -> String {
    let names: Vec<_> = all_families().map(|family| family.name).collect();
    names.join(", ")
}

fn problem(family: &Family, n: usize, seed: u64, k: u64) -> Problem {
    let mut draw = Draw::new(family.name, n, seed, k);
    let draft = (family.draft)(&mut draw, n, k);
    family.problem(draft, format!("{}/n{n}/s{seed}/{k}", family.name))
}
