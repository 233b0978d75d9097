//! Energy that a bounce by Newton's law gains from the weight that acts in its step.

use rug::Rational;

use super::SpaceStep;

/// Gains below this part of what the impact turns over are rounding of answers in binary64.
const ROUNDING: (u32, u32) = (1, 1_000_000_000);

/// What bounces by Newton's law gained in a step.
///
/// A contact parts at e times the speed before the step. In the step its weight makes it faster, and the impulse takes that
/// away on top: a ball with e = 1 gains m g h v. With e below 1 it loses (1 - e^2) m v^2/2 in the same step, so that only the
/// difference shows.
#[derive(Debug, Clone, PartialEq)]
pub struct BounceGain {
    /// The contacts that bounced.
    pub contacts: Vec<String>,
    /// How much more energy there is after the step than before, but for friction, joints, drives and rounding, J.
    pub energy: Rational,
}

impl SpaceStep {
    /// What its bounces gained; none where they lost energy, and in an impact by Poisson's law.
    pub fn bounce_gain(&self) -> Option<BounceGain> {
        if self.compression.is_some() {
            return None;
        }
        let position = self.ledger.position_total();
        let energy = -Rational::from(&self.ledger.numerical + &position);
        let turned_over = Rational::from(self.ledger.numerical.abs_ref()) + position.abs();
        if energy <= turned_over * Rational::from(ROUNDING) {
            return None;
        }
        let formulation = &self.posed.formulation;
        let all = self.contacts().iter().zip(&formulation.contacts);
        let bounced = all
            .zip(&self.ledger.position)
            .filter(|((own, row), taken)| {
                let approach = row.frame.normal.times(&formulation.velocity);
                own.restitution > 0 && approach < 0 && **taken < 0
            });
        let contacts: Vec<String> = bounced.map(|((own, _), _)| own.name.clone()).collect();
        (!contacts.is_empty()).then_some(BounceGain { contacts, energy })
    }
}
