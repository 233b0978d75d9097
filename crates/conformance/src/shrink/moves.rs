//! Simpler problems made from one.

use etalon_lcp::{Cone, Disc, Mu, Number};

use super::cost::rounded_to;
use crate::generate::draft::Draft;

/// The principal subproblem without `block` rows from row `from` on; with a normal row go its friction
/// rows, and all rows of its cone. `None` where nothing would be left.
pub fn without_rows(draft: &Draft, from: usize, block: usize) -> Option<Draft> {
    without(draft, |i| (from..from + block).contains(&i))
}

fn without(draft: &Draft, is_gone: impl Fn(usize) -> bool) -> Option<Draft> {
    let n = draft.q.len();
    let mut gone: Vec<bool> = (0..n).map(is_gone).collect();
    for &(row, normal, _) in &draft.friction {
        gone[row] |= gone[normal];
    }
    for cone in draft
        .cones
        .iter()
        .filter(|cone| gone[cone.normal])
        .cloned()
        .collect::<Vec<_>>()
    {
        cone.rows().for_each(|row| gone[row] = true);
    }
    let order: Vec<_> = (0..n).filter(|&i| !gone[i]).collect();
    if order.is_empty() || order.len() == n {
        return None;
    }
    let at = |row: usize| order.iter().position(|&i| i == row);
    let friction = draft
        .friction
        .iter()
        .filter_map(|&(row, normal, mu)| Some((at(row)?, at(normal)?, mu)));
    let pick = |values: &[f64]| order.iter().map(|&i| values[i]).collect();
    let mut smaller = Draft::new(
        order.iter().map(|&i| pick(&draft.m[i])).collect(),
        pick(&draft.q),
    );
    smaller.friction = friction.collect();
    smaller.cones = draft
        .cones
        .iter()
        .filter_map(|cone| moved(cone, at))
        .collect();
    let block = |block: &Vec<usize>| block.iter().filter_map(|&row| at(row)).collect::<Vec<_>>();
    let blocks = draft.blocks.iter().map(block);
    smaller.blocks = blocks.filter(|block| !block.is_empty()).collect();
    smaller.scale = draft.scale.as_ref().map(|scale| pick(scale));
    smaller.bounds = draft.bounds.as_ref().map(|(l, u)| (pick(l), pick(u)));
    Some(smaller)
}

/// A cone with its rows elsewhere, without those that are nowhere, and without discs that have none.
fn moved(cone: &Cone, at: impl Fn(usize) -> Option<usize>) -> Option<Cone> {
    let disc = |disc: &Disc| {
        let kept = disc.rows.iter().enumerate();
        let kept = kept.filter_map(|(k, &row)| Some((k, at(row)?)));
        let (places, rows): (Vec<_>, Vec<_>) = kept.unzip();
        let mu = match &disc.mu {
            Mu::One(_) => disc.mu.clone(),
            Mu::Each(_) => Mu::Each(places.into_iter().map(|k| disc.mu.of(k).clone()).collect()),
        };
        (!rows.is_empty()).then_some(Disc { rows, mu })
    };
    Some(Cone {
        normal: at(cone.normal)?,
        discs: cone.discs.iter().filter_map(disc).collect(),
        law: cone.law,
    })
}

/// Cones and discs dropped: a cone's rows made plain, a disc with its rows; one mu for all rows of a disc.
fn of_cones(draft: &Draft) -> Vec<Draft> {
    let mut list = Vec::new();
    for (k, cone) in draft.cones.iter().enumerate() {
        let mut plain = draft.clone();
        plain.cones.remove(k);
        list.push(plain);
        for (d, disc) in cone.discs.iter().enumerate() {
            list.extend(without(draft, |i| disc.rows.contains(&i)));
            if let Mu::Each(each) = &disc.mu {
                let mut one = draft.clone();
                one.cones[k].discs[d].mu = Mu::One(each[0].clone());
                list.push(one);
            }
        }
    }
    list
}

/// Changes of a whole problem: no bounds, no friction, all numbers shorter at once, better units.
pub fn whole(draft: &Draft) -> Vec<Draft> {
    let mut list = Vec::new();
    let mut with = |change: &dyn Fn(&mut Draft)| {
        let mut candidate = draft.clone();
        change(&mut candidate);
        if candidate != *draft && candidate.largest().is_finite() {
            list.push(candidate);
        }
    };
    with(&|d| d.bounds = None);
    with(&|d| d.friction.clear());
    with(&|d| d.blocks.clear());
    with(&|d| d.scale = None);
    with(&|d| every(d, |value| if value == 0.0 { 0.0 } else { value.signum() }));
    // Small integers, M and q each in units of its own.
    for most in [3.0, 9.0, 99.0] {
        with(&|d| {
            let largest = |values: &mut dyn Iterator<Item = &f64>| {
                values.fold(0.0, |most, value| value.abs().max(most))
            };
            // M and q apart: z in other units changes their ratio alone, and no answer.
            let m_unit = power_of_two_at_least(largest(&mut d.m.iter().flatten()) / most);
            let q_unit = power_of_two_at_least(largest(&mut d.q.iter()) / most);
            d.m.iter_mut()
                .flatten()
                .for_each(|v| *v = (*v / m_unit).round());
            d.q.iter_mut().for_each(|v| *v = (*v / q_unit).round());
        });
    }
    // Each row and column in units in which its diagonal entry is between 1 and 4.
    with(&|d| {
        let unit = |i: usize| {
            let diagonal = d.m[i][i].abs();
            if diagonal > 0.0 {
                1.0 / power_of_two_at_least(diagonal.sqrt() / 2.0)
            } else {
                1.0
            }
        };
        let units: Vec<f64> = (0..d.q.len()).map(unit).collect();
        // Units of its own for each unknown would change bounds and the shape of cones.
        if d.bounds.is_none() && d.friction.is_empty() && d.cones.is_empty() {
            *d = std::mem::take(d).scaled(&units, &units);
        }
    });
    with(&|d| every(d, f64::round));
    for bits in [1, 2, 4, 8, 16, 26] {
        with(&|d| every(d, |value| rounded_to(value, bits)));
    }
    for i in 0..draft.friction.len() {
        with(&|d| {
            d.friction.remove(i);
        });
    }
    for i in 0..draft.q.len() {
        with(&|d| {
            if let Some((lower, upper)) = &mut d.bounds {
                (lower[i], upper[i]) = (0.0, f64::INFINITY);
            }
        });
    }
    list.extend(of_cones(draft));
    list
}

