//! The laws of each contact of a line of the planar engine: Coulomb's bound, and complementarity.
//!
//! [`world_contacts`](crate::world_contacts) compares what all contacts do to a body together, since of several forces that do the same any
//! may stand in a line. Each of those forces still keeps the laws of its own contact. The step that is taken again has the problem
//! a = A f + b of its last evaluation. Accelerations follow from what all forces do together, so those of that answer are those of any
//! other, and the forces of the line are held against them, row by row:
//!
//! > f >= 0, and f = 0 where a > 0;  |f_t| <= bound, and f_t = -bound sign(a_t) where a_t is not 0.
//!
//! The bound is mu f by Coulomb's law, with the f of the line. By the law of the box, and where a problem had no moderate answer as it
//! stood, it is the number that the problem has.
//!
//! **Tolerances.** A force may be off by [`FORCES_AGREE`] of the largest force of the line: rounding on another platform does that. An
//! acceleration counts as 0 up to the same part of the terms of its row, sum |A_ij f_j| + |b_i|: it is a sum of such forces. Numbers are
//! compared exactly.

use etalon_golden::trajectory::{Contact, Line};
use etalon_planar::{LcpEvent, LcpKind, Observer, RowBound, RowPlace};
use rug::Rational;

use crate::world_contacts::FORCES_AGREE;

/// A problem of forces, as the engine solved it.
struct Seen {
    a: Vec<f64>,
    b: Vec<f64>,
    f: Vec<f64>,
    bounds: Vec<RowBound>,
    places: Vec<RowPlace>,
}

/// The problems of forces of the last moment: one for each group of contacts that moving bodies link, and those that were given up
/// before them.
#[derive(Default)]
pub struct LastMoment {
    time: f64,
    seen: Vec<Seen>,
}

impl Observer for LastMoment {
    fn lcp(&mut self, event: &LcpEvent<'_>) {
        if event.kind != LcpKind::Forces {
            return;
        }
        if event.time != self.time {
            self.time = event.time;
            self.seen.clear();
        }
        self.seen.push(Seen {
            a: event.a.to_vec(),
            b: event.b.to_vec(),
            f: event.f.to_vec(),
            bounds: event.bounds.to_vec(),
            places: event.places.to_vec(),
        });
    }
}

/// The rows of a contact: its normal, and its friction where it has some.
struct Rows<'a> {
    seen: &'a Seen,
    normal: usize,
    friction: Option<usize>,
}

impl LastMoment {
    /// What contacts of a line break. `own` is the line of the step that was taken again, with the same contacts; `names` are those of all
    /// bodies of the world, in its order.
    pub fn broken(&self, line: &Line, own: &Line, names: &[&str], h: f64) -> Vec<String> {
        let (Some(h), Some(part)) = (Rational::from_f64(h), Rational::from_f64(FORCES_AGREE))
        else {
            return Vec::new();
        };
        let forces = line.contacts.iter().flat_map(|own| forces_of(own, &h));
        let largest = forces.map(Rational::abs).max().unwrap_or_default();
        let known = largest * &part;
        let pairs = line.contacts.iter().zip(&own.contacts);
        let asked = pairs.filter_map(|(told, own)| Some((told, self.rows_of(own, names)?)));
        let broken = asked.flat_map(|(told, rows)| {
            let [normal, friction] = forces_of(told, &h);
            let mut found = Vec::new();
            found.extend(rows.normal_law(&normal, (&known, &part)));
            found.extend(rows.friction_law(&friction, &normal, (&known, &part)));
            found
                .into_iter()
                .map(|words| format!("contact {}: {words}", told.pair))
        });
        broken.collect()
    }

