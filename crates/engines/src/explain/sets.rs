//! The impulses that a contact may have.

use etalon_certify::{root_above, root_below};
use rug::Rational;

use super::polygon::Polygon;
use crate::assembly::{Assembly, Block, ContactRows, DiscRows};
use crate::exact::{ROOT_BITS, length_above, sum};

/// Admissible impulses: λ_n >= 0, within the cap, and friction in each disc.
pub(super) struct ContactSet {
    /// The largest normal impulse, where the contact parts.
    pub cap: Option<Rational>,
    pub discs: Vec<DiscSet>,
}

/// Admissible friction of a disc.
pub(super) enum DiscSet {
    /// |λ| <= mu λ_n on one row.
    Segment(Rational),
    /// |(λ_1/mu_1, λ_2/mu_2)| <= λ_n, between two polygons.
    Round([Rational; 2], Polygon),
    /// λ = λ_n times a direction, which is between the two: only their lengths differ, in the last of 200 bits.
    Ray([Vec<Rational>; 2]),
}

impl DiscSet {
    /// Frictions for λ_n = 1 whose convex hull with 0 (of a ray: without it) is inside, or outside, of the set.
    pub fn corners(&self, inside: bool) -> Vec<Vec<Rational>> {
        match self {
            Self::Segment(mu) if mu.is_zero() => Vec::new(),
            Self::Segment(mu) => vec![vec![mu.clone()], vec![-mu.clone()]],
            Self::Round(mu, polygon) => {
                let corners = if inside {
                    polygon.inner()
                } else {
                    polygon.outer()
                };
                let stretched = |[x, y]: [Rational; 2]| vec![x * &mu[0], y * &mu[1]];
                corners.into_iter().map(stretched).collect()
            }
            Self::Ray([short, _]) if inside => vec![short.clone()],
            Self::Ray(ends) => ends.to_vec(),
        }
    }

    /// At most the least work of its frictions for λ_n = 1 on a slip u.
    pub fn least_work(&self, u: &[Rational]) -> Rational {
        match self {
            Self::Segment(mu) => -(u[0].clone().abs() * mu),
            Self::Round(mu, _) => {
                let parts: Vec<_> = u
                    .iter()
                    .zip(mu)
                    .map(|(u, mu)| Rational::from(u * mu))
                    .collect();
                -length_above(&parts)
            }
            Self::Ray(ends) => {
                let works = ends.iter().map(|end| crate::exact::dot(end, u));
                works.min().unwrap_or_default()
            }
        }
    }

    /// Whether friction is admissible with this normal impulse; of a ray up to the last of 200 bits.
    pub fn admits(&self, friction: &[Rational], normal: &Rational) -> bool {
        match self {
            Self::Segment(mu) => friction[0].clone().abs() <= Rational::from(mu * normal),
            Self::Round(mu, _) => {
                let pairs = || friction.iter().zip(mu);
                if pairs().any(|(own, mu)| mu.is_zero() && !own.is_zero()) {
                    return false;
                }
                let round = pairs().filter(|(_, mu)| !mu.is_zero());
                let square = sum(round.map(|(own, mu)| Rational::from(own / mu).square()));
                square <= Rational::from(normal.square_ref())
            }
            Self::Ray([short, _]) => {
                let pairs = friction.iter().zip(short);
                pairs
                    .into_iter()
                    .all(|(own, end)| *own == Rational::from(end * normal))
            }
        }
    }
}

/// The cones as they are declared.
pub(super) fn cones(assembly: &Assembly) -> Vec<ContactSet> {
    let set = |contact: &ContactRows| ContactSet {
        cap: None,
        discs: contact.discs.iter().map(disc).collect(),
    };
    assembly.contacts.iter().map(set).collect()
}

fn disc(own: &DiscRows) -> DiscSet {
    match &own.mu[..] {
        [one, other] => DiscSet::Round([one.clone(), other.clone()], Polygon::new()),
        mu => DiscSet::Segment(mu[0].clone()),
    }
}

/// A contact slides where its slip is over this part of the largest speed.
const SLIDES: (u32, u32) = (1, 100);

