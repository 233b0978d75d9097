//! The kinetic energy of an impact, and what changed it.

use etalon_scenarios::Impact;
use rug::Rational;

use super::show::number;

/// Kinetic energy before and afterwards, the work of obstacles that move, and why there is a gain beside that work.
pub fn energies(impact: &Impact) -> String {
    let [before, after] = &impact.kinetic_energy;
    let (all, relative) = (Rational::from(after - before), impact.relative_work());
    let obstacles = impact.obstacle_work();
    let mut text = format!(
        "Kinetic energy: {} J before, {} J afterwards.",
        number(before),
        number(after)
    );
    if obstacles != 0 {
        text.push_str(&format!(
            " Of the change of {} J, {} J is the work of obstacles that move.",
            number(&all),
            number(&obstacles)
        ));
    }
    if relative > 0 {
        text.push_str(&format!(
            " The impact gained {} J: {}.",
            number(&relative),
            reason(impact)
        ));
    }
    text
}

/// Without friction a contact that approaches leaves at e times its speed, so that its impulse takes energy, or keeps it. What
/// gains is an impulse at a contact that parted before.
fn reason(impact: &Impact) -> &'static str {
    let rubbed = impact.rubbed.as_ref();
    let rubs = rubbed.is_some_and(|own| own.friction.iter().flatten().any(|p| *p != 0));
    match rubs {
        true => {
            "with friction the laws of restitution do not keep energy from rising (Kane and Levinson 1985)"
        }
        false => {
            "an impulse acts at a contact whose bodies part before the impact, and the law of restitution does not bound its work"
        }
    }
}