    /// The rows whose answer acts at a contact of the step; none of a joint, or where another force than that of a problem stands.
    fn rows_of(&self, own: &Contact, names: &[&str]) -> Option<Rows<'_>> {
        let [point, direction] = [own.point.as_ref()?, own.direction.as_ref()?]
            .map(|own| own.each_ref().map(|value| value.to_f64()));
        let name = |body: usize| names.get(body).copied().unwrap_or_default();
        let is_here = |place: &RowPlace| {
            place.point == point
                && place.distance == own.gap.to_f64()
                && own.pair == format!("{}/{}", name(place.first), name(place.second))
        };
        let tangent = [-direction[1], direction[0]];
        // What was solved last acts.
        self.seen.iter().rev().find_map(|seen| {
            let find = |along: [f64; 2], is_friction: bool| {
                let rows = seen.places.iter().zip(&seen.bounds);
                let mut rows = rows.map(|(place, bound)| {
                    is_here(place) && place.direction == along && bound.is_friction() == is_friction
                });
                rows.position(|is_row| is_row)
            };
            let normal = find(direction, false)?;
            if seen.bounds.get(normal)?.is_joint() {
                return None;
            }
            let acts = own.force.as_ref()?.to_f64() == *seen.f.get(normal)?;
            acts.then_some(Rows {
                seen,
                normal,
                friction: find(tangent, true),
            })
        })
    }
}

impl Rows<'_> {
    /// a_i, and the sum of the sizes of its terms.
    fn acceleration(&self, row: usize) -> Option<(Rational, Rational)> {
        let Seen { a, b, f, .. } = self.seen;
        let n = b.len();
        let mut sum = Rational::from_f64(*b.get(row)?)?;
        let mut size = sum.clone().abs();
        for (entry, force) in a.get(n * row..n * (row + 1))?.iter().zip(f) {
            let term = Rational::from_f64(*entry)? * Rational::from_f64(*force)?;
            sum += &term;
            size += term.abs();
        }
        Some((sum, size))
    }

    fn normal_law(
        &self,
        force: &Rational,
        (known, part): (&Rational, &Rational),
    ) -> Option<String> {
        if *force < -known.clone() {
            return Some(format!("it pulls with {:.3e} N", force.to_f64().abs()));
        }
        let (a, size) = self.acceleration(self.normal)?;
        (*force > *known && a > size * part).then(|| {
            format!(
                "complementarity: it pushes with {:.3e} N, and its bodies part by {:.3e} m/s^2",
                force.to_f64(),
                a.to_f64()
            )
        })
    }

    fn friction_law(
        &self,
        friction: &Rational,
        normal: &Rational,
        (known, part): (&Rational, &Rational),
    ) -> Option<String> {
        let Some(row) = self.friction else {
            let told = || {
                format!(
                    "cone: friction is {:.3e} N where the contact has none",
                    friction.to_f64()
                )
            };
            return (friction.clone().abs() > *known).then(told);
        };
        let (bound, off) = match *self.seen.bounds.get(row)? {
            RowBound::Coulomb { mu, .. } => {
                let mu = Rational::from_f64(mu)?;
                // Both forces may be off.
                let off = Rational::from(&mu + 1u32) * known;
                (mu * normal.clone().max(Rational::new()), off)
            }
            RowBound::Within(bound) => (Rational::from_f64(bound)?, known.clone()),
            _ => return None,
        };
        let over = friction.clone().abs() - &bound;
        if over > off {
            return Some(format!(
                "cone: friction is {:.3e} N, and its bound {:.3e} N",
                friction.to_f64().abs(),
                bound.to_f64()
            ));
        }
        let (a, size) = self.acceleration(row)?;
        if a.clone().abs() <= size * part {
            return None;
        }
        let against = if a > 0 {
            Rational::from(-friction)
        } else {
            friction.clone()
        };
        (against < bound.clone() - off).then(|| {
            format!(
                "maximal dissipation: friction against the slip is {:.3e} N, and its bound {:.3e} N",
                against.to_f64(),
                bound.to_f64()
            )
        })
    }
}

