//! Contacts of a line: their impulses in all phases of the step.

use etalon_engines::motion::{Breaches, MotionLaw};
use etalon_golden::trajectory::{Contact, Line, PhaseLine, Quantity};
use etalon_spatial::{SpaceContactRecord, SpaceImpulse};
use rug::Rational;

use super::super::line::{number, numbers};
use super::{RecordedSpace, figure, phases_of, three};

/// All contacts of a line.
pub(super) fn of_line(line: &Line) -> Result<Vec<SpaceContactRecord>, String> {
    let contacts = line.contacts.iter().enumerate();
    contacts.map(|(i, own)| contact(i, own, line)).collect()
}

fn contact(i: usize, own: &Contact, line: &Line) -> Result<SpaceContactRecord, String> {
    let field = |name: &str| format!("contacts[{i}].{name}");
    let vector = |name: &str, own: &Option<[Quantity; 3]>| {
        let own = own.as_ref().ok_or_else(|| {
            format!(
                "the field {:?} is missing; a contact in space has \"at\" and \"along\"",
                field(name)
            )
        })?;
        Ok::<_, String>(three(&numbers(&field(name), own)?))
    };
    let whole = whole(own);
    let (impulse, compression) = match &own.phases {
        None => (impulse(&format!("contacts[{i}]"), &whole)?, None),
        Some(_) if line.compression.is_none() => {
            return Err(phases_of(&format!("contacts[{i}]"), false));
        }
        Some([first, last]) => (
            impulse(&field("phases[1]"), last)?,
            Some(impulse(&field("phases[0]"), first)?),
        ),
    };
    let bounces = line.bounces.as_deref().unwrap_or_default();
    Ok(SpaceContactRecord {
        name: own.pair.clone(),
        gap: number(&field("gap"), &own.gap)?,
        point: vector("at", &own.at)?,
        normal: vector("along", &own.along)?,
        impulse,
        bounces: bounces.contains(&own.pair),
        compression,
    })
}

/// The impulses of a contact in the whole step.
fn whole(own: &Contact) -> PhaseLine {
    PhaseLine {
        normal: own.normal.clone(),
        friction: own.friction.clone(),
        torsion: own.torsion.clone(),
        rolling: own.rolling.clone(),
        ..PhaseLine::default()
    }
}

fn impulse(place: &str, own: &PhaseLine) -> Result<SpaceImpulse, String> {
    let field = |name: &str| format!("{place}.{name}");
    let friction = numbers(&field("friction"), &own.friction)?;
    let friction = match &friction[..] {
        [] => [Rational::new(), Rational::new()],
        [one, other] => [one.clone(), other.clone()],
        _ => {
            return Err(format!(
                "the field {:?} has not two numbers, along the tangents",
                field("friction")
            ));
        }
    };
    let torque = |name: &str, own: Option<&Quantity>| match own {
        Some(own) => number(&field(name), own),
        None => Ok(Rational::new()),
    };
    let rolling = own.rolling.as_ref();
    Ok(SpaceImpulse {
        normal: number(&field("normal"), &own.normal)?,
        friction,
        torsion: torque("torsion", own.torsion.as_ref())?,
        rolling: [
            torque("rolling[0]", rolling.map(|own| &own[0]))?,
            torque("rolling[1]", rolling.map(|own| &own[1]))?,
        ],
    })
}

impl RecordedSpace {
    /// Impulses of a whole step are the sums of those of its phases.
    pub(super) fn sums(&self, line: &Line, found: &mut Breaches) -> Result<(), String> {
        for (i, own) in line.contacts.iter().enumerate() {
            let Some([first, last]) = &own.phases else {
                continue;
            };
            let place = format!("contacts[{i}]");
            let all = [
                impulse(&place, &whole(own))?,
                impulse(&format!("{place}.phases[0]"), first)?,
                impulse(&format!("{place}.phases[1]"), last)?,
            ];
            let [whole, first, last] = all.each_ref().map(entries);
            for ((whole, first), last) in whole.into_iter().zip(first).zip(last) {
                let owner = format!("contact {}", own.pair);
                self.sum((owner, whole), [first, last], found);
            }
        }
        for own in line.joints.iter().flatten() {
            let owner = || format!("joint {}", own.joint);
            if let Some([first, last]) = &own.phases {
                let all = own.impulses.iter().zip(first).zip(last);
                for ((whole, first), last) in all {
                    let [whole, first, last] = [whole, first, last].map(Quantity::exact);
                    if let (Some(whole), Some(first), Some(last)) = (whole, first, last) {
                        self.sum((owner(), &whole), [&first, &last], found);
                    }
                }
            }
            for limit in own.limits.iter().flatten() {
                let Some([first, last]) = &limit.phases else {
                    continue;
                };
                let all = [&limit.impulse, first, last].map(Quantity::exact);
                if let [Some(whole), Some(first), Some(last)] = all {
                    self.sum((owner(), &whole), [&first, &last], found);
                }
            }
        }
        Ok(())
    }

    fn sum(
        &self,
        (place, whole): (String, &Rational),
        [first, last]: [&Rational; 2],
        found: &mut Breaches,
    ) {
        let sum = Rational::from(first + last);
        let off = Rational::from(whole - &sum);
        let size = Rational::from(first.abs_ref()) + Rational::from(last.abs_ref());
        let tolerance = self.few(&size);
        if Rational::from(off.abs_ref()) > tolerance {
            let words = format!(
                "an impulse of {} is recorded, and its phases add up to {}",
                figure(whole),
                figure(&sum)
            );
            found.report((MotionLaw::Data, place), off, ("N s", tolerance), words);
        }
    }
}

/// All numbers of an impulse.
fn entries(own: &SpaceImpulse) -> [&Rational; 6] {
    let ([f, g], [r, s]) = (&own.friction, &own.rolling);
    [&own.normal, f, g, &own.torsion, r, s]
}