/// Coulomb's law at the velocity after the step: friction opposes the slip fully, and a contact that parts has no more
/// normal impulse than works the tolerance of energy.
///
/// # Errors
/// A contact that neither slides by more than a hundredth of the largest speed nor sticks: there the law is a jump.
pub(super) fn at_end_velocity(
    assembly: &Assembly,
    tol: &Rational,
) -> Result<Vec<ContactSet>, String> {
    let slides = &assembly.speed * Rational::from(SLIDES);
    let sticks = Rational::from(&assembly.speed * tol);
    // A contact that parts with a hundredth of the largest speed may still have the largest impulse of the step, and
    // one that parts faster so much less: solvers leave contacts that carry a load with a little speed.
    let momentum = |block: &Block| assembly.scale[block.rows.clone()].iter().max().cloned();
    // Blocks alternate, translation and rotation of each body: these are the linear momenta.
    let impulse = assembly.blocks.iter().step_by(2).filter_map(momentum).max();
    let energy = &slides * impulse.unwrap_or_default();
    let mut sets = Vec::new();
    for (c, contact) in assembly.contacts.iter().enumerate() {
        let mut discs = Vec::new();
        for own in &contact.discs {
            let u: Vec<_> = own.rows.iter().map(|k| contact.u[1][*k].clone()).collect();
            let speed = length_above(&u);
            if !own.slides || speed <= sticks {
                discs.push(disc(own));
            } else if speed > slides {
                discs.push(ray(own, &u));
            } else {
                return Err(format!(
                    "contact {c} slips by {}, which is neither sticking nor sliding against the largest speed {}",
                    etalon_lcp::short_text(&speed),
                    etalon_lcp::short_text(&assembly.speed),
                ));
            }
        }
        let parting = &contact.u[1][0];
        let cap = (*parting > 0).then(|| Rational::from(&energy / parting));
        sets.push(ContactSet { cap, discs });
    }
    Ok(sets)
}

/// -mu^2 u / |mu u|: the friction that works most against a slip.
fn ray(own: &DiscRows, u: &[Rational]) -> DiscSet {
    let pairs = || u.iter().zip(&own.mu);
    let square = sum(pairs().map(|(u, mu)| Rational::from(u * mu).square()));
    let ends = [
        // The longer root first: it makes the shorter friction, which is inside of the cone.
        root_above(&square, ROOT_BITS),
        root_below(&square, ROOT_BITS),
    ];
    if ends[1].is_zero() {
        let zero = vec![Rational::new(); u.len()];
        return DiscSet::Ray([zero.clone(), zero]);
    }
    let ends = ends.map(|length| {
        let part = |(u, mu): (&Rational, &Rational)| -Rational::from(mu.square_ref()) * u / &length;
        pairs().map(part).collect()
    });
    DiscSet::Ray(ends)
}

/// Corners of the sliding frictions that a contact may have for a normal impulse of 1, on its tangents: discs by themselves
/// make all their combinations. A circle is the polygon around it.
pub(super) fn sliding(contact: &ContactRows, set: &ContactSet) -> Vec<Vec<Rational>> {
    let mut corners: Vec<Vec<Rational>> = vec![Vec::new()];
    let pairs = contact.discs.iter().zip(&set.discs);
    for (_, disc) in pairs.filter(|(own, _)| own.slides) {
        let mut own = disc.corners(false);
        if own.is_empty() {
            own.push(vec![Rational::new(); disc.rows()]);
        }
        let joined = corners
            .iter()
            .flat_map(|before| own.iter().map(|own| [&before[..], &own[..]].concat()));
        corners = joined.collect();
    }
    corners
}

/// Adds the directions of frictions to the polygons; whether any was new.
pub(super) fn refine(sets: &mut [ContactSet], impulse: &[Vec<Rational>]) -> bool {
    let mut refined = false;
    for (set, impulse) in sets.iter_mut().zip(impulse) {
        let mut next = 1;
        for disc in &mut set.discs {
            if let DiscSet::Round(mu, polygon) = disc {
                let part = |k: usize| (Rational::from(&impulse[next + k] / &mu[k])).to_f64();
                if mu.iter().all(|mu| *mu > 0)
                    && impulse[next..next + 2].iter().any(|own| !own.is_zero())
                {
                    // An angle in binary64 will do: the polygon takes an exact unit vector near it.
                    refined |= polygon.add(part(1).atan2(part(0)));
                }
            }
            next += disc.rows();
        }
    }
    refined
}

impl DiscSet {
    /// The number of its rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Segment(_) => 1,
            Self::Round(..) => 2,
            Self::Ray([own, _]) => own.len(),
        }
    }
}
