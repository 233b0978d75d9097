//! The energy that free flight gained over the steps of a trajectory.

use etalon_evidence::measure::figures::four_digits;
use etalon_golden::trajectory::Line;

/// The gains of the steps of one trajectory, as its lines say; see `docs/implicit-surfaces.md`.
#[derive(Debug, Clone, Copy, Default)]
pub struct FlightGain {
    /// Whether any line says one.
    any: bool,
    /// Of all steps, J.
    pub total: f64,
    /// The largest of a step, J.
    pub largest: f64,
    /// The number of that step.
    pub step: u64,
}

impl FlightGain {
    /// Takes in a line.
    pub fn add(&mut self, line: &Line) {
        let Some(gain) = &line.flight_gain else {
            return;
        };
        let gain = gain.to_f64();
        if !self.any || gain > self.largest {
            self.largest = gain;
            self.step = line.k;
        }
        self.any = true;
        self.total += gain;
    }

    /// For people; `None` where no line says anything.
    pub fn to_text(self) -> Option<String> {
        let Self {
            total,
            largest,
            step,
            ..
        } = self;
        self.any.then(|| {
            format!(
                "turning in free flight gained {} J in all, at most {} J in a step (step {step})",
                four_digits(total),
                four_digits(largest)
            )
        })
    }

    /// Of several, the one with the largest step.
    pub fn is_worse_than(&self, other: &Self) -> bool {
        self.any && (!other.any || self.largest > other.largest)
    }
}
