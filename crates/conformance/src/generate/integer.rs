//! Small integers of no class at all.

use super::draft::Draft;
use super::draw::Draw;

/// Any number of solutions: none, one, several, or whole faces of them.
pub(super) fn random(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let m = draw.matrix(n, n, |draw| draw.between(-3, 3));
    let q = draw.vector(n, |draw| draw.between(-5, 5));
    Draft::from_integers(&m, 0, &q, 0)
}