/// Of the powers of two between 2^-1000 and 2^1000 the least that is no less; 1 for 0.
fn power_of_two_at_least(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    f64::exp2(value.log2().ceil().clamp(-1000.0, 1000.0))
}

fn every(draft: &mut Draft, simpler: impl Fn(f64) -> f64) {
    let numbers = draft.m.iter_mut().flatten().chain(&mut draft.q);
    numbers.for_each(|value| *value = simpler(*value));
}

/// A number of a problem.
#[derive(Debug, Clone, Copy)]
pub enum Entry {
    Q(usize),
    /// One entry of M.
    M(usize, usize),
    /// An entry of a symmetric M and its mirror image.
    Pair(usize, usize),
    Lower(usize),
    Upper(usize),
    Mu(usize),
    /// A friction coefficient of a cone: the cone, the disc, and its place among those of the disc.
    ConeMu(usize, usize, usize),
    Scale(usize),
}

/// All entries, q before M.
pub fn entries(draft: &Draft) -> Vec<Entry> {
    let n = draft.q.len();
    let mut entries: Vec<_> = (0..n).map(Entry::Q).collect();
    let symmetric = draft.is_symmetric();
    for i in 0..n {
        for j in 0..n {
            match (symmetric && i != j, j < i) {
                (false, _) => entries.push(Entry::M(i, j)),
                (true, true) => entries.push(Entry::Pair(i, j)),
                (true, false) => {}
            }
        }
    }
    if draft.bounds.is_some() {
        entries.extend((0..n).flat_map(|i| [Entry::Lower(i), Entry::Upper(i)]));
    }
    entries.extend((0..draft.friction.len()).map(Entry::Mu));
    for (k, cone) in draft.cones.iter().enumerate() {
        for (d, disc) in cone.discs.iter().enumerate() {
            entries.extend((0..disc.mu.data().len()).map(|place| Entry::ConeMu(k, d, place)));
        }
    }
    let scale = draft.scale.iter().flat_map(|scale| 0..scale.len());
    entries.extend(scale.map(Entry::Scale));
    entries
}

/// The friction coefficients of a disc. Cones and discs may fall away on the way.
fn mus(cones: &mut [Cone], cone: usize, disc: usize) -> Option<&mut [Number]> {
    let disc = cones.get_mut(cone)?.discs.get_mut(disc)?;
    Some(match &mut disc.mu {
        Mu::One(mu) => std::slice::from_mut(mu),
        Mu::Each(each) => each,
    })
}

impl Entry {
    pub fn get(self, draft: &Draft) -> f64 {
        match (self, &draft.bounds) {
            (Self::Q(i), _) => draft.q[i],
            (Self::M(i, j) | Self::Pair(i, j), _) => draft.m[i][j],
            (Self::Mu(k), _) => draft.friction[k].2,
            (Self::Lower(i), Some((lower, _))) => lower[i],
            (Self::Upper(i), Some((_, upper))) => upper[i],
            (Self::ConeMu(k, d, place), _) => {
                let disc = draft.cones.get(k).and_then(|cone| cone.discs.get(d));
                let mu = disc.and_then(|disc| disc.mu.data().get(place));
                mu.map_or(0.0, Number::to_f64)
            }
            (Self::Scale(i), _) => draft.scale.as_ref().map_or(0.0, |scale| scale[i]),
            // Bounds may fall away on the way.
            _ => 0.0,
        }
    }

    pub fn set(self, draft: &mut Draft, value: f64) {
        match (self, &mut draft.bounds) {
            (Self::Q(i), _) => draft.q[i] = value,
            (Self::M(i, j), _) => draft.m[i][j] = value,
            (Self::Pair(i, j), _) => {
                draft.m[i][j] = value;
                draft.m[j][i] = value;
            }
            (Self::Mu(k), _) => draft.friction[k].2 = value,
            (Self::Lower(i), Some((lower, _))) => lower[i] = value,
            (Self::Upper(i), Some((_, upper))) => upper[i] = value,
            (Self::ConeMu(k, d, place), _) => {
                let mu = mus(&mut draft.cones, k, d).and_then(|mus| mus.get_mut(place));
                if let (Some(mu), Some(value)) = (mu, Number::from_f64(value)) {
                    *mu = value;
                }
            }
            (Self::Scale(i), _) => {
                if let Some(scale) = &mut draft.scale {
                    scale[i] = value;
                }
            }
            _ => {}
        }
    }
}
