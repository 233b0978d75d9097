//! Numbers in binary64 that another machine may compute a little differently.

use etalon_golden::trajectory::Quantity;
use rug::Rational;

/// How far a step may come out from its line, in parts of the largest position, velocity and energy of the step. The engine takes
/// answers of its problems with a backward error of up to 1e-11 (`crates/planar/src/tolerances.rs`), and a step solves some ten of
/// them.
pub const AGREE: f64 = 1e-10;

/// Numbers of a line that are further from what comes out than [`AGREE`] of a size; the difference is taken exactly.
pub fn apart(name: &str, stored: &[Quantity], own: &[Quantity], size: f64) -> Vec<String> {
    if stored.len() != own.len() {
        let (one, other) = (stored.len(), own.len());
        return vec![format!(
            "{name} has {one} numbers, but comes out with {other}"
        )];
    }
    let most = Rational::from_f64(AGREE * size);
    let far = |a: &Quantity, b: &Quantity| match (a.exact(), b.exact(), &most) {
        (Some(a), Some(b), Some(most)) => (a - b).abs() > *most,
        _ => true,
    };
    let pairs = stored.iter().zip(own).enumerate();
    let found = pairs.filter(|(_, (a, b))| far(a, b));
    found
        .map(|(i, (a, b))| format!("{name}[{i}] is {a}, but comes out as {b}"))
        .collect()
}