/// The forces along the normal and along the tangent that a line says, N. What is no number is none: the comparison with the step names it.
fn forces_of(own: &Contact, h: &Rational) -> [Rational; 2] {
    let friction = own.friction.first().and_then(|own| own.exact());
    [own.normal.exact(), friction].map(|own| own.unwrap_or_default() / h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_golden::trajectory::Quantity;

    /// a = f + b in two rows, of a contact with mu = 1/2 and of its friction, or of friction within a number.
    fn moment(b: [f64; 2], f: [f64; 2], friction: RowBound) -> LastMoment {
        let place = |direction| RowPlace {
            first: 0,
            second: 1,
            point: [0.0, 0.0],
            direction,
            distance: 0.0,
        };
        let seen = Seen {
            a: vec![1.0, 0.0, 0.0, 1.0],
            b: b.to_vec(),
            f: f.to_vec(),
            bounds: vec![RowBound::AtLeast(0.0), friction],
            places: vec![place([0.0, 1.0]), place([-1.0, 0.0])],
        };
        LastMoment {
            time: 0.0,
            seen: vec![seen],
        }
    }

    fn line([normal, friction]: [f64; 2]) -> Line {
        let contact = Contact {
            pair: "a/b".to_owned(),
            gap: Quantity::binary64(0.0),
            normal: Quantity::binary64(normal),
            force: Some(Quantity::binary64(normal)),
            friction: vec![Quantity::binary64(friction)],
            point: Some([0.0, 0.0].map(Quantity::binary64)),
            direction: Some([0.0, 1.0].map(Quantity::binary64)),
            ..Default::default()
        };
        Line {
            contacts: vec![contact],
            ..Line::default()
        }
    }

    fn said(moment: &LastMoment, own: [f64; 2], told: [f64; 2]) -> String {
        moment
            .broken(&line(told), &line(own), &["a", "b"], 1.0)
            .join("; ")
    }

    const COULOMB: RowBound = RowBound::Coulomb { normal: 0, mu: 0.5 };

    #[test]
    fn a_contact_keeps_its_own_laws_whatever_others_do() {
        // It pushes with 1, and holds 0.25 of at most 0.5 along the tangent.
        let rests = moment([-1.0, -0.25], [1.0, 0.25], COULOMB);
        let own = [1.0, 0.25];
        assert_eq!(said(&rests, own, own), "");
        assert_eq!(said(&rests, own, [1.0, -0.5]), "");
        assert!(said(&rests, own, [1.0, 0.51]).contains("cone: friction is 5.100e-1 N"));
        assert!(said(&rests, own, [-0.5, 0.0]).contains("pulls with 5.000e-1 N"));
        // Another platform may round.
        assert_eq!(said(&rests, own, [1.0, -0.5 - 1e-8]), "");
    }

    #[test]
    fn what_parts_does_not_push_and_what_slides_rubs_as_much_as_it_may() {
        let parts = moment([1.0, 0.0], [0.0, 0.0], COULOMB);
        assert_eq!(said(&parts, [0.0; 2], [0.0; 2]), "");
        assert!(said(&parts, [0.0; 2], [0.5, 0.0]).contains("complementarity: it pushes"));
        let slides = moment([-1.0, -2.0], [1.0, 0.5], COULOMB);
        let own = [1.0, 0.5];
        assert_eq!(said(&slides, own, own), "");
        for less in [0.25, -0.5] {
            let found = said(&slides, own, [1.0, less]);
            assert!(found.contains("maximal dissipation"), "{found}");
        }
    }

    #[test]
    fn the_bound_of_a_box_is_the_number_of_its_problem() {
        let boxed = moment([-1.0, -0.25], [1.0, 0.25], RowBound::Within(0.75));
        let own = [1.0, 0.25];
        assert_eq!(said(&boxed, own, [1.0, 0.75]), "");
        assert!(said(&boxed, own, [1.0, 0.76]).contains("its bound 7.500e-1 N"));
    }
}
