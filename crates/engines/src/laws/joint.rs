//! What is asked of joints, limits and drives.

use rug::Rational;

use crate::assembly::{Assembly, JointAsked};
use crate::exact::{length_above, ratio};
use crate::findings::{Laws, Measured};

/// Raises `gap` by what rows miss their declared velocity by, and `cone` by what forces are over their bound by, relative to the force.
pub(super) fn measure(assembly: &Assembly, share: &Rational, laws: &mut Laws) {
    for own in &assembly.joints {
        let Some(impulse) = &own.impulse else {
            continue;
        };
        match &own.asked {
            JointAsked::Nothing => {}
            JointAsked::Velocity(off) => {
                let speed = assembly.groups.speed(&own.rows, share);
                let value = ratio(&off.clone().abs(), &speed).unwrap_or_else(|| Rational::from(1));
                let gap = laws.gap.get_or_insert_with(Measured::default);
                gap.raise(value, || {
                    format!("row {}: its velocity is not the declared target", own.first)
                });
            }
            JointAsked::Bound(mu, bound) => {
                let stretched: Vec<_> = (impulse.iter().zip(mu))
                    .map(|(own, mu)| Rational::from(own / mu))
                    .collect();
                let length = length_above(&stretched);
                let over = Rational::from(&length - bound).max(Rational::new());
                let value = ratio(&over, &length).unwrap_or_default();
                let place = || format!("row {}: its force is over the bound", own.first);
                // One of both is the declared law, and a bound is a bound by each.
                let cone = laws.cone.get_or_insert_with(Measured::default);
                cone.raise(value.clone(), place);
                if let Some(axes) = &mut laws.axes {
                    axes.raise(value, place);
                }
            }
        }
    }
}
