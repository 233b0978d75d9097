//! Answers that are wrong on purpose.

use etalon_benches::splitmix::Splitmix;
use etalon_certify::Measure;
use etalon_lcp::Number;

use crate::case::Case;
use crate::court::{claim, informed, tolerance};
use crate::system::{System, Which};

/// How an answer is made wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Displacement {
    /// One unknown is moved.
    One,
    /// Up to four unknowns are moved.
    Several,
    /// One row stands at its bound where it should not, or off it; the rest is solved for.
    Row,
    /// One unknown off its bounds is moved, by parts not of its natural size but of what changes of
    /// the data reach, or of itself where that is more.
    BeyondReach,
}

impl Displacement {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::One, Self::Several, Self::Row, Self::BeyondReach];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "displaced: one unknown",
            Self::Several => "displaced: up to four unknowns",
            Self::Row => "displaced: one row the wrong way",
            Self::BeyondReach => "displaced: beyond reach",
        }
    }

    /// An answer that is off by 1000 to 10^6 tolerances 10^-k of a natural size in each unknown moved;
    /// for `Row` it is off by whatever comes of it. `None` where the row has no other way.
    pub fn answer(self, case: &Case, k: u32, draw: &mut Splitmix) -> Option<Vec<f64>> {
        let n = case.z.len();
        let mut z: Vec<f64> = case
            .z
            .iter()
            .map(|z| Number::from(z.clone()).to_f64())
            .collect();
        if self == Self::Row {
            let which = Which::AllBut(draw.below(n as u64) as usize);
            return System::new(&case.problem, &case.z, which)?.solve();
        }
        let reach = System::new(&case.problem, &case.z, Which::Loose)?.reach();
        let moved = if self == Self::Several { 4 } else { 1 };
        for _ in 0..moved {
            let j = draw.below(n as u64) as usize;
            let size = match self {
                Self::BeyondReach => reach.as_ref()?[j]?.max(z[j].abs()),
                _ => natural_size(case, j, k)?,
            };
            // An unknown that is 0 in rows that hold nothing has no size.
            if size == 0.0 {
                return None;
            }
            let factor = 10f64.powf(3.0 + 3.0 * draw.unit() - f64::from(k));
            let sign = if draw.below(2) == 0 { -1.0 } else { 1.0 };
            z[j] += sign * factor * size;
        }
        Some(z)
    }
}

/// The natural size of unknown j at the solution, as the judge has it: a displacement by any length
/// is at a distance of that length over the size.
fn natural_size(case: &Case, j: usize, k: u32) -> Option<f64> {
    let mut z: Vec<f64> = case
        .z
        .iter()
        .map(|z| Number::from(z.clone()).to_f64())
        .collect();
    // Larger than the rounding of the others by far.
    let largest = z.iter().fold(0.0f64, |most, z| most.max(z.abs()));
    let length = if largest > 0.0 { 1e3 * largest } else { 1.0 };
    z[j] += length;
    let claim = claim(&case.problem, &z)?;
    let verdict = informed(
        &case.problem,
        &case.truth,
        &claim,
        &tolerance(k, Measure::Natural),
    );
    let distance = verdict.distance?.to_f64();
    (distance > 0.0).then(|| length / distance)
}

#[cfg(test)]
mod tests {
    use crate::problems::FAMILIES;

    use super::*;

    #[test]
    fn displaced_answers_are_displaced() {
        for name in ["pd", "cancelled", "box"] {
            let family = FAMILIES.iter().find(|family| family.name == name).unwrap();
            let case = Case::new(family.problem(6, 1, 2).unwrap()).unwrap();
            let mut draw = Splitmix(5);
            for k in [6, 9] {
                for displacement in [Displacement::One, Displacement::Several] {
                    let z = displacement.answer(&case, k, &mut draw).unwrap();
                    let claim = claim(&case.problem, &z).unwrap();
                    let tolerance = tolerance(k, Measure::Natural);
                    let verdict = informed(&case.problem, &case.truth, &claim, &tolerance);
                    let parts = (verdict.distance.unwrap() / tolerance.tol).to_f64();
                    // An unknown that nothing measures is off by 1 wherever it goes.
                    let limit = 4.1e6_f64.max(10f64.powi(k as i32));
                    assert!((999.0..=1.001 * limit).contains(&parts), "{name}: {parts}");
                }
            }
        }
    }
}
